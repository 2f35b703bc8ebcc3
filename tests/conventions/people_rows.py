"""Who may call what about people, premises, approvals, alerts and the audit trail: a part of the table in
test_permissions.py, which is long enough."""

from __future__ import annotations

from typing import Any

from people.models import Role

PUBLIC, ANYBODY_LOGGED_IN, ALL = "public", "anybody logged in", set(Role)
ADMINISTRATOR, READERS = {Role.ADMINISTRATOR}, {Role.ADMINISTRATOR, Role.AUDITOR}
STAFF = {Role.SUPERVISOR, Role.JACKPOT_MANAGER}
INVITED = {"username": "mere", "name": "Mere", "premises": "harbour", "role": "finance", "reason": "new"}
ROLE = {"premises": "harbour", "role": "supervisor", "reason": "asked"}
PREMISES = {
    "name": "Hill", "currency": "NZD", "time_zone": "Pacific/Auckland", "rollover_hour": 6, "reason": "grows",
}  # fmt: skip
RULES: dict[str, list[tuple[Any, ...]]] = {
    "login": [(PUBLIC,)],
    "logout": [(PUBLIC, "post")],
    "home": [(ANYBODY_LOGGED_IN,)],
    "confirm": [(ANYBODY_LOGGED_IN,)],
    "invitation": [(PUBLIC,)],
    "me": [(ANYBODY_LOGGED_IN,)],
    "set-up-second-factor": [(ANYBODY_LOGGED_IN, "post", {"code": "000000"})],
    "choose-language": [(ANYBODY_LOGGED_IN, "post", {"language": ""})],
    "end-own-log-ins": [(ANYBODY_LOGGED_IN, "post", {"log_in": "999999999"})],
    "people": [(READERS,)],
    "invite": [(ADMINISTRATOR,), (ADMINISTRATOR, "post", INVITED)],
    "person": [(READERS,)],
    "person-step": [(ADMINISTRATOR, "post")],
    "api-people": [(ADMINISTRATOR,), (ADMINISTRATOR, "post", INVITED)],
    "api-person": [(ADMINISTRATOR,)],
    "api-ask-role": [(ADMINISTRATOR, "post", ROLE)],
    "api-take-role": [(ADMINISTRATOR, "post", ROLE)],
    "api-ask-link": [(ADMINISTRATOR, "post", {"reason": "lost"})],
    "api-make-link": [(ADMINISTRATOR, "post")],
    "api-unlock": [(ADMINISTRATOR, "post")],
    "api-end-log-ins": [(ADMINISTRATOR, "post")],
    "api-leave": [(ADMINISTRATOR, "post", {"reason": "left"})],
    "api-language": [(ALL, "post", {"language": ""})],
    "api-confirm": [(ALL, "post", {"password": "wrong"})],
    "set-up": [(PUBLIC, "post")],
    "premises-list": [(ADMINISTRATOR,)],
    "new-premises": [(ADMINISTRATOR,), (ADMINISTRATOR, "post", PREMISES | {"code": "hill"})],
    "premises-page": [(ADMINISTRATOR,), (ADMINISTRATOR, "post", PREMISES)],
    "api-premises": [
        (ADMINISTRATOR,),
        (ADMINISTRATOR, "post", PREMISES | {"code": "hill", "home": "harbour"}),
    ],
    "api-one-premises": [(ADMINISTRATOR, "post", PREMISES)],
    "choose-premises": [(ANYBODY_LOGGED_IN, "post", {"premises": "harbour"})],
    "approvals": [(ALL,)],
    "approval": [(ALL,)],
    "alerts": [(ALL,)],
    "acknowledge-alert": [(STAFF, "post", {"note": "seen"})],
    "waiting": [(ANYBODY_LOGGED_IN,)],
    "search": [(ALL,)],
    "go": [(ANYBODY_LOGGED_IN,)],
    "decide-approval": [(STAFF, "post", {"decision": "approve"})],
    "audit-trail": [(READERS,)],
    "api-alerts": [(ALL,)],
    "api-alert-acknowledge": [(STAFF, "post", {"note": "seen"})],
}
