"""A full table's round for every game: each seat taken, each with the main wager, the wagers of later stages and the
usual side bets. Seeded: the same seed gives the same document.

Nobody folds, because a folded hand is settled faster than one that is shown. The cards of a game with a shoe are
dealt in `full_shoes`; games without cards are in `full_layouts`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from bench import full_layouts, full_shoes
from bench.sheet import Document, Sheet
from rules import all_games
from rules.cards import parse_card, parse_cards, rank_of
from rules.declare import Game
from rules.games.casino_stud import DOUBLE_ON
from rules.games.double_chance import classify_declared
from rules.games.pai_gow_tiles import tiles
from rules.ranking import has_ace_king, rank


@dataclass(frozen=True, slots=True)
class Poker:
    """A poker table: what each seat lays and decides, how many cards it gets and how many lie in common."""

    laid: str
    """'ante=10 bet=20'"""
    hand: int
    shared: Mapping[str, int]
    decided: str = ""
    """'bet check': a decision with the name of a wager placed that wager; 'let-it-ride:bet-1' has a value."""
    joker: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, game: Game, source: Random) -> Document:
        sheet = Sheet(game, source, joker=self.joker, options=dict(self.options))
        sheet.dealt |= {name: sheet.draw(count) for name, count in self.shared.items()}
        for seat in range(1, game.seats + 1):
            sheet.deal_to(seat, self.hand)
            placed = sheet.lay_all(self.laid, seat)
            for text in self.decided.split():
                kind, _, value = text.partition(":")
                more = {"value": value} if value else {"wager": placed[kind]} if kind in placed else {}
                sheet.decide(kind, seat, **more)
        return sheet.document()


def double_chance(game: Game, source: Random) -> Document:
    """Hands that may be declared are; of the others the two highest cards are kept."""
    sheet = Sheet(game, source)
    sheet.dealt["sixth"] = {}
    for seat in range(1, game.seats + 1):
        sheet.lay_all("wager=10 jackpot=1", seat)
        hand = sheet.deal_to(seat, 5)
        if classify_declared(parse_cards(hand)) is not None:
            sheet.decide("declare", seat)
        else:
            lowest = sorted(hand, key=lambda card: rank_of(parse_card(card)))[:3]
            sheet.decide("discard", seat, value=lowest)
            sheet.dealt["sixth"][str(seat)] = sheet.draw(1)[0]
    return sheet.document()


def lunar_poker(game: Game, source: Random) -> Document:
    """Odd seats exchange two cards, even ones buy a sixth; a dealer who does not qualify is forced."""
    sheet = Sheet(game, source)
    dealer = sheet.draw(5)
    forced = not has_ace_king(rank(parse_cards(dealer)))
    sheet.dealt |= {"dealer": dealer, "drawn": {}}
    for seat in range(1, game.seats + 1):
        hand = sheet.deal_to(seat, 5)
        placed = sheet.lay_all(f"ante=5 super=1 {'exchange' if seat % 2 else 'buy'}=5 bet=10", seat)
        if seat % 2:
            sheet.decide("exchange", seat, wager=placed["exchange"], value=hand[:2])
        else:
            sheet.decide("buy", seat, wager=placed["buy"])
        sheet.dealt["drawn"][str(seat)] = sheet.draw(2 if seat % 2 else 1)
        sheet.decide("bet", seat, wager=placed["bet"])
        if forced and seat == 1:
            sheet.decide("force", seat, wager=sheet.lay("force", "5.00", seat))
    if forced:
        sheet.dealt["replacement"] = sheet.draw(1)[0]
    return sheet.document()


def pai_gow_tiles(game: Game, source: Random) -> Document:
    """All 32 tiles are dealt; every player sets the better hand high."""
    sheet = Sheet(game, source, options={"unpaired": "best-high"})
    tiles_left = [tile for tile, count in enumerate(tiles.COUNTS) for _ in range(count)]
    source.shuffle(tiles_left)
    sheet.dealt["dealer"] = [tiles.TILES[tile] for tile in tiles_left[:4]]
    for seat in range(1, game.seats + 1):
        four = tiles_left[4 * seat : 4 * seat + 4]
        sheet.dealt.setdefault("seats", {})[str(seat)] = [tiles.TILES[tile] for tile in four]
        sheet.lay_all("standard=20 bonus=5 tie=5", seat)
        high, _ = tiles.ordered((four[0], four[1]), (four[2], four[3]), True)
        sheet.decide("set", seat, value={"high": [tiles.TILES[tile] for tile in high]})
    return sheet.document()


def casino_stud(game: Game, source: Random) -> Document:
    """The insurance is doubled where the dealer's up card, the fifth, allows it."""
    sheet = Sheet(game, source)
    dealer = sheet.dealt["dealer"] = sheet.draw(5)
    doubled = rank_of(parse_card(dealer[4])) in DOUBLE_ON
    for seat in range(1, game.seats + 1):
        sheet.deal_to(seat, 5)
        placed = sheet.lay_all("ante=10 progressive=1 insurance=5 raise=20", seat)
        if doubled:
            sheet.decide("double", seat, wager=sheet.lay("double", "5.00", seat))
        sheet.decide("raise", seat, wager=placed["raise"])
    return sheet.document()


