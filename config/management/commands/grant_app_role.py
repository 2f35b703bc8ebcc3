"""`manage.py grant_app_role ROLE=PART ...`: the rights of the roles that web, workers and signs connect with."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import ProgrammingError, connection, transaction
from psycopg import sql

from config.kit import demo, rights

# Nothing of its own: a table or a type in the temporary schema stands before the real one of the same name. Everybody
# may make temporary tables in a new database, and in one from before PostgreSQL 15 everything in `public`.
NOTHING_OF_ITS_OWN = (
    "REVOKE TEMPORARY, CREATE ON DATABASE {database} FROM PUBLIC, {role}",
    "REVOKE CREATE ON SCHEMA public FROM PUBLIC, {role}",
)
RIGHTS = (
    "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {role}",
    "GRANT USAGE ON SCHEMA public TO {role}",
    "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role}",
)
READ_ONLY = ("django_migrations",)
TURN_MONTH = "FUNCTION public.potline_turn_month(date)"
"""All that the application may do about the parts of divided tables, by a worker's job (ledger.months.months)."""
END_OVERLONG = "FUNCTION public.potline_end_overlong()"
"""Ends transactions that are in others' way, by a worker's job (people.overlong)."""
LIMIT = """
    INSERT INTO parts.limits (role, writing_s, open_s, advisory) VALUES (%s, %s, %s, %s) ON CONFLICT (role) DO UPDATE
        SET writing_s = EXCLUDED.writing_s, open_s = EXCLUDED.open_s, advisory = EXCLUDED.advisory
"""
MAY_END = """
    SELECT pg_has_role(%s, 'USAGE')
        OR pg_has_role('pg_read_all_stats', 'USAGE') AND pg_has_role('pg_signal_backend', 'USAGE')
"""
HOLD_LOGS = "FUNCTION public.potline_hold_table_logs(boolean)"
"""Holds up the steps of tables for the moment in which a new line of the server's time begins."""
FUNCTIONS = {
    TURN_MONTH: {rights.WORKER},
    END_OVERLONG: {rights.WORKER},
    HOLD_LOGS: {rights.WEB, rights.WORKER},
}
MAY_STILL_MAKE = """
    SELECT has_database_privilege(%(role)s, current_database(), 'TEMPORARY')
        OR has_database_privilege(%(role)s, current_database(), 'CREATE')
        OR has_schema_privilege(%(role)s, 'public', 'CREATE')
"""

FORGOTTEN_AFTER = "10min"
"""A transaction that somebody left open in a console holds its rows no longer than this."""


