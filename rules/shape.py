"""Shapes: one declaration that validates a JSON value, parses it, writes it back and yields its JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from rules.cards import card_text, parse_card
from rules.errors import RuleError
from rules.money import format_money, parse_money

MAX_TEXT = 200
_SEATS = {str(seat): seat for seat in range(1, 100)}


class Shape(Protocol):
    def parse(self, value: object, field: str, *, partial: bool = False) -> Any:
        """The inner value, or a RuleError that names the field. `partial`: a round that is still being dealt.

        Shapes made of others give these no path; they put it together when a fault comes out of one, so that a value
        that is in order costs no text.
        """

    def dump(self, value: Any) -> Any: ...

    def schema(self) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Text:
    """A word from a list, or any text of moderate length."""

    choices: tuple[str, ...] = ()
    about: str = ""
    _known: frozenset[str] = field(init=False, repr=False, compare=False)
    """The choices again, to look one up: a roulette layout has dozens."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "_known", frozenset(self.choices))

    def parse(self, value: object, field: str, *, partial: bool = False) -> str:
        if not isinstance(value, str) or len(value) > MAX_TEXT:
            raise RuleError(f"expected text, got {value!r}", field=field)
        if self.choices and value not in self._known:
            raise RuleError(f"{value!r} is not one of {', '.join(self.choices)}", field=field)
        return value

    def dump(self, value: Any) -> Any:
        return value

    def schema(self) -> dict[str, Any]:
        limit = {"enum": list(self.choices)} if self.choices else {"maxLength": MAX_TEXT}
        return _about({"type": "string", **limit}, self.about)


@dataclass(frozen=True, slots=True)
class Int:
    """A whole number within bounds."""

    low: int
    high: int
    about: str = ""

    def parse(self, value: object, field: str, *, partial: bool = False) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not self.low <= value <= self.high:
            raise RuleError(
                f"expected a whole number from {self.low} to {self.high}, got {value!r}", field=field
            )
        return value

    def dump(self, value: Any) -> Any:
        return value

    def schema(self) -> dict[str, Any]:
        return _about({"type": "integer", "minimum": self.low, "maximum": self.high}, self.about)


@dataclass(frozen=True, slots=True)
class Flag:
    about: str = ""

    def parse(self, value: object, field: str, *, partial: bool = False) -> bool:
        if not isinstance(value, bool):
            raise RuleError(f"expected true or false, got {value!r}", field=field)
        return value

    def dump(self, value: Any) -> Any:
        return value

    def schema(self) -> dict[str, Any]:
        return _about({"type": "boolean"}, self.about)


@dataclass(frozen=True, slots=True)
class Money:
    """An amount that is not negative, as text: '2.50'."""

    about: str = ""

    def parse(self, value: object, field: str, *, partial: bool = False) -> int:
        micros = parse_money(value, field)
        if micros < 0 or str(value).startswith("-"):
            raise RuleError(f"an amount of money is not negative here: {value}", field=field)
        return micros

    def dump(self, value: Any) -> Any:
        return format_money(value)

    def schema(self) -> dict[str, Any]:
        return _about({"type": "string", "pattern": r"^[0-9]{1,15}(\.[0-9]{1,6})?$"}, self.about)


