"""The chart of accounts: which codes exist and of what kind they are. docs/accounting.md tells what goes where.

A code is a path that begins with its premises: `nz-akl/tables/CS-01/win`. Each premises keeps its own books, so an
entry touches accounts of one premises only. An account comes into being at its first posting; its kind is that of
the pattern which declares it. Apps declare further patterns at start with `declare`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from django.utils.translation import gettext_noop

from ledger.books.errors import InvalidEntry

_SEGMENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
MAX_CODE_LENGTH = 200


class AccountKind(StrEnum):
    ASSET = gettext_noop("asset")
    LIABILITY = gettext_noop("liability")
    INCOME = gettext_noop("income")
    EXPENSE = gettext_noop("expense")


@dataclass(frozen=True)
class Pattern:
    """`*` stands for one segment; the first segment, the premises, is always free and not written."""

    pattern: str
    kind: AccountKind
    title: str

    def matches(self, segments: tuple[str, ...]) -> bool:
        wanted = self.pattern.split("/")
        return len(wanted) == len(segments) and all(
            w in ("*", s) for w, s in zip(wanted, segments, strict=True)
        )


_patterns: dict[str, Pattern] = {}


def declare(pattern: str, kind: AccountKind, title: str) -> None:
    """Declares accounts `<premises>/<pattern>`; a second declaration of a pattern must say the same."""
    declared = Pattern(pattern, kind, title)
    if _patterns.setdefault(pattern, declared) != declared:
        raise ValueError(f"The accounts {pattern} are declared twice, differently.")
    pattern_of.cache_clear()


def patterns() -> list[Pattern]:
    return sorted(_patterns.values(), key=lambda pattern: pattern.pattern)


@lru_cache(maxsize=65_536)
def pattern_of(code: str) -> Pattern:
    """The declaration an account code falls under; InvalidEntry where there is none."""
    segments = tuple(code.split("/"))
    if len(code) > MAX_CODE_LENGTH or not all(_SEGMENT.fullmatch(segment) for segment in segments):
        raise InvalidEntry(
            f"{code!r} is no account code: write segments of letters, digits, '.', '_' and '-' joined by '/', "
            "beginning with the premises."
        )
    # The pattern with the fewest free segments wins, so that a declaration may single out one account.
    found = [pattern for pattern in _patterns.values() if pattern.matches(segments[1:])]
    if not found:
        raise InvalidEntry(f"No app declares an account like {code!r}; see ledger.books.chart.declare.")
    return min(found, key=lambda pattern: pattern.pattern.count("*"))


def title_of(code: str, say: Callable[[str], str] = str) -> str:
    """An account in words: its pattern's title, and the table, progressive or level that stands in its code. `say` puts
    the title into the reader's language."""
    try:
        found = pattern_of(code)
    except InvalidEntry:
        return code
    segments = code.split("/")[1:]
    free = [segment for word, segment in zip(found.pattern.split("/"), segments, strict=True) if word == "*"]
    title = say(found.title)
    return f"{title} ({', '.join(free)})" if free else title


def kind_of(code: str) -> AccountKind:
    return pattern_of(code).kind


def account(premises: str, *segments: str) -> str:
    """Joins a code: account("nz-akl", "tables", "CS-01", "win")."""
    return "/".join((premises, *segments))


def table(premises: str, table_code: str, name: str) -> str:
    """An account of a table: bank, win, commission, fees, rounding, standing, drop, variance, owed, recoverable."""
    return f"{premises}/tables/{table_code}/{name}"


def progressive(premises: str, progressive_code: str, name: str) -> str:
    """An account of a whole progressive: transit, house, advances."""
    return f"{premises}/jackpots/{progressive_code}/{name}"


def level(premises: str, progressive_code: str, level_code: str, name: str) -> str:
    """An account of a level: increment, base, base-not-owed, reserve, overflow, payable, top-up."""
    return f"{premises}/jackpots/{progressive_code}/levels/{level_code}/{name}"


