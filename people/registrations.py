"""What people hands upward at start: guarded tables, the demo's people, navigation, signal receivers."""

from django.utils.translation import gettext_noop

from config.kit import demo
from config.kit.triggers import append_only, sealed
from people import demo as people_demo
from people import finding, overlong, rights  # noqa: F401
from people.approvals import waiting  # noqa: F401
from people.log_ins import signals  # noqa: F401
from people.models import Alert, AlertAcknowledgement, AuditRecord, Role
from people.on_record import not_on_record  # noqa: F401
from people.pages import navigation
from people.premises import first_steps, premises
from people.staff import staff

append_only.register("people_approvalrequest", may_update=True)
append_only.register("people_delivery", may_update=True)
append_only.register("people_invitation", may_update=True)
append_only.register("people_login", may_update=True)
append_only.register("people_turn", may_update=True)
append_only.register("people_user", may_update=True)
staff.declare_actions()
premises.declare_action()
first_steps.register(10, first_steps.people_of)
sealed.register(AuditRecord, "audit record")
sealed.register(Alert, "alert")
sealed.register(AlertAcknowledgement, "acknowledgement")
demo.register("people", people_demo.load, order=20, secrets=people_demo.public_log_ins)
navigation.register(gettext_noop("Home"), "home", Role.values, order=0)
navigation.register(
    gettext_noop("Approvals"),
    "approvals",
    Role.values,
    order=1,
    about=gettext_noop("What waits for a second person, and what you asked for."),
)
navigation.register(
    gettext_noop("Alerts"),
    "alerts",
    Role.values,
    order=2,
    about=gettext_noop("Trouble that somebody must look at, and who has looked."),
)
navigation.register(
    gettext_noop("Audit trail"),
    "audit-trail",
    [Role.AUDITOR, Role.ADMINISTRATOR],
    order=51,
    about=gettext_noop("Every privileged act: who, when, from where and why."),
)
navigation.register(
    gettext_noop("People"),
    "people",
    staff.READERS,
    order=41,
    about=gettext_noop("Who works here: invitations, roles, log-ins, leaving."),
)
navigation.register(
    gettext_noop("Premises"),
    "premises-list",
    [Role.ADMINISTRATOR],
    order=42,
    about=gettext_noop("Your premises: clock, currency, rulebook; new ones."),
)
navigation.register(
    gettext_noop("API"),
    "api-docs",
    [Role.ADMINISTRATOR, Role.FINANCE, Role.AUDITOR],
    order=52,
    about=gettext_noop("Every operation for programs: what to send, what comes back, every error code."),
)
