"""Cards against a dealer's closed hand: Caribbean and Casino Stud, Three Card Poker, Crazy 4, Lunar Poker, Casino War.

The raise rules are the usual ones: a pair or better, or ace-king with help; queen-six-four at three cards.
"""

from __future__ import annotations

from rules.cards import parse_cards
from rules.games.casino_stud import DOUBLE_ON
from rules.games.lunar_poker.combinations import classify_instant
from rules.ranking import (
    Category,
    FourCard,
    ThreeCard,
    at_least,
    has_ace_king,
    has_pair,
    rank,
    rank3,
    rank4,
    rank5,
)
from simulator.sheet import Sheet, ranks
from simulator.sheet import rank as rank_of

QUEEN_SIX_FOUR = (12, 6, 4)
KING_QUEEN_EIGHT_FOUR = (13, 12, 8, 4)


def stud_raises(hand: list[str], up: str) -> bool:
    """A pair or better; ace-king where the dealer's card is in the hand, or with a queen or jack beside it."""
    value = rank5(parse_cards(hand))
    if has_pair(value):
        return True
    if not has_ace_king(value):
        return False
    return rank_of(up) in ranks(hand) or ranks(hand)[2] >= 11


def caribbean_stud(sheet: Sheet) -> None:
    dealer = sheet.dealt["dealer"] = sheet.pack.draw(5)
    for seat in sheet.seats:
        ante = sheet.unit()
        sheet.lay("ante", ante, seat)
        sheet.lay_jackpot("jackpot", seat)
        if stud_raises(sheet.deal_to(seat, 5), dealer[4]):
            sheet.raise_to("bet", 2 * ante, seat)
        else:
            sheet.say("fold", seat)


def casino_stud(sheet: Sheet) -> None:
    """Insurance is for the few; who has it doubles it where the dealer's up card, the fifth, allows it."""
    dealer = sheet.dealt["dealer"] = sheet.pack.draw(5)
    for seat in sheet.seats:
        ante = sheet.unit()
        sheet.lay("ante", ante, seat)
        sheet.lay_jackpot("progressive", seat)
        if sheet.likes(0.1):
            sheet.lay("insurance", 5, seat)
            if rank_of(dealer[4]) in DOUBLE_ON:
                sheet.raise_to("double", 5, seat)
        if stud_raises(sheet.deal_to(seat, 5), dealer[4]):
            sheet.raise_to("raise", 2 * ante, seat)
        else:
            sheet.say("fold", seat)


def three_card_poker(sheet: Sheet) -> None:
    sheet.dealt["dealer"] = sheet.pack.draw(3)
    for seat in sheet.seats:
        ante = sheet.unit()
        sheet.lay("ante", ante, seat)
        sheet.side("pair-plus", seat)
        if at_least(rank3(parse_cards(sheet.deal_to(seat, 3))), ThreeCard.HIGH_CARD, *QUEEN_SIX_FOUR):
            sheet.raise_to("play", ante, seat)
        else:
            sheet.say("fold", seat)


def crazy_four(sheet: Sheet) -> None:
    """Three times the ante with a pair of aces or better, once with king-queen-eight-four or better."""
    sheet.dealt["dealer"] = sheet.pack.draw(5)
    for seat in sheet.seats:
        ante = sheet.unit()
        sheet.lay("ante", ante, seat)
        sheet.lay("super-bonus", ante, seat)
        sheet.side("queens-up", seat)
        value = rank4(parse_cards(sheet.deal_to(seat, 5)))
        if at_least(value, FourCard.PAIR, 14):
            sheet.raise_to("play", 3 * ante, seat)
        elif at_least(value, FourCard.HIGH_CARD, *KING_QUEEN_EIGHT_FOUR):
            sheet.raise_to("play", ante, seat)
        else:
            sheet.say("fold", seat)


def lunar_poker(sheet: Sheet) -> None:
    """A pair or ace-king stays; a hand of four to a flush buys a sixth card. The first who bets forces a dealer
    who does not qualify, if the hand is two pairs or better."""
    dealer = sheet.pack.draw(5)
    short = not has_ace_king(rank5(parse_cards(dealer)))
    sheet.dealt |= {"dealer": dealer, "drawn": {}}
    forced = False
    for seat in sheet.seats:
        ante = sheet.unit()
        sheet.lay("ante", ante, seat)
        sheet.side("super", seat, 1)
        hand = sheet.deal_to(seat, 5)
        if classify_instant(parse_cards(hand)) is not None:
            continue  # paid at once
        if _four_to_a_flush(hand):
            sheet.raise_to("buy", ante, seat)
            hand = hand + sheet.dealt["drawn"].setdefault(str(seat), sheet.pack.draw(1))
        value = rank(parse_cards(hand))
        if not has_ace_king(value):
            sheet.say("fold", seat)
            continue
        sheet.raise_to("bet", 2 * ante, seat)
        if short and not forced and at_least(value, Category.TWO_PAIRS):
            sheet.raise_to("force", ante, seat)
            forced = True
    if forced:
        sheet.dealt["replacement"] = sheet.pack.draw(1)[0]


def _four_to_a_flush(hand: list[str]) -> bool:
    """Nothing is made, and one more card of the suit would do it."""
    suits = [card[1] for card in hand]
    return not has_pair(rank5(parse_cards(hand))) and max(map(suits.count, suits)) == 4


def casino_war(sheet: Sheet) -> None:
    """Who ties goes to war: to surrender costs more."""
    pack = sheet.new_pack(decks=6)
    dealer = pack.draw(1)
    at_war = False
    for seat in sheet.seats:
        stake = sheet.unit()
        sheet.lay("bet", stake, seat)
        sheet.side("tie", seat)
        card = pack.draw(1)
        if rank_of(card[0]) == rank_of(dealer[0]):
            sheet.raise_to("war", stake, seat)
            card, at_war = card + pack.draw(1), True
        sheet.dealt.setdefault("seats", {})[str(seat)] = card
    sheet.dealt["dealer"] = dealer + pack.draw(1) if at_war else dealer


PLAYERS = {
    "caribbean-stud": caribbean_stud,
    "casino-stud": casino_stud,
    "three-card-poker": three_card_poker,
    "crazy-four": crazy_four,
    "lunar-poker": lunar_poker,
    "casino-war": casino_war,
}
