"""Pages of the jackpots room."""

from django.urls import path

from jackpots import correction_views, hand_pay_views, views, winner_views
from jackpots.signs.views import sign

urlpatterns = [
    path("jackpots/", views.queue, name="jackpots"),
    path("jackpots/wins/<int:pk>/", views.win, name="jackpot-win"),
    path(
        "jackpots/wins/<int:pk>/second-thought/",
        correction_views.second_thought,
        name="jackpot-second-thought",
    ),
    path("jackpots/wins/<int:pk>/slip/", hand_pay_views.slip, name="jackpot-slip"),
    path("jackpots/wins/<int:pk>/unclaimed/<slug:step>", hand_pay_views.aside, name="jackpot-unclaimed"),
    path("jackpots/hand-pays/", hand_pay_views.rules, name="jackpot-hand-pays"),
    path("jackpots/held/<int:pk>/", correction_views.held_hand, name="jackpot-held"),
    path("jackpots/wins/<int:pk>/<str:step>", views.take_step, name="jackpot-win-step"),
    path("jackpots/wins/<int:pk>/winner/<slug:step>", winner_views.winner_step, name="jackpot-winner-step"),
    path("jackpots/<slug:code>/ruling/", views.ruling, name="jackpot-ruling"),
    path("jackpots/<slug:code>/<str:level>/adjust", correction_views.adjust_meter, name="jackpot-adjust"),
    path("jackpots/<slug:code>/<str:level>/release", views.release_level, name="jackpot-level-release"),
    path("signs/<str:token>/", sign, name="sign"),
]
