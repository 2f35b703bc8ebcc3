"""What the OpenAPI document shows of answers: an example of each, made of its schema and of the values below, and which
problems each operation may answer with. No behaviour lives here: tests hold every example to its schema, and what
schemathesis is answered to the codes.
"""

from __future__ import annotations

import re
from typing import Any

from config.api_docs.api_reference import CODES, DRAFT, TABLE

AT = "2026-03-01T08:13:13.412000Z"
SHA256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
_ROUND = "6f9d1c1e-3f1e-4a43-9d6e-0c6f6a3f9a11"
_STUD = {"game": "caribbean-stud", "rulebook": "nz-1996"}
_WAGER = {"id": "w1", "kind": "ante", "stake": "5.00", "seat": 1}
_DEALT = {"dealer": ["As", "Kd", "9c", "5h", "3s"], "seats": {"1": ["2c", "4c", "6c", "8c", "Tc"]}}
VALUES: dict[str, Any] = {
    # Who, where, what
    "premises": "harbour", "host": "harbour", "other": "lakeside", "code": "CS-01", "table": "CS-01", "pit": "P1",
    "name": "Stud Jackpot", "title": "Every account with its movements", "username": "mere", "person": "mere",
    "by": "Mere Tamihana", "asked_by": "Mere Tamihana", "requested_by": "mere", "verified_by": "mere", "paid_by": "jan",
    "closed_by": "fiona", "closing_by": "fiona", "taken_by": "Inspector 17", "progressive": "stud", "level": "grand",
    "trigger": "royal-flush", "player": "", "selection": "", "seat": 3, "currency": "NZD",
    "time_zone": "Pacific/Auckland", "rollover_hour": 6, "rulebook": "nz-1996", "rule": "nz-1996 VIII 12.1(a)",
    "reason": "Seen on the cameras.", "note": "Seen on the cameras.", "memo": "Round 212 of CS-01",
    "text": "The terminal of CS-01 has been silent for 20 seconds.", "message": "The stake is below the minimum.",
    "field": "wagers[0].stake", "error": "", "subject": "tables.table:1", "severity": "urgent", "about": "win:7",
    "action": "jackpots.pay_win", "reference": "round:4711", "key": "tables:round:4711", "account": "harbour/bank",
    "slip": "1002", "fingerprint": "9f86d081", "token": "wX5tQ0b3…", "link": "https://potline.example/invitations/…/",
    "url": "/jackpots/wins/7/", "address": "1 Quay Street, Auckland", "document": "passport LA123456",
    "wager_id": "w1", "outcome": "win", "odds": "50 to 1", "also": "", "method": "cash", "mode": "one-by-one",
    "sign": "up", "begins": "at once", "exception": "b", "moment": "first-card",
    "why": "The round of the hand is gone.",
    "why_not": "", "corrects": "", "as_of": "seal 4711", "file_name": "harbour-2026-03.zip", "report_to": "DIA",
    "silence": "hold", "reserved_for": None, "next": None, "previous": None,
    # Numbers
    "id": 7, "round": 4711, "round_id": 4711, "number": 212, "last_event": 848, "last_round": 212, "session": 1,
    "expected": 849, "beat_ms": 2_000, "lease_ms": 15_000, "sequence": 91, "run": 44, "resets": 2, "seats": 7,
    "rules_version": 1, "adjustment": None, "replaces": None, "percent": 100, "count": 1, "entries": 212, "rounds": 212,
    # Hashes and moments
    "head": f"848:{SHA256}", "hash": SHA256, "merkle_root": SHA256, "file_sha256": SHA256, "payload_sha256": SHA256,
    "source_sha256": SHA256, "uid": _ROUND, "under_way": _ROUND, "revoked_at": None, "expires_at": None,
    "suspended_at": None, "resumed_at": None, "armed_at": None, "armed_rules": None, "effect_at": None,
    "closing_at": None, "no_lease": None, "new_clock": None, "decision": None, "earliest": AT, "latest": AT,
    # Money
    "from_pool": "20001.20", "from_house": "0.00", "added": "0.00", "ruling_limit": "150.00", "ruling_daily": "300.00",
    "base": "20000.00", "increment": "1.20", "reserve": "0.05", "overflow": "0.00", "stake": "5.00", "late": False,
    "kind": "fill", "state": "requested", "differences": [], "not_covered": [],
    # Documents
    "rules": _STUD, "carried": {}, "wagers": [_WAGER], "dealt": _DEALT, "decisions": [], "irregularities": [],
    "moments": {"1": {"first-card": AT}}, "not_accepted": [], "result": {"dealer": "ace, king high"},
    "lock": {"told": AT, "place": AT}, "request": {"first": "2026-03-01", "last": "2026-03-31"},
    "payload": {"win": "7", "amount": "20001.20"}, "changes": [], "hands": [{"seat": 3, "trigger": "royal-flush"}],
    "figures": [], "totals": ["20001.20"], "cards": ["Th", "Jh", "Qh", "Kh", "Ah"], "kinds": ["jackpot"],
    "networks": ["10.20.0.0/24"], "chips": ["0.50", "5.00", "25.00"], "trace": [], "settlement": None, "asked": None,
    "meters": {"grand": "20001.20"}, "final": {"grand": "20001.20", "minor": "1900.30"}, "parts": {"cash": "1.20"},
    "legs": {"harbour/tables/CS-01/bank": "5.00", "harbour/tables/CS-01/win": "-5.00"},
    "house_edge": {"ante": "5.22%"}, "rows": [["2026-03-01", "CS-01", "5.00"]], "columns": ["Day", "Table", "Win"],
    "story": ["Resolved at 21:13:14.", "Verified by Mere."], "jackpot_kinds": ["jackpot"], "progressives": ["stud"],
    "live": {"levels": [{"level": "grand", "value": "20001.20"}], "pending": [], "wins": []},
    "answers": [{"number": 848, "round": _ROUND, "state": "closed", "round_number": 212, "new": True}],
}  # fmt: skip
"""By the name of a property, where its schema allows it."""
OF_SCHEMA: dict[tuple[str, str], Any] = {
    ("Progressive", "code"): "stud",
    ("Progressive", "rules"): DRAFT["document"],
    ("Pots", "name"): "grand",
    ("Alert", "kind"): "tables.round_parked",
    ("Display", "name"): "Main wall",
    ("Entry", "kind"): "round",
    ("WagerLine", "kind"): "ante",
    ("WagerLine", "rule"): "nz-1996 VIII 9.8(c)",
    ("Moved", "kind"): "adjust",
    ("Notice", "kind"): "cards",
    ("Person", "name"): "Mere Tamihana",
    ("Terminal", "name"): "CS-01 left",
    ("Compared", "hand"): "royal-flush",
    ("Compared", "expected"): "30/7",
    ("Compared", "one_wager"): "1/649740",
    ("Compared", "chance"): "0.263902814409101748210955230117",
    ("Compared", "verdict"): "as luck has it",
    ("EvidenceKeys", "keys"): [SHA256],
    ("NightVerdict", "mode"): "equal-share",
    ("Check", "name"): "ledger.seals",
    ("Check", "title"): "Seals are up to date and agree with the file outside the database",
    ("Premises", "name"): "Harbour Casino",
    ("Premises", "code"): "harbour",
}
"""The same for one sort of thing."""
_NONE = object()
MONEY = re.compile(
    r"amount|stake|paid|value|base|increment|reserve|overflow|opening|closing|debit|credit|above|limit"
)


