"""The pages of people: log-in, home, premises, search, approvals, alerts, the audit trail, and people themselves."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from people.audit import record_pages
from people.log_ins import log_in_pages
from people.pages import home, words
from people.premises import premises_pages
from people.staff import staff_pages

urlpatterns = [
    path("", home.home, name="home"),
    path("login/", log_in_pages.log_in, name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("confirm/", log_in_pages.confirm, name="confirm"),
    path("invitations/<str:token>/", log_in_pages.invitation, name="invitation"),
    path("me/", log_in_pages.me, name="me"),
    path("me/second-factor/", log_in_pages.set_up_second_factor, name="set-up-second-factor"),
    path("me/language/", log_in_pages.choose_language, name="choose-language"),
    path("me/log-ins/", log_in_pages.end_own_log_ins, name="end-own-log-ins"),
    path("people/", staff_pages.people, name="people"),
    path("people/invite/", staff_pages.invite, name="invite"),
    path("people/<int:pk>/", staff_pages.person, name="person"),
    path("people/<int:pk>/<slug:step>/", staff_pages.person_step, name="person-step"),
    path("premises/", home.choose_premises, name="choose-premises"),
    path("set-up/", premises_pages.set_up, name="set-up"),
    path("premises/all/", premises_pages.premises_list, name="premises-list"),
    path("premises/new/", premises_pages.new_premises, name="new-premises"),
    path("premises/<slug:premises>/", premises_pages.premises_page, name="premises-page"),
    path("approvals/", home.approval_queue, name="approvals"),
    path("approvals/<int:pk>/", home.approval, name="approval"),
    path("premises/<slug:premises>/approvals/<int:pk>/", home.decide_approval, name="decide-approval"),
    path("audit/", record_pages.audit_trail, name="audit-trail"),
    path("alerts/", record_pages.alert_list, name="alerts"),
    path("alerts/<int:pk>/acknowledge", record_pages.acknowledge_alert, name="acknowledge-alert"),
    path("words/", words.words, name="words"),
    path("words/<slug:name>/", words.document, name="document"),
    path("waiting/", home.waiting, name="waiting"),
    path("search/", home.find, name="search"),
    path("go/<str:reference>/", home.go, name="go"),
]
