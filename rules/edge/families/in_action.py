"""House Money and Let it Ride where what was won stays in action whenever that gains (nz-consultation 2 15D, 15E).

The stake is that of the side wager. The same wagers taken at once are in `blackjack_sides`; what a unit in action comes
to is in `in_action_rides`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rules.cards import Card
from rules.contract import Decision, Round, Wager
from rules.edge.core import EXACT, LOST, UNIT, Case, Chance, Distribution, EdgeEntry, Result, Trial
from rules.edge.families.blackjack_draws import Hand, shoe
from rules.edge.families.blackjack_sides import NO_DEALER, two_cards
from rules.edge.families.blackjack_strategy import BUST, DEALER_OVER, NATURAL, Rules
from rules.edge.families.blackjack_table import Policy, play, shuffled, table_rules_of, variant_of
from rules.edge.families.in_action_rides import Ride, RideRules, Rides, solve
from rules.games.blackjack.hand import Box
from rules.games.blackjack.hand import Hand as Cards
from rules.games.blackjack.points import POINTS, TEN_POINTS
from rules.games.blackjack.table import Table

FREE_BET = "free-bet-blackjack"
_KEPT: dict[tuple[Rules, bool, Fraction, int], Rides] = {}


def _side(case: Case) -> str:
    return case.entry.wager.removesuffix("-in-action")


def rides_of(case: Case) -> Rides:
    table_rules, free = table_rules_of(case), case.game.name == FREE_BET
    key = (Rules.of(table_rules), free, case.pays("ride").lines["blackjack"].ratio, table_rules.decks)
    if key not in _KEPT:
        _KEPT[key] = solve(key[0], shoe(table_rules.decks), key[2], free=free, tick=case.tick)
    return _KEPT[key]


def compute(case: Case) -> Distribution:
    return count(case, rides_of(case))


def count(case: Case, rides: Rides) -> Distribution:
    """All first cards of the box and the dealer."""
    left, size = shoe(case.decks), 52 * case.decks
    chances: dict[Result, Fraction] = {}
    for (line, hand), ways in _first_hands(case).items():
        chance = Fraction(ways, size * (size - 1))
        if line is None:
            chances[LOST] = chances.get(LOST, Fraction(0)) + chance
            continue
        for up in range(1, 11):
            part = chance * Fraction(left[up] - hand.count(up), size - 2)
            for result, share in _results(case, rides, line, up, hand):
                chances[result] = chances.get(result, Fraction(0)) + part * share
    return Distribution(chances)


def _first_hands(case: Case) -> Mapping[tuple[str | None, Hand], int]:
    """Lines of the side wager with the points of the hand, by the number of deals."""
    classify = variant_of(case.game).sides[_side(case)].classify
    found: dict[tuple[str | None, Hand], int] = {}
    for box, _, ways in two_cards(case.decks):
        key = (classify(box, NO_DEALER), _points(box.first))
        found[key] = found.get(key, 0) + ways
    return found


def _points(cards: tuple[Card, ...] | list[Card]) -> Hand:
    return tuple(sorted(POINTS[card] for card in cards))


def _riding(case: Case, line: str) -> Fraction:
    """All that can stay in action: the wager and what it won."""
    return 1 + case.pays(_side(case)).lines[line].ratio


def _results(case: Case, rides: Rides, line: str, up: int, hand: Hand) -> Iterator[tuple[Result, Fraction]]:
    riding = _riding(case, line)
    ride = rides.best(up, hand, riding)
    if ride is None:
        yield _taken(line, riding), Fraction(1)
        return
    for came, chance in ride.chances.items():
        net, staked = riding * came.net + came.main_net, riding * came.units + came.main_units
        yield _in_action(line, riding, net, staked), chance


def _taken(line: str, riding: Fraction) -> Result:
    return Result(f"{line}, taken", riding - 1)


def _in_action(line: str, riding: Fraction, net: Fraction, staked: Fraction) -> Result:
    return Result(f"{line}, in action", riding - 1 + net, 1 + staked)


# ------------------------------------------------------------------------------------------------------- trials


def trial(case: Case, chance: Chance) -> Trial:
    return play_trial(case, shuffled(case, chance, case.decks), rides_of(case))


def play_trial(case: Case, cards: Iterator[Card], rides: Rides) -> Trial:
    """The round without the side wager is played out first; what that wager adds to it is compared."""
    plain, table = play(case, [Wager("main", "main", UNIT, 1)], cards, best(rides))
    box, side = table.boxes[1], _side(case)
    wager = Wager("w", side, UNIT, 1)
    line = variant_of(case.game).sides[side].classify(box, table.dealer)
    if line is None:
        return _beside(plain, replace(plain, wagers=(*plain.wagers, wager)), LOST)
    riding, hand = _riding(case, line), _points(box.first)
    ride = rides.best(table.up_card, hand, riding)
    if ride is None:
        return _beside(plain, replace(plain, wagers=(*plain.wagers, wager)), _taken(line, riding))
    net, staked = _came(case, table, ride)
    main_net = 0
    if ride.pays_double:
        # A lammer would have lost nothing; a dealer's blackjack takes no double.
        main_net = -1 if net < 0 else 0
    result = _in_action(line, riding, riding * net + main_net, riding * staked + ride.pays_double)
    return _beside(plain, _with_ride(case, plain, wager, riding, pays_double=ride.pays_double), result)


def _beside(plain: Round, whole: Round, result: Result) -> Trial:
    counts = frozenset(wager.id for wager in whole.wagers)
    return Trial(result, (whole,), counts, without=(plain,))


def _with_ride(case: Case, plain: Round, wager: Wager, riding: Fraction, *, pays_double: bool) -> Round:
    """The same cards and decisions; doubles and splits are of the main wager and the ride together."""
    more = int(riding * UNIT)
    placed = [plain.wagers[0], wager, Wager("ride", case.entry.wager, more, 1)]
    placed += [replace(other, stake=other.stake + more) for other in plain.wagers[1:]]
    decided = [Decision("leave-in-action", 1, wager="ride"), *plain.decisions]
    if pays_double:
        placed.append(Wager("paid", "double", UNIT + more, 1))
        decided[1] = replace(decided[1], kind="double", wager="paid")
    return replace(plain, wagers=tuple(placed), decisions=tuple(decided))


def _came(case: Case, table: Table, ride: Ride) -> tuple[Fraction, int]:
    """What each unit in action nets and stakes, doubles and splits included; lammers do nothing for it."""
    box, rules = table.boxes[1], RideRules.like(Rules.of(table.table_rules))
    dealer = NATURAL if table.dealer_natural else min(table.dealer.total, DEALER_OVER)
    if box.hands[0].natural:
        odds = case.pays("ride").lines["blackjack"].ratio
        return Fraction(0) if dealer == NATURAL else odds, 1
    placed = [wager.id for wager in table.round.wagers if wager.kind == "double"]
    doubled = {table.positions[name] for name in placed} | ({0} if ride.pays_double else set())
    net = staked = 0
    for hand in box.by_index:
        if hand.index and ("", hand.index) in box.lammers:
            continue
        units = 2 if hand.index in doubled else 1
        total = BUST if hand.bust else hand.total
        net += rules.net((units, total, dealer), original=hand.index == 0)
        staked += units
    return Fraction(net), staked


def best(rides: Rides) -> Policy:
    """Best play of the main wager, for free where it can be."""

    def policy(table: Table, hand: Cards) -> str:
        box, up, points = table.boxes[1], table.up_card, _points(hand.cards)
        free = "free-" if table.cites.free_double else ""
        if (
            hand.pair
            and len(box.by_index) < table.table_rules.max_hands
            and _splits(rides, up, points[0], box, hand)
        ):
            return "split" if points[0] == TEN_POINTS else f"{free}split"
        on_wager = hand.index == 0 or ("", hand.index) not in box.lammers
        action = rides.actions[on_wager, up, points]
        return f"{free}double" if action == "double" else action

    return policy


def _splits(rides: Rides, up: int, pair: int, box: Box, hand: Cards) -> bool:
    again = rides.splits.get((up, pair))
    if again is None:
        return False
    return not box.split or (again.wager if hand.index == 0 else again.lammer)


# ------------------------------------------------------------------------------------------------------ entries

_ABOUT = (
    "Of the stake of the side wager; the main wager's own money is not in it. All that was won stays in action where "
    "that gains by the first cards of the box and the dealer, else it is taken. The hand is played as is best for the "
    "main wager; what rides is doubled and split with it. Within the table's limits; no insurance, no even money."
)
_FREE = (
    " The main wager has the same stake. Free doubles and splits do nothing for what rides; a double on the first two "
    "cards is paid for where that gains more."
)
_OPTIONS: Mapping[str, tuple[Any, ...]] = {"lost-to-blackjack": ("all-but-original", "all-but-busted")}


def _shown(case: Case) -> bool:
    usual = all(case.options[name] == values[0] for name, values in case.entry.options.items())
    return usual or case.decks == case.entry.decks[0]


ENTRIES = tuple(
    EdgeEntry(
        *(game, "nz-consultation", f"{side}-in-action", compute, trial),
        slots=(side, "ride"),
        options={} if game == FREE_BET else _OPTIONS,
        shown=_shown,
        decks=(8, 6, 4),
        method=f"{EXACT}, what is won rides where that gains",
        about=_ABOUT + (_FREE if game == FREE_BET else ""),
        slow=True,
    )
    for game in ("blackjack", FREE_BET)
    for side in ("house-money", "let-it-ride")
)

NOTES = (
    "nz-consultation 2 15D, 15E (House Money, Let it Ride): taken at once they keep a quarter of the stake. Leaving in "
    "action what gains there, blackjacks above all, brings most of it back. Who played the hand for what rides and not "
    "for the main wager would gain less than 0.02% more at blackjack with six packs; that is not in the figures.",
    "nz-consultation 2 20.3, 20.8 (Free Bet Blackjack with House Money or Let it Ride): a lammer is worth the original "
    "wager and not what rides with it. A split that is paid for, though it might be free, is not considered.",
)
