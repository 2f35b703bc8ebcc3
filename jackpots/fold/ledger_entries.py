"""Jackpot money as ledger entries. Debits are positive, credits negative; every entry sums to zero.

A stake waits in *contributions in transit* until the fold moves it to the pots. The base stands in the pool against
*base not yet owed*, so that the meter is in the books while the reported liability leaves out what is not owed.
Each premises keeps its own books: what a table elsewhere takes or pays for the host goes over due-to and due-from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from config.kit.canonical_json import sha256_of
from jackpots.fold.replay import Stretch, slice_of, wagers_of
from jackpots.models import (
    Adjustment,
    Advance,
    Event,
    HeldContribution,
    Overpaid,
    Progressive,
    Recovery,
    Share,
    TableLog,
    Win,
)
from ledger.books import chart
from ledger.books.journal import NewEntry
from people.models import Premises
from rules.contract import Wager
from rules.progressive import ContributionSource, Resolution, Restart, State, decode, encode
from rules.progressive.pools import LevelState
from rules.progressive.second_thoughts import PotsAdjustment

PAID = "jackpot.paid"
ADJUSTED = "jackpot.adjusted"
RECOVERABLE = "jackpot.recoverable"
TRANSFERRED = "jackpot.transferred"
ADVANCED = "jackpot.advance"
HELD_RETURNED = "jackpot.held_returned"
VOIDED = "jackpot.voided"
VOID_FOLDED = "jackpot.void_folded"
RECOVERED, WRITTEN_OFF = "jackpot.recovered", "jackpot.written_off"
UNCLAIMED, CLAIMED, EXPIRED = "jackpot.unclaimed", "jackpot.claimed", "jackpot.expired"


def opening_entry(progressive: Progressive, state: State, at: datetime) -> NewEntry | None:
    """The seeds of a new progressive: in the pools, and not yet owed."""
    legs: Counter[str] = Counter()
    for level in state.levels:
        legs[_level(progressive, level.name, "base")] -= level.base_micros
        legs[_level(progressive, level.name, "base-not-owed")] += level.base_micros
    if not any(legs.values()):
        return None
    return _host_entry(progressive, opening_key(progressive), "jackpot.opening", at, legs, encode(state))


def opening_key(progressive: Progressive) -> str:
    return f"jackpots:{progressive.code}:opening"


def stakes_entries(
    event: Event,
    shares: list[Share],
    wagers: list[Wager] | None = None,
    held: Sequence[HeldContribution] = (),
) -> list[NewEntry]:
    """Wagers at "no more bets", and void ones on their way back: between the table and each progressive's transit.

    A jackpot wager is chips in the table's bank, or, by voucher, a cost of promotion. A share of an ordinary wager is
    the house's money: the wager itself is booked with its round. `wagers`: the event's, where they are at hand. `held`:
    what of it looked wrong; it is in transit like the rest, whether it has entered the order since or not.
    """
    premises = event.table_log.premises
    sign = -1 if event.kind == Event.Kind.RETURN else 1
    out = {row.progressive_id for row in held}
    came: list[Share | HeldContribution] = [*held, *(one for one in shares if one.progressive_id not in out)]
    came.sort(key=lambda one: one.progressive_id)
    jackpots = _jackpot_kinds(came)
    ours: Counter[str] = Counter()
    hosts: dict[int, tuple[Premises, Counter[str]]] = {}
    for share in came:
        host = share.progressive.host
        transit = chart.progressive(host.code, share.progressive.code, "transit")
        hosts.setdefault(host.pk, (host, Counter()))[1][transit] -= share.slice_micros
        for wager in wagers_of(event) if wagers is None else wagers:
            if wager.kind in share.slices:
                account = _made_of(event.table_log, wager, wager.kind in jackpots)
                ours[account] += sign * slice_of(wager.stake, share.slices[wager.kind])
    return _across(
        f"jackpots:{premises.code}:{event.table_log.table_code}:{event.number}",
        f"jackpot.{event.kind}",
        f"round:{event.round_id}",
        max(share.place for share in came),
        {"event": event.number, "body": event.body},
        (premises, ours),
        *hosts.values(),
    )


def _jackpot_kinds(came: Iterable[Share | HeldContribution]) -> set[str]:
    return {
        kind
        for one in came
        if one.progressive.config.rules.source is ContributionSource.JACKPOT_WAGER
        for kind in one.slices
    }


def _made_of(table_log: TableLog, wager: Wager, is_jackpot: bool) -> str:
    """Where the money of a wager that feeds a progressive comes from."""
    code = table_log.premises.code
    if not is_jackpot:
        return chart.table(code, table_log.table_code, "jackpot-share")
    return (
        chart.account(code, "promotions") if wager.promo else chart.table(code, table_log.table_code, "bank")
    )


def held_return_entries(held: HeldContribution, at: datetime) -> list[NewEntry]:
    """A contribution that looked wrong goes back over its table, out of transit."""
    event, progressive = held.event, held.progressive
    jackpots = _jackpot_kinds([held])
    ours: Counter[str] = Counter()
    for wager in wagers_of(event):
        if wager.kind in held.slices:
            account = _made_of(event.table_log, wager, wager.kind in jackpots)
            ours[account] -= slice_of(wager.stake, held.slices[wager.kind])
    transit = chart.progressive(progressive.host.code, progressive.code, "transit")
    return _across(
        f"jackpots:{progressive.code}:held:{held.pk}",
        HELD_RETURNED,
        f"round:{event.round_id}",
        at,
        {"held": held.pk, "slice": held.slice_micros},
        (event.table_log.premises, ours),
        (progressive.host, Counter({transit: held.slice_micros})),
    )


def payment_entries(win: Win, paid_micros: int, at: datetime) -> list[NewEntry]:
    """A win leaves the house: from payable to chips at the table or money at the cage, rounded up at house cost."""
    if not paid_micros:
        return []
    premises, progressive = win.table_log.premises, win.progressive
    bank = chart.table(premises.code, win.table_log.table_code, "bank")
    sources = {
        Win.Method.CHIPS: bank,
        Win.Method.CASH: chart.account(premises.code, "cage", "cash"),
        Win.Method.CHEQUE: chart.account(premises.code, "cage", "cheques"),
    }
    parts = dict(win.parts or {win.method: paid_micros})
    advanced = parts.pop(Win.Method.ADVANCE, 0)  # left its table before, and stands in the host's books
    paid_from = Counter({sources[Win.Method(name)]: -micros for name, micros in parts.items()})
    made = _across(
        f"jackpots:{progressive.code}:win:{win.pk}:paid",
        PAID,
        win_reference(win),
        at,
        {"win": win.pk, "amount": win.amount_micros, "paid": paid_micros},
        (premises, paid_from),
        (
            progressive.host,
            Counter(
                {
                    payable(progressive, win.level): win.amount_micros,
                    _level(progressive, win.level, "rounding"): paid_micros - win.amount_micros,
                    chart.progressive(progressive.host.code, progressive.code, "advances"): -advanced,
                }
            ),
        ),
    )
    return [entry for entry in made if entry.legs]


def advance_entries(advance: Advance) -> list[NewEntry]:
    """A small prize leaves the tray before its turn: until its win is paid by it, it stands in advances."""
    share = advance.share
    log, progressive = share.event.table_log, share.progressive
    bank = chart.table(log.premises.code, log.table_code, "bank")
    account = chart.progressive(progressive.host.code, progressive.code, "advances")
    return _across(
        f"jackpots:{progressive.code}:advance:{advance.pk}",
        ADVANCED,
        f"round:{share.event.round_id}",
        advance.at,
        {"advance": advance.pk, "paid": advance.paid_micros},
        (log.premises, Counter({bank: -advance.paid_micros})),
        (progressive.host, Counter({account: advance.paid_micros})),
    )


def unclaimed_entry(win: Win, kind: str, cause: int, at: datetime) -> NewEntry:
    """A win that nobody comes for leaves payable; claimed, it comes back; expired, it is the house's. `cause`: the
    approval, or the record of the claim."""
    progressive = win.progressive
    aside = chart.account(progressive.host.code, "unclaimed")
    other = payable(progressive, win.level)
    sign = 1
    if kind == CLAIMED:
        sign = -1
    elif kind == EXPIRED:
        other, sign = _level(progressive, win.level, "adjustments"), -1
    legs = Counter({other: sign * win.amount_micros, aside: -sign * win.amount_micros})
    key = f"jackpots:{progressive.code}:win:{win.pk}:{kind.partition('.')[2]}:{cause}"
    source = {"win": win.pk, "amount": win.amount_micros, "cause": cause}
    made = _host_entry(progressive, key, kind, at, legs, source)
    return replace(made, reference=win_reference(win))


def recovery_entry(recovery: Recovery, at: datetime) -> NewEntry:
    """What was to be recovered is there, in the cage of the host, or is the house's cost after all."""
    win, progressive = recovery.win, recovery.win.progressive
    host = progressive.host.code
    kind, into = WRITTEN_OFF, _level(progressive, win.level, "adjustments")
    if recovery.kind == Recovery.Kind.RECOVERED:
        kind, into = RECOVERED, chart.account(host, "cage", recovery.method)
    legs = Counter(
        {into: recovery.amount_micros, chart.account(host, "recoverable"): -recovery.amount_micros}
    )
    key = f"jackpots:{progressive.code}:win:{win.pk}:settled:{recovery.pk}"
    source = {"win": win.pk, "recovery": recovery.pk, "amount": recovery.amount_micros}
    return replace(_host_entry(progressive, key, kind, at, legs, source), reference=win_reference(win))


