"""What people ask beside the house edge, as text and as JSON: strategy, a play of one's own, odds for a wanted edge,
odds that the rulebook forbids, what a table should win an hour, and whether what it won could be luck."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any

from rules.edge.core import Case, Edge
from rules.edge.holdem.sorts import Sort, Sorts
from rules.edge.luck import Expected, Luck, Wagered, expected, luck
from rules.edge.odds_for import Answer, forbidden
from rules.edge.registry import case_of, entries_of
from rules.edge.report import decimal, percent, title
from rules.edge.situations import Row, Situation, rows
from rules.edge.strategy import cost_of_play, has_flop
from rules.errors import RuleError
from rules.money import CENT, format_money, parse_money
from rules.money import say as say_exactly
from rules.odds import to_one

Find = Callable[[Case], Edge]


def say(micros: int) -> str:
    """To the cent, the rest cut off: figures of chance are no sums of money."""
    return say_exactly(micros - micros % CENT if micros >= 0 else micros + -micros % CENT)


PARTS = (Fraction(1, 2), Fraction(19, 20), Fraction(999, 1000))
"""Of all cases, within the bounds that are told."""


# ------------------------------------------------------------------------------------------------------- strategy


def strategy_text(case: Case, found: Sequence[Situation], flop: Sorts) -> str:
    lines = [f"{title(case)}: what to do, and what it costs to do otherwise, in units of the stake"]
    for moment, group in groupby(rows(found), key=lambda row: row.moment):
        lines += ["", *([f"{moment[0].upper()}{moment[1:]}:", ""] if moment else [])]
        for row in group:
            name = row.first if row.first == row.last else f"{row.first} to {row.last}"
            name = f"{row.sort}: {name}" if row.sort else name
            lines.append(f"  {row.best:10} {percent(row.chance, 2):>6}%  {name}{_costs(row)}")
    return "\n".join([*lines, *_flop_lines(case, flop)]) + "\n"


def _flop_lines(case: Case, flop: Sorts) -> list[str]:
    """On the flop a sort is played as most of its situations are; what that costs altogether is said at the end."""
    if not flop:
        told = f"On the flop: no table is kept; `python -m rules.edge.holdem {case.game.name}` takes some minutes."
        return ["", told] if has_flop(case) else []
    lines = [
        "",
        "On the flop, by sort: what to do, how often that is the best, and what each choice costs on average",
        "",
    ]
    for name, sort in sorted(flop.items(), key=_gain):
        choice = cheapest(sort)
        others = ", ".join(
            f"{other} {decimal(cost, 4)}" for other, cost in sort.cost.items() if other != choice
        )
        lines.append(
            f"  {choice:10} {percent(sort.chance, 2):>6}%  {name}: best in {percent(sort.best[choice], 1)}%;"
            f" costs {decimal(sort.cost[choice], 4)}, {others}"
        )
    lost = sum((sort.chance * sort.cost[cheapest(sort)] for sort in flop.values()), Fraction(0))
    lines += [
        "",
        f"Who goes by these sorts alone gives up {percent(lost)}% of the ante against the best play.",
    ]
    return lines


def cheapest(sort: Sort) -> str:
    return min(sort.cost, key=lambda choice: sort.cost[choice])


def _gain(item: tuple[str, Sort]) -> tuple[Fraction, str]:
    """Sorts in which the first choice is the better by most stand first."""
    name, sort = item
    first, *_, last = sort.cost
    return sort.cost[first] - sort.cost[last], name


def _costs(row: Row) -> str:
    told = []
    for choice, (least, most) in row.costs.items():
        both = decimal(least) if least == most else f"{decimal(least)} to {decimal(most)}"
        told.append(f"{choice} costs {both}")
    return f": {', '.join(told)}" if told else ""


def strategy_json(case: Case, found: Sequence[Situation], flop: Sorts) -> dict[str, Any]:
    return {
        **case.identity(),
        "situations": [
            {
                "situation": one.name,
                "sort": one.sort,
                "moment": one.moment,
                "chance": str(one.chance),
                "best": one.best,
                "worth": {choice: str(worth) for choice, worth in one.worth.items()},
                "cost": {choice: decimal(one.cost(choice), 8) for choice in one.worth},
            }
            for one in found
        ],
        "on_the_flop": [
            {
                "sort": name,
                "chance": str(sort.chance),
                "best": {choice: str(part) for choice, part in sort.best.items()},
                "cost": {choice: decimal(cost, 8) for choice, cost in sort.cost.items()},
            }
            for name, sort in sorted(flop.items(), key=_gain)
        ],
    }


def own_play(edge: Edge, found: Sequence[Situation], chosen: object) -> tuple[str, dict[str, Any]]:
    """A play of one's own: its house edge, beside that of the best play."""
    lost = cost_of_play(found, chosen)
    own = edge.house_edge + lost
    text = (
        f"{title(edge.case)}\n\n"
        f"  {'house edge':18}{percent(own):>11}%   with this play, and the best from there on\n"
        f"  {'best play':18}{percent(edge.house_edge):>11}%\n"
        f"  {'mistakes cost':18}{percent(lost):>11}%   of every stake\n"
    )
    return text, {
        **edge.case.identity(),
        "house_edge": {"fraction": str(own), "percent": percent(own, 8)},
        "best_play": {"fraction": str(edge.house_edge), "percent": percent(edge.house_edge, 8)},
        "mistakes_cost": {"fraction": str(lost), "percent": percent(lost, 8)},
    }


