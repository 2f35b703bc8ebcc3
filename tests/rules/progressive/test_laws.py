"""Laws over random documents, pots and logs: money adds up, order of input means nothing, JSON loses nothing."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.contract import Hit, Wager
from rules.errors import RuleError
from rules.money import CENT
from rules.progressive import (
    Adjustment,
    Contribution,
    Event,
    History,
    Hits,
    Level,
    LevelState,
    Mode,
    Movement,
    Overflow,
    PercentOfMeter,
    Prize,
    ProgressiveRules,
    Reseed,
    Resolution,
    Return,
    Stage,
    State,
    content_hash,
    contribute,
    decode,
    encode,
    give_back,
    preset,
    resolve_in_order,
    resolve_round,
    split,
)
from tests.rules.progressive.cases import adds_up, hits, m

cents = st.integers(0, 5_000_000).map(lambda n: n * CENT)
micros = st.integers(0, 50_000_000_000)
wagers = st.integers(1, 10_000).map(lambda n: n * CENT)
rates = st.integers(0, 3_000)


@st.composite
def levels(draw: st.DrawFn, name: str = "jackpot") -> Level:
    seed = draw(cents)
    cap = draw(st.none() | st.integers(1, 3_000_000).map(lambda n: seed + n * CENT))
    return Level(
        name,
        seed_micros=seed,
        increment_bp=draw(rates),
        reserve_bp=draw(st.integers(0, 1_000)),
        cap_micros=cap,
        secondary_bp=draw(st.none() | rates) if cap is not None else None,
        overflow=draw(st.sampled_from([Overflow.NEXT_METER, Overflow.RESERVE, Overflow.HOUSE])),
        reseed=draw(st.sampled_from(Reseed)),
    )


BOOKS = ["nz-1996-viii", "gb-2011-7.21", "gb-2011-11.44", "gb-2011-11.97", "gb-2011-8.34", "gb-2011-16.28"]


@st.composite
def documents(draw: st.DrawFn) -> ProgressiveRules:
    """A rulebook's schedule as it is, on one or two levels, or with its stages in any other mode."""
    name = draw(st.sampled_from(BOOKS))
    first, second = draw(levels()), draw(levels("minor"))
    triggers = preset(name, first).triggers
    moved = draw(st.lists(st.sampled_from(triggers), unique=True))
    rules = preset(
        name, first, second, prize_levels=dict.fromkeys(moved, "minor"), fixed_first=draw(st.booleans())
    )
    if draw(st.booleans()):
        modes = st.sampled_from([mode for mode in Mode if mode is not Mode.ENVY])
        rules = replace(rules, stages=tuple(replace(stage, mode=draw(modes)) for stage in rules.stages))
    if draw(st.booleans()):
        bonus = Prize(triggers[0], "minor", rules.prizes[-1].amount, "envy", draw(st.booleans()))
        rules = replace(rules, stages=(*rules.stages, Stage(Mode.ENVY, (bonus,), "envy")))
    return rules


@st.composite
def states(draw: st.DrawFn, rules: ProgressiveRules) -> State:
    return State(
        tuple(
            LevelState(
                level.name,
                draw(st.integers(0, level.seed_micros)),
                draw(micros),
                draw(micros),
                draw(micros),
                draw(st.integers(0, 3)),
            )
            for level in rules.levels
        )
    )


@st.composite
def rounds(draw: st.DrawFn, rules: ProgressiveRules, name: str = "r") -> Hits:
    seats = draw(st.lists(st.integers(1, 9), unique=True, max_size=6))
    hits = []
    for seat in seats:
        hits.append(
            Hit(
                Wager(f"h{seat}", "jackpot", draw(wagers), seat, draw(st.sampled_from(["", "ann", "bob"]))),
                draw(st.sampled_from(rules.triggers)),
                "test",
                on_board=rules.shared_board is not None and draw(st.booleans()),
                strength=draw(st.integers(0, 2)),
            )
        )
    others = draw(st.lists(st.integers(1, 9), unique=True, max_size=4))
    entered = [
        Wager(f"e{seat}", "jackpot", draw(wagers), seat, draw(st.sampled_from(["", "ann"])))
        for seat in others
    ]
    return Hits(name, tuple(hits), (*(hit.wager for hit in hits), *entered))


@st.composite
def settled(draw: st.DrawFn) -> tuple[ProgressiveRules, State, Hits]:
    rules = draw(documents())
    return rules, draw(states(rules)), draw(rounds(rules))


