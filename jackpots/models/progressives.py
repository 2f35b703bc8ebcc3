"""Progressives: their rules by content, what is in force, and the final meters. Shapes and constraints only."""

from __future__ import annotations

import json
from datetime import datetime
from functools import cached_property, lru_cache

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_noop

from config.kit.documents import check_version, version_field
from config.kit.triggers import firm, sealed
from people.models import Premises
from rules.progressive import ProgressiveRules, State, decode
from rules.progressive.pools import LevelState
from rules.version import DOCUMENT_VERSION, document_version


class ProgressiveConfig(models.Model):
    """A full set of progressive rules, stored by its content; replaced by another, never changed."""

    sha256 = models.CharField(max_length=64, unique=True)
    version = version_field(document_version)
    document = models.JSONField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        triggers = sealed.triggers("progressive_config")

    def __str__(self) -> str:
        return f"{self.document.get('name', '?')} {self.sha256[:8]}"

    @cached_property
    def rules(self) -> ProgressiveRules:
        check_version(self.version, DOCUMENT_VERSION, self)
        return _rules_of(json.dumps(self.document))


@lru_cache(maxsize=256)
def _rules_of(document: str) -> ProgressiveRules:
    """By the document itself: each row that is read brings one, and reading it takes longer than most of what the rules
    are asked."""
    return decode(ProgressiveRules, json.loads(document))


PROGRESSIVE_COLUMNS = (
    "code", "name", "host_id", "config_id", "armed_config_id", "armed_at", "effect_at", "ends_at", "silence",
    "lease_ms", "skew_ms", "pay_alone_limit_micros", "ruling_limit_micros", "ruling_daily_micros",
    "suspect_stake_micros", "suspect_rate_micros",
)  # fmt: skip
"""Its settings: each change of one is a step."""


GIVEN = """SELECT s.progressive_id, date_trunc('hour', s.place, 'UTC') AS hour, e.table_log_id,
    sum(s.slice_micros)::bigint AS micros
FROM jackpots_share s JOIN jackpots_event e ON e.id = s.event_id
WHERE e.kind = 'stakes' AND s.progressive_id = {progressive} AND s.place >= {since}"""
"""SQL for what tables gave by the hour; to be grouped by its first three columns."""

AWAITED = "t.is_open AND t.left_out_at IS NULL AND l.left_out_at IS NULL"
AWAITED += " AND (l.suspended_at IS NULL OR l.resumed_at IS NOT NULL"
AWAITED += " OR t.watermark < l.suspended_at)"
"""SQL for a table `t` that is waited for by its link `l`: suspended, only until it has vouched up to there."""
VOUCHED_UNTIL = f"""LEAST(
        (SELECT min(GREATEST(t.watermark, l.returned_at))
          FROM jackpots_link l JOIN jackpots_tablelog t ON t.id = l.table_log_id
          WHERE l.progressive_id = {{progressive}} AND {AWAITED}),
        (SELECT min(u.since) FROM jackpots_undecidedround u
          WHERE u.progressive_id = {{progressive}} AND NOT u.left_out AND NOT u.unawaited))"""  # noqa: S608
"""SQL for the instant before which nothing can come any more, by the tables' word; NULL: nobody is waited for."""


