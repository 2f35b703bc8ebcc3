"""Plays a round out again from the cards in the order dealt and the decisions in the order made.

Every card must be called for and every decision allowed. What the players may decide is in `turns`; what went
wrong comes from `irregular`; money is not here.
"""

from __future__ import annotations

from contextlib import suppress

from rules.cards import Card, card_text
from rules.contract import Decision, Round, Wager
from rules.errors import RuleError
from rules.games.blackjack.hand import Box, Hand
from rules.games.blackjack.irregular import Irregular
from rules.games.blackjack.points import ACE_POINTS, POINTS, TEN_POINTS, Result, compare, dealer_draws
from rules.games.blackjack.table_rules import TableRules
from rules.games.blackjack.turns import RIDES, Unfinished, early, finish, play_boxes

ON_A_HAND = ("main", "switch", *RIDES)
"""Wagers that stand on a hand without a decision; doubles and splits get theirs by the decision that placed them."""

WHOLE_HAND = 99


class Table:
    """The state of a round as it is played out; `replay` makes it."""

    def __init__(self, round: Round, table_rules: TableRules) -> None:
        self.round = round
        self.table_rules = table_rules
        self.cites = table_rules.cites
        self.irregular = Irregular(round, table_rules.cites)
        self.cards: tuple[Card, ...] = round.dealt.get("cards", ())
        self.drawn = 0
        """How many of the cards are on the table or removed."""
        self.decisions = round.decisions
        self.decided = 0
        """How many of the decisions have been followed."""
        self.wagers = {wager.id: wager for wager in round.wagers}
        self.boxes = self._set_up()
        self.positions: dict[str, int] = {}
        """Wager id → number of the hand on which it stands, for every wager that goes with a hand."""
        for wager in round.wagers:
            if wager.kind in ON_A_HAND:
                self.positions[wager.id] = 1 if wager.kind == "switch" else 0
        self.late_rides: set[str] = set()
        self.dealer = Hand(0)
        self.dealt = False
        """The initial deal is complete."""
        self.peeked = False
        """The dealer showed a blackjack before anybody could decide."""
        self.waiting: RuleError | None = None
        """What is missing to complete the round."""

    def _set_up(self) -> dict[int, Box]:
        players: dict[int, list[str]] = {}
        two_hands = set()
        for wager in self.round.wagers:
            if wager.kind == "main":
                players.setdefault(wager.seat, []).append(wager.player)
            elif wager.kind == "switch":
                two_hands.add(wager.seat)
        boxes = {}
        for seat in sorted(players):
            if seat in self.irregular.void_seats:
                continue
            at_box = sorted(players[seat], key=bool)  # the seat's own player decides, else the first to wager
            boxes[seat] = Box(
                seat, at_box, 2 if seat in two_hands else 1, absent=seat in self.irregular.absent
            )
        return boxes

    # Cards

    def draw(self, whose: str) -> Card:
        """The next card of the shoe that was not removed from play."""
        while self.drawn in self.irregular.removed:
            self.drawn += 1
        if self.drawn >= len(self.cards):
            raise Unfinished(
                f"the cards end before {whose} has all that the play calls for",
                "dealt.cards",
                self.cites.deal,
            )
        self.drawn += 1
        return self.cards[self.drawn - 1]

    def has_more(self) -> bool:
        while self.drawn in self.irregular.removed:
            self.drawn += 1
        return self.drawn < len(self.cards)

    def deal(self) -> None:
        """The initial deal, as far as the cards go."""
        with suppress(Unfinished):
            self._deal()

    def play(self) -> None:
        """The whole round, as far as the cards and decisions go."""
        if not self.boxes:
            return
        try:
            self._deal()
            early(self)
            if self.table_rules.never_bust and not self.peeked:
                self._play_like_the_dealer()
            elif not self.peeked:
                play_boxes(self)
            finish(self)
            self._dealer_plays()
        except Unfinished as stop:
            self.waiting = stop.fault
            return
        self.waiting = self._left_over()

    def _deal(self) -> None:
        hands = [hand for box in self.boxes.values() for hand in box.hands]
        for second in (False, True):
            if self.table_rules.communal:
                card = self.draw("the communal hand")
                for hand in hands:
                    hand.add(card)
            else:
                for hand in hands:
                    hand.add(self.draw("every box"))
            if not second and not self.irregular.dealer_omitted:
                self.dealer.add(self.draw("the dealer"))
        if self.table_rules.hole_card:
            self.dealer.add(self.draw("the dealer"))
        for box in self.boxes.values():
            box.first = tuple(card for hand in box.hands for card in hand.cards)
        self.dealt = True
        self.peeked = self.table_rules.peek and self.dealer.natural

    def _play_like_the_dealer(self) -> None:
        for box in self.boxes.values():
            for hand in box.hands:
                while not hand.discarded and self._draws_on(hand):
                    self._take_or_discard(hand, self.draw(f"box {box.seat}"))

    def _draws_on(self, hand: Hand) -> bool:
        return dealer_draws(hand.total, hand.soft, hits_soft_17=self.table_rules.hits_soft_17)

    def _take_or_discard(self, hand: Hand, card: Card) -> None:
        """A card that would go over 21 is taken away again and ends the hand (NeverBust)."""
        before = tuple(hand.cards)
        hand.add(card)
        if hand.bust and self.table_rules.never_bust:
            hand.renew(before)
            hand.discarded = True

    # The dealer

    @property
    def up_card(self) -> int:
        """Points of the dealer's first card; 0 before it is dealt."""
        return POINTS[self.dealer.cards[0]] if self.dealer.cards and not self.irregular.dealer_omitted else 0

    @property
    def dealer_natural(self) -> bool:
        return self.dealer.natural and not self.irregular.dealer_omitted

    def _dealer_plays(self) -> None:
        dealer, needed = self.dealer, self._cards_needed()
        while not dealer.discarded:
            held = len(dealer.cards)
            if held >= 2 and not self._draws_on(dealer):
                return
            if held >= needed:
                if self.table_rules.stops_without_effect and held >= 2:
                    return
                if not self.has_more():
                    return
            self._take_or_discard(dealer, self.draw("the dealer"))

    def _cards_needed(self) -> int:
        """How many cards the dealer must take at least for every wager to have its result."""
        needed = 0
        for box in self.boxes.values():
            if box.withdrawn:
                continue
            for hand in box.hands:
                if not hand.bust and not hand.natural:
                    return WHOLE_HAND
            if self._waits_for_second_card(box):
                needed = 2
        kinds = {wager.kind for wager in self.round.wagers if wager.seat in self.boxes}
        if "push-22" in kinds:
            return WHOLE_HAND
        return 2 if "insurance" in kinds else needed

    def _waits_for_second_card(self, box: Box) -> bool:
        """Only a dealer's blackjack can still matter to hands that are blackjacks, or over 21 after a split."""
        if self.up_card not in (ACE_POINTS, TEN_POINTS):
            return False
        for hand in box.hands:
            if hand.natural and not all((player, hand.index) in box.even_money for player in box.players):
                return True
        return box.split and self.table_rules.spares == "all-but-original"

    def _left_over(self) -> RuleError | None:
        if not self.has_more():
            return None
        text = f"{card_text(self.cards[self.drawn])} and what follows it is not called for by the play"
        rule = self.cites.dealer_stops if self.table_rules.stops_without_effect else self.cites.dealer_draws
        return RuleError(text, field=f"dealt.cards[{self.drawn}]", rule=rule)

    # What came of it

    def hand_of(self, wager: Wager) -> Hand:
        return self.boxes[wager.seat].by_index[self.positions[wager.id]]

    def result(self, box: Box, hand: Hand) -> Result:
        return compare(
            hand.total,
            hand.natural,
            self.dealer.total,
            self.dealer_natural,
            push_22=self.table_rules.push_22 and (box.two_hands or not self.cites.switch),
            push_15=self.table_rules.never_bust and self.dealer.discarded,
            short_21=self.table_rules.short_21_wins and hand.short_21,
        )

    # Faults

    def refuse(self, message: str, rule: str, part: str = "") -> RuleError:
        """A fault of the decision at hand."""
        return RuleError(message, field=f"decisions[{self.decided}]{part}", rule=rule)

    def decision(self) -> Decision | None:
        return self.decisions[self.decided] if self.decided < len(self.decisions) else None


def replay(round: Round, table_rules: TableRules) -> Table:
    """The round as far as its cards and decisions go; raises RuleError at what is not allowed."""
    table = Table(round, table_rules)
    table.play()
    return table
