"""The steps of a terminal's numbered events, each under the table's lock and safe to send again.

Two ways lead to a closed round: step by step (open, wagers, no-more-bets, mark, cards, decision, decided, result) or
whole, as one `round` event. Each step reads the round once. The rules settle it here, once, when it closes, so that the
next round knows what it inherits and jackpot hands are in the log; a worker books what they said.
`tables.door.requests` is the door: times, several events in one request, the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import structlog

from config.kit.fastsql.statements import fresh
from config.kit.gaming_day import gaming_day
from config.kit.moments import told as when
from config.kit.refusals import Refused, by_rule, wrong
from jackpots.log import event_log
from people.audit import audit
from rules import RuleError, Settlement, check_decision, check_repeats, check_wagers, round_from_json
from rules.codec import decision_from_json, spelled, wager_from_json
from rules.contract import Round as Played
from rules.contract import Wager
from rules.progressive.places import Told
from tables.door import chain, ended_rounds, jackpot_rounds, marks
from tables.door.desk import Desk
from tables.door.jackpot_rounds import Accepted
from tables.door.messages import Incoming, check_clock, check_wagers_fit, merge_dealt, parse_time
from tables.floor import changes
from tables.models import MessageText, Round, Table, TableConfig, TableEvent
from tables.settle import prepared

logger = structlog.get_logger(__name__)
State = Round.State


@dataclass(frozen=True, slots=True)
class Answer:
    """What the terminal is told: `new` is False when it had sent the same before."""

    new: bool
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Done:
    """What a step has done: to which round, and what it says beside its state."""

    round: Round | None
    says: Mapping[str, Any] = field(default_factory=dict)


def take(desk: Desk, incoming: Incoming) -> Answer:
    """Accepts one event. Same number, same content: the first answer again. Anything else out of turn is refused."""
    table = desk.table
    if incoming.number <= table.last_event:
        known = TableEvent.objects.filter(table=table, session=table.session, number=incoming.number).first()
        known = known or next(
            (event for event in desk.writes.events if event.number == incoming.number), None
        )
        if known is not None:
            return _answer_again(table, known, incoming)
    _expect_turn(table, incoming)
    desk.begin()
    try:
        done = _STEPS[incoming.kind](desk, incoming)
    except Refused:
        desk.take_back()
        raise
    round = done.round
    answer: dict[str, Any] = {"number": incoming.number}
    if round is not None:
        answer |= {"round": str(round.uid), "state": str(round.state), "round_number": round.number}
        desk.under_way = round if round.state in (State.OPEN, State.LOCKED) else None
        desk.known_uids.add(round.uid)
        if round.state == State.CLOSED and round.settlement is None:
            desk.unanswered = round
    answer |= done.says
    head = bytes.fromhex(chain.link(chain.head_of(table).sha256, table.session, incoming.sha256, answer))
    key = desk.told_ids.pop()
    desk.step.events.append(
        fresh(
            TableEvent,
            id=key,
            table=table,
            session=table.session,
            number=incoming.number,
            kind=incoming.kind,
            round=round,
            terminal_at=incoming.at,
            clock=incoming.clock,
            received_at=desk.received,
            sha256=incoming.sha256,
            answer=answer,
            head=head,
        )
    )
    desk.step.texts.append(fresh(MessageText, event_id=key, text=incoming.text))
    table.last_event, table.head = incoming.number, head
    desk.taken()
    return Answer(True, answer)


PLAYED = (
    "state", "locked_at", "closed_at", "gaming_day", "wagers", "dealt", "decisions", "irregularities", "lock",
    "moments", "result_told", "jackpots_count", "not_accepted", "carried_in", "settlement", "result", "rules_version",
    "error",
)  # fmt: skip
"""What the end of a round changes of its row."""


# ---------------------------------------------------------------------------------------------------- the steps


def _open(desk: Desk, incoming: Incoming) -> Done:
    round = _new_round(desk, incoming)
    desk.step.keep(round)
    return Done(round)


def _new_round(desk: Desk, incoming: Incoming) -> Round:
    """The table's next round, with what the last one left on the layout; not stored yet."""
    table = desk.table
    if not table.is_open:
        raise Refused("table_closed", f"{table} is closed: a supervisor must open it first.", status=409)
    _refuse_under_way(desk)
    _refuse_past_unknown(desk)
    if incoming.round_uid in desk.known_uids:
        raise round_known(incoming)
    told = desk.told(incoming.at, incoming.clock, incoming.number)
    if told.bounds is None:
        check_clock(incoming.at, desk.received, "at")
    opened_at = desk.corrected(told)
    if table.closing_at is not None and opened_at >= table.closing_at:
        text = f"{table} closes at {when(table.closing_at, table.premises)}, as its limits sign says: no further round."
        raise Refused("table_closing", text, status=409)
    config = table.config if table.rules_from is None else _rules_of(desk, incoming, opened_at)
    table.last_round += 1
    return fresh(
        Round,
        id=desk.round_ids.pop(),
        uid=incoming.round_uid,
        table=table,
        number=table.last_round,
        config=config,
        opened_at=opened_at,
        carried_in=table.carried,
    )


