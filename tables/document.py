"""A casino as a document: premises, progressives, tables with rules, limits, links and terminals, and signs.

`export` writes what there is, `differences` says what a document would change, a line each. Secrets are no part of it:
a terminal or sign that a document makes has a token that nobody knows, until an administrator issues a new one.
"""

from __future__ import annotations

import json
from typing import Any

from config.refusals import Refused
from jackpots.models import Display, Progressive
from jackpots.signs.set_up import set_up_of
from people.models import Premises
from rules import RuleError
from rules.money import format_money, parse_money
from tables.floor import resolved
from tables.models import Table
from tables.set_up import difference

VERSION = 1
SECTIONS = ("premises", "progressives", "tables", "displays")
PREMISES_FIELDS = ("name", "currency", "time_zone", "rollover_hour", "rulebook")
SETTINGS = (
    "lease_ms", "skew_ms", "pay_alone_limit_micros", "ruling_limit_micros", "ruling_daily_micros",
    "suspect_stake_micros", "suspect_rate_micros",
)  # fmt: skip
"""Of a progressive, beside its rules; amounts are written as money."""


def export() -> dict[str, Any]:
    """All of it, in the order of codes."""
    tables = Table.objects.select_related("premises", "config", "table_log").order_by(
        "premises__code", "code"
    )
    related = ("terminals", "table_log__links__progressive")
    return {
        "version": VERSION,
        "premises": {
            each.code: {name: getattr(each, name) for name in PREMISES_FIELDS}
            for each in Premises.objects.order_by("code")
        },
        "progressives": {each.code: _progressive(each) for each in _progressives()},
        "tables": {
            f"{each.premises.code}/{each.code}": _table(each) for each in tables.prefetch_related(*related)
        },
        "displays": {
            f"{each.premises.code}/{each.name}": shown_by(each)
            for each in Display.objects.filter(revoked_at__isnull=True)
            .select_related("premises", "progressive")
            .order_by("premises__code", "name")
        },
    }


def shown_by(display: Display) -> str | dict[str, Any]:
    """What a sign shows: a progressive as usual, by its code, or as it was set up."""
    if display.setup is None and display.progressive is not None:
        return display.progressive.code
    return set_up_of(display)


def _progressives() -> Any:
    return Progressive.objects.select_related("host", "config").order_by("code")


def _progressive(row: Progressive) -> dict[str, Any]:
    settings = {name: _told(name, getattr(row, name)) for name in SETTINGS}
    return {"name": row.name, "host": row.host.code, "rules": row.config.document, "settings": settings}


def _told(name: str, value: Any) -> Any:
    return format_money(value) if name.endswith("_micros") and value is not None else value


def settings_of(given: dict[str, Any]) -> dict[str, Any]:
    """As `create_progressive` takes them."""
    return {
        name: parse_money(value, name) if name.endswith("_micros") and value is not None else value
        for name, value in given.items()
        if name in SETTINGS
    }


def _table(row: Table) -> dict[str, Any]:
    return {
        "pit": row.pit,
        "seats": row.seats,
        "chips": row.chips,
        "reserved_for": row.reserved_for,
        "device_error_ms": row.device_error_ms,
        "rules": row.config.document,
        "links": {link.progressive.code: link.kinds for link in row.table_log.links.all()},
        "terminals": {
            each.name: {"networks": each.networks, "must_sign": each.must_sign}
            for each in row.terminals.all()
            if each.revoked_at is None
        },
    }


def read(text: str) -> dict[str, Any]:
    """A document from a file, its form looked at; what it says is for `tables.apply` to check."""
    try:
        document = json.loads(text)
    except ValueError as error:
        raise Refused("document", f"This is no JSON: {error}") from None
    if not isinstance(document, dict) or document.get("version") != VERSION:
        raise Refused("document", f"A floor is a JSON object of version {VERSION}.")
    unknown = sorted(set(document) - {"version", *SECTIONS})
    if unknown or not all(isinstance(document.get(name, {}), dict) for name in SECTIONS):
        raise Refused("document", f"Its sections are objects: {', '.join(SECTIONS)}; not known: {unknown}.")
    return document


def rules_of(stands: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """The rules that a document wants of a table that is there: what it does not say stays."""
    return {**stands, **given.get("rules", {})}


def _whole(stands: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """What is given for a table, with every default of its rules said as in what stands."""
    if "rules" not in given and "chips" not in given:
        return given
    rules = rules_of(stands["rules"], given)
    chips = given.get("chips", stands["chips"])
    if chips and isinstance(rules["limits"], dict):
        rules["limits"] = {**rules["limits"], "chip": chips[0]}
    try:
        return {**given, "rules": resolved(rules)}
    except RuleError:
        return given  # said as it is; whoever tries it is told why it is refused


def differences(document: dict[str, Any]) -> list[str]:
    """What it changes. What it does not name stays as it is: a document takes nothing away."""
    there = export()
    found: list[str] = []
    for section in SECTIONS:
        for name, wanted in document.get(section, {}).items():
            stands = there[section].get(name)
            if stands is None:
                found.append(f"{section} {name}: new")
            elif isinstance(wanted, dict):
                wanted = _whole(stands, wanted) if section == "tables" else wanted
                lines = difference({key: stands.get(key) for key in wanted}, wanted)
                found += [f"{section} {name}: {line}" for line in lines]
            elif stands != wanted:
                found.append(f"{section} {name}: {stands} → {wanted}")
    return found
