"""A corrected round with its claim, for the table of who may call what."""

from __future__ import annotations

from typing import Any

from people.approvals import approvals
from people.models import ApprovalRequest
from rules.money import dollars
from tables.corrections import corrections
from tables.models import Round, SeatClaim
from tests.floor import Floor, fill

OF_A_ROUND = (
    "api-round", "api-look-at-correction", "api-correct-round", "api-look-at-hands", "api-round-hands",
    "api-look-at-end", "api-end-round",
)  # fmt: skip
OF_A_CLAIM = ("claim", "settle-claim", "give-up-claim", "api-settle-claim", "api-give-up-claim")


def of_a_claim(floor: Floor) -> dict[str, dict[str, Any]]:
    """The round's dealer had no hand: the seat was to be paid."""
    change = {"dealt": Round.objects.get().dealt | {"dealer": ["2h", "3d", "5c", "7d", "9h"]}}
    asked = corrections.correct(Round.objects.get().pk, floor.people["sefa"], change, "camera")
    assert isinstance(asked, ApprovalRequest)
    approvals.approve(asked, floor.people["grace"])
    claim = SeatClaim.objects.get().pk
    fill(Round.objects.get().table, dollars(10_000))  # paid in chips of the tray
    return {route: {"pk": claim} for route in OF_A_CLAIM}
