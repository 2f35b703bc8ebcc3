"""Dragon21 (nz-consultation): two hands dealt to 17 or more, Dragon and Tiger; whoever has more wins, and where both go
over 21, whoever has less.

The division takes the deal, the shoe and the irregularities from baccarat (8.1, 12.1), and so does this module.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from rules.cards import Card, card_text, cards_text
from rules.contract import EMPTY, Round, Wager
from rules.declare import Game, IrregularityKind, Option, WagerKind, paytable
from rules.errors import RuleError
from rules.games.baccarat import shoe
from rules.games.baccarat.coup import BANKER, PLAYER, TIE
from rules.games.baccarat.game_rules import Cites, GameRules
from rules.games.baccarat.nz_1996 import AREA_MAXIMUM
from rules.games.baccarat.settle import check as baccarat_check
from rules.games.baccarat.settle import invalidated
from rules.games.blackjack.points import dealer_draws, is_natural, score
from rules.games.blackjack.side_wagers import classify_pair
from rules.money import CENT, rounded_down
from rules.pieces.hands import pack_fault
from rules.pieces.stated import pay_stated, stated_faults, stated_odds
from rules.play import Play
from rules.rulebooks import NZ_CONSULTATION
from rules.shape import Flag, Int, Struct, Text, cards

CITES = "nz-consultation Dragon21"
DRAGON, TIGER = "dragon", "tiger"
SIDES = (DRAGON, TIGER)
CARD_TO_DRAGON = "card-to-dragon"
PERFECT_PAIRS_ODDS = "perfect-pairs-odds"
PAIR_LINES = ("mixed-pair", "coloured-pair", "perfect-pair")


def _cite(number: str) -> str:
    return f"{CITES} {number}"


def _baccarat(number: str) -> str:
    """Division 5 of the rules, of which the document prints changes only."""
    return f"{CITES} 12.1 (as nz-1996 V {number})"


_IRREGULAR = {
    CARD_TO_DRAGON: "12.2",
    shoe.EXCESS: "12.3",
    shoe.FIRST_FACE_UP: "12.4",
    shoe.FACE_UP: "12.5",
    shoe.TOO_FEW: "12.6",
    shoe.OUT_OF_SEQUENCE: "12.7",
    shoe.NOT_RECONSTRUCTED: "12.8",
}
_GAME_RULES = GameRules(
    Cites(
        deal=_cite("8.1"),
        natural=_cite("9.1"),
        player_draws=_cite("9.2"),
        banker_draws=_cite("9.2"),
        banker_draws_alone=_cite("9.2"),
        no_more=_cite("9.2"),
        decks=_cite("3.4"),
        wins=EMPTY,
        loses={PLAYER: _cite("5.1(a)(iii)"), BANKER: _cite("5.1(b)(iii)"), TIE: _cite("5.1(c)(ii)")},
        equal={PLAYER: _cite("5.1(a)(ii)"), BANKER: _cite("5.1(b)(ii)")},
        shared_area=_cite("5.7(a)"),
        differential=_cite("5.13"),
        irregular={kind: _baccarat(number) for kind, number in _IRREGULAR.items()},
    ),
    roles={DRAGON: PLAYER, TIGER: BANKER, "tie": TIE},
    players_per_area=3,
)


# What an order of cards means


class Hands(NamedTuple):
    """Both hands as they end."""

    dragon: tuple[Card, ...]
    tiger: tuple[Card, ...]


def play_out(drawn: Sequence[Card]) -> Hands | str:
    """9.1-9.2: nobody draws against a blackjack; else the Dragon draws to more than 16, then the Tiger. A text: the
    hand whose card is missing."""
    if len(drawn) < 4:
        return TIGER if len(drawn) % 2 else DRAGON
    hands = {DRAGON: [drawn[0], drawn[2]], TIGER: [drawn[1], drawn[3]]}
    used = 4
    if not any(is_natural(hand) for hand in hands.values()):
        for side, hand in hands.items():
            while dealer_draws(*score(hand)):
                if used == len(drawn):
                    return side
                hand.append(drawn[used])
                used += 1
    return Hands(tuple(hands[DRAGON]), tuple(hands[TIGER]))


def winner(hands: Hands) -> str:
    """'dragon', 'tiger' or 'tie' (5.1(a) and (b)). Equal totals are a tie, blackjack or not."""
    dragon, tiger = score(hands.dragon)[0], score(hands.tiger)[0]
    if dragon == tiger:
        return TIE
    if dragon > 21 and tiger > 21:
        return DRAGON if dragon < tiger else TIGER
    if dragon > 21 or tiger > 21:
        return TIGER if dragon > 21 else DRAGON
    return DRAGON if dragon > tiger else TIGER


def classify_win(hand: Sequence[Card]) -> str:
    """5.1a: with what a winning hand wins. A win with 17 is a stand off and has no odds."""
    total = score(hand)[0]
    if is_natural(hand):
        return "blackjack"
    if total > 21:
        return "over-21"
    return "18-to-21" if total > 17 else "17"


def classify_tie(hands: Hands) -> str | None:
    """5.1(c): equal hands, unless exactly one of them is a blackjack."""
    if winner(hands) != TIE or is_natural(hands.dragon) != is_natural(hands.tiger):
        return None
    total = score(hands.dragon)[0]
    if is_natural(hands.dragon):
        return "blackjack"
    return "21" if total == 21 else "over-21" if total > 21 else "under-21"


def classify_perfect_pair(hands: Hands, side: str) -> str | None:
    """11A: the first two cards of the side."""
    hand = hands.dragon if side == DRAGON else hands.tiger
    return classify_pair(hand[0], hand[1])


# The shoe


class Deal(NamedTuple):
    """What was dealt and what it means for the next round. `hands` is None where the round has no result."""

    hands: Hands | None
    void_rule: str = ""
    also: tuple[str, ...] = ()
    next_round: shoe.Inherited = shoe.Inherited()


def read(round: Round) -> Deal:
    """The round's cards by rules 9.1-9.2, with what the irregularities say."""
    cites = _GAME_RULES.cites
    wrong = {irregularity.kind: irregularity for irregularity in round.irregularities}
    before = shoe.inherited(round, cites)
    voided = next((cites.irregular[kind] for kind in shoe.VOIDS_THE_ROUND if kind in wrong), before.void_rule)
    drawn: tuple[Card, ...] = round.dealt.get("shoe", ())
    if drawn and before.first and drawn[: len(before.first)] != before.first:
        text = f"the round begins with {cards_text(before.first)}, left over from the round before"
        raise RuleError(text, field="dealt.shoe", rule=before.void_rule or cites.irregular[shoe.EXCESS])
    fault = pack_fault([("dealt.shoe", drawn)], rule=cites.decks, decks=round.options["decks"])
    if fault is not None:
        raise fault
    if shoe.TOO_FEW in wrong or shoe.NOT_RECONSTRUCTED in wrong or (voided and not drawn):
        return Deal(None, voided)
    hands = _hands(drawn)
    left = drawn[len(hands.dragon) + len(hands.tiger) :]
    also = tuple(cites.irregular[kind] for kind in wrong if kind in cites.irregular)
    return Deal(hands, voided, () if voided else also, _left_over(hands, left, wrong))


