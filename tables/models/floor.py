"""The shape of the floor: configurations by content, tables, terminals, numbered events, rounds and settled lines.

Shapes and constraints only. `intake` takes events in, `settlement` settles, `api` is the terminal's door.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_noop

from config.kit.documents import check_version, version_field
from config.kit.triggers import append_only, beside, firm, sealed
from jackpots.models import Progressive, TableLog
from people.models import CREDENTIAL_COLUMNS, Credential, Premises
from rules.catalogue import find_game
from rules.declare import Game
from rules.version import DOCUMENT_VERSION, document_version

UNANSWERED = Q(state__in=["closed", "parked"], settlement__isnull=True)
"""Rounds that a fault of ours left without the rules' settlement when they closed."""


class TableConfig(models.Model):
    """The full rules of a table: game, rulebook, options, pay tables and limits, resolved and stored by content."""

    sha256 = models.CharField(max_length=64, unique=True)
    version = version_field(document_version)
    document = models.JSONField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    xact_id = sealed.stamp_field()

    class Meta:
        triggers = sealed.triggers("table_config")

    def __str__(self) -> str:
        return f"{self.document['game']} ({self.document['rulebook']}) {self.sha256[:8]}"

    @cached_property
    def game(self) -> Game:
        check_version(self.version, DOCUMENT_VERSION, self)
        return find_game(self.document["game"], self.document["rulebook"])


@lru_cache(maxsize=1_000)
def config_of(pk: int, sha256: str) -> TableConfig:
    """By key and content: such a row never changes, and reading its document takes longer than most steps."""
    return TableConfig.objects.get(pk=pk, sha256=sha256)


TABLE_COLUMNS = (
    "premises_id", "code", "pit", "config_id", "table_log_id", "session", "seats", "chips", "reserved_for",
    "rules_from", "closing_at", "device_error_ms",
)  # fmt: skip
"""Its settings: each change of one is a step. Those that came later are nullable, so that old steps still hold."""


