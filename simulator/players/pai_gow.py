"""Pai Gow, by cards and by tiles: hands are set as the house would set them."""

from __future__ import annotations

from rules.cards import cards_text, parse_cards
from rules.games.pai_gow_poker.house_way import house_way
from rules.games.pai_gow_tiles import tiles
from simulator.sheet import Sheet


def poker(sheet: Sheet) -> None:
    """Some have the dealer set their hands, the others do the same themselves."""
    pack = sheet.new_pack(joker=True)
    sheet.dealt["dealer"] = pack.draw(7)
    for seat in sheet.seats:
        sheet.lay("standard", 2 * sheet.unit(), seat)
        sheet.side("fortune", seat)
        hand = sheet.deal_to(seat, 7)
        if sheet.likes():
            sheet.say("house-way", seat)
        else:
            sheet.say("set", seat, value=cards_text(house_way(parse_cards(hand)).low).split())


def by_tiles(sheet: Sheet) -> None:
    """Of the three ways to set four tiles, the one whose weaker hand is strongest."""
    left = [tile for tile, count in enumerate(tiles.COUNTS) for _ in range(count)]
    sheet.rng.shuffle(left)
    wild = sheet.layout.option("wild-tiles") == "hands"
    dealer = tuple(left.pop() for _ in range(4))
    sheet.dealt |= {"dealer": _named(dealer), "seats": {}}
    if sheet.layout.option("unpaired") == "as-set" and tiles.pair_in(dealer) is None:
        sheet.dealt["dealer_high"] = _named(_best_high(dealer, wild))
    for seat in sheet.seats:
        four = tuple(left.pop() for _ in range(4))
        sheet.dealt["seats"][str(seat)] = _named(four)
        sheet.lay("standard", 2 * sheet.unit(), seat)
        sheet.side("bonus", seat)
        sheet.side("tie", seat)
        sheet.say("set", seat, value={"high": _named(_best_high(four, wild))})


def _best_high(four: tuple[int, ...], wild: bool) -> tuple[int, int]:
    """The high hand of the way whose weaker hand is strongest."""
    ways = [tiles.ordered(one, two, wild) for one, two in tiles.partitions(four)]
    return max(ways, key=lambda way: (tiles.value(*way[1], wild), tiles.value(*way[0], wild)))[0]


def _named(some: tuple[int, ...]) -> list[str]:
    return [tiles.TILES[tile] for tile in some]


PLAYERS = {"pai-gow-poker": poker, "pai-gow-tiles": by_tiles}
