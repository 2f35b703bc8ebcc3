from django.db import migrations


class Migration(migrations.Migration):
    """The function by which django-pgtrigger's own template lets a session walk past a trigger: none of ours asks it."""

    dependencies = [
        ("tables", "0001_initial"),
        ("jackpots", "0001_initial"),
        ("ledger", "0002_post"),
        ("people", "0001_initial"),
    ]

    operations = [
        migrations.RunSQL("DROP FUNCTION IF EXISTS _pgtrigger_should_ignore(name)", migrations.RunSQL.noop),
    ]
