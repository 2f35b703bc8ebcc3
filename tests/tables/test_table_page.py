"""A table's page and its win and hold: rounds by day and page, limits with their coming change, luck worked by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from config.kit.gaming_day import gaming_day
from people.approvals import approvals
from people.models import ApprovalRequest
from rules.money import dollars
from tables.floor import limits
from tables.floor.opening import create_table, open_table
from tables.models import Round, Table, WagerLine
from tables.pages import hold
from tables.pages.rounds_list import PAGE, rounds_of
from tables.rules_room.chances import chances
from tables.settle.settlement import settle_batch
from tests import door as intake
from tests.config.test_page_costs import multiply
from tests.corrections import ROULETTE as CORRECTED
from tests.corrections import Played, wager
from tests.floor import Floor
from tests.people.test_console import page
from tests.terminal import PLAIN, Terminal, stud_round

F = Fraction
ROULETTE = {
    "game": "roulette",
    "rulebook": "nz-1996",
    "limits": {"kinds": {"*": {"minimum": "5.00", "maximum": "500.00"}}},
}


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return standing_floor


def roulette(floor: Floor) -> Table:
    table = create_table("test", floor.harbour, "RO-01", ROULETTE)
    return open_table(table.pk, floor.people["sefa"])


def spin(table: Table, number: str, *wagers: tuple[str, str, str]) -> None:
    """A round of kind, selection and stake."""
    terminal = Terminal(
        table.code,
        lambda events: [intake.take(table.pk, event) for event in events],
        lambda n, at: None,
        timezone.now,
        number=Table.objects.get(pk=table.pk).last_event,
    )
    laid: list[dict[str, Any]] = [
        {"id": uuid4().hex[:8], "kind": kind, "stake": stake, **({"selection": chosen} if chosen else {})}
        for kind, chosen, stake in wagers
    ]
    terminal.event("round", uuid4(), {"wagers": laid, "dealt": {"number": number}})


def answer_of(table: Table) -> hold.SpanHold:
    today = gaming_day(table.premises, timezone.now())
    return hold.answer(table, *hold.span_of("week", today))


def test_luck_by_hand(floor: Floor) -> None:
    """Ten rounds of 10.00 straight up, one hit at 35 to 1: the house loses 350 and wins 90. It should win 100/37. One
    unit: 35 with 1/37, -1 with 36/37, so its variance is 1261/37 - 1/37²."""
    table = roulette(floor)
    for number in ["17", *["5"] * 9]:
        spin(table, number, ("straight-up", "17", "10.00"))
    settle_batch()
    found = answer_of(table)
    assert (found.win_micros, found.staked_micros, found.hold) == (-dollars(260), dollars(100), F(-26, 10))
    assert found.of is not None
    assert found.found is not None
    assert found.of.win_micros == F(dollars(100), 37)
    variance = (F(1261, 37) - F(1, 37**2)) * 10 * 10**2
    assert abs(F(found.of.deviation_micros, 10**6) ** 2 - variance) < F(1, 1000)
    assert found.found.distance == (found.known_win_micros - found.of.win_micros) / found.of.deviation_micros
    assert found.verdict == "This could well be luck."
    assert found.exact
    assert found.left_out == []
    (day,) = found.days
    assert (day.rounds, day.win_micros, day.expected_micros) == (10, -dollars(260), int(F(dollars(100), 37)))


def test_wagers_of_one_round_may_go_together(floor: Floor) -> None:
    """Red and straight up on a red number, 10.00 each: at most the deviations add up within the round."""
    table = roulette(floor)
    for _ in range(4):
        spin(table, "9", ("red", "", "10.00"), ("straight-up", "9", "10.00"))
    settle_batch()
    found = answer_of(table)
    assert found.found is not None
    assert found.together is not None
    red, straight = (
        chances("roulette", "nz-1996", kind, chosen, text_of(table))
        for kind, chosen in (("red", ""), ("straight-up", "9"))
    )
    assert red is not None
    assert straight is not None
    # nz-1996 III 5.2: zero loses everything, so red is 18 to 19.
    assert (red.house_edge, red.variance) == (F(1, 37), 1 - F(1, 37**2))
    alone = 4 * 100 * (red.variance + straight.variance)
    assert abs(F(found.found.expected.deviation_micros, 10**6) ** 2 - alone) < F(1, 100)
    most = F(found.together.expected.deviation_micros, 10**6)
    root = F(found.together.expected.deviation_micros, 2 * 10 * 10**6)  # of four rounds, 10.00 each
    assert most**2 > alone
    assert abs((root**2 - red.variance - straight.variance) ** 2 / 4 - red.variance * straight.variance) < F(
        1, 10
    )


def text_of(table: Table) -> str:
    from config.kit.canonical_json import canonical_json

    return canonical_json({name: table.config.document[name] for name in ("options", "paytables")})


def test_a_later_stage_is_counted_with_its_first_wager(floor: Floor) -> None:
    """Caribbean Stud: ante 5.00 and bet 10.00, both lost; the kept figure is 5.19908195% of the ante."""
    table = floor.tables["CS-01"]
    terminal = Terminal(
        "CS-01", lambda events: [intake.take(table.pk, e) for e in events], lambda n, at: None, timezone.now
    )
    terminal.event("round", uuid4(), stud_round({1: PLAIN[0]}, first_card=timezone.now()))
    settle_batch()
    found = answer_of(table)
    assert (found.win_micros, found.known_win_micros) == (dollars(15), dollars(15))
    assert found.of is not None
    assert (found.of.staked_micros, found.of.win_micros) == (dollars(5), dollars(5) * F("0.0519908195"))
    assert not found.exact
    assert found.left_out == []


def test_the_page_of_win_and_hold(floor: Floor) -> None:
    table = roulette(floor)
    client = page(floor.people["sefa"])
    empty = client.get("/floor/harbour/tables/RO-01/hold/").content.decode()
    assert "Nothing was left to chance yet" in empty
    spin(table, "0", ("red", "", "5.00"))
    settle_batch()
    for span in hold.SPANS:
        text = client.get(f"/floor/harbour/tables/RO-01/hold/?span={span}").content.decode()
        assert "could well be luck" in text
        assert ">5.00<" in text
    assert client.get("/floor/harbour/tables/RO-01/hold/?span=century").status_code == 404


def test_rounds_by_day_and_page(floor: Floor) -> None:
    table = roulette(floor)
    for number in ("17", "0"):
        spin(table, number, ("straight-up", "17", "5.00"))
    settle_batch()
    multiply("tables_round", 60, uid="gen_random_uuid()", number="10 + n")
    first = rounds_of(table, {})
    assert [row.round.number for row in first.rows] == list(range(70, 70 - PAGE, -1))
    assert not first.newer
    second = rounds_of(table, dict([first.older.split("=")]))
    assert [row.round.number for row in second.rows] == list(range(45, 45 - PAGE, -1))
    back = rounds_of(table, dict([second.newer.split("=")]))
    assert [row.round.number for row in back.rows] == [row.round.number for row in first.rows]
    assert not back.newer
    last = rounds_of(table, {"before": "3"})
    assert [(row.round.number, row.win_micros) for row in last.rows] == [(2, dollars(5)), (1, -dollars(175))]
    assert not last.older
    today = gaming_day(table.premises, timezone.now())
    assert len(rounds_of(table, {"day": today.isoformat()}).rows) == PAGE
    assert rounds_of(table, {"day": "1999-01-01"}).rows == []
    for wrong in ({"day": "never"}, {"before": "x"}, {"before": "9" * 30}, {"after": "-1"}):
        assert rounds_of(table, wrong).rows
    client = page(floor.people["sefa"])
    sheet = client.get("/floor/harbour/tables/RO-01/?as=csv").content.decode().splitlines()
    assert len(sheet) == 1 + 62
    assert sheet[-1].startswith("1,")
    assert ",-175.00,NZD" in sheet[-1]
    assert client.get("/floor/harbour/tables/RO-01/?as=xlsx").content.startswith(b"PK")
    text = client.get("/floor/harbour/tables/RO-01/?day=" + today.isoformat()).content.decode()
    assert 'class="ball-of black">17<' in text
    assert "&amp;before=" in text


def test_a_round_is_drawn(floor: Floor) -> None:
    spin(roulette(floor), "17", ("straight-up", "17", "5.00"))
    settle_batch()
    text = page(floor.people["sefa"]).get(f"/floor/harbour/rounds/{Round.objects.get().pk}/").content.decode()
    assert 'aria-label="17 black odd low"' in text
    assert "rule=nz-1996+III" in text


def test_coming_limits_stand_beside_those_in_force(floor: Floor) -> None:
    table = roulette(floor)
    worse = {"kinds": {"*": {"minimum": "25.00", "maximum": "500.00"}}}
    limits.change_limits(table.pk, floor.people["sefa"], worse, "a busy night")
    text = page(floor.people["sefa"]).get("/floor/harbour/tables/RO-01/").content.decode()
    for wanted in ("\xa0minutes to go", "5.00", "25.00", "a busy night", "Other limits from"):
        assert wanted in text


def test_hold_asks_as_often_for_a_month_as_for_a_round(floor: Floor) -> None:
    table = roulette(floor)
    spin(table, "17", ("straight-up", "17", "5.00"))
    settle_batch()
    today = gaming_day(table.premises, timezone.now())

    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            hold.answer(table, *hold.span_of("month", today))
        return len(queries)

    few = asked()
    multiply(
        "tables_round",
        500,
        uid="gen_random_uuid()",
        number="10 + n",
        gaming_day="first.gaming_day - (n % 30)::int",
    )
    (line,) = WagerLine.objects.values()
    copies = Round.objects.filter(number__gt=10).values_list("pk", flat=True)
    WagerLine.objects.bulk_create(WagerLine(**{**line, "round_id": pk}) for pk in copies)
    assert asked() == few
    assert len(hold.answer(table, *hold.span_of("month", today)).days) == 30


def test_a_corrected_round_counts_as_it_is_in_force(floor: Floor) -> None:
    """17 was told and paid 350.00; the camera says 20, so the house won the 10.00."""
    played = Played(floor, "RO-01", CORRECTED)
    round_ = played.round([wager("a", "straight-up", "10.00", selection="17")], {"number": "17"})
    table = Table.objects.get(code="RO-01")
    assert (answer_of(table).win_micros, rounds_of(table, {}).rows[0].win_micros) == (-dollars(350),) * 2
    sefa = page(floor.people["sefa"])
    change = {"change": '{"dealt": {"number": "20"}}', "reason": "camera 4", "do": "ask"}
    assert sefa.post(f"/floor/harbour/rounds/{round_.pk}/correct/", change).status_code == 302
    approvals.approve(ApprovalRequest.objects.get(), floor.people["grace"])
    assert (answer_of(table).win_micros, rounds_of(table, {}).rows[0].win_micros) == (dollars(10),) * 2
    assert ">20<" in str(rounds_of(table, {}).rows[0].result)
