"""The shape of the books: accounts, gaming days, entries with their postings, and the balances rolled up by day.

Models and constraints only; what PostgreSQL refuses is in ledger.triggers, the verbs are in ledger.books.journal,
ledger.books.balances and ledger.close.closing.
"""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.db.models.lookups import Exact
from django.utils.translation import gettext_noop

from config.kit.triggers import sealed
from ledger import triggers
from ledger.books import chart
from people.models import ApprovalRequest, Premises

RARE_KINDS = ["opener", "fill", "credit", "closer", "buy-in"]
"""Kinds of entries that are few among the rounds of a day, and are looked for by its day: an index has them alone."""
KIND_CHOICES = [(kind.value, kind.value.capitalize()) for kind in chart.AccountKind]


class Account(models.Model):
    """A place where money is. Created by its first posting, never changed or removed."""

    id = models.AutoField(primary_key=True)
    code = models.CharField(max_length=chart.MAX_CODE_LENGTH, unique=True, db_collation="C")
    kind = models.CharField(max_length=9, choices=KIND_CHOICES)
    premises = models.ForeignKey(Premises, on_delete=models.PROTECT, related_name="accounts")
    currency = models.CharField(max_length=3)

    class Meta:
        ordering = ["code"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=[kind.value for kind in chart.AccountKind]), name="account_known_kind"
            ),
            models.CheckConstraint(condition=Q(currency__regex=r"^[A-Z]{3}$"), name="account_currency_iso"),
        ]
        triggers = triggers.ACCOUNT_TRIGGERS

    def __str__(self) -> str:
        return self.code


class GamingDay(models.Model):
    """A day in the books of a premises. It comes into being with its first entry and closes once, in order."""

    class State(models.TextChoices):
        OPEN = "open", gettext_noop("Open")
        CLOSING = "closing", gettext_noop("Closing")
        CLOSED = "closed", gettext_noop("Closed")

    id = models.AutoField(primary_key=True)
    premises = models.ForeignKey(Premises, on_delete=models.PROTECT, related_name="gaming_days")
    date = models.DateField()
    state = models.CharField(max_length=7, choices=State.choices, default=State.OPEN, db_default=State.OPEN)
    opened_at = models.DateTimeField(db_default=Now(), editable=False)
    closing_at = models.DateTimeField(null=True, blank=True)
    closing_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    checklist = models.JSONField(null=True, blank=True, help_text="The checklist as it stood at the close.")

    class Meta:
        ordering = ["-date"]
        constraints = [
            models.UniqueConstraint(fields=["premises", "date"], name="gaming_day_once"),
            models.CheckConstraint(
                condition=(
                    Q(state="open", closing_at__isnull=True, closed_at__isnull=True, closed_by__isnull=True)
                    | Q(state="closing", closing_at__isnull=False, closed_at__isnull=True)
                    | Q(state="closed", closed_at__isnull=False, closed_by__isnull=False)
                ),
                name="gaming_day_state_consistent",
            ),
        ]
        triggers = triggers.DAY_TRIGGERS

    def __str__(self) -> str:
        return f"{self.premises.code} {self.date.isoformat()}"


class OpenItem(models.Model):
    """What a gaming day could not end and two people carried over: a standing wager, a held win, a dispute."""

    day = models.ForeignKey(GamingDay, on_delete=models.PROTECT, related_name="open_items")
    check_name = models.CharField(max_length=100)
    item_key = models.CharField(max_length=200)
    text = models.TextField()
    reason = models.TextField()
    approval = models.OneToOneField(ApprovalRequest, on_delete=models.PROTECT, related_name="open_item")
    carried_at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        indexes = [sealed.stamp_index("open_item")]
        ordering = ["check_name", "item_key"]
        constraints = [
            models.UniqueConstraint(fields=["day", "check_name", "item_key"], name="open_item_once_a_day")
        ]
        triggers = triggers.OPEN_ITEM_TRIGGERS

    def __str__(self) -> str:
        return f"{self.check_name} {self.item_key}"


