"""From a figure of a report to the entries that make it: where a cell leads. Entries lead on to their rounds."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.urls import reverse

from config.kit.sheets.columns import Column, Row
from ledger.reports.reports import Source
from people.models import Premises


def address_of(premises: Premises, source: Source, column: Column, row: Row, first: date, last: date) -> str:
    """'' where a cell leads nowhere: a total over all rows, a text that names nothing."""
    values = {one.name: value for one, value in zip(source.columns, row, strict=True)}
    value = values[column.name]
    if not value:  # nothing has no entries
        return ""
    if column.account:
        return _account(premises, column.account, values, first, last)
    day = values.get("day")
    begin, end = (day, day) if isinstance(day, date) else (first, last)
    match column.name:
        case "entry":
            return reverse("ledger-entry", args=[premises.code, value])
        case "day":
            return reverse("ledger-day", args=[premises.code, value.isoformat()])
        case "account":
            return _journal(begin, end, account=value)
        case "table":
            return _journal(begin, end, table=value)
        case "progressive":
            return _journal(begin, end, progressive=value)
    return ""


def _account(premises: Premises, pattern: str, values: Mapping[str, Any], first: date, last: date) -> str:
    """`tables/{table}/win` with what the row says; nothing where the row does not say it."""
    try:
        code = pattern.format_map(values)
    except KeyError:
        return ""
    day = values.get("day")
    begin, end = (day, day) if isinstance(day, date) else (first, last)
    return _journal(begin, end, account=f"{premises.code}/{code}")


def _journal(first: date, last: date, **narrowed: str) -> str:
    return reverse("journal", query={**narrowed, "first": first.isoformat(), "last": last.isoformat()})
