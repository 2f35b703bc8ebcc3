"""Progressives, their log, wins and signs, for a new database: at once what 26 migrations made step by step.

Of an older one, which has those that `replaces` names, nothing is changed; it must have all of them (config/replaced.py).
"""

import config.kit.triggers.firm
import config.kit.triggers.sealed
import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.datetime
import jackpots.models.signs
import pgtrigger.compiler
import pgtrigger.migrations
import rules.version
from config.kit.at_once import CreateModels
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('jackpots', '0001_initial'),
        ('jackpots', '0002_time_and_order'),
        ('jackpots', '0003_tokens_have_a_life'),
        ('jackpots', '0004_sealed'),
        ('jackpots', '0005_freezes'),
        ('jackpots', '0006_seal_time_and_order'),
        ('jackpots', '0007_winners'),
        ('jackpots', '0008_links_signs_and_watermarks'),
        ('jackpots', '0009_set_up_by_people'),
        ('jackpots', '0010_second_thoughts'),
        ('jackpots', '0011_displays_show_more'),
        ('jackpots', '0012_limits_by_two'),
        ('jackpots', '0013_transfers_and_ends'),
        ('jackpots', '0014_recoveries'),
        ('jackpots', '0015_events_by_round'),
        ('jackpots', '0016_what_tables_had_vouched'),
        ('jackpots', '0017_suspect_contributions'),
        ('jackpots', '0018_advances'),
        ('jackpots', '0019_undecided_rounds_and_counts_guarded'),
        ('jackpots', '0020_corrected_rounds'),
        ('jackpots', '0021_no_wagers_after_the_end'),
        ('jackpots', '0022_paid_totals_and_fewer_indexes'),
        ('jackpots', '0023_wins_by_hand'),
        ('jackpots', '0024_sign_minutes_by_month'),
        ('jackpots', '0025_given_by_the_hour'),
        ('jackpots', '0026_frame_texts'),
    ]

    dependencies = [
        ('people', '0001_squashed_0009_person_has_a_language'),
        ('ledger', '0001_squashed_0008_divided_guards'),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name='Event',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('number', models.BigIntegerField()),
                        ('kind', models.CharField(choices=[('stakes', 'Jackpot wagers accepted'), ('return', 'Void jackpot wagers returned'), ('hits', 'Jackpot hands')], max_length=10)),
                        ('terminal_at', models.DateTimeField(help_text="The reading of the terminal's clock with which it was told.")),
                        ('received_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('round_id', models.BigIntegerField()),
                        ('body', models.JSONField(help_text='The wagers or the hits, as `rules.codec` spells them, with a version.')),
                        ('table_log', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='events', to='jackpots.tablelog')),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                    ],
                    options={
                        'indexes': [models.Index(fields=['xact_id'], name='event_by_stamp'), models.Index(fields=['round_id'], name='event_by_round')],
                        'constraints': [models.UniqueConstraint(fields=('table_log', 'number'), name='event_number_once')],
                    },
                ),
                migrations.CreateModel(
                    name='ProgressiveConfig',
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
                    name='Share',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('place', models.DateTimeField(help_text='Where it stands in the order; fixed when it is accepted.')),
                        ('stake_micros', models.BigIntegerField(default=0, help_text='The whole wagers, of which rates are counted; negative for a return.')),
                        ('slice_micros', models.BigIntegerField(default=0, help_text='What of them came to this progressive; negative for a return.')),
                        ('slices', models.JSONField(default=dict, help_text='By kind of wager that came here, the basis points of it that did.')),
                        ('config', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpots.progressiveconfig')),
                        ('event', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='shares', to='jackpots.event')),
                        ('progressive', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='shares', to='jackpots.progressive')),
                        ('clock', models.CharField(blank=True, help_text="The terminal's clock that stamped it.", max_length=64)),
                        ('earliest', models.DateTimeField(help_text='It did not happen before.')),
                        ('late', models.BooleanField(default=False, help_text='Told too late to prove an order.')),
                        ('latest', models.DateTimeField(help_text='It did not happen after.')),
                        ('moment', models.CharField(blank=True, help_text='Of a hit, the kind of moment that counts.', max_length=32)),
                        ('public_at', models.DateTimeField(help_text='Of a hit: nobody is shown it before.', null=True)),
                        ('told', models.DateTimeField(help_text='The moment as the terminal told it; none: never told.', null=True)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                    ],
                    options={
                        'indexes': [models.Index(fields=['progressive', 'place'], name='share_in_order'), models.Index(fields=['xact_id'], name='share_by_stamp')],
                        'constraints': [models.UniqueConstraint(fields=('event', 'progressive'), name='share_once'), models.CheckConstraint(condition=models.Q(models.Q(('slice_micros', 0), ('stake_micros', 0)), models.Q(('slice_micros__gte', 0), ('slice_micros__lte', models.F('stake_micros')), ('stake_micros__gt', 0)), models.Q(('slice_micros__gte', models.F('stake_micros')), ('slice_micros__lte', 0), ('stake_micros__lt', 0)), _connector='OR'), name='share_slice_of_stake'), models.CheckConstraint(condition=models.Q(('earliest__lte', models.F('place')), ('latest__gte', models.F('place'))), name='share_place_in_interval')],
                    },
                ),
                migrations.CreateModel(
                    name='TableLog',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('table_code', models.CharField(max_length=32)),
                        ('is_open', models.BooleanField(default=False)),
                        ('last_number', models.BigIntegerField(default=0)),
                        ('watermark', models.DateTimeField(help_text='Before it the table has nothing left to tell.', null=True)),
                        ('lease_until', models.DateTimeField(help_text='Jackpot wagers that lock until then count.', null=True)),
                        ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='people.premises')),
                        ('clocks', models.JSONField(default=dict, help_text="By the id of a terminal's clock what is known of it: see jackpots.order.clocks.")),
                        ('heard_at', models.DateTimeField(help_text="When its terminal's last request with times came.", null=True)),
                        ('last_place', models.DateTimeField(help_text='The last of its places; the next lock is not before.', null=True)),
                        ('last_round', models.BigIntegerField(default=0, help_text='The round that locked last.')),
                        ('left_out_at', models.DateTimeField(help_text='Since when nobody waits for it.', null=True)),
                        ('returned_at', models.DateTimeField(help_text='Where the order was final when it opened or came back: nobody waited for it before.', null=True)),
                        ('hallmark', models.CharField(help_text='Of how far it has vouched and counted: see jackpots.order.vouched.', max_length=64, null=True)),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(fields=('premises', 'table_code'), name='table_log_once'), models.CheckConstraint(condition=models.Q(('is_open', False), ('watermark__isnull', False), _connector='OR'), name='table_log_open_has_watermark')],
                    },
                ),
                migrations.CreateModel(
                    name='UndecidedRound',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('round_id', models.BigIntegerField()),
                        ('since', models.DateTimeField(help_text="The lock's earliest bound: nothing of the round was before.")),
                        ('seats', django.contrib.postgres.fields.ArrayField(base_field=models.SmallIntegerField(), help_text='Those that are not decided yet.', size=None)),
                        ('progressive', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='undecided', to='jackpots.progressive')),
                        ('table_log', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='undecided', to='jackpots.tablelog')),
                        ('left_out', models.BooleanField(default=False, help_text="Nobody waits for it: two people's decision.")),
                        ('lock', models.JSONField(help_text='Its no more bets as it was told and placed: see jackpots.order.instants.')),
                        ('unawaited', models.BooleanField(default=False, help_text='It locked, perhaps, before its table opened or came back: nobody waited for it.')),
                    ],
                    options={
                        'indexes': [models.Index(condition=models.Q(('left_out', False)), fields=['progressive', 'since'], name='undecided_waited_for')],
                        'constraints': [models.UniqueConstraint(fields=('table_log', 'round_id', 'progressive'), name='undecided_round_once')],
                    },
                ),
                migrations.CreateModel(
                    name='Win',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('round_id', models.BigIntegerField()),
                        ('hit', models.JSONField(help_text='The hand that is paid, as the settlement spelled it.')),
                        ('hand_wager_id', models.CharField(help_text='The wager whose hand it is.', max_length=64)),
                        ('wager_id', models.CharField(help_text="The wager that is paid: the hand's own, or another's envy bonus.", max_length=64)),
                        ('seat', models.SmallIntegerField()),
                        ('player', models.CharField(blank=True, max_length=64)),
                        ('trigger', models.CharField(max_length=32)),
                        ('level', models.CharField(max_length=32)),
                        ('amount_micros', models.BigIntegerField()),
                        ('from_pool_micros', models.BigIntegerField()),
                        ('from_house_micros', models.BigIntegerField()),
                        ('rule', models.CharField(max_length=200)),
                        ('resolved_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('state', models.CharField(choices=[('pending', 'Resolved, to be verified'), ('verified', 'Verified, to be approved'), ('approved', 'Approved, to be paid'), ('paid', 'Paid'), ('superseded', 'Superseded by a second thought'), ('unclaimed', 'Set aside: nobody has claimed it'), ('expired', 'Expired unclaimed')], default='pending', max_length=10)),
                        ('verified_at', models.DateTimeField(blank=True, null=True)),
                        ('verification', models.JSONField(default=dict, help_text='What was checked: hand, deck count, surveillance.')),
                        ('paid_at', models.DateTimeField(blank=True, null=True)),
                        ('paid_micros', models.BigIntegerField(blank=True, null=True)),
                        ('method', models.CharField(blank=True, choices=[('chips', 'Chips'), ('cash', 'Cash'), ('cheque', 'Cheque'), ('advance', 'An advance that was handed out before'), ('split', 'Split: chips, cash and cheque')], max_length=10)),
                        ('approval', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='people.approvalrequest')),
                        ('paid_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('progressive', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='wins', to='jackpots.progressive')),
                        ('run', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='wins', to='jackpots.foldrun')),
                        ('share', models.ForeignKey(help_text='None: a late hand that was let in, or one that only a correction of its round has shown.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='wins', to='jackpots.share')),
                        ('table_log', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='wins', to='jackpots.tablelog')),
                        ('verified_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('held', models.ForeignKey(help_text='Of a late hand.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='wins', to='jackpots.heldhand')),
                        ('parts', models.JSONField(help_text='Of a split payment: micros by way of paying.', null=True)),
                        ('replaces', models.ForeignKey(help_text='The larger win, not paid, in whose place it stands.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='replaced_by', to='jackpots.win')),
                        ('adjustment', models.ForeignKey(help_text='The second thought that brought it; none: the fold.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='wins', to='jackpots.adjustment')),
                    ],
                    options={
                        'ordering': ['-pk'],
                        'indexes': [models.Index(fields=['progressive', '-id'], name='win_newest'), models.Index(condition=models.Q(('state', 'paid')), fields=['-paid_at'], name='win_paid_lately'), models.Index(condition=models.Q(('state__in', ['pending', 'verified', 'approved'])), fields=['progressive'], name='win_open'), models.Index(fields=['progressive', 'round_id'], name='win_of_round'), models.Index(fields=['trigger', '-id'], name='win_by_hand')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('amount_micros', django.db.models.expressions.CombinedExpression(models.F('from_pool_micros'), '+', models.F('from_house_micros')))), name='win_sources_add_up'), models.CheckConstraint(condition=models.Q(('from_house_micros__gte', 0), ('from_pool_micros__gte', 0)), name='win_sources_not_negative'), models.UniqueConstraint(condition=models.Q(('adjustment__isnull', True)), fields=('share', 'wager_id', 'hand_wager_id', 'trigger', 'level'), name='win_once_by_the_fold'), models.UniqueConstraint(condition=models.Q(('adjustment__isnull', False)), fields=('adjustment', 'round_id', 'wager_id', 'hand_wager_id', 'trigger', 'level', 'replaces'), name='win_once_an_adjustment', nulls_distinct=False), models.CheckConstraint(condition=models.Q(('replaces__isnull', True), ('adjustment__isnull', False), _connector='OR'), name='win_replaces_by_adjustment'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'pending'), ('verified_by__isnull', True)), models.Q(('paid_by__isnull', True), ('state__in', ['verified', 'approved']), ('verified_by__isnull', False)), models.Q(('paid_by__isnull', True), ('state__in', ['superseded', 'unclaimed', 'expired'])), models.Q(('paid_by__isnull', False), ('paid_micros__gte', models.F('amount_micros')), ('state', 'paid'), ('verified_by__isnull', False)), _connector='OR'), name='win_state_consistent'), models.CheckConstraint(condition=models.Q(models.Q(('held__isnull', True), ('share__isnull', False)), models.Q(('adjustment__isnull', False), ('share__isnull', True)), _connector='OR'), name='win_has_its_place')],
                    },
                ),
                migrations.CreateModel(
                    name='Display',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('name', models.CharField(max_length=100)),
                        ('token_sha256', models.CharField(max_length=64, unique=True)),
                        ('revoked_at', models.DateTimeField(blank=True, null=True)),
                        ('last_seen_at', models.DateTimeField(blank=True, null=True)),
                        ('last_sequence', models.BigIntegerField(blank=True, null=True)),
                        ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='displays', to='people.premises')),
                        ('progressive', models.ForeignKey(help_text="The first that it shows; none on a table's sign without a jackpot.", null=True, on_delete=django.db.models.deletion.PROTECT, related_name='displays', to='jackpots.progressive')),
                        ('expires_at', models.DateTimeField(blank=True, help_text='When the token is over by itself.', null=True)),
                        ('issued_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('networks', models.JSONField(default=list, help_text='From where it may be used; empty: from anywhere.')),
                        ('previous_sha256', models.CharField(blank=True, help_text='The token before it, while both hold.', max_length=64, null=True, unique=True)),
                        ('previous_until', models.DateTimeField(blank=True, null=True)),
                        ('last_shown', models.JSONField(help_text='By progressive the frame and the figures that it last said to show.', null=True)),
                        ('setup', models.JSONField(help_text='What it shows and how: jackpots.signs.set_up; none: one progressive, as usual.', null=True)),
                        ('table_log', models.ForeignKey(help_text='The table whose sign it is.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='displays', to='jackpots.tablelog')),
                    ],
                    options={
                        'ordering': ['premises', 'name'],
                        'constraints': [models.UniqueConstraint(fields=('premises', 'name'), name='display_name_once'), models.CheckConstraint(condition=models.Q(models.Q(('previous_sha256__isnull', True), ('previous_until__isnull', True)), models.Q(('previous_sha256__isnull', False), ('previous_until__isnull', False)), _connector='OR'), name='display_previous_token_ends'), models.CheckConstraint(condition=models.Q(('progressive__isnull', False), ('table_log__isnull', False), _connector='OR'), name='display_shows_something')],
                    },
                ),
                migrations.CreateModel(
                    name='DisplayMinute',
                    fields=[
                        ('pk', models.CompositePrimaryKey('display_id', 'minute', 'progressive_id', blank=True, editable=False, primary_key=True, serialize=False)),
                        ('minute', models.DateTimeField()),
                        ('showed', models.JSONField(default=list)),
                        ('wrong', models.JSONField(default=list, help_text='What was not as sent: [[sequence, milliseconds, {level: value}], ...]; no level: never sent at all.')),
                        ('display', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='minutes', to='jackpots.display')),
                        ('progressive', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpots.progressive')),
                    ],
                    options={
                        'indexes': [models.Index(condition=models.Q(('wrong', []), _negated=True), fields=['display', 'minute'], name='display_minute_wrong')],
                    },
                ),
                migrations.CreateModel(
                    name='Progressive',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('code', models.SlugField(max_length=32, unique=True)),
                        ('name', models.CharField(max_length=150)),
                        ('silence', models.CharField(choices=[('hold', 'Wins wait until the silent table is back or two people override'), ('suspend', 'The link is suspended'), ('play-on', 'Play on without contribution and entitlement')], default='hold', max_length=10)),
                        ('lease_ms', models.PositiveIntegerField(default=15000, help_text='How long after a request a terminal may take jackpot wagers.')),
                        ('skew_ms', models.PositiveIntegerField(default=1000, help_text='How long after itself a moment may be told and still prove an order.')),
                        ('pay_alone_limit_micros', models.BigIntegerField(default=0, help_text="Wins up to this amount are paid without a second person's approval.")),
                        ('folded_until', models.DateTimeField(help_text='Every event placed before this instant is in the final meters. It stays behind `final_until` where hits wait for one another, or for people.', null=True)),
                        ('runs', models.BigIntegerField(default=0, help_text='Number of the last fold run.')),
                        ('frame_sequence', models.BigIntegerField(default=0, help_text='Number of the last meter frame.')),
                        ('host', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='progressives', to='people.premises')),
                        ('armed_config', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='armed', to='jackpots.progressiveconfig')),
                        ('config', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='in_force', to='jackpots.progressiveconfig')),
                        ('final_until', models.DateTimeField(help_text='How far the order is final: no event can be added before this instant.', null=True)),
                        ('ruling_daily_micros', models.BigIntegerField(help_text='The same for a gaming day; none: twice as much.', null=True)),
                        ('ruling_limit_micros', models.BigIntegerField(help_text='What the house adds at most where the order of hits is uncertain, so that each winner has the best and nobody waits; none: what one person may pay.', null=True)),
                        ('armed_at', models.DateTimeField(help_text='Where the arming stands in the order: a win before it brings nothing into force; none: anywhere.', null=True)),
                        ('effect_at', models.DateTimeField(help_text='The armed rules come into force here, not with a win: where a gaming day begins.', null=True)),
                        ('suspect_rate_micros', models.BigIntegerField(help_text='So does what a table brings within a minute above it.', null=True)),
                        ('suspect_stake_micros', models.BigIntegerField(help_text='A wager above it looks wrong, and waits in transit for people; none: no limit.', null=True)),
                        ('ends_at', models.DateTimeField(help_text='Where its last gaming day is over, as announced: wagers that lock from here on take no part in it.', null=True)),
                    ],
                    options={
                        'ordering': ['code'],
                        'constraints': [models.CheckConstraint(condition=models.Q(('pay_alone_limit_micros__gte', 0)), name='progressive_limit_not_negative'), models.CheckConstraint(condition=models.Q(('ruling_limit_micros__gte', 0), ('ruling_daily_micros__gte', 0)), name='progressive_ruling_limit_not_negative'), models.CheckConstraint(condition=models.Q(('armed_config__isnull', False), models.Q(('armed_at__isnull', True), ('effect_at__isnull', True)), _connector='OR'), name='progressive_armed_by_rules'), models.CheckConstraint(condition=models.Q(('suspect_stake_micros__gt', 0), ('suspect_rate_micros__gt', 0)), name='progressive_suspect_limits_positive')],
                    },
                ),
                migrations.CreateModel(
                    name='Meter',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('level', models.CharField(max_length=32)),
                        ('position', models.PositiveSmallIntegerField()),
                        ('base_micros', models.BigIntegerField()),
                        ('increment_micros', models.BigIntegerField(default=0)),
                        ('reserve_micros', models.BigIntegerField(default=0)),
                        ('overflow_micros', models.BigIntegerField(default=0)),
                        ('resets', models.BigIntegerField(default=0)),
                        ('not_owed_micros', models.BigIntegerField(help_text='The part of the base that is not yet a liability.')),
                        ('progressive', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='meters', to='jackpots.progressive')),
                    ],
                    options={
                        'ordering': ['progressive', 'position'],
                        'constraints': [models.UniqueConstraint(fields=('progressive', 'level'), name='meter_once_a_level'), models.CheckConstraint(condition=models.Q(('base_micros__gte', 0), ('increment_micros__gte', 0), ('overflow_micros__gte', 0), ('reserve_micros__gte', 0)), name='meter_never_negative'), models.CheckConstraint(condition=models.Q(('not_owed_micros__gte', 0), ('not_owed_micros__lte', models.F('base_micros'))), name='meter_not_owed_in_base')],
                    },
                ),
                migrations.CreateModel(
                    name='Link',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kinds', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=32), size=None)),
                        ('takes_rest', models.BooleanField(default=True, help_text="What all progressives' rates leave of a jackpot wager goes to the house by way of this one.")),
                        ('progressive', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='links', to='jackpots.progressive')),
                        ('table_log', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='links', to='jackpots.tablelog')),
                        ('left_out_at', models.DateTimeField(help_text='Since when this progressive does not wait for its silent table: by its policy.', null=True)),
                        ('resumed_at', models.DateTimeField(help_text='Wagers that lock certainly after it count again; none: it is suspended still.', null=True)),
                        ('returned_at', models.DateTimeField(help_text='Where the order was final when the table was heard again: nobody waited before.', null=True)),
                        ('suspended_at', models.DateTimeField(help_text='Wagers that lock from here on do not count, unless after `resumed_at`.', null=True)),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(fields=('table_log', 'progressive'), name='link_once'), models.CheckConstraint(condition=models.Q(('kinds', []), _negated=True), name='link_has_kinds'), models.CheckConstraint(condition=models.Q(('resumed_at__isnull', True), ('resumed_at__gte', models.F('suspended_at')), _connector='OR'), name='link_resumed_after_suspended')],
                    },
                ),
                migrations.CreateModel(
                    name='HeldHand',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('round_id', models.BigIntegerField()),
                        ('body', models.JSONField(help_text='As the log would have held it: the hits, who took part, the moments told.')),
                        ('place', models.DateTimeField(help_text='Where the hands would stand in the order: their earliest moment.')),
                        ('terminal_at', models.DateTimeField(help_text='The close of the round, as its terminal told it.')),
                        ('final_until', models.DateTimeField(help_text='How far the order was final when they were told.')),
                        ('why', models.TextField()),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('progressive', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='held_hands', to='jackpots.progressive')),
                        ('table_log', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='held_hands', to='jackpots.tablelog')),
                        ('earliest', models.DateTimeField()),
                        ('latest', models.DateTimeField()),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                    ],
                    options={
                        'ordering': ['place', 'pk'],
                        'indexes': [models.Index(fields=['xact_id'], name='held_hand_by_stamp')],
                        'constraints': [models.UniqueConstraint(fields=('table_log', 'round_id', 'progressive'), name='held_hand_once_a_round')],
                    },
                ),
                migrations.CreateModel(
                    name='Frame',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('sequence', models.BigIntegerField()),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('version', models.PositiveSmallIntegerField(db_default=1, default=jackpots.models.signs.frame_version, editable=False, help_text="How the row's documents are spelled.")),
                        ('body', models.JSONField(help_text='What signs were sent.', null=True)),
                        ('basis', models.JSONField(help_text='What of the log it was made of, so that it can be made again: see jackpots.signs.frames.', null=True)),
                        ('progressive', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='frames', to='jackpots.progressive')),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False, help_text='Of the first of each minute: the others go under no seal.', null=True)),
                        ('sha256', models.CharField(help_text='Of its text.', max_length=64, null=True)),
                    ],
                    options={
                        'indexes': [models.Index(fields=['xact_id'], name='frame_by_stamp')],
                        'constraints': [models.UniqueConstraint(fields=('progressive', 'sequence'), name='frame_once')],
                    },
                ),
                migrations.CreateModel(
                    name='FoldRun',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('number', models.BigIntegerField()),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('kind', models.CharField(choices=[('stakes', 'Jackpot wagers accepted'), ('return', 'Void jackpot wagers returned'), ('hits', 'Jackpot hands'), ('adjust', 'Adjustment')], max_length=10)),
                        ('first_place', models.DateTimeField()),
                        ('last_place', models.DateTimeField()),
                        ('shares', models.PositiveIntegerField()),
                        ('slice_micros', models.BigIntegerField()),
                        ('house_micros', models.BigIntegerField()),
                        ('rules_version', models.PositiveSmallIntegerField(db_default=1, default=rules.version.rules_version, editable=False, help_text='Of the rules that moved the pots: rules.version says what counts as another.')),
                        ('version', models.PositiveSmallIntegerField(db_default=1, default=rules.version.document_version, editable=False, help_text="How the row's documents are spelled.")),
                        ('meters', models.JSONField(help_text='The pots of every level after the run.')),
                        ('applied', models.JSONField(help_text="By wager, where a cap made each one's way its own.", null=True)),
                        ('trace', models.JSONField(default=list)),
                        ('entry_key', models.CharField(help_text='Idempotency key of the ledger entry.', max_length=100)),
                        ('progressive', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='fold_runs', to='jackpots.progressive')),
                        ('config', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpots.progressiveconfig')),
                        ('last_share', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpots.share')),
                        ('added_micros', models.BigIntegerField(default=0, help_text='House money on top, so that each winner has the best that any order gives.')),
                        ('decision', models.JSONField(help_text='Of hits among others that may have come first: how their order was decided.', null=True)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('adjustment', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='jackpots.adjustment')),
                        ('vouched', models.JSONField(help_text='Of hits: how far each linked table had vouched when they were resolved.', null=True)),
                    ],
                    options={
                        'indexes': [models.Index(fields=['progressive', 'last_place'], name='fold_run_by_place'), models.Index(condition=models.Q(('added_micros__gt', 0)), fields=['progressive', 'last_place'], name='fold_run_added'), models.Index(fields=['xact_id'], name='fold_run_by_stamp')],
                        'constraints': [models.UniqueConstraint(fields=('progressive', 'number'), name='fold_run_once'), models.UniqueConstraint(condition=models.Q(('adjustment__isnull', False)), fields=('adjustment',), name='fold_run_adjusts_once'), models.CheckConstraint(condition=models.Q(models.Q(('adjustment__isnull', False), ('kind', 'adjust'), ('last_share__isnull', True)), models.Q(('adjustment__isnull', True), ('last_share__isnull', False), models.Q(('kind', 'adjust'), _negated=True)), _connector='OR'), name='fold_run_of_shares_or_adjustment')],
                    },
                ),
                migrations.CreateModel(
                    name='Doubt',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('earliest', models.DateTimeField()),
                        ('latest', models.DateTimeField()),
                        ('jump_ms', models.BigIntegerField(help_text='By how much the clock went forward; negative: back.')),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('share', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='doubts', to='jackpots.share')),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                    ],
                    options={
                        'ordering': ['pk'],
                    },
                ),
                migrations.CreateModel(
                    name='RuledMoment',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('position', models.PositiveSmallIntegerField()),
                        ('round_id', models.BigIntegerField()),
                        ('moment', models.CharField(max_length=32)),
                        ('table_log', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpots.tablelog')),
                        ('ruling', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='moments', to='jackpots.ruling')),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                    ],
                    options={
                        'ordering': ['ruling', 'position'],
                        'indexes': [models.Index(fields=['round_id'], name='ruled_moment_of_round')],
                        'constraints': [models.UniqueConstraint(fields=('ruling', 'position'), name='ruled_moment_position_once'), models.UniqueConstraint(fields=('ruling', 'round_id'), name='ruled_moment_round_once')],
                    },
                ),
                migrations.CreateModel(
                    name='Ruling',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(choices=[('order', 'In this order, by the cameras'), ('best', 'The cameras cannot tell: each winner has the best')], max_length=10)),
                        ('cameras', models.CharField(blank=True, help_text='Where the pictures are found.', max_length=200)),
                        ('reason', models.TextField()),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('approval', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='people.approvalrequest')),
                        ('progressive', models.ForeignKey(help_text='Where it was asked for.', on_delete=django.db.models.deletion.PROTECT, related_name='rulings', to='jackpots.progressive')),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                    ],
                    options={
                        'ordering': ['pk'],
                    },
                ),
                migrations.CreateModel(
                    name='ServerClock',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('line', models.CharField(help_text="Of the database's history: it changes with a failover.", max_length=64)),
                        ('began_at', models.DateTimeField()),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                    ],
                    options={
                        'ordering': ['-pk'],
                        'constraints': [models.UniqueConstraint(fields=('line',), name='server_clock_once')],
                    },
                ),
                migrations.CreateModel(
                    name='Freeze',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('level', models.CharField(max_length=32)),
                        ('why', models.TextField()),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('progressive', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='freezes', to='jackpots.progressive')),
                    ],
                    options={
                        'constraints': [models.CheckConstraint(condition=models.Q(('why', ''), _negated=True), name='freeze_says_why')],
                    },
                ),
                migrations.CreateModel(
                    name='Release',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('approval', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='people.approvalrequest')),
                        ('freeze', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='release', to='jackpots.freeze')),
                    ],
                ),
                migrations.CreateModel(
                    name='Winner',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('uid', models.UUIDField(help_text="Names the file of the person's key.", unique=True)),
                        ('sha256', models.CharField(help_text='Of name, document, address and a salt.', max_length=64)),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('identified_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('win', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='winners', to='jackpots.win')),
                    ],
                ),
                migrations.CreateModel(
                    name='WinnerData',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('ciphertext', models.TextField()),
                        ('winner', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='data', to='jackpots.winner')),
                    ],
                ),
                migrations.CreateModel(
                    name='ConfigChange',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(choices=[('armed', 'After the next win of a whole meter'), ('dated', 'From a gaming day on'), ('withdrawn', 'Taken back before it came into force')], max_length=10)),
                        ('place', models.DateTimeField(help_text='Where it stands in the order: a win before it brings nothing into force.')),
                        ('effect_at', models.DateTimeField(help_text='Of a dated one: where its gaming day begins.', null=True)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('approval', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='people.approvalrequest')),
                        ('before', models.ForeignKey(help_text='In force when it was decided.', on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpots.progressiveconfig')),
                        ('config', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpots.progressiveconfig')),
                        ('progressive', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='changes', to='jackpots.progressive')),
                    ],
                    options={
                        'ordering': ['pk'],
                        'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('effect_at__gt', models.F('place')), ('kind', 'dated')), models.Q(models.Q(('kind', 'dated'), _negated=True), ('effect_at__isnull', True)), _connector='OR'), name='config_change_never_backwards')],
                    },
                ),
                migrations.CreateModel(
                    name='Adjustment',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(choices=[('reject', 'A win is rejected'), ('void', 'The round was void'), ('corrected', 'The result is corrected'), ('late', 'A late hand is let in'), ('meter', 'A meter is adjusted'), ('out', 'Money leaves for another progressive'), ('in', 'Money comes from another progressive'), ('end', 'The progressive is decommissioned')], max_length=10)),
                        ('place', models.DateTimeField(help_text='Where the fold had come to.')),
                        ('round_id', models.BigIntegerField(help_text='The round that is seen otherwise now.', null=True)),
                        ('hits', models.JSONField(help_text='What the round really had, and who took part.', null=True)),
                        ('hits_place', models.DateTimeField(help_text='Where its hands belong, if the log has none of it.', null=True)),
                        ('first_run', models.BigIntegerField(help_text='The fold run from which the log was replayed.', null=True)),
                        ('house_only', models.BooleanField(default=False, help_text='Too long ago: the pots stay, the house pays what is due on top.')),
                        ('cause', models.CharField(blank=True, help_text="Of a meter's adjustment: why it may be.", max_length=20)),
                        ('rule', models.CharField(max_length=200)),
                        ('reason', models.TextField()),
                        ('postings', models.JSONField(help_text='What it moves, by level and pot.')),
                        ('effect', models.JSONField(help_text='What it changes of wins, and how it is booked.')),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('approval', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='people.approvalrequest')),
                        ('held', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='adjustments', to='jackpots.heldhand')),
                        ('progressive', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='adjustments', to='jackpots.progressive')),
                        ('table_log', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpots.tablelog')),
                    ],
                    options={
                        'ordering': ['pk'],
                        'indexes': [models.Index(fields=['progressive', 'round_id'], name='adjustment_of_round'), models.Index(fields=['xact_id'], name='adjustment_by_stamp')],
                        'constraints': [models.UniqueConstraint(fields=('approval', 'progressive'), name='adjustment_once'), models.UniqueConstraint(condition=models.Q(('held__isnull', False)), fields=('held',), name='adjustment_lets_in_once'), models.CheckConstraint(condition=models.Q(models.Q(('held__isnull', False), ('hits_place__isnull', False), ('kind', 'late')), models.Q(('held__isnull', True), models.Q(('kind', 'late'), _negated=True)), _connector='OR'), name='adjustment_late_is_held'), models.CheckConstraint(condition=models.Q(models.Q(('kind__in', ['meter', 'out', 'in', 'end']), ('first_run__isnull', True), ('held__isnull', True), ('round_id__isnull', True), models.Q(models.Q(('kind', 'meter'), models.Q(('cause', ''), _negated=True)), models.Q(models.Q(('kind', 'meter'), _negated=True), ('cause', '')), _connector='OR')), models.Q(('cause', ''), ('first_run__isnull', False), ('round_id__isnull', False), ('table_log__isnull', False), models.Q(('kind__in', ['meter', 'out', 'in', 'end']), _negated=True)), _connector='OR'), name='adjustment_of_round_or_meter'), models.UniqueConstraint(condition=models.Q(('kind', 'end')), fields=('progressive',), name='adjustment_ends_once')],
                    },
                ),
                migrations.CreateModel(
                    name='Dismissal',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('rule', models.CharField(max_length=200)),
                        ('reason', models.TextField()),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('approval', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='people.approvalrequest')),
                        ('held', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='dismissal', to='jackpots.heldhand')),
                    ],
                    options={
                        'ordering': ['pk'],
                    },
                ),
                migrations.CreateModel(
                    name='HandPayRules',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('from_day', models.DateField(help_text='The first gaming day on which it holds.')),
                        ('three_people_above_micros', models.BigIntegerField(help_text='Above it verifier, approver and payer are three different people; none: never.', null=True)),
                        ('surveillance_above_micros', models.BigIntegerField(help_text='Above it a win is verified only with a reference of surveillance.', null=True)),
                        ('evidence_above_micros', models.BigIntegerField(help_text='Above it only with where pictures and deck are kept.', null=True)),
                        ('report_above_micros', models.BigIntegerField(help_text='Payments above it are listed for the authority.', null=True)),
                        ('report_to', models.CharField(blank=True, help_text='Who is told of them.', max_length=100)),
                        ('unclaimed_days', models.PositiveIntegerField(default=7, help_text='How long a win waits before it may be set aside.')),
                        ('expiry_days', models.PositiveIntegerField(default=365, help_text='How long after it was won a win that was set aside expires.')),
                        ('second_thought_days', models.PositiveIntegerField(default=30, help_text='A second thought about an older hand leaves the pots alone: house money only.')),
                        ('reason', models.TextField()),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('approval', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='people.approvalrequest')),
                        ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='hand_pay_rules', to='people.premises')),
                        ('correct_alone_micros', models.BigIntegerField(help_text='What one person may move by correcting a settled round at a table; none: always two.', null=True)),
                    ],
                    options={
                        'ordering': ['premises', 'from_day', 'pk'],
                        'constraints': [models.CheckConstraint(condition=models.Q(('three_people_above_micros__gte', 0), ('surveillance_above_micros__gte', 0), ('evidence_above_micros__gte', 0), ('report_above_micros__gte', 0), ('correct_alone_micros__gte', 0), ('expiry_days__gte', models.F('unclaimed_days'))), name='hand_pay_rules_make_sense')],
                    },
                ),
                migrations.CreateModel(
                    name='Overpaid',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('amount_micros', models.BigIntegerField(help_text='Too much; negative: due after all.')),
                        ('borne', models.CharField(choices=[('recoverable', 'To be recovered from the winner'), ('house', "The house's own money")], max_length=12)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('adjustment', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='overpaid', to='jackpots.adjustment')),
                        ('win', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='overpaid', to='jackpots.win')),
                    ],
                    options={
                        'ordering': ['pk'],
                        'constraints': [models.UniqueConstraint(fields=('win', 'adjustment', 'borne'), name='overpaid_once'), models.CheckConstraint(condition=models.Q(('amount_micros', 0), _negated=True), name='overpaid_something')],
                    },
                ),
                migrations.CreateModel(
                    name='Slip',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('number', models.PositiveIntegerField()),
                        ('copy', models.PositiveSmallIntegerField(help_text='0: the first print.')),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('premises', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='people.premises')),
                        ('printed_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('win', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='slips', to='jackpots.win')),
                    ],
                    options={
                        'ordering': ['premises', 'number', 'copy'],
                        'constraints': [models.UniqueConstraint(fields=('premises', 'number', 'copy'), name='slip_number_once'), models.UniqueConstraint(fields=('win', 'copy'), name='slip_copy_once')],
                    },
                ),
                migrations.CreateModel(
                    name='Board',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('sequence', models.BigIntegerField()),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('body', models.JSONField()),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('table_log', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='boards', to='jackpots.tablelog')),
                    ],
                    options={
                        'indexes': [models.Index(fields=['xact_id'], name='board_by_stamp')],
                        'constraints': [models.UniqueConstraint(fields=('table_log', 'sequence'), name='board_once')],
                    },
                ),
                migrations.CreateModel(
                    name='Decommission',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(choices=[('announced', 'It ends after a gaming day'), ('withdrawn', 'It does not end after all')], max_length=10)),
                        ('last_day', models.DateField(help_text='The last gaming day of the host on which it is played for.')),
                        ('targets', models.JSONField(help_text='By level, the progressive and the level to which its money goes.')),
                        ('authority', models.CharField(blank=True, help_text='Of a notice that is short: by whose word.', max_length=200)),
                        ('reason', models.TextField()),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('approval', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='people.approvalrequest')),
                        ('progressive', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='decommissions', to='jackpots.progressive')),
                    ],
                    options={
                        'ordering': ['pk'],
                    },
                ),
                migrations.CreateModel(
                    name='Recovery',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(choices=[('recovered', 'Money has come back'), ('written-off', 'Written off: the house bears it')], max_length=12)),
                        ('amount_micros', models.BigIntegerField()),
                        ('method', models.CharField(blank=True, choices=[('cash', 'Cash, into the cage'), ('chips', 'Chips, into the cage')], max_length=8)),
                        ('reason', models.TextField()),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('approval', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='people.approvalrequest')),
                        ('win', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='recoveries', to='jackpots.win')),
                    ],
                    options={
                        'ordering': ['pk'],
                        'constraints': [models.CheckConstraint(condition=models.Q(('amount_micros__gt', 0)), name='recovery_of_something'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'written-off'), ('method', '')), models.Q(('kind', 'recovered'), models.Q(('method', ''), _negated=True)), _connector='OR'), name='recovery_in_money_or_none')],
                    },
                ),
                migrations.CreateModel(
                    name='HeldContribution',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('place', models.DateTimeField(help_text='Where it would have stood: its no more bets.')),
                        ('stake_micros', models.BigIntegerField()),
                        ('slice_micros', models.BigIntegerField()),
                        ('slices', models.JSONField(help_text='As of a share.')),
                        ('why', models.CharField(max_length=200)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('config', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpots.progressiveconfig')),
                        ('event', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='held_contributions', to='jackpots.event')),
                        ('progressive', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='held_contributions', to='jackpots.progressive')),
                    ],
                    options={
                        'ordering': ['pk'],
                        'constraints': [models.UniqueConstraint(fields=('event', 'progressive'), name='held_contribution_once'), models.CheckConstraint(condition=models.Q(('slice_micros__gte', 0), ('slice_micros__lte', models.F('stake_micros')), ('stake_micros__gt', 0)), name='held_contribution_slice_of_stake')],
                    },
                ),
                migrations.CreateModel(
                    name='HeldSettlement',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(choices=[('accepted', 'Accepted: it is in the order from its acceptance on'), ('void', 'Its wagers went back as void: it was in the order for that moment'), ('returned', 'Returned to its players')], max_length=10)),
                        ('reason', models.TextField()),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('approval', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='people.approvalrequest')),
                        ('held', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='settlement', to='jackpots.heldcontribution')),
                        ('share', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpots.share')),
                    ],
                    options={
                        'ordering': ['pk'],
                        'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('approval__isnull', False), ('kind', 'returned'), ('share__isnull', True)), models.Q(models.Q(('kind', 'returned'), _negated=True), ('approval__isnull', True), ('share__isnull', False)), _connector='OR'), name='held_settlement_in_order_or_back')],
                    },
                ),
                migrations.CreateModel(
                    name='Advance',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('wager_id', models.CharField(max_length=64)),
                        ('trigger', models.CharField(max_length=32)),
                        ('level', models.CharField(max_length=32)),
                        ('seat', models.SmallIntegerField()),
                        ('player', models.CharField(blank=True, max_length=64)),
                        ('amount_micros', models.BigIntegerField()),
                        ('paid_micros', models.BigIntegerField(help_text='In chips: rounded up to what is payable.')),
                        ('verification', models.JSONField(help_text='What was looked at: as of a win.')),
                        ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                        ('xact_id', models.BigIntegerField(db_default=config.kit.triggers.sealed.Stamp(), editable=False)),
                        ('given_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('share', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='advances', to='jackpots.share')),
                    ],
                    options={
                        'ordering': ['pk'],
                        'constraints': [models.UniqueConstraint(fields=('share', 'wager_id', 'trigger', 'level'), name='advance_once'), models.CheckConstraint(condition=models.Q(('amount_micros__gt', 0), ('paid_micros__gte', models.F('amount_micros'))), name='advance_of_something')],
                    },
                ),
                migrations.CreateModel(
                    name='PaidTotal',
                    fields=[
                        ('progressive', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='paid_total', serialize=False, to='jackpots.progressive')),
                        ('wins', models.PositiveBigIntegerField()),
                        ('paid_micros', models.BigIntegerField()),
                    ],
                    options={
                        'constraints': [models.CheckConstraint(condition=models.Q(('paid_micros__gte', 0)), name='paid_total_sum')],
                    },
                ),
                migrations.CreateModel(
                    name='GivenHour',
                    fields=[
                        ('pk', models.CompositePrimaryKey('progressive_id', 'hour', 'table_log_id', blank=True, editable=False, primary_key=True, serialize=False)),
                        ('progressive', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='given_hours', to='jackpots.progressive')),
                        ('hour', models.DateTimeField(help_text='Its beginning.')),
                        ('table_log', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='jackpots.tablelog')),
                        ('micros', models.BigIntegerField()),
                    ],
                ),
                migrations.CreateModel(
                    name='FrameText',
                    fields=[
                        ('frame', models.OneToOneField(db_constraint=False, on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='+', serialize=False, to='jackpots.frame')),
                        ('text', models.TextField(help_text='{"basis": ..., "body": ...} as canonical JSON.')),
                    ],
                ),
            ]
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='event',
            trigger=pgtrigger.compiler.Trigger(name='event_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='be46faae45ff5bb787fa1b0a29ad133f9b4ed600', operation='UPDATE', pgid='pgtrigger_event_no_update_f09da', table='jackpots_event', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='event',
            trigger=pgtrigger.compiler.Trigger(name='event_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='bae3518c12c3e76f7917866f0f85a59d3b8dc49f', operation='DELETE', pgid='pgtrigger_event_no_delete_ee41a', table='jackpots_event', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='event',
            trigger=pgtrigger.compiler.Trigger(name='event_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='fb574c7608470f2df0f02eef2ee643f37baa5bbd', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_event_no_truncate_6becb', table='jackpots_event', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='event',
            trigger=pgtrigger.compiler.Trigger(name='event_number_gapless', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n                    IF NEW.number <> 1 AND NOT EXISTS (\n                        SELECT 1 FROM jackpots_event WHERE table_log_id = NEW.table_log_id AND number = NEW.number - 1\n                    ) THEN\n                        RAISE EXCEPTION 'event % of table log % leaves a gap', NEW.number, NEW.table_log_id\n                            USING ERRCODE = 'integrity_constraint_violation';\n                    END IF;\n                    RETURN NEW;\n                ", hash='64e5dde77e05e699674550aafb01783239a18d6f', operation='INSERT', pgid='pgtrigger_event_number_gapless_37981', table='jackpots_event', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='event',
            trigger=pgtrigger.compiler.Trigger(name='event_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\n RETURN NEW;", hash='ee5b6e3fb21d43a06f228505705e3c90669f47ce', operation='INSERT', pgid='pgtrigger_event_stamped_a2968', table='jackpots_event', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='progressiveconfig',
            trigger=pgtrigger.compiler.Trigger(name='progressive_config_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='fee1eced8336f5830e5ae328194954af719ad0ce', operation='UPDATE', pgid='pgtrigger_progressive_config_no_update_b3229', table='jackpots_progressiveconfig', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='progressiveconfig',
            trigger=pgtrigger.compiler.Trigger(name='progressive_config_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='ab32db31f899ad1b8a383fa499591e7d39ed524b', operation='DELETE', pgid='pgtrigger_progressive_config_no_delete_d6633', table='jackpots_progressiveconfig', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='progressiveconfig',
            trigger=pgtrigger.compiler.Trigger(name='progressive_config_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='d22309e9ea109c7c1dd771baeb66dcd5a6d58c19', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_progressive_config_no_truncate_5d2cd', table='jackpots_progressiveconfig', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='progressiveconfig',
            trigger=pgtrigger.compiler.Trigger(name='progressive_config_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\n RETURN NEW;", hash='4588bc193fc30d4ceb7a1fdc4d8924473896a81f', operation='INSERT', pgid='pgtrigger_progressive_config_stamped_869e7', table='jackpots_progressiveconfig', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='share',
            trigger=pgtrigger.compiler.Trigger(name='share_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='614ba8ba76adb7aec0fde1aef3d081b05db2e1d3', operation='UPDATE', pgid='pgtrigger_share_no_update_116dd', table='jackpots_share', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='share',
            trigger=pgtrigger.compiler.Trigger(name='share_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='f2467551f32bfd59c3ba6ecc87286b2265b16db5', operation='DELETE', pgid='pgtrigger_share_no_delete_dd85e', table='jackpots_share', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='share',
            trigger=pgtrigger.compiler.Trigger(name='share_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='b14984a26fa50ad8bee6ef5965995e0dd116a74e', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_share_no_truncate_d9934', table='jackpots_share', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='share',
            trigger=pgtrigger.compiler.Trigger(name='share_not_before_final', sql=config.kit.triggers.firm.GuardSql(func="\n                    IF NEW.place < (SELECT final_until FROM jackpots_progressive WHERE id = NEW.progressive_id) THEN\n                        RAISE EXCEPTION 'event at % lies before what is already final', NEW.place\n                            USING ERRCODE = 'integrity_constraint_violation';\n                    END IF;\n                    RETURN NEW;\n                ", hash='452a6f99ed33d5384cfde6ccc25bdbc30ed23b6a', operation='INSERT', pgid='pgtrigger_share_not_before_final_fe35d', table='jackpots_share', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='share',
            trigger=pgtrigger.compiler.Trigger(name='share_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\n RETURN NEW;", hash='b68ab7b06b56071d1c7caae7ff041250d253e770', operation='INSERT', pgid='pgtrigger_share_stamped_d8e86', table='jackpots_share', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tablelog',
            trigger=pgtrigger.compiler.Trigger(name='table_log_only_forward', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD.watermark IS NOT NULL AND NEW.watermark IS NULL OR NEW.watermark < OLD.watermark OR NEW.last_number < OLD.last_number)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='12ccabdf26280ac4d3db4580d665d5fa61140006', operation='UPDATE', pgid='pgtrigger_table_log_only_forward_8e84a', table='jackpots_tablelog', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tablelog',
            trigger=pgtrigger.compiler.Trigger(name='table_log_opens_hallmarked', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (NEW.watermark IS NOT NULL AND NEW.hallmark IS NULL)', func="RAISE EXCEPTION 'pgtrigger: Cannot insert rows from % table', TG_TABLE_NAME;", hash='3c932320cb8bf1d2a1a80b350077bb2b709faf79', operation='INSERT', pgid='pgtrigger_table_log_opens_hallmarked_1e6e2', table='jackpots_tablelog', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tablelog',
            trigger=pgtrigger.compiler.Trigger(name='table_log_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='3f23ce85e6415e1cbceffca4159c078730aec660', operation='DELETE', pgid='pgtrigger_table_log_no_delete_c8c96', table='jackpots_tablelog', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tablelog',
            trigger=pgtrigger.compiler.Trigger(name='table_log_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='ec683776b042da8aa2e4d09bbdf1c2a53af224a0', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_table_log_no_truncate_ee712', table='jackpots_tablelog', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='tablelog',
            trigger=pgtrigger.compiler.Trigger(name='table_log_hallmarked', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD.hallmark IS NOT NULL AND NEW.hallmark IS NULL OR (NEW.hallmark IS NULL OR NEW.hallmark = OLD.hallmark) AND (OLD.watermark IS DISTINCT FROM NEW.watermark OR OLD.is_open IS DISTINCT FROM NEW.is_open OR OLD.left_out_at IS DISTINCT FROM NEW.left_out_at OR OLD.returned_at IS DISTINCT FROM NEW.returned_at OR OLD.lease_until IS DISTINCT FROM NEW.lease_until OR OLD.last_number IS DISTINCT FROM NEW.last_number OR OLD.last_place IS DISTINCT FROM NEW.last_place OR OLD.last_round IS DISTINCT FROM NEW.last_round OR OLD.clocks IS DISTINCT FROM NEW.clocks OR OLD.heard_at IS DISTINCT FROM NEW.heard_at))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='5527a26ed38c3f920bd684ea4cc8ae98c998a153', operation='UPDATE', pgid='pgtrigger_table_log_hallmarked_3615f', table='jackpots_tablelog', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='undecidedround',
            trigger=pgtrigger.compiler.Trigger(name='undecided_round_fixed', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD."table_log_id" IS DISTINCT FROM (NEW."table_log_id") OR OLD."progressive_id" IS DISTINCT FROM (NEW."progressive_id") OR OLD."round_id" IS DISTINCT FROM (NEW."round_id") OR OLD."since" IS DISTINCT FROM (NEW."since") OR OLD."unawaited" IS DISTINCT FROM (NEW."unawaited"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='0cc8c0665b3dc4dcc2fe6eacd233032a8da8ce08', operation='UPDATE', pgid='pgtrigger_undecided_round_fixed_e2798', table='jackpots_undecidedround', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='undecidedround',
            trigger=pgtrigger.compiler.Trigger(name='undecided_round_lock_fixed', sql=config.kit.triggers.firm.GuardSql(condition="WHEN (OLD.lock - 'late' <> NEW.lock - 'late' OR (OLD.lock -> 'late')::bool AND NOT (NEW.lock -> 'late')::bool)", func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='c48e530dff0b946c831c79dc75c04aabf40919b7', operation='UPDATE', pgid='pgtrigger_undecided_round_lock_fixed_9fafc', table='jackpots_undecidedround', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='undecidedround',
            trigger=pgtrigger.compiler.Trigger(name='undecided_round_not_waited_for_again', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD.left_out AND NOT NEW.left_out)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='909c96c2c81bc62e84ed29cf6c43331d5fecb9a6', operation='UPDATE', pgid='pgtrigger_undecided_round_not_waited_for_again_5814c', table='jackpots_undecidedround', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='undecidedround',
            trigger=pgtrigger.compiler.Trigger(name='undecided_round_as_told', sql=config.kit.triggers.firm.IndexedGuardSql(constraint='CONSTRAINT', func="\n            IF EXISTS (SELECT FROM tables_round r WHERE r.id = NEW.round_id) AND NOT EXISTS (SELECT FROM tables_tableevent e WHERE e.round_id = NEW.round_id AND e.xact_id = potline_stamp(pg_current_xact_id())) THEN\n                RAISE EXCEPTION 'Round % waits to be decided, or for other seats, by no message of its terminal', NEW.round_id\n                    USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'undecided_round_as_told';\n            END IF;\n            RETURN NULL;\n        ", hash='9109087d25ecb0a4e27e148262eff06dec16a5f9', operation='INSERT OR UPDATE OF "seats"', pgid='pgtrigger_undecided_round_as_told_2ccdb', table='jackpots_undecidedround', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='undecidedround',
            trigger=pgtrigger.compiler.Trigger(name='undecided_round_until_decided', sql=config.kit.triggers.firm.IndexedGuardSql(constraint='CONSTRAINT', func="\n            IF EXISTS (SELECT FROM tables_round r WHERE r.id = OLD.round_id AND r.state IN ('open', 'locked')) AND NOT EXISTS (SELECT FROM tables_tableevent e WHERE e.round_id = OLD.round_id AND e.xact_id = potline_stamp(pg_current_xact_id())) THEN\n                RAISE EXCEPTION 'Round % is not decided: others wait for it', OLD.round_id\n                    USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'undecided_round_until_decided';\n            END IF;\n            RETURN NULL;\n        ", hash='d06364b2cfffb521c9042a6882f6a78781d7cfef', operation='DELETE', pgid='pgtrigger_undecided_round_until_decided_9ed0d', table='jackpots_undecidedround', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='undecidedround',
            trigger=pgtrigger.compiler.Trigger(name='undecided_round_left_out_on_record', sql=config.kit.triggers.firm.IndexedGuardSql(condition='WHEN (NEW.left_out AND NOT OLD.left_out)', constraint='CONSTRAINT', func="\n            IF NOT EXISTS (SELECT FROM people_auditrecord a WHERE a.xact_id = potline_stamp(pg_current_xact_id())) THEN\n                RAISE EXCEPTION 'Nobody has said on record that round % is not waited for', NEW.round_id\n                    USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'undecided_round_left_out_on_record';\n            END IF;\n            RETURN NULL;\n        ", hash='2ddcdb3a5bba4ac1c4ef9939c38e00ca056c9839', operation='UPDATE', pgid='pgtrigger_undecided_round_left_out_on_record_0f7f8', table='jackpots_undecidedround', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='win',
            trigger=pgtrigger.compiler.Trigger(name='win_begins_pending', sql=config.kit.triggers.firm.GuardSql(condition="WHEN (NEW.state <> 'pending')", func="RAISE EXCEPTION 'pgtrigger: Cannot insert rows from % table', TG_TABLE_NAME;", hash='189307807e0d832c5223cd554d5e040f72ba5a0c', operation='INSERT', pgid='pgtrigger_win_begins_pending_9933e', table='jackpots_win', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='win',
            trigger=pgtrigger.compiler.Trigger(name='win_released_by_two', sql=config.kit.triggers.firm.GuardSql(condition="WHEN (NEW.state = 'approved' AND OLD.state <> 'approved')", func="\n                    IF NEW.amount_micros > (SELECT pay_alone_limit_micros FROM jackpots_progressive\n                                            WHERE id = NEW.progressive_id)\n                        AND NOT EXISTS (SELECT FROM people_approvalrequest a WHERE a.id = NEW.approval_id\n                                        AND a.state = 'used' AND a.action = 'jackpots.pay_win'\n                                        AND a.payload_json::jsonb ->> 'win' = NEW.id::text) THEN\n                        RAISE EXCEPTION 'Win %: no approval of a second person was used for it', NEW.id\n                            USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ", hash='fa486f688a6e711b8a527ac6b8464c386bea28e6', operation='UPDATE', pgid='pgtrigger_win_released_by_two_1de58', table='jackpots_win', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='win',
            trigger=pgtrigger.compiler.Trigger(name='win_release_fixed', sql=config.kit.triggers.firm.GuardSql(condition="WHEN (OLD.state = 'approved' AND (OLD.approval_id IS DISTINCT FROM NEW.approval_id OR OLD.verified_by_id IS DISTINCT FROM NEW.verified_by_id OR OLD.verified_at IS DISTINCT FROM NEW.verified_at OR OLD.verification IS DISTINCT FROM NEW.verification))", func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='9ffc41c56572d8d2145ba0831cc29562f65aa751', operation='UPDATE', pgid='pgtrigger_win_release_fixed_73109', table='jackpots_win', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='win',
            trigger=pgtrigger.compiler.Trigger(name='win_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='a0e171e5a04bb87399c4e44c695cf555303e7947', operation='DELETE', pgid='pgtrigger_win_no_delete_f23e1', table='jackpots_win', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='win',
            trigger=pgtrigger.compiler.Trigger(name='win_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='a6523441d9d78e10e7828c9440bf0be1ee6e56ca', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_win_no_truncate_7c6cd', table='jackpots_win', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='win',
            trigger=pgtrigger.compiler.Trigger(name='win_steps', sql=config.kit.triggers.firm.GuardSql(declare='DECLARE _is_valid_transition BOOLEAN;', func='SELECT CONCAT(OLD."state", \':\', NEW."state") = ANY(\'{pending:verified,verified:approved,approved:paid,pending:superseded,verified:superseded,approved:superseded,pending:unclaimed,verified:unclaimed,approved:unclaimed,unclaimed:pending,unclaimed:expired}\'::text[]) INTO _is_valid_transition; IF (_is_valid_transition IS FALSE AND OLD."state" IS DISTINCT FROM NEW."state") THEN RAISE EXCEPTION \'pgtrigger: Invalid transition of field "state" from "%" to "%" on table %\', OLD."state", NEW."state", TG_TABLE_NAME; ELSE RETURN NEW; END IF;', hash='5ac15502dd4e74f2ad8f87530c9186b349c3193b', operation='UPDATE', pgid='pgtrigger_win_steps_b3204', table='jackpots_win', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='win',
            trigger=pgtrigger.compiler.Trigger(name='win_paid_by_a_third', sql=config.kit.triggers.firm.GuardSql(condition="WHEN (NEW.state = 'paid' AND OLD.state <> 'paid')", func="\n                    IF NEW.amount_micros > (\n                            SELECT h.three_people_above_micros FROM jackpots_handpayrules h\n                            JOIN jackpots_tablelog t ON t.premises_id = h.premises_id AND t.id = NEW.table_log_id\n                            JOIN people_premises m ON m.id = h.premises_id\n                            WHERE h.from_day <= (statement_timestamp() AT TIME ZONE m.time_zone\n                                                 - make_interval(hours => m.rollover_hour))::date\n                            ORDER BY h.from_day DESC, h.id DESC LIMIT 1)\n                        AND (NEW.approval_id IS NULL OR NEW.paid_by_id = NEW.verified_by_id OR NEW.paid_by_id = (\n                            SELECT a.decided_by_id FROM people_approvalrequest a WHERE a.id = NEW.approval_id)) THEN\n                        RAISE EXCEPTION 'Win %: a third person pays it', NEW.id USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ", hash='b5111fd08a9316aad42b634f0226e3eef2c443cd', operation='UPDATE', pgid='pgtrigger_win_paid_by_a_third_b655b', table='jackpots_win', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='win',
            trigger=pgtrigger.compiler.Trigger(name='win_set_aside_by_two', sql=config.kit.triggers.firm.GuardSql(condition="WHEN (NEW.state IN ('unclaimed', 'expired') AND OLD.state <> NEW.state)", func="\n                    IF NOT EXISTS (SELECT FROM people_approvalrequest a WHERE a.state = 'used'\n                        AND a.action = 'jackpots.unclaimed' AND a.payload_json::jsonb @> jsonb_build_object(\n                            'win', NEW.id, 'step', CASE NEW.state WHEN 'expired' THEN 'expire' ELSE 'set-aside' END)\n                    ) THEN\n                        RAISE EXCEPTION 'Win %: two people set it aside', NEW.id USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ", hash='f7bfefa45d39dbb1bf1b232ee018b92d3d5bdd5a', operation='UPDATE', pgid='pgtrigger_win_set_aside_by_two_2dda8', table='jackpots_win', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='win',
            trigger=pgtrigger.compiler.Trigger(name='win_superseded_by_two', sql=config.kit.triggers.firm.GuardSql(condition="WHEN (NEW.state = 'superseded' AND OLD.state <> 'superseded')", func="\n                    IF NOT EXISTS (SELECT FROM jackpots_adjustment a WHERE a.progressive_id = NEW.progressive_id\n                        AND a.effect @> jsonb_build_object(\n                            'superseded', jsonb_build_array(jsonb_build_object('win', NEW.id)))) THEN\n                        RAISE EXCEPTION 'Win %: no second thought of two people takes its place', NEW.id\n                            USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ", hash='1addc246467359f9e0e92bc8747ea2ca49f6ca16', operation='UPDATE', pgid='pgtrigger_win_superseded_by_two_2cb1e', table='jackpots_win', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='win',
            trigger=pgtrigger.compiler.Trigger(name='win_brought_by_two', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (NEW.adjustment_id IS NOT NULL)', func="\n                    IF NOT EXISTS (SELECT FROM jackpots_adjustment a WHERE a.id = NEW.adjustment_id\n                        AND a.progressive_id = NEW.progressive_id AND a.effect @> jsonb_build_object(\n                            'wins', jsonb_build_array(jsonb_build_object(\n                                'round', NEW.round_id, 'wager', NEW.wager_id, 'hand_wager', NEW.hand_wager_id,\n                                'trigger', NEW.trigger, 'level', NEW.level,\n                                'amount_micros', NEW.amount_micros)))) THEN\n                        RAISE EXCEPTION 'adjustment % brings no such win', NEW.adjustment_id\n                            USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ", hash='99ddf9d385cfacf89bc42a4b0133eeb9a87f345f', operation='INSERT', pgid='pgtrigger_win_brought_by_two_c2e5a', table='jackpots_win', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='win',
            trigger=pgtrigger.compiler.Trigger(name='win_amount_fixed', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD."progressive_id" IS DISTINCT FROM (NEW."progressive_id") OR OLD."run_id" IS DISTINCT FROM (NEW."run_id") OR OLD."share_id" IS DISTINCT FROM (NEW."share_id") OR OLD."table_log_id" IS DISTINCT FROM (NEW."table_log_id") OR OLD."round_id" IS DISTINCT FROM (NEW."round_id") OR OLD."hit" IS DISTINCT FROM (NEW."hit") OR OLD."hand_wager_id" IS DISTINCT FROM (NEW."hand_wager_id") OR OLD."wager_id" IS DISTINCT FROM (NEW."wager_id") OR OLD."seat" IS DISTINCT FROM (NEW."seat") OR OLD."player" IS DISTINCT FROM (NEW."player") OR OLD."trigger" IS DISTINCT FROM (NEW."trigger") OR OLD."level" IS DISTINCT FROM (NEW."level") OR OLD."amount_micros" IS DISTINCT FROM (NEW."amount_micros") OR OLD."from_pool_micros" IS DISTINCT FROM (NEW."from_pool_micros") OR OLD."from_house_micros" IS DISTINCT FROM (NEW."from_house_micros") OR OLD."rule" IS DISTINCT FROM (NEW."rule") OR OLD."resolved_at" IS DISTINCT FROM (NEW."resolved_at") OR OLD."adjustment_id" IS DISTINCT FROM (NEW."adjustment_id") OR OLD."replaces_id" IS DISTINCT FROM (NEW."replaces_id") OR OLD."held_id" IS DISTINCT FROM (NEW."held_id"))', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='abb47ce6f1d30c3eba76d9c9eda76367c23b5ce9', operation='UPDATE', pgid='pgtrigger_win_amount_fixed_19612', table='jackpots_win', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='win',
            trigger=pgtrigger.compiler.Trigger(name='win_paid_fixed', sql=config.kit.triggers.firm.GuardSql(condition="WHEN (OLD.state IN ('paid', 'superseded', 'expired'))", func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='61d5bb146c42c6edb7370aa9d2d62a867c7ad0e1', operation='UPDATE', pgid='pgtrigger_win_paid_fixed_edfca', table='jackpots_win', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='win',
            trigger=pgtrigger.compiler.Trigger(name='jackpots_win_first_step', sql=config.kit.triggers.firm.GuardSql(func='INSERT INTO ledger_step (kind, row_id, state, content, detail) VALUES (\'jackpots.win\', NEW.id, NEW.state, sha256(convert_to(\'{"class":"jackpots.win"\' || coalesce(\',"adjustment_id":\' || to_json(NEW.adjustment_id)::text, \'\') || coalesce(\',"amount_micros":\' || to_json(NEW.amount_micros)::text, \'\') || coalesce(\',"approval_id":\' || to_json(NEW.approval_id)::text, \'\') || coalesce(\',"from_house_micros":\' || to_json(NEW.from_house_micros)::text, \'\') || coalesce(\',"from_pool_micros":\' || to_json(NEW.from_pool_micros)::text, \'\') || coalesce(\',"hand_wager_id":\' || to_json(NEW.hand_wager_id)::text, \'\') || coalesce(\',"held_id":\' || to_json(NEW.held_id)::text, \'\') || coalesce(\',"hit":\' || to_json(NEW.hit)::text, \'\') || coalesce(\',"level":\' || to_json(NEW.level)::text, \'\') || coalesce(\',"method":\' || to_json(NEW.method)::text, \'\') || coalesce(\',"paid_at":\' || \'"\' || to_char(NEW.paid_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"paid_by_id":\' || to_json(NEW.paid_by_id)::text, \'\') || coalesce(\',"paid_micros":\' || to_json(NEW.paid_micros)::text, \'\') || coalesce(\',"parts":\' || to_json(NEW.parts)::text, \'\') || coalesce(\',"player":\' || to_json(NEW.player)::text, \'\') || coalesce(\',"progressive_id":\' || to_json(NEW.progressive_id)::text, \'\') || coalesce(\',"replaces_id":\' || to_json(NEW.replaces_id)::text, \'\') || coalesce(\',"resolved_at":\' || \'"\' || to_char(NEW.resolved_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"round_id":\' || to_json(NEW.round_id)::text, \'\') || coalesce(\',"rule":\' || to_json(NEW.rule)::text, \'\') || coalesce(\',"run_id":\' || to_json(NEW.run_id)::text, \'\') || coalesce(\',"seat":\' || to_json(NEW.seat)::text, \'\') || coalesce(\',"share_id":\' || to_json(NEW.share_id)::text, \'\') || coalesce(\',"state":\' || to_json(NEW.state)::text, \'\') || coalesce(\',"table_log_id":\' || to_json(NEW.table_log_id)::text, \'\') || coalesce(\',"trigger":\' || to_json(NEW.trigger)::text, \'\') || coalesce(\',"verification":\' || to_json(NEW.verification)::text, \'\') || coalesce(\',"verified_at":\' || \'"\' || to_char(NEW.verified_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"verified_by_id":\' || to_json(NEW.verified_by_id)::text, \'\') || coalesce(\',"wager_id":\' || to_json(NEW.wager_id)::text, \'\') || \'}\', \'UTF8\')), NULL); RETURN NULL;', hash='074b9c51481f26bfeba2db1af1259d995a8de7b6', operation='INSERT', pgid='pgtrigger_jackpots_win_first_step_6bb77', table='jackpots_win', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='win',
            trigger=pgtrigger.compiler.Trigger(name='jackpots_win_next_step', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD.progressive_id IS DISTINCT FROM NEW.progressive_id OR OLD.run_id IS DISTINCT FROM NEW.run_id OR OLD.share_id IS DISTINCT FROM NEW.share_id OR OLD.table_log_id IS DISTINCT FROM NEW.table_log_id OR OLD.round_id IS DISTINCT FROM NEW.round_id OR OLD.hit IS DISTINCT FROM NEW.hit OR OLD.hand_wager_id IS DISTINCT FROM NEW.hand_wager_id OR OLD.wager_id IS DISTINCT FROM NEW.wager_id OR OLD.seat IS DISTINCT FROM NEW.seat OR OLD.player IS DISTINCT FROM NEW.player OR OLD.trigger IS DISTINCT FROM NEW.trigger OR OLD.level IS DISTINCT FROM NEW.level OR OLD.amount_micros IS DISTINCT FROM NEW.amount_micros OR OLD.from_pool_micros IS DISTINCT FROM NEW.from_pool_micros OR OLD.from_house_micros IS DISTINCT FROM NEW.from_house_micros OR OLD.rule IS DISTINCT FROM NEW.rule OR OLD.resolved_at IS DISTINCT FROM NEW.resolved_at OR OLD.state IS DISTINCT FROM NEW.state OR OLD.verified_by_id IS DISTINCT FROM NEW.verified_by_id OR OLD.verified_at IS DISTINCT FROM NEW.verified_at OR OLD.verification IS DISTINCT FROM NEW.verification OR OLD.approval_id IS DISTINCT FROM NEW.approval_id OR OLD.paid_by_id IS DISTINCT FROM NEW.paid_by_id OR OLD.paid_at IS DISTINCT FROM NEW.paid_at OR OLD.paid_micros IS DISTINCT FROM NEW.paid_micros OR OLD.method IS DISTINCT FROM NEW.method OR OLD.adjustment_id IS DISTINCT FROM NEW.adjustment_id OR OLD.replaces_id IS DISTINCT FROM NEW.replaces_id OR OLD.held_id IS DISTINCT FROM NEW.held_id OR OLD.parts IS DISTINCT FROM NEW.parts)', func='INSERT INTO ledger_step (kind, row_id, state, content, detail) VALUES (\'jackpots.win\', NEW.id, NEW.state, sha256(convert_to(\'{"class":"jackpots.win"\' || coalesce(\',"adjustment_id":\' || to_json(NEW.adjustment_id)::text, \'\') || coalesce(\',"amount_micros":\' || to_json(NEW.amount_micros)::text, \'\') || coalesce(\',"approval_id":\' || to_json(NEW.approval_id)::text, \'\') || coalesce(\',"from_house_micros":\' || to_json(NEW.from_house_micros)::text, \'\') || coalesce(\',"from_pool_micros":\' || to_json(NEW.from_pool_micros)::text, \'\') || coalesce(\',"hand_wager_id":\' || to_json(NEW.hand_wager_id)::text, \'\') || coalesce(\',"held_id":\' || to_json(NEW.held_id)::text, \'\') || coalesce(\',"hit":\' || to_json(NEW.hit)::text, \'\') || coalesce(\',"level":\' || to_json(NEW.level)::text, \'\') || coalesce(\',"method":\' || to_json(NEW.method)::text, \'\') || coalesce(\',"paid_at":\' || \'"\' || to_char(NEW.paid_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"paid_by_id":\' || to_json(NEW.paid_by_id)::text, \'\') || coalesce(\',"paid_micros":\' || to_json(NEW.paid_micros)::text, \'\') || coalesce(\',"parts":\' || to_json(NEW.parts)::text, \'\') || coalesce(\',"player":\' || to_json(NEW.player)::text, \'\') || coalesce(\',"progressive_id":\' || to_json(NEW.progressive_id)::text, \'\') || coalesce(\',"replaces_id":\' || to_json(NEW.replaces_id)::text, \'\') || coalesce(\',"resolved_at":\' || \'"\' || to_char(NEW.resolved_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"round_id":\' || to_json(NEW.round_id)::text, \'\') || coalesce(\',"rule":\' || to_json(NEW.rule)::text, \'\') || coalesce(\',"run_id":\' || to_json(NEW.run_id)::text, \'\') || coalesce(\',"seat":\' || to_json(NEW.seat)::text, \'\') || coalesce(\',"share_id":\' || to_json(NEW.share_id)::text, \'\') || coalesce(\',"state":\' || to_json(NEW.state)::text, \'\') || coalesce(\',"table_log_id":\' || to_json(NEW.table_log_id)::text, \'\') || coalesce(\',"trigger":\' || to_json(NEW.trigger)::text, \'\') || coalesce(\',"verification":\' || to_json(NEW.verification)::text, \'\') || coalesce(\',"verified_at":\' || \'"\' || to_char(NEW.verified_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"verified_by_id":\' || to_json(NEW.verified_by_id)::text, \'\') || coalesce(\',"wager_id":\' || to_json(NEW.wager_id)::text, \'\') || \'}\', \'UTF8\')), NULL); RETURN NULL;', hash='51fedb6e7733f8e56ec2ea8b4c3bfaee6ec7ffe7', operation='UPDATE', pgid='pgtrigger_jackpots_win_next_step_f2cb3', table='jackpots_win', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='win',
            trigger=pgtrigger.compiler.Trigger(name='win_paid_by_its_advance', sql=config.kit.triggers.firm.GuardSql(condition="WHEN (NEW.state = 'paid' AND OLD.state <> 'paid')", func="\n                    IF (NEW.method = 'advance') IS DISTINCT FROM (\n                        NEW.adjustment_id IS NULL AND NEW.wager_id = NEW.hand_wager_id AND EXISTS (\n                            SELECT FROM jackpots_advance a WHERE a.share_id = NEW.share_id AND a.wager_id = NEW.wager_id\n                            AND a.trigger = NEW.trigger AND a.level = NEW.level)) THEN\n                        RAISE EXCEPTION 'Win %: what was handed out for it pays it, and nothing else does', NEW.id\n                            USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ", hash='71c1482999533b3caa9af3ca306bebbb6a5bca44', operation='UPDATE', pgid='pgtrigger_win_paid_by_its_advance_5a462', table='jackpots_win', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='win',
            trigger=pgtrigger.compiler.Trigger(name='win_paid_is_counted', sql=config.kit.triggers.firm.GuardSql(condition="WHEN (NEW.state = 'paid' AND OLD.state <> 'paid')", func='\n        INSERT INTO jackpots_paidtotal AS t (progressive_id, wins, paid_micros)\n            VALUES (NEW.progressive_id, 1, NEW.paid_micros)\n            ON CONFLICT (progressive_id) DO UPDATE\n            SET wins = t.wins + 1, paid_micros = t.paid_micros + EXCLUDED.paid_micros;\n        RETURN NULL;\n    ', hash='8cf1218328173a85f17cb01650a970af8a4283bd', operation='UPDATE', pgid='pgtrigger_win_paid_is_counted_5fe7c', table='jackpots_win', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='display',
            trigger=pgtrigger.compiler.Trigger(name='display_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='0a03608e381761af63201ccf533866039184db59', operation='DELETE', pgid='pgtrigger_display_no_delete_ad95b', table='jackpots_display', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='display',
            trigger=pgtrigger.compiler.Trigger(name='display_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='090ab9444d49517e8b44bc292984efe0e62f1f8e', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_display_no_truncate_efcdb', table='jackpots_display', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='display',
            trigger=pgtrigger.compiler.Trigger(name='jackpots_display_first_step', sql=config.kit.triggers.firm.GuardSql(func='INSERT INTO ledger_step (kind, row_id, state, content, detail) VALUES (\'jackpots.display\', NEW.id, \'\', sha256(convert_to(\'{"class":"jackpots.display"\' || coalesce(\',"expires_at":\' || \'"\' || to_char(NEW.expires_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"issued_at":\' || \'"\' || to_char(NEW.issued_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"name":\' || to_json(NEW.name)::text, \'\') || coalesce(\',"networks":\' || to_json(NEW.networks)::text, \'\') || coalesce(\',"premises_id":\' || to_json(NEW.premises_id)::text, \'\') || coalesce(\',"previous_sha256":\' || to_json(NEW.previous_sha256)::text, \'\') || coalesce(\',"previous_until":\' || \'"\' || to_char(NEW.previous_until AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"progressive_id":\' || to_json(NEW.progressive_id)::text, \'\') || coalesce(\',"revoked_at":\' || \'"\' || to_char(NEW.revoked_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"setup":\' || to_json(NEW.setup)::text, \'\') || coalesce(\',"table_log_id":\' || to_json(NEW.table_log_id)::text, \'\') || coalesce(\',"token_sha256":\' || to_json(NEW.token_sha256)::text, \'\') || \'}\', \'UTF8\')), NULL); RETURN NULL;', hash='536ec606262229658eeee4002a270c072f9bbffc', operation='INSERT', pgid='pgtrigger_jackpots_display_first_step_c2a8c', table='jackpots_display', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='display',
            trigger=pgtrigger.compiler.Trigger(name='jackpots_display_next_step', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD.token_sha256 IS DISTINCT FROM NEW.token_sha256 OR OLD.issued_at IS DISTINCT FROM NEW.issued_at OR OLD.expires_at IS DISTINCT FROM NEW.expires_at OR OLD.previous_sha256 IS DISTINCT FROM NEW.previous_sha256 OR OLD.previous_until IS DISTINCT FROM NEW.previous_until OR OLD.networks IS DISTINCT FROM NEW.networks OR OLD.revoked_at IS DISTINCT FROM NEW.revoked_at OR OLD.premises_id IS DISTINCT FROM NEW.premises_id OR OLD.name IS DISTINCT FROM NEW.name OR OLD.progressive_id IS DISTINCT FROM NEW.progressive_id OR OLD.table_log_id IS DISTINCT FROM NEW.table_log_id OR OLD.setup IS DISTINCT FROM NEW.setup)', func='INSERT INTO ledger_step (kind, row_id, state, content, detail) VALUES (\'jackpots.display\', NEW.id, \'\', sha256(convert_to(\'{"class":"jackpots.display"\' || coalesce(\',"expires_at":\' || \'"\' || to_char(NEW.expires_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"issued_at":\' || \'"\' || to_char(NEW.issued_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"name":\' || to_json(NEW.name)::text, \'\') || coalesce(\',"networks":\' || to_json(NEW.networks)::text, \'\') || coalesce(\',"premises_id":\' || to_json(NEW.premises_id)::text, \'\') || coalesce(\',"previous_sha256":\' || to_json(NEW.previous_sha256)::text, \'\') || coalesce(\',"previous_until":\' || \'"\' || to_char(NEW.previous_until AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"progressive_id":\' || to_json(NEW.progressive_id)::text, \'\') || coalesce(\',"revoked_at":\' || \'"\' || to_char(NEW.revoked_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"setup":\' || to_json(NEW.setup)::text, \'\') || coalesce(\',"table_log_id":\' || to_json(NEW.table_log_id)::text, \'\') || coalesce(\',"token_sha256":\' || to_json(NEW.token_sha256)::text, \'\') || \'}\', \'UTF8\')), NULL); RETURN NULL;', hash='5f9dacfa13594a63da7144e296f272169ba74a00', operation='UPDATE', pgid='pgtrigger_jackpots_display_next_step_ff558', table='jackpots_display', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='progressive',
            trigger=pgtrigger.compiler.Trigger(name='progressive_only_forward', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD.folded_until IS NOT NULL AND NEW.folded_until IS NULL OR OLD.final_until IS NOT NULL AND NEW.final_until IS NULL OR NEW.final_until < OLD.final_until OR NEW.folded_until > NEW.final_until OR NEW.folded_until < OLD.folded_until OR NEW.runs < OLD.runs OR NEW.frame_sequence < OLD.frame_sequence)', func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='45826e3ce2f1aaf01aa68ecccb5614d0106467a3', operation='UPDATE', pgid='pgtrigger_progressive_only_forward_bac62', table='jackpots_progressive', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='progressive',
            trigger=pgtrigger.compiler.Trigger(name='progressive_rules_by_people', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD.config_id IS DISTINCT FROM NEW.config_id OR OLD.armed_config_id IS DISTINCT FROM NEW.armed_config_id OR OLD.armed_at IS DISTINCT FROM NEW.armed_at OR OLD.effect_at IS DISTINCT FROM NEW.effect_at)', func="\n                    IF NEW.config_id <> OLD.config_id AND NEW.config_id IS DISTINCT FROM OLD.armed_config_id THEN\n                        RAISE EXCEPTION 'rules that nobody has armed come into force in progressive %', NEW.id\n                            USING ERRCODE = 'integrity_constraint_violation';\n                    END IF;\n                    IF NEW.armed_config_id IS NOT NULL AND NOT EXISTS (\n                        SELECT FROM jackpots_configchange c WHERE c.progressive_id = NEW.id\n                        AND c.config_id = NEW.armed_config_id AND c.place = NEW.armed_at AND c.kind <> 'withdrawn'\n                        AND c.effect_at IS NOT DISTINCT FROM NEW.effect_at\n                    ) THEN\n                        RAISE EXCEPTION 'two people must arm other rules of progressive %', NEW.id\n                            USING ERRCODE = 'integrity_constraint_violation';\n                    END IF;\n                    RETURN NEW;\n                ", hash='972847378ce755cd88fa2f7bf0ae432a1690f6ea', operation='UPDATE', pgid='pgtrigger_progressive_rules_by_people_96f4e', table='jackpots_progressive', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='progressive',
            trigger=pgtrigger.compiler.Trigger(name='progressive_limits_by_two', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD.pay_alone_limit_micros IS DISTINCT FROM NEW.pay_alone_limit_micros OR OLD.ruling_limit_micros IS DISTINCT FROM NEW.ruling_limit_micros OR OLD.ruling_daily_micros IS DISTINCT FROM NEW.ruling_daily_micros)', constraint='CONSTRAINT', func="\n                    IF NOT EXISTS (\n                        SELECT FROM ledger_step s JOIN people_approvalrequest a ON a.id = s.row_id\n                        WHERE s.kind = 'people.approvalrequest' AND s.state = 'used'\n                            AND s.xact_id = potline_stamp(pg_current_xact_id())\n                            AND a.payload_json::jsonb ->> 'progressive' = NEW.code\n                    ) THEN\n                        RAISE EXCEPTION 'The limits of % change only by an approval that is used for it', NEW.code\n                            USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NULL;\n                ", hash='3c0326a51ff0c06f7bed26311aeb7c986f04c2df', operation='UPDATE', pgid='pgtrigger_progressive_limits_by_two_2294a', table='jackpots_progressive', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='progressive',
            trigger=pgtrigger.compiler.Trigger(name='progressive_ends_by_people', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD.ends_at IS DISTINCT FROM NEW.ends_at)', func="\n                    IF NOT EXISTS (\n                        SELECT FROM (SELECT kind, last_day FROM jackpots_decommission WHERE progressive_id = NEW.id\n                                     ORDER BY id DESC LIMIT 1) d\n                        JOIN people_premises h ON h.id = NEW.host_id\n                        WHERE CASE WHEN NEW.ends_at IS NULL THEN d.kind = 'withdrawn' ELSE d.kind = 'announced'\n                            -- to the hour: a clock that is set back in it shows the stroke twice\n                            AND abs(extract(epoch FROM NEW.ends_at - (d.last_day + 1\n                                + make_interval(hours => h.rollover_hour)) AT TIME ZONE h.time_zone)) <= 3600 END\n                    ) THEN\n                        RAISE EXCEPTION 'two people must announce when progressive % ends', NEW.id\n                            USING ERRCODE = 'integrity_constraint_violation';\n                    END IF;\n                    RETURN NEW;\n                ", hash='fdc164e3ed3f66ceb553a778e5c8e406dc529e0f', operation='UPDATE', pgid='pgtrigger_progressive_ends_by_people_40627', table='jackpots_progressive', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='progressive',
            trigger=pgtrigger.compiler.Trigger(name='jackpots_progressive_first_step', sql=config.kit.triggers.firm.GuardSql(func='INSERT INTO ledger_step (kind, row_id, state, content, detail) VALUES (\'jackpots.progressive\', NEW.id, \'\', sha256(convert_to(\'{"class":"jackpots.progressive"\' || coalesce(\',"armed_at":\' || \'"\' || to_char(NEW.armed_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"armed_config_id":\' || to_json(NEW.armed_config_id)::text, \'\') || coalesce(\',"code":\' || to_json(NEW.code)::text, \'\') || coalesce(\',"config_id":\' || to_json(NEW.config_id)::text, \'\') || coalesce(\',"effect_at":\' || \'"\' || to_char(NEW.effect_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"ends_at":\' || \'"\' || to_char(NEW.ends_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"host_id":\' || to_json(NEW.host_id)::text, \'\') || coalesce(\',"lease_ms":\' || to_json(NEW.lease_ms)::text, \'\') || coalesce(\',"name":\' || to_json(NEW.name)::text, \'\') || coalesce(\',"pay_alone_limit_micros":\' || to_json(NEW.pay_alone_limit_micros)::text, \'\') || coalesce(\',"ruling_daily_micros":\' || to_json(NEW.ruling_daily_micros)::text, \'\') || coalesce(\',"ruling_limit_micros":\' || to_json(NEW.ruling_limit_micros)::text, \'\') || coalesce(\',"silence":\' || to_json(NEW.silence)::text, \'\') || coalesce(\',"skew_ms":\' || to_json(NEW.skew_ms)::text, \'\') || coalesce(\',"suspect_rate_micros":\' || to_json(NEW.suspect_rate_micros)::text, \'\') || coalesce(\',"suspect_stake_micros":\' || to_json(NEW.suspect_stake_micros)::text, \'\') || \'}\', \'UTF8\')), NULL); RETURN NULL;', hash='782ce30bc5d606953f328787dcee69247c602f01', operation='INSERT', pgid='pgtrigger_jackpots_progressive_first_step_c504b', table='jackpots_progressive', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='progressive',
            trigger=pgtrigger.compiler.Trigger(name='jackpots_progressive_next_step', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD.code IS DISTINCT FROM NEW.code OR OLD.name IS DISTINCT FROM NEW.name OR OLD.host_id IS DISTINCT FROM NEW.host_id OR OLD.config_id IS DISTINCT FROM NEW.config_id OR OLD.armed_config_id IS DISTINCT FROM NEW.armed_config_id OR OLD.armed_at IS DISTINCT FROM NEW.armed_at OR OLD.effect_at IS DISTINCT FROM NEW.effect_at OR OLD.ends_at IS DISTINCT FROM NEW.ends_at OR OLD.silence IS DISTINCT FROM NEW.silence OR OLD.lease_ms IS DISTINCT FROM NEW.lease_ms OR OLD.skew_ms IS DISTINCT FROM NEW.skew_ms OR OLD.pay_alone_limit_micros IS DISTINCT FROM NEW.pay_alone_limit_micros OR OLD.ruling_limit_micros IS DISTINCT FROM NEW.ruling_limit_micros OR OLD.ruling_daily_micros IS DISTINCT FROM NEW.ruling_daily_micros OR OLD.suspect_stake_micros IS DISTINCT FROM NEW.suspect_stake_micros OR OLD.suspect_rate_micros IS DISTINCT FROM NEW.suspect_rate_micros)', func='INSERT INTO ledger_step (kind, row_id, state, content, detail) VALUES (\'jackpots.progressive\', NEW.id, \'\', sha256(convert_to(\'{"class":"jackpots.progressive"\' || coalesce(\',"armed_at":\' || \'"\' || to_char(NEW.armed_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"armed_config_id":\' || to_json(NEW.armed_config_id)::text, \'\') || coalesce(\',"code":\' || to_json(NEW.code)::text, \'\') || coalesce(\',"config_id":\' || to_json(NEW.config_id)::text, \'\') || coalesce(\',"effect_at":\' || \'"\' || to_char(NEW.effect_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"ends_at":\' || \'"\' || to_char(NEW.ends_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"host_id":\' || to_json(NEW.host_id)::text, \'\') || coalesce(\',"lease_ms":\' || to_json(NEW.lease_ms)::text, \'\') || coalesce(\',"name":\' || to_json(NEW.name)::text, \'\') || coalesce(\',"pay_alone_limit_micros":\' || to_json(NEW.pay_alone_limit_micros)::text, \'\') || coalesce(\',"ruling_daily_micros":\' || to_json(NEW.ruling_daily_micros)::text, \'\') || coalesce(\',"ruling_limit_micros":\' || to_json(NEW.ruling_limit_micros)::text, \'\') || coalesce(\',"silence":\' || to_json(NEW.silence)::text, \'\') || coalesce(\',"skew_ms":\' || to_json(NEW.skew_ms)::text, \'\') || coalesce(\',"suspect_rate_micros":\' || to_json(NEW.suspect_rate_micros)::text, \'\') || coalesce(\',"suspect_stake_micros":\' || to_json(NEW.suspect_stake_micros)::text, \'\') || \'}\', \'UTF8\')), NULL); RETURN NULL;', hash='396fc3140fb5c9cd415f1f665ed695078c2dbf46', operation='UPDATE', pgid='pgtrigger_jackpots_progressive_next_step_f1862', table='jackpots_progressive', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='progressive',
            trigger=pgtrigger.compiler.Trigger(name='progressive_counts_final', sql=config.kit.triggers.firm.IndexedGuardSql(condition='WHEN (OLD.final_until IS DISTINCT FROM NEW.final_until)', func="\n                    INSERT INTO jackpots_givenhour AS g (progressive_id, hour, table_log_id, micros)\n                        SELECT s.progressive_id, date_trunc('hour', s.place, 'UTC') AS hour, e.table_log_id,\n    sum(s.slice_micros)::bigint AS micros\nFROM jackpots_share s JOIN jackpots_event e ON e.id = s.event_id\nWHERE e.kind = 'stakes' AND s.progressive_id = NEW.id AND s.place >= coalesce(OLD.final_until, '-infinity')\n                            AND s.place < NEW.final_until\n                        GROUP BY 1, 2, 3 ORDER BY 2, 3\n                        ON CONFLICT (progressive_id, hour, table_log_id) DO UPDATE\n                        SET micros = g.micros + EXCLUDED.micros;\n                    RETURN NULL;\n                ", hash='f8cbcc88ee18bccb4c989d93de8b443740c949b0', operation='UPDATE', pgid='pgtrigger_progressive_counts_final_81ced', table='jackpots_progressive', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='link',
            trigger=pgtrigger.compiler.Trigger(name='link_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='af83c9754674c96de7b910df67bfa307fea20487', operation='DELETE', pgid='pgtrigger_link_no_delete_3fd78', table='jackpots_link', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='link',
            trigger=pgtrigger.compiler.Trigger(name='link_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='73513497b4802240958e9cc76306094b2cf76cdf', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_link_no_truncate_c11cb', table='jackpots_link', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='link',
            trigger=pgtrigger.compiler.Trigger(name='jackpots_link_first_step', sql=config.kit.triggers.firm.GuardSql(func='INSERT INTO ledger_step (kind, row_id, state, content, detail) VALUES (\'jackpots.link\', NEW.id, \'\', sha256(convert_to(\'{"class":"jackpots.link"\' || coalesce(\',"kinds":\' || to_json(NEW.kinds)::text, \'\') || coalesce(\',"left_out_at":\' || \'"\' || to_char(NEW.left_out_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"progressive_id":\' || to_json(NEW.progressive_id)::text, \'\') || coalesce(\',"resumed_at":\' || \'"\' || to_char(NEW.resumed_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"returned_at":\' || \'"\' || to_char(NEW.returned_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"suspended_at":\' || \'"\' || to_char(NEW.suspended_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"table_log_id":\' || to_json(NEW.table_log_id)::text, \'\') || coalesce(\',"takes_rest":\' || to_json(NEW.takes_rest)::text, \'\') || \'}\', \'UTF8\')), NULL); RETURN NULL;', hash='480067aeaa18a749cc54c91e4e562710863d4407', operation='INSERT', pgid='pgtrigger_jackpots_link_first_step_c2036', table='jackpots_link', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='link',
            trigger=pgtrigger.compiler.Trigger(name='jackpots_link_next_step', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (OLD.table_log_id IS DISTINCT FROM NEW.table_log_id OR OLD.progressive_id IS DISTINCT FROM NEW.progressive_id OR OLD.kinds IS DISTINCT FROM NEW.kinds OR OLD.takes_rest IS DISTINCT FROM NEW.takes_rest OR OLD.suspended_at IS DISTINCT FROM NEW.suspended_at OR OLD.resumed_at IS DISTINCT FROM NEW.resumed_at OR OLD.left_out_at IS DISTINCT FROM NEW.left_out_at OR OLD.returned_at IS DISTINCT FROM NEW.returned_at)', func='INSERT INTO ledger_step (kind, row_id, state, content, detail) VALUES (\'jackpots.link\', NEW.id, \'\', sha256(convert_to(\'{"class":"jackpots.link"\' || coalesce(\',"kinds":\' || to_json(NEW.kinds)::text, \'\') || coalesce(\',"left_out_at":\' || \'"\' || to_char(NEW.left_out_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"progressive_id":\' || to_json(NEW.progressive_id)::text, \'\') || coalesce(\',"resumed_at":\' || \'"\' || to_char(NEW.resumed_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"returned_at":\' || \'"\' || to_char(NEW.returned_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"suspended_at":\' || \'"\' || to_char(NEW.suspended_at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') || \'"\', \'\') || coalesce(\',"table_log_id":\' || to_json(NEW.table_log_id)::text, \'\') || coalesce(\',"takes_rest":\' || to_json(NEW.takes_rest)::text, \'\') || \'}\', \'UTF8\')), NULL); RETURN NULL;', hash='de1682478cf3d8a48fc9bfb4c5bf974056db1987', operation='UPDATE', pgid='pgtrigger_jackpots_link_next_step_24da2', table='jackpots_link', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='link',
            trigger=pgtrigger.compiler.Trigger(name='link_not_after_the_end', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (NEW.suspended_at IS NULL OR NEW.resumed_at IS NOT NULL)', func="\n                    IF EXISTS (SELECT FROM jackpots_adjustment WHERE progressive_id = NEW.progressive_id\n                               AND kind = 'end') THEN\n                        RAISE EXCEPTION 'progressive % has ended: no table takes part in it', NEW.progressive_id\n                            USING ERRCODE = 'integrity_constraint_violation';\n                    END IF;\n                    RETURN NEW;\n                ", hash='55e4e4cde636b823f488c9b1166b10611686c35f', operation='INSERT OR UPDATE', pgid='pgtrigger_link_not_after_the_end_e1eae', table='jackpots_link', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='heldhand',
            trigger=pgtrigger.compiler.Trigger(name='held_hand_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='d8fa7c37b8cedada010e8c5ecfc4cf9fc52cfd9d', operation='UPDATE', pgid='pgtrigger_held_hand_no_update_7770d', table='jackpots_heldhand', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='heldhand',
            trigger=pgtrigger.compiler.Trigger(name='held_hand_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='7fb8844155ae929a4bf84deae24749d4ffef45f0', operation='DELETE', pgid='pgtrigger_held_hand_no_delete_19b4e', table='jackpots_heldhand', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='heldhand',
            trigger=pgtrigger.compiler.Trigger(name='held_hand_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='98329aa5b6fb616e7adeea7350c6147800b70e81', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_held_hand_no_truncate_fc37f', table='jackpots_heldhand', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='heldhand',
            trigger=pgtrigger.compiler.Trigger(name='held_hand_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\n RETURN NEW;", hash='832d4ad7afb959ff536228d2e5989396d2e0ec63', operation='INSERT', pgid='pgtrigger_held_hand_stamped_940e1', table='jackpots_heldhand', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='frame',
            trigger=pgtrigger.compiler.Trigger(name='frame_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='4e56eeecfeb263e7c773622e1473560ea6a507d9', operation='UPDATE', pgid='pgtrigger_frame_no_update_10074', table='jackpots_frame', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='frame',
            trigger=pgtrigger.compiler.Trigger(name='frame_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='d144354fcc95a814e4ff010db57fa843b595ef46', operation='DELETE', pgid='pgtrigger_frame_no_delete_75c97', table='jackpots_frame', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='frame',
            trigger=pgtrigger.compiler.Trigger(name='frame_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='200c5b200bc00ea8bffcfcb9f58dcbf163ee9559', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_frame_no_truncate_8e09c', table='jackpots_frame', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='frame',
            trigger=pgtrigger.compiler.Trigger(name='frame_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="IF NOT EXISTS (\n    SELECT FROM jackpots_frame WHERE progressive_id = NEW.progressive_id AND sequence = NEW.sequence - 1\n        AND date_trunc('minute', at) >= date_trunc('minute', NEW.at)\n) THEN \n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\n ELSE NEW.xact_id := NULL; END IF; RETURN NEW;", hash='1ed235ad00cdb9ebaebd298c1e179dead0fd7ddf', operation='INSERT', pgid='pgtrigger_frame_stamped_81fa2', table='jackpots_frame', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='frame',
            trigger=pgtrigger.compiler.Trigger(name='frame_with_text', sql=config.kit.triggers.firm.DividedGuardSql(declare='DECLARE first bigint; last bigint; told bigint; kept bigint;', func="\n                    SELECT min(n.id), max(n.id), count(*) INTO first, last, told FROM new_rows n;\n                    SELECT count(*) INTO kept FROM new_rows n JOIN jackpots_frametext t ON t.frame_id = n.id\n                        WHERE n.body IS NULL AND t.frame_id BETWEEN first AND last;\n                    IF kept <> told THEN\n                        RAISE EXCEPTION 'A frame comes with its text, beside it'\n                            USING ERRCODE = 'check_violation', CONSTRAINT = 'frame_with_text';\n                    END IF;\n                    RETURN NULL;\n                ", hash='ef600ae809754059ab8454111d9747e45eb9e7b8', level='STATEMENT', operation='INSERT', pgid='pgtrigger_frame_with_text_bb74d', referencing='REFERENCING NEW TABLE AS new_rows ', table='jackpots_frame', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='foldrun',
            trigger=pgtrigger.compiler.Trigger(name='fold_run_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='68dad3b9bfc06c388e97e2124c9b00a021c478a7', operation='UPDATE', pgid='pgtrigger_fold_run_no_update_e5a88', table='jackpots_foldrun', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='foldrun',
            trigger=pgtrigger.compiler.Trigger(name='fold_run_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='1c8942a6cc58e440b04329cf0c745a4b210de0a1', operation='DELETE', pgid='pgtrigger_fold_run_no_delete_d737c', table='jackpots_foldrun', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='foldrun',
            trigger=pgtrigger.compiler.Trigger(name='fold_run_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='31d1ba4045cadaced8301d9c6aeb281a269ef8ac', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_fold_run_no_truncate_ec1c2', table='jackpots_foldrun', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='foldrun',
            trigger=pgtrigger.compiler.Trigger(name='fold_run_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\n RETURN NEW;", hash='c3ad04811a696e52bfebb29f2b3efbc1d2c5fe9b', operation='INSERT', pgid='pgtrigger_fold_run_stamped_1d972', table='jackpots_foldrun', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='doubt',
            trigger=pgtrigger.compiler.Trigger(name='doubt_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='9141128a89a4557ed918be31e19dea8885f2f6a6', operation='UPDATE', pgid='pgtrigger_doubt_no_update_ef8a2', table='jackpots_doubt', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='doubt',
            trigger=pgtrigger.compiler.Trigger(name='doubt_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='db3bb0ed68b63d5f78aa6667e4fd4bce6135c0a8', operation='DELETE', pgid='pgtrigger_doubt_no_delete_f72d2', table='jackpots_doubt', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='doubt',
            trigger=pgtrigger.compiler.Trigger(name='doubt_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='a70ce3293da6df66d58ec539dd044305dc53e207', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_doubt_no_truncate_25e31', table='jackpots_doubt', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='doubt',
            trigger=pgtrigger.compiler.Trigger(name='doubt_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\n RETURN NEW;", hash='6edfc717456406aad8d18a4822e1656c56701f80', operation='INSERT', pgid='pgtrigger_doubt_stamped_3bcc2', table='jackpots_doubt', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='ruledmoment',
            trigger=pgtrigger.compiler.Trigger(name='ruled_moment_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='64858268bfccb507f2c2dfb9a718564fadbf3a58', operation='UPDATE', pgid='pgtrigger_ruled_moment_no_update_e0852', table='jackpots_ruledmoment', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='ruledmoment',
            trigger=pgtrigger.compiler.Trigger(name='ruled_moment_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='d4f13956112bb662add348f4dae2cc6ee1670ea7', operation='DELETE', pgid='pgtrigger_ruled_moment_no_delete_05d4e', table='jackpots_ruledmoment', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='ruledmoment',
            trigger=pgtrigger.compiler.Trigger(name='ruled_moment_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='6f158d895b3b0eb183b6fd0b298d09331a57fedc', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_ruled_moment_no_truncate_5936e', table='jackpots_ruledmoment', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='ruledmoment',
            trigger=pgtrigger.compiler.Trigger(name='ruled_moment_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\n RETURN NEW;", hash='7d2d7b4fe7cbebdbb7c7d22cd32e6bfc08d2e970', operation='INSERT', pgid='pgtrigger_ruled_moment_stamped_5b202', table='jackpots_ruledmoment', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='ruling',
            trigger=pgtrigger.compiler.Trigger(name='ruling_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='8e086fcebbf4c3a6588e9414d044b8c16e538d06', operation='UPDATE', pgid='pgtrigger_ruling_no_update_e7e9e', table='jackpots_ruling', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='ruling',
            trigger=pgtrigger.compiler.Trigger(name='ruling_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='c6324d9675ed1123bf2204e4420a6f2e154a8cc1', operation='DELETE', pgid='pgtrigger_ruling_no_delete_7e541', table='jackpots_ruling', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='ruling',
            trigger=pgtrigger.compiler.Trigger(name='ruling_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='4a45120901876380047b67419da77fc8fa1c5881', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_ruling_no_truncate_f2af1', table='jackpots_ruling', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='ruling',
            trigger=pgtrigger.compiler.Trigger(name='ruling_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\n RETURN NEW;", hash='be35eea25c21230d2dbf87f62b02fe57a6cec96b', operation='INSERT', pgid='pgtrigger_ruling_stamped_4d5ef', table='jackpots_ruling', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='serverclock',
            trigger=pgtrigger.compiler.Trigger(name='server_clock_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='e176896205d4a141a490670b207747e19c8029e7', operation='UPDATE', pgid='pgtrigger_server_clock_no_update_1c299', table='jackpots_serverclock', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='serverclock',
            trigger=pgtrigger.compiler.Trigger(name='server_clock_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='8983d13565f2f516d91a9e9454a07aae4d11fa04', operation='DELETE', pgid='pgtrigger_server_clock_no_delete_1a42d', table='jackpots_serverclock', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='serverclock',
            trigger=pgtrigger.compiler.Trigger(name='server_clock_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='fcfa87eb9182769843bc6c88736a545d6e401ff8', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_server_clock_no_truncate_914db', table='jackpots_serverclock', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='serverclock',
            trigger=pgtrigger.compiler.Trigger(name='server_clock_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\n RETURN NEW;", hash='72eef302bef0dbeeddfd55f08d620e3d9f2dacf3', operation='INSERT', pgid='pgtrigger_server_clock_stamped_24447', table='jackpots_serverclock', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='freeze',
            trigger=pgtrigger.compiler.Trigger(name='freeze_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\nNEW.at := statement_timestamp(); RETURN NEW;", hash='e46588182d9c7fcdb46b5c61f101cbe37e40e375', operation='INSERT', pgid='pgtrigger_freeze_stamped_ca768', table='jackpots_freeze', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='freeze',
            trigger=pgtrigger.compiler.Trigger(name='freeze_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='c958f3382eac02025e37b6b29c143ecfe9dc73b9', operation='UPDATE', pgid='pgtrigger_freeze_no_update_f1df3', table='jackpots_freeze', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='freeze',
            trigger=pgtrigger.compiler.Trigger(name='freeze_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='caaca7ccd811d064dd3ce530441ea53a298f3ccd', operation='DELETE', pgid='pgtrigger_freeze_no_delete_a7cc0', table='jackpots_freeze', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='freeze',
            trigger=pgtrigger.compiler.Trigger(name='freeze_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='de4e1ff5673aa3dff749b1d7553481af1562e7d6', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_freeze_no_truncate_6cd6c', table='jackpots_freeze', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='release',
            trigger=pgtrigger.compiler.Trigger(name='release_approved', sql=config.kit.triggers.firm.GuardSql(func="\n                    IF NOT EXISTS (SELECT FROM people_approvalrequest a WHERE a.id = NEW.approval_id\n                                   AND a.state = 'used' AND a.action = 'jackpots.release_level'\n                                   AND a.payload_json::jsonb -> 'freezes' @> to_jsonb(NEW.freeze_id)) THEN\n                        RAISE EXCEPTION 'Freeze %: no approval of a second person to release it', NEW.freeze_id\n                            USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ", hash='cbf9a26e64685b2bdb92208674a5fdb4b1e8f0d4', operation='INSERT', pgid='pgtrigger_release_approved_db83b', table='jackpots_release', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='release',
            trigger=pgtrigger.compiler.Trigger(name='release_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\nNEW.at := statement_timestamp(); RETURN NEW;", hash='c07892ea352a6e34d5dac512fd70d13cda37d688', operation='INSERT', pgid='pgtrigger_release_stamped_2a377', table='jackpots_release', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='release',
            trigger=pgtrigger.compiler.Trigger(name='release_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='e4496c83ede566493d8af2a3db33c87cd35274a5', operation='UPDATE', pgid='pgtrigger_release_no_update_fd64c', table='jackpots_release', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='release',
            trigger=pgtrigger.compiler.Trigger(name='release_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='7c5433acaf05751118495397cee9e75747d86af4', operation='DELETE', pgid='pgtrigger_release_no_delete_4ee36', table='jackpots_release', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='release',
            trigger=pgtrigger.compiler.Trigger(name='release_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='dba28eae59ccfd9378c58e5d389df86e8ce7c8e4', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_release_no_truncate_2784b', table='jackpots_release', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='winner',
            trigger=pgtrigger.compiler.Trigger(name='winner_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\nNEW.at := statement_timestamp(); RETURN NEW;", hash='8687d3683910aae6dcb2edd9420d65c3afc1bbb3', operation='INSERT', pgid='pgtrigger_winner_stamped_f0fa4', table='jackpots_winner', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='winner',
            trigger=pgtrigger.compiler.Trigger(name='winner_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='dffe60e4adb7062b5bad502e5aaec81705013a2a', operation='UPDATE', pgid='pgtrigger_winner_no_update_e373d', table='jackpots_winner', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='winner',
            trigger=pgtrigger.compiler.Trigger(name='winner_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='f19663388b441439b87e1a6f2f16545739f15ed5', operation='DELETE', pgid='pgtrigger_winner_no_delete_3bb30', table='jackpots_winner', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='winner',
            trigger=pgtrigger.compiler.Trigger(name='winner_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='8f44a638fb6cf4e784e67c22b46db7d72c56a943', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_winner_no_truncate_1696f', table='jackpots_winner', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='configchange',
            trigger=pgtrigger.compiler.Trigger(name='config_change_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\n RETURN NEW;", hash='4bdc0d71452e08df48f3ea2984d4b96bde7fcd00', operation='INSERT', pgid='pgtrigger_config_change_stamped_c91d1', table='jackpots_configchange', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='configchange',
            trigger=pgtrigger.compiler.Trigger(name='config_change_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='c539d7fc51d1b467660b8036664446f7e53ac854', operation='UPDATE', pgid='pgtrigger_config_change_no_update_6eeb5', table='jackpots_configchange', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='configchange',
            trigger=pgtrigger.compiler.Trigger(name='config_change_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='ce950c4da0177a19c735de612577fdabefb42dfb', operation='DELETE', pgid='pgtrigger_config_change_no_delete_19877', table='jackpots_configchange', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='configchange',
            trigger=pgtrigger.compiler.Trigger(name='config_change_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='c86bb4c4e620d45cfaba53f52be746282ab69167', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_config_change_no_truncate_ebee1', table='jackpots_configchange', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='adjustment',
            trigger=pgtrigger.compiler.Trigger(name='adjustment_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\n RETURN NEW;", hash='bcfc6ee8fb647d3d2cdef96d34e3d79850ab20b8', operation='INSERT', pgid='pgtrigger_adjustment_stamped_10024', table='jackpots_adjustment', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='adjustment',
            trigger=pgtrigger.compiler.Trigger(name='adjustment_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='2377083d61104d3f0ea882abee127a079fb753c2', operation='UPDATE', pgid='pgtrigger_adjustment_no_update_47448', table='jackpots_adjustment', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='adjustment',
            trigger=pgtrigger.compiler.Trigger(name='adjustment_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='19b359452f8b2aa7491c49531f82652d1d82d8fe', operation='DELETE', pgid='pgtrigger_adjustment_no_delete_34bfb', table='jackpots_adjustment', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='adjustment',
            trigger=pgtrigger.compiler.Trigger(name='adjustment_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='f31583ebee6b2955631d9cba4334a17c4273073c', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_adjustment_no_truncate_51415', table='jackpots_adjustment', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='adjustment',
            trigger=pgtrigger.compiler.Trigger(name='adjustment_by_two', sql=config.kit.triggers.firm.GuardSql(func="\n                    IF NOT EXISTS (SELECT FROM people_approvalrequest a WHERE a.id = NEW.approval_id\n                        AND a.state = 'used' AND a.action = ANY (CASE NEW.kind\n                            WHEN 'meter' THEN '{jackpots.adjust_meter}'::text[]\n                            WHEN 'out' THEN '{jackpots.transfer_meter}'\n                            WHEN 'in' THEN '{jackpots.transfer_meter,jackpots.decommission}'\n                            WHEN 'end' THEN '{jackpots.decommission}'\n                            ELSE '{jackpots.second_thought}' END)) THEN\n                        RAISE EXCEPTION 'no approval of a second person was used for this adjustment'\n                            USING ERRCODE = 'check_violation';\n                    END IF;\n                    IF NEW.place IS DISTINCT FROM (SELECT coalesce(folded_until, NEW.place) FROM jackpots_progressive\n                                                   WHERE id = NEW.progressive_id) THEN\n                        RAISE EXCEPTION 'an adjustment stands where the fold has come to, not at %', NEW.place\n                            USING ERRCODE = 'integrity_constraint_violation';\n                    END IF;\n                    IF NEW.kind = 'end' AND 'announced' IS DISTINCT FROM (\n                        SELECT d.kind FROM jackpots_decommission d WHERE d.progressive_id = NEW.progressive_id\n                        ORDER BY d.id DESC LIMIT 1\n                    ) THEN\n                        RAISE EXCEPTION 'nobody has announced that progressive % ends', NEW.progressive_id\n                            USING ERRCODE = 'integrity_constraint_violation';\n                    END IF;\n                    RETURN NEW;\n                ", hash='50618e8417109828bd13160689f8f404dac52995', operation='INSERT', pgid='pgtrigger_adjustment_by_two_7efdc', table='jackpots_adjustment', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='adjustment',
            trigger=pgtrigger.compiler.Trigger(name='adjustment_arrives', sql=config.kit.triggers.firm.GuardSql(condition="WHEN (NEW.kind IN ('out', 'in', 'end'))", constraint='CONSTRAINT', func="\n                    IF 0 IS DISTINCT FROM (SELECT sum((effect->>'moved_micros')::bigint) FROM jackpots_adjustment\n                                           WHERE approval_id = NEW.approval_id) THEN\n                        RAISE EXCEPTION 'what leaves one progressive does not come to another (approval %)',\n                            NEW.approval_id USING ERRCODE = 'integrity_constraint_violation';\n                    END IF;\n                    RETURN NULL;\n                ", hash='8fca263ba396a879350af3aacede5568deda5ac9', operation='INSERT', pgid='pgtrigger_adjustment_arrives_e2479', table='jackpots_adjustment', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='dismissal',
            trigger=pgtrigger.compiler.Trigger(name='dismissal_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\n RETURN NEW;", hash='61a2ade7af5ffcf2535bf8a078b367aad1d152f1', operation='INSERT', pgid='pgtrigger_dismissal_stamped_3e8a5', table='jackpots_dismissal', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='dismissal',
            trigger=pgtrigger.compiler.Trigger(name='dismissal_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='88f71f8e4fef6472b3ef22aff1d63d7f6a2d14a1', operation='UPDATE', pgid='pgtrigger_dismissal_no_update_a2578', table='jackpots_dismissal', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='dismissal',
            trigger=pgtrigger.compiler.Trigger(name='dismissal_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='15e934c2939e90e054161f8316874f9411e6f0e7', operation='DELETE', pgid='pgtrigger_dismissal_no_delete_c17af', table='jackpots_dismissal', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='dismissal',
            trigger=pgtrigger.compiler.Trigger(name='dismissal_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='19acf83f7433b60818fe262d158f0f02d260997c', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_dismissal_no_truncate_bb9a3', table='jackpots_dismissal', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='dismissal',
            trigger=pgtrigger.compiler.Trigger(name='dismissal_by_two', sql=config.kit.triggers.firm.GuardSql(func="\n                    IF NOT EXISTS (SELECT FROM people_approvalrequest a WHERE a.id = NEW.approval_id\n                                   AND a.state = 'used' AND a.action = 'jackpots.dismiss_hand') THEN\n                        RAISE EXCEPTION 'no approval of a second person was used for this dismissal'\n                            USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ", hash='d3211da95874811186b78977af2f6e761238a20a', operation='INSERT', pgid='pgtrigger_dismissal_by_two_f6480', table='jackpots_dismissal', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='handpayrules',
            trigger=pgtrigger.compiler.Trigger(name='hand_pay_rules_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\n RETURN NEW;", hash='83fb312d5d15032adb85c39914c68992f2509336', operation='INSERT', pgid='pgtrigger_hand_pay_rules_stamped_df6ec', table='jackpots_handpayrules', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='handpayrules',
            trigger=pgtrigger.compiler.Trigger(name='hand_pay_rules_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='848ae66caeaef85ef5dff3c3efeb9af6a1c79f71', operation='UPDATE', pgid='pgtrigger_hand_pay_rules_no_update_5f750', table='jackpots_handpayrules', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='handpayrules',
            trigger=pgtrigger.compiler.Trigger(name='hand_pay_rules_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='a719aa4ae9beb77e77a58e5cf60c956209d276c3', operation='DELETE', pgid='pgtrigger_hand_pay_rules_no_delete_bc024', table='jackpots_handpayrules', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='handpayrules',
            trigger=pgtrigger.compiler.Trigger(name='hand_pay_rules_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='cd1821d25a48e6b3dbed526217c54c1fec5170a6', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_hand_pay_rules_no_truncate_2e999', table='jackpots_handpayrules', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='handpayrules',
            trigger=pgtrigger.compiler.Trigger(name='hand_pay_rules_by_two', sql=config.kit.triggers.firm.GuardSql(func="\n                    IF NOT EXISTS (SELECT FROM people_approvalrequest a WHERE a.id = NEW.approval_id\n                                   AND a.state = 'used' AND a.action = 'jackpots.hand_pay_rules') THEN\n                        RAISE EXCEPTION 'no approval of a second person was used for these rules'\n                            USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ", hash='fd6956f3b87fca72528f325fc783174a6659fbc5', operation='INSERT', pgid='pgtrigger_hand_pay_rules_by_two_a89d7', table='jackpots_handpayrules', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='overpaid',
            trigger=pgtrigger.compiler.Trigger(name='overpaid_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\n RETURN NEW;", hash='a7898f1484534becf977b6e2faef869fd6387ac9', operation='INSERT', pgid='pgtrigger_overpaid_stamped_9b329', table='jackpots_overpaid', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='overpaid',
            trigger=pgtrigger.compiler.Trigger(name='overpaid_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='1f80124592b7e247a7f62e57ce7fcfe614ab15de', operation='UPDATE', pgid='pgtrigger_overpaid_no_update_a3149', table='jackpots_overpaid', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='overpaid',
            trigger=pgtrigger.compiler.Trigger(name='overpaid_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='fc0a31e89f824a23f335c502f0ef8d675d6d5192', operation='DELETE', pgid='pgtrigger_overpaid_no_delete_eb67a', table='jackpots_overpaid', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='overpaid',
            trigger=pgtrigger.compiler.Trigger(name='overpaid_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='013430131d714523d4bfc366bb8a0344ae1b6817', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_overpaid_no_truncate_d47b5', table='jackpots_overpaid', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='slip',
            trigger=pgtrigger.compiler.Trigger(name='slip_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\n RETURN NEW;", hash='5ef632f7d6986136aebfaad908f746857fa64b11', operation='INSERT', pgid='pgtrigger_slip_stamped_dd1cc', table='jackpots_slip', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='slip',
            trigger=pgtrigger.compiler.Trigger(name='slip_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='7fc0ea8dca6e4f7d1e2b59fb60ae0d93fe7d0757', operation='UPDATE', pgid='pgtrigger_slip_no_update_e0a35', table='jackpots_slip', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='slip',
            trigger=pgtrigger.compiler.Trigger(name='slip_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='829b0fa22cff58c0c992b3dfd00811bcfd12e056', operation='DELETE', pgid='pgtrigger_slip_no_delete_14959', table='jackpots_slip', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='slip',
            trigger=pgtrigger.compiler.Trigger(name='slip_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='75e0c9f5b163569c844bcf5430409e2a8f4d9683', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_slip_no_truncate_6a32e', table='jackpots_slip', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='slip',
            trigger=pgtrigger.compiler.Trigger(name='slip_in_its_turn', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n                    IF NEW.copy > 0 AND NOT EXISTS (SELECT FROM jackpots_slip s WHERE s.win_id = NEW.win_id\n                            AND s.number = NEW.number AND s.premises_id = NEW.premises_id AND s.copy = NEW.copy - 1)\n                        OR NEW.copy = 0 AND NEW.number > 1 AND NOT EXISTS (SELECT FROM jackpots_slip s\n                            WHERE s.premises_id = NEW.premises_id AND s.number = NEW.number - 1 AND s.copy = 0) THEN\n                        RAISE EXCEPTION 'slip % of premises % leaves a gap', NEW.number, NEW.premises_id\n                            USING ERRCODE = 'integrity_constraint_violation';\n                    END IF;\n                    RETURN NEW;\n                ", hash='1231aaaad440a1a0c9e98671da166944ad067572', operation='INSERT', pgid='pgtrigger_slip_in_its_turn_407b3', table='jackpots_slip', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='board',
            trigger=pgtrigger.compiler.Trigger(name='board_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\nNEW.at := statement_timestamp(); RETURN NEW;", hash='756e608b7cd922ab33610d50d2aebda339382b29', operation='INSERT', pgid='pgtrigger_board_stamped_502aa', table='jackpots_board', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='board',
            trigger=pgtrigger.compiler.Trigger(name='board_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='df79f088ee3ca0b688e9ebb9a7917846f13a6ea7', operation='UPDATE', pgid='pgtrigger_board_no_update_e2b4a', table='jackpots_board', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='board',
            trigger=pgtrigger.compiler.Trigger(name='board_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='bc1da58ced927db8e8594c533ad2e1148c8d6659', operation='DELETE', pgid='pgtrigger_board_no_delete_fb640', table='jackpots_board', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='board',
            trigger=pgtrigger.compiler.Trigger(name='board_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='661e1d479795e7948147db906c9b60e1330f2198', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_board_no_truncate_1b983', table='jackpots_board', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='decommission',
            trigger=pgtrigger.compiler.Trigger(name='decommission_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\n RETURN NEW;", hash='56fc3c0311a22c01d2e30f68058fb7cee889c614', operation='INSERT', pgid='pgtrigger_decommission_stamped_b5df1', table='jackpots_decommission', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='decommission',
            trigger=pgtrigger.compiler.Trigger(name='decommission_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='caff0368f5648823119440bb86b2a23a1f7f2f0b', operation='UPDATE', pgid='pgtrigger_decommission_no_update_47207', table='jackpots_decommission', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='decommission',
            trigger=pgtrigger.compiler.Trigger(name='decommission_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='3dfc5cc618c97ea9b2238c688f2c0bc37dd66cd1', operation='DELETE', pgid='pgtrigger_decommission_no_delete_348ad', table='jackpots_decommission', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='decommission',
            trigger=pgtrigger.compiler.Trigger(name='decommission_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='3f4bb342893af02191342c3117593f899e44052a', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_decommission_no_truncate_d8fee', table='jackpots_decommission', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='decommission',
            trigger=pgtrigger.compiler.Trigger(name='decommission_by_two', sql=config.kit.triggers.firm.GuardSql(func="\n                    IF NOT EXISTS (SELECT FROM people_approvalrequest a WHERE a.id = NEW.approval_id\n                        AND a.state = 'used' AND a.action = CASE NEW.kind WHEN 'announced' THEN 'jackpots.announce_end'\n                                                                          ELSE 'jackpots.withdraw_end' END) THEN\n                        RAISE EXCEPTION 'no approval of a second person was used for this'\n                            USING ERRCODE = 'check_violation';\n                    END IF;\n                    IF EXISTS (SELECT FROM jackpots_adjustment WHERE progressive_id = NEW.progressive_id\n                               AND kind = 'end') THEN\n                        RAISE EXCEPTION 'progressive % has ended', NEW.progressive_id\n                            USING ERRCODE = 'integrity_constraint_violation';\n                    END IF;\n                    RETURN NEW;\n                ", hash='f287adc323fee0a8c6daf1a3072cfee4cb905102', operation='INSERT', pgid='pgtrigger_decommission_by_two_02528', table='jackpots_decommission', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='recovery',
            trigger=pgtrigger.compiler.Trigger(name='recovery_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\n RETURN NEW;", hash='6aa1fbb966ad4962da93d92e87d070dc60ebcab5', operation='INSERT', pgid='pgtrigger_recovery_stamped_6dc32', table='jackpots_recovery', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='recovery',
            trigger=pgtrigger.compiler.Trigger(name='recovery_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='b98fa0df5f0585df1c84ff2eeb94a1cd8b0bcaed', operation='UPDATE', pgid='pgtrigger_recovery_no_update_e021f', table='jackpots_recovery', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='recovery',
            trigger=pgtrigger.compiler.Trigger(name='recovery_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='406bb822563f3ff6921d98b08773a3b8114aa361', operation='DELETE', pgid='pgtrigger_recovery_no_delete_6b776', table='jackpots_recovery', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='recovery',
            trigger=pgtrigger.compiler.Trigger(name='recovery_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='2bd8ae58eb6b6bb9f21f8fd14a00dccfac222f42', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_recovery_no_truncate_d661b', table='jackpots_recovery', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='recovery',
            trigger=pgtrigger.compiler.Trigger(name='recovery_by_two', sql=config.kit.triggers.firm.GuardSql(func="\n                    IF NOT EXISTS (SELECT FROM people_approvalrequest a WHERE a.id = NEW.approval_id\n                                   AND a.state = 'used' AND a.action = 'jackpots.settle_recoverable') THEN\n                        RAISE EXCEPTION 'no approval of a second person was used for this'\n                            USING ERRCODE = 'check_violation';\n                    END IF;\n                    PERFORM FROM jackpots_win WHERE id = NEW.win_id FOR NO KEY UPDATE;\n                    IF NEW.amount_micros > (\n                        SELECT coalesce(sum(o.amount_micros), 0) FROM jackpots_overpaid o\n                        WHERE o.win_id = NEW.win_id AND o.borne = 'recoverable'\n                    ) - (SELECT coalesce(sum(r.amount_micros), 0) FROM jackpots_recovery r WHERE r.win_id = NEW.win_id)\n                    THEN\n                        RAISE EXCEPTION 'more is settled than is to be recovered of win %', NEW.win_id\n                            USING ERRCODE = 'integrity_constraint_violation';\n                    END IF;\n                    RETURN NEW;\n                ", hash='b1a00e1e8a346dbab01e81e5e6d551c220cd0cd8', operation='INSERT', pgid='pgtrigger_recovery_by_two_caa4a', table='jackpots_recovery', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='heldcontribution',
            trigger=pgtrigger.compiler.Trigger(name='held_contribution_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\n RETURN NEW;", hash='52f92e91b0c11704714d21b01c203c0e208f7f3b', operation='INSERT', pgid='pgtrigger_held_contribution_stamped_99a25', table='jackpots_heldcontribution', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='heldcontribution',
            trigger=pgtrigger.compiler.Trigger(name='held_contribution_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='3b5f2a9651df08e2d32861ec1ec79de916259e4f', operation='UPDATE', pgid='pgtrigger_held_contribution_no_update_e5541', table='jackpots_heldcontribution', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='heldcontribution',
            trigger=pgtrigger.compiler.Trigger(name='held_contribution_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='c68e85dbd3cc20668ce1736fe061678a935b1ea0', operation='DELETE', pgid='pgtrigger_held_contribution_no_delete_03445', table='jackpots_heldcontribution', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='heldcontribution',
            trigger=pgtrigger.compiler.Trigger(name='held_contribution_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='ac2abe50aac861e2d914f08d9ede66f3d2c43fc8', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_held_contribution_no_truncate_66e5b', table='jackpots_heldcontribution', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='heldsettlement',
            trigger=pgtrigger.compiler.Trigger(name='held_settlement_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\n RETURN NEW;", hash='6740f4c5e44bfc20b1cb667be83e2669fabfcd24', operation='INSERT', pgid='pgtrigger_held_settlement_stamped_d658e', table='jackpots_heldsettlement', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='heldsettlement',
            trigger=pgtrigger.compiler.Trigger(name='held_settlement_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='fcec9cd892049181291f3edb109ee45c5d462f8a', operation='UPDATE', pgid='pgtrigger_held_settlement_no_update_a8d62', table='jackpots_heldsettlement', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='heldsettlement',
            trigger=pgtrigger.compiler.Trigger(name='held_settlement_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='64c97fddead890551e09123aba720cfb468d1335', operation='DELETE', pgid='pgtrigger_held_settlement_no_delete_799de', table='jackpots_heldsettlement', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='heldsettlement',
            trigger=pgtrigger.compiler.Trigger(name='held_settlement_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='7f7f8098d105ef3906928f7fb3f9cbe9685dab4e', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_held_settlement_no_truncate_969f5', table='jackpots_heldsettlement', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='heldsettlement',
            trigger=pgtrigger.compiler.Trigger(name='held_settlement_holds', sql=config.kit.triggers.firm.GuardSql(func="\n                    IF NEW.kind = 'returned' AND (NOT EXISTS (\n                        SELECT FROM people_approvalrequest a WHERE a.id = NEW.approval_id AND a.state = 'used'\n                        AND a.action = 'jackpots.return_contribution'\n                    ) OR EXISTS (\n                        SELECT FROM jackpots_share s JOIN jackpots_heldcontribution h ON h.event_id = s.event_id\n                            AND h.progressive_id = s.progressive_id WHERE h.id = NEW.held_id\n                    )) OR NEW.kind <> 'returned' AND NOT EXISTS (\n                        SELECT FROM jackpots_share s JOIN jackpots_heldcontribution h ON h.event_id = s.event_id\n                            AND h.progressive_id = s.progressive_id AND h.slice_micros = s.slice_micros\n                            AND h.config_id = s.config_id WHERE h.id = NEW.held_id AND s.id = NEW.share_id\n                    ) THEN\n                        RAISE EXCEPTION 'held contribution % is not settled like this', NEW.held_id\n                            USING ERRCODE = 'integrity_constraint_violation';\n                    END IF;\n                    RETURN NEW;\n                ", hash='584c982cd080fd35e9e7d4dc9ea209a33be80a5f', operation='INSERT', pgid='pgtrigger_held_settlement_holds_7af36', table='jackpots_heldsettlement', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='advance',
            trigger=pgtrigger.compiler.Trigger(name='advance_stamped', sql=config.kit.triggers.firm.IndexedGuardSql(func="\n    NEW.xact_id := potline_stamp(pg_current_xact_id());\n    IF EXISTS (SELECT FROM ledger_seal WHERE below_xact > NEW.xact_id) THEN\n        RAISE EXCEPTION 'This server counts transactions from a lower number than the seals have seen'\n            USING ERRCODE = 'invalid_transaction_state', HINT = 'After a restore run: manage.py adopt_database';\n    END IF;\n RETURN NEW;", hash='1611fe7fbb5ac43fc475b26157e26db5ef93bacb', operation='INSERT', pgid='pgtrigger_advance_stamped_4c709', table='jackpots_advance', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='advance',
            trigger=pgtrigger.compiler.Trigger(name='advance_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='a2112c7c95071a64634e04fce712239b4a00cc02', operation='UPDATE', pgid='pgtrigger_advance_no_update_3f6a6', table='jackpots_advance', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='advance',
            trigger=pgtrigger.compiler.Trigger(name='advance_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='b1833fd07dd111ac5622de73547ed93412d88926', operation='DELETE', pgid='pgtrigger_advance_no_delete_449ea', table='jackpots_advance', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='advance',
            trigger=pgtrigger.compiler.Trigger(name='advance_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='25098785b168960fffd3dcab0bdae89d1f71b2b0', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_advance_no_truncate_c03e0', table='jackpots_advance', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='advance',
            trigger=pgtrigger.compiler.Trigger(name='advance_of_a_hand_that_waits', sql=config.kit.triggers.firm.GuardSql(func="\n                    IF NOT EXISTS (\n                        SELECT FROM jackpots_share s JOIN jackpots_event e ON e.id = s.event_id\n                        JOIN jackpots_progressive p ON p.id = s.progressive_id\n                        WHERE s.id = NEW.share_id AND e.kind = 'hits' AND NEW.amount_micros <= p.pay_alone_limit_micros\n                            AND e.body->'hits' @> jsonb_build_array(jsonb_build_object(\n                                'trigger', NEW.trigger, 'wager', jsonb_build_object('id', NEW.wager_id)))\n                    ) OR EXISTS (SELECT FROM jackpots_win w WHERE w.share_id = NEW.share_id) THEN\n                        RAISE EXCEPTION 'no small prize for a hand that waits (share %)', NEW.share_id\n                            USING ERRCODE = 'integrity_constraint_violation';\n                    END IF;\n                    RETURN NEW;\n                ", hash='84693aeef163096115645fcd0cd264231ae9a665', operation='INSERT', pgid='pgtrigger_advance_of_a_hand_that_waits_dcbbf', table='jackpots_advance', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='paidtotal',
            trigger=pgtrigger.compiler.Trigger(name='paid_total_by_wins_alone', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (pg_trigger_depth() = 0)', func="\n                    RAISE EXCEPTION 'What progressive % has paid follows from its wins, nobody writes it',\n                        NEW.progressive_id USING ERRCODE = 'restrict_violation';\n                ", hash='a541b546cd9a14f648b3a5bedbdb2fdf31457127', operation='INSERT OR UPDATE', pgid='pgtrigger_paid_total_by_wins_alone_be339', table='jackpots_paidtotal', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='paidtotal',
            trigger=pgtrigger.compiler.Trigger(name='paid_total_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='7f2b390acbb1da1ad4b797b837100d271af66199', operation='DELETE', pgid='pgtrigger_paid_total_no_delete_85e43', table='jackpots_paidtotal', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='paidtotal',
            trigger=pgtrigger.compiler.Trigger(name='paid_total_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='16b81eeef0a4c146df011859ab77ed76e2574c23', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_paid_total_no_truncate_4a8e1', table='jackpots_paidtotal', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='givenhour',
            trigger=pgtrigger.compiler.Trigger(name='given_hour_by_shares_alone', sql=config.kit.triggers.firm.GuardSql(condition='WHEN (pg_trigger_depth() = 0)', func="\n                    RAISE EXCEPTION 'What progressive % was given follows from its shares, nobody writes it',\n                        NEW.progressive_id USING ERRCODE = 'restrict_violation';\n                ", hash='95a7941b3db766c0f3d3ce9a795934cb4d61630c', operation='INSERT OR UPDATE', pgid='pgtrigger_given_hour_by_shares_alone_e8aab', table='jackpots_givenhour', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='givenhour',
            trigger=pgtrigger.compiler.Trigger(name='given_hour_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='42407e3e994432821529abeddb0ea009aca44d60', operation='DELETE', pgid='pgtrigger_given_hour_no_delete_d4b2f', table='jackpots_givenhour', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='givenhour',
            trigger=pgtrigger.compiler.Trigger(name='given_hour_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='c79952b115874f75e5b62970f9fb0f45936fc211', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_given_hour_no_truncate_8365c', table='jackpots_givenhour', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='frametext',
            trigger=pgtrigger.compiler.Trigger(name='frame_text_of_frame', sql=config.kit.triggers.firm.IndexedGuardSql(declare='DECLARE wrong record;', func="\n                    SELECT n.frame_id INTO wrong FROM new_rows n LEFT JOIN jackpots_frame f ON f.id = n.frame_id\n                        WHERE f.body IS NOT NULL OR f.sha256 IS DISTINCT FROM encode(sha256(convert_to(n.text, 'UTF8')), 'hex')\n                        LIMIT 1;\n                    IF FOUND THEN\n                        RAISE EXCEPTION 'A text is not the one of frame %', wrong.frame_id\n                            USING ERRCODE = 'check_violation', CONSTRAINT = 'frame_text_of_frame';\n                    END IF;\n                    RETURN NULL;\n                ", hash='3645adc575bf8dc327badc11eb8c30e482a03816', level='STATEMENT', operation='INSERT', pgid='pgtrigger_frame_text_of_frame_66a4a', referencing='REFERENCING NEW TABLE AS new_rows ', table='jackpots_frametext', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='frametext',
            trigger=pgtrigger.compiler.Trigger(name='frame_text_no_update', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='63b11414418f902a78306f7bd12b52005d3f4dd1', operation='UPDATE', pgid='pgtrigger_frame_text_no_update_306ce', table='jackpots_frametext', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='frametext',
            trigger=pgtrigger.compiler.Trigger(name='frame_text_no_delete', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='8802fde7ec41c9e27110be301acb83ce74332d3a', operation='DELETE', pgid='pgtrigger_frame_text_no_delete_7a7c3', table='jackpots_frametext', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='frametext',
            trigger=pgtrigger.compiler.Trigger(name='frame_text_no_truncate', sql=config.kit.triggers.firm.GuardSql(func="RAISE EXCEPTION '% on % is refused: rows are added, never changed or removed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; RETURN NULL;", hash='092e083cb68b2e9c7b88f6e99d014406bdafb983', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_frame_text_no_truncate_4d654', table='jackpots_frametext', when='BEFORE')),
        ),
        # What signs say they showed is divided by month, and the texts of frames by the month in whose band of numbers
        # their frame is. Last, with keys, indexes and triggers: their parts have what they have.
        migrations.RunSQL("SELECT months.divide('jackpots_displayminute', 'minute', NULL)"),
        migrations.RunSQL("SELECT months.divide('jackpots_frametext', 'frame_id', 'jackpots_frame_id_seq')"),
    ]
