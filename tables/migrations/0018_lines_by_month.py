"""Settled lines are divided by the month in whose band of numbers their round is."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("ledger", "0006_months"), ("tables", "0017_rounds_ended_by_people")]

    operations = [
        migrations.RunSQL("SELECT months.divide('tables_wagerline', 'round_id', 'tables_round_id_seq')"),
    ]
