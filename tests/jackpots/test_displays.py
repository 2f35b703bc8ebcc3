"""What signs report to have shown: kept by the minute, and nothing odd that they say does any harm."""

from __future__ import annotations

import pytest
from django.utils import timezone

from jackpots.models import DisplayMinute
from jackpots.signs.displays import create_display, record_report
from tests.floor import make_floor


@pytest.mark.django_db
@pytest.mark.parametrize(
    "report",
    [
        None, [], 7, {"shown": {}}, {"shown": [[1]]}, {"shown": [[1, 10**30]]}, {"shown": [[10**30, 1]]},
        {"shown": [[True, False]]}, {"shown": [[1, -(10**18)]]}, {"shown": "x" * 500},
    ],
)  # fmt: skip
def test_an_odd_report_of_a_sign_is_passed_over(report: object) -> None:
    floor = make_floor()
    display, _ = create_display("test", floor.harbour, "Wall", floor.progressive)
    assert record_report(display.pk, report), "the sign is known all the same"
    assert not display.minutes.exists()


@pytest.mark.django_db
def test_reports_are_kept_by_the_minute() -> None:
    floor = make_floor()
    display, _ = create_display("test", floor.harbour, "Wall", floor.progressive)
    minute = timezone.now().replace(second=0, microsecond=0)
    start_ms = int(minute.timestamp() * 1000)
    assert record_report(display.pk, {"shown": [[5, start_ms + 100], ["x", 1], [6, start_ms + 1_100]]})
    assert record_report(display.pk, {"shown": [[7, start_ms + 59_999]]})
    kept = DisplayMinute.objects.get(display=display)
    assert (kept.minute, kept.showed) == (minute, [[5, 100], [6, 1_100], [7, 59_999]])
    display.refresh_from_db()
    assert display.last_sequence == 7