def answer_of(schema: dict[str, Any], schemas: dict[str, Any], name: str = "", of: str = "") -> Any:
    """A value of the schema, as Potline might answer it; `name`: of the property, `of`: of what it is a part."""
    if "$ref" in schema:
        referred = schema["$ref"].rpartition("/")[2]
        return answer_of(schemas[referred], schemas, name, of if "enum" in schemas[referred] else referred)
    for parts in ("allOf", "oneOf", "anyOf"):
        if parts in schema:
            return answer_of(schema[parts][0], schemas, name, of)
    given = OF_SCHEMA.get((of, name), VALUES.get(name, _NONE))
    if given is not _NONE and _allows(schema, given):
        return given
    if "enum" in schema:
        return schema["enum"][0]
    if schema.get("type") == "array":
        return [answer_of(schema["items"], schemas, name, of)] if schema["items"] else []
    if schema.get("type") == "object" or "properties" in schema:
        return {key: answer_of(each, schemas, key, of) for key, each in schema.get("properties", {}).items()}
    return _plain(schema, name)


def _plain(schema: dict[str, Any], name: str) -> Any:
    made = {"boolean": True, "integer": 1, "number": 1}.get(schema.get("type", ""))
    if made is not None:
        return made
    form = schema.get("format", "")
    if form in _FORMS:
        return _FORMS[form]
    if schema.get("type") == "string":
        return "20001.20" if "example" in schema or MONEY.search(name) else "…"
    return {} if not schema.get("nullable") else None


