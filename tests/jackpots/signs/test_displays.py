"""What signs report to have shown: kept by the minute, and nothing odd that they say does any harm."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from jackpots.models import Display, DisplayMinute
from jackpots.signs import frame_texts
from jackpots.signs.displays import create_display
from jackpots.signs.frames import snapshot
from people.models import Alert
from tests.floor import Floor
from tests.sign_reports import record_report


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return standing_floor


@pytest.mark.parametrize(
    "report",
    [
        None, [], 7, {"shown": {}}, {"shown": [[1]]}, {"shown": [[1, 10**30]]}, {"shown": [[10**30, 1]]},
        {"shown": [[True, False]]}, {"shown": [[1, -(10**18)]]}, {"shown": "x" * 500},
    ],
)  # fmt: skip
def test_an_odd_report_of_a_sign_is_passed_over(floor: Floor, report: object) -> None:
    display, _ = create_display("test", floor.harbour, "Wall", floor.progressive)
    assert record_report(display.pk, report), "the sign is known all the same"
    assert not display.minutes.exists()


def test_reports_are_kept_by_the_minute(floor: Floor) -> None:
    display, _ = create_display("test", floor.harbour, "Wall", floor.progressive)
    minute = timezone.now().replace(second=0, microsecond=0)
    start_ms = int(minute.timestamp() * 1000)
    assert record_report(display.pk, {"shown": [[5, start_ms + 100], ["x", 1], [6, start_ms + 1_100]]})
    assert record_report(display.pk, {"shown": [[7, start_ms + 59_999]]})
    kept = DisplayMinute.objects.get(display=display)
    assert (kept.minute, kept.showed) == (minute, [[5, 100], [6, 1_100], [7, 59_999]])
    display.refresh_from_db()
    assert display.last_sequence == 7


def test_a_report_is_written_with_few_queries_however_much_it_tells(
    floor: Floor,
    django_assert_max_num_queries: Any,
) -> None:
    """At ten frames a second fifty sequences come every five seconds from each sign."""
    display = sign_with_frames(floor)
    now_ms = int(timezone.now().timestamp() * 1000)
    shown = [[1 + number % 3, now_ms - 5_000 + 100 * number] for number in range(50)]
    with django_assert_max_num_queries(16):  # over the turn of a minute: two rows
        record_report(display.pk, {"shown": shown})
    kept = [row for minute in display.minutes.order_by("minute") for row in minute.showed]
    assert [sequence for sequence, _ in kept] == [sequence for sequence, _ in shown]


def sign_with_frames(floor: Floor, replaced_ago: timedelta = timedelta()) -> Display:
    """A sign, and three frames of its progressive; the first was replaced that long ago."""
    display, _ = create_display("test", floor.harbour, "Wall", floor.progressive)
    at = timezone.now() - replaced_ago
    for sequence, (grand, minor) in enumerate(
        [("20000.00", "2000.00"), ("20001.20", "2000.30"), ("20002.40", "2000.60")], 1
    ):
        levels = [{"level": "grand", "value": grand}, {"level": "minor", "value": minor}]
        frame_texts.add(floor.progressive.pk, sequence, {"levels": levels}, None, at=at)
    return display


def wrong_of(display: Display, sequence: int, figures: Any, **more: Any) -> list[Any]:
    now_ms = int(timezone.now().timestamp() * 1000)
    assert record_report(display.pk, {"shown": [[sequence, now_ms]], "figures": figures} | more)
    return [[item[0], item[2]] for row in display.minutes.all() for item in row.wrong]


@pytest.mark.parametrize(
    ("figures", "more", "wrong"),
    [
        ({"grand": "20000.00", "minor": "2000.00"}, {}, {}),
        ({"grand": "20000.01", "minor": "2000.00"}, {}, {"grand": "20000.01"}),
        # On its way from frame 1 to frame 2: anything between them, ends included, and nothing else.
        ({"grand": "20000.73", "minor": "2000.18"}, {"toward": 2}, {}),
        ({"grand": "20001.20", "minor": "2000.00"}, {"toward": 2}, {}),
        ({"grand": "20001.21", "minor": "2000.18"}, {"toward": 2}, {"grand": "20001.21"}),
        ({"grand": "19999.96", "minor": "2000.31"}, {"toward": 2}, {"grand": "19999.96", "minor": "2000.31"}),
        # Toward what was never sent, or nothing at all: the figure must be the frame's.
        ({"grand": "20000.73"}, {"toward": 77}, {"grand": "20000.73"}),
        *(({"grand": "20000.73"}, {"toward": odd}, {"grand": "20000.73"}) for odd in (None, "2", True, [2], 2**70, -1)),
    ],
)  # fmt: skip
def test_a_rolling_figure_is_judged_between_the_frames_it_rolls(
    floor: Floor, figures: Any, more: dict[str, Any], wrong: Any
) -> None:
    assert wrong_of(sign_with_frames(floor), 1, figures, **more) == ([[1, wrong]] if wrong else [])


def test_the_highest_number_there_is_was_never_sent(floor: Floor) -> None:
    assert wrong_of(sign_with_frames(floor), 2**63 - 1, {"grand": "20000.00"}) == [[2**63 - 1, {}]]


def test_no_sign_rolls_backwards(floor: Floor) -> None:
    display = sign_with_frames(floor)
    assert wrong_of(display, 2, {"grand": "20000.73"}, toward=1) == [[2, {"grand": "20000.73"}]]


def test_a_sign_that_stands_still_does_not_pass_by_saying_that_it_rolls(floor: Floor) -> None:
    """A roll takes less than a second; the frame this one claims to leave was replaced two minutes ago."""
    display = sign_with_frames(floor, replaced_ago=timedelta(minutes=2))
    assert wrong_of(display, 1, {"grand": "20000.73"}, toward=3) == [[1, {"grand": "20000.73"}]]


def test_the_figures_belong_to_the_last_that_is_told(floor: Floor) -> None:
    """Also where a sign tells more than is kept: its tab slept, or it is another maker's."""
    display = sign_with_frames(floor)
    now_ms = int(timezone.now().timestamp() * 1000)
    shown = [[1, now_ms - 1]] * 150 + [[3, now_ms]]
    record_report(display.pk, {"shown": shown, "figures": {"grand": "20002.40", "minor": "2000.60"}})
    assert not display.minutes.exclude(wrong=[]).exists()
    display.refresh_from_db()
    assert display.last_sequence == 3


