"""What a sign was shown: frames are numbered, never go back, and never show what the replay did not have.

A figure may run ahead of what is final: it is the pots with everything that has arrived by then, as if nothing came in
between. So each frame is held against the replay of what had arrived: at least all that the frame before it
showed, at most what Potline had received when it made the frame.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice, product

from rules.errors import RuleError
from rules.money import CENT, format_money, rounded_down
from rules.progressive import State
from rules.progressive.clusters import Ruling
from rules.progressive.fold import Folded, Progress, Rulings
from simulator.judge.fold_again import FOREVER, Item, Tape
from simulator.judge.installation import Evidence, Row
from simulator.judge.sign import Shown
from simulator.judge.verdict import Verdict

PUBLIC = timedelta(seconds=1)
"""After its receipt a hit may be shown (docs/progressives.md)."""
SLACK = timedelta(milliseconds=250)
"""Between the receipt that a row names and the commit after which others see it."""
FOLDED = timedelta(seconds=10)
"""After two people have changed something it is in the pots, at the latest."""
MAX_ORDERS = 3_000
"""Ways in which rows of several tables may have become visible, that are tried for one frame."""
Figures = dict[str, str]


def judge_frames(
    verdict: Verdict, shown: list[Shown], tape: Tape, rulings: Rulings, evidence: Evidence
) -> None:
    frames = [each for each in shown if each.frame["progressive"] == tape.progressive.code]
    first = _numbered(verdict, frames)
    _Watch(verdict, tape, rulings, _arrivals(tape, evidence)).judge(first)
    _announced(verdict, first, evidence)


def _numbered(verdict: Verdict, frames: list[Shown]) -> list[Shown]:
    """Each number with one set of values; what was made later has no lower number. An older frame may come after a
    newer (docs/signs.md): a sign passes over it. Gives the first of each number, in their order."""
    first: dict[int, Shown] = {}
    newest: Shown | None = None
    for each in frames:
        name = f"frame {each.sequence} at {each.frame['at']}"
        verdict.count("frames on the sign")
        known = first.setdefault(each.sequence, each)
        if known.values != each.values:
            verdict.differ(
                "sign", name, f"shows {_say(each.values)}; the same frame had {_say(known.values)}"
            )
        elif newest is not None and each.sequence < newest.sequence and each.at > newest.at:
            verdict.differ(
                "sign", name, f"it was made after frame {newest.sequence}, of {newest.frame['at']}"
            )
        if newest is None or each.sequence > newest.sequence:
            newest = each
    return [first[number] for number in sorted(first)]


def _arrivals(tape: Tape, evidence: Evidence) -> list[tuple[datetime, Item]]:
    """When each row could be seen: on its receipt; a hit when it is public or, sooner, when it is a win."""
    resolved: dict[int, datetime] = {}
    for win in evidence.wins:
        at = datetime.fromisoformat(win["resolved_at"])
        resolved[win["round_id"]] = min(at, resolved.get(win["round_id"], at))
    found = []
    for item in tape.items:
        at = item.row.at("received_at")
        if item.hit is not None:
            at = min(at + PUBLIC, resolved.get(item.row.round_id, at + PUBLIC))
        found.append((at, item))
    return sorted(found, key=lambda each: each[0])


def _say(figures: Figures) -> str:
    return ", ".join(f"{level} {value}" for level, value in figures.items())


def _announced(verdict: Verdict, frames: list[Shown], evidence: Evidence) -> None:
    """Wins on the glass are those of the API."""
    wins = {win["id"]: win for win in evidence.wins}
    told: dict[int, Row] = {win["id"]: win for each in frames for win in each.frame["wins"]}
    names = {"hand": "trigger", "table": "table", "seat": "seat", "level": "level", "amount": "amount"}
    for number, win in told.items():
        verdict.count("wins on the sign")
        if number not in wins:
            verdict.differ("sign", f"win {number}", "the API does not know it")
            continue
        for part, name in names.items():
            verdict.same("sign", f"win {number}", part, wins[number][name], win[part])


@dataclass
class _Watch:
    """Goes from frame to frame with what must have been seen by then."""

    verdict: Verdict
    tape: Tape
    rulings: Rulings
    coming: list[tuple[datetime, Item]]
    seen: list[Item] = field(default_factory=list)
    """Beyond the progress that nothing can change any more."""
    progress: Progress | None = None
    taken: int = 0
    """Of the amendments, how many are in that progress."""
    known: tuple[int, int] = (0, 0)
    """How many of them the frame at hand must show, and how many it may."""

    def judge(self, frames: list[Shown]) -> None:
        for each in frames:
            name = f"frame {each.sequence} at {each.frame['at']}"
            may = [pair for pair in self.coming if pair[0] <= each.at + SLACK]
            said = [one.at for one in self.tape.amendments]
            must = sum(at <= each.at - FOLDED for at in said)
            self.known = must, max(must, sum(at <= each.at + SLACK for at in said))
            found = self._matching(each.values, [item for _, item in may])
            if found is None:
                try:
                    high = self._figures([*self.seen, *(item for _, item in may)])
                except RuleError as fault:
                    self.verdict.differ("sign", name, f"cannot be replayed: {fault}")
                    return
                text = f"shows {_say(each.values)}, which the replay never had: it had {_say((high or [{}])[-1])}"
                self.verdict.differ("sign", name, text)
                continue
            self.verdict.count("figures on the sign that the replay had")
            self._go_on(found)

    def _matching(self, values: Figures, may: list[Item]) -> list[Item] | None:
        """The rows that became visible with this frame, as few as give its values."""
        for more in self._ways(may):
            with suppress(RuleError):  # these were never all that there was
                if values in self._figures([*self.seen, *more]):
                    return more
        return None

    def _ways(self, may: list[Item]) -> Iterator[list[Item]]:
        """In the order of receipt first; then table by table, because the later may commit the sooner."""
        yield from (may[:count] for count in range(len(may) + 1))
        streams: dict[str, list[Item]] = {}
        for item in may:
            name = item.row.name if item.hit is not None else item.row.table
            streams.setdefault(name, []).append(item)
        counts = product(*(range(len(rows) + 1) for rows in streams.values()))
        for chosen in islice(counts, MAX_ORDERS):
            yield [item for rows, n in zip(streams.values(), chosen, strict=True) for item in rows[:n]]

    def _figures(self, items: list[Item]) -> list[Figures]:
        """What a sign may show of these: as ruled; or, before people have ruled, the lowest of every order. With what
        people changed by then, and in the moments after, without it; RuleError where neither can be. What they said of
        a round cannot be without that round: so soon after the frame it may have been said, and was not."""
        must, may = self.known
        found: list[Figures] = []
        faults: list[RuleError] = []
        for count in range(may, must - 1, -1):
            try:
                found += self._known_figures(items, count)
            except RuleError as fault:
                faults.append(fault)
        if faults and not found:
            raise faults[-1]
        return found

    def _known_figures(self, items: list[Item], count: int) -> list[Figures]:
        folded = self._fold(items, Rulings(), count)
        if folded.waiting is None:
            return [_shown([folded.progress.state])]
        found = []
        if self.rulings != Rulings():
            found.append(_shown([self._fold(items, self.rulings, count).progress.state]))
        return [*found, _shown([state.progress.state for state in self._every_order(items, folded, count)])]

    def _fold(self, items: list[Item], rulings: Rulings, count: int) -> Folded:
        amendments = self.tape.amendments[self.taken : count]
        return self.tape.fold(items, FOREVER, rulings, self.progress, amendments)

    def _every_order(self, items: list[Item], folded: Folded, count: int) -> list[Folded]:
        waiting = folded.waiting
        orders = [option.order for option in waiting.options] if waiting else []
        made = []
        for order in orders:
            pairs = tuple(Ruling(a, b) for i, a in enumerate(order) for b in order[i + 1 :])
            made.append(self._fold(items, Rulings(pairs), count))
        return made or [folded]

    def _go_on(self, more: list[Item]) -> None:
        """What stands before everything that is still to come is folded once and for all."""
        chosen = {id(item) for item in more}
        self.coming = [pair for pair in self.coming if id(pair[1]) not in chosen]
        self.seen += more
        later = self.tape.amendments[self.known[0] :]
        limit = min(
            (*(self._reach(item) for _, item in self.coming), *(one.place for one in later)), default=0
        )
        here = [one for one in self.tape.amendments[self.taken : self.known[0]] if one.place < limit]
        folded = self.tape.fold(self.seen, limit, Rulings(), self.progress, here)
        self.progress, self.taken = folded.progress, self.taken + len(here)
        self.seen = [item for item in self.seen if item.place >= folded.progress.until]

    @staticmethod
    def _reach(item: Item) -> int:
        return item.place if item.hit is None else min(item.place, item.hit.moment.earliest)


def _shown(states: list[State]) -> Figures:
    """The lowest of each level, in whole cents."""
    return {
        level.name: format_money(
            rounded_down(min(state.level(level.name).meter_micros for state in states), CENT)
        )
        for level in states[0].levels
    }
