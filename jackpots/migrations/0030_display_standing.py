"""How signs stand on record, for their process: of the audit trail, which it does not read, what is about signs alone."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("jackpots", "0029_final_as_vouched"),
        ("people", "0013_standing_on_record"),
    ]

    operations = [
        migrations.RunSQL(
            """
            CREATE VIEW jackpots_displaystanding WITH (security_barrier) AS
                SELECT id, subject, standing FROM people_auditrecord
                WHERE subject LIKE 'jackpots.display:%' AND standing IS NOT NULL
            """,
            "DROP VIEW jackpots_displaystanding",
        ),
    ]
