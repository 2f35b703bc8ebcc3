"""Posting: what an entry becomes, what is refused, and what happens when it comes twice."""

from collections.abc import Callable
from datetime import UTC, date, datetime

import pytest
from django.db import transaction

from ledger.books.balances import balance, balances, trial_balance
from ledger.books.errors import InvalidEntry, KeyReused
from ledger.books.journal import NewEntry, post, post_many, sum_legs
from ledger.models import Account, Entry, GamingDay, Posting
from people.models import Premises
from tests.ledger.conftest import DAY, make_premises

New = Callable[..., NewEntry]


def test_an_entry_makes_its_accounts_and_its_day(new: New) -> None:
    posted = post(
        new("round:1", {"tables/CS-01/bank": 7_500_000, "tables/CS-01/win": -7_500_000}, memo="first")
    )
    assert (posted.created, posted.day, posted.late) == (True, DAY, False)
    entry = Entry.objects.get(pk=posted.id)
    assert (entry.kind, entry.reference, entry.currency, entry.memo) == ("round", "round:1", "NZD", "first")
    assert {account.code: account.kind for account in Account.objects.all()} == {
        "harbour/tables/CS-01/bank": "asset",
        "harbour/tables/CS-01/win": "income",
    }
    assert GamingDay.objects.get().state == "open"
    assert balance("harbour/tables/CS-01/bank") == 7_500_000
    assert balance("harbour/tables/CS-01/win") == -7_500_000
    assert balance("harbour/tables/CS-99/win") == 0


def test_a_batch_is_posted_by_one_query(new: New, django_assert_num_queries: Callable[..., object]) -> None:
    batch = [
        new(f"round:{n}", {f"tables/T{n % 3}/bank": n, f"tables/T{n % 3}/win": -n}) for n in range(1, 201)
    ]
    with django_assert_num_queries(1):  # type: ignore[attr-defined]
        posted = post_many(batch)
    assert [p.key for p in posted] == [entry.key for entry in batch]
    assert [p.id for p in posted] == sorted(p.id for p in posted)
    assert Posting.objects.count() == 400
    assert balance("harbour/tables/T0/bank") == sum(range(3, 201, 3))


def test_the_same_key_again_gives_the_first_entry(new: New) -> None:
    first = post(new("round:1"))
    again = post_many([new("round:2"), new("round:1")])
    assert [a.created for a in again] == [True, False]
    assert again[1].id == first.id
    assert Entry.objects.count() == 2
    assert balance("harbour/tables/CS-01/bank") == 10_000_000


@pytest.mark.parametrize(
    "other",
    [
        {"legs": {"tables/CS-01/bank": 4_000_000, "tables/CS-01/win": -4_000_000}},
        {"legs": {"tables/CS-02/bank": 5_000_000, "tables/CS-02/win": -5_000_000}},
        {"kind": "fill"}, {"reference": "x"}, {"source_hash": "cd" * 32}, {"day": date(2026, 3, 15)}, {"memo": "x"},
    ],
)  # fmt: skip
def test_the_same_key_with_other_content_is_an_error(new: New, other: dict[str, object]) -> None:
    post(new("round:1"))
    with pytest.raises(KeyReused, match="round:1"), transaction.atomic():
        post(new("round:1", **other))
    with pytest.raises(KeyReused, match="round:9"), transaction.atomic():
        post_many([new("round:9"), new("round:9", **other)])
    assert Entry.objects.count() == 1


def test_a_batch_may_hold_the_same_entry_twice(new: New) -> None:
    one, two = post_many([new("round:1"), new("round:1")])
    assert one == two
    assert Entry.objects.count() == 1


def test_the_gaming_day_is_that_of_the_premises(new: New) -> None:
    # Auckland is UTC+13 in March: 16:59 UTC is 05:59 of the 15th, before the rollover at six: still the 14th.
    before = post(new("a", occurred_at=datetime(2026, 3, 14, 16, 59, tzinfo=UTC)))
    after = post(new("b", occurred_at=datetime(2026, 3, 14, 17, 0, tzinfo=UTC)))
    assert (before.day, after.day) == (date(2026, 3, 14), date(2026, 3, 15))


