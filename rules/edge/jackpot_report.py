"""Jackpot figures as text, as JSON and as Markdown. No figure is made here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from rules.edge.jackpots import HOURS_A_DAY, Jackpot
from rules.edge.report import decimal, percent
from rules.money import format_money, parse_money
from rules.progressive.config import percent as rate_text
from rules.progressive.config import say


def one_in(chance: Fraction) -> str:
    return f"1 in {decimal(1 / chance, 1 if chance > Fraction(1, 1000) else 0)}" if chance else "never"


def verdict(jackpot: Jackpot) -> str:
    """One plain line where the wager favours the player, or will."""
    even = jackpot.break_even_micros()
    if even == 0:
        back = percent(_at_nothing(jackpot).returned_micros / jackpot.stake_micros, 2)
        fixed = f"prizes that do not depend on it return {back}% of the stake"
        return f"This wager favours the player at any meter: {fixed}."
    if even is None:
        return ""
    meter = max((m for m in jackpot.meters_micros.values()), default=jackpot.rules.levels[0].seed_micros)
    if jackpot.house_edge < 0:
        return f"This wager favours the player: the meter of {say(meter)} is above the break-even of {say(even)}."
    return f"It favours the player from a meter of {say(even)} on."


def _at_nothing(jackpot: Jackpot) -> Jackpot:
    meters = dict.fromkeys((level.name for level in jackpot.rules.levels), 0)
    return Jackpot(jackpot.edge, jackpot.rules, jackpot.stake_micros, meters)


def as_text(jackpot: Jackpot, tables: int, wagers_an_hour: int) -> str:
    case = jackpot.edge.case
    rows = [
        f"{case.game.title} ({case.game.rulebook}), {case.entry.wager} of {say(jackpot.stake_micros)}",
        "",
    ]
    rows += [verdict(jackpot), ""] if verdict(jackpot) else []
    rows.append(f"  {'house edge':26}{percent(jackpot.house_edge):>11}%   at the meters below")
    for level in jackpot.rules.levels:
        even = jackpot.break_even_micros(level.name)
        meter = jackpot.meters_micros.get(level.name, level.seed_micros)
        share = percent(jackpot.level_shares()[level.name], 2)
        rows.append(f"  {'meter of ' + level.name:26}{say(meter):>12}   {share}% of the return")
        rows.append(f"  {'break-even meter':26}{say(even) if even is not None else 'none':>12}")
        if level.seed_micros:
            rate = percent(jackpot.seed_cost(level.name))
            rows.append(f"  {'reserve rate for the seed':26}{rate:>11}%   of every wager")
        early = jackpot.early_win_chance(level.name)
        if early is not None:
            rate = rate_text(level.reserve_bp)
            rows.append(f"  {'won before reserve is full':26}{early * 100:>11.4f}%   at a rate of {rate}")
    top, chance = jackpot.top()
    hours = jackpot.hours_between_top_wins(tables, wagers_an_hour)
    rows.append(f"  {'top win':26}{one_in(chance):>12}   {top.trigger}")
    rows.append(
        f"  {'time between top wins':26}{decimal(hours, 1):>12}   hours of play"
        f" at {tables} tables with {wagers_an_hour} wagers an hour"
    )
    rows.append("")
    width = max(len(f.prize.trigger) for f in jackpot.prizes)
    for f in jackpot.prizes:
        rows.append(
            f"  {f.prize.trigger:{width}}  {one_in(f.chance):>16}  {say(int(f.amount_micros)):>14}"
            f"  {percent(jackpot.share(f), 2):>7}%  {f.prize.amount}"
        )
    return "\n".join(rows) + "\n"


def as_json(jackpot: Jackpot, tables: int, wagers_an_hour: int) -> dict[str, Any]:
    case = jackpot.edge.case
    top, chance = jackpot.top()
    levels = []
    for level in jackpot.rules.levels:
        even, early = jackpot.break_even_micros(level.name), jackpot.early_win_chance(level.name)
        levels.append(
            {
                "level": level.name,
                "meter": format_money(jackpot.meters_micros.get(level.name, level.seed_micros)),
                "break_even": None if even is None else format_money(even),
                "share_percent": percent(jackpot.level_shares()[level.name], 8),
                "seed": format_money(level.seed_micros),
                "reserve_rate_for_seed": str(jackpot.seed_cost(level.name)),
                "won_before_reserve_is_full": None if early is None else f"{early:.8f}",
            }
        )
    return {
        **case.identity(),
        "stake": format_money(jackpot.stake_micros),
        "schedule": jackpot.rules.schedule or jackpot.rules.name,
        "house_edge": {"fraction": str(jackpot.house_edge), "percent": percent(jackpot.house_edge, 8)},
        "favours_player": jackpot.house_edge < 0,
        "verdict": verdict(jackpot),
        "method": jackpot.edge.method,
        "levels": levels,
        "top": {"trigger": top.trigger, "probability": str(chance)},
        "hours_between_top_wins": decimal(jackpot.hours_between_top_wins(tables, wagers_an_hour), 4),
        "prizes": [
            {
                "trigger": f.prize.trigger,
                "level": f.prize.level,
                "amount_rule": str(f.prize.amount),
                "amount": format_money(int(f.amount_micros)),
                "probability": str(f.chance),
                "share_percent": percent(jackpot.share(f), 8),
            }
            for f in jackpot.prizes
        ],
    }


def as_markdown(jackpots: Iterable[Jackpot]) -> Iterator[str]:
    """A table a schedule: chances, what each prize returns, and the break-even meter."""
    for jackpot in jackpots:
        case, nothing = jackpot.edge.case, _at_nothing(jackpot)
        options = ", ".join(f"{name} {case.options[name]}" for name in case.entry.options)
        yield f"\n### {case.game.title} ({case.game.rulebook}), {case.entry.wager} of {say(jackpot.stake_micros)}\n"
        if options:
            yield f"With {options}.\n"
        yield f"Schedule {jackpot.rules.schedule}. {verdict(jackpot)}\n"
        yield "| hand | chance | prize | of every wager |"
        yield "|---|---:|---|---:|"
        for f in nothing.prizes:
            worth = (
                f"{percent(f.worth_micros / jackpot.stake_micros)}%" if f.amount_micros else "by the meter"
            )
            yield f"| {f.prize.trigger} | {one_in(f.chance)} | {f.prize.amount} | {worth} |"
        top, chance = jackpot.top()
        days = jackpot.hours_between_top_wins(10, 200) / HOURS_A_DAY
        seed = parse_money("10000.00")
        rate = percent(chance * seed / jackpot.stake_micros)
        yield ""
        yield (
            f"Top win: {top.trigger}, {one_in(chance)}; with 10 tables and 200 such wagers an hour each, one in"
            f" {decimal(days, 1)} days of 24 hours. A seed of {say(seed)} costs {rate}% of every wager."
        )
