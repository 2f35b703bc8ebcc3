"""Mini Baccarat, Baccarat and Midi Baccarat of New Zealand (nz-1996 IV, V, IX): one game on three tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial

from rules.declare import Game, Option, WagerKind, paytable
from rules.games.baccarat import shoe
from rules.games.baccarat.coup import BANKER, PLAYER, TIE
from rules.games.baccarat.game_rules import NZ_ROLES, Cites, GameRules
from rules.games.baccarat.settle import check, invalidated, settle
from rules.rulebooks import NZ_1996
from rules.shape import Flag, Int, Text

COMMISSION = Fraction(1, 20)
AREA_MAXIMUM = "area-maximum"


def nz_cites(cite: Callable[[str], str], irregularities: str) -> Cites:
    """`cite` makes a whole citation of a rule number; `irregularities`: the number of that part."""
    part = irregularities
    irregular = {
        shoe.THIRD_TO_PLAYER: f"{part}.2",
        shoe.EXCESS: f"{part}.3",
        shoe.FIRST_FACE_UP: f"{part}.4",
        shoe.FACE_UP: f"{part}.5",
        shoe.TOO_FEW: f"{part}.6",
        shoe.OUT_OF_SEQUENCE: f"{part}.7",
        shoe.NOT_RECONSTRUCTED: f"{part}.8",
    }
    return Cites(
        deal=cite("8.3"),
        natural=cite("9.2"),
        player_draws=cite("9.3"),
        banker_draws=cite("9.4"),
        banker_draws_alone=cite("9.5"),
        no_more=cite("9.6"),
        decks=cite("3.1"),
        wins={PLAYER: cite("5.1"), BANKER: cite("5.2"), TIE: cite("5.5")},
        loses={PLAYER: cite("4.1(b)(ii)"), BANKER: cite("4.1(a)(ii)"), TIE: cite("4.1(c)(ii)")},
        equal={PLAYER: cite("4.1(b)(iii)"), BANKER: cite("4.1(a)(iii)")},
        opposed=cite("4.8"),
        places=cite("2.1"),
        shared_area=cite("4.4"),
        exact=cite("5.3"),
        exact_part=cite("5.4"),
        differential=cite("4.10"),
        irregular={kind: cite(number) for kind, number in irregular.items()},
    )


def _division(division: str, name: str, title: str, irregularities: str, places: int) -> Game:
    def cite(number: str) -> str:
        return f"nz-1996 {division} {number}"

    cites, full = nz_cites(cite, irregularities), division == "V"
    if full:
        cites = replace(cites, shared_area=cite("4.5"))
    game_rules = GameRules(
        cites,
        NZ_ROLES,
        commission=COMMISSION,
        numbered_places=places if full else 0,
        players_per_area=1 if full else 3,
    )
    shared = "" if full else cite("4.5")
    styles = ("face-up", "face-down") if division == "IV" else ("A", "B", "C")
    options = (
        Option("style", Text(styles), styles[0], cite("8.4"), "how the cards are dealt and turned"),
        Option("players-per-area", Int(1, 3), 3, cite("4.4"), "how many may wager on one area"),
        Option(
            AREA_MAXIMUM,
            Flag(),
            False,
            cite("4.5"),
            "the maximum is for all players on an area together, not for each of them",
        ),
    )
    return Game(
        name=name,
        rulebook="nz-1996",
        title=title,
        cites=f"nz-1996 {division}",
        provisions=NZ_1996,
        seats=0 if full else places,
        wagers=(
            WagerKind(
                "banker",
                cite("4.1(a)"),
                shared_maximum=shared,
                slot="banker",
                about="less 5% commission",
            ),
            WagerKind("player", cite("4.1(b)"), shared_maximum=shared, slot="player"),
            WagerKind("tie", cite("4.1(c)"), shared_maximum=shared, slot="tie"),
        ),
        dealt=shoe.DEALT,
        irregularities=shoe.irregularity_kinds(cites.irregular),
        options=options[:1] if full else options,
        shared_option="" if full else AREA_MAXIMUM,
        differential_rule=cite("4.9"),
        paytables=(
            paytable("player", "standard", cite("5.1"), {"win": "1 to 1"}),
            paytable("banker", "standard", cite("5.2"), {"win": "1 to 1"}),
            paytable("tie", "standard", cite("5.5"), {"win": "8 to 1"}),
        ),
        carries=True,
        settle=partial(settle, game_rules=game_rules),
        check=partial(check, game_rules=game_rules),
        invalidated=partial(invalidated, game_rules=game_rules),
    )


GAMES = (
    _division("IV", "mini-baccarat", "Mini Baccarat", "11", 7),
    _division("V", "baccarat", "Baccarat", "12", 14),
    _division("IX", "midi-baccarat", "Midi Baccarat", "12", 9),
)
