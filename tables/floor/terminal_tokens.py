"""How terminals' tokens stand on record: each request asks it of the row by which it is let in."""

from __future__ import annotations

from datetime import timedelta

from django.utils.translation import gettext_noop

from config.kit import keys
from people import tokens
from people.alerts import alerts
from people.models import Role
from people.on_record.standing import Kind
from tables.models import Terminal

FORGED_TOKEN = alerts.declare(
    "tables.forged_token",
    gettext_noop("A terminal's token was changed past Potline"),
    severity=alerts.Severity.URGENT,
    roles=[Role.ADMINISTRATOR, Role.SUPERVISOR],
    again_after=timedelta(hours=1),
)


def _tell(row: Terminal, text: str) -> None:
    alerts.raise_alert(FORGED_TOKEN, row, text, premises=row.table.premises)


TOKENS: tokens.Credentials[Terminal] = tokens.Credentials(
    Kind("tables.terminal", keys.TERMINAL_TOKENS),
    "terminal",
    ("table_id", "must_sign"),
    lambda: Terminal.objects.select_related("table__premises"),
    _tell,
).register()
NEWEST = TOKENS.kind.newest