def _hands(drawn: Sequence[Card]) -> Hands:
    hands = play_out(drawn)
    if isinstance(hands, str):
        rule = _cite("8.1") if len(drawn) < 4 else _cite("9.2")
        text = f"the {hands.capitalize()}'s hand needs a card, which is missing"
        raise RuleError(text, field="dealt.shoe", rule=rule)
    return hands


def _left_over(hands: Hands, left: tuple[Card, ...], wrong: Mapping[str, Any]) -> shoe.Inherited:
    """12.2-12.3: a card too many is the Tiger's where the Tiger draws; else it is the first of the next round, which is
    a void hand if the card was seen."""
    spare, rules = 0, []
    for kind in (CARD_TO_DRAGON, shoe.EXCESS):
        if kind not in wrong or (kind == CARD_TO_DRAGON and len(hands.tiger) > 2):
            continue
        spare += 1
        disclosed = (wrong[kind].value or EMPTY).get("disclosed")
        if disclosed is None:
            text = "say whether the card was disclosed: it decides whether the next round is a void hand"
            raise RuleError(
                text, field="irregularities.value.disclosed", rule=_GAME_RULES.cites.irregular[kind]
            )
        if disclosed:
            rules.append(_GAME_RULES.cites.irregular[kind])
    if len(left) != spare:
        used = len(hands.dragon) + len(hands.tiger)
        text = (
            f"the hands leave {len(left)} of the cards unused, the stated irregularities {spare}"
            if spare
            else f"{card_text(left[0])} is dealt to a hand that is complete"
        )
        rule = _cite("9.1" if is_natural(hands.dragon) or is_natural(hands.tiger) else "9.2")
        raise RuleError(text, field=f"dealt.shoe[{used}]", rule=rule)
    return shoe.Inherited(left, rules[0] if rules else "")


# How much of a stake is in play


