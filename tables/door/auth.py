"""Terminals log in by a token of their own (`Authorization: Bearer …`), bound to one table.

A tablet's token is in a cookie that no script can read (tables.hand.tablets); it counts only beside a header that no
form and no page of another site can send.
"""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from config.kit import origin
from config.kit.fastsql.statements import columns, first_row, made, width
from people import tokens
from people.models import Premises
from tables.door import signatures
from tables.floor.terminal_tokens import NEWEST, TOKENS
from tables.models import Table, Terminal


def terminal_of(header: bytes) -> Terminal | None:
    """By the Authorization header; None: it is no terminal's."""
    parts = header.split()
    if not parts or parts[0].lower() != b"bearer":
        return None
    if len(parts) != 2:
        raise AuthenticationFailed("Send the token as 'Authorization: Bearer <token>'.")
    address, found = origin.current().ip, _find(parts[1].decode("latin-1"))
    if found is None or not tokens.may_come_from(found, address):
        if tokens.note_wrong(address):
            raise Throttled(wait=60)
        raise AuthenticationFailed(
            "This terminal token is unknown, revoked or over, or may not be used from this address; ask an "
            "administrator for a new one."
        )
    return found


# Asked with every request of a terminal, so it is one of the prepared ones.
_BY_TOKEN = f"""
    SELECT {NEWEST("t")}, {columns(Terminal, "t")}, {columns(Table, "b")}, {columns(Premises, "p")}
    FROM tables_terminal t
    JOIN tables_table b ON b.id = t.table_id JOIN people_premises p ON p.id = b.premises_id
    WHERE {tokens.HOLDS.format(row="t")} ORDER BY t.id LIMIT 1
"""  # noqa: S608 (only names of columns are interpolated)


def _find(token: str) -> Terminal | None:
    """The terminal for which this token holds now, as it stands on record, with its table."""
    row = first_row(_BY_TOKEN, {"hash": tokens.hash_token(token), "now": timezone.now()})
    if row is None:
        return None
    newest, values = row[0], row[1:]
    ends = width(Terminal), width(Terminal) + width(Table)
    found = made(Terminal, values[: ends[0]])
    found.table = made(Table, values[ends[0] : ends[1]])
    found.table.premises = made(Premises, values[ends[1] :])
    return found if TOKENS.stands(found, newest) else None


VERSION_HEADER = "Potline-Version"


def note_version(terminal: Terminal, told: str | None) -> None:
    """Of the terminal's program, as it tells it with a request: kept where it is another than before."""
    version = "" if told is None else "".join(each for each in told if each.isprintable())[:64].strip()
    if version and version != terminal.version:
        Terminal.objects.filter(pk=terminal.pk).update(version=version)
        terminal.version = version


TABLET_COOKIE = "potline_tablet"
TABLET_HEADER = "Potline-Tablet"


def header_of(request: Request) -> bytes:
    """The Authorization header, or what stands for it where the dealer's page of a tablet asks."""
    given = get_authorization_header(request)
    if given or TABLET_HEADER not in request.headers:
        return given
    token = request.COOKIES.get(TABLET_COOKIE, "")
    return b"Bearer " + token.encode("latin-1", "replace") if token else b""


def token_sha256(header: bytes) -> str:
    """Of the very token in the header: another of the same terminal may hold longer."""
    return tokens.hash_token(header.split()[-1].decode("latin-1"))


class TerminalAuthentication(BaseAuthentication):
    """The token says who it is; where the terminal signs, the signature says that it is more than a stolen token."""

    def authenticate(self, request: Request) -> tuple[Terminal, None] | None:
        header = header_of(request)
        found = terminal_of(header)
        if found is None:
            return None
        signature = request.headers.get(signatures.HEADER)
        body = b"" if signature is None else request.body
        path = request.get_full_path()
        signatures.check(found, token_sha256(header), str(request.method), path, signature, body)
        note_version(found, request.headers.get(VERSION_HEADER))
        return found, None

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class IsTerminalOfTable(BasePermission):
    """The terminal may act for its own table only, named by premises and code in the URL."""

    message = "This terminal is bound to another table."

    def has_permission(self, request: Request, view: APIView) -> bool:
        terminal: object = request.user
        if not isinstance(terminal, Terminal):
            return False
        table = terminal.table
        return (table.premises.code, table.code) == (view.kwargs.get("premises"), view.kwargs.get("table"))


class TerminalScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = TerminalAuthentication
    name = "terminal"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A terminal's own token"}
