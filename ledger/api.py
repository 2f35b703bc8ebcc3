"""The ledger's REST API: everything to read, by premises; the steps of a close and export requests to act on."""

from __future__ import annotations

from datetime import date
from itertools import islice
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.kit.refusals import NOT_NOW, Refused, wrong
from config.kit.sheets.writers import as_text
from ledger import queries
from ledger import serializers as shapes
from ledger.books import balances
from ledger.books.snapshot import snapshot
from ledger.close import closing, dues
from ledger.exports import bundle, download, service
from ledger.models import Entry, Export, GamingDay, OpenItem, Seal
from ledger.queries import BOOK_READERS, DAY_READERS
from ledger.reports import reports
from people.access import HasRole, person
from people.models import Premises, Role

MAX_ROWS = 5_000


class LedgerView(APIView):
    """A view of one premises' books, for those who may read them there."""

    permission_classes = [HasRole.of(*BOOK_READERS)]

    @property
    def premises(self) -> Premises:
        return get_object_or_404(Premises, code=self.kwargs["premises"])

    def day(self) -> GamingDay:
        try:
            wanted = date.fromisoformat(self.kwargs["date"])
        except ValueError as error:
            raise Http404(f"{self.kwargs['date']!r} is no date such as 2026-03-14.") from error
        found = GamingDay.objects.select_related("premises", "closing_by", "closed_by")
        return get_object_or_404(found, premises=self.premises, date=wanted)

    def asked(self, form: type[serializers.Serializer[Any]], data: Any = None) -> dict[str, Any]:
        filled = form(data=self.request.query_params if data is None else data)
        filled.is_valid(raise_exception=True)
        return dict(filled.validated_data)


# --- Gaming days ----------------------------------------------------------------------------------------------
class DaysView(LedgerView):
    permission_classes = [HasRole.of(*DAY_READERS)]

    @extend_schema(responses=shapes.DaySerializer(many=True), parameters=[shapes.DaySearchSerializer])
    def get(self, request: Request, premises: str) -> Response:
        """The newest gaming days, 400 at a time; `last` goes on with those up to a day."""
        found = queries.find_days(self.premises, self.asked(shapes.DaySearchSerializer))
        rows = found.select_related("premises", "closing_by", "closed_by")[:400]
        return Response(shapes.DaySerializer(rows, many=True).data)


class DayView(LedgerView):
    permission_classes = [HasRole.of(*DAY_READERS)]

    @extend_schema(responses=shapes.ChecklistSerializer)
    def get(self, request: Request, premises: str, date: str) -> Response:
        """The day with its checklist: as it is now, or as it stood at the close."""
        day = self.day()
        if day.state == GamingDay.State.CLOSED:
            content = {"day": shapes.DaySerializer(day).data, "ready": True, "checks": day.checklist}
        else:
            content = dict(shapes.ChecklistSerializer(closing.checklist(day)).data)
        items = OpenItem.objects.filter(day=day)
        return Response(content | {"open_items": shapes.OpenItemSerializer(items, many=True).data})


class _StepView(LedgerView):
    """A step of the close; the verb asks for its own role, the answer is the day."""

    permission_classes = [HasRole.of(Role.FINANCE)]

    def act(self, day: GamingDay, data: Any) -> None:
        raise NotImplementedError

    def post(self, request: Request, premises: str, date: str) -> Response:
        self.act(self.day(), request.data)
        return Response(shapes.DaySerializer(self.day()).data)


@extend_schema(request=None, responses=shapes.DaySerializer)
class BeginCloseView(_StepView):
    def act(self, day: GamingDay, data: Any) -> None:
        closing.begin_close(day, person(self.request))


@extend_schema(request=shapes.ReasonSerializer, responses=shapes.DaySerializer)
class AbandonCloseView(_StepView):
    def act(self, day: GamingDay, data: Any) -> None:
        reason = self.asked(shapes.ReasonSerializer, data)["reason"]
        closing.abandon_close(day, person(self.request), reason)


