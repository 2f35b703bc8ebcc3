"""What people hands upward at start: guarded tables, the demo's people, navigation, signal receivers."""

from config import demo
from config.triggers import append_only, sealed
from people import demo as people_demo
from people import (
    finding,  # noqa: F401 (pages of rows, search)
    first_steps,
    navigation,
    premises,
    rights,  # noqa: F401 (what each part may write)
    signals,  # noqa: F401 (connects its receivers)
    staff,
    waiting,  # noqa: F401 (tasks and panels of the home page)
)
from people.models import Alert, AlertAcknowledgement, AuditRecord, Role

append_only.register("people_approvalrequest", may_update=True)
append_only.register("people_delivery", may_update=True)
append_only.register("people_invitation", may_update=True)
append_only.register("people_login", may_update=True)
append_only.register("people_user", may_update=True)
staff.declare_actions()
premises.declare_action()
first_steps.register(10, first_steps.people_of)
sealed.register(AuditRecord, "audit record")
sealed.register(Alert, "alert")
sealed.register(AlertAcknowledgement, "acknowledgement")
demo.register("people", people_demo.load, order=20, secrets=people_demo.public_log_ins)
navigation.register("Home", "home", Role.values, order=0)
navigation.register(
    "Approvals",
    "approvals",
    Role.values,
    order=40,
    about="What waits for a second person, and what you asked for.",
)
navigation.register(
    "Alerts", "alerts", Role.values, order=40, about="Trouble that somebody must look at, and who has looked."
)
navigation.register(
    "Audit trail",
    "audit-trail",
    [Role.AUDITOR, Role.ADMINISTRATOR],
    order=41,
    about="Every privileged act: who, when, from where and why.",
)
navigation.register(
    "People",
    "people",
    [Role.ADMINISTRATOR],
    order=42,
    about="Who works here: invitations, roles, log-ins, leaving.",
)
navigation.register(
    "Premises",
    "premises-list",
    [Role.ADMINISTRATOR],
    order=39,
    about="Your premises: clock, currency, rulebook; new ones.",
)
navigation.register(
    "API",
    "api-docs",
    [Role.ADMINISTRATOR, Role.FINANCE, Role.AUDITOR],
    order=49,
    about="Every operation for programs: what to send, what comes back, every error code.",
)
