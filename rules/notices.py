"""What a rulebook asks to be told to a Government inspector, by game: data only, with the rule and whether it comes
first.

Changes of limits (nz-1996 I 13.3) are told by whoever changes them, so they are not among these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.declare import Game


@dataclass(frozen=True, slots=True)
class NoticeKind:
    name: str
    rule: str
    about: str
    before: bool = False
    """It is told before it is done."""


_CARDS = "the cards in play are replaced"
_FAULT = "the equipment malfunctions; say what is done meanwhile"
_STYLE = "the cards are dealt in style B"
_BY_GAME: Mapping[tuple[str, str], tuple[NoticeKind, ...]] = {
    ("nz-1996", "blackjack"): (
        NoticeKind("cards", "nz-1996 II 6.9", _CARDS),
        NoticeKind(
            "cutting-card", "nz-1996 II 6.5", "the cutting card goes to another position", before=True
        ),
        NoticeKind("minimum-only", "nz-1996 II 4.9", "a player is held to the table's minimum", before=True),
    ),
    ("nz-1996", "mini-baccarat"): (NoticeKind("cards", "nz-1996 IV 7.6", _CARDS),),
    ("nz-1996", "baccarat"): (
        NoticeKind("cards", "nz-1996 V 7.7", _CARDS),
        NoticeKind("style", "nz-1996 V 8.8", _STYLE, before=True),
    ),
    ("nz-1996", "tai-sai"): (NoticeKind("malfunction", "nz-1996 VI 7.7", _FAULT),),
    ("nz-1996", "caribbean-stud"): (NoticeKind("cards", "nz-1996 VIII 6.5", _CARDS),),
    ("nz-1996", "midi-baccarat"): (
        NoticeKind("cards", "nz-1996 IX 7.7", _CARDS),
        NoticeKind("style", "nz-1996 IX 8.8", _STYLE, before=True),
    ),
    ("nz-1996", "craps"): (NoticeKind("dice", "nz-1996 X 4.5(e)", "the dice are replaced", before=True),),
    ("nz-consultation", "electronic-tai-sai"): (
        # 9A 7.1 takes over the irregularities of tai-sai, the malfunction among them.
        NoticeKind("malfunction", "nz-consultation 9A 7.1, nz-1996 VI 7.7", _FAULT),
        NoticeKind("not-paid", "nz-consultation 9A 7.5", "an amount is refused after a malfunction (7.4)"),
    ),
}


def notices_of(game: Game) -> dict[str, NoticeKind]:
    """By name, what is told about a table of this game."""
    return {kind.name: kind for kind in _BY_GAME.get((game.rulebook, game.name), ())}


LIMITS_SHOWN = {
    "nz-1996": "nz-1996 I 13.3",
    "nz-consultation": "nz-1996 I 13.3",
    "nsw-double-chance": "nsw-double-chance 6.5",
}
"""By book, the rule that asks for a limits sign 20 minutes before worse limits; later New Zealand divisions stand under
the same Division I."""
CLOSING_SHOWN = {
    "nz-1996": "nz-1996 I 6.0",
    "nz-consultation": "nz-1996 I 6.0",
    "nsw-double-chance": "nsw-double-chance 14.8",
}
"""By book, the rule that asks for a limits sign 20 minutes before a table with players closes."""
EXCEPTIONS = {
    "b": "all players at the table agree to the new limits",
    "c": "the table is being opened for the first time in the gaming day",
    "d": "there is no gaming activity at the table",
}
"""The paragraphs of nz-1996 I 13.3 by which no limits sign is needed before; nsw-double-chance 6.5 has none."""
