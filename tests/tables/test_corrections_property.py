"""Any sequence of rounds, voids, corrections, carry-overs, claims and rounds that people ended keeps books, lines and
meters equal to a plain replay of what finally counts: the rules alone, from the first round on, fed with the last
version of each."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from random import Random
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from config.kit.gaming_day import gaming_day
from config.kit.refusals import Refused
from jackpots.fold.folding import fold
from jackpots.models import Meter, Win
from jackpots.verify.identities import broken_identities
from ledger.books.balances import balance
from ledger.verify import verify
from people.approvals import approvals
from people.models import ApprovalRequest
from rules import Settlement, round_from_json, settle
from rules.codec import carried_to_json
from rules.contract import Outcome
from rules.money import dollars
from rules.progressive import Contribution, Hits, Return, opening_state, resolve_in_order, split
from tables.corrections import claims, corrected_hands, corrections, endings
from tables.models import Round, SeatClaim, Table, WagerLine
from tables.settle import versions
from tables.settle.settlement import settle_batch
from tests.corrections import CRAPS, Played, play, terminal_of
from tests.floor import FUNDED, Floor, fill, open_cage, stud_rules
from tests.tables.test_corrections_books import won
from tests.tables.test_endings import begun, gone
from tests.terminal import PLAIN, stud_round

REFUSED = {"later_round", "nothing_changes", "rule", "jackpot_returned", "first_wagers"}
"""What a random correction may be refused for: the rulebook, a later round that cannot inherit it, no difference."""
STEPS = 14
FILLED = dollars(10_000)
"""What the tray of the game opens with: what is owed is paid out of it."""


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    open_cage(standing_floor.harbour)
    return standing_floor


def replayed(table: Table) -> tuple[list[tuple[Round, Settlement]], dict[str, Any]]:
    """By the rules alone, from an empty table on."""
    carried: dict[str, Any] = {}
    found = []
    for round in table.rounds.select_related("config", "table").order_by("number"):
        document = {**round.config.document, **versions.latest(round).played, "carried": carried}
        answer = settle(round_from_json(document))
        carried = carried_to_json(answer.carried)
        found.append((round, answer))
    return found, carried


def check(table: Table) -> None:
    """Lines, what is carried, and every account of the table."""
    found, carried = replayed(table)
    assert Table.objects.get(pk=table.pk).carried == carried
    due: Counter[str] = Counter()
    for round, answer in found:
        told = [
            (line.wager_id, line.outcome, line.rule, line.winnings_micros, line.returned_micros)
            for line in versions.latest(round).lines()
        ]
        assert told == [
            (line.wager.id, line.outcome.value, line.rule, line.winnings, line.returned)
            for line in answer.lines
        ]
        inherited = versions.latest(round).row.standing_ids
        for line in answer.lines:
            if round.config.game.kinds[line.wager.kind].jackpot:
                continue
            placed = 0 if line.wager.id in inherited else line.wager.stake
            due["win"] -= line.lost - line.winnings + line.rounding
            due["commission"] -= line.commission
            due["rounding"] += line.rounding
            due["standing"] -= line.standing - (line.wager.stake if line.wager.id in inherited else 0)
            due["chips"] += placed - line.to_player
    account = f"harbour/tables/{table.code}"
    for name in ("win", "commission", "rounding", "standing"):
        assert balance(f"{account}/{name}") == due[name], name
    handed = [balance(f"{account}/{name}") for name in ("bank", "owed", "recoverable", "corrections")]
    if not table.table_log.links.exists():  # else the tray holds jackpot stakes as well
        assert sum(handed) + balance("harbour/cage/cash") - FUNDED - FILLED == due["chips"]
    left = Counter({"owed": 0, "recoverable": 0})
    for claim in claims.with_left():
        left[claim.kind] += claim.left
    assert (-balance(f"{account}/owed"), balance(f"{account}/recoverable")) == (
        left["owed"],
        left["recoverable"],
    )


def correct_somehow(floor: Floor, round: Round, change: dict[str, Any]) -> bool:
    try:
        done = corrections.correct(round.pk, floor.people["sefa"], change, "seen otherwise")
    except Refused as refused:
        if refused.code not in REFUSED:
            raise
        return False
    if isinstance(done, ApprovalRequest):
        approvals.approve(done, floor.people["grace"])
    return True


def settle_somehow(floor: Floor, rng: Random) -> None:
    open_ones = list(claims.with_left().filter(left__gt=0))
    if open_ones:
        claim = rng.choice(open_ones)
        part = claim.left if rng.random() < 0.5 else dollars(1)
        if part <= claim.left:
            how = rng.choice(claims.HOW)
            claims.settle_claim(claim.pk, floor.people["sefa"], how=how, reason="known", amount_micros=part)


class Dice:
    """Craps: points, standing wagers, throws that do not count."""

    def __init__(self, floor: Floor, rng: Random) -> None:
        self.floor, self.rng, self.count = floor, rng, 0
        self.craps = Played(floor, "CR-01", CRAPS)
        fill(self.craps.table, FILLED)

    def throw(self) -> dict[str, Any]:
        if self.rng.random() < 0.2:
            return {"dealt": {}, "irregularities": [{"kind": "no-roll", "value": {"cause": "on-edge"}}]}
        return {"dealt": {"dice": [self.rng.randint(1, 6), self.rng.randint(1, 6)]}, "irregularities": []}

    def wagers(self) -> list[dict[str, Any]]:
        self.count += 1
        kinds = ["field", "come"] if self.craps.carried().get("wagers") else ["pass", "dont-pass", "field"]
        return [
            {
                "id": f"{player}{self.count}",
                "kind": self.rng.choice(kinds),
                "stake": "10.00",
                "player": player,
            }
            for player in ("Ana", "Ben")
            if self.rng.random() < 0.7
        ]

    def end_by_people(self) -> None:
        """Its terminal is gone with a round under way; two people end it, and another one goes on."""
        try:
            round = begun(self.craps, *self.wagers())
        except Refused:
            self.craps.terminal.number = Table.objects.get(pk=self.craps.table.pk).last_event
            round = self.craps.table.rounds.latest("number")
            gone(self.craps.table)
        asked = endings.end_round(round.pk, self.floor.people["sefa"], self.throw(), "its screen is dark")
        if isinstance(asked, ApprovalRequest):  # else no chips lay there
            approvals.approve(asked, self.floor.people["grace"])
        settle_batch()
        self.craps.terminal.number = 1

    def step(self) -> bool:
        action = self.rng.random()
        rounds = list(self.craps.table.rounds.order_by("number"))
        if action < 0.5 or not rounds:
            try:
                play(self.craps.terminal, {"wagers": self.wagers(), **self.throw()})
            except Refused:  # such a wager is not to be had now
                self.craps.terminal.number -= 1
            return False
        if action < 0.6:
            self.end_by_people()
            return False
        if action < 0.88:
            return correct_somehow(self.floor, self.rng.choice(rounds), self.throw())
        settle_somehow(self.floor, self.rng)
        return False


@pytest.mark.parametrize("seed", [3, pytest.param(29, marks=pytest.mark.soak)])
def test_craps_equals_a_plain_replay_of_what_finally_counts(floor: Floor, seed: int) -> None:
    dice, corrected = Dice(floor, Random(seed)), 0
    for _ in range(STEPS):
        corrected += dice.step()
        check(dice.craps.table)
    dice.end_by_people()
    check(dice.craps.table)
    assert corrected, "no correction was taken: choose another seed"
    by_wagers, by_books = won(floor, gaming_day(floor.harbour, timezone.now()), "CR-01")
    assert by_wagers == by_books
    assert [str(fault) for fault in verify.verify().faults] == []


# --- With a jackpot ---------------------------------------------------------------------------------------------
HANDS = [*PLAIN[:2], "Th Jh Qh Kh Ah", "3c 4c 5c 6c 7c", "9d 9h 9s 8d 8h", "5d 7d Td Qd Ad"]
"""Plain ones, royal, straight flush, full house, flush; no card is in two of them, nor in the dealer's."""
MISDEAL = {
    "dealt": {},
    "decisions": [],
    "irregularities": [{"kind": "misdeal", "value": {"cause": "short-deck"}}],
}


