"""The contract of all games, tied to none: JSON Schema and codec agree, nothing but RuleError refuses, pay tables of
one's own keep to the minimum, options, money and carried wagers are checked before anything is settled."""

from __future__ import annotations

import ast
import copy
import json
import sys
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from rules import RuleError, all_games, check_wagers, find_game, round_from_json, settle
from rules.declare import Game
from rules.odds import odds, say_chance
from rules.schema import catalogue_entry, round_schema
from tests.rules.golden import all_goldens
from tests.rules.laws import hold_laws, lines, settled

EXAMPLES = [each.round for each in all_goldens()]
SLOTS = [(game, slot) for game in all_games() for slot in game.slots()]
SLOT_IDS = [f"{game.name} {game.rulebook} {slot}" for game, slot in SLOTS]


def stud(*wagers: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A round that is dealt but needs nothing of the cards: the contract is what is tested."""
    dealt = {"dealer": ["As", "Qd", "9c", "5h", "3s"], "seats": {"1": ["2c", "2d", "4h", "6s", "8c"]}}
    laid = list(wagers or [{"id": "a", "kind": "ante", "stake": "5.00", "seat": 1}])
    return {"game": "caribbean-stud", "rulebook": "nz-1996", "wagers": laid, "dealt": dealt} | more


@cache
def validator(name: str, rulebook: str) -> Any:
    return jsonschema.Draft202012Validator(round_schema(find_game(name, rulebook)))


def fits(document: Any) -> bool:
    return bool(validator(document["game"], document["rulebook"]).is_valid(document))


# A document that went wrong in one or two places, as a terminal's author would get it wrong


SCRAPS: list[Any] = [
    *(
        None,
        True,
        False,
        -1,
        0,
        1,
        7,
        30,
        100,
        "",
        "x",
        "7",
        "00",
        "As",
        "Jo",
        "2.50",
        "-1.00",
        "1.005",
        "9" * 30,
    ),
    *([], {}, [1], ["As"], {"x": 1}, [[]], {"1": {}}, "7 to 1", "x" * 300),
]


def nodes(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a document except the names of game and rulebook."""
    if path in (("game",), ("rulebook",)):
        return []
    inside: list[tuple[Any, ...]] = [path] if path else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        inside += nodes(item, (*path, key))
    return inside


@st.composite
def spoilt(draw: st.DrawFn) -> dict[str, Any]:
    document = copy.deepcopy(draw(st.sampled_from(EXAMPLES)))
    for _ in range(draw(st.integers(1, 2))):
        places = nodes(document)
        *way, last = draw(st.sampled_from(places))
        parent = document
        for step in way:
            parent = parent[step]
        act = draw(st.sampled_from(["replace", "drop", "repeat", "add", "swap"]))
        if act == "drop":
            del parent[last]
        elif act == "repeat" and isinstance(parent, list):
            parent.insert(last, copy.deepcopy(parent[last]))
        elif act == "add" and isinstance(parent, dict):
            name = draw(st.sampled_from(["x", "seat", "value", "hand", "selection", "1", "20"]))
            parent[name] = copy.deepcopy(draw(st.sampled_from(SCRAPS)))
        elif act == "swap":
            other = document
            for step in draw(st.sampled_from(places)):
                if not isinstance(other, dict | list) or (isinstance(other, list) and step >= len(other)):
                    break
                other = other[step] if isinstance(other, list) else other.get(step)
            parent[last] = copy.deepcopy(other) if other is not document else None
        else:
            parent[last] = copy.deepcopy(draw(st.sampled_from(SCRAPS)))
    return document


@given(spoilt())
@settings(max_examples=400)
def test_schema_and_codec_agree_and_only_rule_errors_refuse(document: dict[str, Any]) -> None:
    """What fits the schema is read, or refused by a rule that it names; what does not fit is never settled."""
    fit, round, answer, refusal = fits(document), None, None, None
    try:
        round = round_from_json(document)
        answer = settle(round)
    except RuleError as fault:
        refusal = fault
    if refusal is not None and round is None:
        assert not fit or refusal.rule, f"fits the schema, but: {refusal}"
    elif round is not None and answer is not None:
        assert fit, "does not fit the schema, but is settled"
        hold_laws(round, answer)


@pytest.mark.parametrize("document", EXAMPLES, ids=lambda d: f"{d['game']}-{d['rulebook']}")
def test_an_unspoilt_example_fits_and_is_settled(document: dict[str, Any]) -> None:
    assert fits(document)
    settled(document)


# Pay tables


@pytest.mark.parametrize(("game", "slot"), SLOTS, ids=SLOT_IDS)
def test_own_odds_where_the_book_allows_them_start_at_the_minimum(game: Game, slot: str) -> None:
    least = game.least_odds(slot)
    own = {key: value.text for key, value in least.items()}
    base = {"game": game.name, "rulebook": game.rulebook}
    if not game.provisions.own_paytables:
        with pytest.raises(RuleError, match="fixes the odds"):
            round_from_json(base | {"paytables": {slot: own}}, partial=True)
        return
    read = round_from_json(base | {"paytables": {slot: own}}, partial=True)
    assert {key: value.ratio for key, value in read.paytables[slot].lines.items()} == {
        key: value.ratio for key, value in least.items()
    }
    for key, floor in least.items():
        more = own | {key: f"{floor.ratio.numerator + 1} to {floor.ratio.denominator}"}
        round_from_json(base | {"paytables": {slot: more}}, partial=True)
        if floor.ratio:
            less = floor.ratio * Fraction(999, 1000)
            worse = own | {key: f"{less.numerator} to {less.denominator}"}
            with pytest.raises(RuleError, match="is below the minimum of") as refused:
                round_from_json(base | {"paytables": {slot: worse}}, partial=True)
            assert (refused.value.field, refused.value.rule) == (
                f"paytables.{slot}.{key}",
                game.provisions.own_paytables,
            )
    needed = next(key for key in own if key not in game.optional_lines(slot))
    for wrong, message in [
        (own | {"x": "1 to 1"}, "'x' is no line"),
        ({key: text for key, text in own.items() if key != needed}, "is missing"),
    ]:
        with pytest.raises(RuleError, match=message):
            round_from_json(base | {"paytables": {slot: wrong}}, partial=True)


@pytest.mark.parametrize(("game", "slot"), SLOTS, ids=SLOT_IDS)
def test_every_table_of_a_slot_reaches_its_minimum(game: Game, slot: str) -> None:
    """2.7: the separate minimum is drawn from all tables, so none of them lies below it."""
    least = game.least_odds(slot)
    for table in game.tables_of(slot).values():
        assert all(value.ratio >= least[key].ratio for key, value in table.lines.items()), table.name
    assert not game.default_table(slot).minimum or len(game.tables_of(slot)) == 1


@pytest.mark.parametrize(
    ("chance", "said"),
    [
        (Fraction(1), "100%"),
        (Fraction(0), "0%"),
        (Fraction(123, 1_000), "12%"),
        (Fraction(34, 1_000), "3.4%"),
        (Fraction(1, 100), "1%"),
        (Fraction(1, 649_740), "1 in 649,740"),
        (Fraction(3, 1_000), "1 in 333"),
        (Fraction(1, 10**12), "less than 1 in a billion"),
    ],
)
def test_a_chance_as_one_reads_it(chance: Fraction, said: str) -> None:
    assert say_chance(chance) == said


@pytest.mark.parametrize(
    "text", ["7", "7 to", "x to 1", "1 to 0", "1 1/0 to 1", "-1 to 1", "0 for 1", "9" * 5000 + " to 1"]
)
def test_odds_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(RuleError):
        odds(text)


# Options, names, money


def test_what_is_not_known_is_refused_by_its_name() -> None:
    for document, field, message in [
        (stud(options={"wheel": "x"}), "options", "'wheel' is no option"),
        (stud(options={"dealing": "hand"}), "options.dealing", "'hand' is not one of shoe, shuffler"),
        (stud(options=[]), "options", "by name"),
        (stud(paytables={"pairs": "standard"}), "paytables", "'pairs' is no pay table slot"),
        (stud(paytables={"bet": "table-9"}), "paytables.bet", "'table-9' is not one of standard"),
        (stud(limits={"kinds": {"ante": {"least": "1.00"}}}), "limits.kinds.ante", "'least' is not known"),
        (stud(limits=[]), "limits", "expected an object"),
        (stud(decisions=[{"kind": "double", "seat": 1}]), "decisions[0].kind", "is no decision"),
        (stud(decisions=[{"kind": ["fold"]}]), "decisions[0].kind", "is no decision"),
        (stud(irregularities=[{"kind": "flood"}]), "irregularities[0].kind", "is no irregularity"),
        (stud(wagers={}), "wagers", "expected a list"),
        (stud(cards=[]), "cards", "is not known"),
        (stud(game="whist"), "game", "is not in the catalogue"),
        (stud(rulebook="gb-2011"), "rulebook", "is not a game of 'gb-2011'"),
        ([], "round", "a JSON object"),
    ]:
        with pytest.raises(RuleError, match=message) as refused:
            round_from_json(document)
        assert refused.value.field == field


@pytest.mark.parametrize(
    "amount", ["-5.00", "-0.00", "5,00", "five", "", " 5.00", "5.0000001", "٥.٠٠", 5, 5.0, None, True]
)
def test_money_is_text_and_never_negative(amount: Any) -> None:
    for document in (
        stud({"id": "a", "kind": "ante", "stake": amount, "seat": 1}),
        stud(limits={"kinds": {"ante": {"minimum": amount}}}),
        stud(limits={"chip": amount}),
    ):
        assert not fits(document)
        with pytest.raises(RuleError, match="money"):
            round_from_json(document)


@pytest.mark.parametrize("amount", ["0.00", "5.001", "0"])
def test_a_stake_is_a_positive_number_of_whole_cents(amount: str) -> None:
    round = round_from_json(stud({"id": "a", "kind": "ante", "stake": amount, "seat": 1}))
    assert [fault.field for fault in check_wagers(round)] == ["wagers[0].stake"]
    with pytest.raises(RuleError, match="positive number of whole cents"):
        settle(round)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: f"{game.name}-{game.rulebook}")
