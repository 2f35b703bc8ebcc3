"""What the floor hands to `manage.py verify` of rounds that were put right: versions against the rules and against who
said so, their lines against the books, claims against what they leave open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from ledger.books import chart
from ledger.books.balances import balance
from ledger.books.journal import NewEntry
from ledger.models import Account, Entry
from ledger.verify.entries import missing, vouch
from ledger.verify.verify import Fault, Span, register
from people.audit import audit
from people.models import ApprovalRequest, AuditRecord
from rules import RULES_VERSION, RuleError
from rules.money import format_money
from tables.corrections.claims import with_left
from tables.corrections.correction_entries import (
    CLAIM_KINDS,
    CORRECTED,
    Seat,
    accounts_of,
    chips_by_seat,
    claim_entry,
    differences,
    version_entry,
)
from tables.models import GIVE_UP, ClaimStep, Round, RoundCorrection, RoundVersion, SeatClaim, Table
from tables.settle import resettle
from tables.settle.versions import PLAYED, Version, promo_ids, replaced_lines, says


@vouch(CORRECTED)
def corrected(entries: list[Entry]) -> Iterator[tuple[Entry, NewEntry | str]]:
    for entry in entries:
        round_id, number = [*entry.key.split(":"), "", ""][2:4]
        known = round_id.isdecimal() and number.isdecimal()
        version = _versions().filter(round_id=int(round_id), number=int(number)).first() if known else None
        if version is None:
            yield entry, f"there is no version {number} of round {round_id}"
            continue
        made = version_entry(version, accounts_of(version.correction))
        yield entry, made or f"{version} moved no money"


@vouch(*CLAIM_KINDS.values())
def claimed(entries: list[Entry]) -> Iterator[tuple[Entry, NewEntry | str]]:
    for entry in entries:
        claim_id, number = [*entry.key.split(":"), "", ""][2:4]
        known = claim_id.isdecimal() and number.isdecimal()
        step = _steps().filter(claim_id=int(claim_id), number=int(number)).first() if known else None
        made = claim_entry(step) if step is not None else None
        yield entry, made or f"there is no step {number} of claim {claim_id} that moves money"


def _versions() -> QuerySet[RoundVersion]:
    return RoundVersion.objects.select_related("round__table__premises", "round__config", "correction")


def _steps() -> QuerySet[ClaimStep]:
    return ClaimStep.objects.select_related(
        "claim__table__premises", "claim__correction", "correction", "approval"
    )


@register("tables.corrections", "Rounds were put right by who may, settled by the rules, and booked")
def corrections_hold(span: Span) -> Iterator[Fault]:
    found = RoundCorrection.objects.filter(**span.of()).select_related(
        "round__table__premises", "round__config", "approval", "asked_by"
    )
    for correction in found.order_by("xact_id", "id"):
        where, accounts = f"correction {correction.pk}", _accounts(correction.round.table)
        said = _said(correction)
        if said is None:
            yield Fault(where, "nobody has said so: no approval and no record gives it", accounts)
        rows = list(_versions().filter(correction=correction).order_by("round__number"))
        if not rows or rows[0].round_id != correction.round_id:
            yield Fault(where, "it has no version of its own round", accounts)
            continue
        if said is not None and not all(
            says(rows[0], name, said["change"][name]) for name in PLAYED if name in said["change"]
        ):
            yield Fault(where, "its version is not what was approved", accounts)
        for sentence in _against_the_seats(correction, rows):
            yield Fault(where, sentence, accounts)
        made = (version_entry(row, accounts_of(correction)) for row in rows)
        for entry in missing(each for each in made if each is not None):
            yield Fault(where, f"the books lack its entry {entry.key}", accounts)


def _accounts(table: Table) -> tuple[str, ...]:
    return tuple(
        chart.table(table.premises.code, table.code, name) for name in ("owed", "recoverable", "win")
    )


def _said(correction: RoundCorrection) -> dict[str, Any] | None:
    """What two people approved, or one has put on record."""
    asked = correction.approval
    if asked is not None:
        records = AuditRecord.objects.filter(
            subject=audit.label_of(asked),
            action="people.approval_approved",
            actor=asked.decided_by_id,
            details__payload_sha256=asked.payload_sha256,
        )
        used = asked.state == ApprovalRequest.State.USED and asked.payload.get("round") == correction.round_id
        return asked.payload if used and audit.genuine(records) is not None else None
    records = AuditRecord.objects.filter(
        subject=audit.label_of(correction.round),
        action="tables.round_corrected",
        actor=correction.asked_by_id,
        details__correction=correction.pk,
    )
    record = audit.genuine(records)
    return record.details if record is not None else None


def _against_the_seats(correction: RoundCorrection, rows: list[RoundVersion]) -> Iterator[str]:
    """What it moves and leaves open is what its lines give."""
    seats: Counter[Seat] = Counter()
    for row in rows:
        before: Round | RoundVersion = row.round
        if row.number > 2:
            before = RoundVersion.objects.get(round=row.round_id, number=row.number - 1)
        old = chips_by_seat(replaced_lines(row), promo_ids(before))
        seats.update(differences(old, chips_by_seat(row.lines.all(), promo_ids(row))))
    if sum(map(abs, seats.values())) != correction.moved_micros:
        yield f"it says that it moves {format_money(correction.moved_micros)}, its lines give something else"
    for step in correction.replaced.select_related("claim"):
        sign = 1 if step.claim.kind == SeatClaim.Kind.RECOVERABLE else -1
        seats[step.claim.seat, step.claim.player] += sign * step.amount_micros
    due = {seat: micros for seat, micros in seats.items() if micros}
    stands = {
        (claim.seat, claim.player): claim.amount_micros
        * (1 if claim.kind == SeatClaim.Kind.RECOVERABLE else -1)
        for claim in correction.claims.all()
    }
    if stands != due:
        yield "its claims are not what its lines give"


@register("tables.versions", "Lines of versions are what the rules give for what was really played")
def versions_hold(span: Span) -> Iterator[Fault]:
    for row in _versions().filter(**span.of()).order_by("xact_id", "id"):
        where, accounts = f"version {row.number} of round {row.round_id}", _accounts(row.round.table)
        if row.rules_version != RULES_VERSION:
            continue
        for place, what in resettle.version_differences(row, list(row.lines.order_by("position"))):
            yield Fault(place, what, accounts)
        last = RoundVersion.objects.filter(round=row.round_id).order_by("-number").first()
        following = Round.objects.filter(table=row.round.table_id, number=row.round.number + 1)
        after = following.select_related("config").first()
        if last != row or after is None or not row.round.config.game.in_order:
            continue
        try:
            left = Version(row.round, row).left()
        except RuleError:
            continue
        later = RoundVersion.objects.filter(round=after).order_by("-number").first()
        if (after if later is None else later).carried_in != left:
            yield Fault(where, "the round after it counts with something else than it left", accounts)


@register("tables.claims", "What is owed and recoverable is what corrected rounds left open", in_pieces=False)
def claims_hold(span: Span) -> Iterator[Fault]:
    """By table: open claims give the balances; and who gave one up were two."""
    due: Counter[str] = Counter()
    for claim in with_left().select_related("table__premises"):
        sign = 1 if claim.kind == SeatClaim.Kind.RECOVERABLE else -1
        due[chart.table(claim.table.premises.code, claim.table.code, claim.kind)] += sign * claim.left
    booked = Account.objects.filter(code__regex=r"/tables/[^/]+/(owed|recoverable)$")
    for account in sorted({*due, *booked.values_list("code", flat=True)}):
        micros = balance(account)
        if micros != due[account]:
            words = f"claims of {format_money(due[account])} are open, the books have {format_money(micros)}"
            yield Fault(account, words, (account,))
    for step in _steps().filter(kind__in=["expired", "written-off"]):
        asked = step.approval
        if asked is None or (asked.action, asked.state, asked.payload.get("claim")) != (
            GIVE_UP,
            ApprovalRequest.State.USED,
            step.claim_id,
        ):
            yield Fault(f"step {step.number} of claim {step.claim_id}", "no two people gave it up")


@register("tables.claim_steps", "Every step of a claim follows the one before and is booked")
def steps_booked(span: Span) -> Iterator[Fault]:
    for step in _steps().filter(**span.of()).order_by("xact_id", "id"):
        where = f"step {step.number} of claim {step.claim_id}"
        before = ClaimStep.objects.filter(claim=step.claim_id, number=step.number - 1).first()
        was = step.claim.amount_micros if before is None else before.left_micros
        if step.left_micros != was - step.amount_micros or (before is None) != (step.number == 1):
            yield Fault(where, "what is left after it does not follow from the step before")
        made = claim_entry(step)
        for entry in missing([made] if made is not None else []):
            yield Fault(where, f"the books lack its entry {entry.key}")
