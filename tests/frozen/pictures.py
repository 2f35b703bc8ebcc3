"""What the product does, as texts that two revisions can be compared by: books, settlements, reports, shapes.

A text holds no time, no key and no hash: those differ from run to run. Everything else stands as it is stored.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from typing import Any

from django.db import connection
from drf_spectacular.generators import SchemaGenerator

from config.kit.sheets.columns import Cell, Column
from jackpots.models import Adjustment, FoldRun, Win
from ledger.models import Entry, Posting
from ledger.reports import reports
from ledger.reports.reports import FIRST_DAY, LAST_DAY, Scope
from ledger.verify import verify
from people.models import Premises
from tables.models import Round

UUID = re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b")
HASH = re.compile(r"\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{8,}\b|\b[0-9a-f]{12,}\b")
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?")
MOMENT = re.compile(r"\b\d{1,2}:\d\d(:\d\d(\.\d+)?)?\b")
DAY = re.compile(
    r"\d{4}-\d\d-\d\d|\b\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d{4}\b"
)
DIGITS_ALONE = re.compile(r"(?!.*0000$)\d{8}")
"""A wager's eight hexadecimal digits that happen to be no letters; amounts in micros are whole cents."""
WAGER = re.compile(r"\b(\w+)-[0-9a-f]{6}\b")
FORGOTTEN = (
    (UUID, "<uuid>"),
    (INSTANT, "<instant>"),
    (HASH, "<hash>"),
    (DAY, "<day>"),
    (MOMENT, "<time>"),
    (WAGER, r"\1-<id>"),
)
DESCRIBED = {"description", "summary", "example", "examples", "x-enum-descriptions", "title"}


def plain(text: str) -> str:
    for pattern, word in FORGOTTEN:
        text = pattern.sub(word, text)
    return text


def said(value: Any) -> str:
    """One value of a row: instants and days by their kind, all else as it is stored."""
    if value is None:
        return "-"
    if isinstance(value, datetime):
        return "<instant>"
    if isinstance(value, date):
        return "<day>"
    if isinstance(value, dict | list):
        return plain(json.dumps(value, sort_keys=True, default=str))
    return "<hash>" if DIGITS_ALONE.fullmatch(str(value)) else plain(str(value))


# --- What is stored -----------------------------------------------------------------------------------------------
def books() -> Iterator[str]:
    """Every entry with its legs, and what each account came to."""
    legs: dict[int, list[str]] = {}
    for entry, code, micros in Posting.objects.order_by("account__code").values_list(
        "entry_id", "account__code", "amount_micros"
    ):
        legs.setdefault(entry, []).append(f"{code} {micros}")
    for pk, kind in Entry.objects.order_by("pk").values_list("pk", "kind"):
        yield plain(f"{kind}: {', '.join(sorted(legs[pk]))}")


def settlements() -> Iterator[str]:
    """Every line of every round, as the last version has it."""
    for each in Round.objects.select_related("table").order_by("table__code", "number"):
        yield f"{each.table.code} {each.number} {each.state}"
        for line in each.lines.order_by("pk"):
            yield "  " + " ".join(
                f"{field.attname}={said(getattr(line, field.attname))}"
                for field in line._meta.concrete_fields
                if field.attname not in ("id", "round_id", "xact_id", "at", "month")
            )


def jackpots() -> Iterator[str]:
    for win in Win.objects.order_by("pk"):
        yield " ".join(map(said, (win.level, win.trigger, win.state, win.amount_micros, win.rule)))
    for run in FoldRun.objects.order_by("progressive__code", "pk").select_related("progressive"):
        yield f"{run.progressive.code} {run.kind} {run.slice_micros} {run.house_micros} {said(run.meters)}"
    for adjustment in Adjustment.objects.order_by("pk"):
        yield f"adjustment {adjustment.kind}"


def report_rows() -> Iterator[str]:
    """Each report of each premises by the codes of its columns."""
    for premises in Premises.objects.order_by("code"):
        scope = Scope(premises, FIRST_DAY, LAST_DAY)
        for source in reports.sources():
            yield f"{premises.code} {source.name}"
            rows = Counter(" | ".join(_cells(source.columns, row)) for row in source.rows(scope))
            yield from (f"  {count} x {row}" for row, count in sorted(rows.items()))


def _cells(columns: Iterable[Column], row: tuple[Any, ...]) -> Iterator[str]:
    for column, value in zip(columns, row, strict=True):
        yield f"{column.name}={said(value) if column.cell is not Cell.NUMBER or value is None else value}"


def verified() -> Iterator[str]:
    report = verify.verify([])
    yield f"sound: {report.sound}"
    yield from (f"{check.name}: {check.title}" for check in verify.checks())
    yield from (plain(f"{fault.where}: {fault.what}") for fault in report.faults)


# --- What is declared ---------------------------------------------------------------------------------------------
def schema() -> Iterator[str]:
    """Tables, columns, constraints, indexes, triggers and functions of the database."""
    with connection.cursor() as cursor:
        for query in SHAPES:
            cursor.execute(query)
            yield from sorted(" ".join(str(value) for value in row) for row in cursor.fetchall())


SHAPES = (
    """SELECT table_schema, table_name, column_name, data_type, is_nullable, column_default
         FROM information_schema.columns WHERE table_schema IN ('public', 'ledger') ORDER BY 1, 2, 3""",
    """SELECT conrelid::regclass, conname, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace""",
    "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'",
    "SELECT tgrelid::regclass, tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal",
    """SELECT proname, md5(prosrc) FROM pg_proc JOIN pg_namespace n ON n.oid = pronamespace
        WHERE nspname NOT IN ('pg_catalog', 'information_schema')""",
)


def api() -> Iterator[str]:
    """The OpenAPI document without what describes it."""
    document = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    yield from json.dumps(_bare(json.loads(json.dumps(document))), indent=1, sort_keys=True).splitlines()


def _bare(node: Any, is_property: bool = False) -> Any:
    if isinstance(node, dict):
        return {
            key: _bare(value, key == "properties")
            for key, value in node.items()
            if is_property or key not in DESCRIBED
        }
    return [_bare(each) for each in node] if isinstance(node, list) else node


def permissions() -> Iterator[str]:
    from tests.conventions.test_permissions import TABLE

    for route, rules in sorted(TABLE.items()):
        for rule in rules:
            who = rule.who if isinstance(rule.who, str) else " ".join(sorted(rule.who))
            yield f"{route} {rule.method}: {who}"
