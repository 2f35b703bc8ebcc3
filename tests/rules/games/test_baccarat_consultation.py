"""Baccarat of the later New Zealand rules (nz-consultation 5): 2 to 1, Ante Up, and the pairs beside them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import RuleError, check_wagers, find_game, round_from_json
from rules.cards import DECK, card_text
from tests.rules.engines.baccarat import drawn
from tests.rules.games.poker import settle_or_refuse
from tests.rules.laws import lines, rules_of, settled, wager

PLAYER = "9c 2d Kc 3d"  # a natural nine
PLAYER_9 = "4c Td Kc Kd 5c Qd"  # nine in three cards against zero
PLAYER_7 = "7c 2d Kc Kd Ac"
BANKER = "7c Kd Kc 5d 3c"  # eight in three cards
BANKER_SIX = "5c 2d Kc Kd Tc 4d"
BANKER_NATURAL = "7c 8d Kc Kd"
TIE = "7c 7d Kc Kd"
ODDS = {"mixed-pair": "5 to 1", "coloured-pair": "12 to 1", "perfect-pair": "25 to 1"}


def a_round(shoe: str, *wagers: dict[str, Any], game: str = "baccarat", **more: Any) -> dict[str, Any]:
    document = {"game": game, "rulebook": "nz-consultation", "wagers": list(wagers), **more}
    return document | {"dealt": {"shoe": shoe.split()}}


# game, pay tables, shoe, wager of 20 → line, rule
CASES = [
    ("baccarat", {}, PLAYER, "player", "win +20.00 back 20.00", "5 5.10(a)"),
    ("baccarat", {}, BANKER, "banker", "win +20.00 back 20.00 fee 1.00", "5 5.10(b)"),
    ("baccarat", {}, TIE, "banker", "void back 20.00", "5 (as nz-1996 V 4.1(a)(iii))"),
    ("baccarat", {}, TIE, "tie", "win +160.00 back 20.00", "5 5.10(c)"),
    ("baccarat", {"tie": "9-to-1"}, TIE, "tie", "win +180.00 back 20.00", "5 5.10(c)"),
    ("2-to-1-baccarat", {}, PLAYER, "player", "win +20.00 back 20.00", "5 13.3(a)"),
    ("2-to-1-baccarat", {}, PLAYER_7, "player", "win +20.00 back 20.00", "5 13.3(a)"),
    ("2-to-1-baccarat", {}, PLAYER_9, "player", "win +40.00 back 20.00", "5 13.3(a)"),
    ("2-to-1-baccarat", {}, PLAYER_9, "banker", "lose", "5 13.2(a)(ii)"),
    ("2-to-1-baccarat", {}, BANKER, "banker", "win +40.00 back 20.00", "5 13.3(a)"),
    ("2-to-1-baccarat", {}, BANKER_NATURAL, "banker", "win +20.00 back 20.00", "5 13.3(a)"),
    ("2-to-1-baccarat", {}, BANKER_SIX, "banker", "win +20.00 back 20.00", "5 13.3(a)"),
    ("2-to-1-baccarat", {"banker": "half-on-six"}, BANKER_SIX, "banker", "win +10.00 back 20.00", "5 13.4"),
    ("2-to-1-baccarat", {"banker": "half-on-six"}, BANKER, "banker", "win +40.00 back 20.00", "5 13.3(a)"),
    ("2-to-1-baccarat", {}, TIE, "banker", "lose", "5 13.2(a)(ii)"),
    ("2-to-1-baccarat", {}, TIE, "player", "lose", "5 13.2(b)(ii)"),
    ("2-to-1-baccarat", {}, TIE, "tie", "win +160.00 back 20.00", "5 13.3(b)"),
    ("2-to-1-baccarat", {"tie": "9-to-1"}, TIE, "tie", "win +180.00 back 20.00", "5 13.3(b)"),
    ("2-to-1-baccarat", {}, PLAYER, "tie", "lose", "5 13.2(c)(ii)"),
]


@pytest.mark.parametrize(("game", "tables", "shoe", "kind", "line", "rule"), CASES)
def test_wagers(game: str, tables: dict[str, str], shoe: str, kind: str, line: str, rule: str) -> None:
    answer = settled(a_round(shoe, wager(kind, "20.00", 1), game=game, paytables=tables))
    assert lines(answer)[f"{kind}@1"] == line
    assert answer.lines[0].rule == f"nz-consultation {rule}"


def test_2_to_1_has_no_commission_and_takes_any_stake() -> None:
    answer = settled(a_round(BANKER, wager("banker", "7.00", 1), game="2-to-1-baccarat"))
    assert lines(answer)["banker@1"] == "win +14.00 back 7.00"
    standard = settled(a_round(BANKER, wager("banker", "7.00", 1), limits={"chip": "1.00"}))
    assert lines(standard)["banker@1"] == "void back 7.00"
    assert standard.lines[0].rule == "nz-consultation 5 (as nz-1996 V 5.4)"


# Pairs: player's hand, side wager, pay scale → line of a stake of 10 (11C.8, 11D.8)
SIDES = [
    ("any-pair", "pay-scale-1", "Kc 2d Kd 5d 8c", "win +110.00 back 10.00", "11C.8"),
    ("any-pair", "pay-scale-2", "Kc 2d Kd 5d 8c", "win +100.00 back 10.00", "11C.8"),
    ("any-pair", "pay-scale-1", "Kc 2d Td 5d 8c", "lose", "11C.6"),
    ("lucky-match", "pay-scale-1", "Kc 2d Kd 5d 8c", "win +50.00 back 10.00", "11D.8"),
    ("lucky-match", "pay-scale-1", "Kh 2d Kd 5d 8c", "win +100.00 back 10.00", "11D.8"),
    ("lucky-match", "pay-scale-1", "Kd 2d Kd 5d 8c", "win +250.00 back 10.00", "11D.8"),
    ("lucky-match", "pay-scale-2", "Kd 2d Kd 5d 8c", "win +200.00 back 10.00", "11D.8"),
    ("lucky-match", "pay-scale-1", "Kd 2d Kd 5d Kd 9c", "win +1000.00 back 10.00", "11D.9"),
    ("lucky-match", "pay-scale-2", "Kd 2d Kd 5d Kd 9c", "win +5000.00 back 10.00", "11D.9"),
    ("lucky-match", "pay-scale-2", "Kd 2d Qd 5d Kd 9c", "lose", "11D.6"),
]


@pytest.mark.parametrize(("kind", "scale", "shoe", "line", "rule"), SIDES)
def test_any_pair_and_lucky_match(kind: str, scale: str, shoe: str, line: str, rule: str) -> None:
    shoe = " ".join(drawn([*shoe.split(), "2c", "2c"]))
    bets = [wager("tie", "1.00", 1), wager(kind, "10.00", 1, selection="player")]
    bets += [wager(kind, "10.00", 1, id="banker", selection="banker")]
    answer = settled(a_round(shoe, *bets, options={"side-wager": kind}, paytables={kind: scale}))
    assert (lines(answer)[f"{kind}@1"], rules_of(answer)[f"{kind}@1"]) == (line, rule)
    assert lines(answer)["banker"] == "lose"


def test_perfect_pairs_pay_what_the_layout_says_because_the_book_does_not() -> None:
    bets = [wager("player", "20.00", 1), wager("perfect-pairs", "10.00", 1, selection="player")]
    options: dict[str, Any] = {"side-wager": "perfect-pairs"}
    with pytest.raises(RuleError, match="state those on the layout"):
        settled(a_round("Kd 2d Kd 8d", *bets, options=options))
    options["perfect-pairs-odds"] = ODDS
    for shoe, line in (
        ("Kd 2d Kd 7d", "win +250.00 back 10.00"),
        ("Kd 2d Kh 7d", "win +120.00 back 10.00"),
        ("Kd 2d Kc 7d", "win +50.00 back 10.00"),
        ("Kd 2d Tc 7d", "lose"),
    ):
        assert lines(settled(a_round(shoe, *bets, options=options)))["perfect-pairs@1"] == line
    options["perfect-pairs-odds"] = {"mixed-pair": "a lot"}
    with pytest.raises(RuleError, match="odds are written") as refused:
        settled(a_round("Kd 2d Kd 7d", *bets, options=options))
    assert refused.value.field == "options.perfect-pairs-odds.mixed-pair"


# Ante Up

ANTE = {"ante": "1.25", "ante-waived-from": "100.00"}
LIMITS = {"kinds": {"*": {"minimum": "10.00"}}}


def ante_up(shoe: str, *wagers: dict[str, Any], **more: Any) -> dict[str, Any]:
    settings = {"game": "ante-up-baccarat", "options": ANTE, "limits": LIMITS, **more}
    return a_round(shoe, *wagers, **settings)


# 14.4-14.7: wagers, shoe → lines
ANTES = [
    (
        "14.6 kept with a win",
        [("player", "20.00"), ("ante", "1.25")],
        PLAYER,
        {"player": "win +20.00 back 20.00", "ante": "lose"},
    ),
    (
        "14.6 kept with a loss",
        [("player", "20.00"), ("ante", "1.25")],
        BANKER,
        {"player": "lose", "ante": "lose"},
    ),
    (
        "14.6 kept with a tie",
        [("player", "20.00"), ("ante", "1.25")],
        TIE,
        {"player": "void back 20.00", "ante": "lose"},
    ),
    (
        "14.7 void without",
        [("player", "20.00"), ("tie", "10.00")],
        PLAYER,
        {"player": "void back 20.00", "tie": "void back 10.00"},
    ),
    ("14.4 waived", [("player", "100.00")], PLAYER, {"player": "win +100.00 back 100.00"}),
    ("14.4 not waived just below", [("player", "99.99")], PLAYER, {"player": "void back 99.99"}),
    (
        "14.4 waived for the player, also on the tie",
        [("player", "100.00"), ("tie", "10.00")],
        TIE,
        {"player": "void back 100.00", "tie": "win +80.00 back 10.00"},
    ),
    (
        "14.4 an ante that was not due comes back",
        [("player", "100.00"), ("ante", "1.25")],
        PLAYER,
        {"player": "win +100.00 back 100.00", "ante": "void back 1.25"},
    ),
]


@pytest.mark.parametrize(("laid", "shoe", "expected"), [a[1:] for a in ANTES], ids=[a[0] for a in ANTES])
def test_antes(laid: list[tuple[str, str]], shoe: str, expected: dict[str, str]) -> None:
    answer = settled(ante_up(shoe, *(wager(kind, stake, 1, id=kind) for kind, stake in laid)))
    assert lines(answer) == expected


def test_14_5_an_ante_is_asked_for_while_wagers_are_taken() -> None:
    document = ante_up(
        PLAYER, wager("player", "20.00", 1), wager("tie", "10.00", 1), wager("tie", "10.00", 2)
    )
    del document["dealt"]
    faults = check_wagers(round_from_json(document, partial=True))
    assert [(f.field, f.rule and f.rule.split()[-1]) for f in faults] == [
        ("wagers[0]", "14.5"),
        ("wagers[2]", "14.5"),
    ]


@pytest.mark.parametrize(
    ("options", "stake", "field", "rule"),
    [
        (ANTE, "1.00", "wagers[1].stake", "14.3"),
        (ANTE | {"ante": "1.26"}, "1.26", "options.ante", "1.0"),
    ],
)
def test_the_ante_is_the_one_on_the_sign_and_at_most_an_eighth_of_the_minimum(
    options: dict[str, str], stake: str, field: str, rule: str
) -> None:
    document = ante_up(PLAYER, wager("player", "20.00", 1), wager("ante", stake, 1), options=options)
    with pytest.raises(RuleError) as refused:
        settled(document)
    assert (refused.value.field, refused.value.rule) == (field, f"nz-consultation 5 {rule}")


def test_an_ante_is_no_wager_and_so_never_below_the_minimum() -> None:
    laid = [wager("player", "20.00", 1), wager("ante", "1.25", 1)]
    carried = {"table": {"below-minimum": ["1"]}}
    answer = settled(ante_up(PLAYER, *laid, carried=carried))
    assert lines(answer)["ante@1"] == "lose"
    assert check_wagers(round_from_json(ante_up(PLAYER, *laid))) == ()


def test_a_wager_that_is_void_under_the_minimum_takes_its_ante_and_side_wager_with_it() -> None:
    laid = [
        wager("player", "5.00", 1),
        wager("ante", "1.25", 1),
        wager("any-pair", "10.00", 1, selection="player"),
    ]
    carried = {"table": {"below-minimum": ["1"]}}
    options = ANTE | {"side-wager": "any-pair"}
    answer = settled(ante_up("Kd 2d Kd 7d", *laid, carried=carried, options=options))
    assert lines(answer) == {
        "player@1": "void back 5.00",
        "ante@1": "void back 1.25",
        "any-pair@1": "void back 10.00",
    }


def test_a_wager_of_which_no_chip_can_be_paid_takes_its_ante_and_side_wager_with_it() -> None:
    """nz-1996 V 5.4: 95% of a banker wager in chips of 5.00 is payable by the hundred, so nothing of 25.00 counts."""
    laid = [
        wager("banker", "25.00", 1),
        wager("any-pair", "5.00", 1, selection="player"),
        wager("ante", "1.25", 1),
    ]
    options = {"ante": "1.25", "side-wager": "any-pair"}
    answer = settled(
        a_round(PLAYER, *laid, game="ante-up-baccarat", options=options, limits={"chip": "5.00"})
    )
    back = {"banker@1": "void back 25.00", "any-pair@1": "void back 5.00", "ante@1": "void back 1.25"}
    assert lines(answer) == back


def test_a_wager_that_the_differential_leaves_nothing_of_takes_its_side_wager_with_it() -> None:
    """4.10: of 333.33 and 0.01 on the player 5.00 may stand against nothing: 4.99 and no whole cent of the other."""
    laid = [
        wager("player", "333.33", 1),
        wager("player", "0.01", 2),
        wager("any-pair", "5.00", 2, selection="player"),
    ]
    options = {"side-wager": "any-pair"}
    answer = settled(a_round(PLAYER, *laid, options=options, limits={"differential": "5.00"}))
    assert lines(answer) == {
        "player@1": "win +4.99 back 333.33",
        "player@2": "void back 0.01",
        "any-pair@2": "void back 5.00",
    }


def test_14_1_ante_up_goes_with_2_to_1_as_well() -> None:
    laid = [wager("player", "20.00", 1), wager("ante", "1.25", 1)]
    answer = settled(ante_up(PLAYER_9, *laid, game="ante-up-2-to-1-baccarat"))
    assert lines(answer) == {"player@1": "win +40.00 back 20.00", "ante@1": "lose"}
    answer = settled(ante_up(TIE, *laid, game="ante-up-2-to-1-baccarat"))
    assert lines(answer) == {"player@1": "lose", "ante@1": "lose"}


def test_a_void_round_returns_the_ante() -> None:
    laid = [wager("player", "20.00", 1), wager("ante", "1.25", 1)]
    answer = settled(ante_up(PLAYER, *laid, irregularities=[{"kind": "insufficient-cards"}]))
    assert set(lines(answer).values()) == {"void back 20.00", "void back 1.25"}
    assert answer.lines[0].rule == "nz-consultation 5 (as nz-1996 V 12.6)"


WRONG = [
    (
        "11A.2 another pair wager",
        {"side-wager": "any-pair"},
        [wager("tie", "1.00", 1), wager("lucky-match", "1.00", 1, selection="player")],
        ("wagers[1].kind", "nz-consultation 5 11D.2"),
    ),
    (
        "11C.3 without a wager on the round",
        {"side-wager": "any-pair"},
        [wager("any-pair", "1.00", 1, selection="player")],
        ("wagers[0]", "nz-consultation 5 11C.3"),
    ),
    (
        "5.2 both hands",
        {},
        [wager("player", "20.00", 1), wager("banker", "20.00", 1)],
        ("wagers[1].kind", "nz-consultation 5 (as nz-1996 V 4.8)"),
    ),
]


@pytest.mark.parametrize(("options", "wagers", "fault"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_wrong_wagers_name_field_and_rule(options: dict[str, Any], wagers: list[Any], fault: Any) -> None:
    document = {"game": "baccarat", "rulebook": "nz-consultation", "options": options, "wagers": wagers}
    faults = check_wagers(round_from_json(document, partial=True))
    assert [(f.field, f.rule) for f in faults] == [fault]


NAMES = ("baccarat", "2-to-1-baccarat", "ante-up-baccarat", "ante-up-2-to-1-baccarat")
KINDS = [kind.name for kind in find_game("ante-up-baccarat", "nz-consultation").wagers]


@given(
    st.sampled_from(NAMES),
    st.lists(st.sampled_from(DECK), min_size=4, max_size=7),
    st.lists(
        st.tuples(st.sampled_from(KINDS), st.sampled_from(["", "player", "banker"]), st.integers(0, 2)),
        max_size=5,
    ),
    st.sampled_from(["none", "any-pair", "lucky-match", "perfect-pairs"]),
    st.sampled_from(["", "insufficient-cards", "excess-card", "first-card-face-up", "device"]),
)
@settings(max_examples=200)
def test_anything_is_settled_or_refused(
    game: str, deck: list[int], bets: list[Any], side: str, mishap: str
) -> None:
    document = a_round(" ".join(card_text(card) for card in deck), game=game, options={"side-wager": side})
    document["wagers"] = [
        wager(kind, "20.00", seat, id=f"w{i}", selection=pick) for i, (kind, pick, seat) in enumerate(bets)
    ]
    document["irregularities"] = [{"kind": mishap, "seat": 1}] if mishap else []
    settle_or_refuse(document)
