"""A dealer: one round of any game as players make it, settled by the rules, and as the steps that a terminal tells.

`Dealer.deal` writes and settles a round; `steps` gives what happens at the table one after another, with how long each
takes, told step by step or whole. Nothing here knows a network: `run` tells it to Potline.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import Any
from uuid import UUID

from rules import Settlement, round_from_json, settle
from rules.codec import carried_to_json
from simulator.players import baccarat, blackjack, craps, holdem, pai_gow, streets, stud, wheels
from simulator.sheet import Layout, Sheet

FAMILIES = (baccarat, blackjack, craps, holdem, pai_gow, streets, stud, wheels)
PLAYERS: dict[str, Callable[[Sheet], None]] = {
    name: play for family in FAMILIES for name, play in family.PLAYERS.items()
}
FIRST = "start"
IRREGULAR = 0.01
"""How often a round goes wrong, of its own accord."""


class Telling(StrEnum):
    """How a table tells its rounds."""

    STEPS = "steps"
    """Open, wagers, no more bets, the mark, the result."""
    EVERY = "every"
    """Cards and each decision by itself as well."""
    WHOLE = "whole"
    """One document when the round is over."""


@dataclass(frozen=True)
class TableStep:
    """Something that a terminal tells, and how long the table is busy before it, as a part of the round."""

    kind: str
    body: dict[str, Any] = field(default_factory=dict)
    after: float = 0.0

    def as_json(self) -> list[Any]:
        return [self.kind, self.body, self.after]


@dataclass(frozen=True)
class Dealt:
    """A round as it was played."""

    round_id: UUID
    wagers: list[dict[str, Any]]
    decisions: list[dict[str, Any]]
    out: list[int]
    """By decision: how many cards of a shoe were seen."""
    dealt: dict[str, Any]
    irregularities: list[dict[str, Any]]
    settlement: Settlement
    layout: Layout

    @property
    def hits(self) -> list[tuple[int, str]]:
        """Seat and hand of what wins from a jackpot."""
        return [(hit.wager.seat, hit.trigger) for hit in self.settlement.hits]

    def of_stage(self, first: bool) -> list[dict[str, Any]]:
        kinds = self.layout.declared.kinds
        return [wager for wager in self.wagers if (kinds[wager["kind"]].stage == FIRST) is first]

    def has_jackpot(self) -> bool:
        kinds = self.layout.declared.kinds
        return any(kinds[wager["kind"]].jackpot for wager in self.wagers)


class Dealer:
    """Deals at one table. `carried` is what the last round left on the layout."""

    def __init__(
        self,
        layout: Layout,
        rng: Random,
        *,
        irregular: float = IRREGULAR,
        carried: dict[str, Any] | None = None,
    ) -> None:
        self.layout, self.rng, self.irregular = layout, rng, irregular
        self.carried = carried or {}

    def deal(self, wishes: dict[int, list[str]] | None = None, **how: Any) -> Dealt:
        """One round. `how`: whose seats, whether jackpot coins are taken, whether the layout is being cleared."""
        sheet = Sheet(self.layout, self.rng, carried=self.carried, wishes=wishes, **how)
        PLAYERS[self.layout.game](sheet)
        document, wrong = sheet.document(), self._irregularity(regular=bool(wishes) or sheet.ending)
        if wrong:
            first = [w for w in sheet.wagers if sheet.game.kinds[w["kind"]].stage == FIRST]
            document = document | {"irregularities": wrong, "wagers": first, "dealt": {}, "decisions": []}
        settlement = settle(round_from_json(document))
        if self.layout.declared.in_order:
            self.carried = carried_to_json(settlement.carried)
        return Dealt(
            round_id=UUID(int=self.rng.getrandbits(128), version=4),
            wagers=document["wagers"],
            decisions=document.get("decisions", []),
            out=sheet.out,
            dealt=document["dealt"],
            irregularities=wrong,
            settlement=settlement,
            layout=self.layout,
        )

    def _irregularity(self, *, regular: bool) -> list[dict[str, Any]]:
        """A misdeal or a void spin where the rulebook of the game knows one, else a round that is invalidated."""
        if regular or self.rng.random() >= self.irregular:
            return []
        return [irregularity_of(self.layout)]


def irregularity_of(layout: Layout) -> dict[str, Any]:
    """What can go wrong with a whole round before anything is decided."""
    known = {kind.name for kind in layout.declared.irregularities}
    for kind in ("misdeal", "no-spin", "no-roll", "wrong-number-of-cards"):
        if kind in known:
            return {"kind": kind} | CAUSES.get((layout.game, kind), {})
    return {"kind": "invalidated"}


CAUSES: dict[tuple[str, str], dict[str, Any]] = {
    ("caribbean-stud", "misdeal"): {"value": {"cause": "short-deck"}},
}
"""Where the rulebook asks for the cause."""


def steps(dealt: Dealt, telling: Telling) -> Iterator[TableStep]:
    """What the terminal tells of a round, in the order in which it happens. The parts of `after` add up to one."""
    rest: dict[str, Any] = {"dealt": dealt.dealt} if dealt.dealt else {}
    if dealt.irregularities:
        rest["irregularities"] = dealt.irregularities
    if telling is Telling.WHOLE:
        yield TableStep("lock", after=0.4)
        yield TableStep("round", {"wagers": dealt.wagers, "decisions": dealt.decisions, **rest}, after=0.6)
        return
    yield TableStep("open", after=0.1)
    yield TableStep("wagers", {"wagers": dealt.of_stage(first=True)}, after=0.3)
    yield TableStep("no-more-bets", after=0.1)
    if dealt.has_jackpot() and not dealt.irregularities:
        yield TableStep("mark", {"moment": "first-card", "source": "shoe"}, after=0.05)
    if telling is Telling.EVERY:
        yield from _each_decision(dealt)
    else:
        rest |= {"wagers": dealt.of_stage(first=False), "decisions": dealt.decisions}
    losing = _decided(dealt)
    if losing:
        yield TableStep("decided", {"seats": losing}, after=0.2)
    yield TableStep("result", rest, after=0.25)


def _each_decision(dealt: Dealt) -> Iterator[TableStep]:
    later = {wager["id"]: wager for wager in dealt.of_stage(first=False)}
    if "seats" in dealt.dealt:
        yield TableStep("cards", {"dealt": {"seats": dealt.dealt["seats"]}})
    seen = 0
    for decision, out in zip(dealt.decisions, dealt.out[: len(dealt.decisions)], strict=True):
        if out > seen:
            yield TableStep("cards", {"dealt": {"cards": dealt.dealt["cards"][:out]}})
            seen = out
        body: dict[str, Any] = {"decision": decision}
        if decision.get("wager") in later:
            body["wager"] = later[decision["wager"]]
        yield TableStep("decision", body)


def _decided(dealt: Dealt) -> list[int]:
    """The seats that have no jackpot hand, where some have paid for one."""
    if not dealt.has_jackpot() or dealt.irregularities:
        return []
    kinds, hit = dealt.layout.declared.kinds, {seat for seat, _ in dealt.hits}
    return sorted({w["seat"] for w in dealt.wagers if kinds[w["kind"]].jackpot and w.get("seat")} - hit)
