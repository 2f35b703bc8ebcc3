"""Tables and types of a session's own, named like the real ones: no trigger and no function may take them for real.

`pg_temp` is searched before everything else unless a path names it, so a function without a path of its own looks into
what the attacker has made. The application's role may make no temporary table; here it may, and so may the owner.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import psycopg
import pytest
from django.db import transaction
from django.utils import timezone

from jackpots.fold.folding import fold
from jackpots.models import TableLog
from jackpots.wins.hand_pay import verify
from ledger.books.journal import post
from ledger.models import GamingDay
from rules.contract import Hit, Wager
from rules.money import dollars
from tests import log_verbs as event_log
from tests.conftest import APP_ROLE
from tests.floor import Floor, make_floor, new_round_id
from tests.ledger.conftest import entry_maker

LONG_AGO = date(2020, 2, 1)
ENTRY = (
    "INSERT INTO public.ledger_entry ({more}key, premises_id, day_id, kind, reference, currency, source_sha256,"
    " content_sha256) SELECT {values}'raw', premises_id, {day}, 'round', 'raw', currency, source_sha256,"
    " content_sha256 FROM public.ledger_entry WHERE key = 'long-ago'"
)
OPEN_DAY = (
    "(SELECT d.id FROM public.ledger_gamingday d JOIN public.ledger_entry e USING (premises_id)"
    " WHERE e.key = 'long-ago' AND d.state = 'open' ORDER BY d.date LIMIT 1)"
)
LEGS = (
    "INSERT INTO public.ledger_posting (entry_id, account_id, amount_micros) SELECT e.id, p.account_id, p.amount_micros"
    " FROM public.ledger_entry e, public.ledger_posting p JOIN public.ledger_entry o ON o.id = p.entry_id"
    " WHERE e.key = 'raw' AND o.key = 'long-ago'"
)
EVENT = (
    "INSERT INTO public.jackpots_event SELECT (jsonb_populate_record(e, jsonb_build_object({}))).*"
    " FROM public.jackpots_event e WHERE kind = 'hits'"
)
SHARE = (
    "INSERT INTO public.jackpots_share SELECT (jsonb_populate_record(s, jsonb_build_object('id', 99))).*"
    " FROM public.jackpots_share s LIMIT 1"
)


@dataclass(frozen=True)
class Attack:
    name: str
    shadow: str
    """What the session makes for itself."""
    attack: str
    refusal: str


def as_table(name: str, columns: str) -> str:
    return f"CREATE TEMP TABLE {name} AS SELECT {columns} FROM public.{name}"


APPROVED = (
    "CREATE TEMP TABLE people_approvalrequest (id bigint, state text, action text, payload_json text);"
    "INSERT INTO pg_temp.people_approvalrequest"
)
ATTACKS = [
    Attack(
        "an approval of one's own",
        f"{APPROVED} SELECT approval_id, 'used', 'jackpots.pay_win', jsonb_build_object('win', id)::text"
        " FROM public.jackpots_win",
        "UPDATE public.jackpots_win SET state = 'approved'",
        "no approval of a second person was used",
    ),
    Attack(
        "a limit of one's own",
        as_table("jackpots_progressive", "id, 1::bigint << 60 AS pay_alone_limit_micros"),
        "UPDATE public.jackpots_win SET state = 'approved'",
        "no approval of a second person was used",
    ),
    Attack(
        "an open item that nobody approved",
        f"{APPROVED} SELECT approval_id, 'used', 'ledger.carry_over',"
        ' \'{"day_id": "1", "item": "i", "check": "c"}\' FROM public.jackpots_win',
        "INSERT INTO public.ledger_openitem (day_id, check_name, item_key, text, reason, approval_id)"
        " SELECT 1, 'c', 'i', '', '', approval_id FROM public.jackpots_win",
        "no approval of a second person for it",
    ),
    Attack(
        "a closed day that looks open",
        as_table("ledger_gamingday", "id, premises_id, date, 'open' AS state"),
        f"{ENTRY.format(more='', values='', day='day_id')}; {LEGS}",
        "is closed",
    ),
    Attack(
        "a day before the closed ones",
        as_table("ledger_gamingday", "*") + " LIMIT 0",
        "INSERT INTO public.ledger_gamingday (premises_id, date)"
        " SELECT premises_id, date - 1 FROM public.ledger_gamingday WHERE state = 'closed'",
        "closed beyond",
    ),
    Attack(
        "days closed out of order",
        as_table("ledger_gamingday", "*") + " LIMIT 0",
        "INSERT INTO public.ledger_gamingday (premises_id, date)"
        " SELECT premises_id, date + n FROM public.ledger_gamingday, generate_series(1, 2) n WHERE state = 'closed';"
        "UPDATE public.ledger_gamingday SET state = 'closing', closing_at = now() WHERE date = '2020-02-03';"
        "UPDATE public.ledger_gamingday SET state = 'closed', closed_at = now(),"
        " closed_by_id = (SELECT id FROM public.people_user LIMIT 1) WHERE date = '2020-02-03'",
        "in order",
    ),
    Attack(
        "legs that are nowhere",
        "CREATE TEMP TABLE ledger_posting AS SELECT last_value + 1 AS entry_id, a AS amount_micros"
        " FROM public.ledger_entry_id_seq, unnest(ARRAY[1, -1]) a",
        f"{ENTRY.format(more='', values='', day=OPEN_DAY)}; SET CONSTRAINTS ALL IMMEDIATE",
        "has 0 legs",
    ),
    Attack(
        "accounts of another's books",
        "CREATE TEMP TABLE ledger_account AS SELECT a.id, e.premises_id, e.currency FROM public.ledger_account a,"
        " public.ledger_entry e WHERE e.key = 'long-ago'",
        f"{ENTRY.format(more='', values='', day=OPEN_DAY)};"
        "INSERT INTO public.ledger_account (code, kind, premises_id, currency)"
        " SELECT v, 'asset', p.id, 'NZD' FROM unnest(ARRAY['lakeside/a', 'lakeside/b']) v, public.people_premises p"
        " WHERE p.code = 'lakeside';"
        "INSERT INTO pg_temp.ledger_account SELECT a.id, e.premises_id, e.currency FROM public.ledger_account a,"
        " public.ledger_entry e WHERE e.key = 'raw' AND a.code LIKE 'lakeside/_';"
        "INSERT INTO public.ledger_posting (entry_id, account_id, amount_micros)"
        " SELECT e.id, a.id, CASE a.code WHEN 'lakeside/a' THEN 1 ELSE -1 END"
        " FROM public.ledger_entry e, public.ledger_account a WHERE e.key = 'raw' AND a.code LIKE 'lakeside/_'",
        "its premises and currency",
    ),
    Attack(
        "an event before what is final",
        as_table("jackpots_progressive", "id, NULL::timestamptz AS folded_until"),
        SHARE,
        "before what is already final",
    ),
    Attack(
        "an event beyond a gap",
        as_table("jackpots_event", "table_log_id, 8::bigint AS number"),
        EVENT.format("'id', 99, 'number', 9"),
        "leaves a gap",
    ),
    Attack(
        "a transaction's number cut short by a type called text: below what is folded and sealed",
        "CREATE DOMAIN pg_temp.text AS pg_catalog.varchar(2)",
        ENTRY.format(
            more="xact_id, ", values="left(pg_current_xact_id()::pg_catalog.text, 2)::bigint, ", day=OPEN_DAY
        )
        + f"; {LEGS}",
        "number of the transaction",
    ),
    Attack(
        "a transaction's number from a function of one's own",
        "CREATE FUNCTION pg_temp.pg_current_xact_id() RETURNS xid8 LANGUAGE sql AS $$ SELECT '7'::xid8 $$",
        ENTRY.format(more="xact_id, ", values="7, ", day=OPEN_DAY) + f"; {LEGS}",
        "number of the transaction",
    ),
    Attack(
        "a hash of one's own",
        "CREATE FUNCTION pg_temp.sha256(bytea) RETURNS bytea LANGUAGE sql AS 'SELECT NULL::bytea';"
        "CREATE FUNCTION pg_temp.encode(bytea, text) RETURNS text LANGUAGE sql AS $$ SELECT 'abc' $$",
        "INSERT INTO public.people_approvalrequest SELECT (jsonb_populate_record(a, jsonb_build_object('id', 99,"
        " 'state', 'requested', 'payload_sha256', 'abc'))).* FROM public.people_approvalrequest a LIMIT 1",
        "approval_hash_of_payload",
    ),
    Attack(
        "equality of one's own",
        "CREATE FUNCTION pg_temp.always(varchar, varchar) RETURNS boolean LANGUAGE sql AS 'SELECT true';"
        "CREATE OPERATOR pg_temp.= (LEFTARG = varchar, RIGHTARG = varchar, FUNCTION = pg_temp.always)",
        "UPDATE public.jackpots_win SET state = 'approved'",
        "no approval of a second person was used",
    ),
]
PATHS = ["public", "pg_temp, pg_catalog, public", "pg_catalog, pg_temp", ""]


@pytest.fixture
def installation(committed_db: str) -> tuple[str, Floor]:
    """A verified win, events that are final, and a closed day long ago with an entry."""
    floor = make_floor()
    link = TableLog.objects.get(table_code="CS-01")
    round_id = new_round_id()
    with transaction.atomic():
        event_log.record_stakes(link, round_id, [Wager("w", "jackpot", dollars(1), 1)], timezone.now())
        hit = Hit(Wager("w", "jackpot", dollars(1), 1), "flush", "x")
        event_log.decide(link, round_id, [hit], {}, timezone.now())
        for each in TableLog.objects.all():
            event_log.beat(each, timezone.now())
    (win,) = fold(floor.progressive.pk).wins
    verify(win.pk, floor.people["sefa"], {"hand_confirmed": True, "deck_counted": True})
    with transaction.atomic():
        post(entry_maker(floor.harbour)("long-ago", day=LONG_AGO))
    day = GamingDay.objects.filter(date=LONG_AGO)
    day.update(state="closing", closing_at=timezone.now(), closing_by=floor.people["fiona"])
    day.update(state="closed", closed_at=timezone.now(), closed_by=floor.people["fiona"])
    return committed_db, floor


def outcome(attacker: psycopg.Connection, path: str, attack: Attack) -> str:
    """What PostgreSQL said, or that the attack went through. Nothing is left of it."""
    try:
        with attacker.transaction(force_rollback=True):
            attacker.execute("SELECT set_config('search_path', %s, true)", [path])
            attacker.execute(attack.shadow.encode())
            attacker.execute(attack.attack.encode())
    except psycopg.Error as error:
        return str(error)
    return "it went through"


@pytest.mark.parametrize("role", [APP_ROLE, "owner"])
def test_no_table_of_ones_own_is_taken_for_the_real_one(installation: tuple[str, Floor], role: str) -> None:
    url, _ = installation
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute(f"GRANT TEMPORARY ON DATABASE {owner.info.dbname} TO {APP_ROLE}".encode())
    with psycopg.connect(url if role == "owner" else f"{url}&user={role}", autocommit=True) as attacker:
        said = {
            (attack.name, path): (attack.refusal, outcome(attacker, path, attack))
            for attack in ATTACKS
            for path in PATHS
        }
    wrong = [f"{key}: {text}" for key, (refusal, text) in said.items() if refusal not in text]
    assert not wrong, "\n".join(wrong)


def test_the_application_may_not_even_make_one(installation: tuple[str, Floor]) -> None:
    url, _ = installation
    with psycopg.connect(url, user=APP_ROLE, autocommit=True) as attacker:
        for attack in ATTACKS:
            with pytest.raises(psycopg.errors.InsufficientPrivilege, match="temporary tables"):
                attacker.execute(attack.shadow.encode())


def test_the_write_path_works_and_sees_the_real_days_from_any_path(installation: tuple[str, Floor]) -> None:
    url, floor = installation
    with psycopg.connect(url) as owner:
        shadow = "CREATE TEMP TABLE ledger_gamingday (LIKE public.ledger_gamingday INCLUDING ALL)"
        owner.execute(shadow.encode())
        owner.execute(
            "INSERT INTO pg_temp.ledger_gamingday (id, premises_id, date) OVERRIDING SYSTEM VALUE"
            " SELECT id, premises_id, date FROM public.ledger_gamingday"
        )
        for path in PATHS:
            owner.execute("SELECT set_config('search_path', %s, true)", [path])
            found = owner.execute(
                "SELECT date, state FROM public.ledger_open_day(%s, %s)", [floor.harbour.pk, LONG_AGO]
            ).fetchone()
            assert found is not None
            assert found[0] > LONG_AGO
            assert found[1] == "open"
