"""Pages of the jackpots room."""

from django.urls import path

from jackpots import (
    correction_views,
    explain_views,
    frequency_views,
    hand_pay_views,
    history_views,
    night_views,
    recovery_views,
    referee,
    setup_views,
    transfer_views,
    views,
    winner_views,
)
from jackpots.evidence import views as evidence_views
from jackpots.signs import pages
from jackpots.signs.views import frames, sign

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
    path("jackpots/recoverable/", recovery_views.recoverables, name="jackpot-recoverables"),
    path("jackpots/recoverable/<int:pk>/", recovery_views.settle, name="jackpot-recoverable"),
    path("jackpots/hand-pays/", hand_pay_views.rules, name="jackpot-hand-pays"),
    path("jackpots/held/<int:pk>/", correction_views.held_hand, name="jackpot-held"),
    path("jackpots/wins/<int:pk>/referee/", referee.referee_page, name="jackpot-referee"),
    path("jackpots/wins/<int:pk>/pack/", evidence_views.pack, name="jackpot-pack"),
    path("jackpots/wins/<int:pk>/<str:step>", views.take_step, name="jackpot-win-step"),
    path("jackpots/wins/<int:pk>/winner/<slug:step>", winner_views.winner_step, name="jackpot-winner-step"),
    path("jackpots/<slug:code>/ruling/", views.ruling, name="jackpot-ruling"),
    path("jackpots/<slug:code>/<str:level>/adjust", correction_views.adjust_meter, name="jackpot-adjust"),
    path("jackpots/<slug:code>/<str:level>/transfer", transfer_views.transfer, name="jackpot-transfer"),
    path("jackpots/<slug:code>/wagers/", explain_views.wagers_page, name="jackpot-explain-wagers"),
    path("jackpots/<slug:code>/<str:level>/explain/", explain_views.explain_page, name="jackpot-explain"),
    path("jackpots/<slug:code>/hits/", frequency_views.hits, name="jackpot-hits"),
    path("jackpots/<slug:code>/referee/", night_views.night, name="jackpot-night"),
    path("jackpots/<slug:code>/history/", history_views.meter_history, name="jackpot-history"),
    path("jackpots/<slug:code>/<str:level>/release", views.release_level, name="jackpot-level-release"),
    path("progressives/", setup_views.progressives, name="progressives"),
    path("progressives/<slug:code>/", setup_views.progressive, name="progressive"),
    path("progressives/<slug:code>/change/", setup_views.change, name="progressive-change"),
    path("progressives/<slug:code>/review", setup_views.review_change, name="progressive-review"),
    path("progressives/<slug:code>/withdraw", setup_views.withdraw, name="progressive-withdraw"),
    path("progressives/<slug:code>/end/", transfer_views.end, name="progressive-end"),
    path("progressives/<slug:code>/links", setup_views.link, name="progressive-link"),
    path(
        "progressives/<slug:code>/links/<slug:premises_code>/<str:table>/<slug:step>",
        setup_views.link_step,
        name="progressive-link-step",
    ),
    path("set-up/progressive/", setup_views.new, name="progressive-new"),
    path("set-up/progressive/review", setup_views.review_new, name="progressive-review-new"),
    path("set-up/requests/<int:pk>/", setup_views.asked, name="progressive-asked"),
    path("displays/", pages.all_displays, name="displays"),
    path("displays/new/", pages.new_display, name="new-display"),
    path("displays/preview/", pages.display_preview, name="display-preview"),
    path("displays/<int:pk>/", pages.display, name="display"),
    path("displays/<int:pk>/<slug:step>/", pages.display_step, name="display-step"),
    path("signs/<str:token>/", sign, name="sign"),
    path("signs/<str:token>/frames.json", frames, name="sign-frames"),
]