def _rules_of(desk: Desk, incoming: Incoming, opened_at: datetime) -> TableConfig:
    """Where a table's rules have changed: those of the moment in which the round began, or of what it inherits."""
    table, began = desk.table, opened_at
    if "locked_at" in incoming.body:
        locked_at = parse_time(incoming.body["locked_at"], "body.locked_at")
        began = min(began, desk.corrected(desk.told(locked_at, incoming.clock, incoming.number)))
    last: Round | None = None
    if table.carried.get("wagers"):
        here = (each for each, _ in desk.writes.rounds.values() if each.number == table.last_round)
        last = next(here, None) or table.rounds.filter(number=table.last_round).first()
    return changes.rules_for(table, began, last)


def _refuse_under_way(desk: Desk) -> None:
    if desk.under_way is not None:
        raise Refused(
            "round_under_way", f"Round {desk.under_way.uid} of {desk.table} is not closed yet.", status=409
        )


def round_known(incoming: Incoming) -> Refused:
    return Refused("round_known", f"Round {incoming.round_uid} exists already; make a new id.", status=409)


def _refuse_past_unknown(desk: Desk) -> None:
    """Where a fault of ours left a round without its settlement, nobody knows what the next one inherits."""
    table = desk.table
    if not table.config.game.in_order:
        return
    round = desk.unanswered
    if round is None and not desk.past_known:
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


def _wagers(desk: Desk, incoming: Incoming) -> Done:
    """First wagers while the round is open; later stages only with their decision."""
    round = _round(desk, incoming, State.OPEN)
    round.wagers = [*round.wagers, *_list(incoming.body, "wagers")]
    so_far = _read(round, partial=True)
    round.wagers = spelled(so_far.wagers)
    faults = check_wagers(so_far)
    if faults:
        raise by_rule(faults)
    desk.step.keep(round, "wagers")
    told = desk.told(incoming.at, incoming.clock, incoming.number)
    accepted = jackpot_rounds.accept(desk, told, desk.lock(told, incoming.clock))
    return Done(round, _lamps(round, so_far, accepted))


def _lamps(round: Round, played: Played, accepted: Accepted) -> dict[str, Any]:
    """Which jackpot wagers count, by seat; nothing where there are none."""
    lamps = jackpot_rounds.lamps(round, played, accepted)
    return {"jackpots": lamps} if lamps else {}


def _no_more_bets(desk: Desk, incoming: Incoming) -> Done:
    round = _round(desk, incoming, State.OPEN)
    locked = _lock(desk, round, incoming.at, incoming, _read(round, partial=True))
    desk.step.keep(
        round, "state", "lock", "locked_at", "gaming_day", "wagers", "not_accepted", "jackpots_count"
    )
    jackpot_rounds.record_stakes(desk, round, locked.played, locked.told)
    return Done(round, locked.says)


def _mark(desk: Desk, incoming: Incoming) -> Done:
    """A moment that gives jackpot hands their place, told when it happens."""
    round = _round(desk, incoming, State.LOCKED)
    marks.mark(desk, round, incoming)
    desk.step.keep(round, "moments")
    return Done(round)


def _cards(desk: Desk, incoming: Incoming) -> Done:
    """Cards, dice or a number as far as they are known, and the moments at which seats got theirs."""
    round = _round(desk, incoming, State.LOCKED)
    moments = _merge(round, incoming.body)
    marks.tell(desk, round, incoming, moments)
    _read(round, partial=True)
    desk.step.keep(round, "dealt", "moments")
    return Done(round)


def _decision(desk: Desk, incoming: Incoming) -> Done:
    """A choice, with the wager that it costs, checked before it counts."""
    round = _round(desk, incoming, State.LOCKED)
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
        round.wagers = [*round.wagers, *spelled([wager])]
    desk.step.keep(round, "decisions", "wagers")
    return Done(round)