def test_declarations_hold_together(game: Game) -> None:
    for option in game.options:
        assert (
            option.shape.parse(json.loads(json.dumps(option.shape.dump(option.default))), "x")
            == option.default
        )
        assert not option.rule or option.rule.startswith((game.rulebook, "nz-1996 I"))
    names = [kind.name for kind in game.wagers]
    assert len(names) == len(set(names))
    for kind in game.wagers:
        assert kind.rule.startswith(game.rulebook)
        assert set(kind.needs) <= set(names)
        assert not kind.slot or kind.slot in game.slots()
        assert kind.stage in game.stages
        assert kind.amount is None or kind.amount.of in names
    assert all(not decision.wager or decision.wager in names for decision in game.decisions)
    assert all(table.rule.startswith(game.rulebook) for table in game.paytables)
    assert json.loads(json.dumps(catalogue_entry(game)))["game"] == game.name


# Limits

NOT_MEANT = [
    ({"kinds": {"antes": {"minimum": "5.00"}}}, "limits.kinds.antes", "has no wager 'antes'"),
    ({"players": {"1": {"antes": {"minimum": "5.00"}}}}, "limits.players.1.antes", "has no wager 'antes'"),
    (
        {"kinds": {"ante": {"minimum": "50.00", "maximum": "5.00"}}},
        "limits.kinds.ante.maximum",
        "5.00 is under the minimum of 50.00",
    ),
    (
        {"players": {"anna": {"*": {"minimum": "50.00", "maximum": "5.00"}}}},
        "limits.players.anna.*.maximum",
        "is under the minimum",
    ),
    ({"differential": "50.00"}, "limits.differential", "no table differential"),
    ({"hand_payout": "50.00"}, "limits.hand_payout", "no limit over all wagers of a hand"),
    ({"kinds": {"ante": {"max_payout": "9.00"}}}, "limits.kinds.ante.max_payout", "no maximum payout"),
    ({"kinds": {"ante": {"minimum": "5.005"}}}, "limits.kinds.ante.minimum", "whole cents"),
    ({"chip": "0.025"}, "limits.chip", "whole cents"),
    # 15.3 pays up to the next chip: 1,001 would be paid as 1,005
    (
        {"chip": "5.00", "kinds": {"bet": {"max_payout": "1001.00"}}},
        "limits.kinds.bet.max_payout",
        "cannot be paid in chips of 5.00",
    ),
    (
        {"chip": "5.00", "players": {"anna": {"bet": {"max_payout": "1001.00"}}}},
        "limits.players.anna.bet.max_payout",
        "cannot be paid in chips of 5.00",
    ),
]


