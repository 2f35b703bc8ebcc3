"""Triggers that no setting switches off.

django-pgtrigger's own template lets any session write `SET pgtrigger.ignore = '{name}'` and walk past a trigger. That
suits application conveniences; what guards money and the audit trail must hold for whoever has a connection. Only
the tables' owner can disable a Firm trigger, by DDL, and the seals find what was done meanwhile.
"""

from __future__ import annotations

from typing import Any

import pgtrigger
from pgtrigger import compiler


class FirmTriggerSql(compiler.UpsertTriggerSql):
    """The installation template without the way around. Migrations name this class: a change needs a new one."""

    options = ""

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


class IndexedTriggerSql(FirmTriggerSql):
    """The same for checks that look up other rows: always by index.

    A session keeps a plan it made while the tables were small, and would go on reading them from end to end.
    """

    options = " SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off"


class _Firm(pgtrigger.Trigger):
    sql_class: type[FirmTriggerSql] = FirmTriggerSql

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

    sql_class = IndexedTriggerSql


class Protect(_Firm, pgtrigger.Protect):
    """Refuses an operation, on a condition if one is given."""


class ReadOnly(_Firm, pgtrigger.ReadOnly):
    """Refuses an update that changes one of the fields."""


class FSM(_Firm, pgtrigger.FSM):
    """Allows only the listed transitions of a field."""


__all__ = ["FSM", "FirmTriggerSql", "IndexedTrigger", "IndexedTriggerSql", "Protect", "ReadOnly", "Trigger"]
