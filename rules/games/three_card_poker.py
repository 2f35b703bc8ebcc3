"""Three Card Poker with Pair Plus, Ante Bonus and Prime (gb-2011 5).

Ante, then a play wager of the same amount; the dealer plays with a queen or better. The ante bonus is no wager of its
own: it is paid on the line of the ante, also where the ante itself is lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.cards import Card, is_red
from rules.contract import Decision, Round, Wager
from rules.declare import DecisionKind, Game, Option, WagerKind, paytable, times
from rules.errors import RuleError
from rules.odds import Odds, to_one
from rules.pieces.boxes import (
    GB_HANDS,
    card_faults,
    decision_faults,
    fold_faults,
    hand_of,
    offer_faults,
    position_faults,
    settle_irregular_hands,
    shared_cards,
    side_wagers,
)
from rules.pieces.choices import already_chosen, expect_fold, once_faults
from rules.pieces.hands import three_card_key
from rules.pieces.showdown import Contest, contest
from rules.play import Play
from rules.ranking import describe, has_three_card_queen_high, rank3
from rules.rulebooks import GB_2011
from rules.shape import BySeat, Flag, Struct, Text, cards

CITES = "gb-2011"

ANTE_ODDS = paytable("ante", "standard", f"{CITES} 5.16, 5.18", {"win": "1 to 1"})
PLAY_ODDS = paytable("play", "standard", f"{CITES} 5.18", {"win": "1 to 1"})
ANTE_BONUS = paytable(
    "ante-bonus",
    "standard",
    f"{CITES} 5.20",
    {"straight": "1 to 1", "three-of-a-kind": "4 to 1", "straight-flush": "5 to 1"},
)
PAIR_PLUS_ODDS = paytable(
    "pair-plus",
    "standard",
    f"{CITES} 5.22",
    {
        "pair": "1 to 1",
        "flush": "4 to 1",
        "straight": "6 to 1",
        "three-of-a-kind": "33 to 1",
        "straight-flush": "35 to 1",
    },
)
PRIME_ODDS = paytable(
    "prime", "standard", f"{CITES} 5.27, 5.28", {"same-colour": "3 to 1", "same-colour-as-dealer": "4 to 1"}
)


def classify_pair_plus(value: int) -> str | None:
    """The line of 5.22 for a three-card value."""
    return three_card_key(value)


def classify_ante_bonus(value: int) -> str | None:
    """The line of 5.20 for a three-card value."""
    key = three_card_key(value)
    return key if key in ANTE_BONUS.lines else None


def classify_prime(hand: Sequence[Card], dealer: Sequence[Card]) -> str | None:
    """5.27-5.30: all three cards of one colour, and perhaps the dealer's of the same."""
    colours = {is_red(card) for card in hand}
    if len(colours) > 1:
        return None
    return "same-colour-as-dealer" if {is_red(card) for card in dealer} == colours else "same-colour"


def classify_contest(player: int, dealer: int) -> Contest:
    """5.16-5.21 for two three-card values."""
    return contest(player, dealer, qualifies=has_three_card_queen_high(dealer))


def check(round: Round) -> Iterator[RuleError]:
    yield from position_faults(round, f"{CITES} 5.9")
    yield from offer_faults(round)
    yield from decision_faults(round)
    yield from card_faults(round, ("dealer",), hand_rule=f"{CITES} 5.12", pack_rule=f"{CITES} 5.3")
    yield from fold_faults(round, ("fold",), "play", f"{CITES} 5.14")
    yield from once_faults(round, ("fold", "play"), f"{CITES} 5.13-5.14")
    if not round.options["prime-alone"]:
        initial = {wager.seat for wager in round.wagers if wager.kind in ("ante", "pair-plus")}
        for index, wager in enumerate(round.wagers):
            if wager.kind == "prime" and wager.seat not in initial:
                text = "prime needs an ante or a pair-plus at the same spot"
                yield RuleError(text, field=f"wagers[{index}]", rule=f"{CITES} 5.10")


def check_decision(round: Round, decision: Decision) -> RuleError | None:
    return already_chosen(round, decision, ("fold", "play"), f"{CITES} 5.13")


def settle(play: Play) -> None:
    settle_irregular_hands(play)
    dealer: tuple[Card, ...] = ()
    if any(wager.kind in ("play", "prime") for wager in play.wagers):
        dealer = shared_cards(play, "dealer", 3, play.rule("5.12"))
        play.say("dealer", describe(rank3(dealer)))
    for seat, wagers in play.by_seat().items():
        _settle_seat(play, seat, {wager.kind: wager for wager in wagers}, dealer)


