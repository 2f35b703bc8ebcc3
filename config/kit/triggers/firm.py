"""Triggers that no setting switches off and no table of a session's own deceives.

django-pgtrigger's own template lets any session write `SET pgtrigger.ignore = '{name}'` and walk past a trigger. That
suits application conveniences; what guards money and the audit trail must hold for whoever has a connection. Only
the tables' owner can disable a Firm trigger, by DDL, and the seals find what was done meanwhile.

A function looks up tables and types where the session's search path says, and first of all in the session's temporary
schema. So each one has a path of its own, with that schema last; tests/conventions finds one that has not.
"""

from __future__ import annotations

from typing import Any

import pgtrigger
from pgtrigger import compiler

FIXED_PATH = " SET search_path = pg_catalog, public, pg_temp"


class GuardSql(compiler.UpsertTriggerSql):
    """The installation template without the way around, with a path of its own. Migrations name these classes: a change
    needs a new one."""

    options = FIXED_PATH

    def get_template(self) -> str:
        template = """
            CREATE OR REPLACE FUNCTION {pgid}()
            RETURNS TRIGGER AS $$
                {declare}
                BEGIN
                    {func}
                END;
            $$ LANGUAGE plpgsql{options};

            DROP TRIGGER IF EXISTS {pgid} ON {table};
            CREATE {constraint} TRIGGER {pgid}
                {when} {operation} ON {table}
                {timing}
                {referencing}
                FOR EACH {level} {condition}
                EXECUTE PROCEDURE {execute};

            COMMENT ON TRIGGER {pgid} ON {table} IS '{hash}';
        """
        return template.replace("{options}", self.options)


class IndexedGuardSql(GuardSql):
    """The same for checks that look up other rows: always by index.

    A session keeps a plan it made while the tables were small, and would go on reading them from end to end.
    """

    options = FIXED_PATH + " SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off"


class DividedGuardSql(IndexedGuardSql):
    """The same for checks that look into a table that is divided by month (ledger.months.months): the plan is kept,
    and finds the part when it runs. PostgreSQL would plan it anew for every row, because it counts all parts for the
    kept one."""

    options = IndexedGuardSql.options + " SET plan_cache_mode = force_generic_plan"


class StatementGuardSql(GuardSql):
    """The same for what is done once a statement for each of its rows, by their transition tables. These are joined by
    hash, however few rows there were when the plan was made: it is kept."""

    options = (
        FIXED_PATH
        + " SET enable_seqscan = off SET enable_nestloop = off SET enable_mergejoin = off"
        + " SET plan_cache_mode = force_generic_plan"
    )


class _Firm(pgtrigger.Trigger):
    sql_class: type[GuardSql] = GuardSql

    def compile(self, model: Any) -> compiler.Trigger:
        compiled = super().compile(model)
        arguments: dict[str, Any] = {
            key: value
            for key, value in compiled.sql.kwargs.items()
            if key not in {"__class__", "ignore_func_name"}
        }
        return compiler.Trigger(name=compiled.name, sql=self.sql_class(**arguments))


class Trigger(_Firm, pgtrigger.Trigger):
    """A free-form trigger."""


class IndexedTrigger(Trigger):
    """A free-form trigger that looks up rows of large tables."""

    sql_class = IndexedGuardSql


class DividedTrigger(Trigger):
    """A free-form trigger that looks up rows of a divided table."""

    sql_class = DividedGuardSql


class Protect(_Firm, pgtrigger.Protect):
    """Refuses an operation, on a condition if one is given."""


class ReadOnly(_Firm, pgtrigger.ReadOnly):
    """Refuses an update that changes one of the fields."""


class FSM(_Firm, pgtrigger.FSM):
    """Allows only the listed transitions of a field."""


__all__ = ["FSM", "DividedTrigger", "IndexedTrigger", "Protect", "ReadOnly", "Trigger"]
