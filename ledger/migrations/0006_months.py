"""Postings are divided by month, and the functions by which tables are."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parent.parent / "sql"


class Migration(migrations.Migration):
    dependencies = [("ledger", "0005_fewer_indexes")]

    operations = [
        migrations.RunSQL((SQL / "months_1.sql").read_text()),
        migrations.RunSQL("SELECT months.divide('ledger_posting', 'entry_id', 'ledger_entry_id_seq')"),
    ]
