"""The home page: what waits for whom, counted and led to; links from every record; the search."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from config.kit.gaming_day import gaming_day
from jackpots.models import Display, Progressive, TableLog, Win
from jackpots.signs import displays as sign_displays
from ledger import console as ledger_console
from ledger.close import reconciliation
from ledger.close.reconciliation import Reading, ReconciledTable
from ledger.models import Entry, GamingDay
from people.alerts import alerts
from people.approvals import approvals
from people.models import Role, RoleGrant, User
from people.pages import console, references, search
from people.tokens import hash_token
from tables.chips import chips
from tables.floor import limits
from tables.models import Round, Table
from tables.settle.settlement import ROUND_PARKED
from tests.conventions.jackpot_rows import held_hand
from tests.conventions.test_permissions import with_a_win
from tests.floor import Floor, make_floor
from tests.on_record import add_user, give


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return standing_floor


def waits(user: User) -> dict[str, list[console.Task]]:
    return {sort.title: sort.tasks for sort in console.waiting_for(user)}


def page(user: User) -> Client:
    client = Client()
    client.force_login(user)
    from people.log_ins import sessions

    class Request:
        session = client.session
        headers: dict[str, str] = {}

    asking: Any = Request()
    sessions.begin(asking, user, by_code=False)
    asking.session.save()
    return client


def test_a_win_waits_for_each_with_the_step_that_is_theirs(floor: Floor) -> None:
    win = with_a_win(floor)  # verified by grace
    (task,) = waits(floor.people["sefa"])["Wins"]
    assert (task.verb, task.url, task.urgent) == ("approve", reverse("jackpot-win", args=[win.pk]), True)
    assert (task.amount_micros, task.currency) == (win.amount_micros, "NZD")
    assert "Wins" not in waits(floor.people["grace"])  # nobody approves what they verified
    assert "Approvals" not in waits(floor.people["sefa"])  # not told twice
    assert "Wins" not in waits(floor.people["fiona"])
    assert win.approval is not None
    approvals.approve(win.approval, floor.people["sefa"])
    assert [task.verb for task in waits(floor.people["grace"])["Wins"]] == ["pay"]


def test_a_rejected_or_expired_approval_means_verifying_again(floor: Floor) -> None:
    win = with_a_win(floor)
    assert win.approval is not None
    approvals.reject(win.approval, floor.people["sefa"], "unclear")
    assert [task.verb for task in waits(floor.people["sefa"])["Wins"]] == ["verify"]


def test_a_request_waits_for_those_who_may_decide_and_lapses_with_the_role(floor: Floor) -> None:
    sefa, grace = floor.people["sefa"], floor.people["grace"]
    chips.enter_slip(floor.tables["CS-01"].pk, "fill", "1002", 2_000_000_000, sefa)
    assert [task.verb for task in waits(grace)["Approvals"]] == ["decide"]
    assert "Approvals" not in waits(sefa)  # asked for it
    assert "Approvals" not in waits(floor.people["arne"])  # an auditor decides on nothing
    RoleGrant.objects.filter(user=sefa).delete()
    assert "Approvals" not in waits(grace)


def test_standing_says_of_many_what_why_lapsed_says_of_each(floor: Floor) -> None:
    win = with_a_win(floor)
    sefa = floor.people["sefa"]
    chips.enter_slip(floor.tables["CS-01"].pk, "fill", "1", 1_000_000, sefa)
    rows = list(approvals.open_at([floor.harbour]))
    assert len(rows) == 2
    assert approvals.standing(rows) == [row for row in rows if approvals.why_lapsed(row) is None] == rows
    RoleGrant.objects.filter(user=floor.people["grace"]).delete()
    assert approvals.standing(rows) == [row for row in rows if approvals.why_lapsed(row) is None] == rows[1:]
    assert rows[0].pk == win.approval_id


def test_silent_tables_dark_signs_parked_rounds_and_days_wait(db: None) -> None:
    floor = make_floor()
    Table.objects.update(last_heard_at=timezone.now())  # no table of it is silent
    with_a_win(floor)
    manager, sefa, fiona = floor.people["jan"], floor.people["sefa"], floor.people["fiona"]
    assert "Silent tables" not in waits(sefa)
    long_ago = timezone.now() - timedelta(minutes=9)
    Table.objects.filter(code="CS-02").update(last_heard_at=long_ago)
    TableLog.objects.filter(table_code="CS-02").update(is_open=True)
    (silent,) = waits(sefa)["Silent tables"]
    assert silent.url == reverse("table", args=["harbour", "CS-02"])
    sign = Display.objects.create(
        premises=floor.harbour, name="Wall", progressive=floor.progressive, token_sha256=hash_token("a")
    )
    assert "Dark signs" not in waits(manager)  # never hung up
    Display.objects.filter(pk=sign.pk).update(last_seen_at=long_ago)
    assert [task.since for task in waits(manager)["Dark signs"]] == [long_ago]
    alerts.raise_alert(ROUND_PARKED, Round.objects.get(), "It stands still", premises=floor.harbour)
    assert "Alerts" not in waits(sefa)  # parked rounds are a task of their own
    assert "Days to close" not in waits(fiona)  # today's is not over
    day = GamingDay.objects.get(premises=floor.harbour)
    GamingDay.objects.create(premises=floor.harbour, date=day.date - timedelta(days=3))
    (close,) = waits(fiona)["Days to close"]
    assert close.urgent
    assert "Days to close" not in waits(sefa)


def test_a_source_that_breaks_is_told_and_hides_nothing_else(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_a_win(floor)

    def broken(user: User) -> list[console.Task]:
        Win.objects.get(pk=-1)
        return []

    kept = console._known.sources.copy()
    console.tasks("Broken things", [Role.SUPERVISOR])(broken)
    try:
        told = waits(floor.people["sefa"])
    finally:
        console._known.sources.clear()
        console._known.sources.update(kept)
    assert told["Broken things"][0].urgent
    assert "Wins" in told


@pytest.mark.parametrize("who", ["sefa", "jan", "fiona", "arne"])
def test_every_role_has_a_home_and_a_badge(floor: Floor, who: str) -> None:
    with_a_win(floor)
    client = page(floor.people[who])
    assert client.get("/").status_code == 200
    assert client.get("/", headers={"HX-Request": "true"}).content.count(b"<html") == 0
    badge = client.get("/waiting/").content.decode()
    assert ("badge" in badge) == (who in ("sefa", "jan"))


def test_an_administrator_has_a_home(floor: Floor) -> None:
    ada = add_user("ada", name="Ada", password=None)
    give(user=ada, premises=floor.harbour, role=Role.ADMINISTRATOR)
    text = page(ada).get("/").content.decode()
    for said in ("This installation", "database:", "Progressives and signs", "Tokens of terminals"):
        assert said in text


def test_every_named_row_leads_to_its_page(floor: Floor) -> None:
    win = with_a_win(floor)
    round_, entry = Round.objects.get(), Entry.objects.filter(premises=floor.harbour).order_by("pk").first()
    assert entry is not None
    client = page(floor.people["arne"])
    for reference, address in {
        f"tables.round:{round_.pk}": f"/floor/harbour/rounds/{round_.pk}/",
        f"round:{round_.pk}": f"/floor/harbour/rounds/{round_.pk}/",
        f"tables.table:{floor.tables['CS-01'].pk}": "/floor/harbour/tables/CS-01/",
        f"jackpots.win:{win.pk}": f"/jackpots/wins/{win.pk}/",
        f"win:{win.pk}": f"/jackpots/wins/{win.pk}/",
        "progressive:stud": "/jackpots/#p-stud",
        f"people.approvalrequest:{win.approval_id}": f"/approvals/{win.approval_id}/",
        f"ledger.entry:{entry.pk}": f"/finance/harbour/journal/{entry.pk}/",
        f"people.user:{win.verified_by_id}": f"/people/{win.verified_by_id}/",
    }.items():
        answer = client.get(reverse("go", args=[reference]))
        assert (answer.status_code, answer.headers["Location"]) == (302, address), reference
        assert client.get(address).status_code == 200, address
    for nothing in (
        "tables.round:99999999",
        "round:x",
        "nobody:1",
        "tables.round:" + "9" * 40,
        "tables.round:²",
    ):
        assert client.get(reverse("go", args=[nothing])).status_code == 404, nothing
    assert references.address_of("no such kind") == ""


def test_a_row_of_other_premises_is_answered_as_one_that_there_is_not(floor: Floor) -> None:
    """Nobody learns from `go` which tables, rounds, entries or signs others have."""
    win = with_a_win(floor)
    day, sign = GamingDay.objects.filter(premises=floor.harbour).earliest("pk"), displays(floor)
    entry = Entry.objects.filter(premises=floor.harbour).earliest("pk")
    lone = Progressive.objects.create(
        code="lone", name="Lone", host=floor.harbour, config=floor.progressive.config
    )
    named = {
        "tables.round": Round.objects.get().pk,
        "round": Round.objects.get().pk,
        "tables.table": floor.tables["CS-01"].pk,
        "jackpots.tablelog": floor.tables["CS-01"].table_log_id,
        "ledger.entry": entry.pk,
        "ledger.gamingday": day.pk,
        "jackpots.display": sign.pk,
        "jackpots.progressive": lone.pk,
        "win": win.pk,
        "approval": win.approval_id,
    }
    kiri = add_user("kiri", name="Kiri")
    for role in (Role.SUPERVISOR, Role.FINANCE, Role.ADMINISTRATOR, Role.AUDITOR):
        RoleGrant.objects.filter(user=kiri).delete()
        give(user=kiri, premises=floor.lakeside, role=role)
        client = page(kiri)
        for kind, pk in named.items():
            told = [_told(client, f"{kind}:{number}") for number in (pk, 99_999_999)]
            assert told[0] == told[1], (role, kind)
        assert _told(client, "progressive:lone") == _told(client, "progressive:none")


def _told(client: Client, reference: str) -> tuple[int, str]:
    """The status and the page at the end, without what was asked for and what every request has of its own."""
    answer = client.get(reverse("go", args=[reference]), follow=True)
    found = re.search(r"<main.*</main>", answer.content.decode(), re.DOTALL)
    assert found is not None
    text = re.sub(r"\b[A-Za-z0-9]{64}\b", "", found[0])  # tokens against forged requests
    text = text.replace(reference, "…").replace(quote(reference), "…")
    return answer.status_code, re.sub(r"\d+|\bnone\b|\blone\b", "…", text)


def displays(floor: Floor) -> Display:
    return sign_displays.create_display("test", floor.harbour, "Wall", floor.progressive)[0]


def found(user: User, text: str) -> dict[str, list[str]]:
    return {title: [row.url for row in rows] for title, rows in search.everywhere(user, text)}


def test_the_search_finds_what_the_reader_may_see(floor: Floor) -> None:
    win = with_a_win(floor)
    sefa, grace, arne = (floor.people[name] for name in ("sefa", "grace", "arne"))
    round_ = Round.objects.get()
    its_round = [f"/floor/harbour/rounds/{round_.pk}/"]
    assert found(sefa, "cs-01")["Tables"] == ["/floor/harbour/tables/CS-01/"]
    assert found(sefa, f"cs-01 / {round_.number}")["Rounds"] == its_round
    assert found(sefa, f"CS-01 #{round_.number}")["Rounds"] == its_round
    assert found(sefa, f"round {round_.pk}")["Rounds"] == its_round
    assert found(sefa, f"win {win.pk}")["Wins"] == [f"/jackpots/wins/{win.pk}/"]
    assert found(sefa, "Flush")["Wins"] == [f"/jackpots/wins/{win.pk}/"]
    made = chips.enter_slip(floor.tables["CS-01"].pk, "fill", "A-1002", 2_000_000_000, sefa)
    assert not made.booked
    assert "Slips" not in found(grace, "A-1002")  # not booked yet
    asked = approvals.open_at([floor.harbour]).get(action="tables.slip")
    approvals.approve(asked, grace)
    assert found(grace, "slip A-1002")["Slips"] == ["/floor/harbour/tables/CS-01/"]
    entry = Entry.objects.get(reference="slip:CS-01:A-1002")
    assert found(arne, "slip:CS-01:A-1002")["Entries"] == [f"/finance/harbour/journal/{entry.pk}/"]
    assert "Entries" not in found(sefa, str(entry.pk))
    assert found(sefa, "x") == {}
    stranger = add_user("kiri", name="Kiri", password=None)
    assert found(stranger, "CS-01") == {}


def test_one_find_leads_there_at_once_and_nul_is_no_fault(floor: Floor) -> None:
    client = page(floor.people["sefa"])
    assert client.get("/search/?q=CS-01").headers["Location"] == "/floor/harbour/tables/CS-01/"
    assert client.get("/search/?q=CS-0").status_code == 200
    assert client.get("/search/?q=%00").status_code == 200
    assert "Nothing of yours" in client.get("/search/?q=nowhere").content.decode()


def test_held_hands_wait_for_the_people_of_the_host(floor: Floor) -> None:
    held = held_hand(floor)
    (task,) = waits(floor.people["sefa"])["Held hands"]
    assert (task.verb, task.url, task.urgent) == (
        "let in or dismiss",
        reverse("jackpot-held", args=[held.pk]),
        True,
    )
    assert "Held hands" not in waits(floor.people["fiona"])


def test_a_sign_that_is_up_says_what_changes_and_when(floor: Floor) -> None:
    table = floor.tables["CS-02"]
    kinds = table.config.document["limits"]["kinds"]
    worse = {
        **table.config.document["limits"],
        "kinds": kinds | {"ante": kinds["ante"] | {"minimum": "50.00"}},
    }
    limits.change_limits(table.pk, floor.people["sefa"], worse, "busy")
    limits.show_closing(floor.tables["CS-01"].pk, floor.people["sefa"], "late")
    tasks = waits(floor.people["grace"])["Coming changes"]
    assert [task.verb for task in tasks] == ["19 min to go", "19 min to go"]
    assert "CS-02: ante: minimum " in tasks[0].what
    assert "→ 50.00" in tasks[0].what
    assert tasks[1].what.startswith("CS-01 closes, at ")
    assert not any(task.urgent for task in tasks)
    assert "Coming changes" not in waits(floor.people["jan"])


def test_a_day_that_does_not_tie_out_waits_for_finance(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    with_a_win(floor)
    yesterday = gaming_day(floor.harbour, timezone.now()) - timedelta(days=1)
    GamingDay.objects.create(premises=floor.harbour, date=yesterday)
    monkeypatch.setattr(ledger_console, "_looked", {})
    assert "Variances" not in waits(floor.people["fiona"])
    meter = Reading("stud", "grand", "meter", 77_000_000)
    monkeypatch.setattr(reconciliation, "_readings", [lambda premises, day: [meter]])
    assert "Variances" not in waits(floor.people["fiona"])  # looked a moment ago
    ledger_console._looked.clear()
    (task,) = waits(floor.people["fiona"])["Variances"]
    assert task.what.startswith("Grand of stud on ")
    assert "variance 77.00" in task.what
    assert task.url == f"/finance/reconciliation/?first={yesterday}&last={yesterday}"
    monkeypatch.setattr(reconciliation, "_readings", [])
    off = ReconciledTable("CS-01", yesterday, "/", 90_000_000, 85_000_000, -5_000_000, False, "")
    seen = replace(off, table="CS-02", accepted=True, explanation="seen")
    monkeypatch.setattr(reconciliation, "_counts", [lambda premises, first, last: [off, seen]])
    ledger_console._looked.clear()
    (task,) = waits(floor.people["fiona"])["Variances"]
    assert task.what.startswith("CS-01 on ")
    assert task.what.endswith("its count is -5.00 off")
    assert "Variances" not in waits(floor.people["sefa"])


def test_the_badge_marks_each_task(floor: Floor) -> None:
    client = page(floor.people["sefa"])
    before = client.get("/waiting/").content.decode()
    held_hand(floor)
    after = client.get("/waiting/").content.decode()
    known, now = (set(text.split('data-marks="')[1].split('"')[0].split()) for text in (before, after))
    assert len(now - known) == 1
    assert known < now or known == set()


@pytest.mark.parametrize("state", ["superseded", "unclaimed", "expired"])
def test_a_win_that_nobody_can_pay_any_more_waits_for_nobody(floor: Floor, state: str) -> None:
    win = with_a_win(floor)
    assert "Wins" in waits(floor.people["jan"])
    with connection.cursor() as cursor:  # as a second thought or two people leave it
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute("UPDATE jackpots_win SET state = %s WHERE id = %s", [state, win.pk])
        cursor.execute("SET LOCAL session_replication_role = origin")
    assert "Wins" not in waits(floor.people["jan"])
