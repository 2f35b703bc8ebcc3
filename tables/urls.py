"""Pages of the floor."""

from django.urls import path

from tables.chips import cage_pages, count_pages, non_value_pages, unclaimed_pages
from tables.corrections import correction_pages, dispute_pages, ending_pages
from tables.floor import set_up_pages, terminal_pages
from tables.hand import tablets
from tables.pages import floor_pages
from tables.rules_room import pages as rules_room

urlpatterns = [
    path("credentials/", terminal_pages.credentials, name="credentials"),
    path("credentials/new/", terminal_pages.issue, name="issue-credential"),
    path("credentials/<int:pk>/<slug:step>/", terminal_pages.credential_step, name="credential-step"),
    path("rules/", rules_room.rules_room, name="rules-room"),
    path("rules/cited/", rules_room.cited_rule, name="cited-rule"),
    path("rules/games/<slug:name>/<slug:rulebook>/", rules_room.rules_game, name="rules-game"),
    path("rules/books/<slug:name>/", rules_room.rules_section, name="rules-section"),
    path("rules/try/", floor_pages.try_a_round, name="try-round"),
    path("dealer/<slug:premises>/<str:code>/", tablets.dealer, name="dealer"),
    path("floor/<slug:premises>/tables/<str:code>/tablet", tablets.hand_over, name="table-tablet"),
    path("floor/", floor_pages.floor, name="floor"),
    path("floor/<slug:premises>/tables/<str:code>/", floor_pages.table, name="table"),
    path("floor/<slug:premises>/tables/<str:code>/hold/", floor_pages.table_hold, name="table-hold"),
    path("floor/<slug:premises>/tables/<str:code>/open", floor_pages.set_open, name="table-open"),
    path("floor/<slug:premises>/tables/<str:code>/chips", floor_pages.enter_slip, name="table-chips"),
    path("floor/<slug:premises>/tables/<str:code>/count", count_pages.accept_count, name="accept-count"),
    path(
        "floor/<slug:premises>/tables/<str:code>/colours/<slug:step>",
        non_value_pages.colour,
        name="colour-step",
    ),
    path("floor/unclaimed/", unclaimed_pages.unclaimed_here, name="unclaimed-here"),
    path("floor/<slug:premises>/unclaimed/", unclaimed_pages.unclaimed_page, name="unclaimed"),
    path(
        "floor/<slug:premises>/unclaimed/<int:pk>/<slug:step>",
        unclaimed_pages.end_unclaimed,
        name="unclaimed-step",
    ),
    path("floor/disputes/", dispute_pages.disputes_here, name="disputes-here"),
    path("floor/<slug:premises>/disputes/", dispute_pages.disputes_page, name="disputes"),
    path("floor/<slug:premises>/disputes/<int:pk>/", dispute_pages.dispute_page, name="dispute"),
    path("floor/<slug:premises>/disputes/<int:pk>/print/", dispute_pages.dispute_paper, name="dispute-paper"),
    path(
        "floor/<slug:premises>/disputes/<int:pk>/<slug:step>", dispute_pages.dispute_step, name="dispute-step"
    ),
    path("floor/cage/", cage_pages.cage_here, name="cage-here"),
    path("floor/<slug:premises>/cage/", cage_pages.cage_page, name="cage"),
    path("floor/<slug:premises>/cage/slips/<int:pk>/print", cage_pages.print_slip, name="print-cage-slip"),
    path("floor/counts/", count_pages.counts_here, name="counts-here"),
    path("floor/<slug:premises>/counts/", count_pages.counts_page, name="counts"),
    path("floor/<slug:premises>/count-rules", count_pages.ask_rules, name="count-rules"),
    path("floor/<slug:premises>/slips/<int:pk>/print", count_pages.print_slip, name="print-slip"),
    path("floor/<slug:premises>/tables/<str:code>/leave-out", floor_pages.leave_out, name="table-leave-out"),
    path("floor/<slug:premises>/tables/<str:code>/close", floor_pages.ask_close, name="table-close"),
    path("floor/<slug:premises>/tables/<str:code>/take-over", floor_pages.take_over, name="table-take-over"),
    path("set-up/tables/", set_up_pages.set_up_floor, name="set-up-floor"),
    path("floor/<slug:premises>/new-table/", set_up_pages.new_table, name="new-table"),
    path("floor/<slug:premises>/tables/<str:code>/set-up/", set_up_pages.table_set_up, name="table-set-up"),
    path("floor/<slug:premises>/tables/<str:code>/rules/", set_up_pages.table_rules, name="table-rules"),
    path("floor/<slug:premises>/tables/<str:code>/limits/", set_up_pages.table_limits, name="table-limits"),
    path(
        "floor/<slug:premises>/tables/<str:code>/set-up/<slug:step>/",
        set_up_pages.table_step,
        name="table-step",
    ),
    path(
        "floor/<slug:premises>/notices/<int:pk>/", set_up_pages.acknowledge_notice, name="acknowledge-notice"
    ),
    path("floor/<slug:premises>/rounds/<int:pk>/", floor_pages.round_page, name="round"),
    path(
        "floor/<slug:premises>/rounds/<int:pk>/correct/", correction_pages.correct_round, name="correct-round"
    ),
    path("floor/<slug:premises>/rounds/<int:pk>/end/", ending_pages.end_round, name="round-end"),
    path("floor/<slug:premises>/rounds/<int:pk>/hands/", correction_pages.round_hands, name="round-hands"),
    path("claims/", correction_pages.claims_page, name="claims"),
    path("claims/<int:pk>/", correction_pages.claim_page, name="claim"),
    path("claims/<int:pk>/settle", correction_pages.settle_claim, name="settle-claim"),
    path("claims/<int:pk>/give-up", correction_pages.give_up_claim, name="give-up-claim"),
    path(
        "floor/<slug:premises>/rounds/<int:pk>/leave-out", floor_pages.leave_out_round, name="round-leave-out"
    ),
    path(
        "floor/<slug:premises>/rounds/<int:pk>/settle-again",
        floor_pages.settle_again,
        name="round-settle-again",
    ),
]