_FORMS = {
    "date-time": AT,
    "date": "2026-03-01",
    "uuid": _ROUND,
    "uri": "https://potline.example/api/v1/people?before=7",
    "binary": "PK…",
}


def _allows(schema: dict[str, Any], value: Any) -> bool:
    if not {"$ref", "allOf", "oneOf", "anyOf"}.isdisjoint(schema):
        return False
    if value is None:
        return bool(schema.get("nullable")) or "type" not in schema
    if "enum" in schema:
        return value in schema["enum"]
    if schema.get("format") in ("date-time", "date", "uuid") and not isinstance(value, str):
        return False
    if schema.get("type") == "array":
        return isinstance(value, list) and all(_allows(schema["items"], each) for each in value)
    kinds = {"string": str, "integer": int, "boolean": bool, "object": dict, "number": int}
    kind = kinds.get(schema.get("type", ""))
    if kind is None:
        return True
    held = schema.get("additionalProperties")
    if kind is dict and isinstance(held, dict) and held and isinstance(value, dict):
        return all(_allows(held, each) for each in value.values())
    return type(value) is kind and "properties" not in schema


# --- Problems -------------------------------------------------------------------------------------------------
_TERMINAL = ("a terminal's events", "a table's jackpot events")
_JACKPOTS = (
    "wins", "second thoughts", "rulings", "transfers and ends", "two people", "setting up", "books", "a table's day",
)  # fmt: skip
_FLOOR = (
    "a table's day",
    "setting up",
    "two people",
    "people and tokens",
    "a gaming day",
    "books",
    "second thoughts",
)
_CORRECTED = (
    "corrected rounds", "second thoughts", "two people", "rulings", "setting up", "wins", "a terminal's events",
    "a gaming day", "books", "a table's day",
)  # fmt: skip
_BOOKS = ("a gaming day", "dues", "two people", "reports and exports", "books")
_PEOPLE = ("people and tokens", "two people", "setting up")
_OF_PATH: tuple[tuple[str, tuple[str, ...]], ...] = (
    (rf"{re.escape(TABLE)}/(events|layout|rounds/.*)$", _TERMINAL),
    (r"/api/v1/(tables|notices|counts|count-rules|slips|unclaimed|unclaimed-money|disputes?)\b", _FLOOR),
    (r"/api/v1/(rounds/\{id\}|claims)", _CORRECTED),
    (r"/api/v1/ledger/", _BOOKS),
    (r"/api/v1/(people|premises|terminals|displays)\b", _PEOPLE),
    (r"/api/v1/(wins|hands|held-hands|hand-pays|progressives|contributions)\b", _JACKPOTS),
    (r"/api/v1/alerts", ("alerts",)),
)


_NAMED = {group for _, groups in _OF_PATH for group in groups} | {"any request", "a log-in"}
_OF_ANY = tuple(group for group in CODES if group not in _NAMED)
"""What nobody has said of where it comes from may come from whatever is done."""


def codes_of(method: str, path: str) -> list[str]:
    """The codes of the problems that an operation may answer with."""
    groups = next((groups for pattern, groups in _OF_PATH if re.match(pattern, path)), ())
    if method != "get":
        groups = (*groups, *_OF_ANY, "a log-in")
    elif path.startswith("/api/v1/ledger/"):
        groups = ("reports and exports",)
    elif groups is not _TERMINAL:
        groups = ()
    return sorted({code for group in ("any request", *groups) for code in CODES[group]})
