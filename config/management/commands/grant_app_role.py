"""`manage.py grant_app_role ROLE`: the rights of the role that web and workers connect with."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection, transaction
from psycopg import sql

from config import append_only


class Command(BaseCommand):
    help = (
        "Gives a PostgreSQL role the application's rights: read and write, but no UPDATE, DELETE or TRUNCATE where"
        " rows are only added, and no DDL. Run it as the tables' owner after each migrate."
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
                "SELECT current_user, EXISTS (SELECT 1 FROM pg_roles WHERE rolname = %s)", [options["role"]]
            )
            current, exists = cursor.fetchone()
            if current == options["role"]:
                raise CommandError("Connect as the owner of the tables, not as the application's own role.")
            if not exists and not options["create"]:
                raise CommandError(f"There is no role {options['role']}; make it, or say --create.")
            if not exists:
                cursor.execute(sql.SQL("CREATE ROLE {} LOGIN").format(role))
            for statement in (
                "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {}",
                "GRANT USAGE ON SCHEMA public TO {}",
                "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {}",
                "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {}",
                "REVOKE INSERT, UPDATE, DELETE ON django_migrations FROM {}",
            ):
                cursor.execute(sql.SQL(statement).format(role))
            for guarded in append_only.guarded_tables():
                rights = sql.SQL("DELETE" if guarded.may_update else "UPDATE, DELETE")
                table = sql.Identifier(guarded.table)
                cursor.execute(sql.SQL("REVOKE {} ON {} FROM {}").format(rights, table, role))
        self.stdout.write(
            f"{options['role']} may read and write; {len(append_only.guarded_tables())} tables only by adding."
        )
