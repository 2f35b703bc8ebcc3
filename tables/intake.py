"""Taking a terminal's numbered events in: each one is a short transaction under the table's lock, safe to send again.

Two ways lead to a closed round: step by step (open, wagers, no-more-bets, cards, decision, result) or whole, as one
`round` event; several events may come in one request after an outage. Nothing is settled here: a closed round is
left to the settlement workers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import structlog
from django.db import IntegrityError, transaction
from django.utils import timezone

from config.gaming_day import gaming_day
from config.wake_ups import ring
from jackpots import event_log
from jackpots.errors import JackpotRefused
from jackpots.links import links_of
from jackpots.models import TableLog
from rules import RuleError, check_decision, check_wagers, round_from_json, settle, stakes_that_count
from rules.codec import decision_from_json, wager_from_json
from rules.contract import Wager
from tables.errors import Refused, by_rule
from tables.messages import Incoming, check_clock, check_wagers_fit, parse, parse_time
from tables.models import Round, Table, TableEvent
from tables.settlement import settle_rounds

logger = structlog.get_logger(__name__)
State = Round.State


@dataclass(frozen=True, slots=True)
class Answer:
    """What the terminal is told: `new` is False when it had sent the same before."""

    new: bool
    body: dict[str, Any]


def take(table_id: int, message: Mapping[str, Any]) -> Answer:
    """Accepts one event. Same number, same content: the first answer again. Anything else out of turn is refused."""
    incoming = parse(message, KINDS)
    try:
        return _take(table_id, incoming)
    except IntegrityError as error:
        if getattr(getattr(error.__cause__, "diag", None), "constraint_name", "") != "round_uid_once":
            raise
        raise _round_known(incoming) from None  # another table was faster by a moment


def _take(table_id: int, incoming: Incoming) -> Answer:
    with transaction.atomic():
        table = (
            Table.objects.select_for_update(no_key=True, of=("self",))
            .select_related("config", "premises", "table_log")
            .get(pk=table_id)
        )
        known = TableEvent.objects.filter(table=table, number=incoming.number).first()
        if known is not None:
            return _answer_again(known, incoming)
        _expect_turn(table, incoming)
        check_clock(incoming.at, timezone.now(), "at")
        _settle_past(table)
        round = _STEPS[incoming.kind](table, incoming)
        answer = {
            "number": incoming.number,
            "round": str(round.uid),
            "state": round.state,
            "round_number": round.number,
        }
        TableEvent.objects.create(
            table=table,
            number=incoming.number,
            kind=incoming.kind,
            round=round,
            terminal_at=incoming.at,
            sha256=incoming.sha256,
            answer=answer,
        )
        table.last_event = incoming.number
        table.last_heartbeat_at = timezone.now()
        table.save(update_fields=["last_event", "last_round", "last_heartbeat_at"])
        if table.table_log.is_open:
            _vouch(event_log.step, table.table_log, incoming.at)
        if round.state == State.CLOSED:
            from tables.tasks import settle_closed

            ring(settle_closed)
    return Answer(True, answer)


def heartbeat(table_id: int, last_number: int, at: datetime) -> dict[str, Any]:
    """The terminal is there and has sent everything up to `last_number`: what it has not, it is told to send."""
    with transaction.atomic():
        table = (
            Table.objects.select_for_update(no_key=True, of=("self",))
            .select_related("table_log")
            .get(pk=table_id)
        )
        table.last_heartbeat_at = timezone.now()
        table.save(update_fields=["last_heartbeat_at"])
        if last_number != table.last_event:
            # Its watermark must not move: something it has numbered is still on its way.
            return {"status": "behind", "expected": table.last_event + 1}
        answer: dict[str, Any] = {"status": "ok", "expected": table.last_event + 1}
        if table.table_log.is_open:
            table_log = _vouch(event_log.beat, table.table_log, at)
            lease = table_log.lease_until
            answer["lease_until"] = lease.isoformat() if lease else None
            from jackpots.tasks import fold_progressive

            for progressive_id in table_log.links.values_list("progressive_id", flat=True):
                ring(fold_progressive, progressive_id)
    return answer


def _vouch(verb: Callable[[TableLog, datetime], TableLog], table_log: TableLog, at: datetime) -> TableLog:
    try:
        return verb(table_log, at)
    except JackpotRefused as refused:  # fenced in this very moment
        raise Refused(refused.code, str(refused), status=409) from None


# ---------------------------------------------------------------------------------------------------- the steps


def _open(table: Table, incoming: Incoming) -> Round:
    if not table.is_open:
        raise Refused("table_closed", f"{table} is closed: a supervisor must open it first.", status=409)
    under_way = table.rounds.filter(state__in=[State.OPEN, State.LOCKED]).first()
    if under_way is not None:
        raise Refused("round_under_way", f"Round {under_way.uid} of {table} is not closed yet.", status=409)
    if Round.objects.filter(uid=incoming.round_uid).exists():
        raise _round_known(incoming)
    table.last_round += 1
    return Round.objects.create(
        uid=incoming.round_uid,
        table=table,
        number=table.last_round,
        config=table.config,
        opened_at=incoming.at,
    )


def _round_known(incoming: Incoming) -> Refused:
    return Refused("round_known", f"Round {incoming.round_uid} exists already; make a new id.", status=409)


def _wagers(table: Table, incoming: Incoming) -> Round:
    """First wagers while the round is open; later stages only with their decision."""
    round = _round(table, incoming, State.OPEN)
    round.wagers = [*round.wagers, *_list(incoming.body, "wagers")]
    faults = check_wagers(_partial(table, round))
    if faults:
        raise by_rule(faults)
    round.save(update_fields=["wagers"])
    return round


def _no_more_bets(table: Table, incoming: Incoming) -> Round:
    round = _round(table, incoming, State.OPEN)
    _lock(table, round, incoming)
    return round


def _cards(table: Table, incoming: Incoming) -> Round:
    """Cards, dice or a number as far as they are known, and the moments at which seats got theirs."""
    round = _round(table, incoming, State.LOCKED)
    _merge(round, incoming.body)
    _partial(table, round)
    round.save(update_fields=["dealt", "moments"])
    return round


def _decision(table: Table, incoming: Incoming) -> Round:
    """A choice, with the wager that it costs, checked before it counts."""
    round = _round(table, incoming, State.LOCKED)
    so_far = _partial(table, round)
    given = incoming.body.get("decision")
    wager: Wager | None = None
    if "wager" in incoming.body:
        _refuse_first_wagers(round, [incoming.body["wager"]])
        wager = wager_from_json(incoming.body["wager"])
    fault = check_decision(so_far, decision_from_json(so_far.game, given), wager)
    if fault is not None:
        raise by_rule((fault,))
    round.decisions = [*round.decisions, given]
    if wager is not None:
        round.wagers = [*round.wagers, incoming.body["wager"]]
    round.save(update_fields=["decisions", "wagers"])
    return round


def _result(table: Table, incoming: Incoming) -> Round:
    """All that was still missing; the round is complete and waits for its settlement."""
    round = _round(table, incoming, State.LOCKED, State.OPEN)
    wagers = _list(incoming.body, "wagers")
    if round.state == State.LOCKED:
        _refuse_first_wagers(round, wagers)
    round.wagers = [*round.wagers, *wagers]
    if round.state == State.OPEN:
        _lock(table, round, incoming)
    _merge(round, incoming.body)
    round.decisions = [*round.decisions, *_list(incoming.body, "decisions")]
    round.irregularities = [*round.irregularities, *_list(incoming.body, "irregularities")]
    _complete(table, round)
    _close(round, incoming.at)
    return round


def _whole(table: Table, incoming: Incoming) -> Round:
    """A round in one document, as it is sent after an outage or by tables that report at the end."""
    round = _open(table, incoming)
    body = incoming.body
    round.wagers = _list(body, "wagers")
    locked_at = incoming.at
    if "locked_at" in body:
        locked_at = parse_time(body["locked_at"], "body.locked_at")
        check_clock(locked_at, timezone.now(), "body.locked_at")
    round.decisions, round.irregularities = _list(body, "decisions"), _list(body, "irregularities")
    _merge(round, body)
    _complete(table, round)
    _lock(table, round, incoming, locked_at)
    _close(round, incoming.at)
    return round


_STEPS: dict[str, Callable[[Table, Incoming], Round]] = {
    "open": _open,
    "wagers": _wagers,
    "no-more-bets": _no_more_bets,
    "cards": _cards,
    "decision": _decision,
    "result": _result,
    "round": _whole,
}
KINDS = tuple(_STEPS)


def _lock(table: Table, round: Round, incoming: Incoming, at: datetime | None = None) -> None:
    """ "No more bets": wagers are fixed, the round has its gaming day, jackpot stakes are in the log."""
    moment = min(at or incoming.at, incoming.at)
    round.locked_at = min(moment, timezone.now())
    round.gaming_day = gaming_day(table.premises, round.locked_at)
    round.state = State.LOCKED
    round.save()
    _record_jackpot_stakes(table, round, moment)


def _record_jackpot_stakes(table: Table, round: Round, at: datetime) -> None:
    """Every wager that feeds or wins a progressive: jackpot wagers, and where a book says so a share of others."""
    kinds, links = round.config.game.kinds, links_of(table.table_log)
    wagers = [wager_from_json(given, f"wagers[{index}]") for index, given in enumerate(round.wagers)]
    jackpots = [i for i, wager in enumerate(wagers) if wager.kind in kinds and kinds[wager.kind].jackpot]
    standing = [wager_from_json(entry["wager"]) for entry in table.carried.get("wagers", [])]
    carried = [wager for wager in standing if kinds[wager.kind].jackpot]
    unlinked = [
        wager for wager in (*(wagers[i] for i in jackpots), *carried) if not links.for_kind(wager.kind)
    ]
    if unlinked:
        raise Refused("no_jackpot", f"{table} is not linked to a progressive, so it takes no jackpot wagers.")
    # It counts only when accepted, whole: unlike other stakes it is not cut to the limits once it lies there.
    faults = [
        fault
        for fault in (check_wagers(_partial(table, round)) if jackpots else ())
        if any(fault.field.startswith(f"wagers[{index}]") for index in jackpots)
    ]
    if faults:
        raise by_rule(tuple(faults))
    staked = _staked(table, round, [wager for wager in wagers if links.for_kind(wager.kind)])
    try:
        if staked:
            event_log.record_stakes(table.table_log, round.pk, staked, at)
        if carried:
            event_log.carry_stakes(table.table_log, round.pk, carried, at)
    except JackpotRefused as refused:
        raise Refused(refused.code, str(refused), status=409) from None


def _staked(table: Table, round: Round, wagers: list[Wager]) -> list[Wager]:
    """With the stake that counts: a part above the maximum goes back with the settlement and feeds nothing."""
    if not wagers:
        return []
    counts = stakes_that_count(_partial(table, round))
    return [replace(wager, stake=counts[wager.id]) for wager in wagers if counts[wager.id]]


def _refuse_first_wagers(round: Round, wagers: list[Any]) -> None:
    """After "no more bets" only wagers of a later stage are placed: the others were to be had before the cards."""
    game = round.config.game
    for index, given in enumerate(wagers):
        wager = wager_from_json(given, f"wagers[{index}]")
        kind = game.kinds.get(wager.kind)
        if kind is not None and kind.stage == game.stages[0]:
            raise Refused(
                "no_more_bets",
                f"wagers[{index}]: {wager.kind} is placed before no more bets, not after.",
                status=409,
            )


def _close(round: Round, at: datetime) -> None:
    round.closed_at, round.state = max(min(at, timezone.now()), round.locked_at or at), State.CLOSED
    round.save()


def _merge(round: Round, body: Mapping[str, Any]) -> None:
    dealt, moments = body.get("dealt", {}), body.get("moments", {})
    if not isinstance(dealt, dict) or not isinstance(moments, dict):
        raise Refused("form", "dealt and moments are objects.")
    for name, value in dealt.items():
        old = round.dealt.get(name)
        round.dealt[name] = {**old, **value} if isinstance(old, dict) and isinstance(value, dict) else value
    for seat, times in moments.items():
        if not isinstance(times, dict):
            raise Refused("form", f"moments.{seat}: an object of moment → time.")
        for moment, value in times.items():
            parse_time(value, f"moments.{seat}.{moment}")
        round.moments[seat] = {**round.moments.get(seat, {}), **times}


def _partial(table: Table, round: Round) -> Any:
    """The round as far as it has come, through the form checks of `rules`."""
    return _read(table, round, partial=True)


def _complete(table: Table, round: Round) -> None:
    """A round that cannot be settled is refused now, while the terminal can mend it."""
    whole = _read(table, round, partial=False)
    try:
        settle(whole)
    except RuleError as fault:
        raise by_rule((fault,)) from None
    except Exception:  # a fault of ours is for the settlement to park, not for the terminal to mend
        logger.exception("round_not_settled_at_the_door", round=str(round.pk))


def _read(table: Table, round: Round, *, partial: bool) -> Any:
    try:
        found = round_from_json(round.document(table.carried), partial=partial)
    except RuleError as fault:
        raise by_rule((fault,)) from None
    check_wagers_fit(found.wagers)
    return found


# ------------------------------------------------------------------------------------------------- turn and form


def _answer_again(known: TableEvent, incoming: Incoming) -> Answer:
    if known.sha256 != incoming.sha256:
        raise Refused(
            "number_taken",
            f"Event {incoming.number} was accepted at {known.received_at:%H:%M:%S} with other content; number it anew.",
            status=409,
        )
    return Answer(False, known.answer)


def _expect_turn(table: Table, incoming: Incoming) -> None:
    if incoming.number != table.last_event + 1:
        raise Refused(
            "out_of_turn",
            f"Event {incoming.number} came before {table.last_event + 1}: send what is missing first, in order.",
            status=409,
            retry=True,
        )


def _round(table: Table, incoming: Incoming, *states: Round.State) -> Round:
    round = table.rounds.filter(uid=incoming.round_uid).first()
    if round is None:
        raise Refused(
            "round_unknown", f"{table} has no round {incoming.round_uid}; open it first.", status=409
        )
    round.table = table
    if round.state not in states:
        wanted = " or ".join(state.value for state in states)
        raise Refused(
            "wrong_step",
            f"{incoming.kind} needs a round that is {wanted}; this one is {round.state}.",
            status=409,
        )
    return round


def _settle_past(table: Table) -> None:
    """A game that hands wagers on is checked against what the last round left: settle that first, here if need be."""
    if not table.config.game.in_order:
        return
    unsettled = table.rounds.filter(state__in=[State.CLOSED, State.PARKED])
    if unsettled.exists():
        settle_rounds(unsettled.filter(state=State.CLOSED))
        table.refresh_from_db(fields=["carried"])
    parked = unsettled.first()
    if parked is not None:
        raise Refused(
            "past_unsettled",
            f"Round {parked.number} of {table} is {parked.state}, and this game hands wagers on to the next round: "
            "a supervisor must look at it."
            if parked.state == State.PARKED
            else f"Round {parked.number} of {table} is just being settled: send this again.",
            status=409,
            retry=True,
        )


def _list(body: Mapping[str, Any], name: str) -> list[Any]:
    value = body.get(name, [])
    if not isinstance(value, list):
        raise Refused("form", f"{name}: expected a list.")
    return value