@extend_schema(request=None, responses=shapes.DaySerializer)
class CloseView(_StepView):
    def act(self, day: GamingDay, data: Any) -> None:
        closing.close_day(day, person(self.request))


class CarryOverView(LedgerView):
    permission_classes = [HasRole.of(*closing.CARRY_OVER.request_roles)]

    @extend_schema(request=shapes.CarryOverSerializer, responses={201: shapes.RequestedSerializer})
    def post(self, request: Request, premises: str, date: str) -> Response:
        """Asks that a finding be carried over; it counts once another person has approved it."""
        wanted = self.asked(shapes.CarryOverSerializer, request.data)
        made = closing.request_carry_over(
            self.day(), wanted["check"], wanted["item"], person(self.request), wanted["reason"]
        )
        return Response(shapes.RequestedSerializer(made).data, status=status.HTTP_201_CREATED)


# --- The books ------------------------------------------------------------------------------------------------
class TrialBalanceView(LedgerView):
    @extend_schema(parameters=[shapes.SpanSerializer], responses=shapes.TrialLineSerializer(many=True))
    def get(self, request: Request, premises: str) -> Response:
        """Every account, or those of a table and of a progressive where these are given."""
        span = self.asked(shapes.SpanSerializer)
        lines = balances.trial_balance(self.premises, span["first"], span["last"])
        prefixes = tuple(reports.Scope(self.premises, **span).account_prefixes)
        if prefixes:
            lines = [line for line in lines if line.code.startswith(prefixes)]
        return Response(shapes.TrialLineSerializer(lines, many=True).data)


class EntriesView(LedgerView):
    @extend_schema(parameters=[shapes.EntrySearchSerializer], responses=shapes.EntrySerializer(many=True))
    def get(self, request: Request, premises: str) -> Response:
        """The newest entries that match; `before_id` goes on from the last one of the page before."""
        search = queries.Search(**self.asked(shapes.EntrySearchSerializer))
        found = queries.find_entries(self.premises, search)
        return Response(shapes.EntrySerializer(found, many=True).data)


class EntryView(LedgerView):
    @extend_schema(responses=shapes.EntrySerializer)
    def get(self, request: Request, premises: str, pk: int) -> Response:
        one = Entry.objects.filter(premises=self.premises, pk=pk).select_related("day", "corrects")
        found = queries.with_legs(one)
        if not found:
            raise Http404
        return Response(shapes.EntrySerializer(found[0]).data)


class DuesView(LedgerView):
    def get_permissions(self) -> list[Any]:
        roles = dues.FINANCE if self.request.method == "POST" else BOOK_READERS
        return [HasRole.of(*roles)()]

    @extend_schema(responses=shapes.DuesSerializer)
    def get(self, request: Request, premises: str) -> Response:
        """What is open between this premises and others, by pair, and what waits to be cleared."""
        here = self.premises
        found = {"pairs": dues.open_dues(here), "waiting": dues.waiting(here)}
        return Response(shapes.DuesSerializer(found).data)

    @extend_schema(request=shapes.ClearingSerializer, responses={201: shapes.RequestedSerializer})
    def post(self, request: Request, premises: str) -> Response:
        """Asks that these amounts of a pair be cleared; done when another person of finance approves."""
        wanted = self.asked(shapes.ClearingSerializer, request.data)
        made = dues.request_clearing(
            person(self.request),
            self.premises,
            wanted["other"],
            wanted["we_owe"],
            wanted["they_owe"],
            wanted["reason"],
        )
        return Response(shapes.RequestedSerializer(made).data, status=status.HTTP_201_CREATED)


class SealsView(LedgerView):
    @extend_schema(responses=shapes.SealSerializer(many=True))
    def get(self, request: Request, premises: str) -> Response:
        """The newest seals. A chain covers all premises of the installation."""
        found = Seal.objects.defer("leaves").order_by("-number")[: queries.PAGE]
        return Response(shapes.SealSerializer(found, many=True).data)


# --- Reports --------------------------------------------------------------------------------------------------
class ReportsView(LedgerView):
    @extend_schema(responses=shapes.ReportSerializer(many=True))
    def get(self, request: Request, premises: str) -> Response:
        return Response(shapes.ReportSerializer(reports.sources(), many=True).data)


