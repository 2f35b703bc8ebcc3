"""A short way to write rounds of blackjack.

wagers     "main@1=10 main@1/bob=5 double@1=10"     kind@seat/player=stake; ids are the text before '=';
                                                     a second of the kind on one place is written double@1#2
decisions  "1:hit 1.1:stand 1:double=double@1 1/bob:choose-hand>second"   seat.hand/player:kind=wager>value
cards      "Ts 6d 9c Kd 8h"                          as they leave the shoe
"""

from __future__ import annotations

import re
from typing import Any

from rules import Settlement, round_from_json
from rules.contract import Round
from tests.rules.laws import settled

_DECISION = re.compile(r"(\d+)(?:\.(\d+))?(?:/(\w+))?:([a-z-]+)(?:=([^>]+))?(?:>(\w+))?")
_WAGER = re.compile(r"(([a-z0-9-]+)@(\d+)(?:/(\w+))?(?:#\d)?)=([\d.]+)")


def wagers(text: str) -> list[dict[str, Any]]:
    out = []
    for id, kind, seat, player, stake in (_match(_WAGER, part) for part in text.split()):
        wager = {"id": id, "kind": kind, "seat": int(seat), "stake": stake}
        out.append(wager | ({"player": player} if player else {}))
    return out


def decisions(text: str) -> list[dict[str, Any]]:
    out = []
    for seat, hand, player, kind, wager, value in (_match(_DECISION, part) for part in text.split()):
        decision = {"kind": kind, "seat": int(seat), "hand": int(hand or 0)}
        more = {"player": player, "wager": wager, "value": value}
        out.append(decision | {name: given for name, given in more.items() if given})
    return out


def _match(pattern: re.Pattern[str], part: str) -> tuple[str, ...]:
    found = pattern.fullmatch(part)
    assert found, part
    return found.groups()


def document(game: str, staked: str, cards: str, decided: str = "", **more: Any) -> dict[str, Any]:
    """`game` is 'blackjack nz-1996'."""
    name, book = game.split()
    dealt = {"dealt": {"cards": cards.split()}} if cards else {}
    base = {"game": name, "rulebook": book, "wagers": wagers(staked), "decisions": decisions(decided)}
    return {**base, **dealt, **more}


def played(game: str, staked: str, cards: str, decided: str = "", **more: Any) -> Settlement:
    return settled(document(game, staked, cards, decided, **more))


def so_far(game: str, staked: str, cards: str, decided: str = "", **more: Any) -> Round:
    """A round that is still under way."""
    return round_from_json(document(game, staked, cards, decided, **more), partial=True)


def ends(settlement: Settlement) -> dict[str, str]:
    """{'main@1': '+10.00 4.1(a)'}: what the player is up or down on each wager, and by which rule."""
    out = {}
    for line in settlement.lines:
        up = line.to_player - line.wager.stake
        rule = line.rule.removeprefix("nz-consultation 2 (as nz-1996 II ").removesuffix(")")
        if "as nz-1996" not in line.rule:
            rule = line.rule.split()[-1]
        elif "(" in rule:
            rule += ")" if rule.count("(") > rule.count(")") else ""
        out[line.wager.id] = f"{up / 1_000_000:+.2f} {rule}"
    return out
