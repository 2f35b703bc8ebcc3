"""The pages of people: log-in, home, premises, search, approvals, alerts, the audit trail, and people themselves."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from people import log_in_views, premises_views, record_views, staff_views, views, words

urlpatterns = [
    path("", views.home, name="home"),
    path("login/", log_in_views.log_in, name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("confirm/", log_in_views.confirm, name="confirm"),
    path("invitations/<str:token>/", log_in_views.invitation, name="invitation"),
    path("me/", log_in_views.me, name="me"),
    path("me/second-factor/", log_in_views.set_up_second_factor, name="set-up-second-factor"),
    path("me/language/", log_in_views.choose_language, name="choose-language"),
    path("me/log-ins/", log_in_views.end_own_log_ins, name="end-own-log-ins"),
    path("people/", staff_views.people, name="people"),
    path("people/invite/", staff_views.invite, name="invite"),
    path("people/<int:pk>/", staff_views.person, name="person"),
    path("people/<int:pk>/<slug:step>/", staff_views.person_step, name="person-step"),
    path("premises/", views.choose_premises, name="choose-premises"),
    path("set-up/", premises_views.set_up, name="set-up"),
    path("premises/all/", premises_views.premises_list, name="premises-list"),
    path("premises/new/", premises_views.new_premises, name="new-premises"),
    path("premises/<slug:premises>/", premises_views.premises_page, name="premises-page"),
    path("approvals/", views.approval_queue, name="approvals"),
    path("approvals/<int:pk>/", views.approval, name="approval"),
    path("premises/<slug:premises>/approvals/<int:pk>/", views.decide_approval, name="decide-approval"),
    path("audit/", record_views.audit_trail, name="audit-trail"),
    path("alerts/", record_views.alert_list, name="alerts"),
    path("alerts/<int:pk>/acknowledge", record_views.acknowledge_alert, name="acknowledge-alert"),
    path("words/", words.words, name="words"),
    path("words/<slug:name>/", words.document, name="document"),
    path("waiting/", views.waiting, name="waiting"),
    path("search/", views.find, name="search"),
    path("go/<str:reference>/", views.go, name="go"),
]