def advice_text(case: Case, worth: Mapping[str, Fraction]) -> str:
    best = max(worth.values())
    lines = [f"{title(case)}: worth in antes", ""]
    for choice, value in sorted(worth.items(), key=lambda item: -item[1]):
        cost = f"costs {decimal(best - value)}" if value != best else "best"
        lines.append(f"  {choice:10} {decimal(value, 6):>12}  {cost}")
    return "\n".join(lines) + "\n"


# ----------------------------------------------------------------------------------------------------------- odds


def marked(case: Case) -> str:
    """Why odds in force may not be offered, as a line of its own; '' where they may."""
    told = [why for slot in case.entry.slots if (why := forbidden(case, slot))]
    return f"NOT ALLOWED, computed all the same: {'; '.join(told)}\n" if told else ""


def answer_text(answer: Answer) -> str:
    exact = answer.edges[0]
    lines = [title(exact.case), ""]
    lines.append(
        f"  {answer.line} at {to_one(answer.ratio.numerator, answer.ratio.denominator)} gives the house"
        f" {percent(exact.house_edge)}%"
    )
    for edge in answer.edges[1:]:
        ratio = edge.case.paytables[_slot(edge, answer)].lines[answer.line]
        why = marked(edge.case)
        lines.append(f"  {ratio}: {percent(edge.house_edge)}%{f'  {why.strip()}' if why else ''}")
    return "\n".join(lines) + "\n" + marked(exact.case)


def _slot(edge: Edge, answer: Answer) -> str:
    return next(slot for slot, table in edge.case.tables().items() if answer.line in table.lines)


def answer_json(answer: Answer) -> dict[str, Any]:
    return {
        **answer.edges[0].case.identity(),
        "line": answer.line,
        "wanted": str(answer.wanted),
        "odds": str(answer.ratio),
        "house_edges": [
            {
                "odds": str(edge.case.paytables[_slot(edge, answer)].lines[answer.line].ratio),
                "house_edge": str(edge.house_edge),
                "not_allowed": marked(edge.case).strip(),
            }
            for edge in answer.edges
        ],
    }


# ------------------------------------------------------------------------------------------------------- a table


@dataclass(frozen=True)
class Played:
    """One wager of a table's mixture: so many an hour of one stake."""

    edge: Edge
    stake_micros: int
    an_hour: int

    @property
    def win_micros(self) -> Fraction:
        return self.an_hour * self.stake_micros * self.edge.house_edge


_SHAPES: tuple[tuple[str, type, str], ...] = (
    ("selection", str, "what is backed, as text"),
    ("options", dict, "an object of options"),
    ("decks", int, "a number of packs"),
)


