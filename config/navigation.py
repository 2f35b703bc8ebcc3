"""What stands in the navigation and on the home page, by role. Apps add their entries at start."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest


def context(request: HttpRequest) -> dict[str, Any]:
    return {}
