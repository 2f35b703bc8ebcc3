"""Craps over many throws: settled in one run, throw by throw through JSON, player by player, and by the reference."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from rules import Carried, round_from_json, settle
from rules.codec import carried_to_json, settlement_to_json
from rules.contract import NOTHING
from rules.money import CENT, format_money
from tests.rules.engines.craps_streams import BOOKS, BOXES, Bet, Fate, Throw, come_outs, fate
from tests.rules.laws import hold_laws

ONE_THROW = ["field", "any-seven", "any-craps", "craps-two", "craps-three", "craps-twelve", "eleven"]
ANY_TIME = {
    "nz-1996": [*ONE_THROW, "place", "buy", "lay", "hardway", "big-six", "big-eight"],
    "gb-2011": [*ONE_THROW, "place", "place-lose", "hardway", "pair", "non-pair"],
}
ANY_TIME["nz-1996"] += ["horn", "horn-high", "world", "c-and-e"]
MANY_THROWS = {"nz-1996": ["place", "buy", "lay", "hardway"], "gb-2011": ["place", "place-lose", "hardway"]}
PARTS = {"horn": 4, "horn-high": 5, "world": 5, "c-and-e": 6}
BEHIND = {
    "pass": "pass-odds",
    "dont-pass": "dont-pass-lay",
    "come": "come-odds",
    "dont-come": "dont-come-lay",
}


def a_stream(random: Random, rulebook: str) -> tuple[list[Throw], list[Bet]]:
    throws: list[Throw] = [
        None if random.random() < 0.08 else (random.randint(1, 6), random.randint(1, 6))
        for _ in range(random.randint(3, 18))
    ]
    bets: list[Bet] = []
    first = come_outs(throws)
    for at in range(len(throws)):
        for player in ("anna", "ben"):
            for _ in range(random.randint(0, 3)):
                bet = _a_bet(random, rulebook, at, player, first[at], bets, throws)
                if bet is not None:
                    bets.append(bet)
    for bet in bets:
        _afterthoughts(random, rulebook, bet, throws, bets)
    return throws, bets


def _a_bet(
    random: Random, rulebook: str, at: int, player: str, come_out: bool, bets: list[Bet], throws: list[Throw]
) -> Bet | None:
    name, cents = f"{player}{len(bets)}", random.randint(1, 40) * random.choice([5, 60, 100])
    choice = random.random()
    if choice < 0.35:
        kind = random.choice(["pass", "dont-pass"] if come_out else ["come", "dont-come"])
        bet = Bet(name, kind, cents, at, player)
        moment = fate(bet, throws, rulebook).point_at
        same = [b for b in bets if (b.kind, b.player) == (kind, player)]
        if moment is not None and any(fate(b, throws, rulebook).point_at == moment for b in same):
            return None  # two lines with one point would share what stands behind them
        return bet
    if choice < 0.6:
        for line in bets:
            got = fate(line, throws, rulebook)
            if line.player != player or line.kind not in BEHIND or got.point_at is None or got.point_at >= at:
                continue
            if (got.ended is not None and got.ended < at) or any(b.id == f"{line.id}+" for b in bets):
                continue
            throw = throws[got.point_at]
            assert throw is not None
            number, kind = sum(throw), BEHIND[line.kind]
            selection = str(number) if "come" in kind else ""
            return Bet(f"{line.id}+", kind, random.randint(1, line.cents), at, player, number, selection)
        return None
    kind = random.choice((MANY_THROWS if random.random() < 0.5 else ANY_TIME)[rulebook])
    number, selection = 0, ""
    if kind in ("place", "buy", "lay", "place-lose"):
        number = random.choice(sorted(BOXES))
        selection = str(number)
    elif kind == "hardway":
        number = random.choice([4, 6, 8, 10])
        selection = str(number)
    elif kind in ("big-six", "big-eight"):
        number = 6 if kind == "big-six" else 8
    elif kind == "horn-high":
        selection = random.choice(["2", "3", "11", "12"])
    elif kind == "c-and-e":
        selection = random.choice(["1+1", "2+1", "1+5"])
    elif kind == "pair":
        selection = random.choice(["1-1", "3-3", "6-6"])
    elif kind == "non-pair":
        selection = random.choice(["1-2", "3-4", "5-6"])
    return Bet(name, kind, cents * PARTS.get(kind, 1), at, player, number, selection)


def _afterthoughts(random: Random, rulebook: str, bet: Bet, throws: list[Throw], bets: list[Bet]) -> None:
    """Calls of on and off, reductions, and bets taken down while they may be."""
    for at in range(bet.at, len(throws)):
        if bet.kind in BOOKS[rulebook]["callable"] and random.random() < 0.2:
            bet.calls[at] = random.choice(["on", "off"])
    alive_until = fate(bet, throws, rulebook).ended
    moments = range(bet.at, len(throws) if alive_until is None else alive_until + 1)
    may_shrink = bet.kind in ("place", "buy", "lay", "hardway", "place-lose") and bet.cents > 2
    if may_shrink and random.random() < 0.3:
        bet.reduced[random.choice(moments)] = random.randint(1, bet.cents - 1)
    if bet.kind in ("pass", "come") or random.random() > 0.25:
        return
    lay = next((b for b in bets if b.id == f"{bet.id}+"), None)
    bet.down_at = random.choice(moments)
    if lay is not None:
        if bet.down_at <= lay.at:  # then there would be nothing to lay behind
            bet.down_at = None
        else:
            lay.down_at = bet.down_at


def documents(throws: list[Throw], bets: list[Bet], rulebook: str) -> list[dict[str, Any]]:
    """The rounds as a terminal sends them, without what is carried."""
    ended = {bet.id: fate(bet, throws, rulebook).ended for bet in bets}
    out: list[dict[str, Any]] = []
    for at, throw in enumerate(throws):
        wagers, decisions = [], []
        for bet in bets:
            over = ended[bet.id]
            if bet.at == at:
                document = {"id": bet.id, "kind": bet.kind, "stake": format_money(bet.cents * CENT)}
                document |= {"player": bet.player} | ({"selection": bet.selection} if bet.selection else {})
                wagers.append(document)
            if at < bet.at or (over is not None and over < at):
                continue
            named = {"wager": bet.id, "player": bet.player}
            if at in bet.calls:
                value = {"value": {"only": True}} if bet.calls[at] == "on" and rulebook == "nz-1996" else {}
                decisions.append({"kind": bet.calls[at], **named, **value})
            if at in bet.reduced:
                to = format_money(bet.reduced[at] * CENT)
                decisions.append({"kind": "reduce", **named, "value": {"to": to}})
            if bet.down_at == at and not _goes_with_its_line(bet, bets):
                decisions.append({"kind": "take-down", **named})
        out.append({"game": "craps", "rulebook": rulebook, "wagers": wagers, "decisions": decisions})
        if throw is None:
            out[-1]["irregularities"] = [{"kind": "no-roll"}]
        else:
            out[-1]["dealt"] = {"dice": list(throw)}
    return out


def _goes_with_its_line(bet: Bet, bets: list[Bet]) -> bool:
    return any(b.id + "+" == bet.id and b.down_at == bet.down_at for b in bets)


def run(rounds: list[dict[str, Any]], *, laws: bool = False) -> tuple[dict[str, Fate], Carried]:
    """The whole stream in memory: one settlement's carried state is the next round's."""
    fates: dict[str, Fate] = {}
    carried = NOTHING
    for at, document in enumerate(rounds):
        round = replace(round_from_json(document), carried=carried)
        answer = settle(round)
        if laws:
            hold_laws(round, answer)
        for line in answer.lines:
            got = fates.setdefault(line.wager.id, Fate())
            got.received += line.to_player // CENT
            assert line.to_player % CENT == 0
            got.left = line.standing // CENT
            if not line.standing:
                got.ended = at
        carried = answer.carried
    return fates, carried


def run_by_json(rounds: list[dict[str, Any]]) -> tuple[dict[str, Fate], Carried]:
    """One by one: between two throws everything is written down as text and read again."""
    fates: dict[str, Fate] = {}
    carried: dict[str, Any] = {}
    answer = None
    for at, document in enumerate(rounds):
        answer = settle(round_from_json(json.loads(json.dumps(document | {"carried": carried}))))
        written = json.loads(json.dumps(settlement_to_json(answer)))
        for line in answer.lines:
            got = fates.setdefault(line.wager.id, Fate())
            got.received += line.to_player // CENT
            got.left = line.standing // CENT
            if not line.standing:
                got.ended = at
        carried = written["carried"]
    return fates, answer.carried if answer else NOTHING


@pytest.mark.parametrize("rulebook", ["nz-1996", "gb-2011"])
@pytest.mark.parametrize("batch", range(6))
def test_streams_agree_with_the_reference(rulebook: str, batch: int) -> None:
    for seed in range(batch * 30, batch * 30 + 30):
        _compare(rulebook, seed)


def _compare(rulebook: str, seed: int) -> None:
    random = Random(seed)
    throws, bets = a_stream(random, rulebook)
    rounds = documents(throws, bets, rulebook)
    fates, carried = run(rounds, laws=random.random() < 0.2)
    for bet in bets:
        expected, got = fate(bet, throws, rulebook), fates[bet.id]
        assert (got.received, got.ended, got.left) == (expected.received, expected.ended, expected.left), (
            seed,
            bet,
        )
    by_json, carried_by_json = run_by_json(rounds)
    assert by_json == fates
    assert carried_to_json(carried_by_json) == carried_to_json(carried)
    for player in ("anna", "ben"):
        own = [bet for bet in bets if bet.player == player]
        alone, _ = run(documents(throws, own, rulebook))
        assert alone == {bet.id: fates[bet.id] for bet in own}, "players do not touch each other"


@pytest.mark.parametrize("rulebook", ["nz-1996", "gb-2011"])
def test_the_generator_reaches_every_kind_of_wager(rulebook: str) -> None:
    seen = set()
    for seed in range(150):
        throws, bets = a_stream(Random(seed), rulebook)
        seen |= {bet.kind for bet in bets if fate(bet, throws, rulebook).ended is not None}
    assert seen == set(ANY_TIME[rulebook]) | set(BEHIND) | set(BEHIND.values())
