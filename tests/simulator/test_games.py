"""Every round that the simulator deals is one that the rules take, for each entry of the catalogue, told in every way.

The desk here takes steps as the house's does (tables/door/intake.py): first wagers, each decision on what is known by
then, the result. Sensible play is seen by what it returns, beside docs/house-edges.md.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from rules import all_games, check_decision, check_wagers, round_from_json, settle
from rules.codec import carried_to_json, decision_from_json, wager_from_json
from rules.declare import Game
from simulator.cards import HANDS, wished
from simulator.dealer import PLAYERS, Dealer, Dealt, TableStep, Telling, irregularity_of, steps
from simulator.sheet import Layout

ROUNDS = 60
IDS = [f"{game.name}-{game.rulebook}" for game in all_games()]
SIDE_BY_SIDE: dict[str, dict[str, Any]] = {
    "baccarat nz-consultation": {"side-wager": "any-pair"},
    "ante-up-baccarat nz-consultation": {"ante": "1.00"},
    "ante-up-2-to-1-baccarat nz-consultation": {"side-wager": "lucky-match", "ante": "1.00"},
}


def layout_of(game: Game) -> Layout:
    least = "10.00" if game.name.startswith("ante-up") else "1.00"  # an ante is an eighth of it at most
    limits = {"kinds": {"*": {"minimum": least, "maximum": "5000.00"}}, "chip": "0.50"}
    options = SIDE_BY_SIDE.get(f"{game.name} {game.rulebook}", {})
    return Layout(game.name, game.rulebook, options, limits, linked=True)


class Desk:
    """Takes the steps of one table's rounds and settles them, with what the last one left."""

    def __init__(self, layout: Layout) -> None:
        self.base = {
            "game": layout.game,
            "rulebook": layout.rulebook,
            "options": layout.options,
            "limits": layout.limits,
        }
        self.in_order = layout.declared.in_order
        self.carried: dict[str, Any] = {}
        self.document: dict[str, Any] = {}
        self.settled = 0

    def take(self, step: TableStep) -> None:
        if step.kind in ("open", "lock"):
            parts: dict[str, Any] = {"wagers": [], "decisions": [], "dealt": {}, "irregularities": []}
            self.document = self.base | parts | {"carried": self.carried}
        elif step.kind == "decision":
            self._decide(step.body)
        elif step.kind not in ("mark", "decided", "no-more-bets"):
            for name in ("wagers", "decisions", "irregularities"):
                self.document[name] = [*self.document[name], *step.body.get(name, [])]
            self.document["dealt"] |= step.body.get("dealt", {})
            if step.kind == "wagers":
                assert check_wagers(round_from_json(self.document, partial=True)) == ()
            if step.kind in ("result", "round"):
                settlement = settle(round_from_json(self.document))
                self.carried = carried_to_json(settlement.carried) if self.in_order else {}
                self.settled += 1

    def _decide(self, body: dict[str, Any]) -> None:
        so_far = round_from_json(self.document, partial=True)
        wager = wager_from_json(body["wager"]) if "wager" in body else None
        assert check_decision(so_far, decision_from_json(so_far.game, body["decision"]), wager) is None, body
        self.document["decisions"] = [*self.document["decisions"], body["decision"]]
        self.document["wagers"] = [*self.document["wagers"], *([body["wager"]] if wager else [])]


@pytest.mark.parametrize("game", all_games(), ids=IDS)
def test_every_round_of_every_game_is_taken_however_it_is_told(game: Game) -> None:
    layout = layout_of(game)
    dealer, desk, tellings = (
        Dealer(layout, Random(f"{game.name} 1"), irregular=0.05),
        Desk(layout),
        Counter[str](),
    )
    for number in range(ROUNDS):
        telling = list(Telling)[number % 3]
        dealt = dealer.deal()
        for step in steps(dealt, telling):
            desk.take(step)
            tellings[step.kind] += 1
        assert desk.carried == dealer.carried
    assert desk.settled == ROUNDS
    assert tellings["result"] == 2 * ROUNDS / 3
    assert tellings["decision"] or not game.decisions or game.name in DECIDES_NOTHING


DECIDES_NOTHING = {
    *("big-six", "money-wheel", "roulette", "crown-double-zero-roulette", "double-action-roulette"),
    *("rocket-7", "dice-magic", "craps"),
}
"""Games whose only decisions take back what a void throw has left."""


