"""Shapes of the tables API at its edge. What a round may contain is for `rules` to say (see /api/v1/games)."""

from __future__ import annotations

from rest_framework import serializers

from config.kit.forms import FormSerializer
from config.kit.rest import MoneyOut
from ledger.months import months
from tables.chips import chips
from tables.door.intake import KINDS
from tables.forms import SlipForm
from tables.models import Round, RoundVersion, Table, VersionLine, WagerLine


class EventSerializer(serializers.Serializer[object]):
    number = serializers.IntegerField(min_value=1, help_text="1, 2, 3, ... by table, without gaps.")
    kind = serializers.ChoiceField(choices=list(KINDS))
    at = serializers.DateTimeField(help_text="The terminal's clock when it happened.")
    clock = serializers.CharField(
        required=False, max_length=64, help_text="The clock that `at` was read from, if not the envelope's."
    )
    round = serializers.UUIDField(required=False, help_text="Made by the terminal; goodbye has none.")
    body = serializers.DictField(required=False)


class EnvelopeSerializer(serializers.Serializer[object]):
    """The times of a request. All but `echo` are readings of the terminal's own clock."""

    session = serializers.IntegerField(required=False, help_text="As the last answer said.")
    head = serializers.CharField(
        required=False, max_length=83, help_text="As the last answer said: where the table's chain stood."
    )
    clock = serializers.CharField(
        max_length=64, help_text="Another one whenever the clock was set or the terminal restarted."
    )
    sent_at = serializers.DateTimeField()
    echo = serializers.DateTimeField(required=False, help_text="`at` of the last answer that this clock got.")
    echo_received_at = serializers.DateTimeField(required=False, help_text="When that answer came.")
    told_until = serializers.DateTimeField(
        required=False, help_text="Up to `last_number` nothing before this is untold."
    )
    last_number = serializers.IntegerField(required=False, min_value=0)
    last_stamped = serializers.IntegerField(
        required=False, min_value=0, help_text="The last number given, where some are not to be sent yet."
    )


class EventsSerializer(serializers.Serializer[object]):
    envelope = EnvelopeSerializer(required=False, help_text="A table with a jackpot needs it.")
    events = EventSerializer(many=True, required=False, help_text="None: a beat.")


class EventsAnswerSerializer(serializers.Serializer[object]):
    at = serializers.DateTimeField(help_text="The server's time: the next request echoes it.")
    session = serializers.IntegerField()
    expected = serializers.IntegerField(help_text="The number of the next event.")
    head = serializers.CharField(
        max_length=83, help_text="Where the chain of the table's events stands; send it back."
    )
    under_way = serializers.UUIDField(
        allow_null=True, help_text="To a beat: the round that is not closed yet."
    )
    lease_ms = serializers.IntegerField(
        allow_null=True, help_text="For so long after the request was sent jackpot wagers may be taken."
    )
    no_lease = serializers.CharField(allow_null=True, max_length=200, help_text="Why not.")
    new_clock = serializers.CharField(
        allow_null=True, max_length=32, help_text="Begin a new clock id: why, as a code."
    )
    beat_ms = serializers.IntegerField(help_text="Send something at least so often.")
    answers = serializers.ListField(child=serializers.DictField())


class WagerLineSerializer(serializers.ModelSerializer[WagerLine]):
    stake = MoneyOut(source="stake_micros")
    winnings = MoneyOut(source="winnings_micros")
    returned = MoneyOut(source="returned_micros")
    standing = MoneyOut(source="standing_micros")
    commission = MoneyOut(source="commission_micros")
    rounding = MoneyOut(source="rounding_micros")

    class Meta:
        model = WagerLine
        fields = [
            "wager_id",
            "kind",
            "seat",
            "player",
            "selection",
            "outcome",
            "odds",
            "rule",
            "also",
            "stake",
            "winnings",
            "returned",
            "standing",
            "commission",
            "rounding",
        ]


class VersionLineSerializer(serializers.ModelSerializer[VersionLine]):
    stake = MoneyOut(source="stake_micros")
    winnings = MoneyOut(source="winnings_micros")
    returned = MoneyOut(source="returned_micros")
    standing = MoneyOut(source="standing_micros")
    commission = MoneyOut(source="commission_micros")
    rounding = MoneyOut(source="rounding_micros")

    class Meta:
        model = VersionLine
        fields = WagerLineSerializer.Meta.fields


class RoundVersionSerializer(serializers.ModelSerializer[RoundVersion]):
    """What people have put right of a round; the last version counts."""

    rule = serializers.CharField(source="correction.rule", read_only=True)
    at = serializers.DateTimeField(source="correction.at", read_only=True)
    lines = VersionLineSerializer(many=True, read_only=True)

    class Meta:
        model = RoundVersion
        fields = [
            "number", "rule", "at", "wagers", "dealt", "decisions", "irregularities", "result", "rules_version",
            "lines",
        ]  # fmt: skip


