"""The meters over time: what the chart draws is what the fold wrote, and the hours add up to the shares."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import Sum
from django.utils import timezone

from jackpots.models import Event, Share
from jackpots.reading import history
from tests.config.test_page_costs import clean_tables as clean_tables  # the fixture
from tests.config.test_page_costs import multiply
from tests.conventions.test_permissions import with_a_win
from tests.floor import make_floor
from tests.tables.test_plans import explained


@pytest.mark.django_db
@pytest.mark.parametrize("span", history.SPANS)
def test_the_line_goes_from_the_seed_to_the_meter_and_marks_the_win(span: str) -> None:
    floor = make_floor()
    win = with_a_win(floor)
    found = {line.level: line for line in history.lines(floor.progressive, span)}
    seeds = {level.name: level.seed_micros for level in floor.progressive.config.rules.levels}
    meters = {meter.level: meter.value_micros for meter in floor.progressive.meters.all()}
    assert set(found) == set(seeds)
    for level, line in found.items():
        assert (line.points[0].micros, line.points[-1].micros) == (seeds[level], meters[level])
        assert len(line.points) == history.MOMENTS + 1
        assert all(0 <= point.x <= history.WIDTH and 0 <= point.y <= history.HEIGHT for point in line.points)
    assert [mark.win for mark in found[win.level].marks] == [win]
    assert (
        min(found[win.level].points, key=lambda point: point.micros).y == history.HEIGHT
    )  # the lowest is below


@pytest.mark.django_db
def test_the_small_line_on_home_ends_where_the_meter_stands() -> None:
    """An hour ago the meters stood at their seeds; one that has risen goes from the bottom to the top at the end."""
    floor = make_floor()
    with_a_win(floor)
    found = history.sparks([floor.progressive], timezone.now())
    seeds = {level.name: level.seed_micros for level in floor.progressive.config.rules.levels}
    meters = {meter.level: meter.value_micros for meter in floor.progressive.meters.all()}
    assert {level for _, level in found} == set(seeds)
    for level, seed in seeds.items():
        spark, now = found[floor.progressive.pk, level], meters[level]
        assert (spark.lowest, spark.highest) == (min(seed, now), max(seed, now))
        before, after = ("24", "0") if now > seed else ("0", "24") if now < seed else ("24", "24")
        assert spark.path.startswith(f"M0 {before}H4V{before}")
        assert spark.path.endswith(f"H92V{before}H96V{after}")


@pytest.mark.django_db
def test_the_hours_add_up_to_what_came_in() -> None:
    floor = make_floor()
    with_a_win(floor)
    hours = history.by_hour(floor.progressive)
    stakes = Share.objects.filter(progressive=floor.progressive, event__kind=Event.Kind.STAKES)
    assert len(hours) == 24
    assert sum(hour.micros for hour in hours) == stakes.aggregate(all=Sum("slice_micros"))["all"] > 0
    assert {code for hour in hours for code, _ in hour.tables} == {"CS-01", "CS-02", "CS-03"}
    assert max(hour.height for hour in hours) == 100
    tomorrow = timezone.now() + timedelta(days=2)
    assert not any(hour.micros for hour in history.by_hour(floor.progressive, tomorrow))


BUSY = 20_000


@pytest.mark.usefixtures("clean_tables")
def test_a_busy_day_is_not_read_again_for_the_little_that_is_not_final() -> None:
    """Twenty thousand wagers of the last hours, all final but the last: only what is not is looked up."""
    floor = make_floor()
    with_a_win(floor)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        multiply("jackpots_event", BUSY, number="1000 + n", kind="'stakes'")
        within = f"now() - interval '20 hours' * n / {BUSY}"
        newest = f"(SELECT max(e.id) FROM jackpots_event e) - {BUSY} + n"
        multiply("jackpots_share", BUSY, place=within, earliest=within, latest=within, event_id=newest)
        cursor.execute("UPDATE jackpots_progressive SET final_until = now() - interval '1 minute'")
        cursor.execute("SET LOCAL session_replication_role = origin")
        cursor.execute("ANALYZE")
    floor.progressive.refresh_from_db()
    with explained() as statements:
        history.by_hour(floor.progressive)
    (given,) = statements
    looked_at = Share.objects.filter(place__gte=floor.progressive.final_until).count()
    assert 0 < looked_at < 50
    assert given.blocks < 20 + 8 * looked_at, [node["Node Type"] for node in given.nodes()]
