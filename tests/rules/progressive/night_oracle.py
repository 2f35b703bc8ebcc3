"""A plain computation of what a simulated night comes to, beside `rules.progressive` and without it: one level, one
hand a round, the sums of nz-1996 VIII 12.1 written out. It takes rows (places, decided orders, what people did and
said) and reckons everything from the opening, each time anew; nothing is kept but the order of what was folded.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rules.money import CENT

DOLLAR = 100 * CENT
TENTH, ROYAL_LEAST, STRAIGHT_LEAST = 10, 10_000 * DOLLAR, 1_000 * DOLLAR
FLUSH, STRAIGHT_FLUSH, ROYAL = "flush", "straight-flush", "royal-flush"
KEPT, FOR_THE_SEED = "next-meter", "reserve"
FOREVER = 1 << 62


class Prices(NamedTuple):
    """What of the rules decides here."""

    seed: int
    flush: int
    cap: int | None = None
    over: str = ""
    """What becomes of money that a full meter does not take: kept for the next one, for its seed, or the house's."""
    restores: bool = False
    """Whether the house restores a seed that smaller prizes have eaten into."""


class Change(NamedTuple):
    """Other rules: from an instant, or after a royal among hits that begin here or later."""

    prices: Prices
    place: int
    effect: int | None


class Fact(NamedTuple):
    """One thing as it was folded, and the rules in force before and after it."""

    place: int
    kind: str
    """in, back, hit, add (by people), come and go (from and to another jackpot)."""
    name: str
    before: Prices
    after: Prices
    into: tuple[int, int, int] = (0, 0, 0)
    """Of a contribution: what goes to the meter and to the reserve, and what of it a full meter would get."""
    hand: str = ""
    micros: int = 0
    kept: int = 0
    """Of what goes: what a full meter had kept out."""


class Word(NamedTuple):
    """What two people have said of a round: its hand, '' for none; where it belongs if the log has none of it."""

    hand: str
    place: int | None = None
    void: bool = False
    said: int | None = None
    """Said too late for the pots: the house alone pays what is due by it of what was folded up to here."""