@given(settled())
@settings(max_examples=200, deadline=None)
def test_a_round_adds_up_and_nothing_goes_below_zero(case: tuple[ProgressiveRules, State, Hits]) -> None:
    rules, state, round_ = case
    resolution = resolve_round(rules, state, round_)
    adds_up(state, resolution)
    for payment in resolution.payments:
        assert payment.amount_micros == payment.from_pool_micros + payment.from_house_micros
        assert min(payment.amount_micros, payment.from_pool_micros, payment.from_house_micros) >= 0
        assert payment.amount_micros % CENT == 0
        assert payment.rule
    # every hit is answered, once for each prize of its trigger
    prizes = [p.trigger for stage in rules.stages if stage.mode is not Mode.ENVY for p in stage.prizes]
    answers = sum(prizes.count(hit.trigger) for hit in round_.hits)
    assert len([payment for payment in resolution.payments if not payment.envy]) == answers


@given(settled())
@settings(max_examples=100, deadline=None)
def test_each_meter_balances_by_itself(case: tuple[ProgressiveRules, State, Hits]) -> None:
    """Meter before + seed from house and reserve + held overflow = paid from it + meter after."""
    rules, state, round_ = case
    resolution = resolve_round(rules, state, round_)
    for before, after in zip(state.levels, resolution.state.levels, strict=True):
        seeds = [r for r in resolution.restarts if r.level == before.name]
        reserve_used = sum(r.from_reserve_micros for r in seeds)
        house = sum(r.from_house_micros for r in seeds)
        paid = sum(p.from_pool_micros for p in resolution.payments if p.level == before.name)
        overflow = before.overflow_micros - after.overflow_micros
        assert before.meter_micros + house + reserve_used + overflow == paid + after.meter_micros
        assert before.reserve_micros - reserve_used == after.reserve_micros


