"""What the floor tells the home page: silent tables, stuck and parked rounds that wait for someone; how it stands."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from config.kit.moments import MINUTE, told
from jackpots.models import UndecidedRound
from jackpots.queries import READERS
from people import access
from people.approvals import waiting
from people.models import Role, User
from people.pages import console
from tables import queries
from tables.corrections import claims, corrected_hands
from tables.floor import changes, silence
from tables.models import Round, Table, TableChange
from tables.models.changes import NOTICE
from tables.queries import SILENT_S, jackpot_state
from tables.settle.settlement import ROUND_PARKED

waiting.DEALT_WITH_ELSEWHERE.add(ROUND_PARKED.name)
NEVER_STUCK_BEFORE = timedelta(minutes=2)
"""No game's round is stuck sooner: what is younger is not looked at."""


@console.tasks(gettext_noop("Silent tables"), silence.STAFF)
def silent_tables(user: User) -> Iterable[console.Task]:
    """Open and not heard. Where wins wait for it, it is urgent."""
    now = timezone.now()
    rows = Table.objects.filter(
        Q(last_heard_at__isnull=True) | Q(last_heard_at__lt=now - timedelta(seconds=SILENT_S)),
        premises__in=access.premises_of(user, silence.STAFF),
        is_open=True,
    )
    rows = rows.select_related("premises", "table_log").prefetch_related("table_log__links__progressive")
    for table in rows.order_by("last_heard_at")[: console.MAX_TASKS + 1]:
        state = jackpot_state(table.table_log, table.progressives, now)
        silent = gettext_noop("%(table)s is not heard")
        waited_for = gettext_noop("%(table)s is not heard and wins wait for it")
        yield console.Task(
            gettext(waited_for if state == "silent" else silent) % {"table": table.code},
            gettext("bring it back"),
            reverse("table", args=[table.premises.code, table.code]),
            table.premises,
            table.last_heard_at,
            urgent=state == "silent",
        )


@console.tasks(gettext_noop("Parked rounds"), [Role.SUPERVISOR, Role.JACKPOT_MANAGER])
def parked_rounds(user: User) -> Iterable[console.Task]:
    own = access.premises_of(user, [Role.SUPERVISOR, Role.JACKPOT_MANAGER])
    # Written as the small index of unsettled rounds has it.
    rows = Round.objects.filter(table__premises__in=own).exclude(state=Round.State.SETTLED)
    rows = rows.filter(state=Round.State.PARKED).select_related("table__premises")
    for round in rows.order_by("pk")[: console.MAX_TASKS + 1]:
        yield console.Task(
            gettext("Round %(number)s of %(table)s cannot be settled")
            % {"number": round.number, "table": round.table.code},
            gettext("look"),
            reverse("round", args=[round.table.premises.code, round.pk]),
            round.table.premises,
            round.closed_at,
            urgent=True,
        )


@console.tasks(gettext_noop("Stuck rounds"), silence.STAFF)
def stuck_rounds(user: User) -> Iterable[console.Task]:
    """Rounds that wins wait for and that last longer than any of their game."""
    now = timezone.now()
    own = access.premises_of(user, silence.STAFF)
    waiting_rows = UndecidedRound.objects.filter(
        table_log__premises__in=own, left_out=False, unawaited=False, since__lt=now - NEVER_STUCK_BEFORE
    ).select_related("table_log__premises", "progressive")
    found = list(waiting_rows.order_by("since")[: console.MAX_TASKS + 1])
    tables = Table.objects.filter(table_log__in={row.table_log_id for row in found}).select_related("config")
    longest = {table.table_log_id: timedelta(seconds=table.config.game.longest_round_s) for table in tables}
    for row in found:
        if row.table_log_id in longest and row.since < now - longest[row.table_log_id]:
            table_log = row.table_log
            yield console.Task(
                gettext("A round at %(table_code)s is not decided; %(progressive)s waits for it")
                % {"table_code": table_log.table_code, "progressive": row.progressive.name},
                gettext("end it"),
                reverse("table", args=[table_log.premises.code, table_log.table_code]),
                table_log.premises,
                row.since,
                urgent=True,
            )


