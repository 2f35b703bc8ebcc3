"""A round's settlement between its close and its booking.

The rules are asked once, at the door, in the transaction that closes the round: what they refuse the terminal can still
mend, and the next round of the table knows what it inherits. Their answer waits with the round, with the version of
the rules that gave it, until a worker books it; the lines hold it from then on. Only where a fault of ours left a round
without an answer does the worker ask again.
"""

from __future__ import annotations

from config.documents import check_version
from rules import DOCUMENT_VERSION, RULES_VERSION, Settlement, round_from_json, settle
from rules.codec import carried_to_json
from rules.contract import Round as Played
from tables.lines import Booking, booking_from_json, booking_of
from tables.models import UNANSWERED, Round

__all__ = ["UNANSWERED", "booking", "prepare", "prepare_again"]


def prepare(round: Round, whole: Played) -> Settlement:
    """Settles a round that is being closed and hands on what it leaves. Raises RuleError where it cannot be settled.
    The caller holds the table's row, and stores both."""
    settlement = settle(whole)
    round.settlement = booking_of(round, settlement).as_json()
    round.result, round.rules_version = dict(settlement.result), RULES_VERSION
    if round.config.game.in_order:
        round.table.carried = carried_to_json(settlement.carried)
    return settlement


def prepare_again(round: Round) -> Booking:
    """The same for a closed round that has no answer yet. It is the last of its table where rounds hand something on:
    the door takes no other before."""
    settlement = prepare(round, round_from_json(round.document()))
    round.save(update_fields=["settlement", "result", "rules_version"])
    if round.config.game.in_order:
        round.table.save(update_fields=["carried"])
    return booking_of(round, settlement)


def booking(round: Round) -> Booking:
    """What the rules said when the round closed."""
    if round.settlement is None:
        raise LookupError(f"{round} has no settlement that waits to be booked")
    check_version(round.version, DOCUMENT_VERSION, round)
    return booking_from_json(round, round.settlement)
