"""A round while its players and its dealer write it: chips laid, cards drawn, choices made. No game lives here."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from random import Random
from typing import Any

from rules import find_game
from rules.cards import parse_card, rank_of
from rules.declare import Game
from simulator.cards import Pack

UNITS = (5, 5, 10, 10, 10, 15, 20, 25, 50)
"""What players like to stake, times the smallest stake of the table over five."""
MAX_SEATS = 7
SOME = 0.25
"""How many players like a side wager."""


@dataclass(frozen=True)
class Layout:
    """What a table is set up for: as much of its configuration as players can read on the felt."""

    game: str
    rulebook: str
    options: dict[str, Any] = field(default_factory=dict)
    limits: dict[str, Any] = field(default_factory=dict)
    linked: bool = False
    """Jackpot wagers are taken here."""

    @property
    def declared(self) -> Game:
        return find_game(self.game, self.rulebook)

    def option(self, name: str) -> Any:
        if name in self.options:
            return self.options[name]
        return next(option.default for option in self.declared.options if option.name == name)


class Sheet:
    """Wagers, decisions and what was dealt, as the round's document has them."""

    def __init__(
        self,
        layout: Layout,
        rng: Random,
        *,
        carried: dict[str, Any] | None = None,
        jackpot: bool = True,
        jackpot_chance: float = 0.8,
        wishes: dict[int, list[str]] | None = None,
        seats: list[int] | None = None,
        ending: bool = False,
    ) -> None:
        self.layout, self.rng, self.game = layout, rng, layout.declared
        self.carried = carried or {}
        self.jackpot = jackpot and layout.linked
        self.jackpot_chance = jackpot_chance
        self.wishes = {seat: list(cards) for seat, cards in (wishes or {}).items()}
        """By seat: the hand that a rigged deck gives it."""
        self.ending = ending
        """No new chips on a layout where wagers stand: it is to be cleared."""
        self.wagers: list[dict[str, Any]] = []
        self.decisions: list[dict[str, Any]] = []
        self.out: list[int] = []
        """By decision: how many cards of a shoe lay on the table when it was made."""
        self.dealt: dict[str, Any] = {}
        self.standing = {
            (left["wager"].get("seat", 0), left["wager"]["kind"]) for left in self.carried.get("wagers", [])
        }
        """What lies on the layout already: a jackpot coin that a misdeal has left, for one."""
        self.seats = sorted(
            {*(seats or self._taken()), *self.wishes, *(seat for seat, _ in self.standing if seat)}
        )
        self._mark = f"{rng.getrandbits(32):08x}"
        self.pack = Pack(rng, apart=self.wishes)

    def _taken(self) -> list[int]:
        most = min(self.game.seats or MAX_SEATS, MAX_SEATS)
        return sorted(self.rng.sample(range(1, most + 1), self.rng.randint(min(2, most), most)))

    def new_pack(self, *, decks: int = 1, joker: bool = False) -> Pack:
        """For games of more than one plain pack."""
        self.pack = Pack(self.rng, decks=decks, joker=joker, apart=self.wishes)
        return self.pack

    # ------------------------------------------------------------------------------------------------- chips

    def unit(self) -> int:
        """A stake that a player chooses for this round, in whole units of the currency."""
        return self.rng.choice(UNITS)

    def likes(self, chance: float = SOME) -> bool:
        return self.rng.random() < chance

    def lay(self, kind: str, stake: int | Decimal, seat: int = 0, **more: str) -> str:
        """More: player, selection. Gives the wager's id."""
        number = f"{self._mark}-{len(self.wagers) + 1}"
        wager: dict[str, Any] = {"id": number, "kind": kind, "stake": f"{Decimal(stake):.2f}"}
        if seat:
            wager["seat"] = seat
        self.wagers.append(wager | {name: value for name, value in more.items() if value})
        return number

    def lay_jackpot(self, kind: str, seat: int) -> None:
        """One coin in the slot, where the table takes them; who is about to be lucky has always paid."""
        if (seat, kind) in self.standing:
            return
        if self.jackpot and (self.likes(self.jackpot_chance) or seat in self.wishes):
            self.lay(kind, 1, seat)

    def side(self, kind: str, seat: int, stake: int = 5, **more: str) -> None:
        """A side wager that some players like, where the table offers it."""
        if self.likes():
            self.lay(kind, stake, seat, **more)

    def say(self, kind: str, seat: int = 0, **more: Any) -> None:
        said: dict[str, Any] = {"kind": kind}
        if seat:
            said["seat"] = seat
        self.decisions.append(said | more)
        self.out.append(len(self.dealt.get("cards", ())))

    def raise_to(self, kind: str, stake: int, seat: int, decision: str = "") -> None:
        """A choice that costs a wager."""
        self.say(decision or kind, seat, wager=self.lay(kind, stake, seat))

    # ------------------------------------------------------------------------------------------------- cards

    def deal_to(self, seat: int, count: int) -> list[str]:
        hand = self._wished(seat, count)
        self.dealt.setdefault("seats", {})[str(seat)] = hand
        return hand

    def share(self, name: str, count: int) -> list[str]:
        """Cards for all; they complete what was wished for."""
        found = self._wished(next((seat for seat, left in self.wishes.items() if left), 0), count)
        self.dealt[name] = found
        return found

    def _wished(self, seat: int, count: int) -> list[str]:
        """What a rigged deck keeps for the seat first, then what is on top."""
        left = self.wishes.get(seat, [])
        taken = [left.pop(0) for _ in range(min(count, len(left)))]
        return [*taken, *self.pack.draw(count - len(taken))]

    def document(self) -> dict[str, Any]:
        """As the rules read it."""
        found: dict[str, Any] = {
            "game": self.game.name,
            "rulebook": self.game.rulebook,
            "options": self.layout.options,
            "limits": self.layout.limits,
            "wagers": self.wagers,
            "decisions": self.decisions,
            "dealt": self.dealt,
            "carried": self.carried,
        }
        return {name: part for name, part in found.items() if part or name in ("wagers", "dealt")}


def rank(card: str) -> int:
    """2..14; the joker is 15."""
    return rank_of(parse_card(card))


def ranks(cards: list[str]) -> list[int]:
    """The highest first."""
    return sorted((rank(card) for card in cards), reverse=True)
