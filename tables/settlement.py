"""Settling closed rounds: claim a batch, ask `rules`, and write lines, ledger entry, jackpot decisions and state in one
transaction. A message is only a wake-up call; whatever it missed is found by the next one or by the sweeper."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import psycopg
import structlog
from django.db import OperationalError, transaction
from django.db.models import Min, QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from jackpots import log as jackpot_log
from ledger.errors import DayClosed
from ledger.journal import open_days, post_many
from rules import RuleError, Settlement, round_from_json, settle
from rules.codec import carried_to_json, settlement_to_json
from rules.contract import Line
from rules.progressive import Moment
from tables import books, bulk
from tables.models import Round, Table

log = structlog.get_logger(__name__)
State = Round.State
BATCH = 64
ATTEMPTS = 3
TRANSIENT = (OperationalError, psycopg.OperationalError, DayClosed)
"""Nobody's fault: the whole batch is tried again as it is."""


@dataclass(frozen=True, slots=True)
class Settled:
    """What one batch did. `progressives` are those whose log moved."""

    settled: int = 0
    parked: int = 0
    progressives: frozenset[int] = frozenset()


def settle_batch(limit: int = BATCH) -> Settled:
    """Claims and settles up to `limit` closed rounds; rounds that another worker holds are left to it."""
    with transaction.atomic():
        return settle_rounds(Round.objects.filter(state=State.CLOSED), limit)


def settle_rounds(closed: QuerySet[Round], limit: int = BATCH) -> Settled:
    """The same for given rounds, in the caller's transaction. What cannot be written together is tried one by one, so
    that a round at fault holds up nobody but itself."""
    claimed = list(
        closed.select_for_update(skip_locked=True, of=("self",))
        .select_related("config")
        .order_by("closed_at", "number")[:limit]
    )
    if not claimed:
        return Settled()
    try:
        with transaction.atomic():
            return _settle(claimed)
    except TRANSIENT:
        raise
    except Exception:
        log.exception("batch_not_written", rounds=len(claimed))
    return _settle_one_by_one([round.pk for round in claimed])


def _settle_one_by_one(ids: list[UUID]) -> Settled:
    settled, parked, progressives = 0, 0, frozenset[int]()
    for round in Round.objects.filter(pk__in=ids).select_related("config").order_by("table", "number"):
        try:
            with transaction.atomic():
                done = _settle([round])
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


def _settle(claimed: list[Round]) -> Settled:
    tables = _lock_tables({round.table_id for round in claimed})
    next_number = _next_numbers(tables)
    done: list[tuple[Round, Settlement]] = []
    parked = 0
    for round in sorted(claimed, key=lambda round: (round.table_id, round.number)):
        round.table = tables[round.table_id]
        if round.config.game.in_order and round.number != next_number[round.table_id]:
            continue
        answer = _settle_one(round)
        if answer is None:
            parked += round.state == State.PARKED
            continue
        next_number[round.table_id] = round.number + 1
        done.append((round, answer))
    progressives = _write(done)
    return Settled(len(done), parked, frozenset(progressives))


def _lock_tables(ids: set[int]) -> dict[int, Table]:
    """In the order of their ids, so that two workers never wait for each other in a circle."""
    tables = Table.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=ids).order_by("pk")
    return {table.pk: table for table in tables.select_related("premises", "link__progressive__config")}


def _next_numbers(tables: dict[int, Table]) -> dict[int, int]:
    """By table, the number of the first round that is not settled: a game that hands state on goes round by round."""
    unsettled = Round.objects.filter(table__in=tables).exclude(state=State.SETTLED).order_by()
    return dict(unsettled.values_list("table").annotate(first=Min("number")))


def _settle_one(round: Round) -> Settlement | None:
    """Asks the rules. A round that they refuse is parked: a person must look, and the others go on."""
    carried = round.table.carried if round.config.game.in_order else {}
    try:
        answer = settle(round_from_json(round.document(carried)))
    except RuleError as fault:
        _park(round, str(fault))
        return None
    except Exception as error:  # a fault of ours must not hold up other tables
        _failed(round, error)
        return None
    round.carried_in = carried
    round.result = dict(answer.result)
    if round.config.game.in_order:
        round.table.carried = carried_to_json(answer.carried)
    return answer


def _failed(round: Round, error: Exception) -> None:
    """Tried again by the next worker that comes by, a few times."""
    log.error("settlement_failed", round=str(round.pk), exc_info=error)
    round.attempts += 1
    if round.attempts >= ATTEMPTS:
        _park(round, f"{type(error).__name__}: {error}")
    else:
        round.save(update_fields=["attempts"])


