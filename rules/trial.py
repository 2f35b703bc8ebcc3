"""Try a round: what stands against it so far, what may be decided next, and its settlement once it is whole.

Pages and terminals ask this with every tap; nothing is kept. The same checks and the same `settle` as for real rounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rules.checks import check_decision, check_repeats, check_wagers, standing_and_new
from rules.codec import round_from_json, settlement_to_json
from rules.contract import Decision, Round, Settlement, Wager
from rules.declare import DecisionKind
from rules.errors import RuleError
from rules.money import CENT, format_money, rounded_down
from rules.settlement import settle

MAX_WAGERS = 300
"""What somebody lays by hand; each of them is looked at several times."""
MAX_HANDS = 4
_TRIED = "trial"


@dataclass(frozen=True, slots=True)
class Offer:
    """A decision that may be taken now. Where it places a wager: its kind, and the least and most of its stake."""

    decision: Decision
    places: str = ""
    least: int = 0
    most: int = 0

    def as_json(self) -> dict[str, Any]:
        made = self.decision
        found: dict[str, Any] = {
            "kind": made.kind,
            "seat": made.seat,
            "player": made.player,
            "hand": made.hand,
        }
        if self.places:
            found["wager"] = {
                "kind": self.places,
                "least": format_money(self.least),
                "most": format_money(self.most),
            }
        return found


@dataclass(frozen=True, slots=True)
class Trial:
    faults: tuple[RuleError, ...] = ()
    """What no terminal could send: to be mended before the round goes on."""
    lacks: RuleError | None = None
    """Why it cannot be settled yet, where nothing is wrong with it so far."""
    settlement: Settlement | None = None
    offers: tuple[Offer, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "faults": [fault.as_json() for fault in self.faults],
            "lacks": None if self.lacks is None else self.lacks.as_json(),
            "settlement": None if self.settlement is None else settlement_to_json(self.settlement),
            "offers": [offer.as_json() for offer in self.offers],
        }


def try_round(document: object) -> Trial:
    """A round as its document has come so far. Never raises for what a person may have typed."""
    try:
        so_far = round_from_json(document, partial=True)
        if len(so_far.wagers) > MAX_WAGERS:
            text = f"a round is tried with at most {MAX_WAGERS} wagers, not {len(so_far.wagers)}"
            raise RuleError(text, field="wagers")
    except RuleError as fault:
        return Trial(faults=(fault,))
    faults, offers = (*check_repeats(so_far), *check_wagers(so_far)), tuple(_offers(so_far))
    try:
        return Trial(faults, settlement=settle(round_from_json(document)), offers=offers)
    except RuleError as lacks:
        known = {str(fault) for fault in faults}
        return Trial(faults, lacks=None if str(lacks) in known else lacks, offers=offers)


def _offers(round: Round) -> Iterator[Offer]:
    places = dict.fromkeys((wager.seat, wager.player) for wager in standing_and_new(round))
    for seat, player in places:
        for kind in round.game.decisions:
            offer = _offer(round, kind, seat, player)
            if offer is not None:
                yield offer


def _offer(round: Round, kind: DecisionKind, seat: int, player: str) -> Offer | None:
    """For the first hand of the seat that may decide so; None: not now."""
    for hand in range(MAX_HANDS):
        made = Decision(kind.name, seat=seat, player=player, hand=hand)
        if kind.value is not None:
            return Offer(made)  # what is chosen says whether it may be
        if not kind.wager:
            if check_decision(round, made) is None:
                return Offer(made)
            continue
        least, most = _stakes(round, kind.wager, seat, player)
        wager = Wager(_TRIED, kind.wager, least or most or CENT, seat=seat, player=player)
        if check_decision(round, Decision(kind.name, seat, player, wager.id, hand), wager) is None:
            return Offer(made, kind.wager, least, most)
    return None


def _stakes(round: Round, name: str, seat: int, player: str) -> tuple[int, int]:
    """The least and most that a wager of this kind may be here; 0: nothing that measures it stands here."""
    amount = round.game.kinds[name].amount
    if amount is None:
        return 0, 0
    here = [wager for wager in standing_and_new(round) if (wager.seat, wager.player) == (seat, player)]
    base = next((wager.stake for wager in here if wager.kind == amount.of), 0)
    joined = sum(wager.stake for wager in here if wager.kind in amount.joined_by)
    least = -rounded_down(-amount.low * base, CENT)
    return least, rounded_down(amount.high * (base + joined), CENT)
