"""What goes under a seal: the stamp that rows carry, the classes of rows that are only added, and the steps of rows
that change.

A model of added rows has `xact_id = sealed.stamp_field()`, `*sealed.triggers("name")` and `sealed.stamp_index("name")`;
its app calls `register(Model, "what it is called")` at start, and from then on every new row is a leaf of a seal
(ledger.seals.seals). A row that changes has `*sealed.steps("app.model", columns)`: each change of those columns adds a
`ledger_step`, and `manage.py verify` holds the row to its last one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pgtrigger
from django.db import models

from config.kit.triggers import append_only, firm

EPOCH_BITS = 48
"""Of a stamp the lower ones are the transaction's, enough for ten thousand a second over 890 years."""


def epoch_of(stamp: int) -> int:
    return stamp >> EPOCH_BITS


class Stamp(models.Func):
    """The stamp of what the current transaction writes."""

    template = "potline_stamp(pg_current_xact_id())"
    output_field = models.BigIntegerField()


def stamp_field(**more: Any) -> models.BigIntegerField[Any, Any]:
    """Epoch and transaction of a row, eight bytes. Columns that are added to a sealed table later are nullable: a NULL
    is no part of a row's line, so that old lines stay what they were."""
    return models.BigIntegerField(db_default=Stamp(), editable=False, **more)


def stamp_index(prefix: str) -> models.Index:
    """A B-tree: a stretch is found as soon after years as on the first day. BRIN is far smaller, and every seal would
    read it from end to end. At the right edge of a tree a further stamp costs next to nothing."""
    return models.Index(fields=["xact_id"], name=f"{prefix}_by_stamp")


_STAMP = """
    NEW.xact_id := potline_stamp(pg_current_xact_id());
    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN
        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'
            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';
    END IF;
"""


def triggers(prefix: str, *, at: str = "", condition: str = "") -> list[pgtrigger.Trigger]:
    """Rows may be added and read, nothing else, and whoever adds one has no say in its stamp; `at` names a column that
    is the moment of adding it. `condition`: only such rows are stamped, the others go under no seal."""
    body = _STAMP + (f"NEW.{at} := statement_timestamp();" if at else "")
    if condition:
        body = f"IF {condition} THEN {body} ELSE NEW.xact_id := NULL; END IF;"
    stamped = firm.IndexedTrigger(
        name=f"{prefix}_stamped",
        operation=pgtrigger.Insert,
        when=pgtrigger.Before,
        func=f"{body} RETURN NEW;",
    )
    return [stamped, *append_only.triggers(prefix)]


# --- The canonical line of a row ------------------------------------------------------------------------------
def line_of(fields: Iterable[models.Field[Any, Any]], row: str, begins: str) -> str:
    """SQL for a row's line: JSON of its columns in the order of their names, without those that are NULL."""
    parts = [f"""'{{"class":"{begins}"'"""]
    for field in sorted(fields, key=lambda field: str(field.column)):
        parts.append(f"""coalesce(',"{field.column}":' || {_value(field, f"{row}.{field.column}")}, '')""")
    return " || ".join([*parts, "'}'"])


def _value(field: models.Field[Any, Any], column: str) -> str:
    if isinstance(field, models.DateTimeField):  # whatever the session's time zone
        return f"""'"' || to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '"'"""
    if isinstance(field, models.BinaryField):
        return f"""'"' || encode({column}, 'hex') || '"'"""
    return f"to_json({column})::text"


# --- Classes --------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class SealedClass:
    """Rows of one kind. `select` gives xact_id, id and line; `{span}` in it narrows to a stretch of stamps."""

    name: str
    word: str
    """What a row is called in a fault: `log event 5`."""
    table: str
    select: str

    def lines(self, span: str) -> str:
        """`span` is a condition on `xact`, which stands for the stamp's column."""
        return self.select.replace("{span}", span.replace("xact", "r.xact_id"))


_classes: dict[str, SealedClass] = {}


