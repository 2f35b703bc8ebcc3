"""What the server of the simulated nights stores, what terminals send to it, and what can be switched off in it."""

from __future__ import annotations

from dataclasses import dataclass, field

from rules.contract import Hit
from rules.progressive.clocks import Bounds, Envelope
from rules.progressive.clusters import ClusterDecision, HitRound, PlacedEvent
from rules.progressive.fold import Arming, Moved, Progress, Rulings, Stretch
from rules.progressive.places import Placed


class LawBroken(AssertionError):
    """A law of docs/progressives.md does not hold in this night."""

    def __init__(self, law: int, text: str) -> None:
        super().__init__(f"law {law}: {text}")
        self.law = law


@dataclass(frozen=True, slots=True)
class Flaws:
    """What is switched off, to see that the laws notice."""

    no_correction: bool = False
    watermark_is_now: bool = False
    no_clusters: bool = False
    never_late: bool = False
    armed_at_once: bool = False
    """Other rules hold as soon as they are approved."""
    rates_when_told: bool = False
    """A wager is taken by the rules in force when it is told, not when it locked."""
    accepted_where_it_was: bool = False
    """What looked wrong enters at its own old place, which is folded already."""
    in_transit_counts: bool = False
    """What looks wrong is in the pots before anybody has looked at it."""
    returned_to_winners: bool = False
    """Money goes back to players whose hand may win with it."""
    advances_whatever_is_armed: bool = False
    """A prize is handed out while other rules may hold when its turn comes."""
    pots_stay: bool = False
    """A hand is seen otherwise, and the pots stay as they are."""
    stakes_stay: bool = False
    """A wager that goes back after a second thought is taken out of the meter that it had fed as it was seen before."""
    paid_is_taken_back: bool = False
    """What a winner has in his hands is made less."""
    let_in_too_soon: bool = False
    """A hand that nobody waited for is let in before the fold has come to its place."""
    no_caps: bool = False
    """A meter takes whatever comes."""
    seeds_leave: bool = False
    """The whole of a meter goes to another jackpot, the house's seed with it."""
    old_words_move_pots: bool = False
    """A hand is seen otherwise beyond the limit in days, and the pots follow."""
    old_words_are_forgotten: bool = False
    """What was said beyond the limit in days is not looked at when more is said."""


@dataclass(frozen=True, slots=True)
class Tell:
    """A numbered event of a terminal."""

    number: int
    kind: str
    """lock, mark, result, void or goodbye."""
    round: int
    clock: str
    reading: int
    stake: int = 0
    hits: tuple[Hit, ...] = ()
    error_us: int = 0


@dataclass(frozen=True, slots=True)
class Request:
    table: str
    envelope: Envelope
    events: tuple[Tell, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    at: int
    up_to: int
    lease: bool


@dataclass(slots=True)
class Round:
    number: int
    """Of its lock."""
    lock: Placed
    clock: str
    stake: int
    mark: Placed | None = None
    mark_clock: str = ""
    decided: bool = False
    left_out: set[str] = field(default_factory=set)
    """The progressives that no longer wait for it."""
    unawaited: set[str] = field(default_factory=set)
    """Those in which it locked, perhaps, before the limit with which its table came back."""
    locks: dict[str, int] = field(default_factory=dict)
    """Its place in each: not before the limit with which that one took its table back."""

    def awaited(self, name: str) -> bool:
        return not (self.decided or name in self.left_out | self.unawaited)


@dataclass(slots=True)
class Table:
    name: str
    links: tuple[str, ...]
    watermark: int
    lease_until: int
    returned_at: int
    """The limit with which it opened or came back."""
    last_number: int = 0
    last_place: int = 0
    clocks: dict[str, Bounds] = field(default_factory=dict)
    rounds: dict[int, Round] = field(default_factory=dict)
    open: bool = True
    left_out: bool = False
    played_on: set[str] = field(default_factory=set)
    """The progressives that play on without it, by their policy."""
    returned_to: dict[str, int] = field(default_factory=dict)
    """By progressive, the limit with which it took the table back."""


@dataclass(frozen=True, slots=True)
class Held:
    """A hit that nobody has waited for: for people, by a second thought."""

    progressive: str
    hit: HitRound


@dataclass(slots=True)
class Log:
    """One progressive: its rows, and how far they are folded."""

    progress: Progress
    hits: list[HitRound] = field(default_factory=list)
    hit_clock: dict[str, tuple[str, str]] = field(default_factory=dict)
    """By round, the table and clock that stamped its moment."""
    known_at: dict[str, int] = field(default_factory=dict)
    """By round, when the server knew that it was a hit."""
    others: list[PlacedEvent] = field(default_factory=list)
    limit: int = 0
    rulings: Rulings = field(default_factory=Rulings)
    stretches: list[Stretch] = field(default_factory=list)
    waiting: ClusterDecision | None = None
    asked_with: Rulings | None = None
    opening: Progress | None = None
    acts: list[Arming | Moved] = field(default_factory=list)
    """What people did of it, in the order in which they did it."""
    transit: dict[str, PlacedEvent] = field(default_factory=dict)
    """By round, contributions that look wrong and wait for somebody, where they would have stood."""
