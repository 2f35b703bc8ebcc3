"""The judge's books without a house: what counts as accepted, what is in doubt, and which frames a sign passes over."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from simulator.faults import SkewedClock
from simulator.judge.books import Books
from simulator.judge.frames import _numbered
from simulator.judge.sign import Shown
from simulator.judge.verdict import Verdict
from simulator.load import Latencies, percentile

NOW = datetime(2026, 3, 1, 20, tzinfo=UTC)
NAME = "harbour/CR-01"
TABLE = {"rules": {"game": "craps", "rulebook": "nz-1996"}, "carried": {}, "last_round": 0}


def event(number: int, kind: str = "round", uid: str = "one", **body: Any) -> dict[str, Any]:
    at = (NOW + timedelta(seconds=number)).isoformat()
    return {"number": number, "kind": kind, "at": at, "clock": "c", "round": uid, "body": body}


def throw(number: int, uid: str, dice: list[int], *wagers: dict[str, Any]) -> dict[str, Any]:
    return event(number, uid=uid, wagers=list(wagers), dealt={"dice": dice})


def exchange(
    books: Books, events: list[dict[str, Any]], answered: list[int] | None, status: int = 201, **more: Any
) -> None:
    """One request; None: nothing came back."""
    books(NAME, NOW, "sent", {"envelope": {"session": 1}, "events": events})
    if answered is None:
        return
    answers = [
        {"number": number, "round_number": number, "state": "closed", "new": True} for number in answered
    ]
    books(NAME, NOW, "got", {"status": status, "session": 1, "expected": 9, "answers": answers, **more})


PASS = {"id": "p", "kind": "pass", "stake": "10.00", "player": "a"}


def test_a_round_that_was_repeated_and_answered_counts_once() -> None:
    books = Books()
    one = throw(1, "one", [3, 4], PASS)
    exchange(books, [one], None)
    assert books.in_doubt() == {"one"}
    exchange(books, [one], [1])
    exchange(books, [one], [1], status=200)
    assert books.in_doubt() == set()
    (played,) = books.rounds({NAME: TABLE})
    assert (played.uid, played.number, played.judged) == ("one", 1, True)
    assert books.contradictions == []


def test_what_is_refused_is_not_in_the_books_and_its_number_is_the_next_ones() -> None:
    books = Books()
    exchange(books, [event(1, "open", "bad")], [], status=409, code="round_under_way", retry=False)
    exchange(books, [throw(1, "good", [3, 4])], [1])
    assert [played.uid for played in books.rounds({NAME: TABLE})] == ["good"]
    assert [(name, each["round"]) for name, each, _ in books.refused] == [(NAME, "bad")]
    assert books.in_doubt() == set()


def test_the_same_event_answered_differently_is_a_contradiction() -> None:
    books = Books()
    one = throw(1, "one", [3, 4])
    exchange(books, [one], [1])
    books(NAME, NOW, "sent", {"envelope": {"session": 1}, "events": [one]})
    other = {"number": 1, "round_number": 7, "state": "closed", "new": False}
    books(NAME, NOW, "got", {"status": 200, "session": 1, "expected": 2, "answers": [other]})
    assert books.contradictions == [(NAME, (1, 1))]


def test_what_a_throw_leaves_on_the_layout_is_the_next_ones() -> None:
    """A point of six is thrown, then made: the pass line wins evens in the second round (nz-1996: pass at 1 to 1)."""
    books = Books()
    exchange(books, [throw(1, "come-out", [2, 4], PASS), throw(2, "made", [1, 5])], [1, 2])
    first, second = books.rounds({NAME: TABLE})
    assert [line.standing for line in first.settlement.lines] == [10_000_000]
    assert [(line.winnings, line.returned) for line in second.settlement.lines] == [(10_000_000, 10_000_000)]


def test_a_round_that_was_under_way_before_begins_by_the_houses_word() -> None:
    """The pass line that was laid before anybody looked makes its point in the round after."""
    books = Books()
    exchange(books, [event(4, "result", "before", dealt={"dice": [2, 4]}), throw(5, "next", [1, 5])], [4, 5])
    said = {"wagers": [PASS], "decisions": [], "irregularities": [], "dealt": {"dice": [2, 4]}}
    first, second = books.rounds({NAME: TABLE}, lambda table, uid: said if uid == "before" else None)
    assert (first.borrowed, second.borrowed) == (True, False)
    assert [line.winnings for line in second.settlement.lines] == [10_000_000]
    # Where the house does not say, neither it nor what inherits from it is judged.
    assert [played.judged for played in books.rounds({NAME: TABLE})] == [False, False]


def test_jackpot_wagers_whose_lamp_is_out_are_not_in_the_round() -> None:
    books, table = Books(), {"rules": {"game": "caribbean-stud", "rulebook": "nz-1996"}, "carried": {}}
    ante = {"id": "a", "kind": "ante", "stake": "5.00", "seat": 1}
    coin = {"id": "j", "kind": "jackpot", "stake": "1.00", "seat": 1}
    books(NAME, NOW, "sent", {"envelope": {"session": 1}, "events": [event(1, wagers=[ante, coin])]})
    lamp = {"seat": 1, "wager": "j", "counts": False}
    answer = {"number": 1, "round_number": 1, "new": True, "jackpots": [lamp]}
    books(NAME, NOW, "got", {"status": 201, "session": 1, "expected": 2, "answers": [answer]})
    (played,) = books.rounds({NAME: table})
    assert [wager["id"] for wager in played.wagers] == ["a"]


def test_a_clock_that_is_wrong_tells_the_true_moment_to_who_knows_it() -> None:
    clock = SkewedClock(off_s=-1234.5, drift=80 / 1_000_000)
    before, reading, after = datetime.now(UTC), clock.read(), datetime.now(UTC)
    slack = timedelta(milliseconds=2)
    assert before - slack <= clock.right(reading) <= after + slack
    in_a_day = reading + timedelta(days=1)
    drifted = clock.right(in_a_day) - clock.right(reading)
    assert abs(drifted - timedelta(days=1) / (1 + 80e-6)) < timedelta(milliseconds=1)


def shown(sequence: int, second: int, value: str) -> Shown:
    at = NOW + timedelta(seconds=second)
    levels = [{"level": "grand", "value": value}]
    return Shown(at, 1, {"progressive": "stud", "sequence": sequence, "at": at.isoformat(), "levels": levels})


def test_an_older_frame_may_come_late_but_no_later_one_has_a_lower_number() -> None:
    verdict = Verdict()
    frames = [shown(1, 0, "5.00"), shown(3, 2, "7.00"), shown(2, 1, "6.00"), shown(3, 3, "7.00")]
    assert [each.sequence for each in _numbered(verdict, frames)] == [1, 2, 3]
    assert verdict.holds
    _numbered(verdict, [*frames, shown(2, 4, "6.00")])
    assert [each.about for each in verdict.differences] == [
        f"frame 2 at {(NOW + timedelta(seconds=4)).isoformat()}"
    ]


def test_the_same_number_with_other_values_is_a_lie() -> None:
    verdict = Verdict()
    _numbered(verdict, [shown(1, 0, "5.00"), shown(1, 1, "5.01")])
    (lie,) = verdict.differences
    assert lie.text == "shows grand 5.01; the same frame had grand 5.00"


def test_a_verdict_says_what_was_compared_and_every_difference() -> None:
    verdict = Verdict()
    verdict.count("rounds", 3)
    verdict.add("staked", 2_500_000)
    assert verdict.same("line", "x", "odds", "1 to 1", "1 to 1")
    assert verdict.text().endswith("Not a micro off.")
    assert not verdict.same("line", "x", "odds", "1 to 1", "2 to 1")
    assert "DIFFERENCE line: x: odds is 2 to 1, by the judge 1 to 1" in verdict.text()
    assert verdict.text().endswith("1 differences: Potline does not tie out.")


def test_latencies_are_counted_by_what_was_told_and_what_was_lost_is_said() -> None:
    found = Latencies()
    for index, taken_ms in enumerate((10, 20, 30, 1_000)):
        at = NOW + timedelta(seconds=2 * index)
        events = [event(index, "open")] if index else []
        found(NAME, at, "sent", {"envelope": {}, "events": events})
        found(NAME, at + timedelta(milliseconds=taken_ms), "got", {"status": 200})
    found(NAME, NOW, "sent", {"envelope": {}, "events": []})
    found(NAME, NOW, "sent", {"envelope": {}, "events": []})
    assert list(found.by_kind["beat"]) == [10.0]
    assert percentile(found.events(), 50) == 30.0
    assert percentile(found.events(), 99) == 1_000.0
    assert (found.unanswered, found.statuses["200"]) == (1, 4)
