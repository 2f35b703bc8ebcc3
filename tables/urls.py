"""Pages of the floor."""

from django.urls import path

from tables import credentials, views

urlpatterns = [
    path("credentials/", credentials.credentials, name="credentials"),
    path("credentials/new/", credentials.issue, name="issue-credential"),
    path("credentials/<int:pk>/<slug:step>/", credentials.credential_step, name="credential-step"),
    path("floor/", views.floor, name="floor"),
    path("floor/<slug:premises>/tables/<str:code>/", views.table, name="table"),
    path("floor/<slug:premises>/tables/<str:code>/open", views.set_open, name="table-open"),
    path("floor/<slug:premises>/tables/<str:code>/chips", views.enter_slip, name="table-chips"),
    path("floor/<slug:premises>/tables/<str:code>/leave-out", views.leave_out, name="table-leave-out"),
    path("floor/<slug:premises>/tables/<str:code>/close", views.ask_close, name="table-close"),
    path("floor/<slug:premises>/tables/<str:code>/take-over", views.take_over, name="table-take-over"),
    path("floor/<slug:premises>/rounds/<int:pk>/", views.round_page, name="round"),
    path("floor/<slug:premises>/rounds/<int:pk>/leave-out", views.leave_out_round, name="round-leave-out"),
    path("floor/<slug:premises>/rounds/<int:pk>/settle-again", views.settle_again, name="round-settle-again"),
]
