"""How a document of the floor is written: its sections, their fields, and everything that is wrong with a text as such.

What it says is checked by the rules, where it is applied (tables.floor.apply).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from config.kit import strict_json
from config.kit.refusals import Fault, Refused, wrong
from jackpots.models import Display, Progressive
from jackpots.set_up.drafts import MONEY, Settings
from jackpots.signs.set_up import USUAL
from people import tokens
from people.models import Premises
from rules import RuleError
from rules.money import format_money, parse_money
from tables.floor.set_up import read_chips
from tables.floor.terminals import TABLET
from tables.models import Table, Terminal

VERSION = 1
SECTIONS = ("premises", "progressives", "tables", "displays")
NONE = type(None)


@dataclass(frozen=True)
class Field:
    kinds: tuple[type, ...]
    needed: bool = False
    """Of what is not there yet; what is there keeps what a document does not say."""
    longest: int | None = None


def _text(model: Any, name: str, *, needed: bool = False, none: bool = False) -> Field:
    """As long as the column takes."""
    return Field((str, NONE) if none else (str,), needed, model._meta.get_field(name).max_length)


FIELDS: dict[str, dict[str, Field]] = {
    "premises": {
        "name": _text(Premises, "name", needed=True),
        "currency": Field((str,), needed=True),
        "time_zone": Field((str,), needed=True),
        "rollover_hour": Field((int,), needed=True),
        "rulebook": Field((str,)),
    },
    "progressives": {
        "name": _text(Progressive, "name", needed=True),
        "host": Field((str,), needed=True),
        "rules": Field((dict,), needed=True),
        "settings": Field((dict,)),
    },
    "tables": {
        "pit": _text(Table, "pit"),
        "seats": Field((int, NONE)),
        "chips": Field((list, NONE)),
        "reserved_for": _text(Table, "reserved_for", none=True),
        "device_error_ms": Field((int, NONE)),
        "rules": Field((dict,), needed=True),
        "links": Field((dict,)),
        "terminals": Field((dict,)),
    },
    "displays": {
        "networks": Field((list,)),
        **{name: Field((type(value),)) for name, value in USUAL.items()},
    },
}
TERMINAL = {"networks": Field((list,)), "must_sign": Field((bool,))}
LINK = {"kinds": Field((list,), needed=True), "takes_rest": Field((bool,)), "unequal_odds": Field((bool,))}
SETTINGS = [name for name in vars(Settings("")) if name != "name"]
"""Of a progressive, beside its rules."""
WORDS = {
    str: "a text",
    int: "a whole number",
    list: "a list",
    dict: "an object",
    bool: "true or false",
    NONE: "null",
}


def read(text: str) -> dict[str, Any]:
    """A document from a file; Refused with everything that is wrong with its form."""
    try:
        document = strict_json.loads(text)
    except strict_json.SaidTwice as twice:
        raise Refused("document", f"{twice.name!r} stands twice in the same object: say it once.") from None
    except ValueError as error:
        raise Refused("document", f"This is no JSON: {error}.") from None
    if not isinstance(document, dict) or document.get("version") != VERSION:
        raise Refused("document", f'A floor is a JSON object with "version": {VERSION}.')
    refuse(list(faults_of(document)))
    return document


def refuse(faults: list[Fault]) -> None:
    if faults:
        told = "; ".join(f"{fault.field}: {fault.message}" for fault in faults)
        raise Refused("document", told, faults=faults)


def faults_of(document: dict[str, Any]) -> Iterator[Fault]:
    for name in document:
        if name not in ("version", *SECTIONS):
            yield Fault(name, f"there is no such section; there are {', '.join(SECTIONS)}")
    for section in SECTIONS:
        entries = document.get(section, {})
        if not isinstance(entries, dict):
            yield Fault(section, "an object is needed: each entry under its own name")
            continue
        for name, given in entries.items():
            at = f"{section} {name}"
            for message in _entry_faults(section, name, given):
                yield Fault(at, message)


def _entry_faults(section: str, name: str, given: Any) -> Iterator[str]:
    if section in ("tables", "displays") and not all(name.partition("/")):
        yield "its name is premises/code, such as hill/RO-01"
    if section == "displays" and len(name.partition("/")[2]) > (_text(Display, "name").longest or 0):
        yield "the name of a sign is shorter"
    if section == "displays" and isinstance(given, str):
        return
    if not isinstance(given, dict):
        yield f"an object is needed, not {given!r}"
        return
    yield from _object_faults("", given, FIELDS[section])
    if section == "tables":
        yield from _inner_faults(given)
    settings = given.get("settings")
    if section == "progressives" and isinstance(settings, dict):
        yield from (
            f"settings.{key} is not known; known: {', '.join(SETTINGS)}"
            for key in settings
            if key not in SETTINGS
        )


def _inner_faults(given: dict[str, Any]) -> Iterator[str]:
    """Of a table's links and terminals."""
    links, terminals = given.get("links"), given.get("terminals")
    for code, link in (links if isinstance(links, dict) else {}).items():
        if isinstance(link, dict):
            yield from _object_faults(f"links.{code}.", link, LINK)
            yield from missing(link, LINK, f"links.{code}.")
        elif not isinstance(link, list):
            yield f'links.{code}: a list of kinds of wagers is needed, such as ["jackpot"]'
    for name, terminal in (terminals if isinstance(terminals, dict) else {}).items():
        if len(name) > (_text(Terminal, "name").longest or 0) or not name.strip():
            yield f"terminals.{name}: a name is shorter, and not empty"
        if name.startswith(TABLET):
            yield f"terminals.{name}: tablets are handed over on the floor, for a night"
        if isinstance(terminal, dict):
            yield from _object_faults(f"terminals.{name}.", terminal, TERMINAL)
        else:
            yield f"terminals.{name}: an object is needed, perhaps an empty one: {{}}"


