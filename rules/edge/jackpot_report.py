"""Jackpot figures as text, as JSON and as Markdown. No figure is made here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from rules.edge.jackpots import HOURS_A_DAY, Jackpot
from rules.edge.report import decimal, percent
from rules.edge.sharing import Sharing, long_run_return, sharing
from rules.money import format_money, parse_money, say
from rules.progressive.config import Level
from rules.progressive.config import percent as rate_text

QUANTILES = (Fraction(1, 10), Fraction(1, 2), Fraction(9, 10))
"""Of the wait for a top win."""


def one_in(chance: Fraction) -> str:
    return f"1 in {decimal(1 / chance, 1 if chance > Fraction(1, 1000) else 0)}" if chance else "never"


def verdict(jackpot: Jackpot) -> str:
    """One plain line where the wager favours the player, or will: over all levels, at the meters that stand."""
    if favours_at_any_meter(jackpot):
        back = percent(_at_nothing(jackpot).returned_micros / jackpot.stake_micros, 2)
        fixed = f"prizes that do not depend on it return {back}% of the stake"
        return f"This wager favours the player at any meter: {fixed}."
    names = [level.name for level in jackpot.rules.levels]
    alone = len(names) == 1
    if jackpot.house_edge < 0:
        if alone:
            stands, least = say(_meter(jackpot, names[0])), say(jackpot.break_even_micros(names[0]) or 0)
            return f"This wager favours the player: the meter of {stands} is above the break-even of {least}."
        meters = ", ".join(f"{name} {say(_meter(jackpot, name))}" for name in names)
        return f"This wager favours the player at these meters: {meters}."
    evens = {name: even for name in names if (even := jackpot.break_even_micros(name)) is not None}
    if not evens:
        return ""
    if alone:
        return f"It favours the player from a meter of {say(evens[names[0]])} on."
    parts = " or ".join(f"{name} from {say(even)} on" for name, even in evens.items())
    return f"It favours the player with {parts}, the other meters as they stand."


def _meter(jackpot: Jackpot, level: str) -> int:
    return jackpot.meters_micros.get(level, jackpot.rules.level(level).seed_micros)


def favours_at_any_meter(jackpot: Jackpot) -> bool:
    return _at_nothing(jackpot).house_edge <= 0


def _at_nothing(jackpot: Jackpot) -> Jackpot:
    meters = dict.fromkeys((level.name for level in jackpot.rules.levels), 0)
    return Jackpot(jackpot.edge, jackpot.rules, jackpot.stake_micros, meters)


def as_text(jackpot: Jackpot, tables: int, wagers_an_hour: int, others: int = 0) -> str:
    case = jackpot.edge.case
    rows = [
        f"{case.game.title} ({case.game.rulebook}), {case.entry.wager} of {say(jackpot.stake_micros)}",
        "",
    ]
    rows += [verdict(jackpot), ""] if verdict(jackpot) else []
    rows.append(f"  {'house edge':26}{percent(jackpot.house_edge):>11}%   at the meters below")
    back = long_run_return(jackpot, others)
    if back is not None:
        rows.append(
            f"  {'return in the long run':26}{percent(back):>11}%   meters, seeds, prizes beside them"
        )
    for level in jackpot.rules.levels:
        rows += ["", *_level_rows(jackpot, level, tables, wagers_an_hour)]
        rows += _sharing_rows(sharing(jackpot, level.name, others), others)
    rows.append("")
    width = max(len(f.prize.trigger) for f in jackpot.prizes)
    for f in jackpot.prizes:
        rows.append(
            f"  {f.prize.trigger:{width}}  {one_in(f.chance):>16}  {say(int(f.amount_micros)):>14}"
            f"  {percent(jackpot.share(f), 2):>7}%  {f.prize.amount}"
        )
    return "\n".join(rows) + "\n"


def _level_rows(jackpot: Jackpot, level: Level, tables: int, wagers_an_hour: int) -> Iterator[str]:
    even, name = jackpot.break_even_micros(level.name), level.name
    share = percent(jackpot.level_shares()[name], 2)
    yield f"  {'meter of ' + name:26}{say(_meter(jackpot, name)):>12}   {share}% of the return"
    capped = f"   up to its cap of {say(level.cap_micros)}" if even is None and level.cap_micros else ""
    yield f"  {'break-even meter':26}{say(even) if even is not None else 'none':>12}{capped}"
    if level.seed_micros:
        cost = jackpot.seed_cost(name)
        more = ": more than the wager itself" if cost > 1 else ""
        yield f"  {'reserve rate for the seed':26}{percent(cost):>11}%   of every wager{more}"
    early = jackpot.early_win_chance(name)
    if early is not None:
        rate = rate_text(level.reserve_bp)
        yield f"  {'won before reserve is full':26}{early * 100:>11.4f}%   at a rate of {rate}"
    if not jackpot.level_shares()[name]:
        return
    top, chance = jackpot.top(name)
    hours = jackpot.hours_between_top_wins(tables, wagers_an_hour, name)
    yield f"  {'top win':26}{one_in(chance):>12}   {top.trigger}"
    yield (
        f"  {'time between top wins':26}{decimal(hours, 1):>12}   hours of play"
        f" at {tables} tables with {wagers_an_hour} wagers an hour"
    )
    an_hour = tables * wagers_an_hour
    for part in QUANTILES:
        waits = Fraction(jackpot.wagers_until_top(name, part), an_hour)
        meter = f", meter {say(jackpot.meter_at_top_micros(name, part))}" if level.increment_bp else ""
        yield f"  {'  in ' + percent(part, 0) + '% of cases within':26}{decimal(waits, 1):>12}   hours{meter}"


def _sharing_rows(shared: Sharing | None, others: int) -> list[str]:
    if shared is None or not others:
        return []
    rows = [
        f"  {'several winners':26}{percent(shared.share, 6):>11}%   of the prize to a winner, on average,"
        f" with {others} other wagers in the round: {shared.said}"
    ]
    if shared.beside:
        rows.append(
            f"  {'beyond the meter':26}{percent(shared.beside, 6):>11}%   of every wager, by the house"
        )
    return rows


def as_json(jackpot: Jackpot, tables: int, wagers_an_hour: int, others: int = 0) -> dict[str, Any]:
    case = jackpot.edge.case
    back = long_run_return(jackpot, others)
    return {
        **case.identity(),
        "stake": format_money(jackpot.stake_micros),
        "schedule": jackpot.rules.schedule or jackpot.rules.name,
        "house_edge": {"fraction": str(jackpot.house_edge), "percent": percent(jackpot.house_edge, 8)},
        "favours_player": jackpot.house_edge < 0,
        "verdict": verdict(jackpot),
        "method": jackpot.edge.method,
        "return_in_the_long_run": None
        if back is None
        else {"fraction": str(back), "percent": percent(back, 8)},
        "others": others,
        "levels": [
            _level_json(jackpot, level, tables, wagers_an_hour)
            | {"sharing": _sharing_json(sharing(jackpot, level.name, others))}
            for level in jackpot.rules.levels
        ],
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


def _sharing_json(shared: Sharing | None) -> dict[str, str] | None:
    if shared is None:
        return None
    return {
        "mode": shared.mode.value,
        "share": str(shared.share),
        "seeds_cost": str(shared.seeds),
        "beyond_the_meter": str(shared.beside),
    }


def _level_json(jackpot: Jackpot, level: Level, tables: int, wagers_an_hour: int) -> dict[str, Any]:
    name = level.name
    even, early = jackpot.break_even_micros(name), jackpot.early_win_chance(name)
    found: dict[str, Any] = {
        "level": name,
        "meter": format_money(_meter(jackpot, name)),
        "break_even": None if even is None else format_money(even),
        "cap": None if level.cap_micros is None else format_money(level.cap_micros),
        "share_percent": percent(jackpot.level_shares()[name], 8),
        "seed": format_money(level.seed_micros),
        "reserve_rate_for_seed": str(jackpot.seed_cost(name)),
        "won_before_reserve_is_full": None if early is None else f"{early:.8f}",
        "top": None,
        "hours_between_top_wins": None,
        "waits": [],
    }
    if jackpot.level_shares()[name]:
        top, chance = jackpot.top(name)
        found["top"] = {"trigger": top.trigger, "probability": str(chance)}
        found["hours_between_top_wins"] = decimal(
            jackpot.hours_between_top_wins(tables, wagers_an_hour, name), 4
        )
        found["waits"] = [
            {
                "percent_of_cases": percent(part, 0),
                "wagers": jackpot.wagers_until_top(name, part),
                "meter": format_money(jackpot.meter_at_top_micros(name, part)),
            }
            for part in QUANTILES
        ]
    return found


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