def test_nothing_of_the_catalogue_is_left_out() -> None:
    assert set(PLAYERS) == {game.name for game in all_games()}


def test_the_same_seed_deals_the_same_rounds() -> None:
    def some(seed: int) -> list[Dealt]:
        dealer = Dealer(Layout("craps", "nz-1996"), Random(seed))
        return [dealer.deal() for _ in range(20)]

    assert some(5) == some(5)
    assert some(5) != some(6)


@pytest.mark.parametrize("game", all_games(), ids=IDS)
def test_a_round_that_goes_wrong_gives_the_chips_back(game: Game) -> None:
    """Nothing is won or lost: what is void or stands for the next throw."""
    layout = layout_of(game)
    dealt = Dealer(layout, Random(3), irregular=1.0).deal()
    assert dealt.irregularities == [irregularity_of(layout)]
    kinds = layout.declared.kinds
    lines = [line for line in dealt.settlement.lines if not kinds[line.wager.kind].jackpot]
    assert {line.winnings for line in lines} == {0}
    assert {line.lost for line in lines} == {0}


@pytest.mark.parametrize("hand", HANDS)
def test_a_rigged_deck_gives_the_hand(hand: str) -> None:
    """Caribbean Stud pays its jackpot for a flush and better (nz-1996 VIII 12.1)."""
    dealer = Dealer(Layout("caribbean-stud", "nz-1996", linked=True), Random(1))
    dealt = dealer.deal({2: wished(hand)}, seats=[2, 4])
    expected = [] if hand == "straight" else [(2, hand)]
    assert [hit for hit in dealt.hits if hit[0] == 2] == expected


@pytest.mark.parametrize("game", ["casino-holdem", "texas-holdem-bonus", "casino-stud", "double-chance"])
def test_a_rigged_deck_works_where_cards_are_shared(game: str) -> None:
    book = next(each.rulebook for each in all_games() if each.name == game)
    dealt = Dealer(Layout(game, book, linked=True), Random(1)).deal({1: wished("royal")}, seats=[1, 3])
    assert (1, "royal-flush") in dealt.hits


def test_nobody_can_be_given_a_hand_that_nobody_knows() -> None:
    with pytest.raises(ValueError, match="No deck can be rigged for 'luck'"):
        wished("luck")


@dataclass(frozen=True)
class Return:
    """What the house keeps of the first stake: the best play's figure in docs/house-edges.md, its standard deviation,
    and what the simple way of these players costs them at most beside it."""

    percent: float
    deviation: float
    first: tuple[str, ...]
    later: tuple[str, ...] = ()
    cost: float = 0.0


RETURNS = {
    ("blackjack", "nz-1996"): Return(0.53, 1.13, ("main",), ("double", "split"), cost=0.2),
    ("caribbean-stud", "nz-1996"): Return(5.20, 2.28, ("ante",), ("bet",), cost=0.1),
    ("three-card-poker", "gb-2011"): Return(3.37, 1.64, ("ante",), ("play",)),
    ("ultimate-texas-holdem", "gb-2011"): Return(2.19, 4.94, ("ante",), ("blind", "play"), cost=1.0),
    ("baccarat", "nz-1996"): Return(1.06, 0.93, ("banker",)),
    ("roulette", "nz-1996"): Return(2.70, 1.0, ("red", "black", "odd", "even", "low", "high")),
    ("craps", "nz-1996"): Return(1.41, 1.0, ("pass",)),
}
"""The even chances of roulette are evened by hand: 1/37 and a deviation of one."""


@pytest.mark.parametrize("name", RETURNS, ids=" ".join)
def test_players_play_sensibly(name: tuple[str, str]) -> None:
    """The return lies within four standard errors of the best play's figure, and no more than `cost` above them."""
    told, rounds = RETURNS[name], 3000
    dealer, net, stakes, squares = Dealer(Layout(*name), Random(11), irregular=0), 0, 0, 0
    for _ in range(rounds):
        for line in dealer.deal().settlement.lines:
            kind, done = line.wager.kind, line.standing == 0
            if done and kind in (*told.first, *told.later):
                net += line.winnings - line.commission - line.lost
            if done and kind in told.first:
                stakes += line.wager.stake
                squares += line.wager.stake**2
    kept, error = -100 * net / stakes, 100 * told.deviation * squares**0.5 / stakes
    assert told.percent - 4 * error < kept < told.percent + told.cost + 4 * error, (kept, error)
