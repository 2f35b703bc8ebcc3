"""The jackpots' event log: every stake that was lit is in it once, sliced as the links say, where it happened.

A lamp that Potline lit is its word that the wager counts. Places are Potline's; that each lies in its interval, and
that the interval holds the true moment, the judge knows by its own clocks.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from rules import stakes_that_count
from rules.codec import hit_to_json, wager_from_json, wager_to_json
from rules.contract import Hit, Outcome, Wager
from rules.money import format_money, parse_money
from rules.progressive import ProgressiveRules, decode, slices_bp
from rules.progressive.config import WHOLE_BP, ContributionSource
from simulator.faults import SkewedClock
from simulator.judge.books import Moment, Played
from simulator.judge.held import Held, HeldRow, judge_doubt, judge_held
from simulator.judge.installation import Evidence, Row
from simulator.judge.transit import InTransit, judge_transit
from simulator.judge.verdict import Verdict
from simulator.terminal import Clock

TOLERANCE = timedelta(milliseconds=20)
"""Between this process's clock and the server's: both stand on one machine, one is steady and the other is adjusted."""


@dataclass
class Progressive:
    """A progressive as the API tells of it: rules, links, pots."""

    code: str
    document: Row
    others: dict[str, Row] = field(default_factory=dict)
    """All progressives, this one among them: a wager may feed several."""
    known: dict[str, Any] = field(default_factory=dict)
    """By their hash the rules that it had, or was to have, since the judge began to look."""

    def under(self, sha256: str) -> Progressive:
        """The same by the rules by which something came in; as it is where nobody knows these."""
        rules = self.known.get(sha256)
        if rules is None or rules == self.document["rules"]:
            return self
        document = self.document | {"rules": rules}
        return Progressive(self.code, document, self.others | {self.code: document}, self.known)

    @property
    def rules(self) -> ProgressiveRules:
        return decode(ProgressiveRules, self.document["rules"])

    def slices(self, table: str) -> dict[str, int]:
        """By kind of wager at a table, the basis points of it that come here. Empty: not linked."""
        found: dict[str, int] = {}
        for kind in next((link["kinds"] for code, link in self._links(table) if code == self.code), []):
            fed = {code: link for code, link in self._links(table) if kind in link["kinds"]}
            documents = {code: decode(ProgressiveRules, self.others[code]["rules"]) for code in fed}
            rest = [
                code
                for code, link in fed.items()
                if link["takes_rest"] and documents[code].source is ContributionSource.JACKPOT_WAGER
            ]
            found[kind] = slices_bp(documents, rest[0] if rest else None)[self.code]
        return found

    def _links(self, table: str) -> Iterator[tuple[str, Row]]:
        for code, document in self.others.items():
            for link in document["links"]:
                if f"{link['premises']}/{link['table']}" == table:
                    yield code, link


@dataclass(frozen=True)
class LogRow:
    """A share of the export, read."""

    row: Row
    table: str
    body: dict[str, Any]

    @property
    def round_id(self) -> int:
        return int(self.row["round_id"])

    @property
    def kind(self) -> str:
        return str(self.row["kind"])

    @property
    def rules(self) -> str:
        return str(self.row["rules"])

    @property
    def name(self) -> str:
        return f"{self.row['progressive']}: event {self.row['number']} of {self.table} ({self.kind})"

    def at(self, name: str) -> datetime:
        return datetime.fromisoformat(self.row[name])


@dataclass
class Logs:
    """The event logs of all progressives, and which round is which."""

    rows: dict[str, list[LogRow]] = field(default_factory=dict)
    rounds: dict[int, Played] = field(default_factory=dict)
    """By Potline's own key."""
    ids: dict[tuple[str, int], int] = field(default_factory=dict)
    heard: set[int] = field(default_factory=set)
    """Keys of rounds of which a terminal told, also those that cannot be judged."""
    held: Held = field(default_factory=Held)
    in_transit: InTransit = field(default_factory=InTransit)

    def under(self, progressive: Progressive, key: int) -> Progressive:
        """By the rules by which a round came in."""
        found = self.by_round.get((progressive.code, key))
        return progressive if found is None else progressive.under(found.rules)

    @cached_property
    def by_round(self) -> dict[tuple[str, int], LogRow]:
        """The first row of each."""
        found: dict[tuple[str, int], LogRow] = {}
        for code, rows in self.rows.items():
            for row in rows:
                found.setdefault((code, row.round_id), row)
        return found

    @classmethod
    def read(
        cls,
        heard: list[Played],
        played: list[Played],
        progressives: dict[str, Progressive],
        evidence: Evidence,
    ) -> Logs:
        logs = cls(held=Held.read(evidence), in_transit=InTransit.read(evidence))
        tables: dict[int, str] = {}
        for premises, export in evidence.exports.items():
            for row in export.rows["tables.wagers"]:
                table = f"{premises}/{row['table']}"
                logs.ids[table, row["round"]] = int(row["round_id"])
                tables[int(row["round_id"])] = table
        logs.heard = {logs.ids.get((each.table, each.number), 0) for each in heard}
        for each in played:
            if (each.table, each.number) in logs.ids:
                logs.rounds[logs.ids[each.table, each.number]] = each
        for code, progressive in progressives.items():
            host = evidence.exports.get(progressive.document["host"])
            for row in host.rows["jackpots.events"] if host else []:
                if row["progressive"] == code:
                    table = tables.get(int(row["round_id"]), f"?/{row['table']}")
                    logs.rows.setdefault(code, []).append(LogRow(row, table, json.loads(row["body"])))
        return logs


