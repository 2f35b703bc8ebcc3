"""Migrations of triggers that do not render the models anew.

pgtrigger reloads the model that a trigger is on, and with it every model that is related to it: of a new database's
first start that was half the time, and more with each model. A trigger changes no class, so nothing is lost.
"""

from __future__ import annotations

from django.db.migrations.state import ProjectState
from pgtrigger.migrations import AddTrigger, RemoveTrigger


def install() -> None:
    AddTrigger.state_forwards = _add  # type: ignore[method-assign, assignment]
    RemoveTrigger.state_forwards = _remove  # type: ignore[method-assign, assignment]


def _add(operation: AddTrigger, app_label: str, state: ProjectState) -> None:
    options = state.models[app_label, operation.model_name].options
    options["triggers"] = [*options.get("triggers", []), operation.trigger]


def _remove(operation: RemoveTrigger, app_label: str, state: ProjectState) -> None:
    options = state.models[app_label, operation.model_name].options
    options["triggers"] = [
        trigger for trigger in options.get("triggers", []) if trigger.name != operation.name
    ]
