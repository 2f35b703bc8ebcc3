"""The floors of the demo, the simulator and the tests are documents: applied, exported and applied again they are the
same; and what a document says about links, terminals, signs and settings is what is made of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import transaction

from config.kit.refusals import Refused
from jackpots.models import Display, Link, Progressive
from people.approvals import approvals
from people.models import ApprovalRequest, Role
from simulator.floor import FLOORS as SIMULATED
from tables.demo import load
from tables.floor import apply, document
from tables.floor.document_form import read, text_of
from tables.models import Table, Terminal
from tests.floor import FLOORS, SMALL, Floor, add_to, apply_document, floor_document, give_role, like_stud
from tests.on_record import add_user
from tests.tables.test_set_up import own_odds, pair_plus, with_administrators

EXAMPLE = Path("docs/examples/floor.json")


def demo() -> dict[str, Any]:
    return read((SIMULATED / "demo.json").read_text())


def small_and_several() -> dict[str, Any]:
    more = floor_document("several")
    return {
        "version": 1,
        **{name: SMALL.get(name, {}) | more.get(name, {}) for name in SMALL if name != "version"},
    }


def example() -> dict[str, Any]:
    return read(EXAMPLE.read_text())


@pytest.mark.parametrize("floor_of", [demo, small_and_several, example])
def test_a_floor_of_ours_is_the_same_after_a_round_trip(db: None, floor_of: Any) -> None:
    given = floor_of()
    with transaction.atomic():
        assert len(apply.apply_at_once(given)) == sum(len(given[name]) for name in given if name != "version")
        assert document.differences(given) == []
        assert apply.check(given) == []
        exported = document.export()
        transaction.set_rollback(True)
    assert not Table.objects.exists()
    again = read(text_of(exported))
    assert again == exported, "as a file"
    apply.apply_at_once(again)
    assert document.export() == exported
    assert document.differences(again) == document.differences(given) == []


def test_every_file_of_ours_is_written_as_an_export_is() -> None:
    for file in (EXAMPLE, *SIMULATED.glob("*.json"), *FLOORS.glob("*.json")):
        assert file.read_text() == text_of(json.loads(file.read_text())), file


def test_the_demo_loads_what_is_missing_and_leaves_what_people_changed(db: None) -> None:
    load()
    Table.objects.filter(code="RO-01").update(pit="Pit 9")
    Display.objects.filter(name="Lobby").update(revoked_at="2026-01-01T00:00Z")
    before = document.export()
    load()
    assert document.export() == before
    assert Table.objects.filter(is_open=True).count() == 12


# --- Spellings --------------------------------------------------------------------------------------------------
def test_one_spelling_is_as_good_as_another(db: None) -> None:
    given = SMALL | {
        "progressives": {"stud": SMALL["progressives"]["stud"] | {"settings": {"pay_alone_limit": "150"}}},
        "tables": {
            "harbour/CS-01": like_stud(
                "CS-01",
                chips=["5.00", "1", "0.50"],
                pit=" P1 ",
                reserved_for=" ",
                links={"stud": {"kinds": ["jackpot"], "takes_rest": True}},
                terminals={"left": {"networks": ["10.1.2.3"]}},
            )
        },
        "displays": {
            "harbour/Wall": {"progressives": ["stud"], "networks": ["10.2.0.0/16"], "big_from": "500"}
        },
    }
    apply.apply_at_once(given)
    assert document.differences(given) == []
    assert apply.check(given) == []
    there = document.export()
    table = there["tables"]["harbour/CS-01"]
    assert (table["chips"], table["pit"], table["reserved_for"]) == (["0.50", "1.00", "5.00"], "P1", None)
    assert table["terminals"] == {"left": {"networks": ["10.1.2.3/32"], "must_sign": False}}
    assert there["displays"]["harbour/Wall"]["networks"] == ["10.2.0.0/16"]
    assert there["progressives"]["stud"]["settings"]["pay_alone_limit"] == "150.00"
    assert Display.objects.get().networks == ["10.2.0.0/16"]


def test_everything_that_is_wrong_is_told_at_once(db: None) -> None:
    given = SMALL | {
        "progressives": {"stud": SMALL["progressives"]["stud"] | {"settings": {"skew_ms": 5}}},
        "tables": {
            **SMALL["tables"],
            "harbour/RO-01": {"rules": {"game": "roulett", "rulebook": "nz-1996"}},
            "harbour/RO-02": {"rules": {"game": "roulette", "rulebook": "nz-1996"}, "seats": 40},
            "hill/RO-01": {"rules": {"game": "roulette", "rulebook": "nz-1996"}},
        },
        "displays": {"harbour/Wall": {"progressives": ["stud"], "palette": "pink"}, "harbour/Bar": "keno"},
    }
    with pytest.raises(Refused) as refused:
        apply.check(given)
    found = {fault.field: fault.message for fault in refused.value.faults}
    assert set(found) == {
        "progressives stud", "tables harbour/RO-01", "tables harbour/RO-02", "tables hill/RO-01",
        "displays harbour/Bar",
    }, "and nothing of what only follows from the progressive"  # fmt: skip
    assert "settings.skew_ms" in found["progressives stud"]
    assert "roulett" in found["tables harbour/RO-01"]
    assert "there are no premises 'hill'" in found["tables hill/RO-01"]
    assert not Table.objects.exists()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"version": 1, "tables": {"a/B": {}, "a/B": {}}}', "'a/B' stands twice"),
        ('{"version": 1, "tables": {"a/B": {"chip": "1.00"}}}', "chip is not known; known: pit, seats, chips"),
        ('{"version": 1, "tables": {"B": {}}}', "premises/code"),
        ('{"version": 1, "tables": {"a/B": {"seats": "7"}}}', "seats: a whole number or null is needed, not '7'"),
        ('{"version": 1, "tables": {"a/B": {"seats": true}}}', "seats: a whole number"),
        ('{"version": 1, "tables": {"a/B": {"chips": [1]}}}', "chips: a list of texts"),
        ('{"version": 1, "tables": {"a/B": {"pit": "%s"}}}' % ("P" * 33), "pit: at most 32 characters"),
        ('{"version": 1, "tables": {"a/B": {"links": {"x": "jackpot"}}}}', "links.x: a list of kinds"),
        ('{"version": 1, "tables": {"a/B": {"links": {"x": {}}}}}', "links.x.kinds is missing"),
        ('{"version": 1, "tables": {"a/B": {"terminals": {"t": null}}}}', "terminals.t: an object"),
        ('{"version": 1, "tables": {"a/B": {"terminals": {"Tablet 1": {}}}}}', "handed over on the floor"),
        ('{"version": 1, "progressives": {"x": {"settings": {"skew": 1}}}}', "settings.skew is not known"),
        ('{"version": 1, "displays": {"a/B": 7}}', "an object is needed"),
        ('{"version": 1, "chairs": {}}', "there is no such section"),
    ],
)  # fmt: skip
def test_a_text_that_is_no_document_says_where(text: str, says: str) -> None:
    with pytest.raises(Refused, match=says):
        read(text)


# --- Links, terminals -------------------------------------------------------------------------------------------
def test_a_link_is_made_as_it_is_said_and_never_changed(standing_floor: Floor) -> None:
    add_to(standing_floor, floor_document("several"))
    links = {
        str(link.progressive.code): link.takes_rest
        for link in Link.objects.filter(table_log__table_code="ST-01")
    }
    assert links == {"grand": True, "minor": False, "mini": False}
    for link in (["ante"], {"kinds": ["jackpot"], "takes_rest": False}):
        wanted = {"version": 1, "tables": {"harbour/CS-01": {"links": {"stud": link}}}}
        assert len(document.differences(wanted)) == 1
        with pytest.raises(Refused, match="the link to stud is there otherwise"):
            apply.check(wanted)


def test_other_chances_at_one_meter_are_allowed_in_so_many_words(db: None) -> None:
    """As on the page: of seven cards a royal comes far more often than of five."""
    level = {"name": "pot", "seed": "1000.00", "increment_rate": "0.7000"}
    rules = {"preset": "gb-2011-7.21", "levels": [level]}

    def floor(**of_second: Any) -> dict[str, Any]:
        second = {"kinds": ["progressive"], **of_second}
        games = {"ST-01": ("casino-stud", ["progressive"]), "HB-01": ("texas-holdem-bonus", second)}
        return SMALL | {
            "progressives": {"wide": {"name": "Wide", "host": "harbour", "rules": rules}},
            "tables": {
                f"harbour/{code}": {"rules": {"game": game, "rulebook": "gb-2011"}, "links": {"wide": link}}
                for code, (game, link) in games.items()
            },
        }

    with pytest.raises(Refused, match=r"HB-01: One meter, other chances: a royal flush comes once in 30,940"):
        apply.check(floor())
    apply.apply_at_once(floor(unequal_odds=True))
    exported = document.export()
    assert [each["links"]["wide"].get("unequal_odds") for each in exported["tables"].values()] == [True, True]
    assert document.differences(floor()) == document.differences(exported) == []


def test_terminals_that_are_there_are_held_to_the_documents_addresses(db: None) -> None:
    apply_document(SMALL)
    before = set(Terminal.objects.values_list("token_sha256", flat=True))
    held = {"terminal CS-01": {"networks": ["10.1.0.0/16"]}, "spare": {}}
    wanted = {"version": 1, "tables": {"harbour/CS-01": {"terminals": held}}}
    assert document.differences(wanted) == [
        "tables harbour/CS-01: terminals.spare: none → {'networks': [], 'must_sign': False}",
        "tables harbour/CS-01: terminals.terminal CS-01.networks: [] → ['10.1.0.0/16']",
    ]
    apply_document(wanted)
    assert document.differences(wanted) == []
    assert Terminal.objects.get(name="terminal CS-01").networks == ["10.1.0.0/16"]
    assert before < set(Terminal.objects.values_list("token_sha256", flat=True)), "tokens stay"


def test_a_silent_tables_policy_is_a_part_of_it(db: None) -> None:
    stud = SMALL["progressives"]["stud"] | {"settings": {"silence": "play-on"}}
    apply_document(SMALL | {"progressives": {"stud": stud}})
    assert Progressive.objects.get().silence == "play-on"
    assert document.export()["progressives"]["stud"]["settings"]["silence"] == "play-on"


# --- What the second person sees --------------------------------------------------------------------------------
@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return with_administrators(standing_floor)


def asked(floor: Floor, code: str, rules: dict[str, Any]) -> ApprovalRequest:
    wanted = {"version": 1, "tables": {f"harbour/{code}": {"rules": rules}}}
    return apply.ask(wanted, floor.people["ada"], floor.harbour, "a new table")


def test_a_new_link_is_approved_at_the_progressives_host_too(floor: Floor) -> None:
    ada, wanted = floor.people["ada"], {"version": 1, "tables": {"lakeside/CS-09": like_stud("CS-09")}}
    give_role(ada, floor.lakeside, Role.ADMINISTRATOR)
    filed = apply.ask(wanted, ada, floor.lakeside, "a fourth table")
    lena = add_user("lena", name="Lena")
    give_role(lena, floor.lakeside, Role.FINANCE)
    with pytest.raises(PermissionDenied, match="at Harbour"):
        approvals.approve(filed, lena)
    approvals.approve(filed, floor.people["fiona"])
    assert Link.objects.filter(table_log__table_code="CS-09", progressive__code="stud").exists()


def test_what_favours_the_player_is_told_before_anyone_approves(floor: Floor) -> None:
    """The odds are those of test_set_up: a pair at 6 to 1 returns more than all that is lost."""
    favours = asked(floor, "TC-09", pair_plus(own_odds(pair="6 to 1"))).payload["FAVOURS THE PLAYER"]
    assert [line.split()[0] for line in favours["harbour/TC-09"]] == ["pair-plus"]
    honest = asked(floor, "TC-10", pair_plus(own_odds())).payload
    assert "FAVOURS THE PLAYER" not in honest
    assert "pair-plus" in honest["house edge"]["harbour/TC-10"]
