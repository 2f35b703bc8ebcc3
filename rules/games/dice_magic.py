"""Dice Magic (gb-2011 8.49-8.65): a shooter's spot that lives by its point, and bets on a single throw."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.contract import Decision, Round, Wager
from rules.declare import DecisionKind, Game, WagerKind, paytable
from rules.errors import RuleError
from rules.odds import EVENS
from rules.pieces.dice import TWO_DICE, Dice, no_roll, thrown, void_throw
from rules.play import Play
from rules.rulebooks import GB_2011
from rules.shape import Struct, Text

CITES = "gb-2011"
RULE = f"{CITES} 8.64"
SPOT = "shooters-spot"
POINTS = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
CAUSES = {"called": "1.5", "not-simultaneous": "8.58", "short-of-the-end": "8.58"}

ODDS: Mapping[str, Mapping[str, str]] = {
    SPOT: {"win": "1 to 1"},
    "place": {
        "2": "33 to 1",
        "3": "16 to 1",
        "4": "10 to 1",
        "5": "7 to 1",
        "6": "5 to 1",
        "8": "5 to 1",
        "9": "7 to 1",
        "10": "10 to 1",
        "11": "16 to 1",
        "12": "33 to 1",
    },
    "any-seven": {"win": "4 to 1"},
    "under-7": {"win": "1 to 1"},
    "over-7": {"win": "1 to 1"},
    "double": {"win": "7 to 1"},
}


def classify(kind: str, selection: str, dice: Dice) -> str | None:
    """Bets on one throw: the line of the pay table, or None: lost."""
    total = dice[0] + dice[1]
    if kind == "place":
        return selection if total == int(selection) else None
    won = {
        "any-seven": total == 7,
        "under-7": total < 7,
        "over-7": total > 7,
        "double": dice[0] == dice[1] and 2 <= dice[0] <= 5,
    }[kind]
    return "win" if won else None


def classify_spot(total: int, point: int) -> str:
    """'win', 'lose' or 'stands'; point 0 is the come out roll, where any number but seven becomes the point."""
    if total == 7:
        return "lose"
    return "win" if total == point else "stands"


def check(round: Round) -> Iterator[RuleError]:
    try:
        point = _point(round)
    except RuleError as fault:
        yield fault
        return
    for index, wager in enumerate(round.wagers):
        if wager.kind == SPOT and point:
            text = f"the shooter's spot is bet before the come out roll; the point is {point}"
            yield RuleError(text, field=f"wagers[{index}]", rule=f"{RULE}(a)")
    for index, decision in enumerate(round.decisions):
        found = check_decision(round, decision)
        if found is not None:
            yield RuleError(found.message, field=f"decisions[{index}]", rule=found.rule)


def check_decision(round: Round, decision: Decision) -> RuleError | None:
    """Take-down: what an invalid throw left on the layout; a spot with a point is maintained (8.57)."""
    kinds = {s.wager.id: s.wager.kind for s in round.carried.wagers}
    if decision.wager not in kinds:
        text = f"{decision.wager!r} is no wager from an invalid throw"
        return RuleError(text, field="decision.wager", rule=f"{CITES} 1.5")
    if kinds[decision.wager] == SPOT and _point(round):
        text = "the shooter's spot stays until its point or a seven is thrown"
        return RuleError(text, field="decision.wager", rule=f"{CITES} 8.57")
    return None


def settle(play: Play) -> None:
    point = _point(play.round)
    taken = {decision.wager for decision in play.round.decisions}
    void_rule = void_throw(play.round, CITES, CAUSES)
    dice = None if void_rule else thrown(play, f"{CITES} 8.50")
    for wager in play.wagers:
        if wager.id in taken:
            play.void(wager, f"{CITES} 1.5")
        elif dice is None:
            play.stand(wager, void_rule or "")
        elif wager.kind == SPOT:
            _settle_spot(play, wager, dice[0] + dice[1], point)
        else:
            play.pay_or_lose(wager, wager.kind, classify(wager.kind, wager.selection, dice), RULE)
    if dice is None:
        play.say("dice", "no roll")
    else:
        _move_point(play, point, dice)


def _settle_spot(play: Play, wager: Wager, total: int, point: int) -> None:
    fate = classify_spot(total, point)
    if fate == "win":
        play.win(wager, play.pays(SPOT).pays("win") or EVENS, f"{RULE}(a)", line="win")
    elif fate == "lose":
        play.lose(wager, f"{RULE}(a)")
    else:
        play.stand(wager, f"{RULE}(a)")


def _move_point(play: Play, point: int, dice: Dice) -> None:
    total = dice[0] + dice[1]
    if total == 7 or total == point:
        play.table.pop("point", None)
    elif not point:
        play.table["point"] = total
    called = "seven" if total == 7 else "point made" if total == point else f"point is {point or total}"
    play.say("dice", f"{dice[0]}-{dice[1]}: {total}, {called}")


def _point(round: Round) -> int:
    point = round.carried.table.get("point", 0)
    if type(point) is not int or point not in (0, *POINTS):
        raise RuleError(f"a point is one of {POINTS}, not {point!r}", field="carried.table.point")
    return point


def invalidated(play: Play) -> None:
    play.table.pop("point", None)


GAMES = (
    Game(
        name="dice-magic",
        rulebook="gb-2011",
        title="Dice Magic",
        cites=CITES,
        provisions=GB_2011,
        wagers=tuple(
            WagerKind(
                kind,
                f"{RULE}(a)" if kind == SPOT else RULE,
                selection=Text(tuple(ODDS["place"])) if kind == "place" else None,
                many=True,
                slot=kind,
            )
            for kind in ODDS
        ),
        dealt=Struct({"dice": TWO_DICE}),
        decisions=(DecisionKind("take-down", f"{CITES} 1.5", about="after an invalid throw"),),
        irregularities=(no_roll(CITES, CAUSES),),
        paytables=tuple(paytable(kind, "standard", RULE, odds) for kind, odds in ODDS.items()),
        carries=True,
        settle=settle,
        check=check,
        check_decision=check_decision,
        invalidated=invalidated,
    ),
)
