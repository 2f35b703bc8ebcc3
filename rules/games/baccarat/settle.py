"""Settles a round of any baccarat game and refuses what no book allows. What differs is in the `House`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules.contract import Round, Wager
from rules.errors import RuleError
from rules.games.baccarat import shoe
from rules.games.baccarat.antes import ante_faults, settle_antes, void_without_ante
from rules.games.baccarat.coup import BANKER, TIE, Coup, classify_win, describe
from rules.games.baccarat.house import House
from rules.games.baccarat.sides import SideWager
from rules.games.baccarat.stakes import Stakes, acceptance_faults
from rules.odds import odds
from rules.pieces.boxes import offer_faults
from rules.play import Play


def check(round: Round, house: House) -> Iterator[RuleError]:
    yield from _place_faults(round, house)
    yield from _opposed_faults(round, house)
    if house.sides:
        yield from offer_faults(round)
        yield from _repeated_faults(round)
        yield from _stated_odds_faults(round, house)
    if house.ante:
        yield from ante_faults(round, house, before_deal=_before_deal(round))
    if _before_deal(round):
        yield from acceptance_faults(round, house)
        yield from _void_hand_faults(round, house)


def _before_deal(round: Round) -> bool:
    """Wagers are being taken. Later the same faults are settled as the book says, not refused."""
    return not round.dealt.get("shoe") and not round.irregularities


def _void_hand_faults(round: Round, house: House) -> Iterator[RuleError]:
    rule = shoe.inherited(round, house.cites).void_rule
    if rule and round.wagers:
        text = "this round is a void hand: a card was disclosed in the round before, and no wagers are taken"
        yield RuleError(text, field="wagers", rule=rule)


def _place_faults(round: Round, house: House) -> Iterator[RuleError]:
    """Numbered places, who may stand, how many players share an area."""
    if not house.numbered_places and not house.players_per_area:
        return
    most = min(house.players_per_area or 99, round.options.get("players-per-area", 99))
    areas: dict[tuple[int, str], set[str]] = {}
    for index, wager in enumerate(round.wagers):
        field, rule = f"wagers[{index}]", house.cites.shared_area
        if house.numbered_places and wager.seat > house.numbered_places:
            text = f"{wager.seat} is not a place from 1 to {house.numbered_places}, or 0 for standing players"
            yield RuleError(text, field=f"{field}.seat", rule=house.cites.places)
        if not wager.seat or not house.players_per_area:
            continue
        players = areas.setdefault((wager.seat, wager.kind), set())
        players.add(wager.player)
        if len(players) > most:
            text = f"no more than {most} may wager on {wager.kind} at place {wager.seat}"
            yield RuleError(text, field=f"{field}.player", rule=rule)


def _opposed_faults(round: Round, house: House) -> Iterator[RuleError]:
    """Not on the Banker's Hand and the Player's Hand in one round, wherever the player sits."""
    if not house.cites.opposed:
        return
    backed: dict[tuple[int, str], str] = {}
    for index, wager in enumerate(round.wagers):
        role = house.roles.get(wager.kind, TIE)
        if role == TIE:
            continue
        who = (0, wager.player) if wager.player else (wager.seat, "")
        if backed.setdefault(who, role) != role:
            text = f"{wager.player or f'place {wager.seat}'} has a wager on the other hand already"
            yield RuleError(text, field=f"wagers[{index}].kind", rule=house.cites.opposed)


def _repeated_faults(round: Round) -> Iterator[RuleError]:
    """A side wager twice on the same selection would pass under the maximum."""
    seen: set[tuple[int, str, str, str]] = set()
    for index, wager in enumerate(round.wagers):
        if not wager.selection:
            continue
        place = (wager.seat, wager.player, wager.kind, wager.selection)
        if place in seen:
            text = f"a second {wager.kind} on {wager.selection} at the same place"
            yield RuleError(text, field=f"wagers[{index}]", rule=round.game.kinds[wager.kind].rule)
        seen.add(place)


def _stated_odds_faults(round: Round, house: House) -> Iterator[RuleError]:
    """Odds that the operator has to state, because the book at hand does not print them."""
    for kind, side in house.sides.items():
        stated = round.options[side.stated_odds] if side.stated_odds else None
        if stated is None:
            continue
        for name, text in stated.items():
            try:
                odds(text)
            except RuleError as fault:
                yield RuleError(fault.message, field=f"options.{side.stated_odds}.{name}", rule=side.rule)
        if not stated and any(wager.kind == kind for wager in round.wagers):
            text = f"the book at hand does not print the odds of {kind}: state those on the layout"
            yield RuleError(text, field=f"options.{side.stated_odds}", rule=side.rule)


def settle(play: Play, house: House) -> None:
    deal = shoe.read(play.round, house)
    _hand_over(play, shoe.to_state(deal.next_round))
    if deal.coup is not None:
        _announce(play, deal.coup)
    if deal.void_rule:
        play.void_all(deal.void_rule)
        return
    if deal.coup is None:
        raise RuleError("is missing", field="dealt.shoe", rule=house.cites.deal)
    void_without_ante(play, house)
    stakes = Stakes(play, house)
    _return_uncounted(play, house, stakes, deal.also)
    settle_antes(play, house)
    _return_orphans(play, house)
    for wager in play.wagers:
        side = house.sides.get(wager.kind)
        if side is not None:
            _settle_side(play, wager, side, deal.coup, deal.also)
        else:
            _settle_hand(play, house, wager, deal.coup, stakes, deal.also)


def _return_uncounted(play: Play, house: House, stakes: Stakes, also: tuple[str, ...]) -> None:
    """Wagers on a hand of which no chip can be paid, or which the differential leaves nothing of."""
    for wager in play.wagers:
        if wager.kind in house.roles and not stakes.of(wager):
            *before, last = stakes.cuts(wager) or (play.game.provisions.above_rule,)
            play.void(wager, last, also=(*also, *before))


def _return_orphans(play: Play, house: House) -> None:
    """Side wagers that go with a wager on a hand or a tie, where all of those are void."""
    bound = [w for w in play.wagers if w.kind in house.sides and play.game.kinds[w.kind].needs]
    if not bound:
        return
    in_game = {(wager.seat, wager.player) for wager in play.wagers if wager.kind in house.roles}
    for wager in bound:
        kind = play.game.kinds[wager.kind]
        if (wager.seat, wager.player) not in in_game:
            play.void(wager, kind.rule)


def invalidated(play: Play, house: House) -> None:
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
    play: Play, house: House, wager: Wager, coup: Coup, stakes: Stakes, also: tuple[str, ...]
) -> None:
    role, winner, valid = house.roles[wager.kind], coup.winner, stakes.of(wager)
    cited = (*also, *stakes.cuts(wager))
    if role == winner:
        key = "win" if role == TIE else classify_win(coup, role) or ""
        table = play.pays(wager.kind)
        pays = table.pays(key) or table.lines["win"]
        kept = int(valid * house.commission) if role == BANKER and house.commission else 0
        rule = house.cites.wins_with.get(key) if table.pays(key) else None
        play.win(
            wager,
            pays,
            rule or house.cites.wins[role],
            on=valid,
            commission=kept,
            line=key,
            also=cited,
        )
    elif winner == TIE and not house.tie_loses:
        play.void(wager, house.cites.equal[role], also=cited)
    else:
        rule = house.cites.equal[role] if winner == TIE else house.cites.loses[role]
        play.lose(wager, rule, returned=play.in_play(wager) - valid, also=cited)
