"""The rounds of a table as its page lists them: newest first, by day, page after page by number, so that a page of
years ago costs what the last one does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django import forms
from django.db.models import F, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from config.kit.forms import DayField
from config.kit.sheets.columns import Cell, Column, Row
from ledger.months import months
from people.pages import lists
from tables.models import Round, RoundVersion, Table, VersionLine, WagerLine
from tables.pages import pictures

PAGE = 25


class RoundsForm(forms.Form):
    """Which rounds: of a gaming day, and those before or after a number."""

    day = DayField(required=False, label=_("Gaming day"))
    before = forms.IntegerField(required=False, min_value=0, max_value=2**62)
    after = forms.IntegerField(required=False, min_value=0, max_value=2**62)


@dataclass(frozen=True)
class Listed:
    round: Round
    result: SafeString
    win_micros: int | None
    """What the house won of all wagers but jackpots'; None until it is settled."""


@dataclass(frozen=True)
class Rounds:
    rows: list[Listed]
    day: date | None
    older: str
    newer: str
    day_before: str
    day_after: str


def rounds_of(table: Table, asked: dict[str, Any]) -> Rounds:
    """A page of them. What cannot be read narrows nothing."""
    day, before, after = _read(asked)
    rows = table.rounds.select_related("config").defer(
        "settlement", "moments", "carried_in", "wagers", "decisions"
    )
    if day is not None:
        rows = rows.filter(gaming_day=day)
    if after is not None:
        found = list(rows.filter(number__gt=after).order_by("number")[: PAGE + 1])[::-1]
        more_newer, more_older = len(found) > PAGE, True
        found = found[-PAGE:]
    else:
        rows = rows.filter(number__lt=before) if before is not None else rows
        found = list(rows.order_by("-number")[: PAGE + 1])
        more_newer, more_older = before is not None, len(found) > PAGE
        found = found[:PAGE]
    return Rounds(
        _listed(found),
        day,
        _query(day, before=found[-1].number) if found and more_older else "",
        _query(day, after=found[0].number) if found and more_newer else "",
        _query(day - timedelta(days=1)) if day and day > date.min else "",
        _query(day + timedelta(days=1)) if day and day < date.max else "",
    )


def _read(asked: dict[str, Any]) -> tuple[date | None, int | None, int | None]:
    form = RoundsForm(asked)
    form.full_clean()
    day, before, after = (form.cleaned_data.get(name) for name in ("day", "before", "after"))
    return day, before, after


_COLUMNS = (
    Column("round", gettext_noop("Round"), Cell.NUMBER),
    Column("day", gettext_noop("Gaming day"), Cell.DATE),
    Column("state", gettext_noop("State")),
    Column("locked_at", gettext_noop("No more bets"), Cell.INSTANT),
    Column("settled_at", gettext_noop("Settled"), Cell.INSTANT),
    Column("result", gettext_noop("Result")),
    Column("won", gettext_noop("House won"), Cell.MONEY),
    Column("currency", gettext_noop("Currency")),
)


def as_file(request: HttpRequest, table: Table) -> HttpResponse:
    """The rounds of the day that is asked for, or the newest of all days, page after page up to a bound."""
    return lists.answer(
        request,
        table.premises,
        f"rounds-{table.code}",
        f"Rounds of {table.code}",
        _COLUMNS,
        _rows(table, request),
    )


def _rows(table: Table, request: HttpRequest) -> Iterator[Row]:
    day, before, _ = _read(request.GET.dict())
    asked = {"day": day, "before": before}
    given = 0
    while given < lists.MAX_ROWS:
        found = rounds_of(table, asked)
        for row in found.rows:
            told = "; ".join(f"{who}: {text}" for who, text in row.round.result.items())
            yield (
                row.round.number, row.round.gaming_day, row.round.get_state_display(), row.round.locked_at,
                row.round.settled_at, told, row.win_micros, table.premises.currency,
            )  # fmt: skip
            given += 1
        if not found.older:
            return
        asked["before"] = found.rows[-1].round.number


def _query(day: date | None, **numbers: int) -> str:
    asked: dict[str, str | int] = {"day": day.isoformat()} if day else {}
    return urlencode({**asked, **numbers})


def _listed(found: list[Round]) -> list[Listed]:
    """With the result and the win of the last version, where a round was corrected."""
    of_rounds = RoundVersion.objects.filter(round__in=[row.pk for row in found]).order_by("number")
    last = {version.round_id: version for version in of_rounds.only("round_id", "dealt", "result")}
    lines = WagerLine.objects.filter(round__in=[row.pk for row in found if row.pk not in last])
    won = _won(lines, "round")
    of_versions = _won(VersionLine.objects.filter(version__in=[one.pk for one in last.values()]), "version")
    won |= {pk: of_versions.get(version.pk, 0) for pk, version in last.items()}
    settled = [row.pk for row in found if row.state == Round.State.SETTLED]
    without = [
        pk for pk in settled if pk not in won
    ]  # without wagers, or kept elsewhere: then nobody knows here
    won |= dict.fromkeys(set(without) - set(months.elsewhere_of(without) if without else ()), 0)
    return [
        Listed(
            row,
            pictures.short(row.config.game, in_force.dealt, in_force.result),
            won.get(row.pk) if row.state == Round.State.SETTLED else None,
        )
        for row in found
        for in_force in [last.get(row.pk, row)]
    ]


def _won(lines: QuerySet[Any], by: str) -> dict[int, int]:
    kept = F("stake_micros") - F("returned_micros") - F("standing_micros") - F("winnings_micros")
    rows = lines.filter(is_jackpot=False).order_by().values_list(by)
    return {pk: int(micros) for pk, micros in rows.annotate(won=Sum(kept + F("commission_micros")))}
