"""What a craps book consists of: its bets and the few answers on which books differ. No logic; the books fill it in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from fractions import Fraction
from typing import Any, Literal

from rules.declare import DecisionKind, Option, PayTable, WagerKind, paytable
from rules.errors import RuleError
from rules.rulebooks import Provisions
from rules.shape import Text

POINTS = (4, 5, 6, 8, 9, 10)
NUMBERS = tuple(map(str, POINTS))


class Form(Enum):
    """How a bet lives from throw to throw."""

    LINE = auto()
    """Wins with 7 or 11 first, then with its point before a seven."""
    DONT = auto()
    """The other side of a line, but for the barred number."""
    ODDS = auto()
    """Stands behind a line bet that has a point, at true odds."""
    LAY_ODDS = auto()
    """Stands behind a don't bet that has a point."""
    NUMBER = auto()
    """Wins if its number comes before a seven."""
    AGAINST = auto()
    """Wins if a seven comes before its number."""
    HARDWAY = auto()
    """Wins if its number comes as a pair before it comes otherwise and before a seven."""
    ONE_THROW = auto()
    """Decided by the next throw's total."""
    DICE = auto()
    """Decided by the next throw's two faces."""
    SPLIT = auto()
    """Several one-throw bets under one stake."""


@dataclass(frozen=True, slots=True)
class Bet:
    """One kind of wager of the layout. Rule suffixes tell which paragraph decides: win, lose, void."""

    name: str
    form: Form
    rule: str
    odds: Mapping[str, str] = field(default_factory=dict)
    """Line of the pay table → odds. A split bet has none: its parts are paid as the bets that they are."""
    suffixes: tuple[str, str, str] = ("", "", "")
    base: str = ""
    """For bets behind a line: the kind that they stand behind. Also tells a come bet from a pass bet."""
    after_point: bool = False
    """Line and don't bets: made while a come out point stands (come), not before the come out roll (pass)."""
    choices: tuple[str, ...] = ()
    """What can be selected: numbers, or faces as '1-3'."""
    number: int = 0
    """A number that needs no selection (Big Six)."""
    totals: Mapping[int, str] = field(default_factory=dict)
    """One-throw bets: winning total → line of the pay table."""
    parts: Mapping[str, int] = field(default_factory=dict)
    """Split bets: kind → units. 'selected' is a unit on the total that the player nominates."""
    units_selected: bool = False
    """The player says how the units are divided between the parts ('2+1')."""
    fee: Literal["", "stake", "winnings"] = ""
    """What the commission at placement is measured by."""
    limit: Literal["", "stake", "winnings"] = ""
    """Bets behind a line: which of stake or winnings may not exceed the stake of the line."""
    off_on_come_out: bool = False
    may_call: bool = False
    """The player may call it on and off."""
    about: str = ""
    is_line: bool = field(init=False)
    """Pass, come and their opposites: bets that get a point."""
    is_behind: bool = field(init=False)
    backs_number: bool = field(init=False)
    """The selection is a number of the dice that the bet is on until it is decided."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "is_line", self.form in (Form.LINE, Form.DONT))
        object.__setattr__(self, "is_behind", self.form in (Form.ODDS, Form.LAY_ODDS))
        one_throw = self.form in (Form.ONE_THROW, Form.DICE, Form.SPLIT)
        object.__setattr__(self, "backs_number", bool(self.choices) and not one_throw)


@dataclass(frozen=True)
class CrapsRules:
    """Craps as one rulebook has it."""

    cites: str
    provisions: Provisions
    bets: Mapping[str, Bet]
    take_down_rule: str
    call_rule: str
    """Where calls of on and off are allowed; '' is the rule of the bet itself."""
    off_rule: str
    """Why a wager is inactive on the come out roll unless called on; '' as above."""
    barred: int
    """The come out total on which a don't bet neither wins nor loses."""
    paragraphs: tuple[str, str]
    """Where line bets are decided: on their first throw, on their point."""
    fee_share: Fraction = Fraction(0)
    fee_back_rule: str = ""
    """Where the rulebook gives back the commission of a wager that comes down."""
    payable_unit: bool = False
    """Odds may exceed their limit by what makes them payable exactly in chips."""
    call_any_time: bool = False
    """On and off count on every throw; otherwise only on come out rolls."""
    on_covers_similar: bool = False
    """One 'on' call is for all wagers of the kind by that player unless otherwise said."""
    part_odds_rules: Mapping[str, str] = field(default_factory=dict)
    """Split bets: where the rulebook says that parts are paid as separate wagers."""
    throw_rule: str = ""
    no_roll: Mapping[str, str] = field(default_factory=dict)
    """Why a throw may be void → rule; the first where no cause is given."""
    decisions: tuple[DecisionKind, ...] = ()
    options: tuple[Option, ...] = ()

    def rule(self, number: str) -> str:
        return f"{self.cites} {number}"


@dataclass(frozen=True, slots=True)
class UnitSplit:
    """How a C & E stake is divided: '1+1' is half on any craps and half on eleven."""

    def parse(self, value: object, field: str, *, partial: bool = False) -> str:
        if not isinstance(value, str) or not re.fullmatch(r"[1-9]\d{0,2}\+[1-9]\d{0,2}", value):
            raise RuleError(
                f"units are written '1+1' (any craps + eleven), at least one on each, not {value!r}",
                field=field,
            )
        return value

    def dump(self, value: Any) -> Any:
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "pattern": r"^[1-9]\d{0,2}\+[1-9]\d{0,2}$"}


def wager_kinds(book: CrapsRules) -> tuple[WagerKind, ...]:
    return tuple(_wager_kind(book, bet) for bet in book.bets.values())


def _wager_kind(book: CrapsRules, bet: Bet) -> WagerKind:
    selection = UnitSplit() if bet.units_selected else Text(bet.choices) if bet.choices else None
    return WagerKind(
        bet.name,
        book.rule(bet.rule),
        needs=(bet.base,) if bet.base else (),
        selection=selection,
        many=True,
        slot=bet.name if bet.odds else "",
        about=bet.about,
    )


def pay_tables(book: CrapsRules, name: str, rule: str) -> tuple[PayTable, ...]:
    """One slot a kind of wager; `rule` says where the odds stand, '' is at the bet itself."""
    return tuple(
        paytable(bet.name, name, book.rule(rule or bet.rule), bet.odds)
        for bet in book.bets.values()
        if bet.odds
    )


def by_name(*bets: Bet) -> dict[str, Bet]:
    return {bet.name: bet for bet in bets}
