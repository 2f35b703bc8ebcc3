"""Who may call what about slips, counts, non-value chips, unclaimed money and disputes: a part of the table in
test_permissions.py, which is long enough."""

from __future__ import annotations

from typing import Any

from people.approvals import approvals
from people.models import Role
from rules.money import dollars
from tables.chips import cage, chips, unclaimed
from tables.corrections import disputes
from tables.models import UnclaimedMoney
from tests.floor import Floor

FLOOR = {Role.SUPERVISOR, Role.JACKPOT_MANAGER, Role.FINANCE, Role.AUDITOR}
STAFF = {Role.SUPERVISOR, Role.JACKPOT_MANAGER}
SUPERVISOR, FINANCE, CAGE = {Role.SUPERVISOR}, {Role.FINANCE}, {Role.SUPERVISOR, Role.FINANCE}
ACCEPTED = {"day": "2026-03-14", "variance": "1.00"}
COUNTED = {"from_day": "2099-01-01", "explain_above": "20.00", "reason": "audit"}
COLOUR = {"colour": "red", "player": "seat 4", "value": "5.00", "chips": 20}
FOUND = {"table": "CS-02", "what": "chips on the layout", "amount": "5.00"}
FUNDED = {"kind": "funding", "money": "cash", "amount": "5.00"}
COMPLAINT = {"table": "CS-02", "complainant": "guest", "complaint": "paid too little"}
DECISION = {"outcome": "house", "decision": "no", "rules": "nz-1996 VIII 9.8", "accepted": True}
RULES: dict[str, list[tuple[Any, ...]]] = {
    "counts-here": [(FLOOR,)],
    "counts": [(FLOOR,)],
    "accept-count": [(FINANCE, "post", ACCEPTED)],
    "count-rules": [(CAGE, "post", COUNTED)],
    "print-slip": [(CAGE, "post")],
    "cage-here": [(FLOOR,)],
    "cage": [(FLOOR,), (CAGE, "post", FUNDED)],
    "print-cage-slip": [(CAGE, "post")],
    "api-cage": [(FLOOR,), (CAGE, "post", FUNDED)],
    "api-print-cage-slip": [(CAGE, "post")],
    "api-counts": [(FLOOR,)],
    "api-accept-count": [(FINANCE, "post", ACCEPTED)],
    "api-count-rules": [(FLOOR,), (CAGE, "post", COUNTED)],
    "api-print-slip": [(CAGE, "post")],
    "colour-step": [(SUPERVISOR, "post", COLOUR)],
    "api-table-colours": [(FLOOR,), (SUPERVISOR, "post", COLOUR)],
    "api-table-colours-redeem": [(SUPERVISOR, "post", {"colour": "red", "chips": 1, "left": 0})],
    "unclaimed-here": [(FLOOR,)],
    "unclaimed": [(FLOOR,), (CAGE, "post", FOUND)],
    "unclaimed-step": [(CAGE, "post", {"reason": "came"})],
    "api-unclaimed": [(FLOOR,), (CAGE, "post", FOUND)],
    "api-unclaimed-claim": [(CAGE, "post", {"reason": "came"})],
    "api-unclaimed-expire": [(CAGE, "post", {"reason": "over"})],
    "disputes-here": [(FLOOR,)],
    "disputes": [(FLOOR,), (SUPERVISOR, "post", COMPLAINT)],
    "dispute": [(FLOOR,)],
    "dispute-paper": [(FLOOR,)],
    "dispute-step": [(STAFF, "post", DECISION)],
    "api-disputes": [(FLOOR,), (SUPERVISOR, "post", COMPLAINT)],
    "api-dispute": [(FLOOR,)],
    "api-dispute-decide": [(SUPERVISOR, "post", DECISION)],
    "api-dispute-review": [(STAFF, "post", DECISION)],
    "api-dispute-inspect": [(STAFF, "post", DECISION | {"inspector": "17"})],
}


def names(floor: Floor) -> dict[str, dict[str, Any]]:
    """By route, what its URL names: a slip, unclaimed money and a dispute at harbour."""
    place: dict[str, Any] = {"premises": "harbour"}
    table, sefa = floor.tables["CS-02"], floor.people["sefa"]
    slip = {"pk": chips.enter_slip(table.pk, "fill", "", dollars(5), sefa).slip_id}
    asked = unclaimed.request_hold(table.pk, sefa, "chips on the layout", dollars(5))
    approvals.approve(asked, floor.people["grace"])
    found = {"pk": UnclaimedMoney.objects.get().pk}
    funded = {"pk": cage.enter_slip(floor.harbour, sefa, "funding", "chips", dollars(500)).slip_id}
    dispute = {"pk": disputes.open_dispute(table.pk, sefa, "guest", "paid too little").pk}
    of_premises = ("cage", "counts", "count-rules", "unclaimed", "disputes")
    return {
        **dict.fromkeys(of_premises, place),
        **{f"api-{name}": place for name in of_premises},
        "accept-count": {**place, "code": "CS-01"},
        "colour-step": {**place, "code": "CS-01", "step": "issue"},
        **{f"api-table-{what}": {**place, "table": "CS-01"} for what in ("colours", "colours-redeem")},
        "api-accept-count": {**place, "table": "CS-01"},
        "print-slip": {**place, **slip},
        "api-print-slip": slip,
        "print-cage-slip": {**place, **funded},
        "api-print-cage-slip": funded,
        "unclaimed-step": {**place, **found, "step": "claim"},
        **{f"api-unclaimed-{step}": found for step in ("claim", "expire")},
        **{route: {**place, **dispute} for route in ("dispute", "dispute-paper")},
        "dispute-step": {**place, **dispute, "step": "review"},
        **{route: dispute for route in RULES if route.startswith("api-dispute") and route != "api-disputes"},
    }
