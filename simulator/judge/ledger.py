"""The journal, by the judge's own sums: entries balance, each round's entry is its lines, pots are the liabilities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from rules import find_game
from rules.money import format_money, parse_money
from simulator.judge.books import Played
from simulator.judge.event_log import Logs, Progressive, slice_of, staked
from simulator.judge.installation import Evidence, Export, Row
from simulator.judge.verdict import Verdict

Legs = Counter[str]
POTS = ("base", "increment", "reserve", "overflow")
OWED = ("pending", "verified", "approved")
"""The states of a win that is still to be paid."""


def judge_ledger(
    verdict: Verdict,
    played: list[Played],
    progressives: dict[str, Progressive],
    logs: Logs,
    evidence: Evidence,
) -> None:
    journal: dict[str, Legs] = {}
    """By premises and reference, the legs of its rounds' entries: "harbour round:12 round"."""
    for export in evidence.exports.values():
        for name in export.torn:
            verdict.differ(
                "export", f"{export.premises} {name}", "it is not the file that the manifest names"
            )
        _balance(verdict, export, journal)
        _trial_balance(verdict, export)
    _rounds(verdict, played, logs, journal)
    _stakes(verdict, played, progressives, logs, journal)
    for progressive in progressives.values():
        _pools(verdict, progressive, evidence, logs.in_transit.waiting(progressive.code))
    _dues(verdict, evidence)


def _balance(verdict: Verdict, export: Export, journal: dict[str, Legs]) -> None:
    sums: Counter[int] = Counter()
    keys: dict[str, set[int]] = {}
    for row in export.rows["ledger.journal"]:
        sums[row["entry"]] += parse_money(row["amount"])
        keys.setdefault(row["key"], set()).add(row["entry"])
        where = f"{export.premises} {row['reference']} {row['kind']}"
        journal.setdefault(where, Counter())[row["account"]] += parse_money(row["amount"])
    verdict.count("entries in the journal", len(sums))
    for entry, rest in sums.items():
        if rest:
            verdict.differ(
                "entry", f"{export.premises} entry {entry}", f"its legs sum to {format_money(rest)}"
            )
    for key, entries in keys.items():
        if len(entries) > 1:
            verdict.differ("entry", f"{export.premises} {key}", f"it was posted {len(entries)} times")


def _trial_balance(verdict: Verdict, export: Export) -> None:
    """Openings plus what the journal moved."""
    moved: Legs = Counter()
    for row in export.rows["ledger.journal"]:
        moved[row["account"]] += parse_money(row["amount"])
    total = 0
    for row in export.rows["ledger.trial_balance"]:
        verdict.count("accounts")
        opening, closing = parse_money(row["opening"]), parse_money(row["closing"])
        ours = opening + moved.pop(row["account"], 0)
        total += closing
        verdict.same("account", row["account"], "closing", format_money(ours), format_money(closing))
    for account, micros in moved.items():
        if micros:
            verdict.differ(
                "account", account, f"{format_money(micros)} in the journal, not in the trial balance"
            )
    verdict.same("trial balance", export.premises, "total", "0.00", format_money(total))


def legs_of(each: Played) -> Legs:
    """A round's entry, from the judge's own lines (docs/accounting.md). Jackpot stakes are booked at no more bets."""
    kinds = find_game(each.rules["game"], each.rules["rulebook"]).kinds
    fresh, legs = {wager["id"] for wager in each.wagers}, Counter[str]()
    for line in each.settlement.lines:
        kind, stake = kinds[line.wager.kind], line.wager.stake
        if kind.jackpot:
            continue
        new = line.wager.id in fresh
        legs["bank"] += (stake if new else 0) - line.to_player
        legs["standing"] -= line.standing - (0 if new else stake)
        legs["fees" if kind.fee else "win"] -= line.lost - (line.winnings - line.rounding)
        legs["commission"] -= line.commission
        legs["rounding"] += line.rounding
    return Counter({name: micros for name, micros in legs.items() if micros})


