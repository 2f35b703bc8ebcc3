"""Taking a terminal's numbered events in: each one is a short transaction under the table's lock, safe to send again.

Two ways lead to a closed round: step by step (open, wagers, no-more-bets, cards, decision, result) or whole, as one
`round` event; several events may come in one request after an outage. Each step reads the round once. The rules settle
it here, once, when it closes, so that the next round knows what it inherits; a worker books what they said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import structlog
from django.db import IntegrityError, transaction
from django.utils import timezone

from config.gaming_day import gaming_day
from config.refusals import Refused, by_rule
from config.wake_ups import ring
from jackpots import event_log
from jackpots.links import links_of
from rules import RuleError, check_decision, check_wagers, round_from_json, stakes_that_count
from rules.codec import decision_from_json, wager_from_json
from rules.contract import Round as Played
from rules.contract import Wager
from tables import prepared
from tables.messages import Incoming, check_clock, check_wagers_fit, parse, parse_time
from tables.models import Round, Table, TableEvent

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
        table.save(update_fields=["last_event", "last_round", "last_heartbeat_at", "carried"])
        if table.table_log.is_open:
            event_log.step(table.table_log, incoming.at)
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
            table_log = event_log.beat(table.table_log, at)
            lease = table_log.lease_until
            answer["lease_until"] = lease.isoformat() if lease else None
            from jackpots.tasks import fold_progressive

            for progressive_id in table_log.links.values_list("progressive_id", flat=True):
                ring(fold_progressive, progressive_id)
    return answer


# ---------------------------------------------------------------------------------------------------- the steps


def _open(table: Table, incoming: Incoming) -> Round:
    round = _new_round(table, incoming)
    round.save(force_insert=True)
    return round


def _new_round(table: Table, incoming: Incoming) -> Round:
    """The table's next round, with what the last one left on the layout; not stored yet."""
    if not table.is_open:
        raise Refused("table_closed", f"{table} is closed: a supervisor must open it first.", status=409)
    under_way = table.rounds.filter(state__in=[State.OPEN, State.LOCKED]).first()
    if under_way is not None:
        raise Refused("round_under_way", f"Round {under_way.uid} of {table} is not closed yet.", status=409)
    _refuse_past_unknown(table)
    if Round.objects.filter(uid=incoming.round_uid).exists():
        raise _round_known(incoming)
    table.last_round += 1
    return Round(
        uid=incoming.round_uid,
        table=table,
        number=table.last_round,
        config=table.config,
        opened_at=incoming.at,
        carried_in=table.carried,
    )


def _round_known(incoming: Incoming) -> Refused:
    return Refused("round_known", f"Round {incoming.round_uid} exists already; make a new id.", status=409)


def _refuse_past_unknown(table: Table) -> None:
    """Where a fault of ours left a round without its settlement, nobody knows what the next one inherits."""
    if not table.config.game.in_order:
        return
    round = table.rounds.filter(prepared.UNANSWERED).first()
    if round is None:
        return
    raise Refused(
        "past_unsettled",
        f"Round {round.number} of {table} is {round.state}, and this game hands wagers on to the next round: "
        "a supervisor must look at it."
        if round.state == State.PARKED
        else f"Round {round.number} of {table} is just being settled: send this again.",
        status=409,
        retry=True,
    )


def _wagers(table: Table, incoming: Incoming) -> Round:
    """First wagers while the round is open; later stages only with their decision."""
    round = _round(table, incoming, State.OPEN)
    round.wagers = [*round.wagers, *_list(incoming.body, "wagers")]
    faults = check_wagers(_read(round, partial=True))
    if faults:
        raise by_rule(faults)
    round.save(update_fields=["wagers"])
    return round


def _no_more_bets(table: Table, incoming: Incoming) -> Round:
    round = _round(table, incoming, State.OPEN)
    so_far = _read(round, partial=True)
    _lock(table, round, incoming.at)
    round.save(update_fields=["state", "locked_at", "gaming_day"])
    _record_jackpot_stakes(table, round, so_far, incoming.at)
    return round


def _cards(table: Table, incoming: Incoming) -> Round:
    """Cards, dice or a number as far as they are known, and the moments at which seats got theirs."""
    round = _round(table, incoming, State.LOCKED)
    _merge(round, incoming.body)
    _read(round, partial=True)
    round.save(update_fields=["dealt", "moments"])
    return round


def _decision(table: Table, incoming: Incoming) -> Round:
    """A choice, with the wager that it costs, checked before it counts."""
    round = _round(table, incoming, State.LOCKED)
    so_far = _read(round, partial=True)
    given = incoming.body.get("decision")
    wager: Wager | None = None
    if "wager" in incoming.body:
        wager = wager_from_json(incoming.body["wager"])
        _refuse_first_wagers(so_far, [wager])
        check_wagers_fit([wager])
    fault = check_decision(so_far, decision_from_json(so_far.game, given), wager)
    if fault is not None:
        raise by_rule((fault,))
    round.decisions = [*round.decisions, given]
    if wager is not None:
        round.wagers = [*round.wagers, incoming.body["wager"]]
    round.save(update_fields=["decisions", "wagers"])
    return round


