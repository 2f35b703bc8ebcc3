"""Tables, terminals, rounds, corrections, counts and disputes, for a new database: at once what 23 migrations made step by step.

Of an older one, which has those that `replaces` names, nothing is changed; it must have all of them (config/replaced.py).
"""

import config.kit.triggers.firm
import config.kit.triggers.sealed
import datetime
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.datetime
import pgtrigger.compiler
import pgtrigger.migrations
import rules.version
from config.kit.at_once import CreateModels
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('tables', '0001_initial'),
        ('tables', '0002_no_way_around_triggers'),
        ('tables', '0003_time_and_order'),
        ('tables', '0004_tokens_have_a_life'),
        ('tables', '0005_sealed'),
        ('tables', '0006_seal_time_and_order'),
        ('tables', '0007_chain_of_events'),
        ('tables', '0008_terminals_sign'),
        ('tables', '0009_terminals_have_steps'),
        ('tables', '0010_lines_by_statement'),
        ('tables', '0011_set_up_and_changes'),
        ('tables', '0012_steps_carry_content'),
        ('tables', '0013_counts_and_claims'),
        ('tables', '0014_corrections'),
        ('tables', '0015_one_after_the_other'),
        ('tables', '0016_fewer_indexes'),
        ('tables', '0017_rounds_ended_by_people'),
        ('tables', '0018_lines_by_month'),
        ('tables', '0019_divided_guards'),
        ('tables', '0020_day_totals'),
        ('tables', '0021_steps_by_statement'),
        ('tables', '0022_lines_hash_where_settled'),
        ('tables', '0023_message_texts'),
    ]

    dependencies = [
        ('people', '0001_squashed_0009_person_has_a_language'),
        ('ledger', '0001_squashed_0008_divided_guards'),
        ('jackpots', '0001_squashed_0026_frame_texts'),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name='TableConfig',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('sha256', models.CharField(max_length=64, unique=True)),
                        ('version', models.PositiveSmallIntegerField(db_default=1, default=rules.version.document_version, editable=False, help_text="How the row's documents are spelled.")),
                        ('document', models.JSONField()),
                        ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                    ],
                ),
                migrations.CreateModel(
                    name='TableEvent',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('number', models.BigIntegerField()),
                        ('kind', models.CharField(max_length=20)),
                        ('terminal_at', models.DateTimeField(help_text="The reading of the terminal's clock.")),
                        ('received_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('sha256', models.CharField(help_text='Of the message.', max_length=64)),
                        ('answer', models.JSONField()),
                        ('round', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='events', to='tables.round')),
                        ('table', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='events', to='tables.table')),
                        ('clock', models.CharField(blank=True, help_text='Which of its clocks.', max_length=64)),
                        ('session', models.PositiveIntegerField(default=1)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('head', models.BinaryField(help_text="Its link in the table's chain: tables.chain.", null=True)),
                        ('message', models.TextField(help_text='All of it, as canonical JSON.', null=True)),
                    ],
                    options={
                        'indexes': [models.Index(fields=['xact_id'], name='table_event_by_stamp')],
                        'constraints': [models.UniqueConstraint(fields=('table', 'session', 'number'), name='table_event_number_once')],
                    },
                ),
                migrations.CreateModel(
                    name='Terminal',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('name', models.CharField(max_length=100)),
                        ('token_sha256', models.CharField(max_length=64, unique=True)),
                        ('issued_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('revoked_at', models.DateTimeField(blank=True, null=True)),
                        ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='terminals', to='tables.table')),
                        ('expires_at', models.DateTimeField(blank=True, help_text='When the token is over by itself.', null=True)),
                        ('networks', models.JSONField(default=list, help_text='From where it may be used; empty: from anywhere.')),
                        ('previous_sha256', models.CharField(blank=True, help_text='The token before it, while both hold.', max_length=64, null=True, unique=True)),
                        ('previous_until', models.DateTimeField(blank=True, null=True)),
                        ('last_signed', models.BigIntegerField(default=0, help_text='The number of its last signature.')),
                        ('must_sign', models.BooleanField(default=False, help_text='What it sends is taken only with a signature.')),
                        ('version', models.CharField(default='', help_text='Of its program, as it last told it.', max_length=64)),
                    ],
                    options={
                        'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('previous_sha256__isnull', True), ('previous_until__isnull', True)), models.Q(('previous_sha256__isnull', False), ('previous_until__isnull', False)), _connector='OR'), name='terminal_previous_token_ends')],
                    },
                ),
                migrations.CreateModel(
                    name='WagerLine',
                    fields=[
                        ('pk', models.CompositePrimaryKey('round_id', 'position', blank=True, editable=False, primary_key=True, serialize=False)),
                        ('wager_id', models.CharField(max_length=64)),
                        ('position', models.PositiveSmallIntegerField(help_text='Order within the settlement.')),
                        ('kind', models.CharField(max_length=32)),
                        ('seat', models.SmallIntegerField()),
                        ('player', models.CharField(blank=True, max_length=64)),
                        ('selection', models.CharField(blank=True, max_length=64)),
                        ('is_jackpot', models.BooleanField(default=False)),
                        ('is_fee', models.BooleanField(default=False)),
                        ('is_new', models.BooleanField(default=True, help_text='Placed in this round; False: an earlier round left it standing.')),
                        ('outcome', models.CharField(max_length=6)),
                        ('odds', models.CharField(blank=True, max_length=24)),
                        ('rule', models.CharField(max_length=64)),
                        ('also', models.CharField(blank=True, max_length=200)),
                        ('stake_micros', models.BigIntegerField()),
                        ('winnings_micros', models.BigIntegerField()),
                        ('returned_micros', models.BigIntegerField()),
                        ('standing_micros', models.BigIntegerField()),
                        ('commission_micros', models.BigIntegerField()),
                        ('rounding_micros', models.BigIntegerField()),
                        ('round', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='lines', to='tables.round')),
                    ],
                    options={
                        'ordering': ['round', 'position'],
                        'constraints': [models.CheckConstraint(condition=models.Q(('returned_micros__gte', 0), ('rounding_micros__gte', 0), ('stake_micros__gt', 0), ('standing_micros__gte', 0), ('winnings_micros__gte', 0)), name='wager_line_not_negative'), models.CheckConstraint(condition=models.Q(('stake_micros__gte', django.db.models.expressions.CombinedExpression(models.F('returned_micros'), '+', models.F('standing_micros')))), name='wager_line_returns_no_more_than_stake')],
                    },
                ),
                migrations.CreateModel(
                    name='Table',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('code', models.CharField(max_length=32)),
                        ('pit', models.CharField(blank=True, max_length=32)),
                        ('is_open', models.BooleanField(default=False)),
                        ('last_event', models.BigIntegerField(default=0, help_text="Number of the terminal's last event.")),
                        ('last_round', models.BigIntegerField(default=0, help_text='Number of the last round opened.')),
                        ('last_heard_at', models.DateTimeField(blank=True, null=True)),
                        ('carried', models.JSONField(default=dict, help_text='What the last closed round handed to the next.')),
                        ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tables', to='people.premises')),
                        ('table_log', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='table', to='jackpots.tablelog')),
                        ('config', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tables', to='tables.tableconfig')),
                        ('session', models.PositiveIntegerField(default=1, help_text='Counts terminals that took over; event numbers begin anew with each.')),
                        ('head', models.BinaryField(help_text="Where the chain of its terminal's events stands.", null=True)),
                        ('change_due_at', models.DateTimeField(help_text='When the change that is planned takes effect.', null=True)),
                        ('chips', models.JSONField(help_text='Values of the chips in use; the least is what rounding goes by.', null=True)),
                        ('closing_at', models.DateTimeField(help_text='When it closes, as its sign says: no rounds after it.', null=True)),
                        ('reserved_for', models.CharField(help_text='A private table (nz-1996 I 20): for whom or what; none: for everybody.', max_length=100, null=True)),
                        ('rules_from', models.DateTimeField(help_text='Since when `config` holds; none: since it is there.', null=True)),
                        ('seats', models.PositiveSmallIntegerField(help_text='Seats in use; none: all that the game has.', null=True)),
                        ('device_error_ms', models.PositiveIntegerField(help_text='How far the word of its shoe or shuffler may be from the moment; none: as usual for such.', null=True)),
                    ],
                    options={
                        'ordering': ['premises', 'code'],
                        'constraints': [models.UniqueConstraint(fields=('premises', 'code'), name='table_code_once')],
                    },
                ),
                migrations.CreateModel(
                    name='Round',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('uid', models.UUIDField(help_text='Made by the terminal.')),
                        ('number', models.BigIntegerField()),
                        ('state', models.CharField(choices=[('open', 'Wagers are being placed'), ('locked', 'No more bets'), ('closed', 'Settled by the rules, to be booked'), ('settled', 'Settled'), ('parked', 'Cannot be settled: someone must look')], default='open', max_length=10)),
                        ('opened_at', models.DateTimeField()),
                        ('locked_at', models.DateTimeField(null=True)),
                        ('closed_at', models.DateTimeField(null=True)),
                        ('settled_at', models.DateTimeField(null=True)),
                        ('gaming_day', models.DateField(help_text='The day of its no more bets.', null=True)),
                        ('late_day', models.DateField(help_text='The later gaming day in whose books it is, where its own was closed when it came.', null=True)),
                        ('version', models.PositiveSmallIntegerField(db_default=1, default=rules.version.document_version, editable=False, help_text="How the row's documents are spelled.")),
                        ('wagers', models.JSONField(default=list)),
                        ('dealt', models.JSONField(default=dict)),
                        ('decisions', models.JSONField(default=list)),
                        ('irregularities', models.JSONField(default=list)),
                        ('moments', models.JSONField(default=dict, help_text='When cards were received, by seat and moment, as told and as placed.')),
                        ('carried_in', models.JSONField(default=dict, help_text='What it inherited from the round before.')),
                        ('settlement', models.JSONField(help_text='What the rules said when it closed, until it is booked: then its lines say it.', null=True)),
                        ('result', models.JSONField(default=dict, help_text='The outcome in words.')),
                        ('rules_version', models.PositiveSmallIntegerField(help_text='Of the rules that settled it: rules.version says what counts as another.', null=True)),
                        ('attempts', models.PositiveSmallIntegerField(default=0)),
                        ('error', models.TextField(blank=True)),
                        ('table', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='rounds', to='tables.table')),
                        ('config', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.tableconfig')),
                        ('jackpots_count', models.BooleanField(default=False, help_text="Its wagers take part in the table's progressives.")),
                        ('lock', models.JSONField(help_text='Its no more bets as it was told and placed.', null=True)),
                        ('not_accepted', models.JSONField(default=list, help_text='Jackpot wagers that did not count and went back, each with the reason and the rule.')),
                        ('result_told', models.JSONField(help_text='Its result, as it was told and placed.', null=True)),
                    ],
                    options={
                        'ordering': ['-opened_at'],
                        'indexes': [models.Index(condition=models.Q(('state', 'settled'), _negated=True), fields=['table', 'number'], name='round_unsettled'), models.Index(condition=models.Q(('settlement__isnull', True), ('state__in', ['closed', 'parked'])), fields=['table', 'number'], name='round_unanswered'), models.Index(fields=['table', 'gaming_day'], name='round_by_day'), models.Index(condition=models.Q(('late_day__isnull', False)), fields=['late_day'], name='round_late')],
                        'constraints': [models.UniqueConstraint(fields=('uid',), name='round_uid_once'), models.UniqueConstraint(fields=('table', 'number'), name='round_number_once'), models.UniqueConstraint(condition=models.Q(('state__in', ['open', 'locked'])), fields=('table',), name='round_one_under_way'), models.CheckConstraint(condition=models.Q(models.Q(('locked_at__isnull', True), ('state', 'open')), models.Q(('closed_at__isnull', True), ('locked_at__isnull', False), ('state', 'locked')), models.Q(('closed_at__isnull', False), ('settled_at__isnull', True), ('state__in', ['closed', 'parked'])), models.Q(('closed_at__isnull', False), ('gaming_day__isnull', False), ('rules_version__isnull', False), ('settled_at__isnull', False), ('settlement__isnull', True), ('state', 'settled')), _connector='OR'), name='round_state_consistent')],
                    },
                ),
                migrations.CreateModel(
                    name='InspectorNotice',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(help_text='As in rules.notices, or `limits`.', max_length=20)),
                        ('rule', models.CharField(max_length=64)),
                        ('text', models.TextField()),
                        ('made_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('made_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='notices', to='tables.table')),
                        ('change', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='notices', to='tables.tablechange')),
                    ],
                    options={
                        'indexes': [models.Index(fields=['xact_id'], name='inspector_notice_by_stamp')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='inspector_notice_says_what')],
                    },
                ),
                migrations.CreateModel(
                    name='NoticeAcknowledgement',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('inspector', models.CharField(help_text='Name or number of the inspector.', max_length=150)),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('actor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('notice', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='acknowledgement', to='tables.inspectornotice')),
                    ],
                    options={
                        'indexes': [models.Index(fields=['xact_id'], name='notice_acknowledged_by_stamp')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('inspector', ''), _negated=True), name='notice_taken_by_someone')],
                    },
                ),
                migrations.CreateModel(
                    name='TableChange',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(choices=[('rules', 'Rules: what is paid'), ('limits', 'Limits: what may be wagered')], max_length=10)),
                        ('chips', models.JSONField(help_text='The chips in use from then on; none: as before.', null=True)),
                        ('needs_notice', models.BooleanField(help_text='It is worse for players, and the book asks for a sign before.')),
                        ('exception', models.CharField(blank=True, help_text='The paragraph of nz-1996 I 13.3 by which it needs no sign: b, c or d.', max_length=1)),
                        ('reason', models.TextField()),
                        ('shown_at', models.DateTimeField(help_text='When its sign was put up.')),
                        ('from_at', models.DateTimeField(help_text='When it takes effect, at the earliest.')),
                        ('state', models.CharField(choices=[('planned', 'Shown, not in force yet'), ('in_force', 'Took effect'), ('withdrawn', 'Withdrawn before its time')], default='planned', max_length=10)),
                        ('ended_at', models.DateTimeField(help_text='From when it is in force, or was withdrawn.', null=True)),
                        ('approved_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('asked_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('config', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.tableconfig')),
                        ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='changes', to='tables.table')),
                        ('was', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.tableconfig')),
                    ],
                    options={
                        'ordering': ['-pk'],
                        'constraints': [models.UniqueConstraint(condition=models.Q(('state', 'planned')), fields=('table',), name='table_change_one_planned'), models.CheckConstraint(condition=models.Q(('needs_notice', False), ('exception__in', ['b', 'c', 'd']), ('from_at__gte', django.db.models.expressions.CombinedExpression(models.F('shown_at'), '+', models.Value(datetime.timedelta(seconds=1200)))), _connector='OR'), name='table_change_shown_before'), models.CheckConstraint(condition=models.Q(models.Q(('approved_by__isnull', True), ('kind', 'limits')), models.Q(('approved_by__isnull', False), ('kind', 'rules'), models.Q(('approved_by', models.F('asked_by')), _negated=True)), _connector='OR'), name='table_change_rules_by_two'), models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', True), ('state', 'planned')), models.Q(('ended_at__isnull', False), ('state', 'withdrawn')), models.Q(('ended_at__gte', models.F('from_at')), ('state', 'in_force')), _connector='OR'), name='table_change_state_consistent'), models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='table_change_says_why')],
                    },
                ),
                migrations.CreateModel(
                    name='ChipSlip',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('number', models.CharField(max_length=40)),
                        ('serial', models.PositiveIntegerField(help_text='Where the house gave the number: which.', null=True)),
                        ('day', models.DateField(help_text='Its gaming day.')),
                        ('promotional_micros', models.BigIntegerField(default=0, help_text='Counted with it, apart.')),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('approval', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='people.approvalrequest')),
                        ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='chip_slips', to='tables.table')),
                    ],
                    options={
                        'indexes': [models.Index(fields=['table', 'number'], name='chip_slip_by_number'), models.Index(fields=['table', 'day'], name='chip_slip_by_day'), models.Index(fields=['xact_id'], name='chip_slip_by_stamp')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('promotional_micros__gte', 0)), name='chip_slip_promotional')],
                    },
                ),
                migrations.CreateModel(
                    name='ColourStep',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('colour', models.CharField(max_length=32)),
                        ('player', models.CharField(help_text='Who holds them: seat, or a label.', max_length=64)),
                        ('kind', models.CharField(choices=[('issued', 'Issued'), ('redeemed', 'Redeemed, or counted in the rack'), ('set_aside', 'Set aside: nobody came for it')], max_length=10)),
                        ('value_micros', models.BigIntegerField(help_text='Of one chip, as the player declared it.')),
                        ('chips', models.PositiveIntegerField(help_text='How many were handed out, or handed back.')),
                        ('left', models.PositiveIntegerField(help_text='How many the player still has; not known while they play.', null=True)),
                        ('owed_micros', models.BigIntegerField(help_text='What is owed for the colour after it.')),
                        ('moved_micros', models.BigIntegerField(help_text='By how much more than before.')),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('actor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='colour_steps', to='tables.table')),
                    ],
                    options={
                        'ordering': ['pk'],
                        'indexes': [models.Index(fields=['table', 'colour', '-id'], name='colour_step_by_colour'), models.Index(fields=['xact_id'], name='colour_step_by_stamp')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('owed_micros__gte', 0), ('value_micros__gt', 0), models.Q(('colour', ''), _negated=True), models.Q(('player', ''), _negated=True)), name='colour_step_makes_sense'), models.CheckConstraint(condition=models.Q(models.Q(('chips__gt', 0), ('kind', 'issued'), ('left__isnull', True), ('moved_micros', django.db.models.expressions.CombinedExpression(models.F('chips'), '*', models.F('value_micros')))), models.Q(('kind', 'redeemed'), ('owed_micros', django.db.models.expressions.CombinedExpression(models.F('left'), '*', models.F('value_micros')))), models.Q(('kind', 'set_aside'), ('left', 0), ('moved_micros__lt', 0), ('owed_micros', 0)), _connector='OR'), name='colour_step_adds_up')],
                    },
                ),
                migrations.CreateModel(
                    name='CountRules',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('from_day', models.DateField(help_text='The first gaming day on which it holds.')),
                        ('explain_above_micros', models.BigIntegerField(help_text='A variance above it, either way, is accepted only with an explanation.')),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('approval', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='people.approvalrequest')),
                        ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='count_rules', to='people.premises')),
                    ],
                    options={
                        'ordering': ['premises', 'from_day', 'pk'],
                        'indexes': [models.Index(fields=['xact_id'], name='count_rules_by_stamp')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('explain_above_micros__gte', 0)), name='count_rules_sum')],
                    },
                ),
                migrations.CreateModel(
                    name='Dispute',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('seat', models.PositiveSmallIntegerField(null=True)),
                        ('complainant', models.CharField(help_text='As the house calls them: a label, or a name given.', max_length=100)),
                        ('complaint', models.TextField()),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('opened_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('round', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='disputes', to='tables.round')),
                        ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='disputes', to='tables.table')),
                    ],
                    options={
                        'ordering': ['-pk'],
                        'indexes': [models.Index(fields=['xact_id'], name='dispute_by_stamp')],
                        'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('complaint', ''), _negated=True), models.Q(('complainant', ''), _negated=True)), name='dispute_says_what')],
                    },
                ),
                migrations.CreateModel(
                    name='DisputeStep',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(choices=[('decided', 'Decided by the game supervisor'), ('reviewed', 'Reviewed by a casino supervisor'), ('inspected', 'Reviewed by a Government inspector')], max_length=10)),
                        ('outcome', models.CharField(choices=[('player', 'For the player'), ('house', 'For the house')], max_length=10)),
                        ('decision', models.TextField()),
                        ('rules', models.CharField(help_text='The rules that decide it, as settlements cite them.', max_length=200)),
                        ('accepted', models.BooleanField(help_text='The complainant accepts it.')),
                        ('told_of_inspector', models.BooleanField(help_text='They were told of the inspector and of their right to consult one (I 8.2).')),
                        ('inspector', models.CharField(blank=True, help_text='Name or number of the inspector.', max_length=150)),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('actor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('dispute', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='steps', to='tables.dispute')),
                    ],
                    options={
                        'ordering': ['pk'],
                        'indexes': [models.Index(fields=['xact_id'], name='dispute_step_by_stamp'), models.Index(condition=models.Q(('accepted', True), ('kind', 'inspected'), _connector='OR'), fields=['dispute'], name='dispute_step_over')],
                        'constraints': [models.UniqueConstraint(fields=('dispute', 'kind'), name='dispute_step_once'), models.CheckConstraint(condition=models.Q(('accepted', True), ('kind', 'inspected'), ('told_of_inspector', True), _connector='OR'), name='dispute_step_told_of_inspector'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'inspected'), models.Q(('inspector', ''), _negated=True)), models.Q(models.Q(('kind', 'inspected'), _negated=True), ('inspector', '')), _connector='OR'), name='dispute_step_by_an_inspector'), models.CheckConstraint(condition=models.Q(models.Q(('decision', ''), _negated=True), models.Q(('rules', ''), _negated=True)), name='dispute_step_says_why')],
                    },
                ),
                migrations.CreateModel(
                    name='SlipPrint',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('copy', models.PositiveSmallIntegerField(help_text='0: the first print.')),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('printed_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('slip', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='prints', to='tables.chipslip')),
                    ],
                    options={
                        'indexes': [models.Index(fields=['xact_id'], name='slip_print_by_stamp')],
                        'constraints': [models.UniqueConstraint(fields=('slip', 'copy'), name='slip_print_once')],
                    },
                ),
                migrations.CreateModel(
                    name='TableCount',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('day', models.DateField(help_text='The gaming day in whose books it is.')),
                        ('result_micros', models.BigIntegerField(help_text='Closer + credits + drop - opener - fills.')),
                        ('play_micros', models.BigIntegerField(help_text='What the tray got by play, by the books.')),
                        ('booked_micros', models.BigIntegerField(help_text='Of the variance, what this acceptance booked.')),
                        ('explanation', models.TextField(blank=True)),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('accepted_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='counts', to='tables.table')),
                    ],
                    options={
                        'ordering': ['table', 'day', 'pk'],
                        'indexes': [models.Index(fields=['day'], name='table_count_by_day'), models.Index(fields=['xact_id'], name='table_count_by_stamp')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('booked_micros', 0), _negated=True), name='table_count_books')],
                    },
                ),
                migrations.CreateModel(
                    name='UnclaimedEnd',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(choices=[('claimed', 'Paid to who came for it'), ('expired', 'Expired')], max_length=10)),
                        ('day', models.DateField(help_text='The gaming day on which it ended.')),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('approval', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='people.approvalrequest')),
                        ('money', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='end', to='tables.unclaimedmoney')),
                    ],
                    options={
                        'indexes': [models.Index(fields=['xact_id'], name='unclaimed_end_by_stamp')],
                    },
                ),
                migrations.CreateModel(
                    name='UnclaimedMoney',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('what', models.TextField()),
                        ('amount_micros', models.BigIntegerField()),
                        ('found_on', models.DateField(help_text='The gaming day on which nobody came.')),
                        ('expires_on', models.DateField(help_text='From this gaming day on two people may let it expire.')),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('approval', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='people.approvalrequest')),
                        ('colour_step', models.OneToOneField(help_text='Where it is owed for non-value chips.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.colourstep')),
                        ('round', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tables.round')),
                        ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='unclaimed', to='tables.table')),
                    ],
                    options={
                        'ordering': ['pk'],
                        'indexes': [models.Index(fields=['xact_id'], name='unclaimed_money_by_stamp')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('amount_micros__gt', 0), ('expires_on__gt', models.F('found_on')), models.Q(('what', ''), _negated=True)), name='unclaimed_money_makes_sense')],
                    },
                ),
                migrations.CreateModel(
                    name='RoundCorrection',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('rule', models.CharField(help_text='By which rule it is put right.', max_length=200)),
                        ('reason', models.TextField()),
                        ('moved_micros', models.BigIntegerField(help_text='What it moves in all, over every seat.')),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('approval', models.OneToOneField(help_text='None: by one person.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='people.approvalrequest')),
                        ('asked_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('round', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='corrections', to='tables.round')),
                    ],
                    options={
                        'ordering': ['pk'],
                        'indexes': [models.Index(fields=['xact_id'], name='round_correction_by_stamp')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('moved_micros__gte', 0), models.Q(('reason', ''), _negated=True), models.Q(('rule', ''), _negated=True)), name='round_correction_says_why')],
                    },
                ),
                migrations.CreateModel(
                    name='RoundVersion',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('number', models.PositiveSmallIntegerField(help_text='2, 3, ...: the first is the round itself.')),
                        ('version', models.PositiveSmallIntegerField(db_default=1, default=rules.version.document_version, editable=False, help_text="How the row's documents are spelled.")),
                        ('wagers', models.JSONField()),
                        ('dealt', models.JSONField()),
                        ('decisions', models.JSONField()),
                        ('irregularities', models.JSONField()),
                        ('carried_in', models.JSONField()),
                        ('result', models.JSONField(help_text='The outcome in words.')),
                        ('rules_version', models.PositiveSmallIntegerField(help_text='Of the rules that settled it.')),
                        ('late_day', models.DateField(help_text="The later gaming day in whose books the difference is; none: the round's own.", null=True)),
                        ('hands_differ', models.BooleanField(help_text='The jackpots knew other hands of it when it was made.')),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('correction', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='versions', to='tables.roundcorrection')),
                        ('round', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='versions', to='tables.round')),
                    ],
                    options={
                        'ordering': ['round', 'number'],
                        'indexes': [models.Index(condition=models.Q(('late_day__isnull', False)), fields=['late_day'], name='round_version_late'), models.Index(condition=models.Q(('hands_differ', True)), fields=['round'], name='round_version_hands'), models.Index(fields=['xact_id'], name='round_version_by_stamp')],
                        'constraints': [models.UniqueConstraint(fields=('round', 'number'), name='round_version_once'), models.UniqueConstraint(fields=('correction', 'round'), name='round_version_once_a_correction')],
                    },
                ),
                migrations.CreateModel(
                    name='SeatClaim',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('seat', models.SmallIntegerField()),
                        ('player', models.CharField(blank=True, max_length=64)),
                        ('kind', models.CharField(choices=[('owed', 'Owed to the seat'), ('recoverable', 'Overpaid, to be recovered')], max_length=11)),
                        ('amount_micros', models.BigIntegerField()),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('correction', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='claims', to='tables.roundcorrection')),
                        ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='claims', to='tables.table')),
                    ],
                    options={
                        'ordering': ['pk'],
                        'indexes': [models.Index(fields=['xact_id'], name='seat_claim_by_stamp')],
                        'constraints': [models.UniqueConstraint(fields=('correction', 'seat', 'player'), name='seat_claim_once'), models.CheckConstraint(condition=models.Q(('amount_micros__gt', 0)), name='seat_claim_of_money')],
                    },
                ),
                migrations.CreateModel(
                    name='ClaimStep',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('number', models.PositiveSmallIntegerField()),
                        ('kind', models.CharField(choices=[('paid', 'Paid to the player'), ('expired', 'Never claimed'), ('recovered', 'Recovered from the player'), ('written-off', 'Written off'), ('replaced', 'Taken into a later correction')], max_length=11)),
                        ('amount_micros', models.BigIntegerField()),
                        ('left_micros', models.BigIntegerField(help_text='What is open after it.')),
                        ('how', models.CharField(blank=True, help_text='chips or cash, where money was handed over.', max_length=5)),
                        ('reason', models.TextField()),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('actor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('approval', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='people.approvalrequest')),
                        ('correction', models.ForeignKey(help_text='The later one.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='replaced', to='tables.roundcorrection')),
                        ('claim', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='steps', to='tables.seatclaim')),
                    ],
                    options={
                        'ordering': ['claim', 'number'],
                        'indexes': [models.Index(fields=['xact_id'], name='claim_step_by_stamp')],
                        'constraints': [models.UniqueConstraint(fields=('claim', 'number'), name='claim_step_once'), models.CheckConstraint(condition=models.Q(('amount_micros__gt', 0), ('left_micros__gte', 0), models.Q(('reason', ''), _negated=True)), name='claim_step_makes_sense'), models.CheckConstraint(condition=models.Q(models.Q(('how__in', ['chips', 'cash']), ('kind__in', ['paid', 'recovered'])), models.Q(('how', ''), ('kind__in', ['expired', 'written-off', 'replaced'])), _connector='OR'), name='claim_step_how'), models.CheckConstraint(condition=models.Q(models.Q(('correction__isnull', False), ('kind', 'replaced')), models.Q(('correction__isnull', True), models.Q(('kind', 'replaced'), _negated=True)), _connector='OR'), name='claim_step_replaced_by')],
                    },
                ),
                migrations.CreateModel(
                    name='VersionLine',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('wager_id', models.CharField(max_length=64)),
                        ('position', models.PositiveSmallIntegerField(help_text='Order within the settlement.')),
                        ('kind', models.CharField(max_length=32)),
                        ('seat', models.SmallIntegerField()),
                        ('player', models.CharField(blank=True, max_length=64)),
                        ('selection', models.CharField(blank=True, max_length=64)),
                        ('is_jackpot', models.BooleanField(default=False)),
                        ('is_fee', models.BooleanField(default=False)),
                        ('is_new', models.BooleanField(default=True, help_text='Placed in this round; False: an earlier round left it standing.')),
                        ('outcome', models.CharField(max_length=6)),
                        ('odds', models.CharField(blank=True, max_length=24)),
                        ('rule', models.CharField(max_length=64)),
                        ('also', models.CharField(blank=True, max_length=200)),
                        ('stake_micros', models.BigIntegerField()),
                        ('winnings_micros', models.BigIntegerField()),
                        ('returned_micros', models.BigIntegerField()),
                        ('standing_micros', models.BigIntegerField()),
                        ('commission_micros', models.BigIntegerField()),
                        ('rounding_micros', models.BigIntegerField()),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('version', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='lines', to='tables.roundversion')),
                    ],
                    options={
                        'ordering': ['version', 'position'],
                        'indexes': [models.Index(fields=['xact_id'], name='version_line_by_stamp')],
                        'constraints': [models.UniqueConstraint(fields=('version', 'position'), name='version_line_once'), models.CheckConstraint(condition=models.Q(('returned_micros__gte', 0), ('rounding_micros__gte', 0), ('stake_micros__gt', 0), ('stake_micros__gte', django.db.models.expressions.CombinedExpression(models.F('returned_micros'), '+', models.F('standing_micros'))), ('standing_micros__gte', 0), ('winnings_micros__gte', 0)), name='version_line_makes_sense')],
                    },
                ),
                migrations.CreateModel(
                    name='RoundEnding',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('session', models.PositiveIntegerField(help_text="In which it was told: the terminal's own was over with it.")),
                        ('rule', models.CharField(help_text='By which rule it is ended.', max_length=200)),
                        ('reason', models.TextField()),
                        ('moved_micros', models.BigIntegerField(help_text='All stakes and winnings of the round.')),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('approval', models.OneToOneField(help_text='None: by one person.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='people.approvalrequest')),
                        ('asked_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('round', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='ending', to='tables.round')),
                    ],
                    options={
                        'ordering': ['pk'],
                        'indexes': [models.Index(fields=['xact_id'], name='round_ending_by_stamp')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('moved_micros__gte', 0), models.Q(('reason', ''), _negated=True), models.Q(('rule', ''), _negated=True)), name='round_ending_says_why')],
                    },
                ),
                migrations.CreateModel(
                    name='TableDay',
                    fields=[
                        ('pk', models.CompositePrimaryKey('table_id', 'day', blank=True, editable=False, primary_key=True, serialize=False)),
                        ('day', models.DateField()),
                        ('staked_micros', models.BigIntegerField(help_text="On all wagers but jackpots' and fees.")),
                        ('win_micros', models.BigIntegerField(help_text='Of the same rounds, with fees and commission.')),
                        ('through', models.BigIntegerField(help_text='Number of the last round that is in it.')),
                        ('table', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='days', to='tables.table')),
                    ],
                    options={
                        'indexes': [models.Index(fields=['table', 'through'], name='table_day_through')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('staked_micros__gte', 0)), name='table_day_staked_not_negative')],
                    },
                ),
                migrations.CreateModel(
                    name='MessageText',
                    fields=[
                        ('event', models.OneToOneField(db_constraint=False, on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='+', serialize=False, to='tables.tableevent')),
                        ('text', models.TextField(help_text='All of the message, as canonical JSON.')),
                    ],
                ),
            ]
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tableconfig',
            trigger=pgtrigger.compiler.Trigger(name='table_config_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='bfc2e2b72a0b6ec67d38213484f30b3ab6dddc60', operation='UPDATE', pgid='pgtrigger_table_config_no_update_0f348', table='tables_tableconfig', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tableconfig',
            trigger=pgtrigger.compiler.Trigger(name='table_config_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='5f020fb8b8e85db5543ad0515ccbedf06cb9ec6c', operation='DELETE', pgid='pgtrigger_table_config_no_delete_9fd63', table='tables_tableconfig', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tableconfig',
            trigger=pgtrigger.compiler.Trigger(name='table_config_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='872c774f4a318dc1dbfcb81112720962b1989e2b', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_table_config_no_truncate_ac934', table='tables_tableconfig', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tableconfig',
            trigger=pgtrigger.compiler.Trigger(name='table_config_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\n RETURN NEW;", hash='9fb48c24ad7c7931d290b7f12da8d7befae2a9e8', operation='INSERT', pgid='pgtrigger_table_config_stamped_33ff1', table='tables_tableconfig', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tableevent',
            trigger=pgtrigger.compiler.Trigger(name='table_event_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='04706edc72d33a7a51167297324dc9726c5e0dad', operation='UPDATE', pgid='pgtrigger_table_event_no_update_2ccaf', table='tables_tableevent', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tableevent',
            trigger=pgtrigger.compiler.Trigger(name='table_event_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='87550d404ba52188f86bef8b456ca6d9490e935f', operation='DELETE', pgid='pgtrigger_table_event_no_delete_c2023', table='tables_tableevent', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tableevent',
            trigger=pgtrigger.compiler.Trigger(name='table_event_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='d4951a8dd3de073e69165f64a6cd1d4b3ef179f0', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_table_event_no_truncate_08c91', table='tables_tableevent', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tableevent',
            trigger=pgtrigger.compiler.Trigger(name='table_event_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\n RETURN NEW;", hash='89681cbaa7c36032e7bd4bc5dd111fd3a6fab6e7', operation='INSERT', pgid='pgtrigger_table_event_stamped_20577', table='tables_tableevent', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tableevent',
            trigger=pgtrigger.compiler.Trigger(name='table_event_with_text', sql=config.kit.triggers.firm.DividedGuardSql(declare='DECLARE first bigint; last bigint; told bigint; kept bigint;', func="\n                    SELECT min(n.id), max(n.id), count(*) INTO first, last, told FROM new_rows n;\n                    SELECT count(*) INTO kept FROM new_rows n JOIN tables_messagetext t ON t.event_id = n.id\n                        WHERE n.message IS NULL AND t.event_id BETWEEN first AND last;\n                    IF kept <> told THEN\n                        RAISE EXCEPTION 'A terminal''s event comes with the text of its message, beside it'\n                            USING ERRCODE = 'check_violation', CONSTRAINT = 'table_event_with_text';\n                    END IF;\n                    RETURN NULL;\n                ", hash='f3e55d272de05792c7bed1fa82e72f7c3e07362d', level='STATEMENT', operation='INSERT', pgid='pgtrigger_table_event_with_text_4f9d3', referencing='REFERENCING NEW TABLE AS new_rows ', table='tables_tableevent', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='terminal',
            trigger=pgtrigger.compiler.Trigger(name='terminal_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='d3740febdf9317cc2be6408a350e6de8836dd0b8', operation='DELETE', pgid='pgtrigger_terminal_no_delete_d4693', table='tables_terminal', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='terminal',
            trigger=pgtrigger.compiler.Trigger(name='terminal_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='64d926a648ba9f1f3bd59c0788b17d5e1fbef3a1', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_terminal_no_truncate_52b78', table='tables_terminal', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='terminal',
            trigger=pgtrigger.compiler.Trigger(name='tables_terminal_first_step', sql=config.kit.triggers.firm.GuardSql(func='INSERT INTO ledger_step (kind, row_id, state, content, detail) VALUES (\'tables.terminal\', NEW.id, \'\', sha256(convert_to(\'{"class":"tables.terminal"\' || coalesce(\',"expires_at":\' || \'"\' || to_char(NEW.expires_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"issued_at":\' || \'"\' || to_char(NEW.issued_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"must_sign":\' || to_json(NEW.must_sign)::text, \'\') || coalesce(\',"name":\' || to_json(NEW.name)::text, \'\') || coalesce(\',"networks":\' || to_json(NEW.networks)::text, \'\') || coalesce(\',"previous_sha256":\' || to_json(NEW.previous_sha256)::text, \'\') || coalesce(\',"previous_until":\' || \'"\' || to_char(NEW.previous_until AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"revoked_at":\' || \'"\' || to_char(NEW.revoked_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"table_id":\' || to_json(NEW.table_id)::text, \'\') || coalesce(\',"token_sha256":\' || to_json(NEW.token_sha256)::text, \'\') || \'}\', \'UTF8\')), NULL); RETURN NULL;', hash='29e97883d4b5a2172776182473925df3a7e56992', operation='INSERT', pgid='pgtrigger_tables_terminal_first_step_dc2dd', table='tables_terminal', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='terminal',
            trigger=pgtrigger.compiler.Trigger(name='tables_terminal_next_step', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD.token_sha256 IS DISTINCT FROM NEW.token_sha256 OR OLD.issued_at IS DISTINCT FROM NEW.issued_at OR OLD.expires_at IS DISTINCT FROM NEW.expires_at OR OLD.previous_sha256 IS DISTINCT FROM NEW.previous_sha256 OR OLD.previous_until IS DISTINCT FROM NEW.previous_until OR OLD.networks IS DISTINCT FROM NEW.networks OR OLD.revoked_at IS DISTINCT FROM NEW.revoked_at OR OLD.table_id IS DISTINCT FROM NEW.table_id OR OLD.name IS DISTINCT FROM NEW.name OR OLD.must_sign IS DISTINCT FROM NEW.must_sign)', func='INSERT INTO ledger_step (kind, row_id, state, content, detail) VALUES (\'tables.terminal\', NEW.id, \'\', sha256(convert_to(\'{"class":"tables.terminal"\' || coalesce(\',"expires_at":\' || \'"\' || to_char(NEW.expires_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"issued_at":\' || \'"\' || to_char(NEW.issued_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"must_sign":\' || to_json(NEW.must_sign)::text, \'\') || coalesce(\',"name":\' || to_json(NEW.name)::text, \'\') || coalesce(\',"networks":\' || to_json(NEW.networks)::text, \'\') || coalesce(\',"previous_sha256":\' || to_json(NEW.previous_sha256)::text, \'\') || coalesce(\',"previous_until":\' || \'"\' || to_char(NEW.previous_until AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"revoked_at":\' || \'"\' || to_char(NEW.revoked_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"table_id":\' || to_json(NEW.table_id)::text, \'\') || coalesce(\',"token_sha256":\' || to_json(NEW.token_sha256)::text, \'\') || \'}\', \'UTF8\')), NULL); RETURN NULL;', hash='bd0f0546379f0b2d633f8a92ff372140f55fb6e8', operation='UPDATE', pgid='pgtrigger_tables_terminal_next_step_df4d6', table='tables_terminal', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='wagerline',
            trigger=pgtrigger.compiler.Trigger(name='wager_line_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='77b7b808e55ef9103c736a97fdbfff912f5d6da0', operation='UPDATE', pgid='pgtrigger_wager_line_no_update_ec422', table='tables_wagerline', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='wagerline',
            trigger=pgtrigger.compiler.Trigger(name='wager_line_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='89a56291498a24cbdc871e0518b291425c1fc72a', operation='DELETE', pgid='pgtrigger_wager_line_no_delete_3f9d8', table='tables_wagerline', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='wagerline',
            trigger=pgtrigger.compiler.Trigger(name='wager_line_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='398bd3599f9a696fc7bed2035b8ec2a6c36c30f6', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_wager_line_no_truncate_9121e', table='tables_wagerline', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='wagerline',
            trigger=pgtrigger.compiler.Trigger(name='wager_line_of_round', sql=config.kit.triggers.firm.IndexedGuardSql(declare='DECLARE wrong record;', func="\n                    SELECT n.round_id INTO wrong FROM (SELECT DISTINCT round_id FROM new_rows) n\n                        WHERE NOT EXISTS (SELECT FROM tables_round r WHERE r.id = n.round_id) LIMIT 1;\n                    IF FOUND THEN\n                        RAISE EXCEPTION 'A line is of round %, which there is not', wrong.round_id\n                            USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'wager_line_of_round';\n                    END IF;\n                    RETURN NULL;\n                ", hash='148787eca60ee09f73242d5c16a8484d31658036', level='STATEMENT', operation='INSERT', pgid='pgtrigger_wager_line_of_round_7b213', referencing='REFERENCING NEW TABLE AS new_rows ', table='tables_wagerline', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='table',
            trigger=pgtrigger.compiler.Trigger(name='table_rules_by_a_change', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD.config_id <> NEW.config_id)', func="\n                    IF NOT EXISTS (\n                        SELECT FROM tables_tablechange c\n                        WHERE c.table_id = NEW.id AND c.config_id = NEW.config_id AND c.was_id = OLD.config_id\n                            AND c.state = 'in_force' AND c.ended_at = NEW.rules_from\n                    ) THEN\n                        RAISE EXCEPTION 'The rules of table % change only by a change that is in force', NEW.code\n                            USING ERRCODE = 'check_violation', CONSTRAINT = 'table_rules_by_a_change';\n                    END IF;\n                    RETURN NEW;\n                ", hash='cb2bdcc1aba341c951d8fd2a85ae0eefa69f6b7a', operation='UPDATE', pgid='pgtrigger_table_rules_by_a_change_41302', table='tables_table', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='table',
            trigger=pgtrigger.compiler.Trigger(name='tables_table_first_step', sql=config.kit.triggers.firm.GuardSql(func='INSERT INTO ledger_step (kind, row_id, state, content, detail) VALUES (\'tables.table\', NEW.id, \'\', sha256(convert_to(\'{"class":"tables.table"\' || coalesce(\',"chips":\' || to_json(NEW.chips)::text, \'\') || coalesce(\',"closing_at":\' || \'"\' || to_char(NEW.closing_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"code":\' || to_json(NEW.code)::text, \'\') || coalesce(\',"config_id":\' || to_json(NEW.config_id)::text, \'\') || coalesce(\',"device_error_ms":\' || to_json(NEW.device_error_ms)::text, \'\') || coalesce(\',"pit":\' || to_json(NEW.pit)::text, \'\') || coalesce(\',"premises_id":\' || to_json(NEW.premises_id)::text, \'\') || coalesce(\',"reserved_for":\' || to_json(NEW.reserved_for)::text, \'\') || coalesce(\',"rules_from":\' || \'"\' || to_char(NEW.rules_from AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"seats":\' || to_json(NEW.seats)::text, \'\') || coalesce(\',"session":\' || to_json(NEW.session)::text, \'\') || coalesce(\',"table_log_id":\' || to_json(NEW.table_log_id)::text, \'\') || \'}\', \'UTF8\')), NULL); RETURN NULL;', hash='21ffa5a8a6e99e9eed019a8832553b98a8b33b23', operation='INSERT', pgid='pgtrigger_tables_table_first_step_e072e', table='tables_table', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='table',
            trigger=pgtrigger.compiler.Trigger(name='tables_table_next_step', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD.premises_id IS DISTINCT FROM NEW.premises_id OR OLD.code IS DISTINCT FROM NEW.code OR OLD.pit IS DISTINCT FROM NEW.pit OR OLD.config_id IS DISTINCT FROM NEW.config_id OR OLD.table_log_id IS DISTINCT FROM NEW.table_log_id OR OLD.session IS DISTINCT FROM NEW.session OR OLD.seats IS DISTINCT FROM NEW.seats OR OLD.chips IS DISTINCT FROM NEW.chips OR OLD.reserved_for IS DISTINCT FROM NEW.reserved_for OR OLD.rules_from IS DISTINCT FROM NEW.rules_from OR OLD.closing_at IS DISTINCT FROM NEW.closing_at OR OLD.device_error_ms IS DISTINCT FROM NEW.device_error_ms)', func='INSERT INTO ledger_step (kind, row_id, state, content, detail) VALUES (\'tables.table\', NEW.id, \'\', sha256(convert_to(\'{"class":"tables.table"\' || coalesce(\',"chips":\' || to_json(NEW.chips)::text, \'\') || coalesce(\',"closing_at":\' || \'"\' || to_char(NEW.closing_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"code":\' || to_json(NEW.code)::text, \'\') || coalesce(\',"config_id":\' || to_json(NEW.config_id)::text, \'\') || coalesce(\',"device_error_ms":\' || to_json(NEW.device_error_ms)::text, \'\') || coalesce(\',"pit":\' || to_json(NEW.pit)::text, \'\') || coalesce(\',"premises_id":\' || to_json(NEW.premises_id)::text, \'\') || coalesce(\',"reserved_for":\' || to_json(NEW.reserved_for)::text, \'\') || coalesce(\',"rules_from":\' || \'"\' || to_char(NEW.rules_from AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"seats":\' || to_json(NEW.seats)::text, \'\') || coalesce(\',"session":\' || to_json(NEW.session)::text, \'\') || coalesce(\',"table_log_id":\' || to_json(NEW.table_log_id)::text, \'\') || \'}\', \'UTF8\')), NULL); RETURN NULL;', hash='9a1bd683dd4dbbb7d28033089956b37ca6358288', operation='UPDATE', pgid='pgtrigger_tables_table_next_step_8f4fd', table='tables_table', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='round',
            trigger=pgtrigger.compiler.Trigger(name='round_steps', sql=config.kit.triggers.firm.GuardSql(declare='DECLARE _is_valid_transition BOOLEAN;', func='SELECT CONCAT(OLD."state", \':\', NEW."state") = ANY(\'{open:locked,locked:closed,open:closed,closed:settled,closed:parked,parked:closed}\'::text[]) INTO _is_valid_transition; IF (_is_valid_transition IS FALSE AND OLD."state" IS DISTINCT FROM NEW."state") THEN RAISE EXCEPTION \'pgtrigger: Invalid transition of field "state" from "%" to "%" on table %\', OLD."state", NEW."state", TG_TABLE_NAME; ELSE RETURN NEW; END IF;', hash='88ac0d7e91378478084f985e039bb308c8c94701', operation='UPDATE', pgid='pgtrigger_round_steps_3f4ef', table='tables_round', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='round',
            trigger=pgtrigger.compiler.Trigger(name='round_settled_fixed', sql=config.kit.triggers.firm.GuardSql(condition="WHEN (OLD.state = 'settled')", func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='3a588753a354d682be07c14e8e5fd3ee079dd429', operation='UPDATE', pgid='pgtrigger_round_settled_fixed_9a82c', table='tables_round', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='round',
            trigger=pgtrigger.compiler.Trigger(name='round_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='a16c28d2f26363285fe12e1d81c811ec1c2d7253', operation='DELETE', pgid='pgtrigger_round_no_delete_3cb89', table='tables_round', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='round',
            trigger=pgtrigger.compiler.Trigger(name='round_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='9372ca156a1f1f7c33e9e0ee0595f807efa6076a', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_round_no_truncate_2d885', table='tables_round', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='round',
            trigger=pgtrigger.compiler.Trigger(name='round_key_fixed', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD.id <> NEW.id)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='5e180d4de2495849762b92f901e7bfab8235c277', operation='UPDATE', pgid='pgtrigger_round_key_fixed_f211e', table='tables_round', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='round',
            trigger=pgtrigger.compiler.Trigger(name='round_played_fixed', sql=config.kit.triggers.firm.GuardSql(condition="WHEN (OLD.state IN ('closed', 'parked') AND record_image_ne(ROW(OLD.uid, OLD.table_id, OLD.number, OLD.config_id, OLD.opened_at, OLD.locked_at, OLD.closed_at, OLD.gaming_day, OLD.version, OLD.wagers, OLD.dealt, OLD.decisions, OLD.irregularities, OLD.lock, OLD.moments, OLD.result_told, OLD.jackpots_count, OLD.not_accepted, OLD.carried_in), ROW(NEW.uid, NEW.table_id, NEW.number, NEW.config_id, NEW.opened_at, NEW.locked_at, NEW.closed_at, NEW.gaming_day, NEW.version, NEW.wagers, NEW.dealt, NEW.decisions, NEW.irregularities, NEW.lock, NEW.moments, NEW.result_told, NEW.jackpots_count, NEW.not_accepted, NEW.carried_in)))", func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='d277e161af696252420befd0a1a316a594266b83', operation='UPDATE', pgid='pgtrigger_round_played_fixed_26151', table='tables_round', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='round',
            trigger=pgtrigger.compiler.Trigger(name='tables_round_first_step', sql=config.kit.triggers.firm.StatementGuardSql(func='IF EXISTS (SELECT FROM new_rows n WHERE n.state = \'settled\') THEN INSERT INTO ledger_step (kind, row_id, state, content, detail) SELECT \'tables.round\', n.id, n.state, sha256(convert_to(\'{"class":"tables.round"\' || coalesce(\',"carried_in":\' || to_json(n.carried_in)::text, \'\') || coalesce(\',"closed_at":\' || \'"\' || to_char(n.closed_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"config_id":\' || to_json(n.config_id)::text, \'\') || coalesce(\',"dealt":\' || to_json(n.dealt)::text, \'\') || coalesce(\',"decisions":\' || to_json(n.decisions)::text, \'\') || coalesce(\',"gaming_day":\' || to_json(n.gaming_day)::text, \'\') || coalesce(\',"irregularities":\' || to_json(n.irregularities)::text, \'\') || coalesce(\',"jackpots_count":\' || to_json(n.jackpots_count)::text, \'\') || coalesce(\',"lock":\' || to_json(n.lock)::text, \'\') || coalesce(\',"locked_at":\' || \'"\' || to_char(n.locked_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"moments":\' || to_json(n.moments)::text, \'\') || coalesce(\',"not_accepted":\' || to_json(n.not_accepted)::text, \'\') || coalesce(\',"number":\' || to_json(n.number)::text, \'\') || coalesce(\',"opened_at":\' || \'"\' || to_char(n.opened_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"result_told":\' || to_json(n.result_told)::text, \'\') || coalesce(\',"table_id":\' || to_json(n.table_id)::text, \'\') || coalesce(\',"uid":\' || to_json(n.uid)::text, \'\') || coalesce(\',"version":\' || to_json(n.version)::text, \'\') || coalesce(\',"wagers":\' || to_json(n.wagers)::text, \'\') || \'}\', \'UTF8\')), CASE WHEN n.state = \'settled\' THEN (\n    SELECT sha256(convert_to(coalesce(string_agg(concat_ws(E\'\\t\', l.position, l.wager_id, l.kind, l.seat, l.player,\n        l.selection, l.is_jackpot, l.is_fee, l.is_new, l.outcome, l.odds, l.rule, l.also, l.stake_micros,\n        l.winnings_micros, l.returned_micros, l.standing_micros, l.commission_micros, l.rounding_micros), E\'\\n\'\n        ORDER BY l.position), \'\'), \'UTF8\'))\n    FROM tables_wagerline l WHERE l.round_id = n.id\n) END FROM new_rows n WHERE n.state <> \'open\' ORDER BY n.id; ELSE INSERT INTO ledger_step (kind, row_id, state, content, detail) SELECT \'tables.round\', n.id, n.state, sha256(convert_to(\'{"class":"tables.round"\' || coalesce(\',"carried_in":\' || to_json(n.carried_in)::text, \'\') || coalesce(\',"closed_at":\' || \'"\' || to_char(n.closed_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"config_id":\' || to_json(n.config_id)::text, \'\') || coalesce(\',"dealt":\' || to_json(n.dealt)::text, \'\') || coalesce(\',"decisions":\' || to_json(n.decisions)::text, \'\') || coalesce(\',"gaming_day":\' || to_json(n.gaming_day)::text, \'\') || coalesce(\',"irregularities":\' || to_json(n.irregularities)::text, \'\') || coalesce(\',"jackpots_count":\' || to_json(n.jackpots_count)::text, \'\') || coalesce(\',"lock":\' || to_json(n.lock)::text, \'\') || coalesce(\',"locked_at":\' || \'"\' || to_char(n.locked_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"moments":\' || to_json(n.moments)::text, \'\') || coalesce(\',"not_accepted":\' || to_json(n.not_accepted)::text, \'\') || coalesce(\',"number":\' || to_json(n.number)::text, \'\') || coalesce(\',"opened_at":\' || \'"\' || to_char(n.opened_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"result_told":\' || to_json(n.result_told)::text, \'\') || coalesce(\',"table_id":\' || to_json(n.table_id)::text, \'\') || coalesce(\',"uid":\' || to_json(n.uid)::text, \'\') || coalesce(\',"version":\' || to_json(n.version)::text, \'\') || coalesce(\',"wagers":\' || to_json(n.wagers)::text, \'\') || \'}\', \'UTF8\')), NULL FROM new_rows n WHERE n.state <> \'open\' ORDER BY n.id; END IF; RETURN NULL;', hash='8540dc265a27f357682513e30675ef3e28800bff', level='STATEMENT', operation='INSERT', pgid='pgtrigger_tables_round_first_step_cfcd8', referencing='REFERENCING NEW TABLE AS new_rows ', table='tables_round', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='round',
            trigger=pgtrigger.compiler.Trigger(name='tables_round_next_step', sql=config.kit.triggers.firm.StatementGuardSql(func='IF EXISTS (SELECT FROM new_rows n WHERE n.state = \'settled\') THEN INSERT INTO ledger_step (kind, row_id, state, content, detail) SELECT \'tables.round\', n.id, n.state, coalesce(CASE WHEN o.state IN (\'closed\', \'parked\', \'settled\') AND n.state IN (\'closed\', \'parked\', \'settled\') THEN (SELECT s.content FROM ledger_step s WHERE s.kind = \'tables.round\' AND s.row_id = n.id ORDER BY s.id DESC LIMIT 1) END, sha256(convert_to(\'{"class":"tables.round"\' || coalesce(\',"carried_in":\' || to_json(n.carried_in)::text, \'\') || coalesce(\',"closed_at":\' || \'"\' || to_char(n.closed_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"config_id":\' || to_json(n.config_id)::text, \'\') || coalesce(\',"dealt":\' || to_json(n.dealt)::text, \'\') || coalesce(\',"decisions":\' || to_json(n.decisions)::text, \'\') || coalesce(\',"gaming_day":\' || to_json(n.gaming_day)::text, \'\') || coalesce(\',"irregularities":\' || to_json(n.irregularities)::text, \'\') || coalesce(\',"jackpots_count":\' || to_json(n.jackpots_count)::text, \'\') || coalesce(\',"lock":\' || to_json(n.lock)::text, \'\') || coalesce(\',"locked_at":\' || \'"\' || to_char(n.locked_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"moments":\' || to_json(n.moments)::text, \'\') || coalesce(\',"not_accepted":\' || to_json(n.not_accepted)::text, \'\') || coalesce(\',"number":\' || to_json(n.number)::text, \'\') || coalesce(\',"opened_at":\' || \'"\' || to_char(n.opened_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"result_told":\' || to_json(n.result_told)::text, \'\') || coalesce(\',"table_id":\' || to_json(n.table_id)::text, \'\') || coalesce(\',"uid":\' || to_json(n.uid)::text, \'\') || coalesce(\',"version":\' || to_json(n.version)::text, \'\') || coalesce(\',"wagers":\' || to_json(n.wagers)::text, \'\') || \'}\', \'UTF8\'))), CASE WHEN n.state = \'settled\' THEN (\n    SELECT sha256(convert_to(coalesce(string_agg(concat_ws(E\'\\t\', l.position, l.wager_id, l.kind, l.seat, l.player,\n        l.selection, l.is_jackpot, l.is_fee, l.is_new, l.outcome, l.odds, l.rule, l.also, l.stake_micros,\n        l.winnings_micros, l.returned_micros, l.standing_micros, l.commission_micros, l.rounding_micros), E\'\\n\'\n        ORDER BY l.position), \'\'), \'UTF8\'))\n    FROM tables_wagerline l WHERE l.round_id = n.id\n) END FROM new_rows n JOIN old_rows o ON o.id = n.id WHERE o.state IS DISTINCT FROM n.state ORDER BY n.id; ELSE INSERT INTO ledger_step (kind, row_id, state, content, detail) SELECT \'tables.round\', n.id, n.state, coalesce(CASE WHEN o.state IN (\'closed\', \'parked\', \'settled\') AND n.state IN (\'closed\', \'parked\', \'settled\') THEN (SELECT s.content FROM ledger_step s WHERE s.kind = \'tables.round\' AND s.row_id = n.id ORDER BY s.id DESC LIMIT 1) END, sha256(convert_to(\'{"class":"tables.round"\' || coalesce(\',"carried_in":\' || to_json(n.carried_in)::text, \'\') || coalesce(\',"closed_at":\' || \'"\' || to_char(n.closed_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"config_id":\' || to_json(n.config_id)::text, \'\') || coalesce(\',"dealt":\' || to_json(n.dealt)::text, \'\') || coalesce(\',"decisions":\' || to_json(n.decisions)::text, \'\') || coalesce(\',"gaming_day":\' || to_json(n.gaming_day)::text, \'\') || coalesce(\',"irregularities":\' || to_json(n.irregularities)::text, \'\') || coalesce(\',"jackpots_count":\' || to_json(n.jackpots_count)::text, \'\') || coalesce(\',"lock":\' || to_json(n.lock)::text, \'\') || coalesce(\',"locked_at":\' || \'"\' || to_char(n.locked_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"moments":\' || to_json(n.moments)::text, \'\') || coalesce(\',"not_accepted":\' || to_json(n.not_accepted)::text, \'\') || coalesce(\',"number":\' || to_json(n.number)::text, \'\') || coalesce(\',"opened_at":\' || \'"\' || to_char(n.opened_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"result_told":\' || to_json(n.result_told)::text, \'\') || coalesce(\',"table_id":\' || to_json(n.table_id)::text, \'\') || coalesce(\',"uid":\' || to_json(n.uid)::text, \'\') || coalesce(\',"version":\' || to_json(n.version)::text, \'\') || coalesce(\',"wagers":\' || to_json(n.wagers)::text, \'\') || \'}\', \'UTF8\'))), NULL FROM new_rows n JOIN old_rows o ON o.id = n.id WHERE o.state IS DISTINCT FROM n.state ORDER BY n.id; END IF; RETURN NULL;', hash='455e803b318c76b9a2d0f4330c233e2b095ef0af', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_tables_round_next_step_67de4', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='tables_round', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='inspectornotice',
            trigger=pgtrigger.compiler.Trigger(name='inspector_notice_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\nNEW.made_at := statement_timestamp(); RETURN NEW;", hash='732c57eb3e5869df4809fcbcd63d8dd3f4171e44', operation='INSERT', pgid='pgtrigger_inspector_notice_stamped_dff7e', table='tables_inspectornotice', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='inspectornotice',
            trigger=pgtrigger.compiler.Trigger(name='inspector_notice_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='20e051a22219ca3483fb150dcd73601b8bd09dca', operation='UPDATE', pgid='pgtrigger_inspector_notice_no_update_1061f', table='tables_inspectornotice', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='inspectornotice',
            trigger=pgtrigger.compiler.Trigger(name='inspector_notice_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='50b854304fdfa2fd91f7749219ac178adb72ea6e', operation='DELETE', pgid='pgtrigger_inspector_notice_no_delete_35f36', table='tables_inspectornotice', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='inspectornotice',
            trigger=pgtrigger.compiler.Trigger(name='inspector_notice_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='cc25f7b6290021a125176597850b2a1248d91f1e', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_inspector_notice_no_truncate_ea79b', table='tables_inspectornotice', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='noticeacknowledgement',
            trigger=pgtrigger.compiler.Trigger(name='notice_acknowledgement_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\nNEW.at := statement_timestamp(); RETURN NEW;", hash='fdf88d82e3be8e5768096422b23621d7da37b41d', operation='INSERT', pgid='pgtrigger_notice_acknowledgement_stamped_a9b61', table='tables_noticeacknowledgement', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='noticeacknowledgement',
            trigger=pgtrigger.compiler.Trigger(name='notice_acknowledgement_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='bd95e4a5517ebd5a4c626a7292ec51395ece8900', operation='UPDATE', pgid='pgtrigger_notice_acknowledgement_no_update_405d7', table='tables_noticeacknowledgement', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='noticeacknowledgement',
            trigger=pgtrigger.compiler.Trigger(name='notice_acknowledgement_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='f3d55d36aed19a562c3802c768e0cf5fb3f33c8f', operation='DELETE', pgid='pgtrigger_notice_acknowledgement_no_delete_8506d', table='tables_noticeacknowledgement', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='noticeacknowledgement',
            trigger=pgtrigger.compiler.Trigger(name='notice_acknowledgement_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='a9d0f0d02e6fcd780c26dc5dc9508606d34bace1', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_notice_acknowledgement_no_truncate_2fa52', table='tables_noticeacknowledgement', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tablechange',
            trigger=pgtrigger.compiler.Trigger(name='table_change_begins_planned', sql=config.kit.triggers.firm.GuardSql(condition="WHEN (NEW.state <> 'planned')", func="RAISE EXCEPTION 'pgtrigger: Cannot insert rows from % table', TG_TABLE_NAME;", hash='d1b6c5ff67f05602d2bce3d03cbd75382346da44', operation='INSERT', pgid='pgtrigger_table_change_begins_planned_dbd6e', table='tables_tablechange', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tablechange',
            trigger=pgtrigger.compiler.Trigger(name='table_change_steps', sql=config.kit.triggers.firm.GuardSql(declare='DECLARE _is_valid_transition BOOLEAN;', func='SELECT CONCAT(OLD."state", \':\', NEW."state") = ANY(\'{planned:in_force,planned:withdrawn}\'::text[]) INTO _is_valid_transition; IF (_is_valid_transition IS FALSE AND OLD."state" IS DISTINCT FROM NEW."state") THEN RAISE EXCEPTION \'pgtrigger: Invalid transition of field "state" from "%" to "%" on table %\', OLD."state", NEW."state", TG_TABLE_NAME; ELSE RETURN NEW; END IF;', hash='0f33f58d48c9db9b073a23990b41042fac85658c', operation='UPDATE', pgid='pgtrigger_table_change_steps_74a54', table='tables_tablechange', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tablechange',
            trigger=pgtrigger.compiler.Trigger(name='table_change_not_before_its_time', sql=config.kit.triggers.firm.GuardSql(condition="WHEN (NEW.state = 'in_force' AND NEW.ended_at > clock_timestamp())", func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='775fbe8ca84c8ec0cda052925b5c28d397d2d437', operation='UPDATE', pgid='pgtrigger_table_change_not_before_its_time_58a24', table='tables_tablechange', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tablechange',
            trigger=pgtrigger.compiler.Trigger(name='table_change_over_fixed', sql=config.kit.triggers.firm.GuardSql(condition="WHEN (OLD.state <> 'planned')", func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='e87c63a926c33c8dfdd068a2fd68f463219a8361', operation='UPDATE', pgid='pgtrigger_table_change_over_fixed_8834b', table='tables_tablechange', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tablechange',
            trigger=pgtrigger.compiler.Trigger(name='table_change_fixed', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD."table_id" IS DISTINCT FROM (NEW."table_id") OR OLD."kind" IS DISTINCT FROM (NEW."kind") OR OLD."was_id" IS DISTINCT FROM (NEW."was_id") OR OLD."config_id" IS DISTINCT FROM (NEW."config_id") OR OLD."chips" IS DISTINCT FROM (NEW."chips") OR OLD."needs_notice" IS DISTINCT FROM (NEW."needs_notice") OR OLD."exception" IS DISTINCT FROM (NEW."exception") OR OLD."reason" IS DISTINCT FROM (NEW."reason") OR OLD."asked_by_id" IS DISTINCT FROM (NEW."asked_by_id") OR OLD."approved_by_id" IS DISTINCT FROM (NEW."approved_by_id") OR OLD."shown_at" IS DISTINCT FROM (NEW."shown_at") OR OLD."from_at" IS DISTINCT FROM (NEW."from_at"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='8c4e1afed03e587f1ce4f2a73ffa2b69e9527ec2', operation='UPDATE', pgid='pgtrigger_table_change_fixed_91414', table='tables_tablechange', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tablechange',
            trigger=pgtrigger.compiler.Trigger(name='table_change_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='21ba4e84bb4002d4b548118ba60e339dee748774', operation='DELETE', pgid='pgtrigger_table_change_no_delete_53d55', table='tables_tablechange', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tablechange',
            trigger=pgtrigger.compiler.Trigger(name='table_change_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='63aba94f2c0347140798443c473e691daa2ba0a8', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_table_change_no_truncate_130c0', table='tables_tablechange', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tablechange',
            trigger=pgtrigger.compiler.Trigger(name='tables_tablechange_first_step', sql=config.kit.triggers.firm.GuardSql(func='INSERT INTO ledger_step (kind, row_id, state, content, detail) VALUES (\'tables.tablechange\', NEW.id, NEW.state, sha256(convert_to(\'{"class":"tables.tablechange"\' || coalesce(\',"approved_by_id":\' || to_json(NEW.approved_by_id)::text, \'\') || coalesce(\',"asked_by_id":\' || to_json(NEW.asked_by_id)::text, \'\') || coalesce(\',"chips":\' || to_json(NEW.chips)::text, \'\') || coalesce(\',"config_id":\' || to_json(NEW.config_id)::text, \'\') || coalesce(\',"ended_at":\' || \'"\' || to_char(NEW.ended_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"exception":\' || to_json(NEW.exception)::text, \'\') || coalesce(\',"from_at":\' || \'"\' || to_char(NEW.from_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"kind":\' || to_json(NEW.kind)::text, \'\') || coalesce(\',"needs_notice":\' || to_json(NEW.needs_notice)::text, \'\') || coalesce(\',"reason":\' || to_json(NEW.reason)::text, \'\') || coalesce(\',"shown_at":\' || \'"\' || to_char(NEW.shown_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"state":\' || to_json(NEW.state)::text, \'\') || coalesce(\',"table_id":\' || to_json(NEW.table_id)::text, \'\') || coalesce(\',"was_id":\' || to_json(NEW.was_id)::text, \'\') || \'}\', \'UTF8\')), NULL); RETURN NULL;', hash='2700b8c5c04d39bc2c72a4839e0e9a694b38d204', operation='INSERT', pgid='pgtrigger_tables_tablechange_first_step_66272', table='tables_tablechange', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tablechange',
            trigger=pgtrigger.compiler.Trigger(name='tables_tablechange_next_step', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD.table_id IS DISTINCT FROM NEW.table_id OR OLD.kind IS DISTINCT FROM NEW.kind OR OLD.was_id IS DISTINCT FROM NEW.was_id OR OLD.config_id IS DISTINCT FROM NEW.config_id OR OLD.chips IS DISTINCT FROM NEW.chips OR OLD.needs_notice IS DISTINCT FROM NEW.needs_notice OR OLD.exception IS DISTINCT FROM NEW.exception OR OLD.reason IS DISTINCT FROM NEW.reason OR OLD.asked_by_id IS DISTINCT FROM NEW.asked_by_id OR OLD.approved_by_id IS DISTINCT FROM NEW.approved_by_id OR OLD.shown_at IS DISTINCT FROM NEW.shown_at OR OLD.from_at IS DISTINCT FROM NEW.from_at OR OLD.state IS DISTINCT FROM NEW.state OR OLD.ended_at IS DISTINCT FROM NEW.ended_at)', func='INSERT INTO ledger_step (kind, row_id, state, content, detail) VALUES (\'tables.tablechange\', NEW.id, NEW.state, sha256(convert_to(\'{"class":"tables.tablechange"\' || coalesce(\',"approved_by_id":\' || to_json(NEW.approved_by_id)::text, \'\') || coalesce(\',"asked_by_id":\' || to_json(NEW.asked_by_id)::text, \'\') || coalesce(\',"chips":\' || to_json(NEW.chips)::text, \'\') || coalesce(\',"config_id":\' || to_json(NEW.config_id)::text, \'\') || coalesce(\',"ended_at":\' || \'"\' || to_char(NEW.ended_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"exception":\' || to_json(NEW.exception)::text, \'\') || coalesce(\',"from_at":\' || \'"\' || to_char(NEW.from_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"kind":\' || to_json(NEW.kind)::text, \'\') || coalesce(\',"needs_notice":\' || to_json(NEW.needs_notice)::text, \'\') || coalesce(\',"reason":\' || to_json(NEW.reason)::text, \'\') || coalesce(\',"shown_at":\' || \'"\' || to_char(NEW.shown_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"state":\' || to_json(NEW.state)::text, \'\') || coalesce(\',"table_id":\' || to_json(NEW.table_id)::text, \'\') || coalesce(\',"was_id":\' || to_json(NEW.was_id)::text, \'\') || \'}\', \'UTF8\')), NULL); RETURN NULL;', hash='b9e1b9174ec26980c065bee32fa3c8a9ee35cea1', operation='UPDATE', pgid='pgtrigger_tables_tablechange_next_step_08773', table='tables_tablechange', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='chipslip',
            trigger=pgtrigger.compiler.Trigger(name='chip_slip_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\nNEW.at := statement_timestamp(); RETURN NEW;", hash='94ba472a9383660b00b34823d71ba8fba6e584b4', operation='INSERT', pgid='pgtrigger_chip_slip_stamped_88a79', table='tables_chipslip', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='chipslip',
            trigger=pgtrigger.compiler.Trigger(name='chip_slip_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='7c5ab8f4363e77d954c57e565cf9c4c56626e89d', operation='UPDATE', pgid='pgtrigger_chip_slip_no_update_0788c', table='tables_chipslip', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='chipslip',
            trigger=pgtrigger.compiler.Trigger(name='chip_slip_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='b9220155f6c7235ac2cd5578ffda0ebd883ebeee', operation='DELETE', pgid='pgtrigger_chip_slip_no_delete_f41f8', table='tables_chipslip', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='chipslip',
            trigger=pgtrigger.compiler.Trigger(name='chip_slip_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='a92dddb90e12453696bcca77740f53f2e152a0bc', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_chip_slip_no_truncate_0beb7', table='tables_chipslip', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='chipslip',
            trigger=pgtrigger.compiler.Trigger(name='chip_slip_lawful', sql=config.kit.triggers.firm.GuardSql(declare='DECLARE asked jsonb; premises bigint;', func="\n                    SELECT a.payload_json::jsonb, a.premises_id INTO asked, premises FROM people_approvalrequest a\n                        WHERE a.id = NEW.approval_id AND a.action IN ('tables.slip', 'tables.drop');\n                    IF asked IS NULL OR asked ->> 'slip' <> NEW.number OR asked ->> 'day' <> NEW.day::text\n                        OR NOT EXISTS (SELECT FROM tables_table t WHERE t.id = NEW.table_id\n                            AND t.premises_id = premises AND t.code = asked ->> 'table') THEN\n                        RAISE EXCEPTION 'Slip %: what was asked for is another', NEW.number\n                            USING ERRCODE = 'check_violation';\n                    END IF;\n                    IF NEW.serial IS NOT NULL THEN  -- whoever gives another number just now is waited for\n                        PERFORM pg_advisory_xact_lock(hashtext('tables.slip'), premises::int);\n                    END IF;\n                    IF NEW.serial IS NOT NULL AND NEW.serial <> 1 + coalesce((SELECT max(s.serial)\n                            FROM tables_chipslip s JOIN tables_table t ON t.id = s.table_id\n                            WHERE t.premises_id = premises), 0) THEN\n                        RAISE EXCEPTION 'Slip % leaves a gap or comes twice', NEW.number\n                            USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ", hash='c6bd1cfedfba883bc0bf3b4fb18729e58afdac86', operation='INSERT', pgid='pgtrigger_chip_slip_lawful_f843a', table='tables_chipslip', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='colourstep',
            trigger=pgtrigger.compiler.Trigger(name='colour_step_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\nNEW.at := statement_timestamp(); RETURN NEW;", hash='0c6889d7f5a2c4831a0fc52d6db7ae495d72788f', operation='INSERT', pgid='pgtrigger_colour_step_stamped_fac41', table='tables_colourstep', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='colourstep',
            trigger=pgtrigger.compiler.Trigger(name='colour_step_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='d1ae7349002446f62d604b5e55e9d4f19c371d97', operation='UPDATE', pgid='pgtrigger_colour_step_no_update_8ac9e', table='tables_colourstep', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='colourstep',
            trigger=pgtrigger.compiler.Trigger(name='colour_step_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='59353693059527412b64240bc4d1c16e151c3130', operation='DELETE', pgid='pgtrigger_colour_step_no_delete_7b761', table='tables_colourstep', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='colourstep',
            trigger=pgtrigger.compiler.Trigger(name='colour_step_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='1bb5100136f0ed944efae40d648a1381077a88b1', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_colour_step_no_truncate_408ca', table='tables_colourstep', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='colourstep',
            trigger=pgtrigger.compiler.Trigger(name='colour_step_follows', sql=config.kit.triggers.firm.GuardSql(declare='DECLARE last tables_colourstep;', func="\n                    PERFORM FROM tables_table t WHERE t.id = NEW.table_id FOR NO KEY UPDATE;  -- one after the other\n                    SELECT s.* INTO last FROM tables_colourstep s\n                        WHERE s.table_id = NEW.table_id AND s.colour = NEW.colour ORDER BY s.id DESC LIMIT 1;\n                    IF NEW.owed_micros <> coalesce(last.owed_micros, 0) + NEW.moved_micros\n                        OR coalesce(last.owed_micros, 0) = 0 AND NEW.kind <> 'issued'\n                        OR last.owed_micros > 0 AND (last.player, last.value_micros) <> (NEW.player, NEW.value_micros)\n                    THEN\n                        RAISE EXCEPTION 'Colour % of table % does not go on like this', NEW.colour, NEW.table_id\n                            USING ERRCODE = 'check_violation', CONSTRAINT = 'colour_step_follows';\n                    END IF;\n                    RETURN NEW;\n                ", hash='e5f93785583889511841af7ee2c5e9a45e8d442f', operation='INSERT', pgid='pgtrigger_colour_step_follows_211b2', table='tables_colourstep', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='countrules',
            trigger=pgtrigger.compiler.Trigger(name='count_rules_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\nNEW.at := statement_timestamp(); RETURN NEW;", hash='c2e3a40cc5bb745bbfe335838b31c3195523968c', operation='INSERT', pgid='pgtrigger_count_rules_stamped_e135f', table='tables_countrules', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='countrules',
            trigger=pgtrigger.compiler.Trigger(name='count_rules_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='0ef3b194795f374112149802e743c04d79d3faaa', operation='UPDATE', pgid='pgtrigger_count_rules_no_update_b8c94', table='tables_countrules', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='countrules',
            trigger=pgtrigger.compiler.Trigger(name='count_rules_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='2192959cdb9baf9575136c08949f1cc74caded88', operation='DELETE', pgid='pgtrigger_count_rules_no_delete_75093', table='tables_countrules', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='countrules',
            trigger=pgtrigger.compiler.Trigger(name='count_rules_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='e59761aa53bbec0e89440245673c5cf562cf87a8', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_count_rules_no_truncate_0030e', table='tables_countrules', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='countrules',
            trigger=pgtrigger.compiler.Trigger(name='count_rules_by_two', sql=config.kit.triggers.firm.GuardSql(func="\n                    IF NOT EXISTS (SELECT FROM people_approvalrequest a WHERE a.id = NEW.approval_id\n                            AND a.state = 'used' AND a.action = 'tables.count_rules'\n                            AND a.premises_id = NEW.premises_id\n                            AND a.payload_json::jsonb ->> 'from_day' = NEW.from_day::text) THEN\n                        RAISE EXCEPTION 'no approval of a second person was used for these rules'\n                            USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ", hash='aea497d5b5ba9fd84e7d449481865e458bf0684a', operation='INSERT', pgid='pgtrigger_count_rules_by_two_5aa00', table='tables_countrules', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='dispute',
            trigger=pgtrigger.compiler.Trigger(name='dispute_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\nNEW.at := statement_timestamp(); RETURN NEW;", hash='aed9af90c894a7969b58a23b889de69b90f20d17', operation='INSERT', pgid='pgtrigger_dispute_stamped_c3f1b', table='tables_dispute', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='dispute',
            trigger=pgtrigger.compiler.Trigger(name='dispute_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='a7b118636ae73afed7e27fc917d8bf0c32c898fd', operation='UPDATE', pgid='pgtrigger_dispute_no_update_dc8ca', table='tables_dispute', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='dispute',
            trigger=pgtrigger.compiler.Trigger(name='dispute_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='8b1be7197b189c977a0f5d98ba8bdc23c4d7a003', operation='DELETE', pgid='pgtrigger_dispute_no_delete_4014e', table='tables_dispute', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='dispute',
            trigger=pgtrigger.compiler.Trigger(name='dispute_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='e178777236c1816b9a460393aabbe34e98a726c5', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_dispute_no_truncate_c6f80', table='tables_dispute', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='dispute',
            trigger=pgtrigger.compiler.Trigger(name='dispute_of_its_table', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (NEW.round_id IS NOT NULL)', func="\n                    IF NOT EXISTS (SELECT FROM tables_round r WHERE r.id = NEW.round_id AND r.table_id = NEW.table_id)\n                    THEN\n                        RAISE EXCEPTION 'The round of a dispute is of its table' USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ", hash='d213170bb8aecbba9f8b7eba5bb7d9438208ee58', operation='INSERT', pgid='pgtrigger_dispute_of_its_table_e3415', table='tables_dispute', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='disputestep',
            trigger=pgtrigger.compiler.Trigger(name='dispute_step_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\nNEW.at := statement_timestamp(); RETURN NEW;", hash='ecc3f45d56240e2132a9d3d49ac66684c92095f8', operation='INSERT', pgid='pgtrigger_dispute_step_stamped_51528', table='tables_disputestep', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='disputestep',
            trigger=pgtrigger.compiler.Trigger(name='dispute_step_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='7173395cec1472dd4baa45623dc0e3f5b26cd941', operation='UPDATE', pgid='pgtrigger_dispute_step_no_update_393ca', table='tables_disputestep', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='disputestep',
            trigger=pgtrigger.compiler.Trigger(name='dispute_step_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='b25b1c44a2533b68b0dd49d8018c4a59080390c9', operation='DELETE', pgid='pgtrigger_dispute_step_no_delete_11e65', table='tables_disputestep', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='disputestep',
            trigger=pgtrigger.compiler.Trigger(name='dispute_step_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='2ced62c44450dcbeb5e44517b9afe8c2e833a333', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_dispute_step_no_truncate_99338', table='tables_disputestep', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='disputestep',
            trigger=pgtrigger.compiler.Trigger(name='dispute_step_in_order', sql=config.kit.triggers.firm.GuardSql(declare='DECLARE last tables_disputestep;', func="\n                    PERFORM FROM tables_table t JOIN tables_dispute d ON d.table_id = t.id\n                        WHERE d.id = NEW.dispute_id FOR NO KEY UPDATE OF t;  -- one word after the other\n                    SELECT s.* INTO last FROM tables_disputestep s WHERE s.dispute_id = NEW.dispute_id\n                        ORDER BY s.id DESC LIMIT 1;\n                    IF (coalesce(last.kind, ''), NEW.kind) NOT IN (\n                            ('', 'decided'), ('decided', 'reviewed'), ('decided', 'inspected'),\n                            ('reviewed', 'inspected'))\n                        OR last.accepted\n                        OR NEW.kind = 'reviewed' AND last.actor_id = NEW.actor_id THEN\n                        RAISE EXCEPTION 'A dispute goes from a decision to a review by another, and to an inspector'\n                            USING ERRCODE = 'check_violation', CONSTRAINT = 'dispute_step_in_order';\n                    END IF;\n                    RETURN NEW;\n                ", hash='7183b519688853e01ddfb93a5bb2b11e1652f098', operation='INSERT', pgid='pgtrigger_dispute_step_in_order_fd8d4', table='tables_disputestep', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='slipprint',
            trigger=pgtrigger.compiler.Trigger(name='slip_print_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\nNEW.at := statement_timestamp(); RETURN NEW;", hash='0d5afcf091e84a06ea8b4225918ab21087bd11ba', operation='INSERT', pgid='pgtrigger_slip_print_stamped_f37e4', table='tables_slipprint', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='slipprint',
            trigger=pgtrigger.compiler.Trigger(name='slip_print_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='cd584f7f771bde925e42a36947d23d5ce4c78c64', operation='UPDATE', pgid='pgtrigger_slip_print_no_update_ebc6b', table='tables_slipprint', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='slipprint',
            trigger=pgtrigger.compiler.Trigger(name='slip_print_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='b1301f59492ce6e69f64dfae91f7465cde92bc00', operation='DELETE', pgid='pgtrigger_slip_print_no_delete_52e47', table='tables_slipprint', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='slipprint',
            trigger=pgtrigger.compiler.Trigger(name='slip_print_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='78c44a5e971e7b9fd091abd6d5ee6d933e92a66f', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_slip_print_no_truncate_f6625', table='tables_slipprint', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='slipprint',
            trigger=pgtrigger.compiler.Trigger(name='slip_print_in_its_turn', sql=config.kit.triggers.firm.GuardSql(func="\n                    IF NEW.copy <> (SELECT count(*) FROM tables_slipprint p WHERE p.slip_id = NEW.slip_id) THEN\n                        RAISE EXCEPTION 'Print % of slip % leaves a gap', NEW.copy, NEW.slip_id\n                            USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ", hash='caa5449397dd5b331a4dac28571a0be7ac7adb9a', operation='INSERT', pgid='pgtrigger_slip_print_in_its_turn_4fe94', table='tables_slipprint', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tablecount',
            trigger=pgtrigger.compiler.Trigger(name='table_count_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\nNEW.at := statement_timestamp(); RETURN NEW;", hash='f15c024df2ad7ec3335317fb2c0a5a86a5ad17c2', operation='INSERT', pgid='pgtrigger_table_count_stamped_bb8e2', table='tables_tablecount', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tablecount',
            trigger=pgtrigger.compiler.Trigger(name='table_count_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='fc6c6a2042b47b58479458482775b6111cf65790', operation='UPDATE', pgid='pgtrigger_table_count_no_update_e9434', table='tables_tablecount', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tablecount',
            trigger=pgtrigger.compiler.Trigger(name='table_count_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='eb8d6055afb6d3d1590fe6464df23e2febd5b5d1', operation='DELETE', pgid='pgtrigger_table_count_no_delete_effe7', table='tables_tablecount', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tablecount',
            trigger=pgtrigger.compiler.Trigger(name='table_count_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='ef80e10f4235b920d23a7722e74737657d3bebb0', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_table_count_no_truncate_9a932', table='tables_tablecount', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tablecount',
            trigger=pgtrigger.compiler.Trigger(name='table_count_explained', sql=config.kit.triggers.firm.GuardSql(func="\n                    IF NEW.explanation = '' AND abs(NEW.result_micros - NEW.play_micros) > (\n                            SELECT r.explain_above_micros FROM tables_countrules r JOIN tables_table t\n                                ON t.premises_id = r.premises_id\n                            WHERE t.id = NEW.table_id AND r.from_day <= NEW.day\n                            ORDER BY r.from_day DESC, r.id DESC LIMIT 1) THEN\n                        RAISE EXCEPTION 'A variance above the limit of the premises needs an explanation'\n                            USING ERRCODE = 'check_violation', CONSTRAINT = 'table_count_explained';\n                    END IF;\n                    RETURN NEW;\n                ", hash='f2efb8fac1b3fcd7f286a5be42451bbb0b036d7b', operation='INSERT', pgid='pgtrigger_table_count_explained_e7f2d', table='tables_tablecount', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tablecount',
            trigger=pgtrigger.compiler.Trigger(name='table_count_follows', sql=config.kit.triggers.firm.GuardSql(func="\n                    PERFORM FROM tables_table t WHERE t.id = NEW.table_id FOR NO KEY UPDATE;\n                    IF NEW.booked_micros <> NEW.result_micros - NEW.play_micros - coalesce((\n                            SELECT sum(c.booked_micros) FROM tables_tablecount c\n                            WHERE c.table_id = NEW.table_id AND c.day = NEW.day), 0) THEN\n                        RAISE EXCEPTION 'Of the variance of table % on % another amount is open', NEW.table_id, NEW.day\n                            USING ERRCODE = 'check_violation', CONSTRAINT = 'table_count_follows';\n                    END IF;\n                    RETURN NEW;\n                ", hash='00dee494c91db50c54fa0e89c0530058f8f9ff16', operation='INSERT', pgid='pgtrigger_table_count_follows_1883b', table='tables_tablecount', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='unclaimedend',
            trigger=pgtrigger.compiler.Trigger(name='unclaimed_end_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\nNEW.at := statement_timestamp(); RETURN NEW;", hash='bf119632b4c70ada015975d3b33eaf93f5940899', operation='INSERT', pgid='pgtrigger_unclaimed_end_stamped_c4da2', table='tables_unclaimedend', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='unclaimedend',
            trigger=pgtrigger.compiler.Trigger(name='unclaimed_end_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='a72ef3179494ba244daa676861d5aaed9654c47a', operation='UPDATE', pgid='pgtrigger_unclaimed_end_no_update_3b6db', table='tables_unclaimedend', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='unclaimedend',
            trigger=pgtrigger.compiler.Trigger(name='unclaimed_end_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='0e6943d177a05208f22a9a965d6e6b117272fd49', operation='DELETE', pgid='pgtrigger_unclaimed_end_no_delete_b9ee2', table='tables_unclaimedend', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='unclaimedend',
            trigger=pgtrigger.compiler.Trigger(name='unclaimed_end_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='9786c95b80d0e32ef68e71cd49c2eeddddb734e4', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_unclaimed_end_no_truncate_7759d', table='tables_unclaimedend', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='unclaimedend',
            trigger=pgtrigger.compiler.Trigger(name='unclaimed_end_after_its_time', sql=config.kit.triggers.firm.GuardSql(condition="WHEN (NEW.kind = 'expired')", func="\n                    IF NEW.day < (SELECT m.expires_on FROM tables_unclaimedmoney m WHERE m.id = NEW.money_id) THEN\n                        RAISE EXCEPTION 'It has not expired yet'\n                            USING ERRCODE = 'check_violation', CONSTRAINT = 'unclaimed_end_after_its_time';\n                    END IF;\n                    RETURN NEW;\n                ", hash='2d4fd558893c352ca84a0539f997177956e7e81a', operation='INSERT', pgid='pgtrigger_unclaimed_end_after_its_time_00a9b', table='tables_unclaimedend', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='unclaimedend',
            trigger=pgtrigger.compiler.Trigger(name='unclaimed_end_by_two', sql=config.kit.triggers.firm.GuardSql(func="\n    IF NOT EXISTS (SELECT FROM people_approvalrequest a WHERE a.id = NEW.approval_id AND a.state = 'used'\n            AND a.action = 'tables.unclaimed' AND a.payload_json::jsonb ->> 'step' = CASE NEW.kind WHEN 'expired' THEN 'expire' ELSE 'claim' END) THEN\n        RAISE EXCEPTION 'no approval of a second person was used for this'\n            USING ERRCODE = 'check_violation', CONSTRAINT = 'unclaimed_end_by_two';\n    END IF;\n    RETURN NEW;\n", hash='2c97c30fc705f892d07a9f16185fb158ab6ab7ef', operation='INSERT', pgid='pgtrigger_unclaimed_end_by_two_615a8', table='tables_unclaimedend', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='unclaimedmoney',
            trigger=pgtrigger.compiler.Trigger(name='unclaimed_money_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\nNEW.at := statement_timestamp(); RETURN NEW;", hash='a22b1a50b9871c712a1ce6f5f48e2b3b53ab502c', operation='INSERT', pgid='pgtrigger_unclaimed_money_stamped_6dafe', table='tables_unclaimedmoney', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='unclaimedmoney',
            trigger=pgtrigger.compiler.Trigger(name='unclaimed_money_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='72d81e7d3157e8c00341d9eefde4caaf4cbdabef', operation='UPDATE', pgid='pgtrigger_unclaimed_money_no_update_d3c5c', table='tables_unclaimedmoney', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='unclaimedmoney',
            trigger=pgtrigger.compiler.Trigger(name='unclaimed_money_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='47283c7ffad3e30ad57bd2332eb2337c5680155a', operation='DELETE', pgid='pgtrigger_unclaimed_money_no_delete_b5066', table='tables_unclaimedmoney', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='unclaimedmoney',
            trigger=pgtrigger.compiler.Trigger(name='unclaimed_money_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='212085ec0f62c8564b32d97b2e0271be68f20070', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_unclaimed_money_no_truncate_c2343', table='tables_unclaimedmoney', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='unclaimedmoney',
            trigger=pgtrigger.compiler.Trigger(name='unclaimed_money_by_two', sql=config.kit.triggers.firm.GuardSql(func="\n    IF NOT EXISTS (SELECT FROM people_approvalrequest a WHERE a.id = NEW.approval_id AND a.state = 'used'\n            AND a.action = 'tables.unclaimed' AND a.payload_json::jsonb ->> 'step' = 'hold') THEN\n        RAISE EXCEPTION 'no approval of a second person was used for this'\n            USING ERRCODE = 'check_violation', CONSTRAINT = 'unclaimed_money_by_two';\n    END IF;\n    RETURN NEW;\n", hash='b6ec17c765e214275b0c587f87927f1d96b3f512', operation='INSERT', pgid='pgtrigger_unclaimed_money_by_two_cb400', table='tables_unclaimedmoney', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='roundcorrection',
            trigger=pgtrigger.compiler.Trigger(name='round_correction_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\nNEW.at := statement_timestamp(); RETURN NEW;", hash='3a8c74c884cc9f768734bb654aa7580596ddbeb2', operation='INSERT', pgid='pgtrigger_round_correction_stamped_cc87e', table='tables_roundcorrection', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='roundcorrection',
            trigger=pgtrigger.compiler.Trigger(name='round_correction_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='e34c9bd22378bded4be4fb7d11705f345289d694', operation='UPDATE', pgid='pgtrigger_round_correction_no_update_cba1e', table='tables_roundcorrection', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='roundcorrection',
            trigger=pgtrigger.compiler.Trigger(name='round_correction_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='fcad3ec2e77cd759600f899702fa02dbc3be2ddc', operation='DELETE', pgid='pgtrigger_round_correction_no_delete_35394', table='tables_roundcorrection', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='roundcorrection',
            trigger=pgtrigger.compiler.Trigger(name='round_correction_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='3c22d629024a7c143c9354bdd331ce1c57d6efe4', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_round_correction_no_truncate_274d7', table='tables_roundcorrection', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='roundcorrection',
            trigger=pgtrigger.compiler.Trigger(name='round_correction_by_two', sql=config.kit.triggers.firm.GuardSql(func="\n                    IF NEW.approval_id IS NULL THEN\n                        IF NEW.moved_micros > coalesce((\n                                SELECT h.correct_alone_micros FROM jackpots_handpayrules h\n                                JOIN tables_table t ON t.premises_id = h.premises_id\n                                JOIN tables_round r ON r.table_id = t.id AND r.id = NEW.round_id\n                                JOIN people_premises m ON m.id = h.premises_id\n                                WHERE h.from_day <= (statement_timestamp() AT TIME ZONE m.time_zone\n                                                     - make_interval(hours => m.rollover_hour))::date\n                                ORDER BY h.from_day DESC, h.id DESC LIMIT 1), 0) THEN\n                            RAISE EXCEPTION 'a second person approves a correction that moves so much'\n                                USING ERRCODE = 'check_violation';\n                        END IF;\n                    ELSIF NOT EXISTS (SELECT FROM people_approvalrequest a WHERE a.id = NEW.approval_id\n                            AND a.state = 'used' AND a.action = 'tables.correct_round'\n                            AND a.requested_by_id = NEW.asked_by_id) THEN\n                        RAISE EXCEPTION 'no approval of a second person was used for this correction'\n                            USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ", hash='0e7ebc3b8615854338f59a340d7ca97177c6c949', operation='INSERT', pgid='pgtrigger_round_correction_by_two_8ef7e', table='tables_roundcorrection', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='roundversion',
            trigger=pgtrigger.compiler.Trigger(name='round_version_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\n RETURN NEW;", hash='999dd3fae1f9febb28934ab1d779a919d9091947', operation='INSERT', pgid='pgtrigger_round_version_stamped_b7581', table='tables_roundversion', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='roundversion',
            trigger=pgtrigger.compiler.Trigger(name='round_version_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='3d7a3598f7ae8ca7b28e213a4d018360e09abf27', operation='UPDATE', pgid='pgtrigger_round_version_no_update_fd807', table='tables_roundversion', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='roundversion',
            trigger=pgtrigger.compiler.Trigger(name='round_version_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='b3e89c10f33b8963fd23755aed4bdeee633c7605', operation='DELETE', pgid='pgtrigger_round_version_no_delete_522bd', table='tables_roundversion', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='roundversion',
            trigger=pgtrigger.compiler.Trigger(name='round_version_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='84ee345445bbe2f1adbf9b52fe3f2671eb585582', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_round_version_no_truncate_feb99', table='tables_roundversion', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='roundversion',
            trigger=pgtrigger.compiler.Trigger(name='round_version_follows', sql=config.kit.triggers.firm.GuardSql(func="\n                    IF NEW.number <> 1 + coalesce((SELECT max(v.number) FROM tables_roundversion v\n                                                   WHERE v.round_id = NEW.round_id), 1)\n                        OR NOT EXISTS (SELECT FROM tables_round r JOIN tables_roundcorrection c\n                                       ON c.id = NEW.correction_id JOIN tables_round o ON o.id = c.round_id\n                                       WHERE r.id = NEW.round_id AND r.state = 'settled'\n                                           AND r.table_id = o.table_id AND r.number >= o.number) THEN\n                        RAISE EXCEPTION 'version % does not follow the versions of settled round %', NEW.number,\n                            NEW.round_id USING ERRCODE = 'check_violation', CONSTRAINT = 'round_version_follows';\n                    END IF;\n                    RETURN NEW;\n                ", hash='bc927879297944b3b73da9fe61e5fd3164879111', operation='INSERT', pgid='pgtrigger_round_version_follows_b0d11', table='tables_roundversion', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='seatclaim',
            trigger=pgtrigger.compiler.Trigger(name='seat_claim_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\nNEW.at := statement_timestamp(); RETURN NEW;", hash='36ed07b41798e64e0182182a15fdbfd9673182e6', operation='INSERT', pgid='pgtrigger_seat_claim_stamped_4e14f', table='tables_seatclaim', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='seatclaim',
            trigger=pgtrigger.compiler.Trigger(name='seat_claim_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='195e589302f1622529e48b30fd0c1e79380ba185', operation='UPDATE', pgid='pgtrigger_seat_claim_no_update_44155', table='tables_seatclaim', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='seatclaim',
            trigger=pgtrigger.compiler.Trigger(name='seat_claim_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='f37fe1952be43c4b9868af2af295c22a0fc74ffe', operation='DELETE', pgid='pgtrigger_seat_claim_no_delete_12bb9', table='tables_seatclaim', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='seatclaim',
            trigger=pgtrigger.compiler.Trigger(name='seat_claim_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='f946bd0c546c8e9aa7c510084f7bce47850d4be6', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_seat_claim_no_truncate_1699f', table='tables_seatclaim', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='seatclaim',
            trigger=pgtrigger.compiler.Trigger(name='seat_claim_by_its_correction', sql=config.kit.triggers.firm.GuardSql(func="\n                    IF NEW.amount_micros + coalesce((SELECT sum(c.amount_micros) FROM tables_seatclaim c\n                                                     WHERE c.correction_id = NEW.correction_id), 0)\n                        > (SELECT o.moved_micros FROM tables_roundcorrection o\n                           JOIN tables_round r ON r.id = o.round_id\n                           WHERE o.id = NEW.correction_id AND r.table_id = NEW.table_id)\n                        + coalesce((SELECT sum(s.amount_micros) FROM tables_claimstep s\n                                    WHERE s.correction_id = NEW.correction_id), 0) THEN\n                        RAISE EXCEPTION 'claims above what their correction moves'\n                            USING ERRCODE = 'check_violation', CONSTRAINT = 'seat_claim_by_its_correction';\n                    END IF;\n                    RETURN NEW;\n                ", hash='b9fa0baa38cb5101a760e8372c3248ecd8054f96', operation='INSERT', pgid='pgtrigger_seat_claim_by_its_correction_1cc73', table='tables_seatclaim', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='claimstep',
            trigger=pgtrigger.compiler.Trigger(name='claim_step_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\nNEW.at := statement_timestamp(); RETURN NEW;", hash='176c601f6aba21723ef83b50b2ecf49263edb145', operation='INSERT', pgid='pgtrigger_claim_step_stamped_c9179', table='tables_claimstep', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='claimstep',
            trigger=pgtrigger.compiler.Trigger(name='claim_step_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='79d62b86fa22d4e4738b7dd3239d630b1f864948', operation='UPDATE', pgid='pgtrigger_claim_step_no_update_b96dd', table='tables_claimstep', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='claimstep',
            trigger=pgtrigger.compiler.Trigger(name='claim_step_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='bc294ae561636a7b2c61fd72562f718e090e9065', operation='DELETE', pgid='pgtrigger_claim_step_no_delete_965aa', table='tables_claimstep', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='claimstep',
            trigger=pgtrigger.compiler.Trigger(name='claim_step_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='1a25cc9b016b60f29ff78773a5c7e9ca96e99902', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_claim_step_no_truncate_8bddb', table='tables_claimstep', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='claimstep',
            trigger=pgtrigger.compiler.Trigger(name='claim_step_follows', sql=config.kit.triggers.firm.GuardSql(declare='DECLARE claim record; last record;', func="\n                    SELECT c.kind, c.amount_micros INTO claim FROM tables_seatclaim c WHERE c.id = NEW.claim_id;\n                    SELECT s.number, s.left_micros INTO last FROM tables_claimstep s WHERE s.claim_id = NEW.claim_id\n                        ORDER BY s.number DESC LIMIT 1;\n                    IF NEW.number <> coalesce(last.number, 0) + 1\n                        OR NEW.left_micros <> coalesce(last.left_micros, claim.amount_micros) - NEW.amount_micros THEN\n                        RAISE EXCEPTION 'a step of claim % that does not follow the one before', NEW.claim_id\n                            USING ERRCODE = 'check_violation', CONSTRAINT = 'claim_step_follows';\n                    END IF;\n                    IF NOT NEW.kind = ANY (CASE claim.kind WHEN 'owed' THEN ARRAY['paid', 'expired', 'replaced']\n                                           ELSE ARRAY['recovered', 'written-off', 'replaced'] END) THEN\n                        RAISE EXCEPTION 'what is % is not %', claim.kind, NEW.kind\n                            USING ERRCODE = 'check_violation', CONSTRAINT = 'claim_step_of_its_kind';\n                    END IF;\n                    IF NEW.kind IN ('expired', 'written-off') AND NOT EXISTS (\n                            SELECT FROM people_approvalrequest a WHERE a.id = NEW.approval_id AND a.state = 'used'\n                                AND a.action = 'tables.give_up_claim') THEN\n                        RAISE EXCEPTION 'no approval of a second person was used for this'\n                            USING ERRCODE = 'check_violation', CONSTRAINT = 'claim_step_by_two';\n                    END IF;\n                    RETURN NEW;\n                ", hash='b13d79c81d195d7c7dd0f210117f71dfa61e7536', operation='INSERT', pgid='pgtrigger_claim_step_follows_9067d', table='tables_claimstep', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='versionline',
            trigger=pgtrigger.compiler.Trigger(name='version_line_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\n RETURN NEW;", hash='b018c0f1b9b9ab62cb73fbfa7eb858ec65b20806', operation='INSERT', pgid='pgtrigger_version_line_stamped_bd697', table='tables_versionline', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='versionline',
            trigger=pgtrigger.compiler.Trigger(name='version_line_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='3ae82ca8a422957e3d2a1957660f585e32cc46c4', operation='UPDATE', pgid='pgtrigger_version_line_no_update_7f444', table='tables_versionline', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='versionline',
            trigger=pgtrigger.compiler.Trigger(name='version_line_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='c8ab88b207a3685250a524ccc220025bf419a332', operation='DELETE', pgid='pgtrigger_version_line_no_delete_a2f61', table='tables_versionline', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='versionline',
            trigger=pgtrigger.compiler.Trigger(name='version_line_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='e30706bfd7d0fac24248426d95c96fc9626a4167', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_version_line_no_truncate_67e2f', table='tables_versionline', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='roundending',
            trigger=pgtrigger.compiler.Trigger(name='round_ending_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\nNEW.at := statement_timestamp(); RETURN NEW;", hash='fbd0824196bc4689e58ac2c02542b14bc0903c87', operation='INSERT', pgid='pgtrigger_round_ending_stamped_cbe0e', table='tables_roundending', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='roundending',
            trigger=pgtrigger.compiler.Trigger(name='round_ending_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='d6e656590d46b6efb7dfcaa59f07f6bd208581a0', operation='UPDATE', pgid='pgtrigger_round_ending_no_update_b04b9', table='tables_roundending', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='roundending',
            trigger=pgtrigger.compiler.Trigger(name='round_ending_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='78085f92b43689cc2f9efcc9de03de6db6dcaec3', operation='DELETE', pgid='pgtrigger_round_ending_no_delete_624c5', table='tables_roundending', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='roundending',
            trigger=pgtrigger.compiler.Trigger(name='round_ending_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='2287166e9fb87550f826b207888d4e3f2e3b2206', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_round_ending_no_truncate_79fd3', table='tables_roundending', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='roundending',
            trigger=pgtrigger.compiler.Trigger(name='round_ending_lawful', sql=config.kit.triggers.firm.GuardSql(declare='DECLARE ended record;', func="\n                    SELECT r.state, l.is_open, t.premises_id INTO ended FROM tables_round r\n                        JOIN tables_table t ON t.id = r.table_id JOIN jackpots_tablelog l ON l.id = t.table_log_id\n                        JOIN tables_tableevent e ON e.table_id = t.id AND e.session = NEW.session AND e.number = 1\n                            AND e.round_id = r.id AND e.kind = 'result'\n                        WHERE r.id = NEW.round_id;\n                    IF NOT FOUND OR ended.state IN ('open', 'locked') THEN\n                        RAISE EXCEPTION 'round % was not ended by people in session %', NEW.round_id, NEW.session\n                            USING ERRCODE = 'check_violation', CONSTRAINT = 'round_ending_told';\n                    END IF;\n                    IF NEW.approval_id IS NULL THEN\n                        IF ended.is_open OR NEW.moved_micros > coalesce((\n                                SELECT h.correct_alone_micros FROM jackpots_handpayrules h\n                                JOIN people_premises m ON m.id = h.premises_id\n                                WHERE h.premises_id = ended.premises_id\n                                    AND h.from_day <= (statement_timestamp() AT TIME ZONE m.time_zone\n                                                       - make_interval(hours => m.rollover_hour))::date\n                                ORDER BY h.from_day DESC, h.id DESC LIMIT 1), 0) THEN\n                            RAISE EXCEPTION 'a second person approves the end of such a round'\n                                USING ERRCODE = 'check_violation', CONSTRAINT = 'round_ending_by_two';\n                        END IF;\n                    ELSIF NOT EXISTS (SELECT FROM people_approvalrequest a WHERE a.id = NEW.approval_id\n                            AND a.state = 'used' AND a.action = 'tables.end_round'\n                            AND a.requested_by_id = NEW.asked_by_id\n                            AND (a.payload_json::jsonb ->> 'round')::bigint = NEW.round_id) THEN\n                        RAISE EXCEPTION 'no approval of a second person was used for the end of this round'\n                            USING ERRCODE = 'check_violation', CONSTRAINT = 'round_ending_by_two';\n                    END IF;\n                    RETURN NEW;\n                ", hash='21a20daac8433dfab7f0db5886b71f387240f49c', operation='INSERT', pgid='pgtrigger_round_ending_lawful_7334d', table='tables_roundending', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='messagetext',
            trigger=pgtrigger.compiler.Trigger(name='message_text_of_event', sql=config.kit.triggers.firm.IndexedGuardSql(declare='DECLARE wrong record;', func="\n                    SELECT n.event_id INTO wrong FROM new_rows n LEFT JOIN tables_tableevent e ON e.id = n.event_id\n                        WHERE e.message IS NOT NULL OR e.sha256 IS DISTINCT FROM encode(sha256(convert_to(n.text, 'UTF8')), 'hex')\n                        LIMIT 1;\n                    IF FOUND THEN\n                        RAISE EXCEPTION 'A text is not the message of terminal event %', wrong.event_id\n                            USING ERRCODE = 'check_violation', CONSTRAINT = 'message_text_of_event';\n                    END IF;\n                    RETURN NULL;\n                ", hash='02eaee482de47c3a268dc9373043d2e9f49fcd17', level='STATEMENT', operation='INSERT', pgid='pgtrigger_message_text_of_event_8822d', referencing='REFERENCING NEW TABLE AS new_rows ', table='tables_messagetext', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='messagetext',
            trigger=pgtrigger.compiler.Trigger(name='message_text_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='7bf1d57074e0181d91780eaaad74da3817e5eedc', operation='UPDATE', pgid='pgtrigger_message_text_no_update_1ea7e', table='tables_messagetext', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='messagetext',
            trigger=pgtrigger.compiler.Trigger(name='message_text_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='624dcc9d4337dc1e2c4b1075a66258dae2d0ea11', operation='DELETE', pgid='pgtrigger_message_text_no_delete_36384', table='tables_messagetext', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='messagetext',
            trigger=pgtrigger.compiler.Trigger(name='message_text_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='a63f69d1689fc1656a4939f2c72e384ab8a8cad4', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_message_text_no_truncate_b164a', table='tables_messagetext', when='BEFORE')),
        ),
        # Settled lines and the texts of messages are divided by the month in whose band of numbers their round or event
        # is. Last, with keys, indexes and triggers: their parts have what they have.
        migrations.RunSQL("SELECT months.divide('tables_wagerline', 'round_id', 'tables_round_id_seq')"),
        migrations.RunSQL("SELECT months.divide('tables_messagetext', 'event_id', 'tables_tableevent_id_seq')"),
    ]
