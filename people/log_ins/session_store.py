"""Django's sessions in the database, of which no cookie can be made: only a hash of the cookie's key is kept, and what
a session holds is signed together with the key. Who reads the table, or copies a row, is nobody by it."""

from __future__ import annotations

import hashlib
from typing import Any

from django.contrib.sessions.backends import db
from django.utils import timezone

from config.kit.fastsql.statements import columns, made, rows_of

LENGTH = 40
"""Of the column; 160 bits."""
_FOUND = "SELECT {columns} FROM django_session s WHERE s.session_key = %s AND s.expire_date > %s"
"""Every request of a person runs it: the ORM takes several times as long to write it out."""


def kept(session_key: str) -> str:
    return hashlib.sha256(session_key.encode()).hexdigest()[:LENGTH]


class SessionStore(db.SessionStore):
    @property
    def key_salt(self) -> str:
        return f"{super().key_salt}.{self.session_key}"

    def _get_session_from_db(self) -> Any:
        key, statement = self.session_key, _FOUND.format(columns=columns(self.model, "s"))
        for row in rows_of(statement, [kept(key), timezone.now()]) if key else []:
            return made(self.model, row)
        self._session_key = None
        return None

    def exists(self, session_key: str) -> bool:
        return bool(super().exists(kept(session_key)))

    def create_model_instance(self, data: dict[str, Any]) -> Any:
        row = super().create_model_instance(data)
        row.session_key = kept(str(self.session_key))
        return row

    def delete(self, session_key: str | None = None) -> None:
        key = session_key or self.session_key
        if key is not None:
            super().delete(kept(key))
