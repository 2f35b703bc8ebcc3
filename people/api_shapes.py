"""What REST views of several rooms read and answer alike: a body by its serializer, and what waits for another
person."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers, status
from rest_framework.response import Response


class AskedSerializer(serializers.Serializer[Any]):
    request = serializers.IntegerField(help_text="What another person has to approve.")
    fingerprint = serializers.CharField(help_text="SHA-256 of exactly what is asked for.")


def told(asked: Any) -> Response:
    """What waits for a second person now."""
    answer = {"request": asked.pk, "fingerprint": asked.payload_sha256}
    return Response(AskedSerializer(answer).data, status=status.HTTP_202_ACCEPTED)


def read(serializer: serializers.BaseSerializer[Any]) -> dict[str, Any]:
    """What a body says; refused by field where it is not what is asked for."""
    serializer.is_valid(raise_exception=True)
    given: dict[str, Any] = serializer.validated_data
    return given