class Command(BaseCommand):
    help = (
        "Gives a PostgreSQL role the rights of a part of the application: web, worker or signs (config.kit.rights),"
        " or of all three. No UPDATE, DELETE or TRUNCATE where rows are only added, columns of money and order by name,"
        " no DDL and no temporary tables. Run it as the tables' owner after each migrate."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "roles", nargs="+", metavar="ROLE[=PART]", help="potline_web=web; without a part, those of all"
        )
        parser.add_argument(
            "--create", action="store_true", help="make the role (LOGIN, no password) if missing"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            for given in options["roles"]:
                name, _, part = given.partition("=")
                if part and part not in rights.PARTS:
                    raise CommandError(f"There is no part {part!r}; parts are {', '.join(rights.PARTS)}.")
                tables = self._give(cursor, name, part, create=options["create"])
                what = part or "the whole application"
                self.stdout.write(f"{name} has the rights of {what}: it may write to {tables} tables.")
            self._end_forgotten_transactions()

    def _give(self, cursor: Any, name: str, part: str, *, create: bool) -> int:
        """All rights of one role; to how many tables it may write."""
        role = sql.Identifier(name)
        cursor.execute(
            "SELECT current_user, current_database(), EXISTS (SELECT FROM pg_roles WHERE rolname = %s)",
            [name],
        )
        current, database, exists = cursor.fetchone()
        if current == name:
            raise CommandError("Connect as the owner of the tables, not as the application's own role.")
        if not exists and not create:
            raise CommandError(f"There is no role {name}; make it, or say --create.")
        if not exists:
            cursor.execute(sql.SQL("CREATE ROLE {} LOGIN").format(role))
        for statement in (*NOTHING_OF_ITS_OWN, *RIGHTS):
            cursor.execute(sql.SQL(statement).format(role=role, database=sql.Identifier(database)))
        parts = (part,) if part else rights.PARTS
        tables = self._grant(cursor, role, parts)
        # PostgreSQL only warns of a REVOKE by someone who has not granted.
        cursor.execute(MAY_STILL_MAKE, {"role": name})
        if cursor.fetchone()[0]:
            raise CommandError(
                f"{name} may still make tables of its own. Connect as the owner of the database; and the"
                " application's role is neither a superuser nor a member of a role that may."
            )
        for function, for_whom in FUNCTIONS.items():
            give = "GRANT EXECUTE ON {} TO {{}}" if for_whom & {*parts} else "REVOKE EXECUTE ON {} FROM {{}}"
            cursor.execute(sql.SQL(give.format(function)).format(role))
        self._limit(cursor, name, parts)
        return tables

    def _limit(self, cursor: Any, name: str, parts: tuple[str, ...]) -> None:
        """How long its transactions may take, and that the owner may end them: who is a member of a role may."""
        patience = rights.patience_of(parts)
        cursor.execute(LIMIT, [name, patience.writing_s, patience.open_s, patience.advisory])
        cursor.execute(MAY_END, [name])
        if cursor.fetchone()[0]:
            return
        become = sql.SQL("GRANT {} TO CURRENT_USER WITH INHERIT TRUE, SET FALSE").format(sql.Identifier(name))
        try:
            with transaction.atomic():
                cursor.execute(become)
        except ProgrammingError as error:
            self.stderr.write(
                f"The tables' owner may not end sessions of {name} ({str(error).strip()}): nobody ends what it holds"
                f" open. An administrator of the server should grant {name} to the owner WITH INHERIT TRUE."
            )

    def _grant(self, cursor: Any, role: sql.Identifier, parts: tuple[str, ...]) -> int:
        """Reading, then writing table by table; to how many it may write."""
        cursor.execute(
            "SELECT tablename, false FROM pg_tables WHERE schemaname = 'public'"
            " UNION ALL SELECT viewname, true FROM pg_views WHERE schemaname = 'public' ORDER BY 1"
        )
        views = {name: is_view for name, is_view in cursor.fetchall() if name != demo.TABLE}
        tables = list(views)
        written = 0
        for table in sorted(rights.readable_by(parts, tables)):
            given: list[sql.Composable] = [sql.SQL("SELECT")]
            fixed = table in READ_ONLY or views[table]
            may = rights.Rights() if fixed else rights.on(table, parts)
            given += [sql.SQL("INSERT")] * may.insert + [sql.SQL("DELETE")] * may.delete
            if may.update and may.columns is None:
                given.append(sql.SQL("UPDATE"))
            elif may.update:
                columns = sql.SQL(", ").join(map(sql.Identifier, sorted(may.columns or ())))
                given.append(sql.SQL("UPDATE ({})").format(columns))
            grant = sql.SQL("GRANT {} ON public.{} TO {}")
            cursor.execute(grant.format(sql.SQL(", ").join(given), sql.Identifier(table), role))
            written += len(given) > 1
        return written

    def _end_forgotten_transactions(self) -> None:
        """For whoever connects by hand: web, workers and commands have limits of their own."""
        set_it = sql.SQL("ALTER DATABASE {} SET idle_in_transaction_session_timeout = {}")
        name = sql.Identifier(connection.settings_dict["NAME"])
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(set_it.format(name, sql.Literal(FORGOTTEN_AFTER)))
        except ProgrammingError as error:
            self.stderr.write(
                f"idle_in_transaction_session_timeout could not be set for the database ({str(error).strip()}): its"
                f" owner should set it to {FORGOTTEN_AFTER}."
            )
