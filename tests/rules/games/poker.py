"""Rounds for the tests of the poker games: documents written short, random ones, and rounds with anything in them."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from rules import RuleError, find_game, round_from_json, settle
from rules.cards import DECK, card_text
from rules.contract import Settlement
from tests.rules.laws import hands, hold_laws, wager

FEW = settings(max_examples=60, deadline=None)
MANY = settings(max_examples=150, deadline=None)
"""Without a deadline: the first hand builds the rank tables."""

DECKS = st.integers(0, 2**32 - 1).map(lambda seed: Random(seed).sample(DECK, 52))
"""Shuffled packs; a seed is drawn many times faster than a permutation."""


def document(game: str, wagers: list[dict[str, Any]], seats: dict[str, str], **more: Any) -> dict[str, Any]:
    """`board=` and `dealer=` are dealt, as text; anything else is a field of the round."""
    dealt: dict[str, Any] = {"seats": hands(**seats)}
    for name in ("board", "dealer"):
        if more.get(name) is not None:
            dealt[name] = more[name].split()
    rest = {name: value for name, value in more.items() if name not in ("board", "dealer")}
    return {"game": game, "rulebook": "gb-2011", "wagers": wagers, "dealt": dealt, **rest}


def at(seat: int, **stakes: str) -> list[dict[str, Any]]:
    """`at(1, ante='5.00', aa_bonus='1.00')`: wagers of one seat."""
    return [wager(kind.replace("_", "-"), stake, seat) for kind, stake in stakes.items()]


def choices(seat: int, *kinds: str) -> list[dict[str, Any]]:
    """`choices(1, 'check', 'fold')`: decisions of one seat in their order."""
    return [{"kind": kind, "seat": seat} for kind in kinds]


def settle_or_refuse(given: dict[str, Any]) -> Settlement | RuleError:
    """Nothing else may come of a document: a settlement that obeys the laws, or a RuleError with a field."""
    try:
        round = round_from_json(given)
        answer = settle(round)
    except RuleError as fault:
        refused = fault
    else:
        hold_laws(round, answer)
        return answer
    assert refused.field
    assert refused.message
    return refused


def spoilt(tables: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Rounds of `full_tables` in which up to three things were left out, moved, doubled or went wrong."""
    blows = st.lists(
        st.tuples(st.sampled_from(sorted(_BLOWS)), st.integers(0, 40), st.integers(0, 40)),
        min_size=1,
        max_size=3,
    )

    def build(parts: tuple[dict[str, Any], list[tuple[str, int, int]]]) -> dict[str, Any]:
        given = json.loads(json.dumps(parts[0]))
        for name, which, how in parts[1]:
            _BLOWS[name](given, which, how)
        return given

    return st.tuples(tables, blows).map(build)


def _irregular(given: dict[str, Any], which: int, how: int) -> None:
    kinds = find_game(given["game"], given["rulebook"]).irregularities
    wrong = {"kind": kinds[which % len(kinds)].name, "seat": how % 4}
    given.setdefault("irregularities", []).append(wrong)


def _decide(given: dict[str, Any], which: int, how: int) -> None:
    kinds = find_game(given["game"], given["rulebook"]).decisions
    values: list[Any] = [
        {},
        {"value": "bet-1"},
        {"wager": given["wagers"][0]["id"] if given["wagers"] else "x"},
    ]
    made = {"kind": kinds[which % len(kinds)].name, "seat": 1 + how % 4, **values[how % 3]}
    given["decisions"].append(made)


def _change_wager(given: dict[str, Any], which: int, how: int) -> None:
    kinds = find_game(given["game"], given["rulebook"]).wagers
    if given["wagers"]:
        changes: list[dict[str, Any]] = [
            {"seat": how % 11},
            {"stake": f"{how}.00"},
            {"kind": kinds[how % len(kinds)].name},
            {"player": "Ann"},
            {"promo": True},
        ]
        given["wagers"][which % len(given["wagers"])].update(changes[(which + how) % 5])


def _drop(given: dict[str, Any], which: int, how: int) -> None:
    held = given[("wagers", "decisions")[how % 2]]
    if held:
        held.pop(which % len(held))


def _cut_cards(given: dict[str, Any], which: int, how: int) -> None:
    dealt = given["dealt"]
    places = sorted(set(dealt) - {"seats"})
    if how % 2 and dealt.get("seats"):
        dealt = dealt["seats"]
        places = sorted(dealt)
    if places:
        place = places[which % len(places)]
        if how % 3 and isinstance(dealt[place], list):
            dealt[place] = dealt[place][: how % 5]
        else:
            del dealt[place]


_BLOWS: dict[str, Callable[[dict[str, Any], int, int], None]] = {
    "irregular": _irregular,
    "decide": _decide,
    "change-wager": _change_wager,
    "drop": _drop,
    "cut-cards": _cut_cards,
}


def reversed_seats(given: dict[str, Any], seats: int) -> dict[str, Any]:
    """The same round with everybody on the mirrored seat; wagers keep their ids."""
    mirrored: dict[str, Any] = json.loads(json.dumps(given))
    for entry in (*mirrored["wagers"], *mirrored.get("decisions", ())):
        entry["seat"] = seats + 1 - entry["seat"]
    dealt = mirrored["dealt"]
    dealt["seats"] = {str(seats + 1 - int(seat)): hand for seat, hand in dealt["seats"].items()}
    return mirrored


Player = tuple[list[dict[str, Any]], list[dict[str, Any]]]
"""Wagers and decisions of one seat, without ids and seats."""


def full_tables(
    game: str,
    player: st.SearchStrategy[Player],
    *,
    hand: int,
    dealt: Callable[[Callable[[int], list[str]]], dict[str, Any]],
    most: int = 6,
    rulebook: str = "gb-2011",
) -> st.SearchStrategy[dict[str, Any]]:
    """Rounds that are in order: every seat with a proper set of wagers, all cards dealt from one pack.

    `dealt` gets a function that draws so many cards and gives the shared ones.
    """

    def build(parts: tuple[list[int], list[Player]]) -> dict[str, Any]:
        deck, players = parts
        cards = iter([card_text(card) for card in deck])

        def draw(count: int) -> list[str]:
            return [next(cards) for _ in range(count)]

        wagers, decisions = [], []
        for seat, (laid, chosen) in enumerate(players, start=1):
            wagers += [{**w, "seat": seat, "id": f"{w['kind']}-{seat}"} for w in laid]
            decisions += [{**d, "seat": seat} for d in chosen]
        shared = dealt(draw)
        seats = {str(seat): draw(hand) for seat in range(1, len(players) + 1)}
        return {
            "game": game,
            "rulebook": rulebook,
            "wagers": wagers,
            "decisions": decisions,
            "dealt": {**shared, "seats": seats},
        }

    return st.tuples(DECKS, st.lists(player, min_size=1, max_size=most)).map(build)
