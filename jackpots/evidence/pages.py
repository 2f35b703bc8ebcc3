"""The evidence pack of a win, as a download from its page and by REST, and the key by which packs are checked."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_POST
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.kit import keys
from config.kit.forms import FormSerializer, attempt
from jackpots.evidence import packs
from jackpots.forms import PackForm
from jackpots.queries import READERS, visible_wins
from jackpots.wins.pages import win_page
from people.access import HasRole, person, role_required


@require_POST
@role_required(*packs.MAY_MAKE)
def pack(request: HttpRequest, pk: int) -> HttpResponse:
    """Makes the pack of a win as it stands, and hands it out; that it was made is on record."""
    get_object_or_404(visible_wins(request.user), pk=pk)
    form = PackForm(request.POST)
    made = attempt(form, lambda given: packs.make(pk, person(request), with_winner=given["with_winner"]))
    return win_page(request, pk, "pack", form) if made is None else _download(made)


def _download(made: packs.Pack) -> HttpResponse:
    given = {"Content-Disposition": f'attachment; filename="{made.name}"', "X-Content-SHA256": made.sha256}
    return HttpResponse(made.content, content_type="application/zip", headers=given)


# --- REST -----------------------------------------------------------------------------------------------------
class PackSerializer(FormSerializer):
    form_class = PackForm


class EvidenceKeysSerializer(serializers.Serializer[Any]):
    keys = serializers.ListField(
        child=serializers.CharField(), help_text="In hex: the one in use first, then earlier ones."
    )


class PackView(APIView):
    permission_classes = [HasRole.of(*packs.MAY_MAKE)]

    @extend_schema(
        request=PackSerializer,
        responses={(200, "application/zip"): OpenApiResponse(OpenApiTypes.BINARY, "The pack, signed.")},
    )
    def post(self, request: Request, pk: int) -> HttpResponse:
        """Makes the evidence pack of a win as it stands; that it was made is on record, hence no GET."""
        generics.get_object_or_404(visible_wins(request.user), pk=pk)
        form = PackSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        with_winner: bool = form.validated_data["with_winner"]
        return _download(packs.make(pk, person(request), with_winner=with_winner))


class EvidenceKeysView(APIView):
    permission_classes = [HasRole.of(*READERS)]

    @extend_schema(responses=EvidenceKeysSerializer)
    def get(self, request: Request) -> Response:
        """The public keys by which evidence packs of this installation are checked (Ed25519)."""
        return Response({"keys": keys.public_keys(keys.EVIDENCE)})
