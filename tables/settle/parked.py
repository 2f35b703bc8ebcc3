"""The way out for a round that could not be settled: someone looks, the cause is mended, and it is tried again."""

from __future__ import annotations

from django.db import transaction

from config.kit.refusals import NOT_NOW, Refused, wrong
from config.kit.wake_ups import ring
from people import access
from people.alerts import alerts
from people.audit import audit
from people.models import Role, User
from tables.models import Round
from tables.settle.settlement import ROUND_PARKED
from tables.tasks import settle_closed


@transaction.atomic
def settle_again(round_id: int, actor: User, reason: str) -> Round:
    """Hands a parked round back to the settlement as it was played; nothing of it is changed.

    `reason` says what was mended, and acknowledges the alert. If the cause is still there, the round is parked again
    with its error and a new alert.
    """
    rounds = Round.objects.select_for_update(no_key=True, of=("self",)).select_related("table__premises")
    round = rounds.get(pk=round_id)
    access.require(actor, Role.SUPERVISOR, round.table.premises)
    if round.state != Round.State.PARKED:
        raise Refused("not_parked", f"{round} is {round.state}, not parked: nothing to do.", status=NOT_NOW)
    if not reason.strip():
        raise wrong("reason", f"Say what was mended before {round} is settled again.")
    audit.record(
        actor,
        "tables.round_settled_again",
        premises=round.table.premises,
        subject=round,
        reason=reason.strip(),
        details={"error": round.error},
    )
    alerts.acknowledge_about(ROUND_PARKED, round, actor, reason)
    round.state, round.error, round.attempts = Round.State.CLOSED, "", 0
    round.save(update_fields=["state", "error", "attempts"])
    ring(settle_closed)
    return round
