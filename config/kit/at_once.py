"""Many models made by one operation of a migration.

Django makes them one by one, and with each renders all that are related to it anew: of a program whose models are
nearly all related, that is every model for every other. For a table that is added later CreateModel will do.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations import CreateModel
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class CreateModels(Operation):
    """Renders the models once, so that a foreign key may also name one that comes later. When it is done their keys and
    indexes are there as well, which Django leaves for the end of a migration."""

    reversible = False

    def __init__(self, operations: Sequence[CreateModel]) -> None:
        self.operations = operations

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        state.__dict__.pop("apps", None)  # a cached property: rendered when it is asked for, with all of them
        for operation in self.operations:
            operation.state_forwards(app_label, state)

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        for operation in self.operations:
            operation.database_forwards(app_label, schema_editor, from_state, to_state)
        for statement in schema_editor.deferred_sql:
            schema_editor.execute(statement, None)
        schema_editor.deferred_sql.clear()

    def describe(self) -> str:
        return f"Create {len(self.operations)} models"
