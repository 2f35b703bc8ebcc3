"""A round's jackpot wagers: which count when it locks, and what its settlement decides of them.

All of it happens at the terminal's door, in the transaction of the step, so that nothing depends on how soon a worker
comes by; only what a fault of ours kept from being decided there is left to the worker.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import structlog
from django.db import OperationalError, transaction

from config.kit.fastsql.statements import rows_of
from config.kit.refusals import Refused, by_rule
from jackpots.log import event_log
from jackpots.log.hits import ToldHits
from jackpots.order import clocks
from jackpots.order.instants import Stamp
from jackpots.order.links import Links, links_of
from rules import Settlement, check_limits, stakes_that_count
from rules.codec import wager_to_json
from rules.contract import Line, Outcome, Wager
from rules.contract import Round as Played
from rules.progressive import ContributionSource
from rules.progressive.places import Told
from tables.door import marks
from tables.door.desk import Desk
from tables.models import Round
from tables.settle.lines import settlement_from
from tables.settle.waiting import Waiting

logger = structlog.get_logger(__name__)
ACCEPTANCE = {"nz-1996": "nz-1996 VIII 4.3, 11.4"}
"""Where a rulebook says that a jackpot wager counts only once it is accepted."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """Whether the jackpot wagers of a round count, and why not."""

    counts: bool
    why: str = ""
    out: Mapping[str, str] = field(default_factory=dict)
    """Kinds of which none does, each with why: a progressive that they feed is suspended at the table."""

    def why_not(self, kind: str) -> str:
        """Empty: a wager of this kind counts."""
        return self.out.get(kind, "") if self.counts else self.why


def accept(desk: Desk, told: Told, lock: Stamp) -> Accepted:
    """Wagers whose lock lies in the lease count, whenever that is told. A jackpot wager is offered only while all that
    it feeds is open; a share of an ordinary wager is only not taken."""
    if desk.in_lease(told):
        return Accepted(True, out=_suspended(desk, lock))
    if not desk.log.is_open:
        return Accepted(False, f"{desk.table} is not open to jackpots")
    return Accepted(False, "no more bets was called outside of the terminal's lease")


def _suspended(desk: Desk, lock: Stamp) -> dict[str, str]:
    """By kind why none of it counts. Of progressives that have ended a kind is out only where it feeds no other."""
    found: dict[str, str] = {}
    fed = {kind for link in desk.links.links if not link.is_over(lock) for kind in link.kinds}
    for link in desk.links.suspended(lock):
        if link.progressive.config.rules.source is ContributionSource.JACKPOT_WAGER:
            if link.is_over(lock):
                text = (
                    f"{link.progressive} has ended, as announced: {desk.table} takes no wagers on it any more"
                )
                found |= dict.fromkeys((kind for kind in link.kinds if kind not in fed), text)
            else:
                text = f"{link.progressive} is suspended at {desk.table}"
                found |= dict.fromkeys(link.kinds, text)
    return found


def refuse_unlinked(desk: Desk, played: Played) -> None:
    kinds = played.game.kinds
    carried = [standing.wager for standing in played.carried.wagers if kinds[standing.wager.kind].jackpot]
    asked = {wager.kind for wager in (*_jackpots(played), *carried)}
    if any(not desk.links.for_kind(kind) for kind in asked):
        raise Refused(
            "no_jackpot", f"{desk.table} is not linked to a progressive, so it takes no jackpot wagers."
        )


def takes_part(desk: Desk, played: Played) -> bool:
    """Does anything in this round feed a progressive or win from one?"""
    carried = (standing.wager for standing in played.carried.wagers)
    return any(desk.links.for_kind(kind) for kind in {wager.kind for wager in (*played.wagers, *carried)})


def _jackpots(played: Played) -> list[Wager]:
    """The wagers of this round that are wagers of their own on a jackpot."""
    kinds = {name for name, kind in played.game.kinds.items() if kind.jackpot}
    return [wager for wager in played.wagers if wager.kind in kinds] if kinds else []


def give_back(round: Round, played: Played, accepted: Accepted) -> bool:
    """Takes jackpot wagers that do not count out of the round: they go back to their players, with the rule. True where
    there were any, so that the round is to be read again."""
    rule = ACCEPTANCE.get(played.game.rulebook, "")
    back = {wager.id: why for wager in _jackpots(played) if (why := accepted.why_not(wager.kind))}
    if not back:
        round.not_accepted = []
        return False
    round.not_accepted = [
        {"wager": wager_to_json(wager), "why": back[wager.id], "rule": rule}
        for wager in played.wagers
        if wager.id in back
    ]
    round.wagers = [wager for wager in round.wagers if wager.get("id") not in back]
    return True


def lamps(round: Round, played: Played, accepted: Accepted) -> list[dict[str, Any]]:
    """By seat, for the coin indicator lights: which jackpot wager counts (nz-1996 VIII 4.3)."""
    lit = [
        {"seat": wager.seat, "wager": wager.id, "counts": not why}
        | ({"why": why} if accepted.out and why else {})
        for wager in _jackpots(played)
        for why in (accepted.why_not(wager.kind),)
    ]
    out = [
        {
            "seat": given["wager"].get("seat", 0),
            "wager": given["wager"]["id"],
            "counts": False,
            "why": given["why"],
            "rule": given["rule"],
        }
        for given in round.not_accepted
    ]
    return lit + out


def record_stakes(desk: Desk, round: Round, played: Played, told: Told) -> None:
    """Every wager that feeds or wins a progressive: jackpot wagers, and where a rulebook says so a share of others.
    Outside of the lease only those that an earlier round left standing: they contributed then."""
    if round.jackpots_count:
        _record_own(desk, round, played, told)
    kinds = played.game.kinds
    carried = [standing.wager for standing in played.carried.wagers if kinds[standing.wager.kind].jackpot]
    if carried:
        unawaited = desk.unawaited(told) if desk.log.is_open else _all_of(desk.links)
        desk.flush_log()
        event_log.carry_stakes(
            desk.log, round.pk, carried, marks.lock_of(round), desk.links, unawaited=unawaited
        )
        desk.look_at_log()


def _all_of(links: Links) -> set[int]:
    """The table is closed to jackpots: none of its progressives waits for it."""
    return {link.progressive_id for link in links.links}


def _record_own(desk: Desk, round: Round, played: Played, told: Told) -> None:
    """The wagers that were placed in this round."""
    links, lock = desk.links, marks.lock_of(round)
    # It counts only when accepted, whole: unlike other stakes it is not cut to the limits once it lies there.
    # Their form is known to be right: from the step that took them, or from the settlement of the whole round.
    over = check_limits(played)
    if over:
        own = [f"wagers[{played.wagers.index(wager)}]" for wager in _jackpots(played)]
        faults = tuple(fault for fault in over if fault.field.startswith(tuple(own)))
        if faults:
            raise by_rule(faults)
    active = links.at(lock)
    entered = [wager for wager in played.wagers if active.for_kind(wager.kind)]
    if over:
        entered = staked(played, entered)
    if entered:
        desk.step.stakes.append(
            event_log.draft_stakes(
                desk.log,
                round.pk,
                desk.event_ids.pop(),
                entered,
                lock,
                active,
                unawaited=desk.unawaited(told),
            )
        )


def staked(played: Played, wagers: list[Wager]) -> list[Wager]:
    """With the stake that counts: a part above the maximum goes back with the settlement and feeds nothing."""
    counts = stakes_that_count(played)
    return [replace(wager, stake=counts[wager.id]) for wager in wagers if counts[wager.id]]


# ------------------------------------------------------------------------------------------------ the result


def decide_at_door(desk: Desk, round: Round, answer: Settlement | None) -> None:
    """What the rules said of the round's jackpot wagers. A fault of ours is the worker's to meet again and to park."""
    if answer is None or not round.takes_part:
        return
    if not answer.hits and not _returned(round, answer, desk.links):
        desk.step.decided.add(round.pk)
        return
    if _draft_hits(desk, round, answer):
        return
    desk.flush_log()
    try:
        with transaction.atomic():
            decide(round, answer, desk.links)
    except OperationalError:
        raise
    except Exception:
        logger.exception("jackpots_not_decided_at_the_door", round=str(round.uid))
    desk.look_at_log()


def _draft_hits(desk: Desk, round: Round, answer: Settlement) -> bool:
    """Of a round that came whole, so that its stakes are not stored yet: its hits are stored together with them. False:
    they have to be decided by what is stored."""
    stakes = [draft for draft in desk.step.stakes if draft.round_id == round.pk]
    links, lock = desk.links, marks.lock_of(round)
    if len(stakes) != 1 or _returned(round, answer, links) or links.at(lock) is not links:
        return False
    told = ToldHits(
        desk.log,
        round.pk,
        tuple(answer.hits),
        marks.stamps_of(round),
        marks.result_of(round),
        marks.device_of(round),
        tuple(_entered(round, answer, links)),
        desk.timing,
        links,
    )
    try:
        with transaction.atomic():
            drafted = event_log.draft_hits(stakes[0], told)
    except OperationalError:
        raise
    except Exception:
        logger.exception("jackpots_not_decided_at_the_door", round=str(round.uid))
        return True  # it waits to be decided by the worker
    if drafted is None:
        return False
    desk.step.stakes.append(drafted)
    desk.step.decided.add(round.pk)
    return True


_LEFT_OVER = """
    SELECT ARRAY(SELECT DISTINCT u.round_id FROM jackpots_undecidedround u WHERE u.round_id = ANY(a.rounds)),
        ARRAY(SELECT h FROM unnest(a.hits) h
            WHERE NOT EXISTS (SELECT FROM jackpots_event e WHERE e.round_id = h AND e.kind = 'hits')
                AND NOT EXISTS (SELECT FROM jackpots_heldhand d WHERE d.round_id = h)),
        ARRAY(SELECT DISTINCT k.progressive_id FROM jackpots_link k WHERE k.table_log_id = ANY(a.logs))
    FROM (SELECT %s::bigint[] AS rounds, %s::bigint[] AS hits, %s::bigint[] AS logs) a