def _result(table: Table, incoming: Incoming) -> Round:
    """All that was still missing; the round is complete and waits to be booked."""
    round = _round(table, incoming, State.LOCKED, State.OPEN)
    first_wagers, was_open = len(round.wagers), round.state == State.OPEN
    round.wagers = [*round.wagers, *_list(incoming.body, "wagers")]
    _merge(round, incoming.body)
    round.decisions = [*round.decisions, *_list(incoming.body, "decisions")]
    round.irregularities = [*round.irregularities, *_list(incoming.body, "irregularities")]
    whole = _read(round)
    if was_open:
        _lock(table, round, incoming.at)
    else:
        _refuse_first_wagers(whole, whole.wagers[first_wagers:])
    _close(table, round, whole, incoming.at)
    round.save()
    if was_open:
        _record_jackpot_stakes(table, round, whole, incoming.at)
    return round


def _whole(table: Table, incoming: Incoming) -> Round:
    """A round in one document, as it is sent after an outage or by tables that report at the end."""
    round = _new_round(table, incoming)
    body = incoming.body
    locked_at = incoming.at
    if "locked_at" in body:
        locked_at = parse_time(body["locked_at"], "body.locked_at")
        check_clock(locked_at, timezone.now(), "body.locked_at")
    locked_at = min(locked_at, incoming.at)
    round.wagers = _list(body, "wagers")
    round.decisions, round.irregularities = _list(body, "decisions"), _list(body, "irregularities")
    _merge(round, body)
    whole = _read(round)
    _lock(table, round, locked_at)
    _close(table, round, whole, incoming.at)
    round.save(force_insert=True)
    _record_jackpot_stakes(table, round, whole, locked_at)
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


def _lock(table: Table, round: Round, at: datetime) -> None:
    """ "No more bets": wagers are fixed, the round has its gaming day."""
    round.locked_at = min(at, timezone.now())
    round.gaming_day = gaming_day(table.premises, round.locked_at)
    round.state = State.LOCKED


def _close(table: Table, round: Round, whole: Played, at: datetime) -> None:
    """The rules settle the round. One that they refuse is refused now, while the terminal can mend it; a fault of ours
    is for the worker to meet again and to park, not for the terminal to mend."""
    round.closed_at, round.state = max(min(at, timezone.now()), round.locked_at or at), State.CLOSED
    try:
        prepared.prepare(round, whole)
    except RuleError as fault:
        raise by_rule((fault,)) from None
    except Exception:
        logger.exception("round_not_settled_at_the_door", round=str(round.uid))


def _record_jackpot_stakes(table: Table, round: Round, played: Played, at: datetime) -> None:
    """Every wager that feeds or wins a progressive: jackpot wagers, and where a book says so a share of others."""
    kinds, links = played.game.kinds, links_of(table.table_log)
    jackpots = [i for i, wager in enumerate(played.wagers) if _is_jackpot(played, wager)]
    carried = [standing.wager for standing in played.carried.wagers if kinds[standing.wager.kind].jackpot]
    unlinked = [w for w in (*(played.wagers[i] for i in jackpots), *carried) if not links.for_kind(w.kind)]
    if unlinked:
        raise Refused("no_jackpot", f"{table} is not linked to a progressive, so it takes no jackpot wagers.")
    # It counts only when accepted, whole: unlike other stakes it is not cut to the limits once it lies there.
    faults = [
        fault
        for fault in (check_wagers(played) if jackpots else ())
        if any(fault.field.startswith(f"wagers[{index}]") for index in jackpots)
    ]
    if faults:
        raise by_rule(tuple(faults))
    staked = _staked(played, [wager for wager in played.wagers if links.for_kind(wager.kind)])
    if staked:
        event_log.record_stakes(table.table_log, round.pk, staked, at, links)
    if carried:
        event_log.carry_stakes(table.table_log, round.pk, carried, at, links)


def _is_jackpot(played: Played, wager: Wager) -> bool:
    kind = played.game.kinds.get(wager.kind)
    return kind is not None and kind.jackpot


def _staked(played: Played, wagers: list[Wager]) -> list[Wager]:
    """With the stake that counts: a part above the maximum goes back with the settlement and feeds nothing."""
    if not wagers:
        return []
    counts = stakes_that_count(played)
    return [replace(wager, stake=counts[wager.id]) for wager in wagers if counts[wager.id]]


def _refuse_first_wagers(played: Played, wagers: Iterable[Wager]) -> None:
    """After "no more bets" only wagers of a later stage are placed: the others were to be had before the cards."""
    game = played.game
    for index, wager in enumerate(wagers):
        kind = game.kinds.get(wager.kind)
        if kind is not None and kind.stage == game.stages[0]:
            raise Refused(
                "no_more_bets",
                f"wagers[{index}]: {wager.kind} is placed before no more bets, not after.",
                status=409,
            )


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


def _read(round: Round, *, partial: bool = False) -> Played:
    """The round as far as it has come, through the form checks of `rules`: once a step."""
    try:
        found = round_from_json(round.document(), partial=partial)
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
    round = table.rounds.select_related("config").filter(uid=incoming.round_uid).first()
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


def _list(body: Mapping[str, Any], name: str) -> list[Any]:
    value = body.get(name, [])
    if not isinstance(value, list):
        raise Refused("form", f"{name}: expected a list.")
    return value
