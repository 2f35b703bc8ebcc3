"""REST routes of the floor, under /api/v1."""

from django.urls import path

from tables import api

urlpatterns = [
    path("games", api.GamesView.as_view(), name="api-games"),
    path("tables", api.TablesView.as_view(), name="api-tables"),
    path("rounds/<int:pk>", api.RoundView.as_view(), name="api-round"),
    path("tables/<slug:premises>/<str:table>/chips", api.SlipsView.as_view(), name="api-table-chips"),
    path("tables/<slug:premises>/<str:table>/events", api.EventsView.as_view(), name="api-table-events"),
    path(
        "tables/<slug:premises>/<str:table>/rounds/<uuid:uid>",
        api.TerminalRoundView.as_view(),
        name="api-table-round",
    ),
]