"""
"""Of rounds those that wait to be decided; of those with hits the ones that neither the log has nor people hold; and
the progressives of their tables."""


def decide_left_over(done: Iterable[tuple[Round, Waiting]]) -> set[int]:
    """By the worker: rounds that the door could not decide. Gives back the progressives of all of them."""
    rounds = [(round, answer) for round, answer in done if round.jackpots_count or _may_inherit(round)]
    if not rounds:
        return set()
    logs = {round.table.table_log_id: round.table.table_log for round, _ in rounds}
    hits = [round.pk for round, answer in rounds if answer.hits]
    ((waiting, untold, progressives),) = rows_of(
        _LEFT_OVER, [[round.pk for round, _ in rounds], hits, list(logs)]
    )
    left = {*waiting, *untold}
    if left:
        links = {pk: links_of(table_log) for pk, table_log in logs.items()}
        for round, answer in rounds:
            if round.pk in left:
                decide(round, settlement_from(answer.booking()), links[round.table.table_log_id])
    return set(progressives)


def _may_inherit(round: Round) -> bool:
    """Whether jackpot wagers may stand in it from before, as its game goes: what it began with is not read here."""
    game = round.config.game
    return game.in_order and any(kind.jackpot for kind in game.kinds.values())


def decide(round: Round, answer: Settlement, links: Links) -> None:
    """Void jackpot wagers go back, those that stand for the next round stay, all others are decided now."""
    table_log, result = round.table.table_log, marks.result_of(round)
    waiting = event_log.waiting_in(round.pk)
    links = links.at(marks.lock_of(round), also=waiting)
    void = _returned(round, answer, links)
    for rule in sorted({line.rule for line in void}):
        wagers = [line.wager for line in void if line.rule == rule]
        event_log.return_stakes(table_log, round.pk, wagers, result, rule)
    hits = [hit for hit in answer.hits if links.for_kind(hit.wager.kind) and round.is_entitled(hit.wager.id)]
    if not hits:  # or only on progressives that are suspended here
        event_log.decide_plain([round.pk])
        return
    event_log.decide(
        table_log,
        round.pk,
        hits,
        marks.stamps_of(round),
        result,
        clocks.timing_of(links),
        device=marks.device_of(round),
        entered=_entered(round, answer, links),
    )


def _entered(round: Round, answer: Settlement, links: Links) -> list[Wager]:
    """All wagers that took part."""
    return [
        line.wager
        for line in answer.lines
        if line.outcome is not Outcome.VOID
        and links.for_kind(line.wager.kind)
        and round.is_entitled(line.wager.id)
    ]


def _returned(round: Round, answer: Settlement, links: Links) -> list[Line]:
    """Wagers on a progressive that are void: what they gave goes back out of its pots. A part above the maximum never
    came in, nor did a wager of a round that locked outside of the lease."""
    return [
        line
        for line in answer.lines
        if line.outcome is Outcome.VOID
        and links.for_kind(line.wager.kind)
        and round.is_entitled(line.wager.id)
    ]
