"""Chips of no value of their own (nz-1996 I 18): a player buys a colour at a table, declares what one chip is worth,
and redeems them there. What is out is owed, and stands in the books as a liability of the table."""

from __future__ import annotations

from django.db import transaction

from config.kit.canonical_json import sha256_of
from config.kit.refusals import NOT_NOW, Refused, wrong
from ledger.books import chart
from ledger.books.journal import NewEntry, post_many
from people import access
from people.audit import audit
from people.models import Role, User
from rules.money import CENT, dollars, format_money, parse_money
from rules.non_value_chips import DECLARED_BEFORE, ONE_HOLDER, permitted_by
from tables.models import ColourStep, Table

WHO = frozenset({Role.SUPERVISOR})
MAX_CHIPS = 10_000
MAX_MICROS = dollars(10_000)
"""Of one chip: more is a slip of the pen."""
Kind = ColourStep.Kind


@transaction.atomic
def issue(table_id: int, actor: User, colour: str, player: str, value_micros: int, chips: int) -> ColourStep:
    """A player buys chips of a colour, for cash or value chips, and declares their value; more of the same later are
    of the same value. Cash for them is in the drop box and is counted there."""
    table = _locked(table_id)
    access.require(actor, WHO, table.premises)
    rule = permitted_by(table.config.game)
    if not rule:
        text = f"{table.config.game.title} is played with value chips: its rules permit no others (nz-1996 I 18.1)."
        raise Refused("no_non_value_chips", text, status=NOT_NOW)
    name, who = colour.strip().lower(), player.strip()
    if not table.is_open:
        raise Refused("table_closed", f"{table} is closed: open it first.", status=NOT_NOW)
    if not name or not who:
        raise wrong("player" if name else "colour", "Say which colour, and whose it is.")
    if not 1 <= chips <= MAX_CHIPS:
        raise wrong("chips", f"1 to {MAX_CHIPS} chips.")
    least = parse_money(table.chips[0]) if table.chips else CENT
    if not 0 < value_micros <= MAX_MICROS or value_micros % least:
        raise wrong(
            "value", f"A chip is worth a multiple of {format_money(least)}, which can be paid in chips here."
        )
    last = _last(table, name)
    if last is not None and last.owed_micros:
        if last.player != who:
            raise wrong("colour", f"{name.capitalize()} chips of {table} are {last.player}'s ({ONE_HOLDER}).")
        if last.value_micros != value_micros:
            was = format_money(last.value_micros)
            raise wrong(
                "value", f"{name.capitalize()} chips were declared at {was} before play ({DECLARED_BEFORE})."
            )
    return _keep(table, actor, name, who, Kind.ISSUED, value_micros, chips, None)


@transaction.atomic
def redeem(table_id: int, actor: User, colour: str, chips: int, left: int) -> ColourStep:
    """Chips of a colour are exchanged for value chips from the tray, at their own table. `left` is what the player
    still has by the rack; with no chips it is only counted, as before a closer."""
    table = _locked(table_id)
    access.require(actor, WHO, table.premises)
    name = colour.strip().lower()
    last = _last(table, name)
    if last is None or not last.owed_micros:
        text = f"No {name} chips of {table} are out. They are redeemed where they were issued (nz-1996 I 18.2(c))."
        raise Refused("colour_not_out", text, status=NOT_NOW)
    if not 0 <= chips <= MAX_CHIPS or not 0 <= left <= MAX_CHIPS:
        raise wrong("chips" if not 0 <= chips <= MAX_CHIPS else "left", f"0 to {MAX_CHIPS} chips.")
    return _keep(table, actor, name, last.player, Kind.REDEEMED, last.value_micros, chips, left)


def set_aside(table: Table, actor: User, colour: str) -> ColourStep:
    """Nobody came for what is out of a colour: it is owed as unclaimed money from now on (tables.chips.unclaimed)."""
    name = colour.strip().lower()
    last = _last(table, name)
    if last is None or not last.owed_micros or last.left is None:
        text = f"Count first how many {name} chips of {table} are out."
        raise Refused("colour_not_out", text, status=NOT_NOW)
    return _keep(table, actor, name, last.player, Kind.SET_ASIDE, last.value_micros, last.left, 0)


def _keep(
    table: Table, actor: User, colour: str, player: str, kind: Kind, value_micros: int, chips: int, left: int | None
) -> ColourStep:  # fmt: skip
    last = _last(table, colour)
    before = last.owed_micros if last else 0
    owed = before + chips * value_micros if left is None else left * value_micros
    row = ColourStep.objects.create(
        table=table, colour=colour, player=player, kind=kind, value_micros=value_micros, chips=chips, left=left,
        owed_micros=owed, moved_micros=owed - before, actor=actor,
    )  # fmt: skip
    row.refresh_from_db(fields=["at"])
    entry = entry_of(row)
    if entry is not None:
        post_many([entry])
    audit.record(
        actor,
        f"tables.chips_{kind.value}",
        premises=table.premises,
        subject=table,
        details={
            "colour": colour, "player": player, "value": format_money(value_micros), "chips": chips, "left": left,
            "owed": format_money(owed),
        },
    )  # fmt: skip
    return row


def entry_of(row: ColourStep) -> NewEntry | None:
    """What is out of a colour moves between tray and liability: sold chips bring their price into the tray, redeemed
    ones take it out, and what was lost or won in the colour meanwhile is in the rounds. None where nothing moved; what
    is set aside is booked by tables.chips.unclaimed."""
    if not row.moved_micros or row.kind == Kind.SET_ASIDE:
        return None
    premises = row.table.premises
    bank, owed = (chart.table(premises.code, row.table.code, name) for name in ("bank", "non-value-chips"))
    return NewEntry(
        key=f"tables:colour:{row.pk}",
        premises=premises,
        kind=f"chips.{row.kind}",
        reference=f"tables.table:{row.table_id}",
        source_hash=sha256_of(content_of(row)),
        legs={bank: row.moved_micros, owed: -row.moved_micros},
        occurred_at=row.at,
        memo=f"{row.chips} x {format_money(row.value_micros)} {row.colour}",
    )


def content_of(row: ColourStep) -> dict[str, object]:
    return {
        "table": row.table.code, "colour": row.colour, "player": row.player, "kind": str(row.kind),
        "value": row.value_micros, "chips": row.chips, "left": row.left, "owed": row.owed_micros,
    }  # fmt: skip


def outstanding(table: Table) -> list[ColourStep]:
    """The last step of each colour for which something is owed."""
    last = table.colour_steps.order_by("colour", "-pk").distinct("colour")
    return [row for row in last if row.owed_micros]


def _last(table: Table, colour: str) -> ColourStep | None:
    return table.colour_steps.filter(colour=colour).order_by("-pk").first()


def _locked(table_id: int) -> Table:
    tables = Table.objects.select_for_update(no_key=True, of=("self",))
    return tables.select_related("premises", "config").get(pk=table_id)