class RoundSerializer(serializers.ModelSerializer[Round]):
    table = serializers.CharField(source="table.code", read_only=True)
    lines = WagerLineSerializer(many=True, read_only=True)
    lines_kept_elsewhere = serializers.SerializerMethodField(
        help_text="The month whose settled lines are kept elsewhere, this round's among them; else empty."
    )
    versions = RoundVersionSerializer(
        many=True,
        read_only=True,
        help_text="Later versions, where people have put it right; the last one counts.",
    )

    class Meta:
        model = Round
        fields = [
            "id",
            "uid",
            "table",
            "number",
            "state",
            "gaming_day",
            "opened_at",
            "locked_at",
            "closed_at",
            "settled_at",
            "wagers",
            "not_accepted",
            "dealt",
            "decisions",
            "irregularities",
            "lock",
            "moments",
            "result",
            "rules_version",
            "error",
            "lines",
            "lines_kept_elsewhere",
            "versions",
        ]

    def get_lines_kept_elsewhere(self, round: Round) -> str:
        if round.state != Round.State.SETTLED or round.lines.all():
            return ""
        return months.elsewhere_of([round.pk]).get(round.pk, "")


class TableSerializer(serializers.ModelSerializer[Table]):
    premises = serializers.CharField(source="premises.code", read_only=True)
    rules = serializers.JSONField(source="config.document", read_only=True)
    progressives = serializers.SerializerMethodField()

    class Meta:
        model = Table
        fields = [
            "premises",
            "code",
            "pit",
            "is_open",
            "rules",
            "progressives",
            "last_event",
            "last_round",
            "carried",
        ]

    def get_progressives(self, table: Table) -> list[str]:
        return [progressive.code for progressive in table.progressives]


class SlipSerializer(FormSerializer):
    form_class = SlipForm


class BookedSerializer(serializers.Serializer[chips.Slip]):
    kind = serializers.CharField()
    slip = serializers.CharField(source="number")
    amount = MoneyOut(source="amount_micros")
    denominations = serializers.CharField(help_text="How many of each, the largest first.")
    promotional = MoneyOut(source="promotional_micros")
    id = serializers.IntegerField(source="slip_id", allow_null=True, help_text="To print it.")
    day = serializers.DateField(help_text="Its gaming day, or the later one in whose books it is.")
    booked = serializers.BooleanField(help_text="If not, it waits for another person's approval.")
    late = serializers.BooleanField()
    new = serializers.BooleanField()


class LayoutSerializer(serializers.Serializer[object]):
    premises = serializers.CharField()
    table = serializers.CharField()
    currency = serializers.CharField()
    time_zone = serializers.CharField(help_text="Of the premises: times are told to people by it.")
    is_open = serializers.BooleanField()
    rules = serializers.DictField(help_text="Game, rulebook, options, pay tables and limits in force.")
    seats = serializers.IntegerField(
        allow_null=True, help_text="Seats in use, from 1 on; none where the game has no seats."
    )
    chips = serializers.ListField(
        child=serializers.CharField(),
        allow_null=True,
        help_text="Values of the chips in use, the least first; none where the table does not say.",
    )
    carried = serializers.DictField(help_text="What lies on the layout, and what the game remembers.")
    jackpot_kinds = serializers.ListField(
        child=serializers.CharField(), help_text="Kinds of wagers that feed or win a progressive."
    )
    moments = serializers.ListField(
        child=serializers.CharField(),
        help_text="Which moments give its jackpot hands their place: mark these.",
    )
    paid_from_tray = serializers.ListField(
        child=serializers.DictField(),
        help_text="Of jackpots, what people have paid out of the table's tray this gaming day: `at`, `time` by the "
        "premises' clock, `amount`, `hand`, `seat`.",
    )


class FaultSerializer(serializers.Serializer[object]):
    field = serializers.CharField()
    rule = serializers.CharField(allow_null=True)
    message = serializers.CharField()


class TriedRoundSerializer(serializers.Serializer[object]):
    """A round's document as far as it has come, as the game's JSON Schema has it; the rules read it, not this form."""

    game = serializers.CharField(max_length=64)
    rulebook = serializers.CharField(max_length=64)
    options = serializers.DictField(required=False)
    paytables = serializers.DictField(required=False)
    limits = serializers.DictField(required=False)
    wagers = serializers.ListField(child=serializers.DictField(), required=False)
    dealt = serializers.DictField(required=False)
    decisions = serializers.ListField(child=serializers.DictField(), required=False)
    irregularities = serializers.ListField(child=serializers.DictField(), required=False)
    carried = serializers.DictField(required=False)


class TrialSerializer(serializers.Serializer[object]):
    faults = FaultSerializer(many=True, help_text="What no terminal could send: mend it first.")
    lacks = FaultSerializer(allow_null=True, help_text="Why it cannot be settled yet.")
    settlement = serializers.DictField(
        allow_null=True, help_text="Lines with amounts and rules, once it is whole."
    )
    offers = serializers.ListField(
        child=serializers.DictField(), help_text="Decisions that may be taken now, with what each costs."
    )
