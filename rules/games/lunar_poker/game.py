"""Lunar Poker (nz-consultation 21): ante and super bet, a draw for a fee, a bet of two antes against a dealer who plays
with ace-king, and for another fee a second chance for the dealer to qualify."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rules.cards import Card, cards_text, rank_of
from rules.contract import Decision, Round, Wager
from rules.declare import DecisionKind, Game, IrregularityKind, WagerKind, paytable, times
from rules.errors import RuleError
from rules.games.lunar_poker.combinations import classify_bet, classify_instant, classify_super
from rules.odds import EVENS, to_one
from rules.pieces.boxes import (
    absent_faults,
    decision_faults,
    fold_faults,
    position_faults,
    unnamed_faults,
)
from rules.pieces.choices import already_chosen, expect_fold, once_faults
from rules.pieces.hands import pack_fault
from rules.pieces.void_hands import misdealt, settle_void_hands, void_hand_faults, void_hand_kinds
from rules.play import Play
from rules.ranking import describe, has_ace_king, rank
from rules.rulebooks import NZ_CONSULTATION
from rules.shape import BySeat, CardShape, Struct, Text, cards

CITES = "nz-consultation 21"
SEATS = 5
FEES = {"exchange": "8.5", "buy": "8.6", "force": "10.3"}
ONCE = {("fold", "bet"): "5.2", ("exchange", "buy"): "5.2(c)", ("force",): "10.3"}
"""Choices that exclude each other, and each itself a second time."""
MISDEALS = {
    "wrong-number-of-cards": "11.2",
    "cards-exposed": "11.5",
    "cards-without-ante": "11.8",
    "short-deck": "11.10",
}
VOID_HANDS = {"conduct": "11.1", "cards-collected": "11.13"}


def _cite(number: str) -> str:
    return f"{CITES} {number}"


BET_ODDS = paytable(
    "bet",
    "standard",
    _cite("5.5"),
    {
        "ace-king": "1 to 1",
        "pair": "1 to 1",
        "two-pairs": "2 to 1",
        "three-of-a-kind": "3 to 1",
        "straight": "4 to 1",
        "flush": "5 to 1",
        "full-house": "7 to 1",
        "four-of-a-kind": "20 to 1",
        "straight-flush": "50 to 1",
        "royal-flush": "100 to 1",
    },
)
_INSTANT = (
    *((200, 600), (300, 600), (200, 800), (300, 800), (200, 1000), (300, 1000), (200, 1200), (300, 1200)),
    *((400, 1200), (200, 1500), (300, 1500), (400, 1500), (500, 1500)),
)
INSTANT_ODDS = tuple(
    paytable(
        "instant",
        f"{straight}-{royal}",
        _cite("5.6"),
        {"straight-flush": f"{straight} to 1", "royal-flush": f"{royal} to 1"},
    )
    for straight, royal in _INSTANT
)
_SUPER = (
    *(("four-of-a-kind", 200), ("same-coloured-straight", 150), ("full-house", 100), ("flush", 50)),
    *(("straight", 25), ("three-of-a-kind", 8), ("ace-king-queen", 6), ("same-coloured-cards", 2)),
)
SUPER_ODDS = tuple(
    paytable(
        "super",
        name,
        _cite("5.9"),
        {key: f"{figure} to 1" for key, figure in (dict(_SUPER) | instead).items()},
    )
    for name, instead in {
        "standard": {},
        "three-7": {"three-of-a-kind": 7},
        "ace-king-queen-5": {"ace-king-queen": 5},
        "three-7-ace-king-queen-5": {"three-of-a-kind": 7, "ace-king-queen": 5},
    }.items()
)


# What is wrong with a round


def check(round: Round) -> Iterator[RuleError]:
    yield from position_faults(round, _cite("5.4"), one_position=False)
    yield from decision_faults(round)
    yield from void_hand_faults(round)
    yield from unnamed_faults(round, "instant-after-draw")
    yield from fold_faults(round, ("fold",), "bet", _cite("9.4"))
    for choices, rule in ONCE.items():
        yield from once_faults(round, choices, _cite(rule))
    yield from absent_faults(round, "bet", _cite("11.12"))
    yield from _draw_faults(round)
    hands: Mapping[int, Sequence[Card]] = round.dealt.get("seats", {})
    antes = {wager.seat for wager in round.wagers if wager.kind == "ante"}
    spare = {i.seat for i in round.irregularities if i.kind == "hand-without-ante"}
    if misdealt(round):
        return
    for seat in sorted(set(hands) - antes - spare):
        text = f"seat {seat} has cards but no ante"
        yield RuleError(text, field=f"dealt.seats.{seat}", rule=_cite("8.3"))
    wrong_cards = _pack_fault(round)
    if wrong_cards is None:
        yield from _instant_faults(round)
    else:
        yield wrong_cards


def _draw_faults(round: Round) -> Iterator[RuleError]:
    """One draw a seat, paid for, with as many cards as the player gave up."""
    fees: dict[int, set[str]] = {}
    for wager in round.wagers:
        if wager.kind in ("exchange", "buy"):
            fees.setdefault(wager.seat, set()).add(wager.kind)
    discards = _discards(round)
    drawn: Mapping[int, Sequence[Card]] = round.dealt.get("drawn", {})
    for seat, kinds in fees.items():
        if len(kinds) > 1:
            text = f"seat {seat} exchanges cards or buys one, not both"
            yield RuleError(text, field="wagers", rule=_cite("5.2(c)"))
    for seat, got in drawn.items():
        kinds = fees.get(seat, set())
        wanted = len(discards.get(seat, got)) if "exchange" in kinds else 1
        if not kinds:
            text = f"seat {seat} has drawn cards but paid no draw fee"
        elif len(got) != wanted:
            text = f"seat {seat} draws {wanted} cards, not {len(got)}"
        else:
            continue
        yield RuleError(text, field=f"dealt.drawn.{seat}", rule=_cite(FEES[min(kinds, default="buy")]))
    for seat, given in discards.items():
        hand = round.dealt.get("seats", {}).get(seat)
        if len(set(given)) != len(given) or (hand is not None and not set(given) <= set(hand)):
            text = f"seat {seat} does not hold {cards_text(given)}"
            yield RuleError(text, field="decisions.exchange", rule=_cite("8.5"))


def _discards(round: Round) -> dict[int, tuple[Card, ...]]:
    return {d.seat: d.value for d in round.decisions if d.kind == "exchange" and d.value is not None}


def _pack_fault(round: Round) -> RuleError | None:
    """One pack; once it ran out the discard rack is dealt again (11.17): what lay there may come a second time."""
    hands: Mapping[int, Sequence[Card]] = round.dealt.get("seats", {})
    drawn: Mapping[int, Sequence[Card]] = round.dealt.get("drawn", {})
    named = [(f"dealt.seats.{seat}", hand) for seat, hand in hands.items()]
    named.append(("dealt.dealer", round.dealt.get("dealer", ())))
    first = pack_fault(named, rule=_cite("3.4(a)"))
    if first is not None:
        return first
    later = [(f"dealt.drawn.{seat}", got) for seat, got in drawn.items()]
    if "replacement" in round.dealt:
        later.append(("dealt.replacement", (round.dealt["replacement"],)))
    if any(i.kind == "reshuffled" for i in round.irregularities):
        bets = {wager.seat for wager in round.wagers if wager.kind == "bet"}
        gone = {card for seat, hand in hands.items() if seat not in bets for card in hand}
        gone.update(card for given in _discards(round).values() for card in given)
        named = [(field, [card for card in held if card not in gone]) for field, held in named]
    return pack_fault([*named, *later], rule=_cite("3.4(a)"))


def _instant_faults(round: Round) -> Iterator[RuleError]:
    """5.8: an instant payout ends the round for its player, so whoever goes on did not declare it."""
    late = {i.seat for i in round.irregularities if i.kind == "instant-after-draw"}
    on: dict[int, set[str]] = {}
    for wager in round.wagers:
        on.setdefault(wager.seat, set()).add(wager.kind)
    for decision in round.decisions:
        on.setdefault(decision.seat, set()).add(decision.kind)
    for seat, hand in round.dealt.get("seats", {}).items():
        if len(hand) != 5 or classify_instant(hand) is None or _undeclared(round, seat, "instant"):
            continue
        after = {"bet", "force", "fold"} if seat in late else {"bet", "force", "fold", "exchange", "buy"}
        went_on = sorted(after & on.get(seat, set()))
        if went_on:
            text = (
                f"seat {seat} holds a {describe(rank(hand))}, which is paid at once and ends its round; "
                f"{went_on[0]} is possible only where it was not declared: say so"
            )
            yield RuleError(text, field=f"dealt.seats.{seat}", rule=_cite("5.8"))


def _undeclared(round: Round, seat: int, what: str) -> bool:
    return any(d.kind == "undeclared" and d.seat == seat and d.value == what for d in round.decisions)


def check_decision(round: Round, decision: Decision) -> RuleError | None:
    faults = (already_chosen(round, decision, choices, _cite(rule)) for choices, rule in ONCE.items())
    return next((fault for fault in faults if fault is not None), None)


# Settlement


@dataclass(frozen=True, slots=True)
class Dealer:
    """The dealer's hand at first and after the card that was forced."""

    value: int
    forced: int | None
    """None: nobody forced a card."""


