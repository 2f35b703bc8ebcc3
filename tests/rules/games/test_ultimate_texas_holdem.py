"""Ultimate Texas Hold'em (gb-2011 11.48-11.76): what each wager gets, worked out from the rules by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RuleError, check_decision, check_wagers, find_game, round_from_json
from rules.contract import Decision, Wager
from tests.rules.games.poker import (
    FEW,
    MANY,
    Player,
    at,
    choices,
    document,
    full_tables,
    reversed_seats,
    settle_or_refuse,
    spoilt,
)
from tests.rules.laws import lines, money, rules_of, settled

LOW = "2c 5d 9h Jc Kd"


def a_round(seats: dict[str, str], wagers: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return document("ultimate-texas-holdem", wagers, seats, **more)


# board, dealer, hole cards; ante and blind of 5, play of 20
CASES = [
    (
        "11.66 equal",
        LOW,
        "Ks Ah",
        "Kc As",
        ("push back 5.00", "11.66"),
        ("push back 5.00", "11.66"),
        ("push back 20.00", "11.66"),
    ),
    ("11.67 lower", LOW, "Ks Ah", "Js As", ("lose", "11.67"), ("lose", "11.67"), ("lose", "11.67")),
    (
        "11.69 pair",
        LOW,
        "Js As",
        "Ks Ah",
        ("win +5.00 back 5.00", "11.68"),
        ("push back 5.00", "11.69"),
        ("win +20.00 back 20.00", "11.68"),
    ),
    (
        "11.70 straight",
        "5c 6d 7h Qc Ks",
        "Qd 2s",
        "8s 9d",
        ("win +5.00 back 5.00", "11.68"),
        ("win +5.00 back 5.00", "11.70"),
        ("win +20.00 back 20.00", "11.68"),
    ),
    (
        "11.70 flush",
        "2c 5c 9c Jd Kh",
        "Jh 3d",
        "Ac 4c",
        ("win +5.00 back 5.00", "11.68"),
        ("win +7.50 back 5.00", "11.70"),
        ("win +20.00 back 20.00", "11.68"),
    ),
    (
        "11.70 full house",
        "2c 2d 9h Jc Kd",
        "Ks 3s",
        "9s 9d",
        ("win +5.00 back 5.00", "11.68"),
        ("win +15.00 back 5.00", "11.70"),
        ("win +20.00 back 20.00", "11.68"),
    ),
    (
        "11.70 four",
        "2c 2d 9h Jc Kd",
        "Ks 3s",
        "2h 2s",
        ("win +5.00 back 5.00", "11.68"),
        ("win +50.00 back 5.00", "11.70"),
        ("win +20.00 back 20.00", "11.68"),
    ),
    (
        "11.70 straight flush",
        "5c 6c 7c Jd Kh",
        "Kd 3s",
        "8c 9c",
        ("win +5.00 back 5.00", "11.68"),
        ("win +250.00 back 5.00", "11.70"),
        ("win +20.00 back 20.00", "11.68"),
    ),
    (
        "11.70 royal",
        "Tc Jc Qc 2d 3h",
        "2s 2h",
        "Ac Kc",
        ("win +5.00 back 5.00", "11.68"),
        ("win +2500.00 back 5.00", "11.70"),
        ("win +20.00 back 20.00", "11.68"),
    ),
    (
        "11.75 no pair, player higher",
        LOW,
        "Qs 3d",
        "As 3h",
        ("push back 5.00", "11.75"),
        ("push back 5.00", "11.69"),
        ("win +20.00 back 20.00", "11.68"),
    ),
    (
        "11.75 no pair, player's flush",
        "2c 5c 9c Jd Kh",
        "Qs 3d",
        "Ac 4c",
        ("push back 5.00", "11.75"),
        ("win +7.50 back 5.00", "11.70"),
        ("win +20.00 back 20.00", "11.68"),
    ),
    (
        "11.76 no pair and still higher",
        LOW,
        "As 3d",
        "Qs 3h",
        ("push back 5.00", "11.75"),
        ("lose", "11.71"),
        ("lose", "11.71"),
    ),
    (
        "11.76 no pair, equal",
        LOW,
        "As 3d",
        "Ah 3h",
        ("push back 5.00", "11.75"),
        ("push back 5.00", "11.66"),
        ("push back 20.00", "11.66"),
    ),
]


@pytest.mark.parametrize(
    ("board", "dealer", "hole", "ante", "blind", "bet"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_ante_blind_and_play(
    board: str, dealer: str, hole: str, ante: tuple[str, str], blind: tuple[str, str], bet: tuple[str, str]
) -> None:
    wagers = at(4, ante="5.00", blind="5.00", play="20.00")
    answer = settled(a_round({"s4": hole}, wagers, board=board, dealer=dealer))
    assert lines(answer) == {"ante@4": ante[0], "blind@4": blind[0], "play@4": bet[0]}
    assert rules_of(answer) == {"ante@4": ante[1], "blind@4": blind[1], "play@4": bet[1]}


# hole cards, board, and what 2.00 wins by the minimum (11.72) and tables 1 to 4 (11.73)
TRIPS: list[tuple[str, str, tuple[int, int, int, int, int]]] = [
    ("Ac Kc", "Tc Jc Qc 2d 3h", (100, 100, 100, 100, 100)),
    ("8c 9c", "5c 6c 7c Jd Kh", (80, 80, 80, 80, 80)),
    ("2h 2s", "2c 2d 9h Jc Kd", (40, 60, 60, 60, 40)),
    ("9s 9d", "2c 2d 9h Jc Kd", (14, 18, 16, 16, 14)),
    ("Ac 4c", "2c 5c 9c Jd Kh", (12, 14, 12, 14, 12)),
    ("8s 9d", "5c 6d 7h Qc Ks", (8, 8, 10, 8, 10)),
    ("9s 9d", "2c 5d 9h Jc Kd", (6, 6, 6, 6, 6)),
    ("Ks 9d", "2c 5d 9h Jc Kd", (0, 0, 0, 0, 0)),
]


@pytest.mark.parametrize(("hole", "board", "wins"), TRIPS, ids=[t[0] for t in TRIPS])
@pytest.mark.parametrize("folded", [False, True], ids=["stayed", "11.62 folded"])
def test_11_72_trips_in_every_table(hole: str, board: str, wins: tuple[int, ...], folded: bool) -> None:
    for table, won in zip(("minimum", "table-1", "table-2", "table-3", "table-4"), wins, strict=True):
        wagers = at(1, ante="5.00", blind="5.00", trips="2.00") + ([] if folded else at(1, play="5.00"))
        decided = choices(1, "check", "check", "fold" if folded else "bet")
        given_round = a_round({"s1": hole}, wagers, board=board, dealer="3d 4s", decisions=decided)
        answer = settled(given_round | {"paytables": {"trips": table}})
        assert lines(answer)["trips@1"] == (f"win +{won}.00 back 2.00" if won else "lose"), table
        assert rules_of(answer)["trips@1"] == ("11.72" if won else "11.74")
        if folded:
            assert (lines(answer)["ante@1"], lines(answer)["blind@1"]) == ("lose", "lose")
            assert rules_of(answer)["ante@1"] == "11.62"


def test_2_7_the_minimum_is_the_lowest_of_all_tables_and_not_the_default() -> None:
    game = find_game("ultimate-texas-holdem", "gb-2011")
    tables = game.tables_of("trips")
    for hand, least in tables["minimum"].lines.items():
        assert least.ratio == min(t.lines[hand].ratio for name, t in tables.items() if name != "minimum")
    assert game.default_table("trips").name == "table-1"


def test_11_70_ceiling_touches_the_royal_flush_alone() -> None:
    limits = {"kinds": {"blind": {"max_payout": "100.00"}}}
    wagers = at(1, ante="5.00", blind="5.00", play="20.00")
    royal = a_round({"s1": "Ac Kc"}, wagers, board="Tc Jc Qc 2d 3h", dealer="2s 2h", limits=limits)
    assert lines(settled(royal))["blind@1"] == "win +100.00 back 5.00"
    other = a_round({"s1": "8c 9c"}, wagers, board="5c 6c 7c Jd Kh", dealer="Kd 3s", limits=limits)
    assert lines(settled(other))["blind@1"] == "win +250.00 back 5.00"


@pytest.mark.parametrize(
    ("dealing", "stream"),
    [
        ("hands-first", "Ac Kc 2h 2s Qs 4d Tc Jc Qc 2d 3h"),
        ("board-first", "Tc Jc Qc 2d 3h Ac Kc 2h 2s Qs 4d"),
    ],
)
def test_11_51_and_nz_consultation_8_4_dealing_orders(dealing: str, stream: str) -> None:
    """Seat 2 holds the royal flush, seat 7 three twos, the dealer a pair of queens, whichever way they were dealt."""
    wagers = [w for seat in (7, 2) for w in at(seat, ante="5.00", blind="5.00", play="15.00")]
    given_round = {
        "game": "ultimate-texas-holdem",
        "rulebook": "gb-2011",
        "options": {"dealing": dealing},
        "wagers": wagers,
        "dealt": {"stream": stream.split()},
    }
    answer = settled(given_round)
    assert lines(answer)["blind@2"] == "win +2500.00 back 5.00"
    assert lines(answer)["blind@7"] == "push back 5.00"
    assert answer.result["dealer"].startswith("pair of queens")
    assert answer.result["7"].startswith("three of a kind")
    for broken, field in (
        ({"dealt": {"stream": stream.split()[:-1]}}, "dealt."),
        ({"dealt": {"stream": [*stream.split(), "9d"]}}, "dealt.stream"),
        ({"dealt": {"stream": [*stream.split()[:-1], "Ac"]}}, "dealt.stream"),
        ({"options": {}}, "options.dealing"),
        ({"dealt": {"stream": stream.split(), "board": []}}, "dealt"),
    ):
        with pytest.raises(RuleError) as refused:
            settled(given_round | broken)
        assert refused.value.field.startswith(field)


WRONG = [
    ("11.49 ante alone", at(1, ante="5.00"), {}, "wagers[0]", "11.49"),
    ("11.49 blind of another amount", at(1, ante="5.00", blind="10.00"), {}, "wagers[1].stake", "11.49"),
    ("11.50 trips alone", at(1, trips="5.00"), {}, "wagers[0]", "11.50"),
    ("play of five", at(1, ante="5.00", blind="5.00", play="25.00"), {}, "wagers[2].stake", "11.61"),
    ("play of one and a half", at(1, ante="5.00", blind="5.00", play="7.50"), {}, "wagers[2].stake", "11.61"),
    (
        "11.62 folded",
        at(1, ante="5.00", blind="5.00", play="5.00"),
        {"decisions": choices(1, "check", "check", "fold")},
        "decisions[2]",
        "11.62",
    ),
    (
        "11.62 folded before the end",
        at(1, ante="5.00", blind="5.00"),
        {"decisions": choices(1, "check", "fold")},
        "decisions[1]",
        "11.62",
    ),
    (
        "11.57 four times the ante after a check",
        at(1, ante="5.00", blind="5.00", play="20.00"),
        {"decisions": choices(1, "check", "bet")},
        "wagers[2].stake",
        "11.61",
    ),
    (
        "11.52 the ante at once",
        at(1, ante="5.00", blind="5.00", play="5.00"),
        {"decisions": choices(1, "bet")},
        "wagers[2].stake",
        "11.61",
    ),
    (
        "11.52 twice the ante, and nothing said of a check",
        at(1, ante="5.00", blind="5.00", play="10.00"),
        {},
        "wagers[2].stake",
        "11.61",
    ),
    (
        "11.61 three times the ante at the end",
        at(1, ante="5.00", blind="5.00", play="15.00"),
        {"decisions": choices(1, "check", "check", "bet")},
        "wagers[2].stake",
        "11.61",
    ),
    (
        "11.58 a third check",
        at(1, ante="5.00", blind="5.00"),
        {"decisions": choices(1, "check", "check", "check")},
        "decisions[2]",
        "11.51-11.62",
    ),
    (
        "11.53 once",
        at(1, ante="5.00", blind="5.00", play="20.00"),
        {"decisions": choices(1, "bet", "bet")},
        "decisions[1]",
        "11.51-11.62",
    ),
    (
        "no trips here",
        at(1, ante="5.00", blind="5.00", trips="5.00"),
        {"options": {"side-wagers": []}},
        "wagers[2].kind",
        "11.50",
    ),
]


@pytest.mark.parametrize(
    ("wagers", "more", "field", "rule"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG]
)
def test_wrong_wagers_and_decisions(
    wagers: list[dict[str, Any]], more: dict[str, Any], field: str, rule: str
) -> None:
    faults = check_wagers(round_from_json(a_round({}, wagers, **more), partial=True))
    assert [(f.field, f.rule and f.rule.split()[-1]) for f in faults] == [(field, rule)]


@pytest.mark.parametrize(
    ("board", "right"),
    [("", ("15.00", "20.00")), ("2c 5d 9h", ("10.00",)), (LOW, ("5.00",)), ("2c 5d 9h Jc", ())],
    ids=["11.52", "11.57", "11.61", "between turn and river"],
)
def test_the_later_the_smaller(board: str, right: tuple[str, ...]) -> None:
    checks = choices(1, *["check"] * {0: 0, 3: 1}.get(len(board.split()), 2))
    given_round = a_round({"s1": "Ks 3s"}, at(1, ante="5.00", blind="5.00"), board=board, decisions=checks)
    round = round_from_json(given_round, partial=True)
    for stake in ("5.00", "10.00", "15.00", "20.00"):
        bet = Wager("p", "play", money(stake), 1)
        refused = check_decision(round, Decision("bet", seat=1, wager="p"), bet)
        assert (refused is None) == (stake in right), stake


def players() -> st.SearchStrategy[Player]:
    def build(parts: tuple[bool, int]) -> Player:
        trips, bet = parts
        laid = [{"kind": "ante", "stake": "5.00"}, {"kind": "blind", "stake": "5.00"}]
        laid += [{"kind": "trips", "stake": "1.00"}] if trips else []
        laid += [{"kind": "play", "stake": f"{5 * bet}.00"}] if bet else []
        checks = {4: 0, 3: 0, 2: 1}.get(bet, 2)
        return laid, [*({"kind": "check"} for _ in range(checks)), {"kind": "bet" if bet else "fold"}]

    return st.tuples(st.booleans(), st.integers(0, 4)).map(build)


TABLES = full_tables(
    "ultimate-texas-holdem", players(), hand=2, dealt=lambda draw: {"board": draw(5), "dealer": draw(2)}
)


@FEW
@given(TABLES)
def test_permuting_seats_permutes_lines(given_round: dict[str, Any]) -> None:
    assert lines(settled(given_round)) == lines(settled(reversed_seats(given_round, 9)))


@MANY
@given(spoilt(TABLES))
def test_a_spoilt_round_settles_or_is_refused(given_round: dict[str, Any]) -> None:
    settle_or_refuse(given_round)
