"""A round as it counts now: as it was told, or the last version that people have made of it. Reads only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rules import Settlement, settle
from rules.codec import carried_to_json, round_from_json, same_wagers
from tables.models import Round, RoundVersion, SettledLine, VersionLine
from tables.settle.lines import COLUMNS, booking_of
from tables.settle.resettle import first_lines

PLAYED = ("wagers", "dealt", "decisions", "irregularities")
"""What people may put right of a round; what it inherited follows from the rounds before it."""


@dataclass(frozen=True)
class Version:
    """One version of a round; `row` is the round itself where it is the first."""

    round: Round
    row: Round | RoundVersion

    @property
    def number(self) -> int:
        return self.row.number if isinstance(self.row, RoundVersion) else 1

    @property
    def played(self) -> dict[str, Any]:
        return {name: getattr(self.row, name) for name in PLAYED}

    @property
    def carried_in(self) -> dict[str, Any]:
        found: dict[str, Any] = self.row.carried_in
        return found

    @property
    def entry_key(self) -> str:
        return (
            f"tables:round:{self.round.pk}" if self.number == 1 else version_key(self.round.pk, self.number)
        )

    def lines(self) -> Sequence[SettledLine]:
        if isinstance(self.row, Round):
            return first_lines(self.row)
        return list(self.row.lines.order_by("position"))

    def settled(self) -> Settlement:
        """By today's rules. Raises RuleError where they refuse it."""
        return settle(round_from_json(self.row.document()))

    def left(self) -> dict[str, Any]:
        """What it hands to the next round."""
        return carried_to_json(self.settled().carried)


def says(row: Round | RoundVersion, name: str, value: object) -> bool:
    """Whether it holds what somebody has told of it, in whatever spelling."""
    kept = getattr(row, name)
    if name == "wagers" and isinstance(value, list):
        return same_wagers(kept, value)
    return bool(kept == value)


def version_key(round_id: int, number: int) -> str:
    return f"tables:version:{round_id}:{number}"


def all_of(round: Round) -> list[Version]:
    """In order; the last one counts."""
    later = RoundVersion.objects.filter(round=round).select_related(
        "correction__asked_by", "correction__approval__decided_by"
    )
    found = [Version(round, round)]
    for row in later.order_by("number"):
        row.round = round
        found.append(Version(round, row))
    return found


def latest(round: Round) -> Version:
    row = RoundVersion.objects.filter(round=round).order_by("number").last()
    if row is None:
        return Version(round, round)
    row.round = round
    return Version(round, row)


def drafted(row: RoundVersion, answer: Settlement) -> list[VersionLine]:
    """The lines of a version, not stored yet."""
    rows = booking_of(row, answer).rows
    return [VersionLine(version=row, **dict(zip(COLUMNS, values, strict=True))) for values in rows]


def replaced_lines(version: RoundVersion) -> Sequence[SettledLine]:
    """Those of the version before it."""
    if version.number == 2:
        return first_lines(version.round)
    lines = VersionLine.objects.filter(version__round=version.round_id, version__number=version.number - 1)
    return list(lines.order_by("position"))


def promo_ids(*rows: Round | RoundVersion) -> set[str]:
    """Of the wagers that were made by a voucher."""
    return {wager["id"] for row in rows for wager in _wagers(row) if wager.get("promo")}


def _wagers(row: Round | RoundVersion) -> Iterator[dict[str, Any]]:
    yield from row.wagers
    standing: Iterable[dict[str, Any]] = row.carried_in.get("wagers", ())
    for each in standing:
        yield each["wager"]
