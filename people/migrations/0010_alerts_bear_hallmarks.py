import config.kit.triggers.firm
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("people", "0001_squashed_0009_person_has_a_language"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='alert',
            name='alert_told_once',
        ),
        migrations.AddField(
            model_name='alert',
            name='hallmark',
            field=models.CharField(editable=False, help_text='By a key that is not in the database.', max_length=64, null=True),
        ),
        migrations.AddField(
            model_name='alert',
            name='origin',
            field=models.CharField(editable=False, help_text='SHA-256 of the word by which it is acknowledged.', max_length=64, null=True),
        ),
        migrations.AddField(
            model_name='alertacknowledgement',
            name='hallmark',
            field=models.CharField(editable=False, help_text='By a key that is not in the database.', max_length=64, null=True),
        ),
        migrations.AddField(
            model_name='alertacknowledgement',
            name='word',
            field=models.CharField(editable=False, help_text='The alert shows its hash: see people.alerts.alert_marks.', max_length=64, null=True),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='alert',
            trigger=pgtrigger.compiler.Trigger(name='alert_hallmarked', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (NEW.origin IS NULL OR NEW.hallmark IS NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot insert rows from % table', TG_TABLE_NAME;", hash='bd4fc19be20a366fde9c5256fc83fac889a26cd6', operation='INSERT', pgid='pgtrigger_alert_hallmarked_352ae', table='people_alert', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='alert',
            trigger=pgtrigger.compiler.Trigger(name='alert_of_own_kind', sql=config.kit.triggers.firm.GuardSql(condition="WHEN (NEW.kind NOT IN ('jackpots.sign_showed_other', 'jackpots.forged_sign_token', 'people.wrong_tokens'))", func="\n                    IF NOT has_table_privilege('people_auditrecord', 'INSERT') THEN\n                        RAISE EXCEPTION 'Alert %: not of a kind that signs tell', NEW.kind\n                            USING ERRCODE = 'insufficient_privilege';\n                    END IF;\n                    RETURN NEW;\n                ", hash='1efff87fb2681b24c460617eaed26eebbdf08956', operation='INSERT', pgid='pgtrigger_alert_of_own_kind_839cd', table='people_alert', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='alertacknowledgement',
            trigger=pgtrigger.compiler.Trigger(name='alert_acknowledgement_hallmarked', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (NEW.word IS NULL OR NEW.hallmark IS NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot insert rows from % table', TG_TABLE_NAME;", hash='ccff4420c75e21a309e9c94d0aae50bf4b73a179', operation='INSERT', pgid='pgtrigger_alert_acknowledgement_hallmarked_a82da', table='people_alertacknowledgement', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='alertacknowledgement',
            trigger=pgtrigger.compiler.Trigger(name='alert_acknowledged_by_word', sql=config.kit.triggers.firm.GuardSql(func="\n                    IF EXISTS (SELECT FROM people_alert a WHERE a.id = NEW.alert_id\n                            AND a.origin <> encode(sha256(convert_to(NEW.word, 'UTF8')), 'hex')) THEN\n                        RAISE EXCEPTION 'Alert %: not acknowledged by its word', NEW.alert_id\n                            USING ERRCODE = 'check_violation', CONSTRAINT = 'alert_acknowledged_by_word';\n                    END IF;\n                    RETURN NEW;\n                ", hash='46f1fe4201cbe56dce6fd3244c5448f697034057', operation='INSERT', pgid='pgtrigger_alert_acknowledged_by_word_39629', table='people_alertacknowledgement', when='BEFORE')),
        ),
        migrations.AddConstraint(
            model_name='alert',
            constraint=models.UniqueConstraint(fields=('kind', 'subject', 'occurrence', 'origin'), name='alert_told_once'),
        ),
    ]
