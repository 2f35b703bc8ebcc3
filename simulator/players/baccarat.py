"""Baccarat in all its houses, and Dragon21: nothing is decided but where the chips go. Most back the banker."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from rules.cards import parse_cards
from rules.games import dragon21 as dragon21_game
from rules.games.baccarat import coup
from simulator.sheet import Sheet


def _shoe(sheet: Sheet) -> list[str]:
    cards = sheet.pack.draw(4)
    while isinstance(coup.play_out(parse_cards(cards)), coup.Missing):
        cards += sheet.pack.draw(1)
    return cards


def new_zealand(sheet: Sheet) -> None:
    """Stakes of whole tens, so that a commission of 5% can be paid in chips; a side wager where the table has one."""
    side, ante = _option(sheet, "side-wager", "none"), Decimal(_option(sheet, "ante", "0.00"))
    sheet.new_pack(decks=_option(sheet, "decks", 8))
    for seat in sheet.seats:
        stake = 10 * sheet.unit()
        on = "banker" if sheet.likes(0.6) else "player"
        sheet.lay(on, stake, seat)
        if sheet.likes(0.1):
            sheet.lay("tie", 10, seat)
        if side != "none":
            sheet.side(side, seat, 10, selection=on)
        if "ante" in sheet.game.kinds and ante:
            sheet.lay("ante", ante, seat)
    sheet.dealt["shoe"] = _shoe(sheet)


def _option(sheet: Sheet, name: str, otherwise: Any) -> Any:
    known = {option.name for option in sheet.game.options}
    return sheet.layout.option(name) if name in known else otherwise


def great_britain(sheet: Sheet) -> None:
    sheet.new_pack(decks=sheet.layout.option("decks"))
    for seat in sheet.seats:
        banker = sheet.likes(0.6)
        sheet.lay("banco" if banker else "punto", 10 * sheet.unit(), seat)
        if sheet.likes(0.1):
            sheet.lay("egalite", 10, seat)
        sheet.side("dragon-bonus", seat, selection="banker" if banker else "player")
        sheet.side("baccarat-pairs", seat, selection="banker" if banker else "player")
    sheet.dealt["shoe"] = _shoe(sheet)


def dragon21(sheet: Sheet) -> None:
    pack = sheet.new_pack(decks=sheet.layout.option("decks"))
    for seat in sheet.seats:
        sheet.lay("dragon" if sheet.likes(0.5) else "tiger", sheet.unit(), seat)
        if sheet.likes(0.1):
            sheet.lay("tie", 5, seat)
    cards = pack.draw(4)
    while isinstance(dragon21_game.play_out(parse_cards(cards)), str):
        cards += pack.draw(1)
    sheet.dealt["shoe"] = cards


PLAYERS = {
    "baccarat": new_zealand,
    "mini-baccarat": new_zealand,
    "midi-baccarat": new_zealand,
    "2-to-1-baccarat": new_zealand,
    "ante-up-baccarat": new_zealand,
    "ante-up-2-to-1-baccarat": new_zealand,
    "punto-banco": great_britain,
    "punto-2000": great_britain,
    "dragon21": dragon21,
}
