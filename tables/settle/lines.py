"""A settlement's lines as rows: in this form they are summed for the books, hashed and compared. How they wait with a
closed round is tables.settle.waiting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rules import Settlement
from rules.codec import hit_from_json, hit_to_json
from rules.contract import Line, Outcome, Wager
from rules.odds import odds
from tables.models import Round, RoundVersion

COLUMNS = (
    "wager_id", "position", "kind", "seat", "player", "selection", "is_jackpot", "is_fee", "is_new", "outcome", "odds",
    "rule", "also", "stake_micros", "winnings_micros", "returned_micros", "standing_micros", "commission_micros",
    "rounding_micros",
)  # fmt: skip
"""Of `tables_wagerline`, in the order of a row."""
ALSO_LENGTH = 200
ALSO = "; "
"""Between further rules of one line."""


@dataclass(frozen=True, slots=True)
class Booking:
    """What is to be booked of a round: a row for each line, in the order of the settlement."""

    rows: list[list[Any]]
    promo: frozenset[str]
    """Wagers that are vouchers, by id."""
    hits: list[Any]
    """As JSON: the door has dealt with them, but for a fault of ours."""


def booking_of(round: Round | RoundVersion, answer: Settlement) -> Booking:
    """The form for what the rules have just said."""
    kinds, standing = round.config.game.kinds, round.standing_ids
    rows, promo = [], []
    for position, line in enumerate(answer.lines):
        wager = line.wager
        kind = kinds[wager.kind]
        if wager.promo:
            promo.append(wager.id)
        rows.append(
            [
                wager.id, position, wager.kind, wager.seat, wager.player, wager.selection, kind.jackpot, kind.fee,
                wager.id not in standing, line.outcome._value_, line.odds.text if line.odds else "", line.rule,
                ALSO.join(line.also)[:ALSO_LENGTH] if line.also else "", wager.stake, line.winnings, line.returned,
                line.standing, line.commission, line.rounding,
            ]
        )  # fmt: skip
    return Booking(rows, frozenset(promo), [hit_to_json(hit) for hit in answer.hits])


def settlement_from(booking: Booking) -> Settlement:
    """The same as objects, for the few rounds whose jackpots are still to be decided. What the next round inherits and
    the outcome in words are not in it: both were stored when the round closed."""
    lines = tuple(_line(row, row[0] in booking.promo) for row in booking.rows)
    return Settlement(lines, tuple(hit_from_json(hit) for hit in booking.hits))


def _line(row: list[Any], promo: bool) -> Line:
    id, _, kind, seat, player, selection, _, _, _, outcome, ratio, rule, also, stake = row[:14]
    winnings, returned, standing, commission, rounding = row[14:]
    return Line(
        Wager(id, kind, stake, seat, player, selection, promo),
        Outcome(outcome),
        rule,
        odds(ratio) if ratio else None,
        winnings,
        returned,
        standing,
        commission,
        rounding,
        tuple(also.split(ALSO)) if also else (),
    )
