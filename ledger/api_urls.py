"""REST routes of the ledger, under /api/v1."""

from django.urls import path

from ledger import api

urlpatterns = [
    path("ledger/<slug:premises>/days", api.DaysView.as_view(), name="api-days"),
    path("ledger/<slug:premises>/days/<str:date>", api.DayView.as_view(), name="api-day"),
    path(
        "ledger/<slug:premises>/days/<str:date>/begin-close",
        api.BeginCloseView.as_view(),
        name="api-begin-close",
    ),
    path(
        "ledger/<slug:premises>/days/<str:date>/abandon-close",
        api.AbandonCloseView.as_view(),
        name="api-abandon-close",
    ),
    path("ledger/<slug:premises>/days/<str:date>/close", api.CloseView.as_view(), name="api-close"),
    path(
        "ledger/<slug:premises>/days/<str:date>/carry-over",
        api.CarryOverView.as_view(),
        name="api-carry-over",
    ),
    path("ledger/<slug:premises>/trial-balance", api.TrialBalanceView.as_view(), name="api-trial-balance"),
    path("ledger/<slug:premises>/entries", api.EntriesView.as_view(), name="api-entries"),
    path("ledger/<slug:premises>/entries/<int:pk>", api.EntryView.as_view(), name="api-entry"),
    path("ledger/<slug:premises>/dues", api.DuesView.as_view(), name="api-dues"),
    path("ledger/<slug:premises>/seals", api.SealsView.as_view(), name="api-seals"),
    path("ledger/<slug:premises>/reports", api.ReportsView.as_view(), name="api-reports"),
    path("ledger/<slug:premises>/reports/<str:name>", api.ReportView.as_view(), name="api-report"),
    path("ledger/<slug:premises>/exports", api.ExportsView.as_view(), name="api-exports"),
    path("ledger/<slug:premises>/exports/<uuid:pk>", api.ExportView.as_view(), name="api-export"),
    path(
        "ledger/<slug:premises>/exports/<uuid:pk>/file", api.ExportFileView.as_view(), name="api-export-file"
    ),
]
