"""A settlement that changes takes another version of the rules: stored settlements name the one that made them."""

from __future__ import annotations

import pytest

from rules import RULES_VERSION
from tests.rules import answers

COMMAND = "python -m tests.rules.answers"


def test_golden_rounds_are_settled_as_recorded_under_this_version() -> None:
    version, rounds = answers.recorded()
    assert answers.changed() == [], "raise RULES_VERSION in rules/version.py, then " + COMMAND
    assert (version, rounds) == (RULES_VERSION, answers.settled()), (
        f"{COMMAND} records new rounds and versions"
    )


def test_a_changed_answer_is_refused_without_a_new_version(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name, (played, _) = next(iter(answers.settled().items()))
    before = answers.RECORD.read_text()
    monkeypatch.setattr(answers, "settled", lambda: {name: [played, "another"]})
    assert answers.main() == 1
    assert name in capsys.readouterr().out
    assert answers.RECORD.read_text() == before