@pytest.mark.parametrize(("limits", "field", "message"), NOT_MEANT, ids=[case[1] for case in NOT_MEANT])
def test_limits_that_cannot_be_meant_are_refused(limits: dict[str, Any], field: str, message: str) -> None:
    """They would limit nothing, and nobody would know. Also where a table is set up, before any round."""
    with pytest.raises(RuleError, match=message) as refused:
        round_from_json(stud(limits=limits))
    assert refused.value.field == field
    with pytest.raises(RuleError, match=message):
        round_from_json({"game": "caribbean-stud", "rulebook": "nz-1996", "limits": limits}, partial=True)


def test_a_price_has_no_limits_and_a_payout_of_all_others_needs_one_that_may_have_it() -> None:
    lunar = {"game": "lunar-poker", "rulebook": "nz-consultation"}
    with pytest.raises(RuleError, match="is a price") as refused:
        round_from_json(lunar | {"limits": {"kinds": {"buy": {"maximum": "5.00"}}}}, partial=True)
    assert (refused.value.field, refused.value.rule) == ("limits.kinds.buy", "nz-consultation 21 8.6")
    paid = {"limits": {"kinds": {"*": {"max_payout": "5000.00"}}}}
    round_from_json(lunar | paid, partial=True)
    with pytest.raises(RuleError, match="no maximum payout"):
        round_from_json({"game": "roulette", "rulebook": "nz-1996"} | paid, partial=True)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: f"{game.name}-{game.rulebook}")