def settle(play: Play) -> None:
    settle_void_hands(play, _cite, VOID_HANDS)
    seats = play.by_seat()
    dealer = _dealer(play) if _stayed(play) & set(seats) else None
    for seat, wagers in seats.items():
        _settle_seat(play, seat, {wager.kind: wager for wager in wagers}, dealer)


def _stayed(play: Play) -> set[int]:
    """The seats that placed a bet, though that alone may have been declared void (nz-1996 I 11.2(a))."""
    return {wager.seat for wager in play.round.wagers if wager.kind == "bet"}


def _dealer(play: Play) -> Dealer:
    hand = play.dealt.get("dealer", ())
    if len(hand) != 5:
        raise RuleError("five cards are needed to settle", field="dealt.dealer", rule=_cite("9.10"))
    value = rank(hand)
    play.say("dealer", describe(value))
    forced = any(wager.kind == "force" for wager in play.round.wagers)
    new = play.dealt.get("replacement")
    if has_ace_king(value) or not forced:
        if forced or new is not None:
            text = "the dealer qualifies" if has_ace_king(value) else "nobody paid to force the dealer"
            field = "dealt.replacement" if new is not None else "wagers"
            raise RuleError(f"{text}: no card is replaced", field=field, rule=_cite("10.1-10.3"))
        return Dealer(value, None)
    if new is None:
        if not play.of_kind("force"):  # void with their hands
            return Dealer(value, None)
        raise RuleError("the dealer's new card is missing", field="dealt.replacement", rule=_cite("10.4"))
    kept = sorted(hand, key=rank_of)[:-1]  # without a pair there is one highest card
    second = rank((*kept, new))
    play.say("dealer", f"{describe(value)}; forced: {describe(second)}")
    return Dealer(value, second)


