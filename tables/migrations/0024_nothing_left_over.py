"""What earlier migrations left behind in a database that was upgraded by them, and a new one does not have: the function
of a trigger that is gone, and the name that a constraint has from before its column had another. From here on both are
the same."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tables", "0001_squashed_0023_message_texts")]

    operations = [
        migrations.RunSQL("DROP FUNCTION IF EXISTS pgtrigger_share_not_before_fold_db753()", migrations.RunSQL.noop),
        # PostgreSQL has such names since version 18.
        migrations.RunSQL(
            """
            DO $$ BEGIN
                IF EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'tables_terminal'::regclass
                    AND conname = 'tables_terminal_created_at_not_null')
                THEN
                    ALTER TABLE tables_terminal RENAME CONSTRAINT tables_terminal_created_at_not_null
                        TO tables_terminal_issued_at_not_null;
                END IF;
            END $$
            """,
            migrations.RunSQL.noop,
        ),
    ]
