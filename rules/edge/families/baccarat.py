"""Baccarat in all its names: the exact shoe, counted by points; by rank and suit where a wager looks at them.

Third cards are drawn by the game's own table of play (`coup.play_out`) from what is left of the packs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from fractions import Fraction
from functools import cache, partial
from typing import Any, cast

from rules.cards import ACE, DECK, SPADES, Card, make_card, rank_of
from rules.contract import Wager
from rules.declare import Game, WagerKind
from rules.edge import examples
from rules.edge.core import LOST, PUSHED, UNIT, Case, Chance, Distribution, EdgeEntry, Result, Trial, paid
from rules.games.baccarat import GAMES, nz_consultation
from rules.games.baccarat.antes import ANTE
from rules.games.baccarat.coup import BANKER, PLAYER, POINTS, TIE, Coup, classify_win, play_out, points
from rules.games.baccarat.game_rules import GameRules
from rules.games.baccarat.sides import classify_lucky_match, classify_pair, classify_perfect_pair
from rules.odds import odds
from rules.shape import Text

PACKS = 8
"""nz-1996 IV, V, IX 3.1; the other rulebooks leave the number open."""
_BY_CARD = (classify_pair, classify_perfect_pair)
_MAX_CARDS = 6
_SUITS = 4
FEE = Result("fee", Fraction(-1))

Counted = tuple[tuple[Coup, int], ...]
"""Coups that stand for all that are alike, each with the number of ways to deal six cards that begin so."""


# ---------------------------------------------------------------------------------------------- counting coups


def _falling(top: int, factors: int) -> int:
    product = 1
    for place in range(factors):
        product *= top - place
    return product


def _deals(left: dict[Card, int], drawn: tuple[Card, ...], weight: int) -> Iterator[tuple[Coup, int]]:
    """Every way to go on from the drawn cards; `left`: representatives of what is in the shoe, with their numbers."""
    coup = play_out(drawn)
    if isinstance(coup, Coup):
        yield coup, weight * _falling(sum(left.values()), _MAX_CARDS - len(drawn))
        return
    for card, number in left.items():
        if number:
            left[card] -= 1
            yield from _deals(left, (*drawn, card), weight * number)
            left[card] += 1


def _openings(left: dict[Card, int]) -> Iterator[tuple[tuple[Card, ...], int]]:
    """The first two cards of a hand, whatever their order, with the number of ways to deal them."""
    cards = list(left)
    for place, first in enumerate(cards):
        for second in cards[place:]:
            number = left[second] - (first == second)
            ways = left[first] * number * (1 if first == second else 2)
            if ways:
                yield (first, second), ways


def _take(left: dict[Card, int], cards: Iterable[Card], by: int = -1) -> None:
    for card in cards:
        left[card] += by


def _merged(coups: Iterable[tuple[Coup, int]], alike: Callable[[Coup], Hashable]) -> Counted:
    """One coup for all that are alike to the wagers at hand."""
    found: dict[Hashable, tuple[Coup, int]] = {}
    for coup, ways in coups:
        key = alike(coup)
        first, before = found.get(key, (coup, 0))
        found[key] = (first, before + ways)
    return tuple(found.values())


def _by_points(packs: int) -> dict[Card, int]:
    """One card for each number of points, with how many the shoe has of it."""
    shoe: dict[int, tuple[Card, int]] = {}
    for card in DECK:
        first, number = shoe.get(POINTS[card], (make_card(rank_of(card), SPADES), 0))
        shoe[POINTS[card]] = (first, number + packs)
    return dict(shoe.values())


def _shape(coup: Coup) -> tuple[int | None, ...]:
    """All that matters to wagers on points: the first two cards of each hand together, and each third card."""
    thirds = [POINTS[hand[2]] if len(hand) == 3 else None for hand in (coup.player, coup.banker)]
    return points(coup.player[:2]), points(coup.banker[:2]), *thirds


def _all_coups(left: dict[Card, int]) -> Iterator[tuple[Coup, int]]:
    for player, ways in list(_openings(left)):
        _take(left, player)
        for banker, more in list(_openings(left)):
            _take(left, banker)
            yield from _deals(left, (player[0], banker[0], player[1], banker[1]), ways * more)
            _take(left, banker, 1)
        _take(left, player, 1)


@cache
def coups_by_points(packs: int) -> Counted:
    """All coups as far as points go."""
    return _merged(_all_coups(_by_points(packs)), _shape)


@cache
def coups_by_pair(packs: int) -> Counted:
    """The first two cards of a hand by rank and suit. Both hands are given the same: wagers on pairs look at one."""
    return tuple(
        (Coup((first, second), (first, second), 0, 0), packs * (packs - (first == second)))
        for first in DECK
        for second in DECK
        if packs > 1 or first != second
    )


def _matches(packs: int, rank: int, side: str) -> Iterator[tuple[Coup, int]]:
    """Two cards of one suit and rank for the side, played out: a third one may follow. Suits are alike."""
    card = make_card(rank, 0)
    left = _by_points(packs)
    left[next(other for other in left if POINTS[other] == POINTS[card])] -= packs
    left[card] = packs - 2
    for others, ways in list(_openings(left)):
        _take(left, others)
        opening = (card, others[0], card, others[1])
        if side == BANKER:
            opening = (others[0], card, others[1], card)
        yield from _deals(left, opening, ways * _SUITS * packs * (packs - 1))
        _take(left, others, 1)


@cache
def coups_by_match(packs: int, side: str) -> Counted:
    """The hand of a side as far as a match of two or three cards goes."""
    later = _falling(52 * packs - 2, _MAX_CARDS - 2)
    others = [(coup, ways * later) for coup, ways in coups_by_pair(packs) if len(set(coup.player)) == 2]
    matches = (found for rank in range(2, ACE + 1) if packs > 1 for found in _matches(packs, rank, side))
    return (*others, *_merged(matches, lambda coup: coup.hand(side)))


# ---------------------------------------------------------------------------------------------- what a coup pays


def _game_rules(game: Game) -> GameRules:
    """What the game's settlement goes by."""
    return cast(GameRules, cast("partial[None]", game.settle).keywords["game_rules"])


