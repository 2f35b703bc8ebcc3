"""The jackpot hands of a round that was corrected at its table: where they are others than the jackpots know by now,
the difference takes the way of second thoughts. `tables` says what the round had, two people of the host decide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from config.kit.refusals import NOT_NOW, Refused
from jackpots.fold import hindsight
from jackpots.fold.hindsight import Seen
from jackpots.models import Adjustment, Dismissal, Event, HeldHand, Progressive, Share, TableLog
from jackpots.order.links import links_of
from jackpots.second_thoughts.corrections import ask, hold, payload, plan_for, refuse_borne
from jackpots.second_thoughts.second_look import Plan, returned_before
from people.models import ApprovalRequest, User
from rules.codec import hit_from_json, hit_to_json, wager_from_json, wager_to_json
from rules.contract import Hit, Wager
from rules.progressive import Hits


@dataclass(frozen=True)
class RoundHands:
    """What a round really had, for all progressives of its table."""

    table_log: TableLog
    round_id: int
    hits: tuple[Hit, ...]
    entered: tuple[Wager, ...]
    """All wagers that took part."""
    returned: tuple[str, ...]
    """Of the wagers those that are void."""
    places: Mapping[str, datetime]
    """By progressive, where its hands belong if the log has none of them."""

    def as_json(self) -> dict[str, Any]:
        return {
            "hits": [hit_to_json(hit) for hit in self.hits],
            "entered": [wager_to_json(wager) for wager in self.entered],
            "returned": list(self.returned),
            "places": {code: place.isoformat() for code, place in sorted(self.places.items())},
        }


def _from_json(given: dict[str, Any]) -> RoundHands:
    seen = given["seen"]
    return RoundHands(
        TableLog.objects.select_related("premises").get(
            premises__code=given["premises"], table_code=given["table"]
        ),
        given["round"],
        tuple(hit_from_json(hit) for hit in seen["hits"]),
        tuple(wager_from_json(wager) for wager in seen["entered"]),
        tuple(seen["returned"]),
        {code: datetime.fromisoformat(place) for code, place in seen["places"].items()},
    )


def differing(hands: RoundHands) -> dict[int, Seen]:
    """By progressive, what is seen otherwise than is known by now; none: nothing is to be done."""
    links, found = links_of(hands.table_log), dict[int, Seen]()
    for progressive in _progressives(hands):
        won = tuple(hit for hit in hands.hits if links.wins_from(hit, progressive))
        if hindsight.went_back(progressive, hands.table_log, hands.round_id):
            won = ()  # Whoever has had his wager back out of transit took no part.
        slices = links.slices_of(progressive)
        entered = tuple(wager for wager in hands.entered if wager.kind in slices)
        share = hindsight.hits_share(progressive, hands.table_log, hands.round_id)
        seen = Seen(
            hands.table_log,
            hands.round_id,
            Hits(str(hands.round_id), won, entered) if won else None,
            None if share is not None else hands.places[progressive.code],
            returned=hands.returned,
        )
        back = {wager.id for _, wager in hindsight.stakes_of(progressive, seen)}
        known = hindsight.known_hits(progressive, hands.table_log, hands.round_id)
        if _hands(known) != _hands(seen.hits) or back - returned_before(progressive, seen):
            found[progressive.pk] = seen
    return found


def _hands(hits: Hits | None) -> list[Any]:
    return [] if hits is None else sorted((hit.wager.id, hit.trigger, hit.strength) for hit in hits.hits)


def _progressives(hands: RoundHands) -> list[Progressive]:
    """Those that wagers of the round fed, or that hands of it have won from."""
    shares = Share.objects.filter(event__table_log=hands.table_log, event__round_id=hands.round_id)
    shares = shares.filter(event__kind__in=[Event.Kind.HITS, Event.Kind.STAKES])
    said = Adjustment.objects.filter(table_log=hands.table_log, round_id=hands.round_id)
    ids = {*shares.values_list("progressive_id", flat=True), *said.values_list("progressive_id", flat=True)}
    if hands.hits or hands.returned:  # wagers that a misdeal had carried into it have no stakes there
        ids |= {each.pk for each in links_of(hands.table_log).progressives}
    return list(Progressive.objects.filter(pk__in=ids).select_related("host", "config").order_by("pk"))


def preview(hands: RoundHands, borne: str) -> list[Plan]:
    """What it would change, by progressive."""
    refuse_borne(borne)
    _refuse_held(hands)
    seen = differing(hands)
    if not seen:
        text = f"The jackpots know the hands of round {hands.round_id} as they are: nothing is to be done."
        raise Refused("nothing_changes", text, status=NOT_NOW)
    return [plan_for(pk, one, borne) for pk, one in sorted(seen.items())]


def _refuse_held(hands: RoundHands) -> None:
    held = HeldHand.objects.filter(table_log=hands.table_log, round_id=hands.round_id)
    open_hands = held.exclude(pk__in=Dismissal.objects.values("held")).filter(adjustments__isnull=True)
    if open_hands.exists():
        text = f"A hand of round {hands.round_id} is held for people: decide on it first."
        raise Refused("held_first", text, status=NOT_NOW)


@transaction.atomic
def request_hands(
    hands: RoundHands, actor: User, *, borne: str, reason: str, rule: str = ""
) -> ApprovalRequest:
    """One person of the host asks for the difference; another approves what it changes of each win and pot."""
    hold(_progressives(hands), actor)
    plans = preview(hands, borne)
    document = payload(Adjustment.Kind.CORRECTED, plans, borne, rule, seen=hands.as_json())
    return ask(actor, plans, document, reason)


def plans_again(given: dict[str, Any]) -> list[Plan]:
    """For whoever approves it."""
    return preview(_from_json(given), given["borne"])
