"""Second thoughts as verbs: a win is rejected, its round was void, its result is corrected, a late hand is let in or
dismissed. One person asks, another approves exactly what it changes of each win and pot; the fold then does it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext_noop

from config.kit.moments import WHOLE, told
from config.kit.refusals import NOT_NOW, Refused, wrong
from config.kit.wake_ups import ring
from jackpots.fold import adjusting, hindsight
from jackpots.fold.hindsight import Seen
from jackpots.fold.replay import check_body
from jackpots.models import (
    Adjustment,
    Dismissal,
    Event,
    HeldHand,
    Overpaid,
    Progressive,
    Share,
    TableLog,
    Win,
    is_ended,
)
from jackpots.second_thoughts.second_look import Plan, is_too_old, plan, touched
from jackpots.wins import hand_pay_rules
from people import access
from people.approvals import approvals
from people.audit import audit
from people.log_ins import proof
from people.models import ApprovalRequest, Premises, Role, User
from rules.codec import hit_from_json, wager_from_json
from rules.progressive import Hits

STAFF = (Role.SUPERVISOR, Role.JACKPOT_MANAGER)
RULES = {
    Adjustment.Kind.REJECT: "nz-1996 VIII 11.10, 11.11",
    Adjustment.Kind.VOID: "nz-1996 VIII 11.11",
    Adjustment.Kind.CORRECTED: "nz-1996 VIII 11.10",
    Adjustment.Kind.LATE: "nz-1996 VIII 12.3",
}
"""What is cited where nobody says another."""
OF_A_WIN = (Adjustment.Kind.REJECT, Adjustment.Kind.VOID, Adjustment.Kind.CORRECTED)


# --- What is seen otherwise -----------------------------------------------------------------------------------
def seen_in(win: Win, kind: str, hand: str = "") -> dict[int, Seen]:
    """By progressive what the round of a win really had: without its hand, without any, or with another hand."""
    table_log, round_id = win.table_log, win.round_id
    found: dict[int, Seen] = {}
    for progressive in _progressives(win, is_void=kind == Adjustment.Kind.VOID):
        hits = hindsight.known_hits(progressive, table_log, round_id)
        left = _without(hits, win, hand if kind == Adjustment.Kind.CORRECTED else "", progressive)
        share = hindsight.hits_share(progressive, table_log, round_id)
        is_void = kind == Adjustment.Kind.VOID
        place = None if share is not None else win.place
        found[progressive.pk] = Seen(table_log, round_id, None if is_void else left, place, is_void)
    return found


def _progressives(win: Win, *, is_void: bool) -> Iterable[Progressive]:
    """All that the hand won from; of a void round also those that its wagers fed."""
    kinds = [Event.Kind.HITS, Event.Kind.STAKES] if is_void else [Event.Kind.HITS]
    shares = Share.objects.filter(event__table_log=win.table_log, event__round_id=win.round_id)
    ids = set(shares.filter(event__kind__in=kinds).values_list("progressive_id", flat=True))
    let_in = Adjustment.objects.filter(table_log=win.table_log, round_id=win.round_id)
    ids |= {win.progressive_id, *let_in.values_list("progressive_id", flat=True)}
    return Progressive.objects.filter(pk__in=ids).select_related("host", "config").order_by("pk")


def _without(hits: Hits | None, win: Win, hand: str, progressive: Progressive) -> Hits | None:
    """The hands of the round with this one gone, or another in its place."""
    if hits is None:
        return None
    kept = []
    for hit in hits.hits:
        if (hit.wager.id, hit.trigger) != (win.hand_wager_id, win.trigger):
            kept.append(hit)
        elif hand and hand in progressive.config.rules.triggers:
            kept.append(replace(hit, trigger=hand))
    return replace(hits, hits=tuple(kept)) if kept else None


def seen_late(held: HeldHand, place: datetime | None) -> Seen:
    """A held hand at its own place, or where the cameras have it."""
    at = held.place if place is None else place
    if not held.earliest <= at <= held.latest:
        first, last = (told(at, held.table_log.premises, WHOLE) for at in (held.earliest, held.latest))
        text = f"It was dealt between {first} and {last}, not at this time."
        raise wrong("place", text)
    kinds = set(held.progressive.links.filter(table_log=held.table_log).values_list("kinds", flat=True).get())
    check_body(held.body, held)
    hits = tuple(hit_from_json(given) for given in held.body["hits"])
    entered = (wager_from_json(given) for given in held.body["entered"])
    mine = tuple(wager for wager in entered if wager.kind in kinds)
    there = hindsight.known_hits(held.progressive, held.table_log, held.round_id)
    if there is not None:  # others of its round are in the order: they have one place
        return Seen(held.table_log, held.round_id, replace(there, hits=(*there.hits, *hits)), at)
    return Seen(held.table_log, held.round_id, Hits(str(held.round_id), hits, mine), at)


# --- Preview --------------------------------------------------------------------------------------------------
def preview(win: Win, kind: str, borne: str, hand: str = "") -> list[Plan]:
    """What it would change, by progressive, as things stand now."""
    _refuse_kind(win, kind, borne, hand)
    seen = seen_in(win, kind, hand)
    return [plan_for(pk, one, borne) for pk, one in sorted(seen.items())]


def preview_late(held: HeldHand, borne: str, place: datetime | None = None) -> list[Plan]:
    _refuse_decided(held)
    refuse_borne(borne)
    return [plan_for(held.progressive_id, seen_late(held, place), borne)]


def plan_for(progressive_id: int, seen: Seen, borne: str) -> Plan:
    progressive = Progressive.objects.select_related("host", "config").get(pk=progressive_id)
    days = hand_pay_rules.in_force(progressive.host).second_thought_days
    # The pots of a progressive that has ended are gone: they stay as they are.
    house_only = is_ended(progressive) or is_too_old(progressive, seen, days)
    return plan(progressive, seen, borne, house_only=house_only)


def _refuse_kind(win: Win, kind: str, borne: str, hand: str) -> None:
    if kind not in OF_A_WIN:
        raise wrong("kind", f"One of {', '.join(OF_A_WIN)}, not {kind!r}.")
    refuse_borne(borne)
    if hindsight.was_void(win.table_log, win.round_id):
        raise Refused(
            "was_void", f"Round {win.round_id} is void already: nothing is left of it.", status=NOT_NOW
        )
    hits = hindsight.known_hits(win.progressive, win.table_log, win.round_id)
    known = {(hit.wager.id, hit.trigger) for hit in hits.hits} if hits is not None else set()
    if (win.hand_wager_id, win.trigger) not in known:
        text = (
            f"The {win.trigger} of seat {win.seat} does not count any more: see what was said of it before."
        )
        raise Refused("not_counted", text, status=NOT_NOW)
    if kind == Adjustment.Kind.CORRECTED and (
        hand == win.trigger or hand not in win.progressive.config.rules.triggers
    ):
        names = ", ".join(each for each in win.progressive.config.rules.triggers if each != win.trigger)
        raise wrong("hand", f"What it really is, one of {names}. If it wins nothing, reject it.")


def refuse_borne(borne: str) -> None:
    if borne not in Overpaid.Borne.values:
        raise wrong("borne", f"One of {', '.join(Overpaid.Borne.values)}, not {borne!r}.")


# --- Asking ---------------------------------------------------------------------------------------------------
@transaction.atomic
def request_second_thought(
    win_id: int, actor: User, kind: str, *, borne: str, reason: str, rule: str = "", hand: str = ""
) -> ApprovalRequest:
    """One person of the host says what the hand of a win really was; another approves what that changes."""
    win = _win(win_id)
    hold(_progressives(win, is_void=kind == Adjustment.Kind.VOID), actor)
    plans = preview(win, kind, borne, hand)
    return ask(actor, plans, payload(kind, plans, borne, rule, win=win, hand=hand), reason)


@transaction.atomic
def request_let_in(
    held_id: int, actor: User, *, borne: str, reason: str, rule: str = "", place: datetime | None = None
) -> ApprovalRequest:
    """One person of the host lets a held hand in at its place; another approves what that changes."""
    held = _held(held_id)
    hold([held.progressive], actor)
    plans = preview_late(held, borne, place)
    return ask(actor, plans, payload(Adjustment.Kind.LATE, plans, borne, rule, held=held), reason)


def hold(progressives: Iterable[Progressive], actor: User) -> None:
    """Nobody folds meanwhile, and nothing is on its way."""
    for progressive in _lock(one.pk for one in progressives):
        access.require(actor, STAFF, progressive.host)
        adjusting.refuse_pending(progressive)
    proof.demand(actor, "rule")


def ask(actor: User, plans: list[Plan], document: dict[str, Any], reason: str) -> ApprovalRequest:
    host = plans[0].progressive.host
    asked = waiting_request(host, document["table"], document["round"])
    if asked is not None:
        text = f"{asked.requested_by} has asked about this round already: another person must decide on it first."
        raise Refused("already_asked", text, status=NOT_NOW)
    return approvals.request_approval(actor, host, THINK.name, document, reason)


def waiting_request(host: Premises, table: str, round_id: int) -> ApprovalRequest | None:
    """What was asked about a round and is not decided yet."""
    asked = ApprovalRequest.objects.filter(
        action=THINK.name, premises=host, state=ApprovalRequest.State.REQUESTED, expires_at__gt=Now()
    )
    same = (each for each in asked if (each.payload["table"], each.payload["round"]) == (table, round_id))
    return next(same, None)


def payload(
    kind: str,
    plans: list[Plan],
    borne: str,
    rule: str,
    *,
    win: Win | None = None,
    held: HeldHand | None = None,
    hand: str = "",
    seen: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Exactly what the second person approves. `seen`: what a round really had that was corrected at its table."""
    table_log: TableLog = plans[0].seen.table_log
    place = plans[0].seen.place if held is not None else None
    return {
        "kind": kind,
        "win": None if win is None else win.pk,
        "held": None if held is None else held.pk,
        "premises": table_log.premises.code,
        "table": table_log.table_code,
        "round": plans[0].seen.round_id,
        "hand": hand,
        "place": None if place is None else place.isoformat(),
        "rule": rule.strip() or RULES[Adjustment.Kind(kind)],
        "borne": borne,
        "changes": [one.as_text() for one in plans],
    } | ({} if seen is None else {"seen": seen})


