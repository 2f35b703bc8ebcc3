"""Shapes of the ledger's API at its edge. Money is a string; debits are positive, credits negative."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from config.kit.forms import FormSerializer
from config.kit.rest import MoneyOut
from ledger.forms import (
    AbandonForm,
    CarryOverForm,
    ClearingForm,
    DaySearchForm,
    EntrySearchForm,
    ExportForm,
    SpanForm,
)
from ledger.models import Entry, Export, GamingDay, OpenItem, Seal
from people.models import ApprovalRequest
from rules.money import format_money


class DaySerializer(serializers.ModelSerializer[GamingDay]):
    premises = serializers.CharField(source="premises.code", read_only=True)
    closing_by = serializers.CharField(
        source="closing_by.username", default=None, allow_null=True, read_only=True
    )
    closed_by = serializers.CharField(
        source="closed_by.username", default=None, allow_null=True, read_only=True
    )

    class Meta:
        model = GamingDay
        fields = [
            "premises",
            "date",
            "state",
            "opened_at",
            "closing_at",
            "closing_by",
            "closed_at",
            "closed_by",
        ]


class FindingSerializer(serializers.Serializer[Any]):
    key = serializers.CharField(source="finding.key")
    text = serializers.CharField(source="finding.text")
    may_carry = serializers.BooleanField(source="finding.may_carry")
    carried = serializers.BooleanField()
    url = serializers.CharField(source="finding.url")


class CheckSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    title = serializers.CharField()
    holds = serializers.BooleanField()
    findings = FindingSerializer(source="lines", many=True)


class OpenItemSerializer(serializers.ModelSerializer[OpenItem]):
    check = serializers.CharField(source="check_name")
    item = serializers.CharField(source="item_key")

    class Meta:
        model = OpenItem
        fields = ["check", "item", "text", "reason", "carried_at"]


class ChecklistSerializer(serializers.Serializer[Any]):
    day = DaySerializer()
    ready = serializers.BooleanField()
    ends_at = serializers.DateTimeField()
    checks = CheckSerializer(source="results", many=True)


class ReasonSerializer(FormSerializer):
    form_class = AbandonForm


class CarryOverSerializer(FormSerializer):
    form_class = CarryOverForm


class RequestedSerializer(serializers.Serializer[Any]):
    """An approval request that waits for the second person."""

    id = serializers.IntegerField()
    action = serializers.CharField()
    state = serializers.CharField()
    payload_sha256 = serializers.CharField()
    expires_at = serializers.DateTimeField()


class DaySearchSerializer(FormSerializer):
    form_class = DaySearchForm


class SpanSerializer(FormSerializer):
    form_class = SpanForm


class TrialLineSerializer(serializers.Serializer[Any]):
    account = serializers.CharField(source="code")
    kind = serializers.CharField()
    currency = serializers.CharField()
    opening = MoneyOut(source="opening_micros")
    debit = MoneyOut(source="debit_micros")
    credit = MoneyOut(source="credit_micros")
    closing = MoneyOut(source="closing_micros")


class EntrySearchSerializer(FormSerializer):
    form_class = EntrySearchForm


class EntrySerializer(serializers.ModelSerializer[Entry]):
    day = serializers.DateField(source="day.date", read_only=True)
    corrects = serializers.CharField(source="corrects.key", default=None, allow_null=True, read_only=True)
    source_sha256 = serializers.SerializerMethodField()
    legs = serializers.SerializerMethodField()

    class Meta:
        model = Entry
        fields = [
            "id", "key", "day", "own_date", "kind", "reference", "currency", "legs", "corrects", "memo",
            "occurred_at", "posted_at", "source_sha256",
        ]  # fmt: skip

    def get_source_sha256(self, entry: Entry) -> str:
        return bytes(entry.source_sha256).hex()

    def get_legs(self, entry: Entry) -> dict[str, str]:
        return {code: format_money(micros) for code, micros in entry.legs}  # type: ignore[attr-defined]


class SealSerializer(serializers.ModelSerializer[Seal]):
    hash = serializers.SerializerMethodField()
    merkle_root = serializers.SerializerMethodField()

    class Meta:
        model = Seal
        fields = ["number", "entries", "postings", "merkle_root", "hash", "sealed_at"]

    def get_hash(self, seal: Seal) -> str:
        return bytes(seal.hash).hex()

    def get_merkle_root(self, seal: Seal) -> str:
        return bytes(seal.root).hex()


class DueSerializer(serializers.Serializer[Any]):
    other = serializers.CharField(source="other.code")
    currency = serializers.CharField(source="premises.currency")
    we_owe = MoneyOut(source="we_owe_micros")
    they_owe = MoneyOut(source="they_owe_micros")
    to_pay = MoneyOut(source="to_pay_micros", help_text="By us if all is cleared; below zero: by them.")
    differences = serializers.ListField(
        child=serializers.CharField(), help_text="Where the books of the two do not say the same, in words."
    )


class WaitingSerializer(serializers.ModelSerializer[ApprovalRequest]):
    """A clearing that waits for a second person; amounts are those of the premises where it was asked."""

    premises = serializers.CharField(source="premises.code", read_only=True)
    requested_by = serializers.CharField(source="requested_by.username", read_only=True)
    payload = serializers.DictField(child=serializers.CharField(), read_only=True)

    class Meta:
        model = ApprovalRequest
        fields = ["id", "premises", "payload", "reason", "requested_by", "requested_at", "expires_at"]


class DuesSerializer(serializers.Serializer[Any]):
    pairs = DueSerializer(many=True)
    waiting = WaitingSerializer(many=True)


class ClearingSerializer(FormSerializer):
    form_class = ClearingForm


class ReportSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    title = serializers.CharField()
    about = serializers.CharField()
    large = serializers.BooleanField()


class RowsSerializer(ReportSerializer):
    columns = serializers.ListField(child=serializers.CharField())
    rows = serializers.ListField(child=serializers.ListField())
    totals = serializers.ListField()


class ExportRequestSerializer(FormSerializer):
    form_class = ExportForm


class ExportSerializer(serializers.ModelSerializer[Export]):
    premises = serializers.CharField(source="premises.code", read_only=True)
    requested_by = serializers.CharField(source="requested_by.username", read_only=True)
    percent = serializers.IntegerField(read_only=True)
    file_name = serializers.CharField(read_only=True)

    class Meta:
        model = Export
        fields = [
            "id", "premises", "first", "last", "request", "as_of", "requested_by", "requested_at", "state", "percent",
            "error", "file_name", "file_bytes", "file_sha256", "finished_at",
        ]  # fmt: skip
