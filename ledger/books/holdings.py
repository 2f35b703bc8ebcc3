"""What a table's tray or the cage holds by the books. Nobody hands out more, unless two people have said why."""

from __future__ import annotations

from collections.abc import Mapping

from config.kit.refusals import NOT_NOW, Refused
from ledger.books import chart
from ledger.books.balances import balances
from people.models import Premises
from rules.money import say


def tray(premises: str, table_code: str) -> str:
    return chart.table(premises, table_code, "bank")


def cage(premises: str, money: str) -> str:
    return chart.account(premises, "cage", money)


def in_words(code: str) -> str:
    """`the tray of CS-1`, `the cage`: as refusals name it."""
    _, room, name, *_ = code.split("/")
    if room == "tables":
        return f"the tray of {name}"
    return "the cage" if name == "cash" else "the cage's stock of chips"


def wait_for_turn(premises: Premises) -> None:
    """Whoever takes money out of a tray or the cage waits for whoever does so just now, until that is committed: else
    two could hand out the same money. Play and everything else that is booked does not wait for it."""
    Premises.objects.select_for_update(no_key=True).only("pk").get(pk=premises.pk)


def short_of(premises: Premises, wanted: Mapping[str, int]) -> dict[str, int]:
    """Of the accounts that do not hold what is to be taken, what they hold. In the transaction that takes it."""
    wait_for_turn(premises)
    held = balances(wanted)
    return {code: held[code] for code, micros in wanted.items() if held[code] < micros}


def refusal(short: Mapping[str, int], wanted: Mapping[str, int], way_out: str) -> Refused:
    lacking = [
        f"{in_words(code)} holds {say(held)} by the books, and {say(wanted[code])} would be taken"
        for code, held in short.items()
    ]
    text = "; ".join(lacking)
    return Refused("not_held", f"{text[0].upper()}{text[1:]}. {way_out}", status=NOT_NOW)


def refuse_unheld(premises: Premises, wanted: Mapping[str, int], way_out: str) -> None:
    short = short_of(premises, wanted)
    if short:
        raise refusal(short, wanted, way_out)
