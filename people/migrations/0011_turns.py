from pathlib import Path

import config.kit.triggers.firm
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models

SQL = Path(__file__).parent.parent / "sql"


class Migration(migrations.Migration):

    dependencies = [
        ("people", "0010_alerts_bear_hallmarks"),
    ]

    operations = [
        migrations.CreateModel(
            name='Turn',
            fields=[
                ('name', models.CharField(max_length=200, primary_key=True, serialize=False)),
            ],
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='turn',
            trigger=pgtrigger.compiler.Trigger(name='turn_fixed', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD."name" IS DISTINCT FROM (NEW."name"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='621a76884d87974c044d10cc67e99f113ce5e97b', operation='UPDATE', pgid='pgtrigger_turn_fixed_bef57', table='people_turn', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='turn',
            trigger=pgtrigger.compiler.Trigger(name='turn_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='f9b4ff5dd72880218278cb4789545d0b6d6eebf4', operation='DELETE', pgid='pgtrigger_turn_no_delete_e3268', table='people_turn', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='turn',
            trigger=pgtrigger.compiler.Trigger(name='turn_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='b1fe73e2e258d0083e4863cb7b7d37e486b84684', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_turn_no_truncate_e7849', table='people_turn', when='BEFORE')),
        ),
        migrations.RunSQL((SQL / "turns_1.sql").read_text()),
    ]