@console.tasks(gettext_noop("Owed and recoverable"), claims.WHO)
def open_claims(user: User) -> Iterable[console.Task]:
    """What corrected rounds have left: owed money may have somebody at the desk."""
    rows = queries.visible_claims(user).filter(
        left__gt=0, table__premises__in=access.premises_of(user, claims.WHO)
    )
    for claim in rows[: console.MAX_TASKS + 1]:
        owed = gettext_noop("%(who)s at %(table)s is owed money")
        overpaid = gettext_noop("%(who)s at %(table)s was overpaid")
        who = claim.player or gettext("seat %(seat)s") % {"seat": claim.seat}
        yield console.Task(
            gettext(owed if claim.kind == "owed" else overpaid) % {"who": who, "table": claim.table.code},
            gettext("settle"),
            reverse("claim", args=[claim.pk]),
            claim.table.premises,
            claim.at,
            amount_micros=claim.left,
            currency=claim.table.premises.currency,
        )


@console.tasks(gettext_noop("Jackpot hands of corrected rounds"), silence.STAFF)
def corrected_rounds(user: User) -> Iterable[console.Task]:
    for round in corrected_hands.waiting(access.premises_of(user, silence.STAFF)):
        premises = round.table.premises
        yield console.Task(
            gettext("Round %(number)s of %(table)s was corrected: its jackpot hands are others")
            % {"number": round.number, "table": round.table.code},
            gettext("put right"),
            reverse("round-hands", args=[premises.code, round.pk]),
            premises,
            round.closed_at,
        )


@console.tasks(gettext_noop("Coming changes"), [Role.SUPERVISOR])
def coming_changes(user: User) -> Iterable[console.Task]:
    """Signs that are up: other limits or rules, and tables that close. The dealer must hear of it before the time."""
    own = access.premises_of(user, Role.SUPERVISOR)
    planned = TableChange.objects.filter(table__premises__in=own, state=TableChange.State.PLANNED)
    planned = planned.select_related("table__premises", "was", "config").order_by("from_at")
    for change in planned[: console.MAX_TASKS + 1]:
        worse = changes.what_is_worse(change.was, change.config)
        what = "; ".join(worse) or gettext("other %(kind)s") % {"kind": gettext(change.kind)}
        yield _coming(change.table, f"{change.table.code}: {what}", change.from_at, change.shown_at)
    closing = Table.objects.filter(premises__in=own, is_open=True, closing_at__isnull=False)
    for table in closing.select_related("premises").order_by("closing_at")[: console.MAX_TASKS + 1]:
        if table.closing_at is not None:
            yield _coming(
                table,
                gettext("%(table)s closes") % {"table": table.code},
                table.closing_at,
                table.closing_at - NOTICE,
            )


def _coming(table: Table, what: str, at: datetime, shown_at: datetime) -> console.Task:
    minutes = int((at - timezone.now()).total_seconds() // 60)
    left = gettext("%(minutes)d min to go") % {"minutes": minutes} if minutes > 0 else gettext("due now")
    address = reverse("table", args=[table.premises.code, table.code])
    return console.Task(
        gettext("%(what)s, at %(local)s") % {"what": what, "local": told(at, table.premises, MINUTE)},
        left,
        f"{address}#limits",
        table.premises,
        shown_at,
    )


@console.panel("tables/_floor_panel.html", READERS, order=20)
def floor(user: User) -> dict[str, Any]:
    """By premises: tables open and silent, and what they have won today by the books."""
    return {"rows": queries.sums(list(access.premises_of(user, READERS).order_by("code")))}


@console.panel("tables/_set_up_panel.html", [Role.ADMINISTRATOR], order=91)
def set_up(user: User) -> dict[str, Any]:
    """Tables of the premises that the reader administers."""
    tables = Table.objects.filter(premises__in=access.premises_of(user, Role.ADMINISTRATOR))
    now = timezone.now() - timedelta(seconds=SILENT_S)
    return {
        "tables": tables.count(),
        "open": tables.filter(is_open=True).count(),
        "silent": tables.filter(
            Q(last_heard_at__isnull=True) | Q(last_heard_at__lt=now), is_open=True
        ).count(),
        "without": tables.filter(terminals__isnull=True).count(),
    }
