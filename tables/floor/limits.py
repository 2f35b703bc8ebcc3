"""What a supervisor says on the limits signs of a table: limits, exceptions for players, and that it closes.

Limits say what may be wagered, so one person changes them; what is paid takes two (tables.floor.set_up). A change that
is worse for players takes effect 20 minutes after its limits sign (tables.floor.changes).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db import transaction

from config.kit.refusals import NOT_NOW, Refused, by_rule
from jackpots.order import server_clock
from people import access
from people.audit import audit
from people.models import Role, User
from rules import RuleError
from rules.contract import Limits, Wager
from rules.declare import Game
from rules.limits import bounds_of
from rules.money import say
from tables.floor import changes
from tables.floor.opening import store_config
from tables.models import Table, TableChange
from tables.models.changes import NOTICE


@transaction.atomic
def change_limits(
    table_id: int, actor: User, limits: dict[str, Any], reason: str, exception: str = ""
) -> TableChange:
    """`limits`: all that the limits sign says, as in a round's document."""
    table = changes.locked(table_id)
    access.require(actor, Role.SUPERVISOR, table.premises)
    document = table.config.document | {"limits": limits}
    try:
        config = store_config(document)
    except RuleError as fault:
        raise by_rule((fault,)) from None
    refuse_against_book(config.game, changes.limits_of(config))
    if changes.paid_part(config.document) != changes.paid_part(table.config.document):
        text = (
            "Chips, maximum payouts and the differential say what is paid: two people change these (Rules)."
        )
        raise Refused("two_people", text)
    return changes.plan(
        table, TableChange.Kind.LIMITS, config, asked_by=actor, reason=reason, exception=exception
    )


def refuse_against_book(game: Game, limits: Limits) -> None:
    """What Division I asks of limits signs and the rules core does not look at, since no wager depends on it."""
    if not game.rulebook.startswith("nz-"):
        return
    faults = [*_increment_faults(limits), *_exception_faults(game, limits)]
    if faults:
        raise by_rule(faults)


def _increment_faults(limits: Limits) -> Iterator[RuleError]:
    for where, kinds in (
        ("kinds", limits.kinds),
        *((f"players.{who}", own) for who, own in limits.players.items()),
    ):
        for kind, bounds in kinds.items():
            if bounds.increment and bounds.increment > bounds.minimum:
                text = f"{say(bounds.increment)} is over the minimum of {say(bounds.minimum)}"
                yield RuleError(text, field=f"limits.{where}.{kind}.increment", rule="nz-1996 I 13.5")


def _exception_faults(game: Game, limits: Limits) -> Iterator[RuleError]:
    """A limits sign for one player lets them wager more than the table's maximum, and never less."""
    for who, kinds in limits.players.items():
        for kind, bounds in kinds.items():
            names = list(game.kinds) if kind == "*" else [kind]
            stated = [bounds_of(game, limits, Wager("", name, 0)).maximum for name in names]
            most = min((each for each in stated if each is not None), default=None)
            if bounds.maximum is not None and (most is None or bounds.maximum < most):
                text = "a player's own limits sign is for wagers over the table's maximum, not for less"
                yield RuleError(text, field=f"limits.players.{who}.{kind}.maximum", rule="nz-1996 I 13.4")


@transaction.atomic
def withdraw_change(table_id: int, actor: User, reason: str) -> TableChange:
    """Takes a limits sign back before its time."""
    table = changes.locked(table_id)
    access.require(actor, (Role.SUPERVISOR, Role.ADMINISTRATOR), table.premises)
    return changes.withdraw(table, actor, reason)


# --- Closing ----------------------------------------------------------------------------------------------------
@transaction.atomic
def show_closing(table_id: int, actor: User, reason: str) -> Table:
    """The limits sign that a table closes in 20 minutes is put up: no round begins after that."""
    table = changes.locked(table_id)
    access.require(actor, Role.SUPERVISOR, table.premises)
    if not table.is_open:
        raise Refused("already_closed", f"{table} is closed already.", status=NOT_NOW)
    if table.closing_at is not None:
        raise Refused("closing_shown", f"That {table} closes is shown already.", status=NOT_NOW)
    table.closing_at = server_clock.read().now + NOTICE
    table.save(update_fields=["closing_at"])
    details = {"closing_at": table.closing_at.isoformat()}
    audit.record(
        actor, "tables.closing_shown", premises=table.premises, subject=table, reason=reason, details=details
    )
    return table


@transaction.atomic
def take_closing_back(table_id: int, actor: User, reason: str) -> Table:
    table = changes.locked(table_id)
    access.require(actor, Role.SUPERVISOR, table.premises)
    if table.closing_at is None:
        raise Refused("no_closing", f"No limits sign says that {table} closes.", status=NOT_NOW)
    table.closing_at = None
    table.save(update_fields=["closing_at"])
    audit.record(actor, "tables.closing_taken_back", premises=table.premises, subject=table, reason=reason)
    return table