def test_a_report_that_comes_twice_is_kept_once(floor: Floor) -> None:
    """A sign whose connection broke does not know whether its last report arrived, and tells it again."""
    display, _ = create_display("test", floor.harbour, "Wall", floor.progressive)
    minute = timezone.now().replace(second=0, microsecond=0)
    start_ms = int(minute.timestamp() * 1000)
    assert record_report(display.pk, {"shown": [[5, start_ms + 100], [6, start_ms + 1_100]]})
    again = [[5, start_ms + 100], [6, start_ms + 1_100], [6, start_ms + 9_000]]
    assert record_report(display.pk, {"shown": again})
    kept = DisplayMinute.objects.get(display=display)
    assert kept.showed == [[5, 100], [6, 1_100], [6, 9_000]]
    assert kept.wrong == [[5, 100, {}], [6, 1_100, {}], [6, 9_000, {}]], "frames never sent, each told once"


def test_a_sign_that_shows_something_else_is_told_once_until_someone_looks(floor: Floor) -> None:
    lobby, wall = (
        create_display("test", floor.lakeside, name, floor.progressive)[0] for name in ("Lobby", "Wall")
    )
    sent = snapshot(floor.progressive.pk)
    now_ms = int(timezone.now().timestamp() * 1000)
    right = {level["level"]: level["value"] for level in sent["levels"]}
    assert record_report(lobby.pk, {"shown": [[sent["sequence"], now_ms]], "figures": right})
    assert not Alert.objects.exists()
    for later_ms in (1, 2):
        told = [[sent["sequence"], now_ms + later_ms]]
        assert record_report(lobby.pk, {"shown": told, "figures": right | {"grand": "20000.01"}})
    assert record_report(wall.pk, {"shown": [[97, now_ms], [98, now_ms]]})
    found = Alert.objects.order_by("pk")
    assert [(alert.kind, alert.subject, alert.premises) for alert in found] == [
        ("jackpots.sign_showed_other", f"jackpots.display:{lobby.pk}", floor.lakeside),
        ("jackpots.sign_showed_other", f"jackpots.display:{wall.pk}", floor.lakeside),
    ]
    assert "grand 20000.01 instead of 20000.00 (frame 1 of Stud Jackpot)" in found[0].text
    assert "frame 97 of Stud Jackpot, which was never sent" in found[1].text