class Table(models.Model):
    """A gaming table. Its row is the lock under which its terminal's events are taken in order."""

    premises = models.ForeignKey(Premises, on_delete=models.PROTECT, related_name="tables")
    code = models.CharField(max_length=32)
    pit = models.CharField(max_length=32, blank=True)
    config = models.ForeignKey(TableConfig, on_delete=models.PROTECT, related_name="tables")
    table_log = models.OneToOneField(TableLog, on_delete=models.PROTECT, related_name="table")
    is_open = models.BooleanField(default=False)
    last_event = models.BigIntegerField(default=0, help_text="Number of the terminal's last event.")
    last_round = models.BigIntegerField(default=0, help_text="Number of the last round opened.")
    last_heard_at = models.DateTimeField(null=True, blank=True)
    session = models.PositiveIntegerField(
        default=1, help_text="Counts terminals that took over; event numbers begin anew with each."
    )
    carried = models.JSONField(default=dict, help_text="What the last closed round handed to the next.")
    head = models.BinaryField(null=True, help_text="Where the chain of its terminal's events stands.")
    seats = models.PositiveSmallIntegerField(
        null=True, help_text="Seats in use; none: all that the game has."
    )
    chips = models.JSONField(
        null=True, help_text="Values of the chips in use; the least is what rounding goes by."
    )
    reserved_for = models.CharField(  # noqa: DJ001 (a column added later is no part of an old step)
        max_length=100,
        null=True,
        help_text="A private table (nz-1996 I 20): for whom or what; none: for everybody.",
    )
    device_error_ms = models.PositiveIntegerField(
        null=True,
        help_text="How far the word of its shoe or shuffler may be from the moment; none: as usual for such.",
    )
    rules_from = models.DateTimeField(
        null=True, help_text="Since when `config` holds; none: since it is there."
    )
    change_due_at = models.DateTimeField(null=True, help_text="When the change that is planned takes effect.")
    closing_at = models.DateTimeField(
        null=True, help_text="When it closes, as its sign says: no rounds after it."
    )

    class Meta:
        ordering = ["premises", "code"]
        constraints = [models.UniqueConstraint(fields=["premises", "code"], name="table_code_once")]
        triggers = [
            *sealed.steps("tables.table", "table", TABLE_COLUMNS, state=""),
            firm.Trigger(
                name="table_rules_by_a_change",
                operation=pgtrigger.Update,
                when=pgtrigger.Before,
                condition=pgtrigger.Condition("OLD.config_id <> NEW.config_id"),
                func="""
                    IF NOT EXISTS (
                        SELECT FROM tables_tablechange c
                        WHERE c.table_id = NEW.id AND c.config_id = NEW.config_id AND c.was_id = OLD.config_id
                            AND c.state = 'in_force' AND c.ended_at = NEW.rules_from
                    ) THEN
                        RAISE EXCEPTION 'The rules of table % change only by a change that is in force', NEW.code
                            USING ERRCODE = 'check_violation', CONSTRAINT = 'table_rules_by_a_change';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def progressives(self) -> list[Progressive]:
        """Those it is linked to; a list of tables prefetches `table_log__links__progressive`."""
        return [link.progressive for link in self.table_log.links.all()]


class Terminal(Credential):
    """A program at a table. Only the hash of its token is kept; it may act for its table and no other."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="terminals")
    name = models.CharField(max_length=100)
    must_sign = models.BooleanField(default=False, help_text="What it sends is taken only with a signature.")
    last_signed = models.BigIntegerField(default=0, help_text="The number of its last signature.")
    version = models.CharField(max_length=64, default="", help_text="Of its program, as it last told it.")

    class Meta(Credential.Meta):
        triggers = [
            *append_only.kept_triggers("terminal"),
            *sealed.steps(
                "tables.terminal",
                "terminal",
                (*CREDENTIAL_COLUMNS, "table_id", "name", "must_sign"),
                state="",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_authenticated(self) -> bool:
        return True


class TableEvent(models.Model):
    """One numbered message of a terminal, as it was accepted. The same number again must say the same."""

    # Found by the constraint's index, as are all rows here whose key has none of its own.
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="events", db_index=False)
    session = models.PositiveIntegerField(default=1)
    number = models.BigIntegerField()
    kind = models.CharField(max_length=20)
    round = models.ForeignKey("Round", on_delete=models.PROTECT, related_name="events", null=True)
    terminal_at = models.DateTimeField(help_text="The reading of the terminal's clock.")
    clock = models.CharField(max_length=64, blank=True, help_text="Which of its clocks.")
    received_at = models.DateTimeField(db_default=Now(), editable=False)
    # Of old rows alone, whose sealed lines have it: a new one's is in `MessageText`, and NULL is no part of a line.
    message = models.TextField(null=True, help_text="All of it, as canonical JSON.")  # noqa: DJ001
    sha256 = models.CharField(max_length=64, help_text="Of the message.")
    answer = models.JSONField()
    head = models.BinaryField(null=True, help_text="Its link in the table's chain: tables.chain.")
    xact_id = sealed.stamp_field()

    class Meta:
        indexes = [sealed.stamp_index("table_event")]
        constraints = [
            models.UniqueConstraint(fields=["table", "session", "number"], name="table_event_number_once")
        ]
        triggers = [
            *sealed.triggers("table_event"),
            beside.with_text(
                "table_event_with_text",
                texts="tables_messagetext",
                key="event_id",
                own="message",
                words="A terminal''s event comes with the text of its message, beside it",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.number} of {self.table_id}"


class MessageText(models.Model):
    """What a terminal's event said, word for word: under the seal by the hash in its event, and so under none of its
    own. Divided by month (ledger.months.months)."""

    # That there is such an event, a trigger sees once a statement, together with its hash.
    event = models.OneToOneField(
        TableEvent, on_delete=models.PROTECT, related_name="+", primary_key=True, db_constraint=False
    )
    text = models.TextField(help_text="All of the message, as canonical JSON.")

    class Meta:
        triggers = [
            beside.text_of(
                "message_text_of_event",
                rows="tables_tableevent",
                alias="e",
                key="event_id",
                own="message",
                words="A text is not the message of terminal event %",
            ),
            *append_only.triggers("message_text"),
        ]

    def __str__(self) -> str:
        return f"message of event {self.event_id}"


PLAYED_COLUMNS = (
    "uid", "table_id", "number", "config_id", "opened_at", "locked_at", "closed_at", "gaming_day", "version", "wagers",
    "dealt", "decisions", "irregularities", "lock", "moments", "result_told", "jackpots_count", "not_accepted",
    "carried_in",
)  # fmt: skip
"""What was played: fixed once the round is closed."""


def _columns(row: str) -> str:
    return f"ROW({', '.join(f'{row}.{name}' for name in PLAYED_COLUMNS)})"


LINES_HASH = """(
    SELECT sha256(convert_to(coalesce(string_agg(concat_ws(E'\\t', l.position, l.wager_id, l.kind, l.seat, l.player,
        l.selection, l.is_jackpot, l.is_fee, l.is_new, l.outcome, l.odds, l.rule, l.also, l.stake_micros,
        l.winnings_micros, l.returned_micros, l.standing_micros, l.commission_micros, l.rounding_micros), E'\\n'
        ORDER BY l.position), ''), 'UTF8'))
    FROM tables_wagerline l WHERE l.round_id = {round}
)"""
"""A settlement's lines as one hash. No text of a line holds a tab or a line feed: tables.door.messages refuses them."""


def document_of(config: TableConfig, played: Any) -> dict[str, Any]:
    """A round as `rules` reads it; `played`: the round as it was told, or a later version of it."""
    return {
        **config.document,
        "wagers": played.wagers,
        "dealt": played.dealt,
        "decisions": played.decisions,
        "irregularities": played.irregularities,
        "carried": played.carried_in,
    }


class Round(models.Model):
    """One round from the first chip to its settlement.

    The terminal calls it by a UUID of its own, which stands here and nowhere else: in Potline everything reaches it
    by its key, a number in the order in which rounds were opened.
    """

    class State(models.TextChoices):
        OPEN = gettext_noop("open"), gettext_noop("Wagers are being placed")
        LOCKED = gettext_noop("locked"), gettext_noop("No more bets")
        CLOSED = gettext_noop("closed"), gettext_noop("Settled by the rules, to be booked")
        SETTLED = gettext_noop("settled"), gettext_noop("Settled")
        PARKED = gettext_noop("parked"), gettext_noop("Cannot be settled: someone must look")

    uid = models.UUIDField(help_text="Made by the terminal.")
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="rounds", db_index=False)
    number = models.BigIntegerField()
    config = models.ForeignKey(TableConfig, on_delete=models.PROTECT, related_name="+", db_index=False)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    opened_at = models.DateTimeField()
    locked_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    settled_at = models.DateTimeField(null=True)
    gaming_day = models.DateField(null=True, help_text="The day of its no more bets.")
    late_day = models.DateField(
        null=True,
        help_text="The later gaming day in whose books it is, where its own was closed when it came.",
    )
    version = version_field(document_version)
    wagers = models.JSONField(default=list)
    dealt = models.JSONField(default=dict)
    decisions = models.JSONField(default=list)
    irregularities = models.JSONField(default=list)
    lock = models.JSONField(null=True, help_text="Its no more bets as it was told and placed.")
    moments = models.JSONField(
        default=dict, help_text="When cards were received, by seat and moment, as told and as placed."
    )
    result_told = models.JSONField(null=True, help_text="Its result, as it was told and placed.")
    jackpots_count = models.BooleanField(
        default=False, help_text="Its wagers take part in the table's progressives."
    )
    not_accepted = models.JSONField(
        default=list,
        help_text="Jackpot wagers that did not count and went back, each with the reason and the rule.",
    )
    carried_in = models.JSONField(default=dict, help_text="What it inherited from the round before.")
    settlement = models.JSONField(
        null=True, help_text="What the rules said when it closed, until it is booked: then its lines say it."
    )
    result = models.JSONField(default=dict, help_text="The outcome in words.")
    rules_version = models.PositiveSmallIntegerField(
        null=True, help_text="Of the rules that settled it: rules.version says what counts as another."
    )
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.TextField(blank=True)

    class Meta:
        ordering = ["-opened_at"]
        constraints = [
            models.UniqueConstraint(fields=["uid"], name="round_uid_once"),
            models.UniqueConstraint(fields=["table", "number"], name="round_number_once"),
            models.UniqueConstraint(
                fields=["table"], condition=Q(state__in=["open", "locked"]), name="round_one_under_way"
            ),
            models.CheckConstraint(
                condition=Q(state="open", locked_at__isnull=True)
                | Q(state="locked", locked_at__isnull=False, closed_at__isnull=True)
                | Q(state__in=["closed", "parked"], closed_at__isnull=False, settled_at__isnull=True)
                | Q(
                    state="settled",
                    closed_at__isnull=False,
                    settled_at__isnull=False,
                    gaming_day__isnull=False,
                    settlement__isnull=True,
                    rules_version__isnull=False,
                ),
                name="round_state_consistent",
            ),
        ]
        indexes = [
            # Small for ever: only rounds that are not settled are in it.
            models.Index(fields=["table", "number"], condition=~Q(state="settled"), name="round_unsettled"),
            models.Index(fields=["table", "number"], condition=UNANSWERED, name="round_unanswered"),
            models.Index(fields=["table", "gaming_day"], name="round_by_day"),
            models.Index(fields=["late_day"], condition=Q(late_day__isnull=False), name="round_late"),
        ]
        triggers = [
            firm.FSM(
                name="round_steps",
                field="state",
                transitions=[
                    ("open", "locked"),
                    ("locked", "closed"),
                    ("open", "closed"),
                    ("closed", "settled"),
                    ("closed", "parked"),
                    ("parked", "closed"),
                ],
            ),
            firm.Protect(
                name="round_key_fixed",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition("OLD.id <> NEW.id"),
            ),
            firm.Protect(
                name="round_settled_fixed",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition("OLD.state = 'settled'"),
            ),
            firm.Protect(
                name="round_played_fixed",
                operation=pgtrigger.Update,
                # Byte by byte: documents are not read to be compared, and another spelling differs, too. By the
                # function of the operator *<>, which a dump would spell so that no restore can read it.
                condition=pgtrigger.Condition(
                    f"OLD.state IN ('closed', 'parked')"
                    f" AND record_image_ne({_columns('OLD')}, {_columns('NEW')})"
                ),
            ),
            *append_only.kept_triggers("round"),
            *sealed.steps(
                "tables.round",
                "round",
                PLAYED_COLUMNS,
                changed=["state"],
                fixed_in=["closed", "parked", "settled"],
                first_when="NEW.state <> 'open'",
                by_statement=True,
                detail=LINES_HASH.format(round="NEW.id"),
                detail_when="NEW.state = 'settled'",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table.code} round {self.number}"

    @property
    def standing_ids(self) -> frozenset[str]:
        """Of the wagers that an earlier round left standing; all others were placed in this one."""
        return frozenset(standing["wager"]["id"] for standing in self.carried_in.get("wagers", ()))

    @property
    def takes_part(self) -> bool:
        """Whether any wager of it may win from a progressive: its own where they count, and jackpot wagers that an
        earlier round left standing in any case, since these have contributed."""
        kinds = self.config.game.kinds
        standing = self.carried_in.get("wagers", ())
        return self.jackpots_count or any(kinds[one["wager"]["kind"]].jackpot for one in standing)

    def is_entitled(self, wager_id: str) -> bool:
        """Whether this wager of it may win from a progressive that its kind feeds."""
        return self.jackpots_count or wager_id in self.standing_ids

    def document(self) -> dict[str, Any]:
        """The whole round as `rules` reads it, as it was told."""
        check_version(self.version, DOCUMENT_VERSION, self)
        return document_of(self.config, self)


class SettledLine(models.Model):
    """What became of one wager, to the micro, and the rule that decided it. Added, never changed."""

    wager_id = models.CharField(max_length=64)
    position = models.PositiveSmallIntegerField(help_text="Order within the settlement.")
    kind = models.CharField(max_length=32)
    seat = models.SmallIntegerField()
    player = models.CharField(max_length=64, blank=True)
    selection = models.CharField(max_length=64, blank=True)
    is_jackpot = models.BooleanField(default=False)
    is_fee = models.BooleanField(default=False)
    is_new = models.BooleanField(
        default=True, help_text="Placed in this round; False: an earlier round left it standing."
    )
    outcome = models.CharField(max_length=6)
    odds = models.CharField(max_length=24, blank=True)
    rule = models.CharField(max_length=64)
    also = models.CharField(max_length=200, blank=True)
    stake_micros = models.BigIntegerField()
    winnings_micros = models.BigIntegerField()
    returned_micros = models.BigIntegerField()
    standing_micros = models.BigIntegerField()
    commission_micros = models.BigIntegerField()
    rounding_micros = models.BigIntegerField()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.wager_id}: {self.outcome}"

    @property
    def to_player_micros(self) -> int:
        return self.winnings_micros + self.returned_micros - self.commission_micros


class WagerLine(SettledLine):
    """A line of a round as it was settled first: the sub-ledger under the round's entry. Divided by month
    (ledger.months.months)."""

    pk = models.CompositePrimaryKey("round_id", "position")
    # That there is such a round, a trigger sees once a statement, not once a line.
    round = models.ForeignKey(
        Round, on_delete=models.PROTECT, related_name="lines", db_index=False, db_constraint=False
    )

    class Meta:
        ordering = ["round", "position"]
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    stake_micros__gt=0,
                    winnings_micros__gte=0,
                    returned_micros__gte=0,
                    standing_micros__gte=0,
                    rounding_micros__gte=0,
                ),
                name="wager_line_not_negative",
            ),
            models.CheckConstraint(
                condition=Q(stake_micros__gte=models.F("returned_micros") + models.F("standing_micros")),
                name="wager_line_returns_no_more_than_stake",
            ),
        ]
        triggers = [
            # Instead of a foreign key, as in the ledger: a round can never be removed.
            firm.IndexedTrigger(
                name="wager_line_of_round",
                operation=pgtrigger.Insert,
                when=pgtrigger.After,
                level=pgtrigger.Statement,
                referencing=pgtrigger.Referencing(new="new_rows"),  # type: ignore[no-untyped-call]
                declare=[("wrong", "record")],
                func="""
                    SELECT n.round_id INTO wrong FROM (SELECT DISTINCT round_id FROM new_rows) n
                        WHERE NOT EXISTS (SELECT FROM tables_round r WHERE r.id = n.round_id) LIMIT 1;
                    IF FOUND THEN
                        RAISE EXCEPTION 'A line is of round %, which there is not', wrong.round_id
                            USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'wager_line_of_round';
                    END IF;
                    RETURN NULL;
                """,
            ),
            *append_only.triggers("wager_line"),
        ]
