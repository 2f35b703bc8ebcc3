"""What meters and signs say a level stood at, for the ledger's reconciliation of progressives.

The value comes from this room's own rows; the books are asked only where the gaming day was cut.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Exists, OuterRef
from django.db.models.functions import Collate

from config.kit.gaming_day import day_start
from jackpots.fold.ledger_entries import opening_key
from jackpots.models import Progressive, opening_pots
from jackpots.signs.showed import last_shown
from ledger.close.reconciliation import Reading, register_readings
from ledger.models import Entry
from people.models import Premises
from rules.money import CENT


@dataclass(frozen=True)
class Cut:
    """The meters by level where a gaming day was cut."""

    written: dict[str, int]
    """As they were written down with the last fold run that is booked on the day or before."""
    meters: dict[str, int]
    """As the meters themselves say, while they are the newest; later as written."""


def cut(progressive: Progressive, day: date) -> Cut | None:
    """None for a day before the opening."""
    opened = Entry.objects.filter(key=opening_key(progressive)).values_list("day__date", flat=True).first()
    if opened is not None and opened > day:
        return None
    runs = progressive.fold_runs.exclude(entry_key="").order_by("number")
    in_time = Entry.objects.filter(key=Collate(OuterRef("entry_key"), "C"), day__date__lte=day)
    # Nothing is booked before its own day, so the search begins at the day's end and soon finds one.
    end = day_start(progressive.host, day + timedelta(days=1))
    last = runs.filter(Exists(in_time), last_place__lt=end).last()
    following = (runs.filter(number__gt=last.number) if last is not None else runs).first()
    state = last.state if last is not None else opening_pots(progressive)
    written = {level.name: level.meter_micros for level in state.levels}
    if following is not None:
        return Cut(written, written)
    return Cut(written, {meter.level: meter.value_micros for meter in progressive.meters.all()})


@register_readings
def read(premises: Premises, day: date) -> Iterator[Reading]:
    """The meters of the progressives hosted here, and what each sign showed last, at the same point of the log."""
    for progressive in Progressive.objects.filter(host=premises).select_related("host", "config"):
        at_end = cut(progressive, day)
        if at_end is None:
            continue
        for level, micros in at_end.meters.items():
            yield Reading(progressive.code, level, "meter", micros)
        for shown in last_shown(progressive, day):
            for level, micros in shown.figures.items():
                if level in at_end.written and level in shown.by_the_log:
                    yield Reading(
                        progressive.code,
                        level,
                        "signs",
                        micros,
                        name=str(shown.display),
                        unit_micros=CENT,
                        open_micros=at_end.written[level] - shown.by_the_log[level],
                    )