# --- Doing ----------------------------------------------------------------------------------------------------
def _think(request: ApprovalRequest) -> None:
    given, approver = request.payload, approvals.decider(request)
    win = _win(given["win"]) if given["win"] else None
    held = _held(given["held"]) if given["held"] else None
    codes = [one["progressive"] for one in given["changes"]]
    _lock(Progressive.objects.filter(code__in=codes).values_list("pk", flat=True))
    plans = _again(given, win, held)
    # Who pays one of these wins waits here, and then finds that it is being adjusted.
    list(Win.objects.select_for_update(of=("self",)).filter(pk__in=touched(plans)).order_by("pk"))
    plans = _again(given, win, held)
    for one in plans:
        access.require(approver, STAFF, one.progressive.host)
        adjusting.refuse_pending(one.progressive)
    rule, hand = given["rule"], given["hand"]
    seen = given.get("seen")
    if payload(given["kind"], plans, given["borne"], rule, win=win, held=held, hand=hand, seen=seen) != given:
        text = "What it changes is no longer what was asked for. Reject this; ask anew if need be."
        raise Refused("changed", text, status=NOT_NOW)
    approvals.use_approval(request, THINK.name, given, approver)
    for one in plans:
        _write(one, request, given, held, approver)


def _again(given: dict[str, Any], win: Win | None, held: HeldHand | None) -> list[Plan]:
    if win is not None:
        return preview(win, given["kind"], given["borne"], given["hand"])
    if "seen" in given:
        from jackpots.second_thoughts.corrected_rounds import plans_again

        return plans_again(given)
    if held is None:
        raise Refused("unknown_hand", "The request names no hand.", status=NOT_NOW)
    return preview_late(held, given["borne"], datetime.fromisoformat(given["place"]))


