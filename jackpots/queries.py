"""What pages and the REST API read of the jackpots: which progressives, wins and held hands a person may see."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch, Q, QuerySet

from jackpots.log.held import undecided
from jackpots.models import Adjustment, HeldHand, Progressive, Share, Win
from people.access import premises_of
from people.models import Role, User

READERS = (Role.SUPERVISOR, Role.JACKPOT_MANAGER, Role.FINANCE, Role.AUDITOR)


def own_premises(user: User | AnonymousUser) -> set[int]:
    """Where the reader reads: wins at these premises, and of progressives that these host."""
    return set(premises_of(user, READERS).values_list("pk", flat=True))


def visible_progressives(user: User | AnonymousUser) -> QuerySet[Progressive]:
    """Those that the reader's premises host or take part in."""
    mine = premises_of(user, READERS)
    found = Progressive.objects.filter(Q(host__in=mine) | Q(links__table_log__premises__in=mine)).distinct()
    return found.select_related("host", "config", "armed_config")


def visible_wins(user: User | AnonymousUser) -> QuerySet[Win]:
    """Wins at the reader's premises, and those of progressives that these host."""
    mine = own_premises(user)
    found = Win.objects.filter(Q(table_log__premises__in=mine) | Q(progressive__host__in=mine))
    # What may be missing is read by itself: joined to the rest, the planner takes longer than all of this together.
    return found.select_related("progressive__host", "table_log__premises", "run").prefetch_related(
        Prefetch("share", Share.objects.select_related("event")),
        Prefetch("adjustment", Adjustment.objects.select_related("approval__requested_by")),
        "held",
        "verified_by",
        "paid_by",
    )


def visible_held(user: User | AnonymousUser) -> QuerySet[HeldHand]:
    """Held hands of the reader's premises, and those of progressives that these host, that nobody has decided on."""
    mine = own_premises(user)
    found = undecided().filter(Q(table_log__premises__in=mine) | Q(progressive__host__in=mine))
    return found.select_related("progressive", "table_log__premises")
