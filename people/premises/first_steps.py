"""What is left to do until new premises can open: the rooms hand in their steps, an administrator's home shows them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext

from people.models import Premises, Role, RoleGrant


@dataclass(frozen=True)
class FirstStep:
    label: str
    about: str
    url: str
    done: bool


_steps: list[tuple[int, Callable[[Premises], FirstStep]]] = []


def register(order: int, step: Callable[[Premises], FirstStep]) -> None:
    _steps.append((order, step))


def steps_of(premises: Premises) -> list[FirstStep]:
    """All of them as long as one is left to do."""
    found = [step(premises) for _, step in sorted(_steps, key=lambda each: each[0])]
    return [] if all(step.done for step in found) else found


NEEDED = (Role.SUPERVISOR, Role.FINANCE)
"""Without these no table opens and no day closes."""


def people_of(premises: Premises) -> FirstStep:
    held = set(RoleGrant.objects.filter(premises=premises).values_list("role", flat=True))
    missing = [gettext(role.label) for role in NEEDED if role not in held]
    about = gettext("Supervisor and finance are there.")
    if missing:
        about = gettext("Nobody is %(roles)s yet.") % {"roles": gettext(" or ").join(missing)}
    return FirstStep(gettext("Invite people"), about, reverse("invite"), not missing)
