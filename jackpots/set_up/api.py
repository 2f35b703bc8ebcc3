"""REST of setting progressives up: the rulebooks' schedules, a review that changes nothing, and what is asked for: a
new one, a change, its withdrawal, tables linked, suspended and resumed. Each is done when another person approves
it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.kit.forms import FormSerializer
from jackpots.models import Progressive
from jackpots.queries import READERS, visible_progressives
from jackpots.set_up import changes, table_links
from jackpots.set_up.drafts import Draft
from jackpots.set_up.forms import AskForm, ChangeAskForm, DraftForm, LinkForm, NewAskForm, NewForm
from jackpots.set_up.review import Review, review
from people.access import HasRole, person, require
from people.models import ApprovalRequest
from rules.money import format_money
from rules.progressive import PRESETS, encode


class NewReviewSerializer(FormSerializer):
    form_class = NewForm


class ChangeReviewSerializer(FormSerializer):
    form_class = DraftForm


class NewSerializer(FormSerializer):
    form_class = NewAskForm


class ProgressiveChangeSerializer(FormSerializer):
    form_class = ChangeAskForm


class AskSerializer(FormSerializer):
    form_class = AskForm


class JoinSerializer(FormSerializer):
    form_class = LinkForm


class ProgressiveAskedSerializer(serializers.ModelSerializer[ApprovalRequest]):
    """What waits for a second person."""

    asked_by = serializers.CharField(source="requested_by.username", read_only=True)

    class Meta:
        model = ApprovalRequest
        fields = ["id", "action", "payload", "payload_sha256", "reason", "asked_by", "expires_at"]

    payload = serializers.JSONField(read_only=True)


class ScheduleSerializer(serializers.Serializer[object]):
    name = serializers.CharField()
    minimums = serializers.BooleanField(help_text="An operator may pay more.")
    amounts_open = serializers.BooleanField(help_text="The rulebook names hands and no amounts.")
    document = serializers.JSONField(help_text="Its rules; levels are the operator's.")


class ReviewSerializer(serializers.Serializer[object]):
    may_be_asked = serializers.BooleanField()
    changes = serializers.ListField(child=serializers.DictField())
    findings = serializers.ListField(child=serializers.DictField())
    figures = serializers.ListField(child=serializers.JSONField())
    dry_run = serializers.JSONField(allow_null=True)


class SchedulesView(APIView):
    permission_classes = [HasRole.of(*READERS)]

    @extend_schema(responses=ScheduleSerializer(many=True))
    def get(self, request: Request) -> Response:
        """The jackpot schedules of the rulebooks, as documents that still lack their levels."""
        found = [
            {
                "name": name,
                "minimums": book.minimums,
                "amounts_open": book.amounts_open,
                "document": encode(book.rules),
            }
            for name, book in PRESETS.items()
        ]
        return Response(found)


class _ManagersView(APIView):
    permission_classes = [HasRole.of(*changes.SETTERS)]

    def form(self, serializer: type[FormSerializer], request: Request) -> dict[str, Any]:
        found = serializer(data=request.data)
        found.is_valid(raise_exception=True)
        given: dict[str, Any] = found.validated_data
        return given

    def found(self, request: Request, code: str) -> Progressive:
        progressive = generics.get_object_or_404(visible_progressives(request.user), code=code)
        require(person(request), changes.SETTERS, progressive.host)
        return progressive


class ReviewNewView(_ManagersView):
    @extend_schema(request=NewReviewSerializer, responses=ReviewSerializer)
    def post(self, request: Request) -> Response:
        """What a new progressive would mean: findings, exact figures. Nothing is done."""
        given = self.form(NewReviewSerializer, request)
        require(person(request), changes.SETTERS, given["host"])
        return Response(review_document(review(_draft(given), DraftForm.asked_of(given))))


class ReviewChangeView(_ManagersView):
    @extend_schema(request=ChangeReviewSerializer, responses=ReviewSerializer)
    def post(self, request: Request, code: str) -> Response:
        """What a change would mean: differences in words, findings, figures, and a dry run over the log. Nothing is
        done."""
        progressive = self.found(request, code)
        given = self.form(ChangeReviewSerializer, request)
        return Response(review_document(review(_draft(given, progressive), DraftForm.asked_of(given))))


class NewView(_ManagersView):
    @extend_schema(request=NewSerializer, responses={202: ProgressiveAskedSerializer})
    def post(self, request: Request) -> Response:
        """Asks for a new progressive."""
        given = self.form(NewSerializer, request)
        return _accepted(changes.request_setup(_draft(given), person(request), given["reason"]))


class ChangeView(_ManagersView):
    @extend_schema(request=ProgressiveChangeSerializer, responses={202: ProgressiveAskedSerializer})
    def post(self, request: Request, code: str) -> Response:
        """Asks for other rules or settings."""
        progressive = self.found(request, code)
        given = self.form(ProgressiveChangeSerializer, request)
        return _accepted(changes.request_setup(_draft(given, progressive), person(request), given["reason"]))


class WithdrawView(_ManagersView):
    @extend_schema(request=AskSerializer, responses={202: ProgressiveAskedSerializer})
    def post(self, request: Request, code: str) -> Response:
        """Asks that rules which are not in force yet be taken back."""
        progressive = self.found(request, code)
        given = self.form(AskSerializer, request)
        return _accepted(changes.request_withdrawal(progressive.code, person(request), given["reason"]))


class LinksView(_ManagersView):
    @extend_schema(request=JoinSerializer, responses={202: ProgressiveAskedSerializer})
    def post(self, request: Request, code: str) -> Response:
        """Asks that a table's wagers feed a progressive and win from it."""
        progressive = self.found(request, code)
        given = self.form(JoinSerializer, request)
        return _accepted(table_links.request_link(progressive.code, person(request), **given))


