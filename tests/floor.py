"""A small floor for tests: two premises, people in every role, a progressive with two levels over three tables."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import count
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from jackpots import changes, event_log
from jackpots.configure import create_progressive, table_log_of
from jackpots.configure import link_table as link_log
from jackpots.demo import stud_rules
from jackpots.models import Progressive, TableLog
from jackpots.setups import Draft, Settings
from people import approvals, audit, tokens
from people.models import Premises, Role, RoleGrant, User
from rules.progressive import ProgressiveRules
from tables.demo import STUD
from tables.floor import create_table, link_table, open_table
from tables.models import Table
from tables.terminals import issue_token

PASSWORD = "correct-horse-battery-7"
_ROUND_IDS = count(1_000_000_001)


def new_round_id() -> int:
    """The key of a round that only the log hears of; far from those that `tables` gives."""
    return next(_ROUND_IDS)


@dataclass
class Floor:
    harbour: Premises
    lakeside: Premises
    people: dict[str, User]
    progressive: Progressive
    tables: dict[str, Table]
    tokens: dict[str, str]


def make_floor(rules: ProgressiveRules | None = None, **progressive_settings: Any) -> Floor:
    harbour, lakeside = (
        Premises.objects.create(
            code=code, name=code.title(), currency="NZD", time_zone="Pacific/Auckland", rollover_hour=6
        )
        for code in ("harbour", "lakeside")
    )
    people = {}
    for name, role in {
        "sefa": Role.SUPERVISOR,
        "grace": Role.SUPERVISOR,
        "jan": Role.JACKPOT_MANAGER,
        "fiona": Role.FINANCE,
        "tom": Role.FINANCE,
        "arne": Role.AUDITOR,
    }.items():
        user = User.objects.create_user(name, name=name.title(), password=PASSWORD)
        for premises in (harbour, lakeside):
            give_role(user, premises, role)
        people[name] = user
    progressive = create_progressive(
        "test", harbour, "stud", "Stud Jackpot", rules or stud_rules(), **progressive_settings
    )
    tables, tokens = {}, {}
    for code, premises in {"CS-01": harbour, "CS-02": harbour, "CS-03": lakeside}.items():
        tables[code] = create_table("test", premises, code, STUD, pit="P1")
        link_table("test", tables[code], progressive, ["jackpot"])
        tokens[code] = issue_token("test", tables[code], f"terminal {code}")
        tables[code] = open_table(tables[code].pk, people["sefa"])
    return Floor(harbour, lakeside, people, progressive, tables, tokens)


@transaction.atomic
def give_role(user: User, premises: Premises, role: Role) -> None:
    """On record, and long ago."""
    RoleGrant.objects.create(
        user=user, premises=premises, role=role, granted_at=timezone.now() - timedelta(days=30)
    )
    details = {"role": role.value}
    audit.record("test", "people.role_granted", premises=premises, subject=user, details=details)


def forget_wrong_tokens() -> None:
    """What one test has tried is not the next one's."""
    tokens._Wrong.seen.clear()


def set_alone_limit(floor: Floor, limit: str) -> None:
    """What one person may pay alone, changed as people do it."""
    progressive = Progressive.objects.get(pk=floor.progressive.pk)
    settings = replace(Settings.of(progressive), pay_alone_limit=limit)
    if settings == Settings.of(progressive):
        return
    draft = Draft(progressive.code, progressive.host, progressive.config.rules, settings, progressive)
    approvals.approve(
        changes.request_setup(draft, floor.people["jan"], "other limits"), floor.people["fiona"]
    )
    floor.progressive.refresh_from_db()


def give_every_role(user: User, premises: Premises) -> None:
    """What the database refuses: for tests that want one person whom no role keeps out."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        for role in Role:
            RoleGrant.objects.create(
                user=user, premises=premises, role=role, granted_at=timezone.now() - timedelta(days=30)
            )
        cursor.execute("SET LOCAL session_replication_role = origin")


def linked_log(
    progressive: Progressive, premises: Premises, code: str, kinds: tuple[str, ...] = ("jackpot",)
) -> TableLog:
    """The open log of a table that needs no game: its wagers of these kinds feed the progressive."""
    table_log = table_log_of(premises, code)
    link_log("test", progressive, table_log, kinds)
    return event_log.open_log(table_log)
