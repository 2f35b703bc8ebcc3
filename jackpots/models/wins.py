"""What the fold wrote: its runs, and the wins from the moment of their resolution until they are paid. Shapes and
constraints only; `jackpots.fold.folding` folds, `jackpots.wins.hand_pay` walks a win to paid."""

from __future__ import annotations

from datetime import datetime

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_noop

from config.kit.documents import check_version, version_field
from config.kit.triggers import append_only, firm, sealed
from jackpots.models.adjustments import Adjustment
from jackpots.models.log import Event, HeldHand, Share, TableLog
from jackpots.models.paid import COUNTED
from jackpots.models.progressives import Progressive, ProgressiveConfig
from people.models import ApprovalRequest
from rules.progressive import State, decode
from rules.version import DOCUMENT_VERSION, document_version, rules_version


class FoldRun(models.Model):
    """One step of the final meters: a run of contributions, a return, the wins of one round, or an adjustment; with the
    pots after."""

    ADJUST = "adjust"
    """The kind of a run that is no table's event."""

    progressive = models.ForeignKey(
        Progressive, on_delete=models.PROTECT, related_name="fold_runs", db_index=False
    )
    number = models.BigIntegerField()
    at = models.DateTimeField(db_default=Now(), editable=False)
    kind = models.CharField(max_length=10, choices=[*Event.Kind.choices, (ADJUST, "Adjustment")])
    first_place = models.DateTimeField()
    last_place = models.DateTimeField()
    last_share = models.ForeignKey(Share, on_delete=models.PROTECT, null=True, related_name="+")
    adjustment = models.ForeignKey(
        Adjustment, on_delete=models.PROTECT, null=True, db_index=False, related_name="runs"
    )
    shares = models.PositiveIntegerField()
    config = models.ForeignKey(ProgressiveConfig, on_delete=models.PROTECT, related_name="+", db_index=False)
    slice_micros = models.BigIntegerField()
    house_micros = models.BigIntegerField()
    rules_version = models.PositiveSmallIntegerField(
        default=rules_version,
        db_default=1,
        editable=False,
        help_text="Of the rules that moved the pots: rules.version says what counts as another.",
    )
    version = version_field(document_version)
    meters = models.JSONField(help_text="The pots of every level after the run.")
    applied = models.JSONField(null=True, help_text="By wager, where a cap made each one's way its own.")
    trace = models.JSONField(default=list)
    decision = models.JSONField(
        null=True, help_text="Of hits among others that may have come first: how their order was decided."
    )
    added_micros = models.BigIntegerField(
        default=0, help_text="House money on top, so that each winner has the best that any order gives."
    )
    entry_key = models.CharField(max_length=100, help_text="Idempotency key of the ledger entry.")
    # Nullable, as every column that is added to a sealed table: the lines of old rows stay what they were.
    vouched = models.JSONField(
        null=True, help_text="Of hits: how far each linked table had vouched when they were resolved."
    )
    hallmark = models.CharField(  # noqa: DJ001 (none: of contributions, which anybody can make again)
        max_length=64, null=True, help_text="Of hits, made by the fold: see jackpots.fold.finality."
    )
    xact_id = sealed.stamp_field()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["progressive", "number"], name="fold_run_once"),
            models.UniqueConstraint(
                fields=["adjustment"], condition=Q(adjustment__isnull=False), name="fold_run_adjusts_once"
            ),
            models.CheckConstraint(
                condition=Q(kind="adjust", adjustment__isnull=False, last_share__isnull=True)
                | Q(adjustment__isnull=True, last_share__isnull=False) & ~Q(kind="adjust"),
                name="fold_run_of_shares_or_adjustment",
            ),
            # Not checked of older rows; of new ones whatever switches triggers off.
            models.CheckConstraint(
                condition=~Q(kind="hits") | Q(hallmark__isnull=False), name="fold_run_of_hits_hallmarked"
            ),
        ]
        indexes = [
            models.Index(fields=["progressive", "last_place"], name="fold_run_by_place"),
            models.Index(  # what the house has added today is asked for with every frame
                fields=["progressive", "last_place"], name="fold_run_added", condition=Q(added_micros__gt=0)
            ),
            sealed.stamp_index("fold_run"),
        ]
        triggers = sealed.triggers("fold_run")

    def __str__(self) -> str:
        return f"{self.progressive.code} run {self.number}"

    @property
    def is_hits(self) -> bool:
        return self.kind == Event.Kind.HITS

    @property
    def is_adjustment(self) -> bool:
        return self.kind == self.ADJUST

    @property
    def is_plain(self) -> bool:
        """Of stakes or a return."""
        return not self.is_hits and not self.is_adjustment

    @property
    def state(self) -> State:
        """The pots after it."""
        check_version(self.version, DOCUMENT_VERSION, self)
        return decode(State, self.meters)


