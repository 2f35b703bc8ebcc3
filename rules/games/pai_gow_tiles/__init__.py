"""Pai Gow Tiles with the Bonanza side wagers (gb-2011 14).

`tiles` ranks, `house_way` sets the dealer's hands, `hands` reads how all hands were set, `bonanza` has the side
wagers, `settle` pays.
"""

from __future__ import annotations

from rules.declare import DecisionKind, Game, Option, WagerKind, paytable
from rules.games.pai_gow_tiles.bonanza import PAYTABLES
from rules.games.pai_gow_tiles.hands import CITES
from rules.games.pai_gow_tiles.house_way import ALTERNATIVES, UNPAIRED
from rules.games.pai_gow_tiles.settle import check, check_decision, settle
from rules.games.pai_gow_tiles.tiles import TileShape
from rules.pieces.boxes import GB_HANDS, side_wagers
from rules.rulebooks import GB_2011
from rules.shape import BySeat, Flag, Int, ListOf, Struct, Text

SEATS = 7
"""Eight stacks of four tiles, one of them the dealer's (14.26)."""
FOUR, TWO = ListOf(TileShape(), 4, 4), ListOf(TileShape(), 2, 2)

GAMES = (
    Game(
        name="pai-gow-tiles",
        rulebook="gb-2011",
        title="Pai Gow Tiles",
        cites=CITES,
        provisions=GB_2011,
        seats=SEATS,
        wagers=(
            WagerKind("standard", f"{CITES} 14.24", slot="standard"),
            WagerKind("bank", f"{CITES} 14.21", about="what a player who holds the bank puts up"),
            WagerKind("bonus", f"{CITES} 14.42", needs=("standard",), slot="bonus", about="Bonanza Bonus"),
            WagerKind("tie", f"{CITES} 14.46", needs=("standard",), slot="tie", about="Bonanza Tie"),
        ),
        dealt=Struct(
            {
                "seats": BySeat(
                    FOUR, SEATS, "the four tiles of each position; those without a wager may be given"
                )
            },
            {
                "dealer": FOUR,
                "dealer_high": ListOf(
                    TileShape(), 2, 2, "the dealer's High hand as it was set; checked against the House Way"
                ),
            },
        ),
        decisions=(
            DecisionKind(
                "set", f"{CITES} 14.28", Struct({"high": TWO}), about="the two tiles of the High hand"
            ),
            DecisionKind(
                "reset",
                f"{CITES} 14.29",
                Struct({"high": TWO}),
                about="how the dealer re-set a fouled hand, where the House Way leaves it open",
            ),
            DecisionKind("surrender-tie", f"{CITES} 14.48", about="half of the Bonanza Tie wager is lost"),
        ),
        irregularities=GB_HANDS,
        options=(
            Option("foul", Text(("lose", "house-way")), "lose", f"{CITES} 14.29"),
            Option(
                "wild-tiles",
                Text(("pairs-only", "hands")),
                "pairs-only",
                f"{CITES} 14.8",
                "where the wild tiles count three or six: in the Supreme Pair only, or when points are added as well",
            ),
            *(
                Option(
                    name, Text(choices), choices[0], f"{CITES} 14.31", "which alternative of the House Way"
                )
                for name, choices in ALTERNATIVES.items()
            ),
            Option(
                "unpaired",
                Text(UNPAIRED),
                UNPAIRED[0],
                f"{CITES} 14.31",
                "local House Way for hands without a pair; as-set: as the dealer set it at the table",
            ),
            Option("commission-percent", Int(0, 5), 5, f"{CITES} 14.36"),
            Option("player-bank", Flag(), False, f"{CITES} 14.21", "players may hold the bank"),
            Option("bank-levy", Flag(), True, f"{CITES} 14.21", "5% of what the bank of a player gains"),
            side_wagers(f"{CITES} 14.38", "bonus", "tie"),
        ),
        paytables=(paytable("standard", "standard", f"{CITES} 14.36", {"win": "1 to 1"}), *PAYTABLES),
        defaults={"bonus": "table-1", "tie": "table-1"},
        settle=settle,
        check=check,
        check_decision=check_decision,
    ),
)
