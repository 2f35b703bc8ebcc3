"""Pages of the floor."""

from django.urls import path

from tables import views

urlpatterns = [
    path("floor/", views.floor, name="floor"),
    path("floor/<slug:premises>/tables/<str:code>/", views.table, name="table"),
    path("floor/<slug:premises>/tables/<str:code>/open", views.set_open, name="table-open"),
    path("floor/<slug:premises>/tables/<str:code>/chips", views.enter_slip, name="table-chips"),
    path("floor/<slug:premises>/tables/<str:code>/silence", views.stop_waiting, name="table-silence"),
    path("floor/<slug:premises>/rounds/<int:pk>/", views.round_page, name="round"),
    path("floor/<slug:premises>/rounds/<int:pk>/settle-again", views.settle_again, name="round-settle-again"),
]
