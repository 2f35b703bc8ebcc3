"""Small fixed prizes handed out at once: from the tray, before their turn in the order has come. The win takes its
place like any other, and is then paid by the advance alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from config.kit.refusals import NOT_NOW, Refused, wrong
from jackpots.fold import adjusting, ledger_entries
from jackpots.fold.replay import hits_in
from jackpots.models import Advance, Event, Progressive, Share, Win, state_of
from jackpots.order import server_clock, told_after
from jackpots.wins import freezes, hand_pay_rules
from ledger.books import holdings
from ledger.books.journal import post_many
from people import access
from people.audit import audit
from people.log_ins import proof
from people.models import Role, User
from rules.money import format_money, say
from rules.progressive import Payment, resolve_round
from rules.progressive.advances import certain_prizes

STAFF = (Role.SUPERVISOR, Role.JACKPOT_MANAGER)


@dataclass(frozen=True)
class Offer:
    """A payment of a hand that waits, and what stands against handing it out; empty: nothing."""

    payment: Payment
    why_not: str


# --- What is open ----------------------------------------------------------------------------------------------
def of(win: Win) -> Advance | None:
    """What was handed out for it before."""
    if win.adjustment_id is not None or win.is_envy:
        return None
    found = Advance.objects.filter(
        share=win.share_id, wager_id=win.wager_id, trigger=win.trigger, level=win.level
    )
    return found.select_related("given_by").first()


def refuse_advanced(win: Win) -> None:
    """What was handed out is not given up, set aside or seen otherwise before it is in the books as paid."""
    if win.state in Win.OPEN and (advance := of(win)) is not None:
        text = f"{say(advance.paid_micros)} were handed out for win {win.pk}: pay it by the advance first."
        raise Refused("advanced", text, status=NOT_NOW)


def still_open() -> QuerySet[Advance]:
    """Those whose win is not paid yet."""
    paid = Win.objects.filter(
        share=OuterRef("share"),
        wager_id=OuterRef("wager_id"),
        trigger=OuterRef("trigger"),
        level=OuterRef("level"),
        state=Win.State.PAID,
        adjustment__isnull=True,
    )
    found = Advance.objects.filter(~Exists(paid))
    return found.select_related(
        "share__progressive__host", "share__event__table_log__premises", "given_by"
    ).order_by("pk")


# --- Handing out -----------------------------------------------------------------------------------------------
def waiting_hand(share_id: int) -> Share | None:
    """Hits in the log, with all that their payment takes."""
    found = Share.objects.filter(pk=share_id, event__kind=Event.Kind.HITS)
    return found.select_related(
        "event__table_log__premises", "progressive__host", "progressive__config", "config"
    ).first()


def offers(share: Share) -> list[Offer]:
    """What the hands of a share would be paid, and which of it may be handed out now."""
    progressive = share.progressive
    state = state_of(list(progressive.meters.order_by("position")))
    # By the rules that hold when its turn comes, whichever held when it was told.
    payments = resolve_round(progressive.config.rules, state, hits_in(share)).payments
    return [Offer(payment, _why_not(share, payment)) for payment in payments]


def _why_not(share: Share, payment: Payment) -> str:
    limit = share.progressive.pay_alone_limit_micros
    if payment.wager.id != payment.hit.wager.id:
        return "an envy bonus waits for the hand that brings it"
    if (payment.trigger, payment.level) not in certain_prizes(share.progressive.config.rules):
        return "the meter or other winners decide how much it is"
    if payment.amount_micros > limit:
        return f"it is above the {say(limit)} that one person may pay"
    if share.progressive.armed_config_id is not None:
        return "other rules are armed and may hold when its turn comes"
    given = share.advances.filter(
        wager_id=payment.wager.id, trigger=payment.trigger, level=payment.level
    ).first()
    return "" if given is None else f"{given.given_by} has handed it out"


@transaction.atomic
def hand_out(
    share_id: int, actor: User, *, wager: str, trigger: str, confirmations: Mapping[str, Any]
) -> Advance:
    """One person has seen the hand and gives a small fixed prize from the tray, at once."""
    share = waiting_hand(share_id)
    if share is None:
        raise Refused("unknown_hand", f"There are no hands {share_id} in the log.", status=404)
    log = share.event.table_log
    access.require(actor, STAFF, log.premises)
    proof.demand(actor, "pay")
    rows = Progressive.objects.select_for_update(no_key=True, of=("self",)).select_related("host", "config")
    share.progressive = progressive = rows.get(pk=share.progressive_id)
    if Win.objects.filter(share=share).exists():
        raise Refused("resolved", "Its turn has come: verify the win and pay it.", status=NOT_NOW)
    if share.public_at is not None and share.public_at > server_clock.read().now:
        raise Refused("not_public", "The hand is not public yet: a moment.", status=NOT_NOW, retry=True)
    adjusting.refuse_pending(progressive)
    if not confirmations.get("hand_confirmed") or not confirmations.get("deck_counted"):
        text = "Confirm the hand and the count of the deck first (nz-1996 VIII 11.10, 11.11)."
        raise Refused("not_checked", text)
    offer = next(
        (one for one in offers(share) if (one.payment.wager.id, one.payment.trigger) == (wager, trigger)),
        None,
    )
    if offer is None:
        raise wrong("trigger", f"Wager {wager} has no {trigger} in this round.")
    if offer.why_not:
        raise Refused(
            "not_certain", f"It cannot be handed out before its turn: {offer.why_not}.", status=NOT_NOW
        )
    told_after.refuse_without_camera(share, confirmations)
    return _write(share, actor, offer.payment, confirmations)


def _write(share: Share, actor: User, payment: Payment, confirmations: Mapping[str, Any]) -> Advance:
    log, rules = share.event.table_log, share.progressive.config.rules
    like = Win(
        progressive=share.progressive, table_log=log, level=payment.level, amount_micros=payment.amount_micros
    )
    freezes.refuse_frozen(like)
    hand_pay_rules.refuse_unconfirmed(like, confirmations)
    paid_micros = rules.payable(payment.amount_micros, rules.chip_micros)
    tray = {holdings.tray(log.premises.code, log.table_code): paid_micros}
    holdings.refuse_unheld(
        log.premises, tray, "Fill it first, or wait for its turn and pay it out of the cage."
    )
    advance = Advance.objects.create(
        share=share,
        wager_id=payment.wager.id,
        trigger=payment.trigger,
        level=payment.level,
        seat=payment.wager.seat,
        player=payment.wager.player,
        amount_micros=payment.amount_micros,
        paid_micros=paid_micros,
        verification=dict(confirmations),
        given_by=actor,
    )
    advance.refresh_from_db(fields=["at"])
    post_many(ledger_entries.advance_entries(advance))
    audit.record(
        actor,
        "jackpots.advanced",
        premises=log.premises,
        subject=advance,
        details={
            "progressive": share.progressive.code,
            "table": log.table_code,
            "round": share.event.round_id,
            "hand": payment.trigger,
            "seat": payment.wager.seat,
            "amount": format_money(payment.amount_micros),
            "paid": format_money(advance.paid_micros),
        }
        | dict(confirmations),
    )
    return advance
