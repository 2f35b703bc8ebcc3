"""Shapes of the tables API at its edge. What a round may contain is for `rules` to say (see /api/v1/games)."""

from __future__ import annotations

from rest_framework import serializers

from config.forms import FormSerializer
from config.rest import MoneyOut
from tables import chips
from tables.forms import SlipForm
from tables.intake import KINDS
from tables.models import Round, Table, WagerLine


class EventSerializer(serializers.Serializer[object]):
    number = serializers.IntegerField(min_value=1, help_text="1, 2, 3, ... by table, without gaps.")
    kind = serializers.ChoiceField(choices=list(KINDS))
    at = serializers.DateTimeField(help_text="The terminal's clock, with its offset.")
    round = serializers.UUIDField(help_text="Made by the terminal.")
    body = serializers.DictField(required=False)


class EventsSerializer(serializers.Serializer[object]):
    events = EventSerializer(many=True)


class EventsAnswerSerializer(serializers.Serializer[object]):
    answers = serializers.ListField(child=serializers.DictField())


class HeartbeatSerializer(serializers.Serializer[object]):
    last_number = serializers.IntegerField(
        min_value=0, help_text="The last event that the terminal has numbered."
    )
    at = serializers.DateTimeField()


class HeartbeatAnswerSerializer(serializers.Serializer[object]):
    status = serializers.ChoiceField(choices=["ok", "behind"])
    expected = serializers.IntegerField(help_text="The number of the next event.")
    lease_until = serializers.DateTimeField(
        required=False, help_text="Jackpot wagers may be taken until then."
    )


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


class RoundSerializer(serializers.ModelSerializer[Round]):
    table = serializers.CharField(source="table.code", read_only=True)
    lines = WagerLineSerializer(many=True, read_only=True)

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
            "dealt",
            "decisions",
            "irregularities",
            "result",
            "rules_version",
            "error",
            "lines",
        ]


class TableSerializer(serializers.ModelSerializer[Table]):
    premises = serializers.CharField(source="premises.code", read_only=True)
    rules = serializers.JSONField(source="config.document", read_only=True)
    progressives = serializers.SerializerMethodField()

    class Meta:
        model = Table
        fields = ["premises", "code", "pit", "is_open", "rules", "progressives", "last_event", "last_round"]

    def get_progressives(self, table: Table) -> list[str]:
        return [progressive.code for progressive in table.progressives]


class SlipSerializer(FormSerializer):
    form_class = SlipForm


class BookedSerializer(serializers.Serializer[chips.Slip]):
    kind = serializers.CharField()
    slip = serializers.CharField(source="number")
    amount = MoneyOut(source="amount_micros")
    day = serializers.DateField(help_text="Its gaming day, or the later one in whose books it is.")
    booked = serializers.BooleanField(help_text="If not, it waits for another person's approval.")
    late = serializers.BooleanField()
    new = serializers.BooleanField()