def test_a_correction_names_what_it_corrects(new: New) -> None:
    wrong = post(new("round:1"))
    right = post(
        new(
            "round:1:v2", {"tables/CS-01/bank": -5_000_000, "tables/CS-01/win": 5_000_000}, corrects="round:1"
        )
    )
    assert Entry.objects.get(pk=right.id).corrects_id == wrong.id
    assert balance("harbour/tables/CS-01/bank") == 0
    with pytest.raises(InvalidEntry, match="not in the books"), transaction.atomic():
        post(new("round:2", corrects="round:404"))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"legs": {"tables/CS-01/bank": 5, "tables/CS-01/win": -4}}, "sum to 1 micros"),
        ({"legs": {"tables/CS-01/bank": 5, "tables/CS-01/win": -5, "tables/CS-01/fees": 0}}, "not 0"),
        ({"legs": {"tables/CS-01/bank": 5.0, "tables/CS-01/win": -5}}, "whole number"),
        ({"legs": {}}, "0 legs"),
        ({"legs": {"tables/CS-01/bank": 5, "tables/CS-01/wni": -5}}, "No app declares"),
        ({"legs": {"tables/CS 01/bank": 5, "tables/CS-01/win": -5}}, "no account code"),
        ({"kind": "Round!"}, "kind"),
        ({"reference": ""}, "reference"),
        ({"source_hash": "00"}, "SHA-256"),
        ({"day": None}, "when it happened"),
        ({"occurred_at": datetime(2026, 3, 14)}, "time zone"),  # noqa: DTZ001
    ],
)
def test_what_breaks_the_books_is_refused_in_words(new: New, fields: dict[str, object], words: str) -> None:
    with pytest.raises(InvalidEntry, match=words), transaction.atomic():
        post(new("round:1", **fields))
    assert not Entry.objects.exists()


def test_each_premises_keeps_its_own_books(new: New, harbour: Premises) -> None:
    lakeside = make_premises("lakeside")
    with pytest.raises(InvalidEntry, match="books of lakeside"), transaction.atomic():
        post(
            NewEntry(
                key="k", premises=lakeside, kind="round", reference="r", source_hash="ab" * 32, day=DAY,
                legs={"harbour/tables/CS-01/bank": 1, "lakeside/tables/CS-01/win": -1},
            )
        )  # fmt: skip


def test_posting_needs_a_transaction_of_the_caller(transactional_db: None) -> None:
    premises = make_premises("quay")
    entry = NewEntry(
        key="k", premises=premises, kind="round", reference="r", source_hash="ab" * 32, day=DAY,
        legs={"quay/tables/CS-01/bank": 1, "quay/tables/CS-01/win": -1},
    )  # fmt: skip
    with pytest.raises(RuntimeError, match="atomic"):
        post(entry)


def test_legs_are_summed_by_account() -> None:
    assert sum_legs([("b", 5), ("a", 1), ("b", -2), ("c", 4), ("c", -4), ("a", -4)]) == {"a": -3, "b": 3}


def test_trial_balance_of_days(new: New, harbour: Premises) -> None:
    post(new("a", {"tables/T/bank": 100, "tables/T/win": -100}, day=date(2026, 3, 13)))
    post(new("b", {"tables/T/bank": -30, "tables/T/win": 30}, day=date(2026, 3, 14)))
    post(new("c", {"tables/T/bank": 7, "tables/T/fees": -7}, day=date(2026, 3, 14)))
    post(new("d", {"tables/T/bank": 1000, "tables/T/win": -1000}, day=date(2026, 3, 15)))
    lines = {
        line.code.rsplit("/", 1)[1]: (
            line.opening_micros, line.debit_micros, line.credit_micros, line.closing_micros,
        )
        for line in trial_balance(harbour, DAY, DAY)
    }  # fmt: skip
    assert lines == {"bank": (100, 7, -30, 77), "fees": (0, 0, -7, -7), "win": (-100, 30, 0, -70)}
    assert sum(line.closing_micros for line in trial_balance(harbour)) == 0
    assert balances(["harbour/tables/T/bank", "harbour/tables/T/fees"]) == {
        "harbour/tables/T/bank": 1077, "harbour/tables/T/fees": -7,
    }  # fmt: skip
