"""What the sign at a table says: game, limits, increments, pay tables in force, the jackpot wager and whether it is
taken. The rulebook's names, in words; figures as strings, as everywhere in JSON."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.utils import timezone

from jackpots.models import Link
from jackpots.signs import boards
from rules import round_from_json
from tables.models import Table, TableConfig, config_of
from tables.queries import jackpot_state

JACKPOT_STATES = {"takes part": "open", "suspended": "suspended"}
"""In a word for the glass; whatever else it is, the table does not take part."""


def boards_of(table_logs: list[int]) -> dict[int, dict[str, Any]]:
    rows = Table.objects.filter(table_log__in=table_logs).select_related("premises", "table_log", "config")
    rows = rows.prefetch_related("table_log__links__progressive")
    return {table.table_log_id: board_of(table) for table in rows}


def board_of(table: Table) -> dict[str, Any]:
    config = config_of(table.config_id, table.config.sha256)
    limits = config.document["limits"]
    return {
        "table": table.code,
        "game": config.game.title,
        "currency": table.premises.currency,
        "open": table.is_open,
        "limits": [
            {
                "wager": "" if kind == "*" else kind,  # every one that is not named beside it
                "minimum": given.get("minimum", ""),
                "maximum": given.get("maximum", ""),
                "increment": given.get("increment", ""),
            }
            for kind, given in limits.get("kinds", {}).items()
            if not _is_jackpot(config, kind)
        ],
        "chip": limits.get("chip") or "",
        "paytables": _paytables(table.config_id, config.sha256),
        "jackpots": [_jackpot(table, config, link) for link in table.table_log.links.all()],
    }


def _is_jackpot(config: TableConfig, kind: str) -> bool:
    return kind in config.game.kinds and config.game.kinds[kind].jackpot


@lru_cache(maxsize=1_000)
def _paytables(config_id: int, sha256: str) -> list[dict[str, Any]]:
    """Those in force, the longest odds first, as they hang on walls. One that pays all its lines alike says nothing."""
    config = config_of(config_id, sha256)
    in_force = round_from_json(config.document, partial=True).paytables
    found = []
    for slot, table in in_force.items():
        lines = sorted(table.lines.items(), key=lambda line: line[1].ratio)[::-1]
        if len({odds.text for _, odds in lines}) > 1:
            found.append({"wager": slot, "lines": [[name, odds.text] for name, odds in lines]})
    return found


def _jackpot(table: Table, config: TableConfig, link: Link) -> dict[str, Any]:
    limits = config.document["limits"].get("kinds", {})
    stakes = [limits[kind].get("minimum", "") for kind in link.kinds if kind in limits]
    state = jackpot_state(table.table_log, table.progressives, timezone.now())
    return {
        "progressive": link.progressive.code,
        "wagers": list(link.kinds),
        "stake": stakes[0] if stakes else "",
        "state": JACKPOT_STATES.get(state, "away"),
    }


boards.register(boards_of)