class XactId(models.Func):
    """The number of the current transaction, 64 bits wide: what an entry carried before there were epochs."""

    template = "(pg_current_xact_id()::text::bigint)"
    output_field = models.BigIntegerField()


def _is_sha256(field: str) -> Exact:
    return Exact(models.Func(F(field), function="octet_length", output_field=models.IntegerField()), 32)


class Entry(models.Model):
    """One thing that happened to money, with legs that sum to zero.

    `xact_id` is the stamp of the transaction that posted it: what lies below a snapshot's xmin is complete, however
    late it committed; roll-ups and seals cut there. Foreign keys are checked by triggers (see ledger.triggers).
    """

    key = models.CharField(max_length=200, unique=True, db_collation="C")
    premises = models.ForeignKey(Premises, on_delete=models.PROTECT, db_constraint=False, db_index=False)
    day = models.ForeignKey(GamingDay, on_delete=models.PROTECT, db_constraint=False, db_index=False)
    own_date = models.DateField(
        null=True, help_text="The gaming day it belongs to, where that day was closed when it came."
    )
    kind = models.CharField(max_length=40)
    reference = models.CharField(max_length=200, db_collation="C")
    currency = models.CharField(max_length=3)
    source_sha256 = models.BinaryField(max_length=32)
    content_sha256 = models.BinaryField(max_length=32)
    corrects = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        db_constraint=False,
        db_index=False,
        null=True,
        related_name="corrections",
    )
    memo = models.TextField(db_default="")
    occurred_at = models.DateTimeField(null=True)
    posted_at = models.DateTimeField(db_default=Now())
    xact_id = models.BigIntegerField(db_default=sealed.Stamp())

    class Meta:
        verbose_name_plural = "entries"
        indexes = [
            models.Index(fields=["day", "id"], name="entry_by_day"),
            models.Index(fields=["reference"], name="entry_by_reference"),
            models.Index(fields=["xact_id", "id"], name="entry_by_xact"),
            models.Index(fields=["corrects"], name="entry_by_corrected", condition=Q(corrects__isnull=False)),
            # Slips are few among the rounds of a day (tables.chips.trays).
            models.Index(fields=["day", "reference"], name="entry_of_slip", condition=Q(kind__in=RARE_KINDS)),
        ]
        constraints = [
            models.CheckConstraint(
                condition=~Q(key="") & ~Q(kind="") & ~Q(reference=""), name="entry_says_what"
            ),
            models.CheckConstraint(
                condition=Q(_is_sha256("source_sha256"), _is_sha256("content_sha256")),
                name="entry_hashes_whole",
            ),
        ]
        triggers = triggers.ENTRY_TRIGGERS

    def __str__(self) -> str:
        return self.key


class Posting(models.Model):
    """A leg: so much on one account. Debit is positive, credit negative; an entry has one leg an account. Divided by
    month (ledger.months.months)."""

    pk = models.CompositePrimaryKey("entry_id", "account_id")
    entry = models.ForeignKey(
        Entry, on_delete=models.PROTECT, db_constraint=False, db_index=False, related_name="postings"
    )
    account = models.ForeignKey(
        Account, on_delete=models.PROTECT, db_constraint=False, db_index=False, related_name="postings"
    )
    amount_micros = models.BigIntegerField()

    class Meta:
        indexes = [models.Index(fields=["account", "entry"], name="posting_by_account")]
        constraints = [models.CheckConstraint(condition=~Q(amount_micros=0), name="posting_not_zero")]
        triggers = triggers.POSTING_TRIGGERS

    def __str__(self) -> str:
        return f"{self.account_id}: {self.amount_micros}"


