"""The jackpot hands of corrected rounds: what the last version of a round had, handed to the jackpots, who set it
against what they know (jackpots.second_thoughts.corrected_rounds). What differs is named until two people have
decided."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from django.db.models import Exists, OuterRef

from config.kit.refusals import NOT_NOW, Refused
from jackpots.log.hits import priority_moment
from jackpots.models import Adjustment, Progressive
from jackpots.order.instants import WHOLE_DEAL
from jackpots.order.links import links_of
from jackpots.second_thoughts import corrected_rounds
from jackpots.second_thoughts.corrected_rounds import RoundHands
from jackpots.second_thoughts.corrections import waiting_request
from jackpots.second_thoughts.second_look import Plan
from people.models import ApprovalRequest, Premises, User
from rules import RuleError, Settlement
from rules.contract import Hit, Outcome
from tables.door import marks
from tables.models import Round, RoundVersion
from tables.settle import versions


def hands_of(round: Round, answer: Settlement) -> RoundHands | None:
    """What it really had; None where nothing of it takes part in a jackpot."""
    if not round.takes_part:
        return None
    table_log = round.table.table_log
    links = links_of(table_log)
    hits = tuple(
        hit for hit in answer.hits if links.for_kind(hit.wager.kind) and round.is_entitled(hit.wager.id)
    )
    mine = [
        line for line in answer.lines if links.for_kind(line.wager.kind) and round.is_entitled(line.wager.id)
    ]
    return RoundHands(
        table_log,
        round.pk,
        hits,
        tuple(line.wager for line in mine if line.outcome is not Outcome.VOID),
        tuple(line.wager.id for line in mine if line.outcome is Outcome.VOID),
        {each.code: _place(round, each, hits) for each in links.progressives},
    )


def _place(round: Round, progressive: Progressive, hits: Iterable[Hit]) -> datetime:
    """The earliest told moment of its hands; where none was told, when the round was over."""
    moment = priority_moment(progressive.config.rules.priority, marks.device_of(round))
    stamps = marks.stamps_of(round)
    told = [stamps.get(hit.wager.seat, stamps.get(WHOLE_DEAL, {})).get(moment) for hit in hits]
    return min((stamp.place for stamp in told if stamp is not None), default=marks.result_of(round).place)


def would_differ(round: Round, answer: Settlement) -> bool:
    """Do the jackpots know other hands than these?"""
    hands = hands_of(round, answer)
    return hands is not None and bool(corrected_rounds.differing(hands))


def differs(round: Round) -> bool:
    """Do the jackpots know other hands than the round really had?"""
    try:
        return round.takes_part and would_differ(round, versions.latest(round).settled())
    except RuleError:
        return False  # today's rules refuse it; `manage.py replay` tells


def waiting(premises: Iterable[Premises]) -> Iterator[Round]:
    """Corrected rounds whose hands nobody has put right since, the oldest first."""
    since = Adjustment.objects.filter(round_id=OuterRef("round_id"), at__gte=OuterRef("correction__at"))
    rows = RoundVersion.objects.filter(round__table__premises__in=premises, hands_differ=True)
    ids = rows.filter(~Exists(since)).values_list("round_id", flat=True)
    rounds = Round.objects.filter(pk__in=set(ids)).select_related(
        "table__premises", "table__table_log", "config"
    )
    yield from (round for round in rounds.order_by("pk") if differs(round))


def preview(round: Round, borne: str) -> list[Plan]:
    return corrected_rounds.preview(_hands(round), borne)


def request(round: Round, actor: User, *, borne: str, reason: str, rule: str = "") -> ApprovalRequest:
    """Asks the host's people for the second thought that a corrected round brings."""
    return corrected_rounds.request_hands(_hands(round), actor, borne=borne, reason=reason, rule=rule)


def asked(round: Round) -> ApprovalRequest | None:
    """What waits for a second person about this round's hands."""
    for host in {each.host for each in links_of(round.table.table_log).progressives}:
        found = waiting_request(host, round.table.code, round.pk)
        if found is not None:
            return found
    return None


def _hands(round: Round) -> RoundHands:
    now = versions.latest(round)
    hands = hands_of(round, now.settled()) if now.number > 1 else None
    if hands is None:
        text = f"{round} was not corrected, or takes no part in a jackpot: put its win right by itself."
        raise Refused("not_corrected", text, status=NOT_NOW)
    return hands