def _settle_seat(play: Play, seat: int, wagers: dict[str, Wager], dealer: Dealer | None) -> None:
    if play.irregularity("absent", seat):
        for wager in wagers.values():
            play.lose(wager, _cite("11.12"))
        return
    if "ante" not in wagers:  # void for a reason of its own: nothing stands without it
        play.void_all(_cite("5.1(a)"), wagers.values())
        return
    hand = play.dealt.get("seats", {}).get(seat, ())
    if len(hand) != 5:
        raise RuleError("five cards are needed to settle", field=f"dealt.seats.{seat}", rule=_cite("8.3"))
    ante, bet, on_super = wagers["ante"], wagers.get("bet"), wagers.get("super")
    if on_super is not None:
        _settle_super(play, seat, on_super, hand)
    instant = None if _undeclared(play.round, seat, "instant") else classify_instant(hand)
    late = play.irregularity("instant-after-draw", seat) is not None
    if late and (instant is None or not {"exchange", "buy"} & set(wagers)):
        text = "seat holds no straight flush that it failed to declare before a draw"
        raise RuleError(text, field="irregularities", rule=_cite("11.15"))
    for kind, number in FEES.items():
        if kind in wagers and late:
            play.void(wagers[kind], _cite("11.15"))
        elif kind in wagers:
            play.lose(wagers[kind], _cite(number))
    if instant is not None:
        play.say(str(seat), describe(rank(hand)))
        also = (_cite("11.15"),) if late else ()
        play.pay_or_lose(ante, "instant", instant, _cite("5.6"), also=also)
    elif dealer is None or seat not in _stayed(play):
        expect_fold(play, seat, ("bet",), _cite("5.2"))
        play.lose(ante, _cite("9.4"))
    else:
        final = _final_hand(play, seat, hand, wagers)
        _settle_contest(play, seat, ante, bet, final, dealer, forcing="force" in wagers)


def _settle_super(play: Play, seat: int, wager: Wager, hand: Sequence[Card]) -> None:
    if _undeclared(play.round, seat, "super"):
        play.lose(wager, _cite("9.2"))
        return
    key = classify_super(hand)
    also = (_cite("5.11"),) if key == "same-coloured-straight" and classify_instant(hand) else ()
    play.pay_or_lose(wager, "super", key, _cite("5.9"), also=also)


def _final_hand(play: Play, seat: int, hand: Sequence[Card], wagers: Mapping[str, Wager]) -> tuple[Card, ...]:
    """The five or six cards with which the seat stays in the game."""
    kind = next((kind for kind in ("exchange", "buy") if kind in wagers), None)
    if kind is None:
        return tuple(hand)
    drawn = play.dealt.get("drawn", {}).get(seat)
    if not drawn:
        raise RuleError("the cards drawn are missing", field=f"dealt.drawn.{seat}", rule=_cite(FEES[kind]))
    given: tuple[Card, ...] = ()
    if kind == "exchange":
        given = _discards(play.round).get(seat, ())
        if not 2 <= len(given) <= 5:
            text = "the two to five cards that the seat gives up are missing"
            raise RuleError(text, field="decisions.exchange", rule=_cite("8.5"))
    return (*(card for card in hand if card not in given), *drawn)


