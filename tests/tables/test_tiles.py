"""The floor at a glance: each table's limits, seats, win and hold by hand, and why it needs someone.

By hand, at Caribbean Stud (nz-1996 VIII): plain hands lose an ante of 5.00 and a bet of 10.00 a seat; at roulette a
straight-up on 7 loses to 8 and wins 35 to 1 on 7.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from fractions import Fraction

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from config.templatetags.potline import percent
from jackpots.models import TableLog
from rules.money import dollars
from tables.floor import limits
from tables.floor.opening import create_table, open_table
from tables.models import Round, Table, TableDay
from tables.pages import tiles
from tables.pages.hold import answer
from tables.settle import turnover
from tests.floor import Floor
from tests.tables.test_results import ROULETTE, play, spin
from tests.terminal import PLAIN, stud_round


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    made = standing_floor
    table = create_table("test", made.harbour, "RO-01", ROULETTE, pit="P2")
    made.tables["RO-01"] = open_table(table.pk, made.people["sefa"])
    return made


def tile_of(floor: Floor, code: str) -> tiles.Tile:
    (place,) = tiles.overview([floor.harbour])
    return next(tile for tile in place.rows if tile.table.code == code)


@contextmanager
def unguarded() -> Iterator[None]:
    """Rows as they come to be in hours that a test has not got."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        yield
        cursor.execute("SET LOCAL session_replication_role = origin")


def heard_at(at: datetime, *codes: str) -> None:
    Table.objects.filter(code__in=codes).update(last_heard_at=at)
    with unguarded():
        TableLog.objects.filter(table_code__in=codes).update(
            watermark=at, lease_until=at + timedelta(seconds=30)
        )


def test_win_and_hold_of_the_day_by_hand(floor: Floor) -> None:
    """20.00 and 5.00 lost, 1.00 won at 35 to 1: staked 26.00, the house 10.00 down."""
    table = floor.tables["RO-01"]
    for number, (stake, result) in enumerate([("20.00", "8"), ("5.00", "8"), ("1.00", "7")], 1):
        play(table, spin(stake) | {"dealt": {"number": result}}, number=number)
    assert tile_of(floor, "RO-01").hold is None, "nobody has added them up"
    assert (turnover.add_up(), turnover.add_up()) == (3, 0)
    found = tile_of(floor, "RO-01")
    assert (found.win, found.hold) == (dollars(-10), Fraction(-10, 26))
    day = TableDay.objects.get()
    whole = answer(table, day.day, day.day)
    assert (day.through, day.staked_micros, day.win_micros) == (3, whole.staked_micros, whole.win_micros)


def test_rounds_are_added_up_to_the_first_that_is_not_settled(floor: Floor) -> None:
    """A round that is settled later is missed by nobody; jackpot wagers are no part of it."""
    table = floor.tables["CS-01"]
    for number in (1, 2):
        play(table, stud_round({1: PLAIN[0]}, first_card=timezone.now()), number=number)
    first = Round.objects.filter(table=table, number=1)
    with unguarded():  # as if its worker were slow
        first.update(state="closed", settled_at=None)
        assert turnover.add_up() == 0
        first.update(state="settled", settled_at=timezone.now())
    assert turnover.add_up() == 2
    day = TableDay.objects.get()
    assert (day.staked_micros, day.through) == (dollars(30), 2)


def test_seats_limits_and_what_changes(floor: Floor) -> None:
    table = floor.tables["CS-01"]
    play(table, stud_round({1: PLAIN[0], 4: PLAIN[1]}, first_card=timezone.now()))
    found = tile_of(floor, "CS-01")
    assert (found.in_play, found.seats, found.limits, found.coming) == (2, 9, "5–500", [])
    sign = {"kinds": {"ante": {"minimum": "25.00", "maximum": "1500.00"}}}
    limits.change_limits(table.pk, floor.people["sefa"], table.config.document["limits"] | sign, "Friday")
    (coming,) = tile_of(floor, "CS-01").coming
    assert coming.text == "limits 25–1,500"
    assert abs(coming.at - timezone.now() - timedelta(minutes=20)) < timedelta(minutes=1)


def test_what_needs_someone_and_why(floor: Floor) -> None:
    heard_at(timezone.now(), "CS-01", "RO-01")
    assert not tile_of(floor, "CS-01").needs
    ago = timezone.now() - timedelta(minutes=4)
    heard_at(ago, "CS-01", "RO-01")
    (need,) = tile_of(floor, "RO-01").needs  # no jackpot waits for it, and still nobody sees what is played
    assert (need.text[:9], need.since, need.bad) == ("not heard", ago, False)
    (need,) = tile_of(floor, "CS-01").needs
    assert need.bad
    assert "wins of Stud Jackpot wait for it" in need.text
    with unguarded():
        TableLog.objects.filter(table_code="CS-01").update(left_out_at=ago)
    assert "left out" in tile_of(floor, "CS-01").needs[0].text
    Table.objects.update(last_heard_at=None)
    assert "never heard" in tile_of(floor, "RO-01").needs[0].text
    parked = play(floor.tables["RO-01"], spin("5.00"))
    with unguarded():
        Round.objects.update(state="parked", settled_at=None)
    need = tile_of(floor, "RO-01").needs[0]
    assert (need.bad, need.round_id) == (True, parked.pk)
    assert "cannot be settled" in need.text


def test_those_that_need_someone_come_first_in_their_pit(floor: Floor) -> None:
    heard_at(timezone.now(), "CS-01")
    heard_at(timezone.now() - timedelta(minutes=4), "CS-02")
    (place,) = tiles.overview([floor.harbour])
    assert [(pit, [tile.table.code for tile in those]) for pit, those in place.pits] == [
        ("P1", ["CS-02", "CS-01"]), ("P2", ["RO-01"])
    ]  # fmt: skip


def test_tiles_or_list_is_remembered_and_more_tables_cost_no_statement(floor: Floor) -> None:
    client = Client()
    client.force_login(floor.people["sefa"], "django.contrib.auth.backends.ModelBackend")
    assert 'class="spots"' in client.get("/floor/").content.decode()
    for path in ("/floor/?view=list", "/floor/"):
        shown = client.get(path).content.decode()
        assert "RO-01" in shown
        assert 'class="spots"' not in shown, path
    with CaptureQueriesContext(connection) as few:
        client.get("/floor/", headers={"HX-Request": "true"})
    for number in (2, 3, 4):
        create_table("test", floor.lakeside, f"RO-0{number}", ROULETTE, pit=f"P{number}")
    with CaptureQueriesContext(connection) as many:
        client.get("/floor/", headers={"HX-Request": "true"})
    assert len(many) == len(few) <= 16


@pytest.mark.parametrize(
    ("part", "said"),
    [
        (Fraction(1, 37), "2.70%"),
        (Fraction(-999, 100), "-999.00%"),
        (Fraction(-1213, 50), "-2,426%"),
        (None, ""),
    ],
)
def test_a_hold_beyond_ten_times_has_no_places(part: Fraction | None, said: str) -> None:
    """After a jackpot's night a table may have lost many times what was staked: a tile has no room for its cents."""
    assert percent(part) == said
