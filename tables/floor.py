"""Setting up and opening tables, and the credentials of their terminals."""

from __future__ import annotations

import hashlib
import secrets
from typing import Any

from django.db import transaction
from django.utils import timezone

from jackpots import log as jackpot_log
from jackpots.models import LinkedTable
from ledger import chart
from ledger.errors import InvalidEntry
from people import access, audit
from people.canonical import sha256_of
from people.models import Premises, Role, User
from rules import round_from_json, round_to_json
from rules.progressive import Source
from tables import silence
from tables.errors import Refused
from tables.models import Round, Table, TableConfig, Terminal

MOST_CODE = 32
CONFIG_FIELDS = ("game", "rulebook", "options", "paytables", "limits")


def store_config(document: dict[str, Any]) -> TableConfig:
    """A table's rules with every default resolved, by their content; RuleError where the rulebook refuses them."""
    resolved = round_to_json(round_from_json(document, partial=True))
    kept = {name: resolved[name] for name in CONFIG_FIELDS}
    found, _ = TableConfig.objects.get_or_create(sha256=sha256_of(kept), defaults={"document": kept})
    return found


@transaction.atomic
def create_table(
    actor: User | str,
    premises: Premises,
    code: str,
    document: dict[str, Any],
    *,
    pit: str = "",
    link: LinkedTable | None = None,
) -> Table:
    config = store_config(document)
    _refuse_unbookable(premises, code)
    if link is not None:
        _refuse_link(premises, code, config, link)
    table = Table.objects.create(premises=premises, code=code, pit=pit, config=config, link=link)
    audit.record(actor, "tables.table_created", premises=premises, subject=table)
    return table


def _refuse_unbookable(premises: Premises, code: str) -> None:
    """The code is a part of the table's accounts: what the ledger cannot book must not come to play."""
    try:
        chart.pattern_of(chart.table(premises.code, code, "bank"))
    except InvalidEntry as invalid:
        raise Refused("code", f"{code!r} cannot be a table's code: {invalid}") from None
    if len(code) > MOST_CODE:
        raise Refused("code", f"{code!r} cannot be a table's code: at most {MOST_CODE} characters.")


def _refuse_link(premises: Premises, code: str, config: TableConfig, link: LinkedTable) -> None:
    if (link.premises_id, link.table_code) != (premises.pk, code):
        raise Refused(
            "link", f"The link is for {link.table_code} of {link.premises}, not for {code} of {premises}."
        )
    source = link.progressive.config.rules.source
    if source is not Source.JACKPOT_WAGER:
        raise Refused(
            "link", f"{link.progressive} is fed by {source.value}; tables send jackpot wagers only."
        )
    if not any(kind.jackpot for kind in config.game.wagers):
        raise Refused("link", f"{config.game.title} has no jackpot wager that could feed {link.progressive}.")


@transaction.atomic
def issue_token(actor: User | str, table: Table, name: str) -> str:
    """A new terminal's secret; shown once, only its hash is kept."""
    token = secrets.token_urlsafe(32)
    terminal = Terminal.objects.create(table=table, name=name, token_sha256=hash_token(token))
    audit.record(actor, "tables.terminal_token_issued", premises=table.premises, subject=terminal)
    return token


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


@transaction.atomic
def open_table(table_id: int, actor: User, *, ip: str | None = None) -> Table:
    table = _locked(table_id)
    access.require(actor, Role.SUPERVISOR, table.premises)
    if table.is_open and (table.link is None or table.link.is_open):
        # Opening anew would vouch for a table that may have been silent with rounds still to send.
        raise Refused("already_open", f"{table} is open already.", status=409)
    table.is_open, table.last_heartbeat_at = True, timezone.now()
    table.save(update_fields=["is_open", "last_heartbeat_at"])
    if table.link is not None:
        jackpot_log.open_link(table.link)
    audit.record(actor, "tables.table_opened", premises=table.premises, subject=table, ip=ip)
    return table


@transaction.atomic
def close_table(table_id: int, actor: User, *, ip: str | None = None) -> Table:
    """No further rounds. A round under way must end first, and nobody vouches alone for a table that is not heard."""
    table = _locked(table_id)
    access.require(actor, Role.SUPERVISOR, table.premises)
    if not table.is_open:
        raise Refused("already_closed", f"{table} is closed already.", status=409)
    under_way = table.rounds.filter(state__in=[Round.State.OPEN, Round.State.LOCKED]).first()
    if under_way is not None:
        raise Refused("round_under_way", f"Round {under_way.number} of {table} must end first.", status=409)
    if silence.silent_link(table) is not None:
        raise Refused(
            "silent",
            f"{table} is not heard, and rounds may still lie in its terminal. Bring the terminal back, or stop "
            f"waiting for the table by two people; then close it.",
            status=409,
        )
    table.is_open = False
    table.save(update_fields=["is_open"])
    if table.link is not None:
        jackpot_log.close_link(table.link)
    audit.record(actor, "tables.table_closed", premises=table.premises, subject=table, ip=ip)
    return table


def _locked(table_id: int) -> Table:
    tables = Table.objects.select_for_update(no_key=True, of=("self",)).select_related("premises", "link")
    return tables.get(pk=table_id)
