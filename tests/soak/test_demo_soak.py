"""A given empty database becomes a demo only when told, and says from then on what it is."""

from typing import Any

from tests.config.test_demo import given_database, house_on, people_in

__all__ = ["given_database", "house_on"]


def test_house_makes_a_demo_of_a_given_empty_database_only_when_told(
    house_on: Any, given_database: str
) -> None:
    house = house_on(POTLINE_DEMO="1")
    house.open()
    assert people_in(given_database) == 8
    house.close()
    again = house_on()  # the database says what it is
    again.open()
    assert "-demo-2468" in again.get("/login/")
    again.close()
    real = house_on(POTLINE_DEMO="0")
    assert real.run().wait(60) == 1
    assert "was made as a demo" in real.log.read_text()
