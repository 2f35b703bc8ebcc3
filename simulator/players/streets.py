"""Poker against a pay table: Mississippi Stud, Let It Ride, Big Raise Stud, Double Down Stud, Double Chance, Live Draw
Poker and Pocket Pairs. What is made decides; high cards and four to a flush are worth a little."""

from __future__ import annotations

from rules.cards import parse_cards
from rules.games.double_chance import classify_declared
from rules.ranking import Category, at_least, has_pair, rank5
from simulator.sheet import Sheet, rank, ranks

HIGH, MIDDLE = 11, 6


def _pairs(cards: list[str]) -> list[int]:
    """The ranks that come more than once, the highest first."""
    held = ranks(cards)
    return sorted({each for each in held if held.count(each) > 1}, reverse=True)


def _suited(cards: list[str]) -> bool:
    return len({card[1] for card in cards}) == 1


def _points(cards: list[str]) -> int:
    return sum(2 if each >= HIGH else 1 if each >= MIDDLE else 0 for each in ranks(cards))


def mississippi_stud(sheet: Sheet) -> None:
    """Three times with a pair of sixes or better, once with a small pair or enough points, else the hand is folded."""
    hands = {seat: sheet.deal_to(seat, 2) for seat in sheet.seats}
    board = sheet.share("community", 3)
    for seat in sheet.seats:
        ante, seen = sheet.unit(), list(hands[seat])
        sheet.lay("ante", ante, seat)
        for street, least in (("third-street", 2), ("fourth-street", 3), ("fifth-street", 4)):
            pairs = _pairs(seen)
            if pairs and (pairs[0] >= MIDDLE or street == "third-street"):
                sheet.raise_to(street, 3 * ante, seat)
            elif pairs or _points(seen) >= least or (len(seen) > 2 and _suited(seen)):
                sheet.raise_to(street, ante, seat)
            else:
                sheet.say("fold", seat)
                break
            seen.append(board[len(seen) - 2])


def let_it_ride(sheet: Sheet) -> None:
    """Tens or better ride, and three or four to a flush with high cards."""
    hands = {seat: sheet.deal_to(seat, 3) for seat in sheet.seats}
    board = sheet.share("community", 2)
    rides: dict[str, dict[int, bool]] = {"bet-1": {}, "bet-2": {}}
    for seat in sheet.seats:
        stake = sheet.unit()
        for kind in ("bet-1", "bet-2", "bet-3"):
            sheet.lay(kind, stake, seat)
        sheet.side("three-card-bonus", seat)
        three, four = hands[seat], [*hands[seat], board[0]]
        made = [any(each >= 10 for each in _pairs(cards)) for cards in (three, four)]
        rides["bet-1"][seat] = made[0] or (_suited(three) and ranks(three)[2] >= 10)
        rides["bet-2"][seat] = made[1] or _suited(four)
    for kind, choices in rides.items():
        for seat in reversed(sheet.seats):
            sheet.say("let-it-ride" if choices[seat] else "withdraw", seat, value=kind)


def big_raise_stud(sheet: Sheet) -> None:
    """Four times the ante with a pair of tens or better, once with a smaller one, a king, an ace or a flush to be."""
    hands = {seat: sheet.deal_to(seat, 3) for seat in sheet.seats}
    sheet.share("community", 2)
    for seat in sheet.seats:
        ante, hand = sheet.unit(), hands[seat]
        sheet.lay("ante", ante, seat)
        sheet.side("three-card-bonus", seat)
        pairs = _pairs(hand)
        if pairs and pairs[0] >= 10:
            sheet.raise_to("raise", 4 * ante, seat)
        elif pairs or ranks(hand)[0] >= 13 or _suited(hand):
            sheet.raise_to("raise", ante, seat)
        else:
            sheet.say("fold", seat)


def double_down_stud(sheet: Sheet) -> None:
    """One card of one's own and three of the four common ones are seen: a pair of sixes or four to a flush doubles."""
    hands = {seat: sheet.deal_to(seat, 1) for seat in sheet.seats}
    board = sheet.share("community", 4)
    for seat in sheet.seats:
        stake, seen = sheet.unit(), [*hands[seat], *board[:3]]
        sheet.lay("original", stake, seat)
        pairs = _pairs(seen)
        if (pairs and pairs[0] >= MIDDLE) or _suited(seen):
            sheet.raise_to("double-down", stake, seat)


def double_chance(sheet: Sheet) -> None:
    """What may be declared is declared; of the others the two lowest cards are given up."""
    sheet.dealt["sixth"] = {}
    for seat in sheet.seats:
        sheet.lay("wager", sheet.unit(), seat)
        sheet.lay_jackpot("jackpot", seat)
        hand = sheet.deal_to(seat, 5)
        if classify_declared(parse_cards(hand)) is not None:
            sheet.say("declare", seat)
        else:
            sheet.say("discard", seat, value=sorted(hand, key=rank)[:3])
            sheet.dealt["sixth"][str(seat)] = ""
    for seat in sheet.dealt["sixth"]:
        sheet.dealt["sixth"][seat] = sheet.pack.draw(1)[0]


def live_draw_poker(sheet: Sheet) -> None:
    """Everybody plays the same five cards and holds what is worth it."""
    deal = sheet.share("deal", 5)
    kept = worth_holding(deal)
    for seat in sheet.seats:
        sheet.lay("bet", sheet.unit(), seat)
        if kept:
            sheet.say("hold", seat, value=kept)
    sheet.dealt["draw"] = sheet.pack.draw(5 - len(kept))


def worth_holding(cards: list[str]) -> list[str]:
    """A made straight or better as it is, else pairs and threes, four to a flush, else the high cards."""
    value = rank5(parse_cards(cards))
    if at_least(value, Category.STRAIGHT):
        return list(cards)
    if has_pair(value):
        pairs = _pairs(cards)
        return [card for card in cards if rank(card) in pairs]
    suits = [card[1] for card in cards]
    common = max(suits, key=suits.count)
    if suits.count(common) == 4:
        return [card for card in cards if card[1] == common]
    return [card for card in cards if rank(card) >= HIGH]


def pocket_pairs(sheet: Sheet) -> None:
    """Beside a poker game: two cards, and a few who fold them."""
    for seat in sheet.seats:
        sheet.lay("pocket-pairs", sheet.unit(), seat)
        hand = sheet.deal_to(seat, 2)
        if not _pairs(hand) and sheet.likes():
            sheet.say("fold", seat)


PLAYERS = {
    "mississippi-stud": mississippi_stud,
    "let-it-ride": let_it_ride,
    "big-raise-stud": big_raise_stud,
    "double-down-stud": double_down_stud,
    "double-chance": double_chance,
    "live-draw-poker": live_draw_poker,
    "pocket-pairs": pocket_pairs,
}
