"""The form on a table's page and the REST call that enter slips: openers, fills, credits, closers and the drop."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.dateparse import parse_date
from django.views.decorators.http import require_POST
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.refusals import Refused, wrong
from people.access import HasRole, person, role_required
from people.models import Premises
from rules import RuleError
from rules.money import format_money, parse_money
from tables import chips
from tables.models import Table


@require_POST
@role_required(*chips.ANY_OF)
def enter(request: HttpRequest, premises: Premises, code: str) -> HttpResponse:
    table = get_object_or_404(Table, premises=premises, code=code)
    try:
        day = _day(request.POST.get("day", "").strip())
        made = chips.enter_slip(
            table.pk,
            request.POST.get("kind", ""),
            request.POST.get("slip", ""),
            parse_money(request.POST.get("amount", "").strip(), "amount"),
            person(request),
            day=day,
        )
    except RuleError as fault:
        messages.error(request, str(fault))
    except Refused as refused:
        messages.error(request, refused.sentence)
    else:
        what = f"Slip {made.number}: {made.kind} of {format_money(made.amount_micros)}"
        late = f" Its day is closed: it is in the books of {made.day}." if made.late else ""
        if made.booked:
            messages.success(request, f"{what} was booked before; nothing has changed.{late}")
        else:
            messages.success(
                request, f"{what} is booked when another person approves it on the page Approvals."
            )
    return redirect("table", premises=premises.code, code=code)


def _day(text: str) -> date | None:
    """None where nothing was given: today. What cannot be read must not become today's."""
    try:
        day = parse_date(text)
    except ValueError:
        day = None
    if text and day is None:
        raise wrong("day", "Gaming day: a date such as 2026-03-14.")
    return day


class SlipSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=[kind.value for kind in chips.Kind])
    slip = serializers.CharField(max_length=chips.MAX_SLIP_LENGTH)
    amount = serializers.CharField(max_length=20, help_text="Money as text: '500.00'.")
    day = serializers.DateField(required=False, default=None, help_text="Its gaming day; today's without it.")


class BookedSerializer(serializers.Serializer[Any]):
    kind = serializers.CharField()
    slip = serializers.CharField(source="number")
    amount = serializers.SerializerMethodField()
    day = serializers.DateField(help_text="Its gaming day, or the later one in whose books it is.")
    booked = serializers.BooleanField(help_text="If not, it waits for another person's approval.")
    late = serializers.BooleanField()
    new = serializers.BooleanField()

    def get_amount(self, made: chips.Slip) -> str:
        return format_money(made.amount_micros)


class SlipsView(APIView):
    """Openers, fills, credits and closers by a supervisor, the drop by finance; booked when another person approves."""

    permission_classes = [HasRole.of(*chips.ANY_OF)]

    @extend_schema(
        request=SlipSerializer,
        responses={
            202: OpenApiResponse(BookedSerializer, "Entered; it waits for another person's approval."),
            200: OpenApiResponse(BookedSerializer, "The same slip was entered or booked before."),
        },
    )
    def post(self, request: Request, premises: str, table: str) -> Response:
        """Enters a slip once: sending it again is safe and says so."""
        found = get_object_or_404(Table, premises__code=premises, code=table)
        form = SlipSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        given: dict[str, Any] = form.validated_data
        made = chips.enter_slip(
            found.pk,
            given["kind"],
            given["slip"],
            parse_money(given["amount"], "amount"),
            person(request),
            day=given["day"],
        )
        return Response(
            BookedSerializer(made).data, status=status.HTTP_202_ACCEPTED if made.new else status.HTTP_200_OK
        )