def live_draw_poker(game: Game, source: Random) -> Document:
    """Two players on each of nine positions, with the joker in the pack and a progressive."""
    sheet = Sheet(game, source, joker=True, options={"joker": True, "progressive": True})
    deal = sheet.dealt["deal"] = sheet.draw(5)
    sheet.dealt["draw"] = sheet.draw(5)
    for seat in range(1, 10):
        for player in ("anna", "ben"):
            sheet.lay("bet", "10.00", seat, player=player)
            sheet.decide("hold", seat, player=player, value=source.sample(deal, source.randint(0, 4)))
    return sheet.document()


def pai_gow_poker(game: Game, source: Random) -> Document:
    """Every hand is set the House Way, which takes longest."""
    return Poker("standard=10 fortune=5", 7, {"dealer": 7}, "house-way", joker=True)(game, source)


TABLES: Mapping[str, Callable[[Game, Random], Document]] = {
    "big-raise-stud": Poker("ante=5 three-card-bonus=2 raise=20", 3, {"community": 2}, "raise"),
    "caribbean-stud": Poker("ante=10 jackpot=1 bet=20", 5, {"dealer": 5}, "bet"),
    "casino-holdem": Poker("ante=10 aa-bonus=5 progressive=1 call=20", 2, {"board": 5, "dealer": 2}, "call"),
    "casino-stud": casino_stud,
    "crazy-four": Poker("ante=5 super-bonus=5 queens-up=5 play=5", 5, {"dealer": 5}, "play"),
    "double-chance": double_chance,
    "double-down-stud": Poker("original=10 double-down=10", 1, {"community": 4}, "double-down"),
    "let-it-ride": Poker(
        "bet-1=10 bet-2=10 bet-3=10 three-card-bonus=5",
        3,
        {"community": 2},
        "let-it-ride:bet-1 let-it-ride:bet-2",
    ),
    "live-draw-poker": live_draw_poker,
    "lunar-poker": lunar_poker,
    "mississippi-stud": Poker(
        "ante=5 third-street=15 fourth-street=5 fifth-street=5",
        2,
        {"community": 3},
        "third-street fourth-street fifth-street",
    ),
    "pai-gow-poker": pai_gow_poker,
    "pai-gow-tiles": pai_gow_tiles,
    "pocket-pairs": Poker("pocket-pairs=5", 2, {}),
    "texas-holdem-bonus": Poker(
        "ante=10 bonus=5 progressive=1 flop=20 turn=10 river=10",
        2,
        {"board": 5, "dealer": 2},
        "flop turn river",
    ),
    "three-card-poker": Poker("ante=10 pair-plus=5 prime=5 play=10", 3, {"dealer": 3}, "play"),
    "two-way-texas-holdem": Poker(
        "ante=5 blind=5 two-way=5 flop=5 river=5", 2, {"board": 5, "dealer": 2}, "flop river"
    ),
    "ultimate-texas-holdem": Poker("ante=5 blind=5 trips=5 play=20", 2, {"board": 5, "dealer": 2}, "bet"),
    **full_shoes.TABLES,
    **full_layouts.TABLES,
}
"""By the name of the game; the seats and rules are those of the game it is made for."""


def full_table(game: Game, seed: int = 0) -> Document:
    """The document of one round, as a table's terminal would send it."""
    return TABLES[game.name](game, Random(f"{game.name} {game.rulebook} {seed}"))


def missing() -> list[str]:
    """Games of the catalogue that have no full table here."""
    return sorted({game.name for game in all_games()} - set(TABLES))
