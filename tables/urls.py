"""Pages of the floor."""

from django.urls import path

from tables import credentials, tablets, views

urlpatterns = [
    path("credentials/", credentials.credentials, name="credentials"),
    path("credentials/<slug:kind>/", credentials.issue, name="issue-credential"),
    path(
        "credentials/<slug:kind>/<int:pk>/<slug:step>/", credentials.credential_step, name="credential-step"
    ),
    path("rules/try/", views.try_a_round, name="try-round"),
    path("dealer/<slug:premises>/<str:code>/", tablets.dealer, name="dealer"),
    path("floor/<slug:premises>/tables/<str:code>/tablet", tablets.hand_over, name="table-tablet"),
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
