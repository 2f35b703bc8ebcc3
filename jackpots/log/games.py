"""What is played at a linked table, as far as a jackpot asks: which wagers may feed it, and how likely its hands are.

Tables are a room above: it registers at start how the game of a table's log is found.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from config.kit.canonical_json import canonical_json
from config.kit.refusals import Refused
from jackpots.models import Link, Progressive, TableLog
from rules import RuleError
from rules.declare import Game
from rules.edge import Edge, case_of, edge_of, entries_of
from rules.edge.core import chances_of_hits
from rules.progressive import ContributionSource, ProgressiveRules


@dataclass(frozen=True)
class TableGame:
    """The game of a table, with its options."""

    game: Game
    options: Mapping[str, Any]


_finders: list[Callable[[TableLog], TableGame | None]] = []


def register(finder: Callable[[TableLog], TableGame | None]) -> None:
    _finders.append(finder)


def game_of(table_log: TableLog) -> TableGame | None:
    """None for a log whose table is not set up yet."""
    return next((found for finder in _finders if (found := finder(table_log)) is not None), None)


def kinds_for(game: Game, rules: ProgressiveRules) -> list[str]:
    """The wagers of a game that may feed a progressive of these rules, or win from it."""
    jackpot = rules.source is ContributionSource.JACKPOT_WAGER
    return [name for name, kind in game.kinds.items() if (kind.jackpot if jackpot else kind.entitles)]


def refuse_kinds(game: Game, progressive: Progressive, kinds: Iterable[str]) -> None:
    """A jackpot wager feeds a progressive of jackpot wagers; a wager that entitles feeds or wins one of the others."""
    source = progressive.config.rules.source
    for name in kinds:
        if name not in game.kinds:
            raise Refused("link", f"{game.title} has no wager {name!r} that could feed {progressive}.")
        if name not in kinds_for(game, progressive.config.rules):
            raise Refused("link", f"{progressive} is fed by {source.value}; {name} of {game.title} is none.")


# --- Odds ------------------------------------------------------------------------------------------------------


def edge_at(played: TableGame, kind: str) -> Edge | None:
    """The exact figures of a jackpot wager at this game; None where there are none."""
    return _edge(played.game.name, played.game.rulebook, kind, canonical_json(dict(played.options)))


@lru_cache(maxsize=64)
def _edge(game: str, rulebook: str, kind: str, options: str) -> Edge | None:
    try:
        entry = entries_of(game, rulebook, kind)[0]
        return edge_of(case_of(entry, options=json.loads(options))) if entry.jackpot else None
    except RuleError:
        return None


def chances(played: TableGame, kinds: Iterable[str], rules: ProgressiveRules) -> dict[str, Fraction] | None:
    """By hand that wins the whole of a level: how likely one wager is to have it. None where it is not known."""
    for kind in kinds:
        edge = edge_at(played, kind)
        if edge is None:
            return None
        found = chances_of_hits(edge.distribution)
        return {trigger: found.get(trigger, Fraction(0)) for trigger in rules.triggers}
    return None


def unequal_odds(progressive: Progressive, played: TableGame, kinds: Iterable[str]) -> str:
    """Why players of this game would have other chances at the same meter than those of a game that is linked already;
    empty where they have the same."""
    rules = progressive.config.rules
    mine = chances(played, kinds, rules)
    for link in progressive.links.select_related("table_log__premises"):
        other = _other_game(link, played)
        if other is None:
            continue
        theirs = chances(other, link.kinds, rules)
        if mine is None or theirs is None:
            unknown = played if mine is None else other
            return f"how likely the hands are at {unknown.game.title} ({unknown.game.rulebook}) is not known"
        for trigger in rules.triggers:
            if mine[trigger] != theirs[trigger]:
                here, there = (_one_in(found[trigger]) for found in (mine, theirs))
                return (
                    f"a {trigger.replace('-', ' ')} comes {here} at {played.game.title} ({played.game.rulebook}), and"
                    f" {there} at {other.game.title} ({other.game.rulebook}) of {link.table_log}"
                )
    return ""


def _other_game(link: Link, played: TableGame) -> TableGame | None:
    found = game_of(link.table_log)
    same = found is not None and (found.game.name, found.game.rulebook) == (
        played.game.name,
        played.game.rulebook,
    )
    return None if same else found


def _one_in(chance: Fraction) -> str:
    return f"once in {round(1 / chance):,} wagers" if chance else "never"
