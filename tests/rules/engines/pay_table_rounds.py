"""Random rounds of the games in `pay_tables`."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.rules.engines import deals
from tests.rules.engines.chips import Document
from tests.rules.engines.pay_tables import LIVE, RIDE, RIDE_BONUS, declarable


def _seats(rng: Random, most: int = 9, few: int = 4) -> list[int]:
    return sorted(rng.sample(range(1, most + 1), rng.randint(1, few)))


def _round(
    rng: Random, game: str, rulebook: str, slips: deals.Slips, dealt: Document, **more: Any
) -> Document:
    document = {"game": game, "rulebook": rulebook, "wagers": slips.wagers, "decisions": slips.decisions}
    chip = {"chip": rng.choice(deals.CHIPS)} if rng.random() < 0.3 else {}
    return document | {"dealt": dealt, "limits": chip} | more


def _shared(rng: Random, seats: list[int], own: int, shared: int, name: str = "community") -> Document:
    """The first seat and the shared cards often make a hand together."""
    pack = deals.rich_pack(rng, own * len(seats) + shared)
    first = deals.take(rng, pack, own + shared)
    held = {str(s): first[:own] if s == seats[0] else deals.take(rng, pack, own) for s in seats}
    return {"seats": held, name: first[own:]}


def a_mississippi(rng: Random, game: str, rulebook: str) -> Document:
    slips, seats = deals.Slips(), _seats(rng)
    for seat in seats:
        ante = deals.stake(rng)
        slips.lay("ante", ante, seat)
        stay = rng.choice([0, 1, 2, 3, 3, 3])
        for street in ("third-street", "fourth-street", "fifth-street")[:stay]:
            slips.lay(street, deals.times(ante, rng.randint(1, 3)), seat)
        if stay < 3:
            slips.say("fold", seat)
    return _round(rng, game, rulebook, slips, _shared(rng, seats, 2, 3))


def a_ride(rng: Random, game: str, rulebook: str) -> Document:
    slips, seats = deals.Slips(), _seats(rng)
    for seat in seats:
        stake = deals.stake(rng)
        for kind in ("bet-1", "bet-2", "bet-3"):
            slips.lay(kind, stake, seat)
        if rng.random() < 0.6:
            slips.lay("three-card-bonus", deals.stake(rng), seat)
    for kind in ("bet-1", "bet-2"):
        for seat in seats[::-1]:
            slips.say(rng.choice(["withdraw", "let-it-ride"]), seat, value=kind)
    tables = {"bet": rng.choice(list(RIDE)), "three-card-bonus": rng.choice(list(RIDE_BONUS))}
    document = _round(rng, game, rulebook, slips, _shared(rng, seats, 3, 2), paytables=tables)
    if tables["bet"] == "table-4":
        document["limits"] = {"hand_payout": rng.choice(["5000.00", "25000.00"])}
    return document


def a_big_raise(rng: Random, game: str, rulebook: str) -> Document:
    slips, seats = deals.Slips(), _seats(rng, 7)
    for seat in seats:
        ante, blind = deals.stake(rng), rng.random() < 0.3
        slips.lay("ante", ante, seat, promo=rng.random() < 0.1)
        if rng.random() < 0.6:
            slips.lay("three-card-bonus", deals.stake(rng), seat)
        if blind:
            slips.lay("blind-raise", deals.times(ante, rng.randint(1, 4)), seat)
        if rng.random() < 0.3:
            slips.say("fold", seat)
        elif not blind:
            slips.say("raise", seat, wager=slips.lay("raise", deals.times(ante, rng.randint(1, 4)), seat))
    options = {"blind-betting": True}
    document = _round(rng, game, rulebook, slips, _shared(rng, seats, 3, 2), options=options)
    if rng.random() < 0.2:
        document["limits"] = {"kinds": {"raise": {"max_payout": "250.00"}}}
    return document


def a_double_down(rng: Random, game: str, rulebook: str) -> Document:
    slips, seats = deals.Slips(), _seats(rng, 9, 6)
    for seat in seats:
        stake = rng.choice([*deals.STAKES[1:], "60.00", "150.00"])
        slips.lay("original", stake, seat)
        if rng.random() < 0.5:
            some = rng.choice([stake, deals.money(max(1, deals.cents(stake) // 3))])
            slips.say("double-down", seat, wager=slips.lay("double-down", some, seat))
    document = _round(rng, game, rulebook, slips, _shared(rng, seats, 1, 4))
    if rng.random() < 0.5:
        document["limits"]["hand_payout"] = "100000.00"
    return document


def a_double_chance(rng: Random, game: str, rulebook: str) -> Document:
    slips, seats = deals.Slips(), _seats(rng, 7)
    pack = deals.rich_pack(rng, 6 * len(seats))
    dealt: Document = {"seats": {}, "sixth": {}}
    for seat in seats:
        if rng.random() < 0.1:  # a dead hand, which chance gives once in 20,000 times
            suit, other = rng.sample(deals.SUITS, 2)
            dead = [f"{rank}{suit}" for rank in "2345"] + [f"2{other}"]
            if all(card in pack for card in dead):
                pack = dead + [card for card in pack if card not in dead]
                dealt["seats"][str(seat)] = [pack.pop(0) for _ in range(5)]
        cards = dealt["seats"].setdefault(str(seat), deals.take(rng, pack, 5))
        slips.lay("wager", deals.stake(rng), seat, promo=rng.random() < 0.1)
        if rng.random() < 0.6:
            slips.lay("jackpot", "1.00", seat)
        if declarable(cards) and rng.random() < 0.8:
            slips.say("declare", seat)
        else:
            slips.say("discard", seat, value=rng.sample(cards, rng.randint(2, 4)))
    for said in slips.decisions:
        if said["kind"] == "discard":
            dealt["sixth"][str(said["seat"])] = pack.pop(0)
    options = {"jackpot-hand": rng.choice(["dealt", "declared"])}
    document = _round(rng, game, rulebook, slips, dealt, options=options)
    if rng.random() < 0.2:
        document["limits"] = {"kinds": {"wager": {"max_payout": "50.00"}}}
    return document


def a_live_draw(rng: Random, game: str, rulebook: str) -> Document:
    options: Document = {"joker": rng.random() < 0.3, "progressive": rng.random() < 0.5}
    if rng.random() < 0.2 and not options["joker"]:
        options["wild"] = rng.sample(deals.PACK, 1)
    if rng.random() < 0.3:
        options["growing"] = rng.sample(["straight-flush", "four-of-a-kind", "full-house"], 1)
    pack = deals.rich_pack(rng, 10, joker=options["joker"])
    dealt: Document = {"deal": deals.take(rng, pack, 5)}
    slips, fewest = deals.Slips(), 5
    for seat in _seats(rng, 20):
        for player in rng.choice([[""], [""], ["ann", "ben"]]):
            slips.lay("bet", deals.stake(rng), seat, player=player)
            keeps = rng.sample(dealt["deal"], rng.choice([0, 1, 2, 3, 4, 5, 5, 5]))
            fewest = min(fewest, len(keeps))
            if keeps:
                slips.say("hold", seat, player=player, value=keeps)
    dealt["draw"] = deals.take(rng, pack, 5 - fewest)
    tables = {"bet": rng.choice(list(LIVE))}
    return _round(rng, game, rulebook, slips, dealt, options=options, paytables=tables)


def a_war(rng: Random, game: str, rulebook: str) -> Document:
    slips, shoe = deals.Slips(), deals.rich_shoe(rng, 6)
    dealer, held, at_war = shoe.pop(0), {}, False
    for seat in _seats(rng):
        own = [shoe.pop(0)]
        same = [index for index, card in enumerate(shoe) if card[0] == dealer[0]]
        if same and rng.random() < 0.4:
            own = [shoe.pop(same[0])]
        second = False
        for player in rng.choice([[""], ["ann", "ben"]]):
            stake = deals.stake(rng)
            slips.lay("bet", stake, seat, player=player)
            if rng.random() < 0.5:
                slips.lay("tie", deals.stake(rng), seat, player=player)
            if own[0][0] != dealer[0]:
                continue
            if rng.random() < 0.7:
                slips.say("war", seat, player=player, wager=slips.lay("war", stake, seat, player=player))
                second = True
            else:
                slips.say("surrender", seat, player=player)
        if second:
            own.append(shoe.pop(0))
            at_war = True
        held[str(seat)] = own
    dealt: Document = {"dealer": [dealer, shoe.pop(0)] if at_war else [dealer], "seats": held}
    return _round(rng, game, rulebook, slips, dealt)


def a_pocket_pair(rng: Random, game: str, rulebook: str) -> Document:
    slips, seats = deals.Slips(), _seats(rng, 12, 6)
    pack = deals.rich_pack(rng, 2 * len(seats))
    for seat in seats:
        slips.lay("pocket-pairs", deals.stake(rng), seat)
        if rng.random() < 0.4:
            slips.say(rng.choice(["fold", "fold", "forfeit", "keep-hidden"]), seat)
    held = {str(seat): deals.take(rng, pack, 2) for seat in seats}
    names = [
        "25-11",
        "24-11",
        "23-11",
        "23-12",
        "22-12",
        "21-12",
        "21-13",
        "20-13",
        "19-13",
        "19-14",
        "18-14",
    ]
    tables = {"pocket-pairs": rng.choice([*names, "17-14"])}
    return _round(rng, game, rulebook, slips, {"seats": held}, paytables=tables)
