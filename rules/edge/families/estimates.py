"""Pai Gow Poker and Lunar Poker: estimates of a stated play, since nobody has counted the best one.

Pai Gow Poker has 154 million hands to set in 21 ways against as many; Lunar Poker draws for a fee, a bet and a forced
dealer that depend on one another.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rules.cards import DECK_WITH_JOKER, rank_of
from rules.contract import Decision, Wager
from rules.edge.core import LOST, PUSHED, UNIT, Case, Chance, Distribution, EdgeEntry, Result, Trial
from rules.edge.estimate import estimated, method
from rules.edge.hands import Hand, deal
from rules.games.lunar_poker.combinations import classify_bet, classify_instant
from rules.games.pai_gow_poker.house_way import house_way
from rules.games.pai_gow_poker.table import classify_standard
from rules.pieces.showdown import Contest
from rules.ranking import Category, has_ace_king, make_value, rank, rank5

_THREE, _STRAIGHT = make_value(Category.THREE_OF_A_KIND), make_value(Category.STRAIGHT)

PAI_GOW_ROUNDS, LUNAR_ROUNDS = 800_000, 2_000_000
HOUSE_WAY = "the player sets by the House Way as the dealer does"
PLAIN = (
    "the player buys a sixth card with three of a kind or better, with four to a flush and with four to an open "
    "straight, bets with ace and king or better, else folds, and forces the dealer with a straight or better"
)


# ------------------------------------------------------------------------------------------------- Pai Gow Poker


def _pai_gow(case: Case, hand: Hand, dealer: Hand) -> Result:
    won = case.pays("standard").lines["win"].ratio * (1 - Fraction(case.options["commission-percent"], 100))
    ends = {Contest.WIN: Result("win", won), Contest.TIE: PUSHED, Contest.LOSE: LOST}
    return ends[classify_standard(house_way(hand), house_way(dealer))]


def play_pai_gow(case: Case, chance: Chance) -> Result:
    return _pai_gow(case, *deal(chance, 7, 7, pack=DECK_WITH_JOKER))


def compute_pai_gow(case: Case) -> Distribution:
    return estimated(case, play_pai_gow)


def trial_pai_gow(case: Case, chance: Chance) -> Trial:
    hand, dealer = deal(chance, 7, 7, pack=DECK_WITH_JOKER)
    rounds = (
        case.round(
            [Wager("w", "standard", UNIT, 1)],
            {"seats": {1: hand}, "dealer": dealer},
            decisions=[Decision("house-way", 1)],
        ),
    )
    return Trial(_pai_gow(case, hand, dealer), rounds, frozenset("w"))


# --------------------------------------------------------------------------------------------------- Lunar Poker

BET = 2


def draws_well(hand: Hand) -> bool:
    """Three of a kind or better, for a second combination; four cards of one suit; four ranks in a row, open at both
    ends."""
    if rank5(hand) >= _THREE:
        return True
    suits = [card & 3 for card in hand]
    if max(map(suits.count, suits)) == 4:
        return True
    bits = sum({1 << (card >> 2) for card in hand})
    return any(bits >> low & 15 == 15 for low in range(9))


@dataclass(frozen=True)
class Lunar:
    """One round as the stated play has it."""

    end: Result
    does: tuple[str, ...]
    """In the order of play: buy, then bet or fold, then force; nothing where the hand is paid at once."""


def play_hand(case: Case, hand: Hand, dealer: Hand, sixth: Hand, new: Hand) -> Lunar:
    instant = classify_instant(hand)
    if instant is not None:
        return Lunar(Result(instant, case.pays("instant").lines[instant].ratio), ())
    does: tuple[str, ...] = ()
    if draws_well(hand):
        hand, does = hand + sixth, ("buy",)
    fees, value, other = len(does), rank(hand), rank5(dealer)
    if not has_ace_king(value):
        does = (*does, "fold")
        return Lunar(Result(", ".join(does), Fraction(-1 - fees), Fraction(1 + fees)), does)
    does = (*does, "bet")
    forced = not has_ace_king(other) and value >= _STRAIGHT
    if forced:
        other = rank5((*sorted(dealer, key=rank_of)[:-1], *new))
        does, fees = (*does, "force"), fees + 1
    line, net = _contest(case, hand, other, forced=forced)
    return Lunar(Result(", ".join((*does, line)), net - fees, Fraction(1 + BET + fees)), does)


def _contest(case: Case, hand: Hand, other: int, *, forced: bool) -> tuple[str, Fraction]:
    """The line and what ante and bet net, fees aside."""
    value = rank(hand)
    if not has_ace_king(other):
        return "the dealer does not qualify", Fraction(0 if forced else 1)
    if value <= other:
        return ("equal", Fraction(0)) if value == other else ("lose", Fraction(-1 - BET))
    first, second = classify_bet(hand)
    lines = case.pays("bet").lines
    odds = lines[first].ratio + (lines[second].ratio if second else 0)
    return f"win, {first}" + (f" and {second}" if second else ""), BET * odds


def play_lunar(case: Case, chance: Chance) -> Result:
    return play_hand(case, *deal(chance, 5, 5, 1, 1)).end


def compute_lunar(case: Case) -> Distribution:
    return estimated(case, play_lunar)


def trial_lunar(case: Case, chance: Chance) -> Trial:
    hand, dealer, sixth, new = deal(chance, 5, 5, 1, 1)
    played = play_hand(case, hand, dealer, sixth, new)
    wagers = [Wager("ante", "ante", UNIT, 1)]
    stakes = {"buy": UNIT, "bet": BET * UNIT, "force": UNIT}
    wagers += [Wager(kind, kind, stakes[kind], 1) for kind in played.does if kind in stakes]
    dealt: dict[str, object] = {"seats": {1: hand}, "dealer": dealer}
    if "buy" in played.does:
        dealt["drawn"] = {1: sixth}
    if "force" in played.does:
        dealt["replacement"] = new[0]
    decisions = [Decision(kind, 1) for kind in played.does]
    rounds = (case.round(wagers, dealt, decisions=decisions),)
    return Trial(played.end, rounds, frozenset(wager.id for wager in wagers))


ENTRIES = (
    EdgeEntry(
        *("pai-gow-poker", "gb-2011", "standard", compute_pai_gow, trial_pai_gow),
        slots=("standard",),
        options={"commission-percent": (5,)},
        method=method(PAI_GOW_ROUNDS, HOUSE_WAY),
        sample=PAI_GOW_ROUNDS,
        about="One player. Best play is a little better for the player than the House Way.",
    ),
    EdgeEntry(
        *("lunar-poker", "nz-consultation", "ante", compute_lunar, trial_lunar),
        slots=("bet", "instant"),
        covers=("bet",),
        method=method(LUNAR_ROUNDS, PLAIN),
        sample=LUNAR_ROUNDS,
        about="Ante and bet together, of the ante, for this play; a player who draws well loses less.",
    ),
)