def run_entry(
    progressive: Progressive, stretch: Stretch, number: int, not_owed: Mapping[str, int]
) -> tuple[NewEntry | None, dict[str, int]]:
    """The entry of a fold run (None where nothing moved: a share below a cent), and what of each base is not owed
    after it."""
    legs: Counter[str] = Counter()
    for before, after in zip(stretch.before.levels, stretch.after.levels, strict=True):
        for pot in ("base", "increment", "reserve", "overflow"):
            moved = getattr(after, f"{pot}_micros") - getattr(before, f"{pot}_micros")
            legs[_level(progressive, after.name, pot)] -= moved
    owing = dict(not_owed)
    if stretch.resolution is not None:
        _add_win(progressive, stretch, stretch.resolution, legs, owing)
    else:
        legs[chart.progressive(progressive.host.code, progressive.code, "transit")] += stretch.slice_micros
        legs[chart.progressive(progressive.host.code, progressive.code, "house")] -= stretch.house_micros
    source = {
        "run": number,
        "events": [[share.event.table_log_id, share.event.number] for share in stretch.shares],
        "after": encode(stretch.after),
    }
    if not any(legs.values()):
        return None, owing
    return _host_entry(
        progressive,
        run_key(progressive, number),
        f"jackpot.fold_{stretch.kind}",
        stretch.last_place,
        legs,
        source,
    ), owing


