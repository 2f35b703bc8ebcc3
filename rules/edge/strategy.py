"""The play that was found, as a table: what can be chosen in every situation, what each choice is worth, and what the
wrong one costs. A play of one's own gets its figure the same way.

Worth is in units of the initial stake, with best play from there on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

from rules.cards import DECK, Card, rank_of
from rules.cards import RANKS as RANK_LETTERS
from rules.edge import stud_strategy
from rules.edge.core import Case
from rules.edge.families import casino_war, three_card
from rules.edge.families.blackjack_draws import KINDS, cards_of, shoe
from rules.edge.families.blackjack_splits import Split
from rules.edge.families.blackjack_strategy import BLACKJACK, Against, Rules, places
from rules.edge.families.blackjack_table import table_rules_of
from rules.edge.hands import classes
from rules.edge.holdem.play import name_of, ways_of
from rules.edge.holdem.solved import CHOICES, MOMENTS, SOLVERS, solution_of
from rules.edge.holdem.sorts import Sorts
from rules.edge.situations import Situation, by_sort
from rules.errors import RuleError
from rules.games.blackjack.points import ACE_POINTS, score
from rules.ranking import describe, rank3

ALWAYS = "always="


def _holdem(case: Case) -> Iterable[Situation]:
    """Before the flop, the best hands first."""
    opening = solution_of(case).opening
    found = [Situation(name, Fraction(ways_of(name), 1326), worth) for name, worth in opening.items()]
    return sorted(found, key=lambda one: -max(one.worth.values()))


def _three_card(case: Case) -> Iterable[Situation]:
    """By the value of three cards, the lowest first. Hands of one value differ by suits, and by them alone."""
    gained: dict[int, Fraction] = {}
    hands: dict[int, int] = {}
    for hand, ways in classes(3):
        value = rank3(hand)
        ends = three_card.contests(hand)
        total = sum((n * three_card.result(case, value, c).net for c, n in ends.items()), Fraction(0))
        gained[value] = gained.get(value, Fraction(0)) + ways * total / sum(ends.values())
        hands[value] = hands.get(value, 0) + ways
    for value, ways in sorted(hands.items()):
        worth = {"play": gained[value] / ways, "fold": three_card.FOLD.net}
        yield Situation(describe(value), Fraction(ways, 22_100), worth)


def _war(case: Case) -> Iterable[Situation]:
    for tied in casino_war.RANKS:
        ways = casino_war.seconds(case, tied)
        gained = sum(
            (n * casino_war.war_result(case, (tied, tied), second).net for second, n in ways.items()),
            Fraction(0),
        )
        firsts = casino_war.firsts(case)
        yield Situation(
            f"a tie of {RANK_LETTERS[rank_of(tied) - 2]}",
            Fraction(firsts[tied, tied], sum(firsts.values())),
            {"war": gained / sum(ways.values()), "surrender": casino_war.SURRENDER.net},
        )


def _points(points: int) -> str:
    return "A" if points == ACE_POINTS else str(points)


def _blackjack(case: Case) -> Iterable[Situation]:
    """The first two cards against each first card of the dealer: hand by hand, the dealer's ace last."""
    table_rules = table_rules_of(case)
    rules, left = Rules.of(table_rules), shoe(table_rules.decks)
    found: dict[tuple[int, int], list[Situation]] = {}
    for up in (*KINDS[1:], ACE_POINTS):
        against = Against(rules, left, up)
        against.solve(lambda: None)
        case.tick(up, len(KINDS))
        for hand in combinations_with_replacement(KINDS, 2):
            first, second = hand
            ways = against.left[first] * (against.left[second] - (first == second)) * (2 - (first == second))
            if hand != BLACKJACK and ways > 0:
                chance = Fraction(left[up] * ways, sum(left) * against.size * (against.size - 1))
                name = f"{_held(hand)} against {_points(up)}"
                found.setdefault(hand, []).append(Situation(name, chance, _worth(against, hand)))
    return [one for alike in found.values() for one in alike]


def _held(hand: tuple[int, ...]) -> str:
    total, soft = score(cards_of(hand))
    cards = "-".join(_points(points) for points in sorted(hand, key=lambda p: (p != ACE_POINTS, -p)))
    return f"{cards} ({'soft ' if soft else ''}{total})"


def _worth(against: Against, hand: tuple[int, int]) -> dict[str, Fraction]:
    """Where the dealer looks for a blackjack first, what that loses is lost by every choice alike."""
    rules, all_ways = against.rules, against.drawn(2)
    before = Fraction(against.naturals(hand), all_ways) if rules.peek else Fraction(0)
    found = {
        choice: Fraction(value, all_ways) - before
        for choice, value in against.choices(places()[hand]).items()
    }
    if hand[0] == hand[1] and hand[0] not in rules.unsplit:
        found = {"split": Split(against, hand[0]).value - before, **found}
    return found