@dataclass(frozen=True, slots=True)
class CardShape:
    """One card, as 'As' or 'Td'; 'Jo' where the game has a joker."""

    joker: bool = False

    def parse(self, value: object, field: str, *, partial: bool = False) -> int:
        if not isinstance(value, str):
            raise RuleError(f"a card is text such as 'As', not {value!r}", field=field)
        card = parse_card(value, field)
        if card == 52 and not self.joker:
            raise RuleError("this game is played without a joker", field=field)
        return card

    def dump(self, value: Any) -> Any:
        return card_text(value)

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "pattern": "^([2-9TJQKA][cdhs]" + ("|Jo)$" if self.joker else ")$")}


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of one shape; fewer items than `low` are accepted while the round is under way."""

    item: Shape
    low: int = 0
    high: int | None = None
    about: str = ""

    def parse(self, value: object, field: str, *, partial: bool = False) -> tuple[Any, ...]:
        if not isinstance(value, (list, tuple)):
            raise RuleError(f"expected a list, got {value!r}", field=field)
        if (len(value) < self.low and not partial) or (self.high is not None and len(value) > self.high):
            wanted = str(self.low) if self.low == self.high else f"{self.low} to {self.high or 'more'}"
            raise RuleError(f"expected {wanted} items, got {len(value)}", field=field)
        parse, out = self.item.parse, []
        try:
            for v in value:
                out.append(parse(v, "", partial=partial))
        except RuleError as fault:
            fault.field = f"{field}[{len(out)}]{fault.field}"
            raise
        return tuple(out)

    def dump(self, value: Any) -> Any:
        return [self.item.dump(v) for v in value]

    def schema(self) -> dict[str, Any]:
        out: dict[str, Any] = {"type": "array", "items": self.item.schema(), "minItems": self.low}
        if self.high is not None:
            out["maxItems"] = self.high
        return _about(out, self.about)


def cards(low: int, high: int | None = None, *, joker: bool = False, about: str = "") -> ListOf:
    """`cards(5)`: exactly five; `cards(2, 3)`: two or three."""
    return ListOf(CardShape(joker), low, low if high is None else high, about)


@dataclass(frozen=True, slots=True)
class BySeat:
    """One value a seat: {'1': ..., '4': ...}."""

    item: Shape
    seats: int = 15
    about: str = ""

    def parse(self, value: object, field: str, *, partial: bool = False) -> dict[int, Any]:
        if not isinstance(value, (dict, Mapping)):
            raise RuleError(f"expected an object by seat number, got {value!r}", field=field)
        out: dict[int, Any] = {}
        for key, v in value.items():
            seat = _SEATS.get(str(key), 0)
            if not 0 < seat <= self.seats:
                raise RuleError(f"{key!r} is not a seat from 1 to {self.seats}", field=field)
            try:
                out[seat] = self.item.parse(v, "", partial=partial)
            except RuleError as fault:
                fault.field = f"{field}.{seat}{fault.field}"
                raise
        return dict(sorted(out.items()))

    def dump(self, value: Any) -> Any:
        return {str(k): self.item.dump(v) for k, v in sorted(value.items())}

    def schema(self) -> dict[str, Any]:
        out = {
            "type": "object",
            "patternProperties": {f"^({'|'.join(list(_SEATS)[: self.seats])})$": self.item.schema()},
            "additionalProperties": False,
        }
        return _about(out, self.about)


@dataclass(frozen=True, slots=True)
class ByName:
    """One value a name, the names being free or from a list."""

    item: Shape
    names: tuple[str, ...] = ()

    def parse(self, value: object, field: str, *, partial: bool = False) -> dict[str, Any]:
        if not isinstance(value, (dict, Mapping)):
            raise RuleError(f"expected an object, got {value!r}", field=field)
        for key in value:
            if not isinstance(key, str) or (self.names and key not in self.names):
                raise RuleError(f"{key!r} is not one of {', '.join(self.names)}", field=field)
        out: dict[str, Any] = {}
        for k, v in sorted(value.items()):
            try:
                out[k] = self.item.parse(v, "", partial=partial)
            except RuleError as fault:
                fault.field = f"{field}.{k}{fault.field}"
                raise
        return out

    def dump(self, value: Any) -> Any:
        return {k: self.item.dump(v) for k, v in sorted(value.items())}

    def schema(self) -> dict[str, Any]:
        if self.names:
            return {
                "type": "object",
                "properties": {name: self.item.schema() for name in self.names},
                "additionalProperties": False,
            }
        return {"type": "object", "additionalProperties": self.item.schema()}


@dataclass(frozen=True, slots=True)
class Struct:
    """Named fields. A required one may be missing only while the round is under way."""

    required: Mapping[str, Shape] = field(default_factory=dict)
    optional: Mapping[str, Shape] = field(default_factory=dict)
    about: str = ""
    _shapes: Mapping[str, Shape] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_shapes", {**self.optional, **self.required})

    def parse(self, value: object, field: str, *, partial: bool = False) -> dict[str, Any]:
        if not isinstance(value, (dict, Mapping)):
            raise RuleError(f"expected an object, got {value!r}", field=field)
        out: dict[str, Any] = {}
        shapes = self._shapes
        for name, v in value.items():
            shape = shapes.get(name)
            if shape is None:
                known = ", ".join([*self.required, *self.optional]) or "no fields"
                raise RuleError(f"{name!r} is not known here; known: {known}", field=field)
            try:
                out[name] = shape.parse(v, "", partial=partial)
            except RuleError as fault:
                fault.field = f"{field}.{name}{fault.field}"
                raise
        if not partial:
            for name in self.required:
                if name not in out:
                    raise RuleError("is missing", field=f"{field}.{name}")
        return out

    def dump(self, value: Any) -> Any:
        return {name: self._shapes[name].dump(v) for name, v in value.items()}

    def schema(self) -> dict[str, Any]:
        out = {
            "type": "object",
            "properties": {n: s.schema() for n, s in {**self.required, **self.optional}.items()},
            "required": list(self.required),
            "additionalProperties": False,
        }
        return _about(out, self.about)


def _about(schema: dict[str, Any], about: str) -> dict[str, Any]:
    return {**schema, "description": about} if about else schema
