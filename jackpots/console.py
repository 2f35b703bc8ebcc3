"""What the jackpots tell the home page: wins, rulings, frozen levels and dark signs that wait for someone; meters."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_noop

from jackpots.fold.folding import ORDER_TO_RULE
from jackpots.log import held
from jackpots.models import Adjustment, Decommission, Display, Frame, Freeze, Progressive, Share, Win
from jackpots.queries import READERS, visible_progressives
from jackpots.reading import history
from jackpots.second_thoughts import recoveries
from jackpots.set_up import decommissioning, transfers
from jackpots.signs.frame_texts import with_texts
from jackpots.wins import freezes, hand_pay
from people import access
from people.alerts import alerts
from people.approvals import approvals, waiting
from people.models import Role, User
from people.pages import console

DARK = timedelta(seconds=60)
"""A sign reports every few seconds."""
OF_SIGNS = (Role.SUPERVISOR, Role.JACKPOT_MANAGER, Role.ADMINISTRATOR)
waiting.DEALT_WITH_ELSEWHERE.update({ORDER_TO_RULE.name, hand_pay.APPROVE})


@console.tasks(gettext_noop("Wins"), hand_pay.STAFF)
def unpaid_wins(user: User) -> Iterable[console.Task]:
    """Each with the step that the reader may take; what they verified themselves waits for another."""
    rows = Win.objects.filter(table_log__premises__in=access.premises_of(user, hand_pay.STAFF))
    rows = rows.filter(state__in=Win.OPEN).select_related(
        "table_log__premises", "progressive__host", "approval"
    )
    found = list(rows.order_by("pk")[: console.MAX_TASKS + 1])
    standing = {row.pk for row in approvals.standing(win.approval for win in found if win.approval)}
    for win in found:
        verb = _verb(win, standing)
        if verb == "approve" and win.verified_by_id == user.pk:
            continue
        yield console.Task(
            gettext("%(trigger)s at %(table_code)s, seat %(seat)s")
            % {
                "trigger": win.trigger.replace("-", " ").capitalize(),
                "table_code": win.table_log.table_code,
                "seat": win.seat,
            },
            gettext(verb),
            reverse("jackpot-win", args=[win.pk]),
            win.table_log.premises,
            win.resolved_at,
            urgent=True,
            amount_micros=win.amount_micros,
            currency=win.progressive.host.currency,
        )


def _verb(win: Win, standing: set[int]) -> str:
    """As jackpots.wins.hand_pay has it, without a query a win."""
    asked = win.approval
    if win.state == Win.State.APPROVED:
        return gettext_noop("pay")
    lapsed = asked is not None and (
        asked.state == approvals.State.REJECTED
        or asked.expires_at <= timezone.now()
        or asked.pk not in standing
    )
    if win.state == Win.State.PENDING or lapsed:
        return gettext_noop("verify")
    return "pay" if asked is not None and asked.state == approvals.State.APPROVED else gettext_noop("approve")


@console.tasks(gettext_noop("Orders to be ruled"), [Role.SUPERVISOR, Role.JACKPOT_MANAGER])
def orders_to_rule(user: User) -> Iterable[console.Task]:
    """The alert is acknowledged by the ruling itself, so that what is open is what waits."""
    told = [alert for alert in alerts.concerning(user) if alert.kind == ORDER_TO_RULE.name]
    told = told[: console.MAX_TASKS + 1]
    by_share = {int(alert.subject.rpartition(":")[2]): alert for alert in told}
    for share in Share.objects.filter(pk__in=by_share).select_related("progressive__host"):
        alert = by_share[share.pk]
        yield console.Task(
            gettext("Order of hits on %(progressive)s") % {"progressive": share.progressive.name},
            gettext("rule"),
            reverse("jackpot-ruling", args=[share.progressive.code]),
            share.progressive.host,
            alert.raised_at,
            urgent=True,
        )


@console.tasks(gettext_noop("Held hands"), hand_pay.STAFF)
def held_hands(user: User) -> Iterable[console.Task]:
    """Jackpot hands for which nobody waited: two people decide what they get."""
    rows = held.undecided().filter(progressive__host__in=access.premises_of(user, hand_pay.STAFF))
    rows = rows.select_related("table_log", "progressive__host").order_by("at", "pk")
    for row in rows[: console.MAX_TASKS + 1]:
        yield console.Task(
            gettext("%(hand)s is held for people") % {"hand": str(row).capitalize()},
            gettext("let in or dismiss"),
            reverse("jackpot-held", args=[row.pk]),
            row.progressive.host,
            row.at,
            urgent=True,
        )


@console.tasks(gettext_noop("Frozen levels"), freezes.RELEASE.request_roles)
def frozen_levels(user: User) -> Iterable[console.Task]:
    hosts = access.premises_of(user, freezes.RELEASE.request_roles)
    rows = (
        freezes.frozen()
        .filter(progressive__host__in=hosts)
        .select_related("progressive__host")
        .order_by("pk")
    )
    first: dict[tuple[int, str], Freeze] = {}
    for row in rows[: console.MAX_TASKS + 1]:
        first.setdefault((row.progressive_id, row.level), row)
    for row in first.values():
        yield console.Task(
            gettext("%(level)s of %(progressive)s is frozen")
            % {"level": row.level.replace("-", " ").capitalize(), "progressive": row.progressive.name},
            gettext("look"),
            f"{reverse('jackpots')}#frozen-levels",
            row.progressive.host,
            row.at,
            urgent=True,
        )


@console.tasks(gettext_noop("To be recovered"), recoveries.WHO)
def to_recover(user: User) -> Iterable[console.Task]:
    """What winners have and was not due."""
    hosts = access.premises_of(user, recoveries.WHO)
    rows: Any = recoveries.with_recoverable(Win.objects.filter(progressive__host__in=hosts))
    rows = rows.filter(open_micros__gt=0).select_related("table_log", "progressive__host").order_by("pk")
    for win in rows[: console.MAX_TASKS + 1]:
        yield console.Task(
            gettext("Paid in error at %(table_code)s, seat %(seat)s")
            % {"table_code": win.table_log.table_code, "seat": win.seat},
            gettext("recover"),
            reverse("jackpot-recoverable", args=[win.pk]),
            win.progressive.host,
            win.paid_at,
            amount_micros=win.open_micros,
            currency=win.progressive.host.currency,
        )


@console.tasks(gettext_noop("Progressives that end"), transfers.WHO)
def ends_due(user: User) -> Iterable[console.Task]:
    """Their last gaming day is over."""
    hosts = access.premises_of(user, transfers.WHO)
    rows = Decommission.objects.filter(progressive__host__in=hosts).exclude(
        progressive__adjustments__kind=Adjustment.Kind.END
    )
    for row in rows.select_related("progressive__host").order_by("pk")[: console.MAX_TASKS + 1]:
        if decommissioning.is_due(row.progressive) and row == decommissioning.announced(row.progressive):
            yield console.Task(
                gettext("%(progressive)s was to end on %(last_day)s")
                % {"progressive": row.progressive.name, "last_day": date_format(row.last_day, "j M")},
                gettext("decommission"),
                reverse("progressive-end", args=[row.progressive.code]),
                row.progressive.host,
                row.at,
            )


@console.tasks(gettext_noop("Dark signs"), OF_SIGNS)
def dark_signs(user: User) -> Iterable[console.Task]:
    """Signs that were seen before and report no more; one that was never hung up is no trouble."""
    rows = dark(user).select_related("premises", "progressive", "table_log").order_by("last_seen_at")
    for sign in rows[: console.MAX_TASKS + 1]:
        yield console.Task(
            gettext("Sign %(sign)s (%(what)s) is dark")
            % {"sign": sign.name, "what": sign.progressive or sign.table_log},
            gettext("look"),
            reverse("display", args=[sign.pk]),
            sign.premises,
            sign.last_seen_at,
        )


def dark(user: User) -> QuerySet[Display]:
    own = access.premises_of(user, OF_SIGNS)
    return Display.objects.filter(
        premises__in=own, revoked_at__isnull=True, last_seen_at__lt=timezone.now() - DARK
    )


@console.panel("jackpots/_meters_panel.html", READERS, order=10)
def meters(user: User) -> dict[str, Any]:
    """The figures that signs were sent last, by progressive and level, each with its last 24 hours."""
    last = Frame.objects.filter(progressive=OuterRef("pk")).order_by("-sequence").values("pk")[:1]
    mine: list[Any] = list(visible_progressives(user).annotate(newest=Subquery(last)).order_by("name"))
    frames = with_texts(Frame.objects.filter(pk__in=[each.newest for each in mine]))
    bodies: dict[int, dict[str, Any]] = {frame.progressive_id: frame.body or {} for frame in frames}
    drawn = history.sparks(mine, timezone.now()) if bodies else {}
    rows = []
    for progressive in mine:
        body = bodies.get(progressive.pk, {})
        pending = len(body.get("pending", []))
        levels = [
            level | {"spark": drawn.get((progressive.pk, level["level"]))} for level in body.get("levels", [])
        ]
        rows.append({"progressive": progressive, "levels": levels, "pending": pending})
    return {"rows": rows}


@console.panel("jackpots/_set_up_panel.html", [Role.ADMINISTRATOR], order=92)
def set_up(user: User) -> dict[str, Any]:
    """Progressives and signs of the premises that the reader administers."""
    own = access.premises_of(user, Role.ADMINISTRATOR)
    found = Progressive.objects.filter(Q(host__in=own) | Q(links__table_log__premises__in=own)).distinct()
    signs = Display.objects.filter(premises__in=own, revoked_at__isnull=True)
    return {
        "progressives": list(found.select_related("host").order_by("name")[:20]),
        "signs": signs.count(),
        "dark": dark(user).count(),
        "never": signs.filter(last_seen_at__isnull=True).count(),
    }
