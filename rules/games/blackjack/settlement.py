"""Checks and settlement of the whole family: the lines of main, double, split, insurance and side wagers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from rules.contract import Decision, Round, Wager
from rules.errors import RuleError
from rules.games.blackjack.hand import Box, Hand
from rules.games.blackjack.points import ACE_POINTS, LOSSES, POINTS, TEN_POINTS, WINS, Result
from rules.games.blackjack.side_wagers import SideWager
from rules.games.blackjack.table import Table, replay
from rules.games.blackjack.table_rules import TableRules
from rules.games.blackjack.turns import RIDES
from rules.money import format_money
from rules.odds import EVENS, Odds, to_one
from rules.pieces.boxes import offer_faults
from rules.pieces.hands import pack_fault
from rules.pieces.stated import pay_stated, stated_faults
from rules.play import Play
from rules.rulebooks import INVALIDATED


def _nothing(_round: Round, _table_rules: TableRules) -> Iterator[RuleError]:
    return iter(())


@dataclass(frozen=True, slots=True)
class Variant:
    """One game of the family under one rulebook, as far as it is not `TableRules`."""

    table_rules: Callable[[Round], TableRules]
    sides: Mapping[str, SideWager]
    faults: Callable[[Round, TableRules], Iterator[RuleError]] = _nothing
    """What only this game forbids about its wagers."""
    after_deal: Callable[[Table], Iterator[RuleError]] = lambda _table: iter(())
    """What only this game forbids about wagers once the first cards are known."""

    def check(self, round: Round) -> Iterator[RuleError]:
        """What stands against the wagers, also once the first cards are known. Play is checked decision by decision
        (`check_decision`) and as a whole when it is settled."""
        table_rules = self.table_rules(round)
        found = False
        for fault in (*self.faults(round, table_rules), *_static_faults(round, table_rules, self.sides)):
            found = True
            yield fault
        if found or "cards" not in round.dealt or _is_abandoned(round):
            return
        if any(wager.kind == "insurance" or wager.kind in RIDES for wager in round.wagers):
            try:
                table = Table(round, table_rules)
            except RuleError as fault:
                yield fault
                return
            table.deal()
            yield from _insurance_faults(table)
            yield from self.after_deal(table)

    def check_decision(self, round: Round, decision: Decision) -> RuleError | None:
        """Plays the round out with the decision at its end."""
        further, table_rules = replace(round, decisions=(*round.decisions, decision)), self.table_rules(round)
        try:
            table = replay(further, table_rules)
        except RuleError as fault:
            return RuleError(fault.message, field="decision", rule=fault.rule)
        if not table.dealt:
            return RuleError(
                "the initial deal is not complete", field="decision", rule=table_rules.cites.deal
            )
        if table.decided < len(further.decisions) and table.waiting is not None:
            return table.waiting
        return next(iter((*_insurance_faults(table), *_unpayable(table, decision))), None)

    def settle(self, play: Play) -> None:
        _settle(self, play)


# Faults


def _static_faults(
    round: Round, table_rules: TableRules, sides: Mapping[str, SideWager]
) -> Iterator[RuleError]:
    cites = table_rules.cites
    yield from offer_faults(round)
    for kind, side in sides.items():
        if side.stated_odds:
            yield from stated_faults(round, side.stated_odds, kind, side.loses)
    owners: dict[int, list[str]] = {}
    for index, wager in enumerate(round.wagers):
        if wager.kind == "main":
            players = owners.setdefault(wager.seat, [])
            players.append(wager.player)
            if table_rules.players_per_box and len(players) > table_rules.players_per_box:
                text = f"no more than {table_rules.players_per_box} players wager on box {wager.seat}"
                yield RuleError(text, field=f"wagers[{index}]", rule=cites.players)
        offered = sides.get(wager.kind)
        if offered is not None and offered.decks and table_rules.decks not in offered.decks:
            packs = " or ".join(map(str, offered.decks))
            text = f"{wager.kind} is offered with {packs} packs, not {table_rules.decks}"
            yield RuleError(text, field=f"wagers[{index}].kind", rule=offered.decks_rule)
    if not _is_abandoned(round):
        yield from _pack_faults(round, table_rules)


def _is_abandoned(round: Round) -> bool:
    """No result is to come of it, so its cards need not make sense."""
    return any(i.kind == INVALIDATED or (i.kind == "void-hand" and not i.seat) for i in round.irregularities)


def _pack_faults(round: Round, table_rules: TableRules) -> Iterator[RuleError]:
    cards = round.dealt.get("cards", ())
    cut = next(
        (i.value["card"] for i in round.irregularities if i.kind == "reshuffled" and i.value), len(cards)
    )
    for part in (cards[:cut], cards[cut:]):  # hands that went to the discard rack may come again
        fault = pack_fault([("dealt.cards", part)], rule=table_rules.cites.decks, decks=table_rules.decks)
        if fault is not None:
            yield fault


def _insurance_faults(table: Table) -> Iterator[RuleError]:
    if not table.dealt or table.up_card == ACE_POINTS:
        return
    for index, wager in enumerate(table.round.wagers):
        if wager.kind == "insurance" and wager.seat in table.boxes:
            text = "insurance is for when the dealer shows an ace"
            yield RuleError(text, field=f"wagers[{index}]", rule=table.cites.insurance)


def _unpayable(table: Table, decision: Decision) -> Iterator[RuleError]:
    """Refused at the table; one that was taken all the same is paid up to the next chip like any wager."""
    wager, chip = table.wagers.get(decision.wager), table.round.limits.chip
    if decision.kind == "insurance" and wager is not None and chip and table.cites.insurance_payable:
        odds = table.round.paytables["insurance"].lines["insurance"]
        if odds.winnings(wager.stake) % chip:
            text = f"insurance of {format_money(wager.stake)} cannot be paid in chips of {format_money(chip)}"
            yield RuleError(text, field="decision.wager", rule=table.cites.insurance_payable)


# Settlement


def _settle(variant: Variant, play: Play) -> None:
    table_rules = variant.table_rules(play.round)
    table = Table(play.round, table_rules)
    void = table.irregular.void_seats
    if 0 in void:
        play.void_all(void[0])
        return
    for wager in play.wagers if void else ():
        if wager.seat in void:
            play.void(wager, void[wager.seat])
    table.play()
    if table.waiting is not None:
        raise table.waiting
    _complete(table)
    for seat, box in table.boxes.items():
        play.say(str(seat), "withdrawn" if box.withdrawn else box.words())
    if table.boxes:
        play.say(
            "dealer", table.dealer.words() if not table.irregular.dealer_omitted else str(table.dealer.total)
        )
    for wager in play.wagers:
        side = variant.sides.get(wager.kind)
        if side is not None:
            _settle_side(play, table, wager, side)
        elif wager.kind == "insurance":
            _settle_insurance(play, table, wager)
        else:
            _settle_on_hand(play, table, wager)


def _complete(table: Table) -> None:
    """Every wager has found its hand, and every removed card was there."""
    for index, wager in enumerate(table.round.wagers):
        if (
            wager.kind in ("double", "split")
            and wager.seat in table.boxes
            and wager.id not in table.positions
        ):
            text = f"no decision placed this {wager.kind}"
            raise RuleError(text, field=f"wagers[{index}]", rule=table.cites.turn)
    beyond = [place for place in table.irregular.removed if place >= len(table.cards)]
    if beyond:
        raise RuleError(
            f"there is no card {beyond[0]} to remove", field="irregularities", rule=table.cites.removed
        )


def _settle_side(play: Play, table: Table, wager: Wager, side: SideWager) -> None:
    box = table.boxes[wager.seat]
    if box.withdrawn and wager.kind == "push-22":
        play.void(wager, table.cites.withdrawn)
        return
    key = side.reading(play.round.options)(box, table.dealer)
    if key is None:
        play.lose(wager, side.loses)
        return
    also = (side.split_rule,) if side.split_rule and box.split else ()
    if side.stated_odds:
        pay_stated(play, wager, side.stated_odds, key, side.rule(key), also=also)
        return
    play.pay_or_lose(wager, wager.kind, key, side.rule(key), also=also)


def _settle_insurance(play: Play, table: Table, wager: Wager) -> None:
    if POINTS[table.dealer.cards[1]] == TEN_POINTS:
        play.pay_or_lose(wager, "insurance", "insurance", table.cites.insurance)
    else:
        play.lose(wager, table.cites.insurance_lost)


def _settle_on_hand(play: Play, table: Table, wager: Wager) -> None:
    """Main, switch, double, split and ride wagers, by the hand on which they stand."""
    box = table.boxes[wager.seat]
    if box.withdrawn:
        play.void(wager, table.cites.withdrawn)
        return
    if wager.id in table.late_rides:
        play.void(wager, table.cites.rides[wager.kind].late)
        return
    hand = table.hand_of(wager)
    result = table.result(box, hand)
    if (wager.player, hand.index) in box.even_money:
        play.win(wager, EVENS, table.cites.even_money)
        return
    if wager.kind in RIDES and table.dealer_natural and not hand.bust:
        play.push(wager, table.cites.rides[wager.kind].spared)
        return
    if wager.kind in ("double", "split") and result in LOSSES and _spared(table, hand):
        spared = table.cites.double_spared if wager.kind == "double" else table.cites.split_spared
        play.push(wager, spared)
        return
    if box.lammers and wager.kind == "main":
        _settle_with_lammers(play, table, wager, result)
        return
    _settle_by_result(play, table, box, wager, hand, result)


def _spared(table: Table, hand: Hand) -> bool:
    """A dealer's ace and ten take the original wager alone, even where rule 15.5 lets them be no blackjack."""
    two_card_21 = len(table.dealer.cards) == 2 and table.dealer.total == 21
    kept = table.table_rules.spares
    return two_card_21 and (kept == "all-but-original" or (kept == "all-but-busted" and not hand.bust))


