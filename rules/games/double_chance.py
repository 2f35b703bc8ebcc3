"""Double Chance (nsw-double-chance): five cards; a hand of two pairs or better, or the dead hand, is declared and
paid; any other gives up two to four cards and wins if a sixth card is lower than one kept card of its suit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rules.cards import Card, cards_text, rank_of, suit_of
from rules.contract import Decision, Irregularity, Round, Wager
from rules.declare import DecisionKind, Game, IrregularityKind, Option, WagerKind, paytable
from rules.errors import RuleError
from rules.pieces.boxes import decision_faults, hand_of, position_faults, unnamed_faults
from rules.pieces.choices import once_faults
from rules.pieces.hands import hand_key, pack_fault
from rules.play import Play
from rules.ranking import Category, at_least, describe, rank5
from rules.rulebooks import NSW_DOUBLE_CHANCE
from rules.shape import BySeat, CardShape, Struct, Text, cards

CITES = "nsw-double-chance"
SEATS = 7
DEAD_HAND = "dead-hand"
JACKPOT_HANDS = (
    *("royal-flush", "straight-flush", "four-of-a-kind", "full-house", "flush", "straight"),
    DEAD_HAND,
)
"""10.4"""
VOID_ROUNDS = {
    "misdeal": ("12.3", "the cards were dealt or exposed wrongly: all wagers are void"),
    "deck-fault": ("12.8.2", "a card is missing or foreign: the round is void"),
    "shuffler-failed": ("13.2.1", "the shuffling device failed during the round: it is void"),
}
VOID_HANDS = {
    "wrong-number-of-cards": ("12.5", "the hand has too few or too many cards: void"),
    "absent": ("12.12", "nobody there to decide: void, wager and jackpot wager are returned"),
}


def _cite(number: str) -> str:
    return f"{CITES} {number}"


DECLARED_ODDS = paytable(
    "declared",
    "standard",
    _cite("9.1"),
    {
        DEAD_HAND: "1 to 1",
        "two-pairs": "1 to 1",
        "three-of-a-kind": "1 to 1",
        "straight": "2 to 1",
        "flush": "4 to 1",
        "full-house": "6 to 1",
        "four-of-a-kind": "20 to 1",
        "straight-flush": "50 to 1",
        "royal-flush": "200 to 1",
    },
)
SIXTH_ODDS = paytable("sixth", "standard", _cite("9.3"), {"lower-in-suit": "1 to 1"})


def classify_declared(hand: Sequence[Card]) -> str | None:
    """11.1: the hand that may be declared, or None."""
    value = rank5(hand)
    if at_least(value, Category.TWO_PAIRS):
        return hand_key(value)
    return DEAD_HAND if _is_dead(hand) else None


def _is_dead(hand: Sequence[Card]) -> bool:
    """11.1.9: two to five of one suit and another two."""
    if sorted(rank_of(card) for card in hand) != [2, 2, 3, 4, 5]:
        return False
    suits = {suit_of(card) for card in hand if rank_of(card) > 2}
    return len(suits) == 1 and any(rank_of(card) == 2 and suit_of(card) in suits for card in hand)


def classify_jackpot(hand: Sequence[Card]) -> str | None:
    """10.4: the hand that wins a jackpot prize."""
    key = classify_declared(hand)
    return key if key in JACKPOT_HANDS else None


def classify_sixth(kept: Sequence[Card], sixth: Card) -> str:
    """9.3-9.5: the sixth card against those that the player kept; only the first of the names wins."""
    suited = [card for card in kept if suit_of(card) == suit_of(sixth)]
    if any(rank_of(card) > rank_of(sixth) for card in suited):
        return "lower-in-suit"
    return "higher-in-suit" if suited else "other-suit"


_SIXTH_RULES = {"lower-in-suit": "9.3", "higher-in-suit": "9.4", "other-suit": "9.5"}


def check(round: Round) -> Iterator[RuleError]:
    yield from position_faults(round, _cite("5.4"))
    yield from decision_faults(round)
    yield from once_faults(round, ("declare",), _cite("8.3"))
    yield from unnamed_faults(round, *VOID_HANDS, "sixth-card-in-error")
    if any(i.kind in VOID_ROUNDS for i in round.irregularities):
        return
    seats = {wager.seat for wager in round.wagers if wager.kind == "wager"}
    touched = {i.seat for i in round.irregularities}
    hands: Mapping[int, Sequence[Card]] = round.dealt.get("seats", {})
    sixth: Mapping[int, Card] = round.dealt.get("sixth", {})
    for name, held in (("seats", hands), ("sixth", sixth)):
        for seat in sorted(set(held) - seats - touched):
            text = f"seat {seat} has cards but no wager"
            yield RuleError(text, field=f"dealt.{name}.{seat}", rule=_cite("7.3.1"))
    named = [(f"dealt.seats.{seat}", hand) for seat, hand in hands.items()]
    named += [(f"dealt.sixth.{seat}", (card,)) for seat, card in sixth.items()]
    fault = pack_fault(named, rule=_cite("3.1"))
    if fault is not None:
        yield fault
        return
    for seat, given in _discards(round.decisions).items():
        hand = hands.get(seat)
        if len(set(given)) != len(given) or (hand is not None and not set(given) <= set(hand)):
            text = f"seat {seat} does not hold {cards_text(given)}"
            yield RuleError(text, field="decisions.discard", rule=_cite("8.4"))
        elif len(given) > 4:
            text = f"seat {seat} keeps at least one card"
            yield RuleError(text, field="decisions.discard", rule=_cite("8.4"))


def _discards(decisions: Sequence[Decision]) -> dict[int, tuple[Card, ...]]:
    """All cards that each seat gave up, those asked for afterwards included (12.6, 12.7)."""
    given: dict[int, tuple[Card, ...]] = {}
    for decision in decisions:
        if decision.kind == "discard" and decision.value is not None:
            given[decision.seat] = given.get(decision.seat, ()) + tuple(decision.value)
    return given


def check_decision(round: Round, decision: Decision) -> RuleError | None:
    """A hand is declared before anything is given up, and only one that the rulebook lists (8.3, 8.5, 11.1)."""
    earlier = {d.kind for d in round.decisions if d.seat == decision.seat}
    hand = round.dealt.get("seats", {}).get(decision.seat, ())
    known = len(hand) == 5
    if decision.kind == "declare":
        if earlier:
            text = f"seat {decision.seat} has already chosen: {', '.join(sorted(earlier))}"
            return RuleError(text, field="decision", rule=_cite("8.5"))
        if known and classify_declared(hand) is None:
            return RuleError(
                f"{describe(rank5(hand))} cannot be declared: two to four cards are to be discarded",
                field="decision",
                rule=_cite("12.6"),
            )
        return None
    if known and classify_declared(hand) is not None:
        text = f"seat {decision.seat} holds a hand that is to be declared"
        return RuleError(text, field="decision", rule=_cite("8.3"))
    given = _discards((*round.decisions, decision)).get(decision.seat, ())
    if len(given) > 4:
        return RuleError("at least one card is kept", field="decision.value", rule=_cite("8.4"))
    return None


def settle(play: Play) -> None:
    for irregularity in play.round.irregularities:
        _settle_irregular(play, irregularity)
    for seat, wagers in play.by_seat().items():
        _settle_seat(play, seat, {wager.kind: wager for wager in wagers})


def _settle_irregular(play: Play, irregularity: Irregularity) -> None:
    if irregularity.kind in VOID_ROUNDS:
        play.void_all(_cite(VOID_ROUNDS[irregularity.kind][0]))
    elif irregularity.kind in VOID_HANDS:
        rule = _cite(VOID_HANDS[irregularity.kind][0])
        play.void_all(rule, [w for w in play.wagers if w.seat == irregularity.seat])


def _settle_seat(play: Play, seat: int, wagers: Mapping[str, Wager]) -> None:
    wager, jackpot = wagers.get("wager"), wagers.get("jackpot")
    if wager is None:  # void for a reason of its own: nothing stands without it
        play.void_all(_cite("10.1"), wagers.values())
        return
    hand = hand_of(play, seat, 5, _cite("7.3"))
    given = _discards(play.round.decisions).get(seat, ())
    declares = any(d.kind == "declare" and d.seat == seat for d in play.round.decisions)
    key = classify_declared(hand) if declares else None
    if declares and key is None and not given:
        text = f"seat {seat} cannot declare {describe(rank5(hand))}: two to four cards are to be discarded"
        raise RuleError(text, field="decisions", rule=_cite("12.6"))
    if key is not None and given:
        text = f"seat {seat} declares its hand and keeps all of its cards"
        raise RuleError(text, field="decisions", rule=_cite("8.3"))
    if key is not None:
        _settle_declared(play, seat, wager, hand, key)
    else:
        also = (_cite("12.6"),) if declares else ()
        _settle_sixth(play, seat, wager, [card for card in hand if card not in given], also)
    if jackpot is not None:
        counts = key is not None or play.options["jackpot-hand"] == "dealt"
        trigger = classify_jackpot(hand) if counts else None
        if trigger is not None:
            play.hit(jackpot, trigger, _cite("10.4"), hand, strength=rank5(hand))
        else:
            play.lose(jackpot, _cite("9.6"))


def _settle_declared(play: Play, seat: int, wager: Wager, hand: Sequence[Card], key: str) -> None:
    play.say(str(seat), "dead hand" if key == DEAD_HAND else describe(rank5(hand)))
    extra = play.dealt.get("sixth", {}).get(seat)
    burned = play.irregularity("sixth-card-in-error", seat) is not None
    if extra is not None and not burned:
        text = f"seat {seat} declared its hand and gets no sixth card"
        raise RuleError(text, field=f"dealt.sixth.{seat}", rule=_cite("12.10"))
    play.pay_or_lose(wager, "declared", key, _cite("9.1"), also=(_cite("12.10"),) if burned else ())


def _settle_sixth(play: Play, seat: int, wager: Wager, kept: Sequence[Card], also: tuple[str, ...]) -> None:
    if len(kept) == 5:
        text = f"seat {seat} neither declared its hand nor gave up cards"
        raise RuleError(text, field="decisions", rule=_cite("8.1"))
    if len(kept) == 4:
        text = f"seat {seat} still holds four cards: it gives up another"
        raise RuleError(text, field="decisions.discard", rule=_cite("12.7"))
    sixth = play.dealt.get("sixth", {}).get(seat)
    if sixth is None:
        raise RuleError("the sixth card is missing", field=f"dealt.sixth.{seat}", rule=_cite("8.7"))
    name = classify_sixth(kept, sixth)
    play.say(str(seat), f"{cards_text(kept)} against {cards_text([sixth])}: {name.replace('-', ' ')}")
    play.pay_or_lose(wager, "sixth", name, _cite(_SIXTH_RULES[name]), also=also)


GAMES = (
    Game(
        name="double-chance",
        rulebook="nsw-double-chance",
        title="Double Chance",
        cites=CITES,
        provisions=NSW_DOUBLE_CHANCE,
        seats=SEATS,
        wagers=(
            WagerKind(
                "wager",
                _cite("5.2.1"),
                slot="declared",
                ceiling_rule=_cite("9.2"),
                ceiling_lines=tuple(DECLARED_ODDS.lines),
            ),
            WagerKind("jackpot", _cite("10.1"), needs=("wager",), jackpot=True),
        ),
        dealt=Struct(
            required={"seats": BySeat(cards(5), SEATS, "the five cards of each area with a wager")},
            optional={"sixth": BySeat(CardShape(), SEATS, "the sixth card of each hand that gave up cards")},
        ),
        decisions=(
            DecisionKind("declare", _cite("8.3")),
            DecisionKind("discard", _cite("8.4"), cards(1, 4), about="the cards given up"),
        ),
        irregularities=(
            *(
                IrregularityKind(name, _cite(rule), about=about)
                for name, (rule, about) in (VOID_ROUNDS | VOID_HANDS).items()
            ),
            IrregularityKind(
                "hand-without-wager", _cite("12.9"), about="a hand to an area without a wager: discarded"
            ),
            IrregularityKind(
                "sixth-card-in-error", _cite("12.10"), about="a sixth card to a declared hand: burned"
            ),
        ),
        options=(
            Option(
                "jackpot-hand",
                Text(("dealt", "declared")),
                "dealt",
                _cite("9.6, 10.3"),
                "a jackpot goes by the cards that were dealt; by the other reading only a hand that was declared (8.3) "
                "has a claim",
            ),
        ),
        paytables=(DECLARED_ODDS, SIXTH_ODDS),
        settle=settle,
        check=check,
        check_decision=check_decision,
    ),
)
