"""Rocket 7 (gb-2011 8.20-8.48): one-throw bets on two dice, and a side bet on runs of sevens and on the Free Roll.

The side bet feeds a progressive and lives as long as the shooter throws sevens; what its hits pay is
`rules.progressive`'s (preset gb-2011-8.34).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules.contract import Decision, Round, Wager
from rules.declare import DecisionKind, Game, Option, PayTable, WagerKind, paytable
from rules.errors import RuleError
from rules.pieces.dice import TWO_DICE, Dice, no_roll, thrown, void_throw
from rules.play import Play
from rules.rulebooks import GB_2011
from rules.shape import Flag, ListOf, Struct, Text

CITES = "gb-2011"
SEATS = 20
"""The rulebook numbers the betting circles (8.36) but not how many there are: more than any table has."""
SIDE = "side"
FACES = tuple("123456")
SCORES = ("3", "4", "5", "6", "8", "9", "10", "11")
RUNS = {2: "two-sevens", 3: "three-sevens", 4: "four-sevens", 5: "five-sevens", 6: "six-sevens"}
"""8.40"""
JACKPOT_RUN = 6
FREE_ROLL_DOUBLES = ((1, 1), (6, 6))
CAUSES = {"walls-missed": "8.32", "too-few-turns": "8.32", "one-on-the-other": "8.32", "called": "1.5"}
STANDOFF = "7"

ODDS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "low": ("8.25(a)", {"3-6": "1 to 1", "2": "1 to 2"}),
    "high": ("8.25(b)", {"8-11": "1 to 1", "12": "1 to 2"}),
    "single-die": ("8.25(c)", {"one": "2 to 1", "both": "4 to 1"}),
    "double": ("8.25(d)", {"win": "34 to 1"}),
    "any-double": ("8.25(e)", {"win": "4 to 1"}),
    "seven": ("8.25(f)", {"win": "4 to 1"}),
    "seven-or-eleven": ("8.25(g)", {"win": "3 to 1"}),
    "craps": ("8.25(h)", {"win": "7 to 1"}),
    "score": (
        "8.25(i)",
        {
            "3": "16 to 1",
            "4": "10 to 1",
            "5": "7 to 1",
            "6": "6 to 1",
            "8": "6 to 1",
            "9": "7 to 1",
            "10": "10 to 1",
            "11": "16 to 1",
        },
    ),
}
SELECTIONS = {"single-die": FACES, "double": FACES, "score": SCORES}
TOTALS = {"seven": (7,), "seven-or-eleven": (7, 11), "craps": (2, 3, 12)}


def classify(kind: str, selection: str, dice: Dice) -> str | None:
    """The line of the kind's pay table, STANDOFF for low and high on a seven, or None: lost."""
    total = dice[0] + dice[1]
    if kind in TOTALS:
        return "win" if total in TOTALS[kind] else None
    if kind == "low":
        return STANDOFF if total == 7 else "2" if total == 2 else "3-6" if total < 7 else None
    if kind == "high":
        return STANDOFF if total == 7 else "12" if total == 12 else "8-11" if total > 7 else None
    if kind == "score":
        return selection if total == int(selection) else None
    if kind == "any-double":
        return "win" if dice[0] == dice[1] else None
    showing = dice.count(int(selection))
    if kind == "double":
        return "win" if showing == 2 else None
    return ("", "one", "both")[showing] or None


def classify_free_roll(total: int) -> str:
    """The prize for the sum of the three extra throws (8.46)."""
    if total <= 9 or total >= 33:
        return "free-roll-jackpot"
    if total <= 13 or total >= 29:
        return "free-roll-bonus-1"
    return "free-roll-bonus-2" if total <= 18 or total >= 24 else "free-roll-bonus-3"


def check(round: Round) -> Iterator[RuleError]:
    try:
        run = _run(round)
    except RuleError as fault:
        yield fault
        return
    sides: set[int] = {s.wager.seat for s in round.carried.wagers if s.wager.kind == SIDE}
    for index, wager in enumerate(round.wagers):
        if wager.kind != SIDE:
            continue
        field = f"wagers[{index}]"
        if not (round.options["rocket_jackpot"] or round.options["free_roll"]):
            yield RuleError("the table offers no side bet", field=field, rule=f"{CITES} 8.34")
        if wager.seat in sides:
            yield RuleError("a second side bet in one betting circle", field=field, rule=f"{CITES} 8.36")
        sides.add(wager.seat)
        if run:
            text = f"the shooter has thrown {run} sevens: side bets wait for a first throw"
            yield RuleError(text, field=field, rule=f"{CITES} 8.48")
    for index, decision in enumerate(round.decisions):
        found = check_decision(round, decision)
        if found is not None:
            yield RuleError(found.message, field=f"decisions[{index}]", rule=found.rule)
    dice = round.dealt.get("dice")
    if "free_roll" in round.dealt and dice is not None and dice not in FREE_ROLL_DOUBLES:
        text = "three extra throws follow only a double one or a double six"
        yield RuleError(text, field="dealt.free_roll", rule=f"{CITES} 8.43")


def check_decision(round: Round, decision: Decision) -> RuleError | None:
    """Take-down: what an invalid throw left on the layout may come off before the next; a run holds its side bets."""
    kinds = {s.wager.id: s.wager.kind for s in round.carried.wagers}
    if decision.wager not in kinds:
        text = f"{decision.wager!r} is no wager from an invalid throw"
        return RuleError(text, field="decision.wager", rule=f"{CITES} 8.32")
    if kinds[decision.wager] == SIDE and _run(round):
        return RuleError("the side bet is already under way", field="decision.wager", rule=f"{CITES} 8.41")
    return None


