"""A small floor for tests: two premises, people in every role, a progressive with two levels over three tables."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from jackpots.log import event_log
from jackpots.models import Progressive, TableLog
from jackpots.set_up import changes
from jackpots.set_up.configure import link_table as link_log
from jackpots.set_up.configure import table_log_of
from jackpots.set_up.drafts import Draft, Settings
from people import tokens
from people.approvals import approvals
from people.audit import audit
from people.models import Premises, Role, RoleGrant, User
from people.tokens import new_token
from rules.money import dollars, format_money
from rules.progressive import ProgressiveRules, encode
from rules.progressive.written import read_rules
from tables.chips import cage, chips
from tables.floor.apply import apply_at_once
from tables.floor.document_form import read
from tables.floor.opening import open_table
from tables.models import Table
from tests.on_record import add_user, vouch

FLOORS = Path(__file__).parent / "floors"
PASSWORD = "correct-horse-battery-7"
PEOPLE = {
    "sefa": Role.SUPERVISOR,
    "grace": Role.SUPERVISOR,
    "jan": Role.JACKPOT_MANAGER,
    "fiona": Role.FINANCE,
    "tom": Role.FINANCE,
    "arne": Role.AUDITOR,
}
_ROUND_IDS = count(1_000_000_001)


def new_round_id() -> int:
    """The key of a round that only the log hears of; far from those that `tables` gives."""
    return next(_ROUND_IDS)


def floor_document(name: str) -> dict[str, Any]:
    """A floor of tests/floors, anew each time."""
    return read((FLOORS / f"{name}.json").read_text(encoding="utf-8"))


SMALL = floor_document("small")
STUD: dict[str, Any] = SMALL["tables"]["harbour/CS-01"]["rules"]


def stud_rules() -> ProgressiveRules:
    """nz-1996 VIII 12 on two meters: royal and straight flushes on the grand, the fixed bonuses on the minor."""
    return read_rules(SMALL["progressives"]["stud"]["rules"])


@dataclass
class Floor:
    harbour: Premises
    lakeside: Premises
    people: dict[str, User]
    progressive: Progressive
    tables: dict[str, Table]
    tokens: dict[str, str]


def make_floor(rules: ProgressiveRules | None = None, **progressive_settings: Any) -> Floor:
    """The floor of tests/floors/small.json, perhaps with other rules or settings of its progressive, with people and
    open tables."""
    stud = SMALL["progressives"]["stud"] | {"settings": _as_text(progressive_settings)}
    if rules is not None:
        stud["rules"] = encode(rules)
    document = SMALL | {"progressives": {"stud": stud}}
    tokens = apply_document(document)
    harbour, lakeside = Premises.objects.order_by("code")
    people = _people(harbour, lakeside)
    tables = {code: open_table(table.pk, people["sefa"]) for code, table in _by_code(document).items()}
    return Floor(harbour, lakeside, people, Progressive.objects.get(), tables, tokens)


def add_to(floor: Floor, document: dict[str, Any]) -> dict[str, tuple[Table, str]]:
    """More tables, each with a terminal: by code the open table and its terminal's token."""
    tokens = apply_document(document)
    rows = _by_code(document)
    return {code: (open_table(row.pk, floor.people["sefa"]), tokens[code]) for code, row in rows.items()}


def like_stud(code: str, **more: Any) -> dict[str, Any]:
    """A table as CS-01 is one, for a document."""
    return SMALL["tables"]["harbour/CS-01"] | {"terminals": {f"terminal {code}": {}}} | more


def apply_document(document: dict[str, Any]) -> dict[str, str]:
    """As `manage.py floor apply` does it; the tokens of new terminals, by the table's code."""
    made: dict[str, str] = {}

    def token_of(name: str) -> str:
        return made.setdefault(name.split("/")[1], new_token())

    apply_at_once(document, "test", token_of)
    return made


def _by_code(document: dict[str, Any]) -> dict[str, Table]:
    codes = [name.partition("/")[2] for name in document["tables"]]
    rows = Table.objects.filter(code__in=codes)
    return {table.code: table for table in rows.order_by("pk")}


def _as_text(settings: dict[str, Any]) -> dict[str, Any]:
    """As a document has them."""
    return {
        name.removesuffix("_micros"): format_money(value) if name.endswith("_micros") else value
        for name, value in settings.items()
    }


def _people(*places: Premises) -> dict[str, User]:
    found = {name: add_user(name, name=name.title(), password=PASSWORD) for name in PEOPLE}
    with transaction.atomic():
        _grant([(found[name], premises, role) for name, role in PEOPLE.items() for premises in places])
    return found


@transaction.atomic
def give_role(user: User, premises: Premises, role: Role) -> None:
    """On record, and long ago."""
    _grant([(user, premises, role)])


def _grant(given: list[tuple[User, Premises, Role]]) -> None:
    long_ago = timezone.now() - timedelta(days=30)
    RoleGrant.objects.bulk_create(
        RoleGrant(user=user, premises=premises, role=role, granted_at=long_ago)
        for user, premises, role in given
    )
    for user, premises, role in given:
        details = {"role": role.value}
        audit.record("test", "people.role_granted", premises=premises, subject=user, details=details)
    vouch(*{user.pk: user for user, _, _ in given}.values())


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


FUNDED = dollars(100_000)
"""What the cages of the tests open with, in cash."""


def open_cage(premises: Premises) -> None:
    """Once: a cage from which jackpots can be paid."""
    if not cage.is_opened(premises):
        fund(premises, kind="opening")


def _two(premises: Premises, role: Role, other: Role) -> tuple[User, User]:
    """Two of a role; or, of one, one of the other role asks."""
    of_role, others = (
        list(User.objects.filter(role_grants__premises=premises, role_grants__role=each).order_by("pk"))
        for each in (role, other)
    )
    return (of_role[0], of_role[1]) if len(of_role) > 1 else (others[0], of_role[0])


def fund(
    premises: Premises, amount_micros: int = FUNDED, money: str = "cash", kind: str = "funding"
) -> cage.CageMove:
    """The owner's money comes into a cage, as people of finance put it there."""
    asks, approves = _two(premises, Role.FINANCE, Role.SUPERVISOR)
    made = cage.enter_slip(premises, asks, kind, money, amount_micros)
    (asked,) = cage.waiting(premises)
    approvals.approve(asked, approves)
    return made


def fill(table: Table, amount_micros: int) -> None:
    """Chips come into a table's tray, by two supervisors."""
    asks, approves = _two(table.premises, Role.SUPERVISOR, Role.FINANCE)
    chips.enter_slip(table.pk, "fill", "", amount_micros, asks)
    (asked,) = chips.waiting_slips(table.premises, table.code)
    approvals.approve(asked, approves)


def give_every_role(user: User, premises: Premises) -> None:
    """What the database refuses: for tests that want one person whom no role keeps out."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        for role in Role:
            RoleGrant.objects.create(
                user=user, premises=premises, role=role, granted_at=timezone.now() - timedelta(days=30)
            )
        cursor.execute("SET LOCAL session_replication_role = origin")
    vouch(user)


def linked_log(
    progressive: Progressive, premises: Premises, code: str, kinds: tuple[str, ...] = ("jackpot",)
) -> TableLog:
    """The open log of a table that needs no game: its wagers of these kinds feed the progressive."""
    table_log = table_log_of(premises, code)
    link_log("test", progressive, table_log, kinds)
    return event_log.open_log(table_log)