class Progressive(models.Model):
    """Linked meters over tables of one currency; its gaming day is that of its host premises."""

    class Silence(models.TextChoices):
        HOLD = "hold", gettext_noop("Wins wait until the silent table is back or two people override")
        SUSPEND = "suspend", gettext_noop("The link is suspended")
        PLAY_ON = "play-on", gettext_noop("Play on without contribution and entitlement")

    code = models.SlugField(max_length=32, unique=True)
    name = models.CharField(max_length=150)
    host = models.ForeignKey(Premises, on_delete=models.PROTECT, related_name="progressives")
    config = models.ForeignKey(ProgressiveConfig, on_delete=models.PROTECT, related_name="in_force")
    armed_config = models.ForeignKey(
        ProgressiveConfig, on_delete=models.PROTECT, null=True, blank=True, related_name="armed"
    )
    armed_at = models.DateTimeField(
        null=True,
        help_text="Where the arming stands in the order: a win before it brings nothing into force; none: anywhere.",
    )
    effect_at = models.DateTimeField(
        null=True,
        help_text="The armed rules come into force here, not with a win: where a gaming day begins.",
    )
    ends_at = models.DateTimeField(
        null=True,
        help_text="Where its last gaming day is over, as announced: wagers that lock from here on take no part in it.",
    )
    silence = models.CharField(max_length=10, choices=Silence.choices, default=Silence.HOLD)
    lease_ms = models.PositiveIntegerField(
        default=15_000, help_text="How long after a request a terminal may take jackpot wagers."
    )
    skew_ms = models.PositiveIntegerField(
        default=1_000, help_text="How long after itself a moment may be told and still prove an order."
    )
    ruling_limit_micros = models.BigIntegerField(
        null=True,
        help_text="What the house adds at most where the order of hits is uncertain, so that each winner has the best"
        " and nobody waits; none: what one person may pay.",
    )
    ruling_daily_micros = models.BigIntegerField(
        null=True, help_text="The same for a gaming day; none: twice as much."
    )
    suspect_stake_micros = models.BigIntegerField(
        null=True, help_text="A wager above it looks wrong, and waits in transit for people; none: no limit."
    )
    suspect_rate_micros = models.BigIntegerField(
        null=True, help_text="So does what a table brings within a minute above it."
    )
    pay_alone_limit_micros = models.BigIntegerField(
        default=0, help_text="Wins up to this amount are paid without a second person's approval."
    )
    final_until = models.DateTimeField(
        null=True, help_text="How far the order is final: no event can be added before this instant."
    )
    folded_until = models.DateTimeField(
        null=True,
        help_text="Every event placed before this instant is in the final meters. It stays behind `final_until` where"
        " hits wait for one another, or for people.",
    )
    runs = models.BigIntegerField(default=0, help_text="Number of the last fold run.")
    frame_sequence = models.BigIntegerField(default=0, help_text="Number of the last meter frame.")

    class Meta:
        ordering = ["code"]
        constraints = [
            models.CheckConstraint(
                condition=Q(pay_alone_limit_micros__gte=0), name="progressive_limit_not_negative"
            ),
            models.CheckConstraint(
                condition=Q(ruling_limit_micros__gte=0) & Q(ruling_daily_micros__gte=0),
                name="progressive_ruling_limit_not_negative",
            ),
            models.CheckConstraint(
                condition=Q(suspect_stake_micros__gt=0) & Q(suspect_rate_micros__gt=0),
                name="progressive_suspect_limits_positive",
            ),
            models.CheckConstraint(
                condition=Q(armed_config__isnull=False) | Q(armed_at__isnull=True, effect_at__isnull=True),
                name="progressive_armed_by_rules",
            ),
        ]
        triggers = [
            firm.Protect(
                name="progressive_only_forward",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition(
                    "OLD.folded_until IS NOT NULL AND NEW.folded_until IS NULL"
                    " OR OLD.final_until IS NOT NULL AND NEW.final_until IS NULL"
                    " OR NEW.final_until < OLD.final_until OR NEW.folded_until > NEW.final_until"
                    " OR NEW.folded_until < OLD.folded_until OR NEW.runs < OLD.runs"
                    " OR NEW.frame_sequence < OLD.frame_sequence"
                ),
            ),
            # The fold's own question again. With nobody to wait for it is now; the server's time may differ a little.
            firm.IndexedTrigger(
                name="progressive_final_as_vouched",
                operation=pgtrigger.Update,
                when=pgtrigger.Before,
                condition=pgtrigger.Condition("OLD.final_until IS DISTINCT FROM NEW.final_until"),
                func=f"""
                    IF NEW.final_until > GREATEST(OLD.final_until, COALESCE(
                        {VOUCHED_UNTIL.format(progressive="NEW.id")},
                        clock_timestamp() + interval '1 minute' + interval '1 microsecond' * COALESCE(
                            (SELECT offset_us FROM jackpots_serverclock ORDER BY id DESC LIMIT 1), 0)
                    )) THEN
                        RAISE EXCEPTION 'tables have not vouched until %: nothing of progressive % is final there',
                            NEW.final_until, NEW.id
                            USING ERRCODE = 'integrity_constraint_violation',
                                CONSTRAINT = 'progressive_final_as_vouched';
                    END IF;
                    RETURN NEW;
                """,  # noqa: S608
            ),
            # What the fold passes it has taken: hits have a run each, stakes and returns go in order.
            firm.IndexedTrigger(
                name="progressive_passes_nothing",
                operation=pgtrigger.Update,
                when=pgtrigger.Before,
                condition=pgtrigger.Condition("OLD.folded_until IS DISTINCT FROM NEW.folded_until"),
                func="""
                    IF EXISTS (
                        SELECT FROM jackpots_share s JOIN jackpots_event e ON e.id = s.event_id
                        WHERE s.progressive_id = NEW.id AND s.place >= COALESCE(OLD.folded_until, '-infinity')
                            AND s.place < NEW.folded_until
                            AND CASE WHEN e.kind = 'hits' THEN NOT EXISTS (
                                    SELECT FROM jackpots_foldrun r WHERE r.last_share_id = s.id
                                ) ELSE s.place > COALESCE((
                                    SELECT l.place FROM jackpots_foldrun r
                                    JOIN jackpots_share l ON l.id = r.last_share_id
                                    WHERE r.progressive_id = NEW.id AND r.kind IN ('stakes', 'return')
                                    ORDER BY r.number DESC LIMIT 1
                                ), '-infinity') END
                    ) THEN
                        RAISE EXCEPTION 'no fold run of progressive % has taken all before %', NEW.id, NEW.folded_until
                            USING ERRCODE = 'integrity_constraint_violation',
                                CONSTRAINT = 'progressive_passes_nothing';
                    END IF;
                    RETURN NEW;
                """,
            ),
            firm.Trigger(
                name="progressive_rules_by_people",
                operation=pgtrigger.Update,
                when=pgtrigger.Before,
                condition=pgtrigger.Condition(
                    "OLD.config_id IS DISTINCT FROM NEW.config_id"
                    " OR OLD.armed_config_id IS DISTINCT FROM NEW.armed_config_id"
                    " OR OLD.armed_at IS DISTINCT FROM NEW.armed_at"
                    " OR OLD.effect_at IS DISTINCT FROM NEW.effect_at"
                ),
                func="""
                    IF NEW.config_id <> OLD.config_id AND NEW.config_id IS DISTINCT FROM OLD.armed_config_id THEN
                        RAISE EXCEPTION 'rules that nobody has armed come into force in progressive %', NEW.id
                            USING ERRCODE = 'integrity_constraint_violation';
                    END IF;
                    IF NEW.armed_config_id IS NOT NULL AND NOT EXISTS (
                        SELECT FROM jackpots_configchange c WHERE c.progressive_id = NEW.id
                        AND c.config_id = NEW.armed_config_id AND c.place = NEW.armed_at AND c.kind <> 'withdrawn'
                        AND c.effect_at IS NOT DISTINCT FROM NEW.effect_at
                    ) THEN
                        RAISE EXCEPTION 'two people must arm other rules of progressive %', NEW.id
                            USING ERRCODE = 'integrity_constraint_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            firm.Trigger(
                name="progressive_ends_by_people",
                operation=pgtrigger.Update,
                when=pgtrigger.Before,
                condition=pgtrigger.Condition("OLD.ends_at IS DISTINCT FROM NEW.ends_at"),
                func="""
                    IF NOT EXISTS (
                        SELECT FROM (SELECT kind, last_day FROM jackpots_decommission WHERE progressive_id = NEW.id
                                     ORDER BY id DESC LIMIT 1) d
                        JOIN people_premises h ON h.id = NEW.host_id
                        WHERE CASE WHEN NEW.ends_at IS NULL THEN d.kind = 'withdrawn' ELSE d.kind = 'announced'
                            -- to the hour: a clock that is set back in it shows the stroke twice
                            AND abs(extract(epoch FROM NEW.ends_at - (d.last_day + 1
                                + make_interval(hours => h.rollover_hour)) AT TIME ZONE h.time_zone)) <= 3600 END
                    ) THEN
                        RAISE EXCEPTION 'two people must announce when progressive % ends', NEW.id
                            USING ERRCODE = 'integrity_constraint_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            firm.Trigger(
                name="progressive_limits_by_two",
                operation=pgtrigger.Update,
                when=pgtrigger.After,
                timing=pgtrigger.Deferred,
                condition=pgtrigger.Condition(
                    "OLD.pay_alone_limit_micros IS DISTINCT FROM NEW.pay_alone_limit_micros"
                    " OR OLD.ruling_limit_micros IS DISTINCT FROM NEW.ruling_limit_micros"
                    " OR OLD.ruling_daily_micros IS DISTINCT FROM NEW.ruling_daily_micros"
                ),
                func="""
                    IF NOT EXISTS (
                        SELECT FROM ledger_step s JOIN people_approvalrequest a ON a.id = s.row_id
                        WHERE s.kind = 'people.approvalrequest' AND s.state = 'used'
                            AND s.xact_id = potline_stamp(pg_current_xact_id())
                            AND a.payload_json::jsonb ->> 'progressive' = NEW.code
                    ) THEN
                        RAISE EXCEPTION 'The limits of % change only by an approval that is used for it', NEW.code
                            USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NULL;
                """,
            ),
            # What is final is counted by the hour (jackpots.models.given): nothing can be added before that instant.
            firm.IndexedTrigger(
                name="progressive_counts_final",
                operation=pgtrigger.Update,
                when=pgtrigger.After,
                condition=pgtrigger.Condition("OLD.final_until IS DISTINCT FROM NEW.final_until"),
                func=f"""
                    IF NEW.final_until < OLD.final_until THEN
                        RETURN NULL;  -- by put_right, which counts anew
                    END IF;
                    INSERT INTO jackpots_givenhour AS g (progressive_id, hour, table_log_id, micros)
                        {GIVEN.format(progressive="NEW.id", since="coalesce(OLD.final_until, '-infinity')")}
                            AND s.place < NEW.final_until
                        GROUP BY 1, 2, 3 ORDER BY 2, 3
                        ON CONFLICT (progressive_id, hour, table_log_id) DO UPDATE
                        SET micros = g.micros + EXCLUDED.micros;
                    RETURN NULL;
                """,  # noqa: S608 (no value is interpolated)
            ),
            *sealed.steps("jackpots.progressive", "progressive", PROGRESSIVE_COLUMNS, state=""),
        ]

    def __str__(self) -> str:
        return self.name

    def is_over(self, at: datetime) -> bool:
        """Whether its announced last gaming day was over by an instant: no wager that locks then takes part in it."""
        return self.ends_at is not None and self.ends_at <= at

    @property
    def over_since(self) -> datetime | None:
        """Where that day ended, if it has."""
        return self.ends_at if self.is_over(timezone.now()) else None


