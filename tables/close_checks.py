"""The floor's lines on the checklist of the day close."""

from __future__ import annotations

from collections.abc import Iterator

from django.urls import reverse

from config.kit.gaming_day import gaming_day
from ledger.close.closing import Finding, register
from ledger.models import GamingDay
from rules.money import parse_money, say
from tables.chips import cage, chips, counts
from tables.chips.count_pages import counts_url
from tables.corrections import corrected_hands, disputes
from tables.models import Round, Table


@register("tables.rounds", "Every round is settled")
def unsettled_rounds(day: GamingDay) -> Iterator[Finding]:
    """Most end within seconds. One that cannot be settled needs someone; two people may let the day close without it:
    settled later, it stands in the next day's books with its own date."""
    rounds = Round.objects.filter(table__premises=day.premises).exclude(state=Round.State.SETTLED)
    for round in rounds.select_related("table__premises"):
        if (round.gaming_day or gaming_day(day.premises, round.opened_at)) <= day.date:
            why = f": {round.error}" if round.error else ""
            text = f"Round {round.number} of {round.table.code} is {round.state}{why}."
            url = reverse("round", args=[day.premises.code, round.pk])
            yield Finding(f"round:{round.pk}", text, round.state == Round.State.PARKED, url)


@register("tables.standing", "No wager stands over the day's end")
def standing_wagers(day: GamingDay) -> Iterator[Finding]:
    """A craps point or a carried jackpot wager cannot be forced: two people carry it over."""
    for table in Table.objects.filter(premises=day.premises):
        standing = [entry["wager"] for entry in table.carried.get("wagers", [])]
        if standing:
            total = say(sum(parse_money(wager["stake"]) for wager in standing))
            text = f"{table.code}: {len(standing)} wagers of {total} in all stand for the next round."
            yield Finding(f"standing:{table.pk}", text, may_carry=True)


@register("tables.corrected_hands", "Jackpot hands of corrected rounds are put right")
def corrected_hands_differ(day: GamingDay) -> Iterator[Finding]:
    """Two people of the host decide on them; cameras may take longer than a day, and then two carry it over."""
    for round in corrected_hands.waiting([day.premises]):
        if round.gaming_day is not None and round.gaming_day <= day.date:
            text = f"Round {round.number} of {round.table.code} was corrected, and its jackpot hands are others now."
            url = reverse("round-hands", args=[day.premises.code, round.pk])
            yield Finding(f"hands:{round.pk}", text, may_carry=True, url=url)


@register("tables.slips", "No slip waits for a second person")
def waiting_slips(day: GamingDay) -> Iterator[Finding]:
    """Whoever decides on it ends it: booked or rejected. Booked after the close, it would stand in the next day."""
    for asked in chips.waiting_slips(day.premises):
        slip = asked.payload
        if slip["day"] <= day.date.isoformat():
            what = f"Slip {slip['slip']} of {slip['table']}, {slip['kind']} of {slip['amount']}"
            yield Finding(f"slip:{asked.pk}", f"{what}, waits for a second person.", url=reverse("approvals"))


@register("tables.cage", "Slips of the cage are decided, and no more left it than came in")
def cage_in_order(day: GamingDay) -> Iterator[Finding]:
    """A slip of the cage is decided on before its day closes. Where more went out of a cage than came in, a slip is
    missing, such as its opening: it is entered, or two people carry it over."""
    url = reverse("cage", args=[day.premises.code])
    for asked in cage.waiting(day.premises):
        slip = asked.payload
        if slip["day"] <= day.date.isoformat():
            what = f"Slip {slip['slip']} of the cage, {slip['kind']} of {slip['amount']} in {slip['money']}"
            yield Finding(f"cage-slip:{asked.pk}", f"{what}, waits for a second person.", url=url)
    for money, micros in cage.below_zero(day.premises, day.date):
        text = (
            f"By the books {say(-micros)} more in {money} left the cage than it ever had: a slip is missing. "
            f"Enter what the cage opened with, or what was put in."
        )
        yield Finding(f"cage:{money}", text, may_carry=True, url=url)


@register("tables.counts", "Every table is counted, and its variance accepted")
def variances(day: GamingDay) -> Iterator[Finding]:
    """A variance that was accepted does not stand in the way: the close names it."""
    url = counts_url(day.premises, day.date)
    for lack in counts.lacks(day):
        yield Finding(f"count:{lack.count.table.pk}", lack.text, lack.may_carry, url, blocks=lack.blocks)


@register("tables.disputes", "No dispute is open")
def open_disputes(day: GamingDay) -> Iterator[Finding]:
    """A review may take days: two people carry it over."""
    for one in disputes.still_open(disputes.disputes_of([day.premises])):
        if gaming_day(day.premises, one.at) <= day.date:
            about = f" about round {one.round.number}" if one.round else ""
            text = f"Dispute {one.pk} at {one.table.code}{about} is not over: {one.complainant}."
            url = reverse("dispute", args=[day.premises.code, one.pk])
            yield Finding(f"dispute:{one.pk}", text, may_carry=True, url=url)
