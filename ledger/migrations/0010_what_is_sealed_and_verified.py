"""A seal follows from the last one and covers what has ended; the watchdog signs how far it has verified. Its mark from
before has no hallmark, so the constraint is not checked of it."""

import config.kit.triggers.firm
import pgtrigger.compiler
import pgtrigger.migrations
from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("ledger", "0009_the_days_row_is_its_lock"),
    ]

    operations = [
        migrations.AddField(
            model_name='verifiedmark',
            name='hallmark',
            field=models.CharField(help_text='Of the seal and where it ends.', max_length=64, null=True),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='seal',
            trigger=pgtrigger.compiler.Trigger(name='seal_follows', sql=config.kit.triggers.firm.IndexedGuardSql(declare='DECLARE last ledger_seal;', func="\n            IF NEW.below_xact > potline_stamp(pg_snapshot_xmin(pg_current_snapshot())) THEN\n                RAISE EXCEPTION 'Seal % covers transactions that have not ended', NEW.number\n                    USING ERRCODE = 'check_violation', CONSTRAINT = 'seal_covers_what_has_ended';\n            END IF;\n            SELECT * INTO last FROM ledger_seal ORDER BY number DESC LIMIT 1;\n            IF NEW.number <> coalesce(last.number, 0) + 1 OR NEW.from_xact <> coalesce(last.below_xact, 0)\n                    OR NEW.previous_hash <> coalesce(last.hash, decode(repeat('00', 32), 'hex'))\n                    OR NEW.chain <> coalesce(last.chain, NEW.chain) THEN\n                RAISE EXCEPTION 'Seal % does not follow from seal %', NEW.number, coalesce(last.number, 0)\n                    USING ERRCODE = 'check_violation', CONSTRAINT = 'seal_follows_the_last';\n            END IF;\n            RETURN NEW;\n        ", hash='725b0c5c2515b9bc9d0679e9d181552fc819fa62', operation='INSERT', pgid='pgtrigger_seal_follows_0ec5f', table='ledger_seal', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='verifiedmark',
            trigger=pgtrigger.compiler.Trigger(name='verified_mark_at_a_seal', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n            IF NOT EXISTS (SELECT FROM ledger_seal WHERE number = NEW.seal AND below_xact = NEW.below_xact) THEN\n                RAISE EXCEPTION 'There is no seal % up to % that could have been verified', NEW.seal, NEW.below_xact\n                    USING ERRCODE = 'check_violation', CONSTRAINT = 'verified_mark_at_a_seal';\n            END IF;\n            RETURN NEW;\n        ", hash='909e82a1b4059b05c7b537ac40f5b6243d37cf4b', operation='INSERT OR UPDATE', pgid='pgtrigger_verified_mark_at_a_seal_e568d', table='ledger_verifiedmark', when='BEFORE')),
        ),
        AddConstraintNotValid(
            model_name='verifiedmark',
            constraint=models.CheckConstraint(condition=models.Q(('hallmark__isnull', False)), name='verified_mark_hallmarked'),
        ),
    ]
