"""The event log: a table's numbered log, its links to progressives, events and each progressive's share of them, and
the rounds that are not decided yet. Shapes and constraints only; `jackpots.log.event_log` appends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_noop

from config.kit.triggers import append_only, firm, sealed
from jackpots.models.progressives import Progressive, ProgressiveConfig
from jackpots.order.instants import Stamp
from people.models import Premises

FIRST_VERSION, BODY_VERSION = 1, 2
"""Of the documents in the log and of hands that are held: how their wagers, hits and moments are spelled. The first
had moments as bare times and no lock."""


def round_label(round_id: int) -> str:
    """How alerts and pages name a round, which is of the room above."""
    return f"tables.round:{round_id}"


def hands_in_words(hits: Iterable[Mapping[str, Any]]) -> str:
    """Of hits as the log spells them: royal flush at seat 1."""
    return ", ".join(
        f"{hit['trigger'].replace('-', ' ')} at seat {hit['wager'].get('seat', 0)}" for hit in hits
    )


class ServerClock(models.Model):
    """A line of the order's time: PostgreSQL's clock, of one machine and without a step, and its offset. After a step
    or a failover it is another one, and all that was known of terminals' clocks begins anew. The newest row is the one
    in force, if one of our processes has written it (jackpots.order.server_clock)."""

    line = models.CharField(
        max_length=64, help_text="The server: its system, timeline and epoch; and the row before this one."
    )
    began_at = models.DateTimeField()
    # Nullable: a NULL is no part of an old row's line under its seal.
    offset_us = models.BigIntegerField(null=True, help_text="The order's time less that clock; none: 0.")
    step_us = models.BigIntegerField(
        null=True, help_text="By how much the clock had gone forward when the line began; negative: back."
    )
    agreed_at = models.DateTimeField(
        null=True, help_text="What was received from here on until the line began is late."
    )
    hallmark = models.CharField(max_length=64, null=True, help_text="Of all of it.")  # noqa: DJ001
    xact_id = sealed.stamp_field()

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["line"], name="server_clock_once")]
        triggers = [
            *sealed.triggers("server_clock"),
            firm.Trigger(
                name="server_clock_not_far_ahead",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF NEW.hallmark IS NULL OR NEW.offset_us IS NULL THEN
                        RAISE EXCEPTION 'a line of the server''s time bears a hallmark'
                            USING ERRCODE = 'integrity_constraint_violation';
                    END IF;
                    IF greatest(NEW.began_at, clock_timestamp() + NEW.offset_us * interval '1 microsecond')
                        > greatest(
                            clock_timestamp() + coalesce((SELECT offset_us FROM jackpots_serverclock
                                ORDER BY id DESC LIMIT 1), 0) * interval '1 microsecond',
                            (SELECT max(heard_at) FROM jackpots_tablelog)) + interval '1 day'
                    THEN
                        RAISE EXCEPTION 'a line of the server''s time begins far ahead, at %', NEW.began_at
                            USING ERRCODE = 'integrity_constraint_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"line {self.line} since {self.began_at}"


VOUCHED = ("watermark", "is_open", "left_out_at", "returned_at", "lease_until")
COUNTED = ("last_number", "last_place", "last_round")
"""What an event moves of its table's log."""
SIGNED = (*VOUCHED, *COUNTED, "clocks", "heard_at")
"""What the hallmark of a table's log is of (jackpots.order.vouched); a trigger asks for a new one with each change."""