def _result(case: Case, coup: Coup) -> Result:
    game_rules = _game_rules(case.game)
    kind = case.entry.wager
    if kind == ANTE:
        return FEE
    side = game_rules.sides.get(kind)
    if side is None:
        return _hand_result(case, game_rules, coup)
    key = side.classify(coup, case.selection)
    if key is not None and key in side.stand_offs:
        return Result(key, Fraction(0))
    if side.stated_odds:
        stated = case.options[side.stated_odds].get(key)
        return LOST if key is None or stated is None else Result(key, odds(stated).ratio)
    return paid(case.pays(kind), key)


def _hand_result(case: Case, game_rules: GameRules, coup: Coup) -> Result:
    role = game_rules.roles[case.entry.wager]
    if coup.winner == role:
        key = "win" if role == TIE else classify_win(coup, role) or ""
        table = case.pays(case.entry.wager)
        pays = table.pays(key) or table.lines["win"]
        kept = game_rules.commission if role == BANKER else Fraction(0)
        return Result(key if table.pays(key) else "win", pays.ratio - kept)
    return PUSHED if coup.winner == TIE and not game_rules.tie_loses else LOST


def _packs(case: Case) -> int:
    return case.decks or PACKS


def _counted(case: Case) -> Counted:
    side = _game_rules(case.game).sides.get(case.entry.wager)
    if side is not None and side.classify in _BY_CARD:
        return coups_by_pair(_packs(case))
    if side is not None and side.classify is classify_lucky_match:
        return coups_by_match(_packs(case), case.selection)
    return coups_by_points(_packs(case))


def compute(case: Case) -> Distribution:
    weights: dict[Result, int] = {}
    for coup, ways in _counted(case):
        result = _result(case, coup)
        weights[result] = weights.get(result, 0) + ways
    return Distribution.of_weights(weights)


def trial(case: Case, chance: Chance) -> Trial:
    packs = _packs(case)
    cards = tuple(card % 52 for card in chance.sample(range(52 * packs), _MAX_CARDS))
    coup = cast(Coup, play_out(cards))  # six cards are enough for any coup
    game_rules, kind = _game_rules(case.game), case.entry.wager
    seat = 1 if case.game.seats else 0
    wagers = [Wager("w", kind, UNIT, seat, selection=case.selection)]
    if case.game.kinds[kind].needs:
        wagers.append(Wager("hand", game_rules.kind_of(PLAYER), UNIT, seat))
    if game_rules.ante and kind != ANTE:
        wagers.append(Wager("ante", ANTE, UNIT, seat))
    shoe = cards[: len(coup.player) + len(coup.banker)]
    return Trial(_result(case, coup), (case.round(wagers, {"shoe": shoe}),), frozenset("w"))


# ------------------------------------------------------------------------------------------------------ entries

ABOUT_ANTE = (
    "No wager but a price. It adds to the edge of the wager beside it what it is of that wager: up to 12.5 points at "
    "the table minimum."
)


def _selections(kind: WagerKind) -> tuple[str, ...]:
    return kind.selection.choices if isinstance(kind.selection, Text) else ("",)


def _entry(game: Game, kind: WagerKind) -> EdgeEntry:
    options = {option.name for option in game.options}
    exclusive = nz_consultation.SIDE_WAGER in options and kind.name in _game_rules(game).sides
    stated = kind.name == "perfect-pairs"
    given: dict[str, Any] = {nz_consultation.SIDE_WAGER: kind.name} if exclusive else {}
    about = ABOUT_ANTE if kind.fee else examples.ABOUT if stated else ""
    return EdgeEntry(
        *(game.name, game.rulebook, kind.name, compute, trial),
        slots=(kind.slot,) if kind.slot else (),
        options={nz_consultation.PERFECT_PAIRS_ODDS: examples.PERFECT_PAIRS} if stated else {},
        given=given | ({nz_consultation.PERFECT_PAIRS_ODDS: examples.PERFECT_PAIRS[0]} if stated else {}),
        selections=_selections(kind),
        decks=(0,) if "decks" not in options else (8,) if kind.fee else (8, 6),
        about=about,
        left_open=examples.OPEN if stated else "",
    )


ENTRIES = tuple(_entry(game, kind) for game in GAMES for kind in game.wagers)

NOTES = (
    "gb-2011 6.72 (Super Pay Egalité): all five printed figures come out with eight packs.",
    "gb-2011 6.51 (UR Way Egalité): the printed overall 11.7% of table 1 is the mean of the ten wagers with eight "
    "packs only if a winning stake is not given back (11.705%); as 6.50 pays, the mean is 10.753%. The printed 17.9% "
    "of table 3 is neither (18.546% and 17.594%); nearest is the mean weighted by how often each score comes, 17.952%. "
    "No one reading gives both, nor does any with six packs.",
    "gb-2011 6.56-6.59 (Three Giving Eight): a banker's three against which the player does not draw loses.",
)
