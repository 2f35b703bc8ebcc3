"""pgtrigger's registry still refuses what it refused when it went through all triggers for each."""

from __future__ import annotations

from typing import Any

import pytest
from pgtrigger import Before, Insert, Trigger, registry

from people import models

REGISTERED: Any = registry._registry
AuditRecord: Any = models.AuditRecord
Premises: Any = models.Premises


def trigger(name: str) -> Trigger:
    return Trigger(name=name, when=Before, operation=Insert, func="RETURN NEW;")


def test_a_taken_name_is_refused_and_a_free_one_is_registered_until_it_goes() -> None:
    before = set(REGISTERED)
    taken = AuditRecord._meta.triggers[0].name
    with pytest.raises(KeyError, match="already used"):
        trigger(taken).register(AuditRecord)
    free = trigger(f"{taken}_too")
    free.register(Premises)
    try:
        with pytest.raises(KeyError, match="already used"):
            trigger(f"{taken}_too").register(Premises)
        assert set(REGISTERED) == before | {free.get_uri(Premises)}
    finally:
        free.unregister(Premises)
    assert set(REGISTERED) == before
    assert {trigger.get_pgid(model) for model, trigger in REGISTERED.values()} == (
        REGISTERED.pg_function_names
    )
    free.register(Premises)
    free.unregister(Premises)
