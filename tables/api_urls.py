"""REST routes of the floor, under /api/v1."""

from django.urls import path

from tables.chips import cage_api, count_api, non_value_api, unclaimed_api
from tables.corrections import correction_api, dispute_api, ending_api
from tables.door import api
from tables.floor import set_up_api, terminals_api
from tables.hand import tablets

urlpatterns = [
    path("games", api.GamesView.as_view(), name="api-games"),
    path("rounds/try", api.TryView.as_view(), name="api-try-round"),
    path("tables", api.TablesView.as_view(), name="api-tables"),
    path("tables/<slug:premises>", set_up_api.NewTableView.as_view(), name="api-new-table"),
    path("tables/<slug:premises>/<str:table>/rules", set_up_api.RulesView.as_view(), name="api-table-rules"),
    path(
        "tables/<slug:premises>/<str:table>/limits", set_up_api.LimitsView.as_view(), name="api-table-limits"
    ),
    path(
        "tables/<slug:premises>/<str:table>/arrange",
        set_up_api.ArrangeView.as_view(),
        name="api-table-arrange",
    ),
    path(
        "tables/<slug:premises>/<str:table>/withdraw",
        set_up_api.WithdrawView.as_view(),
        name="api-table-withdraw",
    ),
    path(
        "tables/<slug:premises>/<str:table>/show-closing",
        set_up_api.ShowClosingView.as_view(),
        name="api-table-show-closing",
    ),
    path(
        "tables/<slug:premises>/<str:table>/take-closing-back",
        set_up_api.TakeClosingBackView.as_view(),
        name="api-table-take-closing-back",
    ),
    path(
        "tables/<slug:premises>/<str:table>/notices",
        set_up_api.NoticesView.as_view(),
        name="api-table-notices",
    ),
    path("notices/<int:pk>/acknowledge", set_up_api.AcknowledgeView.as_view(), name="api-acknowledge-notice"),
    path("rounds/<int:pk>", api.RoundView.as_view(), name="api-round"),
    path(
        "rounds/<int:pk>/correct/look",
        correction_api.LookAtCorrectionView.as_view(),
        name="api-look-at-correction",
    ),
    path("rounds/<int:pk>/correct", correction_api.CorrectRoundView.as_view(), name="api-correct-round"),
    path("rounds/<int:pk>/end/look", ending_api.LookAtEndView.as_view(), name="api-look-at-end"),
    path("rounds/<int:pk>/end", ending_api.EndRoundView.as_view(), name="api-end-round"),
    path("rounds/<int:pk>/hands/look", correction_api.LookAtHandsView.as_view(), name="api-look-at-hands"),
    path("rounds/<int:pk>/hands", correction_api.RoundHandsView.as_view(), name="api-round-hands"),
    path("claims", correction_api.ClaimsView.as_view(), name="api-claims"),
    path("claims/<int:pk>/settle", correction_api.SettleClaimView.as_view(), name="api-settle-claim"),
    path("claims/<int:pk>/give-up", correction_api.GiveUpClaimView.as_view(), name="api-give-up-claim"),
    path("tables/<slug:premises>/<str:table>/chips", api.SlipsView.as_view(), name="api-table-chips"),
    path(
        "tables/<slug:premises>/<str:table>/count",
        count_api.AcceptCountView.as_view(),
        name="api-accept-count",
    ),
    path(
        "tables/<slug:premises>/<str:table>/colours",
        non_value_api.ColoursView.as_view(),
        name="api-table-colours",
    ),
    path(
        "tables/<slug:premises>/<str:table>/colours/redeem",
        non_value_api.RedeemView.as_view(),
        name="api-table-colours-redeem",
    ),
    path("unclaimed/<slug:premises>", unclaimed_api.UnclaimedView.as_view(), name="api-unclaimed"),
    path("unclaimed-money/<int:pk>/claim", unclaimed_api.ClaimView.as_view(), name="api-unclaimed-claim"),
    path("unclaimed-money/<int:pk>/expire", unclaimed_api.ExpireView.as_view(), name="api-unclaimed-expire"),
    path("disputes/<slug:premises>", dispute_api.DisputesView.as_view(), name="api-disputes"),
    path("dispute/<int:pk>", dispute_api.DisputeView.as_view(), name="api-dispute"),
    path("dispute/<int:pk>/decide", dispute_api.DecideView.as_view(), name="api-dispute-decide"),
    path("dispute/<int:pk>/review", dispute_api.ReviewView.as_view(), name="api-dispute-review"),
    path("dispute/<int:pk>/inspect", dispute_api.InspectView.as_view(), name="api-dispute-inspect"),
    path("cage/<slug:premises>", cage_api.CageView.as_view(), name="api-cage"),
    path("cage-slips/<int:pk>/print", cage_api.PrintCageSlipView.as_view(), name="api-print-cage-slip"),
    path("counts/<slug:premises>", count_api.CountsView.as_view(), name="api-counts"),
    path("count-rules/<slug:premises>", count_api.CountRulesView.as_view(), name="api-count-rules"),
    path("slips/<int:pk>/print", count_api.PrintSlipView.as_view(), name="api-print-slip"),
    path(
        "tables/<slug:premises>/<str:table>/terminals",
        terminals_api.TerminalsView.as_view(),
        name="api-table-terminals",
    ),
    path("terminals/<int:pk>/renew", terminals_api.RenewView.as_view(), name="api-terminal-renew"),
    path("terminals/<int:pk>/restrict", terminals_api.RestrictView.as_view(), name="api-terminal-restrict"),
    path("terminals/<int:pk>/revoke", terminals_api.RevokeView.as_view(), name="api-terminal-revoke"),
    path("tables/<slug:premises>/<str:table>/events", api.EventsView.as_view(), name="api-table-events"),
    path("tables/<slug:premises>/<str:table>/layout", api.LayoutView.as_view(), name="api-table-layout"),
    path("tables/<slug:premises>/<str:table>/tablet", tablets.TabletView.as_view(), name="api-table-tablet"),
    path(
        "tables/<slug:premises>/<str:table>/rounds/<uuid:uid>",
        api.TerminalRoundView.as_view(),
        name="api-table-round",
    ),
]