class ReportView(LedgerView):
    @extend_schema(parameters=[shapes.SpanSerializer], responses=shapes.RowsSerializer)
    def get(self, request: Request, premises: str, name: str) -> Response:
        """A report's rows, money as text. Long ones (wager detail) are in exports only."""
        try:
            source = reports.source_named(name)
        except LookupError as error:
            raise Http404(str(error)) from error
        if source.large:
            text = f"{source.title} is too long for an answer; ask for an export."
            raise Refused("too_long", text, status=NOT_NOW)
        span = self.asked(shapes.SpanSerializer)
        if span["first"] is None or span["last"] is None:
            raise wrong("first", "Give the first and the last gaming day.")
        for name in ("table", "progressive"):
            if span[name] and name not in source.filters:
                words = f"{source.title} is always whole; it cannot be asked for by {name}."
                raise wrong(name, words)
        with snapshot():
            rows = list(islice(source.rows(reports.Scope(self.premises, **span)), MAX_ROWS + 1))
        if len(rows) > MAX_ROWS:
            # Part of the rows under totals of that part would pass for the whole.
            words = f"{source.title} of these days has more than {MAX_ROWS} rows; ask for fewer days, or for an export."
            raise Refused("too_long", words, status=NOT_NOW)
        totals = reports.totals(source, rows)
        cells = [column.cell for column in source.columns]
        content = {
            "name": source.name, "title": source.title, "about": source.about, "large": source.large,
            "columns": [column.name for column in source.columns],
            "rows": [[as_text(v, c) for v, c in zip(row, cells, strict=True)] for row in rows],
            "totals": [as_text(v, c) for v, c in zip(totals, cells, strict=True)],
        }  # fmt: skip
        return Response(content)


# --- Exports --------------------------------------------------------------------------------------------------
class ExportsView(LedgerView):
    def get_permissions(self) -> list[Any]:
        roles = service.REQUEST_ROLES if self.request.method == "POST" else service.READ_ROLES
        return [HasRole.of(*roles)()]

    @extend_schema(responses=shapes.ExportSerializer(many=True))
    def get(self, request: Request, premises: str) -> Response:
        found = Export.objects.filter(premises=self.premises).select_related("premises", "requested_by")
        return Response(shapes.ExportSerializer(found[: queries.PAGE], many=True).data)

    @extend_schema(
        request=shapes.ExportRequestSerializer,
        responses={200: shapes.ExportSerializer, 201: shapes.ExportSerializer},
    )
    def post(self, request: Request, premises: str) -> Response:
        """Asks for an export: 201 if it is new, 200 if this request in this state of the books was made before."""
        wanted = self.asked(shapes.ExportRequestSerializer, request.data)
        made, created = service.request_export(
            person(self.request), self.premises, bundle.Request(premises=premises, **wanted)
        )
        shape = shapes.ExportSerializer(made)
        return Response(shape.data, status=status.HTTP_201_CREATED if created else status.HTTP_200_OK)


class ExportView(LedgerView):
    def one(self) -> Export:
        found = Export.objects.filter(premises=self.premises).select_related("premises", "requested_by")
        return get_object_or_404(found, pk=self.kwargs["pk"])

    @extend_schema(responses=shapes.ExportSerializer)
    def get(self, request: Request, premises: str, pk: str) -> Response:
        return Response(shapes.ExportSerializer(self.one()).data)


class ExportFileView(ExportView):
    @extend_schema(responses={(200, "application/zip"): OpenApiTypes.BINARY})
    def get(self, request: Request, premises: str, pk: str) -> Any:
        """The archive itself, once it is ready."""
        export = self.one()
        answer = download.send(export, person(self.request))
        if answer is None:
            text = f"{export.file_name} is not ready: {export.get_state_display().lower()}."
            building = export.state in {Export.State.REQUESTED, Export.State.BUILDING}
            raise Refused("not_ready", text, status=NOT_NOW, retry=building)
        return answer
