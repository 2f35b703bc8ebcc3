"""What a judge has found: how much was compared, every difference by name, and what could not be judged."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from rules.money import format_money

MAX_SHOWN = 200
"""Differences in the text; an installation that is wrong everywhere needs no thousand lines."""


@dataclass(frozen=True)
class Difference:
    """`kind` is a word for programs, `about` names the thing: a round, a line, a win, a frame, an account."""

    kind: str
    about: str
    text: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.about}: {self.text}"


@dataclass
class Verdict:
    counts: Counter[str] = field(default_factory=Counter)
    sums: Counter[str] = field(default_factory=Counter)
    """In micros."""
    differences: list[Difference] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What was left out, and why: nobody must take a part for the whole."""

    @property
    def holds(self) -> bool:
        return not self.differences

    def count(self, what: str, times: int = 1) -> None:
        self.counts[what] += times

    def add(self, what: str, micros: int) -> None:
        self.sums[what] += micros

    def differ(self, kind: str, about: str, text: str) -> None:
        found = Difference(kind, about, text)
        if found not in self.differences:
            self.differences.append(found)

    def same(self, kind: str, about: str, what: str, ours: object, theirs: object) -> bool:
        """Whether both say the same; otherwise the difference is named with both."""
        if ours == theirs:
            return True
        self.differ(kind, about, f"{what} is {theirs}, by the judge {ours}")
        return False

    def text(self) -> str:
        lines = ["The judge compared"]
        lines += [f"  {number:>8,} {what}" for what, number in self.counts.items()]
        lines += [f"  {format_money(micros):>16} {what}" for what, micros in self.sums.items()]
        lines += [f"Not judged: {note}" for note in self.notes]
        shown = self.differences[:MAX_SHOWN]
        lines += [f"DIFFERENCE {each}" for each in shown]
        if len(self.differences) > len(shown):
            lines.append(f"... and {len(self.differences) - len(shown)} more.")
        lines.append(
            "Not a micro off."
            if self.holds
            else f"{len(self.differences)} differences: Potline does not tie out."
        )
        return "\n".join(lines)
