import config.kit.triggers.firm
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ("people", "0011_turns"),
        ("tables", "0024_nothing_left_over"),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name='chipslip',
            name='chip_slip_lawful',
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='chipslip',
            trigger=pgtrigger.compiler.Trigger(name='chip_slip_lawful', sql=config.kit.triggers.firm.GuardSql(declare='DECLARE asked jsonb; premises bigint;', func="\n                    SELECT a.payload_json::jsonb, a.premises_id INTO asked, premises FROM people_approvalrequest a\n                        WHERE a.id = NEW.approval_id AND a.action IN ('tables.slip', 'tables.drop');\n                    IF asked IS NULL OR asked ->> 'slip' <> NEW.number OR asked ->> 'day' <> NEW.day::text\n                        OR NOT EXISTS (SELECT FROM tables_table t WHERE t.id = NEW.table_id\n                            AND t.premises_id = premises AND t.code = asked ->> 'table') THEN\n                        RAISE EXCEPTION 'Slip %: what was asked for is another', NEW.number\n                            USING ERRCODE = 'check_violation';\n                    END IF;\n                    IF NEW.serial IS NOT NULL THEN  -- whoever gives another number just now is waited for\n                        PERFORM potline_take_turn('tables.slip:' || premises);\n                    END IF;\n                    IF NEW.serial IS NOT NULL AND NEW.serial <> 1 + coalesce((SELECT max(s.serial)\n                            FROM tables_chipslip s JOIN tables_table t ON t.id = s.table_id\n                            WHERE t.premises_id = premises), 0) THEN\n                        RAISE EXCEPTION 'Slip % leaves a gap or comes twice', NEW.number\n                            USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ", hash='644483fdbdc86118dbe81360e3d51925134499d9', operation='INSERT', pgid='pgtrigger_chip_slip_lawful_f843a', table='tables_chipslip', when='BEFORE')),
        ),
    ]
