"""Terminals: issuing, renewing, holding to addresses and revoking their tokens. By an administrator, on record."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from people import access, audit, proof, tokens
from people.models import Role, User
from tables import signatures
from tables.models import Table, Terminal


def _may(actor: User | str, table: Table) -> None:
    if isinstance(actor, User):
        access.require(actor, Role.ADMINISTRATOR, table.premises)
        proof.demand(actor, "access")


def _record(actor: User | str, what: str, terminal: Terminal, reason: str = "") -> None:
    audit.record(
        actor, f"tables.terminal_{what}", premises=terminal.table.premises, subject=terminal, reason=reason
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
) -> str:
    """A new terminal's secret; told once, only its hash is kept. Its signing key follows from it (`signing_key`)."""
    _may(actor, table)
    token = tokens.new_token()
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
    tokens.restrict(terminal, networks, expires_at)
    terminal.must_sign = must_sign
    terminal.save(update_fields=[*tokens.FIELDS, "must_sign"])
    _record(actor, "restricted", terminal)
    return terminal


@transaction.atomic
def revoke_terminal(actor: User | str, terminal: Terminal, reason: str) -> None:
    """Its tokens are no longer known, from the next request on; what it sent stays."""
    terminal = _locked(terminal.pk)
    _may(actor, terminal.table)
    tokens.refuse_revoked(terminal)
    terminal.revoked_at = timezone.now()
    terminal.save(update_fields=tokens.FIELDS)
    _record(actor, "revoked", terminal, reason)


def signing_key(token: str) -> str:
    """What the terminal signs by; told once, with its token."""
    return signatures.key_of(tokens.hash_token(token))


def _locked(terminal_id: int) -> Terminal:
    rows = Terminal.objects.select_for_update(of=("self",)).select_related("table__premises")
    return rows.get(pk=terminal_id)
