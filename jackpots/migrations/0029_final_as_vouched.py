"""What is final is as far as tables have vouched, what is folded has been taken; forged counts may be lowered."""

import config.kit.triggers.firm
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ("jackpots", "0028_hits_say_why_final"),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name='progressive',
            name='progressive_counts_final',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='share',
            name='share_not_before_final',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='tablelog',
            name='table_log_only_forward',
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='progressive',
            trigger=pgtrigger.compiler.Trigger(name='progressive_final_as_vouched', sql=config.kit.triggers.firm.IndexedGuardSql(condition='WHEN (OLD.final_until IS DISTINCT FROM NEW.final_until)', func="\n                    IF NEW.final_until > GREATEST(OLD.final_until, COALESCE(\n                        LEAST(\n        (SELECT min(GREATEST(t.watermark, l.returned_at))\n          FROM jackpots_link l JOIN jackpots_tablelog t ON t.id = l.table_log_id\n          WHERE l.progressive_id = NEW.id AND t.is_open AND t.left_out_at IS NULL AND l.left_out_at IS NULL AND (l.suspended_at IS NULL OR l.resumed_at IS NOT NULL OR t.watermark < l.suspended_at)),\n        (SELECT min(u.since) FROM jackpots_undecidedround u\n          WHERE u.progressive_id = NEW.id AND NOT u.left_out AND NOT u.unawaited)),\n                        clock_timestamp() + interval '1 minute' + interval '1 microsecond' * COALESCE(\n                            (SELECT offset_us FROM jackpots_serverclock ORDER BY id DESC LIMIT 1), 0)\n                    )) THEN\n                        RAISE EXCEPTION 'tables have not vouched until %: nothing of progressive % is final there',\n                            NEW.final_until, NEW.id\n                            USING ERRCODE = 'integrity_constraint_violation',\n                                CONSTRAINT = 'progressive_final_as_vouched';\n                    END IF;\n                    RETURN NEW;\n                ", hash='54b7276f702f129850da9196bcb27a6e3fa52c97', operation='UPDATE', pgid='pgtrigger_progressive_final_as_vouched_701c3', table='jackpots_progressive', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='progressive',
            trigger=pgtrigger.compiler.Trigger(name='progressive_passes_nothing', sql=config.kit.triggers.firm.IndexedGuardSql(condition='WHEN (OLD.folded_until IS DISTINCT FROM NEW.folded_until)', func="\n                    IF EXISTS (\n                        SELECT FROM jackpots_share s JOIN jackpots_event e ON e.id = s.event_id\n                        WHERE s.progressive_id = NEW.id AND s.place >= COALESCE(OLD.folded_until, '-infinity')\n                            AND s.place < NEW.folded_until\n                            AND CASE WHEN e.kind = 'hits' THEN NOT EXISTS (\n                                    SELECT FROM jackpots_foldrun r WHERE r.last_share_id = s.id\n                                ) ELSE s.place > COALESCE((\n                                    SELECT l.place FROM jackpots_foldrun r\n                                    JOIN jackpots_share l ON l.id = r.last_share_id\n                                    WHERE r.progressive_id = NEW.id AND r.kind IN ('stakes', 'return')\n                                    ORDER BY r.number DESC LIMIT 1\n                                ), '-infinity') END\n                    ) THEN\n                        RAISE EXCEPTION 'no fold run of progressive % has taken all before %', NEW.id, NEW.folded_until\n                            USING ERRCODE = 'integrity_constraint_violation',\n                                CONSTRAINT = 'progressive_passes_nothing';\n                    END IF;\n                    RETURN NEW;\n                ", hash='18273d213b12dd48c7d809ab5256193c2a2ef517', operation='UPDATE', pgid='pgtrigger_progressive_passes_nothing_4437e', table='jackpots_progressive', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='progressive',
            trigger=pgtrigger.compiler.Trigger(name='progressive_counts_final', sql=config.kit.triggers.firm.IndexedGuardSql(condition='WHEN (OLD.final_until IS DISTINCT FROM NEW.final_until)', func="\n                    IF NEW.final_until < OLD.final_until THEN\n                        RETURN NULL;  -- by put_right, which counts anew\n                    END IF;\n                    INSERT INTO jackpots_givenhour AS g (progressive_id, hour, table_log_id, micros)\n                        SELECT s.progressive_id, date_trunc('hour', s.place, 'UTC') AS hour, e.table_log_id,\n    sum(s.slice_micros)::bigint AS micros\nFROM jackpots_share s JOIN jackpots_event e ON e.id = s.event_id\nWHERE e.kind = 'stakes' AND s.progressive_id = NEW.id AND s.place >= coalesce(OLD.final_until, '-infinity')\n                            AND s.place < NEW.final_until\n                        GROUP BY 1, 2, 3 ORDER BY 2, 3\n                        ON CONFLICT (progressive_id, hour, table_log_id) DO UPDATE\n                        SET micros = g.micros + EXCLUDED.micros;\n                    RETURN NULL;\n                ", hash='39da72f523439d0613790b79fccefef07ff7fc5b', operation='UPDATE', pgid='pgtrigger_progressive_counts_final_81ced', table='jackpots_progressive', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='share',
            trigger=pgtrigger.compiler.Trigger(name='share_not_before_final', sql=config.kit.triggers.firm.GuardSql(func="\n                    IF NEW.place < (SELECT final_until FROM jackpots_progressive WHERE id = NEW.progressive_id) THEN\n                        RAISE EXCEPTION 'event at % lies before what is already final', NEW.place\n                            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'share_not_before_final';\n                    END IF;\n                    RETURN NEW;\n                ", hash='91c5cf8f2c50a64fb9f2b4210911ff1abb692350', operation='INSERT', pgid='pgtrigger_share_not_before_final_fe35d', table='jackpots_share', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tablelog',
            trigger=pgtrigger.compiler.Trigger(name='table_log_only_forward', sql=config.kit.triggers.firm.GuardSql(condition="WHEN (OLD.watermark IS NOT NULL AND NEW.watermark IS NULL OR NEW.watermark < OLD.watermark AND OLD.watermark < clock_timestamp() + interval '1 minute')", func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='51d0da3cffd56e78a33601b253734eea99f0b245', operation='UPDATE', pgid='pgtrigger_table_log_only_forward_8e84a', table='jackpots_tablelog', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tablelog',
            trigger=pgtrigger.compiler.Trigger(name='table_log_counts_its_events', sql=config.kit.triggers.firm.IndexedGuardSql(condition='WHEN (NEW.last_number < OLD.last_number)', func="\n                    IF NEW.last_number < (SELECT max(number) FROM jackpots_event WHERE table_log_id = NEW.id) THEN\n                        RAISE EXCEPTION 'Cannot update: table log % has more events than %', NEW.id, NEW.last_number\n                            USING ERRCODE = 'integrity_constraint_violation',\n                                CONSTRAINT = 'table_log_counts_its_events';\n                    END IF;\n                    RETURN NEW;\n                ", hash='c0e9e69684df7f31b10ed711a6b7a57371ddf1bf', operation='UPDATE', pgid='pgtrigger_table_log_counts_its_events_9b36c', table='jackpots_tablelog', when='BEFORE')),
        ),
    ]
