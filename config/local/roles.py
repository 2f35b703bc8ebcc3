"""A login for each part of Potline in a database that somebody else runs, made by the login that `make run` was given.

Each gets a password of its own, kept in a file that only its owner reads. Where the given login may make no roles, the
parts share it, and Potline says so wherever it can.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from config.kit import rights
from config.local.servers import EmbeddedError, Passwords, alter_password

OF_THE_GIVEN = ("user", "password", "passfile", "sslcert", "sslkey", "sslpassword")
"""What of an address is about who connects."""
LONGEST = 63 - len("_worker")
CONNECT_TIMEOUT_S = 10


@dataclass(frozen=True)
class Planned:
    """By part, the role that it shall work as; or why there can be none."""

    roles: dict[str, str]
    why_not: str = ""


def planned(owner_url: str) -> Planned:
    """Named after the database, since roles are the whole server's."""
    with psycopg.connect(owner_url, autocommit=True, connect_timeout=CONNECT_TIMEOUT_S) as owner:
        row: Any = owner.execute(
            "SELECT current_user, current_database(), rolsuper OR rolcreaterole, pg_has_role(datdba, 'USAGE')"
            " FROM pg_roles, pg_database WHERE rolname = current_user AND datname = current_database()"
        ).fetchone()
    login, database, may_make, owns = row
    if not may_make:
        return Planned({}, f"{login} may not make roles (ALTER ROLE {login} CREATEROLE, as a superuser)")
    if not owns:
        return Planned({}, f"{login} does not own the database {database}")
    prefix = database.encode()[:LONGEST].decode(errors="ignore")
    return Planned({part: f"{prefix}_{part}" for part in rights.PARTS})


def urls(owner_url: str, roles: dict[str, str], passwords: Passwords) -> dict[str, str]:
    """By part, its address with its own password, by which it was let in. The roles are there."""
    found = {}
    for part, role in roles.items():
        known = passwords.knows(role)
        url = as_role(owner_url, role, passwords.of(role))
        if not (known and _lets_in(url) is None):
            _set_password(owner_url, role, passwords)
            if (reason := _lets_in(url)) is not None:
                raise EmbeddedError(f"The database does not let {role} in: {reason}")
        found[part] = url
    return found


def as_role(owner_url: str, role: str, password: str) -> str:
    """The same server and database, as somebody else; nothing of the given login stays in it."""
    place = {name: value for name, value in conninfo_to_dict(owner_url).items() if name not in OF_THE_GIVEN}
    return make_conninfo("", **place, user=role, password=password)


def _lets_in(url: str) -> str | None:
    """None, or why not."""
    try:
        psycopg.connect(url, connect_timeout=CONNECT_TIMEOUT_S).close()
    except psycopg.OperationalError as error:
        return " ".join(str(error).split())
    return None


class InUse(EmbeddedError):
    """The role works for another installation."""


def _set_password(owner_url: str, role: str, passwords: Passwords) -> None:
    """Not under somebody who works by another one."""
    with psycopg.connect(owner_url, autocommit=True, connect_timeout=CONNECT_TIMEOUT_S) as owner:
        if owner.execute("SELECT 1 FROM pg_stat_activity WHERE usename = %s", [role]).fetchone():
            raise InUse(
                f"{role} works in this database now, by a password that is not in {passwords.path}. End that"
                " installation; or, where it is one with this, copy its file here."
            )
        alter_password(owner, role, passwords.of(role))
