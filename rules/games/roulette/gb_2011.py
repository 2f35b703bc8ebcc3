"""Roulette of Great Britain (gb-2011 3.1-3.50): one zero or two, half or all lost on zero, side wagers; and Crown
Double Zero Roulette. Double Action Roulette has a module of its own."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from rules.contract import Round, Wager
from rules.declare import Game, Option, WagerKind, paytable
from rules.errors import RuleError
from rules.games.roulette import layout, newar, streaks
from rules.money import CENT, rounded_up
from rules.pieces import respin
from rules.play import Play
from rules.rulebooks import GB_2011
from rules.shape import ListOf, Struct, Text

BOOK = "gb-2011"

# kind: row of 3.2, French term, odds
SPOTS = {
    "straight-up": ("A", "En Plein", "35 to 1"),
    "split": ("B", "A Cheval", "17 to 1"),
    "street": ("C", "En Transversale", "11 to 1"),
    "corner": ("D", "En Carré", "8 to 1"),
    "first-four": ("E", "Quatre Premiers", "8 to 1"),
    "six-line": ("F", "Sixain", "5 to 1"),
    "column": ("G", "Sur une Colonne", "2 to 1"),
    "dozen": ("H", "Sur une Douzaine", "2 to 1"),
    "red": ("I", "Rouge", "1 to 1"),
    "black": ("I", "Noir", "1 to 1"),
    "odd": ("J", "Impair", "1 to 1"),
    "even": ("J", "Pair", "1 to 1"),
    "low": ("K", "Manque", "1 to 1"),
    "high": ("K", "Passe", "1 to 1"),
    "split-columns": ("L", "A Cheval sur Deux Colonnes", "1 to 2"),
    "split-dozens": ("M", "A Cheval sur Deux Douzaines", "1 to 2"),
}
FRENCH = {kind: french.lower() for kind, (_, french, _) in SPOTS.items()} | {"green": "vert"}

SELECTIONS = {
    "straight-up": layout.DOUBLE_ZERO,
    "split": layout.SPLIT_ZERO + layout.SPLIT_DOUBLE_ZERO + layout.SPLIT,
    "street": layout.STREET_ZERO + layout.STREET_DOUBLE_ZERO + layout.STREET,
    "corner": layout.CORNER,
    "first-four": (layout.FIRST_FOUR, layout.FIRST_FOUR_DOUBLE_ZERO),
    "six-line": layout.SIX_LINE,
    "column": layout.THIRDS,
    "dozen": layout.THIRDS,
    "split-columns": layout.TWO_THIRDS,
    "split-dozens": layout.TWO_THIRDS,
}
CROWN_SELECTIONS = SELECTIONS | {"first-four": (layout.FIRST_FOUR,)}
CROWN_SPOTS = tuple(kind for kind in SPOTS if not kind.startswith("split-"))

VOID_SPINS = {"same-direction": "3.6", "other": "1.5"}
SIDE_WAGERS = {streaks.RAGE: "3.13", streaks.COLOURS: "3.33", "newar": "3.42"}


def _feature(kind: str) -> str:
    """The side wager that a kind belongs to, or ''."""
    return "newar" if kind in newar.GROUPS else kind if kind in streaks.KINDS else ""


def check(round: Round) -> Iterator[RuleError]:
    options = round.options
    if options["wheel"] == "single-zero":
        yield from _double_zero_faults(round)
    for index, wager in enumerate(round.wagers):
        feature = _feature(wager.kind)
        if feature and feature not in options["side_wagers"]:
            text = f"{feature} is not among the side wagers of this table"
            yield RuleError(text, field=f"wagers[{index}].kind", rule=f"{BOOK} {SIDE_WAGERS[feature]}")
        elif wager.kind in options["not_offered"]:
            text = f"{wager.kind} is not available at this table"
            yield RuleError(text, field=f"wagers[{index}].kind", rule=f"{BOOK} 3.4")
    yield from newar.faults(options, round)
    yield from streaks.faults(round)
    yield from respin.faults(
        round, rule=f"{BOOK} 1.5", off_rule=f"{BOOK} 3.9", results=("number",), bound=streaks.KINDS
    )


def _double_zero_faults(round: Round) -> Iterator[RuleError]:
    rule = f"{BOOK} 3.5(a)"
    for index, wager in enumerate(round.wagers):
        if "00" in wager.selection.split("-"):
            text = "the wheel has no double zero"
            yield RuleError(text, field=f"wagers[{index}].selection", rule=rule)
    if round.dealt.get("number") == "00":
        yield RuleError("the wheel has no double zero", field="dealt.number", rule=rule)
    for name in newar.BONUS_OPTION.values():
        if round.options[name] == "00":
            yield RuleError("the wheel has no double zero", field=f"options.{name}", rule=rule)


def settle(play: Play) -> None:
    respin.withdraw(play, f"{BOOK} 3.9")
    number = _number(play)
    if number is None:
        streaks.stand_through_void_spin(play, _void_rule(play))
        respin.settle_void_spin(play, _void_rule(play))
        return
    _say(play, number)
    streaks.settle(play, number)
    newar.settle(play, number)
    zero = number in layout.ZEROS
    half = play.options["on_zero"] == "half"
    for wager in play.wagers:
        row = f"{BOOK} 3.2({SPOTS[wager.kind][0]})"
        if layout.wins(wager.kind, wager.selection, number):
            play.pay_or_lose(wager, "layout", wager.kind, row, also=(f"{BOOK} 3.3(a)",) if zero else ())
        elif not zero:
            play.lose(wager, row)
        elif wager.kind not in layout.EVEN_CHANCES:
            play.lose(wager, f"{BOOK} 3.3(c)")
        elif half:
            _lose_half(play, wager)
        else:
            play.lose(wager, f"{BOOK} 3.3(b)(ii)")


def settle_crown(play: Play) -> None:
    respin.withdraw(play, f"{BOOK} 3.9")
    number = _number(play)
    if number is None:
        respin.settle_void_spin(play, _void_rule(play))
        return
    _say(play, number)
    zero = number in layout.ZEROS
    for wager in play.wagers:
        if layout.wins(wager.kind, wager.selection, number):
            play.pay_or_lose(wager, "layout", wager.kind, f"{BOOK} 3.49")
        else:
            outside = wager.kind in layout.EVEN_CHANCES
            play.lose(wager, f"{BOOK} {'3.48' if zero and outside else '3.47'}")


def _lose_half(play: Play, wager: Wager) -> None:
    """3.3(b)(i): half is lost and half returned; half of an odd amount is returned up to what can be paid."""
    stake = play.in_play(wager)
    half = Fraction(stake, 2)
    returned = min(stake, rounded_up(half, max(play.round.limits.chip, CENT)))
    rounded = (play.game.provisions.rounding_rule,) if returned != half else ()
    play.lose(wager, f"{BOOK} 3.3(b)(i)", returned=returned, also=rounded)


def _number(play: Play) -> str | None:
    """The number spun; None where the spin is void."""
    if respin.cause_of(play.round) is not None:
        play.say("number", "no spin")
        return None
    number = play.dealt.get("number")
    if number is None:
        raise RuleError("is missing", field="dealt.number", rule=f"{BOOK} 3.9")
    return str(number)


def _void_rule(play: Play) -> str:
    return f"{BOOK} {VOID_SPINS.get(respin.cause_of(play.round) or '', '1.5')}"


def _say(play: Play, number: str) -> None:
    words = layout.traits(number)
    if play.options["names"] == "french":
        words = tuple(FRENCH[word] for word in words)
    play.say("number", " ".join([number, *words]))


def _wager_kinds(
    kinds: tuple[str, ...], selections: dict[str, tuple[str, ...]], rule: str
) -> list[WagerKind]:
    return [
        WagerKind(
            kind,
            rule.format(SPOTS[kind][0]),
            selection=Text(selections[kind]) if kind in selections else None,
            many=True,
            slot="layout",
            about=f"{SPOTS[kind][1]} in the French terms",
        )
        for kind in kinds
    ]


_NAMES = Option("names", Text(("american", "french")), "american", f"{BOOK} 3.2", "the words of the result")
_DEALT = Struct({"number": Text(layout.DOUBLE_ZERO, about="where the ball came to rest")})
_DECISIONS = (respin.withdrawal(f"{BOOK} 3.9"),)
_IRREGULARITIES = (respin.no_spin(f"{BOOK} 1.5", VOID_SPINS),)

GAMES = (
    Game(
        name="roulette",
        rulebook=BOOK,
        title="Roulette",
        cites=BOOK,
        provisions=GB_2011,
        wagers=(
            *_wager_kinds(tuple(SPOTS), SELECTIONS, f"{BOOK} 3.2({{}})"),
            *streaks.WAGERS,
            *newar.WAGERS,
        ),
        dealt=_DEALT,
        decisions=_DECISIONS,
        irregularities=_IRREGULARITIES,
        options=(
            Option("wheel", Text(("single-zero", "double-zero")), "single-zero", f"{BOOK} 3.5"),
            Option(
                "on_zero",
                Text(("half", "all")),
                "half",
                f"{BOOK} 3.3(b)",
                "what even chances lose on zero: half of the wager, or all of it",
            ),
            _NAMES,
            Option(
                "side_wagers",
                ListOf(Text(tuple(SIDE_WAGERS))),
                (),
                f"{BOOK} 3.12, 3.32, 3.41",
                "the side wagers that the table is marked for",
            ),
            Option("not_offered", ListOf(Text(tuple(SPOTS))), (), f"{BOOK} 3.4", "wagers left out here"),
            *newar.OPTIONS,
            respin.void_spin_option(f"{BOOK} 1.5"),
        ),
        paytables=(
            paytable(
                "layout", "standard", f"{BOOK} 3.2", {kind: odds for kind, (_, _, odds) in SPOTS.items()}
            ),
            *streaks.PAYTABLES,
            *newar.PAYTABLES,
        ),
        carries=True,
        settle=settle,
        check=check,
        check_decision=partial(respin.withdrawal_fault, rule=f"{BOOK} 3.9", bound=streaks.KINDS),
    ),
    Game(
        name="crown-double-zero-roulette",
        rulebook=BOOK,
        title="Crown Double Zero Roulette",
        cites=BOOK,
        provisions=GB_2011,
        wagers=tuple(_wager_kinds(CROWN_SPOTS, CROWN_SELECTIONS, f"{BOOK} 3.49")),
        dealt=_DEALT,
        decisions=_DECISIONS,
        irregularities=_IRREGULARITIES,
        options=(_NAMES, respin.void_spin_option(f"{BOOK} 1.5")),
        paytables=(
            paytable("layout", "standard", f"{BOOK} 3.49", {kind: SPOTS[kind][2] for kind in CROWN_SPOTS}),
        ),
        carries=True,
        settle=settle_crown,
        check=partial(respin.faults, rule=f"{BOOK} 1.5", off_rule=f"{BOOK} 3.9", results=("number",)),
        check_decision=partial(respin.withdrawal_fault, rule=f"{BOOK} 3.9"),
    ),
)
