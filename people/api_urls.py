"""REST routes of people, under /api/v1."""

from django.urls import path

from people import api

urlpatterns = [
    path("confirm", api.ConfirmView.as_view(), name="api-confirm"),
    path("alerts", api.AlertsView.as_view(), name="api-alerts"),
    path("alerts/<int:pk>/acknowledge", api.AcknowledgeView.as_view(), name="api-alert-acknowledge"),
]
