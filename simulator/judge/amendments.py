"""What people changed while a progressive was played: rules that were armed, dated or taken back, meters that were
adjusted, rounds that were seen otherwise. Each has its place in the order; the replay takes it there."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from rules.progressive import ProgressiveRules, decode
from rules.progressive.clusters import HitRound, clusters
from rules.progressive.fold import Progress
from rules.progressive.second_thoughts import PotsAdjustment, adjusted
from simulator.judge.installation import Evidence, Row

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
METER = "meter"
TRANSFERS = ("out", "in", "end")
"""Adjustments by which money goes from one progressive to another; no round is seen otherwise by them."""


def micros(at: datetime | str) -> int:
    moment = datetime.fromisoformat(at) if isinstance(at, str) else at
    return (moment - EPOCH) // timedelta(microseconds=1)


@dataclass(frozen=True)
class Amendment:
    """`kind`: armed, withdrawn, dated, or what an adjustment is of."""

    place: int
    at: datetime
    """When the second person approved it."""
    kind: str
    name: str
    rules: ProgressiveRules | None = None
    postings: PotsAdjustment | None = None
    row: Row | None = None

    @property
    def is_second_thought(self) -> bool:
        return self.postings is not None and self.kind not in (METER, *TRANSFERS)

    @property
    def is_house_only(self) -> bool:
        """A hand that was seen otherwise beyond the limit in days: the pots stay."""
        return self.row is not None and self.row["house_only"] == "true"

    def take(self, progress: Progress) -> Progress:
        if self.postings is not None:
            return replace(progress, state=adjusted(progress.state, self.postings))
        if self.kind == "dated" and self.rules is not None:
            return replace(progress, rules=self.rules, armed=None)
        return replace(progress, armed=self.rules)


def amendments_of(code: str, before: Row, evidence: Evidence, began: datetime, host: str) -> list[Amendment]:
    """In the order in which they stand, of what was approved since the judge began to look."""
    export = evidence.exports.get(host)
    rows = export.rows if export else {"jackpots.changes": [], "jackpots.adjustments": []}
    changes = [row for row in rows["jackpots.changes"] if row["progressive"] == code and _since(row, began)]
    found = [*_opening(code, before), *_changed(code, changes)]
    withdrawn = [each for each in found if each.kind == "withdrawn"]
    found = [each for each in found if each.kind != "dated" or not _taken_back(each, withdrawn)]
    for row in rows["jackpots.adjustments"]:
        if row["progressive"] == code and _since(row, began):
            found.append(
                Amendment(
                    micros(row["place"]),
                    datetime.fromisoformat(row["at"]),
                    row["kind"],
                    f"{code}: adjustment {row['adjustment']} ({row['kind']})",
                    postings=decode(PotsAdjustment, json.loads(row["postings"])),
                    row=row,
                )
            )
    return sorted(found, key=lambda each: (each.place, each.at))


def _since(row: Row, began: datetime) -> bool:
    return datetime.fromisoformat(row["at"]) >= began


def _opening(code: str, before: Row) -> Iterable[Amendment]:
    """Rules that had been dated before anybody looked; those that were armed stand in the start."""
    if before["armed_rules"] is not None and before.get("effect_at"):
        rules = decode(ProgressiveRules, before["armed_rules"])
        at = datetime.fromisoformat(before["armed_at"])
        yield Amendment(micros(before["effect_at"]), at, "dated", f"{code}: dated rules", rules)


def _changed(code: str, rows: Iterable[Row]) -> Iterable[Amendment]:
    for row in rows:
        dated = row["kind"] == "dated"
        yield Amendment(
            micros(row["effect_at"] if dated else row["place"]),
            datetime.fromisoformat(row["at"]),
            row["kind"],
            f"{code}: change {row['change']} ({row['kind']})",
            None if row["kind"] == "withdrawn" else decode(ProgressiveRules, json.loads(row["rules"])),
        )


def _taken_back(dated: Amendment, withdrawn: list[Amendment]) -> bool:
    return any(dated.at <= each.at and each.place < dated.place for each in withdrawn)


def cut_at(place: int, hits: Iterable[HitRound]) -> int:
    """Where it comes into effect: hits that are compared with one another across its place are over before it."""
    for cluster in clusters(hits):
        end = max(hit.moment.latest for hit in cluster)
        if cluster[0].moment.place < place <= end:
            return end + 1
    return place
