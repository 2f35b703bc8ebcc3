"""The demo casino's tables and their terminals. The tokens are public: see config.demo."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

from django.db import transaction

from config.demo import Secret
from jackpots import event_log
from people import audit, tokens
from people.models import Premises
from tables.floor import create_table
from tables.models import Table, Terminal
from tables.terminals import revoke_terminal

FLOOR = Path(__file__).resolve().parents[1] / "simulator" / "floors" / "demo.json"
"""What plays on the demo's floor and what its tables are come from one file."""


def _floor() -> dict[str, dict[str, Any]]:
    return {table["code"]: table for table in json.loads(FLOOR.read_text())["tables"]}


def document_of(table: dict[str, Any]) -> dict[str, Any]:
    """A table's rules, as `create_table` reads them."""
    names = ("game", "rulebook", "options", "limits")
    return {name: table[name] for name in names if name in table}


TABLES = _floor()
STUD = document_of(TABLES["CS-01"])


def terminal_token(code: str) -> str:
    token: str = TABLES[code]["token"]
    return token


def load() -> str:
    premises = {each.code: each for each in Premises.objects.filter(code__in=["harbour", "lakeside"])}
    for code, given in TABLES.items():
        where = given["premises"]
        if Table.objects.filter(premises=premises[where], code=code).exists():
            continue
        with transaction.atomic():
            table = create_table("demo", premises[where], code, document_of(given), pit=given["pit"])
            terminal = Terminal.objects.create(
                table=table, name=f"{code} demo", token_sha256=tokens.hash_token(terminal_token(code))
            )
            audit.record("demo", "tables.terminal_token_issued", premises=table.premises, subject=terminal)
            table.is_open = True
            table.save(update_fields=["is_open"])
            if table.progressives:
                event_log.open_log(table.table_log)
    return f"Terminals: Authorization: Bearer {terminal_token('CS-01')} for table CS-01, and so on."


def public_terminals() -> list[Secret]:
    """The terminals for which anyone can speak by a demo's token."""
    hashes = [tokens.hash_token(terminal_token(code)) for code in TABLES]
    found = Terminal.objects.filter(token_sha256__in=hashes, revoked_at__isnull=True).select_related("table")
    return [
        Secret(f"terminal {terminal}", partial(revoke_terminal, "command line", terminal, "public token"))
        for terminal in found.order_by("pk")
    ]
