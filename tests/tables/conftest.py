"""What tests of the floor share; above all an evening that is played, paid and sealed once a process, and copied by
every test that attacks it."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from config.local.servers import Postgres
from tests.conftest import _clone, _connected_to, celery_on_settings
from tests.floor import Floor, make_floor


@dataclass(frozen=True)
class Evening:
    """Made in `database`; `var` holds its seals."""

    database: str
    floor: Floor
    var: Path

    def copy_to(self, var: Path) -> Floor:
        copytree(self.var, var, dirs_exist_ok=True)
        return deepcopy(self.floor)


@pytest.fixture(scope="session")
def evening(
    embedded_postgres: Postgres,
    database_template: str,
    redis_server_url: str,
    django_db_blocker: Any,
    tmp_path_factory: pytest.TempPathFactory,
) -> Evening:
    from django.test import override_settings

    from ledger.seals import seals
    from ledger.verify import verify
    from tables.floor.opening import create_table, open_table
    from tests.upgrade.evening import play_evening

    _clone(embedded_postgres, database_template, "potline_evening")
    var = tmp_path_factory.mktemp("evening")
    with (
        django_db_blocker.unblock(),
        _connected_to("potline_evening"),
        override_settings(VAR_DIR=var, REDIS_URL=redis_server_url),
        celery_on_settings(),
    ):
        made = make_floor()
        table = create_table("test", made.harbour, "CR-01", {"game": "craps", "rulebook": "nz-1996"})
        made.tables["CR-01"] = open_table(table.pk, made.people["sefa"])
        play_evening(made)
        seals.seal()
        assert [str(fault) for fault in verify.verify().faults] == []
    return Evening("potline_evening", made, var)


@pytest.fixture(scope="session")
def evening_template(evening: Evening) -> str:
    return evening.database


@pytest.fixture
def unlocked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The negative control: whoever asks for a row gets it, locked or not."""

    def as_it_is(queryset: object, *args: object, **given: object) -> object:
        return queryset

    monkeypatch.setattr("django.db.models.query.QuerySet.select_for_update", as_it_is)