def _object_faults(at: str, given: dict[str, Any], known: dict[str, Field]) -> Iterator[str]:
    for name, value in given.items():
        field = known.get(name)
        if field is None:
            yield f"{at}{name} is not known; known: {', '.join(known)}"
        elif type(value) not in field.kinds:
            yield f"{at}{name}: {' or '.join(WORDS[kind] for kind in field.kinds)} is needed, not {value!r}"
        elif isinstance(value, list) and not all(isinstance(each, str) for each in value):
            yield f"{at}{name}: a list of texts is needed"
        elif field.longest is not None and len(value or "") > field.longest:
            yield f"{at}{name}: at most {field.longest} characters"


def missing(given: dict[str, Any], known: dict[str, Field], at: str = "") -> list[str]:
    """What it must say and does not."""
    return [f"{at}{name} is missing" for name, field in known.items() if field.needed and name not in given]


# --- One spelling -----------------------------------------------------------------------------------------------
def tidy(section: str, given: Any) -> Any:
    """An entry as Potline will keep it: money with cents, networks with their masks, chips from the least. Refused
    where one of them is none; how a rulebook's rules are spelled is the rules' business."""
    if not isinstance(given, dict):
        return given
    found = dict(given)
    if "settings" in found:
        settings = found["settings"]
        found["settings"] = settings | {
            name: _money(name, settings[name]) for name in MONEY if settings.get(name)
        }
    found |= {name: _money(name, found[name]) for name in ("big_from", "grand_from") if name in found}
    if "chips" in found:
        found["chips"] = read_chips(found["chips"])
    if "pit" in found:
        found["pit"] = found["pit"].strip()
    if "reserved_for" in found:
        found["reserved_for"] = (found["reserved_for"] or "").strip() or None
    if "terminals" in found:
        found["terminals"] = {name: _with_networks(each) for name, each in found["terminals"].items()}
    return _with_networks(found)


def _money(name: str, value: Any) -> str:
    try:
        return format_money(parse_money(value, name))
    except RuleError as fault:
        raise wrong(name, fault.message) from None


def _with_networks(given: dict[str, Any]) -> dict[str, Any]:
    if "networks" not in given:
        return given
    return given | {"networks": tokens.read_networks(" ".join(given["networks"]))}


# --- For people to read -----------------------------------------------------------------------------------------
WIDTH = 116


def text_of(document: dict[str, Any]) -> str:
    """A document as a file: what fits in a line stands in one."""
    return f"{_lines(document, 0)}\n"


def _lines(value: Any, depth: int) -> str:
    short = json.dumps(value, ensure_ascii=False)
    if (depth > 1 and len(short) + depth <= WIDTH) or not isinstance(value, dict | list) or not value:
        return short
    pad, inner = " " * depth, " " * (depth + 1)
    if isinstance(value, list):
        return "[\n" + ",\n".join(f"{inner}{_lines(each, depth + 1)}" for each in value) + f"\n{pad}]"
    items = (
        f"{inner}{json.dumps(key, ensure_ascii=False)}: {_lines(each, depth + 1)}"
        for key, each in value.items()
    )
    return "{\n" + ",\n".join(items) + f"\n{pad}}}"
