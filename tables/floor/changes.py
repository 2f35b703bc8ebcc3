"""From one set of a table's rules to the next: what is worse for players, the limits sign before it, and when it holds.

A round keeps the rules of the moment it began in, also where it is reported later; one that inherits wagers keeps the
rules these were laid by. Verbs that people call are in tables.floor.limits and tables.floor.set_up; here the table's
row is locked.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_noop

from config.kit.gaming_day import gaming_day
from config.kit.moments import MOMENT, told
from config.kit.refusals import NOT_NOW, Refused, wrong
from jackpots.order import server_clock
from people.audit import audit
from people.models import User
from rules.codec import limits_from_json
from rules.contract import KindLimits, Limits, Wager
from rules.declare import Game
from rules.limits import bounds_of
from rules.money import say
from rules.notices import CLOSING_SHOWN, EXCEPTIONS, LIMITS_SHOWN
from tables.models import InspectorNotice, Round, Table, TableChange, TableConfig
from tables.models.changes import NOTICE

UNDER_WAY = (Round.State.OPEN, Round.State.LOCKED)
WAGERED = (gettext_noop("minimum"), gettext_noop("maximum"), gettext_noop("increment"))
"""What one person may change of a kind's limits: what may be wagered, and not what is paid."""


def limits_of(config: TableConfig) -> Limits:
    return limits_from_json(config.game, config.document["limits"])


# --- What a change is -------------------------------------------------------------------------------------------
def paid_part(document: dict[str, Any]) -> dict[str, Any]:
    """A table's rules without what may be wagered: where two agree in it, they pay the same."""
    limits = document["limits"]
    kinds = {
        kind: {name: amount for name, amount in bounds.items() if name not in WAGERED}
        for kind, bounds in limits["kinds"].items()
    }
    rest = {name: value for name, value in limits.items() if name not in ("kinds", "players")}
    return document | {"limits": rest | {"kinds": {kind: bounds for kind, bounds in kinds.items() if bounds}}}


def worse_limits(game: Game, was: Limits, now: Limits) -> Iterator[str]:
    """What may be wagered less freely than before, in words: for all, then for players with a sign of their own."""
    kinds = [kind.name for kind in game.wagers if not kind.fee]
    for who in ("", *sorted({*was.players, *now.players})):
        said: dict[str, list[str]] = {}
        for kind in kinds:
            wager = Wager("", kind, 0, player=who)
            for words in _worse(bounds_of(game, was, wager), bounds_of(game, now, wager)):
                said.setdefault(words, []).append(kind)
        for words, those in said.items():
            which = "all wagers" if those == kinds else ", ".join(those)
            yield f"{which}{' of ' + who if who else ''}: {words}"


def _worse(before: KindLimits, after: KindLimits) -> Iterator[str]:
    if after.minimum > before.minimum:
        yield f"minimum {say(before.minimum)} → {say(after.minimum)}"
    if after.maximum is not None and (before.maximum is None or after.maximum < before.maximum):
        was = "none" if before.maximum is None else say(before.maximum)
        yield f"maximum {was} → {say(after.maximum)}"
    if (after.increment or 0) > (before.increment or 0):
        yield f"increment {say(before.increment or 0)} → {say(after.increment or 0)}"


def what_is_worse(was: TableConfig, now: TableConfig) -> list[str]:
    """Of what is paid differently nobody can say whom it hurts: it counts as worse."""
    found = list(worse_limits(now.game, limits_of(was), limits_of(now)))
    return [*found, *(["what is paid"] if paid_part(was.document) != paid_part(now.document) else [])]


# --- Planned, in force, withdrawn -------------------------------------------------------------------------------
def plan(
    table: Table,
    kind: TableChange.Kind,
    config: TableConfig,
    *,
    asked_by: User,
    reason: str,
    approved_by: User | None = None,
    exception: str = "",
    chips: list[str] | None = None,
) -> TableChange:
    """The change of a table whose row the caller holds: at once, or 20 minutes after its limits sign, shown now."""
    now = server_clock.read().now
    take_effect(table, now)
    if config == table.config and chips in (None, table.chips):
        raise Refused("nothing_changed", f"{table} has these rules already.", status=NOT_NOW)
    if table.change_due_at is not None:
        text = f"A change of {table} is shown already; withdraw it first, or wait until it is in force."
        raise Refused("change_planned", text, status=NOT_NOW)
    worse = what_is_worse(table.config, config)
    rule = LIMITS_SHOWN.get(config.game.rulebook, "")
    needs_notice = bool(worse and rule)
    exception = exception if needs_notice else ""
    if exception:
        refuse_exception(table, exception, now)
    change = TableChange.objects.create(
        table=table,
        kind=kind,
        was=table.config,
        config=config,
        chips=chips,
        needs_notice=needs_notice,
        exception=exception,
        reason=reason,
        asked_by=asked_by,
        approved_by=approved_by,
        shown_at=now,
        from_at=now + NOTICE if needs_notice and not exception else now,
    )
    if needs_notice and rule.startswith("nz-"):  # the other rulebook tells no inspector
        _tell_inspector(change, rule, worse)
    table.change_due_at = change.from_at
    table.save(update_fields=["change_due_at"])
    _record(approved_by or asked_by, "planned", change, worse=worse)
    if take_effect(table, now):
        change.refresh_from_db()
    return change


def refuse_unknown_exception(table: Table, exception: str) -> None:
    """Whatever else holds: the book has no such exception. Also before anybody else is asked to approve it."""
    rulebook = table.config.game.rulebook
    rule = LIMITS_SHOWN.get(rulebook, "")
    if exception not in EXCEPTIONS or not rule.startswith("nz-"):
        raise wrong(
            "exception",
            f"{rule or rulebook} knows no such exception: show the limits sign, and wait 20 minutes.",
        )


