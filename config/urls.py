"""Wires the URLs of all apps. An app with pages or an API has urls.py (pages) or api_urls.py (REST, under /api/v1)."""

from __future__ import annotations

from importlib.util import find_spec

from django.urls import URLPattern, URLResolver, include, path
from django.views.i18n import JavaScriptCatalog
from drf_spectacular.views import SpectacularSwaggerSplitView

from config.api_docs.api_document import DocumentView
from config.kit.http import health

handler400 = "config.kit.errors.bad_request"
handler403 = "config.kit.errors.permission_denied"
handler404 = "config.kit.errors.page_not_found"
handler500 = "config.kit.errors.server_error"

APPS = ("people", "ledger", "jackpots", "tables")

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", health.metrics, name="metrics"),
    path("board-words.js", JavaScriptCatalog.as_view(), name="board-words"),
    path("api/schema", DocumentView.as_view(), name="api-schema"),
    path(
        "api/docs/",
        SpectacularSwaggerSplitView.as_view(url_name="api-schema", template_name="api_docs.html"),
        name="api-docs",
    ),
]
# Addresses are looked for in this order: programs ask far more often than people, terminals more than all others.
urlpatterns += [
    path("api/v1/", include(f"{app}.api_urls")) for app in reversed(APPS) if find_spec(f"{app}.api_urls")
]
urlpatterns += [path("", include(f"{app}.urls")) for app in APPS if find_spec(f"{app}.urls")]
