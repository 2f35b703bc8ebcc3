"""Live Draw Poker (gb-2011 16): what each wager gets, worked out from the rules by hand."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import RuleError, check_decision, check_wagers, round_from_json
from rules.cards import DECK, DECK_WITH_JOKER, card_text, parse_cards
from rules.contract import Decision
from rules.games.live_draw_poker import HANDS, classify
from rules.progressive import Level, preset
from tests.rules.games.poker import FEW, MANY, settle_or_refuse, spoilt
from tests.rules.laws import lines, rules_of, settled, wager


def bet(stake: str = "2.00", seat: int = 1, **more: Any) -> dict[str, Any]:
    return wager("bet", stake, seat, **more)


def hold(cards: str, seat: int = 1, **more: Any) -> dict[str, Any]:
    return {"kind": "hold", "seat": seat, "value": cards.split(), **more}


def a_round(
    deal: str, held: str | list[dict[str, Any]], draw: str = "", wagers: Any = None, **more: Any
) -> dict[str, Any]:
    dealt = {"deal": deal.split()} | ({"draw": draw.split()} if draw else {})
    decisions = [hold(held)] if isinstance(held, str) else held
    return {
        "game": "live-draw-poker",
        "rulebook": "gb-2011",
        "wagers": wagers or [bet()],
        "dealt": dealt,
        "decisions": decisions,
        **more,
    }


def pat(hand: str, **more: Any) -> dict[str, Any]:
    """All five cards are held."""
    return a_round(hand, hand, **more)


# five cards, units paid for one by tables 1 to 3 of 16.31
PAID: list[tuple[str, str, tuple[int, int, int]]] = [
    ("royal flush", "As Ks Qs Js Ts", (250, 100, 100)),
    ("straight flush", "5s 6s 7s 8s 9s", (50, 50, 50)),
    ("wheel of one suit", "As 2s 3s 4s 5s", (50, 50, 50)),
    ("four of a kind", "5s 5d 5h 5c 9s", (25, 25, 25)),
    ("full house", "5s 5d 9h 9c 9s", (8, 8, 7)),
    ("flush", "2s 5s 7s 8s Ks", (5, 5, 5)),
    ("straight", "5s 6d 7s 8s 9s", (4, 4, 4)),
    ("three of a kind", "5s 5d 5h 8s 9s", (3, 3, 3)),
    ("two pairs", "5s 5d 9h 8s 9s", (2, 2, 2)),
    ("jacks", "Js Jd 9h 8s 2s", (1, 1, 1)),
    ("aces", "As Ad 9h 8s 2s", (1, 1, 1)),
    ("tens", "Ts Td 9h 8s 2s", (0, 0, 0)),
    ("nothing", "As Kd 9h 8s 2s", (0, 0, 0)),
]


@pytest.mark.parametrize(("hand", "units"), [p[1:] for p in PAID], ids=[p[0] for p in PAID])
def test_16_31_every_table_pays_for_one_with_the_stake_in_it(hand: str, units: tuple[int, ...]) -> None:
    for table, paid in zip(("table-1", "table-2", "table-3"), units, strict=True):
        answer = settled(pat(hand, paytables={"bet": table}))
        won = f" +{2 * (paid - 1)}.00" if paid > 1 else ""
        assert lines(answer) == {"bet@1": f"win{won} back 2.00" if paid else "lose"}
        assert sum(line.to_player for line in answer.lines) == paid * 2_000_000
        assert rules_of(answer) == {"bet@1": "16.19"}
        assert answer.hits == ()


# the deal, cards held, the draw, what the hand becomes
DRAWS = [
    ("16.18 the first cards of the draw", "As Kd 9h 8s 2s", "As", "Ac Ad Ah 3c 4c", "win +48.00 back 2.00"),
    ("16.18 the last of them are not his", "As Ac 9h 8s 2s", "As Ac 9h", "3c 4c Ad Ah 5c", "win back 2.00"),
    ("16.17 nothing held", "As Ad Ah Ac 2s", "", "3c 4c 6d 7h 9s", "lose"),
    ("16.14 all held", "As Ad Ah Ac 2s", "As Ad Ah Ac 2s", "", "win +48.00 back 2.00"),
    (
        "16.15 more drawn than he needs",
        "As Ad Ah Kc 2s",
        "As Ad Ah",
        "Ac 4c 6d 7h 9s",
        "win +48.00 back 2.00",
    ),
    ("order of the cards held", "9s 5s 7s 8s 2d", "8s 9s 7s 5s", "6s", "win +98.00 back 2.00"),
]


@pytest.mark.parametrize(("deal", "held", "draw", "line"), [d[1:] for d in DRAWS], ids=[d[0] for d in DRAWS])
def test_16_15_the_draw(deal: str, held: str, draw: str, line: str) -> None:
    assert lines(settled(a_round(deal, held, draw))) == {"bet@1": line}


def test_16_17_who_says_nothing_draws_five() -> None:
    assert lines(settled(a_round("As Ad Ah Ac 2s", [], "3c 4c 6d 7h 9s"))) == {"bet@1": "lose"}


def test_16_21_several_wagers_positions_and_players_share_the_deal_and_the_draw() -> None:
    wagers = [
        bet("1.00", 1, id="a"),
        bet("2.00", 1, id="b"),
        bet("3.00", 2, id="c", player="Ann"),
        bet("4.00", 2, id="d", player="Bob"),
        bet("5.00", 5, id="e", player="Ann"),
    ]
    decisions = [
        hold("As Ad", 1),
        hold("Ks Kd", 2, player="Ann"),
        hold("As Ks", 2, player="Bob"),
        hold("2c", 5, player="Ann"),
    ]
    answer = settled(a_round("As Ad Ks Kd 2c", decisions, "Ah Kh Qh 2h", wagers))
    assert lines(answer) == {
        "a": "win +2.00 back 1.00",  # three aces
        "b": "win +4.00 back 2.00",
        "c": "win +6.00 back 3.00",  # three kings: Ks Kd and Ah Kh Qh
        "d": "win +4.00 back 4.00",  # As Ks and Ah Kh Qh: two pairs
        "e": "lose",  # 2c and Ah Kh Qh 2h: a pair of twos
    }
    assert answer.result["2 Ann"] == "three of a kind, kings, ace-queen kickers"


# hand, wild cards beside the joker, units for one by a table that names every hand
FULL = dict(
    zip(HANDS, ("300", "60", "80", "20", "7", "5", "4", "3", "2", "1", "1"), strict=True),
)
WILD: list[tuple[str, str, str, str]] = [
    ("joker for the royal flush", "As Ks Qs Js Jo", "", "royal-flush"),
    ("joker for the straight flush", "5s 6s Jo 8s 9s", "", "straight-flush"),
    ("four and the joker", "5s 5d 5h 5c Jo", "", "five-of-a-kind"),
    ("three and the joker", "5s 5d 5h Jo 9s", "", "four-of-a-kind"),
    ("two pairs and the joker", "5s 5d 9h Jo 9s", "", "full-house"),
    ("joker for the flush", "2s 5s Jo 8s Ks", "", "flush"),
    ("joker for the straight", "5s 6d Jo 8s 9s", "", "straight"),
    ("pair and the joker", "5s 5d Jo 8s 9s", "", "three-of-a-kind"),
    ("king and the joker", "2s 5d Jo 8s Ks", "", "jacks-or-better"),
    ("ten and the joker", "2s 5d Jo 8s Ts", "", "pair"),
    ("deuces wild", "2s 2d 9h 9s 9c", "2c 2d 2h 2s", "five-of-a-kind"),
    ("one deuce wild, one not", "2s 2d 9h 9s 9c", "2d", "four-of-a-kind"),
    ("wild cards as wild cards", "2s 2d 2h 2c Kc", "2c 2d 2h 2s", "royal-flush"),
    ("none wild", "2s 2d 9h 9s 9c", "", "full-house"),
]


@pytest.mark.parametrize(("hand", "wild", "key"), [w[1:] for w in WILD], ids=[w[0] for w in WILD])
def test_16_12_wild_cards_and_joker(hand: str, wild: str, key: str) -> None:
    assert classify(parse_cards(hand), parse_cards(wild))[0] == key
    own = {line: f"{units} for 1" for line, units in FULL.items()}
    options = {"joker": True, "wild": wild.split()}
    answer = settled(pat(hand, options=options, paytables={"bet": own}))
    won = 2 * (int(FULL[key]) - 1)
    assert lines(answer) == {"bet@1": f"win +{won}.00 back 2.00" if won else "win back 2.00"}


def test_16_13_no_joker_where_none_was_added() -> None:
    with pytest.raises(RuleError, match="the joker is not in play here") as refused:
        settled(pat("As Ks Qs Js Jo"))
    assert (refused.value.field, refused.value.rule) == ("dealt.deal[4]", "gb-2011 16.1")


def test_16_23_a_hand_without_a_line_is_paid_as_the_highest_it_contains() -> None:
    """The printed tables have no five of a kind: it is four of a kind there."""
    five = pat("5s 5d 5h 5c Jo", options={"joker": True})
    assert lines(settled(five)) == {"bet@1": "win +48.00 back 2.00"}
    own = {"royal-flush": "100 for 1", "two-pairs": "3 for 1", "jacks-or-better": "2 for 1"}
    for hand, line in [
        ("5s 5d 5h 5c 9s", "win +4.00 back 2.00"),  # four of a kind holds two pairs (16.23)
        ("5s 5d 9h 9c 9s", "win +4.00 back 2.00"),
        ("Js Jd Jh 8s 9s", "win +2.00 back 2.00"),  # three jacks hold a pair of them
        ("5s 5d 5h 8s 9s", "lose"),
        ("2s 5s 7s 8s Ks", "lose"),
    ]:
        assert lines(settled(pat(hand, paytables={"bet": own}))) == {"bet@1": line}


def test_16_25_the_odds_are_the_operator_s_but_not_below_the_stake() -> None:
    for own, message in [
        ({"royal-flush": "0 for 1"}, "less than the stake"),
        ({"pair": "1 for 1"}, "'royal-flush' is missing"),
        ({"royal-flush": "9 for 1", "ace-high": "1 for 1"}, "no line"),
    ]:
        with pytest.raises(RuleError, match=message):
            settled(pat("As Ks Qs Js Ts", paytables={"bet": own}))
    low = {"royal-flush": "9 for 1", "pair": "1 for 1"}
    assert lines(settled(pat("2s 2d 9h 8s 4s", paytables={"bet": low}))) == {"bet@1": "win back 2.00"}


ROYAL = "As Ks Qs Js Ts"


def test_16_28_a_royal_flush_wins_its_odds_and_the_progressive() -> None:
    wagers = [bet("2.00", 1, player="Ann"), bet("1.00", 3)]
    decisions = [hold(ROYAL, 1, player="Ann"), hold("As Ks Qs Js", 3)]
    options = {"progressive": True}
    answer = settled(a_round(ROYAL, decisions, "2d", wagers, options=options))
    assert lines(answer) == {"bet@1": "win +498.00 back 2.00", "bet@3": "lose"}
    (hit,) = answer.hits
    assert (hit.wager.id, hit.trigger, hit.rule) == ("bet@1", "royal-flush", "gb-2011 16.28")
    assert set(hit.cards) == set(parse_cards(ROYAL))
    assert hit.trigger in preset("gb-2011-16.28", Level("royal")).triggers


def test_16_28_nothing_else_wins_the_progressive() -> None:
    assert settled(pat("5s 6s 7s 8s 9s", options={"progressive": True})).hits == ()


def test_16_30_every_royal_flush_is_a_hit() -> None:
    wagers = [bet("2.00", seat) for seat in (1, 2, 4)]
    decisions = [hold(ROYAL, seat) for seat in (1, 2, 4)]
    answer = settled(a_round(ROYAL, decisions, "", wagers, options={"progressive": True}))
    assert [hit.wager.seat for hit in answer.hits] == [1, 2, 4]


def test_16_26_a_hand_with_growing_odds_is_paid_by_the_meter() -> None:
    options = {"growing": ["four-of-a-kind"]}
    answer = settled(pat("5s 5d 5h 5c 9s", options=options))
    assert (lines(answer), rules_of(answer)) == ({"bet@1": "win"}, {"bet@1": "16.26"})
    assert [(hit.trigger, hit.wager.stake) for hit in answer.hits] == [("four-of-a-kind", 2_000_000)]
    lower = settled(pat("5s 5d 5h 8c 9s", options=options))
    assert (lines(lower), lower.hits) == ({"bet@1": "win +4.00 back 2.00"}, ())
    beside = settled(pat(ROYAL, options=options | {"progressive": True}))
    assert [hit.trigger for hit in beside.hits] == ["royal-flush"]


def test_16_26_growing_odds_and_progressive_do_not_share_a_hand() -> None:
    with pytest.raises(RuleError, match="not both") as refused:
        settled(pat(ROYAL, options={"growing": ["royal-flush"], "progressive": True}))
    assert refused.value.field == "options.growing"


DEAL = "As Ad Ks Kd 2c"
WRONG: list[tuple[str, dict[str, Any], list[tuple[str, str]]]] = [
    ("16.14 not dealt", a_round(DEAL, "As 3c", "4c"), [("decisions[0].value", "16.14")]),
    ("16.14 held twice", a_round(DEAL, "As As", "4c"), [("decisions[0].value", "16.14")]),
    ("16.14 two choices", a_round(DEAL, [hold("As"), hold("Ad")]), [("decisions[1]", "16.14")]),
    (
        "16.14 no wager",
        a_round(DEAL, [hold("As", 2)]),
        [("decisions[0].seat", "16.14"), ("decisions[0]", "16.14")],
    ),
    ("16.14 another player", a_round(DEAL, [hold("As", player="Ann")]), [("decisions[0]", "16.14")]),
    ("16.14 no cards", a_round(DEAL, [{"kind": "hold", "seat": 1}]), [("decisions[0].value", "16.14")]),
    ("16.1 a card twice", a_round(DEAL, "As", "Ad 3c 4c 5c"), [("dealt.draw[0]", "16.1")]),
]


@pytest.mark.parametrize(("given_round", "faults"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_wrong_decisions_and_cards(given_round: dict[str, Any], faults: list[tuple[str, str]]) -> None:
    found = check_wagers(round_from_json(given_round, partial=True))
    assert [(f.field, f.rule and f.rule.split()[-1]) for f in found] == faults


def test_16_15_a_draw_that_is_too_short() -> None:
    with pytest.raises(RuleError, match="seat 1 needs 2 more cards") as refused:
        settled(a_round(DEAL, "As Ad", "3c"))
    assert (refused.value.field, refused.value.rule) == ("dealt.draw", "gb-2011 16.15")


def test_16_15_nothing_is_held_after_the_draw() -> None:
    before = round_from_json(a_round(DEAL, []), partial=True)
    assert check_decision(before, Decision("hold", seat=1, value=parse_cards("As Ad"))) is None
    assert check_decision(before, Decision("hold", seat=1, value=parse_cards("As 3c"))) is not None
    after = round_from_json(a_round(DEAL, [], "3c"), partial=True)
    refused = check_decision(after, Decision("hold", seat=1, value=parse_cards("As Ad")))
    assert refused is not None
    assert refused.rule == "gb-2011 16.15"


def test_1_5_void_and_dead_hands() -> None:
    wagers = [bet("2.00", 1), bet("2.00", 2), bet("2.00", 3)]
    decisions = [hold(DEAL, seat) for seat in (1, 2, 3)]
    wrong = [{"kind": "void-hand", "seat": 1}, {"kind": "dead-hand", "seat": 2}]
    answer = settled(a_round(DEAL, decisions, "", wagers, irregularities=wrong))
    assert lines(answer) == {"bet@1": "void back 2.00", "bet@2": "lose", "bet@3": "win +2.00 back 2.00"}


def _build(parts: tuple[int, bool, bool, list[list[bool]]]) -> dict[str, Any]:
    seed, joker, special, players = parts
    pack = [card_text(card) for card in Random(seed).sample(DECK_WITH_JOKER if joker else DECK, 10)]
    deal, wagers, decisions = pack[:5], [], []
    for seat, held in enumerate(players, start=1):
        wagers.append({"id": f"w{seat}", "kind": "bet", "stake": f"{seat}.00", "seat": seat})
        kept = [card for card, keep in zip(deal, held, strict=True) if keep]
        decisions.append({"kind": "hold", "seat": seat, "value": kept})
    options = {"joker": joker, "progressive": special, "growing": ["pair"] if special else []}
    options["wild"] = ["2c", "2d", "2h", "2s"] if special else []
    return {
        "game": "live-draw-poker",
        "rulebook": "gb-2011",
        "wagers": wagers,
        "decisions": decisions,
        "dealt": {"deal": deal, "draw": pack[5:]},
        "options": options,
    }


HELD = st.lists(st.booleans(), min_size=5, max_size=5)
ROUNDS = st.tuples(
    st.integers(0, 2**32 - 1), st.booleans(), st.booleans(), st.lists(HELD, min_size=1, max_size=8)
).map(_build)


@FEW
@given(ROUNDS)
def test_permuting_seats_permutes_lines(given_round: dict[str, Any]) -> None:
    mirrored = json.loads(json.dumps(given_round))
    for entry in (*mirrored["wagers"], *mirrored["decisions"]):
        entry["seat"] = 21 - entry["seat"]
    assert lines(settled(given_round)) == lines(settled(mirrored))


@MANY
@given(spoilt(ROUNDS))
def test_a_spoilt_round_settles_or_is_refused(given_round: dict[str, Any]) -> None:
    settle_or_refuse(given_round)
