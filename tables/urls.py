"""Pages of the floor."""

from django.urls import path

from tables import credentials, views

urlpatterns = [
    path("credentials/", credentials.credentials, name="credentials"),
    path("credentials/<slug:kind>/", credentials.issue, name="issue-credential"),
    path(
        "credentials/<slug:kind>/<int:pk>/<slug:step>/", credentials.credential_step, name="credential-step"
    ),
    path("floor/", views.floor, name="floor"),
    path("floor/<slug:premises>/tables/<str:code>/", views.table, name="table"),
    path("floor/<slug:premises>/tables/<str:code>/open", views.set_open, name="table-open"),
    path("floor/<slug:premises>/tables/<str:code>/chips", views.enter_slip, name="table-chips"),
    path("floor/<slug:premises>/tables/<str:code>/silence", views.stop_waiting, name="table-silence"),
    path("floor/<slug:premises>/rounds/<int:pk>/", views.round_page, name="round"),
    path("floor/<slug:premises>/rounds/<int:pk>/settle-again", views.settle_again, name="round-settle-again"),
]
