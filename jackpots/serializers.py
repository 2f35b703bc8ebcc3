"""Shapes of the jackpots API at its edge."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from config.forms import FormSerializer
from jackpots.forms import ApproveForm, PayForm, VerifyForm
from jackpots.models import Progressive, Win
from jackpots.signs.frames import frame_body
from jackpots.signs.live import live
from rules.money import format_money


class ProgressiveSerializer(serializers.ModelSerializer[Progressive]):
    host = serializers.CharField(source="host.code", read_only=True)
    final = serializers.SerializerMethodField()
    live = serializers.SerializerMethodField()

    class Meta:
        model = Progressive
        fields = ["code", "name", "host", "folded_until", "final", "live"]

    def get_final(self, progressive: Progressive) -> dict[str, str]:
        return {m.level: format_money(m.value_micros) for m in progressive.meters.order_by("position")}

    def get_live(self, progressive: Progressive) -> dict[str, Any]:
        return frame_body(progressive, live(progressive))


class WinSerializer(serializers.ModelSerializer[Win]):
    progressive = serializers.CharField(source="progressive.code", read_only=True)
    table = serializers.CharField(source="table_log.table_code", read_only=True)
    premises = serializers.CharField(source="table_log.premises.code", read_only=True)
    amount = serializers.SerializerMethodField()
    from_pool = serializers.SerializerMethodField()
    from_house = serializers.SerializerMethodField()
    paid = serializers.SerializerMethodField()
    place = serializers.DateTimeField(source="share.place", read_only=True)
    told = serializers.DateTimeField(
        source="share.told",
        read_only=True,
        help_text="The moment by the terminal's own clock; null: never told.",
    )
    earliest = serializers.DateTimeField(source="share.earliest", read_only=True)
    latest = serializers.DateTimeField(source="share.latest", read_only=True)
    late = serializers.BooleanField(source="share.late", read_only=True)
    decision = serializers.JSONField(
        source="run.decision", read_only=True, help_text="How the order among hits close to it was decided."
    )
    trace = serializers.JSONField(source="run.trace", read_only=True)
    rules_version = serializers.IntegerField(source="run.rules_version", read_only=True)
    verified_by = serializers.CharField(source="verified_by.username", read_only=True, default=None)
    paid_by = serializers.CharField(source="paid_by.username", read_only=True, default=None)

    class Meta:
        model = Win
        fields = [
            "id",
            "progressive",
            "premises",
            "table",
            "seat",
            "player",
            "round_id",
            "trigger",
            "cards",
            "level",
            "amount",
            "from_pool",
            "from_house",
            "rule",
            "state",
            "place",
            "told",
            "earliest",
            "latest",
            "late",
            "decision",
            "resolved_at",
            "verified_by",
            "verified_at",
            "paid_by",
            "paid_at",
            "paid",
            "method",
            "trace",
            "rules_version",
        ]

    def get_amount(self, win: Win) -> str:
        return format_money(win.amount_micros)

    def get_from_pool(self, win: Win) -> str:
        return format_money(win.from_pool_micros)

    def get_from_house(self, win: Win) -> str:
        return format_money(win.from_house_micros)

    def get_paid(self, win: Win) -> str | None:
        return None if win.paid_micros is None else format_money(win.paid_micros)


class VerifySerializer(FormSerializer):
    form_class = VerifyForm


class ApproveSerializer(FormSerializer):
    form_class = ApproveForm


class PaySerializer(FormSerializer):
    form_class = PayForm
