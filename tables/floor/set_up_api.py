"""The REST calls by which a floor is set up: the same verbs as the pages (tables.floor.set_up_pages). Rules are a
document, as a round has them; whether the rulebook allows them is for the rules to say."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import generics, serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.kit.forms import FormSerializer
from config.kit.rest import Pages, paged
from people.access import HasRole, person, premises_of
from people.api_shapes import AskedSerializer, read, told
from people.models import Premises, Role
from tables.floor import changes, edges, limits, notices, set_up
from tables.floor.rules_form import WholeLimitsForm, WholeRulesForm, WholeTableForm
from tables.forms import ArrangeForm, LimitsSignForm, NoticeForm, TakenForm
from tables.models import InspectorNotice, Table, TableChange

ADMINISTRATOR, SUPERVISOR = Role.ADMINISTRATOR, Role.SUPERVISOR


# --- Shapes -----------------------------------------------------------------------------------------------------
class RulesSerializer(FormSerializer):
    form_class = WholeRulesForm


class NewTableSerializer(FormSerializer):
    form_class = WholeTableForm


class LimitsSerializer(FormSerializer):
    form_class = WholeLimitsForm


class ArrangeSerializer(FormSerializer):
    form_class = ArrangeForm


class LimitsSignSerializer(FormSerializer):
    form_class = LimitsSignForm


class NewNoticeSerializer(FormSerializer):
    form_class = NoticeForm


class TakenSerializer(FormSerializer):
    form_class = TakenForm


class TableChangeSerializer(serializers.ModelSerializer[TableChange]):
    table = serializers.CharField(source="table.code", read_only=True)
    rules = serializers.CharField(
        source="config.sha256", read_only=True, help_text="SHA-256 of the new rules."
    )

    class Meta:
        model = TableChange
        fields = [
            "id", "table", "kind", "rules", "needs_notice", "exception", "reason", "shown_at", "from_at", "state",
            "ended_at",
        ]  # fmt: skip
        read_only_fields = fields


class StandsSerializer(serializers.Serializer[Any]):
    """How a table is set up."""

    premises = serializers.CharField(source="premises.code")
    table = serializers.CharField(source="code")
    pit = serializers.CharField()
    seats = serializers.IntegerField(allow_null=True)
    chips = serializers.ListField(child=serializers.CharField(), allow_null=True)
    reserved_for = serializers.CharField(allow_null=True)
    device_error_ms = serializers.IntegerField(allow_null=True)
    closing_at = serializers.DateTimeField(allow_null=True)
    rules = serializers.DictField(source="config.document")
    rules_from = serializers.DateTimeField(allow_null=True)
    house_edge = serializers.SerializerMethodField()
    planned = serializers.SerializerMethodField()

    def get_house_edge(self, table: Table) -> dict[str, str]:
        return edges.in_words(edges.figures(table.config.document))

    @extend_schema_field(TableChangeSerializer(allow_null=True))
    def get_planned(self, table: Table) -> Any:
        planned = changes.planned_of(table)
        return None if planned is None else TableChangeSerializer(planned).data


class NoticeSerializer(serializers.ModelSerializer[InspectorNotice]):
    table = serializers.CharField(source="table.code", read_only=True)
    by = serializers.CharField(source="made_by.username", read_only=True)
    taken_by = serializers.CharField(
        source="acknowledgement.inspector", read_only=True, allow_null=True, default=None
    )
    taken_at = serializers.DateTimeField(
        source="acknowledgement.at", read_only=True, allow_null=True, default=None
    )

    class Meta:
        model = InspectorNotice
        fields = ["id", "table", "kind", "rule", "text", "by", "made_at", "taken_by", "taken_at"]
        read_only_fields = fields


# --- Calls ------------------------------------------------------------------------------------------------------
class NewTableView(APIView):
    permission_classes = [HasRole.of(ADMINISTRATOR)]

    @extend_schema(request=NewTableSerializer, responses={202: AskedSerializer})
    def post(self, request: Request, premises: str) -> Response:
        """Asks for a table. It is there, closed, once another person has approved exactly this."""
        row = generics.get_object_or_404(Premises, code=premises)
        given = read(NewTableSerializer(data=request.data))
        document = given.pop("rules")
        return told(set_up.ask_for_table(person(request), row, document=document, **given))


class OfATable(APIView):
    def table(self, premises: str, table: str) -> Table:
        rows = Table.objects.select_related("premises", "config", "table_log")
        return generics.get_object_or_404(rows, premises__code=premises, code=table)


class RulesView(OfATable):
    permission_classes = [HasRole.of()]

    @extend_schema(responses=StandsSerializer)
    def get(self, request: Request, premises: str, table: str) -> Response:
        """How a table is set up: rules in force, their exact house edge, and the change that is shown."""
        return Response(StandsSerializer(self.table(premises, table)).data)

    @extend_schema(request=RulesSerializer, responses={202: AskedSerializer})
    def post(self, request: Request, premises: str, table: str) -> Response:
        """Asks for other rules, which another person approves; then they are shown, and in force when the rulebook lets
        them. Administrators."""
        row, given = self.table(premises, table), read(RulesSerializer(data=request.data))
        document = given.pop("rules")
        return told(set_up.ask_for_rules(row.pk, person(request), document, **given))


class SupervisorOfATable(OfATable):
    permission_classes = [HasRole.of(SUPERVISOR)]


class LimitsView(SupervisorOfATable):
    @extend_schema(request=LimitsSerializer, responses=TableChangeSerializer)
    def post(self, request: Request, premises: str, table: str) -> Response:
        """Other limits: at once, or 20 minutes after their limits sign where they are worse for players."""
        row, given = self.table(premises, table), read(LimitsSerializer(data=request.data))
        change = limits.change_limits(row.pk, person(request), **given)
        return Response(TableChangeSerializer(change).data)


class ShowClosingView(SupervisorOfATable):
    @extend_schema(request=LimitsSignSerializer, responses=StandsSerializer)
    def post(self, request: Request, premises: str, table: str) -> Response:
        """The limits sign that the table closes is up: no round begins after 20 minutes."""
        row, given = self.table(premises, table), read(LimitsSignSerializer(data=request.data))
        return Response(StandsSerializer(limits.show_closing(row.pk, person(request), **given)).data)


class TakeClosingBackView(SupervisorOfATable):
    @extend_schema(request=LimitsSignSerializer, responses=StandsSerializer)
    def post(self, request: Request, premises: str, table: str) -> Response:
        """The table stays open: its limits sign is taken down."""
        row, given = self.table(premises, table), read(LimitsSignSerializer(data=request.data))
        return Response(StandsSerializer(limits.take_closing_back(row.pk, person(request), **given)).data)


class ArrangeView(OfATable):
    permission_classes = [HasRole.of(ADMINISTRATOR, SUPERVISOR)]

    @extend_schema(request=ArrangeSerializer, responses=StandsSerializer)
    def post(self, request: Request, premises: str, table: str) -> Response:
        """Its pit, its seats in use, whether it is private and its declared time error: all as they are given."""
        row, given = self.table(premises, table), read(ArrangeSerializer(data=request.data))
        return Response(StandsSerializer(set_up.arrange(row.pk, person(request), **given)).data)


class WithdrawView(OfATable):
    permission_classes = [HasRole.of(ADMINISTRATOR, SUPERVISOR)]

    @extend_schema(request=LimitsSignSerializer, responses=TableChangeSerializer)
    def post(self, request: Request, premises: str, table: str) -> Response:
        """Withdraws the change that is shown, before its time."""
        row, given = self.table(premises, table), read(LimitsSignSerializer(data=request.data))
        return Response(TableChangeSerializer(limits.withdraw_change(row.pk, person(request), **given)).data)


class NoticesView(OfATable):
    pagination_class = Pages
    permission_classes = [HasRole.of()]

    @extend_schema(responses=NoticeSerializer(many=True))
    def get(self, request: Request, premises: str, table: str) -> Response:
        """What inspectors were told about a table, newest first, 100 a page."""
        rows = self.table(premises, table).notices.select_related("made_by", "acknowledgement", "table")
        return paged(self, request, rows.order_by("-pk"), lambda row: NoticeSerializer(row).data)

    @extend_schema(request=NewNoticeSerializer, responses={201: NoticeSerializer})
    def post(self, request: Request, premises: str, table: str) -> Response:
        """Puts on record that an inspector was told: supervisors."""
        row, given = self.table(premises, table), read(NewNoticeSerializer(data=request.data))
        notice = notices.tell_inspector(row.pk, person(request), **given)
        notice.refresh_from_db()
        return Response(NoticeSerializer(notice).data, status=status.HTTP_201_CREATED)


class AcknowledgeView(APIView):
    permission_classes = [HasRole.of(*notices.WHO)]

    @extend_schema(request=TakenSerializer, responses=NoticeSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Which inspector has taken a notice. Once."""
        own = InspectorNotice.objects.filter(table__premises__in=premises_of(request.user, notices.WHO))
        row, given = generics.get_object_or_404(own, pk=pk), read(TakenSerializer(data=request.data))
        taken = notices.acknowledge_notice(row.pk, person(request), **given)
        return Response(NoticeSerializer(taken.notice).data)