@given(settled(), st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_the_order_of_input_means_nothing(case: tuple[ProgressiveRules, State, Hits], random: Random) -> None:
    rules, state, round_ = case
    hits, others = list(round_.hits), list(round_.entered)
    random.shuffle(hits)
    random.shuffle(others)
    shuffled = Hits(round_.name, tuple(hits), tuple(others))
    assert resolve_round(rules, state, shuffled) == resolve_round(rules, state, round_)


@given(settled())
@settings(max_examples=100, deadline=None)
def test_the_trace_is_a_chain_with_a_rule_on_every_link(case: tuple[ProgressiveRules, State, Hits]) -> None:
    rules, state, round_ = case
    resolution = resolve_round(rules, state, round_)
    meters = {level.name: level.meter_micros for level in state.levels}
    for step in resolution.trace:
        assert step.meter_before_micros == meters[step.level]
        meters[step.level] = step.meter_after_micros
        assert step.rule
        assert step.text.endswith(".")
    assert meters == {level.name: level.meter_micros for level in resolution.state.levels}


# An oracle for nz-1996 12.2, written apart from the code under test: exact fractions of a dollar, no stages, no pots.
def nz_by_hand(pool: Fraction, hands: list[str]) -> tuple[dict[str, Fraction], Fraction]:
    """What a hand of each kind gets, and the pool after the round before any new seed. A winner never gets less than
    the rulebook's share (11.8, I 15.3); the pool gives the share itself, as far as there are millionths of a dollar."""

    def up_to_the_cent(amount: Fraction) -> Fraction:
        return Fraction(math.ceil(amount * 100), 100)

    def in_micros(amount: Fraction) -> Fraction:
        return Fraction(math.floor(amount * 1_000_000), 1_000_000)

    bonus = {"four-of-a-kind": 500, "full-house": 150, "flush": 100}
    prize = {kind: Fraction(dollars) for kind, dollars in bonus.items() if kind in hands}
    pool = max(Fraction(0), pool - sum(bonus.get(kind, 0) for kind in hands))
    straights, royals = hands.count("straight-flush"), hands.count("royal-flush")
    if straights:
        prize["straight-flush"] = max(Fraction(1_000), up_to_the_cent(pool / 10))
        pool -= straights * in_micros(pool / 10)
    if royals:
        prize["royal-flush"] = max(Fraction(10_000), up_to_the_cent(pool / royals))
        pool -= royals * in_micros(pool / royals)
    return prize, pool


@given(
    st.integers(0, 100_000_000_000),
    st.lists(
        st.sampled_from(["royal-flush", "straight-flush", "four-of-a-kind", "full-house", "flush"]),
        max_size=7,
    ),
)
@settings(max_examples=200, deadline=None)
def test_nz_12_2_agrees_with_the_oracle(pool_micros: int, hands: list[str]) -> None:
    rules = preset("nz-1996-viii", Level("jackpot", seed_micros=m("10000.00"), increment_bp=7_000))
    round_ = Hits(
        "r",
        tuple(
            Hit(Wager(f"w{seat}", "jackpot", m("1.00"), seat), kind, "test")
            for seat, kind in enumerate(hands, 1)
        ),
    )
    resolution = resolve_round(rules, State((LevelState("jackpot", 0, pool_micros),)), round_)
    prize, left = nz_by_hand(Fraction(pool_micros, 1_000_000), hands)
    assert {p.seat: Fraction(p.amount_micros, 1_000_000) for p in resolution.payments} == {
        seat: prize[kind] for seat, kind in enumerate(hands, 1)
    }
    seed = 10_000 if "royal-flush" in hands else 0
    assert Fraction(resolution.state.level("jackpot").meter_micros, 1_000_000) == left + seed


# ------------------------------------------------------------------------------------------------------- logs


@st.composite
def logs(draw: st.DrawFn) -> tuple[ProgressiveRules, State, list[Event]]:
    rules = draw(documents())
    state = draw(states(rules))
    events: list[Event] = []
    open_wagers: list[str] = []
    for i in range(draw(st.integers(0, 12))):
        kind = draw(st.sampled_from(["wager", "wager", "wager", "return", "hits", "gift"]))
        if kind == "hits":
            events.append(draw(rounds(rules, f"r{i}")))
        elif kind == "gift":
            if rules.levels[0].cap_micros is None:
                events.append(Adjustment("jackpot", draw(micros), "a gift"))
        elif kind == "return" and open_wagers:
            name = draw(st.sampled_from(open_wagers))
            open_wagers.remove(name)
            events.append(Return(name))
        else:
            events.append(Contribution(f"w{i}", split(draw(wagers), rules.levels)))
            open_wagers.append(f"w{i}")
    return rules, state, events


@given(logs())
@settings(max_examples=150, deadline=None)
def test_a_log_adds_up(case: tuple[ProgressiveRules, State, list[Event]]) -> None:
    """Pools before + stakes + house = returned + paid + pools after, with the house's part of each event signed."""
    rules, state, events = case
    history = resolve_in_order(rules, state, events)
    assert len(history.outcomes) == len(events)
    from_players = to_players = to_house = 0
    for outcome in history.outcomes:
        if isinstance(outcome, Movement):
            from_players += outcome.applied.stake_micros  # a return counts negative
            to_house += outcome.house_micros
        else:
            to_players += outcome.paid_micros
            to_house -= outcome.house_top_up_micros + outcome.house_seed_micros
    assert state.total_micros + from_players == to_players + to_house + history.state.total_micros


@given(logs())
@settings(max_examples=60, deadline=None)
def test_json_round_trip(case: tuple[ProgressiveRules, State, list[Event]]) -> None:
    rules, state, events = case
    history = resolve_in_order(rules, state, events)

    def there_and_back(value: object) -> object:
        return decode(type(value), json.loads(json.dumps(encode(value))))

    for value in (rules, state, history, *events):
        assert there_and_back(value) == value
    again = decode(ProgressiveRules, encode(rules))
    assert content_hash(again) == content_hash(rules)
    assert resolve_in_order(again, state, events) == history == decode(History, encode(history))


@given(levels(), st.lists(wagers, max_size=8), st.data())
@settings(max_examples=100, deadline=None)
def test_a_batch_is_the_sum_of_its_wagers(level: Level, stakes: list[int], data: st.DataObject) -> None:
    """What lets a folder add up a thousand wagers first; only a secondary rate needs them one by one."""
    rules = preset("nz-1996-viii", replace(level, secondary_bp=None))
    state = data.draw(states(rules))
    one_by_one, house = state, 0
    for stake in stakes:
        moved = contribute(rules, one_by_one, split(stake, rules.levels))
        one_by_one, house = moved.state, house + moved.house_micros
    batch = contribute(rules, state, split(sum(stakes), rules.levels))
    assert (batch.state, batch.house_micros) == (one_by_one, house)


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_a_return_right_away_undoes_a_wager(data: st.DataObject) -> None:
    rules = data.draw(documents())
    state = data.draw(states(rules))
    there = contribute(rules, state, split(data.draw(wagers), rules.levels))
    back = give_back(rules, there.state, there.applied)
    assert back.state == state
    assert back.applied.stake_micros == -there.applied.stake_micros
    assert back.house_micros == -there.house_micros


@given(levels(), wagers, st.data())
@settings(max_examples=100, deadline=None)
def test_a_meter_never_passes_its_cap_by_contributions(level: Level, stake: int, data: st.DataObject) -> None:
    rules = preset("nz-1996-viii", level)
    state = data.draw(states(rules))
    after = contribute(rules, state, split(stake, rules.levels)).state
    if level.cap_micros is not None:
        assert after.levels[0].meter_micros <= max(level.cap_micros, state.levels[0].meter_micros)


# ------------------------------------------------------------------------------------------------- documents

DOCUMENT = encode(preset("nz-1996-viii", Level("jackpot", seed_micros=m("10000.00"), increment_bp=7_250)))


def test_the_document_reads_like_the_book() -> None:
    assert DOCUMENT["levels"][0]["seed"] == "10000.00"
    assert DOCUMENT["levels"][0]["increment_rate"] == "0.7250"
    assert DOCUMENT["levels"][0]["cap"] is None
    assert DOCUMENT["stages"][1]["prizes"][0]["amount"] == {
        "kind": "greater-of",
        "minimum": {"kind": "fixed", "amount": "1000.00"},
        "amount": {"kind": "percent-of-meter", "share_rate": "0.1000"},
    }
    assert encode(preset("gb-2011-8.34", Level("x"))).pop("stages")[0]["prizes"][3]["amount"] == {
        "kind": "times-wager",
        "times": "5/2",
    }


def test_a_hash_does_not_depend_on_how_it_was_written() -> None:
    short = json.loads(json.dumps(DOCUMENT))
    short["levels"][0] = {
        "increment_rate": "0.725",
        "seed": "10000.0",
        "name": "jackpot",
    }  # defaults left out
    assert content_hash(decode(ProgressiveRules, short)) == content_hash(decode(ProgressiveRules, DOCUMENT))
    other = json.loads(json.dumps(DOCUMENT))
    other["levels"][0]["increment_rate"] = "0.7251"
    assert content_hash(decode(ProgressiveRules, other)) != content_hash(decode(ProgressiveRules, DOCUMENT))


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        (("levels", 0, "seed"), 10000, "ProgressiveRules.levels[0].seed"),
        (("levels", 0, "increment_rate"), 0.725, "ProgressiveRules.levels[0].increment_rate"),
        (("levels", 0, "increment_rate"), "0.72505", "ProgressiveRules.levels[0].increment_rate"),
        (("levels", 0, "colour"), "red", "ProgressiveRules.levels[0].colour"),
        (("levels",), {}, "ProgressiveRules.levels"),
        (("stages", 0, "mode"), "by-luck", "ProgressiveRules.stages[0].mode"),
        (("stages", 0, "mode"), ["in-turn"], "ProgressiveRules.stages[0].mode"),
        (
            ("stages", 0, "prizes", 0, "amount", "kind"),
            "lots",
            "ProgressiveRules.stages[0].prizes[0].amount.kind",
        ),
        (("stages", 0, "prizes", 0, "from_pool"), 1, "ProgressiveRules.stages[0].prizes[0].from_pool"),
        (("name",), None, "ProgressiveRules.name"),
        (("source",), "luck", "ProgressiveRules.source"),
        (("priority",), "first", "ProgressiveRules.priority"),
    ],
)
def test_bad_documents_name_their_place(path: tuple[str | int, ...], value: object, field: str) -> None:
    document = json.loads(json.dumps(DOCUMENT))
    place = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(RuleError) as error:
        decode(ProgressiveRules, document)
    assert error.value.field == field


def test_missing_fields_and_fractions() -> None:
    document = json.loads(json.dumps(DOCUMENT))
    del document["stages"]
    with pytest.raises(RuleError, match="missing"):
        decode(ProgressiveRules, document)
    rocket = json.loads(json.dumps(encode(preset("gb-2011-8.34", Level("x")))))
    rocket["stages"][0]["prizes"][3]["amount"]["times"] = 2.5
    with pytest.raises(RuleError, match="a fraction is a string"):
        decode(ProgressiveRules, rocket)
    with pytest.raises(RuleError, match="is not percent-of-meter"):
        decode(PercentOfMeter, {"kind": "fixed", "share_rate": "0.1000"})


def test_what_has_no_json_form_is_said() -> None:
    with pytest.raises(TypeError):
        encode(0.5)
    assert isinstance(decode(Resolution, encode(resolve_round(*_simple()))), Resolution)


def _simple() -> tuple[ProgressiveRules, State, Hits]:
    rules = preset("nz-1996-viii", Level("jackpot", seed_micros=m("10000.00")))
    return rules, State((LevelState("jackpot", m("10000.00")),)), hits("1 flush")
