"""Lines of the server's time have an offset, which carries it on over a step of the machine's clock or a failover."""

from pathlib import Path

import config.kit.triggers.firm
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models

SQL = Path(__file__).parent.parent / "sql"


class Migration(migrations.Migration):

    dependencies = [
        ("jackpots", "0030_display_standing"),
    ]

    operations = [
        migrations.AddField(
            model_name='serverclock',
            name='agreed_at',
            field=models.DateTimeField(help_text='What was received from here on until the line began is late.', null=True),
        ),
        migrations.AddField(
            model_name='serverclock',
            name='hallmark',
            field=models.CharField(help_text='Of all of it.', max_length=64, null=True),
        ),
        migrations.AddField(
            model_name='serverclock',
            name='offset_us',
            field=models.BigIntegerField(help_text="The order's time less that clock; none: 0.", null=True),
        ),
        migrations.AddField(
            model_name='serverclock',
            name='step_us',
            field=models.BigIntegerField(help_text='By how much the clock had gone forward when the line began; negative: back.', null=True),
        ),
        migrations.AlterField(
            model_name='serverclock',
            name='line',
            field=models.CharField(help_text='The server: its system, timeline and epoch; and the row before this one.', max_length=64),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='serverclock',
            trigger=pgtrigger.compiler.Trigger(name='server_clock_not_far_ahead', sql=config.kit.triggers.firm.GuardSql(func="\n                    IF NEW.hallmark IS NULL OR NEW.offset_us IS NULL THEN\n                        RAISE EXCEPTION 'a line of the server''s time bears a hallmark'\n                            USING ERRCODE = 'integrity_constraint_violation';\n                    END IF;\n                    IF greatest(NEW.began_at, clock_timestamp() + NEW.offset_us * interval '1 microsecond')\n                        > greatest(\n                            clock_timestamp() + coalesce((SELECT offset_us FROM jackpots_serverclock\n                                ORDER BY id DESC LIMIT 1), 0) * interval '1 microsecond',\n                            (SELECT max(heard_at) FROM jackpots_tablelog)) + interval '1 day'\n                    THEN\n                        RAISE EXCEPTION 'a line of the server''s time begins far ahead, at %', NEW.began_at\n                            USING ERRCODE = 'integrity_constraint_violation';\n                    END IF;\n                    RETURN NEW;\n                ", hash='67c4c04320d9eb392072a97f093bfc24ccc140a7', operation='INSERT', pgid='pgtrigger_server_clock_not_far_ahead_254b6', table='jackpots_serverclock', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tablelog',
            trigger=pgtrigger.compiler.Trigger(name='table_log_heard_by_the_clock', sql=config.kit.triggers.firm.GuardSql(condition="WHEN (NEW.heard_at > clock_timestamp() + interval '10 seconds')", func="\n                    IF NEW.heard_at > clock_timestamp() + interval '10 seconds' + interval '1 microsecond'\n                        * coalesce((SELECT offset_us FROM jackpots_serverclock ORDER BY id DESC LIMIT 1), 0)\n                    THEN\n                        RAISE EXCEPTION 'table log % was not heard at %: that is to come', NEW.id, NEW.heard_at\n                            USING ERRCODE = 'integrity_constraint_violation';\n                    END IF;\n                    RETURN NEW;\n                ", hash='36ac5c45b99d6a3889b7d27ab066b477212e29af', operation='INSERT OR UPDATE', pgid='pgtrigger_table_log_heard_by_the_clock_734aa', table='jackpots_tablelog', when='BEFORE')),
        ),
        migrations.RunSQL(
            (SQL / "hold_table_logs_1.sql").read_text(), "DROP FUNCTION potline_hold_table_logs(boolean)"
        ),
    ]