def _park(round: Round, error: str) -> None:
    log.error("round_parked", round=str(round.pk), table=round.table.code, error=error)
    round.state, round.error = State.PARKED, error
    round.save(update_fields=["state", "error", "attempts"])


def _write(done: list[tuple[Round, Settlement]]) -> set[int]:
    """Everything about the batch, each kind of row in one statement."""
    if not done:
        return set()
    bulk.copy_lines(done)
    _post(done)
    progressives = _decide_jackpots(done)
    bulk.mark_settled([round for round, _ in done], timezone.now())
    for table in {round.table_id: round.table for round, _ in done if round.config.game.in_order}.values():
        table.save(update_fields=["carried"])
    return progressives


def _post(done: list[tuple[Round, Settlement]]) -> None:
    """The entries of the batch; a round whose gaming day is closed goes, with or without money, to the next one."""
    entries = [(round, books.round_entry(round, answer)) for round, answer in done]
    moved = [(round, entry) for round, entry in entries if entry is not None]
    for (round, _), posted in zip(moved, post_many([entry for _, entry in moved]), strict=True):
        round.late_day = posted.day if posted.late else None
    still = [(round, round.gaming_day) for round, entry in entries if entry is None and round.gaming_day]
    days = open_days({(round.table.premises_id, day) for round, day in still})
    for round, own in still:
        day = days[round.table.premises_id, own]
        round.late_day = day if day != own else None


def _decide_jackpots(done: list[tuple[Round, Settlement]]) -> set[int]:
    """Rounds without a hit or a void jackpot wager are decided together; the others one by one, in their order."""
    plain: list[UUID] = []
    progressives: set[int] = set()
    for round, answer in done:
        if round.table.link is None or not _has_jackpot(round, answer):
            continue
        progressives.add(round.table.link.progressive_id)
        if answer.hits or _returned_jackpots(round, answer):
            _decide_jackpot(round, answer)
        else:
            plain.append(round.pk)
    for round_id in jackpot_log.decide_plain(plain):
        round, answer = next(pair for pair in done if pair[0].pk == round_id)
        _decide_jackpot(round, answer)
    return progressives


def _has_jackpot(round: Round, answer: Settlement) -> bool:
    kinds = round.config.game.kinds
    return any(kinds[line.wager.kind].jackpot for line in answer.lines)


def _returned_jackpots(round: Round, answer: Settlement) -> list[Line]:
    """Jackpot wagers that go back, whole: they were accepted whole (VIII 11.4)."""
    kinds = round.config.game.kinds
    found = [line for line in answer.lines if line.returned and kinds[line.wager.kind].jackpot]
    if any(line.returned != line.wager.stake for line in found):
        raise RuntimeError(
            f"{round} gives back a part of a jackpot wager, which no pot can tell from the rest"
        )
    return found


def _decide_jackpot(round: Round, answer: Settlement) -> None:
    """Void jackpot wagers go back, those that stand for the next round stay, all others are decided now."""
    link, at = round.table.link, round.closed_at
    if link is None or at is None:
        raise RuntimeError(f"{round} has jackpot wagers but no link or no end")
    void = _returned_jackpots(round, answer)
    for rule in sorted({line.rule for line in void}):
        stakes = [
            jackpot_log.Stake(
                line.wager.id, line.wager.seat, line.wager.stake, line.wager.player, line.wager.promo
            )
            for line in void
            if line.rule == rule
        ]
        jackpot_log.return_stakes(link, round.pk, stakes, at, rule)
    jackpot_log.decide(link, round.pk, answer.hits, hit_moments(round), at)


def hit_moments(round: Round) -> dict[int, datetime]:
    """By seat, the moment that gives a win its place: which one it is, the progressive's rules say by device."""
    if round.table.link is None:
        return {}
    priority = round.table.link.progressive.config.rules.priority
    device = round.config.document["options"].get("dealing", "other")
    wanted: Moment = {"shoe": priority.shoe, "shuffler": priority.shuffler}.get(device, priority.other)
    found: dict[int, datetime] = {}
    for seat, times in round.moments.items():
        at = parse_datetime(times.get(wanted.value, "") or "")
        if at is not None and str(seat).isdecimal():
            found[int(seat)] = at
    return found


def explain(round: Round) -> dict[str, Any]:
    """The settlement of a settled round again, from what is stored: the answer to a dispute."""
    return settlement_to_json(settle(round_from_json(round.document(round.carried_in))))
