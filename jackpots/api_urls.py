"""REST routes of the jackpots, under /api/v1."""

from django.urls import path

from jackpots import api, explain_views, referee, setup_api, winner_views

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
    path("progressives/<slug:code>/frozen", api.FrozenView.as_view(), name="api-frozen"),
    path(
        "progressives/<slug:code>/levels/<str:level>/release",
        api.ReleaseView.as_view(),
        name="api-level-release",
    ),
    path(
        "progressives/<slug:code>/levels/<str:level>/explain",
        explain_views.ExplainView.as_view(),
        name="api-explain",
    ),
    path("wins", api.WinsView.as_view(), name="api-wins"),
    path("wins/<int:pk>", api.WinView.as_view(), name="api-win"),
    path("wins/<int:pk>/referee", referee.RefereeView.as_view(), name="api-referee"),
    path("wins/<int:pk>/verify", api.VerifyView.as_view(), name="api-win-verify"),
    path("wins/<int:pk>/approve", api.ApproveView.as_view(), name="api-win-approve"),
    path("wins/<int:pk>/pay", api.PayView.as_view(), name="api-win-pay"),
    path("wins/<int:pk>/winner", winner_views.WinnerView.as_view(), name="api-winner"),
    path("wins/<int:pk>/winner/show", winner_views.ShowWinnerView.as_view(), name="api-winner-show"),
    path("wins/<int:pk>/winner/forget", winner_views.ForgetWinnerView.as_view(), name="api-winner-forget"),
]
