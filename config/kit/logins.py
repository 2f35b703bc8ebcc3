"""Whether web, workers and signs are kept apart: as whom each works in the database, asked of the database itself.

Each process says by the name of its sessions which part it is. That is for people who have set Potline up in another
way than they meant; it stops nobody who has taken a process over.
"""

from __future__ import annotations

import json
from typing import Any

from django.db import connection

from config.kit import rights
from config.kit.database import HOLDS_SECRET, SESSION

_WHO = """
    WITH said AS (
        SELECT DISTINCT application_name AS name, usename AS login FROM pg_stat_activity
        WHERE datname = current_database() AND starts_with(application_name, %(name)s)
    )
    SELECT said.name, said.login, pg_has_role(said.login, datdba, 'USAGE'),
           ARRAY(SELECT barred FROM jsonb_array_elements_text(%(barred)s::jsonb -> split_part(said.name, ' ', 2)) barred
                 WHERE to_regclass('public.' || barred) IS NOT NULL
                   AND has_table_privilege(said.login, 'public.' || barred, 'INSERT'))
    FROM said, pg_database WHERE datname = current_database() ORDER BY said.name, said.login
"""


def faults() -> list[str]:
    """A sentence for each way in which the parts that run are not kept apart; empty where they are, or none runs."""
    found: list[str] = []
    parts_by_login: dict[str, list[str]] = {}
    for name, login, owns, beyond in _sessions():
        part = name.removeprefix(SESSION).removesuffix(HOLDS_SECRET)
        if name.endswith(HOLDS_SECRET):
            found.append(
                f"The process of {part} holds the installation's secret: give it POTLINE_KEYS instead."
            )
        if part in parts_by_login.setdefault(login, []):
            continue
        parts_by_login[login].append(part)
        if owns:
            found.append(f"{part} works as {login}, which owns the database.")
        elif beyond:
            found.append(f"{part} works as {login}, which may do what other parts do: add to {beyond[0]}.")
    for login, parts in parts_by_login.items():
        if len(parts) > 1:
            found.append(f"{' and '.join(parts)} share one login to the database, {login}.")
    return found


def is_owner() -> bool:
    """Whether this process itself works as the database's owner, as commands that migrate do."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_has_role(datdba, 'USAGE') FROM pg_database WHERE datname = current_database()"
        )
        return bool(cursor.fetchone()[0])


def anybody_works() -> bool:
    return bool(_sessions())


def _sessions() -> list[Any]:
    barred = {
        part: [table for table in rights.registered() if not rights.on(table, [part]).insert]
        for part in rights.PARTS
    }
    with connection.cursor() as cursor:
        cursor.execute(_WHO, {"name": SESSION, "barred": json.dumps(barred)})
        return list(cursor.fetchall())
