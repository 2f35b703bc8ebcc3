"""Punto Banco and Punto 2000 with their side wagers (gb-2011 6)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from rules.contract import Round
from rules.declare import Game, Option, PayTable, WagerKind, paytable
from rules.errors import RuleError
from rules.games.baccarat import shoe
from rules.games.baccarat.coup import BANKER, PLAYER, TIE
from rules.games.baccarat.game_rules import GB_ROLES, Cites, GameRules
from rules.games.baccarat.settle import check, invalidated, settle
from rules.games.baccarat.sides import (
    EGALITE_RANGES,
    SIDES,
    SideWager,
    classify_dragon_bonus,
    classify_egalite,
    classify_pair,
    classify_super_pay_egalite,
    classify_three_giving_eight,
)
from rules.pieces.boxes import side_wagers
from rules.rulebooks import GB_2011
from rules.shape import Flag, Int, Text

CITES = "gb-2011"


def _cite(number: str) -> str:
    return f"{CITES} {number}"


def _cites(banker_wins: str) -> Cites:
    return Cites(
        deal=_cite("6.21"),
        natural=_cite("6.23"),
        player_draws=_cite("6.22"),
        banker_draws=_cite("6.27"),
        banker_draws_alone=_cite("6.27"),
        no_more=_cite("6.16"),
        decks=_cite("6.11"),
        wins={PLAYER: _cite("6.19"), BANKER: _cite(banker_wins), TIE: _cite("6.20")},
        loses={PLAYER: _cite("6.25"), BANKER: _cite("6.25"), TIE: _cite("6.26")},
        equal={PLAYER: _cite("6.26"), BANKER: _cite("6.26")},
    )


_SIDE_WAGERS = {
    "dragon-bonus": SideWager(
        classify_dragon_bonus,
        _cite("6.41"),
        {
            "natural": _cite("6.39"),
            "natural-tie": _cite("6.40"),
            "narrow": _cite("6.43"),
            None: _cite("6.44"),
        },
        stand_offs=("natural-tie",),
    ),
    "ur-way-egalite": SideWager(classify_egalite, _cite("6.50"), {None: _cite("6.52")}),
    "three-giving-eight": SideWager(
        classify_three_giving_eight, _cite("6.57"), {"other": _cite("6.63"), None: _cite("6.63")}
    ),
    "three-giving-any": SideWager(classify_three_giving_eight, _cite("6.59"), {None: _cite("6.63")}),
    "super-pay-egalite": SideWager(classify_super_pay_egalite, _cite("6.71"), {None: _cite("6.70, 6.71")}),
    "baccarat-pairs": SideWager(classify_pair, _cite("6.79"), {None: _cite("6.78")}),
}

_MARGINS = ("win-by-9", "win-by-8", "win-by-7", "win-by-6", "win-by-5", "win-by-4")
_DRAGON_BONUS = {
    "minimum": (20, 8, 4, 4, 2, 1),
    "table-1": (30, 10, 6, 4, 2, 1),
    "table-2": (20, 8, 7, 4, 3, 1),
    "table-3": (30, 10, 4, 4, 2, 2),
}
_UR_WAY = {
    "minimum": (140, 200, 200, 180, 110, 100, 40, 40, 70, 70),
    "table-1": (150, 215, 225, 200, 120, 110, 45, 45, 80, 80),
    "table-2": (150, 200, 210, 190, 120, 110, 45, 45, 80, 80),
    "table-3": (140, 200, 210, 190, 110, 100, 40, 40, 75, 75),
}
_SUPER_PAY = dict(zip(EGALITE_RANGES, (160, 70, 60, 22, 40), strict=True))


def _dragon_bonus(name: str, margins: tuple[int, ...]) -> PayTable:
    lines = {"natural": "1 to 1"} | {
        key: f"{figure} to 1" for key, figure in zip(_MARGINS, margins, strict=True)
    }
    rule = _cite("6.39, 6.41" if name == "minimum" else "6.39, 6.42")
    return paytable("dragon-bonus", name, rule, lines, minimum=name == "minimum")


def _ur_way(name: str, scores: tuple[int, ...]) -> PayTable:
    lines = {str(score): f"{figure} to 1" for score, figure in enumerate(scores)}
    rule = _cite("6.50" if name == "minimum" else "6.51")
    return paytable("ur-way-egalite", name, rule, lines, minimum=name == "minimum")


_SIDE_TABLES = (
    *(_dragon_bonus(name, margins) for name, margins in _DRAGON_BONUS.items()),
    *(_ur_way(name, scores) for name, scores in _UR_WAY.items()),
    paytable("three-giving-eight", "standard", _cite("6.57"), {"eight": "180 to 1"}),
    paytable("three-giving-any", "standard", _cite("6.59"), {"eight": "100 to 1", "other": "6 to 1"}),
    paytable(
        "super-pay-egalite",
        "standard",
        _cite("6.68"),
        {scores: f"{figure} to 1" for scores, figure in _SUPER_PAY.items()},
    ),
    paytable("baccarat-pairs", "standard", _cite("6.79"), {"pair": "11 to 1"}),
)

_KINDS = (
    WagerKind("punto", _cite("6.19"), slot="punto", about="on the punter's hand"),
    WagerKind("banco", _cite("6.18"), slot="banco", about="on the banker's hand"),
    WagerKind("egalite", _cite("6.20"), slot="egalite", about="Egalité: both hands are of equal merit"),
    WagerKind(
        "dragon-bonus",
        _cite("6.35"),
        selection=Text(SIDES),
        slot="dragon-bonus",
        about="Dragon Bonus on one of the hands, not on both",
    ),
    WagerKind(
        "ur-way-egalite",
        _cite("6.50"),
        selection=Text(tuple("0123456789")),
        many=True,
        slot="ur-way-egalite",
        about="UR Way Egalité on one score",
    ),
    WagerKind(
        "three-giving-eight",
        _cite("6.56"),
        slot="three-giving-eight",
        about="banker has three, the player's third card is an eight",
    ),
    WagerKind(
        "three-giving-any",
        _cite("6.58"),
        slot="three-giving-any",
        about="Three Giving Eight, second form: banker has three and the player draws",
    ),
    WagerKind(
        "super-pay-egalite",
        _cite("6.66"),
        selection=Text(tuple(EGALITE_RANGES)),
        many=True,
        slot="super-pay-egalite",
        about="Super Pay Egalité on a range of scores",
    ),
    WagerKind(
        "baccarat-pairs",
        _cite("6.76"),
        selection=Text(SIDES),
        many=True,
        slot="baccarat-pairs",
        about="Baccarat Pairs on one or both of the hands",
    ),
)

_WITH_A_HAND = {"ur-way-egalite": ("ur-way-needs-a-hand", "6.47")} | dict.fromkeys(
    ("three-giving-eight", "three-giving-any"), ("three-giving-eight-needs-a-hand", "6.55")
)


def _check(round: Round, game_rules: GameRules) -> Iterator[RuleError]:
    yield from check(round, game_rules)
    backed = {(w.seat, w.player) for w in round.wagers if game_rules.roles.get(w.kind) in SIDES}
    for index, wager in enumerate(round.wagers):
        option, rule = _WITH_A_HAND.get(wager.kind, ("", ""))
        if option and round.options[option] and (wager.seat, wager.player) not in backed:
            text = f"{wager.kind} goes with a wager on punto or banco at this table"
            yield RuleError(text, field=f"wagers[{index}]", rule=_cite(rule))


def _game(name: str, title: str, banker_wins: str, banco: dict[str, str]) -> Game:
    game_rules = GameRules(_cites(banker_wins), GB_ROLES, sides=_SIDE_WAGERS)
    return Game(
        name=name,
        rulebook="gb-2011",
        title=title,
        cites=CITES,
        provisions=GB_2011,
        wagers=_KINDS,
        dealt=shoe.DEALT,
        options=(
            Option("decks", Int(1, 8), 8, _cite("6.11"), "how many packs are in the shoe"),
            side_wagers(_cite("6.31, 6.45, 6.53, 6.61, 6.64, 6.72"), *_SIDE_WAGERS),
            Option(
                "ur-way-needs-a-hand",
                Flag(),
                False,
                _cite("6.47"),
                "UR Way Egalité only beside a wager on punto or banco",
            ),
            Option(
                "three-giving-eight-needs-a-hand",
                Flag(),
                False,
                _cite("6.55"),
                "Three Giving Eight only beside a wager on punto or banco",
            ),
        ),
        paytables=(
            paytable("punto", "standard", _cite("6.19"), {"win": "1 to 1"}),
            paytable("banco", "standard", _cite(banker_wins), banco),
            paytable("egalite", "standard", _cite("6.20"), {"win": "8 to 1"}),
            *_SIDE_TABLES,
        ),
        defaults={"dragon-bonus": "table-1", "ur-way-egalite": "table-1"},
        settle=partial(settle, game_rules=game_rules),
        check=partial(_check, game_rules=game_rules),
        invalidated=partial(invalidated, game_rules=game_rules),
    )


GAMES = (
    _game("punto-banco", "Punto Banco", "6.18", {"win": "19 to 20"}),
    _game("punto-2000", "Punto 2000", "6.29", {"win": "1 to 1", "six": "1 to 2"}),
)
