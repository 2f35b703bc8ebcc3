"""The NewAR side wager (gb-2011 3.41-3.44): the red even or the black odd numbers, and a bonus number at other odds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules.contract import Round
from rules.declare import Option, WagerKind, paytable
from rules.errors import RuleError
from rules.games.roulette import layout
from rules.play import Play
from rules.shape import Text

BOOK = "gb-2011"
SLOT = "newar"
GROUPS = {
    "newar-red-even": frozenset(n for n in layout.RED if int(n) % 2 == 0),
    "newar-black-odd": frozenset(n for n in layout.BLACK if int(n) % 2),
}
BONUS_OPTION = {"newar-red-even": "newar_bonus_red_even", "newar-black-odd": "newar_bonus_black_odd"}

WAGERS = tuple(WagerKind(kind, f"{BOOK} 3.43", many=True, slot=SLOT) for kind in GROUPS)
OPTIONS = tuple(
    Option(name, Text(layout.DOUBLE_ZERO), "0", f"{BOOK} 3.44", f"the bonus number of {kind}")
    for kind, name in BONUS_OPTION.items()
)

ROWS = (
    ("3 to 1", "1 to 1"),
    ("3 to 1", "3 to 2"),
    ("3 to 1", "2 to 1"),
    ("3 to 1", "5 to 2"),
    ("2 to 1", "9 to 1"),
    ("2 to 1", "9 1/2 to 1"),
    ("2 to 1", "10 to 1"),
    ("2 to 1", "10 1/2 to 1"),
)
"""3.44 from the top: the odds of the group and of its bonus number belong together."""
PAYTABLES = tuple(
    paytable(SLOT, f"row-{index}", f"{BOOK} 3.44", {"group": group, "bonus": bonus})
    for index, (group, bonus) in enumerate(ROWS, start=1)
)


def newar_line(kind: str, bonus: str, number: str) -> str | None:
    """The pay table line that the number wins for the group, with its bonus number; None: it loses."""
    return "bonus" if number == bonus else "group" if number in GROUPS[kind] else None


def faults(options: Mapping[str, Any], round: Round) -> Iterator[RuleError]:
    """A bonus number stands beside its group; odds of one's own reach both odds of some row."""
    for kind, name in BONUS_OPTION.items():
        if options[name] in GROUPS[kind]:
            text = f"{options[name]} is in {kind} already; a bonus number is another one"
            yield RuleError(text, field=f"options.{name}", rule=f"{BOOK} 3.43")
    own = round.paytables[SLOT]
    if own not in PAYTABLES and not any(
        all(odds.ratio >= row.lines[key].ratio for key, odds in own.lines.items()) for row in PAYTABLES
    ):
        text = "the odds of group and bonus number together reach no row of the rulebook"
        yield RuleError(text, field=f"paytables.{SLOT}", rule=f"{BOOK} 3.44")


def settle(play: Play, number: str) -> None:
    for wager in play.of_kind(*GROUPS):
        line = newar_line(wager.kind, play.options[BONUS_OPTION[wager.kind]], number)
        play.pay_or_lose(wager, SLOT, line, f"{BOOK} {'3.44' if line else '3.43'}")