class Stud:
    def __init__(self, floor: Floor, rng: Random) -> None:
        self.floor, self.rng = floor, rng
        for code in ("CS-02", "CS-03"):
            terminal_of(floor.tables[code]).event("goodbye", UUID(int=0))
        self.table = floor.tables["CS-01"]
        fill(self.table, FILLED)
        self.terminal = terminal_of(self.table)

    def fold(self) -> None:
        self.terminal.heartbeat()
        fold(self.floor.progressive.pk)

    def cards(self) -> dict[int, str]:
        one, two = self.rng.sample(HANDS, 2)
        return {1: one, 2: two}

    def play(self, cards: dict[int, str] | None = None, *, misdeal: bool | None = None) -> None:
        """Sometimes seat 1 sits out: what a misdeal has carried over for it goes back then."""
        now = timezone.now()
        dealt = cards or self.cards()
        if cards is None and self.rng.random() < 0.25:
            dealt.pop(1)
        body = stud_round(dealt, first_card=now, dealer="As Kd Qs 4s 3d")
        body["locked_at"] = (now - timedelta(milliseconds=1)).isoformat()
        carried = {
            each["wager"]["seat"] for each in Table.objects.get(pk=self.table.pk).carried.get("wagers", [])
        }
        body["wagers"] = [w for w in body["wagers"] if w["kind"] != "jackpot" or w["seat"] not in carried]
        if self.rng.random() < 0.2 if misdeal is None else misdeal:
            body |= MISDEAL | {"wagers": [w for w in body["wagers"] if w["kind"] != "bet"]}
        play(self.terminal, body)
        settle_batch()

    def correct(self) -> bool:
        round = self.rng.choice(list(self.table.rounds.order_by("number")))
        if self.rng.random() < 0.25:
            wagers = [w for w in versions.latest(round).played["wagers"] if w["kind"] != "bet"]
            return correct_somehow(self.floor, round, MISDEAL | {"wagers": wagers})
        played = versions.latest(round).played
        if not played["dealt"]:
            return False
        dealt = {str(seat): hand.split() for seat, hand in self.cards().items()}
        change = {
            "dealt": played["dealt"] | {"seats": {seat: dealt[seat] for seat in played["dealt"]["seats"]}}
        }
        return correct_somehow(self.floor, round, change)

    def put_hands_right(self) -> None:
        """One after another: what the first changes, the next is set against."""
        while waiting := list(corrected_hands.waiting([self.floor.harbour])):
            asked = corrected_hands.request(
                waiting[0], self.floor.people["jan"], borne="house", reason="seen"
            )
            approvals.approve(asked, self.floor.people["grace"])
            self.fold()


