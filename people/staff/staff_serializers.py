"""Shapes of the administrator's API about people; what comes in is read by the pages' own forms."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from config.kit.forms import FormSerializer
from people import access
from people.forms import InviteForm, LogInsForm, RoleForm, TakeRoleForm, WhyForm
from people.log_ins import guard
from people.models import Premises, Role, RoleGrant, User


class GrantSerializer(serializers.ModelSerializer[RoleGrant]):
    premises = serializers.CharField(source="premises.code", read_only=True)

    class Meta:
        model = RoleGrant
        fields = ["premises", "role"]


class PersonSerializer(serializers.ModelSerializer[User]):
    active = serializers.BooleanField(source="is_active", read_only=True, help_text="False: has left.")
    roles = GrantSerializer(source="role_grants", many=True, read_only=True)
    locked = serializers.SerializerMethodField(help_text="Failed log-ins keep them out for now.")

    class Meta:
        model = User
        fields = ["id", "username", "name", "active", "roles", "locked", "language"]
        read_only_fields = ["language"]

    def get_locked(self, whom: User) -> bool:
        return guard.is_locked(whom)


class LinkSerializer(serializers.Serializer[Any]):
    link = serializers.URLField(help_text="Where the person sets their password; told this once.")


class InvitedSerializer(LinkSerializer):
    person = PersonSerializer()


class EndedSerializer(serializers.Serializer[Any]):
    ended = serializers.IntegerField()


class AskRoleSerializer(FormSerializer):
    """Only at premises that the person who asks administers."""

    form_class = RoleForm

    def form(self, **given: Any) -> Any:
        actor = self.context.get("actor")
        own = access.premises_of(actor, Role.ADMINISTRATOR) if actor else Premises.objects.none()
        return super().form(premises=own, **given)


class InviteSerializer(AskRoleSerializer):
    form_class = InviteForm


class TakeRoleSerializer(FormSerializer):
    form_class = TakeRoleForm


class WhySerializer(FormSerializer):
    form_class = WhyForm


class LogInsSerializer(FormSerializer):
    form_class = LogInsForm
