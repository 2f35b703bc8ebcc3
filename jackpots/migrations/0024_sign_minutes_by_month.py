"""What signs say they showed is divided by month, and found by its key."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jackpots", "0023_wins_by_hand"), ("ledger", "0006_months")]

    operations = [
        # By hand: Django cannot alter a primary key.
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    """
                    ALTER TABLE jackpots_displayminute DROP CONSTRAINT jackpots_displayminute_pkey, DROP COLUMN id,
                        ADD CONSTRAINT jackpots_displayminute_pkey PRIMARY KEY (display_id, minute, progressive_id),
                        DROP CONSTRAINT display_minute_once;
                    SELECT months.divide('jackpots_displayminute', 'minute', NULL);
                    """
                ),
            ],
            state_operations=[
                migrations.RemoveConstraint(model_name="displayminute", name="display_minute_once"),
                migrations.RemoveField(model_name="displayminute", name="id"),
                migrations.AddField(
                    model_name="displayminute",
                    name="pk",
                    field=models.CompositePrimaryKey(
                        "display_id",
                        "minute",
                        "progressive_id",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
            ],
        ),
    ]
