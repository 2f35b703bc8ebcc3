"""Baccarat of the later New Zealand rules (nz-consultation Division 5), 2 to 1 Baccarat and Ante Up Baccarat, with
Perfect Pairs, Any Pair and Lucky Match.

The document prints only what changes. What it leaves out is played as in nz-1996 V and cited as such; the odds of
Perfect Pairs, which it leaves out too, have to be stated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

from rules.contract import Round
from rules.declare import Game, Option, PayTable, WagerKind, paytable
from rules.errors import RuleError
from rules.games.baccarat import shoe
from rules.games.baccarat.antes import ANTE, ante_options
from rules.games.baccarat.coup import BANKER, PLAYER, TIE
from rules.games.baccarat.game_rules import NZ_ROLES, Cites, GameRules
from rules.games.baccarat.nz_1996 import COMMISSION, nz_cites
from rules.games.baccarat.settle import check, invalidated, settle
from rules.games.baccarat.sides import (
    SIDES,
    SideWager,
    classify_lucky_match,
    classify_pair,
    classify_perfect_pair,
)
from rules.rulebooks import NZ_CONSULTATION
from rules.shape import ByName, Int, Text

CITES = "nz-consultation 5"
PAIRS = ("mixed-pair", "coloured-pair", "perfect-pair")
SIDE_WAGER = "side-wager"
PERFECT_PAIRS_ODDS = "perfect-pairs-odds"


def _cite(number: str) -> str:
    return f"{CITES} {number}"


def _unprinted(number: str) -> str:
    return f"{CITES} (as nz-1996 V {number})"


_STANDARD = replace(
    nz_cites(_unprinted, "12"),
    wins={PLAYER: _cite("5.10(a)"), BANKER: _cite("5.10(b)"), TIE: _cite("5.10(c)")},
    opposed=_unprinted("4.8"),
)
_TWO_TO_ONE = replace(
    _STANDARD,
    wins={PLAYER: _cite("13.3(a)"), BANKER: _cite("13.3(a)"), TIE: _cite("13.3(b)")},
    loses={PLAYER: _cite("13.2(b)(ii)"), BANKER: _cite("13.2(a)(ii)"), TIE: _cite("13.2(c)(ii)")},
    equal={PLAYER: _cite("13.2(b)(ii)"), BANKER: _cite("13.2(a)(ii)")},
    wins_with={"six": _cite("13.4")},
)
ANTE_RULES = {
    "limit": _cite("1.0"),
    "amount": _cite("14.3"),
    "waived": _cite("14.4"),
    "required": _cite("14.5"),
    "collected": _cite("14.6"),
    "void": _cite("14.7"),
}

_SIDE_WAGERS = {
    "perfect-pairs": SideWager(classify_perfect_pair, _cite("11A"), stated_odds=PERFECT_PAIRS_ODDS),
    "any-pair": SideWager(classify_pair, _cite("11C.8"), {None: _cite("11C.6")}),
    "lucky-match": SideWager(
        classify_lucky_match, _cite("11D.8"), {"lucky-triple-match": _cite("11D.9"), None: _cite("11D.6")}
    ),
}
_EXCLUDED = {"perfect-pairs": _cite("11A.2"), "any-pair": _cite("11C.2"), "lucky-match": _cite("11D.2")}


def _check(round: Round, game_rules: GameRules) -> Iterator[RuleError]:
    yield from check(round, game_rules)
    offered = round.options[SIDE_WAGER]
    for index, wager in enumerate(round.wagers):
        if wager.kind in _EXCLUDED and wager.kind != offered:
            text = f"a table offers one of {', '.join(_EXCLUDED)}, and this one offers {offered}"
            yield RuleError(text, field=f"wagers[{index}].kind", rule=_EXCLUDED[wager.kind])


_HANDS = tuple(NZ_ROLES)
_KINDS = (
    WagerKind("banker", _unprinted("4.1(a)"), slot="banker"),
    WagerKind("player", _unprinted("4.1(b)"), slot="player"),
    WagerKind("tie", _unprinted("4.1(c)"), slot="tie"),
    WagerKind("perfect-pairs", _cite("11A"), needs=_HANDS, selection=Text(SIDES), many=True),
    WagerKind("any-pair", _cite("11C.3"), needs=_HANDS, selection=Text(SIDES), many=True, slot="any-pair"),
    WagerKind(
        "lucky-match", _cite("11D.3"), needs=_HANDS, selection=Text(SIDES), many=True, slot="lucky-match"
    ),
)
_ANTE_KIND = WagerKind(ANTE, _cite("14.5"), needs=_HANDS, fee=True, about="the fee to take part in the round")

_OPTIONS = (
    Option("decks", Int(4, 8), 8, _unprinted("3.1"), "how many packs are in the shoe"),
    Option("style", Text(("A", "B", "C")), "A", _cite("8.5"), "how the cards are dealt and turned"),
    Option(SIDE_WAGER, Text(("none", *_EXCLUDED)), "none", _cite("11A.2, 11C.2, 11D.2"), "one a table"),
    Option(
        PERFECT_PAIRS_ODDS,
        ByName(Text(), PAIRS),
        {},
        _cite("11A"),
        "the odds of Perfect Pairs on the layout, which the rulebook at hand does not print: '25 to 1'",
    ),
)
_MATCHES = ("mixed-match", "coloured-match", "lucky-match", "lucky-triple-match")


def _ties(rule: str) -> tuple[PayTable, ...]:
    return tuple(paytable("tie", f"{n}-to-1", _cite(rule), {"win": f"{n} to 1"}) for n in (8, 9))


_SIDE_TABLES = (
    paytable("any-pair", "pay-scale-1", _cite("11C.8"), {"pair": "11 to 1"}),
    paytable("any-pair", "pay-scale-2", _cite("11C.8"), {"pair": "10 to 1"}),
    *(
        paytable("lucky-match", f"pay-scale-{number}", _cite("11D.8"), dict(zip(_MATCHES, pays, strict=True)))
        for number, pays in (
            (1, ("5 to 1", "10 to 1", "25 to 1", "100 to 1")),
            (2, ("5 to 1", "10 to 1", "20 to 1", "500 to 1")),
        )
    ),
)
_STANDARD_TABLES = (
    paytable("player", "standard", _cite("5.10(a)"), {"win": "1 to 1"}),
    paytable("banker", "standard", _cite("5.10(b)"), {"win": "1 to 1"}),
    *_ties("5.10(c)"),
)
_DOUBLED = {"win": "1 to 1", "three-card-eight-or-nine": "2 to 1"}
_TWO_TO_ONE_TABLES = (
    paytable("player", "standard", _cite("13.3(a)"), _DOUBLED),
    paytable("banker", "standard", _cite("13.3(a)"), _DOUBLED),
    paytable("banker", "half-on-six", _cite("13.4"), _DOUBLED | {"six": "1 to 2"}),
    *_ties("13.3(b)"),
)


def _game(name: str, title: str, *, doubled: bool, ante: bool) -> Game:
    cites: Cites = _TWO_TO_ONE if doubled else _STANDARD
    game_rules = GameRules(
        replace(cites, ante=ANTE_RULES) if ante else cites,
        NZ_ROLES,
        commission=Fraction(0) if doubled else COMMISSION,
        tie_loses=doubled,
        sides=_SIDE_WAGERS,
        ante=ante,
    )
    return Game(
        name=name,
        rulebook="nz-consultation",
        title=title,
        cites=CITES,
        provisions=NZ_CONSULTATION,
        wagers=(*_KINDS, _ANTE_KIND) if ante else _KINDS,
        dealt=shoe.DEALT,
        irregularities=shoe.irregularity_kinds(cites.irregular),
        differential_rule=cites.differential,
        options=(*_OPTIONS, *ante_options(ANTE_RULES)) if ante else _OPTIONS,
        paytables=(*(_TWO_TO_ONE_TABLES if doubled else _STANDARD_TABLES), *_SIDE_TABLES),
        carries=True,
        settle=partial(settle, game_rules=game_rules),
        check=partial(_check, game_rules=game_rules),
        invalidated=partial(invalidated, game_rules=game_rules),
    )


GAMES = (
    _game("baccarat", "Baccarat", doubled=False, ante=False),
    _game("2-to-1-baccarat", "2 to 1 Baccarat", doubled=True, ante=False),
    _game("ante-up-baccarat", "Ante Up Baccarat", doubled=False, ante=True),
    _game("ante-up-2-to-1-baccarat", "Ante Up 2 to 1 Baccarat", doubled=True, ante=True),
)
