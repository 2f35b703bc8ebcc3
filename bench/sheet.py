"""A round's document while it is written: wagers get ids, cards come from packs that give none too often."""

from __future__ import annotations

from random import Random
from typing import Any

from rules.cards import DECK, DECK_WITH_JOKER, card_text
from rules.declare import Game

Document = dict[str, Any]


class Sheet:
    def __init__(
        self,
        game: Game,
        source: Random,
        *,
        decks: int = 1,
        joker: bool = False,
        minimum: int = 1,
        options: dict[str, Any] | None = None,
    ) -> None:
        self.game, self.source = game, source
        self.options = options or {}
        self.limits = {"kinds": {"*": {"minimum": f"{minimum}.00", "maximum": "1000.00"}}, "chip": "0.50"}
        """A sign as tables have it: no stake is outside of it, and every one is held against it."""
        self.wagers: list[dict[str, Any]] = []
        self.decisions: list[dict[str, Any]] = []
        self.dealt: dict[str, Any] = {}
        self.carried: dict[str, Any] = {}
        self._cards = [card_text(card) for card in (DECK_WITH_JOKER if joker else DECK) * decks]
        source.shuffle(self._cards)

    def draw(self, count: int) -> list[str]:
        return [self._cards.pop() for _ in range(count)]

    def deal_to(self, seat: int, count: int) -> list[str]:
        hand = self.draw(count)
        self.dealt.setdefault("seats", {})[str(seat)] = hand
        return hand

    def wager(self, kind: str, stake: str, seat: int = 0, **more: str) -> dict[str, Any]:
        """A wager with an id of its own, not laid yet."""
        number = len(self.wagers) + len(self.carried.get("wagers", ())) + 1
        place = {"seat": seat} if seat else {}
        return {"id": f"w{number}", "kind": kind, "stake": stake, **place, **more}

    def lay(self, kind: str, stake: str, seat: int = 0, **more: str) -> str:
        """More: player, selection. Gives the id."""
        self.wagers.append(self.wager(kind, stake, seat, **more))
        return str(self.wagers[-1]["id"])

    def lay_all(self, text: str, seat: int = 0, **more: str) -> dict[str, str]:
        """'ante=10 bet=20' → the ids by kind."""
        parts = [part.split("=") for part in text.split()]
        return {kind: self.lay(kind, f"{amount}.00", seat, **more) for kind, amount in parts}

    def stand(self, wager: dict[str, Any], **state: Any) -> None:
        """A wager that an earlier round left on the layout."""
        self.carried.setdefault("wagers", []).append({"wager": wager, "state": state})

    def decide(self, kind: str, seat: int = 0, **more: Any) -> None:
        self.decisions.append({"kind": kind, **({"seat": seat} if seat else {}), **more})

    def document(self) -> Document:
        parts = {"options": self.options, "decisions": self.decisions, "carried": self.carried}
        return {
            "game": self.game.name,
            "rulebook": self.game.rulebook,
            "limits": self.limits,
            "wagers": self.wagers,
            "dealt": self.dealt,
            **{name: part for name, part in parts.items() if part},
        }