def staked(each: Played, kinds: dict[str, int]) -> list[Wager]:
    """The wagers of a round that came to a progressive, with the stakes that count."""
    counts = stakes_that_count(each.round)
    found = [wager_from_json(wager) for wager in each.wagers if wager["kind"] in kinds]
    lit = [wager for wager in found if each.lamps.get(wager.id, True) and counts.get(wager.id)]
    return [replace(wager, stake=counts[wager.id]) for wager in lit]


def slice_of(micros: int, slice_bp: int) -> int:
    return micros // WHOLE_BP * slice_bp


def hits_on(each: Played, progressive: Progressive, kinds: dict[str, int]) -> tuple[Hit, ...]:
    return tuple(
        hit
        for hit in each.settlement.hits
        if hit.trigger in progressive.rules.triggers and hit.wager.kind in kinds
    )


def entered(each: Played, kinds: dict[str, int]) -> tuple[Wager, ...]:
    return tuple(
        line.wager
        for line in each.settlement.lines
        if line.outcome is not Outcome.VOID and line.wager.kind in kinds
    )


def judge_log(
    verdict: Verdict,
    played: list[Played],
    progressive: Progressive,
    logs: Logs,
    clocks: dict[str, Clock],
    begin: datetime,
) -> None:
    """Each row against what was told; and each round's own against the rows."""
    found: dict[tuple[int, str], list[LogRow]] = {}
    for row in logs.rows.get(progressive.code, []):
        found.setdefault((row.round_id, row.kind), []).append(row)
        if progressive.known and row.rules not in progressive.known and row.at("received_at") >= begin:
            verdict.differ("rules", row.name, "nobody has put the rules by which it came in in force")
        if row.round_id not in logs.heard and row.at("received_at") >= begin:
            verdict.differ("unknown event", row.name, "nobody has sent its round")
        if not row.at("earliest") <= row.at("place") <= row.at("latest"):
            verdict.differ("place", row.name, f"{row.row['place']} is outside of its own interval")
    for each in played:
        key = logs.ids.get((each.table, each.number))
        if key is None or not each.judged:
            continue
        then = logs.under(progressive, key)
        kinds = then.slices(each.table)
        if kinds:
            held = logs.held.rows.get((progressive.code, key))
            waits = logs.in_transit.rows.get((progressive.code, key))
            _Round(verdict, each, then, kinds, clocks, held, waits).judge(
                {kind: found.get((key, kind), []) for kind in ("stakes", "return", "hits")}
            )


