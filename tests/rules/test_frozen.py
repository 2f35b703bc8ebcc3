"""What `rules.frozen` makes cannot be told from what the class itself makes."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, replace

import pytest

from rules.contract import Line, Outcome, Wager
from rules.frozen import maker
from rules.odds import EVENS

WAGER = Wager("w1", "ante", 5_000_000, 3)
LINE = Line(WAGER, Outcome.WIN, "nz-1996 VIII 9.8(b)", EVENS, 5_000_000, 5_000_000)


@pytest.mark.parametrize("given", [WAGER, LINE], ids=lambda given: type(given).__name__)
def test_a_made_value_is_the_value(given: Wager | Line) -> None:
    made = maker(type(given))(*(getattr(given, field.name) for field in fields(given)))
    assert type(made) is type(given)
    assert (made, hash(made), repr(made)) == (given, hash(given), repr(given))
    with pytest.raises(FrozenInstanceError):
        setattr(made, fields(given)[0].name, None)


def test_a_made_value_can_be_replaced() -> None:
    made = maker(Wager)("w1", "ante", 5_000_000, 3, "", "", False)
    assert replace(made, stake=1) == Wager("w1", "ante", 1, 3)


def test_a_field_too_few_or_too_many_is_refused() -> None:
    with pytest.raises(TypeError):
        maker(Wager)("w1", "ante", 5_000_000)
    with pytest.raises(TypeError):
        maker(Wager)("w1", "ante", 5_000_000, 3, "", "", False, "more")
