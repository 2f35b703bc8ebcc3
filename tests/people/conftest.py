"""A small house for the tests of people: two premises and one person in each role."""

from collections.abc import Callable

import pytest

from people.models import Premises, Role, User
from tests.on_record import add_user, give


@pytest.fixture
def harbour(db: None) -> Premises:
    return Premises.objects.create(
        code="harbour", name="Harbour", currency="NZD", time_zone="Pacific/Auckland", rollover_hour=6
    )


@pytest.fixture
def lakeside(db: None) -> Premises:
    return Premises.objects.create(
        code="lakeside", name="Lakeside", currency="NZD", time_zone="Pacific/Auckland", rollover_hour=6
    )


@pytest.fixture
def person(harbour: Premises) -> Callable[..., User]:
    def make(username: str, *roles: Role, at: Premises = harbour) -> User:
        user = add_user(username, name=username.title(), password="correct-horse-7")
        for role in roles:
            give(user=user, premises=at, role=role)
        return user

    return make