_OPENINGS: Mapping[tuple[str, str], Callable[[Case], Iterable[Situation]]] = {
    ("ultimate-texas-holdem", "ante"): _holdem,
    ("texas-holdem-bonus", "ante"): _holdem,
    ("three-card-poker", "ante"): _three_card,
    ("casino-war", "bet"): _war,
    ("blackjack", "main"): _blackjack,
}
_BY_SORT: Mapping[tuple[str, str], Callable[[Case], Iterable[Situation]]] = {
    ("let-it-ride", "bet-3"): stud_strategy.ride,
    ("double-down-stud", "original"): stud_strategy.double,
    ("big-raise-stud", "ante"): stud_strategy.big_raise,
    ("mississippi-stud", "ante"): stud_strategy.mississippi,
    ("casino-stud", "ante"): stud_strategy.stud,
    ("caribbean-stud", "ante"): stud_strategy.stud,
    ("crazy-four", "ante"): stud_strategy.crazy,
    ("double-chance", "wager"): stud_strategy.sixth_card,
}
"""Tables of so many situations that they are put together by sort."""
_LATER = {("mississippi-stud", "ante")}
"""Games in which what is chosen first decides what is chosen later."""


def _tables() -> list[tuple[str, str]]:
    return [*_OPENINGS, *_BY_SORT, *((game, "ante") for game in SOLVERS if (game, "ante") not in _OPENINGS)]


def has_table(game: str, wager: str) -> bool:
    """Is there a table of decisions for this wager?"""
    return (game, wager) in _tables()


def situations(case: Case) -> list[Situation]:
    """All decisions of a wager that have a table of their own; a RuleError where there is none. Hold'em games that ask
    nothing before the flop have no such decision: see `on_the_flop`."""
    wanted = (case.game.name, case.entry.wager)
    if wanted in _OPENINGS:
        return list(_OPENINGS[wanted](case))
    if wanted in _BY_SORT:
        return by_sort(list(_BY_SORT[wanted](case)))
    if wanted in _tables():
        return []
    known = ", ".join(f"{game} {wager}" for game, wager in _tables())
    text = f"there is no table of decisions for {case.entry.wager}; there is one for {known}"
    raise RuleError(text, field="strategy")


def has_flop(case: Case) -> bool:
    return case.game.name in SOLVERS and case.entry.wager == "ante"


def on_the_flop(case: Case) -> Sorts:
    """Hold'em: sorts of situations on the flop; nothing for other games, nor where what is kept is without them."""
    return solution_of(case).flop if has_flop(case) else {}


def first_decisions(case: Case) -> list[Situation]:
    """Those whose costs add up, because none of them decides whether another comes."""
    found = situations(case)
    if not found:
        text = "nothing is chosen before the flop; --show-strategy tells what sorts of hands on it cost"
        raise RuleError(text, field="strategy")
    if (case.game.name, case.entry.wager) in _LATER:
        return [one for one in found if one.moment == found[0].moment]
    return found


def advice(case: Case, hand: Sequence[Card], board: Sequence[Card]) -> dict[str, Fraction]:
    """Hold'em: what can be chosen with these two cards and this board, and what it is worth, in antes."""
    if case.game.name not in CHOICES or case.entry.wager != "ante":
        raise RuleError("a hand and a board are for the antes of the hold'em games", field="hand")
    if len(hand) != 2 or len({*hand, *board}) != 2 + len(board) or not {*hand, *board} <= set(DECK):
        raise RuleError("two cards, and a board of other cards", field="hand")
    if not board and (case.game.name, "ante") in _OPENINGS:
        return dict(solution_of(case).opening[name_of(*hand)])
    moments = MOMENTS[case.game.name]
    if len(board) not in moments:
        text = (
            f"something is chosen with {' or '.join(map(str, moments))} cards on the board, not {len(board)}"
        )
        raise RuleError(text, field="board")
    return CHOICES[case.game.name](case, hand, board)


def cost_of_play(found: Sequence[Situation], chosen: object) -> Fraction:
    """What a play of one's own loses against the best, of every initial stake.

    `chosen`: 'always=CHOICE', which is taken wherever it can be; or situation → choice, the others played for the best.
    """
    if isinstance(chosen, str) and chosen.startswith(ALWAYS):
        choice = chosen.removeprefix(ALWAYS)
        if not any(choice in one.worth for one in found):
            known = dict.fromkeys(name for one in found for name in one.worth)
            raise RuleError(f"{choice!r} cannot be chosen; there is {', '.join(known)}", field="strategy")
        return sum((one.chance * one.cost(choice) for one in found if choice in one.worth), Fraction(0))
    return _cost_by_name({one.name: one for one in found}, chosen)


def _cost_by_name(by_name: Mapping[str, Situation], chosen: Any) -> Fraction:
    if not isinstance(chosen, Mapping):
        raise RuleError("a play is an object of situation → choice", field="strategy")
    lost = Fraction(0)
    for name, choice in chosen.items():
        one = by_name.get(name)
        if one is None:
            near = get_close_matches(str(name), by_name, n=3) or list(by_name)[:3]
            raise RuleError(f"{name!r} is no situation; there is {', '.join(near)}", field="strategy")
        if choice not in one.worth:
            raise RuleError(f"{choice!r}: with {name} there is {', '.join(one.worth)}", field="strategy")
        lost += one.chance * one.cost(choice)
    return lost