WIN_COLUMNS = (
    "progressive_id", "run_id", "share_id", "table_log_id", "round_id", "hit", "hand_wager_id", "wager_id", "seat",
    "player", "trigger", "level", "amount_micros", "from_pool_micros", "from_house_micros", "rule", "resolved_at",
    "state", "verified_by_id", "verified_at", "verification", "approval_id", "paid_by_id", "paid_at", "paid_micros",
    "method", "adjustment_id", "replaces_id", "held_id", "parts",
)  # fmt: skip
"""All of a win: each change is a step."""


class Win(models.Model):
    """What one seat won from one level, from the moment of its resolution until it is paid."""

    class State(models.TextChoices):
        PENDING = "pending", gettext_noop("Resolved, to be verified")
        VERIFIED = "verified", gettext_noop("Verified, to be approved")
        APPROVED = "approved", gettext_noop("Approved, to be paid")
        PAID = "paid", gettext_noop("Paid")
        SUPERSEDED = "superseded", gettext_noop("Superseded by a second thought")
        UNCLAIMED = "unclaimed", gettext_noop("Set aside: nobody has claimed it")
        EXPIRED = "expired", gettext_noop("Expired unclaimed")

    OPEN = (State.PENDING, State.VERIFIED, State.APPROVED)
    """Owed, and not paid yet."""

    class Method(models.TextChoices):
        CHIPS = "chips", gettext_noop("Chips")
        CASH = "cash", gettext_noop("Cash")
        CHEQUE = "cheque", gettext_noop("Cheque")
        ADVANCE = "advance", gettext_noop("An advance that was handed out before")
        SPLIT = "split", gettext_noop("Split: chips, cash and cheque")

    progressive = models.ForeignKey(Progressive, on_delete=models.PROTECT, related_name="wins")
    run = models.ForeignKey(FoldRun, on_delete=models.PROTECT, related_name="wins")
    share = models.ForeignKey(
        Share,
        on_delete=models.PROTECT,
        null=True,
        related_name="wins",
        help_text="None: a late hand that was let in, or one that only a correction of its round has shown.",
    )
    held = models.ForeignKey(
        HeldHand, on_delete=models.PROTECT, null=True, related_name="wins", help_text="Of a late hand."
    )
    adjustment = models.ForeignKey(
        Adjustment,
        on_delete=models.PROTECT,
        null=True,
        related_name="wins",
        help_text="The second thought that brought it; none: the fold.",
    )
    replaces = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        related_name="replaced_by",
        help_text="The larger win, not paid, in whose place it stands.",
    )
    table_log = models.ForeignKey(TableLog, on_delete=models.PROTECT, related_name="wins")
    round_id = models.BigIntegerField()
    hit = models.JSONField(help_text="The hand that is paid, as the settlement spelled it.")
    hand_wager_id = models.CharField(max_length=64, help_text="The wager whose hand it is.")
    wager_id = models.CharField(
        max_length=64, help_text="The wager that is paid: the hand's own, or another's envy bonus."
    )
    seat = models.SmallIntegerField()
    player = models.CharField(max_length=64, blank=True)
    trigger = models.CharField(max_length=32)
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
    parts = models.JSONField(null=True, help_text="Of a split payment: micros by way of paying.")

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["progressive", "-id"], name="win_newest"),
            models.Index(fields=["trigger", "-id"], name="win_by_hand"),
            models.Index(fields=["-paid_at"], name="win_paid_lately", condition=Q(state="paid")),
            # Small for ever: only wins that are still to be paid are in it.
            models.Index(
                fields=["progressive"],
                name="win_open",
                condition=Q(state__in=["pending", "verified", "approved"]),
            ),
            models.Index(fields=["progressive", "round_id"], name="win_of_round"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["share", "wager_id", "hand_wager_id", "trigger", "level"],
                condition=Q(adjustment__isnull=True),
                name="win_once_by_the_fold",
            ),
            models.UniqueConstraint(
                fields=[
                    "adjustment",
                    "round_id",
                    "wager_id",
                    "hand_wager_id",
                    "trigger",
                    "level",
                    "replaces",
                ],
                condition=Q(adjustment__isnull=False),
                nulls_distinct=False,
                name="win_once_an_adjustment",
            ),
            models.CheckConstraint(
                condition=Q(share__isnull=False, held__isnull=True)
                | Q(share__isnull=True, adjustment__isnull=False),
                name="win_has_its_place",
            ),
            models.CheckConstraint(
                condition=Q(replaces__isnull=True) | Q(adjustment__isnull=False),
                name="win_replaces_by_adjustment",
            ),
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
                | Q(state__in=["superseded", "unclaimed", "expired"], paid_by__isnull=True)
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
            firm.Protect(
                name="win_begins_pending",
                operation=pgtrigger.Insert,
                condition=pgtrigger.Condition("NEW.state <> 'pending'"),
            ),
            firm.FSM(
                name="win_steps",
                field="state",
                transitions=[
                    ("pending", "verified"),
                    ("verified", "approved"),
                    ("approved", "paid"),
                    ("pending", "superseded"),
                    ("verified", "superseded"),
                    ("approved", "superseded"),
                    ("pending", "unclaimed"),
                    ("verified", "unclaimed"),
                    ("approved", "unclaimed"),
                    ("unclaimed", "pending"),
                    ("unclaimed", "expired"),
                ],
            ),
            firm.Trigger(
                name="win_paid_by_a_third",
                operation=pgtrigger.Update,
                when=pgtrigger.Before,
                condition=pgtrigger.Condition("NEW.state = 'paid' AND OLD.state <> 'paid'"),
                func="""
                    IF NEW.amount_micros > (
                            SELECT h.three_people_above_micros FROM jackpots_handpayrules h
                            JOIN jackpots_tablelog t ON t.premises_id = h.premises_id AND t.id = NEW.table_log_id
                            JOIN people_premises m ON m.id = h.premises_id
                            WHERE h.from_day <= (statement_timestamp() AT TIME ZONE m.time_zone
                                                 - make_interval(hours => m.rollover_hour))::date
                            ORDER BY h.from_day DESC, h.id DESC LIMIT 1)
                        AND (NEW.approval_id IS NULL OR NEW.paid_by_id = NEW.verified_by_id OR NEW.paid_by_id = (
                            SELECT a.decided_by_id FROM people_approvalrequest a WHERE a.id = NEW.approval_id)) THEN
                        RAISE EXCEPTION 'Win %: a third person pays it', NEW.id USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            firm.Trigger(
                name="win_paid_by_its_advance",
                operation=pgtrigger.Update,
                when=pgtrigger.Before,
                condition=pgtrigger.Condition("NEW.state = 'paid' AND OLD.state <> 'paid'"),
                func="""
                    IF (NEW.method = 'advance') IS DISTINCT FROM (
                        NEW.adjustment_id IS NULL AND NEW.wager_id = NEW.hand_wager_id AND EXISTS (
                            SELECT FROM jackpots_advance a WHERE a.share_id = NEW.share_id AND a.wager_id = NEW.wager_id
                            AND a.trigger = NEW.trigger AND a.level = NEW.level)) THEN
                        RAISE EXCEPTION 'Win %: what was handed out for it pays it, and nothing else does', NEW.id
                            USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            firm.Trigger(
                name="win_set_aside_by_two",
                operation=pgtrigger.Update,
                when=pgtrigger.Before,
                condition=pgtrigger.Condition(
                    "NEW.state IN ('unclaimed', 'expired') AND OLD.state <> NEW.state"
                ),
                func="""
                    IF NOT EXISTS (SELECT FROM people_approvalrequest a WHERE a.state = 'used'
                        AND a.action = 'jackpots.unclaimed' AND a.payload_json::jsonb @> jsonb_build_object(
                            'win', NEW.id, 'step', CASE NEW.state WHEN 'expired' THEN 'expire' ELSE 'set-aside' END)
                    ) THEN
                        RAISE EXCEPTION 'Win %: two people set it aside', NEW.id USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            firm.Trigger(
                name="win_superseded_by_two",
                operation=pgtrigger.Update,
                when=pgtrigger.Before,
                condition=pgtrigger.Condition("NEW.state = 'superseded' AND OLD.state <> 'superseded'"),
                func="""
                    IF NOT EXISTS (SELECT FROM jackpots_adjustment a WHERE a.progressive_id = NEW.progressive_id
                        AND a.effect @> jsonb_build_object(
                            'superseded', jsonb_build_array(jsonb_build_object('win', NEW.id)))) THEN
                        RAISE EXCEPTION 'Win %: no second thought of two people takes its place', NEW.id
                            USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            firm.Trigger(
                name="win_brought_by_two",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                condition=pgtrigger.Condition("NEW.adjustment_id IS NOT NULL"),
                func="""
                    IF NOT EXISTS (SELECT FROM jackpots_adjustment a WHERE a.id = NEW.adjustment_id
                        AND a.progressive_id = NEW.progressive_id AND a.effect @> jsonb_build_object(
                            'wins', jsonb_build_array(jsonb_build_object(
                                'round', NEW.round_id, 'wager', NEW.wager_id, 'hand_wager', NEW.hand_wager_id,
                                'trigger', NEW.trigger, 'level', NEW.level,
                                'amount_micros', NEW.amount_micros)))) THEN
                        RAISE EXCEPTION 'adjustment % brings no such win', NEW.adjustment_id
                            USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            firm.Trigger(
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
            firm.ReadOnly(
                name="win_amount_fixed",
                fields=[
                    "progressive",
                    "run",
                    "share",
                    "table_log",
                    "round_id",
                    "hit",
                    "hand_wager_id",
                    "wager_id",
                    "seat",
                    "player",
                    "trigger",
                    "level",
                    "amount_micros",
                    "from_pool_micros",
                    "from_house_micros",
                    "rule",
                    "resolved_at",
                    "adjustment",
                    "replaces",
                    "held",
                ],
            ),
            firm.Protect(
                name="win_release_fixed",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition(
                    "OLD.state = 'approved' AND (OLD.approval_id IS DISTINCT FROM NEW.approval_id"
                    " OR OLD.verified_by_id IS DISTINCT FROM NEW.verified_by_id"
                    " OR OLD.verified_at IS DISTINCT FROM NEW.verified_at"
                    " OR OLD.verification IS DISTINCT FROM NEW.verification)"
                ),
            ),
            firm.Protect(
                name="win_paid_fixed",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition("OLD.state IN ('paid', 'superseded', 'expired')"),
            ),
            COUNTED,
            *append_only.kept_triggers("win"),
            *sealed.steps("jackpots.win", "win", WIN_COLUMNS),
        ]

    def __str__(self) -> str:
        return f"{self.trigger} at seat {self.seat} of {self.table_log.table_code}"

    @property
    def cards(self) -> list[str]:
        """The hand, as texts: 'As'."""
        cards: list[str] = self.hit["cards"]
        return cards

    @property
    def place(self) -> datetime:
        """Where its hand stands in the order."""
        if self.share is not None:
            return self.share.place
        said = Adjustment.objects.filter(progressive=self.progressive_id, round_id=self.round_id)
        first = said.filter(table_log=self.table_log_id, hits_place__isnull=False).order_by("pk").first()
        if first is None or first.hits_place is None:
            raise LookupError(f"Win {self.pk} has no place in the order.")
        return first.hits_place

    @property
    def is_envy(self) -> bool:
        return self.wager_id != self.hand_wager_id


class Overpaid(models.Model):
    """What of a paid win turned out not to be due, by a second thought: it stands, and somebody bears it."""

    class Borne(models.TextChoices):
        RECOVERABLE = "recoverable", gettext_noop("To be recovered from the winner")
        HOUSE = "house", gettext_noop("The house's own money")

    win = models.ForeignKey(Win, on_delete=models.PROTECT, related_name="overpaid")
    adjustment = models.ForeignKey(Adjustment, on_delete=models.PROTECT, related_name="overpaid")
    amount_micros = models.BigIntegerField(help_text="Too much; negative: due after all.")
    borne = models.CharField(max_length=12, choices=Borne.choices)
    xact_id = sealed.stamp_field()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["win", "adjustment", "borne"], name="overpaid_once"),
            models.CheckConstraint(condition=~Q(amount_micros=0), name="overpaid_something"),
        ]
        triggers = sealed.triggers("overpaid")

    def __str__(self) -> str:
        return f"{self.amount_micros} of {self.win}"
