"""Pai Gow Poker at the table (gb-2011 13): who set what, who is paid, fouls, commission, envy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from rules.cards import Card
from rules.contract import Decision, Round, Wager
from rules.declare import paytable
from rules.errors import RuleError
from rules.games.pai_gow_poker.fortune import (
    ENVY_HANDS,
    classify_fortune,
    classify_jokolor,
    has_ceiling,
)
from rules.games.pai_gow_poker.house_way import Setting, house_way, set_hands
from rules.money import dollars
from rules.odds import to_one
from rules.pieces.boxes import (
    card_faults,
    decision_faults,
    hand_of,
    position_faults,
    settle_irregular_hands,
    shared_cards,
)
from rules.pieces.choices import already_chosen
from rules.pieces.showdown import Contest
from rules.play import Play
from rules.ranking import describe

CITES = "gb-2011"
CHOICES = ("set", "house-way")
SIDE_WAGERS = {"fortune": "13.29", "jokolor": "13.47"}

STANDARD_ODDS = paytable("standard", "standard", f"{CITES} 13.26", {"win": "1 to 1"})
_NOTHING = to_one(0)


def classify_standard(player: Setting, dealer: Setting) -> Contest:
    """13.22-13.26: a win needs both hands, equal hands are the dealer's, one of two is a stand off."""
    won = (player.high_value > dealer.high_value) + (player.low_value > dealer.low_value)
    return (Contest.LOSE, Contest.TIE, Contest.WIN)[won]


def check(round: Round) -> Iterator[RuleError]:
    yield from position_faults(round, f"{CITES} 13.10")
    for index, wager in enumerate(round.wagers):
        if wager.kind in SIDE_WAGERS and wager.kind != round.options["side-wager"]:
            text = f"this table does not offer {wager.kind}: {round.options['side-wager']} is its side wager"
            yield RuleError(text, field=f"wagers[{index}].kind", rule=f"{CITES} 13.12")
    yield from decision_faults(round)
    yield from card_faults(
        round, ("dealer",), hand_rule=f"{CITES} 13.17", pack_rule=f"{CITES} 13.2", jokers=1
    )
    chosen: set[int] = set()
    for index, decision in enumerate(round.decisions):
        if decision.seat in chosen:
            text = f"seat {decision.seat} has already set its hands"
            yield RuleError(text, field=f"decisions[{index}]", rule=f"{CITES} 13.18")
        chosen.add(decision.seat)
        fault = _low_fault(round, decision, f"decisions[{index}].value")
        if fault is not None:
            yield fault


def check_decision(round: Round, decision: Decision) -> RuleError | None:
    return already_chosen(round, decision, CHOICES, f"{CITES} 13.18") or _low_fault(
        round, decision, "decision.value"
    )


def _low_fault(round: Round, decision: Decision, field: str) -> RuleError | None:
    """Two cards of the seat's own seven; unknown while the cards are not."""
    hand = round.dealt.get("seats", {}).get(decision.seat)
    if decision.kind != "set" or decision.value is None or hand is None:
        return None
    if len(decision.value) != 2 or len(set(decision.value) & set(hand)) != 2:
        text = f"the low hand is two of the seven cards of seat {decision.seat}"
        return RuleError(text, field=field, rule=f"{CITES} 13.18")
    return None


def settle(play: Play) -> None:
    settle_irregular_hands(play)
    seats = play.by_seat()
    if not seats:
        return
    dealer = house_way(shared_cards(play, "dealer", 7, play.rule("13.17")))
    _say(play, "dealer", dealer)
    hands = {seat: hand_of(play, seat, 7, play.rule("13.17")) for seat in seats}
    chosen = {decision.seat: decision for decision in play.round.decisions}
    fortunes: dict[int, str | None] = {}
    if any(wager.kind == "fortune" for wager in play.wagers):
        fortunes = {seat: classify_fortune(hand) for seat, hand in hands.items()}
    for seat, wagers in seats.items():
        for wager in wagers:
            if wager.kind == "standard":
                _settle_standard(play, wager, hands[seat], chosen.get(seat), dealer)
            elif wager.kind == "fortune":
                _settle_fortune(play, wager, fortunes)
            else:
                key = classify_jokolor(hands[seat])
                play.pay_or_lose(wager, "jokolor", key, play.rule("13.51" if key else "13.52"))


def _settle_standard(
    play: Play, wager: Wager, hand: tuple[Card, ...], choice: Decision | None, dealer: Setting
) -> None:
    if choice is None:
        text = f"seat {wager.seat} has not set its hands: send 'set' with the low hand, or 'house-way'"
        raise RuleError(text, field="decisions", rule=play.rule("13.18"))
    also: tuple[str, ...] = ()
    player = set_hands(hand, choice.value) if choice.kind == "set" else house_way(hand)
    if player.is_foul:
        if play.options["foul"] == "loses":
            _say(play, str(wager.seat), player, "foul: ")
            play.lose(wager, play.rule("13.19(a)"))
            return
        player = house_way(hand)
        also = (play.rule("13.19(b)"),)
    _say(play, str(wager.seat), player)
    if player.high_value == dealer.high_value or player.low_value == dealer.low_value:
        also = (*also, play.rule("13.25"))
    match classify_standard(player, dealer):
        case Contest.WIN:
            odds = play.pays("standard").lines["win"]
            commission = odds.winnings(play.in_play(wager)) * Fraction(
                play.options["commission-percent"], 100
            )
            play.win(wager, odds, play.rule("13.26"), commission=commission, also=also)
        case Contest.LOSE:
            play.lose(wager, play.rule("13.24"), also=also)
        case _:
            play.push(wager, play.rule("13.23"), also=also)


def _settle_fortune(play: Play, wager: Wager, fortunes: Mapping[int, str | None]) -> None:
    """`fortunes`: the line of 13.36 that each seat holds, with or without a Fortune wager of its own."""
    key = fortunes[wager.seat]
    odds = None if key is None else play.pays("fortune").pays(key)
    envied = [line for seat, line in fortunes.items() if seat != wager.seat and line in ENVY_HANDS]
    if play.in_play(wager) < play.options["envy-qualifying-amount"]:
        envied = []
    amounts = play.pays("envy").lines
    envy = sum(int(amounts[line].winnings(dollars(1))) for line in envied if line)
    envy_rule = play.rule("13.43" if len(envied) == 1 else "13.44")
    if odds is None and envy:  # the stake is lost and the bonus paid all the same
        excess = wager.stake - play.in_play(wager)
        play.win(wager, _NOTHING, envy_rule, returned=excess, plus=envy, also=(play.rule("13.35"),))
    elif odds is None:
        play.lose(wager, play.rule("13.35"))
    elif odds.ratio == 0 and not envy:
        play.push(wager, play.rule("13.36"))
    else:
        line = key if key is not None and has_ceiling(key, odds) else "no ceiling"
        play.win(wager, odds, play.rule("13.36"), line=line, plus=envy, also=(envy_rule,) if envy else ())


def _say(play: Play, who: str, hands: Setting, before: str = "") -> None:
    way = f" ({hands.line})" if hands.line else ""
    play.say(who, f"{before}{describe(hands.high_value)} / {describe(hands.low_value)}{way}")
