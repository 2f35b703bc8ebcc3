"""Setting up tables and changing what they pay: by two people, checked by the rules, with the house edge beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, connection, transaction

from config.kit.refusals import Refused
from people.approvals import approvals
from people.models import ApprovalRequest, AuditRecord, Role
from rules import find_game, round_from_json, round_to_json
from tables.floor import edges, set_up
from tables.floor.limits import change_limits
from tables.models import Table, TableChange
from tests.floor import Floor, give_role
from tests.on_record import add_user

LIMITS = {"kinds": {"*": {"minimum": "5.00", "maximum": "500.00"}}}
CRAPS = {"game": "craps", "rulebook": "nz-1996", "limits": LIMITS}
THREE_CARD = {"game": "three-card-poker", "rulebook": "gb-2011", "limits": LIMITS}


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return with_administrators(standing_floor)


def with_administrators(floor: Floor) -> Floor:
    for name in ("ada", "bo"):
        floor.people[name] = add_user(name, name=name.title(), password=None)
        give_role(floor.people[name], floor.harbour, Role.ADMINISTRATOR)
    return floor


def ask(floor: Floor, code: str = "CR-09", document: dict[str, Any] = CRAPS, **more: Any) -> ApprovalRequest:
    return set_up.ask_for_table(floor.people["ada"], floor.harbour, code, document, "new pit", **more)


def make(floor: Floor, code: str = "CR-09", document: dict[str, Any] = CRAPS, **more: Any) -> Table:
    approvals.approve(ask(floor, code, document, **more), floor.people["sefa"])
    return Table.objects.get(code=code)


def test_a_table_takes_two_people(floor: Floor) -> None:
    asked = ask(floor, chips=["5", "0.50"], pit="P2", reserved_for="a tournament")
    assert not Table.objects.filter(code="CR-09").exists()
    with pytest.raises(Refused, match="yourself"):
        approvals.approve(asked, floor.people["ada"])
    with pytest.raises(PermissionDenied):
        approvals.approve(asked, floor.people["arne"])
    approvals.approve(asked, floor.people["sefa"])
    table = Table.objects.get(code="CR-09")
    assert (table.pit, table.chips, table.reserved_for, table.is_open) == (
        "P2",
        ["0.50", "5.00"],
        "a tournament",
        False,
    )
    assert table.config.document["limits"]["chip"] == "0.50"
    assert AuditRecord.objects.filter(
        action="tables.table_created", subject=f"tables.table:{table.pk}"
    ).exists()


@pytest.mark.parametrize(
    ("code", "document", "more", "says"),
    [
        ("CS-01", CRAPS, {}, "already"),
        ("no spaces", CRAPS, {}, "cannot be a table's code"),
        ("CR-09", CRAPS, {"chips": ["0.005"]}, "whole cents"),
        ("CR-09", CRAPS, {"seats": 3}, "no seats"),
        ("CR-09", {**CRAPS, "options": {"nothing": 1}}, {}, "no option"),
        (
            "CR-09",
            {**CRAPS, "limits": {"kinds": {"*": {"minimum": "5.00", "increment": "10.00"}}}},
            {},
            "I 13.5",
        ),
        ("CR-09", THREE_CARD, {}, "plays by"),
        ("BJ-09", {"game": "blackjack", "rulebook": "nz-1996"}, {"seats": 8}, "1 to 7"),
    ],
)
def test_what_is_refused(
    floor: Floor, code: str, document: dict[str, Any], more: dict[str, Any], says: str
) -> None:
    floor.harbour.rulebook = "nz-1996"
    floor.harbour.save(update_fields=["rulebook"])
    with pytest.raises(Refused, match=says):
        ask(floor, code, document, **more)
    assert not ApprovalRequest.objects.exists()


def pair_plus(game_lines: dict[str, str]) -> dict[str, Any]:
    return {**THREE_CARD, "paytables": {"pair-plus": game_lines}}


def own_odds(**changed: str) -> dict[str, str]:
    least = find_game("three-card-poker", "gb-2011").least_odds("pair-plus")
    return {line: odds.text for line, odds in least.items()} | {
        k.replace("_", "-"): v for k, v in changed.items()
    }


def test_odds_under_the_books_minimum_are_refused_with_the_rule(floor: Floor) -> None:
    with pytest.raises(Refused, match=r"below the minimum.*gb-2011 2\.6"):
        ask(floor, "TC-09", pair_plus(own_odds(flush="1 to 1")))


def test_a_wager_that_favours_the_player_says_so_before_anyone_approves(floor: Floor) -> None:
    # A pair comes in 3744 of 22100 hands; at 6 to 1 it alone returns more than all that is lost:
    # flush 1096, straight 720, trips 52, straight flush 48 and no pair or better 16440 of 22100.
    asked = ask(floor, "TC-09", pair_plus(own_odds(pair="6 to 1")))
    assert [line.split()[0] for line in asked.payload["FAVOURS THE PLAYER"]] == ["pair-plus"]
    honest = ask(floor, "TC-10", pair_plus(own_odds()))
    assert "FAVOURS THE PLAYER" not in honest.payload


def test_house_edges_of_roulette_are_those_of_one_zero(floor: Floor) -> None:
    # 37 numbers, 35 to 1: (36 - 35) / 37.
    asked = ask(floor, "RO-09", {"game": "roulette", "rulebook": "nz-1996"})
    told = asked.payload["house edge"]
    assert next(words for wager, words in told.items() if wager.startswith("straight")) == "2.7027 %"


def test_what_takes_long_is_known_as_printed_and_says_what_to_run_as_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("POTLINE_CACHE", str(tmp_path))
    printed = {"game": "caribbean-stud", "rulebook": "nz-1996"}
    (ante,) = edges.figures(round_to_json(round_from_json(printed, partial=True)))
    assert ante.percent == "5.1991 %"  # as in docs/house-edges.md
    monkeypatch.setattr(edges, "known_edge", lambda case: None)
    (ante,) = edges.figures(round_to_json(round_from_json(printed, partial=True)))
    assert ante.house_edge is None
    assert ante.run.startswith("python -m rules edge caribbean-stud --rulebook nz-1996 --wager ante")


def other_rules(table: Table, **changed: Any) -> dict[str, Any]:
    document = {name: table.config.document[name] for name in ("options", "paytables", "limits")}
    return {**document, **changed}


def test_other_rules_take_two_people_and_a_sign(floor: Floor) -> None:
    table = make(floor, "BJ-09", {"game": "blackjack", "rulebook": "nz-1996", "limits": LIMITS})
    new = other_rules(table, options={**table.config.document["options"], "side-wagers": []})
    asked = set_up.ask_for_rules(table.pk, floor.people["ada"], new, "no side wager")
    assert any("side-wagers" in line for line in asked.payload["changes"])
    with pytest.raises(Refused, match="asked for"):
        set_up.ask_for_rules(table.pk, floor.people["bo"], new, "the same")
    approvals.approve(asked, floor.people["bo"])
    change = TableChange.objects.get()
    table.refresh_from_db()
    assert (change.state, change.needs_notice, change.kind) == ("planned", True, "rules")
    assert table.config_id == change.was_id
    assert (change.from_at - change.shown_at).total_seconds() == 20 * 60
    assert table.notices.get().rule == "nz-1996 I 13.3(a)"


def test_a_table_keeps_its_game(floor: Floor) -> None:
    table = make(floor)
    with pytest.raises(Refused, match="keeps its game"):
        set_up.ask_for_rules(table.pk, floor.people["ada"], {"game": "roulette"}, "another game")


def test_an_approval_of_rules_that_were_changed_meanwhile_is_refused(floor: Floor) -> None:
    table = make(floor)
    asked = set_up.ask_for_rules(
        table.pk, floor.people["ada"], other_rules(table), "chips", chips=["1.00"], exception="c"
    )
    wider = {"kinds": {"*": {"minimum": "5.00", "maximum": "900.00"}}}
    change_limits(table.pk, floor.people["sefa"], wider, "more room")
    with pytest.raises(Refused, match="changed meanwhile"):
        approvals.approve(asked, floor.people["sefa"])


def test_rules_of_a_linked_table_still_have_what_feeds_its_jackpot(floor: Floor) -> None:
    table = floor.tables["CS-01"]
    table.refresh_from_db()
    asked = set_up.ask_for_rules(
        table.pk, floor.people["ada"], other_rules(table), "chips", chips=["1.00", "5.00"]
    )
    approvals.approve(asked, floor.people["grace"])
    assert TableChange.objects.get().config.document["limits"]["chip"] == "1.00"


def test_a_table_is_arranged_by_one_person_on_record(floor: Floor) -> None:
    table = floor.tables["CS-01"]
    set_up.arrange(table.pk, floor.people["sefa"], pit="P9", seats=5, reserved_for="", reason="moved")
    table.refresh_from_db()
    assert (table.pit, table.seats, table.reserved_for) == ("P9", 5, None)
    with pytest.raises(Refused, match="1 to 9"):
        set_up.arrange(table.pk, floor.people["sefa"], pit="P9", seats=10, reserved_for="", reason="more")
    with pytest.raises(PermissionDenied):
        set_up.arrange(table.pk, floor.people["fiona"], pit="P1", seats=5, reserved_for="", reason="money")


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE tables_table SET config_id = (SELECT id FROM tables_tableconfig WHERE id <> config_id LIMIT 1)",
        "DELETE FROM tables_tablechange",
        "UPDATE tables_tablechange SET reason = 'another'",
        "UPDATE tables_tablechange SET state = 'in_force', ended_at = from_at",
        "UPDATE tables_tablechange SET state = 'in_force', ended_at = now()",
        "UPDATE tables_inspectornotice SET text = 'nothing'",
        "DELETE FROM tables_inspectornotice",
        "INSERT INTO tables_tablechange (table_id, kind, was_id, config_id, needs_notice, exception, reason,"
        " asked_by_id, shown_at, from_at, state) SELECT table_id, 'limits', was_id, config_id, true, '', 'x',"
        " asked_by_id, now(), now() + interval '19 minutes', 'planned' FROM tables_tablechange",
    ],
)
def test_the_database_refuses(floor: Floor, sql: str) -> None:
    table = make(floor, "BJ-09", {"game": "blackjack", "rulebook": "nz-1996", "limits": LIMITS})
    new = other_rules(table, options={**table.config.document["options"], "side-wagers": []})
    approvals.approve(
        set_up.ask_for_rules(table.pk, floor.people["ada"], new, "no side wager"), floor.people["bo"]
    )
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql)
