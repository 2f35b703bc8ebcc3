"""Terminals log in by a token of their own (`Authorization: Bearer …`), bound to one table."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from tables.floor import hash_token
from tables.models import Terminal


def terminal_of(header: bytes) -> Terminal | None:
    """By the Authorization header; None: it is no terminal's."""
    parts = header.split()
    if not parts or parts[0].lower() != b"bearer":
        return None
    if len(parts) != 2:
        raise AuthenticationFailed("Send the token as 'Authorization: Bearer <token>'.")
    found = (
        Terminal.objects.filter(token_sha256=hash_token(parts[1].decode("latin-1")), revoked_at__isnull=True)
        .select_related("table__premises")
        .first()
    )
    if found is None:
        raise AuthenticationFailed(
            "This terminal token is unknown or revoked; ask a supervisor for a new one."
        )
    return found


class TerminalAuthentication(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[Terminal, None] | None:
        found = terminal_of(get_authorization_header(request))
        return None if found is None else (found, None)

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
