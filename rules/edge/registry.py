"""Which wagers have a figure, and how one is asked for: entries of all families, cases, and the function `edge_of`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any, Protocol

from rules.catalogue import find_game
from rules.codec import resolve_options, resolve_paytables
from rules.edge.core import Case, Distribution, Edge, EdgeEntry
from rules.errors import RuleError
from rules.odds import odds
from rules.shape import ByName


class Keeper(Protocol):
    """Where figures are kept between runs, see `rules.edge.store`."""

    def get(self, case: Case, family: str) -> Distribution | None: ...

    def put(self, case: Case, family: str, distribution: Distribution) -> None: ...


@cache
def families() -> Mapping[str, tuple[EdgeEntry, ...]]:
    """Entries by the module that declares them."""
    import rules.edge.families

    found: dict[str, tuple[EdgeEntry, ...]] = {}
    for module in pkgutil.iter_modules(rules.edge.families.__path__):
        name = f"rules.edge.families.{module.name}"
        loaded = importlib.import_module(name)
        entries: tuple[EdgeEntry, ...] = getattr(loaded, "ENTRIES", ())
        if entries:
            found[name] = entries
    return found


@cache
def _by_name() -> Mapping[tuple[str, str, str], tuple[str, EdgeEntry]]:
    found: dict[tuple[str, str, str], tuple[str, EdgeEntry]] = {}
    for family, entries in families().items():
        for entry in entries:
            key = (entry.game, entry.rulebook, entry.wager)
            if key in found:
                raise RuntimeError(f"{key} has two entries, in {found[key][0]} and in {family}")
            found[key] = (family, entry)
    return found


def all_entries() -> tuple[EdgeEntry, ...]:
    """By game, rulebook and the order in which the game declares its wagers."""

    def place(entry: EdgeEntry) -> tuple[str, str, int]:
        kinds = list(find_game(entry.game, entry.rulebook).kinds)
        return entry.game, entry.rulebook, kinds.index(entry.wager)

    return tuple(sorted((entry for _, entry in _by_name().values()), key=place))


def entries_of(game: str, rulebook: str, wager: str = "") -> tuple[EdgeEntry, ...]:
    """The entries of a game, or the one of a wager; a RuleError that lists what there is."""
    found = tuple(e for e in all_entries() if (e.game, e.rulebook) == (game, rulebook))
    if not found:
        find_game(game, rulebook)
        raise RuleError("no house edge is computed for this game yet", field="game")
    if not wager:
        return found
    for entry in found:
        if wager == entry.wager or wager in entry.covers:
            return (entry,)
    known = ", ".join(entry.wager for entry in found)
    raise RuleError(f"no house edge of {wager!r}; known for {game}: {known}", field="wager")


def case_of(
    entry: EdgeEntry,
    *,
    selection: str | None = None,
    paytables: object = None,
    options: Mapping[str, Any] | None = None,
    decks: int | None = None,
    tick: Callable[[int, int], None] | None = None,
) -> Case:
    """A case with everything resolved and checked: what is not given has its default.

    `paytables`: by slot, a table's name or the operator's own odds; also a name alone or odds alone, which are then
    for the first slot of the entry. Odds below the rulebook's minimum are refused as in a round.
    """
    game = find_game(entry.game, entry.rulebook)
    given = dict(entry.given) | dict(options or {})
    if decks is None:
        decks = given.get("decks", entry.decks[0])
    elif entry.decks == (0,):
        text = f"the packs of {entry.wager} are not to choose: the rulebook fixes them, or they make no difference"
        raise RuleError(text, field="decks")
    if not isinstance(decks, int) or (decks and not 1 <= decks <= 8):
        raise RuleError(f"a number of packs lies between 1 and 8, not {decks!r}", field="decks")
    if any(option.name == "decks" for option in game.options):
        given["decks"] = decks
    chosen = entry.selections[0] if selection is None else selection
    shape = game.kinds[entry.wager].selection
    if shape is not None:
        shape.parse(chosen, "selection")
    elif chosen:
        raise RuleError(f"{entry.wager} has nothing to select", field="selection")
    case = Case(
        entry,
        game,
        chosen,
        resolve_options(game, given),
        resolve_paytables(game, _by_slot(entry, paytables)),
        decks,
    )
    _check_stated(case)
    return case if tick is None else replace(case, tick=tick)


def _stated(entry: EdgeEntry) -> Iterator[tuple[str, ByName]]:
    """Options of a wager that state its odds, where the rulebook at hand prints none."""
    game = find_game(entry.game, entry.rulebook)
    for name in entry.options:
        option = game.named_options.get(name)
        if option is not None and isinstance(option.shape, ByName):
            yield name, option.shape


def _check_stated(case: Case) -> None:
    for name, shape in _stated(case.entry):
        for line in shape.names:
            if line not in case.options[name]:
                text = f"state the odds of {line} too: {', '.join(shape.names)}"
                raise RuleError(text, field=f"options.{name}", rule=case.game.named_options[name].rule)
            odds(case.options[name][line])


def _by_slot(entry: EdgeEntry, given: object) -> Mapping[str, object]:
    if given is None:
        return {}
    if isinstance(given, Mapping) and (not given or set(given) <= set(entry.slots)):
        return given
    if not entry.slots:
        how = "".join(f"; state its odds with --option {name}=..." for name, _ in _stated(entry))
        raise RuleError(f"{entry.wager} is not paid by a pay table{how}", field="paytables")
    return {entry.slots[0]: given}


def variants(entry: EdgeEntry) -> Iterator[Case]:
    """Every case of the rulebook: each table of the first slot, each listed option, number of packs and selection."""
    game = find_game(entry.game, entry.rulebook)
    tables: tuple[Any, ...] = (None,)
    if entry.slots:
        tables = tuple({entry.slots[0]: name} for name in game.tables_of(entry.slots[0]))
    names = list(entry.options)
    for table, values, decks, selection in product(
        tables, product(*entry.options.values()), entry.decks, entry.selections
    ):
        chosen = dict(zip(names, values, strict=True))
        if entry.listed(chosen):
            case = case_of(
                entry, selection=selection, paytables=table, options=chosen, decks=decks if decks else None
            )
            if entry.shown(case):
                yield case


def edge_of(case: Case, keeper: Keeper | None = None) -> Edge:
    """The figure, from the keeper where it has it."""
    family = _by_name()[case.entry.game, case.entry.rulebook, case.entry.wager][0]
    found = keeper.get(case, family) if keeper is not None else None
    if found is None:
        found = case.entry.compute(case)
        if keeper is not None:
            keeper.put(case, family, found)
    return Edge(case, found)
