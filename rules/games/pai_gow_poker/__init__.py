"""Pai Gow Poker with Fortune or Jokolor (gb-2011 13).

Seven cards set into a hand of five and a hand of two, against a dealer who sets them the House Way. `house_way` sets
cards, `fortune` holds the side wagers' hands and tables, `table` settles.
"""

from rules.declare import DecisionKind, Game, Option, WagerKind
from rules.games.pai_gow_poker.fortune import CEILING_LINES, ENVY_AMOUNTS, FORTUNE_ODDS, JOKOLOR_ODDS
from rules.games.pai_gow_poker.table import (
    CITES,
    SIDE_WAGERS,
    STANDARD_ODDS,
    check,
    check_decision,
    settle,
)
from rules.pieces.boxes import GB_HANDS
from rules.rulebooks import GB_2011
from rules.shape import BySeat, Int, Money, Struct, Text, cards

SEATS = 6
"""The rulebook gives no number; the pack has seven cards for six positions and the dealer."""

GAMES = (
    Game(
        name="pai-gow-poker",
        rulebook="gb-2011",
        title="Pai Gow Poker",
        cites=CITES,
        provisions=GB_2011,
        seats=SEATS,
        wagers=(
            WagerKind("standard", f"{CITES} 13.15", slot="standard", about="Standard Wager"),
            WagerKind(
                "fortune",
                f"{CITES} 13.30",
                needs=("standard",),
                slot="fortune",
                ceiling_rule=f"{CITES} 13.37",
                ceiling_lines=CEILING_LINES,
                about="Fortune side wager, with the Envy Bonus from the qualifying amount on",
            ),
            WagerKind(
                "jokolor",
                f"{CITES} 13.48",
                needs=("standard",),
                slot="jokolor",
                about="Jokolor side wager",
            ),
        ),
        dealt=Struct(
            required={
                "dealer": cards(7, joker=True),
                "seats": BySeat(cards(7, joker=True), SEATS, "the seven cards of each position"),
            }
        ),
        decisions=(
            DecisionKind(
                "set", f"{CITES} 13.18", cards(2, joker=True), about="the two cards of the low hand"
            ),
            DecisionKind("house-way", f"{CITES} 13.20", about="the player has the hands set the House Way"),
        ),
        irregularities=GB_HANDS,
        options=(
            Option(
                "foul",
                Text(("loses", "house-way")),
                "loses",
                f"{CITES} 13.19",
                "a low hand above the high hand: both hands lose, or the dealer sets them anew",
            ),
            Option(
                "side-wager",
                Text((*SIDE_WAGERS, "none")),
                "fortune",
                f"{CITES} 13.12",
                "the one side wager of the table",
            ),
            Option(
                "envy-qualifying-amount",
                Money(),
                0,
                f"{CITES} 13.32",
                "the least Fortune wager that qualifies for the Envy Bonus; 0.00: every one does",
            ),
            Option(
                "commission-percent",
                Int(0, 5),
                5,
                f"{CITES} 13.26",
                "of the winnings of the standard wager; the rulebook's 5 is the most",
            ),
        ),
        paytables=(STANDARD_ODDS, *FORTUNE_ODDS, *ENVY_AMOUNTS, JOKOLOR_ODDS),
        defaults={"fortune": "table-1", "envy": "table-1"},
        settle=settle,
        check=check,
        check_decision=check_decision,
    ),
)