@dataclass
class _Round:
    verdict: Verdict
    each: Played
    progressive: Progressive
    kinds: dict[str, int]
    clocks: dict[str, Clock]
    held: HeldRow | None = None
    in_transit: Row | None = None
    """Its contribution, where that looked wrong."""

    def judge(self, rows: dict[str, list[LogRow]]) -> None:
        feeding = {kind: bp for kind, bp in self.kinds.items() if bp}
        came = staked(self.each, feeding)
        self._stakes(came, rows["stakes"])
        void = [
            line.wager
            for line in self.each.settlement.lines
            if line.outcome is Outcome.VOID and line.wager.kind in feeding
        ]
        self._returns(void, rows["return"])
        self._hits(rows["hits"])

    def _once(self, what: str, expected: bool, rows: list[LogRow]) -> bool:
        about = f"{self.progressive.code}: {self.each.name}"
        if len(rows) != int(expected):
            self.verdict.differ(what, about, f"{len(rows)} events in the log, by the judge {int(expected)}")
            return False
        return expected

    def _stakes(self, came: list[Wager], rows: list[LogRow]) -> None:
        stake, part = sum(w.stake for w in came), sum(slice_of(w.stake, self.kinds[w.kind]) for w in came)
        if self.in_transit is not None:
            if not judge_transit(
                self.verdict, self.in_transit, stake, part, [row.at("place") for row in rows]
            ):
                return
        elif not self._once("stakes", bool(came), rows):
            return
        (row,) = rows
        self.verdict.count("jackpot stakes in the log")
        self.verdict.add(f"staked on {self.progressive.code}", stake)
        self.verdict.same("stakes", row.name, "wagers", format_money(stake), row.row["stake"])
        self.verdict.same("stakes", row.name, "slice", format_money(part), row.row["slice"])
        feeds = {wager["id"]: wager for wager in row.body["wagers"] if wager["kind"] in self.kinds}
        self.verdict.same("stakes", row.name, "content", {w.id: wager_to_json(w) for w in came}, feeds)
        if self.each.lock is not None:
            told = self.each.lock.reading
            self.verdict.same("stakes", row.name, "terminal's time", told, row.at("terminal_at"))
            if self.in_transit is None:  # else it stands where it entered
                self._holds(row, self.each.lock)

    def _returns(self, void: list[Wager], rows: list[LogRow]) -> None:
        back = sum(parse_money(row.row["stake"]) for row in rows)
        due = -sum(wager.stake for wager in void if not self._unlit(wager))
        about = f"{self.progressive.code}: {self.each.name}"
        self.verdict.same("returned stakes", about, "sum", format_money(due), format_money(back))
        self.verdict.count("jackpot stakes given back", len(rows))

    def _unlit(self, wager: Wager) -> bool:
        return not self.each.lamps.get(wager.id, True)

    def _hits(self, rows: list[LogRow]) -> None:
        won = hits_on(self.each, self.progressive, self.kinds)
        mark = self.each.mark
        if self.held is not None:
            judge_held(self.verdict, self.held, won, None if mark is None else self._right(mark))
            held = self.held.body["hits"]
            won = tuple(hit for hit in won if hit_to_json(hit) not in held)
        if not self._once("hits", bool(won), rows):
            return
        (row,) = rows
        theirs = [hit for hit in row.body["hits"] if hit["trigger"] in self.progressive.rules.triggers]
        self.verdict.count("jackpot hits in the log", len(won))
        self.verdict.same("hits", row.name, "hands", [hit_to_json(hit) for hit in won], theirs)
        told = mark or self.each.result
        judge_doubt(self.verdict, row.name, row.row, self.clocks, "" if told is None else told.clock)
        moment = self.each.mark or self.each.result
        if self.each.mark is not None:
            self._holds(row, self.each.mark)
        elif moment is not None and self.each.lock is not None:
            lock, result = self._right(self.each.lock), self._right(moment)
            if (
                lock
                and result
                and (row.at("latest") + TOLERANCE < lock or result + TOLERANCE < row.at("earliest"))
            ):
                self.verdict.differ("place", row.name, "its interval lies outside of its round")

    def _holds(self, row: LogRow, moment: Moment) -> None:
        """The true moment lies in the interval."""
        right = self._right(moment)
        if right is None:
            return
        self.verdict.count("places whose interval holds the true moment")
        if not row.at("earliest") - TOLERANCE <= right <= row.at("latest") + TOLERANCE:
            interval = f"{row.row['earliest']} to {row.row['latest']}"
            self.verdict.differ("place", row.name, f"it was at {right.isoformat()}, the log says {interval}")

    def _right(self, moment: Moment) -> datetime | None:
        clock = self.clocks.get(moment.clock)
        return clock.right(moment.reading) if isinstance(clock, SkewedClock) else None
