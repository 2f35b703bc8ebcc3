"""The people of the demo casino. The passwords are public: see config.kit.demo."""

from __future__ import annotations

from functools import partial

from django.contrib.auth.hashers import check_password, make_password

from config.kit.demo import Secret
from people.audit import audit
from people.models import Premises, Role, User
from people.on_record import vouched
from people.staff import staff

PREMISES = ("harbour", "lakeside")
"""Of the demo's floor, which is loaded first (tables.demo)."""

# user name, name, role; all at both premises, so that two people are found for every act
USERS = [
    ("supervisor", "Sefa Tuilagi", Role.SUPERVISOR),
    ("supervisor2", "Grace Whitford", Role.SUPERVISOR),
    ("manager", "Jan Merriman", Role.JACKPOT_MANAGER),
    ("manager2", "Kiri Paewai", Role.JACKPOT_MANAGER),
    ("finance", "Fiona Lachlan", Role.FINANCE),
    ("finance2", "Tom Okafor", Role.FINANCE),
    ("auditor", "Arne Lindqvist", Role.AUDITOR),
    ("admin", "Ada Marsh", Role.ADMINISTRATOR),
]


def password_of(username: str) -> str:
    return f"{username}-demo-2468"


def load() -> str:
    both = list(Premises.objects.filter(code__in=PREMISES))
    for username, name, role in USERS:
        user = User.objects.filter(username=username).first()
        if user is None:
            password = make_password(password_of(username))
            user = User.objects.create(username=username, name=name, password=password)
            details = {"username": username}
            standing = vouched.added(user)
            audit.record("demo", "people.person_added", subject=user, details=details, standing=standing)
        for premises in both:
            staff.grant_role("demo", user, premises, role)
    lines = [f"  {username:<12} {password_of(username):<24} {role.label}" for username, _, role in USERS]
    return "\n".join(["Log-ins of the demo (user name, password, role at both premises):", *lines])


def public_log_ins() -> list[Secret]:
    """The people who can log in by a demo's password; such a name with a password of one's own is none of them."""
    people = User.objects.filter(username__in=[username for username, *_ in USERS], is_active=True)
    return [
        Secret(f"log-in {user.username}", partial(staff.leave, "command line", user, "public password"))
        for user in people.order_by("pk")
        if check_password(password_of(user.username), user.password)
    ]