class Meter(models.Model):
    """The final pots of one level. Written by the fold alone."""

    progressive = models.ForeignKey(Progressive, on_delete=models.PROTECT, related_name="meters")
    level = models.CharField(max_length=32)
    position = models.PositiveSmallIntegerField()
    base_micros = models.BigIntegerField()
    increment_micros = models.BigIntegerField(default=0)
    reserve_micros = models.BigIntegerField(default=0)
    overflow_micros = models.BigIntegerField(default=0)
    resets = models.BigIntegerField(default=0)
    not_owed_micros = models.BigIntegerField(help_text="The part of the base that is not yet a liability.")

    class Meta:
        ordering = ["progressive", "position"]
        constraints = [
            models.UniqueConstraint(fields=["progressive", "level"], name="meter_once_a_level"),
            models.CheckConstraint(
                condition=Q(
                    base_micros__gte=0, increment_micros__gte=0, reserve_micros__gte=0, overflow_micros__gte=0
                ),
                name="meter_never_negative",
            ),
            models.CheckConstraint(
                condition=Q(not_owed_micros__gte=0, not_owed_micros__lte=F("base_micros")),
                name="meter_not_owed_in_base",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.progressive.code} {self.level}"

    @property
    def value_micros(self) -> int:
        return self.base_micros + self.increment_micros

    def as_state(self) -> LevelState:
        return LevelState(
            self.level,
            self.base_micros,
            self.increment_micros,
            self.reserve_micros,
            self.overflow_micros,
            self.resets,
        )


def state_of(meters: list[Meter]) -> State:
    return State(tuple(meter.as_state() for meter in meters))
