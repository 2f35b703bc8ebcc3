"""Displays as staff set them up: by page and REST, on record, with refusals beside their fields; boards of tables; and
who needs someone."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from config.kit.gaming_day import gaming_day
from config.kit.redis import client as redis
from config.kit.refusals import Refused
from jackpots.models import Board, Display, Frame, Freeze, Link
from jackpots.set_up.configure import create_progressive
from jackpots.signs import frame_texts
from jackpots.signs.boards import publish_boards
from jackpots.signs.displays import create_display, known, renew_display, revoke_display, set_up_display
from jackpots.signs.frames import publish, snapshot
from jackpots.signs.set_up import USUAL, set_up_of
from jackpots.signs.showed import signs_of
from jackpots.signs.watch import raise_dark, standings
from jackpots.signs.wire import board_channel, channels_of, received
from people.models import Alert, AuditRecord, Premises
from people.tokens import hash_token
from tests import door as intake
from tests.acts import on_record
from tests.floor import Floor, make_floor, stud_rules
from tests.sign_reports import record_report

TABLE_SIGN = {
    "name": "CS-01",
    "table": "CS-01",
    "progressives": ["stud"],
    "language": "de",
    "big_from": "500",
}


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return standing_floor


def manager(floor: Floor) -> Client:
    client = Client()
    client.force_login(floor.people["jan"], "django.contrib.auth.backends.ModelBackend")
    return client


def test_a_sign_is_made_set_up_and_taken_down_by_rest(floor: Floor) -> None:
    client = manager(floor)
    made = client.post(
        "/api/v1/displays", {"premises": "harbour", **TABLE_SIGN}, content_type="application/json"
    )
    assert made.status_code == 201, made.content
    token, told = made.json()["token"], made.json()["display"]
    assert told["set_up"] == USUAL | {
        "progressives": ["stud"], "table": "CS-01", "language": "de", "big_from": "500.00"
    }  # fmt: skip
    assert (told["state"], told["shown"]) == ("never seen", {})
    page = Client().get(f"/signs/{token}/").content.decode()
    assert '"language": "de"' in page
    row = Display.objects.get(pk=told["id"])
    assert (row.progressive, row.table_log) == (floor.progressive, floor.tables["CS-01"].table_log)
    assert channels_of(row) == ["potline:sign:meter:stud", "potline:sign:board:harbour/CS-01"]

    path = f"/api/v1/displays/{row.pk}"
    before = row.set_up_as
    changed = client.post(path, {"name": "Wall", "progressives": ["stud"]}, content_type="application/json")
    assert changed.json()["set_up"]["table"] == ""
    row.refresh_from_db()
    assert (row.name, row.table_log) == ("Wall", None)
    assert row.set_up_as != before, "its page is loaded anew"
    record = AuditRecord.objects.get(action="jackpots.display_set_up")
    assert (record.actor, record.details["progressives"]) == (floor.people["jan"], ["stud"])
    renewed = client.post(f"{path}/renew", {"overlap_hours": 0}, content_type="application/json")
    assert Client().get(f"/signs/{token}/").status_code == 404
    assert Client().get(f"/signs/{renewed.json()['token']}/").status_code == 200
    client.post(f"{path}/revoke", {"reason": "moved"}, content_type="application/json")
    assert client.get(path).json()["state"] == "revoked"
    again = client.post(path, {"name": "Wall", "progressives": ["stud"]}, content_type="application/json")
    assert again.status_code == 409
    assert again.json()["code"] == "revoked"


def test_who_has_a_token_is_told_its_follower_only_within_the_overlap(floor: Floor, settings: Any) -> None:
    display, token = create_display("test", floor.harbour, "Wall", floor.progressive)
    assert on_record("jackpots.display_created") == 1
    old = hash_token(token)
    assert known([old])[old].moved_to == ""
    new = renew_display("test", display.pk, timedelta(hours=1))
    assert known([old])[old].moved_to == new
    assert known([hash_token(new)])[hash_token(new)].moved_to == ""
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another secret of the same house, long enough"
    assert known([old])[old].moved_to == new, "also where keys were changed meanwhile"
    stolen = hash_token(new)
    last = renew_display("test", display.pk, timedelta(0))
    assert known([old, stolen]) == {}, "whoever had these hears nothing more"
    assert known([hash_token(last)])[hash_token(last)].moved_to == ""


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"progressives": []}, "progressives"),
        ({"progressives": ["nowhere"]}, "progressives"),
        ({"progressives": ["pounds"]}, "progressives"),
        ({"table": "CS-03"}, "table"),  # of the other premises
        ({"palette": "pink"}, "palette"),
        ({"behind_ms": 50}, "behind_ms"),
        ({"big_from": "20000", "grand_from": "100"}, "grand_from"),
        ({"arrangement": "in-turn", "turn_s": 40, "table": "CS-01"}, "turn_s"),
        ({"name": "Taken"}, "name"),
    ],
)
def test_what_cannot_be_shown_is_refused_beside_its_field(
    floor: Floor, given: dict[str, Any], field: str
) -> None:
    london = Premises.objects.create(
        code="london", name="London", currency="GBP", time_zone="Europe/London", rollover_hour=6
    )
    create_progressive("test", london, "pounds", "Pounds", stud_rules())
    create_display("test", floor.harbour, "Taken", floor.progressive)
    body = {"premises": "harbour", "name": "Wall", "progressives": ["stud"]} | given
    answer = manager(floor).post("/api/v1/displays", body, content_type="application/json")
    assert answer.status_code == 422, answer.content
    assert [fault["field"] for fault in answer.json()["faults"]] == [field]
    assert Display.objects.count() == 1
    page = manager(floor).post("/displays/new/", body)
    assert page.status_code == 422
    assert page.context["form"].errors.get(field), "and so does the page"


def test_no_sign_shows_nothing_whoever_writes_it(floor: Floor) -> None:
    display, _ = create_display("test", floor.harbour, "Wall", floor.progressive)
    with pytest.raises(Refused):
        set_up_display("test", display.pk, "Wall", dict(USUAL))
    with connection.cursor() as cursor, pytest.raises(Exception, match="display_shows_something"):
        cursor.execute("UPDATE jackpots_display SET progressive_id = NULL WHERE id = %s", [display.pk])


def test_boards_are_numbered_logged_once_and_only_added(db: None, redis_url: str) -> None:
    floor = make_floor()  # of this moment: its tables are not silent yet
    create_display("test", floor.harbour, "CS-01", setup=USUAL | {"table": "CS-01"})
    assert publish_boards() == 1
    assert publish_boards() == 1
    board = Board.objects.get()
    body = board.body
    assert (body["game"], body["open"], body["chip"]) == ("Caribbean Stud Poker", True, "0.50")
    assert body["limits"] == [{"wager": "ante", "minimum": "5.00", "maximum": "500.00", "increment": ""}]
    jackpot = {"progressive": "stud", "wagers": ["jackpot"], "stake": "1.00"}
    assert body["jackpots"] == [jackpot | {"state": "suspended"}], "its terminal has not been heard yet"
    (pays,) = body["paytables"]
    # nz-1996 VIII 10.1, the longest odds first
    assert pays["lines"][:2] == [["royal-flush", "250 to 1"], ["straight-flush", "50 to 1"]]
    assert pays["lines"][-1][1] == "1 to 1"
    channel = board_channel("harbour/CS-01")
    kept = redis().get(channel)
    assert isinstance(kept, bytes)
    assert json.loads(received(channel.encode(), kept))["sequence"] == 1
    table = floor.tables["CS-01"]
    intake.heartbeat(table.pk, 0, timezone.now())
    publish_boards()
    table.is_open = False
    table.save(update_fields=["is_open"])
    publish_boards()
    told = [
        (row.sequence, row.body["jackpots"][0]["state"], row.body["open"])
        for row in Board.objects.order_by("sequence")
    ]
    assert told == [(1, "suspended", True), (2, "open", True), (3, "open", False)]
    with pytest.raises(Exception, match="rows are added, never changed"), connection.cursor() as cursor:
        cursor.execute("UPDATE jackpots_board SET body = '{}'")


def test_a_wall_reports_each_of_its_progressives(floor: Floor) -> None:
    poker = create_progressive("test", floor.harbour, "poker", "Poker", stud_rules())
    wall, _ = create_display("test", floor.harbour, "Wall", setup=USUAL | {"progressives": ["stud", "poker"]})
    sent = {row.code: snapshot(row.pk) for row in (floor.progressive, poker)}
    now_ms = int(timezone.now().timestamp() * 1000)

    def told(code: str, **more: str) -> dict[str, Any]:
        figures = {level["level"]: level["value"] for level in sent[code]["levels"]} | more
        return {"progressive": code, "shown": [[sent[code]["sequence"], now_ms]], "figures": figures}

    assert record_report(
        wall.pk, {"reports": [told("stud"), told("poker", grand="20000.09"), {"progressive": "x"}, 7]}
    )
    minutes = {row.progressive_id: row.wrong for row in wall.minutes.all()}
    assert minutes[floor.progressive.pk] == []
    assert minutes[poker.pk][0][2] == {"grand": "20000.09"}
    assert "Poker" in Alert.objects.get().text
    wall.refresh_from_db()
    assert wall.last_shown is not None
    assert wall.last_shown["stud"]["figures"]["grand"] == "20000.00"
    today = gaming_day(floor.harbour, timezone.now())
    assert wall in signs_of(poker, today)
    set_up_display("test", wall.pk, "Wall", USUAL | {"progressives": ["stud"]})
    assert wall in signs_of(poker, today), "it showed it then"
    assert (standings([Display.objects.get()])[0].state) == "wrong"
    for odd in (
        {"reports": 7},
        {"reports": [{"progressive": ["stud"]}]},
        {"progressive": 7, "shown": [[1, now_ms]]},
    ):
        assert record_report(wall.pk, odd)


def test_who_is_dark_or_behind_needs_someone_and_is_told_once(floor: Floor) -> None:
    names = ("live", "dark", "behind", "new", "gone")
    rows = {name: create_display("test", floor.harbour, name, floor.progressive)[0] for name in names}
    snapshot(floor.progressive.pk)
    (body,) = [frame.body or {} for frame in frame_texts.with_texts(Frame.objects.all())]
    long_ago = timezone.now() - timedelta(minutes=5)
    for sequence in (2, 3):
        frame_texts.add(floor.progressive.pk, sequence, body, None, at=long_ago)
    floor.progressive.frame_sequence = 3
    floor.progressive.save(update_fields=["frame_sequence"])
    now = timezone.now()
    for name, sequence, seen in (
        ("live", 3, now),
        ("dark", 3, long_ago),
        ("behind", 1, now),
        ("gone", 3, long_ago),
    ):
        Display.objects.filter(pk=rows[name].pk).update(
            last_seen_at=seen, last_shown={"stud": {"sequence": sequence, "figures": {"grand": "20000.00"}}}
        )
    revoke_display("test", rows["gone"], "taken down")
    found = {row.display.name: row for row in standings(Display.objects.all())}
    assert {name: row.state for name, row in found.items()} == {
        "live": "live", "dark": "dark", "behind": "behind", "new": "never seen", "gone": "revoked"
    }  # fmt: skip
    assert [name for name, row in found.items() if row.bad] == ["behind", "dark"]
    assert found["live"].lag_s == 0
    assert found["behind"].lag_s == pytest.approx(300, abs=10)
    assert (raise_dark(), raise_dark()) == (2, 2)
    told = Alert.objects.order_by("subject")
    assert {(alert.kind, alert.subject) for alert in told} == {
        ("jackpots.sign_dark", f"jackpots.display:{rows[name].pk}") for name in ("dark", "behind")
    }
    assert len(told) == 2
    page = manager(floor).get("/displays/").content.decode()
    assert "2 signs need someone" in page


def test_a_frame_tells_cards_what_was_paid_and_what_is_checked(floor: Floor) -> None:
    assert publish(floor.progressive.pk)["paid"] == {"count": 0, "amount": "0.00"}
    Freeze.objects.create(progressive=floor.progressive, level="minor", why="its accounts do not add up")
    levels = {level["level"]: level.get("fault", False) for level in snapshot(floor.progressive.pk)["levels"]}
    assert levels == {"grand": False, "minor": True}


def test_a_preview_shows_what_is_on_the_form_in_a_frame_of_our_own(floor: Floor) -> None:
    client = manager(floor)
    page = client.get("/displays/preview/?name=x&progressives=stud&palette=felt&moment=grand&table=CS-01")
    assert page.headers["X-Frame-Options"] == "SAMEORIGIN"
    assert "frame-ancestors 'self'" in page.headers["Content-Security-Policy"]
    shown = page.context["set_up"]
    assert shown["palette"] == "felt"
    frame, board = shown["preview"]["frames"]
    assert (frame["wins"][0]["amount"], board["game"]) == ("10000.00", "Caribbean Stud Poker")
    assert not Frame.objects.exists(), "nobody is sent anything"
    odd = client.get("/displays/preview/?palette=pink&progressives=nothing")
    assert (odd.status_code, odd.context["set_up"]["palette"]) == (200, "night")


def test_a_display_from_before_is_as_usual(floor: Floor) -> None:
    display, token = create_display("test", floor.harbour, "Wall", floor.progressive)
    assert display.setup is None
    assert set_up_of(display) == USUAL | {"progressives": ["stud"]}
    assert Client().get(f"/signs/{token}/").status_code == 200


def test_a_jackpot_for_which_no_table_plays_says_so(floor: Floor) -> None:
    now = timezone.now()
    links = Link.objects.filter(progressive=floor.progressive)
    links.filter(table_log__table_code="CS-01").update(suspended_at=now)
    links.filter(table_log__table_code="CS-02").update(left_out_at=now)
    told = snapshot(floor.progressive.pk)
    assert (told["out"], told.get("suspended")) == (["CS-01", "CS-02"], None), "CS-03 is open and takes part"
    links.filter(table_log__table_code="CS-03").update(suspended_at=now)
    told = snapshot(floor.progressive.pk)
    assert (told["out"], told["suspended"]) == (["CS-01", "CS-02", "CS-03"], True)
    links.filter(table_log__table_code="CS-03").update(resumed_at=now + timedelta(seconds=1))
    assert "suspended" not in snapshot(floor.progressive.pk)
