"""REST routes of the floor, under /api/v1."""

from django.urls import path

from tables import api, tablets, terminals_api

urlpatterns = [
    path("games", api.GamesView.as_view(), name="api-games"),
    path("rounds/try", api.TryView.as_view(), name="api-try-round"),
    path("tables", api.TablesView.as_view(), name="api-tables"),
    path("rounds/<int:pk>", api.RoundView.as_view(), name="api-round"),
    path("tables/<slug:premises>/<str:table>/chips", api.SlipsView.as_view(), name="api-table-chips"),
    path(
        "tables/<slug:premises>/<str:table>/terminals",
        terminals_api.TerminalsView.as_view(),
        name="api-table-terminals",
    ),
    path("terminals/<int:pk>/renew", terminals_api.RenewView.as_view(), name="api-terminal-renew"),
    path("terminals/<int:pk>/restrict", terminals_api.RestrictView.as_view(), name="api-terminal-restrict"),
    path("terminals/<int:pk>/revoke", terminals_api.RevokeView.as_view(), name="api-terminal-revoke"),
    path("tables/<slug:premises>/<str:table>/events", api.EventsView.as_view(), name="api-table-events"),
    path("tables/<slug:premises>/<str:table>/layout", api.LayoutView.as_view(), name="api-table-layout"),
    path("tables/<slug:premises>/<str:table>/tablet", tablets.TabletView.as_view(), name="api-table-tablet"),
    path(
        "tables/<slug:premises>/<str:table>/rounds/<uuid:uid>",
        api.TerminalRoundView.as_view(),
        name="api-table-round",
    ),
]
