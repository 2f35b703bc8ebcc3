"""Odds that the operator states, because the rulebook at hand permits the wager and does not print what it pays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules.contract import Round, Wager
from rules.declare import Option
from rules.errors import RuleError
from rules.odds import odds
from rules.play import Play
from rules.shape import ByName, Text


def stated_odds(name: str, lines: tuple[str, ...], rule: str, wager: str) -> Option:
    about = f"the odds of {wager} on the layout, which the rulebook at hand does not print: '25 to 1'"
    return Option(name, ByName(Text(), lines), {}, rule, about)


def stated_faults(round: Round, name: str, wager: str, rule: str) -> Iterator[RuleError]:
    """Odds that are none, and a wager of which some or all odds are missing."""
    given: dict[str, str] = round.options[name]
    for line, text in given.items():
        try:
            odds(text)
        except RuleError as fault:
            yield RuleError(fault.message, field=f"options.{name}.{line}", rule=rule)
    if not any(laid.kind == wager for laid in round.wagers):
        return
    shape = round.game.named_options[name].shape
    wanted = shape.names if isinstance(shape, ByName) else ()
    missing = [line for line in wanted if line not in given]
    if missing:
        text = f"the rulebook at hand does not print the odds of {wager}: state those of {', '.join(missing)}"
        yield RuleError(text, field=f"options.{name}", rule=rule)


def pay_stated(
    play: Play, wager: Wager, name: str, line: str | None, rule: str, *, also: Iterable[str] = ()
) -> None:
    if line is None:
        play.lose(wager, rule, also=also)
    else:
        play.win(wager, odds(play.options[name][line]), rule, line=line, also=also)
