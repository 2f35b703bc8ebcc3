"""Which wagers and decisions a craps table refuses: the moment, the line bet behind which they stand, the amount."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from rules.contract import Decision, Round
from rules.errors import RuleError
from rules.games.craps.bets import Bet, CrapsRules, Form
from rules.games.craps.layout import Group, Laid, Layout, carried_point, split_fault
from rules.money import CENT, format_money, rounded_up


def checker(book: CrapsRules) -> Callable[[Round], Iterator[RuleError]]:
    def check(round: Round) -> Iterator[RuleError]:
        try:
            yield from _moment_faults(round, book, carried_point(round.carried.table))
            if round.decisions or any(book.bets[wager.kind].is_behind for wager in round.wagers):
                yield from behind_faults(round, Layout(round, book))
        except RuleError as fault:
            yield fault

    return check


def decision_checker(book: CrapsRules) -> Callable[[Round, Decision], RuleError | None]:
    def check_decision(round: Round, decision: Decision) -> RuleError | None:
        try:
            layout = Layout(round, book)
        except RuleError as fault:
            return fault
        fault_here = layout.decide(decision, "decision")
        return fault_here or next(behind_faults(round, layout), None)

    return check_decision


def _moment_faults(round: Round, book: CrapsRules, point: int) -> Iterator[RuleError]:
    """Pass bets before the come out roll, come bets after it; split stakes in whole units."""
    for index, wager in enumerate(round.wagers):
        bet = book.bets[wager.kind]
        if bet.is_line and bet.after_point != bool(point):
            text = (
                f"a {bet.name} bet is made after the come out roll, while a point stands"
                if bet.after_point
                else f"a {bet.name} bet is made before the come out roll; the point is {point}"
            )
            yield RuleError(text, field=f"wagers[{index}]", rule=book.rule(bet.rule))
        text = split_fault(bet, wager.selection, wager.stake, round.limits.chip)
        if text:
            yield RuleError(text, field=f"wagers[{index}].stake", rule=book.rule(bet.rule))


def behind_faults(round: Round, layout: Layout) -> Iterator[RuleError]:
    """Bets behind a line need one with that point, and may not be larger than it allows."""
    touched = {laid.group() for laid in layout.behind() if laid.new}
    for laid in layout.laid.values():
        if laid.number and laid.bet.form is Form.DONT and (laid.removed or laid.stake != laid.wager.stake):
            touched.add(laid.group())
    if not touched:
        return
    lines = layout.lines()
    groups: dict[tuple[Group, str], list[Laid]] = {}
    for laid in layout.behind():
        if laid.group() in touched:
            groups.setdefault((laid.group(), laid.bet.name), []).append(laid)
    fields = {wager.id: f"wagers[{index}]" for index, wager in enumerate(round.wagers)}
    for (group, _), members in groups.items():
        bet, number = members[0].bet, group[2]
        newest = members[-1].wager.id
        field, rule = fields.get(newest, f"carried.wagers.{newest}"), layout.book.rule(bet.rule)
        base = lines.get(group, 0)
        if not number or not base:
            if any(laid.new for laid in members):
                where = f" on {number}" if number else ""
                yield RuleError(f"needs a {bet.base} bet with its point{where}", field=field, rule=rule)
            continue
        amount = sum(laid.stake for laid in members)
        text = amount_fault(round, layout.book, bet, number, amount, base)
        if text:
            yield RuleError(text, field=f"{field}.stake", rule=rule)


def amount_fault(round: Round, book: CrapsRules, bet: Bet, number: int, amount: int, base: int) -> str:
    """Is so much allowed behind a line of `base`? nz-1996 X 3.1(e)-(h)(i); gb-2011 8.17 f-h."""
    if not bet.limit or not bet.is_behind:
        return ""
    odds = round.paytables[bet.name].lines[str(number)]
    doubled = round.options.get("odds-limit") == "double"
    measured = Fraction(amount) if bet.limit == "stake" else odds.winnings(amount)
    if measured <= base * (2 if doubled else 1):
        return ""
    payable = 0
    if book.payable_unit:
        chip = max(round.limits.chip, CENT)
        part = odds.ratio.denominator if bet.limit == "stake" else odds.ratio.numerator
        payable = rounded_up(base, part * chip)
        if measured == payable:
            return ""
    what = "stake" if bet.limit == "stake" else "winnings"
    most = f"{'double ' if doubled else ''}the {bet.base} bet of {format_money(base)}"
    unit = f", or {format_money(payable)} to be payable in chips" if payable > base else ""
    reached = format_money(int(measured))
    return f"the {what} of {bet.name} on {number} may not exceed {most}{unit}; it is {reached}"