class RollUpMark(models.Model):
    """One row: entries of transactions below it are in DayMovement, the others are the tail."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    below_xact = models.BigIntegerField(default=0)
    rolled_up_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(id=1), name="roll_up_mark_is_one_row")]

    def __str__(self) -> str:
        return f"below {self.below_xact}"


class DayMovement(models.Model):
    """Postings rolled up by an account on a gaming day. Derived from the postings by `balances.roll_up`."""

    pk = models.CompositePrimaryKey("account_id", "day_id")
    account = models.ForeignKey(Account, on_delete=models.PROTECT, db_constraint=False, db_index=False)
    day = models.ForeignKey(GamingDay, on_delete=models.PROTECT, db_constraint=False)
    debit_micros = models.BigIntegerField()
    credit_micros = models.BigIntegerField()
    postings = models.BigIntegerField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(debit_micros__gte=0, credit_micros__lte=0), name="movement_sides"
            )
        ]

    def __str__(self) -> str:
        return f"{self.account_id} on {self.day_id}"


class Export(models.Model):
    """A file for finance or an auditor: requested once, built by a worker, kept. The same request is the same row."""

    class State(models.TextChoices):
        REQUESTED = "requested", gettext_noop("Waiting")
        BUILDING = "building", gettext_noop("Being built")
        DONE = "done", gettext_noop("Ready")
        FAILED = "failed", gettext_noop("Failed")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    premises = models.ForeignKey(Premises, on_delete=models.PROTECT, related_name="exports")
    first = models.DateField()
    last = models.DateField()
    request = models.JSONField(help_text="Canonical form of what was asked for.")
    as_of = models.CharField(max_length=40, help_text="State of the books: closed, or the last seal.")
    request_sha256 = models.CharField(max_length=64, unique=True)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="exports"
    )
    requested_at = models.DateTimeField(db_default=Now(), editable=False)
    state = models.CharField(max_length=9, choices=State.choices, default=State.REQUESTED)
    attempts = models.PositiveSmallIntegerField(default=0)
    progress_done = models.BigIntegerField(default=0)
    progress_total = models.BigIntegerField(default=0)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    error = models.TextField(blank=True)
    file_bytes = models.BigIntegerField(null=True, blank=True)
    file_sha256 = models.CharField(max_length=64, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-requested_at"]
        indexes = [models.Index(fields=["premises", "-requested_at"], name="export_by_premises")]
        constraints = [
            models.CheckConstraint(condition=Q(first__lte=F("last")), name="export_first_before_last"),
            models.CheckConstraint(
                condition=~Q(state="done") | (Q(file_bytes__isnull=False) & ~Q(file_sha256="")),
                name="export_done_has_file",
            ),
        ]

    def __str__(self) -> str:
        return self.file_name

    @property
    def file_name(self) -> str:
        span = self.first.isoformat() if self.first == self.last else f"{self.first}_{self.last}"
        return f"{self.premises.code}_{span}_{self.request_sha256[:8]}.zip"

    @property
    def percent(self) -> int:
        if self.state == self.State.DONE:
            return 100
        return min(99, self.progress_done * 100 // self.progress_total) if self.progress_total else 0


SEAL_VERSION = 2
"""1: a tree over entries alone. 2: a tree over classes, each with its own tree over its rows."""


class Seal(models.Model):
    """A Merkle root over what transactions from `from_xact` to below `below_xact` have added, chained by SHA-256.

    `classes` has the count and the root of each class; `leaves` a few bytes of each leaf: not what proves, but what
    tells which row it is when a root does not come out (ledger.seals.leaves packs both).
    """

    number = models.BigIntegerField(primary_key=True)
    version = models.PositiveSmallIntegerField(db_default=1)
    chain = models.UUIDField(
        help_text="The same for all seals of a ledger; names its file outside the database."
    )
    from_xact = models.BigIntegerField()
    below_xact = models.BigIntegerField(unique=True)
    rows = models.IntegerField(db_default=0, help_text="Of all classes; 0 in version 1.")
    entries = models.IntegerField()
    postings = models.IntegerField()
    root = models.BinaryField(max_length=32)
    previous_hash = models.BinaryField(max_length=32)
    hash = models.BinaryField(max_length=32)
    sealed_at = models.DateTimeField()
    classes = models.BinaryField(db_default=b"")
    leaves = models.BinaryField()

    class Meta:
        ordering = ["number"]
        indexes = [models.Index(fields=["number"], name="seal_with_entries", condition=Q(entries__gt=0))]
        constraints = [
            models.CheckConstraint(
                condition=Q(number__gte=1, below_xact__gt=F("from_xact"), version__in=[1, SEAL_VERSION]),
                name="seal_sane",
            )
        ]
        triggers = triggers.SEAL_TRIGGERS

    def __str__(self) -> str:
        return f"seal {self.number}"


class Step(models.Model):
    """What a row that changes said at one moment: its state, and a hash over the columns that matter. Written by
    triggers alone (config.kit.triggers.sealed), whatever changes the row; the row is the cache that `verify`
    compares."""

    kind = models.CharField(max_length=40, help_text="The model's label.")
    row_id = models.BigIntegerField()
    state = models.CharField(max_length=10)
    at = models.DateTimeField(db_default=Now(), editable=False)
    content = models.BinaryField(max_length=32)
    detail = models.BinaryField(
        max_length=32, null=True, help_text="Of what hangs on the row: a round's lines."
    )
    xact_id = sealed.stamp_field()

    class Meta:
        indexes = [models.Index(fields=["kind", "row_id"], name="step_by_row"), sealed.stamp_index("step")]
        triggers = triggers.STEP_TRIGGERS

    def __str__(self) -> str:
        return f"{self.kind} {self.row_id} {self.state}"


class Epoch(models.Model):
    """A database that goes on from a copy: a restored dump, a new cluster, a replica that was promoted. Transactions
    are counted anew in it; `manage.py adopt_database` adds the row. The first database is epoch 0, without one."""

    id = models.PositiveSmallIntegerField(primary_key=True)
    reason = models.TextField()
    adopted_at = models.DateTimeField(db_default=Now(), editable=False)
    last_seal = models.BigIntegerField(help_text="The last one that came with the copy; 0: none.")
    last_known_seal = models.BigIntegerField(
        help_text="The last one that the file outside holds: what is between them was lost, and is on record as lost."
    )
    xact_id = sealed.stamp_field()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(id__gte=1, last_known_seal__gte=F("last_seal")) & ~Q(reason=""),
                name="epoch_sane",
            )
        ]
        triggers = sealed.triggers("epoch", at="adopted_at")

    def __str__(self) -> str:
        return f"epoch {self.pk}"


class MonthMove(models.Model):
    """A month of the divided tables was written to files and taken out, or brought back (ledger.months.month_files)."""

    class Kind(models.TextChoices):
        DETACHED = "detached", gettext_noop("Kept elsewhere")
        ATTACHED = "attached", gettext_noop("Brought back")

    month = models.CharField(max_length=7, help_text="2026-11, or `earlier`: from before the first turn.")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    manifest_sha256 = models.CharField(
        max_length=64, help_text="Of the list of its files, each with its hash."
    )
    rows = models.JSONField(help_text="How many, by table.")
    days = models.JSONField(help_text="By premises the first and the last gaming day that has rows in it.")
    reason = models.TextField()
    at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        indexes = [sealed.stamp_index("month_move")]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=["detached", "attached"]) & ~Q(reason=""), name="month_move_sane"
            )
        ]
        triggers = sealed.triggers("month_move", at="at")

    def __str__(self) -> str:
        return f"{self.month} {self.kind}"


class VerifiedMark(models.Model):
    """One row: how far the watchdog has verified, signed by it (ledger.verify.watchdog). A full `verify` begins at the
    beginning."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    below_xact = models.BigIntegerField(default=0)
    seal = models.BigIntegerField(default=0)
    verified_at = models.DateTimeField(db_default=Now())
    hallmark = models.CharField(  # noqa: DJ001 (none: from before hallmarks)
        max_length=64, null=True, help_text="Of the seal and where it ends."
    )

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(id=1), name="verified_mark_is_one_row"),
            # Not checked of the row from before hallmarks, until it moves.
            models.CheckConstraint(condition=Q(hallmark__isnull=False), name="verified_mark_hallmarked"),
        ]
        triggers = triggers.VERIFIED_MARK_TRIGGERS

    def __str__(self) -> str:
        return f"seal {self.seal}"
