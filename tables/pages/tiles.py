"""The floor at a glance: every table of some premises with its game, limits, round, seats in play, win and hold of the
day, and what needs someone there and why. Some eight statements, however many tables, premises or years there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from typing import Any

from django.db import connection
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from ledger.queries import todays
from people.models import Premises
from rules.contract import Wager
from rules.limits import bounds_of
from rules.money import say
from tables.floor.changes import limits_of
from tables.models import Round, Table, TableChange, config_of
from tables.queries import is_unheard, jackpot_state, win_by_table

BOOKED_WITHIN = timedelta(seconds=10)
"""A worker books a closed round within a second; one that waits longer needs someone."""


@dataclass(frozen=True)
class Need:
    """Why somebody should go there, in a sentence; `bad` where money or players wait."""

    text: str
    since: datetime | None = None
    bad: bool = False
    round_id: int | None = None


@dataclass(frozen=True)
class Coming:
    """What the table's limits sign says will be otherwise."""

    text: str
    at: datetime


@dataclass
class Tile:
    """One table."""

    table: Table
    win: int
    silent: bool
    jackpot: str
    limits: str
    staked_micros: int = 0
    settled_win_micros: int = 0
    round_id: int | None = None
    round_state: str = ""
    in_play: int = 0
    """Seats or players with a wager in the round under way, or in the last one."""
    needs: list[Need] = field(default_factory=list)
    coming: list[Coming] = field(default_factory=list)

    @property
    def hold(self) -> Fraction | None:
        return Fraction(self.settled_win_micros, self.staked_micros) if self.staked_micros else None

    @property
    def seats(self) -> int:
        return self.table.seats or self.table.config.game.seats

    @property
    def state(self) -> str:
        if not self.table.is_open:
            return "closed"
        return "open, silent" if self.silent else "open"

    @property
    def is_bad(self) -> bool:
        return any(need.bad for need in self.needs)


@dataclass(frozen=True)
class Floor:
    """The tables of a premises today."""

    premises: Premises
    day: date
    rows: list[Tile]

    @property
    def pits(self) -> list[tuple[str, list[Tile]]]:
        """By pit, those that need someone first."""
        by_pit = groupby(self.rows, key=lambda tile: tile.table.pit)
        return [(pit, sorted(tiles, key=lambda t: (not t.is_bad, not t.needs))) for pit, tiles in by_pit]

    @property
    def open(self) -> int:
        return sum(tile.table.is_open for tile in self.rows)

    @property
    def needing(self) -> int:
        return sum(bool(tile.needs) for tile in self.rows)

    @property
    def win(self) -> int:
        return sum(tile.win for tile in self.rows)


def overview(own: Sequence[Premises]) -> list[Floor]:
    now = timezone.now()
    days = todays(own, now)
    tables = list(
        Table.objects.filter(premises__in=own)
        .select_related("table_log")
        .annotate(config_sha256=F("config__sha256"))
        .defer("carried", "head")
        .prefetch_related("table_log__links__progressive")
        .order_by("premises", "pit", "code")
    )
    by_key = {premises.pk: premises for premises in own}
    won = win_by_table(tables, by_key, days)
    rounds = _rounds(tables, days)
    planned = _planned(tables)
    rows: dict[int, list[Tile]] = {pk: [] for pk in by_key}
    for table in tables:
        table.config = config_of(table.config_id, table.config_sha256)
        table.premises = by_key[table.premises_id]
        tile = Tile(
            table,
            won[table.pk],
            is_unheard(table, now),
            jackpot_state(table.table_log, table.progressives, now),
            _limits(table.config_id, table.config_sha256)[0],
        )
        found = rounds[table.pk]
        tile.staked_micros, tile.settled_win_micros = found["staked"], found["win"]
        tile.round_id, tile.round_state, tile.in_play = found["id"], found["state"], found["in_play"]
        tile.needs = list(_needs(tile, found, now))
        tile.coming = list(_coming(table, planned.get(table.pk)))
        rows[table.premises_id].append(tile)
    return [Floor(premises, days[premises.pk], rows[premises.pk]) for premises in own]


# --- What needs someone -----------------------------------------------------------------------------------------
def _needs(tile: Tile, round: dict[str, Any], now: datetime) -> Iterator[Need]:
    table = tile.table
    if round["parked"]:
        text = ngettext(
            "a round cannot be settled: look at it, and settle it again",
            "%(number)d rounds cannot be settled: look at them, and settle them again",
            round["parked"],
        )
        yield Need(text % {"number": round["parked"]}, round["parked_since"], True, round["parked_id"])
    yield from _jackpot_needs(tile)
    if tile.silent and tile.jackpot != "silent":
        yield _unheard(table.last_heard_at)
    if round["waiting_since"] and now - round["waiting_since"] > BOOKED_WITHIN:
        text = gettext("rounds wait to be booked: see whether the workers run")
        yield Need(text, round["waiting_since"], True)
    longest = timedelta(seconds=table.config.game.longest_round_s)
    if tile.round_state == Round.State.LOCKED and now - round["locked_at"] > longest:
        text = gettext("no result since no more bets: ask the dealer, or end the round")
        yield Need(text, round["locked_at"], round_id=tile.round_id)


