"""What tests of the floor share."""

from __future__ import annotations

import pytest


@pytest.fixture
def unlocked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The negative control: whoever asks for a row gets it, locked or not."""

    def as_it_is(queryset: object, *args: object, **given: object) -> object:
        return queryset

    monkeypatch.setattr("django.db.models.query.QuerySet.select_for_update", as_it_is)
