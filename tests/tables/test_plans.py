"""A house with much history: what pages ask every few seconds, and what is asked under a lock, must not read it all.

Every statement of the real calls is explained as it runs: which tables it reads from end to end, and how many blocks it
touches. A plan that is right on a small table tells nothing, so the tables are filled first, by plain SQL.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from config.kit.gaming_day import day_start, gaming_day
from jackpots.fold.folding import fold
from jackpots.models import TableLog
from jackpots.signs import frames
from jackpots.signs.frame_texts import text_of
from jackpots.verify.identities import broken_books, broken_log
from ledger.books import balances
from ledger.seals import seals
from rules.contract import Hit, Wager
from rules.money import dollars
from rules.progressive import encode, opening_state
from tables.settle import settlement
from tests import log_verbs as event_log
from tests.floor import Floor, new_round_id

MANY_ROWS = 10_000
MAX_BLOCKS = 400
"""3 MB. The postings alone have thousands of blocks, and so has each of their indexes."""

# Guards are for what is posted; this was posted long ago and is folded. Half is of today: a busy day is history, too.
BOOKS = """
    SET LOCAL session_replication_role = replica;

    INSERT INTO ledger_gamingday (premises_id, date, state, opened_at, closing_at, closed_at, closed_by_id)
    SELECT p.id, %(today)s::date - n, 'closed', now(), now(), now(), (SELECT min(id) FROM people_user)
    FROM people_premises p, generate_series(1, 4) n WHERE p.code = 'harbour';

    INSERT INTO ledger_account (code, kind, premises_id, currency)
    SELECT 'harbour/' || a.room || '/' || a.name, 'asset', p.id, 'NZD'
    FROM people_premises p, (
        SELECT 'tables/CS-' || lpad(n::text, 2, '0'), unnest(ARRAY['bank', 'win', 'rounding'])
            FROM generate_series(1, 60) n
        UNION ALL SELECT 'jackpots/stud', unnest(ARRAY['transit', 'house', 'levels/grand/increment'])
    ) a(room, name) WHERE p.code = 'harbour' ON CONFLICT DO NOTHING;

    INSERT INTO ledger_entry (id, key, premises_id, day_id, kind, reference, currency, source_sha256, content_sha256,
        xact_id)
    SELECT g.n, 'past:' || g.n, d.premises_id, d.id, 'round', 'past:' || g.n, 'NZD', h.hash, h.hash,
        %(mark)s + g.n
    FROM generate_series(-100000, -1) AS g(n), decode(repeat('ab', 32), 'hex') AS h(hash), (
        SELECT d.*, row_number() OVER (ORDER BY date) AS nth FROM ledger_gamingday d JOIN people_premises p
        ON p.id = d.premises_id AND p.code = 'harbour') d
    WHERE d.nth = least(5, (g.n + 100000) / 12500 + 1);

    INSERT INTO ledger_posting (entry_id, account_id, amount_micros)
    SELECT e.id, t.accounts[leg], CASE leg WHEN 1 THEN 3000000 WHEN 2 THEN -2000000 ELSE -1000000 END
    FROM ledger_entry e, generate_series(1, 3) leg, (
        SELECT row_number() OVER () AS nth, array_agg(id ORDER BY id) AS accounts FROM ledger_account
        WHERE code ~ '/tables/CS-../(bank|win|rounding)$|/stud/(transit|house|levels/grand/increment)$'
        GROUP BY premises_id, split_part(code, '/', 2), split_part(code, '/', 3) HAVING count(*) = 3) t
    WHERE e.id < 0 AND t.nth = (e.id + 100000) %% 61 + 1;

    INSERT INTO ledger_daymovement (account_id, day_id, debit_micros, credit_micros, postings)
    SELECT p.account_id, e.day_id, sum(greatest(p.amount_micros, 0)), sum(least(p.amount_micros, 0)), count(*)
    FROM ledger_posting p JOIN ledger_entry e ON e.id = p.entry_id WHERE e.id < 0 GROUP BY 1, 2;

    INSERT INTO ledger_rollupmark (id, below_xact) VALUES (1, %(mark)s);
"""
# History has stamps of its own, above 0, on a server that has just begun to count, too: none of it is sealed.
COUNT_ON = """
    DO $$ BEGIN
        WHILE pg_snapshot_xmax(pg_current_snapshot())::text::bigint < 110000 LOOP
            PERFORM pg_current_xact_id();
            COMMIT;
        END LOOP;
    END $$
