"""Jackpot money as ledger entries. Debits are positive, credits negative; every entry sums to zero.

A stake waits in *contributions in transit* until the fold moves it to the pots. The base stands in the pool against
*base not yet owed*, so that the meter is in the books while the reported liability leaves out what is not owed.
Each premises keeps its own books: what a table elsewhere takes or pays for the host goes over due-to and due-from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from jackpots.models import Event, LinkedTable, Progressive, Win
from jackpots.replay import Run
from ledger import chart
from ledger.journal import NewEntry
from people.canonical import sha256_of
from people.models import Premises
from rules.progressive import Resolution, Restart, State, encode


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


def stakes_entries(link: LinkedTable, event: Event) -> list[NewEntry]:
    """Jackpot wagers at "no more bets", and void ones on their way back: between the table's bank and transit.
    A voucher is not a chip: what it stakes is a cost of promotion."""
    bank = chart.table(link.premises.code, link.table_code, "bank")
    promotions = chart.account(link.premises.code, "promotions")
    vouchers = sum(wager["stake"] for wager in event.body if wager.get("promo"))
    by_voucher = vouchers if event.stake_micros > 0 else -vouchers
    transit = chart.progressive(link.progressive.host.code, link.progressive.code, "transit")
    key = f"jackpots:{link.progressive.code}:{link.premises.code}:{link.table_code}:{event.number}"
    return _across(
        key,
        f"jackpot.{event.kind}",
        f"round:{event.round_id}",
        event.place,
        {"event": event.number, "body": event.body},
        (link.premises, {bank: event.stake_micros - by_voucher, promotions: by_voucher}),
        (link.progressive.host, {transit: -event.stake_micros}),
    )


def payment_entries(win: Win, paid_micros: int, at: datetime) -> list[NewEntry]:
    """A win leaves the house: from payable to chips at the table or money at the cage, rounded up at house cost."""
    if not paid_micros:
        return []
    premises, progressive = win.link.premises, win.progressive
    paid_from = {
        Win.Method.CHIPS: chart.table(premises.code, win.link.table_code, "bank"),
        Win.Method.CASH: chart.account(premises.code, "cage", "cash"),
        Win.Method.CHEQUE: chart.account(premises.code, "cage", "cheques"),
    }[Win.Method(win.method)]
    return _across(
        f"jackpots:{progressive.code}:win:{win.pk}:paid",
        "jackpot.paid",
        f"win:{win.pk}",
        at,
        {"win": win.pk, "amount": win.amount_micros, "paid": paid_micros},
        (premises, {paid_from: -paid_micros}),
        (
            progressive.host,
            {
                _level(progressive, win.level, "payable"): win.amount_micros,
                _level(progressive, win.level, "rounding"): paid_micros - win.amount_micros,
            },
        ),
    )


def run_entry(
    progressive: Progressive, run: Run, number: int, not_owed: Mapping[str, int]
) -> tuple[NewEntry | None, dict[str, int]]:
    """The entry of a fold run (None where nothing moved: a share below a cent), and what of each base is not owed
    after it."""
    legs: Counter[str] = Counter()
    for before, after in zip(run.before.levels, run.after.levels, strict=True):
        for pot in ("base", "increment", "reserve", "overflow"):
            moved = getattr(after, f"{pot}_micros") - getattr(before, f"{pot}_micros")
            legs[_level(progressive, after.name, pot)] -= moved
    owing = dict(not_owed)
    if run.resolution is not None:
        _add_win(progressive, run, run.resolution, legs, owing)
    else:
        legs[chart.progressive(progressive.host.code, progressive.code, "transit")] += run.stake_micros
        legs[chart.progressive(progressive.host.code, progressive.code, "house")] -= run.house_micros
    source = {
        "run": number,
        "events": [[e.link_id, e.number] for e in run.events],
        "after": encode(run.after),
    }
    if not any(legs.values()):
        return None, owing
    key = f"jackpots:{progressive.code}:run:{number}"
    return _host_entry(
        progressive, key, f"jackpot.fold_{run.kind}", run.events[-1].place, legs, source
    ), owing


def _add_win(
    progressive: Progressive, run: Run, resolution: Resolution, legs: Counter[str], owing: dict[str, int]
) -> None:
    for payment in resolution.payments:
        legs[_level(progressive, payment.level, "payable")] -= payment.amount_micros
        legs[_level(progressive, payment.level, "top-up")] += payment.from_house_micros
    for level in run.after.levels:
        restarts = [restart for restart in resolution.restarts if restart.level == level.name]
        seeded = sum(restart.from_house_micros for restart in restarts)
        before = owing[level.name]
        owing[level.name] = _not_owed(level.base_micros, before, restarts)
        # What of the base was paid out is owed now: house money in the seed becomes the house's cost.
        legs[_level(progressive, level.name, "base-not-owed")] += owing[level.name] - before
        legs[_level(progressive, level.name, "top-up")] += before + seeded - owing[level.name]


def _not_owed(base_micros: int, before_micros: int, restarts: list[Restart]) -> int:
    """House money in a base after a round: what the last restart put there, as far as later prizes left it, and what
    then restored the base. Prizes take what players have put in first."""
    house_micros, restored = before_micros, list(restarts)
    for number, restart in enumerate(restarts, start=1):
        if restart.won:
            house_micros, restored = restart.from_house_micros, restarts[number:]
    filled_micros = sum(restart.from_house_micros + restart.from_reserve_micros for restart in restored)
    return min(house_micros, base_micros - filled_micros) + sum(r.from_house_micros for r in restored)


def _level(progressive: Progressive, level: str, name: str) -> str:
    return chart.level(progressive.host.code, progressive.code, level, name)


def _across(
    key: str,
    kind: str,
    reference: str,
    at: datetime,
    source: Any,
    one: tuple[Premises, dict[str, int]],
    other: tuple[Premises, dict[str, int]],
) -> list[NewEntry]:
    """One entry where both sides are of one premises, else one in each book, tied by due-to and due-from."""
    if one[0].pk == other[0].pk:
        sides = [(one[0], {**one[1], **other[1]}, key)]
    else:
        sides = []
        for (premises, legs), (partner, _) in ((one, other), (other, one)):
            gap = -sum(legs.values())
            name = "due-from" if gap > 0 else "due-to"
            balanced = {**legs, chart.account(premises.code, name, partner.code): gap}
            sides.append((premises, balanced, f"{key}:{premises.code}"))
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
