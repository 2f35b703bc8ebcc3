"""A hit that is made final without the tables that others wait for: by one UPDATE of the workers' role, by a superuser,
by a table or a link that is taken out by SQL. The database refuses it, the fold does not believe it, `pay` asks again,
and `verify` freezes the levels.

CS-01 has a royal; CS-02 has not vouched beyond it."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone

from config.kit.refusals import Refused
from jackpots.fold import finality, folding
from jackpots.fold.folding import fold
from jackpots.models import FoldRun, Link, Progressive, TableLog, Win
from jackpots.verify import log_and_wins
from jackpots.wins import freezes, hand_pay
from ledger.verify import verify, watchdog
from people.models import Alert
from rules.contract import Hit, Wager
from rules.money import dollars
from tests import log_verbs as event_log
from tests.conftest import PART_ROLES
from tests.floor import Floor, new_round_id, open_cage
from tests.jackpots.test_wins import CHECKED

ROYAL = dollars(20_000) + 600_000
"""The seed of the grand and 60% of the one wager of 1.00."""


def log(code: str) -> TableLog:
    return TableLog.objects.get(table_code=code)


def beat(*codes: str) -> None:
    for code in codes:
        with transaction.atomic():
            event_log.beat(log(code), timezone.now())


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    """A royal at CS-01, a moment after CS-02 has vouched last."""
    round_id, wager = new_round_id(), Wager("w", "jackpot", dollars(1), 1)
    beat("CS-02")
    with transaction.atomic():
        event_log.record_stakes(log("CS-01"), round_id, [wager], timezone.now())
        event_log.decide(log("CS-01"), round_id, [Hit(wager, "royal-flush", "test")], {}, timezone.now())
    beat("CS-01", "CS-03")
    assert fold(standing_floor.progressive.pk).wins == ()
    return standing_floor


MADE_FINAL = "UPDATE jackpots_progressive SET final_until = clock_timestamp()"


def by_role(part: str, statement: str, *values: Any) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL ROLE {PART_ROLES[part]}")
        cursor.execute(statement, values)
        assert cursor.rowcount > 0
        cursor.execute("RESET ROLE")


def by_superuser(statement: str, *values: Any) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(statement, values)
        assert cursor.rowcount > 0
        cursor.execute("SET LOCAL session_replication_role = origin")


def faults() -> list[str]:
    return [str(fault) for fault in log_and_wins.runs_hold(verify.Span(0, verify.end_of_stamps()))]


@pytest.mark.parametrize("ahead", ["", "+ interval '1 h'", "+ interval '80 years'"])
def test_the_workers_role_cannot_make_anything_final(floor: Floor, ahead: str) -> None:
    with pytest.raises(DatabaseError, match="tables have not vouched until"):
        by_role("worker", f"UPDATE jackpots_progressive SET final_until = clock_timestamp() {ahead}")
    assert fold(floor.progressive.pk).wins == ()


def test_nor_with_nobody_to_wait_for_beyond_now(floor: Floor) -> None:
    for table_log in TableLog.objects.filter(is_open=True):
        with transaction.atomic():
            event_log.close_log(table_log)
    with pytest.raises(DatabaseError, match="tables have not vouched until"):
        by_role("worker", "UPDATE jackpots_progressive SET final_until = clock_timestamp() + interval '1 h'")
    by_role("worker", "UPDATE jackpots_progressive SET final_until = clock_timestamp()")


def test_the_fold_asks_each_table_before_it_pays(floor: Floor) -> None:
    """Past every trigger. Once CS-02 has vouched it goes on by itself."""
    by_superuser(MADE_FINAL)
    assert fold(floor.progressive.pk).wins == ()
    assert not Win.objects.exists()
    alert = Alert.objects.get(kind=folding.TOO_SOON.name)
    assert "CS-02 has not vouched beyond it" in alert.text
    beat("CS-02")
    (win,) = fold(floor.progressive.pk).wins
    assert win.amount_micros == ROYAL
    assert faults() == []
    assert list(finality.asked_again(win)) == []


def test_a_round_that_is_not_decided_is_waited_for_by_name(floor: Floor) -> None:
    """CS-02 beats on, and its round from before the royal has no result yet: it may have been first."""
    with transaction.atomic():
        wager = Wager("w", "jackpot", dollars(1), 1)
        event_log.record_stakes(
            log("CS-02"), new_round_id(), [wager], log("CS-02").watermark or timezone.now()
        )
    beat("CS-02")
    by_superuser(MADE_FINAL)
    assert fold(floor.progressive.pk).wins == ()
    assert "CS-02 has not vouched beyond it" in Alert.objects.get(kind=folding.TOO_SOON.name).text


def resolved_too_soon(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> Win:
    """By a fold that believes the limit, as folds did once."""
    by_superuser(MADE_FINAL)
    with monkeypatch.context() as patched:
        patched.setattr(folding, "not_beyond", lambda told, latest: [])
        (win,) = fold(floor.progressive.pk).wins
    return win


def test_what_was_resolved_too_soon_is_not_paid_and_freezes_its_levels(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    win = resolved_too_soon(floor, monkeypatch)
    beat("CS-02")  # that it vouches now does not help: what it would have told was not waited for
    words = "it was resolved before CS-02 had vouched beyond it"
    sefa, jan = floor.people["sefa"], floor.people["jan"]
    with pytest.raises(Refused, match=words):
        hand_pay.verify(win.pk, sefa, CHECKED)
    with monkeypatch.context() as patched:  # it was verified and approved before anybody asked
        patched.setattr(finality, "asked_again", lambda win: [])
        hand_pay.verify(win.pk, sefa, CHECKED)
        hand_pay.approve(win.pk, jan)
    with pytest.raises(Refused, match=words) as refused:
        hand_pay.pay(win.pk, sefa, "cash")
    assert refused.value.code == "not_as_owed"
    run = FoldRun.objects.get(kind="hits")
    assert f"fold run {run.pk}: {words}" in faults()
    watchdog.tell(log_and_wins.runs_hold(verify.Span(0, verify.end_of_stamps())))
    assert {freeze.level for freeze in freezes.frozen()} == {"grand", "minor"}
    with pytest.raises(Refused, match="is frozen"):
        hand_pay.pay(win.pk, sefa, "cash")


def test_a_run_that_says_otherwise_bears_no_hallmark(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same run, rewritten or added so that CS-02 seems to have vouched."""
    win = resolved_too_soon(floor, monkeypatch)
    own = ("id", "number", "hallmark", "xact_id")
    columns = ", ".join(
        field.column for field in FoldRun._meta.concrete_fields if field.column and field.name not in own
    )
    copy = (
        f"INSERT INTO jackpots_foldrun ({columns}, number, hallmark)"
        f" SELECT {columns}, number + 1, %s FROM jackpots_foldrun WHERE id = %s"
    )
    with pytest.raises(IntegrityError, match="fold_run_of_hits_hallmarked"):
        by_role("worker", copy, None, win.run_id)
    by_role("worker", copy, win.run.hallmark, win.run_id)
    words = "no process of this installation resolved it"
    assert f"fold run {FoldRun.objects.latest('pk').pk}: {words}" in faults()
    by_superuser("UPDATE jackpots_foldrun SET vouched = '[]' WHERE id = %s", win.run_id)
    win.refresh_from_db()
    assert words in list(finality.asked_again(Win.objects.get(pk=win.pk)))


