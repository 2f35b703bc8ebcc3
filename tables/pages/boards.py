"""What the sign at a table says: game, limits, increments, pay tables in force with the house edge, what comes and
when, the jackpot wager and whether it is taken. The rulebook's names, in words; figures as strings, as in all JSON."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Prefetch
from django.utils import timezone

from jackpots.models import Link
from jackpots.signs import boards
from rules import round_from_json
from tables.floor import edges
from tables.floor.changes import WAGERED, paid_part
from tables.models import Table, TableChange, TableConfig, config_of
from tables.queries import jackpot_state

JACKPOT_STATES = {"takes part": "open", "suspended": "suspended"}
"""In a word for the glass; whatever else it is, the table does not take part."""


def boards_of(table_logs: list[int]) -> dict[int, dict[str, Any]]:
    rows = Table.objects.filter(table_log__in=table_logs).select_related("premises", "table_log", "config")
    planned = TableChange.objects.filter(state=TableChange.State.PLANNED).select_related("config")
    rows = rows.prefetch_related(
        "table_log__links__progressive", Prefetch("changes", planned, to_attr="planned")
    )
    return {table.table_log_id: board_of(table) for table in rows}


def board_of(table: Table) -> dict[str, Any]:
    config = config_of(table.config_id, table.config.sha256)
    return {
        "table": table.code,
        "game": config.game.title,
        "currency": table.premises.currency,
        "time_zone": table.premises.time_zone,
        "open": table.is_open,
        # For whom is not said: nz-1996 I 20.2 wants to be seen that it is private, and no more.
        "private": bool(table.reserved_for),
        "closing_at": _told(table, table.closing_at),
        "coming": [_coming(table, change) for change in table.planned],  # type: ignore[attr-defined]
        "limits": _limits(config),
        "chip": config.document["limits"].get("chip") or "",
        "paytables": _paytables(table.config_id, config.sha256),
        "edges": _edges(table.config_id, config.sha256, int(timezone.now().timestamp()) // 60),
        "jackpots": [_jackpot(table, config, link) for link in table.table_log.links.all()],
    }


def _limits(config: TableConfig) -> list[dict[str, str]]:
    return [
        {
            "wager": "" if kind == "*" else kind,  # every one that is not named beside it
            **{name: given.get(name, "") for name in WAGERED},
        }
        for kind, given in config.document["limits"].get("kinds", {}).items()
        if not _is_jackpot(config, kind)
    ]


def _is_jackpot(config: TableConfig, kind: str) -> bool:
    return kind in config.game.kinds and config.game.kinds[kind].jackpot


def _coming(table: Table, change: TableChange) -> dict[str, Any]:
    """The change that the limits sign tells: the limits that will be others, and whether it is paid otherwise."""
    was = {limit["wager"]: limit for limit in _limits(table.config)}
    return {
        "at": _told(table, change.from_at),
        "limits": [limit for limit in _limits(change.config) if limit != was.get(limit["wager"])],
        "pays": paid_part(change.config.document) != paid_part(table.config.document),
    }


def _told(table: Table, at: datetime | None) -> str:
    """By the clock of the premises."""
    return "" if at is None else at.astimezone(ZoneInfo(table.premises.time_zone)).isoformat()


@lru_cache(maxsize=1_000)
def _paytables(config_id: int, sha256: str) -> list[dict[str, Any]]:
    """Those in force, the longest odds first, as they hang on walls. Those that pay all their lines alike are lines of
    one table that has no name."""
    config = config_of(config_id, sha256)
    in_force = round_from_json(config.document, partial=True).paytables
    found, plain = [], []
    for slot, table in in_force.items():
        lines = sorted(table.lines.items(), key=lambda line: line[1].ratio, reverse=True)
        if len({odds.text for _, odds in lines}) > 1:
            found.append({"wager": slot, "lines": [[name, odds.text] for name, odds in lines]})
        elif lines:
            plain.append([slot, lines[0][1].text])
    return [*found, *([{"wager": "", "lines": plain}] if plain else [])]


@lru_cache(maxsize=1_000)
def _edges(config_id: int, sha256: str, minute: int) -> list[dict[str, Any]]:
    """Asked again each minute: what somebody has counted meanwhile (tables.floor.edges) is on the sign then."""
    return _grouped(edges.figures(config_of(config_id, sha256).document))


def _grouped(figures: list[edges.Figure]) -> list[dict[str, Any]]:
    """Wagers with the same house edge together, in percent; two figures where it depends on what is backed. No wager is
    named where all have the same."""
    by_wager: dict[str, list[edges.Figure]] = {}
    for figure in figures:
        by_wager.setdefault(figure.wager, []).append(figure)
    groups: dict[tuple[str, str], list[str]] = {}
    for wager, of in by_wager.items():
        if all(figure.house_edge is not None for figure in of):
            ordered = sorted(of, key=lambda figure: figure.house_edge or 0)
            groups.setdefault((ordered[0].digits(2), ordered[-1].digits(2)), []).append(wager)
    alike = len(groups) == 1 and len(by_wager) > 1 and sum(map(len, groups.values())) == len(by_wager)
    return [
        {"wagers": [] if alike else wagers, "least": least, "most": most}
        for (least, most), wagers in groups.items()
    ]


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
