"""Electronic Tai-Sai (nz-consultation 9A): Tai-Sai from terminals with credits, and from the table where offered.

A wager's seat is its terminal; seat 0 is the table layout. Cash in, vouchers and hand pays are not here.
The cost is linear in wagers: 30 terminals with two wagers each settle in about 0.3 ms (`bench/bench_games.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from rules.contract import EMPTY, Irregularity, Round, Wager
from rules.declare import Game, IrregularityKind, Option
from rules.errors import RuleError
from rules.games.tai_sai import dice, nz_1996
from rules.money import format_money
from rules.play import Play
from rules.rulebooks import NZ_CONSULTATION
from rules.shape import BySeat, Flag, Money, Struct, Text

CITES = "nz-consultation 9A"
TERMINALS = 30
"""3.1(b)"""
DISRUPTION = "disruption"
"""7.2; the other causes are those of Division 9, by 7.1."""
WRONG_RESULT = "wrong-result"
MALFUNCTION = "malfunction"

AT_TERMINALS = replace(
    NZ_CONSULTATION,
    below_minimum="void",
    below_rule=f"{CITES} 3.3(c)(ii)",
    above_rule=f"{CITES} 3.3(c)(iii)",
    off_increment="down",
    credits=True,
    promo_rule="",
)


def check(round: Round) -> Iterator[RuleError]:
    yield from dice.void_with_result(round, nz_1996.NO_SPIN, f"{CITES} 7.1")
    at_table = round.options["table_layout"]
    for index, wager in enumerate(round.wagers):
        if wager.seat > TERMINALS:
            text = f"{wager.seat} is not a terminal from 1 to {TERMINALS}"
            yield RuleError(text, field=f"wagers[{index}].seat", rule=f"{CITES} 3.1(b)")
        elif not wager.seat and not at_table:
            text = "wagers are taken at terminals only; name one"
            yield RuleError(text, field=f"wagers[{index}].seat", rule=f"{CITES} 5.3")
    staked: Counter[int] = Counter()
    for wager in round.wagers:
        staked[wager.seat] += wager.stake
    for seat, credits in round.dealt.get("credits", EMPTY).items():
        if staked[seat] > credits:
            text = f"{format_money(staked[seat])} is staked of {format_money(credits)} credits"
            yield RuleError(text, field=f"dealt.credits.{seat}", rule=f"{CITES} 3.3(b)(iii)")
    for index, irregularity in enumerate(round.irregularities):
        if irregularity.kind == MALFUNCTION and not 1 <= irregularity.seat <= TERMINALS:
            text = "name the terminal to whose player payment is refused"
            yield RuleError(text, field=f"irregularities[{index}].seat", rule=f"{CITES} 7.4")


def settle(play: Play) -> None:
    _drop_small_aggregates(play)
    for irregularity in play.round.irregularities:
        if irregularity.kind == MALFUNCTION:
            play.void_all(f"{CITES} 7.5(c)", [w for w in play.wagers if w.seat == irregularity.seat])
    void = _void_rules(play.round)
    if void is not None:
        play.say("dice", "no spin")
        for wager in play.wagers:
            play.void(wager, void[0], also=void[1:])
    else:
        _settle_by_dice(play)
    _say_credits(play)


def _settle_by_dice(play: Play) -> None:
    thrown = dice.thrown(play, f"{CITES} 5.4")
    wrong = play.irregularity(WRONG_RESULT)
    noted = [f"{CITES} 7.3"] if wrong else []
    noted += [f"{nz_1996.CITES} 7.6"] if play.irregularity("wrong-lights") else []
    open_wagers = play.wagers
    for wager in open_wagers:
        rule = nz_1996.deciding_rule(wager.kind, wager.selection, thrown)
        line = dice.classify(wager.kind, wager.selection, thrown)
        play.pay_or_lose(wager, "layout", line, f"{CITES} 6.1", also=(rule, *noted))
    if wrong is not None:
        _say_differences(play, open_wagers, wrong)


def _drop_small_aggregates(play: Play) -> None:
    """3.3(c)(iv): wagers of a terminal that are together under the aggregate minimum are not recognised."""
    for seat, wagers in play.by_seat().items():
        least = play.options["terminal_aggregate_minimums"].get(seat, play.options["aggregate_minimum"])
        if seat and sum(map(play.in_play, wagers)) < least:
            play.void_all(f"{CITES} 3.3(c)(iv)", wagers)


def _say_differences(play: Play, wagers: tuple[Wager, ...], wrong: Irregularity) -> None:
    """7.3: what the recalculation changes for each terminal against the result that was entered first."""
    entered = (wrong.value or EMPTY).get("entered", ())
    if len(entered) != 3:
        return
    first = dice.sorted_dice(entered)
    changes: dict[int, int] = {}
    for wager in wagers:
        line = play.line_of(wager)
        due = line.to_player if line is not None else 0
        key = dice.classify(wager.kind, wager.selection, first)
        odds = None if key is None else play.pays("layout").pays(key)
        stake = play.in_play(wager)
        credited = wager.stake - stake
        if odds is not None:
            credited += stake + int(odds.winnings(stake))
        if wager.seat:
            changes[wager.seat] = changes.get(wager.seat, 0) + due - credited
    for seat, change in sorted(changes.items()):
        sign = "+" if change >= 0 else ""
        play.say(f"terminal {seat} recalculated", f"{sign}{format_money(change)}")


def _say_credits(play: Play) -> None:
    """5.4(b)(iii): what the terminal shows after the spin, where the round says what it held before."""
    credits = dict(play.dealt.get("credits", EMPTY))
    for wager in play.all_wagers if credits else ():
        line = play.line_of(wager)
        if wager.seat in credits and line is not None:
            credits[wager.seat] += line.to_player - wager.stake
    for seat, left in credits.items():
        play.say(f"terminal {seat} credits", format_money(left))


def _void_rules(round: Round) -> tuple[str, ...] | None:
    """Cited by this division, with the rule of Division 9 that it applies."""
    for irregularity in round.irregularities:
        if irregularity.kind == nz_1996.NO_SPIN:
            if (irregularity.value or EMPTY).get("cause") == DISRUPTION:
                return (f"{CITES} 7.2",)
            return (f"{CITES} 7.1", *(nz_1996.void_rules(round) or ()))
    return None


GAMES = (
    Game(
        name="electronic-tai-sai",
        rulebook="nz-consultation",
        title="Electronic Tai-Sai",
        cites=CITES,
        provisions=NZ_CONSULTATION,
        terminals=AT_TERMINALS,
        wagers=dice.wager_kinds(dict.fromkeys(nz_1996.PERMITTED, f"{CITES} 4.2(a)")),
        dealt=Struct(
            required={"dice": dice.DICE},
            optional={"credits": BySeat(Money(), TERMINALS, "credits of each terminal before its wagers")},
        ),
        irregularities=(
            IrregularityKind(
                nz_1996.NO_SPIN,
                f"{CITES} 7.1",
                Struct({"cause": Text((*nz_1996.VOID_SPINS, DISRUPTION))}),
                "the round is void: all wagers come back; send no dice",
            ),
            nz_1996.IRREGULARITIES[1],
            IrregularityKind(
                WRONG_RESULT,
                f"{CITES} 7.3",
                Struct(optional={"entered": dice.DICE}),
                "another result was entered or shown: everything is recalculated on the dice given here",
            ),
            IrregularityKind(
                MALFUNCTION,
                f"{CITES} 7.4",
                about="payment to the player of this terminal is refused; the round's wagers are refunded",
            ),
        ),
        options=(
            Option("table_layout", Flag(), False, f"{CITES} 3.2", "wagers are taken on the table as well"),
            Option("aggregate_minimum", Money(), 0, f"{CITES} 3.3(c)(iv)", "for all wagers of a terminal"),
            Option(
                "terminal_aggregate_minimums",
                BySeat(Money(), TERMINALS),
                {},
                f"{CITES} 4.8",
                "where a terminal has an aggregate minimum of its own",
            ),
        ),
        paytables=(replace(nz_1996.ODDS, rule=f"{CITES} 4.2(a)"),),
        settle=settle,
        check=check,
    ),
)
