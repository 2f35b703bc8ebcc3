"""The main wagers of the four hold'em games, under best play. How they are counted is in `rules.edge.holdem`."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from rules.cards import Card
from rules.contract import Decision, Wager
from rules.edge.core import BEST_PLAY, UNIT, Case, Chance, Distribution, EdgeEntry, Result, Trial
from rules.edge.hands import Hand, deal
from rules.edge.holdem import bonus, casino, two_way, ultimate
from rules.edge.holdem.play import name_of
from rules.edge.holdem.solved import CHOICES, solution_of
from rules.games.holdem.casino import classify_ante, classify_contest
from rules.games.holdem.two_way import classify_contest as two_way_contests
from rules.games.holdem.ultimate import classify_blind
from rules.games.holdem.ultimate import classify_contest as ultimate_contests
from rules.pieces.showdown import Contest, contest
from rules.ranking import rank7

Dealt = tuple[Hand, Hand, Hand]
"""The player's two cards, the dealer's, the board."""
Played = tuple[Result, dict[str, int], list[str]]
"""How it ends, wagers in antes, and what was chosen."""


def compute(case: Case) -> Distribution:
    return solution_of(case).distribution


def _best(choices: dict[str, Fraction]) -> str:
    """The choice that is worth most; of equal ones the last, which risks least."""
    most = max(choices.values())
    return [name for name, worth in choices.items() if worth == most][-1]


def _choose(case: Case, hole: Hand, board: tuple[Card, ...]) -> str:
    return _best(CHOICES[case.game.name](case, hole, board))


def play_casino(case: Case, dealt: Dealt) -> Played:
    hole, dealer, board = dealt
    if _choose(case, hole, board[:3]) == "fold":
        return casino.FOLD, {"ante": 1}, ["fold"]
    value = rank7(hole + board)
    end = casino.result(case, classify_ante(value), classify_contest(value, rank7(dealer + board)))
    return end, {"ante": 1, "call": 2}, ["call"]


def play_ultimate(case: Case, dealt: Dealt) -> Played:
    hole, dealer, board = dealt
    chosen: list[str] = []
    best = _best(dict(solution_of(case).opening[name_of(*hole)]))
    for seen in (3, 5):
        if best != "check":
            break
        chosen.append("check")
        best = _choose(case, hole, board[:seen])
    if best == "fold":
        return ultimate.FOLD, {"ante": 1, "blind": 1}, [*chosen, "fold"]
    times = int(best.removeprefix("bet "))
    mine, other = rank7(hole + board), rank7(dealer + board)
    on_ante, on_play = ultimate_contests(mine, other)
    line = ultimate.KEYS.index(classify_blind(mine))
    idle = on_ante is Contest.NO_GAME
    ends = {
        Contest.WIN: line + len(ultimate.KEYS) * idle,
        Contest.TIE: ultimate.TIE,
        Contest.LOSE: ultimate.LOSE_IDLE if idle else ultimate.LOSE,
    }
    end = ultimate.results(case, times)[ends[on_play]]
    return end, {"ante": 1, "blind": 1, "play": times}, [*chosen, "bet"]


def play_bonus(case: Case, dealt: Dealt) -> Played:
    hole, dealer, board = dealt
    if _best(dict(solution_of(case).opening[name_of(*hole)])) == "fold":
        return bonus.FOLD, {"ante": 1}, ["fold"]
    chosen = [_choose(case, hole, board[:seen]) for seen in (3, 4)]
    wagers = {"ante": 1, "flop": bonus.FLOP} | {kind: 1 for kind in chosen if kind != "check"}
    value = rank7(hole + board)
    high = bonus.WIN_HIGH if bonus.pays_ante(value) else bonus.WIN
    came = contest(value, rank7(dealer + board))
    end = {Contest.WIN: high, Contest.TIE: bonus.TIE, Contest.LOSE: bonus.LOSE}[came]
    return bonus.Values(case).result(end, "turn" in chosen, "river" in chosen), wagers, ["flop", *chosen]


def play_two_way(case: Case, dealt: Dealt) -> Played:
    hole, dealer, board = dealt
    chosen = [_choose(case, hole, board[:seen]) for seen in (3, 5)]
    wagers = {"ante": 1, "blind": 1} | {kind: 1 for kind in chosen if kind != "check"}
    on_ante, on_rest = two_way_contests(rank7(hole + board), rank7(dealer + board))
    idle = on_rest is Contest.NO_GAME
    end = {
        Contest.WIN: two_way.WIN_IDLE if idle else two_way.WIN,
        Contest.TIE: two_way.TIE,
        Contest.LOSE: two_way.LOSE_IDLE if idle else two_way.LOSE,
    }[on_ante]
    return two_way.Values(case).result(end, "flop" in chosen, "river" in chosen), wagers, chosen


PLAYED: dict[str, Callable[[Case, Dealt], Played]] = {
    "casino-holdem": play_casino,
    "texas-holdem-bonus": play_bonus,
    "two-way-texas-holdem": play_two_way,
    "ultimate-texas-holdem": play_ultimate,
}


def trial(case: Case, chance: Chance) -> Trial:
    hole, dealer, board = deal(chance, 2, 2, 5)
    end, antes, chosen = PLAYED[case.game.name](case, (hole, dealer, board))
    wagers = [Wager(kind, kind, times * UNIT, 1) for kind, times in antes.items()]
    if case.game.name == "two-way-texas-holdem":
        wagers.append(Wager("beside", "two-way", UNIT, 1))
    decisions = [Decision(kind, 1) for kind in chosen]
    rounds = (
        case.round(wagers, {"seats": {1: hole}, "dealer": dealer, "board": board}, decisions=decisions),
    )
    return Trial(end, rounds, frozenset(antes))


ENTRIES = (
    EdgeEntry(
        *("casino-holdem", "gb-2011", "ante", compute, trial),
        slots=("ante", "call"),
        covers=("call",),
        method=BEST_PLAY,
        slow=True,
        about="The section is silent about equal hands: the stakes come back.",
    ),
    EdgeEntry(
        *("texas-holdem-bonus", "gb-2011", "ante", compute, trial),
        slots=("bet", "ante"),
        covers=("flop", "turn", "river"),
        method=BEST_PLAY,
        slow=True,
    ),
    EdgeEntry(
        *("ultimate-texas-holdem", "gb-2011", "ante", compute, trial),
        slots=("blind", "ante", "play"),
        covers=("blind", "play"),
        method=BEST_PLAY,
        slow=True,
        about="Blind and play wagers are counted with the ante: the figure is of the ante alone.",
    ),
    EdgeEntry(
        *("two-way-texas-holdem", "gb-2011", "ante", compute, trial),
        slots=("bet", "ante"),
        options={"river-wager": ("ante",)},
        covers=("blind", "flop", "river"),
        method=BEST_PLAY,
        slow=True,
        about="Without the Two Way wager, which has a figure of its own and no say in what is best.",
    ),
)
