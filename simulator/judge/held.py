"""Hands that are held for people, and hits that are doubted: both are Potline's word that it does not know
better, and are held to what was told and to the judge's own clocks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from rules.codec import hit_to_json
from rules.contract import Hit
from simulator.faults import SkewedClock
from simulator.judge.installation import Evidence, Row
from simulator.judge.verdict import Verdict
from simulator.terminal import Clock

TOLERANCE = timedelta(milliseconds=20)


@dataclass(frozen=True)
class HeldRow:
    """A held hand of the export, read."""

    row: Row
    body: dict[str, Any]

    @property
    def name(self) -> str:
        return f"{self.row['progressive']}: held hand {self.row['held']} of {self.row['table']}"

    def at(self, name: str) -> datetime:
        return datetime.fromisoformat(self.row[name])


@dataclass
class Held:
    """By progressive and Potline's key of the round."""

    rows: dict[tuple[str, int], HeldRow] = field(default_factory=dict)

    @classmethod
    def read(cls, evidence: Evidence) -> Held:
        found = cls()
        for export in evidence.exports.values():
            for row in export.rows["jackpots.held_hands"]:
                key = (row["progressive"], int(row["round_id"]))
                found.rows[key] = HeldRow(row, json.loads(row["body"]))
        return found

    def hands(self, code: str, round_id: int) -> list[dict[str, Any]]:
        held = self.rows.get((code, round_id))
        return [] if held is None else held.body["hits"]


def judge_held(verdict: Verdict, held: HeldRow, won: Iterable[Hit], right: datetime | None) -> None:
    """Its hands are of the round; the order was final beyond them; the true moment lies in the interval."""
    verdict.count("held hands")
    known = [hit_to_json(hit) for hit in won]
    for hand in held.body["hits"]:
        if hand not in known:
            seat = hand["wager"].get("seat", 0)
            verdict.differ("held hand", held.name, f"its round had no {hand['trigger']} at seat {seat}")
    if not held.at("earliest") <= held.at("place") <= held.at("latest"):
        verdict.differ("held hand", held.name, f"{held.row['place']} is outside of its own interval")
    if right is not None and not held.at("earliest") - TOLERANCE <= right <= held.at("latest") + TOLERANCE:
        interval = f"{held.row['earliest']} to {held.row['latest']}"
        verdict.differ("held hand", held.name, f"it was at {right.isoformat()}, Potline says {interval}")
    if not held.row["decision"]:
        verdict.notes.append(f"{held.name} waits for people; what it gets is theirs to say.")


def judge_doubt(verdict: Verdict, name: str, row: Row, clocks: Mapping[str, Clock], clock: str) -> None:
    """A doubt says that a clock jumped. One that the judge keeps itself never does."""
    if row["doubt_earliest"] is None:
        return
    verdict.count("doubted hits")
    known, jump = clocks.get(clock), timedelta(milliseconds=int(row["doubt_jump_ms"]))
    if isinstance(known, SkewedClock) and abs(jump) > TOLERANCE:
        verdict.differ(
            "doubt", name, f"its clock is said to have jumped by {row['doubt_jump_ms']} ms, and never did"
        )
    wide = (row["doubt_earliest"], row["earliest"]), (row["latest"], row["doubt_latest"])
    if any(datetime.fromisoformat(one) > datetime.fromisoformat(other) for one, other in wide):
        verdict.differ("doubt", name, "it says more surely when the hit was than before")
