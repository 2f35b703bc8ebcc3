"""A round's money as one ledger entry, its legs summed by account. Jackpot stakes are not in it: they went to
*contributions in transit* at "no more bets" (jackpots.fold.ledger_entries)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from config.kit.canonical_json import sha256_of_plain
from ledger.books import chart
from ledger.books.journal import NewEntry
from tables.models import Round
from tables.settle.lines import Booking

PROMOTIONS = "promotions"


def round_entry(round: Round, booking: Booking) -> NewEntry | None:
    """None where no money moved: everything pushed, or nothing was wagered."""
    moved = moved_by(booking)
    return entry_of(round, moved, source_hash(round, booking)) if moved else None


def entry_of(round: Round, moved: Mapping[str, int], source: str) -> NewEntry:
    """Of money that moved (`moved_by`), and the hash of what it rests on."""
    table, premises = round.table, round.table.premises
    if round.locked_at is None:
        raise RuntimeError(f"{round} is settled without a no more bets")
    return NewEntry(
        key=f"tables:round:{round.pk}",
        premises=premises,
        kind="round",
        reference=f"round:{round.pk}",
        source_hash=source,
        legs={
            chart.account(premises.code, name)
            if name == PROMOTIONS
            else chart.table(premises.code, table.code, name): micros
            for name, micros in moved.items()
        },
        occurred_at=round.locked_at,
    )


def moved_by(booking: Booking) -> dict[str, int]:
    """Micros by account: those of the table by their names, and PROMOTIONS of the premises."""
    bank = standing = win = fees = commission = rounding = promotions = 0
    for row in booking.rows:
        is_jackpot, is_fee, is_new, *_, stake, winnings, returned, left, kept, rounded = row[6:]
        if is_jackpot:
            continue
        if booking.promo and row[0] in booking.promo:
            # A voucher is not a chip: it comes in and goes back as a cost of promotion.
            promotions += (stake if is_new else 0) - returned
            bank -= winnings - kept
        else:
            bank += (stake if is_new else 0) - (winnings + returned - kept)
        standing -= left - (0 if is_new else stake)
        kept_by_house = (stake - returned - left) - (winnings - rounded)
        if is_fee:
            fees -= kept_by_house
        else:
            win -= kept_by_house
        commission -= kept
        rounding += rounded
    moved = {
        "bank": bank, "standing": standing, "win": win, "fees": fees, "commission": commission, "rounding": rounding,
        PROMOTIONS: promotions,
    }  # fmt: skip
    return {name: micros for name, micros in moved.items() if micros}


def source_hash(round: Round, booking: Booking) -> str:
    """SHA-256 of what the entry rests on: the round, the rules it was played under, and every line to the micro."""
    lines = [[row[0], row[13], row[9], row[11], *row[14:]] for row in booking.rows]
    return hash_of_lines(round, lines)


def hash_of_lines(round: Round, lines: list[list[Any]]) -> str:
    """`lines`: of each its wager, stake, outcome, rule, and its money in the order of `tables.settle.lines.COLUMNS`."""
    return sha256_of_plain(
        {
            "round": round.pk,
            "config": round.config.sha256,
            "rules_version": round.rules_version,
            "lines": lines,
        }
    )