def register(model: type[models.Model], word: str) -> None:
    """Rows of the model are leaves of seals from now on, with all their columns."""
    name = model._meta.label_lower
    line = line_of(model._meta.concrete_fields, "r", name)
    select = f"SELECT r.xact_id, r.id, {line} AS line FROM {model._meta.db_table} r WHERE {{span}}"  # noqa: S608
    register_class(SealedClass(name, word, model._meta.db_table, select))


def register_class(one: SealedClass) -> None:
    if _classes.setdefault(one.name, one) != one:
        raise ValueError(f"The class {one.name} is registered twice, differently.")
    append_only.register(one.table)


def classes() -> list[SealedClass]:
    return sorted(_classes.values(), key=lambda one: one.name)


# --- Steps ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class StepKind:
    """Rows of a model whose changes are kept as steps."""

    kind: str
    word: str
    columns: tuple[str, ...]
    state: str
    """The column that is named in each step; "" for settings, which have no state."""
    fixed_in: tuple[str, ...]
    """States in which the row must still be as in its last step; none: in all."""
    may_go: bool
    """Whether the row may be removed; that is a step, too."""


GONE = "gone"
"""The state of the step that a removed row leaves."""
_steps: dict[str, StepKind] = {}


class _Step(firm.Trigger):
    """Adds a step: what the row says now, as a hash over the columns that matter."""

    def __init__(self, kind: StepKind, detail: str, **more: Any) -> None:
        self.kind, self.detail = kind, detail
        super().__init__(when=pgtrigger.After, **more)

    def get_content(self, model: Any, row: str) -> str:
        return content_of(self.kind, model, row)

    def get_func(self, model: Any) -> str:
        row = "OLD" if self.operation == pgtrigger.Delete else "NEW"
        content = self.get_content(model, row)
        state = f"NEW.{self.kind.state}" if self.kind.state else "''"
        if self.operation == pgtrigger.Delete:
            state = f"'{GONE}'"
        return (
            "INSERT INTO ledger_step (kind, row_id, state, content, detail)"  # noqa: S608
            f" VALUES ('{self.kind.kind}', {row}.id, {state}, {content}, {self.detail}); RETURN NULL;"
        )


class _NextStep(_Step):
    """Adds a further one."""

    def __init__(self, kind: StepKind, detail: str, **more: Any) -> None:
        super().__init__(kind, detail, operation=pgtrigger.Update, **more)
        if kind.fixed_in:
            self.sql_class = firm.IndexedGuardSql

    def get_content(self, model: Any, row: str) -> str:
        return _carried_on(self.kind, super().get_content(model, row), "OLD", "NEW")


class _StepsOfStatement(firm.Trigger):
    """Adds the steps of all rows that a statement has added, by its transition table: a batch of 500 costs far less
    than 500 calls. What is given for one row (`when`, `detail`, `detail_when`) says NEW. A detail may be read from a
    table of many parts, each of which the statement looks at before it begins: without such a row it is another."""

    sql_class = firm.StatementGuardSql

    def __init__(self, kind: StepKind, detail: str, detail_when: str, when: str, **more: Any) -> None:
        self.kind, self.detail, self.wanted = kind, _by_alias(detail), _by_alias(when)
        self.detail_when = _by_alias(detail_when)
        super().__init__(
            when=pgtrigger.After,
            level=pgtrigger.Statement,
            referencing=self.get_rows(),
            **more,
        )

    def get_rows(self) -> pgtrigger.Referencing:
        return pgtrigger.Referencing(new="new_rows")  # type: ignore[no-untyped-call]

    def get_source(self) -> str:
        return "new_rows n"

    def get_content(self, model: Any) -> str:
        return content_of(self.kind, model, "n")

    def get_func(self, model: Any) -> str:
        def steps_with(detail: str) -> str:
            return (
                "INSERT INTO ledger_step (kind, row_id, state, content, detail)"  # noqa: S608
                f" SELECT '{self.kind.kind}', n.id, n.{self.kind.state}, {self.get_content(model)}, {detail}"
                f" FROM {self.get_source()} WHERE {self.wanted} ORDER BY n.id;"
            )

        detailed = steps_with(f"CASE WHEN {self.detail_when} THEN {self.detail} END")
        return (
            f"IF EXISTS (SELECT FROM new_rows n WHERE {self.detail_when}) THEN {detailed}"
            f" ELSE {steps_with('NULL')} END IF; RETURN NULL;"
        )


