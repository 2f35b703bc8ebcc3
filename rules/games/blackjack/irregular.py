"""What went wrong in a round, read from its irregularities: removed cards, void boxes, an absent player, ...

Declared here once for both rulebooks that have them; `table` plays by it and `settlement` voids by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.contract import EMPTY, Irregularity, Round
from rules.declare import IrregularityKind
from rules.errors import RuleError
from rules.games.blackjack.table_rules import Cites
from rules.shape import Int, ListOf, Struct

_POSITION = Int(0, 500, "place in `dealt.cards`, the first card being 0")
_REMOVED = Struct({"cards": ListOf(_POSITION, 1, about="the cards that were removed from play")})
_LEFT_BEHIND = Struct(optional={"cards": ListOf(_POSITION, about="cards that the box had been dealt")})

REMOVALS = ("face-up-card", "cards-to-empty-box", "card-exposed-to-dealer")
VOIDED = ("omitted-box", "void-hand")


def irregularity_kinds(cites: Cites) -> tuple[IrregularityKind, ...]:
    return (
        IrregularityKind(
            "face-up-card", cites.removed, _REMOVED, "found face up in the shoe: removed from play"
        ),
        IrregularityKind(
            "cards-to-empty-box",
            cites.empty_box,
            _REMOVED,
            "dealt to a box without a wager and found after a decision: void and removed",
        ),
        IrregularityKind(
            "omitted-box",
            cites.omitted_box,
            _LEFT_BEHIND,
            "the box was left out of the deal and this was found after a decision: its wagers are void",
        ),
        IrregularityKind(
            "dealer-card-omitted",
            cites.dealer_omitted,
            None,
            "the dealer's first card was left out and this was found after a decision: players may withdraw",
        ),
        IrregularityKind(
            "card-exposed-to-dealer",
            cites.exposed_to_dealer,
            _REMOVED,
            "dealt to the dealer in error and exposed: removed",
        ),
        IrregularityKind(
            "exposed-card",
            cites.exposed,
            Struct({"card": _POSITION}),
            "drawn in error and exposed: goes to whoever takes the next card; players may refuse it",
        ),
        IrregularityKind(
            "void-hand",
            cites.void_hand,
            _LEFT_BEHIND,
            "cards misplaced beyond reconstruction: the hand of the box is void; without a seat, all hands are",
        ),
        IrregularityKind(
            "absent",
            cites.absent,
            None,
            "nobody there to decide: cards are dealt while the hard total is 11 or less",
        ),
        IrregularityKind(
            "reshuffled",
            cites.reshuffled,
            Struct({"card": _POSITION}),
            "the shoe ran out: from this card on, the reshuffled discards were dealt",
        ),
    )


class Irregular:
    """The irregularities of a round, sorted by what they do."""

    def __init__(self, round: Round, cites: Cites) -> None:
        self.removed: set[int] = set()
        self.void_seats: dict[int, str] = {}
        """Seat → the rule that voids all its wagers; 0 is every seat."""
        self.absent: set[int] = set()
        self.dealer_omitted = False
        self.exposed: set[int] = set()
        self.reshuffled: int | None = None
        for index, irregularity in enumerate(round.irregularities):
            self._take(irregularity, f"irregularities[{index}]", cites)
        seats = {wager.seat for wager in round.wagers if wager.kind == "main"}
        for seat in (*self.void_seats, *self.absent):
            if seat and seat not in seats:
                raise RuleError(f"box {seat} has no wager", field="irregularities", rule=cites.deal)

    def _take(self, irregularity: Irregularity, field: str, cites: Cites) -> None:
        kind, seat = irregularity.kind, irregularity.seat
        value: Mapping[str, Any] = irregularity.value or EMPTY
        if kind in REMOVALS or kind in VOIDED:
            if kind in REMOVALS and not value:
                raise RuleError("which cards were removed?", field=f"{field}.value", rule=cites.removed)
            self.removed.update(value.get("cards", ()))
        if kind in VOIDED:
            if kind == "omitted-box" and not seat:
                raise RuleError("which box was left out?", field=f"{field}.seat", rule=cites.omitted_box)
            self.void_seats[seat] = cites.omitted_box if kind == "omitted-box" else cites.void_hand
        elif kind == "absent":
            self.absent.add(seat)
        elif kind == "dealer-card-omitted":
            self.dealer_omitted = True
        elif kind in ("exposed-card", "reshuffled"):
            if "card" not in value:
                raise RuleError("which card?", field=f"{field}.value", rule=cites.exposed)
            if kind == "exposed-card":
                self.exposed.add(value["card"])
            else:
                self.reshuffled = value["card"]