def test_the_schema_has_the_limits_of_the_game_and_no_others(game: Game) -> None:
    limits = round_schema(game)["properties"]["limits"]["properties"]
    assert set(limits["kinds"]["properties"]) == {*game.kinds, "*"}
    assert ("differential" in limits) == bool(game.differential_rule)
    assert ("hand_payout" in limits) == bool(game.hand_payout_rule)


# Carried wagers


def test_carried_wagers_are_checked_like_new_ones() -> None:
    def carried(**wager: Any) -> dict[str, Any]:
        whole = {"id": "j", "kind": "jackpot", "stake": "1.00", "seat": 1} | wager
        return {"wagers": [{"wager": whole, "state": {"carried": "misdeal"}}]}

    settled(stud(carried=carried(), decisions=[{"kind": "fold", "seat": 1}]))
    wrongs: list[tuple[dict[str, Any], str]] = [
        ({"kind": "tie"}, "carried.wagers[0].wager.kind"),
        ({"seat": 0}, "carried.wagers[0].wager.seat"),
        ({"stake": "0.00"}, "carried.wagers[0].wager.stake"),
        ({"selection": "x"}, "carried.wagers[0].wager.selection"),
        ({"id": "a"}, "wagers[0].id"),
    ]
    for wrong, field in wrongs:
        with pytest.raises(RuleError) as refused:
            settled(stud(carried=carried(**wrong)))
        assert refused.value.field == field


def test_a_game_that_carries_nothing_takes_no_carried_wagers() -> None:
    wager = {"id": "w", "kind": "small", "stake": "1.00"}
    document = {"game": "tai-sai", "rulebook": "nz-1996", "dealt": {"dice": [1, 2, 3]}}
    assert lines(settled(document | {"wagers": [wager]})) == {"w": "win +1.00 back 1.00"}
    with pytest.raises(RuleError, match="stands from round to round"):
        settled(document | {"carried": {"wagers": [{"wager": wager}]}})


def test_an_increment_counts_from_the_minimum() -> None:
    limits = {"kinds": {"ante": {"minimum": "25.00", "maximum": "100.00", "increment": "10.00"}}}
    for stake, fault in [
        ("24.00", "under the minimum"),
        ("25.00", None),
        ("30.00", "is not the minimum of 25.00 and a multiple of 10.00"),
        ("35.00", None),
        ("105.00", "over the maximum"),
    ]:
        ante = {"id": "a", "kind": "ante", "stake": stake, "seat": 1}
        faults = check_wagers(round_from_json(stud(ante, limits=limits)))
        assert [str(f) for f in faults if fault and fault in str(f)] == [str(f) for f in faults]
        assert bool(faults) == bool(fault)


# The core stands alone


def test_the_core_imports_the_standard_library_alone() -> None:
    for path in Path(rules.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                roots = {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                roots = {(node.module or "").split(".")[0]}
            else:
                continue
            assert roots <= {"rules", *sys.stdlib_module_names}, path
            if path.name != "__main__.py":  # a command line may show progress and draw trials
                assert not roots & {"random", "time", "datetime", "secrets"}, f"{path}: no clock, no chance"
