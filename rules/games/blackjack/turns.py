"""The players' decisions, one by one: whose turn it is, what the rulebook allows, which wager goes on which hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rules.contract import Decision, Wager
from rules.errors import RuleError
from rules.games.blackjack.hand import Box, Hand
from rules.games.blackjack.points import ACE_POINTS, POINTS, TEN_POINTS
from rules.money import format_money

if TYPE_CHECKING:
    from rules.games.blackjack.table import Table

EARLY = ("insurance", "even-money")
DOUBLES = ("double", "free-double")
SPLITS = ("split", "free-split")
RIDES = ("house-money-in-action", "let-it-ride-in-action")


class Unfinished(Exception):
    """The cards or decisions end here. Fine while a round is under way; a fault once it is to be settled."""

    def __init__(self, message: str, field: str, rule: str) -> None:
        super().__init__(message)
        self.fault = RuleError(message, field=field, rule=rule)


def early(table: Table) -> None:
    """What is chosen after the initial deal and before any further card: insurance, even money."""
    while (decision := _upcoming(table)) is not None and decision.kind in EARLY:
        box = _box_of(table, decision)
        player = _player_of(table, box, decision)
        if decision.kind == "insurance":
            _own_wager(table, decision, "insurance", player)
        else:
            _take_even_money(table, box, player, decision)
        table.decided += 1


def play_boxes(table: Table) -> None:
    for box in table.boxes.values():
        if box.two_hands:
            _offer_switch(table, box)
        place = 0
        while place < len(box.hands) and not box.withdrawn:
            _play_hand(table, box, box.hands[place])
            place += 1


def finish(table: Table) -> None:
    """Everybody has decided: what is left in the list can only be withdrawals and late rides."""
    decision = _upcoming(table)
    if decision is not None:
        raise table.refuse(f"nobody is asked to {decision.kind} any more", table.cites.turn)


def _play_hand(table: Table, box: Box, hand: Hand) -> None:
    if len(hand.cards) == 1:
        hand.add(table.draw(f"box {box.seat}"))
    _close_aces(table, box, hand)
    while not hand.closed and hand.total < 21:
        decision = _turn(table, box, hand)
        if decision is None:
            if box.absent:
                _play_absent(table, box, hand)
            return
        act = _ACTS.get(decision.kind)
        if act is None:
            raise table.refuse(
                f"it is too late, or too early, for {decision.kind}", table.cites.turn, ".kind"
            )
        act(table, box, hand, decision)
    if _is_next(table, box, hand):
        raise table.refuse(
            f"hand {hand.index} of box {box.seat} is complete with {hand.total}", table.cites.draw
        )


def _is_next(table: Table, box: Box, hand: Hand) -> bool:
    decision = _upcoming(table)
    return decision is not None and (decision.seat, decision.hand) == (box.seat, hand.index)


def _turn(table: Table, box: Box, hand: Hand) -> Decision | None:
    """The decision for this hand. None: there is none to come, the player being absent or out of the round."""
    decision = _upcoming(table)
    if box.withdrawn:
        return None
    if decision is None or decision.seat != box.seat:
        if box.absent:
            return None
        whose = f"it is the turn of box {box.seat}, hand {hand.index}, with {hand.total}"
        if decision is None:
            raise Unfinished(f"{whose}: the decision is missing", "decisions", table.cites.turn)
        raise table.refuse(whose, table.cites.turn, ".seat")
    if decision.player not in ("", box.controller):
        text = (
            f"box {box.seat} is decided by {box.controller or 'its seated player'}, not by {decision.player}"
        )
        raise table.refuse(text, table.cites.decides, ".player")
    if decision.hand != hand.index:
        raise table.refuse(f"it is the turn of hand {hand.index}", table.cites.turn, ".hand")
    box.acted = True
    return decision


def _upcoming(table: Table) -> Decision | None:
    """The next decision of play. Rides and withdrawals may come at any time and are noted on the way."""
    while (decision := table.decision()) is not None:
        if decision.kind == "leave-in-action":
            box = _box_of(table, decision)
            wager = _own_wager(table, decision, RIDES, _player_of(table, box, decision))
            if box.acted:
                table.late_rides.add(wager.id)
        elif decision.kind == "withdraw":
            if not table.irregular.dealer_omitted:
                raise table.refuse(
                    "a hand is withdrawn only when the dealer's card was omitted", table.cites.withdrawn
                )
            box = _box_of(table, decision)
            if decision.player not in ("", box.controller):
                raise table.refuse("the seated player decides", table.cites.decides, ".player")
            box.withdrawn = True
        else:
            return decision
        table.decided += 1
    return None


def _box_of(table: Table, decision: Decision) -> Box:
    box = table.boxes.get(decision.seat)
    if box is None:
        raise table.refuse(f"box {decision.seat} has no hand in this round", table.cites.turn, ".seat")
    return box


def _player_of(table: Table, box: Box, decision: Decision) -> str:
    player = decision.player or box.controller
    if player not in box.players:
        raise table.refuse(f"{player} has no wager on box {box.seat}", table.cites.decides, ".player")
    return player


def _own_wager(table: Table, decision: Decision, kinds: str | tuple[str, ...], player: str) -> Wager:
    """The wager that a decision placed."""
    wager = table.wagers.get(decision.wager)
    wanted = (kinds,) if isinstance(kinds, str) else kinds
    if wager is None or wager.kind not in wanted or (wager.seat, wager.player) != (decision.seat, player):
        text = f"{decision.wager!r} is no {' or '.join(wanted)} of {player or 'the player'} on box {decision.seat}"
        raise table.refuse(text, table.cites.turn, ".wager")
    return wager


# Before play


def _take_even_money(table: Table, box: Box, player: str, decision: Decision) -> None:
    against_ten = table.up_card == TEN_POINTS and table.table_rules.even_money_against_ten
    if table.up_card != ACE_POINTS and not against_ten:
        raise table.refuse("even money is for when the dealer shows an ace", table.cites.even_money)
    if decision.hand >= len(box.hands) or not box.by_index[decision.hand].natural:
        raise table.refuse(f"box {box.seat} has no blackjack there", table.cites.even_money, ".hand")
    box.even_money.add((player, decision.hand))


def _offer_switch(table: Table, box: Box) -> None:
    decision = _upcoming(table)
    if decision is None or decision.kind != "switch" or decision.seat != box.seat:
        return
    if decision.player not in ("", box.controller):
        raise table.refuse("the player who decides for the box switches", table.cites.decides, ".player")
    if box.even_money:
        raise table.refuse("a hand that was paid at even money is not switched", table.cites.switch)
    first, second = box.hands
    cards = first.cards[0], second.cards[1], second.cards[0], first.cards[1]
    first.renew(cards[:2])
    second.renew(cards[2:])
    first.plain = second.plain = box.switched = box.acted = True
    table.decided += 1


# Acts


def _hit(table: Table, box: Box, hand: Hand, decision: Decision) -> None:
    table.decided += 1
    hand.add(table.draw(f"box {box.seat}"))


def _stand(table: Table, box: Box, hand: Hand, decision: Decision) -> None:
    if hand.total < table.table_rules.must_draw_below:
        raise table.refuse(f"a hand of {hand.total} must draw", table.cites.must_draw)
    table.decided += 1
    hand.closed = True


def _refuse_card(table: Table, box: Box, hand: Hand, decision: Decision) -> None:
    table.has_more()
    if table.drawn not in table.irregular.exposed:
        raise table.refuse("only a card drawn in error and exposed may be refused", table.cites.exposed)
    table.decided += 1
    hand.closed = True


def _double(table: Table, box: Box, hand: Hand, decision: Decision) -> None:
    free = decision.kind == "free-double"
    if len(hand.cards) != 2:
        raise table.refuse("only the first two cards of a hand can be doubled", table.cites.double)
    if not 9 <= hand.total <= 11 and (free or not table.table_rules.double_any):
        rule = table.cites.free_double if free else table.cites.double
        raise table.refuse(f"a hand of {hand.total} is not doubled: 9, 10 or 11 is", rule)
    _put(table, box, hand, decision, box.controller, hand)
    _follow(table, box, hand, hand)
    hand.add(table.draw(f"box {box.seat}"))
    hand.closed = True


def _split(table: Table, box: Box, hand: Hand, decision: Decision) -> None:
    _may_split(table, box, hand, free=decision.kind == "free-split")
    staying = [player for player in box.players[1:] if _stands_on(table, box, player, hand)]
    new = box.split_off(hand)
    _put(table, box, hand, decision, box.controller, new)
    followed = _follow(table, box, hand, new)
    for player in staying:
        if player not in followed:
            _undecided(table, box, player)
    hand.add(table.draw(f"box {box.seat}"))
    if table.table_rules.second_cards_at_once:
        new.add(table.draw(f"box {box.seat}"))
    _close_aces(table, box, hand)


def _may_split(table: Table, box: Box, hand: Hand, *, free: bool) -> None:
    table_rules, cites = table.table_rules, table.cites
    points = POINTS[hand.cards[0]]
    if not hand.pair:
        raise table.refuse("only two cards of the same value are a pair", cites.split)
    if points in table_rules.unsplit or (free and points == TEN_POINTS):
        raise table.refuse(
            f"a pair of {points}s is not split here", cites.free_split if free else cites.split, ".kind"
        )
    if not _room(table, box):
        raise table.refuse(f"no more than {table_rules.max_hands} hands come of splitting", cites.split_limit)


def _room(table: Table, box: Box) -> bool:
    return len(box.by_index) < table.table_rules.max_hands + box.two_hands


def _close_aces(table: Table, box: Box, hand: Hand) -> None:
    """A split ace takes one card and is split no more, unless the house lets another ace be split off."""
    if not hand.split or POINTS[hand.cards[0]] != ACE_POINTS:
        return
    hand.closed = True
    if _is_next(table, box, hand):
        may_split = table.table_rules.resplit_aces and hand.pair and _room(table, box)
        if not may_split or table.decisions[table.decided].kind not in SPLITS:
            raise table.refuse("a split ace takes one card", table.cites.split_aces)
        hand.closed = False


def _play_absent(table: Table, box: Box, hand: Hand) -> None:
    while hand.hard <= 11 and hand.total < 21:
        hand.add(table.draw(f"box {box.seat}"))
    hand.closed = True


_ACTS: dict[str, Callable[[Table, Box, Hand, Decision], None]] = {
    "hit": _hit,
    "stand": _stand,
    "refuse-card": _refuse_card,
    "double": _double,
    "free-double": _double,
    "split": _split,
    "free-split": _split,
}


# The money that a decision puts down, and the other players of the box


def _put(table: Table, box: Box, hand: Hand, decision: Decision, player: str, onto: Hand) -> None:
    """Places the wager or lammer of a double or split; `onto` is the hand that it goes with."""
    if decision.kind.startswith("free-"):
        key = (player, onto.index)
        box.lammers[key] = box.lammers.get(key, 0) + 1
    else:
        wager = _own_wager(table, decision, decision.kind, player)
        if wager.id in table.positions:
            raise table.refuse(f"wager {wager.id!r} is on a hand already", table.cites.turn, ".wager")
        _check_amount(table, wager, decision)
        table.positions[wager.id] = onto.index
    table.decided += 1


def _check_amount(table: Table, wager: Wager, decision: Decision) -> None:
    """With a ride on the box, what is doubled or matched is the original wager and the ride together."""
    base = sum(
        other.stake
        for other in table.round.wagers
        if (other.seat, other.player) == (wager.seat, wager.player)
        and (other.kind == "main" or (other.kind in RIDES and other.id not in table.late_rides))
    )
    if decision.kind == "split" and wager.stake != base:
        text = f"a split of {format_money(wager.stake)} must equal the {format_money(base)} on the hand"
        raise table.refuse(text, table.cites.split_amount, ".wager")
    if decision.kind == "double" and wager.stake > base:
        text = f"a double of {format_money(wager.stake)} is more than the {format_money(base)} on the hand"
        raise table.refuse(text, table.cites.double_amount, ".wager")


def _follow(table: Table, box: Box, hand: Hand, onto: Hand) -> set[str]:
    """The elections of the other players on the box, which come right after the one of the seated player."""
    kinds = DOUBLES if onto is hand else (*SPLITS, "choose-hand")
    followed: set[str] = set()
    while (decision := _upcoming(table)) is not None:
        player = decision.player
        if decision.seat != box.seat or player in ("", box.controller) or decision.kind not in kinds:
            break
        rule = table.cites.follow_double if onto is hand else table.cites.follow_split
        if player in followed or not _stands_on(table, box, player, hand) or decision.hand != hand.index:
            raise table.refuse(f"{player} has no wager to decide about on hand {hand.index}", rule, ".player")
        followed.add(player)
        if decision.kind == "choose-hand":
            if decision.value is None:
                raise table.refuse("which of the two hands?", rule, ".value")
            if decision.value == "second":
                _move(table, box, player, hand, onto)
            table.decided += 1
        else:
            _put(table, box, hand, decision, player, onto)
    return followed


def _stands_on(table: Table, box: Box, player: str, hand: Hand) -> bool:
    return (player, hand.index) in box.lammers or any(
        table.positions.get(wager.id) == hand.index
        for wager in table.round.wagers
        if (wager.seat, wager.player) == (box.seat, player)
    )


def _move(table: Table, box: Box, player: str, hand: Hand, onto: Hand) -> None:
    for wager in table.round.wagers:
        place = (wager.seat, wager.player) == (box.seat, player)
        if place and table.positions.get(wager.id) == hand.index:
            table.positions[wager.id] = onto.index
    count = box.lammers.pop((player, hand.index), 0)
    if count:
        box.lammers[(player, onto.index)] = count


def _undecided(table: Table, box: Box, player: str) -> None:
    text = f"{player} must put a wager on the second hand of box {box.seat} or choose one of the two"
    if table.decision() is None:
        raise Unfinished(text, "decisions", table.cites.follow_split)
    raise table.refuse(text, table.cites.follow_split)
