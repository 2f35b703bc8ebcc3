"""Settling closed rounds in the books: claim a batch, take what the rules said when each closed
(`tables.settle.prepared`), and write lines, ledger entry, jackpot decisions and state in one transaction. A message is
only a wake-up call; whatever it missed is found by the next one or by the sweeper."""

from __future__ import annotations

from dataclasses import dataclass, replace

import psycopg
import structlog
from django.db import OperationalError, transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from config.kit.database import is_lock_timeout, lock_timeout
from config.kit.fastsql.statements import made_in_part, rows_of
from jackpots.models import TableLog
from ledger.books.errors import DayClosed
from ledger.books.journal import open_days, post_many
from people.alerts import alerts
from people.models import Role
from rules import RuleError
from tables.door import jackpot_rounds
from tables.models import Round, Table, config_of
from tables.settle import bulk, ledger_entries, prepared
from tables.settle.waiting import Waiting

logger = structlog.get_logger(__name__)
State = Round.State
BATCH = 256
"""What a batch costs by itself is shared by so many; of 64 a round took 1.5 times as long."""
BOOKED_BY = (
    "id", "table_id", "number", "config_id", "state", "locked_at", "gaming_day", "version", "jackpots_count",
    "settlement", "rules_version", "attempts",
)  # fmt: skip
"""Columns that booking takes. The others are read only where the rules are asked again, or hits are left over."""
_CLAIM = f"""
    SELECT c.sha256, {", ".join(f"r.{name}" for name in BOOKED_BY)}
    FROM tables_round r JOIN tables_tableconfig c ON c.id = r.config_id
    WHERE r.state = 'closed' AND r.table_id = ANY(%s::bigint[])
    ORDER BY r.closed_at, r.number LIMIT %s FOR UPDATE OF r SKIP LOCKED
"""  # noqa: S608 (no value is interpolated)
ATTEMPTS = 3
MOMENT_MS = 200
"""A terminal's request holds its table for some milliseconds; what takes longer is stuck, or another worker's."""
TRANSIENT = (OperationalError, psycopg.OperationalError, DayClosed)
"""Nobody's fault: the whole batch is tried again as it is."""
ROUND_PARKED = alerts.declare(
    "tables.round_parked",
    gettext_noop("A round cannot be settled"),
    severity=alerts.Severity.URGENT,
    roles=[Role.SUPERVISOR, Role.JACKPOT_MANAGER],
)


@dataclass(frozen=True, slots=True)
class Settled:
    """What one batch did. `progressives` are those whose log moved, `held` tables that somebody else had locked."""

    settled: int = 0
    parked: int = 0
    progressives: frozenset[int] = frozenset()
    held: frozenset[int] = frozenset()


def settle_batch(limit: int = BATCH) -> Settled:
    """Claims and settles up to `limit` closed rounds. Tables and rounds that another holds are left to it, so that one
    stuck table holds up nobody else."""
    try:
        with transaction.atomic():
            return settle_rounds(limit=limit)
    except OperationalError as error:
        if not is_lock_timeout(error):
            raise
        # Something that only some of them need, such as a day that is being closed: table by table, then.
        return Settled(held=frozenset(_tables_with_closed()))


def settle_table(table_id: int) -> Settled:
    """The rounds of one table that was held by somebody; waits a moment for it, and no longer."""
    try:
        with transaction.atomic(), lock_timeout(MOMENT_MS):
            Table.objects.select_for_update(no_key=True).get(pk=table_id)
            return settle_rounds(table_id)
    except OperationalError as error:
        if not is_lock_timeout(error):
            raise
        return Settled(held=frozenset([table_id]))


def settle_rounds(table_id: int | None = None, limit: int = BATCH) -> Settled:
    """The same for all tables or for one, in the caller's transaction. What cannot be written together is tried one by
    one, so that a round at fault holds up nobody but itself."""
    wanted = _tables_with_closed(table_id)
    if not wanted:  # as nearly every time that a sweeper looks
        return Settled()
    tables = _lock_tables(wanted)
    held = frozenset(wanted - set(tables))
    claimed: list[Round] = []
    for sha256, *values in rows_of(_CLAIM, [list(tables), limit]):
        claimed.append(made_in_part(Round, BOOKED_BY, values))
        claimed[-1].config = config_of(claimed[-1].config_id, sha256)
    if not claimed:
        return Settled(held=held)
    try:
        with transaction.atomic():
            done = _settle(claimed, tables)
    except TRANSIENT:
        raise
    except Exception:
        logger.exception("batch_not_written", rounds=len(claimed))
        done = _settle_one_by_one([round.pk for round in claimed])
    return replace(done, held=held)


