"""Pages of the jackpots room."""

from django.urls import path

from jackpots import explain_views, referee, views, winner_views
from jackpots.signs.views import sign

urlpatterns = [
    path("jackpots/", views.queue, name="jackpots"),
    path("jackpots/wins/<int:pk>/", views.win, name="jackpot-win"),
    path("jackpots/wins/<int:pk>/referee/", referee.referee_page, name="jackpot-referee"),
    path("jackpots/wins/<int:pk>/<str:step>", views.take_step, name="jackpot-win-step"),
    path("jackpots/wins/<int:pk>/winner/<slug:step>", winner_views.winner_step, name="jackpot-winner-step"),
    path("jackpots/<slug:code>/ruling/", views.ruling, name="jackpot-ruling"),
    path("jackpots/<slug:code>/wagers/", explain_views.wagers_page, name="jackpot-explain-wagers"),
    path("jackpots/<slug:code>/<str:level>/explain/", explain_views.explain_page, name="jackpot-explain"),
    path("jackpots/<slug:code>/<str:level>/release", views.release_level, name="jackpot-level-release"),
    path("signs/<str:token>/", sign, name="sign"),
]
