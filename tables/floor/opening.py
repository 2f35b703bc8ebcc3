"""Setting up and opening tables. Their terminals are in tables.floor.terminals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.utils import timezone

from config.kit.canonical_json import sha256_of
from config.kit.refusals import NOT_NOW, Refused
from jackpots.log import event_log, games
from jackpots.models import Link, Progressive, TableLog
from jackpots.set_up import configure
from ledger.books import chart
from ledger.books.errors import InvalidEntry
from people import access
from people.audit import audit
from people.models import Premises, Role, User
from rules import round_from_json, round_to_json
from tables.floor import changes
from tables.models import Round, Table, TableConfig

MAX_CODE_LENGTH = 32
CONFIG_FIELDS = ("game", "rulebook", "options", "paytables", "limits")


def resolved(document: dict[str, Any]) -> dict[str, Any]:
    """A table's rules with every default said."""
    whole = round_to_json(round_from_json(document, partial=True))
    return {name: whole[name] for name in CONFIG_FIELDS}


def store_config(document: dict[str, Any]) -> TableConfig:
    """A table's rules by their content; RuleError where the rulebook refuses them."""
    kept = resolved(document)
    found, _ = TableConfig.objects.get_or_create(sha256=sha256_of(kept), defaults={"document": kept})
    return found


@transaction.atomic
def create_table(
    actor: User | str,
    premises: Premises,
    code: str,
    rules: dict[str, Any] | TableConfig,
    *,
    pit: str = "",
    chips: list[str] | None = None,
    seats: int | None = None,
    reserved_for: str = "",
    device_error_ms: int | None = None,
) -> Table:
    """A closed table with its log. Progressives that were linked to the log before must fit the game."""
    config = rules if isinstance(rules, TableConfig) else store_config(rules)
    refuse_code(premises, code)
    table_log = configure.table_log_of(premises, code)
    refuse_links(config, table_log)
    table = Table.objects.create(
        premises=premises,
        code=code,
        pit=pit,
        config=config,
        table_log=table_log,
        chips=chips,
        seats=seats,
        reserved_for=reserved_for or None,
        device_error_ms=device_error_ms,
    )
    audit.record(actor, "tables.table_created", premises=premises, subject=table)
    return table


def refuse_links(config: TableConfig, table_log: TableLog) -> None:
    """The progressives of a table find in these rules what feeds them."""
    for link in table_log.links.select_related("progressive__config"):
        _refuse_kinds(config, link.progressive, link.kinds)


def refuse_code(premises: Premises, code: str) -> None:
    """The code is a part of the table's accounts: what the ledger cannot book must not come to play."""
    try:
        chart.pattern_of(chart.table(premises.code, code, "bank"))
    except InvalidEntry as invalid:
        raise Refused("code", f"{code!r} cannot be a table's code: {invalid}") from None
    if len(code) > MAX_CODE_LENGTH:
        raise Refused("code", f"{code!r} cannot be a table's code: at most {MAX_CODE_LENGTH} characters.")


def game_of_log(table_log: TableLog) -> games.TableGame | None:
    """What is played at the table of a log, for the jackpots; None while it has no table."""
    table = Table.objects.select_related("config").filter(table_log=table_log).first()
    return None if table is None else games.TableGame(table.config.game, table.config.document["options"])


@transaction.atomic
def link_table(
    actor: User | str, table: Table, progressive: Progressive, kinds: Iterable[str], **more: Any
) -> Link:
    """Links a table to a progressive by these kinds of wagers, if the game has such and they fit its source."""
    _refuse_kinds(table.config, progressive, list(kinds))
    return configure.link_table(actor, progressive, table.table_log, kinds, **more)


def _refuse_kinds(config: TableConfig, progressive: Progressive, kinds: list[str]) -> None:
    games.refuse_kinds(config.game, progressive, kinds)


@transaction.atomic
def open_table(table_id: int, actor: User) -> Table:
    table = _locked(table_id)
    access.require(actor, Role.SUPERVISOR, table.premises)
    linked = table.table_log.links.exists()
    if table.is_open and (table.table_log.is_open or not linked):
        # Opening anew would vouch for a table that may have been silent with rounds still to send.
        raise Refused("already_open", f"{table} is open already.", status=NOT_NOW)
    table.is_open, table.closing_at = True, None
    table.save(update_fields=["is_open", "closing_at"])
    if linked:
        event_log.open_log(table.table_log)
    audit.record(actor, "tables.table_opened", premises=table.premises, subject=table)
    return table


@transaction.atomic
def close_table(table_id: int, actor: User, *, no_players: bool = False) -> Table:
    """No further rounds. A round under way must end first, and nobody vouches alone for a table that others wait for:
    its terminal says goodbye, or two people close it (`tables.floor.silence`). Players were told 20 minutes before, or
    someone states that none are there."""
    table = _locked(table_id)
    access.require(actor, Role.SUPERVISOR, table.premises)
    if not table.is_open:
        raise Refused("already_closed", f"{table} is closed already.", status=NOT_NOW)
    under_way = table.rounds.filter(state__in=[Round.State.OPEN, Round.State.LOCKED]).first()
    if under_way is not None:
        raise Refused(
            "round_under_way", f"Round {under_way.number} of {table} must end first.", status=NOT_NOW
        )
    if table.table_log.is_open:
        raise Refused(
            "no_goodbye",
            f"The terminal of {table} has said no goodbye, and rounds may still lie in it. Close the table at its "
            f"terminal, or ask to close it here: another person must approve it.",
            status=NOT_NOW,
        )
    rule = "" if no_players else changes.closing_rule(table, timezone.now())
    if rule:
        raise Refused(
            "players_there",
            f"People play at {table}: show 20 minutes before that it closes ({rule}), or state that no players are "
            f"there any more.",
            status=NOT_NOW,
        )
    table.is_open, table.closing_at = False, None
    table.save(update_fields=["is_open", "closing_at"])
    details = {"no_players": True} if no_players else {}
    audit.record(actor, "tables.table_closed", premises=table.premises, subject=table, details=details)
    return table


def _locked(table_id: int) -> Table:
    tables = Table.objects.select_for_update(no_key=True, of=("self",)).select_related(
        "premises", "table_log"
    )
    return tables.get(pk=table_id)