def run_key(progressive: Progressive, number: int) -> str:
    return f"jackpots:{progressive.code}:run:{number}"


def run_number(key: str) -> int:
    """Of the fold run that an entry's key names; 0: none, as of an opening."""
    parts = key.split(":")
    return int(parts[3]) if len(parts) > 3 and parts[2] == "run" else 0


def base_not_owed(progressive: Progressive, level: str) -> str:
    """Where the house money in a seed stands against it."""
    return _level(progressive, level, "base-not-owed")


def adjustment_entries(adjustment: Adjustment, number: int) -> list[NewEntry]:
    """What an adjustment books, by level: the pots move, what is owed to winners goes up or down, and the house bears
    the rest. The stakes of a void round go back by the way of every return, and what was paid and is not due is the
    house's cost (adjustments) until it is recoverable."""
    progressive, effect = adjustment.progressive, adjustment.known_effect
    if "others" in effect:
        return _transfer_entries(adjustment, number)
    legs: Counter[str] = Counter()
    owed: Counter[str] = Counter()
    for posting in decode(PotsAdjustment, adjustment.postings).postings:
        legs[_level(progressive, posting.level, posting.pot.value)] -= posting.amount_micros
    for back in effect["returned"]:
        for level, pot, micros in back["pots"]:
            legs[_level(progressive, level, pot)] += micros
    for win in effect["wins"]:
        owed[win["level"]] += win["amount_micros"]
    for gone in effect["superseded"]:
        owed[gone["level"]] -= gone["amount_micros"]
    for level in effect["not_owed"]:
        legs[payable(progressive, level)] -= owed[level]
        legs[base_not_owed(progressive, level)] += effect["not_owed"][level]
        too_much = sum(one["amount_micros"] for one in effect["stands"] if one["level"] == level)
        meter = effect.get("meter")
        cost = meter["amount_micros"] if meter and meter["level"] == level else too_much
        legs[_level(progressive, level, "adjustments")] += cost
        prefix = _level(progressive, level, "")
        rest = sum(micros for code, micros in legs.items() if code.startswith(prefix))
        legs[_level(progressive, level, "top-up")] -= rest
    source = {"adjustment": adjustment.pk, "postings": adjustment.postings, "effect": effect}
    key, at = run_key(progressive, number), adjustment.place
    made = [
        *_void_entries(adjustment, key, source),
        _host_entry(progressive, key, ADJUSTED, at, legs, source),
        _host_entry(progressive, f"{key}:{RECOVERABLE}", RECOVERABLE, at, _recoverable(adjustment), source),
    ]
    return [entry for entry in made if entry.legs]


