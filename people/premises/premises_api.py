"""The administrator's REST calls about premises: the same verbs and forms as the pages
(people.premises.premises_pages)."""

from __future__ import annotations

from django import forms
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.kit.forms import FormSerializer
from people import access
from people.access import HasRole
from people.api_shapes import AskedSerializer, read, told
from people.forms import ChangePremisesForm, NewPremisesForm
from people.models import Premises, Role
from people.premises import premises


class PremisesSerializer(serializers.ModelSerializer[Premises]):
    class Meta:
        model = Premises
        fields = list(premises.FACTS)
        read_only_fields = fields


class HomeForm(NewPremisesForm):
    """With the premises at which it is asked for, where a page takes those that the person works at."""

    home = forms.SlugField(label="Code of the premises at which another person approves it", max_length=32)


class NewPremisesSerializer(FormSerializer):
    form_class = HomeForm


class ChangePremisesSerializer(FormSerializer):
    form_class = ChangePremisesForm


class PremisesView(APIView):
    permission_classes = [HasRole.of(Role.ADMINISTRATOR)]

    @extend_schema(responses=PremisesSerializer(many=True))
    def get(self, request: Request) -> Response:
        """The premises that you administer."""
        own = access.premises_of(request.user, Role.ADMINISTRATOR).order_by("code")
        return Response(PremisesSerializer(own, many=True).data)

    @extend_schema(request=NewPremisesSerializer, responses={202: AskedSerializer})
    def post(self, request: Request) -> Response:
        """Asks for new premises. Once another person approves it, both of you have your roles there, too."""
        given = read(NewPremisesSerializer(data=request.data))
        own = access.premises_of(request.user, Role.ADMINISTRATOR)
        home = generics.get_object_or_404(own, code=given["home"])
        facts = premises.PremisesFacts(**{name: given[name] for name in premises.FACTS})
        return told(premises.ask_for_premises(access.person(request), home, facts, given["reason"]))


class OnePremisesView(APIView):
    permission_classes = [HasRole.of(Role.ADMINISTRATOR)]

    @extend_schema(
        operation_id="premises_change", request=ChangePremisesSerializer, responses=PremisesSerializer
    )
    def post(self, request: Request, premises: str) -> Response:
        """Changes them: all fields as they are given. Clock and currency stay once there is a gaming day."""
        row = generics.get_object_or_404(Premises, code=premises)
        given = read(ChangePremisesSerializer(data=request.data))
        return Response(PremisesSerializer(_change(access.person(request), row.pk, **given)).data)


_change = premises.change_premises
