"""The shape of progressives: configuration by content, linked tables, the event log, meters, fold runs and wins.

Shapes and constraints only. `log` appends, `folding` folds, `wins` walks a win to paid.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import pgtrigger
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from config import append_only, firm_triggers
from people.models import ApprovalRequest, Premises
from rules.progressive import ProgressiveRules, State, decode
from rules.progressive.pools import LevelState


class ProgressiveConfig(models.Model):
    """A full set of progressive rules, stored by its content; replaced by another, never changed."""

    sha256 = models.CharField(max_length=64, unique=True)
    document = models.JSONField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        triggers = append_only.triggers("progressive_config")

    def __str__(self) -> str:
        return f"{self.document.get('name', '?')} {self.sha256[:8]}"

    @cached_property
    def rules(self) -> ProgressiveRules:
        return decode(ProgressiveRules, self.document)


class Progressive(models.Model):
    """Linked meters over tables of one currency; its gaming day is that of its host premises."""

    class Silence(models.TextChoices):
        HOLD = "hold", "Wins wait until the silent table is back or two people override"
        SUSPEND = "suspend", "The link is suspended"
        PLAY_ON = "play-on", "Play on without contribution and entitlement"

    code = models.SlugField(max_length=32, unique=True)
    name = models.CharField(max_length=150)
    host = models.ForeignKey(Premises, on_delete=models.PROTECT, related_name="progressives")
    config = models.ForeignKey(ProgressiveConfig, on_delete=models.PROTECT, related_name="in_force")
    armed_config = models.ForeignKey(
        ProgressiveConfig, on_delete=models.PROTECT, null=True, blank=True, related_name="armed"
    )
    silence = models.CharField(max_length=10, choices=Silence.choices, default=Silence.HOLD)
    lease_ms = models.PositiveIntegerField(default=10_000)
    skew_ms = models.PositiveIntegerField(default=2_000)
    pay_alone_limit_micros = models.BigIntegerField(
        default=0, help_text="Wins up to this amount are paid without a second person's approval."
    )
    folded_until = models.DateTimeField(
        null=True,
        help_text="Every event placed before this instant is in the final meters; none can be added there.",
    )
    runs = models.BigIntegerField(default=0, help_text="Number of the last fold run.")
    frame_sequence = models.BigIntegerField(default=0, help_text="Number of the last meter frame.")

    class Meta:
        ordering = ["code"]
        constraints = [
            models.CheckConstraint(
                condition=Q(pay_alone_limit_micros__gte=0), name="progressive_limit_not_negative"
            ),
        ]
        triggers = [
            firm_triggers.Protect(
                name="progressive_only_forward",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition(
                    "OLD.folded_until IS NOT NULL AND NEW.folded_until IS NULL"
                    " OR NEW.folded_until < OLD.folded_until OR NEW.runs < OLD.runs"
                    " OR NEW.frame_sequence < OLD.frame_sequence"
                ),
            ),
        ]

    def __str__(self) -> str:
        return self.name


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


class LinkedTable(models.Model):
    """A table's place in a progressive: how far its events go and before which instant it has nothing left to send.

    Its row is the lock under which the table's events get their numbers.
    """

    progressive = models.ForeignKey(Progressive, on_delete=models.PROTECT, related_name="links")
    premises = models.ForeignKey(Premises, on_delete=models.PROTECT, related_name="+")
    table_code = models.CharField(max_length=32)
    is_open = models.BooleanField(default=False)
    last_number = models.BigIntegerField(default=0)
    watermark = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True)
    fenced_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["progressive", "premises", "table_code"], name="linked_table_once"
            ),
            models.CheckConstraint(
                condition=Q(is_open=False) | Q(watermark__isnull=False),
                name="linked_table_open_has_watermark",
            ),
        ]
        triggers = [
            firm_triggers.Protect(
                name="linked_table_only_forward",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition(
                    "OLD.watermark IS NOT NULL AND NEW.watermark IS NULL"
                    " OR NEW.watermark < OLD.watermark OR NEW.last_number < OLD.last_number"
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_code} in {self.progressive.code}"


class UndecidedRound(models.Model):
    """Jackpot wagers that are locked but not yet decided: no later event is final before they are."""

    link = models.ForeignKey(LinkedTable, on_delete=models.PROTECT, related_name="undecided")
    round_id = models.UUIDField()
    since = models.DateTimeField(help_text="No hit of the round can have an earlier place.")
    seats = ArrayField(models.SmallIntegerField())
    hits = models.JSONField(default=list)
    earliest_hit = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["link", "round_id"], name="undecided_round_once")]

    def __str__(self) -> str:
        return f"round {self.round_id} of {self.link_id}"


class Event(models.Model):
    """One line of the log: jackpot stakes, returns of void ones, or the hits of a round. Numbered by its table."""

    class Kind(models.TextChoices):
        STAKES = "stakes", "Jackpot wagers accepted"
        RETURN = "return", "Void jackpot wagers returned"
        HITS = "hits", "Jackpot hands"

    progressive = models.ForeignKey(Progressive, on_delete=models.PROTECT, related_name="events")
    link = models.ForeignKey(LinkedTable, on_delete=models.PROTECT, related_name="events")
    number = models.BigIntegerField()
    kind = models.CharField(max_length=10, choices=Kind.choices)
    place = models.DateTimeField(help_text="Where it stands in the order; fixed when it is accepted.")
    terminal_at = models.DateTimeField()
    received_at = models.DateTimeField(db_default=Now(), editable=False)
    round_id = models.UUIDField()
    config = models.ForeignKey(ProgressiveConfig, on_delete=models.PROTECT, related_name="+")
    stake_micros = models.BigIntegerField(default=0, help_text="Into the pots; negative for a return.")
    body = models.JSONField(help_text="The wagers or the hits, one by one.")

    class Meta:
        indexes = [models.Index(fields=["progressive", "place"], name="event_in_order")]
        constraints = [
            models.UniqueConstraint(fields=["link", "number"], name="event_number_once"),
            models.CheckConstraint(
                condition=(
                    Q(kind="stakes", stake_micros__gt=0)
                    | Q(kind="return", stake_micros__lt=0)
                    | Q(kind="hits", stake_micros=0)
                ),
                name="event_stake_fits_kind",
            ),
        ]
        triggers = [
            *append_only.triggers("event"),
            firm_triggers.Trigger(
                name="event_not_before_fold",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF NEW.place < (SELECT folded_until FROM jackpots_progressive WHERE id = NEW.progressive_id) THEN
                        RAISE EXCEPTION 'event at % lies before what is already final', NEW.place
                            USING ERRCODE = 'integrity_constraint_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            firm_triggers.IndexedTrigger(
                name="event_number_gapless",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF NEW.number <> 1 AND NOT EXISTS (
                        SELECT 1 FROM jackpots_event WHERE link_id = NEW.link_id AND number = NEW.number - 1
                    ) THEN
                        RAISE EXCEPTION 'event % of link % leaves a gap', NEW.number, NEW.link_id
                            USING ERRCODE = 'integrity_constraint_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.number} of {self.link_id}"


class FoldRun(models.Model):
    """One step of the final meters: a run of contributions, a return, or the wins of one round; with the pots after."""

    progressive = models.ForeignKey(Progressive, on_delete=models.PROTECT, related_name="fold_runs")
    number = models.BigIntegerField()
    at = models.DateTimeField(db_default=Now(), editable=False)
    kind = models.CharField(max_length=10, choices=Event.Kind.choices)
    first_place = models.DateTimeField()
    last_place = models.DateTimeField()
    last_event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="+")
    events = models.PositiveIntegerField()
    config = models.ForeignKey(ProgressiveConfig, on_delete=models.PROTECT, related_name="+")
    stake_micros = models.BigIntegerField()
    house_micros = models.BigIntegerField()
    meters = models.JSONField(help_text="The pots of every level after the run.")
    applied = models.JSONField(null=True, help_text="By wager, where a cap made each one's way its own.")
    trace = models.JSONField(default=list)
    entry_key = models.CharField(max_length=100, help_text="Idempotency key of the ledger entry.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["progressive", "number"], name="fold_run_once")]
        indexes = [models.Index(fields=["progressive", "last_place"], name="fold_run_by_place")]
        triggers = append_only.triggers("fold_run")

    def __str__(self) -> str:
        return f"{self.progressive.code} run {self.number}"


class Win(models.Model):
    """What one seat won from one level, from the moment of its resolution until it is paid."""

    class State(models.TextChoices):
        PENDING = "pending", "Resolved, to be verified"
        VERIFIED = "verified", "Verified, to be approved"
        APPROVED = "approved", "Approved, to be paid"
        PAID = "paid", "Paid"

    class Method(models.TextChoices):
        CHIPS = "chips", "Chips"
        CASH = "cash", "Cash"
        CHEQUE = "cheque", "Cheque"

    progressive = models.ForeignKey(Progressive, on_delete=models.PROTECT, related_name="wins")
    run = models.ForeignKey(FoldRun, on_delete=models.PROTECT, related_name="wins")
    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="wins")
    link = models.ForeignKey(LinkedTable, on_delete=models.PROTECT, related_name="wins")
    round_id = models.UUIDField()
    wager_id = models.CharField(max_length=64)
    seat = models.SmallIntegerField()
    player = models.CharField(max_length=64, blank=True)
    trigger = models.CharField(max_length=32)
    cards = models.JSONField(default=list)
    level = models.CharField(max_length=32)
    amount_micros = models.BigIntegerField()
    from_pool_micros = models.BigIntegerField()
    from_house_micros = models.BigIntegerField()
    rule = models.CharField(max_length=200)
    resolved_at = models.DateTimeField(db_default=Now(), editable=False)

    state = models.CharField(max_length=10, choices=State.choices, default=State.PENDING)
    verified_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    verified_at = models.DateTimeField(null=True, blank=True)
    verification = models.JSONField(
        default=dict, help_text="What was checked: hand, deck count, surveillance."
    )
    approval = models.ForeignKey(
        ApprovalRequest, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    paid_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    paid_at = models.DateTimeField(null=True, blank=True)
    paid_micros = models.BigIntegerField(null=True, blank=True)
    method = models.CharField(max_length=10, choices=Method.choices, blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["progressive", "-id"], name="win_newest"),
            models.Index(fields=["-paid_at"], name="win_paid_lately", condition=Q(state="paid")),
            # Small for ever: only wins that are still to be paid are in it.
            models.Index(fields=["progressive"], name="win_unpaid", condition=~Q(state="paid")),
        ]
        constraints = [
            models.UniqueConstraint(fields=["event", "seat", "player", "trigger", "level"], name="win_once"),
            models.CheckConstraint(
                condition=Q(amount_micros=F("from_pool_micros") + F("from_house_micros")),
                name="win_sources_add_up",
            ),
            models.CheckConstraint(
                condition=Q(from_pool_micros__gte=0, from_house_micros__gte=0),
                name="win_sources_not_negative",
            ),
            models.CheckConstraint(
                condition=Q(state="pending", verified_by__isnull=True)
                | Q(state__in=["verified", "approved"], verified_by__isnull=False, paid_by__isnull=True)
                | Q(
                    state="paid",
                    verified_by__isnull=False,
                    paid_by__isnull=False,
                    paid_micros__gte=F("amount_micros"),
                ),
                name="win_state_consistent",
            ),
        ]
        triggers = [
            firm_triggers.Protect(
                name="win_begins_pending",
                operation=pgtrigger.Insert,
                condition=pgtrigger.Condition("NEW.state <> 'pending'"),
            ),
            firm_triggers.FSM(
                name="win_steps",
                field="state",
                transitions=[("pending", "verified"), ("verified", "approved"), ("approved", "paid")],
            ),
            firm_triggers.Trigger(
                name="win_released_by_two",
                operation=pgtrigger.Update,
                when=pgtrigger.Before,
                condition=pgtrigger.Condition("NEW.state = 'approved' AND OLD.state <> 'approved'"),
                func="""
                    IF NEW.amount_micros > (SELECT pay_alone_limit_micros FROM jackpots_progressive
                                            WHERE id = NEW.progressive_id)
                        AND NOT EXISTS (SELECT FROM people_approvalrequest a WHERE a.id = NEW.approval_id
                                        AND a.state = 'used' AND a.action = 'jackpots.pay_win'
                                        AND a.payload_json::jsonb ->> 'win' = NEW.id::text) THEN
                        RAISE EXCEPTION 'Win %: no approval of a second person was used for it', NEW.id
                            USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            firm_triggers.ReadOnly(
                name="win_amount_fixed",
                fields=[
                    "progressive",
                    "event",
                    "link",
                    "round_id",
                    "wager_id",
                    "seat",
                    "player",
                    "trigger",
                    "level",
                    "amount_micros",
                    "from_pool_micros",
                    "from_house_micros",
                    "rule",
                ],
            ),
            *append_only.kept_triggers("win"),
        ]

    def __str__(self) -> str:
        return f"{self.trigger} at seat {self.seat} of {self.link.table_code}"

    @property
    def hand_steps(self) -> list[Any]:
        return [step for step in self.run.trace if step.get("seat") in (None, self.seat)]


