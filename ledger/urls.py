"""Pages of the ledger: finance's rooms."""

from django.urls import path

from ledger import pages

urlpatterns = [
    path("finance/days/", pages.days, name="ledger-days"),
    path("finance/<slug:premises>/days/<str:date>/", pages.day, name="ledger-day"),
    path("finance/<slug:premises>/days/<str:date>/<str:step>", pages.take_step, name="ledger-day-step"),
    path("finance/trial-balance/", pages.trial_balance, name="trial-balance"),
    path("finance/journal/", pages.journal, name="journal"),
    path("finance/<slug:premises>/journal/<int:pk>/", pages.entry, name="ledger-entry"),
    path("finance/dues/", pages.open_dues, name="dues"),
    path("finance/<slug:premises>/dues/", pages.clear_dues, name="clear-dues"),
    path("finance/reconciliation/", pages.reconcile, name="reconciliation"),
    path("finance/reports/<str:name>/", pages.report, name="ledger-report"),
    path("finance/exports/", pages.exports, name="exports"),
    path("finance/<slug:premises>/exports/", pages.request_export, name="request-export"),
    path("finance/<slug:premises>/exports/<uuid:pk>/", pages.download_export, name="download-export"),
    path("finance/seals/", pages.seal_list, name="seals"),
]
