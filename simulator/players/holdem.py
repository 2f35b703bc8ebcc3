"""Hold'em against the dealer: Casino Hold'em, Ultimate, Bonus Poker, Two Way. Own two cards, five on the board."""

from __future__ import annotations

from rules.cards import DECK, parse_cards
from rules.ranking import Category, at_least, has_pair, rank5, rank6, rank7
from simulator.sheet import Sheet, rank, ranks

Cards = list[str]
OUTS = 21


def _deal(sheet: Sheet) -> tuple[dict[int, Cards], Cards]:
    hands = {seat: sheet.deal_to(seat, 2) for seat in sheet.seats}
    board = sheet.share("board", 5)
    sheet.dealt["dealer"] = sheet.pack.draw(2)
    return hands, board


def _helped(hand: Cards, board: Cards) -> bool:
    """The hand has a pair or better that the board alone has not."""
    own, others = ranks(hand), ranks(board)
    if own[0] == own[1] or any(each in others for each in own):
        return True
    suits = [card[1] for card in hand + board]
    return any(suits.count(card[1]) >= 5 for card in hand) or _straight(hand, board)


def _straight(hand: Cards, board: Cards) -> bool:
    value = {5: rank5, 6: rank6, 7: rank7}[len(hand + board)](parse_cards(hand + board))
    return at_least(value, Category.STRAIGHT) and not (
        len(board) == 5 and at_least(rank5(parse_cards(board)), Category.STRAIGHT)
    )


def _four_to_a_flush(hand: Cards, board: Cards) -> bool:
    suits = [card[1] for card in hand + board]
    return any(suits.count(card[1]) == 4 and rank(card) >= 10 for card in hand)


def casino_holdem(sheet: Sheet) -> None:
    """Four hands of five are called: with help from the flop, an ace, a king, or two cards above the board."""
    hands, board = _deal(sheet)
    for seat in sheet.seats:
        ante = sheet.unit()
        sheet.lay("ante", ante, seat)
        sheet.side("aa-bonus", seat)
        sheet.lay_jackpot("progressive", seat)
        flop, own = board[:3], ranks(hands[seat])
        paired = has_pair(rank5(parse_cards(hands[seat] + flop)))
        if paired or own[0] >= 13 or own[1] >= 8 or _four_to_a_flush(hands[seat], flop):
            sheet.raise_to("call", 2 * ante, seat)
        else:
            sheet.say("fold", seat)


def opens_big(hand: Cards) -> bool:
    """Ultimate's four times the ante before the flop: pairs of threes or better, any ace, good kings, queens, jacks."""
    high, low = ranks(hand)
    suited = hand[0][1] == hand[1][1]
    if high == low:
        return high >= 3
    least = {14: 2, 13: 2 if suited else 5, 12: 6 if suited else 8, 11: 8 if suited else 10}
    return low >= least.get(high, 15)


def beats(hand: Cards, board: Cards) -> int:
    """How many cards would, alone with the board, beat the hand: the dealer's outs."""
    mine, shared = rank7(parse_cards(hand + board)), parse_cards(board)
    seen = {*shared, *parse_cards(hand)}
    return sum(rank6((*shared, card)) > mine for card in DECK if card not in seen)


def ultimate(sheet: Sheet) -> None:
    """Four times before the flop, twice with help from it, once where fewer than 21 cards would help the dealer."""
    hands, board = _deal(sheet)
    for seat in sheet.seats:
        ante, hand = sheet.unit(), hands[seat]
        sheet.lay("ante", ante, seat)
        sheet.lay("blind", ante, seat)
        sheet.side("trips", seat)
        if opens_big(hand):
            sheet.raise_to("play", 4 * ante, seat, "bet")
            continue
        sheet.say("check", seat)
        if _helped(hand, board[:3]) or _four_to_a_flush(hand, board[:3]):
            sheet.raise_to("play", 2 * ante, seat, "bet")
            continue
        sheet.say("check", seat)
        if beats(hand, board) < OUTS:
            sheet.raise_to("play", ante, seat, "bet")
        else:
            sheet.say("fold", seat)


def bonus_poker(sheet: Sheet) -> None:
    """Nearly every hand sees the flop; turn and river are bet with a pair or better, or four to a flush."""
    hands, board = _deal(sheet)
    for seat in sheet.seats:
        ante, hand = sheet.unit(), hands[seat]
        sheet.lay("ante", ante, seat)
        sheet.side("bonus", seat)
        sheet.lay_jackpot("progressive", seat)
        if ranks(hand)[0] <= 7 and ranks(hand)[0] != ranks(hand)[1]:
            sheet.say("fold", seat)
            continue
        sheet.raise_to("flop", 2 * ante, seat)
        for street, seen in (("turn", 3), ("river", 4)):
            if _helped(hand, board[:seen]) or _four_to_a_flush(hand, board[:seen]):
                sheet.raise_to(street, ante, seat)
            else:
                sheet.say("check", seat)


def two_way(sheet: Sheet) -> None:
    hands, board = _deal(sheet)
    for seat in sheet.seats:
        ante, hand = sheet.unit(), hands[seat]
        for kind in ("ante", "blind", "two-way"):
            sheet.lay(kind, ante, seat)
        for street, likes in (("flop", opens_big(hand)), ("river", _helped(hand, board[:4]))):
            if likes:
                sheet.raise_to(street, ante, seat)
            else:
                sheet.say("check", seat)


PLAYERS = {
    "casino-holdem": casino_holdem,
    "ultimate-texas-holdem": ultimate,
    "texas-holdem-bonus": bonus_poker,
    "two-way-texas-holdem": two_way,
}
