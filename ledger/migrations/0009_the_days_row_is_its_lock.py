from pathlib import Path

import config.kit.triggers.firm
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations

SQL = Path(__file__).parent.parent / "sql"


class Migration(migrations.Migration):

    dependencies = [
        ("ledger", "0001_squashed_0008_divided_guards"),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name='entry',
            name='entry_lawful',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='gamingday',
            name='day_closes_in_order',
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='entry',
            trigger=pgtrigger.compiler.Trigger(name='entry_lawful', sql=config.kit.triggers.firm.IndexedGuardSql(declare='DECLARE wrong record; current_xact bigint;', func="\n            IF current_setting('transaction_isolation') <> 'read committed' THEN\n                RAISE EXCEPTION 'Posting needs READ COMMITTED: an older snapshot would not see a day closed meanwhile'\n                    USING ERRCODE = 'invalid_transaction_state';\n            END IF;\n            current_xact := potline_stamp(pg_current_xact_id());\n            IF EXISTS (SELECT FROM ledger_rollupmark WHERE below_xact > current_xact)\n                    OR EXISTS (SELECT FROM ledger_seal WHERE below_xact > current_xact) THEN\n                RAISE EXCEPTION 'This server counts transactions from a lower number than the ledger has seen'\n                    USING ERRCODE = 'invalid_transaction_state',\n                    HINT = 'After a restore run: manage.py adopt_database';\n            END IF;\n            PERFORM FROM ledger_gamingday d WHERE d.id IN (SELECT n.day_id FROM new_rows n) ORDER BY d.id FOR KEY SHARE;\n            SELECT n.key, d.date, d.state INTO wrong FROM new_rows n LEFT JOIN ledger_gamingday d ON d.id = n.day_id\n                WHERE d.state IS NULL OR d.state = 'closed' OR d.premises_id <> n.premises_id LIMIT 1;\n            IF FOUND THEN\n                RAISE EXCEPTION 'Entry %: the gaming day % is % or not of its premises', wrong.key, wrong.date,\n                    coalesce(wrong.state, 'unknown') USING ERRCODE = 'check_violation', CONSTRAINT = 'entry_day_open';\n            END IF;\n            SELECT n.key INTO wrong FROM new_rows n WHERE n.xact_id <> current_xact LIMIT 1;\n            IF FOUND THEN\n                RAISE EXCEPTION 'Entry %: xact_id is the number of the transaction that posts it', wrong.key\n                    USING ERRCODE = 'check_violation', CONSTRAINT = 'entry_own_xact';\n            END IF;\n            SELECT n.key INTO wrong FROM new_rows n LEFT JOIN ledger_entry c ON c.id = n.corrects_id\n                WHERE n.corrects_id IS NOT NULL AND (c.premises_id IS DISTINCT FROM n.premises_id\n                    OR EXISTS (SELECT FROM new_rows s WHERE s.id = n.corrects_id)) LIMIT 1;\n            IF FOUND THEN\n                RAISE EXCEPTION 'Entry %: what it corrects is not in the books of its premises before it', wrong.key\n                    USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'entry_corrects_known';\n            END IF;\n            SELECT n.key, n.own_date INTO wrong FROM new_rows n JOIN ledger_gamingday d ON d.id = n.day_id\n                WHERE n.own_date >= d.date LIMIT 1;\n            IF FOUND THEN\n                RAISE EXCEPTION 'Entry %: its own date % is not before the gaming day that takes it', wrong.key,\n                    wrong.own_date USING ERRCODE = 'check_violation', CONSTRAINT = 'entry_late_after_own_date';\n            END IF;\n            RETURN NULL;\n        ", hash='7f59315a901d6f8744977af0acb6d3c97a20bc39', level='STATEMENT', operation='INSERT', pgid='pgtrigger_entry_lawful_7e51c', referencing='REFERENCING NEW TABLE AS new_rows ', table='ledger_entry', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='gamingday',
            trigger=pgtrigger.compiler.Trigger(name='day_closes_in_order', sql=config.kit.triggers.firm.GuardSql(condition="WHEN (NEW.state = 'closed' AND OLD.state <> 'closed')", func="\n            IF EXISTS (SELECT FROM ledger_gamingday d WHERE d.premises_id = NEW.premises_id\n                       AND d.state <> 'closed' AND d.date < NEW.date) THEN\n                RAISE EXCEPTION 'Gaming days close in order; an earlier day than % is still open', NEW.date\n                    USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ", hash='3d9e2842104bb996ada11ae72039f95ff1ee28e3', operation='UPDATE', pgid='pgtrigger_day_closes_in_order_f4f68', table='ledger_gamingday', when='BEFORE')),
        ),
        migrations.RunSQL((SQL / "post_2.sql").read_text()),
        migrations.RunSQL((SQL / "months_2.sql").read_text()),
    ]
