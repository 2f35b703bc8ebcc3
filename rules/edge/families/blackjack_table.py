"""Rounds of blackjack played out for trials: one box, a shuffled shoe, and a policy that decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar, cast

from rules.cards import Card
from rules.contract import Decision, Round, Wager
from rules.declare import Game
from rules.edge.core import UNIT, Case, Chance
from rules.edge.families.blackjack_draws import shoe
from rules.edge.families.blackjack_strategy import Rules, Tick
from rules.games.blackjack.hand import Box, Hand
from rules.games.blackjack.points import ACE_POINTS, POINTS
from rules.games.blackjack.settlement import Variant
from rules.games.blackjack.table import Table, replay
from rules.games.blackjack.table_rules import TableRules

T = TypeVar("T")
Policy = Callable[[Table, Hand], str]
"""What to do with the hand whose turn it is: the name of a decision."""
ENOUGH = 60
"""Cards for one box and the dealer."""


def variant_of(game: Game) -> Variant:
    """What the game's settlement goes by."""
    return cast(Variant, cast(Any, game.settle).__self__)


def table_rules_of(case: Case) -> TableRules:
    return variant_of(case.game).table_rules(case.round([], {}))


def solved(case: Case, kept: dict[tuple[Rules, int], T], solve: Callable[[Rules, list[int], Tick], T]) -> T:
    """The best play under the rules and packs of a case, found once for all its pay tables."""
    table_rules = table_rules_of(case)
    key = (Rules.of(table_rules), table_rules.decks)
    if key not in kept:
        kept[key] = solve(key[0], shoe(table_rules.decks), case.tick)
    return kept[key]


def shuffled(case: Case, chance: Chance, packs: int) -> Iterator[Card]:
    total = 52 * packs
    return (card % 52 for card in chance.sample(range(total), min(ENOUGH, total)))


def play(
    case: Case,
    wagers: Iterable[Wager],
    shoe: Iterator[Card],
    policy: Policy,
    decisions: Sequence[Decision] = (),
) -> tuple[Round, Table]:
    """Deals and decides until nothing is missing; doubles and splits put down another `UNIT`."""
    table_rules = table_rules_of(case)
    placed, chosen = list(wagers), list(decisions)
    cards: list[Card] = []
    kept: set[int] = set()
    while True:
        round = case.round(placed, {"cards": tuple(cards)}, decisions=chosen)
        table = replay(round, table_rules)
        aces = _aces_to_split(table, kept)
        if aces is None and table.waiting is None:
            return round, table
        if aces is None and table.waiting is not None and table.waiting.field == "dealt.cards":
            cards.append(next(shoe))
            continue
        hand = aces or turn_of(table.boxes[1])
        kind, wager = policy(table, hand), ""
        if aces is not None and kind != "split":
            kept.add(aces.index)
            continue
        if kind in ("double", "split"):
            wager = f"{kind}-{len(placed)}"
            placed.append(Wager(wager, kind, UNIT, 1))
        chosen.append(Decision(kind, 1, wager=wager, hand=hand.index))


def _aces_to_split(table: Table, kept: set[int]) -> Hand | None:
    """Two aces of a split, which the table does not ask about though they may be split again."""
    table_rules, box = table.table_rules, table.boxes[1]
    if (
        not table_rules.resplit_aces
        or len(box.by_index) >= table_rules.max_hands
        or table.decision() is not None
    ):
        return None
    for hand in box.hands:
        if hand.split and hand.pair and POINTS[hand.cards[0]] == ACE_POINTS and hand.index not in kept:
            return hand
    return None


def turn_of(box: Box) -> Hand:
    return next(hand for hand in box.hands if not hand.closed and hand.total < 21)


def steady(_table: Table, hand: Hand) -> str:
    """For wagers that do not depend on how the hand is played."""
    return "hit" if hand.total < 12 else "stand"
