from django.db import migrations


class Migration(migrations.Migration):
    """The function by which django-pgtrigger's own template lets a session walk past a trigger: none of ours asks it."""

    dependencies = [
        ("tables", "0001_initial"),
        ("jackpots", "0001_initial"),
        ("ledger", "0007_own_search_path"),
        ("people", "0004_alerts"),
    ]

    operations = [
        migrations.RunSQL("DROP FUNCTION IF EXISTS _pgtrigger_should_ignore(name)", migrations.RunSQL.noop),
    ]
