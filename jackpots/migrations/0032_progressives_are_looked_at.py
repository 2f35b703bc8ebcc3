import config.kit.triggers.firm
import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("jackpots", "0031_lines_of_server_time"),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name='share',
            name='share_not_before_final',
        ),
        migrations.AlterField(
            model_name='heldcontribution',
            name='progressive',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.PROTECT, related_name='held_contributions', to='jackpots.progressive'),
        ),
        migrations.AlterField(
            model_name='heldhand',
            name='progressive',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.PROTECT, related_name='held_hands', to='jackpots.progressive'),
        ),
        migrations.AlterField(
            model_name='share',
            name='progressive',
            field=models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='shares', to='jackpots.progressive'),
        ),
        migrations.AlterField(
            model_name='undecidedround',
            name='progressive',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.PROTECT, related_name='undecided', to='jackpots.progressive'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='heldcontribution',
            trigger=pgtrigger.compiler.Trigger(name='held_contribution_of_progressive', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n            IF NOT EXISTS (SELECT FROM jackpots_progressive p WHERE p.id = NEW.progressive_id) THEN\n                RAISE EXCEPTION 'There is no progressive %', NEW.progressive_id USING ERRCODE = 'foreign_key_violation';\n            END IF;\n            RETURN NEW;\n        ", hash='3c0283d93657577803d2e96c797cd74444e5abce', operation='INSERT', pgid='pgtrigger_held_contribution_of_progressive_0ade7', table='jackpots_heldcontribution', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='heldhand',
            trigger=pgtrigger.compiler.Trigger(name='held_hand_of_progressive', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n            IF NOT EXISTS (SELECT FROM jackpots_progressive p WHERE p.id = NEW.progressive_id) THEN\n                RAISE EXCEPTION 'There is no progressive %', NEW.progressive_id USING ERRCODE = 'foreign_key_violation';\n            END IF;\n            RETURN NEW;\n        ", hash='a1231e0ba448153db302e5162b105c79dec783a1', operation='INSERT', pgid='pgtrigger_held_hand_of_progressive_439c6', table='jackpots_heldhand', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='share',
            trigger=pgtrigger.compiler.Trigger(name='share_not_before_final', sql=config.kit.triggers.firm.GuardSql(declare='DECLARE until timestamptz;', func="\n                    SELECT p.final_until INTO until FROM jackpots_progressive p WHERE p.id = NEW.progressive_id;\n                    IF NOT FOUND THEN\n                        RAISE EXCEPTION 'There is no progressive %', NEW.progressive_id\n                            USING ERRCODE = 'foreign_key_violation';\n                    END IF;\n                    IF NEW.place < until THEN\n                        RAISE EXCEPTION 'event at % lies before what is already final', NEW.place\n                            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'share_not_before_final';\n                    END IF;\n                    RETURN NEW;\n                ", hash='e73e0596e0736608c6608ae2c43cd8d05a8eeebf', operation='INSERT', pgid='pgtrigger_share_not_before_final_fe35d', table='jackpots_share', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='undecidedround',
            trigger=pgtrigger.compiler.Trigger(name='undecided_round_of_progressive', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n            IF NOT EXISTS (SELECT FROM jackpots_progressive p WHERE p.id = NEW.progressive_id) THEN\n                RAISE EXCEPTION 'There is no progressive %', NEW.progressive_id USING ERRCODE = 'foreign_key_violation';\n            END IF;\n            RETURN NEW;\n        ", hash='c0f166c180b5f00054aaa27708d9c8a5918b84d7', operation='INSERT', pgid='pgtrigger_undecided_round_of_progressive_21110', table='jackpots_undecidedround', when='BEFORE')),
        ),
    ]
