"""A small house for the tests of the ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ledger.books.journal import NewEntry
from ledger.close import closing
from ledger.verify import verify
from ledger.verify.books import BOOKS
from people.models import Premises, Role, User
from tests.on_record import add_user, give

DAY = date(2026, 3, 14)
HASH = "ab" * 32


@pytest.fixture
def harbour(db: None) -> Premises:
    return make_premises("harbour")


def make_premises(code: str) -> Premises:
    return Premises.objects.create(
        code=code, name=code.title(), currency="NZD", time_zone="Pacific/Auckland", rollover_hour=6
    )


@pytest.fixture
def new(harbour: Premises) -> Callable[..., NewEntry]:
    return entry_maker(harbour)


def entry_maker(premises: Premises) -> Callable[..., NewEntry]:
    """Makes entries: new("k1", {"tables/CS-01/bank": 5, "tables/CS-01/win": -5}) with everything else plausible."""

    def make(key: str, legs: dict[str, int] | None = None, **other: Any) -> NewEntry:
        if legs is None:
            legs = {"tables/CS-01/bank": 5_000_000, "tables/CS-01/win": -5_000_000}
        fields: dict[str, Any] = {
            "premises": premises, "kind": "round", "reference": key, "source_hash": HASH, "day": DAY,
        }  # fmt: skip
        if "occurred_at" in other:
            del fields["day"]
        owner = other.get("premises", premises).code
        return NewEntry(
            key=key, legs={f"{owner}/{code}": micros for code, micros in legs.items()}, **(fields | other)
        )

    return make


def verify_books(against: Iterable[Path] = ()) -> verify.Report:
    """Seals and books alone: the entries of these tests are booked by nobody, so no room vouches for them."""
    return verify.verify(against, only=BOOKS)


def make_person(username: str, *roles: Role, at: Premises) -> User:
    user = add_user(username, name=username.title(), password="correct-horse-7")
    for role in roles:
        give(user=user, premises=at, role=role)
    return user


@pytest.fixture
def finance(harbour: Premises) -> User:
    return make_person("fiona", Role.FINANCE, at=harbour)


@pytest.fixture
def manager(harbour: Premises) -> User:
    return make_person("jack", Role.JACKPOT_MANAGER, at=harbour)


@pytest.fixture
def auditor(harbour: Premises) -> User:
    return make_person("audrey", Role.AUDITOR, at=harbour)


@pytest.fixture
def only_checks(monkeypatch: pytest.MonkeyPatch) -> dict[str, closing.CloseCheck]:
    """The checklist without what other apps register; a test adds its own."""
    own = {name: item for name, item in closing._checks.items() if name.startswith("ledger.")}
    monkeypatch.setattr(closing, "_checks", own)
    books = {name: item for name, item in verify._checks.items() if name in BOOKS}
    monkeypatch.setattr(verify, "_checks", books)
    return own


@pytest.fixture(autouse=True)
def var_dir(tmp_path: Path, settings: Any) -> Path:
    """Seals and exports of a test go to a folder of its own."""
    settings.VAR_DIR = tmp_path / "var"
    return tmp_path / "var"
