"""The administrator's REST calls about people: the same verbs and forms as the pages (people.staff.staff_pages)."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import generics, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.kit.rest import Pages
from people import access
from people.access import HasRole, person
from people.models import Role, User
from people.staff import staff
from people.staff.staff_serializers import (
    AskRoleSerializer,
    EndedSerializer,
    InvitedSerializer,
    InviteSerializer,
    LinkSerializer,
    LogInsSerializer,
    PersonSerializer,
    TakeRoleSerializer,
    WhySerializer,
)

ADMINISTRATOR = Role.ADMINISTRATOR


def _link(request: Request, token: str) -> str:
    return request.build_absolute_uri(reverse("invitation", args=[token]))


def _rows(actor: User) -> Any:
    return staff.visible_to(actor).prefetch_related("role_grants__premises").order_by("pk")


class PeopleView(generics.ListAPIView[User]):
    """People of the premises that the reader administers."""

    serializer_class = PersonSerializer
    permission_classes = [HasRole.of(ADMINISTRATOR)]
    pagination_class = Pages

    def get_queryset(self) -> Any:
        return _rows(person(self.request))

    @extend_schema(request=InviteSerializer, responses={201: InvitedSerializer})
    def post(self, request: Request) -> Response:
        """Invites a person and asks for their first role, which another person approves. The link is told this once."""
        actor = person(request)
        given = _read(InviteSerializer, request, actor)
        user, token = staff.invite(
            actor, given["username"], given["name"], given["premises"], Role(given["role"]), given["reason"]
        )
        made = {"person": user, "link": _link(request, token)}
        return Response(InvitedSerializer(made).data, status=status.HTTP_201_CREATED)


def _read(serializer: Any, request: Request, actor: User) -> dict[str, Any]:
    form = serializer(data=request.data, context={"actor": actor})
    form.is_valid(raise_exception=True)
    given: dict[str, Any] = form.validated_data
    return given


class PersonView(generics.RetrieveAPIView[User]):
    serializer_class = PersonSerializer
    permission_classes = [HasRole.of(ADMINISTRATOR)]

    def get_queryset(self) -> Any:
        return _rows(person(self.request))


class PersonStep(APIView):
    """One of the administrator's verbs about a person; people of other premises are not there."""

    permission_classes = [HasRole.of(ADMINISTRATOR)]

    def whom(self, pk: int) -> User:
        return generics.get_object_or_404(staff.visible_to(person(self.request)), pk=pk)

    def now(self, pk: int, code: int = status.HTTP_200_OK) -> Response:
        """The person as they are after it."""
        row = generics.get_object_or_404(
            User.objects.filter(pk=pk).prefetch_related("role_grants__premises"), pk=pk
        )
        return Response(PersonSerializer(row).data, status=code)


class AskRoleView(PersonStep):
    @extend_schema(request=AskRoleSerializer, responses={202: PersonSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Asks for a role; it holds once another person of administration or finance approves it."""
        actor, whom = person(request), self.whom(pk)
        given = _read(AskRoleSerializer, request, actor)
        staff.ask_for_role(actor, whom, given["premises"], Role(given["role"]), given["reason"])
        return self.now(pk, status.HTTP_202_ACCEPTED)


class TakeRoleView(PersonStep):
    @extend_schema(request=TakeRoleSerializer, responses=PersonSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Takes a role at once; what was asked for in it lapses."""
        actor, whom = person(request), self.whom(pk)
        given = _read(TakeRoleSerializer, request, actor)
        own = access.premises_of(actor, ADMINISTRATOR)
        premises = generics.get_object_or_404(own, code=given["premises"])
        staff.take_role(actor, whom, premises, Role(given["role"]), given["reason"])
        return self.now(pk)


class AskLinkView(PersonStep):
    @extend_schema(request=WhySerializer, responses={202: PersonSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Asks for a new link, for somebody who has lost password or second factor; another person approves it."""
        actor, whom = person(request), self.whom(pk)
        staff.ask_for_link(actor, whom, _read(WhySerializer, request, actor)["reason"])
        return self.now(pk, status.HTTP_202_ACCEPTED)


class MakeLinkView(PersonStep):
    @extend_schema(request=None, responses=LinkSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """The link that was approved; told this once."""
        token = staff.make_link(person(request), self.whom(pk))
        return Response(LinkSerializer({"link": _link(request, token)}).data)


class UnlockView(PersonStep):
    @extend_schema(request=None, responses=PersonSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Failed log-ins no longer keep them out."""
        staff.unlock(person(request), self.whom(pk))
        return self.now(pk)


class EndLogInsView(PersonStep):
    @extend_schema(request=LogInsSerializer, responses=EndedSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Ends one log-in, or all of them."""
        actor, whom = person(request), self.whom(pk)
        ended = staff.end_log_ins(actor, whom, _read(LogInsSerializer, request, actor)["log_in"])
        return Response(EndedSerializer({"ended": ended}).data)


class LeaveView(PersonStep):
    @extend_schema(request=WhySerializer, responses=PersonSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """They have left: no role, no log-in, and what they had asked for has lapsed."""
        actor, whom = person(request), self.whom(pk)
        staff.leave(actor, whom, _read(WhySerializer, request, actor)["reason"])
        return self.now(pk)
