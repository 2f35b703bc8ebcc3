"""Whether what a call was answered stands in the API's document: the codes that it may be answered with."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from django.urls import get_resolver

from config.api_docs.api_answers import codes_of
from config.kit.problems import CONTENT_TYPE


def unknown_codes(name: str, method: str, answer: Any) -> list[str]:
    """Of a problem the code that the document does not name for this route (by its name); else nothing."""
    if answer.get("Content-Type") != CONTENT_TYPE:
        return []
    code: str = answer.json()["code"]
    return [] if code in _codes(name, method) else [f"{name}: the API's document does not name {code}"]


@cache
def _codes(name: str, method: str) -> frozenset[str]:
    ((address, _),), *_ = get_resolver().reverse_dict.getlist(name)[0][:1]
    path = re.sub(r"%\((\w+)\)s", lambda found: f"{{{found[1]}}}", address).replace("{pk}", "{id}")
    return frozenset(codes_of(method, f"/{path}"))