def _decided(desk: Desk, incoming: Incoming) -> Done:
    """Seats that have no jackpot hand, whatever else the round brings: nobody waits for them any more."""
    round = _round(desk, incoming, State.LOCKED)
    seats = incoming.body.get("seats")
    if not isinstance(seats, list) or not seats or not all(marks.is_seat(seat) for seat in seats):
        raise wrong("seats", "seats: a list of seats that have no jackpot hand.")
    desk.flush_log()
    event_log.decide_seats(desk.log, round.pk, seats)
    desk.look_at_log()
    return Done(round)


def _result(desk: Desk, incoming: Incoming) -> Done:
    """All that was still missing; the round is complete and waits to be booked."""
    round = _round(desk, incoming, State.LOCKED, State.OPEN)
    first_wagers, was_open = len(round.wagers), round.state == State.OPEN
    round.wagers = [*round.wagers, *_list(incoming.body, "wagers")]
    moments = _merge(round, incoming.body)
    round.decisions = [*round.decisions, *_list(incoming.body, "decisions")]
    round.irregularities = [*round.irregularities, *_list(incoming.body, "irregularities")]
    whole = _read(round)
    round.wagers = spelled(whole.wagers)
    if was_open:
        return _all_at_once(desk, round, whole, incoming, moments)
    _refuse_first_wagers(whole, whole.wagers[first_wagers:])
    marks.tell(desk, round, incoming, moments)
    answer = _close(desk, round, whole, incoming)
    desk.step.keep(round, *PLAYED)
    jackpot_rounds.decide_at_door(desk, round, answer)
    return Done(round)


def _whole(desk: Desk, incoming: Incoming) -> Done:
    """A round in one document, as it is sent after an outage or by tables that report at the end."""
    round = _new_round(desk, incoming)
    body = incoming.body
    round.wagers = _list(body, "wagers")
    round.decisions, round.irregularities = _list(body, "decisions"), _list(body, "irregularities")
    moments = _merge(round, body)
    whole = _read(round)
    round.wagers = spelled(whole.wagers)
    return _all_at_once(desk, round, whole, incoming, moments)


def _all_at_once(desk: Desk, round: Round, whole: Played, incoming: Incoming, moments: marks.Moments) -> Done:
    """No more bets and the result together."""
    locked_at = incoming.at
    if "locked_at" in incoming.body:
        locked_at = min(parse_time(incoming.body["locked_at"], "body.locked_at"), incoming.at)
    elif jackpot_rounds.takes_part(desk, whole):
        raise wrong(
            "body.locked_at", "body.locked_at: say when no more bets was called: it is a jackpot's round."
        )
    locked = _lock(desk, round, locked_at, incoming, whole)
    marks.tell(desk, round, incoming, moments)
    answer = _close(desk, round, locked.played, incoming)
    desk.step.keep(round, *PLAYED)
    jackpot_rounds.record_stakes(desk, round, locked.played, locked.told)
    jackpot_rounds.decide_at_door(desk, round, answer)
    return Done(round, locked.says)


def _goodbye(desk: Desk, incoming: Incoming) -> Done:
    """The terminal has told everything and takes no more wagers: the table is closed and holds nobody up."""
    _refuse_under_way(desk)
    desk.table.is_open = False
    if desk.log.is_open:
        desk.flush_log()
        desk.use_log(event_log.close_log(desk.log))
    audit.record("terminal", "tables.goodbye", premises=desk.table.premises, subject=desk.table)
    return Done(None)


_STEPS: dict[str, Callable[[Desk, Incoming], Done]] = {
    "open": _open,
    "wagers": _wagers,
    "no-more-bets": _no_more_bets,
    "mark": _mark,
    "cards": _cards,
    "decision": _decision,
    "decided": _decided,
    "result": _result,
    "round": _whole,
    "goodbye": _goodbye,
}
KINDS = tuple(_STEPS)
OPENING = ("open", "round")
"""Those that begin a round."""
STAKING = ("no-more-bets", "result", "round")
"""Those that may bring its jackpot wagers."""


@dataclass(frozen=True, slots=True)
class Locked:
    """ "No more bets" as it was told, and the round with the wagers that count."""

    told: Told
    played: Played
    says: dict[str, Any]


def _lock(desk: Desk, round: Round, at: datetime, incoming: Incoming, played: Played) -> Locked:
    """ "No more bets": wagers are fixed, the round has its gaming day; jackpot wagers that do not count go back."""
    told = desk.told(at, incoming.clock, incoming.number)
    if told.bounds is None:
        check_clock(at, desk.received, "locked_at")
    lock = desk.lock(told, incoming.clock)
    marks.keep_lock(round, lock)
    round.locked_at = lock.place
    round.gaming_day = gaming_day(desk.table.premises, lock.place)
    round.state = State.LOCKED
    jackpot_rounds.refuse_unlinked(desk, played)
    if not jackpot_rounds.takes_part(desk, played):
        return Locked(told, played, {})
    accepted = jackpot_rounds.accept(desk, told, lock)
    round.jackpots_count = accepted.counts
    if jackpot_rounds.give_back(round, played, accepted):
        played = _read(round, partial=incoming.kind == "no-more-bets")
    return Locked(told, played, _lamps(round, played, accepted))