class _NextStepsOfStatement(_StepsOfStatement):
    """The same of rows that it has changed. Their key never changes: the model refuses that."""

    def get_rows(self) -> pgtrigger.Referencing:
        return pgtrigger.Referencing(old="old_rows", new="new_rows")  # type: ignore[no-untyped-call]

    def get_source(self) -> str:
        return "new_rows n JOIN old_rows o ON o.id = n.id"

    def get_content(self, model: Any) -> str:
        return _carried_on(self.kind, super().get_content(model), "o", "n")


def _by_alias(sql: str) -> str:
    return sql.replace("NEW.", "n.").replace("OLD.", "o.")


def _carried_on(kind: StepKind, content: str, before: str, after: str) -> str:
    """From one state in which the columns are fixed to another they say what they said: the hash of the step before
    is carried on, so that whoever changed them in between, past every trigger, is found by it for ever."""
    if not kind.fixed_in:
        return content
    fixed = ", ".join(f"'{state}'" for state in kind.fixed_in)
    last = (
        f"SELECT s.content FROM ledger_step s WHERE s.kind = '{kind.kind}' AND s.row_id = {after}.id"  # noqa: S608
        " ORDER BY s.id DESC LIMIT 1"
    )
    moved = f"{before}.{kind.state} IN ({fixed}) AND {after}.{kind.state} IN ({fixed})"
    return f"coalesce(CASE WHEN {moved} THEN ({last}) END, {content})"


def content_of(kind: StepKind, model: Any, row: str) -> str:
    """SQL for the hash of what a row says."""
    fields = [field for field in model._meta.concrete_fields if field.column in kind.columns]
    if len(fields) != len(kind.columns):
        raise ValueError(f"{kind.kind} has not all of {', '.join(kind.columns)}.")
    return f"sha256(convert_to({line_of(fields, row, kind.kind)}, 'UTF8'))"


def steps(
    kind: str,
    word: str,
    columns: Sequence[str],
    *,
    state: str = "state",
    changed: Sequence[str] = (),
    fixed_in: Sequence[str] = (),
    detail: str = "NULL",
    detail_when: str = "false",
    first_when: str = "",
    may_go: bool = False,
    by_statement: bool = False,
) -> list[pgtrigger.Trigger]:
    """For a row that changes: a step when it is added, and when one of the columns (or of `changed`, if given) does.
    `kind` is the model's label. `detail`: SQL for the hash of what hangs on the row. `first_when`: else being
    added is no step. `may_go`: rows may be removed, which is their last step. `by_statement`: rows come by the
    hundred, and their key never changes; `detail_when`: of these alone there is a detail."""
    declared = StepKind(kind, word, tuple(columns), state, tuple(fixed_in), may_go)
    _steps[kind] = declared
    differs = " OR ".join(f"OLD.{name} IS DISTINCT FROM NEW.{name}" for name in changed or columns)
    prefix = kind.replace(".", "_")
    last_step = {"name": f"{prefix}_last_step", "operation": pgtrigger.Delete}
    last = [_Step(declared, detail, **last_step)] if may_go else []
    if by_statement:
        return [
            *last,
            _StepsOfStatement(
                declared,
                detail,
                detail_when,
                first_when or "true",
                name=f"{prefix}_first_step",
                operation=pgtrigger.Insert,
            ),
            _NextStepsOfStatement(
                declared,
                detail,
                detail_when,
                differs,
                name=f"{prefix}_next_step",
                operation=pgtrigger.Update,
            ),
        ]
    return [
        *last,
        _Step(
            declared,
            detail,
            name=f"{prefix}_first_step",
            operation=pgtrigger.Insert,
            condition=pgtrigger.Condition(first_when) if first_when else None,
        ),
        _NextStep(
            declared,
            detail,
            name=f"{prefix}_next_step",
            condition=pgtrigger.Condition(differs),
        ),
    ]


def step_kinds() -> list[StepKind]:
    return sorted(_steps.values(), key=lambda kind: kind.kind)
