"""A round's settlement between its close and its booking.

The rules are asked once, at the door, in the transaction that closes the round: what they refuse the terminal can still
mend, and the next round of the table knows what it inherits. Their answer waits with the round, with the version of
the rules that gave it, until a worker books it; the lines hold it from then on. Only where a fault of ours left a round
without an answer does the worker ask again.
"""

from __future__ import annotations

from config.kit.documents import check_version
from rules import DOCUMENT_VERSION, RULES_VERSION, Settlement, round_from_json, settle
from rules.codec import carried_to_json
from rules.contract import Round as Played
from tables.models import UNANSWERED, Round
from tables.settle.lines import booking_of
from tables.settle.waiting import Waiting, waiting_from_json, waiting_of

__all__ = ["UNANSWERED", "prepare", "prepare_again", "waiting"]


def prepare(round: Round, whole: Played) -> Settlement:
    """Settles a round that is being closed and hands on what it leaves. Raises RuleError where it cannot be settled.
    The caller holds the table's row, and stores both. A new round has drawn its key: its entry names it."""
    if round.pk is None:
        raise ValueError("a round is settled once it has its key")
    settlement = settle(whole)
    round.result, round.rules_version = dict(settlement.result), RULES_VERSION
    round.settlement = waiting_of(round, booking_of(round, settlement)).as_json()
    if round.config.game.in_order:
        round.table.carried = carried_to_json(settlement.carried)
    return settlement


def prepare_again(round: Round) -> Waiting:
    """The same for a closed round that has no answer yet. It is the last of its table where rounds hand something on:
    the door takes no other before."""
    prepare(round, round_from_json(round.document()))
    round.save(update_fields=["settlement", "result", "rules_version"])
    if round.config.game.in_order:
        round.table.save(update_fields=["carried"])
    return waiting(round)


def waiting(round: Round) -> Waiting:
    """What the rules said when the round closed."""
    if round.settlement is None:
        raise LookupError(f"{round} has no settlement that waits to be booked")
    check_version(round.version, DOCUMENT_VERSION, round)
    return waiting_from_json(round, round.settlement)
