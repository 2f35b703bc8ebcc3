"""The playing positions of a poker table: whose they are, which hands they hold, hands that were voided or killed.

What a hand is worth is in `rules.ranking`; what it wins belongs to the games.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from rules.cards import Card
from rules.contract import Round
from rules.declare import IrregularityKind, Option
from rules.errors import RuleError
from rules.pieces.hands import pack_fault
from rules.play import Play
from rules.shape import ListOf, Text

SIDE_WAGERS = "side-wagers"

_GB_DISCRETION = "gb-2011 1.5"
GB_HANDS = (
    IrregularityKind(
        "void-hand", _GB_DISCRETION, about="the hand of the seat is declared void: its wagers are returned"
    ),
    IrregularityKind("dead-hand", _GB_DISCRETION, about="the hand of the seat is dead: its wagers are lost"),
)
"""gb-2011 has no rule for a hand that was misdealt or interfered with and leaves such matters to the operator."""


def side_wagers(rule: str, *kinds: str) -> Option:
    """The optional wagers that a table offers; the rulebooks leave each of them to the licence holder."""
    return Option(SIDE_WAGERS, ListOf(Text(kinds)), kinds, rule, "the optional wagers that the table offers")


def position_faults(round: Round, rule: str, *, one_position: bool = True) -> Iterator[RuleError]:
    """One player a position and, where the rulebook says so, one position a player."""
    owners: dict[int, str] = {}
    positions: dict[str, int] = {}
    for index, wager in enumerate(round.wagers):
        if owners.setdefault(wager.seat, wager.player) != wager.player:
            text = f"seat {wager.seat} is played by {owners[wager.seat] or 'its own player'} already"
            yield RuleError(text, field=f"wagers[{index}].player", rule=rule)
        elif one_position and wager.player:
            first = positions.setdefault(wager.player, wager.seat)
            if first != wager.seat:
                text = f"{wager.player} plays seat {first} already, and may play no other"
                yield RuleError(text, field=f"wagers[{index}].seat", rule=rule)


def offer_faults(round: Round) -> Iterator[RuleError]:
    """Side wagers that this table does not offer."""
    option = round.game.named_options.get(SIDE_WAGERS)
    left_out = set(option.default).difference(round.options[SIDE_WAGERS]) if option is not None else ()
    for index, wager in enumerate(round.wagers if left_out else ()):
        if wager.kind in left_out:
            text = f"this table does not offer {wager.kind}"
            rule = round.game.kinds[wager.kind].rule
            yield RuleError(text, field=f"wagers[{index}].kind", rule=rule)


def decision_faults(round: Round) -> Iterator[RuleError]:
    """Decisions of seats without a wager, those that place a wager which is missing, or name another."""
    if not round.decisions:
        return
    placed_kinds = {(wager.seat, wager.kind) for wager in round.wagers}
    seats = {seat for seat, _ in placed_kinds}
    by_id = {wager.id: wager for wager in round.wagers}
    kinds = round.game.decision_kinds
    for index, decision in enumerate(round.decisions):
        kind, seat = kinds[decision.kind], decision.seat
        if seat not in seats:
            field, text = "seat", f"seat {seat} has no wager"
        elif kind.value is not None and decision.value is None:
            field, text = "value", "the choice is missing"
        elif not kind.wager:
            continue
        elif (seat, kind.wager) not in placed_kinds:
            field, text = "wager", f"the {kind.wager} wager that seat {seat} places is missing"
        else:
            placed = by_id.get(decision.wager)
            right = placed is not None and placed.kind == kind.wager and placed.seat == seat
            if right or not decision.wager:
                continue
            field, text = "wager", f"{decision.wager!r} is no {kind.wager} of seat {seat}"
        yield RuleError(text, field=f"decisions[{index}].{field}", rule=kind.rule)


def unnamed_faults(round: Round, *kinds: str) -> Iterator[RuleError]:
    """What went wrong with the hand of a seat, said of none or of one without a wager: it would touch nobody."""
    if not round.irregularities:
        return
    seats = {wager.seat for wager in round.wagers}
    rules = {kind.name: kind.rule for kind in round.game.irregularities}
    for index, irregularity in enumerate(round.irregularities):
        if irregularity.kind in kinds and irregularity.seat not in seats:
            text = f"name the seat of {irregularity.kind!r}: {irregularity.seat} has no wager"
            yield RuleError(text, field=f"irregularities[{index}].seat", rule=rules[irregularity.kind])


def absent_faults(round: Round, later: str, rule: str) -> Iterator[RuleError]:
    """A seat whose player was absent and yet placed the wager (`later`) that he was not there to decide on."""
    if not round.irregularities:
        return
    yield from unnamed_faults(round, "absent")
    placed = {wager.seat for wager in round.wagers if wager.kind == later}
    for index, irregularity in enumerate(round.irregularities):
        if irregularity.kind == "absent" and irregularity.seat in placed:
            text = f"seat {irregularity.seat} placed a {later} wager, so somebody was there"
            yield RuleError(text, field=f"irregularities[{index}]", rule=rule)


def fold_faults(round: Round, folds: Collection[str], later: str, rule: str) -> Iterator[RuleError]:
    """A seat that folded and yet placed the wager (`later`) with which it would have stayed in the game."""
    folded = [(index, d.seat) for index, d in enumerate(round.decisions) if d.kind in folds]
    placed = {wager.seat for wager in round.wagers if wager.kind == later} if folded else ()
    for index, seat in folded:
        if seat in placed:
            yield RuleError(f"a folded hand has no {later} wager", field=f"decisions[{index}]", rule=rule)


def card_faults(
    round: Round,
    shared: Collection[str],
    *,
    hand_rule: str,
    pack_rule: str,
    spare: str = "void-hand",
    jokers: int = 0,
) -> Iterator[RuleError]:
    """Hands of seats without a wager, and cards that one pack cannot give. `shared`: the other fields with cards;
    `spare`: the irregularity by which a hand was dealt to nobody; `jokers`: how many are in the pack.

    That a hand is missing is for `hand_of`: only settlement knows which hands are still needed.
    """
    hands: Mapping[int, Sequence[Card]] = round.dealt.get("seats", {})
    seats = {wager.seat for wager in round.wagers}
    seats |= {irregularity.seat for irregularity in round.irregularities if irregularity.kind == spare}
    for seat in hands:
        if seat not in seats:
            yield RuleError(
                f"seat {seat} has cards but no wager", field=f"dealt.seats.{seat}", rule=hand_rule
            )
    named = [(f"dealt.seats.{seat}", hand) for seat, hand in hands.items()]
    named += [(f"dealt.{name}", round.dealt[name]) for name in shared if name in round.dealt]
    fault = pack_fault(named, rule=pack_rule, jokers=jokers)
    if fault is not None:
        yield fault


def hand_of(play: Play, seat: int, count: int, rule: str) -> tuple[Card, ...]:
    """The cards of a seat that are needed to settle it."""
    cards: tuple[Card, ...] | None = play.dealt.get("seats", {}).get(seat)
    if cards is None or len(cards) != count:
        raise _unequal(cards, count, f"dealt.seats.{seat}", rule)
    return cards


def shared_cards(play: Play, name: str, count: int, rule: str) -> tuple[Card, ...]:
    """The dealer's or the communal cards, so many as are needed; a board may show more than that."""
    cards: tuple[Card, ...] | None = play.dealt.get(name)
    if cards is None or len(cards) < count:
        raise _unequal(cards, count, f"dealt.{name}", rule)
    return cards[:count]


def _unequal(cards: Sequence[Card] | None, count: int, field: str, rule: str) -> RuleError:
    if cards is None:
        return RuleError(f"is missing: {count} cards are needed to settle", field=field, rule=rule)
    return RuleError(f"{count} cards are needed to settle, {len(cards)} are given", field=field, rule=rule)


def settle_irregular_hands(play: Play) -> None:
    """Wagers of hands that staff declared void or dead (`GB_HANDS`). A void hand may have been dealt to nobody."""
    for fault in unnamed_faults(play.round, "dead-hand"):
        raise fault
    for irregularity in play.round.irregularities:
        if irregularity.kind == "void-hand":
            if not irregularity.seat:
                text = "name the seat of the void-hand"
                raise RuleError(text, field="irregularities.seat", rule=_GB_DISCRETION)
            play.void_all(_GB_DISCRETION, [w for w in play.wagers if w.seat == irregularity.seat])
        elif irregularity.kind == "dead-hand":
            for wager in play.wagers:
                if wager.seat == irregularity.seat:
                    play.lose(wager, _GB_DISCRETION)
