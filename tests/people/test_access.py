"""Roles count at their premises and nowhere else: in Python, in views, in the REST API."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from rest_framework.response import Response
from rest_framework.test import APIRequestFactory, force_authenticate
from rest_framework.views import APIView

from people import access
from people.models import Premises, Role, User


def test_require_names_the_role_and_the_premises(
    person: Callable[..., User], harbour: Premises, lakeside: Premises
) -> None:
    user = person("fin", Role.FINANCE)
    access.require(user, Role.FINANCE, harbour)
    access.require(user, [Role.AUDITOR, Role.FINANCE], harbour)
    for roles, premises in [(Role.FINANCE, lakeside), (Role.AUDITOR, harbour)]:
        with pytest.raises(PermissionDenied, match=f"{premises.name}.*{roles.label}"):
            access.require(user, roles, premises)


def test_nobody_is_above_the_roles(person: Callable[..., User], harbour: Premises) -> None:
    user = person("root")
    user.is_superuser = user.is_staff = True
    user.save()
    assert not access.may(user, access.ANY_ROLE, harbour)
    assert not access.may(AnonymousUser(), access.ANY_ROLE, harbour)


def test_a_leaver_has_no_roles(person: Callable[..., User], harbour: Premises) -> None:
    user = person("gone", Role.FINANCE)
    assert list(access.premises_of(user)) == [harbour]
    user.is_active = False
    assert access.roles_at(user, harbour) == frozenset()
    assert not access.premises_of(user).exists()


def test_views_ask_for_the_role_at_the_premises_of_the_url(
    person: Callable[..., User], harbour: Premises, lakeside: Premises
) -> None:
    def plain(request: HttpRequest, premises: Premises) -> HttpResponse:
        return HttpResponse(premises.name)

    view = access.role_required(Role.FINANCE)(plain)
    request = RequestFactory().get("/somewhere/")
    request.user = person("fin", Role.FINANCE)
    assert view(request, premises="harbour").content == b"Harbour"
    with pytest.raises(PermissionDenied):
        view(request, premises="lakeside")
    request.user = person("aud", Role.AUDITOR)
    with pytest.raises(PermissionDenied):
        view(request, premises="harbour")
    request.user = AnonymousUser()
    answer = view(request, premises="harbour")
    assert (answer.status_code, answer.url) == (302, "/login/?next=/somewhere/")


class Resource(APIView):
    permission_classes = [access.HasRole.of(Role.FINANCE)]

    def get(self, request: object, premises: str) -> Response:
        return Response({"premises": premises})


def test_rest_asks_the_same(person: Callable[..., User], harbour: Premises, lakeside: Premises) -> None:
    def status(user: User | None, premises: str) -> int:
        request = APIRequestFactory().get("/")
        force_authenticate(request, user)
        return int(Resource.as_view()(request, premises=premises).status_code)

    fin, aud = person("fin", Role.FINANCE), person("aud", Role.AUDITOR)
    assert status(fin, "harbour") == 200
    assert status(fin, "lakeside") == 403
    assert status(fin, "nowhere") == 403
    assert status(aud, "harbour") == 403
    assert status(None, "harbour") == 403
