"""People, their ways in, premises, approvals, alerts and the audit trail, for a new database: at once what nine migrations made step by step.

Of an older one, which has those that `replaces` names, nothing is changed; it must have all of them (config/replaced.py).
"""

import config.kit.triggers.firm
import config.kit.triggers.sealed
import django.contrib.auth.models
import django.contrib.auth.validators
import django.db.models.deletion
import django.db.models.functions.datetime
import django.db.models.functions.text
import django.utils.timezone
import people.models.core
import pgtrigger.compiler
import pgtrigger.migrations
from config.kit.at_once import CreateModels
from django.conf import settings
from django.db import migrations, models
from pathlib import Path

STAMP = Path(config.kit.triggers.sealed.__file__).parent / "stamp_1.sql"


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('people', '0001_initial'),
        ('people', '0002_people_have_a_life'),
        ('people', '0003_sealed'),
        ('people', '0004_hallmarks_and_steps'),
        ('people', '0005_premises_have_a_rulebook'),
        ('people', '0006_outbox_and_audit_by_action'),
        ('people', '0007_log_ins_have_hallmarks'),
        ('people', '0008_stamps_by_tree'),
        ('people', '0009_person_has_a_language'),
    ]

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        # First: columns of every app have it as their default.
        migrations.RunSQL(STAMP.read_text()),
        CreateModels(
            [
                migrations.CreateModel(
                    name='Alert',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(help_text='Dotted name, e.g. tables.round_parked.', max_length=100)),
                        ('severity', models.PositiveSmallIntegerField(choices=[(1, 'Urgent'), (2, 'Warning')])),
                        ('subject', models.CharField(help_text='What it is about, e.g. tables.round:7.', max_length=200)),
                        ('occurrence', models.PositiveIntegerField(help_text='1, 2, 3, ... by kind and subject.')),
                        ('text', models.TextField()),
                        ('raised_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('until', models.DateTimeField(help_text='When it is over by itself, if ever.', null=True)),
                        ('premises', models.ForeignKey(help_text='None: of the house as a whole.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='alerts', to='people.premises')),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                    ],
                    options={
                        'indexes': [models.Index(fields=['premises', 'raised_at'], name='alert_by_premises'), models.Index(condition=models.Q(('severity', 1)), fields=['raised_at'], name='alert_urgent_lately'), models.Index(fields=['xact_id'], name='alert_by_stamp')],
                        'constraints': [models.UniqueConstraint(fields=('kind', 'subject', 'occurrence'), name='alert_told_once'), models.CheckConstraint(condition=models.Q(('occurrence__gte', 1), ('severity__in', [1, 2])), name='alert_sane'), models.CheckConstraint(condition=models.Q(models.Q(('kind', ''), _negated=True), models.Q(('subject', ''), _negated=True), models.Q(('text', ''), _negated=True)), name='alert_says_what'), models.CheckConstraint(condition=models.Q(('until__isnull', True), ('until__gt', models.F('raised_at')), _connector='OR'), name='alert_ends_later')],
                    },
                ),
                migrations.CreateModel(
                    name='User',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('password', models.CharField(max_length=128, verbose_name='password')),
                        ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                        ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                        ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='username')),
                        ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                        ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                        ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                        ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                        ('name', models.CharField(help_text='As it stands in the audit trail and on slips.', max_length=150)),
                        ('language', models.CharField(blank=True, db_default='', default='', help_text='In which pages speak to them; empty: as their browser asks.', max_length=12)),
                        ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                        ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(django.db.models.functions.text.Lower('username'), name='user_username_any_case')],
                    },
                    managers=[
                        ('objects', django.contrib.auth.models.UserManager()),
                    ],
                ),
                migrations.CreateModel(
                    name='AlertAcknowledgement',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('note', models.TextField()),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('actor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='alerts_acknowledged', to=settings.AUTH_USER_MODEL)),
                        ('alert', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='acknowledgement', to='people.alert')),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                    ],
                    options={
                        'indexes': [models.Index(fields=['xact_id'], name='acknowledgement_by_stamp')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('note', ''), _negated=True), name='alert_acknowledged_with_words')],
                    },
                ),
                migrations.CreateModel(
                    name='Premises',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('code', models.SlugField(max_length=32, unique=True)),
                        ('name', models.CharField(max_length=150)),
                        ('currency', models.CharField(help_text='ISO 4217, e.g. NZD.', max_length=3)),
                        ('time_zone', models.CharField(max_length=64, validators=[people.models.core.validate_time_zone])),
                        ('rollover_hour', models.PositiveSmallIntegerField(help_text='Local hour at which a new gaming day begins, 0 to 23.')),
                        ('rulebook', models.CharField(blank=True, db_default='', default='', help_text='Whose games its tables may have; empty: any.', max_length=32)),
                    ],
                    options={
                        'verbose_name_plural': 'premises',
                        'ordering': ['code'],
                        'constraints': [models.CheckConstraint(condition=models.Q(('currency__regex', '^[A-Z]{3}$')), name='premises_currency_iso'), models.CheckConstraint(condition=models.Q(('rollover_hour__gte', 0), ('rollover_hour__lte', 23)), name='premises_rollover_hour'), models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='premises_named')],
                    },
                ),
                migrations.CreateModel(
                    name='AuditRecord',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('actor_label', models.CharField(help_text="The actor's name at the time, or the program's.", max_length=200)),
                        ('action', models.CharField(max_length=100)),
                        ('subject', models.CharField(blank=True, help_text='What it was done to, e.g. people.user:7.', max_length=200)),
                        ('reason', models.TextField(blank=True)),
                        ('ip', models.GenericIPAddressField(null=True)),
                        ('request_id', models.CharField(blank=True, max_length=64)),
                        ('details', models.JSONField(default=dict)),
                        ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='audit_records', to=settings.AUTH_USER_MODEL)),
                        ('premises', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='audit_records', to='people.premises')),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('hallmark', models.CharField(editable=False, help_text='By a key that is not in the database: see people.audit.audit. Records from before have none.', max_length=64, null=True)),
                    ],
                    options={
                        'indexes': [models.Index(fields=['premises', '-at'], name='audit_by_premises'), models.Index(fields=['subject', '-at'], name='audit_by_subject'), models.Index(fields=['action', 'id'], name='audit_by_action', opclasses=['text_pattern_ops', 'int8_ops']), models.Index(fields=['xact_id'], name='audit_by_stamp')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('actor_label', ''), _negated=True), name='audit_actor_named')],
                    },
                ),
                migrations.CreateModel(
                    name='ApprovalRequest',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('action', models.CharField(help_text='Dotted name of the verb, e.g. jackpots.adjust_meter.', max_length=100)),
                        ('payload_json', models.TextField(help_text='Canonical JSON of what is to be done.')),
                        ('payload_sha256', models.CharField(max_length=64)),
                        ('version', models.PositiveSmallIntegerField(db_default=1, default=people.models.core.payload_version, editable=False, help_text="How the row's documents are spelled.")),
                        ('reason', models.TextField()),
                        ('requested_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('expires_at', models.DateTimeField()),
                        ('state', models.CharField(choices=[('requested', 'Waiting for a second person'), ('approved', 'Approved'), ('rejected', 'Rejected'), ('used', 'Used')], default='requested', max_length=10)),
                        ('decided_at', models.DateTimeField(blank=True, null=True)),
                        ('decision_note', models.TextField(blank=True)),
                        ('used_at', models.DateTimeField(blank=True, null=True)),
                        ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='approvals_decided', to=settings.AUTH_USER_MODEL)),
                        ('requested_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='approvals_requested', to=settings.AUTH_USER_MODEL)),
                        ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='approval_requests', to='people.premises')),
                    ],
                    options={
                        'indexes': [models.Index(fields=['premises', 'state', 'expires_at'], name='approval_open_by_premises')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('decided_by__isnull', True), models.Q(('decided_by', models.F('requested_by')), _negated=True), _connector='OR'), name='approval_by_another_person'), models.CheckConstraint(condition=models.Q(('payload_sha256', people.models.core.Sha256Hex('payload_json'))), name='approval_hash_of_payload'), models.CheckConstraint(condition=models.Q(('expires_at__gt', models.F('requested_at'))), name='approval_expires_later'), models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='approval_reason_given'), models.CheckConstraint(condition=models.Q(models.Q(('decided_at__isnull', True), ('decided_by__isnull', True), ('state', 'requested'), ('used_at__isnull', True)), models.Q(('decided_at__isnull', False), ('decided_by__isnull', False), ('state', 'rejected'), ('used_at__isnull', True)), models.Q(('decided_at__lt', models.F('expires_at')), ('decided_by__isnull', False), ('state', 'approved'), ('used_at__isnull', True)), models.Q(('decided_at__lt', models.F('expires_at')), ('decided_by__isnull', False), ('state', 'used'), ('used_at__gte', models.F('decided_at')), ('used_at__lt', models.F('expires_at'))), _connector='OR'), name='approval_state_consistent')],
                    },
                ),
                migrations.CreateModel(
                    name='RoleGrant',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('role', models.CharField(choices=[('supervisor', 'Pit supervisor'), ('jackpot_manager', 'Jackpot manager'), ('finance', 'Finance'), ('auditor', 'Auditor'), ('administrator', 'Administrator')], max_length=20)),
                        ('granted_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='role_grants', to='people.premises')),
                        ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='role_grants', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(fields=('user', 'premises', 'role'), name='role_grant_once'), models.CheckConstraint(condition=models.Q(('role__in', ['supervisor', 'jackpot_manager', 'finance', 'auditor', 'administrator'])), name='role_grant_known_role')],
                    },
                ),
                migrations.CreateModel(
                    name='FailedLogIn',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('name_key', models.CharField(max_length=64)),
                        ('address_key', models.CharField(max_length=64)),
                        ('browser_key', models.CharField(blank=True, help_text='Of a browser that the person has used before; empty: a stranger.', max_length=64)),
                        ('forgiven_at', models.DateTimeField(blank=True, null=True)),
                    ],
                    options={
                        'indexes': [models.Index(fields=['name_key', 'at'], name='failed_log_in_by_name'), models.Index(fields=['address_key', 'at'], name='failed_log_in_by_address')],
                    },
                ),
                migrations.CreateModel(
                    name='Invitation',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('token_sha256', models.CharField(max_length=64, unique=True)),
                        ('made_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('expires_at', models.DateTimeField()),
                        ('used_at', models.DateTimeField(blank=True, null=True)),
                        ('withdrawn_at', models.DateTimeField(blank=True, help_text='A newer one took its place.', null=True)),
                        ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='invitations', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'constraints': [models.CheckConstraint(condition=models.Q(('expires_at__gt', models.F('made_at'))), name='invitation_expires_later'), models.CheckConstraint(condition=models.Q(('used_at__isnull', True), ('withdrawn_at__isnull', True), _connector='OR'), name='invitation_ends_in_one_way'), models.UniqueConstraint(condition=models.Q(('used_at__isnull', True), ('withdrawn_at__isnull', True)), fields=('person',), name='invitation_one_open')],
                    },
                ),
                migrations.CreateModel(
                    name='LogIn',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('began_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('last_used_at', models.DateTimeField(help_text='By the person; a page that refreshes itself does not count.')),
                        ('proved_at', models.DateTimeField(help_text='When the password or a code was last given.')),
                        ('second_factor_at', models.DateTimeField(blank=True, help_text='When a code was last given.', null=True)),
                        ('ip', models.GenericIPAddressField(null=True)),
                        ('browser', models.CharField(blank=True, help_text='As the browser calls itself.', max_length=200)),
                        ('ended_at', models.DateTimeField(blank=True, null=True)),
                        ('ended_because', models.CharField(blank=True, choices=[('logged_out', 'Logged out'), ('idle', 'Idle for too long'), ('lifetime', 'As long as a log-in may last'), ('ended', 'Ended by a person')], max_length=12)),
                        ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='log_ins', to=settings.AUTH_USER_MODEL)),
                        ('hallmark', models.CharField(help_text='Of all of it but its end: see people.log_ins.signed_log_ins.', max_length=64, null=True)),
                    ],
                    options={
                        'indexes': [models.Index(condition=models.Q(('ended_at__isnull', True)), fields=['person'], name='log_in_under_way')],
                        'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', True), ('ended_because', '')), models.Q(('ended_at__isnull', False), models.Q(('ended_because', ''), _negated=True)), _connector='OR'), name='log_in_ends_for_a_reason')],
                    },
                ),
                migrations.CreateModel(
                    name='SecondFactor',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('secret', models.TextField(help_text='Encrypted: see config.kit.keys.')),
                        ('confirmed_at', models.DateTimeField(blank=True, help_text='Empty until a first code was right.', null=True)),
                        ('last_step', models.BigIntegerField(default=0, help_text='Of the last code taken: none is taken twice.')),
                        ('person', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='second_factor', to=settings.AUTH_USER_MODEL)),
                    ],
                ),
                migrations.CreateModel(
                    name='Delivery',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('channel', models.CharField(choices=[('mail', 'Mail'), ('webhook', 'Webhook')], max_length=7)),
                        ('address', models.CharField(help_text='A mailbox, or the address that is posted to.', max_length=500)),
                        ('made_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('attempts', models.PositiveSmallIntegerField(db_default=0, default=0)),
                        ('next_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), help_text='When it is tried next.')),
                        ('sent_at', models.DateTimeField(null=True)),
                        ('given_up_at', models.DateTimeField(null=True)),
                        ('error', models.TextField(blank=True, help_text='Of the last attempt.')),
                        ('alert', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='deliveries', to='people.alert')),
                    ],
                    options={
                        'indexes': [models.Index(condition=models.Q(('given_up_at__isnull', True), ('sent_at__isnull', True)), fields=['next_at'], name='delivery_to_be_sent')],
                        'constraints': [models.UniqueConstraint(fields=('alert', 'channel', 'address'), name='delivery_once'), models.CheckConstraint(condition=models.Q(('sent_at__isnull', True), ('given_up_at__isnull', True), _connector='OR'), name='delivery_ends_in_one_way'), models.CheckConstraint(condition=models.Q(('channel__in', ['mail', 'webhook']), models.Q(('address', ''), _negated=True)), name='delivery_to_somebody')],
                    },
                ),
            ]
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='alert',
            trigger=pgtrigger.compiler.Trigger(name='alert_after_the_last', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (NEW.occurrence > 1)', func="\n                    IF NOT EXISTS (\n                        SELECT FROM people_alert a LEFT JOIN people_alertacknowledgement k ON k.alert_id = a.id\n                        WHERE a.kind = NEW.kind AND a.subject = NEW.subject AND a.occurrence = NEW.occurrence - 1\n                            AND (k.id IS NOT NULL OR a.until <= statement_timestamp())\n                    ) THEN\n                        RAISE EXCEPTION 'Alert % about %: the one before it is still open, or there is none', NEW.kind,\n                            NEW.subject USING ERRCODE = 'check_violation', CONSTRAINT = 'alert_after_the_last';\n                    END IF;\n                    RETURN NEW;\n                ", hash='ab3786cdb50dd4e683d91153da5b36528f60c5e0', operation='INSERT', pgid='pgtrigger_alert_after_the_last_4fb9c', table='people_alert', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='alert',
            trigger=pgtrigger.compiler.Trigger(name='alert_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='0abc44960d026bba574659ac7d1c440e6a4f6759', operation='UPDATE', pgid='pgtrigger_alert_no_update_2c059', table='people_alert', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='alert',
            trigger=pgtrigger.compiler.Trigger(name='alert_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='d2316194bc307814c3d565cd27d8b33f243cdc00', operation='DELETE', pgid='pgtrigger_alert_no_delete_fbab0', table='people_alert', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='alert',
            trigger=pgtrigger.compiler.Trigger(name='alert_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='ec397dfb75a764741d3fbb552d5b6c558ac98e3c', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_alert_no_truncate_6343f', table='people_alert', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='alert',
            trigger=pgtrigger.compiler.Trigger(name='alert_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\n RETURN NEW;", hash='5d5fc052c6e9c5336918bd16c6b41a5f3a793472', operation='INSERT', pgid='pgtrigger_alert_stamped_0ad85', table='people_alert', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='user',
            trigger=pgtrigger.compiler.Trigger(name='user_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='a946e2295ab85b443671226173403d086f9a2984', operation='DELETE', pgid='pgtrigger_user_no_delete_be33f', table='people_user', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='user',
            trigger=pgtrigger.compiler.Trigger(name='user_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='b3653fdb98bca2dfa8be5cacb18d2c2a6ac72114', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_user_no_truncate_9e7d0', table='people_user', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='user',
            trigger=pgtrigger.compiler.Trigger(name='people_user_first_step', sql=config.kit.triggers.firm.GuardSql(func='INSERT INTO ledger_step (kind, row_id, state, content, detail) VALUES (\'people.user\', NEW.id, \'\', sha256(convert_to(\'{"class":"people.user"\' || coalesce(\',"is_active":\' || to_json(NEW.is_active)::text, \'\') || coalesce(\',"is_staff":\' || to_json(NEW.is_staff)::text, \'\') || coalesce(\',"is_superuser":\' || to_json(NEW.is_superuser)::text, \'\') || coalesce(\',"name":\' || to_json(NEW.name)::text, \'\') || coalesce(\',"password":\' || to_json(NEW.password)::text, \'\') || coalesce(\',"username":\' || to_json(NEW.username)::text, \'\') || \'}\', \'UTF8\')), NULL); RETURN NULL;', hash='5855c49a5c85d63ab884ad4ac298a0ebbff5b560', operation='INSERT', pgid='pgtrigger_people_user_first_step_b2f21', table='people_user', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='user',
            trigger=pgtrigger.compiler.Trigger(name='people_user_next_step', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD.username IS DISTINCT FROM NEW.username OR OLD.name IS DISTINCT FROM NEW.name OR OLD.password IS DISTINCT FROM NEW.password OR OLD.is_active IS DISTINCT FROM NEW.is_active OR OLD.is_staff IS DISTINCT FROM NEW.is_staff OR OLD.is_superuser IS DISTINCT FROM NEW.is_superuser)', func='INSERT INTO ledger_step (kind, row_id, state, content, detail) VALUES (\'people.user\', NEW.id, \'\', sha256(convert_to(\'{"class":"people.user"\' || coalesce(\',"is_active":\' || to_json(NEW.is_active)::text, \'\') || coalesce(\',"is_staff":\' || to_json(NEW.is_staff)::text, \'\') || coalesce(\',"is_superuser":\' || to_json(NEW.is_superuser)::text, \'\') || coalesce(\',"name":\' || to_json(NEW.name)::text, \'\') || coalesce(\',"password":\' || to_json(NEW.password)::text, \'\') || coalesce(\',"username":\' || to_json(NEW.username)::text, \'\') || \'}\', \'UTF8\')), NULL); RETURN NULL;', hash='d9b6e161316573206ac67efbf7f2cc979a06e1ea', operation='UPDATE', pgid='pgtrigger_people_user_next_step_8264e', table='people_user', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='alertacknowledgement',
            trigger=pgtrigger.compiler.Trigger(name='alert_acknowledgement_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='70e99e99cf1b43e211cb0acbeda20390e1812142', operation='UPDATE', pgid='pgtrigger_alert_acknowledgement_no_update_af9ea', table='people_alertacknowledgement', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='alertacknowledgement',
            trigger=pgtrigger.compiler.Trigger(name='alert_acknowledgement_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='f74fbb3e829d8b3184b7636d424444d83e7faffe', operation='DELETE', pgid='pgtrigger_alert_acknowledgement_no_delete_0c2a7', table='people_alertacknowledgement', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='alertacknowledgement',
            trigger=pgtrigger.compiler.Trigger(name='alert_acknowledgement_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='33d857c9d99fe64b1d1e3b1d6325cfaf66e87ea3', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_alert_acknowledgement_no_truncate_2ab64', table='people_alertacknowledgement', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='alertacknowledgement',
            trigger=pgtrigger.compiler.Trigger(name='alert_acknowledgement_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\n RETURN NEW;", hash='18aa095b4b0e4e1b5a4e5af16266c0861fdbfd4f', operation='INSERT', pgid='pgtrigger_alert_acknowledgement_stamped_6c0b3', table='people_alertacknowledgement', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='premises',
            trigger=pgtrigger.compiler.Trigger(name='premises_clock_fixed', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD.code <> NEW.code OR OLD.currency <> NEW.currency OR OLD.time_zone <> NEW.time_zone OR OLD.rollover_hour <> NEW.rollover_hour)', func="\n                    IF EXISTS (SELECT FROM ledger_gamingday d WHERE d.premises_id = NEW.id) THEN\n                        RAISE EXCEPTION 'Premises % have gaming days: code, currency and clock stay', OLD.code\n                            USING ERRCODE = 'check_violation', CONSTRAINT = 'premises_clock_fixed';\n                    END IF;\n                    RETURN NEW;\n                ", hash='9295b5035bd69b56f53d19132d4087361cf07dc6', operation='UPDATE', pgid='pgtrigger_premises_clock_fixed_e784e', table='people_premises', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='auditrecord',
            trigger=pgtrigger.compiler.Trigger(name='audit_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='831125eb48bafdbfafad29f0e1e3c88b249b89d6', operation='UPDATE', pgid='pgtrigger_audit_no_update_bf6d2', table='people_auditrecord', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='auditrecord',
            trigger=pgtrigger.compiler.Trigger(name='audit_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='c6f0c2da9bed69b702ae67c000b3dc825c3f7de2', operation='DELETE', pgid='pgtrigger_audit_no_delete_52a3a', table='people_auditrecord', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='auditrecord',
            trigger=pgtrigger.compiler.Trigger(name='audit_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='07434cd92f98fbf39652aba551c8e7e9c694c995', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_audit_no_truncate_edc6b', table='people_auditrecord', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='auditrecord',
            trigger=pgtrigger.compiler.Trigger(name='audit_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\nNEW.at := statement_timestamp(); RETURN NEW;", hash='b4e50c09687b4f6294ef74ed0d61baf3647a4f89', operation='INSERT', pgid='pgtrigger_audit_stamped_ba0fe', table='people_auditrecord', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='auditrecord',
            trigger=pgtrigger.compiler.Trigger(name='audit_hallmarked', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (NEW.hallmark IS NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot insert rows from % table', TG_TABLE_NAME;", hash='f45e1b497234965e874fed759106a61596520d90', operation='INSERT', pgid='pgtrigger_audit_hallmarked_1423e', table='people_auditrecord', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='approvalrequest',
            trigger=pgtrigger.compiler.Trigger(name='approval_begins_requested', sql=config.kit.triggers.firm.GuardSql(condition="WHEN (NEW.state <> 'requested')", func="RAISE EXCEPTION 'pgtrigger: Cannot insert rows from % table', TG_TABLE_NAME;", hash='46050f385323759f4f885d966f99c7dda092416c', operation='INSERT', pgid='pgtrigger_approval_begins_requested_19724', table='people_approvalrequest', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='approvalrequest',
            trigger=pgtrigger.compiler.Trigger(name='approval_steps', sql=config.kit.triggers.firm.GuardSql(declare='DECLARE _is_valid_transition BOOLEAN;', func='SELECT CONCAT(OLD."state", \':\', NEW."state") = ANY(\'{requested:approved,requested:rejected,approved:used}\'::text[]) INTO _is_valid_transition; IF (_is_valid_transition IS FALSE AND OLD."state" IS DISTINCT FROM NEW."state") THEN RAISE EXCEPTION \'pgtrigger: Invalid transition of field "state" from "%" to "%" on table %\', OLD."state", NEW."state", TG_TABLE_NAME; ELSE RETURN NEW; END IF;', hash='33535ba7b831894d70de2f1294862cce3ca0b3fe', operation='UPDATE', pgid='pgtrigger_approval_steps_db9cd', table='people_approvalrequest', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='approvalrequest',
            trigger=pgtrigger.compiler.Trigger(name='approval_request_fixed', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD."premises_id" IS DISTINCT FROM (NEW."premises_id") OR OLD."action" IS DISTINCT FROM (NEW."action") OR OLD."payload_json" IS DISTINCT FROM (NEW."payload_json") OR OLD."payload_sha256" IS DISTINCT FROM (NEW."payload_sha256") OR OLD."version" IS DISTINCT FROM (NEW."version") OR OLD."reason" IS DISTINCT FROM (NEW."reason") OR OLD."requested_by_id" IS DISTINCT FROM (NEW."requested_by_id") OR OLD."requested_at" IS DISTINCT FROM (NEW."requested_at") OR OLD."expires_at" IS DISTINCT FROM (NEW."expires_at"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='348e6abf71171d9cfbdb58757305f44833b24410', operation='UPDATE', pgid='pgtrigger_approval_request_fixed_001dd', table='people_approvalrequest', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='approvalrequest',
            trigger=pgtrigger.compiler.Trigger(name='approval_decision_fixed', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD.decided_by_id IS NOT NULL AND (OLD.decided_by_id IS DISTINCT FROM NEW.decided_by_id OR OLD.decided_at IS DISTINCT FROM NEW.decided_at OR OLD.decision_note IS DISTINCT FROM NEW.decision_note))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='3cfc6a5923ba93f276474ab7159a14958fc9a509', operation='UPDATE', pgid='pgtrigger_approval_decision_fixed_b1dbd', table='people_approvalrequest', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='approvalrequest',
            trigger=pgtrigger.compiler.Trigger(name='approval_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='17e0203170dec5a1142e7ab90eca863f401dc171', operation='DELETE', pgid='pgtrigger_approval_no_delete_23581', table='people_approvalrequest', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='approvalrequest',
            trigger=pgtrigger.compiler.Trigger(name='approval_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='96cb6f673698d3e2bf1191d17e8e16c7dd8ca3fc', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_approval_no_truncate_219ec', table='people_approvalrequest', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='approvalrequest',
            trigger=pgtrigger.compiler.Trigger(name='people_approvalrequest_first_step', sql=config.kit.triggers.firm.GuardSql(func='INSERT INTO ledger_step (kind, row_id, state, content, detail) VALUES (\'people.approvalrequest\', NEW.id, NEW.state, sha256(convert_to(\'{"class":"people.approvalrequest"\' || coalesce(\',"action":\' || to_json(NEW.action)::text, \'\') || coalesce(\',"decided_at":\' || \'"\' || to_char(NEW.decided_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"decided_by_id":\' || to_json(NEW.decided_by_id)::text, \'\') || coalesce(\',"decision_note":\' || to_json(NEW.decision_note)::text, \'\') || coalesce(\',"expires_at":\' || \'"\' || to_char(NEW.expires_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"payload_sha256":\' || to_json(NEW.payload_sha256)::text, \'\') || coalesce(\',"premises_id":\' || to_json(NEW.premises_id)::text, \'\') || coalesce(\',"reason":\' || to_json(NEW.reason)::text, \'\') || coalesce(\',"requested_at":\' || \'"\' || to_char(NEW.requested_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"requested_by_id":\' || to_json(NEW.requested_by_id)::text, \'\') || coalesce(\',"state":\' || to_json(NEW.state)::text, \'\') || coalesce(\',"used_at":\' || \'"\' || to_char(NEW.used_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"version":\' || to_json(NEW.version)::text, \'\') || \'}\', \'UTF8\')), NULL); RETURN NULL;', hash='3a114223232d6d0fc564cb1dbe694a0ab7dff9e7', operation='INSERT', pgid='pgtrigger_people_approvalrequest_first_step_45391', table='people_approvalrequest', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='approvalrequest',
            trigger=pgtrigger.compiler.Trigger(name='people_approvalrequest_next_step', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD.premises_id IS DISTINCT FROM NEW.premises_id OR OLD.action IS DISTINCT FROM NEW.action OR OLD.payload_sha256 IS DISTINCT FROM NEW.payload_sha256 OR OLD.version IS DISTINCT FROM NEW.version OR OLD.reason IS DISTINCT FROM NEW.reason OR OLD.requested_by_id IS DISTINCT FROM NEW.requested_by_id OR OLD.requested_at IS DISTINCT FROM NEW.requested_at OR OLD.expires_at IS DISTINCT FROM NEW.expires_at OR OLD.state IS DISTINCT FROM NEW.state OR OLD.decided_by_id IS DISTINCT FROM NEW.decided_by_id OR OLD.decided_at IS DISTINCT FROM NEW.decided_at OR OLD.decision_note IS DISTINCT FROM NEW.decision_note OR OLD.used_at IS DISTINCT FROM NEW.used_at)', func='INSERT INTO ledger_step (kind, row_id, state, content, detail) VALUES (\'people.approvalrequest\', NEW.id, NEW.state, sha256(convert_to(\'{"class":"people.approvalrequest"\' || coalesce(\',"action":\' || to_json(NEW.action)::text, \'\') || coalesce(\',"decided_at":\' || \'"\' || to_char(NEW.decided_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"decided_by_id":\' || to_json(NEW.decided_by_id)::text, \'\') || coalesce(\',"decision_note":\' || to_json(NEW.decision_note)::text, \'\') || coalesce(\',"expires_at":\' || \'"\' || to_char(NEW.expires_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"payload_sha256":\' || to_json(NEW.payload_sha256)::text, \'\') || coalesce(\',"premises_id":\' || to_json(NEW.premises_id)::text, \'\') || coalesce(\',"reason":\' || to_json(NEW.reason)::text, \'\') || coalesce(\',"requested_at":\' || \'"\' || to_char(NEW.requested_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"requested_by_id":\' || to_json(NEW.requested_by_id)::text, \'\') || coalesce(\',"state":\' || to_json(NEW.state)::text, \'\') || coalesce(\',"used_at":\' || \'"\' || to_char(NEW.used_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"version":\' || to_json(NEW.version)::text, \'\') || \'}\', \'UTF8\')), NULL); RETURN NULL;', hash='b929341c56d00900ac4731675d761a4ab7a1758f', operation='UPDATE', pgid='pgtrigger_people_approvalrequest_next_step_86a6b', table='people_approvalrequest', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='rolegrant',
            trigger=pgtrigger.compiler.Trigger(name='role_grant_one_department', sql=config.kit.triggers.firm.GuardSql(func="\n                    PERFORM FROM people_user WHERE id = NEW.user_id FOR NO KEY UPDATE;\n                    IF EXISTS (\n                        SELECT FROM people_rolegrant g\n                        WHERE g.user_id = NEW.user_id AND g.premises_id = NEW.premises_id AND g.id <> NEW.id\n                            AND CASE g.role WHEN 'supervisor' THEN 'floor' WHEN 'jackpot_manager' THEN 'floor' WHEN 'finance' THEN 'finance' WHEN 'auditor' THEN 'audit' WHEN 'administrator' THEN 'administration' END <> CASE NEW.role WHEN 'supervisor' THEN 'floor' WHEN 'jackpot_manager' THEN 'floor' WHEN 'finance' THEN 'finance' WHEN 'auditor' THEN 'audit' WHEN 'administrator' THEN 'administration' END\n                    ) THEN\n                        RAISE EXCEPTION 'The role % conflicts with one that the person has at these premises', NEW.role\n                            USING ERRCODE = 'check_violation', CONSTRAINT = 'role_grant_one_department';\n                    END IF;\n                    RETURN NEW;\n                ", hash='2c10bd01b62e8130d07b54cf8d38057ee340bf03', operation='INSERT OR UPDATE', pgid='pgtrigger_role_grant_one_department_71934', table='people_rolegrant', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='rolegrant',
            trigger=pgtrigger.compiler.Trigger(name='role_grant_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='33fe4a187540366464d929e3a9f1ae6826db4d84', operation='UPDATE', pgid='pgtrigger_role_grant_no_update_9600d', table='people_rolegrant', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='rolegrant',
            trigger=pgtrigger.compiler.Trigger(name='role_grant_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='43bd5c76824702830df2e2286923d05abee549c7', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_role_grant_no_truncate_1a0ed', table='people_rolegrant', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='rolegrant',
            trigger=pgtrigger.compiler.Trigger(name='people_rolegrant_last_step', sql=config.kit.triggers.firm.GuardSql(func='INSERT INTO ledger_step (kind, row_id, state, content, detail) VALUES (\'people.rolegrant\', OLD.id, \'gone\', sha256(convert_to(\'{"class":"people.rolegrant"\' || coalesce(\',"granted_at":\' || \'"\' || to_char(OLD.granted_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"premises_id":\' || to_json(OLD.premises_id)::text, \'\') || coalesce(\',"role":\' || to_json(OLD.role)::text, \'\') || coalesce(\',"user_id":\' || to_json(OLD.user_id)::text, \'\') || \'}\', \'UTF8\')), NULL); RETURN NULL;', hash='f7a77c2626bd484db28a67f21f896c910dd3221e', operation='DELETE', pgid='pgtrigger_people_rolegrant_last_step_30fe2', table='people_rolegrant', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='rolegrant',
            trigger=pgtrigger.compiler.Trigger(name='people_rolegrant_first_step', sql=config.kit.triggers.firm.GuardSql(func='INSERT INTO ledger_step (kind, row_id, state, content, detail) VALUES (\'people.rolegrant\', NEW.id, \'\', sha256(convert_to(\'{"class":"people.rolegrant"\' || coalesce(\',"granted_at":\' || \'"\' || to_char(NEW.granted_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"premises_id":\' || to_json(NEW.premises_id)::text, \'\') || coalesce(\',"role":\' || to_json(NEW.role)::text, \'\') || coalesce(\',"user_id":\' || to_json(NEW.user_id)::text, \'\') || \'}\', \'UTF8\')), NULL); RETURN NULL;', hash='68c28a1c523fef11252991110a23756ca97fad8c', operation='INSERT', pgid='pgtrigger_people_rolegrant_first_step_9f365', table='people_rolegrant', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='rolegrant',
            trigger=pgtrigger.compiler.Trigger(name='people_rolegrant_next_step', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD.user_id IS DISTINCT FROM NEW.user_id OR OLD.premises_id IS DISTINCT FROM NEW.premises_id OR OLD.role IS DISTINCT FROM NEW.role OR OLD.granted_at IS DISTINCT FROM NEW.granted_at)', func='INSERT INTO ledger_step (kind, row_id, state, content, detail) VALUES (\'people.rolegrant\', NEW.id, \'\', sha256(convert_to(\'{"class":"people.rolegrant"\' || coalesce(\',"granted_at":\' || \'"\' || to_char(NEW.granted_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"premises_id":\' || to_json(NEW.premises_id)::text, \'\') || coalesce(\',"role":\' || to_json(NEW.role)::text, \'\') || coalesce(\',"user_id":\' || to_json(NEW.user_id)::text, \'\') || \'}\', \'UTF8\')), NULL); RETURN NULL;', hash='9b539624d047078e8faa60f01d9f6a8f2fa8761d', operation='UPDATE', pgid='pgtrigger_people_rolegrant_next_step_7f83b', table='people_rolegrant', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='invitation',
            trigger=pgtrigger.compiler.Trigger(name='invitation_used_once', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD.used_at IS NOT NULL OR OLD.withdrawn_at IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='a95f9e309be5bccf21071e08974b645ebd9300e5', operation='UPDATE', pgid='pgtrigger_invitation_used_once_2a5b0', table='people_invitation', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='invitation',
            trigger=pgtrigger.compiler.Trigger(name='invitation_fixed', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD."person_id" IS DISTINCT FROM (NEW."person_id") OR OLD."token_sha256" IS DISTINCT FROM (NEW."token_sha256") OR OLD."made_at" IS DISTINCT FROM (NEW."made_at") OR OLD."expires_at" IS DISTINCT FROM (NEW."expires_at"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='3e10c4732da27683e77524a27b422dbf3e27c110', operation='UPDATE', pgid='pgtrigger_invitation_fixed_3ab2f', table='people_invitation', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='invitation',
            trigger=pgtrigger.compiler.Trigger(name='invitation_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='7502c55a21ba67efd31130bc858e24fe15dc7fae', operation='DELETE', pgid='pgtrigger_invitation_no_delete_dc23f', table='people_invitation', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='invitation',
            trigger=pgtrigger.compiler.Trigger(name='invitation_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='ed76b809889e4dad281ee847c9ec5d47c619bfa4', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_invitation_no_truncate_89102', table='people_invitation', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='login',
            trigger=pgtrigger.compiler.Trigger(name='log_in_ended_for_good', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD.ended_at IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='43bae17b088f8cbf2f33b3365aace29fef6a1f0e', operation='UPDATE', pgid='pgtrigger_log_in_ended_for_good_779fc', table='people_login', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='login',
            trigger=pgtrigger.compiler.Trigger(name='log_in_fixed', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD."person_id" IS DISTINCT FROM (NEW."person_id") OR OLD."began_at" IS DISTINCT FROM (NEW."began_at") OR OLD."ip" IS DISTINCT FROM (NEW."ip") OR OLD."browser" IS DISTINCT FROM (NEW."browser"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='606d6966ef9b2759d6cbf1af140aa39d41cc4e61', operation='UPDATE', pgid='pgtrigger_log_in_fixed_262a5', table='people_login', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='login',
            trigger=pgtrigger.compiler.Trigger(name='log_in_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='e8d4239ba117b7707c31089e352d464fac4b6ce1', operation='DELETE', pgid='pgtrigger_log_in_no_delete_abe62', table='people_login', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='login',
            trigger=pgtrigger.compiler.Trigger(name='log_in_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='b927bc02c9c321375780716585924ba2cf778728', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_log_in_no_truncate_5e155', table='people_login', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='login',
            trigger=pgtrigger.compiler.Trigger(name='log_in_begins_hallmarked', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (NEW.hallmark IS NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot insert rows from % table', TG_TABLE_NAME;", hash='a0d5b92f3817823fc2a31346248ac88194167de5', operation='INSERT', pgid='pgtrigger_log_in_begins_hallmarked_f393f', table='people_login', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='login',
            trigger=pgtrigger.compiler.Trigger(name='log_in_hallmarked', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (NEW.hallmark IS NULL AND OLD.hallmark IS NOT NULL OR NEW.hallmark IS NOT DISTINCT FROM OLD.hallmark AND (OLD.last_used_at <> NEW.last_used_at OR OLD.proved_at <> NEW.proved_at OR OLD.second_factor_at IS DISTINCT FROM NEW.second_factor_at))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='9410ac9d0d5e0bbc52e8359684a3d647fa91057a', operation='UPDATE', pgid='pgtrigger_log_in_hallmarked_48965', table='people_login', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='secondfactor',
            trigger=pgtrigger.compiler.Trigger(name='second_factor_step_goes_up', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (NEW.last_step < OLD.last_step)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='1961b909077b5e5741a4864ec0d827139f9e85d0', operation='UPDATE', pgid='pgtrigger_second_factor_step_goes_up_9ff05', table='people_secondfactor', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='delivery',
            trigger=pgtrigger.compiler.Trigger(name='delivery_ended_for_good', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD.sent_at IS NOT NULL OR OLD.given_up_at IS NOT NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='9c88a352db5fa42e2ee8cbcb1c5d5f4cf3e1793d', operation='UPDATE', pgid='pgtrigger_delivery_ended_for_good_6e7fe', table='people_delivery', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='delivery',
            trigger=pgtrigger.compiler.Trigger(name='delivery_fixed', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD."alert_id" IS DISTINCT FROM (NEW."alert_id") OR OLD."channel" IS DISTINCT FROM (NEW."channel") OR OLD."address" IS DISTINCT FROM (NEW."address") OR OLD."made_at" IS DISTINCT FROM (NEW."made_at"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='e8af9f1b480813d0262ce1a6ee28bb4403aaef42', operation='UPDATE', pgid='pgtrigger_delivery_fixed_5e1bd', table='people_delivery', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='delivery',
            trigger=pgtrigger.compiler.Trigger(name='delivery_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='c7d4a7d9216efb917bcb127998f862919b1af1d4', operation='DELETE', pgid='pgtrigger_delivery_no_delete_3af47', table='people_delivery', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='delivery',
            trigger=pgtrigger.compiler.Trigger(name='delivery_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='ab4027c85a660fa8392b6efb9c84ee71a4d0beec', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_delivery_no_truncate_95a60', table='people_delivery', when='BEFORE')),
        ),
    ]
