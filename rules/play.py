"""The settlement of one round as it is being worked out: verbs for games, and the general provisions around them.

A game says `play.win(wager, odds, rule)`; limits, ceilings, vouchers and rounding to chips are applied here, once.
`finish` refuses to end before every wager has exactly one line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from rules.contract import (
    EMPTY,
    Carried,
    Hit,
    Irregularity,
    KindLimits,
    Line,
    Outcome,
    Round,
    Settlement,
    Standing,
    Wager,
)
from rules.declare import PayTable
from rules.errors import RuleError
from rules.frozen import maker
from rules.limits import bounds_of, rooms
from rules.money import CENT, rounded_up
from rules.odds import Odds

BELOW_MINIMUM = "below-minimum"
"""Key of the table state: who has already had a stake under the minimum count (nz-1996 I 14.2(a))."""

_WIN, _LOSE, _PUSH, _VOID, _STANDS = Outcome.WIN, Outcome.LOSE, Outcome.PUSH, Outcome.VOID, Outcome.STANDS
_line = maker(Line)


class Play:
    """Built by `rules.settle`; games read `round`, `wagers` and `options` and call the verbs."""

    def __init__(self, round: Round) -> None:
        self.round = round
        self.game = round.game
        self.options = round.options
        self.dealt = round.dealt
        self.table: dict[str, Any] = dict(round.carried.table)
        """The table's state, to be changed in place; what is left in it is carried to the next round."""
        self.state: dict[str, Mapping[str, Any]] = {s.wager.id: s.state for s in round.carried.wagers}
        """What earlier rounds remembered of each standing wager."""
        self.all_wagers: tuple[Wager, ...] = (*(s.wager for s in round.carried.wagers), *round.wagers)
        self._open: dict[str, Wager] = {wager.id: wager for wager in self.all_wagers}
        """Wagers without a line yet."""
        self._lines: dict[str, Line] = {}
        self._standing: list[Standing] = []
        self._hits: list[Hit] = []
        self._result: dict[str, str] = {}
        self._excess: dict[str, int] = {}
        self._shared_cut: dict[str, str] = {}
        """Wagers of which a part is void because their box is full, with the rule."""
        self._chip = max(round.limits.chip, CENT)
        self._cites = f"{round.game.cites} "
        self._apply_limits()

    # Reading

    @property
    def wagers(self) -> tuple[Wager, ...]:
        """All wagers without a line yet, standing ones first."""
        return tuple(self._open.values())

    def of_kind(self, *kinds: str) -> tuple[Wager, ...]:
        return tuple([wager for wager in self._open.values() if wager.kind in kinds])

    def by_seat(self) -> dict[int, list[Wager]]:
        """Open wagers by seat, in the order of seats from the dealer's left."""
        seats: dict[int, list[Wager]] = {}
        for wager in self._open.values():
            if wager.seat in seats:
                seats[wager.seat].append(wager)
            else:
                seats[wager.seat] = [wager]
        return dict(sorted(seats.items()))

    def is_new(self, wager: Wager) -> bool:
        return wager.id not in self.state

    def in_play(self, wager: Wager) -> int:
        """The part of a stake that counts: what exceeds the maximum is void."""
        return wager.stake - self._excess.get(wager.id, 0)

    def line_of(self, wager: Wager) -> Line | None:
        return self._lines.get(wager.id)

    def paid_on(self, wager: Wager) -> int:
        """What its line pays out, rounding included; 0 where it has none yet."""
        line = self._lines.get(wager.id)
        return 0 if line is None else line.winnings

    def fee_paid(self, wager: Wager) -> int:
        """Micros charged for it in earlier rounds: what its state keeps as 'fee'."""
        fee = self.state.get(wager.id, EMPTY).get("fee", 0)
        if isinstance(fee, bool) or not isinstance(fee, int) or fee < 0:
            raise RuleError(
                f"a fee is a number of micros, not {fee!r}", field=f"carried.wagers.{wager.id}.state"
            )
        return fee

    def pays(self, slot: str) -> PayTable:
        return self.round.paytables[slot]

    def irregularity(self, kind: str, seat: int | None = None) -> Irregularity | None:
        for irregularity in self.round.irregularities:
            if irregularity.kind == kind and (seat is None or irregularity.seat == seat):
                return irregularity
        return None

    def rule(self, number: str) -> str:
        return self._cites + number

    # Verbs: each gives a wager its line

    def win(
        self,
        wager: Wager,
        odds: Odds | None,
        rule: str,
        *,
        commission: Fraction | int = 0,
        fee: int = 0,
        on: int | None = None,
        returned: int | None = None,
        line: str = "",
        at_most: int | None = None,
        plus: int = 0,
        also: Iterable[str] = (),
    ) -> None:
        """Pays a wager. `commission` is an amount in micros kept of the winnings; `fee` is charged on top in this
        round; `on`: odds apply to this part of the stake only (the rest comes back as it is, unless `returned`
        says what does: a horn loses its other parts); `line`: the pay table line, for its ceiling; `at_most`: what
        is left of a limit that the rulebook sets for all wagers of a hand together (`limits.hand_payout`); `plus`: a
        sum that is paid on top of the odds and that no ceiling touches (an envy bonus), or that is all where there are
        no odds (what a player's bank gains)."""
        cited = tuple(also)
        stake = self.in_play(wager) if on is None else on
        # What is won and then what of it is paid out is top / bottom micros, exact and in whole numbers.
        top, bottom = (0, 1) if odds is None else (odds.top * stake, odds.bottom)
        ceiling = self._ceiling(wager, line)
        if ceiling is not None and top > ceiling * bottom:
            top, bottom = ceiling, 1
            cited = (*cited, self.game.kinds[wager.kind].ceiling_rule)
        if at_most is not None and top > at_most * bottom:
            top, bottom = at_most, 1
            cited = (*cited, self.game.hand_payout_rule)
        top += plus * bottom
        if commission:
            top = top * commission.denominator - commission.numerator * bottom
            bottom *= commission.denominator
        unit = self._payable(wager)
        paid = -(-top // (bottom * unit)) * unit
        kept = int(commission)  # below a micro is the house's loss, and the payout is exact all the same
        whole = top // bottom if top >= 0 else -(-top // bottom)
        if paid * bottom != top:
            cited = (*cited, self.game.provisions.rounding_rule)
        back = wager.stake if returned is None else returned
        if wager.promo:
            # A voucher is used up by the part that won; what was void of it goes back to its owner.
            back = max(back - stake, wager.stake - self.in_play(wager))
            cited = (*cited, self.game.provisions.promo_rule)
        self._add(wager, _WIN, rule, odds, paid + kept, back, 0, kept + fee, paid - whole, cited)

    def pay_or_lose(
        self, wager: Wager, slot: str, key: str | None, rule: str, *, also: Iterable[str] = ()
    ) -> None:
        """By the pay table in force: the odds of the line, or lost where the table has no such line."""
        odds = None if key is None else self.round.paytables[slot].lines.get(key)
        if odds is None:
            self.lose(wager, rule, also=also)
        else:
            self.win(wager, odds, rule, line=key or "", also=also)

    def lose(
        self, wager: Wager, rule: str, *, returned: int = 0, fee: int = 0, also: Iterable[str] = ()
    ) -> None:
        """Takes a wager; `returned`: the part that the rulebook gives back (half on zero, surrender); `fee` is charged
        on top in this round."""
        if self._excess:
            returned += self._excess.get(wager.id, 0)
        self._add(wager, _LOSE, rule, None, 0, returned, 0, fee, 0, also)

    def push(self, wager: Wager, rule: str, *, also: Iterable[str] = ()) -> None:
        """A stand-off: the stake comes back."""
        self._add(wager, _PUSH, rule, None, 0, wager.stake, 0, 0, 0, also)

    def void(self, wager: Wager, rule: str, *, also: Iterable[str] = ()) -> None:
        """No bet, or taken down by its owner: the stake comes back, and with it the fee that was paid before."""
        fee = self.fee_paid(wager) if self.state else 0
        self._add(wager, _VOID, rule, None, 0, wager.stake, 0, -fee, 0, also)

    def stand(
        self,
        wager: Wager,
        rule: str,
        state: Mapping[str, Any] = EMPTY,
        *,
        fee: int = 0,
        stake: int | None = None,
        won: Odds | None = None,
        also: Iterable[str] = (),
    ) -> None:
        """Leaves a wager on the layout for the next round. `fee` is charged now (negative: given back); `stake`
        is what goes on where a part was taken down; `won`: paid now at these odds and left standing."""
        onward = self.in_play(wager) if stake is None else stake
        winnings = rounding = 0
        if won is not None:
            exact = won.winnings(self.in_play(wager))
            winnings = rounded_up(exact, self._payable(wager))
            rounding = winnings - int(exact)
        outcome = _STANDS if won is None else _WIN
        back = wager.stake - onward
        self._add(wager, outcome, rule, won, winnings, back, onward, fee, rounding, also)
        kept = wager if onward == wager.stake else _with_stake(wager, onward)
        self._standing.append(Standing(kept, dict(state)))

    def hit(
        self,
        wager: Wager,
        trigger: str,
        rule: str,
        cards: Iterable[int] = (),
        *,
        on_board: bool = False,
        folded: bool = False,
        strength: int = 0,
        onward: Mapping[str, Any] | None = None,
    ) -> None:
        """A jackpot wager that won: the line says so, the meter says how much. The stake stays in the pool.
        `onward`: it may win again, and stands for the next round with this state."""
        counts = self._as_it_counts(wager)
        stays = 0 if onward is None else counts.stake
        self._add(wager, _WIN, rule, None, 0, wager.stake - counts.stake, stays)
        if onward is not None:
            self._standing.append(Standing(counts, dict(onward)))
        self._hits.append(Hit(counts, trigger, rule, tuple(cards), on_board, folded, strength))

    def also_hit(
        self, wager: Wager, trigger: str, rule: str, cards: Iterable[int] = (), *, strength: int = 0
    ) -> None:
        """A wager that is paid by its odds and wins a progressive besides (`WagerKind.entitles`). Gives no line."""
        self._hits.append(Hit(self._as_it_counts(wager), trigger, rule, tuple(cards), strength=strength))

    def void_all(self, rule: str, wagers: Iterable[Wager] | None = None) -> None:
        for wager in tuple(self.wagers if wagers is None else wagers):
            self.void(wager, rule)

    def say(self, who: str, text: str) -> None:
        """A result in words, for staff and signs."""
        self._result[who] = text

    def finish(self) -> Settlement:
        if self._open:
            raise RuntimeError(
                f"{self.game.name} ({self.game.rulebook}) left wagers without a line: {list(self._open)}"
            )
        lines = tuple([self._lines[wager.id] for wager in self.all_wagers])
        carried = Carried(self.table, tuple(self._standing))
        return Settlement(lines, tuple(self._hits), carried, self._result)

    # Inside

    def _as_it_counts(self, wager: Wager) -> Wager:
        """The wager without what goes back: a prize that is a multiple of the stake is paid on no more."""
        counts = self.in_play(wager)
        return wager if counts == wager.stake else _with_stake(wager, counts)

    def _payable(self, wager: Wager) -> int:
        """The smallest amount that can be paid for it."""
        return CENT if self.game.provisions_for(wager).credits else self._chip

    def _ceiling(self, wager: Wager, line: str) -> int | None:
        kind = self.game.kinds[wager.kind]
        if not kind.ceiling_rule or (kind.ceiling_lines and line not in kind.ceiling_lines):
            return None
        return self.round.limits.of(wager).max_payout

    def _add(
        self,
        wager: Wager,
        outcome: Outcome,
        rule: str,
        odds: Odds | None,
        winnings: int,
        returned: int,
        standing: int,
        commission: int = 0,
        rounding: int = 0,
        also: Iterable[str] = (),
    ) -> None:
        if self._open.pop(wager.id, None) is None:
            raise RuntimeError(f"{self.game.name} ({self.game.rulebook}) settled wager {wager.id} twice")
        if not rule:
            raise RuntimeError(
                f"{self.game.name} ({self.game.rulebook}) settled wager {wager.id} without a rule"
            )
        cited = tuple(also)
        if self._excess and wager.id in self._excess:
            cited = (*cited, *(over for over in self._excess_rules(wager) if over != rule))
        line = _line(wager, outcome, rule, odds, winnings, returned, standing, commission, rounding, cited)
        if returned + standing > wager.stake or returned < 0 or winnings < 0:
            raise RuntimeError(
                f"{self.game.name} ({self.game.rulebook}) made money of wager {wager.id}: {line}"
            )
        self._lines[wager.id] = line

    def _apply_limits(self) -> None:
        """Stakes outside of the limits, as the rulebook treats them once they lie on the table. A wager that the
        rulebook measures by another one follows it: valid with it, void with it, cut with it."""
        limits = self.round.limits
        if not limits.kinds and not limits.players:
            return
        by_kind: dict[str, KindLimits] = {}
        for wager in self.round.wagers:
            bounds = by_kind.get(wager.kind)
            if bounds is None:
                bounds = bounds_of(self.game, limits, wager)
                if not limits.players:
                    by_kind[wager.kind] = bounds
            stake, most = wager.stake, bounds.maximum
            if bounds.minimum <= stake and (most is None or stake <= most) and not bounds.increment:
                continue
            provisions = self.game.provisions_for(wager)
            if stake >= bounds.minimum:
                self._cut(wager, provisions.taken(stake, bounds))
            elif self._refused_below(wager):
                self.void(wager, provisions.below_rule)
        staked = {wager.id: self.in_play(wager) for wager in self.wagers}
        for wager, kind, room in rooms(self.round, self.wagers, staked):
            if self._cut(wager, room):
                self._shared_cut[wager.id] = kind.shared_maximum
        if self._excess:
            self._cut_measured()
        self._void_what_is_left_alone()

    def _cut(self, wager: Wager, to: int) -> bool:
        """What is over is void. True: something was."""
        if to >= self.in_play(wager):
            return False
        self._excess[wager.id] = wager.stake - to
        return True

    def _cut_measured(self) -> None:
        """Of a wager measured by one of which a part is void, what is too much beside the rest is void too."""
        for wager in self.round.wagers:
            amount = self.game.kinds[wager.kind].amount
            if amount is None:
                continue
            beside = [w for w in self.all_wagers if (w.seat, w.player) == (wager.seat, wager.player)]
            bases = [w for w in beside if w.kind == amount.of]
            if any(base.id in self._excess for base in bases):
                staked, joined = self.in_play, [w for w in beside if w.kind in amount.joined_by]
                more = sum(map(staked, joined))
                self._cut(
                    wager,
                    max(
                        amount.permitted(staked(wager), staked(w), more, multiple=wager.stake // w.stake)
                        for w in bases
                    ),
                )

    def _void_what_is_left_alone(self) -> None:
        """Wagers of which nothing counts, then those that need one which is void."""
        for wager in self.wagers if self._excess else ():
            if not self.in_play(wager):
                self.void(wager, self._excess_rules(wager)[0])
        found = bool(self._lines)
        while found:
            found = False
            gone = {
                (line.wager.seat, line.wager.player, line.wager.kind): line for line in self._lines.values()
            }
            for wager in self.wagers:
                place, needs = (wager.seat, wager.player), self.game.kinds[wager.kind].needs
                void = next((gone[(*place, need)] for need in needs if (*place, need) in gone), None)
                if void is not None and not any(w.kind in needs for w in self._at(place)):
                    self.void(wager, void.rule)
                    found = True

    def _at(self, place: tuple[int, str]) -> list[Wager]:
        return [wager for wager in self._open.values() if (wager.seat, wager.player) == place]

    def _excess_rules(self, wager: Wager) -> tuple[str, ...]:
        """The rules by which a part of a stake does not count."""
        above = self.game.provisions_for(wager).above_rule
        return (self._shared_cut[wager.id], above) if wager.id in self._shared_cut else (above,)

    def _refused_below(self, wager: Wager) -> bool:
        provisions = self.game.provisions_for(wager)
        if provisions.below_minimum != "once":
            return provisions.below_minimum == "void"
        who = _name_of(wager)
        before = self.table.get(BELOW_MINIMUM, [])
        if not isinstance(before, (list, tuple)):
            raise RuleError("expected a list of players", field=f"carried.table.{BELOW_MINIMUM}")
        if who in before:
            return True
        self.table[BELOW_MINIMUM] = [*before, who]
        return False


def _name_of(wager: Wager) -> str:
    """By which a player is remembered at the table; the seat where nobody is named. A name of digits is no seat."""
    return (f"player {wager.player}" if wager.player.isdigit() else wager.player) or str(wager.seat)


def _with_stake(wager: Wager, stake: int) -> Wager:
    return Wager(wager.id, wager.kind, stake, wager.seat, wager.player, wager.selection, wager.promo)
