"""Pages of the jackpots room."""

from django.urls import path

from jackpots import views, winner_views
from jackpots.signs import pages
from jackpots.signs.views import frames, sign

urlpatterns = [
    path("jackpots/", views.queue, name="jackpots"),
    path("jackpots/wins/<int:pk>/", views.win, name="jackpot-win"),
    path("jackpots/wins/<int:pk>/<str:step>", views.take_step, name="jackpot-win-step"),
    path("jackpots/wins/<int:pk>/winner/<slug:step>", winner_views.winner_step, name="jackpot-winner-step"),
    path("jackpots/<slug:code>/ruling/", views.ruling, name="jackpot-ruling"),
    path("jackpots/<slug:code>/<str:level>/release", views.release_level, name="jackpot-level-release"),
    path("displays/", pages.all_displays, name="displays"),
    path("displays/new/", pages.new_display, name="new-display"),
    path("displays/preview/", pages.display_preview, name="display-preview"),
    path("displays/<int:pk>/", pages.display, name="display"),
    path("displays/<int:pk>/<slug:step>/", pages.display_step, name="display-step"),
    path("signs/<str:token>/", sign, name="sign"),
    path("signs/<str:token>/frames.json", frames, name="sign-frames"),
]