def _write(
    one: Plan, request: ApprovalRequest, given: dict[str, Any], held: HeldHand | None, approver: User
) -> Adjustment:
    adjustment = Adjustment.objects.create(
        progressive=one.progressive,
        kind=given["kind"],
        place=adjusting.place_of_now(one.progressive),
        table_log=one.seen.table_log,
        round_id=one.seen.round_id,
        held=held,
        hits=hindsight.hits_document(one.seen),
        hits_place=one.seen.place,
        first_run=one.back.first_run,
        house_only=one.house_only,
        rule=given["rule"],
        reason=request.reason,
        postings=one.postings,
        effect=one.effect,
        approval=request,
    )
    audit.record(
        approver,
        "jackpots.second_thought",
        premises=one.progressive.host,
        subject=adjustment,
        reason=request.reason,
        details=given | {"requested_by": audit.name_of(request.requested_by)},
    )
    _fold_soon(one.progressive)
    return adjustment


def _fold_soon(progressive: Progressive) -> None:
    from jackpots.tasks import fold_progressive

    ring(fold_progressive, progressive.pk)


THINK = approvals.declare(
    "jackpots.second_thought",
    gettext_noop("Put a jackpot hand right"),
    request_roles=STAFF,
    approve_roles=STAFF,
    perform=_think,
)