class Frame(models.Model):
    """A value that signs were sent, once a progressive and sequence; what signs showed is told by these numbers."""

    progressive = models.ForeignKey(Progressive, on_delete=models.PROTECT, related_name="frames")
    sequence = models.BigIntegerField()
    at = models.DateTimeField(db_default=Now(), editable=False)
    body = models.JSONField()
    basis = models.JSONField(
        null=True,
        help_text="What of the log it was made of, so that it can be made again: see jackpots.frames.",
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["progressive", "sequence"], name="frame_once")]
        triggers = append_only.triggers("frame")

    def __str__(self) -> str:
        return f"{self.progressive_id} #{self.sequence}"


class Display(models.Model):
    """A sign on the wall: its own token (only the hash is kept), what it shows, when it was last heard of."""

    premises = models.ForeignKey(Premises, on_delete=models.PROTECT, related_name="displays")
    name = models.CharField(max_length=100)
    progressive = models.ForeignKey(Progressive, on_delete=models.PROTECT, related_name="displays")
    token_sha256 = models.CharField(max_length=64, unique=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_seen_at = models.DateTimeField(null=True, blank=True)
    last_sequence = models.BigIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["premises", "name"]
        constraints = [models.UniqueConstraint(fields=["premises", "name"], name="display_name_once")]

    def __str__(self) -> str:
        return self.name


class DisplayMinute(models.Model):
    """Which sequences a sign says it showed within a minute: [[sequence, milliseconds into the minute], ...]."""

    display = models.ForeignKey(Display, on_delete=models.PROTECT, related_name="minutes")
    minute = models.DateTimeField()
    showed = models.JSONField(default=list)
    wrong = models.JSONField(
        default=list,
        help_text="What was not as sent: [[sequence, milliseconds, {level: value}], ...]; no level: never sent at all.",
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["display", "minute"], name="display_minute_once")]
        # A thousand signs tell a million minutes a day; the day close asks for the few that were wrong.
        indexes = [
            models.Index(fields=["display", "minute"], condition=~Q(wrong=[]), name="display_minute_wrong")
        ]

    def __str__(self) -> str:
        return f"{self.display_id} {self.minute:%Y-%m-%d %H:%M}"
