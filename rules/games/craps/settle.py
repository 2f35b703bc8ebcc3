"""One throw of the dice over the whole layout."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.games.craps.bets import CrapsRules, Form
from rules.games.craps.layout import Laid, Layout
from rules.games.craps.outcomes import CRAPS, Fate, next_point, split_units, throw_verdict, verdict
from rules.money import CENT, rounded_down
from rules.pieces.dice import Dice, thrown, void_throw
from rules.play import Play

_SUFFIX = {Fate.WIN: 0, Fate.LOSE: 1, Fate.VOID: 2}


def settler(book: CrapsRules) -> Callable[[Play], None]:
    def settle(play: Play) -> None:
        _Throw(play, book).settle()

    return settle


def invalidated(play: Play) -> None:
    """All wagers went back: whoever plays on begins with a come out roll."""
    play.table.pop("point", None)


class _Throw:
    """The settlement of one throw, valid or not."""

    def __init__(self, play: Play, book: CrapsRules) -> None:
        self.play = play
        self.book = book
        self.layout = Layout(play.round, book)

    def settle(self) -> None:
        play, book = self.play, self.book
        open_laid = [self.layout.laid[wager.id] for wager in play.wagers]
        if len(open_laid) < len(self.layout.laid):  # some are void already: what stood behind them goes too
            still_open = {laid.wager.id for laid in open_laid}
            for laid in self.layout.laid.values():
                laid.removed = laid.removed or laid.wager.id not in still_open
        lines = self.layout.lines()
        void_rule = void_throw(play.round, book.cites, book.no_roll)
        dice = None if void_rule else thrown(play, book.rule(book.throw_rule))
        for laid in open_laid:
            if laid.removed:
                also = (book.rule(book.fee_back_rule),) if laid.fee else ()
                play.void(laid.wager, book.rule(book.take_down_rule), also=also)
            elif laid.bet.is_behind and laid.group() not in lines:
                play.void(laid.wager, book.rule(laid.bet.rule), also=(book.rule(book.take_down_rule),))
            elif dice is None:
                self._stand(laid, laid.number, void_rule or "")
            elif laid.bet.form is Form.SPLIT:
                self._split(laid, dice)
            else:
                self._judge(laid, dice)
        if dice is None:
            play.say("dice", "no roll")
        else:
            _move_point(play, self.layout.point, dice)

    def _judge(self, laid: Laid, dice: Dice) -> None:
        bet, play, wager = laid.bet, self.play, laid.wager
        fate, line = verdict(bet, dice, laid.number, wager.selection, self.book.barred)
        active = self.layout.is_active(laid)
        if fate is Fate.STAYS or not active:
            if fate is not Fate.STAYS and bet.is_behind:
                play.void(
                    wager, self._idle_rule(laid)
                )  # its line is decided and it takes no part: it comes back
                return
            number = laid.number or (dice[0] + dice[1] if bet.is_line else 0)
            self._stand(laid, number, f"{self.book.cites} {bet.rule}" if active else self._idle_rule(laid))
        elif fate is Fate.WIN:
            on = self._in_play(laid)
            fee = self._fee_due(laid, on) if bet.fee else 0
            play.win(
                wager, play.pays(bet.name).lines[line], self._rule(laid, fate), on=on, fee=fee, line=line
            )
        elif fate is Fate.LOSE:
            on = self._in_play(laid)
            fee = self._fee_due(laid, on) if bet.fee else 0
            play.lose(wager, self._rule(laid, fate), returned=play.in_play(wager) - on, fee=fee)
        else:
            play.void(wager, self._rule(laid, fate))

    def _split(self, laid: Laid, dice: Dice) -> None:
        """Paid as the separate wagers that it is made of: the part that wins comes back, the others are lost."""
        play, book = self.play, self.book
        units = split_units(laid.bet, laid.wager.selection)
        smallest = sum(units.values()) * max(play.round.limits.chip, CENT)
        unit = rounded_down(self._in_play(laid), smallest) // sum(units.values())
        at_risk = unit * sum(units.values())
        also = (book.rule(book.part_odds_rules[laid.bet.name]),)
        for kind, count in units.items():
            fate, line = throw_verdict(book.bets[kind], dice, "")
            if fate is Fate.WIN:
                stake = unit * count
                play.win(
                    laid.wager,
                    play.pays(kind).lines[line],
                    self._rule(laid, fate),
                    on=stake,
                    returned=laid.wager.stake - at_risk + stake,
                    also=also,
                )
                return
        play.lose(
            laid.wager, self._rule(laid, Fate.LOSE), returned=play.in_play(laid.wager) - at_risk, also=also
        )

    def _stand(self, laid: Laid, number: int, rule: str) -> None:
        stake = self._in_play(laid)
        fee = 0
        state: dict[str, Any] = {}
        if laid.bet.is_line:
            if number:
                state["point"] = number
        elif laid.bet.fee:
            fee = self._fee_due(laid, stake)
            state["fee"] = laid.fee + fee
        if laid.call:
            state["call"] = laid.call
        if laid.only:
            state["only"] = True
        also = (self.book.rule(self.book.fee_back_rule),) if fee < 0 else ()
        self.play.stand(laid.wager, rule, state, fee=fee, stake=stake, also=also)

    def _in_play(self, laid: Laid) -> int:
        """What takes part: not what is above the maximum, nor what was taken down."""
        return min(laid.stake, self.play.in_play(laid.wager))

    def _fee_due(self, laid: Laid, stake: int) -> int:
        """What is charged now (new wager) or given back now (reduced): whole cents, never above the rulebook's
        share."""
        bet = laid.bet
        if not laid.new and laid.stake == laid.wager.stake:
            return 0
        won = self.play.pays(bet.name).lines[str(laid.number)].winnings(stake)
        fee = rounded_down((stake if bet.fee == "stake" else won) * self.book.fee_share, CENT)
        return fee if laid.new else min(fee - laid.fee, 0)

    def _rule(self, laid: Laid, fate: Fate) -> str:
        bet = laid.bet
        paragraph = ""
        if bet.is_line and fate is not Fate.VOID:
            paragraph = self.book.paragraphs[1 if laid.number else 0]
        return f"{self.book.cites} {bet.rule}{bet.suffixes[_SUFFIX[fate]]}{paragraph}"

    def _idle_rule(self, laid: Laid) -> str:
        by = self.book.call_rule if laid.call == "off" else self.book.off_rule
        return self.book.rule(by or laid.bet.rule)


def _move_point(play: Play, point: int, dice: Dice) -> None:
    total = dice[0] + dice[1]
    onward = next_point(point, total)
    if onward:
        play.table["point"] = onward
    else:
        play.table.pop("point", None)
    if point:
        call = "7 out" if total == 7 else "point made" if total == point else f"point is {point}"
    else:
        call = f"come out point {total}" if onward else "craps" if total in CRAPS else "natural"
    play.say("dice", f"{dice[0]}-{dice[1]}: {total}, {call}")