# --- Dismissing -----------------------------------------------------------------------------------------------
@transaction.atomic
def request_dismissal(held_id: int, actor: User, *, reason: str, rule: str = "") -> ApprovalRequest:
    """One person of the host says that a held hand gets nothing; another approves it."""
    held = _held(held_id)
    access.require(actor, STAFF, held.progressive.host)
    proof.demand(actor, "rule")
    _refuse_decided(held)
    return approvals.request_approval(
        actor, held.progressive.host, DISMISS.name, _dismissal(held, rule), reason
    )


def _dismissal(held: HeldHand, rule: str) -> dict[str, Any]:
    return {
        "held": held.pk,
        "progressive": held.progressive.code,
        "table": held.table_log.table_code,
        "round": held.round_id,
        "hands": str(held),
        "rule": rule.strip() or RULES[Adjustment.Kind.LATE],
    }


def _dismiss(request: ApprovalRequest) -> None:
    given, approver = request.payload, approvals.decider(request)
    held = _held(given["held"])
    _lock([held.progressive_id])
    _refuse_decided(held)
    approvals.use_approval(request, DISMISS.name, _dismissal(held, given["rule"]), approver)
    dismissal = Dismissal.objects.create(
        held=held, rule=given["rule"], reason=request.reason, approval=request
    )
    audit.record(
        approver,
        "jackpots.hand_dismissed",
        premises=held.progressive.host,
        subject=dismissal,
        reason=request.reason,
        details=given | {"requested_by": audit.name_of(request.requested_by)},
    )


DISMISS = approvals.declare(
    "jackpots.dismiss_hand",
    gettext_noop("Dismiss a held jackpot hand"),
    request_roles=STAFF,
    approve_roles=STAFF,
    perform=_dismiss,
)


def _refuse_decided(held: HeldHand) -> None:
    if Dismissal.objects.filter(held=held).exists():
        raise Refused("dismissed", f"{held} is dismissed already.", status=NOT_NOW)
    if held.adjustments.exists():
        raise Refused("let_in", f"{held} is let in already.", status=NOT_NOW)


def _win(win_id: int) -> Win:
    found = Win.objects.select_related(
        "progressive__host", "progressive__config", "table_log__premises", "share", "held"
    )
    win = found.filter(pk=win_id).first()
    if win is None:
        raise Refused("unknown_win", f"There is no win {win_id}.", status=404)
    return win


def _held(held_id: int) -> HeldHand:
    found = HeldHand.objects.select_related("progressive__host", "progressive__config", "table_log__premises")
    held = found.filter(pk=held_id).first()
    if held is None:
        raise Refused("unknown_hand", f"There is no held hand {held_id}.", status=404)
    return held


def _lock(ids: Iterable[int]) -> list[Progressive]:
    """In the order of keys, so that two who put something right never wait for each other."""
    found = Progressive.objects.select_for_update(no_key=True, of=("self",)).select_related("host")
    return list(found.filter(pk__in=list(ids)).order_by("pk"))