class _LinkStepView(_ManagersView):
    permission_classes = [HasRole.of(*table_links.STAFF)]

    def ask(self, request: Request, code: str, premises: str, table: str, verb: Any) -> Response:
        progressive = generics.get_object_or_404(visible_progressives(request.user), code=code)
        require(person(request), table_links.STAFF, progressive.host)
        given = self.form(AskSerializer, request)
        return _accepted(verb(progressive.code, person(request), premises, table, given["reason"]))


class SuspendView(_LinkStepView):
    @extend_schema(request=AskSerializer, responses={202: ProgressiveAskedSerializer})
    def post(self, request: Request, code: str, at: str, table: str) -> Response:
        """Asks that a table's wagers no longer count."""
        return self.ask(request, code, at, table, table_links.request_suspension)


class ResumeView(_LinkStepView):
    @extend_schema(request=AskSerializer, responses={202: ProgressiveAskedSerializer})
    def post(self, request: Request, code: str, at: str, table: str) -> Response:
        """Asks that a table's wagers count again."""
        return self.ask(request, code, at, table, table_links.request_resumption)


def _accepted(asked: ApprovalRequest) -> Response:
    return Response(ProgressiveAskedSerializer(asked).data, status=status.HTTP_202_ACCEPTED)


def _draft(given: dict[str, Any], progressive: Progressive | None = None) -> Draft:
    settings = DraftForm.settings_of(given)
    if progressive is None:
        return Draft(given["code"], given["host"], given["document"], settings)
    return Draft(progressive.code, progressive.host, given["document"], settings, progressive, given["day"])


def review_document(found: Review) -> dict[str, Any]:
    """A review for programs; money as text."""
    dry = found.dry_run
    return {
        "may_be_asked": found.may_be_asked,
        "changes": [
            *(asdict(each) for each in found.changes),
            *({"what": what, "before": before, "after": after} for what, before, after in found.settings),
        ],
        "findings": [asdict(each) for each in found.findings],
        "figures": list(found.figures),
        "dry_run": None
        if dry is None
        else {
            "first": dry.first.isoformat(),
            "last": dry.last.isoformat(),
            "wagered": format_money(dry.wagered_micros),
            "paid": format_money(dry.was_micros),
            "would_be_paid": format_money(dry.would_micros),
            "wins": [
                {
                    "trigger": paid.trigger,
                    "level": paid.level,
                    "wins": paid.wins,
                    "paid": format_money(paid.paid_micros),
                    "would_win": paid.would_wins,
                    "would_be_paid": format_money(paid.would_micros),
                }
                for paid in dry.paid
            ],
            "meters": {
                level: {
                    "was": None if was is None else format_money(was),
                    "would_be": format_money(would),
                }
                for level, (was, would) in dry.meters.items()
            },
        },
    }
