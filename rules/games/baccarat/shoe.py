"""The cards of a round as they left the shoe: read by the table of play, with what the rulebook says when a card too
many was drawn or one lay face up (nz-1996 IV 11.1-11.8; V, IX 12.1-12.8).

The core never trusts how hands were laid out: it draws the third cards itself and refuses a round dealt otherwise,
unless someone states the irregularity.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.cards import Card, card_text, cards_text, parse_card
from rules.contract import EMPTY, Irregularity, Round
from rules.declare import IrregularityKind
from rules.errors import RuleError
from rules.games.baccarat.coup import BANKER, PLAYER, Coup, Missing, is_natural, play_out
from rules.games.baccarat.game_rules import Cites, GameRules
from rules.pieces.hands import pack_fault
from rules.shape import Flag, Int, Struct, cards

FIRST_CARDS = "first-cards"
VOID_HAND = "void-hand"
"""Keys of the table state: cards that begin the next round, and the rule by which it is a round without wagers."""

THIRD_TO_PLAYER = "third-card-to-player"
EXCESS = "excess-card"
FIRST_FACE_UP = "first-card-face-up"
FACE_UP = "card-face-up"
TOO_FEW = "insufficient-cards"
OUT_OF_SEQUENCE = "out-of-sequence"
NOT_RECONSTRUCTED = "cannot-be-reconstructed"
VOIDS_THE_ROUND = (FIRST_FACE_UP, TOO_FEW, NOT_RECONSTRUCTED)

DEALT = Struct(
    required={
        "shoe": cards(4, 8, about="every card drawn for the round, in the order in which it left the shoe"),
    },
    optional={
        "player": cards(2, 3, about="the Player's Hand as it was laid out; must follow from the shoe"),
        "banker": cards(2, 3, about="the Banker's Hand as it was laid out; must follow from the shoe"),
        "new_shoe": Flag("the cards were reshuffled or replaced before this round"),
    },
)


def irregularity_kinds(rules: Mapping[str, str]) -> tuple[IrregularityKind, ...]:
    """`rules`: by name, the rule of the division."""
    disclosed = Struct(optional={"disclosed": Flag("its face was seen")})
    told = {
        THIRD_TO_PLAYER: (disclosed, "a third card went to the Player's Hand, which stands"),
        EXCESS: (disclosed, "a card too many left the shoe"),
        FIRST_FACE_UP: (None, "the first card lay face up in the shoe: the round becomes a void hand"),
        FACE_UP: (Struct({"place": Int(2, 6)}), "a later card lay face up in the shoe: it is used"),
        TOO_FEW: (None, "the shoe ran out: the round is void"),
        OUT_OF_SEQUENCE: (None, "hands laid out in another order are put right by the table of play"),
        NOT_RECONSTRUCTED: (None, "the initial deal cannot be put right: the round is void"),
    }
    return tuple(IrregularityKind(name, rules[name], *told[name]) for name in rules)


@dataclass(frozen=True, slots=True)
class Inherited:
    """What the round before left for this one."""

    first: tuple[Card, ...] = ()
    void_rule: str = ""


@dataclass(frozen=True, slots=True)
class Deal:
    """What was dealt and what it means for the next round. `coup` is None where the round has no result."""

    coup: Coup | None
    void_rule: str = ""
    """By which no wager of the round counts."""
    also: tuple[str, ...] = ()
    next_round: Inherited = Inherited()


def inherited(round: Round, cites: Cites) -> Inherited:
    """The cards and the void hand that earlier irregularities left; gone once the cards are new."""
    table = round.carried.table
    if round.dealt.get("new_shoe") or not table:
        return Inherited()
    given, rule = table.get(FIRST_CARDS, ()), table.get(VOID_HAND, "")
    if not isinstance(given, (list, tuple)):
        raise RuleError("expected a list of cards", field=f"carried.table.{FIRST_CARDS}")
    first = tuple(parse_card(text, f"carried.table.{FIRST_CARDS}[{i}]") for i, text in enumerate(given))
    if first and EXCESS not in cites.irregular:
        raise RuleError(
            "no card is left to the next round by this rulebook", field=f"carried.table.{FIRST_CARDS}"
        )
    if rule and rule not in cites.irregular.values():
        raise RuleError(f"{rule!r} makes no void hand", field=f"carried.table.{VOID_HAND}")
    return Inherited(first, rule)


def to_state(next_round: Inherited) -> dict[str, Any]:
    state: dict[str, Any] = {}
    if next_round.first:
        state[FIRST_CARDS] = [card_text(card) for card in next_round.first]
    if next_round.void_rule:
        state[VOID_HAND] = next_round.void_rule
    return state


def read(round: Round, game_rules: GameRules) -> Deal:
    """The round's cards by the table of play. Raises a RuleError for cards that it does not give."""
    cites = game_rules.cites
    wrong = {irregularity.kind: irregularity for irregularity in round.irregularities}
    before = inherited(round, cites)
    voided = next((cites.irregular[kind] for kind in VOIDS_THE_ROUND if kind in wrong), before.void_rule)
    drawn: tuple[Card, ...] = round.dealt.get("shoe", ())
    if drawn and before.first and drawn[: len(before.first)] != before.first:
        text = f"the round begins with {cards_text(before.first)}, left over from the round before"
        raise RuleError(text, field="dealt.shoe", rule=before.void_rule or cites.irregular[EXCESS])
    fault = pack_fault([("dealt.shoe", drawn)], rule=cites.decks, decks=round.options.get("decks", 8))
    if fault is not None:
        raise fault
    if TOO_FEW in wrong or NOT_RECONSTRUCTED in wrong:
        return Deal(None, voided)
    if not drawn and voided:
        return Deal(None, voided)
    coup = play_out(drawn)
    if isinstance(coup, Missing):
        raise _missing(drawn, coup.side, cites)
    _check_layout(round, coup, drawn, wrong, cites)
    left = drawn[len(coup.player) + len(coup.banker) :]
    next_round = _left_over(round, game_rules, coup, left, wrong)
    also = tuple(cites.irregular[kind] for kind in wrong if kind in cites.irregular)
    return Deal(coup, voided, () if voided else also, next_round)


