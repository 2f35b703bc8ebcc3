"""The pages of people: log-in, home, choice of premises, approvals, the audit trail."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from people import views

urlpatterns = [
    path("", views.home, name="home"),
    path("login/", views.LogIn.as_view(), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("premises/", views.choose_premises, name="choose-premises"),
    path("approvals/", views.approval_queue, name="approvals"),
    path("premises/<slug:premises>/approvals/<int:pk>/", views.decide_approval, name="decide-approval"),
    path("audit/", views.audit_trail, name="audit-trail"),
]
