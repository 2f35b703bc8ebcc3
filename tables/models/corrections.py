"""The shape of what people put right after a round was settled: the act, the later versions of rounds with their lines,
what a seat is owed or was overpaid by it, and what became of that.

Shapes and constraints only; all of it is added, never changed. The verbs are in tables.corrections.corrections and
tables.corrections.claims.
"""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_noop

from config.kit.documents import check_version, version_field
from config.kit.triggers import firm, sealed
from people.models import ApprovalRequest, User
from rules.version import DOCUMENT_VERSION, document_version
from tables.models.floor import Round, SettledLine, Table, TableConfig, document_of

CORRECT = "tables.correct_round"
GIVE_UP = "tables.give_up_claim"
"""The acts that take two people, as triggers look for their approvals."""


class RoundCorrection(models.Model):
    """One act: what a settled round really was. It brings a new version of that round, and of those after it that
    inherited something else."""

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="corrections")
    rule = models.CharField(max_length=200, help_text="By which rule it is put right.")
    reason = models.TextField()
    asked_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    approval = models.OneToOneField(
        ApprovalRequest,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        help_text="None: by one person.",
    )
    moved_micros = models.BigIntegerField(help_text="What it moves in all, over every seat.")
    at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        ordering = ["pk"]
        indexes = [sealed.stamp_index("round_correction")]
        constraints = [
            models.CheckConstraint(
                condition=Q(moved_micros__gte=0) & ~Q(reason="") & ~Q(rule=""),
                name="round_correction_says_why",
            )
        ]
        triggers = [
            *sealed.triggers("round_correction", at="at"),
            firm.Trigger(
                name="round_correction_by_two",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func=f"""
                    IF NEW.approval_id IS NULL THEN
                        IF NEW.moved_micros > coalesce((
                                SELECT h.correct_alone_micros FROM jackpots_handpayrules h
                                JOIN tables_table t ON t.premises_id = h.premises_id
                                JOIN tables_round r ON r.table_id = t.id AND r.id = NEW.round_id
                                JOIN people_premises m ON m.id = h.premises_id
                                WHERE h.from_day <= (statement_timestamp() AT TIME ZONE m.time_zone
                                                     - make_interval(hours => m.rollover_hour))::date
                                ORDER BY h.from_day DESC, h.id DESC LIMIT 1), 0) THEN
                            RAISE EXCEPTION 'a second person approves a correction that moves so much'
                                USING ERRCODE = 'check_violation';
                        END IF;
                    ELSIF NOT EXISTS (SELECT FROM people_approvalrequest a WHERE a.id = NEW.approval_id
                            AND a.state = 'used' AND a.action = '{CORRECT}'
                            AND a.requested_by_id = NEW.asked_by_id) THEN
                        RAISE EXCEPTION 'no approval of a second person was used for this correction'
                            USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,  # noqa: S608 (only the name of an act is interpolated)
            ),
        ]

    def __str__(self) -> str:
        return f"correction {self.pk} of {self.round}"


class RoundVersion(models.Model):
    """A later version of a settled round: what was really played, and what the rules make of it. The round's own row
    is its first version. It was played under the round's own rules, which no correction changes."""

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveSmallIntegerField(help_text="2, 3, ...: the first is the round itself.")
    correction = models.ForeignKey(RoundCorrection, on_delete=models.PROTECT, related_name="versions")
    version = version_field(document_version)
    wagers = models.JSONField()
    dealt = models.JSONField()
    decisions = models.JSONField()
    irregularities = models.JSONField()
    carried_in = models.JSONField()
    result = models.JSONField(help_text="The outcome in words.")
    rules_version = models.PositiveSmallIntegerField(help_text="Of the rules that settled it.")
    late_day = models.DateField(
        null=True, help_text="The later gaming day in whose books the difference is; none: the round's own."
    )
    hands_differ = models.BooleanField(help_text="The jackpots knew other hands of it when it was made.")
    xact_id = sealed.stamp_field()

    class Meta:
        ordering = ["round", "number"]
        indexes = [
            sealed.stamp_index("round_version"),
            models.Index(fields=["late_day"], condition=Q(late_day__isnull=False), name="round_version_late"),
            models.Index(fields=["round"], condition=Q(hands_differ=True), name="round_version_hands"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="round_version_once"),
            models.UniqueConstraint(fields=["correction", "round"], name="round_version_once_a_correction"),
        ]
        triggers = [
            *sealed.triggers("round_version"),
            firm.Trigger(
                name="round_version_follows",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF NEW.number <> 1 + coalesce((SELECT max(v.number) FROM tables_roundversion v
                                                   WHERE v.round_id = NEW.round_id), 1)
                        OR NOT EXISTS (SELECT FROM tables_round r JOIN tables_roundcorrection c
                                       ON c.id = NEW.correction_id JOIN tables_round o ON o.id = c.round_id
                                       WHERE r.id = NEW.round_id AND r.state = 'settled'
                                           AND r.table_id = o.table_id AND r.number >= o.number) THEN
                        RAISE EXCEPTION 'version % does not follow the versions of settled round %', NEW.number,
                            NEW.round_id USING ERRCODE = 'check_violation', CONSTRAINT = 'round_version_follows';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"version {self.number} of {self.round}"

    @property
    def config(self) -> TableConfig:
        return self.round.config

    @property
    def standing_ids(self) -> frozenset[str]:
        """Of the wagers that an earlier round left standing; all others were placed in this one."""
        return frozenset(standing["wager"]["id"] for standing in self.carried_in.get("wagers", ()))

    def document(self) -> dict[str, object]:
        check_version(self.version, DOCUMENT_VERSION, self)
        return document_of(self.round.config, self)


class VersionLine(SettledLine):
    """A line of a later version."""

    version = models.ForeignKey(RoundVersion, on_delete=models.PROTECT, related_name="lines", db_index=False)
    xact_id = sealed.stamp_field()

    class Meta:
        ordering = ["version", "position"]
        indexes = [sealed.stamp_index("version_line")]
        constraints = [
            models.UniqueConstraint(fields=["version", "position"], name="version_line_once"),
            models.CheckConstraint(
                condition=Q(
                    stake_micros__gt=0,
                    winnings_micros__gte=0,
                    returned_micros__gte=0,
                    standing_micros__gte=0,
                    rounding_micros__gte=0,
                    stake_micros__gte=F("returned_micros") + F("standing_micros"),
                ),
                name="version_line_makes_sense",
            ),
        ]
        triggers = sealed.triggers("version_line")


class SeatClaim(models.Model):
    """What a correction came to for one player: owed to them, or overpaid and to be recovered."""

    class Kind(models.TextChoices):
        OWED = "owed", gettext_noop("Owed to the seat")
        RECOVERABLE = "recoverable", gettext_noop("Overpaid, to be recovered")

    correction = models.ForeignKey(RoundCorrection, on_delete=models.PROTECT, related_name="claims")
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="claims")
    seat = models.SmallIntegerField()
    player = models.CharField(max_length=64, blank=True)
    kind = models.CharField(max_length=11, choices=Kind.choices)
    amount_micros = models.BigIntegerField()
    at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        ordering = ["pk"]
        indexes = [sealed.stamp_index("seat_claim")]
        constraints = [
            models.UniqueConstraint(fields=["correction", "seat", "player"], name="seat_claim_once"),
            models.CheckConstraint(condition=Q(amount_micros__gt=0), name="seat_claim_of_money"),
        ]
        triggers = [
            *sealed.triggers("seat_claim", at="at"),
            firm.Trigger(
                name="seat_claim_by_its_correction",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF NEW.amount_micros + coalesce((SELECT sum(c.amount_micros) FROM tables_seatclaim c
                                                     WHERE c.correction_id = NEW.correction_id), 0)
                        > (SELECT o.moved_micros FROM tables_roundcorrection o
                           JOIN tables_round r ON r.id = o.round_id
                           WHERE o.id = NEW.correction_id AND r.table_id = NEW.table_id)
                        + coalesce((SELECT sum(s.amount_micros) FROM tables_claimstep s
                                    WHERE s.correction_id = NEW.correction_id), 0) THEN
                        RAISE EXCEPTION 'claims above what their correction moves'
                            USING ERRCODE = 'check_violation', CONSTRAINT = 'seat_claim_by_its_correction';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        who = f"seat {self.seat}" + (f" ({self.player})" if self.player else "")
        return f"claim {self.pk}: {self.kind}, {who}"


class ClaimStep(models.Model):
    """What became of a claim, or of a part of it."""

    class Kind(models.TextChoices):
        PAID = "paid", gettext_noop("Paid to the player")
        EXPIRED = "expired", gettext_noop("Never claimed")
        RECOVERED = "recovered", gettext_noop("Recovered from the player")
        WRITTEN_OFF = "written-off", gettext_noop("Written off")
        REPLACED = "replaced", gettext_noop("Taken into a later correction")

    claim = models.ForeignKey(SeatClaim, on_delete=models.PROTECT, related_name="steps")
    number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=11, choices=Kind.choices)
    amount_micros = models.BigIntegerField()
    left_micros = models.BigIntegerField(help_text="What is open after it.")
    how = models.CharField(max_length=5, blank=True, help_text="chips or cash, where money was handed over.")
    reason = models.TextField()
    actor = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    approval = models.OneToOneField(ApprovalRequest, on_delete=models.PROTECT, null=True, related_name="+")
    correction = models.ForeignKey(
        RoundCorrection,
        on_delete=models.PROTECT,
        null=True,
        related_name="replaced",
        help_text="The later one.",
    )
    at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        ordering = ["claim", "number"]
        indexes = [sealed.stamp_index("claim_step")]
        constraints = [
            models.UniqueConstraint(fields=["claim", "number"], name="claim_step_once"),
            models.CheckConstraint(
                condition=Q(amount_micros__gt=0, left_micros__gte=0) & ~Q(reason=""),
                name="claim_step_makes_sense",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["paid", "recovered"], how__in=["chips", "cash"])
                | Q(kind__in=["expired", "written-off", "replaced"], how=""),
                name="claim_step_how",
            ),
            models.CheckConstraint(
                condition=Q(kind="replaced", correction__isnull=False)
                | Q(correction__isnull=True) & ~Q(kind="replaced"),
                name="claim_step_replaced_by",
            ),
        ]
        triggers = [
            *sealed.triggers("claim_step", at="at"),
            firm.Trigger(
                name="claim_step_follows",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                declare=[("claim", "record"), ("last", "record")],
                func=f"""
                    SELECT c.kind, c.amount_micros INTO claim FROM tables_seatclaim c WHERE c.id = NEW.claim_id;
                    SELECT s.number, s.left_micros INTO last FROM tables_claimstep s WHERE s.claim_id = NEW.claim_id
                        ORDER BY s.number DESC LIMIT 1;
                    IF NEW.number <> coalesce(last.number, 0) + 1
                        OR NEW.left_micros <> coalesce(last.left_micros, claim.amount_micros) - NEW.amount_micros THEN
                        RAISE EXCEPTION 'a step of claim % that does not follow the one before', NEW.claim_id
                            USING ERRCODE = 'check_violation', CONSTRAINT = 'claim_step_follows';
                    END IF;
                    IF NOT NEW.kind = ANY (CASE claim.kind WHEN 'owed' THEN ARRAY['paid', 'expired', 'replaced']
                                           ELSE ARRAY['recovered', 'written-off', 'replaced'] END) THEN
                        RAISE EXCEPTION 'what is % is not %', claim.kind, NEW.kind
                            USING ERRCODE = 'check_violation', CONSTRAINT = 'claim_step_of_its_kind';
                    END IF;
                    IF NEW.kind IN ('expired', 'written-off') AND NOT EXISTS (
                            SELECT FROM people_approvalrequest a WHERE a.id = NEW.approval_id AND a.state = 'used'
                                AND a.action = '{GIVE_UP}') THEN
                        RAISE EXCEPTION 'no approval of a second person was used for this'
                            USING ERRCODE = 'check_violation', CONSTRAINT = 'claim_step_by_two';
                    END IF;
                    RETURN NEW;
                """,  # noqa: S608 (only the name of an act is interpolated)
            ),
        ]

    def __str__(self) -> str:
        return f"step {self.number} of {self.claim}"
