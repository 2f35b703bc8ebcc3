"""Mini, full and midi baccarat (nz-1996 IV, V, IX): odds, commission, chips, differential, irregularities, refusals."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import RuleError, check_wagers, find_game, round_from_json
from rules.codec import carried_to_json
from rules.money import format_money
from tests.rules.games.poker import settle_or_refuse
from tests.rules.laws import lines, money, rules_of, settled, wager

DIVISIONS = {"mini-baccarat": ("IV", "11"), "baccarat": ("V", "12"), "midi-baccarat": ("IX", "12")}
GAMES = list(DIVISIONS)

PLAYER_WINS = "9c 2d Kc 3d"  # 9 against 5, a natural
BANKER_WINS = "7c Kd Kc 5d 3c"  # the player stands with 7, the banker draws to 8
TIE = "7c 7d Kc Kd"


def a_round(shoe: str, *wagers: dict[str, Any], game: str = "mini-baccarat", **more: Any) -> dict[str, Any]:
    document = {"game": game, "rulebook": "nz-1996", "wagers": list(wagers), **more}
    return document | {"dealt": {"shoe": shoe.split(), **more.get("dealt", {})}}


# shoe, wager of 20: line and rule by 4.1, 5.1, 5.2, 5.5
CASES = [
    (PLAYER_WINS, "player", "win +20.00 back 20.00", "5.1"),
    (PLAYER_WINS, "banker", "lose", "4.1(a)(ii)"),
    (PLAYER_WINS, "tie", "lose", "4.1(c)(ii)"),
    (BANKER_WINS, "player", "lose", "4.1(b)(ii)"),
    (BANKER_WINS, "banker", "win +20.00 back 20.00 fee 1.00", "5.2"),
    (BANKER_WINS, "tie", "lose", "4.1(c)(ii)"),
    (TIE, "player", "void back 20.00", "4.1(b)(iii)"),
    (TIE, "banker", "void back 20.00", "4.1(a)(iii)"),
    (TIE, "tie", "win +160.00 back 20.00", "5.5"),
]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("shoe", "kind", "line", "rule"), CASES)
def test_wagers(game: str, shoe: str, kind: str, line: str, rule: str) -> None:
    answer = settled(a_round(shoe, wager(kind, "20.00", 1), game=game))
    assert (lines(answer)[f"{kind}@1"], rules_of(answer)[f"{kind}@1"]) == (line, rule)
    assert answer.lines[0].rule == f"nz-1996 {DIVISIONS[game][0]} {rule}"


def test_the_result_in_words() -> None:
    assert settled(a_round(BANKER_WINS)).result == {
        "player": "seven",
        "banker": "eight in three cards",
        "winner": "banker",
    }
    assert settled(a_round(PLAYER_WINS)).result["player"] == "natural nine"


# 5.3-5.4: stake, chip, what a winning and a losing banker wager gets. 95% of a multiple of 20 chips is payable.
EXACT = [
    ("50.00", "1.00", "win +40.00 back 50.00 fee 2.00", "lose back 10.00"),
    ("50.00", "2.50", "win +50.00 back 50.00 fee 2.50", "lose"),
    ("45.00", "2.50", "void back 45.00", "void back 45.00"),
    ("19.00", "1.00", "void back 19.00", "void back 19.00"),
    ("5.00", "0.25", "win +5.00 back 5.00 fee 0.25", "lose"),
    ("0.50", "", "win +0.40 back 0.50 fee 0.02", "lose back 0.10"),
]


@pytest.mark.parametrize(("stake", "chip", "won", "lost"), EXACT)
def test_5_4_only_what_can_be_paid_exactly_is_valid(stake: str, chip: str, won: str, lost: str) -> None:
    limits: dict[str, Any] = {"limits": {"chip": chip}} if chip else {}
    win = settled(a_round(BANKER_WINS, wager("banker", stake, 1), **limits))
    lose = settled(a_round(PLAYER_WINS, wager("banker", stake, 1), **limits))
    assert (lines(win)["banker@1"], lines(lose)["banker@1"]) == (won, lost)
    assert win.lines[0].rounding == 0
    if won != "win" and "void" in won:
        assert rules_of(win)["banker@1"] == "5.4"
    elif "back 10" in lost or "0.10" in lost:
        assert win.lines[0].also == ("nz-1996 IV 5.4",)


def test_5_3_is_told_while_wagers_are_taken_and_the_player_side_knows_no_such_rule() -> None:
    document: dict[str, Any] = {
        "game": "mini-baccarat",
        "rulebook": "nz-1996",
        "limits": {"chip": "1.00"},
    }
    document["wagers"] = [wager("banker", "50.00", 1), wager("player", "50.50", 2)]
    faults = check_wagers(round_from_json(document, partial=True))
    assert [(fault.field, fault.rule) for fault in faults] == [("wagers[0].stake", "nz-1996 IV 5.3")]
    odd = a_round(PLAYER_WINS, wager("player", "50.50", 2), limits={"chip": "1.00"})
    assert lines(settled(odd))["player@2"] == "win +51.00 back 50.50", "I 15.3"


# 4.9-4.10: differential 100; the larger side is cut to the smaller one and 100, pro rata
DIFFERENTIAL = [
    # player side 300 + 100, banker side 100: 200 may stand against 100: each is halved
    (
        {"player@1": "300.00", "player@2": "100.00", "banker@3": "100.00"},
        {"player@1": "150", "player@2": "50"},
    ),
    # nobody on the other side: 100 of 400 in all
    ({"player@1": "300.00", "player@2": "100.00"}, {"player@1": "75", "player@2": "25"}),
    # within the differential: nothing happens
    ({"player@1": "200.00", "banker@3": "100.00"}, {}),
    # exactly the differential more
    ({"player@1": "100.00"}, {}),
    # the banker's side, cut to amounts that can be paid exactly: 160 * 180 / 240 = 120, 80 * 180 / 240 = 60
    ({"banker@1": "160.00", "banker@2": "80.00", "player@3": "80.00"}, {"banker@1": "120", "banker@2": "60"}),
    # 200 * 180 / 300 = 120 and 100 * 180 / 300 = 60
    (
        {"banker@1": "200.00", "banker@2": "100.00", "player@3": "80.00"},
        {"banker@1": "120", "banker@2": "60"},
    ),
    # thirds go down to whole chips: 100 of 300 is 33 1/3 each
    (
        {"player@1": "100.00", "player@2": "100.00", "player@3": "100.00"},
        dict.fromkeys(("player@1", "player@2", "player@3"), "33"),
    ),
]


@pytest.mark.parametrize(("laid", "cut"), DIFFERENTIAL)
def test_4_10_the_larger_side_is_cut_pro_rata(laid: dict[str, str], cut: dict[str, str]) -> None:
    wagers = [wager(name.split("@")[0], stake, int(name[-1])) for name, stake in laid.items()]
    limits = {"differential": "100.00", "chip": "1.00"}
    for shoe, winner in ((PLAYER_WINS, "player"), (BANKER_WINS, "banker")):
        answer = settled(a_round(shoe, *wagers, limits=limits))
        for line in answer.lines:
            stake = money(laid[line.wager.id])
            valid = money(cut.get(line.wager.id, laid[line.wager.id]))
            if line.wager.kind == winner:
                assert (line.winnings, line.returned) == (valid, stake), line
            else:
                assert (line.winnings, line.lost) == (0, valid), line
            assert ("nz-1996 IV 4.10" in line.also) == (line.wager.id in cut)


def test_4_10_a_tie_bet_is_on_neither_side_and_a_wager_cut_to_nothing_is_void() -> None:
    laid = [wager("tie", "500.00", 1), wager("banker", "20.00", 2), wager("banker", "20.00", 3)]
    answer = settled(a_round(TIE, *laid, limits={"differential": "30.00", "chip": "1.00"}))
    assert lines(answer)["tie@1"] == "win +4000.00 back 500.00"
    answer = settled(a_round(BANKER_WINS, *laid, limits={"differential": "30.00", "chip": "1.00"}))
    assert lines(answer)["banker@2"] == "void back 20.00", "15 cannot be paid exactly"
    line = answer.lines[1]
    assert (line.wager.id, line.rule, line.also) == ("banker@2", "nz-1996 IV 5.4", ("nz-1996 IV 4.10",))


def test_4_5_an_area_as_a_whole_may_be_held_to_the_maximum() -> None:
    laid = [
        wager("player", stake, 1, id=name, player=name) for name, stake in (("a", "60.00"), ("b", "60.00"))
    ]
    limits = {"kinds": {"player": {"maximum": "100.00"}}}
    each = settled(a_round(PLAYER_WINS, *laid, limits=limits))
    assert lines(each) == {"a": "win +60.00 back 60.00", "b": "win +60.00 back 60.00"}
    together = a_round(PLAYER_WINS, *laid, limits=limits, options={"area-maximum": True})
    answer = settled(together)
    assert lines(answer) == {"a": "win +60.00 back 60.00", "b": "win +40.00 back 60.00"}
    assert answer.lines[1].also == ("nz-1996 IV 4.5", "nz-1996 I 14.2(b)")
    del together["dealt"]
    faults = check_wagers(round_from_json(together, partial=True))
    assert [(f.field, f.rule) for f in faults] == [("wagers[1].stake", "nz-1996 IV 4.5")]


# Irregularities


def wrong(kind: str, **value: Any) -> dict[str, Any]:
    return {"kind": kind, "value": value} if value else {"kind": kind}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("disclosed", [True, False])
def test_11_2_a_third_card_to_a_standing_player_becomes_the_bankers(game: str, disclosed: bool) -> None:
    """The player stands with 7; the banker has 5 and must draw: the card is its third."""
    mishap = [wrong("third-card-to-player", disclosed=disclosed)]
    laid = {"player": ["7c", "Kc", "3c"], "banker": ["Kd", "5d"]}
    document = a_round(BANKER_WINS, wager("banker", "20.00", 1), game=game, irregularities=mishap, dealt=laid)
    document["dealt"]["shoe"] = BANKER_WINS.split()
    answer = settled(document)
    division, part = DIVISIONS[game]
    assert lines(answer)["banker@1"] == "win +20.00 back 20.00 fee 1.00"
    assert answer.lines[0].also == (f"nz-1996 {division} {part}.2",)
    assert answer.carried.table == {}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("mishap", "number"),
    [("third-card-to-player", "2"), ("excess-card", "3")],
)
def test_11_2_11_3_a_card_too_many_is_the_first_of_the_next_round(
    game: str, mishap: str, number: str
) -> None:
    division, part = DIVISIONS[game]
    rule = f"nz-1996 {division} {part}.{number}"
    hidden = [wrong(mishap, disclosed=False)]
    first = settled(a_round(f"{TIE} 9h", wager("tie", "5.00", 1), game=game, irregularities=hidden))
    assert lines(first)["tie@1"] == "win +40.00 back 5.00"
    carried = carried_to_json(first.carried)
    assert carried["table"] == {"first-cards": ["9h"]}
    with pytest.raises(RuleError, match="the round begins with 9h"):
        settled(a_round(PLAYER_WINS, wager("player", "5.00", 1), game=game, carried=carried))
    second = settled(a_round("9h 2d Kc 3d", wager("player", "5.00", 1), game=game, carried=carried))
    assert lines(second)["player@1"] == "win +5.00 back 5.00"
    assert second.carried.table == {}
    shuffled = a_round(PLAYER_WINS, wager("player", "5.00", 1), game=game, carried=carried)
    shuffled["dealt"]["new_shoe"] = True
    assert lines(settled(shuffled))["player@1"] == "win +5.00 back 5.00"

    seen = [wrong(mishap, disclosed=True)]
    first = settled(a_round(f"{TIE} 9h", wager("tie", "5.00", 1), game=game, irregularities=seen))
    carried = carried_to_json(first.carried)
    assert carried["table"] == {"first-cards": ["9h"], "void-hand": rule}
    nothing = {"game": game, "rulebook": "nz-1996", "carried": carried, "wagers": [wager("tie", "5.00", 1)]}
    faults = check_wagers(round_from_json(nothing, partial=True))
    assert [(f.field, f.rule) for f in faults] == [("wagers", rule)]
    void = settled(a_round("9h 2d Kc 3d", wager("player", "5.00", 1), game=game, carried=carried))
    assert lines(void)["player@1"] == "void back 5.00"
    assert (void.lines[0].rule, void.carried.table) == (rule, {})
    assert settled(a_round("9h 2d Kc 3d", game=game, carried=carried)).result["winner"] == "player"


def test_11_2_in_style_b_somebody_has_to_say_whether_the_card_was_seen() -> None:
    document = a_round(f"{TIE} 9h", game="baccarat", irregularities=[wrong("third-card-to-player")])
    assert settled(document).carried.table["void-hand"] == "nz-1996 V 12.2", "dealt face up by 9.9"
    document["options"] = {"style": "B"}
    with pytest.raises(RuleError, match="say whether the card was disclosed"):
        settled(document)


def test_11_3_an_undisclosed_card_may_stay_unknown() -> None:
    """Nobody saw it: it need not be named, and turns up as the first card of the next round."""
    hidden = [wrong("excess-card", disclosed=False)]
    answer = settled(a_round(TIE, wager("tie", "5.00", 1), irregularities=hidden))
    assert answer.carried.table == {}


@pytest.mark.parametrize("game", GAMES)
def test_11_4_a_first_card_face_up_makes_the_round_a_void_hand(game: str) -> None:
    division, part = DIVISIONS[game]
    found = [wrong("first-card-face-up")]
    laid = [wager("player", "20.00", 1), wager("tie", "5.00", 1)]
    answer = settled(a_round(PLAYER_WINS, *laid, game=game, irregularities=found))
    assert lines(answer) == {"player@1": "void back 20.00", "tie@1": "void back 5.00"}
    assert answer.lines[0].rule == f"nz-1996 {division} {part}.4"
    undealt = {"game": game, "rulebook": "nz-1996", "wagers": laid, "irregularities": found}
    assert lines(settled(undealt)) == lines(answer)


def test_11_5_any_later_card_found_face_up_is_used() -> None:
    answer = settled(
        a_round(PLAYER_WINS, wager("player", "20.00", 1), irregularities=[wrong("card-face-up", place=3)])
    )
    assert lines(answer)["player@1"] == "win +20.00 back 20.00"
    with pytest.raises(RuleError, match="from 2 to 6"):
        settled(a_round(PLAYER_WINS, irregularities=[wrong("card-face-up", place=1)]))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("kind", "number"), [("insufficient-cards", "6"), ("cannot-be-reconstructed", "8")])
def test_11_6_11_8_a_round_that_cannot_be_finished_is_void(game: str, kind: str, number: str) -> None:
    division, part = DIVISIONS[game]
    document = a_round("9c 2d Kc", wager("player", "20.00", 1), game=game, irregularities=[wrong(kind)])
    answer = settled(document)
    assert lines(answer)["player@1"] == "void back 20.00"
    assert answer.lines[0].rule == f"nz-1996 {division} {part}.{number}"


def test_11_7_hands_out_of_sequence_are_put_right_by_the_table_of_play() -> None:
    """The first third card went to the banker, the second to the player: it is the player who draws first."""
    shoe = "2c 3d 3c Kd 8c 4d"  # player 5 draws the 8 and has 3; the banker with 3 stands against an eight
    laid = {"player": ["2c", "3c", "4d"], "banker": ["3d", "Kd", "8c"]}
    document = a_round(shoe, wager("tie", "5.00", 1))
    document["dealt"] |= laid
    with pytest.raises(RuleError, match="by the table of play the hand is 2c 3c 8c"):
        settled(document)
    document["irregularities"] = [wrong("out-of-sequence")]
    with pytest.raises(RuleError, match="4d is dealt against the table of play"):
        settled(document)
    document["irregularities"].append(wrong("excess-card", disclosed=True))
    answer = settled(document)
    assert lines(answer)["tie@1"] == "win +40.00 back 5.00"
    assert answer.lines[0].also == ("nz-1996 IV 11.7", "nz-1996 IV 11.3")
    assert answer.carried.table == {"first-cards": ["4d"], "void-hand": "nz-1996 IV 11.3"}
    document["dealt"]["banker"] = ["3d", "Kd", "9s"]
    with pytest.raises(RuleError, match="did not all come from the shoe"):
        settled(document)


def test_i_12_2_an_invalidated_round_uses_up_its_cards() -> None:
    gone: dict[str, Any] = {"irregularities": [{"kind": "invalidated", "value": {"reason": "fire"}}]}
    carried = {"table": {"first-cards": ["9c"]}}
    dealt = settled(a_round(PLAYER_WINS, wager("player", "20.00", 1), carried=carried, **gone))
    assert (lines(dealt)["player@1"], dealt.carried.table) == ("void back 20.00", {})
    undealt = {"game": "mini-baccarat", "rulebook": "nz-1996", "wagers": [], "carried": carried, **gone}
    assert settled(undealt).carried.table == {"first-cards": ["9c"]}


# Wrong input

AGAINST = [
    # shoe, message, rule
    ("9c 2d Kc 3d 4d", "4d is dealt against the table of play", "9.2"),
    ("7c Kd Kc 5d", "the Banker's Hand draws a third card", "9.5"),
    ("7c Kd Kc 6d 2c", "2c is dealt against the table of play", "9.5"),
    ("7c Kd Kc 5d 3c 2c", "2c is dealt against the table of play", "9.6"),
    ("2c Kd 2d 7d", "the Player's Hand draws a third card", "9.3"),
    ("2c Kd 2d 7d 3c 4c", "4c is dealt against the table of play", "9.4"),
    ("2c Kd 2d 6d 6c", "the Banker's Hand draws a third card", "9.4"),
    ("2c Kd 3d 3h 8c 2h", "2h is dealt against the table of play", "9.4"),
]


@pytest.mark.parametrize(("shoe", "message", "rule"), AGAINST)
def test_a_round_dealt_against_the_table_of_play_is_refused(shoe: str, message: str, rule: str) -> None:
    with pytest.raises(RuleError, match=message) as refused:
        settled(a_round(shoe, wager("player", "20.00", 1)))
    assert refused.value.rule == f"nz-1996 IV {rule}"
    assert refused.value.field.startswith("dealt.shoe")


def test_a_third_card_by_the_table_of_play_is_no_error() -> None:
    with pytest.raises(RuleError, match="was no error"):
        settled(a_round("2c Kd 2d 7d 3c", irregularities=[wrong("third-card-to-player", disclosed=True)]))


WRONG = [
    (
        "4.8 both hands",
        "mini-baccarat",
        [wager("player", "20.00", 1), wager("banker", "20.00", 1)],
        ("wagers[1].kind", "nz-1996 IV 4.8"),
    ),
    (
        "4.8 both hands from two places",
        "midi-baccarat",
        [wager("player", "20.00", 1, player="ann"), wager("banker", "20.00", 2, player="ann")],
        ("wagers[1].kind", "nz-1996 IX 4.8"),
    ),
    (
        "4.4 four players on an area",
        "mini-baccarat",
        [wager("player", "20.00", 1, id=name, player=name) for name in "abcd"],
        ("wagers[3].player", "nz-1996 IV 4.4"),
    ),
    (
        "4.5 two players on a numbered area",
        "baccarat",
        [wager("player", "20.00", 1, id=name, player=name) for name in "ab"],
        ("wagers[1].player", "nz-1996 V 4.5"),
    ),
    ("2.1 place 15", "baccarat", [wager("tie", "20.00", 15)], ("wagers[0].seat", "nz-1996 V 2.1")),
    ("2.1 place 8", "mini-baccarat", [wager("tie", "20.00", 8)], ("wagers[0].seat", "nz-1996 IV 4.1(c)")),
    ("no such wager", "baccarat", [wager("pair", "20.00", 1)], ("wagers[0].kind", None)),
]


@pytest.mark.parametrize(("game", "wagers", "fault"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_wrong_wagers_name_field_and_rule(
    game: str, wagers: list[Any], fault: tuple[str, str | None]
) -> None:
    faults = check_wagers(
        round_from_json({"game": game, "rulebook": "nz-1996", "wagers": wagers}, partial=True)
    )
    assert [(f.field, f.rule) for f in faults] == [fault]


def test_4_4_standing_players_may_take_part_in_the_full_game() -> None:
    standing = [wager("player", "20.00", id=name, player=name) for name in ("ann", "ben")]
    answer = settled(a_round(PLAYER_WINS, *standing, game="baccarat"))
    assert set(lines(answer).values()) == {"win +20.00 back 20.00"}


BETS = st.lists(
    st.tuples(
        st.sampled_from(["player", "banker", "tie", "pair"]), st.integers(0, 60_00), st.integers(0, 10)
    ),
    max_size=5,
)
MISHAPS = st.lists(
    st.tuples(
        st.sampled_from([kind.name for kind in find_game("midi-baccarat", "nz-1996").irregularities]),
        st.sampled_from([{}, {"disclosed": True}, {"disclosed": False}, {"place": 3}]),
    ),
    max_size=2,
)
STATES = st.sampled_from(
    [
        {},
        {"first-cards": ["9c"]},
        {"first-cards": ["9c"], "void-hand": "nz-1996 IX 12.3"},
        {"first-cards": "9c"},
        {"void-hand": 7},
        {"void-hand": ["x"]},
        {"first-cards": [["9c"]]},
    ]
)


@given(
    st.lists(st.sampled_from(["9c", "2d", "Kc", "5h", "7s", "6d"]), max_size=8),
    BETS,
    MISHAPS,
    STATES,
    st.booleans(),
)
@settings(max_examples=150)
def test_anything_is_settled_or_refused(
    shoe: list[str], bets: list[Any], mishaps: list[Any], table: dict[str, Any], new_shoe: bool
) -> None:
    wagers = [
        wager(kind, format_money(cents * 10_000), seat, id=f"w{i}")
        for i, (kind, cents, seat) in enumerate(bets)
    ]
    document = {
        "game": "midi-baccarat",
        "rulebook": "nz-1996",
        "wagers": wagers,
        "dealt": {"shoe": shoe, "new_shoe": new_shoe, "player": shoe[:2]},
        "irregularities": [{"kind": kind, **({"value": value} if value else {})} for kind, value in mishaps],
        "carried": {"table": table},
        "limits": {"chip": "0.50", "differential": "20.00", "kinds": {"*": {"maximum": "30.00"}}},
    }
    settle_or_refuse(json.loads(json.dumps(document)))


@given(st.permutations(range(1, 8)), st.sampled_from([PLAYER_WINS, BANKER_WINS, TIE]))
def test_permuting_seats_permutes_lines(order: list[int], shoe: str) -> None:
    bets = [
        ("player", "55.00"),
        ("banker", "130.00"),
        ("banker", "40.00"),
        ("tie", "5.00"),
        ("player", "7.00"),
    ]

    def play(seats: list[int]) -> dict[str, str]:
        wagers = [
            wager(kind, stake, seat, id=f"{i}")
            for i, ((kind, stake), seat) in enumerate(zip(bets, seats, strict=False))
        ]
        return lines(settled(a_round(shoe, *wagers, limits={"differential": "50.00"})))

    assert play(order) == play(list(range(1, 8)))