def _settle_contest(
    play: Play,
    seat: int,
    ante: Wager,
    bet: Wager | None,
    hand: tuple[Card, ...],
    dealer: Dealer,
    *,
    forcing: bool,
) -> None:
    both = [wager for wager in (ante, bet) if wager is not None]
    value = rank(hand)
    play.say(str(seat), describe(value))
    against = dealer.value if not forcing or dealer.forced is None else dealer.forced
    if not has_ace_king(against):
        if forcing:
            for wager in both:
                play.push(wager, _cite("10.4"))
        else:
            play.win(ante, EVENS, _cite("10.2(a)"))
            play.void_all(_cite("10.2(d)"), both[1:])
    elif value > against:
        play.push(ante, _cite("10.8(c)"))
        if bet is not None:
            _pay_combinations(play, bet, hand)
    else:
        for wager in both:
            if value < against:
                play.lose(wager, _cite("10.7(a)"))
            else:
                play.push(wager, _cite("10.6(c)"))


def _pay_combinations(play: Play, bet: Wager, hand: tuple[Card, ...]) -> None:
    first, second = classify_bet(hand)
    lines = play.pays("bet").lines
    odds = lines[first]
    if second is not None:
        together = odds.ratio + lines[second].ratio
        odds = to_one(together.numerator, together.denominator)
        play.say(str(bet.seat), f"{describe(rank(hand))}, and {second.replace('-', ' ')}")
    play.win(bet, odds, _cite("10.8(a)"), line=first, also=(_cite("10.9"),) if second else ())


def _fee(name: str, number: str, stage: str, needs: str, about: str) -> WagerKind:
    return WagerKind(
        name, _cite(number), stage=stage, needs=(needs,), amount=times("ante"), fee=True, about=about
    )


GAMES = (
    Game(
        name="lunar-poker",
        rulebook="nz-consultation",
        title="Lunar Poker",
        cites=CITES,
        provisions=NZ_CONSULTATION,
        seats=SEATS,
        stages=("start", "draw", "bet", "force"),
        wagers=(
            WagerKind("ante", _cite("5.1(a)"), slot="instant", ceiling_rule=_cite("5.12")),
            WagerKind("super", _cite("5.1(b)"), needs=("ante",), slot="super", ceiling_rule=_cite("5.12")),
            _fee("exchange", "8.5", "draw", "ante", "fee to exchange two to five cards"),
            _fee("buy", "8.6", "draw", "ante", "fee to buy a sixth card"),
            WagerKind(
                "bet",
                _cite("5.2(b)"),
                stage="bet",
                needs=("ante",),
                amount=times("ante", 2),
                slot="bet",
                ceiling_rule=_cite("5.12"),
            ),
            _fee("force", "10.3", "force", "bet", "fee to make the dealer try to qualify"),
        ),
        dealt=Struct(
            required={"seats": BySeat(cards(5), SEATS, "the first five cards of each seat with an ante")},
            optional={
                "dealer": cards(5),
                "drawn": BySeat(cards(1, 5), SEATS, "the cards exchanged for, or the sixth card"),
                "replacement": CardShape(),
            },
        ),
        decisions=(
            DecisionKind("fold", _cite("9.4")),
            DecisionKind(
                "exchange",
                _cite("8.5"),
                cards(2, 5),
                wager="exchange",
                about="the cards that the player gives up",
            ),
            DecisionKind("buy", _cite("8.6"), wager="buy"),
            DecisionKind("bet", _cite("5.2(b)"), wager="bet"),
            DecisionKind("force", _cite("10.3"), wager="force"),
            DecisionKind(
                "undeclared",
                _cite("9.2"),
                Text(("super", "instant")),
                about="the player did not declare a combination in the first five cards in time",
            ),
        ),
        irregularities=(
            *void_hand_kinds(_cite, MISDEALS, VOID_HANDS),
            IrregularityKind("absent", _cite("11.12"), about="nobody there to decide: all wagers are lost"),
            IrregularityKind(
                "hand-without-ante", _cite("11.9"), about="a whole hand to an empty place: discarded"
            ),
            IrregularityKind(
                "instant-after-draw",
                _cite("11.15"),
                about="paid though declared after the draw, unseen; the draw is undone",
            ),
            IrregularityKind("reshuffled", _cite("11.17"), about="the discard rack was dealt again"),
        ),
        paytables=(BET_ODDS, *INSTANT_ODDS, *SUPER_ODDS),
        settle=settle,
        check=check,
        check_decision=check_decision,
    ),
)