def settle(play: Play) -> None:
    taken = {decision.wager for decision in play.round.decisions}
    void_rule = void_throw(play.round, CITES, CAUSES)
    dice = None if void_rule else thrown(play, f"{CITES} 8.22")
    run = _run(play.round)
    sides: list[Wager] = []
    for wager in play.wagers:
        if wager.id in taken:
            play.void(wager, f"{CITES} 8.32")
        elif dice is None:
            play.stand(wager, void_rule or "")
        elif wager.kind == SIDE:
            sides.append(wager)
        else:
            _settle_standard(play, wager, dice)
    if dice is None:
        play.say("dice", "no roll")
        return
    low, high = sorted(dice)
    play.say("dice", f"{low + high}, {low} and {high}")  # 8.33
    run = run + 1 if low + high == 7 else 0
    _settle_sides(play, sides, dice, run)
    if run in (0, JACKPOT_RUN):
        play.table.pop("run", None)
    else:
        play.table["run"] = run


def _settle_standard(play: Play, wager: Wager, dice: Dice) -> None:
    key = classify(wager.kind, wager.selection, dice)
    rule = f"{CITES} {ODDS[wager.kind][0]}"
    if key == STANDOFF and wager.kind in ("low", "high"):
        play.push(wager, rule)
    elif key is None:
        play.lose(wager, f"{CITES} 8.26")
    else:
        play.win(wager, play.pays(wager.kind).lines[key], rule, line=key)


def _settle_sides(play: Play, sides: list[Wager], dice: Dice, run: int) -> None:
    """`run`: sevens in a row with this throw."""
    if not sides:
        return
    free_roll = play.options["free_roll"] and dice in FREE_ROLL_DOUBLES
    prize = classify_free_roll(_free_roll_total(play)) if free_roll else ""
    if free_roll:
        play.say("free-roll", f"{_free_roll_total(play)}: {prize}")
    for wager in sides:
        if run:
            _settle_run(play, wager, run)
        elif free_roll:
            play.hit(wager, prize, f"{CITES} 8.46")
        else:
            play.lose(wager, f"{CITES} {'8.41' if _run(play.round) else '8.48'}")


def _settle_run(play: Play, wager: Wager, run: int) -> None:
    """Each further seven pays again (8.41); the sixth takes the jackpot and ends the side bet (8.42)."""
    if run < 2 or not play.options["rocket_jackpot"]:
        play.stand(wager, f"{CITES} 8.41")
    elif run < JACKPOT_RUN:
        play.hit(wager, RUNS[run], f"{CITES} 8.41", onward={})
    else:
        play.hit(wager, RUNS[run], f"{CITES} 8.42")


def _free_roll_total(play: Play) -> int:
    throws = play.dealt.get("free_roll", ())
    if len(throws) != 3 or any(len(throw) != 2 for throw in throws):
        text = "a double with side bets in play is followed by three more throws"
        raise RuleError(text, field="dealt.free_roll", rule=f"{CITES} 8.44")
    return sum(map(sum, throws))


def _run(round: Round) -> int:
    run = round.carried.table.get("run", 0)
    if type(run) is not int or not 0 <= run < JACKPOT_RUN:
        raise RuleError(f"a run is 0 to {JACKPOT_RUN - 1} sevens, not {run!r}", field="carried.table.run")
    return run


def invalidated(play: Play) -> None:
    play.table.pop("run", None)


def _kinds() -> tuple[WagerKind, ...]:
    standard = tuple(
        WagerKind(
            kind,
            f"{CITES} {rule}",
            selection=Text(SELECTIONS[kind]) if kind in SELECTIONS else None,
            many=True,
            slot=kind,
        )
        for kind, (rule, _) in ODDS.items()
    )
    about = "Rocket 7 Jackpot and Free Roll side bet"
    return (*standard, WagerKind(SIDE, f"{CITES} 8.35", needs=tuple(ODDS), jackpot=True, about=about))


def _paytables() -> tuple[PayTable, ...]:
    return tuple(paytable(kind, "standard", f"{CITES} {rule}", odds) for kind, (rule, odds) in ODDS.items())


_OFFERED: dict[str, Any] = {"shape": Flag(), "default": True, "rule": f"{CITES} 8.34"}

GAMES = (
    Game(
        name="rocket-7",
        rulebook="gb-2011",
        title="Rocket 7",
        cites=CITES,
        provisions=GB_2011,
        seats=SEATS,
        wagers=_kinds(),
        dealt=Struct(
            {"dice": TWO_DICE},
            {"free_roll": ListOf(TWO_DICE, 3, 3, "the three extra throws after a double one or double six")},
        ),
        decisions=(DecisionKind("take-down", f"{CITES} 8.32", about="after an invalid throw"),),
        irregularities=(no_roll(CITES, CAUSES),),
        options=(
            Option("rocket_jackpot", about="the side bet wins with runs of sevens", **_OFFERED),
            Option("free_roll", about="the side bet wins with the Free Roll", **_OFFERED),
        ),
        paytables=_paytables(),
        carries=True,
        settle=settle,
        check=check,
        check_decision=check_decision,
        invalidated=invalidated,
    ),
)
