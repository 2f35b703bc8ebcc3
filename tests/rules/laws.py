"""Laws that every settlement of every game obeys, and short ways to write rounds. Used by the tests of all games."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from rules import Outcome, Round, Settlement, round_from_json, round_to_json, settle, settlement_from_json
from rules.codec import settlement_to_json
from rules.contract import Hit, Wager
from rules.money import format_money, parse_money


def wager(kind: str, stake: str, seat: int = 0, **more: Any) -> dict[str, Any]:
    """A wager's JSON; its id is 'kind', 'kind@seat' or what `id=` says."""
    out: dict[str, Any] = {
        "id": more.pop("id", f"{kind}@{seat}" if seat else kind),
        "kind": kind,
        "stake": stake,
    }
    if seat:
        out["seat"] = seat
    return out | more


def hands(**seats: str) -> dict[str, list[str]]:
    """`hands(s1='As Ks', s2='2c 3d')` → {'1': ['As', 'Ks'], ...}."""
    return {name.lstrip("s"): text.split() for name, text in seats.items()}


def settled(document: dict[str, Any]) -> Settlement:
    """Settles a document and holds the answer to all laws."""
    round = round_from_json(document)
    answer = settle(round)
    hold_laws(round, answer)
    return answer


def lines(settlement: Settlement) -> dict[str, str]:
    """{'ante@1': 'win +5.00 back 5.00'}: outcome, winnings, returned stake, standing stake, commission."""
    out = {}
    for line in settlement.lines:
        parts = [line.outcome.value]
        if line.winnings:
            parts.append(f"+{format_money(line.winnings)}")
        if line.returned:
            parts.append(f"back {format_money(line.returned)}")
        if line.standing:
            parts.append(f"stays {format_money(line.standing)}")
        if line.commission:
            parts.append(f"fee {format_money(line.commission)}")
        out[line.wager.id] = " ".join(parts)
    return out


def rules_of(settlement: Settlement) -> dict[str, str]:
    """{'ante@1': '9.8(b)'}: the deciding rule without the name of the book and division."""
    return {line.wager.id: line.rule.split()[-1] for line in settlement.lines}


def hold_laws(round: Round, answer: Settlement) -> None:
    wagers = [s.wager for s in round.carried.wagers] + list(round.wagers)
    assert [line.wager for line in answer.lines] == wagers, "one line a wager, in order"
    for line in answer.lines:
        assert line.rule.startswith(round.game.rulebook) or line.rule.startswith("nz-1996 I "), line
        assert line.wager.stake == line.returned + line.lost + line.standing, line
        assert min(line.returned, line.lost, line.standing, line.winnings, line.rounding) >= 0, line
        assert line.winnings == 0 or line.outcome is Outcome.WIN, line
        assert line.lost == 0 or line.outcome in (Outcome.LOSE, Outcome.WIN), line
        if line.outcome in (Outcome.PUSH, Outcome.VOID):
            assert line.returned == line.wager.stake, line
        if line.lost and line.outcome is Outcome.WIN:
            assert _may_hit(round, line.wager) or line.wager.promo or line.also, line
        assert line.rounding < max(round.limits.chip, 10_000), line
        assert (line.winnings - line.commission) % 10_000 == 0 or line.winnings == 0, line
    _conserve(round, answer)
    stood = {s.wager.id: s.wager.stake for s in answer.carried.wagers}
    assert stood == {line.wager.id: line.standing for line in answer.lines if line.standing}
    for hit in answer.hits:
        _hold_hit(round, answer, hit)
    assert settle(round) == answer, "deterministic"
    document = json.loads(json.dumps(round_to_json(round)))
    again = round_from_json(document, partial=True)
    assert settle(again) == answer, "the JSON of the round loses nothing"
    written = json.loads(json.dumps(settlement_to_json(answer)))
    assert settlement_to_json(settlement_from_json(written)) == written, (
        "the JSON of the answer loses nothing"
    )


def _hold_hit(round: Round, answer: Settlement, hit: Hit) -> None:
    """A prize is paid on the stake that counts. Of a jackpot wager that is what does not go back; an ordinary wager
    that also hits may have its stake back with its win, so there the sign's maximum tells."""
    (line,) = (line for line in answer.lines if line.wager.id == hit.wager.id)
    assert replace(hit.wager, stake=line.wager.stake) == line.wager, hit
    assert _may_hit(round, line.wager), hit
    if round.game.kinds[line.wager.kind].jackpot:
        assert hit.wager.stake == line.wager.stake - line.returned, hit
    else:
        most = round.limits.of(line.wager).maximum
        assert hit.wager.stake == (line.wager.stake if most is None else min(line.wager.stake, most)), hit
    assert hit.wager.stake > 0, hit


def _may_hit(round: Round, wager: Wager) -> bool:
    kind = round.game.kinds[wager.kind]
    return kind.jackpot or kind.entitles


def _conserve(round: Round, answer: Settlement) -> None:
    """Money in = money out: what lay on the layout goes to players, to the house or stays there."""
    laid = sum(w.stake for w in round.wagers) + sum(s.wager.stake for s in round.carried.wagers)
    stays = sum(s.wager.stake for s in answer.carried.wagers)
    to_players = sum(line.to_player for line in answer.lines)
    house = sum(line.lost + line.commission - line.winnings for line in answer.lines)
    assert laid == to_players + house + stays


def money(text: str) -> int:
    return parse_money(text)
