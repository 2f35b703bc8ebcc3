"""The money of corrected rounds as ledger entries: the difference between two versions of a round, and what becomes of
the claims that it leaves. All of it is made from stored rows, whatever rules settled them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from config.kit.canonical_json import sha256_of
from ledger.books import chart
from ledger.books.journal import NewEntry
from ledger.models import Entry
from tables.models import (
    ClaimStep,
    Round,
    RoundCorrection,
    RoundVersion,
    SeatClaim,
    SettledLine,
    Table,
)
from tables.settle.versions import promo_ids, replaced_lines, version_key

CORRECTED = "round.corrected"
CLAIM_KINDS = {kind: f"claim.{kind.value}" for kind in ClaimStep.Kind}
Seat = tuple[int, str]
"""Seat and player."""


def chips_by_seat(lines: Iterable[SettledLine], promos: set[str]) -> Counter[Seat]:
    """What the tray has by these lines from each player; negative: the player has it. Jackpot wagers are apart: their
    stakes went to the pools at "no more bets"."""
    found: Counter[Seat] = Counter()
    for line in lines:
        if not line.is_jackpot:
            found[line.seat, line.player] += _chips(line, promos)[0]
    return found


def _chips(line: SettledLine, promos: set[str]) -> tuple[int, int]:
    """What it brings to the tray, and to the cost of promotion."""
    placed = line.stake_micros if line.is_new else 0
    paid = line.winnings_micros - line.commission_micros
    if line.wager_id in promos:  # a voucher is not a chip: it comes in and goes back as a cost of promotion
        return -paid, placed - line.returned_micros
    return placed - paid - line.returned_micros, 0


def _income(table: Table, lines: Iterable[SettledLine], promos: set[str]) -> Counter[str]:
    """What these lines book beside the chips."""
    premises = table.premises.code
    legs: Counter[str] = Counter()

    def account(name: str) -> str:
        return chart.table(premises, table.code, name)

    for line in lines:
        if line.is_jackpot:
            continue
        lost = line.stake_micros - line.returned_micros - line.standing_micros
        won = line.winnings_micros - line.rounding_micros
        legs[account("standing")] -= line.standing_micros - (0 if line.is_new else line.stake_micros)
        legs[account("fees" if line.is_fee else "win")] -= lost - won
        legs[account("commission")] -= line.commission_micros
        legs[account("rounding")] += line.rounding_micros
        legs[chart.account(premises, "promotions")] += _chips(line, promos)[1]
    return legs


def differences(old: Counter[Seat], new: Counter[Seat]) -> dict[Seat, int]:
    """By player what the tray should have more; negative: what the player should."""
    found = {seat: new[seat] - old[seat] for seat in sorted(old.keys() | new.keys())}
    return {seat: micros for seat, micros in found.items() if micros}


def accounts_of(correction: RoundCorrection) -> Mapping[Seat, str]:
    """Where the differences of each player go: to what the correction left open for them, owed or recoverable, and
    where it left nothing, to what it took in from an earlier one."""
    found = {
        (step.claim.seat, step.claim.player): step.claim.kind
        for step in correction.replaced.select_related("claim")
    }
    found |= {(claim.seat, claim.player): claim.kind for claim in correction.claims.all()}
    return found


def version_entry(version: RoundVersion, accounts: Mapping[Seat, str]) -> NewEntry | None:
    """The difference to the version before it. None where no money moves."""
    round, table = version.round, version.round.table
    before: Round | RoundVersion = round
    if version.number > 2:
        before = RoundVersion.objects.get(round=round, number=version.number - 1)
    old, new = replaced_lines(version), list(version.lines.order_by("position"))
    old_promos, new_promos = promo_ids(before), promo_ids(version)
    legs = _income(table, new, new_promos)
    legs.subtract(_income(table, old, old_promos))
    for seat, micros in differences(chips_by_seat(old, old_promos), chips_by_seat(new, new_promos)).items():
        name = accounts.get(seat, SeatClaim.Kind.OWED)
        legs[chart.table(table.premises.code, table.code, name)] += micros
    moved = {code: micros for code, micros in legs.items() if micros}
    if not moved:
        return None
    return NewEntry(
        key=version_key(round.pk, version.number),
        premises=table.premises,
        kind=CORRECTED,
        reference=f"round:{round.pk}",
        source_hash=sha256_of(source_of(version, new)),
        legs=moved,
        occurred_at=round.locked_at,
        corrects=_corrected(version),
        memo=f"Version {version.number}",
    )


def source_of(version: RoundVersion, lines: Iterable[SettledLine]) -> dict[str, object]:
    """What the entry rests on: the round, its rules, and every line of the version to the micro."""
    return {
        "round": version.round_id,
        "version": version.number,
        "config": version.round.config.sha256,
        "rules_version": version.rules_version,
        "lines": [
            [
                line.wager_id,
                line.stake_micros,
                line.outcome,
                line.rule,
                line.winnings_micros,
                line.returned_micros,
                line.standing_micros,
                line.commission_micros,
                line.rounding_micros,
            ]
            for line in lines
        ],
    }


def _corrected(version: RoundVersion) -> str | None:
    """The last entry of the round before it; none where no version moved money so far."""
    keys = [version_key(version.round_id, number) for number in range(version.number - 1, 1, -1)]
    keys.append(f"tables:round:{version.round_id}")
    there = set(Entry.objects.filter(key__in=keys).values_list("key", flat=True))
    return next((key for key in keys if key in there), None)


# --- Claims -----------------------------------------------------------------------------------------------------
def claim_entry(step: ClaimStep) -> NewEntry | None:
    """None where a claim goes on in another of its kind."""
    claim, table = step.claim, step.claim.table
    premises = table.premises
    open_account = chart.table(premises.code, table.code, claim.kind)
    other = _other_side(step)
    if other == open_account:
        return None
    # What is owed is a credit: it is settled by a debit. What was overpaid is the reverse.
    micros = step.amount_micros if claim.kind == SeatClaim.Kind.OWED else -step.amount_micros
    source = {
        "claim": claim.pk,
        "step": step.number,
        "kind": step.kind,
        "micros": step.amount_micros,
        "how": step.how,
    }
    return NewEntry(
        key=f"tables:claim:{claim.pk}:{step.number}",
        premises=premises,
        kind=CLAIM_KINDS[ClaimStep.Kind(step.kind)],
        reference=f"round:{claim.correction.round_id}",
        source_hash=sha256_of(source),
        legs={open_account: micros, other: -micros},
        occurred_at=step.at,
    )


def _other_side(step: ClaimStep) -> str:
    table = step.claim.table
    premises = table.premises.code
    if step.correction is not None:
        kind = accounts_of(step.correction)[step.claim.seat, step.claim.player]
        return chart.table(premises, table.code, kind)
    if step.how == "cash":
        return chart.account(premises, "cage", "cash")
    return chart.table(premises, table.code, "bank" if step.how == "chips" else "corrections")
