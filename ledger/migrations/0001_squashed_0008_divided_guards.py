"""The journal, gaming days, exports, seals and steps, for a new database: at once what eight migrations made step by step.

Of an older one, which has those that `replaces` names, nothing is changed; it must have all of them (config/replaced.py).
"""

import config.kit.triggers.firm
import config.kit.triggers.sealed
import django.db.models.deletion
import django.db.models.functions.datetime
import django.db.models.lookups
import pgtrigger.compiler
import pgtrigger.migrations
import uuid
from config.kit.at_once import CreateModels
from django.conf import settings
from django.db import migrations, models
from pathlib import Path

SQL = Path(__file__).parent.parent / "sql"


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('ledger', '0001_initial'),
        ('ledger', '0002_post'),
        ('ledger', '0003_seals_over_everything'),
        ('ledger', '0004_slips_by_day'),
        ('ledger', '0005_fewer_indexes'),
        ('ledger', '0006_months'),
        ('ledger', '0007_month_moves'),
        ('ledger', '0008_divided_guards'),
    ]

    dependencies = [
        ('people', '0001_squashed_0009_person_has_a_language'),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name='Account',
                    fields=[
                        ('id', models.AutoField(primary_key=True, serialize=False)),
                        ('code', models.CharField(db_collation='C', max_length=200, unique=True)),
                        ('kind', models.CharField(choices=[('asset', 'Asset'), ('liability', 'Liability'), ('income', 'Income'), ('expense', 'Expense')], max_length=9)),
                        ('currency', models.CharField(max_length=3)),
                        ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='accounts', to='people.premises')),
                    ],
                    options={
                        'ordering': ['code'],
                        'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ['asset', 'liability', 'income', 'expense'])), name='account_known_kind'), models.CheckConstraint(condition=models.Q(('currency__regex', '^[A-Z]{3}$')), name='account_currency_iso')],
                    },
                ),
                migrations.CreateModel(
                    name='Export',
                    fields=[
                        ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                        ('first', models.DateField()),
                        ('last', models.DateField()),
                        ('request', models.JSONField(help_text='Canonical form of what was asked for.')),
                        ('as_of', models.CharField(help_text='State of the books: closed, or the last seal.', max_length=40)),
                        ('request_sha256', models.CharField(max_length=64, unique=True)),
                        ('requested_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('state', models.CharField(choices=[('requested', 'Waiting'), ('building', 'Being built'), ('done', 'Ready'), ('failed', 'Failed')], default='requested', max_length=9)),
                        ('attempts', models.PositiveSmallIntegerField(default=0)),
                        ('progress_done', models.BigIntegerField(default=0)),
                        ('progress_total', models.BigIntegerField(default=0)),
                        ('heartbeat_at', models.DateTimeField(blank=True, null=True)),
                        ('error', models.TextField(blank=True)),
                        ('file_bytes', models.BigIntegerField(blank=True, null=True)),
                        ('file_sha256', models.CharField(blank=True, max_length=64)),
                        ('finished_at', models.DateTimeField(blank=True, null=True)),
                        ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='exports', to='people.premises')),
                        ('requested_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='exports', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'ordering': ['-requested_at'],
                        'indexes': [models.Index(fields=['premises', '-requested_at'], name='export_by_premises')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('first__lte', models.F('last'))), name='export_first_before_last'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'done'), _negated=True), models.Q(('file_bytes__isnull', False), models.Q(('file_sha256', ''), _negated=True)), _connector='OR'), name='export_done_has_file')],
                    },
                ),
                migrations.CreateModel(
                    name='GamingDay',
                    fields=[
                        ('id', models.AutoField(primary_key=True, serialize=False)),
                        ('date', models.DateField()),
                        ('state', models.CharField(choices=[('open', 'Open'), ('closing', 'Closing'), ('closed', 'Closed')], db_default='open', default='open', max_length=7)),
                        ('opened_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('closing_at', models.DateTimeField(blank=True, null=True)),
                        ('closed_at', models.DateTimeField(blank=True, null=True)),
                        ('checklist', models.JSONField(blank=True, help_text='The checklist as it stood at the close.', null=True)),
                        ('closed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('closing_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='gaming_days', to='people.premises')),
                    ],
                    options={
                        'ordering': ['-date'],
                        'constraints': [models.UniqueConstraint(fields=('premises', 'date'), name='gaming_day_once'), models.CheckConstraint(condition=models.Q(models.Q(('closed_at__isnull', True), ('closed_by__isnull', True), ('closing_at__isnull', True), ('state', 'open')), models.Q(('closed_at__isnull', True), ('closing_at__isnull', False), ('state', 'closing')), models.Q(('closed_at__isnull', False), ('closed_by__isnull', False), ('state', 'closed')), _connector='OR'), name='gaming_day_state_consistent')],
                    },
                ),
                migrations.CreateModel(
                    name='Entry',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('key', models.CharField(db_collation='C', max_length=200, unique=True)),
                        ('own_date', models.DateField(help_text='The gaming day it belongs to, where that day was closed when it came.', null=True)),
                        ('kind', models.CharField(max_length=40)),
                        ('reference', models.CharField(db_collation='C', max_length=200)),
                        ('currency', models.CharField(max_length=3)),
                        ('source_sha256', models.BinaryField(max_length=32)),
                        ('content_sha256', models.BinaryField(max_length=32)),
                        ('memo', models.TextField(db_default='')),
                        ('occurred_at', models.DateTimeField(null=True)),
                        ('posted_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp())),
                        ('corrects', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='corrections', to='ledger.entry')),
                        ('premises', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, to='people.premises')),
                        ('day', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, to='ledger.gamingday')),
                    ],
                    options={
                        'verbose_name_plural': 'entries',
                        'indexes': [models.Index(fields=['day', 'id'], name='entry_by_day'), models.Index(fields=['reference'], name='entry_by_reference'), models.Index(fields=['xact_id', 'id'], name='entry_by_xact'), models.Index(condition=models.Q(('corrects__isnull', False)), fields=['corrects'], name='entry_by_corrected'), models.Index(condition=models.Q(('kind__in', ['opener', 'fill', 'credit', 'closer', 'buy-in'])), fields=['day', 'reference'], name='entry_of_slip')],
                        'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('key', ''), _negated=True), models.Q(('kind', ''), _negated=True), models.Q(('reference', ''), _negated=True)), name='entry_says_what'), models.CheckConstraint(condition=models.Q(django.db.models.lookups.Exact(models.Func(models.F('source_sha256'), function='octet_length', output_field=models.IntegerField()), 32), django.db.models.lookups.Exact(models.Func(models.F('content_sha256'), function='octet_length', output_field=models.IntegerField()), 32)), name='entry_hashes_whole')],
                    },
                ),
                migrations.CreateModel(
                    name='DayMovement',
                    fields=[
                        ('pk', models.CompositePrimaryKey('account_id', 'day_id', blank=True, editable=False, primary_key=True, serialize=False)),
                        ('debit_micros', models.BigIntegerField()),
                        ('credit_micros', models.BigIntegerField()),
                        ('postings', models.BigIntegerField()),
                        ('account', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, to='ledger.account')),
                        ('day', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.PROTECT, to='ledger.gamingday')),
                    ],
                    options={
                        'constraints': [models.CheckConstraint(condition=models.Q(('credit_micros__lte', 0), ('debit_micros__gte', 0)), name='movement_sides')],
                    },
                ),
                migrations.CreateModel(
                    name='OpenItem',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('check_name', models.CharField(max_length=100)),
                        ('item_key', models.CharField(max_length=200)),
                        ('text', models.TextField()),
                        ('reason', models.TextField()),
                        ('carried_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('approval', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='open_item', to='people.approvalrequest')),
                        ('day', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='open_items', to='ledger.gamingday')),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                    ],
                    options={
                        'ordering': ['check_name', 'item_key'],
                        'indexes': [models.Index(fields=['xact_id'], name='open_item_by_stamp')],
                        'constraints': [models.UniqueConstraint(fields=('day', 'check_name', 'item_key'), name='open_item_once_a_day')],
                    },
                ),
                migrations.CreateModel(
                    name='Posting',
                    fields=[
                        ('pk', models.CompositePrimaryKey('entry_id', 'account_id', blank=True, editable=False, primary_key=True, serialize=False)),
                        ('amount_micros', models.BigIntegerField()),
                        ('account', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='postings', to='ledger.account')),
                        ('entry', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='postings', to='ledger.entry')),
                    ],
                    options={
                        'indexes': [models.Index(fields=['account', 'entry'], name='posting_by_account')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('amount_micros', 0), _negated=True), name='posting_not_zero')],
                    },
                ),
                migrations.CreateModel(
                    name='RollUpMark',
                    fields=[
                        ('id', models.PositiveSmallIntegerField(default=1, primary_key=True, serialize=False)),
                        ('below_xact', models.BigIntegerField(default=0)),
                        ('rolled_up_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                    ],
                    options={
                        'constraints': [models.CheckConstraint(condition=models.Q(('id', 1)), name='roll_up_mark_is_one_row')],
                    },
                ),
                migrations.CreateModel(
                    name='Seal',
                    fields=[
                        ('number', models.BigIntegerField(primary_key=True, serialize=False)),
                        ('chain', models.UUIDField(help_text='The same for all seals of a ledger; names its file outside the database.')),
                        ('from_xact', models.BigIntegerField()),
                        ('below_xact', models.BigIntegerField(unique=True)),
                        ('entries', models.IntegerField()),
                        ('postings', models.IntegerField()),
                        ('root', models.BinaryField(max_length=32)),
                        ('previous_hash', models.BinaryField(max_length=32)),
                        ('hash', models.BinaryField(max_length=32)),
                        ('sealed_at', models.DateTimeField()),
                        ('leaves', models.BinaryField()),
                        ('classes', models.BinaryField(db_default=b'')),
                        ('rows', models.IntegerField(db_default=0, help_text='Of all classes; 0 in version 1.')),
                        ('version', models.PositiveSmallIntegerField(db_default=1)),
                    ],
                    options={
                        'ordering': ['number'],
                        'constraints': [models.CheckConstraint(condition=models.Q(('below_xact__gt', models.F('from_xact')), ('number__gte', 1), ('version__in', [1, 2])), name='seal_sane')],
                        'indexes': [models.Index(condition=models.Q(('entries__gt', 0)), fields=['number'], name='seal_with_entries')],
                    },
                ),
                migrations.CreateModel(
                    name='Epoch',
                    fields=[
                        ('id', models.PositiveSmallIntegerField(primary_key=True, serialize=False)),
                        ('reason', models.TextField()),
                        ('adopted_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('last_seal', models.BigIntegerField(help_text='The last one that came with the copy; 0: none.')),
                        ('last_known_seal', models.BigIntegerField(help_text='The last one that the file outside holds: what is between them was lost, and is on record as lost.')),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                    ],
                    options={
                        'constraints': [models.CheckConstraint(condition=models.Q(('id__gte', 1), ('last_known_seal__gte', models.F('last_seal')), models.Q(('reason', ''), _negated=True)), name='epoch_sane')],
                    },
                ),
                migrations.CreateModel(
                    name='Step',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(help_text="The model's label.", max_length=40)),
                        ('row_id', models.BigIntegerField()),
                        ('state', models.CharField(max_length=10)),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('content', models.BinaryField(max_length=32)),
                        ('detail', models.BinaryField(help_text="Of what hangs on the row: a round's lines.", max_length=32, null=True)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                    ],
                    options={
                        'indexes': [models.Index(fields=['kind', 'row_id'], name='step_by_row'), models.Index(fields=['xact_id'], name='step_by_stamp')],
                    },
                ),
                migrations.CreateModel(
                    name='VerifiedMark',
                    fields=[
                        ('id', models.PositiveSmallIntegerField(default=1, primary_key=True, serialize=False)),
                        ('below_xact', models.BigIntegerField(default=0)),
                        ('seal', models.BigIntegerField(default=0)),
                        ('verified_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                    ],
                    options={
                        'constraints': [models.CheckConstraint(condition=models.Q(('id', 1)), name='verified_mark_is_one_row')],
                    },
                ),
                migrations.CreateModel(
                    name='MonthMove',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('month', models.CharField(help_text='2026-11, or `earlier`: from before the first turn.', max_length=7)),
                        ('kind', models.CharField(choices=[('detached', 'Kept elsewhere'), ('attached', 'Brought back')], max_length=8)),
                        ('manifest_sha256', models.CharField(help_text='Of the list of its files, each with its hash.', max_length=64)),
                        ('rows', models.JSONField(help_text='How many, by table.')),
                        ('days', models.JSONField(help_text='By premises the first and the last gaming day that has rows in it.')),
                        ('reason', models.TextField()),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                    ],
                    options={
                        'indexes': [models.Index(fields=['xact_id'], name='month_move_by_stamp')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ['detached', 'attached']), models.Q(('reason', ''), _negated=True)), name='month_move_sane')],
                    },
                ),
            ]
        ),
        # Django makes it for LIKE; under the collation C the unique index does the same.
        migrations.RunSQL("DROP INDEX ledger_entry_key_b3fe1ea3_like"),
        # The journal's write path as functions of the database.
        migrations.RunSQL((SQL / "post_1.sql").read_text()),
        pgtrigger.migrations.AddTrigger(
            model_name='account',
            trigger=pgtrigger.compiler.Trigger(name='account_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='e14a9f69af2b9c0140bbb2c5de5427c6f98f5ed9', operation='UPDATE', pgid='pgtrigger_account_no_update_29ad2', table='ledger_account', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='account',
            trigger=pgtrigger.compiler.Trigger(name='account_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='ce20b0a3f5535a43c1f2f4ab3645471bc411d17c', operation='DELETE', pgid='pgtrigger_account_no_delete_f1099', table='ledger_account', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='account',
            trigger=pgtrigger.compiler.Trigger(name='account_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='d61988c4c958aa7e99b4d25f28ff15e430219873', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_account_no_truncate_4dd72', table='ledger_account', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='gamingday',
            trigger=pgtrigger.compiler.Trigger(name='day_begins_open', sql=config.kit.triggers.firm.GuardSql(func="\n            IF NEW.state <> 'open' THEN\n                RAISE EXCEPTION 'A gaming day begins open, not %', NEW.state USING ERRCODE = 'check_violation';\n            END IF;\n            IF EXISTS (SELECT FROM ledger_gamingday d WHERE d.premises_id = NEW.premises_id\n                       AND d.state = 'closed' AND d.date >= NEW.date) THEN\n                RAISE EXCEPTION 'The books are closed beyond %; late entries go to the next open day', NEW.date\n                    USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ", hash='83e75a6efd412737d931a00453fafde17b2b03c0', operation='INSERT', pgid='pgtrigger_day_begins_open_ddb8d', table='ledger_gamingday', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='gamingday',
            trigger=pgtrigger.compiler.Trigger(name='day_closes_in_order', sql=config.kit.triggers.firm.GuardSql(condition="WHEN (NEW.state = 'closed' AND OLD.state <> 'closed')", func="\n            PERFORM pg_advisory_xact_lock(1886352385, NEW.id);\n            IF EXISTS (SELECT FROM ledger_gamingday d WHERE d.premises_id = NEW.premises_id\n                       AND d.state <> 'closed' AND d.date < NEW.date) THEN\n                RAISE EXCEPTION 'Gaming days close in order; an earlier day than % is still open', NEW.date\n                    USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ", hash='28e02c22447b6e7c5ad697be3c703bea1ac4059f', operation='UPDATE', pgid='pgtrigger_day_closes_in_order_f4f68', table='ledger_gamingday', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='gamingday',
            trigger=pgtrigger.compiler.Trigger(name='day_steps', sql=config.kit.triggers.firm.GuardSql(declare='DECLARE _is_valid_transition BOOLEAN;', func='SELECT CONCAT(OLD."state", \':\', NEW."state") = ANY(\'{open:closing,closing:open,closing:closed}\'::text[]) INTO _is_valid_transition; IF (_is_valid_transition IS FALSE AND OLD."state" IS DISTINCT FROM NEW."state") THEN RAISE EXCEPTION \'pgtrigger: Invalid transition of field "state" from "%" to "%" on table %\', OLD."state", NEW."state", TG_TABLE_NAME; ELSE RETURN NEW; END IF;', hash='7eae497f358edb0d72b3ffdce823f1c55377c1ab', operation='UPDATE', pgid='pgtrigger_day_steps_f999a', table='ledger_gamingday', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='gamingday',
            trigger=pgtrigger.compiler.Trigger(name='day_fixed', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."premises_id" IS DISTINCT FROM (NEW."premises_id") OR OLD."date" IS DISTINCT FROM (NEW."date") OR OLD."opened_at" IS DISTINCT FROM (NEW."opened_at"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='9f3eaca237e4e65fd3ff88668a9be5a2e23808ef', operation='UPDATE', pgid='pgtrigger_day_fixed_c5a95', table='ledger_gamingday', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='gamingday',
            trigger=pgtrigger.compiler.Trigger(name='day_closed_is_closed', sql=config.kit.triggers.firm.GuardSql(condition="WHEN (OLD.state = 'closed')", func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='34b442a555ee6daf3d0266a6d0e19bb0d5140517', operation='UPDATE', pgid='pgtrigger_day_closed_is_closed_63325', table='ledger_gamingday', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='gamingday',
            trigger=pgtrigger.compiler.Trigger(name='day_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='0a6cfe06fa897d0dbb43f0c5146a2b7dd6addc4d', operation='DELETE', pgid='pgtrigger_day_no_delete_b4166', table='ledger_gamingday', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='gamingday',
            trigger=pgtrigger.compiler.Trigger(name='day_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='3eabc7f5d7b2b35939d280cdf3dd9ec02c603392', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_day_no_truncate_922c3', table='ledger_gamingday', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='gamingday',
            trigger=pgtrigger.compiler.Trigger(name='ledger_gamingday_first_step', sql=config.kit.triggers.firm.GuardSql(func='INSERT INTO ledger_step (kind, row_id, state, content, detail) VALUES (\'ledger.gamingday\', NEW.id, NEW.state, sha256(convert_to(\'{"class":"ledger.gamingday"\' || coalesce(\',"checklist":\' || to_json(NEW.checklist)::text, \'\') || coalesce(\',"closed_at":\' || \'"\' || to_char(NEW.closed_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"closed_by_id":\' || to_json(NEW.closed_by_id)::text, \'\') || coalesce(\',"closing_by_id":\' || to_json(NEW.closing_by_id)::text, \'\') || coalesce(\',"date":\' || to_json(NEW.date)::text, \'\') || coalesce(\',"premises_id":\' || to_json(NEW.premises_id)::text, \'\') || coalesce(\',"state":\' || to_json(NEW.state)::text, \'\') || \'}\', \'UTF8\')), NULL); RETURN NULL;', hash='37952102ae3be27ca4ed7966a2914137cafa699e', operation='INSERT', pgid='pgtrigger_ledger_gamingday_first_step_32547', table='ledger_gamingday', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='gamingday',
            trigger=pgtrigger.compiler.Trigger(name='ledger_gamingday_next_step', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD.premises_id IS DISTINCT FROM NEW.premises_id OR OLD.date IS DISTINCT FROM NEW.date OR OLD.state IS DISTINCT FROM NEW.state OR OLD.closing_by_id IS DISTINCT FROM NEW.closing_by_id OR OLD.closed_at IS DISTINCT FROM NEW.closed_at OR OLD.closed_by_id IS DISTINCT FROM NEW.closed_by_id OR OLD.checklist IS DISTINCT FROM NEW.checklist)', func='INSERT INTO ledger_step (kind, row_id, state, content, detail) VALUES (\'ledger.gamingday\', NEW.id, NEW.state, sha256(convert_to(\'{"class":"ledger.gamingday"\' || coalesce(\',"checklist":\' || to_json(NEW.checklist)::text, \'\') || coalesce(\',"closed_at":\' || \'"\' || to_char(NEW.closed_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"closed_by_id":\' || to_json(NEW.closed_by_id)::text, \'\') || coalesce(\',"closing_by_id":\' || to_json(NEW.closing_by_id)::text, \'\') || coalesce(\',"date":\' || to_json(NEW.date)::text, \'\') || coalesce(\',"premises_id":\' || to_json(NEW.premises_id)::text, \'\') || coalesce(\',"state":\' || to_json(NEW.state)::text, \'\') || \'}\', \'UTF8\')), NULL); RETURN NULL;', hash='5db98ba4b946bab184acc3c2c4adf01f586ed114', operation='UPDATE', pgid='pgtrigger_ledger_gamingday_next_step_d9551', table='ledger_gamingday', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='entry',
            trigger=pgtrigger.compiler.Trigger(name='entry_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='5dd2cddea85d781b0414908a169d1098eb97714a', operation='UPDATE', pgid='pgtrigger_entry_no_update_4df05', table='ledger_entry', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='entry',
            trigger=pgtrigger.compiler.Trigger(name='entry_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='7900645bf2590d7748e87d36b5c656b078383e06', operation='DELETE', pgid='pgtrigger_entry_no_delete_927ea', table='ledger_entry', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='entry',
            trigger=pgtrigger.compiler.Trigger(name='entry_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='c6ffbf535dd4e5a7338b4d65c5c5af197ff1099c', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_entry_no_truncate_57f08', table='ledger_entry', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='entry',
            trigger=pgtrigger.compiler.Trigger(name='entry_lawful', sql=config.kit.triggers.firm.IndexedGuardSql(declare='DECLARE wrong record; current_xact bigint;', func="\n            IF current_setting('transaction_isolation') <> 'read committed' THEN\n                RAISE EXCEPTION 'Posting needs READ COMMITTED: an older snapshot would not see a day closed meanwhile'\n                    USING ERRCODE = 'invalid_transaction_state';\n            END IF;\n            current_xact := potline_stamp(pg_current_xact_id());\n            IF EXISTS (SELECT FROM ledger_rollupmark WHERE below_xact > current_xact)\n                    OR EXISTS (SELECT FROM ledger_seal WHERE below_xact > current_xact) THEN\n                RAISE EXCEPTION 'This server counts transactions from a lower number than the ledger has seen'\n                    USING ERRCODE = 'invalid_transaction_state',\n                    HINT = 'After a restore run: manage.py adopt_database';\n            END IF;\n            PERFORM pg_advisory_xact_lock_shared(1886352385, d.day_id)\n                FROM (SELECT DISTINCT day_id FROM new_rows ORDER BY day_id) d;\n            SELECT n.key, d.date, d.state INTO wrong FROM new_rows n LEFT JOIN ledger_gamingday d ON d.id = n.day_id\n                WHERE d.state IS NULL OR d.state = 'closed' OR d.premises_id <> n.premises_id LIMIT 1;\n            IF FOUND THEN\n                RAISE EXCEPTION 'Entry %: the gaming day % is % or not of its premises', wrong.key, wrong.date,\n                    coalesce(wrong.state, 'unknown') USING ERRCODE = 'check_violation', CONSTRAINT = 'entry_day_open';\n            END IF;\n            SELECT n.key INTO wrong FROM new_rows n WHERE n.xact_id <> current_xact LIMIT 1;\n            IF FOUND THEN\n                RAISE EXCEPTION 'Entry %: xact_id is the number of the transaction that posts it', wrong.key\n                    USING ERRCODE = 'check_violation', CONSTRAINT = 'entry_own_xact';\n            END IF;\n            SELECT n.key INTO wrong FROM new_rows n LEFT JOIN ledger_entry c ON c.id = n.corrects_id\n                WHERE n.corrects_id IS NOT NULL AND (c.premises_id IS DISTINCT FROM n.premises_id\n                    OR EXISTS (SELECT FROM new_rows s WHERE s.id = n.corrects_id)) LIMIT 1;\n            IF FOUND THEN\n                RAISE EXCEPTION 'Entry %: what it corrects is not in the books of its premises before it', wrong.key\n                    USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'entry_corrects_known';\n            END IF;\n            SELECT n.key, n.own_date INTO wrong FROM new_rows n JOIN ledger_gamingday d ON d.id = n.day_id\n                WHERE n.own_date >= d.date LIMIT 1;\n            IF FOUND THEN\n                RAISE EXCEPTION 'Entry %: its own date % is not before the gaming day that takes it', wrong.key,\n                    wrong.own_date USING ERRCODE = 'check_violation', CONSTRAINT = 'entry_late_after_own_date';\n            END IF;\n            RETURN NULL;\n        ", hash='b1e6bb59d0e208668e6e8350f9fa872c3d0fe738', level='STATEMENT', operation='INSERT', pgid='pgtrigger_entry_lawful_7e51c', referencing='REFERENCING NEW TABLE AS new_rows ', table='ledger_entry', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='entry',
            trigger=pgtrigger.compiler.Trigger(name='entry_sums_to_zero', sql=config.kit.triggers.firm.DividedGuardSql(constraint='CONSTRAINT', declare='DECLARE legs bigint; total numeric;', func="\n            SELECT count(*), sum(amount_micros) INTO legs, total FROM ledger_posting WHERE entry_id = NEW.id;\n            IF legs < 2 OR total <> 0 THEN\n                RAISE EXCEPTION 'Entry % (%) has % legs that sum to % micros; it needs two or more that sum to 0',\n                    NEW.id, NEW.key, legs, coalesce(total, 0)\n                    USING ERRCODE = 'check_violation', CONSTRAINT = 'entry_sums_to_zero';\n            END IF;\n            RETURN NULL;\n        ", hash='49d94d74ff0f78bf29d470cd5c3cda18b5e4b46d', operation='INSERT', pgid='pgtrigger_entry_sums_to_zero_af1d0', table='ledger_entry', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='openitem',
            trigger=pgtrigger.compiler.Trigger(name='open_item_approved', sql=config.kit.triggers.firm.GuardSql(func="\n            IF NOT EXISTS (SELECT FROM people_approvalrequest a WHERE a.id = NEW.approval_id AND a.state = 'used'\n                           AND a.action = 'ledger.carry_over'\n                           AND a.payload_json::jsonb ->> 'day_id' = NEW.day_id::text\n                           AND a.payload_json::jsonb ->> 'item' = NEW.item_key\n                           AND a.payload_json::jsonb ->> 'check' = NEW.check_name) THEN\n                RAISE EXCEPTION 'Open item %: no approval of a second person for it', NEW.item_key\n                    USING ERRCODE = 'check_violation';\n            END IF;\n            RETURN NEW;\n        ", hash='f63053eb30b7e1f72617bb7cebf115f007e7996b', operation='INSERT', pgid='pgtrigger_open_item_approved_e3af3', table='ledger_openitem', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='openitem',
            trigger=pgtrigger.compiler.Trigger(name='open_item_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='e85432f25e9df18a23fb202055df61ded04b5edb', operation='UPDATE', pgid='pgtrigger_open_item_no_update_b0976', table='ledger_openitem', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='openitem',
            trigger=pgtrigger.compiler.Trigger(name='open_item_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='03259fcaf7a9fd64b4bae40296300e7e61673f82', operation='DELETE', pgid='pgtrigger_open_item_no_delete_61820', table='ledger_openitem', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='openitem',
            trigger=pgtrigger.compiler.Trigger(name='open_item_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='7bfdadb23300da1fd95afccfe491120958b7a193', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_open_item_no_truncate_5415a', table='ledger_openitem', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='openitem',
            trigger=pgtrigger.compiler.Trigger(name='open_item_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\n RETURN NEW;", hash='618ca1ef4eda7d59107c4c5ccc9c36c466bac5f4', operation='INSERT', pgid='pgtrigger_open_item_stamped_331b5', table='ledger_openitem', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='posting',
            trigger=pgtrigger.compiler.Trigger(name='posting_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='aba01ea5d4ee720aa8a613c28f484c7b64c22cd2', operation='UPDATE', pgid='pgtrigger_posting_no_update_67716', table='ledger_posting', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='posting',
            trigger=pgtrigger.compiler.Trigger(name='posting_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='3b97bde13f3743361184e7f10b639edad0725c53', operation='DELETE', pgid='pgtrigger_posting_no_delete_9b6c7', table='ledger_posting', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='posting',
            trigger=pgtrigger.compiler.Trigger(name='posting_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='36346fc4a54133f46e01a6a86a56ce2cd43ca148', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_posting_no_truncate_e2913', table='ledger_posting', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='posting',
            trigger=pgtrigger.compiler.Trigger(name='posting_lawful', sql=config.kit.triggers.firm.IndexedGuardSql(declare='DECLARE wrong record; current_xact bigint;', func="\n            current_xact := potline_stamp(pg_current_xact_id());\n            SELECT n.entry_id, n.account_id INTO wrong FROM new_rows n\n                LEFT JOIN ledger_entry e ON e.id = n.entry_id LEFT JOIN ledger_account a ON a.id = n.account_id\n                WHERE e.xact_id IS DISTINCT FROM current_xact OR a.premises_id IS DISTINCT FROM e.premises_id\n                    OR a.currency IS DISTINCT FROM e.currency LIMIT 1;\n            IF FOUND THEN\n                RAISE EXCEPTION 'Posting on entry %, account %: the entry must be of this transaction, the account of'\n                    ' its premises and currency', wrong.entry_id, wrong.account_id\n                    USING ERRCODE = 'check_violation', CONSTRAINT = 'posting_lawful';\n            END IF;\n            SELECT n.entry_id, sum(n.amount_micros) AS total INTO wrong FROM new_rows n\n                GROUP BY n.entry_id HAVING sum(n.amount_micros) <> 0 LIMIT 1;\n            IF FOUND THEN\n                RAISE EXCEPTION 'Entry %: the legs of this statement sum to % micros, not to 0', wrong.entry_id,\n                    wrong.total USING ERRCODE = 'check_violation', CONSTRAINT = 'posting_sums_to_zero';\n            END IF;\n            RETURN NULL;\n        ", hash='43a22304c09791e3d4674ebd9fa2453982e9674a', level='STATEMENT', operation='INSERT', pgid='pgtrigger_posting_lawful_e5980', referencing='REFERENCING NEW TABLE AS new_rows ', table='ledger_posting', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='seal',
            trigger=pgtrigger.compiler.Trigger(name='seal_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='8775f5d6fa57f651e174c58214ce5ed8ca61a6d6', operation='UPDATE', pgid='pgtrigger_seal_no_update_eca9c', table='ledger_seal', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='seal',
            trigger=pgtrigger.compiler.Trigger(name='seal_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='aa02772694d9137f8cd53c2dc926cea3fdd6d6ae', operation='DELETE', pgid='pgtrigger_seal_no_delete_8392d', table='ledger_seal', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='seal',
            trigger=pgtrigger.compiler.Trigger(name='seal_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='c3e28061913bed4cbbd527c8b582a2a1050a4158', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_seal_no_truncate_3a712', table='ledger_seal', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='epoch',
            trigger=pgtrigger.compiler.Trigger(name='epoch_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\nNEW.adopted_at := statement_timestamp(); RETURN NEW;", hash='3877325a34eda62131ffadf9b27390bf33daf9bd', operation='INSERT', pgid='pgtrigger_epoch_stamped_f13e2', table='ledger_epoch', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='epoch',
            trigger=pgtrigger.compiler.Trigger(name='epoch_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='40c7dccbe11ffe500718b92c1f5e1e807a90063d', operation='UPDATE', pgid='pgtrigger_epoch_no_update_d0f4b', table='ledger_epoch', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='epoch',
            trigger=pgtrigger.compiler.Trigger(name='epoch_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='7504cf1b8c8c12edcc45638c52e04acdf7205f96', operation='DELETE', pgid='pgtrigger_epoch_no_delete_b2428', table='ledger_epoch', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='epoch',
            trigger=pgtrigger.compiler.Trigger(name='epoch_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='23f67e0cdd3a81f824a50e14b22175104431f3ae', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_epoch_no_truncate_25cb5', table='ledger_epoch', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='step',
            trigger=pgtrigger.compiler.Trigger(name='step_by_trigger_alone', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (pg_trigger_depth() = 0)', func="\n            RAISE EXCEPTION 'Step of % %: steps follow from changes of the row, nobody writes them', NEW.kind,\n                NEW.row_id\n                USING ERRCODE = 'restrict_violation';\n        ", hash='7f7ca23c9373dcb5eafb132529fc92043627f5bb', operation='INSERT', pgid='pgtrigger_step_by_trigger_alone_6ab14', table='ledger_step', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='step',
            trigger=pgtrigger.compiler.Trigger(name='step_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\nNEW.at := statement_timestamp(); RETURN NEW;", hash='ee9e6985123e11298e308a87e54dc89047e787ef', operation='INSERT', pgid='pgtrigger_step_stamped_cfa88', table='ledger_step', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='step',
            trigger=pgtrigger.compiler.Trigger(name='step_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='48f0ae67c421bfb5e6cb51f5fc012b59bd81d093', operation='UPDATE', pgid='pgtrigger_step_no_update_4b4f9', table='ledger_step', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='step',
            trigger=pgtrigger.compiler.Trigger(name='step_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='b4bdd5f430638a9e753011e39cb940a020aeef1e', operation='DELETE', pgid='pgtrigger_step_no_delete_fb444', table='ledger_step', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='step',
            trigger=pgtrigger.compiler.Trigger(name='step_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='7d08ac79b9d5913d36bd8f274e34975709c4b4cc', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_step_no_truncate_8d40a', table='ledger_step', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='monthmove',
            trigger=pgtrigger.compiler.Trigger(name='month_move_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\nNEW.at := statement_timestamp(); RETURN NEW;", hash='73c3fd9f89cb8799f6f1994804befb7568f71341', operation='INSERT', pgid='pgtrigger_month_move_stamped_afda6', table='ledger_monthmove', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='monthmove',
            trigger=pgtrigger.compiler.Trigger(name='month_move_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='6267b969f5bc31e6fcb9f90f399cc4a464950798', operation='UPDATE', pgid='pgtrigger_month_move_no_update_1e2bb', table='ledger_monthmove', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='monthmove',
            trigger=pgtrigger.compiler.Trigger(name='month_move_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='dc4433627a53325945decc93d51aec4be08028b6', operation='DELETE', pgid='pgtrigger_month_move_no_delete_f67ad', table='ledger_monthmove', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='monthmove',
            trigger=pgtrigger.compiler.Trigger(name='month_move_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='d07f55b502f8f6c5dfc97488fd7c4eafb7d1544d', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_month_move_no_truncate_1c189', table='ledger_monthmove', when='BEFORE')),
        ),
        # The functions by which tables are divided by month, and the first such table. It is divided last, with keys,
        # indexes and triggers: its parts have what it has.
        migrations.RunSQL((SQL / "months_1.sql").read_text()),
        migrations.RunSQL("SELECT months.divide('ledger_posting', 'entry_id', 'ledger_entry_id_seq')"),
    ]
