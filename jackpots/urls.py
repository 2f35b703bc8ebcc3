"""Pages of the jackpots room."""

from django.urls import path

from jackpots import history_views, views, winner_views
from jackpots.signs.views import sign

urlpatterns = [
    path("jackpots/", views.queue, name="jackpots"),
    path("jackpots/wins/<int:pk>/", views.win, name="jackpot-win"),
    path("jackpots/wins/<int:pk>/<str:step>", views.take_step, name="jackpot-win-step"),
    path("jackpots/wins/<int:pk>/winner/<slug:step>", winner_views.winner_step, name="jackpot-winner-step"),
    path("jackpots/<slug:code>/ruling/", views.ruling, name="jackpot-ruling"),
    path("jackpots/<slug:code>/history/", history_views.meter_history, name="jackpot-history"),
    path("jackpots/<slug:code>/<str:level>/release", views.release_level, name="jackpot-level-release"),
    path("signs/<str:token>/", sign, name="sign"),
]
