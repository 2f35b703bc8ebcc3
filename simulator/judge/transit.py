"""Money of jackpots on its way: contributions that looked wrong and wait in transit until people decide, and prizes
that were handed out before their turn. Each is held to what was wagered, to the wins and to the books."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime

from rules.money import format_money, parse_money
from simulator.judge.installation import Evidence, Row
from simulator.judge.verdict import Verdict

ENTERED = ("accepted", "void")
"""What people said, or its wagers going back: then it stands in the log."""
Prize = tuple[str, int, int, str, str]


@dataclass
class InTransit:
    """By progressive and Potline's key of the round."""

    rows: dict[tuple[str, int], Row] = field(default_factory=dict)

    @classmethod
    def read(cls, evidence: Evidence) -> InTransit:
        found = cls()
        for export in evidence.exports.values():
            for row in export.rows["jackpots.held_contributions"]:
                found.rows[row["progressive"], int(row["round_id"])] = row
        return found

    def waiting(self, code: str) -> int:
        """What of a progressive's transit is none of the log."""
        rows = (row for (progressive, _), row in self.rows.items() if progressive == code)
        return sum(parse_money(row["slice"]) for row in rows if not row["decision"])


def judge_transit(verdict: Verdict, held: Row, stake: int, part: int, places: list[datetime]) -> bool:
    """A contribution that was held: it is what was wagered, and in the log if it entered, not before its lock. True:
    there is a row of the log to be judged."""
    name = f"{held['progressive']}: held contribution {held['held']} of {held['table']}"
    verdict.count("contributions that looked wrong")
    verdict.same("held contribution", name, "wagers", format_money(stake), held["stake"])
    verdict.same("held contribution", name, "slice", format_money(part), held["slice"])
    entered = held["decision"] in ENTERED
    if len(places) != int(entered):
        said = held["decision"] or "nobody has decided on it"
        verdict.differ("held contribution", name, f"{said}, and {len(places)} of it are in the log")
        return False
    if entered and places[0] < datetime.fromisoformat(held["place"]):
        verdict.differ("held contribution", name, "it entered before its lock")
    return entered


def judge_advances(verdict: Verdict, evidence: Evidence) -> None:
    """Each is the prize of its win once that has come, which is paid by it alone; what is open is in the books."""
    wins = {_prize(win, win["trigger"]): win for win in evidence.wins if win["adjustment"] is None}
    given: set[Prize] = set()
    still_open: Counter[str] = Counter()
    for premises, export in evidence.exports.items():
        for row in export.rows["jackpots.advances"]:
            prize = _prize(row, row["hand"])
            given.add(prize)
            verdict.count("advances")
            _one(verdict, f"{premises}: advance {row['advance']}", row, wins.get(prize))
            if prize not in wins or wins[prize]["state"] != "paid":
                still_open[row["progressive"]] += parse_money(row["paid"])
    for code, document in evidence.progressives.items():
        _account(verdict, f"{document['host']}/jackpots/{code}/advances", still_open[code], evidence)
    for prize, win in wins.items():
        if win["state"] == "paid" and win["method"] == "advance" and prize not in given:
            verdict.differ("advance", f"win {win['id']}", "it was paid by an advance that nobody handed out")


def _one(verdict: Verdict, name: str, row: Row, win: Row | None) -> None:
    if win is None:  # its turn has not come
        return
    verdict.same("advance", name, "prize", win["amount"], row["amount"])
    if win["state"] == "paid":
        verdict.same("advance", name, "way of payment", "advance", win["method"])


def _account(verdict: Verdict, account: str, micros: int, evidence: Evidence) -> None:
    """Where the exports begin with none open: of older ones they do not tell."""
    for export in evidence.exports.values():
        for row in export.rows["ledger.trial_balance"]:
            if row["account"] == account and not parse_money(row["opening"]):
                verdict.same("account", account, "closing", format_money(micros), row["closing"])


def _prize(row: Row, hand: str) -> Prize:
    return row["progressive"], int(row["round_id"]), int(row["seat"]), hand, row["level"]
