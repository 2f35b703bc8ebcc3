"""An installation on a given empty database: no demo unless told so, and a demo says from then on what it is."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from config.local.servers import Postgres
from tests.config.test_demo import house_on, opens_without_the_demo, people_in
from tests.conftest import _admin

__all__ = ["house_on"]


@pytest.fixture
def given_database(embedded_postgres: Postgres) -> Iterator[str]:
    name = f"given_{uuid4().hex[:8]}"
    embedded_postgres.ensure_database(name)
    yield embedded_postgres.url(name)
    _admin(embedded_postgres, f"DROP DATABASE {name} WITH (FORCE)")


def test_house_on_an_empty_database_is_real(house_on: Any, given_database: str) -> None:
    opens_without_the_demo(house_on(given_database), given_database)


def test_house_makes_a_demo_of_a_given_empty_database_only_when_told(
    house_on: Any, given_database: str
) -> None:
    local = house_on(given_database, POTLINE_DEMO="1")
    local.start()
    assert people_in(given_database) == 8
    local.close()
    again = house_on(given_database)  # the database says what it is
    again.start()
    assert "-demo-2468" in again.get("/login/")
    again.close()
    real = house_on(given_database, POTLINE_DEMO="0")
    assert real.run().wait(60) == 1
    assert "was made as a demo" in real.log.read_text()
