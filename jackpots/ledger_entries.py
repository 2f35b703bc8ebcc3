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

from config.canonical_json import sha256_of
from jackpots.models import Event, Progressive, Share, Win
from jackpots.replay import Stretch, slice_of, wagers_of
from ledger import chart
from ledger.journal import NewEntry
from people.models import Premises
from rules.contract import Wager
from rules.progressive import ContributionSource, Resolution, Restart, State, encode

PAID = "jackpot.paid"


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


def stakes_entries(event: Event, shares: list[Share], wagers: list[Wager] | None = None) -> list[NewEntry]:
    """Wagers at "no more bets", and void ones on their way back: between the table and each progressive's transit.

    A jackpot wager is chips in the table's bank, or, by voucher, a cost of promotion. A share of an ordinary wager is
    the house's money: the wager itself is booked with its round. `wagers`: the event's, where they are at hand.
    """
    table_log = event.table_log
    premises = table_log.premises
    bank, shared = (
        chart.table(premises.code, table_log.table_code, name) for name in ("bank", "jackpot-share")
    )
    promotions = chart.account(premises.code, "promotions")
    sign = -1 if event.kind == Event.Kind.RETURN else 1
    jackpots = {
        kind
        for share in shares
        if share.progressive.config.rules.source is ContributionSource.JACKPOT_WAGER
        for kind in share.slices
    }
    ours: Counter[str] = Counter()
    hosts: dict[int, tuple[Premises, Counter[str]]] = {}
    for share in shares:
        host = share.progressive.host
        transit = chart.progressive(host.code, share.progressive.code, "transit")
        hosts.setdefault(host.pk, (host, Counter()))[1][transit] -= share.slice_micros
        for wager in wagers_of(event) if wagers is None else wagers:
            if wager.kind in share.slices:
                chips = promotions if wager.promo else bank
                account = chips if wager.kind in jackpots else shared
                ours[account] += sign * slice_of(wager.stake, share.slices[wager.kind])
    return _across(
        f"jackpots:{premises.code}:{table_log.table_code}:{event.number}",
        f"jackpot.{event.kind}",
        f"round:{event.round_id}",
        max(share.place for share in shares),
        {"event": event.number, "body": event.body},
        (premises, ours),
        *hosts.values(),
    )


def payment_entries(win: Win, paid_micros: int, at: datetime) -> list[NewEntry]:
    """A win leaves the house: from payable to chips at the table or money at the cage, rounded up at house cost."""
    if not paid_micros:
        return []
    premises, progressive = win.table_log.premises, win.progressive
    paid_from = {
        Win.Method.CHIPS: chart.table(premises.code, win.table_log.table_code, "bank"),
        Win.Method.CASH: chart.account(premises.code, "cage", "cash"),
        Win.Method.CHEQUE: chart.account(premises.code, "cage", "cheques"),
    }[Win.Method(win.method)]
    return _across(
        f"jackpots:{progressive.code}:win:{win.pk}:paid",
        PAID,
        win_reference(win),
        at,
        {"win": win.pk, "amount": win.amount_micros, "paid": paid_micros},
        (premises, Counter({paid_from: -paid_micros})),
        (
            progressive.host,
            Counter(
                {
                    payable(progressive, win.level): win.amount_micros,
                    _level(progressive, win.level, "rounding"): paid_micros - win.amount_micros,
                }
            ),
        ),
    )


def run_entry(
    progressive: Progressive, run: Stretch, number: int, not_owed: Mapping[str, int]
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
        legs[chart.progressive(progressive.host.code, progressive.code, "transit")] += run.slice_micros
        legs[chart.progressive(progressive.host.code, progressive.code, "house")] -= run.house_micros
    source = {
        "run": number,
        "events": [[share.event.table_log_id, share.event.number] for share in run.shares],
        "after": encode(run.after),
    }
    if not any(legs.values()):
        return None, owing
    return _host_entry(
        progressive,
        run_key(progressive, number),
        f"jackpot.fold_{run.kind}",
        run.last_place,
        legs,
        source,
    ), owing


def run_key(progressive: Progressive, number: int) -> str:
    return f"jackpots:{progressive.code}:run:{number}"


def win_reference(win: Win) -> str:
    return f"win:{win.pk}"


def payable(progressive: Progressive, level: str) -> str:
    """Where what was won from a level waits to be paid."""
    return _level(progressive, level, "payable")


def _add_win(
    progressive: Progressive, run: Stretch, resolution: Resolution, legs: Counter[str], owing: dict[str, int]
) -> None:
    for payment in run.payments:
        legs[payable(progressive, payment.level)] -= payment.amount_micros
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