def _rounds(verdict: Verdict, played: list[Played], logs: Logs, journal: dict[str, Legs]) -> None:
    """Entry by entry, and with it every table's win."""
    wins: Counter[str] = Counter()
    for each in played:
        if not each.judged or (each.table, each.number) not in logs.ids:
            continue
        premises, _, code = each.table.partition("/")
        found = journal.get(f"{premises} round:{logs.ids[each.table, each.number]} round", Counter())
        ours = {f"{premises}/tables/{code}/{name}": micros for name, micros in legs_of(each).items()}
        verdict.count("rounds' entries")
        wins[each.table] -= ours.get(f"{each.table.replace('/', '/tables/')}/win", 0)
        for account in sorted({*ours, *found}):
            mine, theirs = (format_money(legs.get(account, 0)) for legs in (ours, found))
            verdict.same("entry of a round", each.name, account, mine, theirs)
    verdict.add("won by the tables", sum(wins.values()))


def _stakes(
    verdict: Verdict,
    played: list[Played],
    progressives: dict[str, Progressive],
    logs: Logs,
    journal: dict[str, Legs],
) -> None:
    """What each round's jackpot wagers brought to each progressive's transit."""
    for each in played:
        key = logs.ids.get((each.table, each.number))
        if key is None or not each.judged:
            continue
        for code, progressive in progressives.items():
            then = logs.under(progressive, key)
            slices = {kind: bp for kind, bp in then.slices(each.table).items() if bp}
            ours = sum(slice_of(w.stake, slices[w.kind]) for w in staked(each, slices)) if slices else 0
            if not ours:
                continue
            host = progressive.document["host"]
            found = journal.get(f"{host} round:{key} jackpot.stakes", Counter())
            theirs = -found.get(f"{host}/jackpots/{code}/transit", 0)
            verdict.count("entries of jackpot stakes")
            mine = format_money(ours)
            verdict.same("entry of stakes", f"{code}: {each.name}", "to transit", mine, format_money(theirs))


def _pools(verdict: Verdict, progressive: Progressive, evidence: Evidence, held_micros: int) -> None:
    """Accounts of a level are its pots; what is won and not paid is payable; nothing is left in transit but what looked
    wrong and waits for people."""
    host, code = progressive.document["host"], progressive.code
    if host not in evidence.exports:
        return
    export = evidence.exports[host]
    closing = {row["account"]: -parse_money(row["closing"]) for row in export.rows["ledger.trial_balance"]}
    owed: Counter[str] = Counter()
    for win in (row for row in evidence.wins if row["progressive"] == code and row["state"] in OWED):
        owed[win["level"]] += parse_money(win["amount"])
    for pots in progressive.document["pots"]:
        account = f"{host}/jackpots/{code}/levels/{pots['name']}"
        for pot in POTS:
            _same(verdict, f"{account}/{pot}", parse_money(pots[pot]), closing)
        _same(verdict, f"{account}/payable", owed[pots["name"]], closing)
    left = closing.get(f"{host}/jackpots/{code}/transit", 0)
    due = held_micros + sum(_unfolded(progressive, export.rows["jackpots.events"]))
    verdict.same(
        "account", f"{host}/jackpots/{code}/transit", "closing", format_money(due), format_money(left)
    )


def _unfolded(progressive: Progressive, rows: Iterable[Row]) -> Iterable[int]:
    until = progressive.document["folded_until"]
    for row in rows:
        if row["progressive"] == progressive.code and (until is None or _later(row["place"], until)):
            yield parse_money(row["slice"])


def _later(place: str, until: str) -> bool:
    return datetime.fromisoformat(place) >= datetime.fromisoformat(until)


def _same(verdict: Verdict, account: str, ours: int, closing: dict[str, int]) -> None:
    verdict.same("account", account, "closing", format_money(ours), format_money(closing.get(account, 0)))


def _dues(verdict: Verdict, evidence: Evidence) -> None:
    """What one premises says that it owes another, the other says too."""
    sums: Counter[frozenset[str]] = Counter()
    for premises, export in evidence.exports.items():
        for row in export.rows["ledger.trial_balance"]:
            parts = row["account"].split("/")
            if len(parts) == 3 and parts[1] in ("due-from", "due-to") and parts[2] in evidence.exports:
                sums[frozenset((premises, parts[2]))] += parse_money(row["closing"])
    for pair, rest in sums.items():
        verdict.count("pairs of premises")
        verdict.same("dues", " and ".join(sorted(pair)), "difference", "0.00", format_money(rest))
