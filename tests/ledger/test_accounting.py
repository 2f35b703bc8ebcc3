"""docs/accounting.md, executed: every worked example is posted, every stated balance must come out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ledger.books import chart
from ledger.books.balances import balance, roll_up, trial_balance
from ledger.books.journal import NewEntry, post
from ledger.close import reconciliation
from ledger.models import Entry
from people.models import Premises
from rules.money import format_money, parse_money
from tests.ledger.conftest import DAY, HASH, make_premises

PAGE = Path(__file__).resolve().parents[2] / "docs" / "accounting.md"


@dataclass
class Story:
    title: str
    steps: list[tuple[str, str, dict[str, int]]] = field(default_factory=list)
    """("entry", "kind: words", legs) or ("state", "account amount", {}). A kind may end in " at lakeside", an account
    begin with "lakeside/": the other premises of the story."""


def stories() -> Iterator[Story]:
    """The ```books blocks, titled by the heading above them."""
    title, block, number = "", None, 0
    for line in PAGE.read_text().splitlines():
        if line.startswith("#"):
            title, number = line.strip("# "), 0
        elif line == "```books":
            number += 1
            block = Story(f"{title} {number}" if number > 1 else title)
        elif line == "```" and block is not None:
            yield block
            block = None
        elif block is not None and line.startswith("= "):
            block.steps.append(("state", line[2:], {}))
        elif block is not None and line.startswith("  "):
            account, amount = line.split()
            block.steps[-1][2][account] = parse_money(amount)
        elif block is not None:
            block.steps.append(("entry", line, {}))


STORIES = list(stories())


def pool(progressive: str, level: str, *names: str) -> int:
    return -sum(balance(chart.level("harbour", progressive, level, name)) for name in names)


def state(text: str) -> tuple[int, int]:
    """What is stated and what the books say."""
    *what, amount = text.split()
    if what[0] == "meter":
        found = pool(what[1], what[2], "increment", "base")
    elif what[0] == "owed":
        found = pool(what[1], what[2], "increment", "base", "base-not-owed", "reserve", "overflow", "payable")
    else:
        found = balance(what[0] if what[0].startswith("lakeside/") else f"harbour/{what[0]}")
    return parse_money(amount), found


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.title)
def test_worked_example(story: Story, harbour: Premises) -> None:
    previous, lakeside = None, make_premises("lakeside")
    for number, (kind, text, legs) in enumerate(story.steps):
        if kind == "state":
            stated, found = state(text)
            assert format_money(found) == format_money(stated), text
            continue
        name, _, words = text.partition(": ")
        name, _, elsewhere = name.partition(" at ")
        premises = lakeside if elsewhere == "lakeside" else harbour
        key = f"example:{number}"
        corrects = previous if "corrects the entry before" in words else None
        entry = NewEntry(
            key=key, premises=premises, kind=name, reference=key, source_hash=HASH, day=DAY, memo=words,
            corrects=corrects, legs={f"{premises.code}/{account}": micros for account, micros in legs.items()},
        )  # fmt: skip
        assert post(entry).created
        assert (Entry.objects.get(key=key).corrects is not None) is (corrects is not None)
        previous = key
    roll_up()
    for premises in (harbour, lakeside):
        assert sum(line.closing_micros for line in trial_balance(premises)) == 0
    for level in reconciliation.reconcile(harbour, DAY, DAY):
        assert level.opening_micros + level.moved_micros == level.closing_micros
        assert level.variances == []


def test_the_page_tells_what_was_promised() -> None:
    titles = " ".join(story.title for story in STORIES)
    for story in (
        "A round",
        "win",
        "top-up",
        "rejected",
        "void",
        "corrected",
        "rounded up",
        "A fill",
        "Between",
    ):
        assert story in titles
    assert sum(len(story.steps) for story in STORIES) > 60


def test_the_chart_on_the_page_is_the_chart() -> None:
    """Every pattern of the chart stands in the table, with its kind."""
    table = [line for line in PAGE.read_text().splitlines() if line.startswith("| `")]
    stated: dict[str, str] = {}
    for line in table:
        cells = line.split("|")
        codes = re.findall(r"`([^`]+)`", cells[1])
        kinds = [kind.strip() for kind in cells[2].split(",")]
        for index, code in enumerate(codes):
            full = code.replace(".../", codes[0].rsplit("/", 1)[0] + "/")
            stated[re.sub(r"\b[A-Z]\b", "*", full)] = kinds[min(index, len(kinds) - 1)]
    declared = {item.pattern: item.kind.value for item in chart.patterns()}
    assert {code: declared.get(code) for code in stated} == stated
    assert declared.keys() - stated.keys() == set()


