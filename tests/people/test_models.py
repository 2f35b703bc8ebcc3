"""What the database itself refuses about people."""

import pytest
from django.db import IntegrityError, transaction

from people.models import Premises, User


@pytest.mark.django_db
def test_user_names_differ_by_more_than_case() -> None:
    User.objects.create_user("mere", name="Mere")
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("MERE", name="Other")


@pytest.mark.django_db
@pytest.mark.parametrize("wrong", [{"rollover_hour": 24}, {"currency": "nzd"}, {"name": ""}])
def test_premises_out_of_range_are_refused(wrong: dict[str, object]) -> None:
    fields: dict[str, object] = {
        "code": "harbour", "name": "Harbour", "currency": "NZD", "time_zone": "Pacific/Auckland", "rollover_hour": 6,
    }  # fmt: skip
    with pytest.raises(IntegrityError), transaction.atomic():
        Premises.objects.create(**(fields | wrong))
