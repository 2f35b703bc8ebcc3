"""Shapes of people's API at its edge."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from config.kit.forms import FormSerializer
from people.alerts import alert_marks, alerts
from people.forms import AcknowledgeForm, ConfirmForm, LanguageForm
from people.models import Alert, AlertAcknowledgement


class AlertSearchSerializer(serializers.Serializer[Any]):
    open = serializers.BooleanField(
        required=False, allow_null=True, default=None, help_text="Only those that are open, or that are not."
    )
    kind = serializers.CharField(required=False, default="", max_length=100)
    premises = serializers.CharField(required=False, default="", max_length=32, help_text="A code.")


class AcknowledgementSerializer(serializers.ModelSerializer[AlertAcknowledgement]):
    by = serializers.CharField(source="actor.username", read_only=True)

    class Meta:
        model = AlertAcknowledgement
        fields = ["by", "at", "note"]


class AlertSerializer(serializers.ModelSerializer[Alert]):
    title = serializers.SerializerMethodField()
    severity = serializers.SerializerMethodField()
    premises = serializers.CharField(source="premises.code", default=None, allow_null=True, read_only=True)
    open = serializers.BooleanField(source="is_open", read_only=True)
    genuine = serializers.SerializerMethodField()
    acknowledgement = serializers.SerializerMethodField()

    class Meta:
        model = Alert
        fields = [
            "id", "kind", "title", "severity", "subject", "occurrence", "text", "premises", "raised_at", "until",
            "genuine", "open", "acknowledgement",
        ]  # fmt: skip

    def get_title(self, alert: Alert) -> str:
        return alerts.title_of(alert.kind)

    def get_severity(self, alert: Alert) -> str:
        return alerts.severity_of(alert).name.lower()

    def get_genuine(self, alert: Alert) -> bool:
        """Whether a process of Potline told it; else somebody wrote the row into the database."""
        return alert_marks.is_genuine(alert)

    @extend_schema_field(AcknowledgementSerializer(allow_null=True))
    def get_acknowledgement(self, alert: Alert) -> Any:
        """Who has looked, where it is that person's own word."""
        made = alerts.acknowledgement_of(alert)
        return AcknowledgementSerializer(made).data if made else None


class AcknowledgeSerializer(FormSerializer):
    form_class = AcknowledgeForm


class ConfirmSerializer(FormSerializer):
    form_class = ConfirmForm


class LanguageSerializer(FormSerializer):
    form_class = LanguageForm
