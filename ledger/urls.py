"""Pages of the ledger: finance's rooms."""

from django.urls import path

from ledger import views

urlpatterns = [
    path("finance/days/", views.days, name="ledger-days"),
    path("finance/<slug:premises>/days/<str:date>/", views.day, name="ledger-day"),
    path("finance/<slug:premises>/days/<str:date>/<str:step>", views.take_step, name="ledger-day-step"),
    path("finance/trial-balance/", views.trial_balance, name="trial-balance"),
    path("finance/journal/", views.journal, name="journal"),
    path("finance/<slug:premises>/journal/<int:pk>/", views.entry, name="ledger-entry"),
    path("finance/dues/", views.open_dues, name="dues"),
    path("finance/<slug:premises>/dues/", views.clear_dues, name="clear-dues"),
    path("finance/reconciliation/", views.reconcile, name="reconciliation"),
    path("finance/reports/<str:name>/", views.report, name="ledger-report"),
    path("finance/exports/", views.exports, name="exports"),
    path("finance/<slug:premises>/exports/", views.request_export, name="request-export"),
    path("finance/<slug:premises>/exports/<uuid:pk>/", views.download_export, name="download-export"),
    path("finance/seals/", views.seal_list, name="seals"),
]