def _close(desk: Desk, round: Round, whole: Played, incoming: Incoming) -> Settlement | None:
    """The rules settle the round. One that they refuse is refused now, while the terminal can mend it; a fault of ours
    is for the worker to meet again and to park, not for the terminal to mend."""
    repeats = check_repeats(whole)
    if repeats:
        raise by_rule(repeats)
    told = desk.told(incoming.at, incoming.clock, incoming.number)
    result = desk.moment(told, incoming.clock, marks.lock_of(round))
    round.result_told, round.closed_at, round.state = result.as_json(), result.place, State.CLOSED
    try:
        return prepared.prepare(round, whole)
    except RuleError as fault:
        raise by_rule((fault,)) from None
    except Exception:
        logger.exception("round_not_settled_at_the_door", round=str(round.uid))
        return None


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


def _merge(round: Round, body: Mapping[str, Any]) -> marks.Moments:
    """What was dealt; gives the times beside it, whose form is checked before anybody asks what the cards mean."""
    moments = marks.told_moments(body)
    if "locked_at" in body:
        parse_time(body["locked_at"], "body.locked_at")
    dealt = body.get("dealt", {})
    if not isinstance(dealt, dict):
        raise wrong("dealt", "dealt: expected an object.")
    merge_dealt(round.dealt, dealt)
    return moments


def _read(round: Round, *, partial: bool = False) -> Played:
    """The round as far as it has come, through the form checks of `rules`: once a step."""
    try:
        found = round_from_json(round.document(), partial=partial)
    except RuleError as fault:
        raise by_rule((fault,)) from None
    check_wagers_fit(found.wagers)
    _refuse_seats(round.table, found.wagers)
    return found


def _refuse_seats(table: Table, wagers: Iterable[Wager]) -> None:
    if table.seats is not None and any(wager.seat > table.seats for wager in wagers):
        raise Refused("no_such_seat", f"{table} has {table.seats} seats in use, as it is set up.")


# ------------------------------------------------------------------------------------------------- turn and form


def _answer_again(table: Table, known: TableEvent, incoming: Incoming) -> Answer:
    if known.sha256 != incoming.sha256:
        ended_rounds.refuse_ended(table, incoming.round_uid)
        at = when(known.received_at, table.premises)
        raise Refused(
            "number_taken",
            f"Event {incoming.number} was accepted at {at} with other content; number it anew.",
            status=409,
        )
    return Answer(False, known.answer)


def _expect_turn(table: Table, incoming: Incoming) -> None:
    if incoming.number != table.last_event + 1:
        ended_rounds.refuse_ended(table, incoming.round_uid)
        raise Refused(
            "out_of_turn",
            f"Event {incoming.number} came before {table.last_event + 1}: send what is missing first, in order.",
            status=409,
            retry=True,
        )


def _round(desk: Desk, incoming: Incoming, *states: Round.State) -> Round:
    table, uid = desk.table, incoming.round_uid
    if desk.under_way is not None and desk.under_way.uid == uid:
        round = _in_hand(desk.under_way)
    else:
        found = desk.writes.find(uid) or table.rounds.filter(uid=uid).first()
        if found is None:
            raise Refused("round_unknown", f"{table} has no round {uid}; open it first.", status=409)
        round = found
    if round.state not in states:
        ended_rounds.refuse_ended(table, uid)
        wanted = " or ".join(state.value for state in states)
        raise Refused(
            "wrong_step",
            f"{incoming.kind} needs a round that is {wanted}; this one is {round.state}.",
            status=409,
        )
    return round


def _in_hand(round: Round) -> Round:
    """A copy for one step, which may be refused: what it changes in place is copied too."""
    mine = copy(round)
    mine._state = round._state  # stored or not: both are
    mine.dealt = dict(round.dealt)
    mine.moments = {seat: dict(moments) for seat, moments in round.moments.items()}
    return mine


def _list(body: Mapping[str, Any], name: str) -> list[Any]:
    value = body.get(name, [])
    if not isinstance(value, list):
        raise wrong(name, f"{name}: expected a list.")
    return value
