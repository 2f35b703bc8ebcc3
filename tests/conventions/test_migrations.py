"""Migrations say what the models say; a database that has half of those that one stands for is told so."""

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db.migrations.recorder import MigrationRecorder

from config import replaced


@pytest.mark.django_db
def test_no_migration_is_missing() -> None:
    call_command("makemigrations", "--check", "--dry-run", verbosity=1)


@pytest.mark.django_db
def test_a_database_between_versions_is_refused_in_a_sentence() -> None:
    """Django itself would leave the rest of them out, and say that it is done."""
    rows = MigrationRecorder.Migration.objects
    assert replaced.all_or_none(["default"]) == []
    rows.filter(app="people", name="0009_person_has_a_language").delete()
    rows.filter(app="tables", name__gte="0021").delete()
    with pytest.raises(SystemCheckError) as refused:
        call_command("migrate", verbosity=0, skip_checks=False)
    assert (
        "lacks migrations that this one no longer has: of people 0009_person_has_a_language, of tables"
        " 0021_steps_by_statement to 0023_message_texts." in str(refused.value)
    )
    assert "of the last version that has them" in str(refused.value)
    rows.all().delete()
    assert replaced.all_or_none(["default"]) == [], "an empty database has none of them"
