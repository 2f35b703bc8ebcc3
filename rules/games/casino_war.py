"""Casino War (gb-2011 17): one card against the dealer's, a war or a surrender on a tie, and a bet on the tie itself.

Up to three players bet on a box and share its cards; each goes to war or surrenders for himself.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules.cards import rank_name, rank_of
from rules.contract import Decision, Round, Wager
from rules.declare import DecisionKind, Game, Option, WagerKind, paytable, times
from rules.errors import RuleError
from rules.money import CENT, rounded_up
from rules.pieces.boxes import GB_HANDS, settle_irregular_hands
from rules.pieces.hands import pack_fault
from rules.play import Play
from rules.rulebooks import GB_2011, INVALIDATED
from rules.shape import BySeat, Int, Struct, cards

CITES = "gb-2011"
BOXES = 9
"""The rulebook sets no number of boxes: more than any layout has."""
PLAYERS_PER_BOX = 3


def compare(card: int, dealer: int) -> str:
    """'higher', 'same' or 'lower', by value alone; an ace is high."""
    ours, theirs = rank_of(card), rank_of(dealer)
    return "higher" if ours > theirs else "same" if ours == theirs else "lower"


def check(round: Round) -> Iterator[RuleError]:
    yield from _box_faults(round)
    if any(i.kind == INVALIDATED for i in round.irregularities):
        return
    yield from _card_faults(round)
    for index, wager in enumerate(round.wagers):
        if wager.kind == "war" and _tied(round, wager.seat) is False:
            text = "only a tie of the first cards goes to war"
            yield RuleError(text, field=f"wagers[{index}]", rule=f"{CITES} 17.5")
    for index, decision in enumerate(round.decisions):
        found = _decision_fault(round, decision)
        if found is not None:
            yield RuleError(found.message, field=f"decisions[{index}]", rule=found.rule)


def check_decision(round: Round, decision: Decision) -> RuleError | None:
    for earlier in round.decisions:
        if (earlier.seat, earlier.player) == (decision.seat, decision.player):
            return RuleError(f"has already chosen: {earlier.kind}", field="decision", rule=f"{CITES} 17.5")
    return _decision_fault(round, decision)


def _decision_fault(round: Round, decision: Decision) -> RuleError | None:
    owner, rule = (decision.seat, decision.player), f"{CITES} 17.5"
    kinds = {wager.kind for wager in round.wagers if (wager.seat, wager.player) == owner}
    if "bet" not in kinds:
        return RuleError("the player has no wager on this box", field="decision", rule=rule)
    if _tied(round, decision.seat) is False:
        return RuleError("the first cards are not tied", field="decision", rule=rule)
    if decision.kind == "surrender" and "war" in kinds:
        return RuleError("who surrenders does not go to war", field="decision", rule=rule)
    return None


def _box_faults(round: Round) -> Iterator[RuleError]:
    players: dict[int, set[str]] = {}
    for index, wager in enumerate(round.wagers):
        if wager.kind != "bet":
            continue
        box = players.setdefault(wager.seat, set())
        box.add(wager.player)
        if len(box) > PLAYERS_PER_BOX:
            text = f"no more than {PLAYERS_PER_BOX} players on box {wager.seat}"
            yield RuleError(text, field=f"wagers[{index}]", rule=f"{CITES} 17.3")


def _card_faults(round: Round) -> Iterator[RuleError]:
    """Cards for boxes with a bet, second cards where there is war, none that the decks cannot give."""
    hands, dealer = round.dealt.get("seats", {}), round.dealt.get("dealer", ())
    boxes = {wager.seat for wager in round.wagers if wager.kind == "bet"}
    boxes |= {i.seat for i in round.irregularities if i.kind == "void-hand"}
    wars = {wager.seat for wager in round.wagers if wager.kind == "war"}
    for seat, hand in hands.items():
        if seat not in boxes:
            text = f"box {seat} has a card but no wager"
            yield RuleError(text, field=f"dealt.seats.{seat}", rule=f"{CITES} 17.3")
        if len(hand) > 1 and seat not in wars:
            text = f"box {seat} has a second card but nobody there goes to war"
            yield RuleError(text, field=f"dealt.seats.{seat}", rule=f"{CITES} 17.5")
    if len(dealer) > 1 and not wars:
        text = "a second card for the dealer but nobody goes to war"
        yield RuleError(text, field="dealt.dealer", rule=f"{CITES} 17.5")
    named = [(f"dealt.seats.{seat}", hand) for seat, hand in hands.items()]
    decks: int = round.options["decks"]
    fault = pack_fault([*named, ("dealt.dealer", dealer)], rule=f"{CITES} 17.2", decks=decks)
    if fault is not None:
        yield fault


def _tied(round: Round, seat: int) -> bool | None:
    """Are the first cards of box and dealer tied? None: not known yet."""
    hand, dealer = round.dealt.get("seats", {}).get(seat), round.dealt.get("dealer")
    if not hand or not dealer:
        return None
    return compare(hand[0], dealer[0]) == "same"


def settle(play: Play) -> None:
    settle_irregular_hands(play)
    surrenders = {(d.seat, d.player) for d in play.round.decisions if d.kind == "surrender"}
    wars = {(wager.seat, wager.player) for wager in play.of_kind("war")}
    for wager in play.wagers:
        box, dealer = _card(play, wager.seat, 0), _card(play, 0, 0)
        first = compare(box, dealer)
        owner = (wager.seat, wager.player)
        if wager.kind == "tie":
            play.pay_or_lose(wager, "tie", "win" if first == "same" else None, play.rule("17.9"))
        elif wager.kind == "war":
            second = compare(_card(play, wager.seat, 1), _card(play, 0, 1))
            rule = {"same": "17.7", "higher": "17.8", "lower": "17.5"}[second]
            play.pay_or_lose(wager, "war", second if second != "lower" else None, play.rule(rule))
        elif first == "higher":
            play.pay_or_lose(wager, "bet", first, play.rule("17.6"))
        elif first == "lower":
            play.lose(wager, play.rule("17.4"))
        elif owner in surrenders:
            unit = max(play.round.limits.chip, CENT)
            half = min(rounded_up(-(-play.in_play(wager) // 2), unit), play.in_play(wager))
            play.lose(wager, play.rule("17.5"), returned=half)
        elif owner in wars:
            _settle_at_war(play, wager)
        else:
            text = "the first cards are tied: the player goes to war or surrenders"
            raise RuleError(text, field=f"decisions.{wager.seat}", rule=play.rule("17.5"))
    for seat, hand in play.dealt.get("seats", {}).items():
        play.say(str(seat), rank_name(rank_of(hand[0])) if hand else "")
    if play.dealt.get("dealer"):
        play.say("dealer", rank_name(rank_of(play.dealt["dealer"][0])))


def _settle_at_war(play: Play, wager: Wager) -> None:
    """The original wager only comes back from a war that is won, and is lost with the other."""
    if compare(_card(play, wager.seat, 1), _card(play, 0, 1)) == "lower":
        play.lose(wager, play.rule("17.5"))
    else:
        play.push(wager, play.rule("17.5"))


def _card(play: Play, seat: int, place: int) -> int:
    """The first or second card of a box, or of the dealer (seat 0)."""
    hand = play.dealt.get("seats", {}).get(seat, ()) if seat else play.dealt.get("dealer", ())
    if len(hand) <= place:
        field = f"dealt.seats.{seat}" if seat else "dealt.dealer"
        number = ("first", "second")[place]
        raise RuleError(f"the {number} card is missing", field=field, rule=play.rule("17.5"))
    card: int = hand[place]
    return card


GAMES = (
    Game(
        name="casino-war",
        rulebook="gb-2011",
        title="Casino War",
        cites=CITES,
        provisions=GB_2011,
        seats=BOXES,
        stages=("start", "war"),
        wagers=(
            WagerKind(
                "bet", f"{CITES} 17.2", shared_maximum=f"{CITES} 17.3", slot="bet", about="the original wager"
            ),
            WagerKind("tie", f"{CITES} 17.2", needs=("bet",), shared_maximum=f"{CITES} 17.3", slot="tie"),
            WagerKind(
                "war",
                f"{CITES} 17.5",
                stage="war",
                needs=("bet",),
                amount=times("bet"),
                slot="war",
                about="Go to War",
            ),
        ),
        dealt=Struct({"dealer": cards(1, 2), "seats": BySeat(cards(1, 2), about="the cards of each box")}),
        decisions=(
            DecisionKind("war", f"{CITES} 17.5", wager="war"),
            DecisionKind("surrender", f"{CITES} 17.5", about="half of the original wager is lost"),
        ),
        irregularities=GB_HANDS,
        options=(Option("decks", Int(1, 8), 6, f"{CITES} 17.2"),),
        paytables=(
            paytable("bet", "standard", f"{CITES} 17.6", {"higher": "1 to 1"}),
            paytable("war", "standard", f"{CITES} 17.7-17.8", {"same": "1 to 1", "higher": "1 to 1"}),
            paytable("tie", "standard", f"{CITES} 17.9", {"win": "10 to 1"}),
        ),
        settle=settle,
        check=check,
        check_decision=check_decision,
    ),
)