def _jackpot_needs(tile: Tile) -> Iterator[Need]:
    log = tile.table.table_log
    if tile.jackpot == "silent":
        names = ", ".join(each.name for each in tile.table.progressives)
        text = gettext("not heard, and wins of %(names)s wait for it: bring its terminal back")
        yield Need(text % {"names": names}, log.watermark, True)
    elif tile.jackpot == "left out":
        since = log.left_out_at or next((ln.left_out_at for ln in log.links.all() if ln.left_out_at), None)
        text = gettext("left out: no win waits for it, and what it tells late is for people to judge")
        yield Need(text, since)
    elif tile.jackpot == "suspended":
        by_people = next((link.suspended_at for link in log.links.all() if link.is_suspended), None)
        if by_people:
            text = gettext("takes no jackpot wagers: suspended until people resume it")
            yield Need(text, by_people)
        elif not tile.silent:
            text = gettext("takes no jackpot wagers until its terminal has vouched for its clock again")
            yield Need(text, log.lease_until)


def _unheard(since: datetime | None) -> Need:
    if since is None:
        return Need(gettext("its terminal was never heard: connect one, or close the table"))
    return Need(gettext("not heard, so nothing here shows what is played: bring its terminal back"), since)


# --- Limits -----------------------------------------------------------------------------------------------------
@lru_cache(maxsize=1_000)
def _limits(config_id: int, sha256: str) -> tuple[str, str]:
    """What may be wagered on the first wager of the game, and which wager that is. By content, as `config_of`."""
    config = config_of(config_id, sha256)
    kind = next(kind for kind in config.game.wagers if not kind.fee and not kind.jackpot)
    bounds = bounds_of(config.game, limits_of(config), Wager("", kind.name, 0))
    if bounds.maximum is None:
        return (f"{_short(bounds.minimum)}+" if bounds.minimum else ""), kind.name
    return f"{_short(bounds.minimum)}–{_short(bounds.maximum)}", kind.name


def _short(micros: int) -> str:
    """Whole units without their cents: a limits sign says 5–500."""
    return say(micros).removesuffix(".00")


def _planned(tables: Sequence[Table]) -> dict[int, TableChange]:
    due = [table.pk for table in tables if table.change_due_at is not None]
    if not due:
        return {}
    found = TableChange.objects.filter(table__in=due, state=TableChange.State.PLANNED)
    found = found.annotate(config_sha256=F("config__sha256"))
    return {change.table_id: change for change in found}


def _coming(table: Table, change: Any) -> Iterator[Coming]:
    if change is not None:
        was, then = (
            _limits(table.config_id, table.config.sha256)[0],
            _limits(change.config_id, change.config_sha256)[0],
        )
        if was != then:
            yield Coming(gettext("limits %(limits)s") % {"limits": then or gettext("none")}, change.from_at)
        else:
            yield Coming(gettext("other %(kind)s") % {"kind": gettext(change.kind)}, change.from_at)
    if table.is_open and table.closing_at is not None:
        yield Coming(gettext("closes"), table.closing_at)


# --- Rounds -----------------------------------------------------------------------------------------------------
def _rounds(tables: Sequence[Table], days: dict[int, date]) -> dict[int, dict[str, Any]]:
    """By table its last round, what of its rounds is not settled, and what was staked today. The seats in play are
    those of the last round that has wagers: while the next one opens, nobody has left."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT t.id AS table_id, last.id, coalesce(last.state, '') AS state, last.locked_at,
                coalesce(seated.in_play, 0) AS in_play, stuck.*,
                coalesce(d.staked_micros, 0) AS staked, coalesce(d.win_micros, 0) AS win
            FROM unnest(%(tables)s::bigint[], %(days)s::date[]) AS t(id, day)
            LEFT JOIN LATERAL (
                SELECT r.id, r.number, r.state, r.locked_at FROM tables_round r WHERE r.table_id = t.id
                ORDER BY r.number DESC LIMIT 1
            ) last ON true
            LEFT JOIN LATERAL (
                SELECT (SELECT count(DISTINCT (w ->> 'seat', w ->> 'player')) FROM jsonb_array_elements(r.wagers) w)
                    AS in_play
                FROM tables_round r WHERE r.table_id = t.id AND r.number > last.number - 2 AND r.wagers <> '[]'
                ORDER BY r.number DESC LIMIT 1
            ) seated ON true
            CROSS JOIN LATERAL (
                SELECT count(*) FILTER (WHERE r.state = 'parked') AS parked,
                    min(r.id) FILTER (WHERE r.state = 'parked') AS parked_id,
                    min(r.closed_at) FILTER (WHERE r.state = 'parked') AS parked_since,
                    min(r.closed_at) FILTER (WHERE r.state = 'closed') AS waiting_since
                FROM tables_round r WHERE r.table_id = t.id AND r.state <> 'settled'
            ) stuck
            LEFT JOIN tables_tableday d ON d.table_id = t.id AND d.day = t.day
            """,
            {
                "tables": [table.pk for table in tables],
                "days": [days[table.premises_id] for table in tables],
            },
        )
        names = [column.name for column in cursor.description]
        rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    return {row["table_id"]: row for row in rows}
