"""Pages of the floor."""

from django.urls import path

from tables import (
    cage_views,
    correction_views,
    count_views,
    credentials,
    dispute_views,
    ending_views,
    non_value_views,
    set_up_views,
    tablets,
    unclaimed_views,
    views,
)
from tables.rules_room import views as rules_room

urlpatterns = [
    path("credentials/", credentials.credentials, name="credentials"),
    path("credentials/new/", credentials.issue, name="issue-credential"),
    path("credentials/<int:pk>/<slug:step>/", credentials.credential_step, name="credential-step"),
    path("rules/", rules_room.rules_room, name="rules-room"),
    path("rules/cited/", rules_room.cited_rule, name="cited-rule"),
    path("rules/games/<slug:name>/<slug:rulebook>/", rules_room.rules_game, name="rules-game"),
    path("rules/books/<slug:name>/", rules_room.rules_section, name="rules-section"),
    path("rules/try/", views.try_a_round, name="try-round"),
    path("dealer/<slug:premises>/<str:code>/", tablets.dealer, name="dealer"),
    path("floor/<slug:premises>/tables/<str:code>/tablet", tablets.hand_over, name="table-tablet"),
    path("floor/", views.floor, name="floor"),
    path("floor/<slug:premises>/tables/<str:code>/", views.table, name="table"),
    path("floor/<slug:premises>/tables/<str:code>/hold/", views.table_hold, name="table-hold"),
    path("floor/<slug:premises>/tables/<str:code>/open", views.set_open, name="table-open"),
    path("floor/<slug:premises>/tables/<str:code>/chips", views.enter_slip, name="table-chips"),
    path("floor/<slug:premises>/tables/<str:code>/count", count_views.accept_count, name="accept-count"),
    path(
        "floor/<slug:premises>/tables/<str:code>/colours/<slug:step>",
        non_value_views.colour,
        name="colour-step",
    ),
    path("floor/unclaimed/", unclaimed_views.unclaimed_here, name="unclaimed-here"),
    path("floor/<slug:premises>/unclaimed/", unclaimed_views.unclaimed_page, name="unclaimed"),
    path(
        "floor/<slug:premises>/unclaimed/<int:pk>/<slug:step>",
        unclaimed_views.end_unclaimed,
        name="unclaimed-step",
    ),
    path("floor/disputes/", dispute_views.disputes_here, name="disputes-here"),
    path("floor/<slug:premises>/disputes/", dispute_views.disputes_page, name="disputes"),
    path("floor/<slug:premises>/disputes/<int:pk>/", dispute_views.dispute_page, name="dispute"),
    path("floor/<slug:premises>/disputes/<int:pk>/print/", dispute_views.dispute_paper, name="dispute-paper"),
    path(
        "floor/<slug:premises>/disputes/<int:pk>/<slug:step>", dispute_views.dispute_step, name="dispute-step"
    ),
    path("floor/cage/", cage_views.cage_here, name="cage-here"),
    path("floor/<slug:premises>/cage/", cage_views.cage_page, name="cage"),
    path("floor/<slug:premises>/cage/slips/<int:pk>/print", cage_views.print_slip, name="print-cage-slip"),
    path("floor/counts/", count_views.counts_here, name="counts-here"),
    path("floor/<slug:premises>/counts/", count_views.counts_page, name="counts"),
    path("floor/<slug:premises>/count-rules", count_views.ask_rules, name="count-rules"),
    path("floor/<slug:premises>/slips/<int:pk>/print", count_views.print_slip, name="print-slip"),
    path("floor/<slug:premises>/tables/<str:code>/leave-out", views.leave_out, name="table-leave-out"),
    path("floor/<slug:premises>/tables/<str:code>/close", views.ask_close, name="table-close"),
    path("floor/<slug:premises>/tables/<str:code>/take-over", views.take_over, name="table-take-over"),
    path("set-up/tables/", set_up_views.set_up_floor, name="set-up-floor"),
    path("floor/<slug:premises>/new-table/", set_up_views.new_table, name="new-table"),
    path("floor/<slug:premises>/tables/<str:code>/set-up/", set_up_views.table_set_up, name="table-set-up"),
    path("floor/<slug:premises>/tables/<str:code>/rules/", set_up_views.table_rules, name="table-rules"),
    path("floor/<slug:premises>/tables/<str:code>/limits/", set_up_views.table_limits, name="table-limits"),
    path(
        "floor/<slug:premises>/tables/<str:code>/set-up/<slug:step>/",
        set_up_views.table_step,
        name="table-step",
    ),
    path(
        "floor/<slug:premises>/notices/<int:pk>/", set_up_views.acknowledge_notice, name="acknowledge-notice"
    ),
    path("floor/<slug:premises>/rounds/<int:pk>/", views.round_page, name="round"),
    path(
        "floor/<slug:premises>/rounds/<int:pk>/correct/", correction_views.correct_round, name="correct-round"
    ),
    path("floor/<slug:premises>/rounds/<int:pk>/end/", ending_views.end_round, name="round-end"),
    path("floor/<slug:premises>/rounds/<int:pk>/hands/", correction_views.round_hands, name="round-hands"),
    path("claims/", correction_views.claims_page, name="claims"),
    path("claims/<int:pk>/", correction_views.claim_page, name="claim"),
    path("claims/<int:pk>/settle", correction_views.settle_claim, name="settle-claim"),
    path("claims/<int:pk>/give-up", correction_views.give_up_claim, name="give-up-claim"),
    path("floor/<slug:premises>/rounds/<int:pk>/leave-out", views.leave_out_round, name="round-leave-out"),
    path("floor/<slug:premises>/rounds/<int:pk>/settle-again", views.settle_again, name="round-settle-again"),
]
