"""A casino as a document: premises, progressives, tables with rules, limits, links and terminals, and signs.

`export` writes what there is, `differences` says what a document would change, a line each. How it is written is in
tables.floor.document_form. Secrets are no part of it: a terminal or sign that a document makes has a token that nobody
knows, until an administrator issues a new one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from config.kit.refusals import Refused
from jackpots.log import games
from jackpots.models import Display, Link, Progressive
from jackpots.set_up.drafts import Settings
from jackpots.signs.set_up import USUAL, set_up_of
from people.models import Premises
from rules import RuleError
from rules.progressive import encode
from rules.progressive.written import read_rules
from tables.floor.document_form import FIELDS, SECTIONS, VERSION, tidy
from tables.floor.opening import resolved
from tables.floor.set_up import difference
from tables.floor.terminals import TABLET
from tables.models import Table, Terminal

Entry = dict[str, Any]
NEW_TERMINAL: Entry = {"networks": [], "must_sign": False}


# --- What there is ----------------------------------------------------------------------------------------------
def export() -> dict[str, Any]:
    """All of it, in the order of codes."""
    return {
        "version": VERSION,
        "premises": {
            each.code: {name: getattr(each, name) for name in FIELDS["premises"]}
            for each in Premises.objects.order_by("code")
        },
        "progressives": {each.code: _progressive(each) for each in _progressives()},
        "tables": _tables(),
        "displays": {f"{each.premises.code}/{each.name}": shown_by(each) for each in _displays()},
    }


def _progressives() -> Iterable[Progressive]:
    return Progressive.objects.select_related("host", "config").order_by("code")


def _displays() -> Iterable[Display]:
    rows = Display.objects.filter(revoked_at__isnull=True).select_related("premises", "progressive")
    return rows.order_by("premises__code", "name")


def _progressive(row: Progressive) -> Entry:
    settings = asdict(Settings.of(row))
    return {
        "name": settings.pop("name"),
        "host": row.host.code,
        "rules": row.config.document,
        "settings": settings,
    }


def _tables() -> dict[str, Entry]:
    rows = list(
        Table.objects.select_related("premises", "config", "table_log")
        .prefetch_related("terminals", "table_log__links__progressive__config")
        .order_by("premises__code", "code")
    )
    played: dict[int, set[tuple[str, str]]] = defaultdict(set)
    for row in rows:
        for link in row.table_log.links.all():
            played[link.progressive_id].add(_game(row))
    mixed = {progressive for progressive, found in played.items() if len(found) > 1}
    return {f"{row.premises.code}/{row.code}": _table(row, mixed) for row in rows}


def _game(row: Table) -> tuple[str, str]:
    return row.config.document["game"], row.config.document["rulebook"]


def _table(row: Table, mixed: set[int]) -> Entry:
    """`mixed`: the progressives that tables of several games are linked to."""
    return {
        "pit": row.pit,
        "seats": row.seats,
        "chips": row.chips,
        "reserved_for": row.reserved_for,
        "device_error_ms": row.device_error_ms,
        "rules": row.config.document,
        "links": {
            link.progressive.code: _link(row, link, mixed=link.progressive_id in mixed)
            for link in row.table_log.links.all()
        },
        "terminals": {each.name: _terminal(each) for each in row.terminals.all() if is_kept(each)},
    }


def _link(row: Table, link: Link, *, mixed: bool) -> Entry:
    told: Entry = {"kinds": link.kinds, "takes_rest": link.takes_rest}
    game = games.TableGame(row.config.game, row.config.document["options"])
    if mixed and games.unequal_odds(link.progressive, game, link.kinds):
        told["unequal_odds"] = True
    return told


def is_kept(row: Terminal) -> bool:
    """A tablet is handed over for a night."""
    return row.revoked_at is None and not row.name.startswith(TABLET)


def _terminal(row: Terminal) -> Entry:
    return {"networks": row.networks, "must_sign": row.must_sign}


def shown_by(display: Display) -> str | Entry:
    """What a sign shows: a progressive as usual, by its code, or as it was set up."""
    whole = set_up_of(display) | ({"networks": display.networks} if display.networks else {})
    code = None if display.progressive is None else display.progressive.code
    return code if code is not None and whole == whole_display(code) else whole


# --- What is wanted ---------------------------------------------------------------------------------------------
def whole_display(shows: str | Entry) -> Entry:
    """A sign with everything said that its short form leaves out."""
    return USUAL | {"progressives": [shows]} if isinstance(shows, str) else USUAL | shows


def whole_link(link: list[str] | Entry) -> Entry:
    """`takes_rest` none: as usual."""
    given = link if isinstance(link, dict) else {"kinds": link}
    return {"takes_rest": None, "unequal_odds": False, **given, "kinds": sorted(set(given["kinds"]))}


def rules_of(stands: Entry, given: Entry) -> Entry:
    """The rules that a document wants of a table that is there: what it does not say stays."""
    return {**stands, **given.get("rules", {})}


def _comparable(section: str, stands: Any, given: Any) -> tuple[Any, Any]:
    """Both with as much said, of what the document speaks of."""
    if section == "displays":
        wanted = given if isinstance(given, dict) else whole_display(given)
        return {"networks": [], **whole_display(stands)}, {"networks": [], **whole_display(stands), **wanted}
    wanted = dict(given)
    if section == "progressives" and "rules" in given:
        wanted["rules"] = encode(read_rules(given["rules"]))
    elif section == "tables" and ("rules" in given or "chips" in given):
        rules = _with_chip(rules_of(stands["rules"], given), given.get("chips", stands["chips"]))
        wanted["rules"] = resolved(rules)
    standing = {key: stands.get(key) for key in wanted}
    if "settings" in wanted:
        standing["settings"] = {key: standing["settings"].get(key) for key in wanted["settings"]}
    if "terminals" in wanted:
        known = standing["terminals"]
        wanted["terminals"] = {
            name: known.get(name, NEW_TERMINAL) | each for name, each in wanted["terminals"].items()
        }
        standing["terminals"] = {name: known[name] for name in wanted["terminals"] if name in known}
    if "links" in wanted:
        standing["links"], wanted["links"] = _links(standing["links"], wanted["links"])
    return standing, wanted


def _links(stands: Entry, given: Entry) -> tuple[Entry, Entry]:
    """Whether odds are unequal is stated when a link is made, and is nothing that could be changed."""
    wanted = {}
    for code, link in given.items():
        whole = whole_link(link)
        wanted[code] = {key: whole[key] for key in ("kinds", "takes_rest") if whole[key] is not None}
    standing = {code: {key: stands[code][key] for key in wanted[code]} for code in wanted if code in stands}
    return standing, wanted


def _with_chip(rules: Entry, chips: list[str] | None) -> Entry:
    if chips and isinstance(rules.get("limits"), dict):
        return {**rules, "limits": {**rules["limits"], "chip": chips[0]}}
    return rules


# --- What it changes --------------------------------------------------------------------------------------------
def differences(document: dict[str, Any], there: dict[str, Any] | None = None) -> list[str]:
    """What it changes in what is there. What it does not name stays as it is: a document takes nothing away."""
    there = export() if there is None else there
    found: list[str] = []
    for section in SECTIONS:
        for name, wanted in document.get(section, {}).items():
            stands = there[section].get(name)
            if stands is None:
                found.append(f"{section} {name}: new: {_in_words(section, wanted)}")
            else:
                found += [f"{section} {name}: {line}" for line in changed(section, stands, wanted)]
    return found


def changed(section: str, stands: Any, wanted: Any) -> list[str]:
    """What an entry of a document changes of what is there."""
    try:
        return difference(*_comparable(section, stands, tidy(section, wanted)))
    except (RuleError, Refused) as refused:
        return [f"cannot be so: {refused}"]


def _in_words(section: str, given: Any) -> str:
    """What is new, in a few words."""
    if section == "premises":
        told = [given.get("name"), given.get("currency"), given.get("time_zone")]
    elif section == "progressives":
        rules = given.get("rules", {})
        levels = [each for each in rules.get("levels") or [] if isinstance(each, dict)]
        told = [given.get("name"), f"of {given.get('host')}", rules.get("preset") or rules.get("schedule")]
        told += [f"{each.get('name')} from {each.get('seed', '0.00')}" for each in levels]
    elif section == "tables":
        rules = given.get("rules", {})
        told = [f"{rules.get('game')} ({rules.get('rulebook')})", given.get("pit")]
        told += [f"linked to {code}" for code in given.get("links", {})]
        told += [f"terminal {name}" for name in given.get("terminals", {})]
    else:
        whole = whole_display(given)
        told = ["shows " + " and ".join([*whole["progressives"], *filter(None, [whole["table"]])])]
    return ", ".join(str(each) for each in told if each)
