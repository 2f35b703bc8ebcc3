"""A casino as a document: exported, tried by the rules, shown as differences, applied by two people, once."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.core.management import CommandError, call_command

from config.kit.refusals import Refused
from jackpots.signs.displays import create_display
from jackpots.signs.set_up import USUAL
from people.approvals import approvals
from people.models import ApprovalRequest, Premises
from tables.floor import apply, document
from tables.floor.document_form import read
from tables.models import Table, TableChange, Terminal
from tests.floor import Floor, make_floor
from tests.tables.test_set_up import with_administrators


@pytest.fixture
def floor(db: None) -> Floor:
    made = with_administrators(make_floor(pay_alone_limit_micros=150_000_000))
    create_display("test", made.harbour, "Main wall", made.progressive)
    return made


def run(what: str, file: Path, **more: str) -> str:
    out = StringIO()
    call_command("floor", what, str(file), stdout=out, **more)
    return out.getvalue()


def wanted(**tables: Any) -> dict[str, Any]:
    return {
        "version": 1,
        "tables": {f"harbour/{code.replace('_', '-')}": given for code, given in tables.items()},
    }


def test_what_is_exported_is_what_there_is(floor: Floor, tmp_path: Path) -> None:
    file = tmp_path / "floor.json"
    run("export", file)
    text = file.read_text()
    for secret in (*floor.tokens.values(), *Terminal.objects.values_list("token_sha256", flat=True)):
        assert secret not in text
    assert "nothing to do" in run("diff", file)
    assert "nothing to do" in run("check", file)
    assert "nothing to do" in run("apply", file)
    assert not ApprovalRequest.objects.exists()


def test_the_same_floor_is_made_in_an_empty_house(db: None, tmp_path: Path) -> None:
    given = EXAMPLE
    file = tmp_path / "floor.json"
    file.write_text(json.dumps(given))
    assert "tables hill/RO-01: new" in run("check", file)
    assert not Premises.objects.exists()
    assert "Done." in run("apply", file)
    table = Table.objects.get()
    assert (table.premises.code, table.chips, table.terminals.get().name) == (
        "hill",
        ["1.00", "5.00"],
        "RO-01 left",
    )
    assert "nothing to do" in run("apply", file)
    run("export", tmp_path / "again.json")
    again = json.loads((tmp_path / "again.json").read_text())
    assert again["tables"]["hill/RO-01"]["rules"]["limits"]["kinds"] == {
        "*": {"minimum": "5.00", "maximum": "500.00"}
    }


EXAMPLE: dict[str, Any] = {
    "version": 1,
    "premises": {
        "hill": {
            "name": "Hill Casino",
            "currency": "NZD",
            "time_zone": "Pacific/Auckland",
            "rollover_hour": 6,
            "rulebook": "nz-1996",
        }
    },
    "tables": {
        "hill/RO-01": {
            "pit": "P1",
            "chips": ["1.00", "5.00"],
            "rules": {
                "game": "roulette",
                "rulebook": "nz-1996",
                "limits": {"kinds": {"*": {"minimum": "5.00", "maximum": "500.00"}}},
            },
            "terminals": {"RO-01 left": {"networks": ["10.1.0.0/16"], "must_sign": True}},
        }
    },
}


def test_where_there_are_people_it_takes_two_of_them(floor: Floor, tmp_path: Path) -> None:
    given = {**EXAMPLE, **wanted(CS_01={"pit": "P7", "rules": {"limits": _limits("10.00")}})}
    given["tables"]["hill/RO-01"] = EXAMPLE["tables"]["hill/RO-01"]
    file = tmp_path / "floor.json"
    file.write_text(json.dumps(given))
    with pytest.raises(CommandError, match="--as"):
        run("apply", file)
    told = run("apply", file, username="ada", premises="harbour", reason="the new house")
    assert "tables harbour/CS-01: pit: P1 → P7" in told
    assert not Premises.objects.filter(code="hill").exists()
    asked = ApprovalRequest.objects.get()
    with pytest.raises(Refused, match="yourself"):
        approvals.approve(asked, floor.people["ada"])
    approvals.approve(asked, floor.people["bo"])
    change = TableChange.objects.get()
    assert (change.table.code, change.state, change.approved_by) == ("CS-01", "planned", floor.people["bo"])
    table = Table.objects.get(code="CS-01")
    assert (table.pit, table.premises.code) == ("P7", "harbour")
    hill = Premises.objects.get(code="hill")
    assert set(hill.role_grants.values_list("user__username", flat=True)) == {"ada", "bo"}


def _limits(minimum: str) -> dict[str, Any]:
    one = {"minimum": "1.00", "maximum": "1.00"}
    return {"kinds": {"ante": {"minimum": minimum, "maximum": "500.00"}, "jackpot": one}, "chip": "0.50"}


def test_a_floor_that_was_changed_meanwhile_is_filed_anew(floor: Floor) -> None:
    asked = apply.ask(wanted(CS_01={"pit": "P7"}), floor.people["ada"], floor.harbour, "moved")
    Table.objects.filter(code="CS-02").update(pit="P8")
    with pytest.raises(Refused, match="filed anew"):
        approvals.approve(asked, floor.people["bo"])


def test_whoever_asks_and_approves_has_the_role_at_every_place(floor: Floor) -> None:
    given = {"version": 1, "tables": {"lakeside/CS-03": {"pit": "P7"}}}
    with pytest.raises(Exception, match="may not do this at Lakeside"):
        apply.ask(given, floor.people["ada"], floor.harbour, "moved")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (
            wanted(RO_01={"rules": {"game": "roulette", "rulebook": "nz-1996", "options": {"none": 1}}}),
            "no option",
        ),
        (wanted(RO_01={"pit": "P1"}), "missing"),
        (wanted(CS_01={"rules": {"game": "craps"}}), "keeps its game"),
        (wanted(CS_01={"links": {"nothing": ["jackpot"]}}), "no progressive"),
        ({"version": 1, "premises": {"harbour": {"name": "Other"}}}, "on its own page"),
        ({"version": 1, "displays": {"harbour/Wall": "nothing"}}, "no progressive"),
        ({"version": 1, "tables": {"nowhere/RO-01": {}}}, "no premises"),
    ],
)
def test_what_a_document_may_not_say(floor: Floor, given: dict[str, Any], says: str) -> None:
    before = document.export()
    with pytest.raises(Refused, match=says):
        apply.check(given)
    assert document.export() == before


@pytest.mark.parametrize(
    "text",
    ["no json", "[]", '{"version": 2}', '{"version": 1, "chairs": {}}', '{"version": 1, "tables": []}'],
)
def test_what_is_no_document(text: str) -> None:
    with pytest.raises(Refused):
        read(text)


def test_a_progressive_and_a_sign_are_made_as_they_were(floor: Floor) -> None:
    there = document.export()
    copied = {"progressives": {"other": there["progressives"]["stud"]}, "displays": {"harbour/Bar": "other"}}
    asked = apply.ask({"version": 1, **copied}, floor.people["ada"], floor.harbour, "a second meter")
    with pytest.raises(PermissionDenied, match="Finance or Jackpot manager"):
        approvals.approve(asked, floor.people["bo"])
    approvals.approve(asked, floor.people["fiona"])
    again = document.export()
    assert again["progressives"]["other"] == there["progressives"]["stud"]
    assert again["displays"]["harbour/Bar"] == "other"


def test_a_sign_is_made_as_it_was_set_up(floor: Floor) -> None:
    shows = USUAL | {"progressives": ["stud"], "palette": "felt", "language": "de", "big_from": "500.00"}
    asked = apply.ask(
        {"version": 1, "displays": {"harbour/Bar": shows}}, floor.people["ada"], floor.harbour, "x"
    )
    approvals.approve(asked, floor.people["bo"])
    assert document.export()["displays"]["harbour/Bar"] == shows
    wrong = {"version": 1, "displays": {"harbour/Pub": shows | {"palette": "pink"}}}
    with pytest.raises(Refused, match="palette"):
        apply.ask(wrong, floor.people["ada"], floor.harbour, "x")
