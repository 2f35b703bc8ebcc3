"""`manage.py grant_app_role ROLE`: the rights of the role that web and workers connect with."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import ProgrammingError, connection, transaction
from psycopg import sql

from config import demo
from config.triggers import append_only

# Nothing of its own: a table or a type in the temporary schema stands before the real one of the same name. Everybody
# may make temporary tables in a new database, and in one from before PostgreSQL 15 everything in `public`.
NOTHING_OF_ITS_OWN = (
    "REVOKE TEMPORARY, CREATE ON DATABASE {database} FROM PUBLIC, {role}",
    "REVOKE CREATE ON SCHEMA public FROM PUBLIC, {role}",
)
RIGHTS = (
    "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {role}",
    "GRANT USAGE ON SCHEMA public TO {role}",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role}",
    "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role}",
    "REVOKE INSERT, UPDATE, DELETE ON django_migrations FROM {role}",
)
MAY_STILL_MAKE = """
    SELECT has_database_privilege(%(role)s, current_database(), 'TEMPORARY')
        OR has_database_privilege(%(role)s, current_database(), 'CREATE')
        OR has_schema_privilege(%(role)s, 'public', 'CREATE')
"""

FORGOTTEN_AFTER = "10min"
"""A transaction that somebody left open in a console holds its rows no longer than this."""


class Command(BaseCommand):
    help = (
        "Gives a PostgreSQL role the application's rights: read and write, but no UPDATE, DELETE or TRUNCATE where"
        " rows are only added, no DDL and no temporary tables. Run it as the tables' owner after each migrate."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("role")
        parser.add_argument(
            "--create", action="store_true", help="make the role (LOGIN, no password) if missing"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        role = sql.Identifier(options["role"])
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(
                "SELECT current_user, current_database(), EXISTS (SELECT FROM pg_roles WHERE rolname = %s)",
                [options["role"]],
            )
            current, database, exists = cursor.fetchone()
            if current == options["role"]:
                raise CommandError("Connect as the owner of the tables, not as the application's own role.")
            if not exists and not options["create"]:
                raise CommandError(f"There is no role {options['role']}; make it, or say --create.")
            if not exists:
                cursor.execute(sql.SQL("CREATE ROLE {} LOGIN").format(role))
            for statement in (*NOTHING_OF_ITS_OWN, *RIGHTS):
                cursor.execute(sql.SQL(statement).format(role=role, database=sql.Identifier(database)))
            if demo.kind_of(cursor) is demo.DatabaseKind.DEMO:
                cursor.execute(sql.SQL("REVOKE ALL ON public.potline_demo FROM {}").format(role))
            for guarded in append_only.guarded_tables():
                rights = sql.SQL("DELETE" if guarded.may_update else "UPDATE, DELETE")
                table = sql.Identifier(guarded.table)
                cursor.execute(sql.SQL("REVOKE {} ON {} FROM {}").format(rights, table, role))
            # PostgreSQL only warns of a REVOKE by someone who has not granted.
            cursor.execute(MAY_STILL_MAKE, {"role": options["role"]})
            if cursor.fetchone()[0]:
                raise CommandError(
                    f"{options['role']} may still make tables of its own. Connect as the owner of the database; and the"
                    " application's role is neither a superuser nor a member of a role that may."
                )
            self._end_forgotten_transactions()
        self.stdout.write(
            f"{options['role']} may read and write; {len(append_only.guarded_tables())} tables only by adding."
        )

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