@dataclass
class Pot:
    base: int
    above: int
    """The seed: what players have put on top of it."""
    reserve: int
    resets: int = 0
    kept: int = 0
    """What a full meter did not take, for the next one."""

    def room(self, micros: int, prices: Prices) -> int:
        """What of it the meter takes."""
        return micros if prices.cap is None else min(micros, max(0, prices.cap - self.base - self.above))

    def put(self, into: tuple[int, int, int], prices: Prices) -> tuple[int, int, int]:
        """A wager comes in: what of it went to the meter, the reserve, and what is kept."""
        rate, reserve, full = into
        at_cap = prices.cap is not None and self.base + self.above >= prices.cap
        micros = full if at_cap else rate
        onto = self.room(micros, prices)
        left = micros - onto
        kept = left if prices.over == KEPT else 0
        reserve += left if prices.over == FOR_THE_SEED else 0
        self.above += onto
        self.reserve += reserve
        self.kept += kept
        return onto, reserve, kept

    def add(self, micros: int, prices: Prices) -> None:
        """People or another jackpot put it there, or take it; what passes the cap is kept, whatever the rules."""
        onto = self.room(micros, prices) if micros > 0 else -min(-micros, self.above)
        self.above += onto
        self.kept += micros - onto if micros > 0 else 0

    def above_seed(self, seed: int) -> int:
        """What may leave the meter for another one."""
        return min(self.above, max(0, self.base + self.above - seed))

    def back(self, went: tuple[int, int, int]) -> None:
        self.above -= min(went[0], self.above)
        self.reserve -= min(went[1], self.reserve)
        self.kept -= min(went[2], self.kept)

    def _seeded(self, seed: int) -> None:
        self.reserve -= min(self.reserve, seed - self.base)
        self.base = seed

    def take(self, micros: int) -> int:
        """Out of the meter as far as it goes, what players have put in first."""
        taken = min(micros, self.base + self.above)
        first = min(taken, self.above)
        self.above -= first
        self.base -= taken - first
        return taken

    def pay(self, hand: str, prices: Prices) -> int:
        meter = self.base + self.above
        if hand == ROYAL:
            self.take(meter)
            self.resets += 1
            self._seeded(prices.seed)
            again = self.room(self.kept, prices)
            self.above, self.kept = self.above + again, self.kept - again
            return max(ROYAL_LEAST, -(-meter // CENT) * CENT)
        won = prices.flush
        if hand == FLUSH:
            self.take(won)
        else:
            self.take(meter // TENTH)
            won = max(STRAIGHT_LEAST, -(-meter // (TENTH * CENT)) * CENT)
        if prices.restores and self.base < prices.seed:
            self._seeded(prices.seed)
        return won


@dataclass
class Oracle:
    opening: Pot
    prices: Prices
    facts: list[Fact] = field(default_factory=list)
    words: list[tuple[str, Word]] = field(default_factory=list)
    """What people have said of rounds, in its order."""
    changes: list[Change] = field(default_factory=list)
    """Those that are not in force yet, in their order."""
    dates: list[tuple[int, Prices, Prices]] = field(default_factory=list)
    """Where rules came into force by their date, with those before and after."""
    known: set[tuple[str, str]] = field(default_factory=set)
    stretches: int = 0

    # ------------------------------------------------------------------------------------------- what is folded

    def feed(self, rows: list[tuple[int, str, int, Fact]], stretches: list[Any], until: int) -> None:
        """All that was folded since: rows of contributions and returns with their keys, and of the stretches only in
        which order hits were decided, and what people added where."""
        waiting = sorted(row for row in rows if (row[3].kind, row[3].name) not in self.known)
        for stretch in stretches[self.stretches :]:
            if stretch.moved is not None:
                waiting = self._others(waiting, stretch.moved.place)
                self._by_people(stretch.moved.place, stretch.moved.what)
            elif stretch.decision is not None:
                waiting = self._cluster(waiting, stretch.decision.order)
        self._others(waiting, until)
        self.stretches = len(stretches)

    def _by_people(self, place: int, what: Any) -> None:
        """What they moved there. Second thoughts are none of it: they are in the words."""
        kind = {"Adjustment": "add", "TransferIn": "come", "TransferOut": "go"}.get(type(what).__name__)
        if kind == "go":
            gone = {posting.pot.value: -posting.amount_micros for posting in what.postings}
            micros, kept = gone.get("increment", 0), gone.get("overflow", 0)
            self._add(Fact(place, kind, "", self.prices, self.prices, micros=micros, kept=kept))
        elif kind is not None:
            self._add(Fact(place, kind, "", self.prices, self.prices, micros=what.amount_micros))

    def say(self, name: str, word: Word) -> None:
        """What two people have said of a round stays where the first of them put it."""
        if word.place is None:
            word = word._replace(place=next((one.place for said, one in self.words if said == name), None))
        self.words.append((name, word))

    def own(self) -> set[str]:
        """Rounds whose last word came too late for the pots."""
        return {name for name, word in dict(self.words).items() if word.said is not None}

    def _add(self, fact: Fact) -> None:
        self.facts.append(fact)
        self.known.add((fact.kind, fact.name))

    def _others(
        self, waiting: list[tuple[int, str, int, Fact]], until: int
    ) -> list[tuple[int, str, int, Fact]]:
        here = [row for row in waiting if row[0] < until]
        for row in here:
            self._by_date(row[0])
            self._add(row[3]._replace(before=self.prices, after=self.prices))
        self._by_date(until)
        return waiting[len(here) :]

    def _by_date(self, place: int) -> None:
        while self.changes and self.changes[0].effect is not None and self.changes[0].effect <= place:
            change = self.changes.pop(0)
            self.dates.append((change.effect or 0, self.prices, change.prices))
            self.prices = change.prices

    def _cluster(
        self, waiting: list[tuple[int, str, int, Fact]], order: Any
    ) -> list[tuple[int, str, int, Fact]]:
        """Hits that were compared: all by the rules that held where the first of them stands, until one is a royal."""
        start = min(hit.moment.place for hit in order)
        end = max(hit.moment.latest for hit in order)
        waiting = self._others(waiting, start)
        among = [row for row in waiting if row[0] <= end]
        left = waiting[len(among) :]
        at = 0
        for number, hit in enumerate(order):
            # At its own place, but not after the latest moment of one that came later, nor before its own lock.
            bounds = [hit.moment.place, *(later.moment.latest for later in order[number + 1 :])]
            at = max(min(bounds), hit.lock_place, at)
            keys = [row[:3] for row in among]
            ready = bisect_right(keys, (at, hit.table, hit.number))
            for row in among[:ready]:
                self._add(row[3]._replace(before=self.prices, after=self.prices))
            among = among[ready:]
            before, hand = self.prices, hit.hits.hits[0].trigger
            armed = self.changes[0] if self.changes else None
            if hand == ROYAL and armed is not None and armed.effect is None and armed.place <= start:
                self.prices = self.changes.pop(0).prices
            self._add(Fact(at, "hit", hit.name, before, self.prices, hand=hand))
        for row in among:
            self._add(row[3]._replace(before=self.prices, after=self.prices))
        return left

    # ------------------------------------------------------------------------------------------- what it comes to

    def seen(self, words: dict[str, Word]) -> list[Fact]:
        """The facts with what people have said: another hand in the place of one, or one more where it belongs."""
        found: list[Fact] = []
        for fact in self.facts:
            word = words.get(fact.name) if fact.kind == "hit" else None
            found += [fact] if word is None else self._said(fact, word)
        there = {fact.name for fact in self.facts if fact.kind == "hit"}
        for name, word in words.items():
            if name not in there and word.place is not None:
                at = next((i for i, fact in enumerate(found) if fact.place > word.place), len(found))
                prices = self._prices_at(word.place)
                found[at:at] = self._said(Fact(word.place, "hit", name, prices, prices), word)
        return found

    def _prices_at(self, place: int) -> Prices:
        """What held there: where rules changed between its neighbours, by a date or else by the win before it, also if
        that is none by now."""
        facts = self.facts
        at = next((i for i, fact in enumerate(facts) if fact.place > place), len(facts))
        following = facts[at] if at < len(facts) else None
        new = self.prices if following is None else following.before
        since = facts[at - 1].place if at else 0
        for effect, old, dated in self.dates:
            if place < effect and since < effect and (following is None or effect <= following.place):
                return old if dated == new else new
        return new

    def _said(self, fact: Fact, word: Word) -> list[Fact]:
        hit = [fact._replace(hand=word.hand)] if word.hand else []
        back = [Fact(fact.place, "back", fact.name, fact.before, fact.after)] if word.void else []
        return [*hit, *back]

    def reckon(self) -> tuple[dict[str, int], Pot]:
        """What each round is due, and the pot. What was said too late for the pots holds for hands of before it was
        said: nobody has less by it, but the round itself, which has what was said."""
        due, pot = self._reckon(dict(each for each in self.words if each[1].said is None))
        cuts = sorted({word.said for _, word in self.words if word.said is not None})
        own = self.own()
        at = {fact.name: fact.place for fact in self.facts if fact.kind == "hit"}
        places = {name: word.place or 0 for name, word in self.words} | at
        for first, cut in zip([0, *cuts], cuts, strict=False):
            said, _ = self._reckon(dict(each for each in self.words if (each[1].said or FOREVER) >= cut))
            for name in due.keys() | said.keys():
                if first <= places[name] < cut:
                    micros = said.get(name, 0)
                    due[name] = micros if name in own else max(due.get(name, 0), micros)
        return due, pot

    def _reckon(self, words: dict[str, Word]) -> tuple[dict[str, int], Pot]:
        opening = self.opening
        pot = Pot(opening.base, opening.above, opening.reserve, opening.resets, opening.kept)
        due: dict[str, int] = {}
        came: dict[str, tuple[tuple[int, int, int], int]] = {}
        sent_back = set()
        for fact in self.seen(words):
            if fact.kind == "in":
                came[fact.name] = (pot.put(fact.into, fact.before), pot.resets)
                if fact.name in sent_back:  # its hand was before it, by the cameras
                    pot.back(came[fact.name][0])
            elif fact.kind == "back" and fact.name not in came:
                sent_back.add(fact.name)
            elif fact.kind == "back":
                went, resets = came[fact.name]
                if resets == pot.resets:
                    pot.back(went)
            elif fact.kind in ("add", "come"):
                pot.add(fact.micros, fact.before)
            elif fact.kind == "go":
                pot.back((fact.micros, 0, fact.kept))
            elif fact.kind == "hit":
                due[fact.name] = pot.pay(fact.hand, fact.before)
        return due, pot