def _settle_seat(play: Play, seat: int, wagers: dict[str, Wager], dealer: tuple[Card, ...]) -> None:
    ante, bet = wagers.get("ante"), wagers.get("play")
    folded = ante is not None and bet is None
    sides = [wagers[kind] for kind in ("pair-plus", "prime") if kind in wagers]
    if ante is not None and bet is None:
        expect_fold(play, seat, ("play",), play.rule("5.13-5.14"))
        play.lose(ante, play.rule("5.14"))
        if play.options["folded-side-wagers"] == "lost":
            for wager in sides:
                play.lose(wager, play.rule("5.14"))
            return
    if folded and not sides:
        return
    hand = hand_of(play, seat, 3, play.rule("5.12"))
    value = rank3(hand)
    play.say(str(seat), describe(value))
    if ante is not None and bet is not None:
        _settle_contest(play, ante, bet, value, rank3(dealer))
    for wager in sides:
        if wager.kind == "pair-plus":
            key = classify_pair_plus(value)
            play.pay_or_lose(wager, "pair-plus", key, play.rule("5.22" if key else "5.23"))
        else:
            _settle_prime(play, wager, hand, dealer)


def _settle_prime(play: Play, wager: Wager, hand: Sequence[Card], dealer: Sequence[Card]) -> None:
    key = classify_prime(hand, dealer)
    number = {"same-colour": "5.27", "same-colour-as-dealer": "5.28", None: "5.29"}[key]
    play.pay_or_lose(wager, "prime", key, play.rule(number))


def _settle_contest(play: Play, ante: Wager, bet: Wager, value: int, dealer: int) -> None:
    key = classify_ante_bonus(value)
    bonus = None if key is None else play.pays("ante-bonus").lines[key]
    match classify_contest(value, dealer):
        case Contest.NO_GAME:
            _win_ante(play, ante, bonus, "5.16(a)")
            play.void(bet, play.rule("5.16(a)"))
        case Contest.WIN:
            _win_ante(play, ante, bonus, "5.18")
            play.pay_or_lose(bet, "play", "win", play.rule("5.18"))
        case Contest.LOSE:
            play.lose(bet, play.rule("5.19"))
            if bonus is None:
                play.lose(ante, play.rule("5.19"))
            else:  # the ante is taken and the bonus paid all the same
                taken = play.in_play(ante)
                play.win(
                    ante, bonus, play.rule("5.20"), returned=ante.stake - taken, also=(play.rule("5.19"),)
                )
        case Contest.TIE:
            play.push(bet, play.rule("5.17"))
            if bonus is None:
                play.push(ante, play.rule("5.17"))
            else:
                play.win(ante, bonus, play.rule("5.20"), also=(play.rule("5.17"),))


def _win_ante(play: Play, ante: Wager, bonus: Odds | None, number: str) -> None:
    if bonus is None:
        play.pay_or_lose(ante, "ante", "win", play.rule(number))
        return
    both = play.pays("ante").lines["win"].ratio + bonus.ratio
    odds = to_one(both.numerator, both.denominator)
    play.win(ante, odds, play.rule(number), also=(play.rule("5.20"),))


GAMES = (
    Game(
        name="three-card-poker",
        rulebook="gb-2011",
        title="Three Card Poker",
        cites=CITES,
        provisions=GB_2011,
        seats=9,
        stages=("start", "play"),
        wagers=(
            WagerKind("ante", f"{CITES} 5.11(ii)", slot="ante"),
            WagerKind("pair-plus", f"{CITES} 5.11(i)", slot="pair-plus", about="Pair Plus"),
            WagerKind("prime", f"{CITES} 5.11(iii)", slot="prime"),
            WagerKind(
                "play", f"{CITES} 5.13", stage="play", needs=("ante",), amount=times("ante"), slot="play"
            ),
        ),
        dealt=Struct(
            required={"seats": BySeat(cards(3), about="the three cards of each position in the game")},
            optional={"dealer": cards(3, about="not needed where every ante is folded and nobody has prime")},
        ),
        decisions=(
            DecisionKind("fold", f"{CITES} 5.14"),
            DecisionKind("play", f"{CITES} 5.13", wager="play"),
        ),
        irregularities=GB_HANDS,
        options=(
            side_wagers(f"{CITES} 5.11, 5.24", "pair-plus", "prime"),
            Option(
                "prime-alone",
                Flag(),
                False,
                f"{CITES} 5.10",
                "prime without ante and pair plus: 5.10 asks for one of them, 5.11 allows any one wager",
            ),
            Option(
                "folded-side-wagers",
                Text(("play", "lost")),
                "play",
                f"{CITES} 5.14",
                "pair plus and prime of a folded hand: 5.14 takes the ante alone",
            ),
        ),
        paytables=(ANTE_ODDS, PLAY_ODDS, ANTE_BONUS, PAIR_PLUS_ODDS, PRIME_ODDS),
        settle=settle,
        check=check,
        check_decision=check_decision,
    ),
)