class Stakes:
    """What counts of each wager on a hand or a tie after the limits of 5.8 and 5.13, and the rules that cut it."""

    def __init__(self, play: Play) -> None:
        self._play = play
        self.valid = {
            wager.id: play.in_play(wager) for wager in play.wagers if wager.kind in _GAME_RULES.roles
        }
        self.cuts: dict[str, tuple[str, ...]] = {}
        self._cut_to_own_maximum()
        if play.round.limits.differential is not None:
            self._cut_to_differential(play.round.limits.differential)

    def _cut(self, wager: Wager, to: int, rule: str) -> None:
        if to < self.valid[wager.id]:
            self.valid[wager.id] = to
            self.cuts[wager.id] = (*self.cuts.get(wager.id, ()), rule)

    def _cut_to_own_maximum(self) -> None:
        """5.8(b): the maximum is for all that a player has on one outcome, on whatever areas."""
        laid: dict[tuple[str, str], int] = {}
        for wager in self._play.wagers:
            maximum = self._play.round.limits.of(wager).maximum
            if wager.player and maximum is not None and wager.id in self.valid:
                who = (wager.player, wager.kind)
                self._cut(wager, max(maximum - laid.get(who, 0), 0), _cite("5.8(b)"))
                laid[who] = laid.get(who, 0) + self.valid[wager.id]

    def _cut_to_differential(self, most: int) -> None:
        """5.13: the larger side is cut pro rata, each wager down to whole chips."""
        sides = {kind: [w for w in self._play.wagers if w.kind == kind] for kind in SIDES}
        totals = {kind: sum(self.valid[w.id] for w in wagers) for kind, wagers in sides.items()}
        larger = max(totals, key=lambda kind: totals[kind])
        allowed = min(totals.values()) + most
        if totals[larger] <= allowed:
            return
        chip = max(self._play.round.limits.chip, CENT)
        for wager in sides[larger]:
            share = self.valid[wager.id] * allowed // totals[larger]
            self._cut(wager, rounded_down(share, chip), _cite("5.13"))


# Settlement


def check(round: Round) -> Iterator[RuleError]:
    yield from baccarat_check(round, _GAME_RULES)
    yield from stated_faults(round, PERFECT_PAIRS_ODDS, "perfect-pairs", _cite("11A.1"))
    seen: set[tuple[int, str, str]] = set()
    for index, wager in enumerate(round.wagers):
        place = (wager.seat, wager.player, wager.selection)
        if wager.kind == "perfect-pairs" and place in seen:
            text = f"a second perfect-pairs on {wager.selection} at the same spot"
            yield RuleError(text, field=f"wagers[{index}]", rule=_cite("11A.1"))
        seen.add(place if wager.selection else (0, "", ""))


def settle(play: Play) -> None:
    deal = read(play.round)
    for name in (shoe.FIRST_CARDS, shoe.VOID_HAND):
        play.table.pop(name, None)
    play.table.update(shoe.to_state(deal.next_round))
    hands = deal.hands
    if deal.void_rule or hands is None:
        play.void_all(deal.void_rule)
        return
    won = winner(hands)
    for side, hand in zip(SIDES, hands, strict=True):
        play.say(side, "blackjack" if is_natural(hand) else str(score(hand)[0]))
    play.say("winner", won)
    stakes = Stakes(play)
    _return_uncounted(play, stakes, deal.also)
    for wager in play.wagers:
        if wager.kind == "perfect-pairs":
            key = classify_perfect_pair(hands, wager.selection)
            pay_stated(play, wager, PERFECT_PAIRS_ODDS, key, _cite("11A.1"), also=deal.also)
        else:
            _settle_wager(play, wager, hands, won, stakes, deal.also)


def _return_uncounted(play: Play, stakes: Stakes, also: tuple[str, ...]) -> None:
    """Wagers that the differential leaves nothing of, and Perfect Pairs of players who have no other left."""
    for wager in play.wagers:
        if wager.id in stakes.valid and not stakes.valid[wager.id]:
            *before, last = (*also, *(stakes.cuts.get(wager.id) or (play.game.provisions.above_rule,)))
            play.void(wager, last, also=before)
    in_game = {(wager.seat, wager.player) for wager in play.wagers if wager.kind != "perfect-pairs"}
    for wager in play.of_kind("perfect-pairs"):
        if (wager.seat, wager.player) not in in_game:
            play.void(wager, _cite("11A.1"), also=also)


