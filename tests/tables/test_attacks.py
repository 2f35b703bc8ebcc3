"""Attacks on what is recorded: by a superuser with every trigger off, and by the application's own role with plain SQL.
Each is refused, or found and located to the row, and the test says by what.

What opens doors (roles, passwords, tokens), links, watermarks and forged audit records: test_attacks_on_people.py. What
remains: docs/seals.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from config.kit.refusals import Refused
from jackpots.fold.folding import fold
from jackpots.models import Event, FoldRun, Freeze, Share, TableLog, Win
from jackpots.wins import freezes, hand_pay
from ledger.books.journal import NewEntry, post
from ledger.models import Entry, Seal, Step
from ledger.seals import seals
from ledger.verify import verify, watchdog
from people.approvals import approvals
from people.models import Alert, ApprovalRequest, AuditRecord, User
from rules.money import dollars
from tables.models import Round, Table, TableConfig, WagerLine
from tables.settle.settlement import settle_batch
from tests.acts import on_record
from tests.conftest import APP_ROLE
from tests.examples import SOAK
from tests.floor import Floor, open_cage
from tests.ledger.test_concurrency import WAIT_S, Held, threads
from tests.tables.conftest import Evening
from tests.terminal import PLAIN
from tests.upgrade.evening import CHECKED, FLUSH, play, settle_and_fold, terminal

ALL = "session_replication_role = replica"


pytestmark = pytest.mark.copy_of("evening_template")


@pytest.fixture
def floor(evening: Evening, committed_db: str, redis_url: str, tmp_path: Path, settings: Any) -> Floor:
    """An evening with a royal that is paid, sealed and sound."""
    settings.VAR_DIR = tmp_path
    return evening.copy_to(tmp_path)


def now(code: str) -> Table:
    return Table.objects.get(code=code)


class Rollback(Exception):
    """Ends a scene without a trace."""


@contextmanager
def scene(*, role: str = "") -> Iterator[None]:
    """Whatever is done in it is undone. As a superuser with every trigger off, or as a role with all of them on."""
    try:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute(f"SET LOCAL ROLE {role}" if role else f"SET LOCAL {ALL}")
            yield
            raise Rollback
    except Rollback:
        pass


def sql(statement: str, *values: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        assert cursor.rowcount > 0, f"touched nothing: {statement}"


def found() -> list[str]:
    return [str(fault) for fault in verify.verify().faults]


def by_superuser(statement: str, *values: Any) -> list[str]:
    with scene():
        sql(statement, *values)
        return found()
    raise AssertionError


def by_application(statement: str, *values: Any) -> list[str]:
    with scene(role=APP_ROLE):
        sql(statement, *values)
        return found()
    raise AssertionError


def first(table: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT min(id) FROM {table}")
        found_id: int = cursor.fetchone()[0]
    return found_id


# --- As a superuser -------------------------------------------------------------------------------------------
Attacks = list[tuple[str, list[str]]]
"""A statement, and how the faults begin that it must bring."""


def on_what_was_played() -> Attacks:
    hits = Event.objects.filter(kind="hits").earliest("pk")
    royal = Win.objects.get(trigger="royal-flush")
    played = Round.objects.get(pk=royal.round_id)
    line = WagerLine.objects.filter(round=played, kind="ante").earliest("position")
    return [
        (
            f"UPDATE jackpots_event SET body = jsonb_set(body, '{{hits,0,wager,seat}}', '5') WHERE id = {hits.pk}",
            [
                f"log event {hits.pk}: it was changed after seal",
                f"log event {hits.pk}: a royal-flush at seat 5, which round {played.pk} did not have",
            ],
        ),
        (
            "UPDATE tables_wagerline SET winnings_micros = winnings_micros + 500000000"
            f" WHERE round_id = {line.round_id} AND position = {line.position}",
            [
                f"round {played.pk}: its lines were changed after they were settled",
                f"round {played.pk}, line {line.position} ({line.wager_id}): its winnings is",
            ],
        ),
        (
            f"DELETE FROM tables_wagerline WHERE round_id = {line.round_id} AND position = {line.position}",
            [
                f"round {played.pk}: it has {played.lines.count() - 1} lines, the rules give {played.lines.count()}"
            ],
        ),
        (
            f"""UPDATE tables_round SET dealt = jsonb_set(dealt, '{{seats,2,0}}', '"2c"') WHERE id = {played.pk}""",
            [f"round {played.pk}: it was changed after its last step", f"round {played.pk}"],
        ),
        (
            f"UPDATE jackpots_win SET amount_micros = amount_micros + 500000000,"
            f" from_pool_micros = from_pool_micros + 500000000, paid_micros = paid_micros + 500000000"
            f" WHERE id = {royal.pk}",
            [
                f"win {royal.pk}: it was changed after its last step",
                f"win {royal.pk}: its amount_micros is 20501.20, the log gives 20001.20",
            ],
        ),
    ]


def on_records(other: User) -> Attacks:
    audit, alert, step = first("people_auditrecord"), first("people_alert"), first("ledger_step")
    told, config = first("tables_tableevent"), first("tables_tableconfig")
    share, run = first("jackpots_share"), first("jackpots_foldrun")
    progressive = first("jackpots_progressive")
    royal = Win.objects.get(trigger="royal-flush")
    played, approval = Round.objects.get(pk=royal.round_id), royal.approval
    assert approval is not None
    return [
        (f"DELETE FROM jackpots_win WHERE id = {royal.pk}", [f"win {royal.pk}: it has steps, and is gone"]),
        (
            f"UPDATE people_auditrecord SET reason = 'other' WHERE id = {audit}",
            [f"audit record {audit}: it was changed after seal"],
        ),
        (
            f"DELETE FROM people_auditrecord WHERE id = {audit}",
            [f"audit record {audit}: it is missing from under seal"],
        ),
        (
            f"UPDATE people_approvalrequest SET decided_by_id = {other.pk} WHERE id = {approval.pk}",
            [
                f"approval {approval.pk}: it was changed after its last step",
                f"approval {approval.pk}: it is approved by grace, which the audit trail does not know",
            ],
        ),
        (
            f"UPDATE tables_tableevent SET sha256 = repeat('0', 64) WHERE id = {told}",
            [f"terminal event {told}: it was changed after seal"],
        ),
        (
            f"DELETE FROM tables_tableevent WHERE id = {told}",
            [f"terminal event {told}: it is missing from under seal"],
        ),
        (
            "UPDATE tables_tableconfig SET document = jsonb_set(document, '{limits,chip}', '\"9.00\"')"
            f" WHERE id = {config}",
            [
                f"table's rules {config}: it was changed after seal",
                f"table's rules {config}: they are not what their hash says",
            ],
        ),
        (
            f"UPDATE tables_table SET config_id = (SELECT max(id) FROM tables_tableconfig)"
            f" WHERE id = {played.table_id}",
            [f"table {played.table_id}: it was changed after its last step"],
        ),
        (
            f"UPDATE jackpots_share SET latest = latest + interval '1 hour' WHERE id = {share}",
            [f"share {share}: it was changed after seal"],
        ),
        (
            f"UPDATE jackpots_foldrun SET meters = '{{}}' WHERE id = {run}",
            [f"fold run {run}: it was changed after seal"],
        ),
        (
            f"DELETE FROM ledger_step WHERE id = {step}",
            [f"step {step}: it is missing from under seal"],
        ),
        (
            f"UPDATE people_alert SET text = 'nothing' WHERE id = {alert}",
            [f"alert {alert}: it was changed after seal"],
        ),
        (
            "UPDATE jackpots_progressive SET pay_alone_limit_micros = 1",
            [f"progressive {progressive}: it was changed after its last"],
        ),
    ]


def on_frames() -> Attacks:
    frame = first("jackpots_frame")
    return [
        (
            "UPDATE jackpots_frame SET body = '{}' WHERE xact_id IS NOT NULL",
            [
                f"frame {frame}: it was changed after seal",
                f"text of frame {frame}: there is no such frame that would",
            ],
        ),
        (
            f"UPDATE jackpots_frametext SET text = '{{}}' WHERE frame_id = {frame}",
            [f"frame {frame}: its text is not the one that it was logged with"],
        ),
        (
            f"DELETE FROM jackpots_frametext WHERE frame_id = {frame}",
            [f"frame {frame}: its text is not the one that it was logged with, or is gone"],
        ),
    ]


@pytest.mark.parametrize("what", ["played", "records"])
def test_a_superuser_is_found_and_the_row_is_named(floor: Floor, what: str) -> None:
    attacks = on_what_was_played() if what == "played" else [*on_records(floor.people["grace"]), *on_frames()]
    for statement, expected in attacks if SOAK else attacks[::2]:  # a whole verification each
        with scene():
            sql(statement)
            try:
                faults = found()
            except Exception as error:  # a check that breaks on what was forged tells as well, but must not
                raise AssertionError(f"{statement}: {error!r}") from error
            for words in expected:
                assert any(fault.startswith(words) for fault in faults), (statement, words, faults)
    assert found() == []


def test_an_entry_changed_before_its_seal_is_not_what_its_source_gives(floor: Floor) -> None:
    """Amounts and content hash rewritten consistently, in the window before any seal."""
    from tests.ledger.test_seals import forge

    play(now("CS-01"), {1: PLAIN[0]})
    settle_batch()
    entry = Entry.objects.filter(kind="round").latest("pk")
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL {ALL}")
        cursor.execute(
            "UPDATE ledger_posting SET amount_micros = amount_micros * 2 WHERE entry_id = %s", [entry.pk]
        )
    forge(entry.key, "memo = memo")
    faults = found()
    assert faults
    assert all(fault.startswith(f"entry {entry.pk} (tables:round:") for fault in faults), faults
    assert any("its source gives" in fault for fault in faults)


def test_cards_changed_past_every_trigger_between_closed_and_settled(floor: Floor) -> None:
    """The last step carries on what the round said when it closed, whoever changes it in between."""
    play(now("CS-02"), {1: PLAIN[1]})
    closed = Round.objects.get(state="closed")
    sound = Step.objects.filter(kind="tables.round", row_id=closed.pk).latest("pk").content
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL {ALL}")
        cursor.execute(
            "UPDATE tables_round SET dealt = jsonb_set(dealt, '{dealer,0}', '\"2c\"') WHERE id = %s",
            [closed.pk],
        )
    assert settle_batch().settled == 1
    last = Step.objects.filter(kind="tables.round", row_id=closed.pk).latest("pk")
    assert (last.state, bytes(last.content)) == ("settled", bytes(sound))
    assert any(
        fault.startswith(f"round {closed.pk}: it was changed after its last step") for fault in found()
    )


# --- As the application's role --------------------------------------------------------------------------------
def test_what_the_database_refuses_the_application(floor: Floor) -> None:
    play(now("CS-02"), {1: PLAIN[1]})
    closed = Round.objects.get(state="closed")
    for statement, words in [
        # Cards changed between closed and settled.
        ("UPDATE tables_table SET config_id = config_id + 1", "change only by a change that is in force"),
        ("UPDATE jackpots_progressive SET host_id = host_id + 1", "permission denied"),
        ("UPDATE jackpots_win SET amount_micros = amount_micros + 1", "permission denied"),
        (f"""UPDATE tables_round SET dealt = '{{"dealer": []}}' WHERE id = {closed.pk}""", "Cannot update"),
        (f"UPDATE tables_round SET wagers = '[]' WHERE id = {closed.pk}", "Cannot update"),
        (
            "INSERT INTO ledger_step (kind, row_id, state, content) VALUES ('jackpots.win', 1, 'paid', '')",
            "steps follow",
        ),
        ("UPDATE ledger_step SET state = 'paid'", "permission denied"),
        ("DELETE FROM ledger_step", "permission denied"),
        ("UPDATE ledger_seal SET rows = 0", "permission denied"),
        ("UPDATE ledger_epoch SET reason = 'x'", "permission denied"),
        ("DELETE FROM jackpots_freeze", "permission denied"),
        ("UPDATE jackpots_event SET round_id = 1", "permission denied"),
        ("UPDATE jackpots_frame SET body = '{}'", "permission denied"),
        ("UPDATE jackpots_frametext SET text = '{}'", "permission denied"),
        (
            "CREATE OR REPLACE FUNCTION potline_stamp(xact xid8) RETURNS bigint LANGUAGE sql RETURN 1",
            "permission denied|must be owner",
        ),
        (
            "INSERT INTO jackpots_release (freeze_id, approval_id) SELECT 1, 1",
            "no approval of a second person",
        ),
    ]:
        with scene(role=APP_ROLE), pytest.raises(DatabaseError, match=words), transaction.atomic():
            sql(statement)


def test_a_stamp_and_a_time_of_the_audit_trail_cannot_be_chosen(floor: Floor) -> None:
    """A forged audit row with a past time, put under an old seal: it gets the true ones."""
    with scene(role=APP_ROLE):
        sql(
            "INSERT INTO people_auditrecord (at, actor_label, action, subject, reason, request_id, details, hallmark,"
            " xact_id) VALUES (now() - interval '1 year', 'a', 'b', '', '', '', '{}', 'none', 5)"
        )
        record = AuditRecord.objects.latest("pk")
        last = Seal.objects.latest("number")
        assert record.xact_id >= last.below_xact
        assert (timezone.now() - record.at).total_seconds() < 60


HITS = (
    "INSERT INTO jackpots_event (table_log_id, number, kind, terminal_at, round_id, body)"
    " SELECT id, last_number + 1, 'hits', now(), 4711, %s::jsonb FROM jackpots_tablelog WHERE table_code = 'CS-02'"
)
BODY = (
    '{"version": 1, "hits": [{"wager": {"id": "x", "kind": "jackpot", "stake": "1.00", "seat": 1}, "trigger":'
    ' "royal-flush", "rule": "r", "cards": []}], "entered": [], "moments": {}}'
)


def forge_hits(floor: Floor) -> Event:
    """Hands in the log without a round and without a stake; the table's count of events is signed, and stays."""
    with connection.cursor() as cursor:
        cursor.execute(HITS, [BODY])
        cursor.execute(
            "INSERT INTO jackpots_share (event_id, progressive_id, config_id, place, earliest, latest, late, clock,"
            " moment, stake_micros, slice_micros, slices) SELECT max(e.id), p.id, p.config_id, now(), now(), now(),"
            " false, '', 'first-card', 0, 0, '{\"jackpot\": 10000}' FROM jackpots_event e,"
            " jackpots_progressive p GROUP BY p.id"
        )
    return Event.objects.latest("pk")