def _transfer_entries(adjustment: Adjustment, number: int) -> list[NewEntry]:
    """What leaves for another progressive or comes from it, in the books of this one's host: over `transfers` where
    both have one host, which holds nothing once both sides are folded; else over what the premises owe each other."""
    progressive, effect = adjustment.progressive, adjustment.known_effect
    host = progressive.host.code
    legs: Counter[str] = Counter()
    for posting in decode(PotsAdjustment, adjustment.postings).postings:
        legs[_level(progressive, posting.level, posting.pot.value)] -= posting.amount_micros
    for level, moved in effect["not_owed"].items():
        legs[base_not_owed(progressive, level)] += moved
    hosts = dict(Progressive.objects.filter(code__in=effect["others"]).values_list("code", "host__code"))
    for other, micros in effect["others"].items():
        account = chart.account(host, "jackpots", "transfers")
        if hosts[other] != host:
            account = chart.account(host, "due-from" if micros > 0 else "due-to", hosts[other])
        legs[account] += micros
    source = {"adjustment": adjustment.pk, "postings": adjustment.postings, "effect": effect}
    key = run_key(progressive, number)
    made = _host_entry(progressive, key, TRANSFERRED, adjustment.place, legs, source)
    return [made] if made.legs else []


def _recoverable(adjustment: Adjustment) -> Counter[str]:
    legs: Counter[str] = Counter()
    for one in adjustment.known_effect["stands"]:
        if one["borne"] == Overpaid.Borne.RECOVERABLE:
            cost = _level(adjustment.progressive, one["level"], "adjustments")
            legs[cost] -= one["amount_micros"]
            legs[chart.account(adjustment.progressive.host.code, "recoverable")] += one["amount_micros"]
    return legs


def _void_entries(adjustment: Adjustment, key: str, source: Any) -> list[NewEntry]:
    """Stakes of a void round: over the table to their players, and out of the pots that they had gone to."""
    progressive, table_log = adjustment.progressive, adjustment.table_log
    returned = adjustment.known_effect["returned"]
    if table_log is None or not returned:
        return []
    transit = chart.progressive(progressive.host.code, progressive.code, "transit")
    ours: Counter[str] = Counter()
    for back in returned:
        in_house = back["from"] == "promotions"
        ours[
            chart.account(table_log.premises.code, "promotions")
            if in_house
            else chart.table(table_log.premises.code, table_log.table_code, back["from"])
        ] -= back["slice_micros"]
    micros = -sum(ours.values())
    folded: Counter[str] = Counter({transit: -micros})
    for back in returned:
        for level, pot, moved in back["pots"]:
            folded[_level(progressive, level, pot)] -= moved
    folded[chart.progressive(progressive.host.code, progressive.code, "house")] -= sum(folded.values())
    over_the_table = _across(
        f"{key}:{VOIDED}",
        VOIDED,
        f"round:{adjustment.round_id}",
        adjustment.place,
        source,
        (table_log.premises, ours),
        (progressive.host, Counter({transit: micros})),
    )
    return [
        *over_the_table,
        _host_entry(progressive, f"{key}:{VOID_FOLDED}", VOID_FOLDED, adjustment.place, folded, source),
    ]


