"""Terminals: issuing, renewing, holding to addresses and revoking their tokens. By an administrator, on record;
a tablet is handed over by a supervisor."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from config.kit.refusals import NOT_NOW, Refused
from people import access, tokens
from people.audit import audit
from people.log_ins import proof
from people.models import Role, User
from tables.door import signatures
from tables.floor.terminal_tokens import TOKENS
from tables.models import Table, Terminal

RUNS_WITHIN = timedelta(seconds=30)
"""A terminal that was heard so lately runs its table."""


def _may(actor: User | str, table: Table) -> None:
    if isinstance(actor, User):
        access.require(actor, Role.ADMINISTRATOR, table.premises)
        proof.demand(actor, "access")


def _record(actor: User | str, what: str, terminal: Terminal, reason: str = "") -> None:
    """Beside the row as it is stored, whose token holds as this says."""
    audit.record(
        actor,
        f"tables.terminal_{what}",
        premises=terminal.table.premises,
        subject=terminal,
        reason=reason,
        standing=TOKENS.of(terminal),
    )


@transaction.atomic
def issue_token(
    actor: User | str,
    table: Table,
    name: str,
    *,
    networks: list[str] | None = None,
    expires_at: datetime | None = None,
    must_sign: bool = False,
    token: str = "",
) -> str:
    """A new terminal's secret (this one, where it is given); told once, only its hash is kept. Its signing key follows
    from it (`signing_key`)."""
    _may(actor, table)
    token = token or tokens.new_token()
    terminal = Terminal(table=table, name=name, token_sha256=tokens.hash_token(token), must_sign=must_sign)
    tokens.restrict(terminal, networks or [], expires_at)
    terminal.save()
    _record(actor, "token_issued", terminal)
    return token


@transaction.atomic
def renew_token(actor: User | str, terminal_id: int, overlap: timedelta = tokens.OVERLAP) -> str:
    """A new token; the one before still holds for the overlap, so that play need not stop for it."""
    terminal = _locked(terminal_id)
    _may(actor, terminal.table)
    TOKENS.refuse_forged(terminal)
    token = tokens.renew(terminal, overlap)
    terminal.save(update_fields=tokens.FIELDS)
    _record(actor, "token_renewed", terminal)
    return token


@transaction.atomic
def restrict_terminal(
    actor: User | str,
    terminal_id: int,
    networks: list[str],
    expires_at: datetime | None,
    *,
    must_sign: bool = False,
) -> Terminal:
    """From where and until when its token holds, and whether what it sends must be signed."""
    terminal = _locked(terminal_id)
    _may(actor, terminal.table)
    tokens.refuse_revoked(terminal)
    TOKENS.refuse_forged(terminal)
    tokens.restrict(terminal, networks, expires_at)
    terminal.must_sign = must_sign
    terminal.save(update_fields=[*tokens.FIELDS, "must_sign"])
    _record(actor, "restricted", terminal)
    return terminal


@transaction.atomic
def revoke_terminal(actor: User | str, terminal: Terminal, reason: str) -> None:
    """Its tokens are no longer known; what it sent stays. What is being taken of it is waited for; what still waits for
    the table is not taken."""
    Table.objects.select_for_update(no_key=True).get(pk=terminal.table_id)
    terminal = _locked(terminal.pk)
    _may(actor, terminal.table)
    tokens.refuse_revoked(terminal)
    terminal.revoked_at = timezone.now()
    terminal.save(update_fields=tokens.FIELDS)
    _record(actor, "revoked", terminal, reason)


TABLET = "Tablet "
"""How the name of a tablet begins that runs a dealer's page."""
TABLET_HOLDS = timedelta(hours=12)
"""As long as the longest log-in: a night."""


@transaction.atomic
def hand_over_tablet(actor: User, table_id: int, name: str) -> str:
    """A supervisor makes the tablet in their hands the terminal of a table, for a night. One tablet a table: those
    before it are void. Where another program was heard just now, it runs the table and the tablet is refused."""
    table = Table.objects.select_for_update(of=("self",)).select_related("premises").get(pk=table_id)
    access.require(actor, Role.SUPERVISOR, table.premises)
    proof.demand(actor, "access")
    now = timezone.now()
    live = [row for row in table.terminals.filter(revoked_at__isnull=True) if not _is_over(row, now)]
    heard = table.last_heard_at is not None and now - table.last_heard_at < RUNS_WITHIN
    others = [row.name for row in live if not row.name.startswith(TABLET)]
    tablets = [row for row in live if row.name.startswith(TABLET)]
    if heard and others and not tablets:
        raise Refused(
            "heard",
            f"{table} is run by {', '.join(others)}, heard just now. Switch that terminal off first; half a minute "
            "later the table may be handed to a tablet.",
            status=NOT_NOW,
        )
    for row in tablets:
        row.revoked_at = now
        row.save(update_fields=tokens.FIELDS)
        _record(actor, "revoked", row, "another tablet was handed over")
    token = tokens.new_token()
    terminal = Terminal(table=table, name=f"{TABLET}{name}", token_sha256=tokens.hash_token(token))
    tokens.restrict(terminal, [], now + TABLET_HOLDS)
    terminal.save()
    _record(actor, "tablet_handed_over", terminal)
    return token


def _is_over(row: Terminal, now: datetime) -> bool:
    return row.expires_at is not None and row.expires_at <= now


def signing_key(token: str) -> str:
    """What the terminal signs by; told once, with its token."""
    return signatures.key_of(tokens.hash_token(token))


def _locked(terminal_id: int) -> Terminal:
    rows = Terminal.objects.select_for_update(of=("self",)).select_related("table__premises")
    return rows.get(pk=terminal_id)