class TableLog(models.Model):
    """A table's log: how far its events go and before which instant it has nothing left to send.

    Its row is the lock under which the table's events get their numbers, the only one of a step, however many
    progressives the table is linked to.
    """

    premises = models.ForeignKey(Premises, on_delete=models.PROTECT, related_name="+")
    table_code = models.CharField(max_length=32)
    is_open = models.BooleanField(default=False)
    last_number = models.BigIntegerField(default=0)
    watermark = models.DateTimeField(null=True, help_text="Before it the table has nothing left to tell.")
    last_place = models.DateTimeField(
        null=True, help_text="The last of its places; the next lock is not before."
    )
    last_round = models.BigIntegerField(default=0, help_text="The round that locked last.")
    lease_until = models.DateTimeField(null=True, help_text="Jackpot wagers that lock until then count.")
    heard_at = models.DateTimeField(null=True, help_text="When its terminal's last request with times came.")
    clocks = models.JSONField(
        default=dict,
        help_text="By the id of a terminal's clock what is known of it: see jackpots.order.clocks.",
    )
    left_out_at = models.DateTimeField(null=True, help_text="Since when nobody waits for it.")
    returned_at = models.DateTimeField(
        null=True,
        help_text="Where the order was final when it opened or came back: nobody waited for it before.",
    )
    hallmark = models.CharField(  # noqa: DJ001 (none: from before hallmarks)
        max_length=64,
        null=True,
        help_text="Of how far it has vouched and counted: see jackpots.order.vouched.",
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["premises", "table_code"], name="table_log_once"),
            models.CheckConstraint(
                condition=Q(is_open=False) | Q(watermark__isnull=False), name="table_log_open_has_watermark"
            ),
        ]
        triggers = [
            firm.Protect(  # but one that is still to come: that was forged
                name="table_log_only_forward",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition(
                    "OLD.watermark IS NOT NULL AND NEW.watermark IS NULL"
                    " OR NEW.watermark < OLD.watermark AND OLD.watermark < clock_timestamp() + interval '1 minute'"
                ),
            ),
            firm.IndexedTrigger(
                name="table_log_counts_its_events",
                operation=pgtrigger.Update,
                when=pgtrigger.Before,
                condition=pgtrigger.Condition("NEW.last_number < OLD.last_number"),
                func="""
                    IF NEW.last_number < (SELECT max(number) FROM jackpots_event WHERE table_log_id = NEW.id) THEN
                        RAISE EXCEPTION 'Cannot update: table log % has more events than %', NEW.id, NEW.last_number
                            USING ERRCODE = 'integrity_constraint_violation',
                                CONSTRAINT = 'table_log_counts_its_events';
                    END IF;
                    RETURN NEW;
                """,
            ),
            firm.Protect(
                name="table_log_opens_hallmarked",
                operation=pgtrigger.Insert,
                condition=pgtrigger.Condition("NEW.watermark IS NOT NULL AND NEW.hallmark IS NULL"),
            ),
            firm.Protect(
                name="table_log_hallmarked",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition(
                    "OLD.hallmark IS NOT NULL AND NEW.hallmark IS NULL"
                    " OR (NEW.hallmark IS NULL OR NEW.hallmark = OLD.hallmark)"
                    " AND (" + " OR ".join(f"OLD.{name} IS DISTINCT FROM NEW.{name}" for name in SIGNED) + ")"
                ),
            ),
            # A time that nobody can have been heard at would be the floor of all times.
            firm.Trigger(
                name="table_log_heard_by_the_clock",
                operation=pgtrigger.Insert | pgtrigger.Update,
                when=pgtrigger.Before,
                condition=pgtrigger.Condition("NEW.heard_at > clock_timestamp() + interval '10 seconds'"),
                func="""
                    IF NEW.heard_at > clock_timestamp() + interval '10 seconds' + interval '1 microsecond'
                        * coalesce((SELECT offset_us FROM jackpots_serverclock ORDER BY id DESC LIMIT 1), 0)
                    THEN
                        RAISE EXCEPTION 'table log % was not heard at %: that is to come', NEW.id, NEW.heard_at
                            USING ERRCODE = 'integrity_constraint_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            *append_only.kept_triggers("table_log"),
        ]

    def __str__(self) -> str:
        return self.table_code


LINK_COLUMNS = (
    "table_log_id", "progressive_id", "kinds", "takes_rest", "suspended_at", "resumed_at", "left_out_at",
    "returned_at",
)  # fmt: skip
"""What people have set of a link: each change of it is a step."""


class Link(models.Model):
    """A table's membership in a progressive: which kinds of wagers feed it and win from it."""

    table_log = models.ForeignKey(TableLog, on_delete=models.PROTECT, related_name="links")
    progressive = models.ForeignKey(Progressive, on_delete=models.PROTECT, related_name="links")
    kinds = ArrayField(models.CharField(max_length=32))
    takes_rest = models.BooleanField(
        default=True,
        help_text="What all progressives' rates leave of a jackpot wager goes to the house by way of this one.",
    )
    suspended_at = models.DateTimeField(
        null=True, help_text="Wagers that lock from here on do not count, unless after `resumed_at`."
    )
    resumed_at = models.DateTimeField(
        null=True, help_text="Wagers that lock certainly after it count again; none: it is suspended still."
    )
    left_out_at = models.DateTimeField(
        null=True, help_text="Since when this progressive does not wait for its silent table: by its policy."
    )
    returned_at = models.DateTimeField(
        null=True, help_text="Where the order was final when the table was heard again: nobody waited before."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table_log", "progressive"], name="link_once"),
            models.CheckConstraint(condition=~Q(kinds=[]), name="link_has_kinds"),
            models.CheckConstraint(
                condition=Q(resumed_at__isnull=True) | Q(resumed_at__gte=F("suspended_at")),
                name="link_resumed_after_suspended",
            ),
        ]
        triggers = [
            *append_only.kept_triggers("link"),
            firm.Trigger(
                name="link_not_after_the_end",
                operation=pgtrigger.Insert | pgtrigger.Update,
                when=pgtrigger.Before,
                condition=pgtrigger.Condition("NEW.suspended_at IS NULL OR NEW.resumed_at IS NOT NULL"),
                func="""
                    IF EXISTS (SELECT FROM jackpots_adjustment WHERE progressive_id = NEW.progressive_id
                               AND kind = 'end') THEN
                        RAISE EXCEPTION 'progressive % has ended: no table takes part in it', NEW.progressive_id
                            USING ERRCODE = 'integrity_constraint_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            *sealed.steps("jackpots.link", "link", LINK_COLUMNS, state=""),
        ]

    def __str__(self) -> str:
        return f"{self.table_log} in {self.progressive.code}"

    @property
    def is_suspended(self) -> bool:
        return self.suspended_at is not None and self.resumed_at is None

    def counts(self, lock: Stamp) -> bool:
        """Whether wagers of this lock feed the progressive: it was before the link was suspended, or surely after it
        was resumed, and before the progressive's announced end."""
        if self.is_over(lock):
            return False
        if self.suspended_at is None or lock.place < self.suspended_at:
            return True
        return self.resumed_at is not None and lock.earliest >= self.resumed_at

    def is_over(self, lock: Stamp) -> bool:
        """The progressive's last gaming day was over where the lock stands: for its wagers the link is not there."""
        return self.progressive.is_over(lock.place)


def of_a_progressive(name: str) -> pgtrigger.Trigger:
    """Instead of a foreign key, for which every step would lock the progressive's row, and wait for whoever has it. No
    progressive is ever removed."""
    return firm.IndexedTrigger(
        name=name,
        operation=pgtrigger.Insert,
        when=pgtrigger.Before,
        func="""
            IF NOT EXISTS (SELECT FROM jackpots_progressive p WHERE p.id = NEW.progressive_id) THEN
                RAISE EXCEPTION 'There is no progressive %', NEW.progressive_id USING ERRCODE = 'foreign_key_violation';
            END IF;
            RETURN NEW;
        """,
    )


_TOLD = (
    "EXISTS (SELECT FROM tables_tableevent e WHERE e.round_id = {0}.round_id"
    " AND e.xact_id = potline_stamp(pg_current_xact_id()))"
)
"""SQL: its terminal told of the round in this very transaction. Who forges such a message is met by the terminal."""


def _undecided_guard(
    name: str, operation: Any, refused_if: str, words: str, *, only: str = ""
) -> pgtrigger.Trigger:
    """When all of a transaction is written: a round waits, and ends to wait, by what its terminal or people have said.
    Rounds of which the floor knows nothing are named by `manage.py verify`."""
    row = "OLD" if operation == pgtrigger.Delete else "NEW"
    return firm.IndexedTrigger(
        name=name,
        operation=operation,
        when=pgtrigger.After,
        timing=pgtrigger.Deferred,
        condition=pgtrigger.Condition(only) if only else None,
        func=f"""
            IF {refused_if} THEN
                RAISE EXCEPTION '{words}', {row}.round_id
                    USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = '{name}';
            END IF;
            RETURN NULL;
        """,
    )


class UndecidedRound(models.Model):
    """Wagers on a progressive that are locked but not yet decided: nothing later is final there before they are."""

    table_log = models.ForeignKey(TableLog, on_delete=models.PROTECT, related_name="undecided")
    progressive = models.ForeignKey(
        Progressive, on_delete=models.PROTECT, related_name="undecided", db_constraint=False
    )
    round_id = models.BigIntegerField()
    lock = models.JSONField(
        help_text="Its no more bets as it was told and placed: see jackpots.order.instants."
    )
    since = models.DateTimeField(help_text="The lock's earliest bound: nothing of the round was before.")
    seats = ArrayField(models.SmallIntegerField(), help_text="Those that are not decided yet.")
    left_out = models.BooleanField(default=False, help_text="Nobody waits for it: two people's decision.")
    unawaited = models.BooleanField(
        default=False,
        help_text="It locked, perhaps, before its table opened or came back: nobody waited for it.",
    )

    class Meta:
        indexes = [
            models.Index(
                fields=["progressive", "since"], condition=Q(left_out=False), name="undecided_waited_for"
            )
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["table_log", "round_id", "progressive"], name="undecided_round_once"
            )
        ]
        triggers = [
            of_a_progressive("undecided_round_of_progressive"),
            firm.ReadOnly(
                name="undecided_round_fixed",
                fields=["table_log", "progressive", "round_id", "since", "unawaited"],
            ),
            firm.Protect(  # but that it is late, once its clock is found to have jumped
                name="undecided_round_lock_fixed",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition(
                    "OLD.lock - 'late' <> NEW.lock - 'late'"
                    " OR (OLD.lock -> 'late')::bool AND NOT (NEW.lock -> 'late')::bool"
                ),
            ),
            firm.Protect(
                name="undecided_round_not_waited_for_again",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition("OLD.left_out AND NOT NEW.left_out"),
            ),
            _undecided_guard(
                "undecided_round_as_told",
                pgtrigger.Insert | pgtrigger.UpdateOf("seats"),  # type: ignore[no-untyped-call]
                f"EXISTS (SELECT FROM tables_round r WHERE r.id = NEW.round_id) AND NOT {_TOLD.format('NEW')}",
                "Round % waits to be decided, or for other seats, by no message of its terminal",
            ),
            _undecided_guard(
                "undecided_round_until_decided",
                pgtrigger.Delete,
                "EXISTS (SELECT FROM tables_round r WHERE r.id = OLD.round_id AND r.state IN ('open', 'locked'))"
                f" AND NOT {_TOLD.format('OLD')}",
                "Round % is not decided: others wait for it",
            ),
            _undecided_guard(
                "undecided_round_left_out_on_record",
                pgtrigger.Update,
                "NOT EXISTS (SELECT FROM people_auditrecord a"
                " WHERE a.xact_id = potline_stamp(pg_current_xact_id()))",
                "Nobody has said on record that round % is not waited for",
                only="NEW.left_out AND NOT OLD.left_out",
            ),
        ]

    def __str__(self) -> str:
        return f"round {self.round_id} of {self.table_log_id}"

    @property
    def locked(self) -> Stamp:
        return Stamp.from_json(self.lock)


class Event(models.Model):
    """One line of a table's log: jackpot stakes, returns of void ones, or the hits of a round."""

    class Kind(models.TextChoices):
        STAKES = "stakes", gettext_noop("Jackpot wagers accepted")
        RETURN = "return", gettext_noop("Void jackpot wagers returned")
        HITS = "hits", gettext_noop("Jackpot hands")

    table_log = models.ForeignKey(TableLog, on_delete=models.PROTECT, related_name="events", db_index=False)
    number = models.BigIntegerField()
    kind = models.CharField(max_length=10, choices=Kind.choices)
    terminal_at = models.DateTimeField(
        help_text="The reading of the terminal's clock with which it was told."
    )
    received_at = models.DateTimeField(db_default=Now(), editable=False)
    round_id = models.BigIntegerField()
    body = models.JSONField(help_text="The wagers or the hits, as `rules.codec` spells them, with a version.")
    xact_id = sealed.stamp_field()

    class Meta:
        indexes = [
            sealed.stamp_index("event"),
            models.Index(fields=["round_id"], name="event_by_round"),
        ]
        constraints = [models.UniqueConstraint(fields=["table_log", "number"], name="event_number_once")]
        triggers = [
            *sealed.triggers("event"),
            firm.IndexedTrigger(
                name="event_number_gapless",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF NEW.number <> 1 AND NOT EXISTS (
                        SELECT 1 FROM jackpots_event WHERE table_log_id = NEW.table_log_id AND number = NEW.number - 1
                    ) THEN
                        RAISE EXCEPTION 'event % of table log % leaves a gap', NEW.number, NEW.table_log_id
                            USING ERRCODE = 'integrity_constraint_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.number} of {self.table_log_id}"

    @property
    def hands(self) -> str:
        """Of hits, for people."""
        return hands_in_words(self.body["hits"])


class Share(models.Model):
    """What one event is to one progressive: its place in that order, the rules in force, and the money it brings.

    Folds, live figures, frames and transit read shares: a round's earliest hit may differ by progressive.
    """

    # Both are found by the indexes below; nobody looks for a config's.
    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="shares", db_index=False)
    progressive = models.ForeignKey(
        Progressive, on_delete=models.PROTECT, related_name="shares", db_index=False, db_constraint=False
    )
    config = models.ForeignKey(ProgressiveConfig, on_delete=models.PROTECT, related_name="+", db_index=False)
    place = models.DateTimeField(help_text="Where it stands in the order; fixed when it is accepted.")
    earliest = models.DateTimeField(help_text="It did not happen before.")
    latest = models.DateTimeField(help_text="It did not happen after.")
    late = models.BooleanField(default=False, help_text="Told too late to prove an order.")
    told = models.DateTimeField(null=True, help_text="The moment as the terminal told it; none: never told.")
    clock = models.CharField(max_length=64, blank=True, help_text="The terminal's clock that stamped it.")
    moment = models.CharField(
        max_length=32, blank=True, help_text="Of a hit, the kind of moment that counts."
    )
    public_at = models.DateTimeField(null=True, help_text="Of a hit: nobody is shown it before.")
    stake_micros = models.BigIntegerField(
        default=0, help_text="The whole wagers, of which rates are counted; negative for a return."
    )
    slice_micros = models.BigIntegerField(
        default=0, help_text="What of them came to this progressive; negative for a return."
    )
    slices = models.JSONField(
        default=dict, help_text="By kind of wager that came here, the basis points of it that did."
    )
    xact_id = sealed.stamp_field()

    class Meta:
        indexes = [
            models.Index(fields=["progressive", "place"], name="share_in_order"),
            sealed.stamp_index("share"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["event", "progressive"], name="share_once"),
            models.CheckConstraint(
                condition=Q(earliest__lte=F("place"), latest__gte=F("place")), name="share_place_in_interval"
            ),
            models.CheckConstraint(
                condition=Q(stake_micros=0, slice_micros=0)
                | Q(stake_micros__gt=0, slice_micros__gte=0, slice_micros__lte=F("stake_micros"))
                | Q(stake_micros__lt=0, slice_micros__lte=0, slice_micros__gte=F("stake_micros")),
                name="share_slice_of_stake",
            ),
        ]
        triggers = [
            *sealed.triggers("share"),
            firm.Trigger(
                name="share_not_before_final",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                declare=[("until", "timestamptz")],
                # A look, and no foreign key: see of_a_progressive.
                func="""
                    SELECT p.final_until INTO until FROM jackpots_progressive p WHERE p.id = NEW.progressive_id;
                    IF NOT FOUND THEN
                        RAISE EXCEPTION 'There is no progressive %', NEW.progressive_id
                            USING ERRCODE = 'foreign_key_violation';
                    END IF;
                    IF NEW.place < until THEN
                        RAISE EXCEPTION 'event at % lies before what is already final', NEW.place
                            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'share_not_before_final';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event} in {self.progressive_id}"


class Doubt(models.Model):
    """A hit of which less is known than when it was accepted: its terminal's clock was found to have jumped since. Its
    place stays; its interval is this one, and it is late. `jackpots.order.doubts` adds and reads them."""

    share = models.ForeignKey(Share, on_delete=models.PROTECT, related_name="doubts")
    earliest = models.DateTimeField()
    latest = models.DateTimeField()
    jump_ms = models.BigIntegerField(help_text="By how much the clock went forward; negative: back.")
    at = models.DateTimeField(db_default=Now(), editable=False)
    found_by = models.JSONField(
        null=True,
        help_text="The two samples of the clock that contradict each other, and what was known then: how far the table"
        " had vouched and the order was final. None: from before it was kept.",
    )
    hallmark = models.CharField(  # noqa: DJ001 (none: from before hallmarks)
        max_length=64, null=True, help_text="Of all of it, made at the door: the order heeds no other."
    )
    xact_id = sealed.stamp_field()

    class Meta:
        ordering = ["pk"]
        constraints = [
            # Not checked of older rows; of new ones whatever switches triggers off.
            models.CheckConstraint(
                condition=Q(found_by__isnull=False, hallmark__isnull=False), name="doubt_hallmarked"
            ),
        ]
        triggers = sealed.triggers("doubt")

    def __str__(self) -> str:
        return f"{self.share} doubted by {self.jump_ms} ms"


class HeldHand(models.Model):
    """The jackpot hands of a round for which nobody waited when they were told. They stand in no order and win nothing
    by themselves: what they get is for people to decide."""

    progressive = models.ForeignKey(
        Progressive, on_delete=models.PROTECT, related_name="held_hands", db_constraint=False
    )
    table_log = models.ForeignKey(TableLog, on_delete=models.PROTECT, related_name="held_hands")
    round_id = models.BigIntegerField()
    body = models.JSONField(
        help_text="As the log would have held it: the hits, who took part, the moments told."
    )
    place = models.DateTimeField(help_text="Where the hands would stand in the order: their earliest moment.")
    earliest = models.DateTimeField()
    latest = models.DateTimeField()
    terminal_at = models.DateTimeField(help_text="The close of the round, as its terminal told it.")
    final_until = models.DateTimeField(help_text="How far the order was final when they were told.")
    why = models.TextField()
    at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        ordering = ["place", "pk"]
        indexes = [sealed.stamp_index("held_hand")]
        constraints = [
            models.UniqueConstraint(
                fields=["table_log", "round_id", "progressive"], name="held_hand_once_a_round"
            ),
        ]
        triggers = [of_a_progressive("held_hand_of_progressive"), *sealed.triggers("held_hand")]

    def __str__(self) -> str:
        return " and ".join(
            f"{hit['trigger'].replace('-', ' ')} at {self.table_log}, seat {hit['wager'].get('seat', 0)}"
            for hit in self.body["hits"]
        )
