"""The page of a progressive's meters over time."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_GET

from jackpots import list_files
from jackpots.queries import READERS, visible_progressives
from jackpots.reading import history
from people.access import role_required
from people.pages import lists


@require_GET
@role_required(*READERS)
def meter_history(request: HttpRequest, code: str) -> HttpResponse:
    """Each level from an hour to a year back, and contributions by table and hour."""
    progressive = get_object_or_404(visible_progressives(request.user), code=code)
    asked = request.GET.get("span", "")
    span = asked if asked in history.SPANS else "day"
    words, length = history.SPANS[span]
    now = timezone.now()
    hours, lines = history.by_hour(progressive, now), history.lines(progressive, span, now)
    if lists.asked(request, "meters"):
        points = [(line, point) for line in lines for point in line.points]
        return list_files.METER_HISTORY.file(request, points, progressive.host, about=f"{code}-{span}")
    if lists.asked(request, "hours"):
        by_table = [(hour, table, micros) for hour in hours for table, micros in hour.tables]
        return list_files.BY_HOUR.file(request, by_table, progressive.host, about=code)
    context = {
        "progressive": progressive,
        "span": span,
        "words": words,
        "spans": [(name, words) for name, (words, _) in history.SPANS.items()],
        "lines": lines,
        "begin": now - length,
        "end": now,
        "hours": hours,
        "any": any(hour.micros for hour in hours),
    }
    return render(request, "jackpots/history.html", context)