def test_a_table_that_somebody_else_has_closed_is_waited_for(floor: Floor) -> None:
    """With a made-up hallmark the web's role takes CS-02 from those who wait: then nothing becomes final."""
    by_role("web", "UPDATE jackpots_tablelog SET is_open = false, hallmark = 'x' WHERE table_code = 'CS-02'")
    assert fold(floor.progressive.pk).wins == ()
    assert "CS-02" in Alert.objects.get(kind=folding.NOT_VOUCHED.name).text


@pytest.mark.parametrize(
    "change",
    [
        "left_out_at = clock_timestamp()",
        "suspended_at = now() - interval '1 h'",
        "returned_at = clock_timestamp()",
    ],
)
def test_a_link_that_somebody_else_has_changed_pays_nothing(floor: Floor, change: str) -> None:
    """The fold is deceived; `pay` asks the audit trail, and `verify` freezes within seconds."""
    link = Link.objects.get(table_log__table_code="CS-02")
    by_role("worker", f"UPDATE jackpots_link SET {change} WHERE id = %s", link.pk)
    (win,) = fold(floor.progressive.pk).wins
    words = "nobody has said on record that CS-02 takes no part, or is not waited for"
    assert list(finality.asked_again(win)) == [words]
    with pytest.raises(Refused, match=words):
        hand_pay.verify(win.pk, floor.people["sefa"], CHECKED)
    # A record of the same transaction that no process of ours wrote does not help.
    by_role(
        "worker",
        "INSERT INTO people_auditrecord (actor_label, action, subject, reason, request_id, details, hallmark)"
        " VALUES ('a', 'jackpots.link_left_out', %s, '', '', '{}', 'x')",
        f"jackpots.link:{link.pk}",
    )
    assert list(finality.asked_again(win)) == [words]


def test_what_is_final_is_paid(floor: Floor) -> None:
    beat("CS-02")
    (win,) = fold(floor.progressive.pk).wins
    open_cage(floor.harbour)
    hand_pay.verify(win.pk, floor.people["sefa"], CHECKED)
    hand_pay.approve(win.pk, floor.people["jan"])
    assert hand_pay.pay(win.pk, floor.people["sefa"], "cash").paid_micros == ROYAL
    assert Progressive.objects.get().final_until is not None