# --- Tables ---------------------------------------------------------------------------------------------------
declare("tables/*/bank", AccountKind.ASSET, gettext_noop("Chips in the table's tray"))
declare("tables/*/drop", AccountKind.ASSET, gettext_noop("Cash in the table's drop box"))
declare(
    "tables/*/standing", AccountKind.LIABILITY, gettext_noop("Stakes of wagers that stand to a later round")
)
declare("tables/*/non-value-chips", AccountKind.LIABILITY, gettext_noop("Non-value chips not yet redeemed"))
declare("tables/*/owed", AccountKind.LIABILITY, gettext_noop("Owed to seats by corrected rounds"))
declare(
    "tables/*/recoverable",
    AccountKind.ASSET,
    gettext_noop("Overpaid by rounds that were corrected, to be recovered"),
)
declare(
    "tables/*/corrections",
    AccountKind.EXPENSE,
    gettext_noop("Of corrected rounds: overpayments written off, less what nobody claimed"),
)
declare("tables/*/win", AccountKind.INCOME, gettext_noop("Result of wagers (credit: the house won)"))
declare("tables/*/expired", AccountKind.INCOME, gettext_noop("Unclaimed money that has expired"))
declare("tables/*/commission", AccountKind.INCOME, gettext_noop("Commission on winning wagers"))
declare("tables/*/fees", AccountKind.INCOME, gettext_noop("Fees charged for playing"))
declare(
    "tables/*/jackpot-share", AccountKind.EXPENSE, gettext_noop("Share of ordinary wagers given to jackpots")
)
declare("tables/*/variance", AccountKind.EXPENSE, gettext_noop("Counted less than played (credit: more)"))
declare("tables/*/rounding", AccountKind.EXPENSE, gettext_noop("Chips paid above what was won"))

# --- Progressives ---------------------------------------------------------------------------------------------
declare("jackpots/*/transit", AccountKind.LIABILITY, gettext_noop("Contributions in transit to the pools"))
declare("jackpots/*/house", AccountKind.INCOME, gettext_noop("The house's share of jackpot wagers"))
declare(
    "jackpots/*/advances",
    AccountKind.ASSET,
    gettext_noop("Small prizes handed out before their turn in the order"),
)
declare(
    "jackpots/transfers", AccountKind.LIABILITY, gettext_noop("On its way from one progressive to another")
)
declare(
    "jackpots/*/levels/*/increment", AccountKind.LIABILITY, gettext_noop("Pool: what players have paid in")
)
declare("jackpots/*/levels/*/base", AccountKind.LIABILITY, gettext_noop("Pool: the seed"))
declare(
    "jackpots/*/levels/*/base-not-owed",
    AccountKind.ASSET,
    gettext_noop("House money in the seed, not owed until it is won"),
)
declare("jackpots/*/levels/*/reserve", AccountKind.LIABILITY, gettext_noop("Reserve for the next seed"))
declare("jackpots/*/levels/*/overflow", AccountKind.LIABILITY, gettext_noop("Contributions above the cap"))
declare("jackpots/*/levels/*/payable", AccountKind.LIABILITY, gettext_noop("Jackpots won and not yet paid"))
declare("jackpots/*/levels/*/top-up", AccountKind.EXPENSE, gettext_noop("House money in prizes and seeds"))
declare("jackpots/*/levels/*/rounding", AccountKind.EXPENSE, gettext_noop("Prizes paid above what was won"))
declare(
    "jackpots/*/levels/*/adjustments", AccountKind.EXPENSE, gettext_noop("Approved corrections of a meter")
)

# --- The house ------------------------------------------------------------------------------------------------
declare("cage/cash", AccountKind.ASSET, gettext_noop("Cash in the cage, and cash paid from it"))
declare("cage/chips", AccountKind.ASSET, gettext_noop("Chips in the cage"))
declare("cage/cheques", AccountKind.LIABILITY, gettext_noop("Cheques written and not yet presented"))
declare("house/funds", AccountKind.LIABILITY, gettext_noop("What the owner has put into the bankroll"))
declare("promotions", AccountKind.EXPENSE, gettext_noop("Promotional chips and vouchers played"))
declare("unclaimed", AccountKind.LIABILITY, gettext_noop("Winnings that nobody has claimed"))
declare("recoverable", AccountKind.ASSET, gettext_noop("Paid in error, to be recovered"))
declare("terminals/*/credits", AccountKind.LIABILITY, gettext_noop("Credits on an electronic terminal"))
declare("due-from/*", AccountKind.ASSET, gettext_noop("Owed to us by another premises of a link"))
declare("due-to/*", AccountKind.LIABILITY, gettext_noop("Owed by us to another premises of a link"))
