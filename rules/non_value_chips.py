"""Which games may be played with chips of no value of their own, and by which rule: nz-1996 I 18.1 leaves it to each
game. Data only; the later New Zealand divisions name no such chips."""

from __future__ import annotations

from collections.abc import Mapping

from rules.declare import Game

_BY_GAME: Mapping[tuple[str, str], str] = {
    ("nz-1996", "roulette"): "nz-1996 III 4.2",
    ("nz-1996", "tai-sai"): "nz-1996 VI 3.4",
    ("nz-1996", "money-wheel"): "nz-1996 VII 4.2",
    ("gb-2011", "roulette"): "gb-2011 3.8",
}
ONE_HOLDER = "nz-1996 I 18.2(d)"
"""Nobody gets chips like those of somebody else at the table."""
DECLARED_BEFORE = "nz-1996 I 18.2(e)"
"""The value is declared when they are bought, before play."""


def permitted_by(game: Game) -> str:
    """The rule that permits them at a table of the game; "": none does."""
    return _BY_GAME.get((game.rulebook, game.name), "")