def refuse_exception(table: Table, exception: str, now: datetime) -> None:
    """What Potline itself knows to be otherwise nobody states on record."""
    refuse_unknown_exception(table, exception)
    rule, rounds = LIMITS_SHOWN[table.config.game.rulebook], table.rounds.all()
    if exception == "c" and (
        table.is_open or rounds.filter(gaming_day=gaming_day(table.premises, now)).exists()
    ):
        raise wrong("exception", f"{table} has been open in this gaming day: {rule}(c) does not hold.")
    if exception == "d" and rounds.filter(state__in=UNDER_WAY).exists():
        raise wrong("exception", f"A round of {table} is under way: {rule}(d) does not hold.")


def _tell_inspector(change: TableChange, rule: str, worse: list[str]) -> None:
    if change.exception:
        when, cited = f"changed at once, as {EXCEPTIONS[change.exception]}", f"{rule}({change.exception})"
    else:
        when, cited = f"to be changed at {told(change.from_at, change.table.premises, MOMENT)}", f"{rule}(a)"
    InspectorNotice.objects.create(
        table=change.table,
        kind="limits",
        rule=cited,
        text=f"{change.table.code}: {'; '.join(worse)}; {when}.",
        change=change,
        made_by=change.approved_by or change.asked_by,
    )


def planned_of(table: Table) -> TableChange | None:
    return table.changes.filter(state=TableChange.State.PLANNED).select_related("config", "was").first()


def take_effect(table: Table, now: datetime) -> bool:
    """The change that is due, if one is: rounds that begin from its time on are played by it. The caller holds the
    row."""
    change = planned_of(table) if table.change_due_at is not None and table.change_due_at <= now else None
    if change is None:
        return False
    change.state, change.ended_at = TableChange.State.IN_FORCE, change.from_at
    change.save(update_fields=["state", "ended_at"])
    table.config, table.rules_from, table.change_due_at = change.config, change.from_at, None
    if change.chips is not None:
        table.chips = change.chips
    table.save(update_fields=["config", "rules_from", "change_due_at", "chips"])
    _record("house", "in_force", change)
    return True


def withdraw(table: Table, actor: User, reason: str) -> TableChange:
    """Before its time: what the limits sign says is taken back. The caller holds the row and has asked who may."""
    now = server_clock.read().now
    take_effect(table, now)
    change = planned_of(table)
    if change is None:
        raise Refused("nothing_planned", f"No change of {table} waits for its time.", status=NOT_NOW)
    change.state, change.ended_at = TableChange.State.WITHDRAWN, now
    change.save(update_fields=["state", "ended_at"])
    table.change_due_at = None
    table.save(update_fields=["change_due_at"])
    _record(actor, "withdrawn", change, reason=reason)
    return change


def _record(
    actor: User | str, step: str, change: TableChange, *, reason: str = "", worse: list[str] | None = None
) -> None:
    details = {"change": change.pk, "rules": change.config.sha256, "from": change.from_at.isoformat()}
    if worse:
        details["worse"] = "; ".join(worse)
    if change.exception:
        details["exception"] = change.exception
    audit.record(
        actor,
        f"tables.change_{step}",
        premises=change.table.premises,
        subject=change.table,
        reason=reason or change.reason,
        details=details,
    )


def take_effect_everywhere() -> int:
    """What is due at tables whose terminal sends nothing, for beat."""
    due = Table.objects.filter(change_due_at__lte=server_clock.read().now)
    done = 0
    for pk in due.values_list("pk", flat=True):
        with transaction.atomic():
            done += take_effect(locked(pk), server_clock.read().now)
    return done


def locked(table_id: int) -> Table:
    """Its config is read after the lock: joined, the row of a table whose rules changed meanwhile would be none."""
    rows = Table.objects.select_for_update(no_key=True, of=("self",))
    return rows.select_related("premises", "table_log").get(pk=table_id)


# --- Which rules a round has ------------------------------------------------------------------------------------
def rules_at(table: Table, began: datetime) -> TableConfig:
    """What held when a round began that is reported after a change."""
    if table.rules_from is None or began >= table.rules_from:
        return table.config
    changes = table.changes.filter(state=TableChange.State.IN_FORCE).select_related("config", "was")
    before = changes.filter(ended_at__lte=began).order_by("-ended_at", "-pk").first()
    if before is not None:
        return before.config
    first = changes.order_by("ended_at", "pk").first()
    return table.config if first is None else first.was


def rules_for(table: Table, began: datetime, last: Round | None) -> TableConfig:
    """The rules of a round that began then. `last`: the table's last round, where it left wagers on the layout: these
    are settled by the rules they were laid by, as far as those say what is paid or share a maximum."""
    found = rules_at(table, began)
    if last is None or last.config_id == found.pk:
        return found
    same = paid_part(found.document) == paid_part(last.config.document) and not found.game.sharing
    return found if same else last.config


def has_players(table: Table, now: datetime, within: timedelta = NOTICE) -> bool:
    """Whether people play there: a round is under way, or ended lately."""
    rounds = table.rounds.all()
    return rounds.filter(state__in=UNDER_WAY).exists() or rounds.filter(closed_at__gte=now - within).exists()


def closing_rule(table: Table, now: datetime) -> str:
    """The rule by which players have to be told before this table closes now; "": none."""
    rule = CLOSING_SHOWN.get(table.config.game.rulebook, "")
    told = table.closing_at is not None and table.closing_at <= now
    return rule if rule and not told and has_players(table, now) else ""
