"""What each sign showed at a win: on the win's page and in its REST answer, from what the signs reported."""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from jackpots.models import Display, Event, Share, Win
from jackpots.signs import frames
from jackpots.signs.at_a_win import at_a_win, is_hand_of
from jackpots.signs.displays import create_display
from jackpots.tasks import fold_progressive
from rules.codec import hit_to_json
from rules.contract import Hit, Wager
from rules.money import dollars, format_money
from tests.floor import Floor
from tests.jackpots.test_readings import ROYAL, Installation
from tests.sign_reports import record_report
from tests.terminal import PLAIN


@pytest.fixture
def installation(standing_floor: Floor) -> Installation:
    return Installation(standing_floor)


def tell(display: Display, frame: dict[str, Any], at: datetime, **wrong: str) -> None:
    """As the sign would have, at that moment."""
    figures = {level["level"]: level["value"] for level in frame["levels"]} | wrong
    shown = [[frame["sequence"], int(at.timestamp() * 1000)]]
    assert record_report(display.pk, {"shown": shown, "figures": figures})


def test_a_worker_wakes_up_when_a_hit_becomes_public(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Signs say PENDING then, and not when the sweeper comes by."""
    asked: list[Any] = []
    monkeypatch.setattr("jackpots.tasks.ring_at", lambda *call: asked.append(call))
    installation.play({1: PLAIN[0], 2: PLAIN[1]})
    fold_progressive(installation.progressive.pk)
    assert asked == []
    installation.play({3: ROYAL})
    fold_progressive(installation.progressive.pk)
    share = Share.objects.get(event__kind=Event.Kind.HITS)
    assert share.public_at is not None
    ((moment, task, progressive),) = asked
    assert (task.name, progressive) == (fold_progressive.name, installation.progressive.pk)
    assert timedelta(0) < moment - share.public_at < timedelta(milliseconds=50)


def test_what_stood_there_and_from_when_on_it_was_pending_and_won(installation: Installation) -> None:
    lobby, _ = create_display("test", installation.floor.lakeside, "Lobby", installation.progressive)
    create_display("test", installation.floor.harbour, "Dark", installation.progressive)
    installation.play({1: PLAIN[0], 2: PLAIN[1]})
    installation.fold()
    installation.send()
    before = installation.sent
    installation.play({3: ROYAL})
    share = Share.objects.get(event__kind=Event.Kind.HITS)
    assert share.public_at is not None
    time.sleep(max(0.0, (share.public_at - timezone.now()).total_seconds()))
    installation.send()
    pending = installation.sent
    (hand,) = pending["pending"]
    assert (hand["premises"], hand["table"], hand["hand"]) == ("harbour", "CS-01", "royal-flush")
    installation.fold()
    installation.send()
    won = installation.sent
    win = Win.objects.get()
    assert win.share is not None
    assert hand["hit"] == share.event.body["hits"][0] == win.hit, "spelled once, from the log to the wall"
    assert is_hand_of(win, hand)
    assert not is_hand_of(win, hand | {"premises": "lakeside"}), "its table CS-01 is another one"
    first_version = {name: hand[name] for name in ("table", "seat", "hand")}
    assert is_hand_of(win, first_version)
    at = win.share.public_at or win.share.place
    tell(installation.wall, before, at - timedelta(seconds=30))
    tell(installation.wall, pending, at + timedelta(milliseconds=700))
    tell(installation.wall, won, at + timedelta(seconds=3))
    tell(installation.wall, won, at + timedelta(seconds=8))
    tell(lobby, before, at - timedelta(seconds=2), grand="19999.99")
    tell(lobby, won, at + timedelta(seconds=4))

    dark, seen_lobby, wall = at_a_win(win)
    assert (dark.display.name, dark.stood, dark.pending_at, dark.won_at) == ("Dark", None, None, None)
    # 2 x 0.60 on the seed of 20,000.00
    assert format_money(wall.stood_micros or 0) == "20001.20"
    assert wall.stood is not None
    assert wall.stood.frame.sequence == before["sequence"]
    assert wall.pending_at is not None
    assert wall.won_at is not None
    assert abs(wall.pending_at - at - timedelta(milliseconds=700)) < timedelta(milliseconds=2)
    assert abs(wall.won_at - at - timedelta(seconds=3)) < timedelta(milliseconds=2), "the first of two"
    assert format_money(seen_lobby.stood_micros or 0) == "19999.99", "what stood there, not what was sent"
    assert seen_lobby.pending_at is None

    client = Client()
    client.force_login(installation.floor.people["sefa"], "django.contrib.auth.backends.ModelBackend")
    page = client.get(reverse("jackpot-win", args=[win.pk])).content.decode()
    assert "What the signs showed" in page
    assert "20,001.20" in page
    assert "19,999.99" in page
    told = client.get(f"/api/v1/wins/{win.pk}").json()["signs"]
    assert [row["sign"] for row in told] == ["Dark", "Lobby", "Main wall"]
    assert (told[2]["stood"], told[2]["sequence"]) == ("20001.20", before["sequence"])
    assert told[0]["stood"] is None


def test_a_wall_does_not_tell_whose_a_hand_is() -> None:
    hit = Hit(Wager("w", "jackpot", dollars(1), 3, "ann"), "royal-flush", "VIII 12.1")
    assert "player" not in hit_to_json(hit.without_player())["wager"]
    assert hit_to_json(hit)["wager"]["player"] == "ann"


def test_what_stood_there_is_of_before_the_meter_went_on(installation: Installation) -> None:
    """All tables had vouched before the hand was public: the meter began anew half a second before a sign could show
    that the hand was pending."""
    installation.play({1: PLAIN[0], 2: PLAIN[1]})
    installation.fold()
    installation.send()
    before = installation.sent
    installation.play({3: ROYAL})
    installation.fold()
    installation.send()
    win = Win.objects.get()
    assert win.share is not None
    assert win.share.public_at is not None
    assert win.resolved_at < win.share.public_at
    tell(installation.wall, before, win.resolved_at - timedelta(milliseconds=5))
    tell(installation.wall, installation.sent, win.resolved_at + timedelta(milliseconds=5))
    (wall,) = at_a_win(win)
    # 2 x 0.60 on the seed of 20,000.00
    assert format_money(wall.stood_micros or 0) == "20001.20"
    assert wall.won_at is not None


def test_all_wins_that_go_on_at_once_are_in_the_frame() -> None:
    at = timezone.now()

    def seconds(*ago: float) -> Any:
        return [Win(pk=number, resolved_at=at - timedelta(seconds=each)) for number, each in enumerate(ago)]

    def shown(*ago: float) -> list[int]:
        return [win.pk for win in frames._recent(seconds(*ago))]

    assert shown() == []
    assert shown(0, 100, 200, 300) == [0, 1, 2], "the last three"
    assert shown(0, 0, 1, 9, 11) == [0, 1, 2, 3], "and those of the same ten seconds"
    assert len(shown(*[0] * 30)) == 20
