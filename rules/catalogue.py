"""Finds games by name and rulebook. A module or package in `rules.games` that exports `GAMES` is in the catalogue;
nothing is imported before it is asked for."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache, lru_cache

from rules.declare import Game
from rules.errors import RuleError


def all_games() -> tuple[Game, ...]:
    """Every game under every rulebook, by name."""
    return tuple(sorted(_everything().values(), key=lambda game: (game.name, game.rulebook)))


def find_game(name: object, rulebook: object) -> Game:
    """The game under the rulebook, or a RuleError that lists what there is."""
    for given, field in ((name, "game"), (rulebook, "rulebook")):
        if not isinstance(given, str):
            raise RuleError("expected text", field=field)
    found = _lookup(str(name), str(rulebook))
    if found is not None:
        return found
    games = _everything()
    if not any(game == name for game, _ in games):
        known = ", ".join(sorted({game for game, _ in games}))
        raise RuleError(f"{name!r} is not in the catalogue; known: {known}", field="game")
    books = ", ".join(book for game, book in games if game == name)
    raise RuleError(f"{name} is not a game of {rulebook!r}; known for it: {books}", field="rulebook")


@lru_cache(maxsize=512)  # names come from outside
def _lookup(name: str, rulebook: str) -> Game | None:
    """First where the name says it lies, so that one game loads alone."""
    import rules.games

    modules = {module.name for module in pkgutil.iter_modules(rules.games.__path__)}
    guess = name.replace("-", "_")
    if guess in modules:
        for game in _games_of(guess):
            if (game.name, game.rulebook) == (name, rulebook):
                return game
    return _everything().get((name, rulebook))


@cache
def _everything() -> dict[tuple[str, str], Game]:
    import rules.games

    found: dict[tuple[str, str], Game] = {}
    for module in pkgutil.iter_modules(rules.games.__path__):
        for game in _games_of(module.name):
            key = (game.name, game.rulebook)
            if key in found:
                raise RuntimeError(f"{key} is declared twice")
            found[key] = game
    return found


def _games_of(module: str) -> tuple[Game, ...]:
    loaded = importlib.import_module(f"rules.games.{module}")
    games: tuple[Game, ...] = getattr(loaded, "GAMES", ())
    return games