def _settle_wager(
    play: Play, wager: Wager, hands: Hands, won: str, stakes: Stakes, also: tuple[str, ...]
) -> None:
    valid, cited = stakes.valid[wager.id], (*also, *stakes.cuts.get(wager.id, ()))
    role, cites = _GAME_RULES.roles[wager.kind], _GAME_RULES.cites
    key: str | None = None
    if wager.kind == "tie":
        key, rule = classify_tie(hands), _cite("5.1(c)(i)")
    elif won == wager.kind:
        key, rule = classify_win(hands[SIDES.index(won)]), _winning_rule(won, hands)
        cited = (*cited, _cite("5.1a"))
    elif won == TIE:
        play.push(wager, cites.equal[role], also=cited)
        return
    if key is None:
        play.lose(wager, cites.loses[role], returned=play.in_play(wager) - valid, also=cited)
    elif key == "17":
        play.push(wager, rule, also=cited)
    else:
        odds = play.pays("tie" if wager.kind == "tie" else "hand").lines[key]
        play.win(wager, odds, rule, on=valid, line=key, also=cited)


def _winning_rule(side: str, hands: Hands) -> str:
    """Which of the four ways to win of 5.1(a)(i) or 5.1(b)(i) it was, were the side the winner."""
    mine, other = (hands.dragon, hands.tiger) if side == DRAGON else (hands.tiger, hands.dragon)
    way = "d" if is_natural(mine) else "a"
    if score(other)[0] > 21:
        way = "b" if score(mine)[0] > 21 else "c"
    return _cite(f"5.1({'a' if side == DRAGON else 'b'})(i)({way})")


_DISCLOSED = Struct(optional={"disclosed": Flag("its face was seen")})
_TOLD: dict[str, tuple[Struct | None, str]] = {
    CARD_TO_DRAGON: (_DISCLOSED, "a card went to the Dragon's hand, which is complete"),
    shoe.EXCESS: (_DISCLOSED, "a card too many left the shoe"),
    shoe.FIRST_FACE_UP: (None, "the first card lay face up in the shoe: the round becomes a void hand"),
    shoe.FACE_UP: (Struct({"place": Int(2, 24)}), "a later card lay face up in the shoe: it is used"),
    shoe.TOO_FEW: (None, "the shoe ran out: the round is void"),
    shoe.OUT_OF_SEQUENCE: (None, "cards laid out of sequence are put right by the order of the shoe"),
    shoe.NOT_RECONSTRUCTED: (None, "the initial deal cannot be put right: the round is void"),
}

GAMES = (
    Game(
        name="dragon21",
        rulebook="nz-consultation",
        title="Dragon21",
        cites=CITES,
        provisions=NZ_CONSULTATION,
        seats=7,
        wagers=(
            WagerKind(DRAGON, _cite("5.1(a)"), shared_maximum=_cite("5.7(b)"), slot="hand"),
            WagerKind(TIGER, _cite("5.1(b)"), shared_maximum=_cite("5.7(b)"), slot="hand"),
            WagerKind("tie", _cite("5.1(c)"), shared_maximum=_cite("5.7(b)"), slot="tie"),
            WagerKind(
                "perfect-pairs", _cite("11A.1"), needs=(*SIDES, "tie"), selection=Text(SIDES), many=True
            ),
        ),
        dealt=Struct(
            {
                "shoe": cards(
                    4, 30, about="every card drawn for the round, in the order in which it left the shoe"
                )
            },
            {"new_shoe": Flag("the cards were reshuffled or replaced before this round")},
        ),
        irregularities=tuple(
            IrregularityKind(kind, _GAME_RULES.cites.irregular[kind], *_TOLD[kind]) for kind in _IRREGULAR
        ),
        options=(
            Option("decks", Int(4, 8), 8, _cite("3.4"), "packs in the shoe"),
            Option("players-per-area", Int(1, 3), 3, _cite("5.7(a)"), "how many may wager on one area"),
            Option(
                AREA_MAXIMUM,
                Flag(),
                False,
                _cite("5.7(b)"),
                "the maximum is for all players on an area together, not for each of them",
            ),
            stated_odds(PERFECT_PAIRS_ODDS, PAIR_LINES, _cite("11A.1"), "Perfect Pairs"),
        ),
        shared_option=AREA_MAXIMUM,
        differential_rule=_cite("5.12"),
        paytables=(
            paytable(
                "hand",
                "standard",
                _cite("5.1a"),
                {"18-to-21": "1 to 1", "blackjack": "3 to 2", "over-21": "5 to 1"},
            ),
            paytable(
                "tie",
                "standard",
                _cite("5.1(c)(i)"),
                {"under-21": "7 to 1", "over-21": "7 to 1", "21": "9 to 1", "blackjack": "12 to 1"},
            ),
        ),
        carries=True,
        settle=settle,
        check=check,
        invalidated=partial(invalidated, game_rules=_GAME_RULES),
    ),
)
