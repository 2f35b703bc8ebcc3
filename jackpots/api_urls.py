"""REST routes of the jackpots, under /api/v1."""

from django.urls import path

from jackpots import api, winner_views
from jackpots.signs import api as signs_api

urlpatterns = [
    path("progressives", api.ProgressivesView.as_view(), name="api-progressives"),
    path("progressives/<slug:code>/ruling", api.RulingView.as_view(), name="api-ruling"),
    path("progressives/<slug:code>/frozen", api.FrozenView.as_view(), name="api-frozen"),
    path(
        "progressives/<slug:code>/levels/<str:level>/release",
        api.ReleaseView.as_view(),
        name="api-level-release",
    ),
    path("wins", api.WinsView.as_view(), name="api-wins"),
    path("wins/<int:pk>", api.WinView.as_view(), name="api-win"),
    path("wins/<int:pk>/verify", api.VerifyView.as_view(), name="api-win-verify"),
    path("wins/<int:pk>/approve", api.ApproveView.as_view(), name="api-win-approve"),
    path("wins/<int:pk>/pay", api.PayView.as_view(), name="api-win-pay"),
    path("wins/<int:pk>/winner", winner_views.WinnerView.as_view(), name="api-winner"),
    path("wins/<int:pk>/winner/show", winner_views.ShowWinnerView.as_view(), name="api-winner-show"),
    path("wins/<int:pk>/winner/forget", winner_views.ForgetWinnerView.as_view(), name="api-winner-forget"),
    path("displays", signs_api.DisplaysView.as_view(), name="api-displays"),
    path("displays/<int:pk>", signs_api.DisplayView.as_view(), name="api-display"),
    path("displays/<int:pk>/renew", signs_api.DisplayRenewView.as_view(), name="api-display-renew"),
    path("displays/<int:pk>/restrict", signs_api.DisplayRestrictView.as_view(), name="api-display-restrict"),
    path("displays/<int:pk>/revoke", signs_api.DisplayRevokeView.as_view(), name="api-display-revoke"),
]
