"""The core against `engines/`, which know the books and nothing of the core: every line and hit of random rounds.

`make soak ARGS="-k engines"` plays many more.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rules import RuleError, Settlement, all_games, round_from_json, settle, settlement_to_json
from rules.contract import Round
from rules.odds import Odds
from tests.rules import golden, ranking_by_definition
from tests.rules.engines import baccarat, blackjack_pays, craps, dice, holdem, lunar, pay_tables, stud, wheels
from tests.rules.engines.chips import Answer, Document, NotPlayed
from tests.rules.engines.compare import differences
from tests.rules.engines.every_game import ENGINES, a_round, answer
from tests.rules.laws import hold_laws

ROUNDS = 250
FEWER = {("pai-gow-poker", "gb-2011"): 60}
"""Its joker is tried as every card."""
GAMES = sorted(ENGINES)
FOLDER = Path(__file__).parent / "engines"
each_game = pytest.mark.parametrize("game", GAMES, ids="-".join)


def held(document: Document, given: Answer | None = None) -> list[str]:
    """What the core settles otherwise than the engine, whose answer may be given."""
    return differences(given or answer(document), settlement_to_json(_settled(document)))


def _settled(document: Document) -> Settlement:
    return settle(round_from_json(document))


def differs(document: Document) -> bool:
    try:
        return bool(held(document))
    except RuleError:
        return True


def rounds(game: tuple[str, str], seeds: range) -> Iterator[tuple[int, Document]]:
    for seed in seeds:
        yield seed, a_round(*game, seed)


def hold_to_the_engine(game: tuple[str, str], seeds: range) -> list[Answer]:
    answers = []
    for seed, document in rounds(game, seeds):
        given = answer(document)
        try:
            found = held(document, given)
        except RuleError as refusal:
            found = [f"the core refuses a round that is in order: {refusal.as_json()}"]
        if found:
            told = "\n  ".join([f"{game}, seed {seed}", *found, json.dumps(document)])
            pytest.fail(told, pytrace=False)
        if seed % 25 == 0:
            hold_laws(round_from_json(document), _settled(document))
        answers.append(given)
    return answers


def some(game: tuple[str, str]) -> range:
    return range(FEWER.get(game, ROUNDS))


def test_every_game_of_the_catalogue_has_an_engine() -> None:
    assert {(game.name, game.rulebook) for game in all_games()} == set(ENGINES)


@each_game
def test_the_core_settles_random_rounds_as_the_engine_does(game: tuple[str, str]) -> None:
    answers = hold_to_the_engine(game, some(game))
    outcomes = {line.outcome for given in answers for line in given.lines.values()}
    assert {"win", "lose"} <= outcomes


@pytest.mark.parametrize("each", list(golden.all_goldens()), ids=str)
def test_an_engine_settles_a_golden_round_as_its_file_expects(each: golden.Golden) -> None:
    if each.round.get("irregularities"):
        pytest.skip("engines know no irregularities")
    try:
        assert held(each.round) == []
    except NotPlayed as left_out:
        pytest.skip(str(left_out))


def _dearer(round: Round, slot: str) -> Round:
    """The same round where every line of one pay table pays one more to one."""
    table = round.paytables[slot]
    lines = {
        key: Odds(odds.ratio + 1, f"{odds.ratio.numerator + odds.bottom} to {odds.bottom}")
        for key, odds in table.lines.items()
    }
    return replace(round, paytables={**round.paytables, slot: replace(table, lines=lines)})


def slots_of(game: tuple[str, str]) -> list[str]:
    return sorted(round_from_json(a_round(*game, 0)).paytables)


def found_out(game: tuple[str, str], slot: str, seeds: range) -> bool:
    """Some round shows that this pay table is not the rulebook's."""
    for _, document in rounds(game, seeds):
        try:
            settled = settlement_to_json(settle(_dearer(round_from_json(document), slot)))
        except RuleError:  # a lay bet is measured by what it wins
            return True
        if differences(answer(document), settled):
            return True
    return False


@pytest.mark.parametrize(
    ("game", "slot"),
    [(game, slot) for game in GAMES for slot in slots_of(game)],
    ids=lambda part: part if isinstance(part, str) else "-".join(part),
)
def test_a_pay_table_that_is_not_the_books_is_found_out(game: tuple[str, str], slot: str) -> None:
    assert found_out(game, slot, some(game))


FAULTS: list[tuple[Any, str, Any, tuple[str, str]]] = [
    (baccarat.DRAWS, "4", {4: ()}, ("punto-banco", "gb-2011")),
    (baccarat.DRAWS, "0", {0: ()}, ("baccarat", "nz-1996")),
    (craps.NEW_ZEALAND, "barred", {"barred": 2}, ("craps", "nz-1996")),
    (craps.BRITISH, "field", {"field": {2: 2, 12: 2}}, ("craps", "gb-2011")),
    (dice.BRITISH, "double", {"double": 11}, ("sic-bo", "gb-2011")),
    (holdem.BONUS, "AK", {"AK": (25, 20)}, ("texas-holdem-bonus", "gb-2011")),
    (pay_tables.BIG_RAISE, "flush", {"flush": 5}, ("big-raise-stud", "nz-consultation")),
    (blackjack_pays.SUPER_MATCH, "table-1", {"table-1": {(2, 1, 1): 2}}, ("blackjack-switch", "gb-2011")),
    (lunar.BET, "straight", {"straight": 5}, ("lunar-poker", "nz-consultation")),
    (stud.BET, "full-house", {"full-house": 8}, ("caribbean-stud", "nz-1996")),
    (wheels.ODDS, "corner", {"corner": 9}, ("roulette", "nz-1996")),
]


@pytest.mark.parametrize(("table", "name", "fault", "game"), FAULTS)
def test_a_fault_in_an_engine_is_found_out(
    table: dict[Any, Any],
    name: str,
    fault: dict[Any, Any],
    game: tuple[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for key, wrong in fault.items():
        monkeypatch.setitem(table, key, wrong)
    assert any(differs(document) for _, document in rounds(game, range(ROUNDS)))


@each_game
def test_hits_are_ordered_by_the_strength_of_their_hands(game: tuple[str, str]) -> None:
    """Where the best of several hands takes all, `strength` says which it is."""
    for _, document in rounds(game, some(game)[:80]):
        worth = {hit.wager: hit.worth for hit in answer(document).hits if hit.worth is not None}
        hits = [hit for hit in _settled(document).hits if hit.wager.id in worth]
        for one in hits:
            for other in hits:
                same_order = (one.strength > other.strength) == (worth[one.wager.id] > worth[other.wager.id])
                assert same_order or one.trigger != other.trigger, (document, one, other)


def test_no_engine_knows_the_core() -> None:
    for path in [*sorted(FOLDER.glob("*.py")), Path(ranking_by_definition.__file__)]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                assert not name.startswith("rules"), (path.name, name)
                assert (
                    not name.startswith("tests")
                    or name.startswith(("tests.rules.engines", "tests.rules.ranking_by_definition"))
                    or name == "tests.rules"
                ), (path.name, name)