def win_reference(win: Win) -> str:
    return f"win:{win.pk}"


def payable(progressive: Progressive, level: str) -> str:
    """Where what was won from a level waits to be paid."""
    return _level(progressive, level, "payable")


def _add_win(
    progressive: Progressive,
    stretch: Stretch,
    resolution: Resolution,
    legs: Counter[str],
    owing: dict[str, int],
) -> None:
    for payment in stretch.payments:
        legs[payable(progressive, payment.level)] -= payment.amount_micros
        legs[_level(progressive, payment.level, "top-up")] += payment.from_house_micros
    for level in stretch.after.levels:
        seeded = sum(one.from_house_micros for one in resolution.restarts if one.level == level.name)
        before = owing[level.name]
        owing[level.name] = not_owed_after(level, before, resolution.restarts)
        # What of the base was paid out is owed now: house money in the seed becomes the house's cost.
        legs[_level(progressive, level.name, "base-not-owed")] += owing[level.name] - before
        legs[_level(progressive, level.name, "top-up")] += before + seeded - owing[level.name]


def not_owed_after(level: LevelState, before_micros: int, all_restarts: Iterable[Restart]) -> int:
    """House money in a base after a round: what the last restart put there, as far as later prizes left it, and what
    then restored the base. Prizes take what players have put in first."""
    restarts = [restart for restart in all_restarts if restart.level == level.name]
    house_micros, restored = before_micros, list(restarts)
    for number, restart in enumerate(restarts, start=1):
        if restart.won:
            house_micros, restored = restart.from_house_micros, restarts[number:]
    filled_micros = sum(restart.from_house_micros + restart.from_reserve_micros for restart in restored)
    return min(house_micros, level.base_micros - filled_micros) + sum(r.from_house_micros for r in restored)


def _level(progressive: Progressive, level: str, name: str) -> str:
    return chart.level(progressive.host.code, progressive.code, level, name)


def _across(
    key: str,
    kind: str,
    reference: str,
    at: datetime,
    source: Any,
    one: tuple[Premises, Counter[str]],
    *others: tuple[Premises, Counter[str]],
) -> list[NewEntry]:
    """One entry where all sides are of one premises, else one in each book, tied by due-to and due-from."""
    here, legs = one[0], Counter(one[1])
    abroad: list[tuple[Premises, Counter[str]]] = []
    for premises, theirs in others:
        if premises.pk == here.pk:
            legs.update(theirs)
            continue
        gap = sum(theirs.values())
        legs[_due(here, premises, gap)] += gap
        abroad.append((premises, Counter({**theirs, _due(premises, here, -gap): -gap})))
    sides = [(here, legs, key if not abroad else f"{key}:{here.code}")]
    sides += [(premises, theirs, f"{key}:{premises.code}") for premises, theirs in abroad]
    return [
        NewEntry(
            key=side_key,
            premises=premises,
            kind=kind,
            reference=reference,
            source_hash=sha256_of(source),
            legs={code: micros for code, micros in legs.items() if micros},
            occurred_at=at,
        )
        for premises, legs, side_key in sides
    ]


def _host_entry(
    progressive: Progressive, key: str, kind: str, at: datetime, legs: Counter[str], source: Any
) -> NewEntry:
    return NewEntry(
        key=key,
        premises=progressive.host,
        kind=kind,
        reference=f"progressive:{progressive.code}",
        source_hash=sha256_of(source),
        legs={code: micros for code, micros in legs.items() if micros},
        occurred_at=at,
    )


def _due(ours: Premises, other: Premises, micros: int) -> str:
    """A debit is what the other owes us, a credit what we owe it."""
    return chart.account(ours.code, "due-from" if micros > 0 else "due-to", other.code)
