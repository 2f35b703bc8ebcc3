"""A round's money as one ledger entry, its legs summed by account. Jackpot stakes are not in it: they went to
*contributions in transit* at "no more bets" (jackpots.ledger_entries)."""

from __future__ import annotations

from collections import Counter

from config.canonical_json import sha256_of
from ledger import chart
from ledger.journal import NewEntry
from rules import Settlement
from tables.models import Round


def round_entry(round: Round, answer: Settlement) -> NewEntry | None:
    """None where no money moved: everything pushed, or nothing was wagered."""
    table, premises = round.table, round.table.premises
    bank, standing, win, fees, commission, rounding = (
        chart.table(premises.code, table.code, name)
        for name in ("bank", "standing", "win", "fees", "commission", "rounding")
    )
    kinds = round.config.game.kinds
    left_standing = round.standing_ids
    legs: Counter[str] = Counter()
    for line in answer.lines:
        kind, new = kinds[line.wager.kind], line.wager.id not in left_standing
        if kind.jackpot:
            continue
        chips, voucher = chips_and_voucher(
            line.wager.stake if new else 0, line.winnings - line.commission, line.returned, line.wager.promo
        )
        if voucher:
            legs[chart.account(premises.code, "promotions")] += voucher
        legs[bank] += chips
        legs[standing] -= line.standing - (0 if new else line.wager.stake)
        legs[fees if kind.fee else win] -= line.lost - (line.winnings - line.rounding)
        legs[commission] -= line.commission
        legs[rounding] += line.rounding
    moved = {code: micros for code, micros in legs.items() if micros}
    if not moved:
        return None
    if round.locked_at is None:
        raise RuntimeError(f"{round} is settled without a no more bets")
    return NewEntry(
        key=f"tables:round:{round.pk}",
        premises=premises,
        kind="round",
        reference=f"round:{round.pk}",
        source_hash=source_hash(round, answer),
        legs=moved,
        occurred_at=round.locked_at,
    )


def chips_and_voucher(placed: int, paid: int, returned: int, promo: bool) -> tuple[int, int]:
    """What a wager brings to the tray, and to the cost of promotion. A voucher is not a chip: it comes in and goes back
    as a cost of promotion."""
    return (-paid, placed - returned) if promo else (placed - paid - returned, 0)


def source_hash(round: Round, answer: Settlement) -> str:
    """SHA-256 of what the entry rests on: the round, the rules it was played under, and every line to the micro."""
    lines = [
        [
            line.wager.id,
            line.wager.stake,
            line.outcome._value_,  # its `value` takes ten times as long
            line.rule,
            line.winnings,
            line.returned,
            line.standing,
            line.commission,
            line.rounding,
        ]
        for line in answer.lines
    ]
    return sha256_of(
        {
            "round": round.pk,
            "config": round.config.sha256,
            "rules_version": round.rules_version,
            "lines": lines,
        }
    )