"""
PLAY = """
    SET LOCAL session_replication_role = replica;

    INSERT INTO jackpots_event (table_log_id, number, kind, terminal_at, round_id, body)
    SELECT t.id, n, 'stakes', at, n, jsonb_build_object('version', 1, 'wagers', jsonb_build_array(
        jsonb_build_object('id', 'w' || n, 'kind', 'jackpot', 'stake', '1.00', 'seat', 1)))
    FROM jackpots_tablelog t, generate_series(1, 5000) n,
        LATERAL (SELECT now() - interval '190 days' + n * interval '52 minutes' + t.id * interval '1 second') m(at);
    UPDATE jackpots_tablelog SET last_number = 5000;

    INSERT INTO jackpots_share (event_id, progressive_id, config_id, place, earliest, latest, late, clock, moment,
        stake_micros, slice_micros, slices)
    SELECT e.id, p.id, p.config_id, e.terminal_at, e.terminal_at, e.terminal_at, false, '', '', 1000000, 1000000,
        '{"jackpot": 10000}'
    FROM jackpots_event e JOIN jackpots_link l ON l.table_log_id = e.table_log_id
        JOIN jackpots_progressive p ON p.id = l.progressive_id;

    INSERT INTO jackpots_foldrun (progressive_id, number, at, kind, first_place, last_place, last_share_id, shares,
        config_id, slice_micros, house_micros, meters, trace, entry_key, added_micros)
    SELECT progressive_id, row_number() OVER (ORDER BY place), place, 'stakes', place, place, id, 1, config_id, 1000000,
        0, %(pots)s, '[]', '', 0 FROM jackpots_share;
    UPDATE jackpots_progressive SET runs = 15000, frame_sequence = 15000,
        folded_until = (SELECT max(place) + interval '1 second' FROM jackpots_share);

    WITH frames AS (
        INSERT INTO jackpots_frame (progressive_id, sequence, at, sha256)
        SELECT p.id, n, now() - (15001 - n) * interval '17 minutes', encode(sha256(convert_to(%(text)s, 'UTF8')), 'hex')
        FROM jackpots_progressive p, generate_series(1, 15000) n RETURNING id
    ) INSERT INTO jackpots_frametext (frame_id, text) SELECT id, %(text)s FROM frames;

    INSERT INTO tables_round (uid, table_id, number, config_id, state, opened_at, locked_at, closed_at, settled_at,
        gaming_day, wagers, dealt, decisions, irregularities, moments, carried_in, result,
        rules_version, attempts, error, jackpots_count, not_accepted)
    SELECT gen_random_uuid(), t.id, n, t.config_id, 'settled', at, at, at, at, at::date, '[]', '{}', '[]', '[]', '{}',
        '{}', '{}', 1, 0, '', false, '[]'
    FROM tables_table t, generate_series(1, 5000) n,
        LATERAL (SELECT now() - (5001 - n) * interval '52 minutes') r(at);
    UPDATE tables_table SET last_round = 5000;

    INSERT INTO jackpots_win (progressive_id, run_id, share_id, table_log_id, round_id, hit, hand_wager_id, wager_id,
        seat, player, trigger, level, amount_micros, from_pool_micros, from_house_micros, rule, state, verified_by_id,
        verification, paid_by_id, paid_at, paid_micros, method)
    SELECT s.progressive_id, r.id, s.id, e.table_log_id, e.round_id, '{"cards": []}', 'w', 'w', 1, '', 'flush', 'grand',
        1, 1, 0, 'x', 'paid', u.first, '{}', u.first, s.place, 1, 'cash'
    FROM jackpots_share s JOIN jackpots_event e ON e.id = s.event_id JOIN jackpots_foldrun r ON r.last_share_id = s.id,
        (SELECT min(id) FROM people_user) u(first);
"""


@dataclass(frozen=True)
class Statement:
    sql: str
    plan: dict[str, Any]

    @property
    def blocks(self) -> int:
        return int(self.plan["Shared Hit Blocks"] + self.plan["Shared Read Blocks"])

    def nodes(self) -> Iterator[dict[str, Any]]:
        left = [self.plan]
        while left:
            node = left.pop()
            left += node.get("Plans", [])
            yield node


@contextmanager
def explained() -> Iterator[list[Statement]]:
    """Every statement meanwhile with its plan, as it ran a moment before in a savepoint that was taken back."""
    found: list[Statement] = []

    def explain(execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:
        if str(sql).split(None, 1)[0].upper() in {"SELECT", "WITH", "INSERT", "UPDATE", "DELETE"}:
            with connection.connection.transaction(force_rollback=True), connection.create_cursor() as cursor:
                cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {sql}", params)
                (answer,) = cursor.fetchone()
            found.append(
                Statement(str(sql), (json.loads(answer) if isinstance(answer, str) else answer)[0]["Plan"])
            )
        return execute(sql, params, many, context)

    with connection.execute_wrapper(explain):
        yield found


def reads_history(statements: list[Statement]) -> list[str]:
    """What reads a large table from end to end, or as much as that."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT relname FROM pg_class WHERE relkind = 'r' AND reltuples > %s", [MANY_ROWS])
        large = {name for (name,) in cursor.fetchall()}
    assert {"ledger_entry", "ledger_posting_earlier", "jackpots_event", "tables_round"} <= large
    found = []
    for statement in statements:
        whole = [
            node["Relation Name"]
            for node in statement.nodes()
            if node["Node Type"] == "Seq Scan" and node["Relation Name"] in large
        ]
        # What is posted writes blocks, too; its functions are held to indexes by their own settings.
        if whole or (statement.blocks > MAX_BLOCKS and "ledger_post(" not in statement.sql):
            found.append(
                f"{statement.blocks} blocks, {whole} from end to end: {' '.join(statement.sql.split())}"
            )
    return found


