"""The judge's own books: what every terminal sent and was answered, and the rounds that follow from it.

An observer of terminals (`simulator.terminal.Observer`). An event counts as accepted when it was answered, by its first
or by any later sending; the rounds are rebuilt from accepted events alone, and settled again by the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from rules import RuleError, Settlement, find_game, round_from_json, settle
from rules.codec import carried_to_json
from rules.contract import Round

Ask = Callable[[str, str], dict[str, Any] | None]
Key = tuple[int, int]
"""Session and number."""


@dataclass(frozen=True)
class Accepted:
    """An event that Potline has answered."""

    event: dict[str, Any]
    answer: dict[str, Any]
    sent_at: datetime
    """When it was first on its way, and when its answer came, by this machine's clock."""
    got_at: datetime


@dataclass(frozen=True)
class Moment:
    """As it was told: a reading, and of which clock."""

    reading: datetime
    clock: str


@dataclass
class Played:
    """A round as its terminal told it."""

    table: str
    uid: str
    number: int
    rules: dict[str, Any]
    carried_in: dict[str, Any] | None
    """None: what lay on the layout is not known here."""
    wagers: list[dict[str, Any]] = field(default_factory=list)
    decisions: list[dict[str, Any]] = field(default_factory=list)
    irregularities: list[dict[str, Any]] = field(default_factory=list)
    dealt: dict[str, Any] = field(default_factory=dict)
    lamps: dict[str, bool] = field(default_factory=dict)
    """By jackpot wager whether it counts, as Potline said last."""
    lock: Moment | None = None
    mark: Moment | None = None
    result: Moment | None = None
    closed: bool = False
    borrowed: bool = False
    """It was under way before anybody looked: what was told of it before is Potline's word."""

    @property
    def name(self) -> str:
        return f"{self.table} round {self.number} ({self.uid})"

    @property
    def in_order(self) -> bool:
        return find_game(self.rules["game"], self.rules["rulebook"]).in_order

    @property
    def judged(self) -> bool:
        return self.closed and self.carried_in is not None

    @cached_property
    def document(self) -> dict[str, Any]:
        parts = ("wagers", "decisions", "irregularities", "dealt")
        return {
            **self.rules,
            **{name: getattr(self, name) for name in parts},
            "carried": self.carried_in or {},
        }

    @cached_property
    def round(self) -> Round:
        return round_from_json(self.document)

    @cached_property
    def settlement(self) -> Settlement:
        """Raises RuleError where the rules refuse what Potline has taken."""
        return settle(self.round)


@dataclass
class Books:
    """Everything that was observed. `rounds` rebuilds what was played."""

    accepted: dict[str, dict[Key, Accepted]] = field(default_factory=dict)
    refused: list[tuple[str, dict[str, Any], dict[str, Any]]] = field(default_factory=list)
    """Table, event and problem: Potline must not have it."""
    contradictions: list[tuple[str, Key]] = field(default_factory=list)
    """Events that were answered twice, and differently."""
    _asked: dict[str, tuple[datetime, list[dict[str, Any]]]] = field(default_factory=dict)
    _sent: dict[str, dict[Key, tuple[datetime, dict[str, Any]]]] = field(default_factory=dict)

    def __call__(self, name: str, moment: datetime, what: str, document: dict[str, Any]) -> None:
        if what == "sent":
            events = [dict(event) for event in document["events"]]
            self._asked[name] = (moment, events)
            session = document["envelope"].get("session")
            for event in events:
                self._first_sent(name, (session, event["number"]), moment, event)
            return
        asked = self._asked.pop(name, None)
        if asked is None or not asked[1]:
            return
        self._answered(name, asked[1], moment, document)

    def _first_sent(self, name: str, key: Key, moment: datetime, event: dict[str, Any]) -> None:
        known = self._sent.setdefault(name, {}).get(key)
        if known is None or known[1] != event:  # a refused event's number is the next one's
            self._sent[name][key] = (moment, event)

    def _answered(
        self, name: str, events: list[dict[str, Any]], moment: datetime, document: dict[str, Any]
    ) -> None:
        taken, answers = self.accepted.setdefault(name, {}), document.get("answers", [])
        by_number = {event["number"]: event for event in events}
        for answer in answers:
            key, event = (document["session"], answer["number"]), by_number[answer["number"]]
            said = {part: value for part, value in answer.items() if part != "new"}
            known = taken.get(key)
            if known is None:
                first = self._sent.get(name, {}).get(key, (moment, event))[0]
                taken[key] = Accepted(event, said, first, moment)
            elif (known.event, known.answer) != (event, said):
                self.contradictions.append((name, key))
        status = document.get("status", 200)
        if 400 <= status < 500 and not document.get("retry") and len(answers) < len(events):
            event = events[len(answers)]
            if document.get("expected") is not None:
                self.refused.append((name, event, document))
                self._sent.get(name, {}).pop((document["session"], event["number"]), None)

    def in_doubt(self) -> set[str]:
        """Rounds of which something was sent and never answered: Potline may have it or not."""
        return {
            str(event["round"])
            for name, sent in self._sent.items()
            for key, (_, event) in sent.items()
            if key not in self.accepted.get(name, {}) and "round" in event
        }

    # ------------------------------------------------------------------------------------------------- rounds

    def rounds(self, tables: dict[str, dict[str, Any]], ask: Ask = lambda table, uid: None) -> list[Played]:
        """All rounds, table by table in the order of play. `tables`: as Potline described them before the first;
        `ask`: what it says now of a round that was under way then."""
        return [
            played
            for name in sorted(self.accepted)
            for played in _Table(name, tables[name], ask).play(
                accepted for _, accepted in sorted(self.accepted[name].items())
            )
        ]