def _missing(drawn: tuple[Card, ...], side: str, cites: Cites) -> RuleError:
    if len(drawn) < 4:
        text, rule = f"four cards are dealt at first, not {len(drawn)}", cites.deal
    else:
        drew = side == BANKER and len(drawn) > 4
        text = f"the {side.capitalize()}'s Hand draws a third card, which is missing"
        rule = (
            cites.player_draws if side == PLAYER else cites.banker_draws if drew else cites.banker_draws_alone
        )
    return RuleError(text, field="dealt.shoe", rule=rule)


def _refusal_rule(coup: Coup, cites: Cites) -> str:
    """Why no further card is dealt."""
    if is_natural(coup.player) or is_natural(coup.banker):
        return cites.natural
    if len(coup.banker) == 3:
        return cites.no_more
    return cites.banker_draws if len(coup.player) == 3 else cites.banker_draws_alone


def _check_layout(
    round: Round, coup: Coup, drawn: tuple[Card, ...], wrong: Mapping[str, Irregularity], cites: Cites
) -> None:
    """Hands as they were laid out, where the terminal sends them, against the table of play."""
    before_the_error = {PLAYER: (*coup.player, *drawn[4:5]), BANKER: coup.banker[:2]}
    for side in (PLAYER, BANKER):
        laid = round.dealt.get(side)
        if laid is None or laid == coup.hand(side):
            continue
        field = f"dealt.{side}"
        if OUT_OF_SEQUENCE in wrong:
            if Counter(laid) - Counter(drawn):
                text = f"{cards_text(laid)} did not all come from the shoe"
                raise RuleError(text, field=field, rule=cites.irregular[OUT_OF_SEQUENCE])
        elif THIRD_TO_PLAYER not in wrong or laid != before_the_error[side]:
            text = f"by the table of play the hand is {cards_text(coup.hand(side))}, not {cards_text(laid)}"
            rule = cites.player_draws if side == PLAYER else cites.banker_draws
            raise RuleError(text, field=field, rule=rule)


def _left_over(
    round: Round, game_rules: GameRules, coup: Coup, left: tuple[Card, ...], wrong: Mapping[str, Irregularity]
) -> Inherited:
    """Cards that the round did not need: the first of the next one, which is a void hand if they were seen."""
    cites, spare, rules = game_rules.cites, 0, []
    in_error, excess = wrong.get(THIRD_TO_PLAYER), wrong.get(EXCESS)
    if in_error is not None:
        if len(coup.player) == 3:
            text = "the Player's Hand draws by the table of play: its third card was no error"
            raise RuleError(text, field="irregularities", rule=cites.player_draws)
        if len(coup.banker) == 2:
            spare += 1
            if _disclosed(round, in_error, cites):
                rules.append(cites.irregular[THIRD_TO_PLAYER])
    if excess is not None:
        spare += 1
        if _disclosed(round, excess, cites):
            rules.append(cites.irregular[EXCESS])
    if len(left) != spare and (left or rules):
        text = (
            f"the table of play leaves {len(left)} of the cards unused, the stated irregularities {spare}"
            if spare
            else f"{card_text(left[0])} is dealt against the table of play: no card may follow"
        )
        place = len(coup.player) + len(coup.banker)
        raise RuleError(text, field=f"dealt.shoe[{place}]", rule=_refusal_rule(coup, cites))
    return Inherited(left, rules[0] if rules else "")


def _disclosed(round: Round, irregularity: Irregularity, cites: Cites) -> bool:
    stated = (irregularity.value or EMPTY).get("disclosed")
    if stated is None and irregularity.kind == THIRD_TO_PLAYER and round.options.get("style") != "B":
        return True  # third cards are dealt face up in every style but B
    if stated is None:
        text = "say whether the card was disclosed: it decides whether the next round is a void hand"
        raise RuleError(text, field="irregularities.value.disclosed", rule=cites.irregular[irregularity.kind])
    return bool(stated)
