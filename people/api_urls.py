"""REST routes of people, under /api/v1."""

from django.urls import path

from people import api
from people.premises import premises_api
from people.staff import staff_api

urlpatterns = [
    path("confirm", api.ConfirmView.as_view(), name="api-confirm"),
    path("language", api.LanguageView.as_view(), name="api-language"),
    path("alerts", api.AlertsView.as_view(), name="api-alerts"),
    path("alerts/<int:pk>/acknowledge", api.AcknowledgeView.as_view(), name="api-alert-acknowledge"),
    path("premises", premises_api.PremisesView.as_view(), name="api-premises"),
    path("premises/<slug:premises>", premises_api.OnePremisesView.as_view(), name="api-one-premises"),
    path("people", staff_api.PeopleView.as_view(), name="api-people"),
    path("people/<int:pk>", staff_api.PersonView.as_view(), name="api-person"),
    path("people/<int:pk>/ask-role", staff_api.AskRoleView.as_view(), name="api-ask-role"),
    path("people/<int:pk>/take-role", staff_api.TakeRoleView.as_view(), name="api-take-role"),
    path("people/<int:pk>/ask-link", staff_api.AskLinkView.as_view(), name="api-ask-link"),
    path("people/<int:pk>/make-link", staff_api.MakeLinkView.as_view(), name="api-make-link"),
    path("people/<int:pk>/unlock", staff_api.UnlockView.as_view(), name="api-unlock"),
    path("people/<int:pk>/end-log-ins", staff_api.EndLogInsView.as_view(), name="api-end-log-ins"),
    path("people/<int:pk>/leave", staff_api.LeaveView.as_view(), name="api-leave"),
]
