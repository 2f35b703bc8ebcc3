"""Pages of the jackpots room."""

from django.urls import path

from jackpots.evidence import pages as evidence_views
from jackpots.log import suspect_pages
from jackpots.reading import explain_pages, frequency_pages, history_pages, night_pages, referee
from jackpots.second_thoughts import correction_pages, recovery_pages
from jackpots.set_up import pages as setup_views
from jackpots.set_up import transfer_pages
from jackpots.signs import display_pages
from jackpots.signs.sign_pages import frames, sign
from jackpots.wins import advance_pages, hand_pay_pages, winner_pages
from jackpots.wins import pages as views

urlpatterns = [
    path("jackpots/", views.queue, name="jackpots"),
    path("jackpots/wins/<int:pk>/", views.win, name="jackpot-win"),
    path(
        "jackpots/wins/<int:pk>/second-thought/",
        correction_pages.second_thought,
        name="jackpot-second-thought",
    ),
    path("jackpots/wins/<int:pk>/slip/", hand_pay_pages.slip, name="jackpot-slip"),
    path("jackpots/wins/<int:pk>/unclaimed/<slug:step>", hand_pay_pages.aside, name="jackpot-unclaimed"),
    path("jackpots/recoverable/", recovery_pages.recoverables, name="jackpot-recoverables"),
    path("jackpots/recoverable/<int:pk>/", recovery_pages.settle, name="jackpot-recoverable"),
    path("jackpots/advances/", advance_pages.advances_open, name="jackpot-advances"),
    path("jackpots/advances/<int:pk>/", advance_pages.hand_out, name="jackpot-advance"),
    path("jackpots/suspects/", suspect_pages.held_contributions, name="jackpot-suspects"),
    path("jackpots/suspects/<int:pk>/<slug:step>", suspect_pages.step, name="jackpot-suspect-step"),
    path("jackpots/hand-pays/", hand_pay_pages.rules, name="jackpot-hand-pays"),
    path("jackpots/held/<int:pk>/", correction_pages.held_hand, name="jackpot-held"),
    path("jackpots/wins/<int:pk>/referee/", referee.referee_page, name="jackpot-referee"),
    path("jackpots/wins/<int:pk>/pack/", evidence_views.pack, name="jackpot-pack"),
    path("jackpots/wins/<int:pk>/<str:step>", views.take_step, name="jackpot-win-step"),
    path("jackpots/wins/<int:pk>/winner/<slug:step>", winner_pages.winner_step, name="jackpot-winner-step"),
    path("jackpots/<slug:code>/ruling/", views.ruling, name="jackpot-ruling"),
    path("jackpots/<slug:code>/<str:level>/adjust", correction_pages.adjust_meter, name="jackpot-adjust"),
    path("jackpots/<slug:code>/<str:level>/transfer", transfer_pages.transfer, name="jackpot-transfer"),
    path("jackpots/<slug:code>/wagers/", explain_pages.wagers_page, name="jackpot-explain-wagers"),
    path("jackpots/<slug:code>/<str:level>/explain/", explain_pages.explain_page, name="jackpot-explain"),
    path("jackpots/<slug:code>/hits/", frequency_pages.hits, name="jackpot-hits"),
    path("jackpots/<slug:code>/referee/", night_pages.night, name="jackpot-night"),
    path("jackpots/<slug:code>/history/", history_pages.meter_history, name="jackpot-history"),
    path("jackpots/<slug:code>/<str:level>/release", views.release_level, name="jackpot-level-release"),
    path("progressives/", setup_views.progressives, name="progressives"),
    path("progressives/<slug:code>/", setup_views.progressive, name="progressive"),
    path("progressives/<slug:code>/change/", setup_views.change, name="progressive-change"),
    path("progressives/<slug:code>/review", setup_views.review_change, name="progressive-review"),
    path("progressives/<slug:code>/withdraw", setup_views.withdraw, name="progressive-withdraw"),
    path("progressives/<slug:code>/end/", transfer_pages.end, name="progressive-end"),
    path("progressives/<slug:code>/links", setup_views.link, name="progressive-link"),
    path(
        "progressives/<slug:code>/links/<slug:premises_code>/<str:table>/<slug:step>",
        setup_views.link_step,
        name="progressive-link-step",
    ),
    path("set-up/progressive/", setup_views.new, name="progressive-new"),
    path("set-up/progressive/review", setup_views.review_new, name="progressive-review-new"),
    path("set-up/requests/<int:pk>/", setup_views.asked, name="progressive-asked"),
    path("displays/", display_pages.all_displays, name="displays"),
    path("displays/new/", display_pages.new_display, name="new-display"),
    path("displays/preview/", display_pages.display_preview, name="display-preview"),
    path("displays/<int:pk>/", display_pages.display, name="display"),
    path("displays/<int:pk>/<slug:step>/", display_pages.display_step, name="display-step"),
    path("signs/<str:token>/", sign, name="sign"),
    path("signs/<str:token>/frames.json", frames, name="sign-frames"),
]
