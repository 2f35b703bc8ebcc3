"""Which hit came first, where clocks cannot tell and it decides money: two people of the host rule by the cameras, or
have each winner paid the best where these cannot tell either. A ruling is only added, and every fold reads it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext_noop

from config.kit.refusals import NOT_NOW, Refused, by_rule, wrong
from config.kit.wake_ups import ring
from jackpots.fold.decided_order import FoldProgress, WaitingCluster, armed_of, fold_through
from jackpots.fold.folding import ORDER_TO_RULE, tail_of
from jackpots.fold.replay import hits_in
from jackpots.models import Progressive, RuledMoment, Ruling, Share, state_of
from people import access
from people.alerts import alerts
from people.approvals import approvals
from people.audit import audit
from people.log_ins import proof
from people.models import ApprovalRequest, Role, User
from rules import RuleError
from rules.money import format_money
from rules.progressive.clusters import Paid, PossibleOrder, refuse_ruling
from rules.progressive.clusters import Ruling as Pair

STAFF = (Role.SUPERVISOR, Role.JACKPOT_MANAGER)
MAX_CAMERAS = 200


def waiting_cluster(progressive: Progressive) -> WaitingCluster | None:
    """The hits that people have to order before the meters go on, as the rows stand now; None: nothing waits."""
    if progressive.final_until is None:
        return None
    state = state_of(list(progressive.meters.order_by("position")))
    start = FoldProgress(state, progressive.config, armed_of(progressive))
    return fold_through(
        tail_of(progressive, until=progressive.final_until), start, progressive.final_until
    ).waiting


@dataclass(frozen=True)
class Outcome:
    """What one order would pay, for people."""

    order: tuple[Share, ...]
    paid: tuple[tuple[Share, Paid], ...]
    meters: dict[str, int]

    @property
    def total_micros(self) -> int:
        return sum(paid.amount_micros for _, paid in self.paid)


def outcomes(waiting: WaitingCluster) -> list[Outcome]:
    """Every order that may be true, the one by place first."""
    shares = {str(share.event.round_id): share for share in waiting.shares}
    return [_outcome(option, shares) for option in waiting.decision.options]


def _outcome(option: PossibleOrder, shares: dict[str, Share]) -> Outcome:
    return Outcome(
        tuple(shares[name] for name in option.order),
        tuple((shares[paid.round], paid) for paid in option.paid),
        {level.name: level.meter_micros for level in option.state.levels},
    )


def best(waiting: WaitingCluster) -> list[tuple[Share, Paid]]:
    """What each winner gets where the cameras cannot tell: the order by place, and house money up to the best."""
    found = outcomes(waiting)
    if not found:
        return []
    added = {paid.whose: paid.amount_micros for paid in waiting.decision.added}
    return [
        (share, Paid(*paid.whose, paid.amount_micros + added.get(paid.whose, 0)))
        for share, paid in found[0].paid
    ]


# ------------------------------------------------------------------------------------------------------ verbs


@transaction.atomic
def request_ruling(
    code: str, actor: User, kind: str, rounds: Sequence[int], cameras: str, reason: str
) -> ApprovalRequest:
    """One person of the host says in which order the hits fell (or that nobody can tell); when another approves, the
    fold goes on. `rounds`: all of the hits' rounds, the first one first; for the best, in any order."""
    progressive = _locked(code)
    access.require(actor, STAFF, progressive.host)
    proof.demand(actor, "rule")
    waiting = waiting_cluster(progressive)
    if waiting is None:
        raise Refused("nothing_to_rule", f"No hits of {progressive} wait for a ruling.", status=NOT_NOW)
    if len(cameras) > MAX_CAMERAS:
        raise wrong("cameras", f"Where the pictures are found: at most {MAX_CAMERAS} characters.")
    _refuse_order(waiting, kind, rounds)
    if kind == Ruling.Kind.ORDER and not cameras.strip():
        raise wrong("cameras", "Say where the pictures are found: a ruling must be provable.")
    document = payload(progressive, waiting, kind, rounds, cameras.strip())
    asked = waiting_request(progressive)
    if asked is not None:
        text = f"{asked.requested_by} has asked for a ruling already: another person must decide on it first."
        raise Refused("already_asked", text, status=NOT_NOW)
    return approvals.request_approval(actor, progressive.host, RULE.name, document, reason)


