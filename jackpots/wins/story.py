"""What became of a win, in sentences: how it came about, what second thoughts have made of it, and who said so."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from config.kit.moments import EXACT, MOMENT, told
from jackpots.models import Adjustment, RuledMoment, Ruling, Win
from jackpots.order import told_after
from people.models import ApprovalRequest
from rules.money import say


def story(win: Win) -> list[str]:
    return [*_beginning(win), *_second_thoughts(win), *_end(win)]


def _beginning(win: Win) -> Iterator[str]:
    hand = f"the {win.trigger.replace('-', ' ')} of seat {win.seat} at {win.table_log}"
    amount = _sum(win, win.amount_micros)
    adjustment = win.adjustment
    if adjustment is None:
        place = told(win.place, win.table_log.premises, EXACT)
        yield from _ruled(win)
        if camera := told_after.why(win.share):
            yield camera
        yield f"By its place in the order of play, {place}, {hand} is due {amount} from the {win.level} meter."
        return
    said = _said(adjustment)
    if win.replaces_id is not None:
        before = _sum(win, win.replaces.amount_micros) if win.replaces is not None else ""
        yield f"A second thought left {hand} with {amount} instead of {before} (win {win.replaces_id}): {said}"
    elif win.held_id is not None:
        place = told(win.place, win.table_log.premises, EXACT)
        yield f"Two people let {hand} in at its place {place}, with {amount}: {said}"
    else:
        yield f"A second thought gave {hand} {amount} more: {said}"


def _ruled(win: Win) -> Iterator[str]:
    """What two people have said of hits that no clock could put in order, this one among them."""
    mine = RuledMoment.objects.filter(table_log=win.table_log_id, round_id=win.round_id)
    found = Ruling.objects.filter(moments__in=mine, at__lte=win.run.at).order_by("pk")
    for ruling in found.select_related("approval__requested_by", "approval__decided_by"):
        asked = ruling.approval
        moments = ruling.moments.select_related("table_log__premises").order_by("position")
        names = ", ".join(f"{moment.table_log} (round {moment.round_id})" for moment in moments)
        what = "could not tell the order of" if ruling.kind == Ruling.Kind.BEST else "put in this order"
        yield (
            f"Two people {what}: {names}. {asked.requested_by} asked: “{ruling.reason}”; "
            f"{asked.decided_by} approved it on {_when(win, ruling.at)}."
        )


def _when(win: Win, at: datetime) -> str:
    return told(at, win.table_log.premises, MOMENT)


def _sum(win: Win, micros: int) -> str:
    return f"{say(micros)} {win.progressive.host.currency}"


def _said(adjustment: Adjustment) -> str:
    asked = adjustment.approval
    where = "" if adjustment.table_log is None else f"{adjustment.table_log}, round {adjustment.round_id}; "
    money = " The hand is older than the limit, so the pots stayed." if adjustment.house_only else ""
    when = told(adjustment.at, adjustment.progressive.host, MOMENT)
    return (
        f"{adjustment.get_kind_display().lower()} ({where}{adjustment.rule}). {asked.requested_by} asked: "
        f"“{adjustment.reason}”; {asked.decided_by} approved it on {when}.{money}"
    )


def _second_thoughts(win: Win) -> Iterator[str]:
    for over in win.overpaid.select_related("adjustment__approval__requested_by", "adjustment__table_log"):
        amount, said = _sum(win, abs(over.amount_micros)), _said(over.adjustment)
        if over.amount_micros < 0:
            yield f"Of what had been found too much, {amount} is due after all: {said}"
        elif over.borne == over.Borne.RECOVERABLE:
            yield f"It was paid, and stands; {amount} of it was not due and is to be recovered: {said}"
        else:
            yield f"It was paid, and stands; {amount} of it was not due and is the house's own cost: {said}"
    for row in win.recoveries.select_related("approval__requested_by", "approval__decided_by"):
        asked, amount = row.approval, _sum(win, row.amount_micros)
        what = "was written off" if row.kind == row.Kind.WRITTEN_OFF else f"came back in {row.method}"
        yield (
            f"Of what was to be recovered {amount} {what}: {asked.requested_by} asked: “{row.reason}”; "
            f"{asked.decided_by} approved it on {_when(win, row.at)}."
        )
    if win.state == Win.State.SUPERSEDED:
        taken = Adjustment.objects.filter(
            progressive=win.progressive_id, effect__superseded__contains=[{"win": win.pk}]
        )
        for adjustment in taken.select_related("approval__requested_by", "table_log"):
            new = win.replaced_by.filter(adjustment=adjustment).first()
            left = (
                f"win {new.pk} of {_sum(win, new.amount_micros)} stands in its place"
                if new
                else ("nothing of it is owed any more")
            )
            yield f"It was not paid, and {left}: {_said(adjustment)}"
    more = Win.objects.filter(
        progressive=win.progressive_id,
        round_id=win.round_id,
        wager_id=win.wager_id,
        hand_wager_id=win.hand_wager_id,
        trigger=win.trigger,
        level=win.level,
        adjustment__isnull=False,
        replaces__isnull=True,
    ).exclude(pk=win.pk)
    for other in more.filter(pk__gt=win.pk):
        yield f"Win {other.pk} adds {_sum(win, other.amount_micros)} for the same hand."


def _end(win: Win) -> Iterator[str]:
    if win.verified_by is not None and win.verified_at is not None:
        yield f"{win.verified_by} verified the hand on {_when(win, win.verified_at)}."
    asked = win.approval
    if asked is not None and asked.decided_at is not None and asked.state != ApprovalRequest.State.REJECTED:
        yield f"{asked.decided_by} approved the payment on {_when(win, asked.decided_at)}."
    if win.state == Win.State.PAID and win.paid_at is not None:
        paid = _sum(win, win.paid_micros or 0)
        yield f"{win.paid_by} paid {paid} on {_when(win, win.paid_at)}."
