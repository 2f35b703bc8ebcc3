"""REST routes of the jackpots, under /api/v1."""

from django.urls import path

from jackpots import api
from jackpots.evidence import pages as evidence_views
from jackpots.log import suspect_pages
from jackpots.reading import explain_pages, frequency_pages, night_pages, referee
from jackpots.second_thoughts import correction_pages, recovery_pages
from jackpots.set_up import api as setup_api
from jackpots.set_up import transfer_pages
from jackpots.signs import api as signs_api
from jackpots.wins import advance_pages, hand_pay_pages, winner_pages

urlpatterns = [
    path("progressives", api.ProgressivesView.as_view(), name="api-progressives"),
    path("progressives/new", setup_api.NewView.as_view(), name="api-progressive-new"),
    path("progressives/new/review", setup_api.ReviewNewView.as_view(), name="api-progressive-review-new"),
    path("progressives/schedules", setup_api.SchedulesView.as_view(), name="api-schedules"),
    path("progressives/<slug:code>/change", setup_api.ChangeView.as_view(), name="api-progressive-change"),
    path(
        "progressives/<slug:code>/change/review",
        setup_api.ReviewChangeView.as_view(),
        name="api-progressive-review",
    ),
    path(
        "progressives/<slug:code>/change/withdraw",
        setup_api.WithdrawView.as_view(),
        name="api-progressive-withdraw",
    ),
    path("progressives/<slug:code>/links", setup_api.LinksView.as_view(), name="api-progressive-links"),
    path(
        "progressives/<slug:code>/links/<slug:at>/<str:table>/suspend",
        setup_api.SuspendView.as_view(),
        name="api-link-suspend",
    ),
    path(
        "progressives/<slug:code>/links/<slug:at>/<str:table>/resume",
        setup_api.ResumeView.as_view(),
        name="api-link-resume",
    ),
    path("progressives/<slug:code>/ruling", api.RulingView.as_view(), name="api-ruling"),
    path("progressives/<slug:code>/hits", frequency_pages.HitsView.as_view(), name="api-hits"),
    path("progressives/<slug:code>/referee", night_pages.NightView.as_view(), name="api-night"),
    path("progressives/<slug:code>/frozen", api.FrozenView.as_view(), name="api-frozen"),
    path(
        "progressives/<slug:code>/levels/<str:level>/release",
        api.ReleaseView.as_view(),
        name="api-level-release",
    ),
    path(
        "progressives/<slug:code>/levels/<str:level>/explain",
        explain_pages.ExplainView.as_view(),
        name="api-explain",
    ),
    path(
        "progressives/<slug:code>/levels/<str:level>/adjust",
        correction_pages.AdjustMeterView.as_view(),
        name="api-level-adjust",
    ),
    path(
        "progressives/<slug:code>/levels/<str:level>/transfer",
        transfer_pages.TransferView.as_view(),
        name="api-level-transfer",
    ),
    path("progressives/<slug:code>/end", transfer_pages.EndView.as_view(), name="api-progressive-end"),
    path(
        "progressives/<slug:code>/end/withdraw",
        transfer_pages.WithdrawEndView.as_view(),
        name="api-progressive-end-withdraw",
    ),
    path(
        "progressives/<slug:code>/end/now",
        transfer_pages.DecommissionView.as_view(),
        name="api-progressive-decommission",
    ),
    path("held-hands", correction_pages.HeldHandsView.as_view(), name="api-held-hands"),
    path("held-hands/<int:pk>/look", correction_pages.LookAtLateView.as_view(), name="api-held-look"),
    path("held-hands/<int:pk>/let-in", correction_pages.LetInView.as_view(), name="api-held-let-in"),
    path("held-hands/<int:pk>/dismiss", correction_pages.DismissView.as_view(), name="api-held-dismiss"),
    path("wins", api.WinsView.as_view(), name="api-wins"),
    path("wins/<int:pk>", api.WinView.as_view(), name="api-win"),
    path("wins/<int:pk>/referee", referee.RefereeView.as_view(), name="api-referee"),
    path("wins/<int:pk>/pack", evidence_views.PackView.as_view(), name="api-pack"),
    path("evidence-keys", evidence_views.EvidenceKeysView.as_view(), name="api-evidence-keys"),
    path("wins/<int:pk>/verify", api.VerifyView.as_view(), name="api-win-verify"),
    path("wins/<int:pk>/approve", api.ApproveView.as_view(), name="api-win-approve"),
    path("wins/<int:pk>/pay", api.PayView.as_view(), name="api-win-pay"),
    path("wins/<int:pk>/source", api.SourceView.as_view(), name="api-win-source"),
    path(
        "wins/<int:pk>/second-thought",
        correction_pages.SecondThoughtView.as_view(),
        name="api-second-thought",
    ),
    path(
        "wins/<int:pk>/second-thought/look",
        correction_pages.LookAtSecondThoughtView.as_view(),
        name="api-second-thought-look",
    ),
    path("wins/<int:pk>/slip", hand_pay_pages.SlipView.as_view(), name="api-slip"),
    path("wins/<int:pk>/set-aside", hand_pay_pages.SetAsideView.as_view(), name="api-win-set-aside"),
    path("wins/<int:pk>/expire", hand_pay_pages.ExpireView.as_view(), name="api-win-expire"),
    path("wins/<int:pk>/claim", hand_pay_pages.ClaimView.as_view(), name="api-win-claim"),
    path("advances", advance_pages.AdvancesView.as_view(), name="api-advances"),
    path("hands/<int:pk>/advance", advance_pages.HandOutView.as_view(), name="api-hand-out"),
    path("contributions/held", suspect_pages.HeldContributionsView.as_view(), name="api-suspects"),
    path(
        "contributions/held/<int:pk>/accept",
        suspect_pages.AcceptContributionView.as_view(),
        name="api-suspect-accept",
    ),
    path(
        "contributions/held/<int:pk>/return",
        suspect_pages.ReturnContributionView.as_view(),
        name="api-suspect-return",
    ),
    path("recoverables", recovery_pages.RecoverablesView.as_view(), name="api-recoverables"),
    path("wins/<int:pk>/settle", recovery_pages.SettleRecoverableView.as_view(), name="api-win-settle"),
    path("hand-pays/<slug:premises>", hand_pay_pages.HandPayRulesView.as_view(), name="api-hand-pays"),
    path("wins/<int:pk>/winner", winner_pages.WinnerView.as_view(), name="api-winner"),
    path("wins/<int:pk>/winner/show", winner_pages.ShowWinnerView.as_view(), name="api-winner-show"),
    path("wins/<int:pk>/winner/forget", winner_pages.ForgetWinnerView.as_view(), name="api-winner-forget"),
    path("displays", signs_api.DisplaysView.as_view(), name="api-displays"),
    path("displays/<int:pk>", signs_api.DisplayView.as_view(), name="api-display"),
    path("displays/<int:pk>/renew", signs_api.DisplayRenewView.as_view(), name="api-display-renew"),
    path("displays/<int:pk>/restrict", signs_api.DisplayRestrictView.as_view(), name="api-display-restrict"),
    path("displays/<int:pk>/revoke", signs_api.DisplayRevokeView.as_view(), name="api-display-revoke"),
]
