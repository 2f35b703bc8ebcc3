"""What the four hold'em games share (gb-2011 11.2-11.15): the deal, what it may not be, and progressive hands."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from rules.cards import Card
from rules.contract import Decision, Round, Wager
from rules.errors import RuleError
from rules.pieces.boxes import (
    card_faults,
    decision_faults,
    hand_of,
    offer_faults,
    position_faults,
    shared_cards,
)
from rules.pieces.hands import hand_key
from rules.play import Play
from rules.ranking import best_of, describe, rank5, rank7
from rules.ranking.best import laid_out
from rules.shape import BySeat, Struct, cards

CITES = "gb-2011"
SEATS = 9

DEALT = Struct(
    required={"seats": BySeat(cards(2), about="the two hole cards of each position in the game")},
    optional={
        "board": cards(0, 5, about="flop, turn and river, as far as they were dealt"),
        "dealer": cards(2, about="the dealer's hole cards; not needed where no wager is contested"),
    },
)


def faults(round: Round) -> Iterator[RuleError]:
    """One player a position and one position a player (11.9), two hole cards each (11.10), one pack (11.3)."""
    yield from position_faults(round, f"{CITES} 11.9")
    yield from offer_faults(round)
    yield from decision_faults(round)
    yield from card_faults(round, ("board", "dealer"), hand_rule=f"{CITES} 11.10", pack_rule=f"{CITES} 11.3")


def player_value(play: Play, seat: int, board: tuple[Card, ...]) -> int:
    """The best five of a position's hole cards and the board (11.12)."""
    value = rank7((*hand_of(play, seat, 2, play.rule("11.10")), *board))
    play.say(str(seat), describe(value))
    return value


def dealer_value(play: Play, board: tuple[Card, ...]) -> int:
    value = rank7((*shared_cards(play, "dealer", 2, play.rule("11.10")), *board))
    play.say("dealer", describe(value))
    return value


def settle_progressive(
    play: Play,
    wager: Wager,
    hands: Collection[str],
    board: tuple[Card, ...],
    value: int,
    *,
    folded: bool,
    rules: tuple[str, str, str],
) -> None:
    """A wager on the best of all seven cards, whatever the dealer holds and although the hand was folded.

    `rules`: by which a hand wins, wins with the board alone, and is settled although folded.
    """
    win_rule, board_rule, fold_rule = map(play.rule, rules)
    also = (fold_rule,) if folded else ()
    key = hand_key(value)
    if key not in hands:
        play.lose(wager, win_rule, also=also)
        return
    if rank5(board) == value:
        play.hit(wager, key, board_rule, laid_out(value, board), on_board=True, folded=folded, strength=value)
    else:
        hole = hand_of(play, wager.seat, 2, win_rule)
        play.hit(wager, key, win_rule, best_of((*hole, *board))[1], folded=folded, strength=value)


def out_of_turn(
    round: Round, decision: Decision, shown: Mapping[str, Collection[int]], rule: str
) -> RuleError | None:
    """A choice made before or after its moment, or twice at the same. `shown`: how many cards of the board lie face up
    at that moment.

    Only where the round says what lies there: a terminal without a card reader knows the board at the end.
    """
    wanted = shown.get(decision.kind)
    if wanted is None or "board" not in round.dealt:
        return None
    there = len(round.dealt["board"])
    if there in wanted:
        earlier = sum(made.seat == decision.seat and made.kind == decision.kind for made in round.decisions)
        if earlier <= sum(moment < there for moment in wanted):
            return None
        text = f"seat {decision.seat} has already decided: {decision.kind}, with {there} cards on the board"
        return RuleError(text, field="decision", rule=rule)
    cards = " or ".join(map(str, sorted(wanted)))
    text = f"{decision.kind} is chosen with {cards} cards on the board, not {len(round.dealt['board'])}"
    return RuleError(text, field="decision.kind", rule=rule)
