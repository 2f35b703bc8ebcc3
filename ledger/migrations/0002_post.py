"""The journal's write path as functions of the database."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parent.parent / "sql"


class Migration(migrations.Migration):
    dependencies = [("ledger", "0001_initial")]

    operations = [
        migrations.RunSQL(
            (SQL / "post_1.sql").read_text(),
            "DROP FUNCTION ledger_post(text[], bytea[], bytea[], text[], text[], text[], timestamptz[], text[], text[],"
            " int[], bigint[], date[], int[], int[], bigint[], text[], text[], bigint[], text[]);"
            " DROP FUNCTION ledger_open_day(bigint, date);",
        ),
    ]