class TestReconciliation:
    """A win with a restart, told apart into wins, seed and reserve; and variances named."""

    @pytest.fixture
    def night(self, harbour: Premises) -> Premises:
        story = next(story for story in STORIES if story.title == "A jackpot win")
        for number, (kind, text, legs) in enumerate(story.steps):
            if kind == "entry":
                post(
                    NewEntry(
                        key=f"n{number}", premises=harbour, kind=text.split(":")[0], reference="n", source_hash=HASH,
                        day=DAY, legs={f"harbour/{account}": micros for account, micros in legs.items()},
                    )
                )  # fmt: skip
        return harbour

    def test_movements_of_a_level(self, night: Premises) -> None:
        (grand,) = reconciliation.reconcile(night, DAY, DAY)
        figures = (
            grand.opening_micros, grand.seed_micros, grand.contributions_micros, grand.from_reserve_micros,
            grand.wins_micros, grand.adjustments_micros, grand.other_micros, grand.closing_micros,
        )  # fmt: skip
        # 20,000.00 at first, 19,999.50 at the restart; 6.00 contributed; 0.50 from the reserve; 20,006.00 won
        assert [format_money(figure) for figure in figures] == [
            "0.00", "39999.50", "6.00", "0.50", "20006.00", "0.00", "0.00", "20000.00",
        ]  # fmt: skip
        assert grand.variances == []

    def test_a_rejected_win_is_no_win(self, harbour: Premises) -> None:
        story = next(story for story in STORIES if story.title == "A rejected win")
        for number, (kind, text, legs) in enumerate(story.steps):
            if kind == "entry":
                accounts = {f"harbour/{account}": micros for account, micros in legs.items()}
                post(
                    NewEntry(
                        key=f"r{number}", premises=harbour, kind=text.split(":")[0], reference="r", source_hash=HASH,
                        day=DAY, legs=accounts,
                    )
                )  # fmt: skip
        (grand,) = reconciliation.reconcile(harbour, DAY, DAY)
        assert (grand.wins_micros, format_money(grand.seed_micros), grand.variances) == (0, "1000.00", [])

    def test_readings_that_differ_are_named(self, night: Premises, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(reconciliation, "_readings", [])
        reconciliation.register_readings(
            lambda premises, day: [
                reconciliation.Reading("night", "grand", "meter", 20_000_000_000),
                reconciliation.Reading("night", "grand", "signs", 20_000_010_000),
            ]
        )
        (grand,) = reconciliation.reconcile(night, DAY, DAY)
        assert grand.variances == ["signs: 20,000.01, by the books 20,000.00, variance 0.01"]


def test_table_results_tell_fills_and_credits_from_play(harbour: Premises) -> None:
    from ledger.reports.reports import Scope
    from tables.chips.trays import TABLE_RESULTS

    for title in ("A round", "A fill, a credit, the drop"):
        story = next(story for story in STORIES if story.title == title)
        for number, (kind, text, legs) in enumerate(story.steps):
            if kind == "entry":
                post(
                    NewEntry(
                        key=f"{title}:{number}", premises=harbour, kind=text.split(":")[0], reference="n", day=DAY,
                        source_hash=HASH, legs={f"harbour/{code}": micros for code, micros in legs.items()},
                    )
                )  # fmt: skip
    (row,) = TABLE_RESULTS.rows(Scope(harbour, DAY, DAY))
    named = dict(zip((column.name for column in TABLE_RESULTS.columns), row, strict=True))
    figures = {name: format_money(value) for name, value in named.items() if name != "table"}
    # Bank: 1,000 + 500 filled, 200 credited, 5 lost to players, 100 sold for cash; the box was counted.
    assert figures == {
        "win": "-5.00", "commission": "0.00", "fees": "0.00", "rounding": "0.00", "result": "-5.00", "standing": "0.00",
        "opener": "0.00", "fills": "1500.00", "credits": "-200.00", "closer": "0.00",
        "bank": "1195.00", "drop": "100.00", "variance": "0.00",
    }  # fmt: skip