def _settle_by_result(play: Play, table: Table, box: Box, wager: Wager, hand: Hand, result: Result) -> None:
    cites = table.cites
    rule = _rule_of(table, box, hand, result)
    also: tuple[str, ...] = ()
    if wager.kind in RIDES:
        rule, also = cites.rides[wager.kind].settled, (rule,)
    elif result in WINS and wager.kind in ("double", "split"):
        also = (cites.double_pays if wager.kind == "double" else cites.split_pays,)
    if result in WINS:
        play.win(wager, _odds(play, box, wager, result), rule, also=also)
    elif result in LOSSES:
        play.lose(wager, rule, also=also)
    else:
        play.push(wager, rule, also=also)


def _rule_of(table: Table, box: Box, hand: Hand, result: Result) -> str:
    if result is Result.BLACKJACK and box.two_hands:
        return table.cites.switch_blackjack
    if result is Result.BLACKJACK and table.irregular.dealer_omitted:
        return table.cites.dealer_omitted  # no first card of the dealer's says when it is paid
    if result is Result.BLACKJACK and table.up_card not in (ACE_POINTS, TEN_POINTS):
        return table.cites.blackjack_at_once
    if result is Result.TIE and hand.total == 21:
        switched = box.switched and not box.split
        short = table.cites.switch_blackjack if switched else table.cites.short_21
        return (short if hand.short_21 else "") or table.cites.tie_at_21
    if result is Result.DEALER_BLACKJACK and hand.total < 21:
        return table.cites.results[Result.LOWER]
    return table.cites.results[result]


def _odds(play: Play, box: Box, wager: Wager, result: Result) -> Odds:
    line = "win" if result is not Result.BLACKJACK else "switch-blackjack" if box.two_hands else "blackjack"
    return play.pays("ride" if wager.kind in RIDES else "main").lines[line]


def _settle_with_lammers(play: Play, table: Table, wager: Wager, result: Result) -> None:
    """A free bet wins as much as the original wager and never loses: what lammers win is paid on that wager's line."""
    box, hand = table.boxes[wager.seat], table.hand_of(wager)
    won = sum(
        count
        for (player, index), count in box.lammers.items()
        if player == wager.player and table.result(box, box.by_index[index]) in WINS
    )
    if not won:
        _settle_by_result(play, table, box, wager, hand, result)
        return
    rule, free = _rule_of(table, box, hand, result), table.cites.free_bet_pays
    if result in WINS:
        play.win(wager, to_one(1 + won), rule, also=(free,))
    elif result in LOSSES:
        void = wager.stake - play.in_play(wager)
        play.win(wager, to_one(won), free, returned=void, also=(rule,))
    else:
        play.win(wager, to_one(won), free, also=(rule,))
