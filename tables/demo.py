"""The demo casino's floor: a document (simulator/floors/demo.json) as any other, with tokens that are public: see
config.kit.demo. Its people are in people.demo."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from django.db import transaction

from config.kit.demo import Secret
from jackpots.log import event_log
from jackpots.models import Display, Progressive
from jackpots.signs.displays import revoke_display
from people import tokens
from people.approvals import approvals
from people.models import ApprovalRequest, Premises, User
from rules.money import dollars
from tables.chips import cage, chips
from tables.floor.apply import apply_at_once
from tables.floor.document_form import read
from tables.floor.terminals import revoke_terminal
from tables.models import Table, Terminal

FLOOR = Path(__file__).resolve().parents[1] / "simulator" / "floors" / "demo.json"


def _document() -> dict[str, Any]:
    return read(FLOOR.read_text(encoding="utf-8"))


COUNTED = "harbour/RO-02"
"""The table that was closed and counted this afternoon. All others play."""
OPENING = {"cash": dollars(5_000_000), "chips": dollars(1_000_000)}
"""What each cage opens with: jackpots are paid out of it, openers and fills come from it."""
OPENER = "400 x 25.00, 1500 x 5.00, 2500 x 1.00"
FILLED = ("harbour/CS-01", "harbour/BJ-01", "lakeside/CS-03")
FILL = "60 x 25.00, 100 x 5.00"
COUNT = (
    ("opener", "100 x 25.00, 400 x 5.00, 500 x 1.00"),
    ("fill", "40 x 25.00"),
    ("credit", "20 x 25.00"),
    ("drop", "20 x 100.00, 12 x 50.00"),
    ("closer", "80 x 25.00, 150 x 5.00, 130 x 1.00"),
)
"""2,880.00 + 500.00 + 2,600.00 - 5,000.00 - 1,000.00: 20.00 less than play gives. Whoever closes the day looks."""


def token_of(name: str) -> str:
    """By the name of a terminal (`harbour/CS-01/CS-01 demo`) or of a sign (`harbour/Main wall`)."""
    _, what, *terminal = name.split("/")
    return f"demo-{'terminal' if terminal else 'sign'}-{what.lower().replace(' ', '-')}"


@transaction.atomic
def load() -> str:
    """What is missing of it: what people have changed since stays as they want it."""
    document = _document()
    there: dict[str, set[str]] = {
        "premises": set(Premises.objects.values_list("code", flat=True)),
        "progressives": set(Progressive.objects.values_list("code", flat=True)),
        "tables": {f"{at}/{code}" for at, code in Table.objects.values_list("premises__code", "code")},
        "displays": {f"{at}/{name}" for at, name in Display.objects.values_list("premises__code", "name")},
    }
    for section, names in there.items():
        document[section] = {name: each for name, each in document[section].items() if name not in names}
    apply_at_once(document, "demo", token_of)
    for name in document["tables"]:
        if name != COUNTED:
            _open(name)
    signs = [f"  /signs/{token_of(name)}/" for name in _document()["displays"]]
    terminals = f"Terminals: Authorization: Bearer {token_of('harbour/CS-01/')} for table CS-01, and so on."
    return "\n".join(["Signs:", *signs, terminals])


def _open(name: str) -> None:
    """By nobody: the demo's people are asleep."""
    at, _, code = name.partition("/")
    table = Table.objects.select_related("table_log").get(premises__code=at, code=code)
    table.is_open = True
    table.save(update_fields=["is_open"])
    if table.progressives:
        event_log.open_log(table.table_log)


# --- Money ------------------------------------------------------------------------------------------------------
@transaction.atomic
def load_money() -> None:
    """Cages with their openings, openers and fills at the tables, one table counted: as the demo's people would have
    entered it this afternoon. Only where no money is yet."""
    for premises in Premises.objects.filter(code__in=("harbour", "lakeside")):
        if not cage.is_opened(premises):
            _open_cage(premises)


def _open_cage(premises: Premises) -> None:
    finance, supervisor = (User.objects.get(username=name) for name in ("finance", "supervisor"))
    for money, micros in OPENING.items():
        cage.enter_slip(premises, finance, "opening", money, micros)
    _approve(cage.waiting(premises), User.objects.get(username="finance2"))
    for table in Table.objects.filter(premises=premises).order_by("code"):
        name = f"{premises.code}/{table.code}"
        slips = (
            COUNT if name == COUNTED else (("opener", OPENER), *([("fill", FILL)] if name in FILLED else []))
        )
        for kind, counted_as in slips:
            asks, approves = (finance, supervisor) if kind == "drop" else (supervisor, finance)
            chips.enter_slip(table.pk, kind, "", None, asks, counted_as=counted_as)
            _approve(chips.waiting_slips(premises, table.code), approves)


def _approve(asked: list[ApprovalRequest], by: User) -> None:
    for request in asked:
        approvals.approve(request, by)


def public_secrets() -> list[Secret]:
    """The terminals for which anyone can speak by a demo's token, and the signs that anyone can show."""
    document = _document()
    hashes = [
        tokens.hash_token(token_of(name))
        for name in (*document["displays"], *(f"{table}/" for table in document["tables"]))
    ]
    signs = Display.objects.filter(token_sha256__in=hashes, revoked_at__isnull=True)
    found = Terminal.objects.filter(token_sha256__in=hashes, revoked_at__isnull=True).select_related("table")
    return [
        *(
            Secret(f"sign {sign}", partial(revoke_display, "command line", sign, "public token"))
            for sign in signs
        ),
        *(
            Secret(f"terminal {terminal}", partial(revoke_terminal, "command line", terminal, "public token"))
            for terminal in found.order_by("pk")
        ),
    ]