def check_meters(floor: Floor, table: Table) -> None:
    """Each jackpot wager contributes once, in the round that it was placed in, and hands win in the order of play."""
    rules = stud_rules()
    events: list[Any] = []
    for round, answer in replayed(table)[0]:
        inherited = versions.latest(round).row.standing_ids
        jackpots = [line for line in answer.lines if line.wager.kind == "jackpot"]
        events += [
            Contribution(line.wager.id, split(line.wager.stake, rules.levels))
            for line in jackpots
            if line.wager.id not in inherited
        ]
        if answer.hits:
            entered = tuple(line.wager for line in jackpots if line.outcome is not Outcome.VOID)
            events.append(Hits(str(round.pk), answer.hits, entered))
        events += [Return(line.wager.id) for line in jackpots if line.outcome is Outcome.VOID]
    history = resolve_in_order(rules, opening_state(rules), events)
    meters = {
        meter.level: meter.value_micros for meter in Meter.objects.filter(progressive=floor.progressive)
    }
    assert meters == {level.name: level.meter_micros for level in history.state.levels}
    due: Counter[tuple[int, int, str, str]] = Counter()
    for event, outcome in zip(events, history.outcomes, strict=True):
        for paid in getattr(outcome, "payments", ()):
            due[int(event.name), paid.seat, paid.trigger, paid.level] += paid.amount_micros
    stands: Counter[tuple[int, int, str, str]] = Counter()
    for win in Win.objects.exclude(state=Win.State.SUPERSEDED):
        stands[win.round_id, win.seat, win.trigger, win.level] += win.amount_micros
    assert stands == due


@pytest.mark.parametrize("seed", [17, pytest.param(61, marks=pytest.mark.soak)])
def test_meters_equal_a_plain_replay_of_what_finally_counts(floor: Floor, seed: int) -> None:
    rng = Random(seed)
    stud, corrected = Stud(floor, rng), 0
    # Whatever chance brings: a royal, wagers that are carried over, one that plays then, and one that goes back.
    stud.play({1: HANDS[2], 2: HANDS[0]}, misdeal=False)
    stud.play({1: HANDS[0], 2: HANDS[1]}, misdeal=True)
    stud.play({2: HANDS[3]}, misdeal=False)
    assert {hit.trigger for _, answer in replayed(stud.table)[0] for hit in answer.hits} == {
        "royal-flush",
        "straight-flush",
    }
    carried = WagerLine.objects.filter(is_new=False, is_jackpot=True)
    assert {(line.seat, line.outcome == "void") for line in carried} == {(1, True), (2, False)}
    for _ in range(STEPS // 2):
        if rng.random() < 0.55:
            stud.play()
        else:
            stud.fold()
            corrected += stud.correct()
        check(stud.table)
    for _ in range(30):  # many are refused: what went back does not play again
        if not corrected:
            stud.fold()
            corrected += stud.correct()
    stud.fold()
    stud.put_hands_right()
    assert corrected, "no correction was taken: choose another seed"
    check(stud.table)
    check_meters(floor, stud.table)
    assert broken_identities(floor.progressive.pk) == []
    assert SeatClaim.objects.exists()
    assert [str(fault) for fault in verify.verify().faults] == []