def test_hands_without_round_or_stake_freeze_their_levels_and_are_never_paid(floor: Floor) -> None:
    """20,037.80 were paid by this once. The watchdog tells within seconds; pay refuses; two people release."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL ROLE {APP_ROLE}")
        event = forge_hits(floor)
    for table in Table.objects.filter(table_log__links__isnull=False):
        terminal(table).heartbeat()
    (win,) = fold(floor.progressive.pk).wins
    faults = found()
    assert f"log event {event.pk}: CS-02 played no round 4711" in faults
    assert f"log event {event.pk}: a royal-flush of wager x, for which no stake is in the log" in faults
    sefa, jan, fiona = (floor.people[name] for name in ("sefa", "jan", "fiona"))
    hand_pay.verify(win.pk, sefa, CHECKED)
    hand_pay.approve(win.pk, jan)
    seals.seal()
    watchdog.run()
    assert Alert.objects.filter(kind="ledger.verify_failed", subject=f"log event {event.pk}").count() == 1
    assert set(Freeze.objects.values_list("level", flat=True)) == {"grand", "minor"}
    assert on_record("jackpots.level_frozen") == Freeze.objects.count()
    with pytest.raises(Refused, match="grand of Stud Jackpot is frozen: log event") as refused:
        hand_pay.pay(win.pk, sefa, "cash")
    assert refused.value.code == "level_frozen"
    watchdog.run()
    count = Freeze.objects.count()
    asked = freezes.request_release(floor.progressive.pk, "minor", jan, "The log was looked at.")
    with pytest.raises(Refused, match="Another person"):
        approvals.approve(asked, jan)
    approvals.approve(asked, fiona)
    assert {freeze.level for freeze in freezes.frozen()} == {"grand"}
    assert Freeze.objects.count() == count
    with pytest.raises(Refused, match="is not frozen"):
        freezes.request_release(floor.progressive.pk, "minor", jan, "Again.")


def test_a_win_that_the_log_does_not_give(floor: Floor) -> None:
    """A fake win with its entry, sound by every trigger."""
    copied = (
        "progressive_id, run_id, share_id, table_log_id, round_id, hit, hand_wager_id, seat, player, trigger"
    )
    copied += ", level, rule"
    with scene(role=APP_ROLE):
        sql(
            f"INSERT INTO jackpots_win ({copied}, wager_id, amount_micros, from_pool_micros, from_house_micros, state,"
            f" verification, method) SELECT {copied}, 'forged', 500000000, 500000000, 0, 'pending', '{{}}', ''"
            " FROM jackpots_win WHERE trigger = 'flush'"
        )
        win = Win.objects.latest("pk")
        level = "harbour/jackpots/stud/levels/minor"
        post(
            NewEntry(
                key="jackpots:stud:run:999", premises=floor.harbour, kind="jackpot.fold_hits",
                reference="progressive:stud", source_hash="0" * 64, occurred_at=timezone.now(),
                legs={f"{level}/payable": -dollars(500), f"{level}/increment": dollars(500)},
            )
        )  # fmt: skip
        faults = found()
    assert f"win {win.pk}: the log gives no such win: flush at seat 1 from minor" in faults
    assert any("(jackpots:stud:run:999): stud has no fold run 999" in fault for fault in faults)


def test_what_a_table_carries_on_is_what_its_last_round_left(floor: Floor) -> None:
    """5.00 that stand became 5,000.00."""
    craps = floor.tables["CR-01"]
    from uuid import uuid4

    body = {
        "wagers": [{"id": "p", "kind": "pass", "stake": "5.00", "seat": 1}],
        "dealt": {"dice": [4, 4]},
    }
    terminal(craps).event("round", uuid4(), body)
    settle_batch()
    assert found() == []
    assert Table.objects.get(pk=craps.pk).carried["wagers"][0]["wager"]["stake"] == "5.00"
    faults = by_application(
        "UPDATE tables_table SET carried = jsonb_set(carried, '{wagers,0,wager,stake}', '\"5000.00\"')"
        " WHERE code = 'CR-01'"
    )
    where = f"table {craps.pk} (CR-01)"
    assert f"{where}: it carries something else than its round 1 left" in faults
    assert f"{where}: wagers of 5000.00 stand on it, the books have 5.00" in faults


def test_a_limit_that_was_raised_and_put_back(floor: Floor) -> None:
    table = floor.tables["CS-01"]
    other = TableConfig.objects.exclude(pk=table.config_id).earliest("pk")
    with scene(role="potline_owner"):
        with (
            pytest.raises(DatabaseError, match="change only by a change that is in force"),
            transaction.atomic(),
        ):
            sql("UPDATE tables_table SET config_id = %s WHERE id = %s", other.pk, table.pk)
        with connection.cursor() as cursor:  # whoever owns the tables can take that guard down
            cursor.execute(
                "SELECT tgname FROM pg_trigger WHERE tgname LIKE 'pgtrigger_table_rules_by_a_change%'"
            )
            cursor.execute(f"ALTER TABLE tables_table DISABLE TRIGGER {cursor.fetchone()[0]}")
        sql("UPDATE tables_table SET config_id = %s WHERE id = %s", other.pk, table.pk)
        sql("UPDATE tables_table SET config_id = %s WHERE id = %s", table.config_id, table.pk)
        raised = "UPDATE jackpots_progressive SET pay_alone_limit_micros = 1000000000000"
        with pytest.raises(DatabaseError, match="change only by an approval"), transaction.atomic():
            sql(f"{raised}; SET CONSTRAINTS ALL IMMEDIATE")
        sql(raised)
        sql("UPDATE jackpots_progressive SET pay_alone_limit_micros = 0")
        faults = found()
    assert sum(fault.startswith(f"table {table.pk}: its rules were changed at") for fault in faults) >= 1
    assert any(
        fault.startswith(f"progressive {first('jackpots_progressive')}: its settings were changed at")
        for fault in faults
    )


def test_chips_without_a_slip(floor: Floor) -> None:
    with scene(role=APP_ROLE):
        post(
            NewEntry(
                key="tables:slip:harbour:CS-01:4711", premises=floor.harbour, kind="fill", reference="slip:CS-01:4711",
                source_hash="0" * 64, day=timezone.now().date(), memo="Slip 4711",
                legs={"harbour/tables/CS-01/bank": dollars(500), "harbour/cage/chips": -dollars(500)},
            )
        )  # fmt: skip
        (fault,) = found()
    assert fault.endswith("(tables:slip:harbour:CS-01:4711): no two people approved a slip 4711 of CS-01")


def test_approvals_in_the_names_of_two_who_did_nothing(floor: Floor) -> None:
    with scene(role=APP_ROLE):
        sql(
            "INSERT INTO people_approvalrequest (premises_id, action, payload_json, payload_sha256, reason,"
            " requested_by_id, expires_at, state, decision_note) VALUES (%s, 'tables.slip', '{}',"
            " encode(sha256('{}'), 'hex'), 'x', %s, now() + interval '1 hour', 'requested', '')",
            floor.harbour.pk,
            floor.people["sefa"].pk,
        )
        sql(
            "UPDATE people_approvalrequest SET state = 'approved', decided_by_id = %s, decided_at = now()"
            " WHERE action = 'tables.slip' AND state = 'requested'",
            floor.people["grace"].pk,
        )
        asked = ApprovalRequest.objects.latest("pk")
        faults = found()
    assert faults == [
        f"approval {asked.pk}: it is approved by grace, which the audit trail does not know",
        f"approval {asked.pk}: it is requested by sefa, which the audit trail does not know",
    ]


def test_an_entry_of_a_kind_that_nobody_makes(floor: Floor) -> None:
    with scene(role=APP_ROLE):
        post(
            NewEntry(
                key="stray", premises=floor.harbour, kind="stray", reference="x", source_hash="0" * 64,
                day=timezone.now().date(),
                legs={"harbour/cage/cash": -dollars(500), "harbour/house/funds": dollars(500)},
            )
        )  # fmt: skip
        (fault,) = found()
    assert fault.endswith("(stray): nothing in this installation makes entries of the kind 'stray'")


# --- The window -----------------------------------------------------------------------------------------------
def test_nothing_is_paid_that_is_under_no_seal(floor: Floor) -> None:
    """A writing transaction that stays open keeps what came after it from being sealed, and from being paid."""
    open_cage(floor.harbour)
    play(now("CS-01"), {1: FLUSH})
    settle_and_fold(floor.progressive)
    win = Win.objects.latest("pk")
    sefa, jan = floor.people["sefa"], floor.people["jan"]
    held = Held(floor.harbour, "held")
    with threads(1) as start:
        running = start(held.run)
        assert held.posted.wait(WAIT_S)
        hand_pay.verify(win.pk, sefa, CHECKED)
        hand_pay.approve(win.pk, jan)
        with pytest.raises(Refused, match="not under a seal yet") as refused:
            hand_pay.pay(win.pk, sefa, "cash")
        assert (refused.value.code, refused.value.retry) == ("not_sealed", True)
        held.end.set()
        running.result(WAIT_S)
    assert hand_pay.pay(win.pk, sefa, "cash").state == Win.State.PAID


def test_nothing_is_paid_where_the_file_outside_disagrees(floor: Floor) -> None:
    play(now("CS-01"), {1: FLUSH})
    settle_and_fold(floor.progressive)
    win = Win.objects.latest("pk")
    hand_pay.verify(win.pk, floor.people["sefa"], CHECKED)
    hand_pay.approve(win.pk, floor.people["jan"])
    path = seals.sink_path(Seal.objects.latest("number").chain)
    path.write_text("scribbled over\n")
    with pytest.raises(Refused, match="its seal is not outside the database") as refused:
        hand_pay.pay(win.pk, floor.people["sefa"], "cash")
    assert refused.value.code == "not_sealed"
    assert Win.objects.get(pk=win.pk).state == Win.State.APPROVED


def test_verify_by_several_processes_finds_the_same(floor: Floor) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL {ALL}")
        cursor.execute(
            f"UPDATE people_auditrecord SET reason = 'other' WHERE id = {first('people_auditrecord')}"
        )
    assert Share.objects.exists()
    assert FoldRun.objects.exists()
    assert Step.objects.filter(kind="tables.round", state="settled").count() == 3
    assert TableLog.objects.exists()
    one, two = verify.verify(), verify.verify(processes=2)
    assert [str(fault) for fault in one.faults] == [str(fault) for fault in two.faults]
    assert (one.seals, one.rows, one.entries) == (two.seals, two.rows, two.entries)
    assert [fault.where for fault in one.faults] == [f"audit record {first('people_auditrecord')}"] * 2
    assert verify.verify(since=Seal.objects.latest("number").number).sound, "the fault lies before"
