"""Disputes and complaints at tables (nz-1996 I 8): opened, decided by the game supervisor, reviewed by another person,
reviewed by a Government inspector. What a decision costs or gives back is booked where rounds are corrected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from config.kit.refusals import NOT_NOW, Refused, wrong
from people import access
from people.audit import audit
from people.models import Premises, Role, User
from people.pages import filters
from rules.money import format_money
from tables.models import OVER, Dispute, DisputeStep, SettledLine, Table
from tables.settle import versions

OPEN_ROLES = frozenset({Role.SUPERVISOR})
REVIEW_ROLES = frozenset({Role.SUPERVISOR, Role.JACKPOT_MANAGER})
Kind = DisputeStep.Kind
ROLES = {Kind.DECIDED: OPEN_ROLES, Kind.REVIEWED: REVIEW_ROLES, Kind.INSPECTED: REVIEW_ROLES}
MAX_TEXT = 2_000


@transaction.atomic
def open_dispute(
    table_id: int, actor: User, complainant: str, complaint: str, *, round: str = "", seat: int | None = None
) -> Dispute:
    """A player brings it to the game supervisor, with the round and seat that it is about, if any."""
    table = Table.objects.select_related("premises").get(pk=table_id)
    access.require(actor, OPEN_ROLES, table.premises)
    found = None
    if round.strip():
        found = table.rounds.filter(number=int(round)).first() if round.strip().isdecimal() else None
        if found is None:
            raise wrong("round", f"{table} has played no round {round}.")
    if not complainant.strip() or not complaint.strip():
        raise wrong(
            "complaint" if complainant.strip() else "complainant", "Say who complains, and about what."
        )
    made = Dispute.objects.create(
        table=table,
        round=found,
        seat=seat,
        complainant=complainant.strip(),
        complaint=complaint.strip(),
        opened_by=actor,
    )
    made.refresh_from_db(fields=["at"])
    audit.record(actor, "tables.dispute_opened", premises=table.premises, subject=made, reason=made.complaint)
    return made


@transaction.atomic
def decide(dispute_id: int, actor: User, kind: str, given: dict[str, Any]) -> DisputeStep:
    """The next word on it: `kind` says whose. Who does not accept it is told of the right to an inspector."""
    dispute = (
        Dispute.objects.select_for_update(no_key=True, of=("table",))
        .select_related("table__premises")
        .get(pk=dispute_id)
    )
    step = Kind(kind)
    access.require(actor, ROLES[step], dispute.table.premises)
    last = dispute.steps.order_by("-pk").first()
    _refuse(dispute, last, step, actor)
    if not given["accepted"] and not given["told_of_inspector"] and step is not Kind.INSPECTED:
        text = "Who does not accept it is told of the inspector, and of the right to consult one (nz-1996 I 8.2)."
        raise wrong("told_of_inspector", text)
    inspector = given.get("inspector", "").strip()
    if step is Kind.INSPECTED and not inspector:
        raise wrong("inspector", "Name or number of the Government inspector.")
    made = DisputeStep.objects.create(
        dispute=dispute,
        kind=step,
        outcome=given["outcome"],
        decision=given["decision"].strip(),
        rules=given["rules"].strip(),
        accepted=given["accepted"],
        told_of_inspector=given["told_of_inspector"],
        inspector=inspector if step is Kind.INSPECTED else "",
        actor=actor,
    )
    audit.record(
        actor,
        f"tables.dispute_{step.value}",
        premises=dispute.table.premises,
        subject=dispute,
        reason=made.decision,
        details={
            "outcome": made.outcome,
            "rules": made.rules,
            "accepted": made.accepted,
            "inspector": inspector,
        },
    )
    return made


def _refuse(dispute: Dispute, last: DisputeStep | None, step: Kind, actor: User) -> None:
    if is_over(last):
        raise Refused("dispute_over", f"{str(dispute).capitalize()} is over.", status=NOT_NOW)
    if (last is None) != (step is Kind.DECIDED) or (last is not None and last.kind == step):
        have = "has no decision yet" if last is None else f"was {last.kind} already"
        raise Refused("wrong_step", f"{str(dispute).capitalize()} {have} (nz-1996 I 8.1).", status=NOT_NOW)
    if step is Kind.REVIEWED and last is not None and last.actor_id == actor.pk:
        text = "You decided it: a review is another person's (nz-1996 I 8.1)."
        raise Refused("same_person", text, status=NOT_NOW)


def is_over(last: DisputeStep | None) -> bool:
    """Accepted, or said by an inspector, after whom the rulebook has nobody."""
    return last is not None and (last.accepted or last.kind == Kind.INSPECTED)


_ENDED = Exists(DisputeStep.objects.filter(OVER, dispute=OuterRef("pk")))
"""Of a dispute: it is over, as `is_over` has it."""


def disputes_of(premises: Iterable[Premises]) -> QuerySet[Dispute]:
    """Newest first, each with its steps."""
    steps = DisputeStep.objects.select_related("actor").order_by("pk")
    return (
        Dispute.objects.filter(table__premises__in=premises)
        .select_related("table__premises", "round", "opened_by")
        .prefetch_related(Prefetch("steps", steps))
    )


def open_first(premises: Iterable[Premises]) -> QuerySet[Dispute]:
    """All that are open, however old, before those that are over."""
    return disputes_of(premises).order_by(_ENDED, "-pk")


def ended(found: QuerySet[Dispute]) -> QuerySet[Dispute]:
    return found.filter(_ENDED)


def matching(found: QuerySet[Dispute], given: Mapping[str, Any]) -> QuerySet[Dispute]:
    """Those that the filters of their page leave."""
    if given.get("q"):
        found = found.filter(Q(complainant__icontains=given["q"]) | Q(complaint__icontains=given["q"]))
    if given.get("where"):
        found = found.filter(table__code__iexact=given["where"])
    if given.get("state"):
        found = found.filter(_ENDED if given["state"] == "over" else ~_ENDED)
    return filters.between(found, "at", given)


def next_steps(dispute: Dispute) -> list[Kind]:
    taken = list(dispute.steps.all())
    if is_over(taken[-1] if taken else None):
        return []
    if not taken:
        return [Kind.DECIDED]
    return [kind for kind in (Kind.REVIEWED, Kind.INSPECTED) if kind not in {step.kind for step in taken}]


def still_open(found: QuerySet[Dispute]) -> QuerySet[Dispute]:
    return found.filter(~_ENDED)


def document(dispute: Dispute) -> dict[str, Any]:
    """What both sides are given: the complaint, how the round was settled and by which rules, every decision."""
    lines = versions.latest(dispute.round).lines() if dispute.round else []  # as it counts now
    return {
        "id": dispute.pk,
        "premises": dispute.table.premises.name,
        "currency": dispute.table.premises.currency,
        "table": dispute.table.code,
        "round": dispute.round.number if dispute.round else None,
        "round_id": dispute.round_id,
        "seat": dispute.seat,
        "complainant": dispute.complainant,
        "complaint": dispute.complaint,
        "opened_by": dispute.opened_by.name,
        "opened_at": dispute.at.isoformat(),
        "over": not next_steps(dispute),
        "settlement": [_line(line) for line in lines if dispute.seat in (None, line.seat) or not line.seat],
        "steps": [
            {
                "kind": step.kind,
                "title": step.get_kind_display(),
                "outcome": step.get_outcome_display(),
                "decision": step.decision,
                "rules": step.rules,
                "accepted": step.accepted,
                "told_of_inspector": step.told_of_inspector,
                "inspector": step.inspector,
                "by": step.actor.name,
                "at": step.at.isoformat(),
            }
            for step in dispute.steps.all()
        ],
    }


def _line(line: SettledLine) -> dict[str, Any]:
    return {
        "seat": line.seat,
        "wager": f"{line.kind} {line.selection}".strip(),
        "stake": format_money(line.stake_micros),
        "outcome": line.outcome,
        "odds": line.odds,
        "winnings": format_money(line.winnings_micros),
        "returned": format_money(line.returned_micros),
        "rule": line.rule,
        "also": line.also,
    }