@pytest.fixture
def floor(committed_floor: Floor) -> Floor:
    made = committed_floor
    pots = json.dumps(encode(opening_state(made.progressive.config.rules)))
    with connection.cursor() as cursor:
        cursor.execute(COUNT_ON)
    balances.roll_up()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM ledger_rollupmark RETURNING below_xact")
        (mark,) = cursor.fetchone()
        cursor.execute(BOOKS, {"today": gaming_day(made.harbour, timezone.now()), "mark": mark})
        cursor.execute(PLAY, {"pots": pots, "text": text_of({"levels": [], "pending": [], "wins": []}, None)})
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    play()
    return made


def play() -> None:
    """A few jackpot wagers and a flush, booked and in the log, not folded."""
    for link in TableLog.objects.order_by("pk"):
        for _ in range(5):
            round_id = new_round_id()
            with transaction.atomic():
                event_log.record_stakes(
                    link, round_id, [Wager("w", "jackpot", dollars(1), 1)], timezone.now()
                )
                hit = Hit(Wager("w", "jackpot", dollars(1), 1), "flush", "x")
                event_log.decide(
                    link, round_id, [hit] if link.table_code == "CS-01" else [], {}, timezone.now()
                )


def take_back() -> None:
    """A void wager of a hundred rounds ago."""
    link = TableLog.objects.get(table_code="CS-02")
    with transaction.atomic():
        event_log.return_stakes(
            link, new_round_id(), [Wager("w4900", "jackpot", dollars(1), 1)], timezone.now(), "x"
        )


def beat_all() -> None:
    with transaction.atomic():
        for link in TableLog.objects.all():
            event_log.beat(link, timezone.now())


def check_the_tail() -> None:
    """It is read along its index, and the balance is what a plain sum gives, before and after the next fold."""
    codes = [f"harbour/tables/CS-0{n}/bank" for n in (1, 2)] + ["harbour/jackpots/stud/transit"]
    with explained() as statements:
        found = balances.balances(codes)
    used = {node["Index Name"]: node for node in statements[-1].nodes() if "Index Name" in node}
    assert {"entry_by_xact", "ledger_posting_pkey"} <= used.keys()
    assert "xact_id >=" in used["entry_by_xact"]["Index Cond"]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT a.code, sum(p.amount_micros)::bigint FROM ledger_posting p JOIN ledger_account a"
            " ON a.id = p.account_id WHERE a.code = ANY(%s) GROUP BY a.code",
            [codes],
        )
        assert found == dict(cursor.fetchall())
    balances.roll_up()
    assert balances.balances(codes) == found


def test_nothing_that_is_asked_often_or_under_a_lock_reads_all_history(floor: Floor) -> None:
    client = Client()
    client.force_login(floor.people["sefa"], "django.contrib.auth.backends.ModelBackend")
    progressive = floor.progressive.pk
    some_day = gaming_day(floor.harbour, timezone.now()) - timedelta(days=40)
    since, until = (day_start(floor.harbour, some_day + timedelta(days=n)) for n in (0, 1))
    take_back()
    beat_all()
    asked: dict[str, Callable[[], Any]] = {
        "the floor page": lambda: client.get("/floor/", headers={"HX-Request": "true"}),
        "a table's page": lambda: client.get("/floor/harbour/tables/CS-01/"),
        "the jackpots page": lambda: client.get("/jackpots/", headers={"HX-Request": "true"}),
        "the identities": lambda: broken_books(progressive),
        "a frame": lambda: frames.snapshot(progressive),
        "the fold": lambda: fold(progressive),
        "the identities with wins": lambda: broken_books(progressive),
        "the jackpots page with wins": lambda: client.get("/jackpots/", headers={"HX-Request": "true"}),
        "a frame with wins": lambda: frames.snapshot(progressive),
        "the replay of a day": lambda: broken_log(progressive, since, until),
        "settlement": settlement.settle_batch,
        "seals": lambda: list(seals.troubles()),
        "rolling up balances": balances.roll_up,
    }
    wrong = []
    for what, ask in asked.items():
        with explained() as statements:
            ask()
        assert statements, what
        wrong += [f"{what}: {text}" for text in reads_history(statements)]
    assert not wrong, "\n".join(wrong)
    play()
    check_the_tail()