class _Table:
    """Takes a table's accepted events as Potline's door does (docs/api.md)."""

    def __init__(self, name: str, described: dict[str, Any], ask: Ask) -> None:
        self.name, self.rules, self.ask = name, described["rules"], ask
        self.carried: dict[str, Any] | None = described["carried"]
        self.found: dict[str, Played] = {}

    def play(self, accepted: Any) -> list[Played]:
        for each in accepted:
            event, kind = each.event, each.event["kind"]
            if "round" not in event:
                continue
            played = self._round(event["round"], kind, each.answer)
            self._take(played, kind, event, each)
        return list(self.found.values())

    def _round(self, uid: str, kind: str, answer: dict[str, Any]) -> Played:
        if uid not in self.found:
            borrowed = kind not in ("open", "round")
            self.found[uid] = Played(
                self.name, uid, answer["round_number"], self.rules, self.carried, borrowed=borrowed
            )
        return self.found[uid]

    def _take(self, played: Played, kind: str, event: dict[str, Any], accepted: Accepted) -> None:
        body, at = event.get("body", {}), _moment(event)
        if kind == "mark":
            played.mark = at
            return
        if kind == "decision":
            played.decisions.append(body["decision"])
            played.wagers += [body["wager"]] if "wager" in body else []
            return
        for part in ("wagers", "decisions", "irregularities"):
            getattr(played, part).extend(body.get(part, []))
        _merge(played.dealt, body.get("dealt", {}))
        played.lamps |= {lamp["wager"]: lamp["counts"] for lamp in accepted.answer.get("jackpots", [])}
        locks = kind in ("no-more-bets", "round") or (kind == "result" and played.lock is None)
        if locks:
            told = datetime.fromisoformat(body["locked_at"]) if "locked_at" in body else at.reading
            played.lock = Moment(min(told, at.reading), at.clock)
            out = {wager for wager, counts in played.lamps.items() if not counts}
            played.wagers = [wager for wager in played.wagers if wager["id"] not in out]
        if kind in ("result", "round"):
            self._close(played, at)

    def _close(self, played: Played, at: Moment) -> None:
        played.result, played.closed = at, True
        if played.borrowed:
            self._borrow(played)
        if not played.in_order:
            return
        try:
            self.carried = carried_to_json(played.settlement.carried) if played.judged else None
        except RuleError:
            self.carried = None  # `rounds` names it

    def _borrow(self, played: Played) -> None:
        said = self.ask(self.name, played.uid)
        if said is None:
            played.carried_in = None
            return
        for part in ("wagers", "decisions", "irregularities", "dealt"):
            setattr(played, part, said[part])


def _moment(event: dict[str, Any]) -> Moment:
    return Moment(datetime.fromisoformat(event["at"]), event["clock"])


def _merge(dealt: dict[str, Any], more: dict[str, Any]) -> None:
    for name, value in more.items():
        old = dealt.get(name)
        dealt[name] = {**old, **value} if isinstance(old, dict) and isinstance(value, dict) else value
