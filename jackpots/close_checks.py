"""The jackpots room's lines on the checklist of the day close."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.db.models import Q
from django.urls import reverse

from config.kit.gaming_day import day_start, gaming_day
from jackpots.log import suspects
from jackpots.log.held import undecided as undecided_hands
from jackpots.models import Progressive, Share, Win
from jackpots.order.barrier import waiting_for
from jackpots.order.by_place import BY_PLACE
from jackpots.rulings.rulings import waiting_cluster
from jackpots.signs import showed
from jackpots.verify.identities import broken_books, broken_log
from jackpots.wins import advances
from ledger.close.closing import Finding, register
from ledger.models import GamingDay
from rules.money import say


@register("jackpots.wins", "Every jackpot win is paid")
def unpaid_wins(day: GamingDay) -> Iterator[Finding]:
    """The largest first: a refusal names only a few. One that cannot be paid today may be carried over by two."""
    wins = Win.objects.filter(progressive__host=day.premises, state__in=Win.OPEN)
    wins = wins.order_by("-amount_micros", "pk")
    for win in wins.select_related("table_log", "progressive__host", "share", "held"):
        if gaming_day(day.premises, win.place) <= day.date:
            amount = f"{say(win.amount_micros)} {day.premises.currency}"
            text = f"{win.trigger} at {win.table_log.table_code}, seat {win.seat}: {amount} is {win.state}, not paid."
            url = reverse("jackpot-win", args=[win.pk])
            yield Finding(f"win:{win.pk}", text, may_carry=True, url=url)


@register("jackpots.held", "No jackpot hand is held for people")
def held_hands(day: GamingDay) -> Iterator[Finding]:
    """What a hand gets that came after the order had gone on takes longer than a day: two people carry it over."""
    hands = undecided_hands().filter(progressive__host=day.premises)
    for held in hands.select_related("table_log", "progressive"):
        if gaming_day(day.premises, held.place) <= day.date:
            url = f"{reverse('jackpots')}#held-{held.pk}"
            yield Finding(
                f"held:{held.pk}", f"{held}, is held for people: {held.why}", may_carry=True, url=url
            )


@register("jackpots.advances", "Every prize that was handed out at once is paid as a win")
def open_advances(day: GamingDay) -> Iterator[Finding]:
    for row in advances.still_open().filter(share__progressive__host=day.premises):
        if gaming_day(day.premises, row.share.place) <= day.date:
            amount = f"{say(row.paid_micros)} {day.premises.currency}"
            text = f"{row} at {row.share.event.table_log}: {amount} were handed out and stand in advances."
            url = reverse("jackpot-advances")
            yield Finding(f"advance:{row.pk}", text, may_carry=True, url=url)


@register("jackpots.suspects", "No contribution that looks wrong waits in transit")
def held_contributions(day: GamingDay) -> Iterator[Finding]:
    for held in suspects.waiting().filter(progressive__host=day.premises):
        if gaming_day(day.premises, held.place) <= day.date:
            text = f"{held}: {held.why}. Accept it, or return it."
            url = f"{reverse('jackpot-suspects')}#held-contribution-{held.pk}"
            yield Finding(f"held-contribution:{held.pk}", text, may_carry=True, url=url)


@register("jackpots.events", "Every jackpot event of the day is final")
def unfolded_events(day: GamingDay) -> Iterator[Finding]:
    """The close is a cut in the event order: nothing of the day may still wait behind the barrier."""
    end = day_start(day.premises, day.date + timedelta(days=1))
    hosted = Progressive.objects.filter(host=day.premises)
    for progressive in hosted.select_related("host", "config", "armed_config"):
        waiting = Share.objects.filter(progressive=progressive, place__lt=end)
        if progressive.folded_until is not None:
            waiting = waiting.filter(Q(place__gte=progressive.folded_until))
        cluster = waiting_cluster(progressive)
        if cluster is not None and gaming_day(day.premises, cluster.shares[0].place) <= day.date:
            tables = " and ".join(str(share.event.table_log) for share in cluster.shares)
            text = f"{progressive}: two people must rule in which order the hits of {tables} fell."
            url = reverse("jackpot-ruling", args=[progressive.code])
            # A camera may take longer than a day: what waits behind these hits is booked in the day of the ruling.
            yield Finding(f"ruling:{progressive.code}", text, may_carry=True, url=url)
            continue
        count = waiting.count()
        first = waiting.order_by(*BY_PLACE).first()
        if first is not None:
            reasons = "; ".join(reason.text for reason in waiting_for(first)) or "the next fold takes them"
            text = f"{count} event{'s' if count > 1 else ''} of {progressive} not final: {reasons}."
            yield Finding(f"events:{progressive.code}", text, url=reverse("jackpots"))


@register("jackpots.history", "The event log, replayed, gives the meters")
def history(day: GamingDay) -> Iterator[Finding]:
    """From where the last closed day ended, which had to replay as well: a close costs a day, not a history. One that
    closed before its end by the clock has seen a part only: then from the start of the day on which it did. Up to the
    end of this day: a close that comes late does not replay what was played since. Apart from the other identities and
    before them, because it takes a while and holds no lock."""
    closed = GamingDay.objects.filter(premises=day.premises, state=GamingDay.State.CLOSED, date__lt=day.date)
    last, since = closed.order_by("date").last(), None
    if last is not None:
        seen = gaming_day(day.premises, last.closing_at or last.opened_at)
        since = day_start(day.premises, min(last.date + timedelta(days=1), seen))
    until = day_start(day.premises, day.date + timedelta(days=1))
    for progressive in Progressive.objects.filter(host=day.premises):
        for number, sentence in enumerate(broken_log(progressive.pk, since, until)):
            yield Finding(f"log:{progressive.code}:{number}", f"{progressive}: {sentence}.")


@register("jackpots.identities", "Meters equal pools")
def identities(day: GamingDay) -> Iterator[Finding]:
    for progressive in Progressive.objects.filter(host=day.premises):
        for number, sentence in enumerate(broken_books(progressive.pk)):
            yield Finding(f"identity:{progressive.code}:{number}", f"{progressive}: {sentence}.")


@register("jackpots.signs", "Signs showed what they were sent, and what the log gives")
def what_signs_showed(day: GamingDay) -> Iterator[Finding]:
    """What was on a wall cannot be put right any more: two people who have looked carry it over, on record."""
    for progressive in Progressive.objects.filter(host=day.premises).select_related("host"):
        for key, sentence in showed.troubles(progressive, day.date):
            yield Finding(key, sentence, may_carry=True)