def _settle_one_by_one(ids: list[int]) -> Settled:
    settled, parked, progressives = 0, 0, frozenset[int]()
    for round in Round.objects.filter(pk__in=ids).select_related("config").order_by("table", "number"):
        try:
            with transaction.atomic():
                done = _settle([round], _lock_tables({round.table_id}))
        except TRANSIENT:
            raise
        except Exception as error:
            round.table = Table.objects.get(pk=round.table_id)
            _failed(round, error)
            parked += round.state == State.PARKED
        else:
            settled, parked = settled + done.settled, parked + done.parked
            progressives |= done.progressives
    return Settled(settled, parked, progressives)


def _settle(claimed: list[Round], tables: dict[int, Table]) -> Settled:
    done: list[tuple[Round, Waiting]] = []
    parked = 0
    for round in sorted(claimed, key=lambda round: (round.table_id, round.number)):
        round.table = tables[round.table_id]
        answer = _answer(round)
        if answer is None:
            parked += round.state == State.PARKED
        else:
            done.append((round, answer))
    progressives = _write(done)
    return Settled(len(done), parked, frozenset(progressives))


def _tables_with_closed(table_id: int | None = None) -> set[int]:
    closed = Round.objects.filter(state=State.CLOSED)
    if table_id is not None:
        closed = closed.filter(table=table_id)
    return set(closed.order_by().values_list("table_id", flat=True).distinct())


def _lock_tables(ids: set[int]) -> dict[int, Table]:
    """Those that are free, with their logs: nobody is waited for, so nobody waits in a circle."""
    tables = (
        Table.objects.select_for_update(no_key=True, of=("self",), skip_locked=True)
        .filter(pk__in=ids)
        .select_related("premises", "table_log")
        .order_by("pk")
    )
    found = {table.pk: table for table in tables}
    logs = (
        TableLog.objects.select_for_update(no_key=True, skip_locked=True)
        .filter(pk__in=[table.table_log_id for table in found.values()])
        .order_by("pk")
    )
    free = set(logs.values_list("pk", flat=True))
    return {pk: table for pk, table in found.items() if table.table_log_id in free}


def _answer(round: Round) -> Waiting | None:
    """What the rules said at the close, or say now. A round that they refuse is parked: a person must look, and the
    others go on."""
    try:
        return prepared.prepare_again(round) if round.settlement is None else prepared.waiting(round)
    except RuleError as fault:
        _park(round, str(fault))
    except Exception as error:  # a fault of ours must not hold up other tables
        _failed(round, error)
    return None


def _failed(round: Round, error: Exception) -> None:
    """Tried again by the next worker that comes by, a few times."""
    logger.error("settlement_failed", round=str(round.pk), exc_info=error)
    round.attempts += 1
    if round.attempts >= ATTEMPTS:
        _park(round, f"{type(error).__name__}: {error}")
    else:
        round.save(update_fields=["attempts"])


def _park(round: Round, error: str) -> None:
    logger.error("round_parked", round=str(round.pk), table=round.table.code, error=error)
    round.state, round.error = State.PARKED, error
    round.save(update_fields=["state", "error", "attempts"])
    alerts.raise_alert(
        ROUND_PARKED, round, f"{round} cannot be settled: {error}", premises=round.table.premises
    )


def _write(done: list[tuple[Round, Waiting]]) -> set[int]:
    """Everything about the batch, each kind of row in one statement."""
    if not done:
        return set()
    bulk.copy_lines(done)
    _post(done)
    progressives = jackpot_rounds.decide_left_over(done)
    bulk.mark_settled([round for round, _ in done], timezone.now())
    return progressives


def _post(done: list[tuple[Round, Waiting]]) -> None:
    """The entries of the batch; a round whose gaming day is closed goes, with or without money, to the next one."""
    entries = [
        (round, ledger_entries.entry_of(round, answer.moved, answer.source) if answer.moved else None)
        for round, answer in done
    ]
    moved = [(round, entry) for round, entry in entries if entry is not None]
    for (round, _), posted in zip(moved, post_many([entry for _, entry in moved]), strict=True):
        round.late_day = posted.day if posted.late else None
    still = [(round, round.gaming_day) for round, entry in entries if entry is None and round.gaming_day]
    days = open_days({(round.table.premises_id, day) for round, day in still})
    for round, own in still:
        day = days[round.table.premises_id, own]
        round.late_day = day if day != own else None