def _refuse_order(waiting: WaitingCluster, kind: str, rounds: Sequence[int]) -> None:
    known = {share.event.round_id for share in waiting.shares}
    if kind not in Ruling.Kind.values:
        raise wrong("kind", f"One of {', '.join(Ruling.Kind.values)}, not {kind!r}.")
    if len(rounds) != len(known) or set(rounds) != known:
        names = ", ".join(str(share.event.round_id) for share in waiting.shares)
        raise wrong("rounds", f"Name each of the rounds {names} once, the first one first.")
    if kind == Ruling.Kind.BEST:
        if not waiting.decision.options:
            text = "There are too many orders to compare: say of some of the hits in which order they fell."
            raise wrong("kind", text)
        return
    pairs = [Pair(str(a), str(b)) for a, b in pairwise(rounds)]
    try:
        refuse_ruling(waiting.decision.order, waiting.rulings, pairs)
    except RuleError as fault:
        raise by_rule((fault,)) from None


def payload(
    progressive: Progressive, waiting: WaitingCluster, kind: str, rounds: Sequence[int], cameras: str
) -> dict[str, Any]:
    """Exactly what the second person approves, with what it pays."""
    shares = {share.event.round_id: share for share in waiting.shares}
    order = tuple(str(number) for number in rounds)
    paid = best(waiting) if kind == Ruling.Kind.BEST else _pays(waiting, order)
    return {
        "progressive": progressive.code,
        "kind": kind,
        "hits": [_hit_document(shares[number]) for number in rounds],
        "cameras": cameras,
        "pays": [
            {
                "table": share.event.table_log.table_code,
                "round": share.event.round_id,
                "hand": each.trigger,
                "level": each.level,
                "amount": format_money(each.amount_micros),
            }
            for share, each in paid
        ],
    }


def _pays(waiting: WaitingCluster, order: tuple[str, ...]) -> list[tuple[Share, Paid]]:
    for option, outcome in zip(waiting.decision.options, outcomes(waiting), strict=True):
        if option.order == order:
            return list(outcome.paid)
    return []  # more orders than can be compared: the fold will say


def _hit_document(share: Share) -> dict[str, Any]:
    table_log = share.event.table_log
    return {
        "premises": table_log.premises.code,
        "table": table_log.table_code,
        "round": share.event.round_id,
        "moment": share.moment,
        "hands": [f"{hit.trigger}, seat {hit.wager.seat}" for hit in hits_in(share).hits],
    }


def _rule(request: ApprovalRequest) -> None:
    given = request.payload
    progressive = _locked(given["progressive"])
    waiting = waiting_cluster(progressive)
    rounds = [hit["round"] for hit in given["hits"]]
    if waiting is None or payload(progressive, waiting, given["kind"], rounds, given["cameras"]) != given:
        text = "What is known of these hits has changed since it was asked for. Reject this; ask anew if need be."
        raise Refused("changed", text, status=NOT_NOW)
    approver = approvals.decider(request)
    approvals.use_approval(request, RULE.name, given, approver)
    ruling = Ruling.objects.create(
        progressive=progressive,
        kind=given["kind"],
        cameras=given["cameras"],
        reason=request.reason,
        approval=request,
    )
    shares = {share.event.round_id: share for share in waiting.shares}
    RuledMoment.objects.bulk_create(
        RuledMoment(
            ruling=ruling,
            position=position,
            table_log=shares[number].event.table_log,
            round_id=number,
            moment=shares[number].moment,
        )
        for position, number in enumerate(rounds)
    )
    audit.record(
        approver,
        "jackpots.order_ruled",
        premises=progressive.host,
        subject=ruling,
        reason=request.reason,
        details=given | {"requested_by": audit.name_of(request.requested_by)},
    )
    alerts.acknowledge_about(ORDER_TO_RULE, waiting.shares[0], approver, request.reason)
    from jackpots.tasks import fold_progressive

    # A ruling serves every progressive that compares the same moments.
    linked = Progressive.objects.filter(links__table_log__in=[s.event.table_log_id for s in waiting.shares])
    for pk in linked.values_list("pk", flat=True).distinct():
        ring(fold_progressive, pk)


RULE = approvals.declare(
    "jackpots.rule_order",
    gettext_noop("Rule on the order of jackpot hits"),
    request_roles=STAFF,
    approve_roles=STAFF,
    perform=_rule,
)


def _locked(code: str) -> Progressive:
    """Nobody folds meanwhile."""
    found = Progressive.objects.select_for_update(no_key=True, of=("self",))
    return found.select_related("host", "config", "armed_config").get(code=code)


def waiting_request(progressive: Progressive) -> ApprovalRequest | None:
    """What was asked and is not decided yet."""
    asked = ApprovalRequest.objects.filter(
        action=RULE.name,
        premises=progressive.host,
        state=ApprovalRequest.State.REQUESTED,
        expires_at__gt=Now(),
    )
    return next((each for each in asked if each.payload.get("progressive") == progressive.code), None)
