"""Playing cards as small integers, their text form and the check that no pack gives a card too often.

What a card is worth is not here: the poker orders are in `rules.ranking`, points belong to the games.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rules.errors import RuleError

Card = int
"""0..51: four times the rank's place (two = 0 ... ace = 12) plus the suit (c, d, h, s); 52 is the joker."""

RANKS = "23456789TJQKA"
SUITS = "cdhs"
TEN, JACK, QUEEN, KING, ACE = 10, 11, 12, 13, 14
CLUBS, DIAMONDS, HEARTS, SPADES = 0, 1, 2, 3
JOKER: Card = 52

DECK: tuple[Card, ...] = tuple(range(52))
DECK_WITH_JOKER: tuple[Card, ...] = tuple(range(53))

_TEXTS: tuple[str, ...] = (*(rank + suit for rank in RANKS for suit in SUITS), "Jo")
_CARDS: dict[str, Card] = {text: card for card, text in enumerate(_TEXTS)}
_RANK_NAMES = (
    *("two", "three", "four", "five", "six", "seven", "eight"),
    *("nine", "ten", "jack", "queen", "king", "ace"),
)


def parse_card(text: object, field: str = "card") -> Card:
    """'As' → 51, 'Td', '2c' → 0, 'Jo' → the joker."""
    card = _CARDS.get(text) if isinstance(text, str) else None
    if card is None:
        raise RuleError(
            f"a card is a rank of {RANKS} and a suit of {SUITS}, such as 'As' or 'Td', or 'Jo', not {text!r}",
            field=field,
        )
    return card


def parse_cards(texts: object, field: str = "cards", *, count: int | None = None) -> tuple[Card, ...]:
    """A list of texts (`["As", "Kd"]`) or one text (`"As Kd"`); with `count`, exactly so many."""
    items: object = texts.split() if isinstance(texts, str) else texts
    if not isinstance(items, (list, tuple)):
        raise RuleError(f"cards are a list such as ['As', 'Kd'], not {texts!r}", field=field)
    cards = tuple(parse_card(text, f"{field}[{place}]") for place, text in enumerate(items))
    if count is not None and len(cards) != count:
        raise RuleError(f"{count} cards are needed, {len(cards)} are given", field=field)
    return cards


def card_text(card: Card) -> str:
    return _TEXTS[card]


def cards_text(cards: Iterable[Card]) -> str:
    """(51, 47) → 'As Ks': for messages and traces."""
    return " ".join(_TEXTS[card] for card in cards)


def rank_of(card: Card) -> int:
    """2..10, 11 jack, 12 queen, 13 king, 14 ace; the joker is 15, no rank of any card."""
    return (card >> 2) + 2


def suit_of(card: Card) -> int:
    """0..3 as in SUITS; the joker is 4, no suit of any card."""
    return card & 3 if card < JOKER else 4


def is_red(card: Card) -> bool:
    """Diamonds and hearts. The joker is neither red nor black, see `is_black`."""
    return card < JOKER and card & 3 in (DIAMONDS, HEARTS)


def is_black(card: Card) -> bool:
    return card < JOKER and card & 3 in (CLUBS, SPADES)


def make_card(rank: int, suit: int) -> Card:
    """The card of a rank 2..14 and a suit 0..3."""
    return (rank - 2) * 4 + suit


def rank_name(rank: int) -> str:
    """14 → 'ace'."""
    return _RANK_NAMES[rank - 2]


def rank_plural(rank: int) -> str:
    """14 → 'aces', 6 → 'sixes'."""
    return _RANK_NAMES[rank - 2] + ("es" if rank == 6 else "s")


def check_dealt(
    dealt: Iterable[tuple[str, Sequence[Card]]], *, decks: int = 1, jokers: int = 0, rule: str | None = None
) -> None:
    """Refuse cards that so many packs cannot give. `dealt` is (field, its cards) for every hand of the round.

    `jokers` is how many jokers are in play altogether; `rule` is the rule that states the pack.
    """
    hands = list(dealt)
    seen = {card for _, cards in hands for card in cards}
    if len(seen) == sum([len(cards) for _, cards in hands]) and (jokers or JOKER not in seen):
        return  # no card came twice
    left = [decks] * 52 + [jokers]
    for field, cards in hands:
        for place, card in enumerate(cards):
            left[card] -= 1
            if left[card] < 0:
                if card == JOKER and not jokers:
                    message = "the joker is not in play here"
                else:
                    times = (jokers if card == JOKER else decks) + 1
                    packs = "one pack" if decks == 1 else f"{decks} packs"
                    message = f"{_TEXTS[card]} is dealt {times} times from {packs}"
                raise RuleError(message, field=f"{field}[{place}]", rule=rule)