def table_of(game: str, rulebook: str, document: object, find: Find) -> list[Played]:
    """Reads what is played at a table: a list of wager, stake and how many an hour, with what else decides its edge."""
    if not isinstance(document, list) or not document:
        raise RuleError("a table is a list of wagers with stake and an_hour", field="table")
    found: list[Played] = []
    for place, one in enumerate(document):
        field = f"table[{place}]"
        if not isinstance(one, Mapping):
            raise RuleError("an object with wager, stake and an_hour", field=field)
        strange = set(one) - {"wager", "stake", "an_hour", "selection", "paytable", "options", "decks"}
        if strange:
            raise RuleError(f"{', '.join(sorted(strange))} is not known here", field=field)
        for name, kind, said in _SHAPES:
            if not isinstance(one.get(name), kind | None):
                raise RuleError(f"{said}, not {one[name]!r}", field=f"{field}.{name}")
        (entry,) = entries_of(game, rulebook, str(one.get("wager")))
        if entry.jackpot:
            raise RuleError("what a jackpot wager returns depends on its meter", field=f"{field}.wager")
        stake, an_hour = parse_money(str(one.get("stake")), f"{field}.stake"), one.get("an_hour")
        if stake <= 0 or isinstance(an_hour, bool) or not isinstance(an_hour, int) or an_hour < 1:
            raise RuleError("a stake above nothing and a whole number an hour", field=field)
        case = case_of(
            entry,
            selection=one.get("selection"),
            paytables=one.get("paytable"),
            options=one.get("options"),
            decks=one.get("decks"),
        )
        found.append(Played(find(case), stake, an_hour))
    return found


def over(played: Sequence[Played], hours: int) -> Expected:
    if hours < 1:
        raise RuleError(f"one hour or more, not {hours}", field="hours")
    return expected(Wagered.of(one.edge, hours * one.an_hour, one.stake_micros) for one in played)


def table_text(played: Sequence[Played], hours: int, observed_micros: int | None) -> str:
    lines = ["Theoretical win an hour", ""]
    for one in played:
        lines.append(
            f"  {say(int(one.win_micros)):>12}  {one.an_hour} an hour of {say(one.stake_micros)} at"
            f" {percent(one.edge.house_edge)}%: {title(one.edge.case)}"
        )
    lines.append(f"  {say(int(sum((one.win_micros for one in played), Fraction(0)))):>12}  together")
    of = over(played, hours)
    lines += [
        "",
        f"In {hours} hours: {say(int(of.win_micros))} of {say(of.staked_micros)} staked, give or take",
    ]
    for part in PARTS:
        low, high = of.bounds_micros(part)
        hold = " to ".join(f"{percent(bound, 2)}%" for bound in of.hold_bounds(part))
        lines.append(f"  {percent(part, 1):>5}% of cases  {say(low)} to {say(high)}  (hold {hold})")
    lines.append("Wagers are taken as independent; those that one round decides together swing more widely.")
    if observed_micros is not None:
        lines += ["", *luck_text(luck(of, observed_micros))]
    return "\n".join(lines) + "\n"


def luck_text(found: Luck) -> list[str]:
    return [
        found.verdict,
        f"  observed {say(found.observed_micros)}, {decimal(found.distance, 2)} standard deviations from the expected",
        f"  by chance alone, to either side: {percent(found.chance)}%; at the very most {percent(found.at_most, 2)}%",
    ]


def table_json(played: Sequence[Played], hours: int, observed_micros: int | None) -> dict[str, Any]:
    of = over(played, hours)
    answer: dict[str, Any] = {
        "wagers": [
            {
                **one.edge.case.identity(),
                "stake": format_money(one.stake_micros),
                "an_hour": one.an_hour,
                "house_edge": str(one.edge.house_edge),
                "win_an_hour": format_money(int(one.win_micros)),
            }
            for one in played
        ],
        "hours": hours,
        "staked": format_money(of.staked_micros),
        "win": format_money(int(of.win_micros)),
        "deviation": format_money(of.deviation_micros),
        "bounds": [
            {"percent_of_cases": percent(part, 1), "win": [format_money(b) for b in of.bounds_micros(part)]}
            for part in PARTS
        ],
        "luck": None,
    }
    if observed_micros is not None:
        found = luck(of, observed_micros)
        answer["luck"] = {
            "observed": format_money(observed_micros),
            "distance": decimal(found.distance, 4),
            "chance_percent": percent(found.chance, 8),
            "at_most_percent": percent(found.at_most, 8),
            "verdict": found.verdict,
        }
    return answer
