"""Live Draw Poker (gb-2011 16): five cards for all, each holds what he likes, and one draw fills every hand.

No dealer's hand: a wager is paid "x for 1" by a table. A joker or other cards may be wild. The progressive on a royal
flush and odds that grow until won are hits; what they pay is `rules.progressive`'s (preset gb-2011-16.28).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache

from rules.cards import JACK, Card
from rules.contract import Decision, Round, Wager
from rules.declare import DecisionKind, Game, Option, WagerKind, paytable
from rules.errors import RuleError
from rules.pieces.boxes import GB_HANDS, decision_faults, settle_irregular_hands, shared_cards
from rules.pieces.hands import hand_key, pack_fault
from rules.play import Play
from rules.ranking import Category, category, deciding_ranks, describe, rank_wild
from rules.rulebooks import GB_2011
from rules.shape import Flag, ListOf, Struct, Text, cards

CITES = "gb-2011"
SEATS = 20
"""The rulebook does not say how many playing positions there are: more than any table has."""

HANDS = (
    *("royal-flush", "straight-flush", "five-of-a-kind", "four-of-a-kind", "full-house", "flush", "straight"),
    *("three-of-a-kind", "two-pairs", "jacks-or-better", "pair"),
)
"""16.11, with the two pairs that its list leaves out and its tables have."""
_PRINTED = tuple(hand for hand in HANDS if hand not in ("five-of-a-kind", "pair"))
_ODDS = {
    "table-1": (250, 50, 25, 8, 5, 4, 3, 2, 1),
    "table-2": (100, 50, 25, 8, 5, 4, 3, 2, 1),
    "table-3": (100, 50, 25, 7, 5, 4, 3, 2, 1),
}
ODDS = (
    *(
        paytable(
            "bet",
            name,
            f"{CITES} 16.31",
            {hand: f"{figure} for 1" for hand, figure in zip(_PRINTED, figures, strict=True)},
        )
        for name, figures in _ODDS.items()
    ),
    paytable(
        "bet",
        "minimum",
        f"{CITES} 16.25",
        dict.fromkeys(HANDS, "1 for 1"),
        minimum=True,
        optional=HANDS[1:],
    ),
)
"""The three printed tables are examples (16.31); 16.25 leaves the odds to the operator, so the least is the stake."""

_BELOW: dict[Category, tuple[str, ...]] = {
    Category.ROYAL_FLUSH: ("straight-flush", "flush", "straight"),
    Category.STRAIGHT_FLUSH: ("flush", "straight"),
    Category.FIVE_OF_A_KIND: ("four-of-a-kind", "full-house", "three-of-a-kind", "two-pairs"),
    Category.FOUR_OF_A_KIND: ("three-of-a-kind", "two-pairs"),
    Category.FULL_HOUSE: ("three-of-a-kind", "two-pairs"),
}
"""What else a hand is (16.23), for tables that do not pay it by its own name; pairs apart."""
_PAIRED = {
    **dict.fromkeys((Category.FIVE_OF_A_KIND, Category.FOUR_OF_A_KIND, Category.THREE_OF_A_KIND), 1),
    **dict.fromkeys((Category.FULL_HOUSE, Category.TWO_PAIRS), 2),
    Category.PAIR: 1,
}
"""How many of the deciding ranks are held at least twice."""


def final_hand(deal: Sequence[Card], held: Collection[Card], draw: Sequence[Card]) -> tuple[Card, ...]:
    """16.15-16.18: what is held, filled up with the first cards of the draw; shorter where the draw is."""
    kept = [card for card in deal if card in held]
    return (*kept, *draw[: 5 - len(kept)])


def classify(hand: Sequence[Card], wild: Collection[Card] = ()) -> tuple[str, ...]:
    """Every line that five cards make, the highest first; empty where they make none. The joker is always wild."""
    return _lines_of(rank_wild(hand, wild))


@cache
def _lines_of(value: int) -> tuple[str, ...]:
    kind = category(value)
    own = () if kind in (Category.PAIR, Category.HIGH_CARD) else (hand_key(value),)
    pairs: tuple[str, ...] = ()
    if kind in _PAIRED:
        high = any(rank >= JACK for rank in deciding_ranks(value)[: _PAIRED[kind]])
        pairs = ("jacks-or-better", "pair") if high else ("pair",)
    return (*own, *_BELOW.get(kind, ()), *pairs)


def check(round: Round) -> Iterator[RuleError]:
    yield from decision_faults(round)
    if round.options["progressive"] and "royal-flush" in round.options["growing"]:
        text = "a royal flush wins the progressive or has growing odds, not both"
        yield RuleError(text, field="options.growing", rule=f"{CITES} 16.26, 16.28")
    named = [(f"dealt.{name}", round.dealt[name]) for name in ("deal", "draw") if name in round.dealt]
    fault = pack_fault(named, rule=f"{CITES} 16.1", jokers=int(round.options["joker"]))
    if fault is not None:
        yield fault
    places, chosen = _places(round), set[_Place]()
    for index, decision in enumerate(round.decisions):
        fault = _hold_fault(round, places, chosen, decision, f"decisions[{index}]")
        if fault is not None:
            yield fault
        chosen.add((decision.seat, decision.player))


def check_decision(round: Round, decision: Decision) -> RuleError | None:
    if "draw" in round.dealt:
        return RuleError("the draw has begun", field="decision", rule=f"{CITES} 16.15")
    chosen = {(earlier.seat, earlier.player) for earlier in round.decisions}
    return _hold_fault(round, _places(round), chosen, decision, "decision")


_Place = tuple[int, str]
"""A position and who plays it."""


def _places(round: Round) -> set[_Place]:
    return {(wager.seat, wager.player) for wager in round.wagers}


def _hold_fault(
    round: Round, places: set[_Place], chosen: set[_Place], decision: Decision, field: str
) -> RuleError | None:
    """Cards are held once, of the five that were dealt, by a player with a wager on the position."""
    rule = f"{CITES} 16.14"
    place = (decision.seat, decision.player)
    if place not in places:
        return RuleError(f"{decision.player or 'the player'} has no wager there", field=field, rule=rule)
    if place in chosen:
        return RuleError(f"cards of seat {decision.seat} are held already", field=field, rule=rule)
    held, deal = decision.value or (), round.dealt.get("deal")
    if len(set(held)) != len(held) or (deal is not None and not set(held) <= set(deal)):
        return RuleError("each of the five cards dealt can be held once", field=f"{field}.value", rule=rule)
    return None


def settle(play: Play) -> None:
    settle_irregular_hands(play)
    if not play.wagers:
        return
    deal = shared_cards(play, "deal", 5, play.rule("16.13"))
    draw = play.dealt.get("draw", ())
    held = {(decision.seat, decision.player): decision.value for decision in play.round.decisions}
    for wager in play.wagers:
        hand = final_hand(deal, held.get((wager.seat, wager.player), ()), draw)
        if len(hand) < 5:
            text = f"seat {wager.seat} needs {5 - len(hand)} more cards than were drawn"
            raise RuleError(text, field="dealt.draw", rule=play.rule("16.15"))
        _settle_wager(play, wager, hand)


def _settle_wager(play: Play, wager: Wager, hand: tuple[Card, ...]) -> None:
    value = rank_wild(hand, play.options["wild"])
    play.say(f"{wager.seat} {wager.player}".rstrip(), describe(value))
    made = _lines_of(value)
    best = made[0] if made else ""
    if best in play.options["growing"]:
        play.hit(
            wager, best, play.rule("16.26"), hand, strength=value
        )  # the grown odds are "for 1" and hold the stake
        return
    line = next((key for key in made if play.pays("bet").pays(key) is not None), None)
    play.pay_or_lose(wager, "bet", line, play.rule("16.19"))
    if best == "royal-flush" and play.options["progressive"]:
        play.also_hit(wager, best, play.rule("16.28"), hand, strength=value)


GAMES = (
    Game(
        name="live-draw-poker",
        rulebook="gb-2011",
        title="Live Draw Poker",
        cites=CITES,
        provisions=GB_2011,
        seats=SEATS,
        wagers=(WagerKind("bet", f"{CITES} 16.20", many=True, slot="bet", entitles=True),),
        dealt=Struct(
            required={"deal": cards(5, joker=True, about="the five cards for all")},
            optional={
                "draw": cards(0, 5, joker=True, about="as many as the hand with the fewest held cards needs")
            },
        ),
        decisions=(
            DecisionKind(
                "hold", f"{CITES} 16.14", cards(0, 5, joker=True), about="who holds nothing draws five"
            ),
        ),
        irregularities=GB_HANDS,
        options=(
            Option("joker", Flag(), False, f"{CITES} 16.1, 16.13, 16.27", "a joker, wild, is in the pack"),
            Option("wild", cards(0, 51), (), f"{CITES} 16.12, 16.27", "other cards that are wild"),
            Option(
                "progressive",
                Flag(),
                False,
                f"{CITES} 16.28",
                "a royal flush wins the progressive besides its odds",
            ),
            Option(
                "growing",
                ListOf(Text(HANDS)),
                (),
                f"{CITES} 16.26",
                "the hands whose odds grow until won: they are paid by the meter, stake included, not by the table",
            ),
        ),
        paytables=ODDS,
        defaults={"bet": "table-1"},
        settle=settle,
        check=check,
        check_decision=check_decision,
    ),
)
