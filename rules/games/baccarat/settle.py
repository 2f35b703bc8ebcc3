"""Settles a round of any baccarat game and refuses what no rulebook allows. What differs is in the `GameRules`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules.contract import Round, Wager
from rules.errors import RuleError
from rules.games.baccarat import shoe
from rules.games.baccarat.antes import ante_faults, settle_antes, void_without_ante
from rules.games.baccarat.coup import BANKER, TIE, Coup, classify_win, describe
from rules.games.baccarat.game_rules import GameRules
from rules.games.baccarat.sides import SideWager
from rules.games.baccarat.stakes import Stakes, acceptance_faults
from rules.odds import odds
from rules.pieces.boxes import offer_faults
from rules.play import Play


def check(round: Round, game_rules: GameRules) -> Iterator[RuleError]:
    yield from _place_faults(round, game_rules)
    yield from _opposed_faults(round, game_rules)
    if game_rules.sides:
        yield from offer_faults(round)
        yield from _repeated_faults(round)
        yield from _stated_odds_faults(round, game_rules)
    if game_rules.ante:
        yield from ante_faults(round, game_rules, before_deal=_before_deal(round))
    if _before_deal(round):
        yield from acceptance_faults(round, game_rules)
        yield from _void_hand_faults(round, game_rules)


def _before_deal(round: Round) -> bool:
    """Wagers are being taken. Later the same faults are settled as the rulebook says, not refused."""
    return not round.dealt.get("shoe") and not round.irregularities


def _void_hand_faults(round: Round, game_rules: GameRules) -> Iterator[RuleError]:
    rule = shoe.inherited(round, game_rules.cites).void_rule
    if rule and round.wagers:
        text = "this round is a void hand: a card was disclosed in the round before, and no wagers are taken"
        yield RuleError(text, field="wagers", rule=rule)


def _place_faults(round: Round, game_rules: GameRules) -> Iterator[RuleError]:
    """Numbered places, who may stand, how many players share an area."""
    if not game_rules.numbered_places and not game_rules.players_per_area:
        return
    most = min(game_rules.players_per_area or 99, round.options.get("players-per-area", 99))
    areas: dict[tuple[int, str], set[str]] = {}
    for index, wager in enumerate(round.wagers):
        field, rule = f"wagers[{index}]", game_rules.cites.shared_area
        if game_rules.numbered_places and wager.seat > game_rules.numbered_places:
            text = f"{wager.seat} is not a place from 1 to {game_rules.numbered_places}, or 0 for standing players"
            yield RuleError(text, field=f"{field}.seat", rule=game_rules.cites.places)
        if not wager.seat or not game_rules.players_per_area:
            continue
        players = areas.setdefault((wager.seat, wager.kind), set())
        players.add(wager.player)
        if len(players) > most:
            text = f"no more than {most} may wager on {wager.kind} at place {wager.seat}"
            yield RuleError(text, field=f"{field}.player", rule=rule)


def _opposed_faults(round: Round, game_rules: GameRules) -> Iterator[RuleError]:
    """Not on the Banker's Hand and the Player's Hand in one round, wherever the player sits."""
    if not game_rules.cites.opposed:
        return
    backed: dict[tuple[int, str], str] = {}
    for index, wager in enumerate(round.wagers):
        role = game_rules.roles.get(wager.kind, TIE)
        if role == TIE:
            continue
        who = (0, wager.player) if wager.player else (wager.seat, "")
        if backed.setdefault(who, role) != role:
            text = f"{wager.player or f'place {wager.seat}'} has a wager on the other hand already"
            yield RuleError(text, field=f"wagers[{index}].kind", rule=game_rules.cites.opposed)


def _repeated_faults(round: Round) -> Iterator[RuleError]:
    """A side wager twice on the same selection would pass under the maximum."""
    seen: set[tuple[int, str, str, str]] = set()
    for index, wager in enumerate(round.wagers):
        if not wager.selection:
            continue
        place = (wager.seat, wager.player, wager.kind, wager.selection)
        if place in seen:
            text = f"a second {wager.kind} on {wager.selection} at the same spot"
            yield RuleError(text, field=f"wagers[{index}]", rule=round.game.kinds[wager.kind].rule)
        seen.add(place)


def _stated_odds_faults(round: Round, game_rules: GameRules) -> Iterator[RuleError]:
    """Odds that the operator has to state, because the rulebook at hand does not print them."""
    for kind, side in game_rules.sides.items():
        stated = round.options[side.stated_odds] if side.stated_odds else None
        if stated is None:
            continue
        for name, text in stated.items():
            try:
                odds(text)
            except RuleError as fault:
                yield RuleError(fault.message, field=f"options.{side.stated_odds}.{name}", rule=side.rule)
        if not stated and any(wager.kind == kind for wager in round.wagers):
            text = f"the rulebook at hand does not print the odds of {kind}: state those on the layout"
            yield RuleError(text, field=f"options.{side.stated_odds}", rule=side.rule)


def settle(play: Play, game_rules: GameRules) -> None:
    deal = shoe.read(play.round, game_rules)
    _hand_over(play, shoe.to_state(deal.next_round))
    if deal.coup is not None:
        _announce(play, deal.coup)
    if deal.void_rule:
        play.void_all(deal.void_rule)
        return
    if deal.coup is None:
        raise RuleError("is missing", field="dealt.shoe", rule=game_rules.cites.deal)
    void_without_ante(play, game_rules)
    stakes = Stakes(play, game_rules)
    _return_uncounted(play, game_rules, stakes, deal.also)
    settle_antes(play, game_rules)
    _return_orphans(play, game_rules)
    for wager in play.wagers:
        side = game_rules.sides.get(wager.kind)
        if side is not None:
            _settle_side(play, wager, side, deal.coup, deal.also)
        else:
            _settle_hand(play, game_rules, wager, deal.coup, stakes, deal.also)


def _return_uncounted(play: Play, game_rules: GameRules, stakes: Stakes, also: tuple[str, ...]) -> None:
    """Wagers on a hand of which no chip can be paid, or which the differential leaves nothing of."""
    for wager in play.wagers:
        if wager.kind in game_rules.roles and not stakes.of(wager):
            *before, last = stakes.cuts(wager) or (play.game.provisions.above_rule,)
            play.void(wager, last, also=(*also, *before))


def _return_orphans(play: Play, game_rules: GameRules) -> None:
    """Side wagers that go with a wager on a hand or a tie, where all of those are void."""
    bound = [w for w in play.wagers if w.kind in game_rules.sides and play.game.kinds[w.kind].needs]
    if not bound:
        return
    in_game = {(wager.seat, wager.player) for wager in play.wagers if wager.kind in game_rules.roles}
    for wager in bound:
        kind = play.game.kinds[wager.kind]
        if (wager.seat, wager.player) not in in_game:
            play.void(wager, kind.rule)


def invalidated(play: Play, game_rules: GameRules) -> None:
    """Cards that began a round which then did not count are gone."""
    if play.dealt.get("shoe") or play.dealt.get("new_shoe"):
        _hand_over(play, {})


def _hand_over(play: Play, state: dict[str, object]) -> None:
    for key in (shoe.FIRST_CARDS, shoe.VOID_HAND):
        play.table.pop(key, None)
    play.table.update(state)


def _announce(play: Play, coup: Coup) -> None:
    play.say("player", describe(coup.player))
    play.say("banker", describe(coup.banker))
    play.say("winner", coup.winner)


def _settle_side(play: Play, wager: Wager, side: SideWager, coup: Coup, also: Iterable[str]) -> None:
    key = side.classify(coup, wager.selection)
    rule = side.rules.get(key, side.rule)
    if key in side.stand_offs:
        play.push(wager, rule, also=also)
    elif side.stated_odds:
        pays = play.options[side.stated_odds].get(key)
        if pays is None:
            play.lose(wager, rule, also=also)
        else:
            play.win(wager, odds(pays), rule, line=key or "", also=also)
    else:
        play.pay_or_lose(wager, play.game.kinds[wager.kind].slot, key, rule, also=also)


def _settle_hand(
    play: Play, game_rules: GameRules, wager: Wager, coup: Coup, stakes: Stakes, also: tuple[str, ...]
) -> None:
    role, winner, valid = game_rules.roles[wager.kind], coup.winner, stakes.of(wager)
    cited = (*also, *stakes.cuts(wager))
    if role == winner:
        key = "win" if role == TIE else classify_win(coup, role) or ""
        table = play.pays(wager.kind)
        pays = table.pays(key) or table.lines["win"]
        kept = int(valid * game_rules.commission) if role == BANKER and game_rules.commission else 0
        rule = game_rules.cites.wins_with.get(key) if table.pays(key) else None
        play.win(
            wager,
            pays,
            rule or game_rules.cites.wins[role],
            on=valid,
            commission=kept,
            line=key,
            also=cited,
        )
    elif winner == TIE and not game_rules.tie_loses:
        play.void(wager, game_rules.cites.equal[role], also=cited)
    else:
        rule = game_rules.cites.equal[role] if winner == TIE else game_rules.cites.loses[role]
        play.lose(wager, rule, returned=play.in_play(wager) - valid, also=cited)
