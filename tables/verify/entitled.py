"""What the floor hands to `manage.py verify` about wagers in the pots: each had its chance to win, or went back.

Seen from the round that decided a wager. It may have come in with that round, or stand in it from an earlier one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jackpots.log.hits import LOOK_BACK
from jackpots.models import Event, HeldHand, Share
from jackpots.verify.log_and_wins import accounts_of
from ledger.verify.verify import Fault, Span, register
from rules import RULES_VERSION, RuleError, Settlement
from rules.codec import hit_to_json
from rules.contract import Hit, Outcome, Wager
from tables.models import Round
from tables.settle.resettle import settled_again
from tables.verify.settlements import rounds_settled


@register("tables.entitled", "Each wager in the pots had its chance to win, or went back")
def entitled_hold(span: Span) -> Iterator[Fault]:
    for batch in rounds_settled(span):
        rounds = [round for round, _ in batch if _may_feed(round) and round.rules_version == RULES_VERSION]
        log = _log_of(rounds)
        for round in rounds:
            try:
                answer = settled_again(round)
            except RuleError:
                continue  # tables.settlements says it
            yield from _of_round(round, answer, log.get(round.pk, []))


def _may_feed(round: Round) -> bool:
    """Whether any progressive knows its table: no other wager is in a pot."""
    return round.table.table_log.last_number > 0


def _log_of(rounds: Iterable[Round]) -> dict[int, list[Event]]:
    """By round what the log has of it, in one read."""
    found: dict[int, list[Event]] = {}
    for event in Event.objects.filter(round_id__in=[round.pk for round in rounds]).order_by("number"):
        found.setdefault(event.round_id, []).append(event)
    return found


def _of_round(round: Round, answer: Settlement, log: list[Event]) -> Iterator[Fault]:
    for hit in answer.hits:
        if (stakes := _stakes_of(round, hit.wager, log)) is not None:
            yield from _not_known(round, hit, stakes, log)
    for line in answer.lines:
        if line.outcome is Outcome.VOID and (stakes := _stakes_of(round, line.wager, log)) is not None:
            yield from _not_returned(round, line.wager, stakes, log)


def _stakes_of(round: Round, wager: Wager, log: list[Event]) -> Event | None:
    """The event with which a wager came into the pots; None: it never did."""
    if wager.id not in round.standing_ids:
        own = (event for event in log if event.kind == Event.Kind.STAKES and wager.id in _names(event))
        return next(own, None)
    earlier = Event.objects.filter(
        table_log=round.table.table_log_id, kind=Event.Kind.STAKES, round_id__lt=round.pk
    )
    found = (event for event in earlier.order_by("-number")[:LOOK_BACK] if wager.id in _names(event))
    return next(found, None)


def _names(event: Event) -> set[str]:
    return {wager["id"] for wager in event.body["wagers"]}


def _not_returned(round: Round, wager: Wager, stakes: Event, log: list[Event]) -> Iterator[Fault]:
    """What a void wager gave is out of the pots again."""
    gone = (event for event in log if event.kind == Event.Kind.RETURN)
    if any(event.body["origin"] == stakes.number and wager.id in _names(event) for event in gone):
        return
    shares = stakes.shares.select_related("progressive__host", "progressive__config")
    accounts = [
        code for share in shares if wager.kind in share.slices for code in accounts_of(share.progressive)
    ]
    if accounts:  # otherwise it fed nothing
        words = f"wager {wager.id} is void, and what it gave to jackpots has not gone back"
        yield Fault(f"round {round.pk}", words, tuple(accounts))


def _not_known(round: Round, hit: Hit, stakes: Event, log: list[Event]) -> Iterator[Fault]:
    """A hand whose wager is in the pots is in the log, or held for people, of each progressive that the wager fed."""
    told = hit_to_json(hit)
    known = {
        share.progressive_id
        for share in Share.objects.filter(event__in=[event for event in log if event.kind == Event.Kind.HITS])
        if told in share.event.body["hits"]
    }
    held = HeldHand.objects.filter(table_log=round.table.table_log_id, round_id=round.pk)
    known |= {hand.progressive_id for hand in held if told in hand.body["hits"]}
    for share in stakes.shares.select_related("progressive__host", "progressive__config", "config"):
        wins = hit.wager.kind in share.slices and hit.trigger in share.config.rules.triggers
        if wins and share.progressive_id not in known:
            words = (
                f"the {hit.trigger} of seat {hit.wager.seat} is neither in the log of {share.progressive} nor held "
                f"for people, although its wager is in the pots since round {stakes.round_id}"
            )
            yield Fault(f"round {round.pk}", words, accounts_of(share.progressive))
