"""Figures as text for people, as JSON for programs and as Markdown for the documentation. No figure is made here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from math import isqrt
from typing import Any

from rules.cards import card_text
from rules.edge.core import Case, Edge, LineChance, chances_of_hits
from rules.odds import to_one


def decimal(value: Fraction, places: int = 4) -> str:
    """Rounded half away from zero: 1/37 → '0.0270'."""
    scaled = abs(value) * 10**places
    digits = str(int(scaled + Fraction(1, 2))).rjust(places + 1, "0")
    text = f"{digits[:-places]}.{digits[-places:]}" if places else digits
    return f"-{text}" if value < 0 and int(scaled + Fraction(1, 2)) else text


def percent(value: Fraction, places: int = 4) -> str:
    return decimal(value * 100, places)


def root(value: Fraction, places: int = 4) -> Fraction:
    """The square root, rounded down to so many places: for standard deviations."""
    scale = int(10**places)
    return Fraction(isqrt(int(value * scale * scale)), scale)


def verdict(edge: Edge) -> str:
    """One plain line where the player is favoured, else nothing."""
    if not edge.favours_player:
        return ""
    gain = percent(-edge.house_edge)
    return f"This wager favours the player: over time it costs the house {gain}% of every stake."


def as_line(edge: Edge) -> str:
    """One line of a list."""
    if edge.case.entry.jackpot:
        return by_meter(edge.case)
    return f"{percent(edge.house_edge):>10}%  {title(edge.case)}\n"


def by_meter(case: Case) -> str:
    """What a jackpot wager returns depends on its meter, so it is asked for by itself."""
    return f"{'by meter':>11}  {title(case)}\n"


def title(case: Case) -> str:
    parts = [f"{case.game.title} ({case.game.rulebook})", case.entry.wager]
    if case.selection:
        parts.append(f"on {case.selection}")
    parts += [_table_title(name) for name in _table_names(case)]
    parts += [_as_given(name, case.options[name]) for name in case.entry.options]
    if case.decks and "decks" not in case.entry.options:
        parts.append(packs(case.decks))
    return ", ".join(parts)


def _as_given(option: str, value: Any) -> str:
    """As `--option` takes it."""
    if option == "wild":
        value = [card_text(card) for card in value]
    return f"{option}={str(value).lower() if isinstance(value, bool) else _value(value)}"


def _table_names(case: Case) -> list[str]:
    """Names of the tables in force, of slots for which the rulebook prints several or the operator has his own."""
    return [
        table.name
        for slot, table in case.tables().items()
        if len(case.game.tables_of(slot)) > 1 or table.name not in case.game.tables_of(slot)
    ]


def _table_title(name: str) -> str:
    return name if name.startswith("table") else f"table {name}"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {part}" for name, part in value.items())
    return "+".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def pays(line: LineChance) -> str:
    if line.net == 0:
        return "push"
    if line.net < 0:
        return f"loses {decimal(-line.net, 4).rstrip('0').rstrip('.')}"
    return str(to_one(line.net.numerator, line.net.denominator))


def as_text(edge: Edge) -> str:
    rows = [title(edge.case), ""]
    favour = verdict(edge)
    if favour:
        rows += [favour, ""]
    exact = f"± {percent(edge.error)}%" if edge.case.entry.sample else _exact(edge.house_edge)
    figures = [("house edge", edge.house_edge, f"of the initial stake ({exact})")]
    if edge.staked != 1:
        figures.append(("element of risk", edge.element_of_risk, "of all that is staked"))
    if edge.push_frequency:
        figures.append(("per decided wager", edge.per_decided, "pushes left out"))
    figures.append(("hit frequency", edge.hit_frequency, ""))
    rows += [f"  {name:18}{percent(value):>11}%   {what}".rstrip() for name, value, what in figures]
    deviation = decimal(root(edge.variance))
    rows.append(f"  {'variance':18}{decimal(edge.variance):>11}    per unit; standard deviation {deviation}")
    rows += [f"  {'method':18}{edge.method}", ""]
    if edge.case.entry.about:
        rows += [f"  {edge.case.entry.about}", ""]
    width = max(len(line.line) for line in edge.lines)
    for line in edge.lines:
        rows.append(f"  {line.line:{width}}  {pays(line):>14}  {percent(line.chance, 6):>12}%")
    return "\n".join(rows) + "\n"


def _exact(value: Fraction) -> str:
    text = str(value)
    return text if len(text) <= 60 else f"exactly {text[:24]}...; --json has all digits"


def as_json(edge: Edge) -> dict[str, Any]:
    case = edge.case
    if case.entry.jackpot:
        return by_meter_json(edge)
    return {
        **case.identity(),
        "tables": {slot: table.name for slot, table in case.tables().items()},
        "house_edge": _figure(edge.house_edge),
        "element_of_risk": _figure(edge.element_of_risk),
        "per_decided": _figure(edge.per_decided),
        "staked": str(edge.staked),
        "hit_frequency": _figure(edge.hit_frequency),
        "push_frequency": _figure(edge.push_frequency),
        "variance": {"fraction": str(edge.variance), "decimal": decimal(edge.variance, 8)},
        "favours_player": edge.favours_player,
        "verdict": verdict(edge),
        "method": edge.method,
        "standard_error": _figure(edge.error) if case.entry.sample else None,
        "jackpot": "",
        "about": case.entry.about,
        "lines": [
            {"line": line.line, "net": str(line.net), "probability": _figure(line.chance)}
            for line in edge.lines
        ],
    }


def by_meter_json(edge: Edge) -> dict[str, Any]:
    """A jackpot wager without its meter: how often each hand hits, and no figure that would need the meter."""
    case = edge.case
    return {
        **case.identity(),
        "house_edge": None,
        "favours_player": None,
        "verdict": "What it returns depends on the meter: ask for this wager by itself, with --meter.",
        "method": edge.method,
        "jackpot": case.entry.jackpot,
        "about": case.entry.about,
        "hits": {trigger: _figure(chance) for trigger, chance in chances_of_hits(edge.distribution).items()},
    }


def _figure(value: Fraction) -> dict[str, str]:
    return {"fraction": str(value), "percent": percent(value, 8)}


def as_markdown(edges: Iterable[Edge]) -> Iterator[str]:
    """A section a game, a row for each figure; selections with the same figure share a row."""
    for game, of_game in groupby(edges, key=lambda edge: edge.case.game):
        found = list(of_game)
        yield f"\n## {game.title} ({game.rulebook})\n"
        usual = _usual(found)
        if usual:
            yield f"Unless a row says otherwise: {usual}.\n"
        yield "| wager | house edge | of all staked | hits | standard deviation | notes |"
        yield "|---|---:|---:|---:|---:|---|"
        yield from map(_row, grouped(found))


def _usual(edges: Iterable[Edge]) -> str:
    """Options with several values in a section, with those that rows do not name."""
    found = {
        option: values[0]
        for edge in edges
        for option, values in edge.case.entry.options.items()
        if len(values) > 1 and not isinstance(values[0], Mapping)
    }
    return ", ".join(f"{option} {_value(value)}" for option, value in found.items())


def grouped(edges: Iterable[Edge]) -> Iterator[list[Edge]]:
    """Selections of one wager with the same figure, together, in the order of the first of each."""
    for _, wager in groupby(edges, key=lambda edge: edge.case.entry):
        groups: dict[tuple[Any, ...], list[Edge]] = {}
        for edge in wager:
            groups.setdefault(_alike(edge), []).append(edge)
        yield from groups.values()


def _alike(edge: Edge) -> tuple[Any, ...]:
    case = edge.case
    options = str(case.identity()["options"])
    return options, tuple(_table_names(case)), case.decks, edge.house_edge, edge.variance


def name_of(group: Sequence[Edge]) -> str:
    """The wager of a row: what is backed, the table, options other than the usual ones, and packs."""
    return _named(wager_of(group), group[0].case)


def name_of_case(case: Case) -> str:
    """The same of one selection alone, before its figure is known."""
    return _named(f"{case.entry.wager} {case.selection}".rstrip(), case)


def _named(wager: str, case: Case) -> str:
    parts = [wager, *_terms(case)]
    if case.decks and "decks" not in case.entry.options:
        parts.append(packs(case.decks))
    return ", ".join(parts)


def wager_of(group: Sequence[Edge]) -> str:
    chosen = ", ".join(edge.case.selection for edge in group)
    return f"{group[0].case.entry.wager} {chosen}".rstrip(" ,")


def terms_of(edge: Edge) -> list[str]:
    """The table and those options that are not the usual ones."""
    return _terms(edge.case)


def _terms(case: Case) -> list[str]:
    terms = [_table_title(name) for name in _table_names(case)]
    for option, listed in case.entry.options.items():
        value = case.options[option]
        if isinstance(value, Mapping):
            terms.append(f"at {_value(value)}")
        elif len(listed) > 1 and value != listed[0]:
            terms.append(f"{option} {_value(value)}")
    return terms


def packs(number: int) -> str:
    return f"{number} packs" if number > 1 else "one pack"


def _row(group: Sequence[Edge]) -> str:
    edge = group[0]
    name = name_of(group)
    risk = f"{percent(edge.element_of_risk)}%" if edge.staked != 1 else ""
    notes = ["**favours the player**"] if edge.favours_player else []
    if edge.push_frequency and edge.push_frequency != 1:
        notes.append(f"{percent(edge.per_decided)}% of decided wagers")
    if edge.case.entry.sample:
        notes.append(f"estimate ± {percent(edge.error, 2)}%: {edge.method.partition('; ')[2]}")
    elif not edge.method.startswith("exact: every outcome is counted"):
        notes.append(edge.method)
    elif edge.method != "exact: every outcome is counted":
        notes.append("best play")
    return (
        f"| {name} | {percent(edge.house_edge)}% | {risk} | {percent(edge.hit_frequency, 2)}% "
        f"| {decimal(root(edge.variance), 2)} | {'; '.join(notes)} |"
    )
