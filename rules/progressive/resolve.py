"""The wins of one round: who is paid what from which level, in the order and on the meter that the rules say.

Only amounts. Whether a hand is a hit is the game's matter, and which round comes first is `order`'s caller's.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import ClassVar

from rules.contract import Hit, Wager
from rules.errors import RuleError
from rules.money import CENT, rounded_down, rounded_up, say
from rules.progressive.config import (
    WHOLE_BP,
    Amount,
    Fixed,
    GreaterOf,
    GrowingOdds,
    Mode,
    PercentOfMeter,
    Prize,
    ProgressiveRules,
    Reseed,
    Rounding,
    Stage,
    TimesWager,
    inner,
    takes_whole,
)
from rules.progressive.pools import State, StepKind, TraceStep, Work


@dataclass(frozen=True, slots=True)
class Hits:
    """All hits of one round of one table: one event with one place in the order."""

    TAG: ClassVar[str] = "hits"
    name: str
    hits: tuple[Hit, ...]
    entered: tuple[Wager, ...] = ()
    """Every jackpot wager that took part in the round: an envy bonus goes to the others."""


@dataclass(frozen=True, slots=True)
class Payment:
    """What one wager gets for one hit from one level. The jackpot wager itself does not come back with it."""

    hit: Hit
    """The hand that is paid."""
    wager: Wager
    """Whose money it is: the hand's own wager, or, for an envy bonus, another one of the round."""
    level: str
    amount_micros: int
    from_pool_micros: int
    from_house_micros: int
    rule: str

    @property
    def trigger(self) -> str:
        return self.hit.trigger

    @property
    def seat(self) -> int:
        return self.wager.seat

    @property
    def envy(self) -> bool:
        return self.wager.id != self.hit.wager.id


def seating(wager: Wager) -> tuple[int, str, str]:
    """The order of payment, from the dealer's right: seats are counted clockwise from the left, so the last comes
    first. Players of one seat go by name, wagers of one player by id."""
    return -wager.seat, wager.player, wager.id


@dataclass(frozen=True, slots=True)
class Restart:
    """How a meter came back to its seed."""

    level: str
    from_reserve_micros: int
    from_house_micros: int
    won: bool
    """False: only the base was restored after other prizes had eaten into it."""


@dataclass(frozen=True, slots=True)
class Resolution:
    """The answer for a round. pools before + house = paid + pools after, to the micro."""

    TAG: ClassVar[str] = "resolution"
    payments: tuple[Payment, ...]
    restarts: tuple[Restart, ...]
    state: State
    trace: tuple[TraceStep, ...]

    @property
    def paid_micros(self) -> int:
        return sum(payment.amount_micros for payment in self.payments)

    @property
    def house_top_up_micros(self) -> int:
        """House money in prizes: minimums above the pool's share, and what the pool could not cover."""
        return sum(payment.from_house_micros for payment in self.payments)

    @property
    def house_seed_micros(self) -> int:
        return sum(restart.from_house_micros for restart in self.restarts)

    @property
    def reserve_used_micros(self) -> int:
        return sum(restart.from_reserve_micros for restart in self.restarts)

    @property
    def levels_won(self) -> tuple[str, ...]:
        """Levels that restarted; what was armed for the next win takes effect now."""
        return tuple(restart.level for restart in self.restarts if restart.won)


@dataclass(frozen=True, slots=True)
class _Turn:
    """Winners paid together: one hit, or several that divide one prize."""

    prize: Prize
    hits: tuple[Hit, ...]
    rule: str


@dataclass(slots=True)
class _Run:
    work: Work
    several: bool
    """More than one hand qualified, so the rule for several winners is cited too."""
    payments: list[Payment] = field(default_factory=list)
    restarts: list[Restart] = field(default_factory=list)
    won: dict[str, Prize] = field(default_factory=dict)


def resolve_round(rules: ProgressiveRules, state: State, round_: Hits) -> Resolution:
    """Pay the hits of one round. The order in which they are given does not matter: seats and stages order them."""
    hits = _in_order(rules, round_)
    run = _Run(Work.on(rules, state), several=len(hits) > 1)
    for stage in rules.stages:
        claims = [(p, h) for h in hits for p in stage.prizes if p.trigger == h.trigger]
        if stage.mode is Mode.ENVY:
            _pay_envy(run, stage, claims, round_)
            continue
        opening = {name: level.meter_micros for name, level in run.work.levels.items()}
        for turn in _turns(run, stage, claims):
            same_base = stage.mode is Mode.EACH_IN_FULL
            meter = opening[turn.prize.level] if same_base else run.work.levels[turn.prize.level].meter_micros
            _pay_turn(run, stage, turn, meter)
    _close_round(run)
    return Resolution(tuple(run.payments), tuple(run.restarts), run.work.state, tuple(run.work.trace))


def _in_order(rules: ProgressiveRules, round_: Hits) -> list[Hit]:
    """The hits by seating order, refused where they do not fit the rules or contradict each other."""
    ranks: dict[str, int] = {}
    for prize in rules.prizes:
        ranks.setdefault(prize.trigger, len(ranks))
    seen: set[tuple[str, str]] = set()
    for i, hit in enumerate(round_.hits):
        at = f"hits[{i}]"
        if hit.trigger not in ranks:
            raise RuleError(
                f"no prize for {hit.trigger!r}; prizes are for {', '.join(ranks)}", field=f"{at}.trigger"
            )
        if hit.wager.stake <= 0 or hit.wager.stake % CENT:
            raise RuleError("a jackpot wager is whole cents, above zero", field=f"{at}.wager.stake")
        if (hit.wager.id, hit.trigger) in seen:
            raise RuleError(f"wager {hit.wager.id} has {hit.trigger} twice in one round", field=at)
        if hit.hand_folded and not rules.folded_hand_wins.holds:
            raise RuleError(
                "a folded hand has no claim; leave it out",
                field=f"{at}.folded",
                rule=rules.folded_hand_wins.rule,
            )
        if hit.on_board and rules.shared_board is None:
            raise RuleError("this game has no board", field=f"{at}.on_board")
        seen.add((hit.wager.id, hit.trigger))
    return sorted(round_.hits, key=lambda hit: (*seating(hit.wager)[:2], ranks[hit.trigger], hit.wager.id))


# ------------------------------------------------------------------------------------------- turns of a stage


def _turns(run: _Run, stage: Stage, claims: list[tuple[Prize, Hit]]) -> list[_Turn]:
    """Claims come in seating order; a prize that several divide stands at its first winner's turn."""
    if stage.mode is Mode.BEST_HAND:
        claims = _best_hands(run, stage, claims)
    board = run.work.rules.shared_board
    groups: dict[object, tuple[Prize, list[Hit], str]] = {}
    for prize, hit in claims:
        together = stage.mode in (Mode.EQUAL_SHARE, Mode.BEST_HAND)
        # Only a share of the meter is divided; a fixed sum is each winner's own, board or not.
        on_board = hit.on_board and not together and isinstance(inner(prize.amount), PercentOfMeter)
        rule = f"{prize.rule}; {stage.rule}" if run.several and stage.rule else prize.rule
        if on_board and board is not None:
            on_board, rule = board.holds, f"{prize.rule}; {board.rule}" if board.holds else rule
        key: object = (prize, on_board) if together or on_board else (prize, hit.wager.id)
        groups.setdefault(key, (prize, [], rule))[1].append(hit)
    return [_Turn(prize, tuple(hits), rule) for prize, hits, rule in groups.values()]


def _best_hands(run: _Run, stage: Stage, claims: list[tuple[Prize, Hit]]) -> list[tuple[Prize, Hit]]:
    """Per level the claims of the best hand; the others are passed over, visibly."""

    def standing(prize: Prize, hit: Hit) -> tuple[int, int]:
        return -stage.prizes.index(prize), hit.strength

    best: dict[str, tuple[int, int]] = {}
    for prize, hit in claims:
        best[prize.level] = max(best.get(prize.level, standing(prize, hit)), standing(prize, hit))
    winners = []
    for prize, hit in claims:
        if standing(prize, hit) == best[prize.level]:
            winners.append((prize, hit))
            continue
        _pass_over(
            run, prize, hit, stage.rule or prize.rule, "a better hand takes the one prize of the level"
        )
    return winners


def _pass_over(run: _Run, prize: Prize, hit: Hit, rule: str, why: str) -> None:
    """A hit that gets nothing is answered too: a payment of zero and a sentence."""
    text = f"Seat {hit.wager.seat}, {_words(hit.trigger)}: {why}."
    run.work.put(StepKind.PASS_OVER, run.work.levels[prize.level], rule, 0, text, hit.wager.seat)
    run.payments.append(Payment(hit, hit.wager, prize.level, 0, 0, 0, rule))


def _pay_turn(run: _Run, stage: Stage, turn: _Turn, meter_micros: int) -> None:
    prize, rules = turn.prize, run.work.rules
    names = [_owner(hit.wager) for hit in turn.hits]
    shares = len(set(names)) if stage.by_player else len(names)
    for i, hit in enumerate(turn.hits):
        if stage.by_player and names[i] in names[:i]:
            _pass_over(run, prize, hit, turn.rule, "this player has a share for another hand")
            continue
        amount, pool_part = worth(rules, prize.amount, hit.wager.stake, meter_micros, shares)
        why = _reason(prize.amount, meter_micros, shares)
        _pay(run, prize, hit, hit.wager, amount, pool_part, turn.rule, why)
    if takes_whole(prize.amount):
        run.won[prize.level] = prize
        if stage.mode is Mode.LOCK_RESEED:
            _restart(run, prize.level)


def worth(
    rules: ProgressiveRules, amount: Amount, wager_micros: int, meter_micros: int, winners: int
) -> tuple[int, int]:
    """A winner's prize and the part of it that the pool bears, before looking at what the pool still holds.

    A multiple of the wager is a minimum and is rounded up to the cent; a share of the meter as the document declares.
    What a minimum or rounding up adds above the pool's share is house money.
    """
    match amount:
        case Fixed(amount_micros=micros):
            return micros, micros
        case TimesWager(times=times):
            micros = rounded_up(times * wager_micros, CENT)
            return micros, micros
        case PercentOfMeter(share_bp=bp):
            return _rounded(rules, Fraction(meter_micros * bp, WHOLE_BP * winners))
        case GrowingOdds(unit_micros=for_wager):
            return _rounded(rules, Fraction(meter_micros * wager_micros, for_wager))
        case GreaterOf(minimum=minimum, amount=other):
            least, _ = worth(rules, minimum, wager_micros, meter_micros, winners)
            micros, pool_part = worth(rules, other, wager_micros, meter_micros, winners)
            if isinstance(other, TimesWager):
                return max(least, micros), max(least, micros)
            return max(least, micros), pool_part


def _rounded(rules: ProgressiveRules, share: Fraction) -> tuple[int, int]:
    """Rounded up, the pool bears the share itself, as far as there are micros for it."""
    if rules.rounding is Rounding.UP:
        return rounded_up(share, rules.round_to_micros), int(share)
    micros = rounded_down(share, rules.round_to_micros)
    return micros, micros


def _reason(amount: Amount, meter_micros: int, winners: int) -> str:
    text = str(amount)
    if isinstance(inner(amount), PercentOfMeter | GrowingOdds):
        text += f", the meter being {say(meter_micros)}"
        if winners > 1 and isinstance(inner(amount), PercentOfMeter):
            text += f", its share divided by {winners}"
    return text


def _pay(
    run: _Run, prize: Prize, hit: Hit, wager: Wager, amount: int, pool_part: int, rule: str, why: str
) -> None:
    """Take the pool's part off the meter as far as it goes; the house pays the rest, and the sentence says so."""
    now = run.work.levels[prize.level]
    from_pool = min(pool_part, now.meter_micros) if prize.bears(run.several) else 0
    from_house = amount - from_pool
    payment = Payment(hit, wager, prize.level, amount, from_pool, from_house, rule)
    what = f"envy bonus for {prize.trigger}" if payment.envy else prize.trigger
    text = f"Seat {wager.seat}, {_words(what)}: {why}."
    text += f" Paid {say(amount)}, {say(from_pool)} from the {prize.level} meter"
    text += f" and {say(from_house)} from the house." if from_house else "."
    run.work.put(StepKind.PAY, now.pay(from_pool), rule, amount, text, wager.seat)
    run.payments.append(payment)


def _words(name: str) -> str:
    return name.replace("-", " ")


def _owner(wager: Wager) -> str:
    """Without a name the seat is the player."""
    return wager.player or f"seat {wager.seat}"


def _pay_envy(run: _Run, stage: Stage, claims: list[tuple[Prize, Hit]], round_: Hits) -> None:
    """Each premium hand pays every other player of the round once. One's own hand is known by seat and by player."""
    players = {_owner(wager): wager for wager in sorted(round_.entered, key=seating, reverse=True)}
    for prize, hit in claims:
        for other in sorted(players.values(), key=seating):
            if other.seat == hit.wager.seat or (other.player and other.player == hit.wager.player):
                continue
            amount, pool_part = worth(run.work.rules, prize.amount, other.stake, 0, 1)
            why = f"{prize.amount} for the hand of seat {hit.wager.seat}"
            rule = f"{prize.rule}; {stage.rule}" if stage.rule else prize.rule
            _pay(run, prize, hit, other, amount, pool_part, rule, why)


# ---------------------------------------------------------------------------------------------------- restart


def _close_round(run: _Run) -> None:
    for level in run.work.rules.levels:
        if level.name in run.won:
            _restart(run, level.name)
        elif (
            level.reseed is Reseed.BELOW_SEED and run.work.levels[level.name].base_micros < level.seed_micros
        ):
            _restore_base(run, level.name, won=False)


def _restart(run: _Run, name: str) -> None:
    """A won level starts again: seed from the reserve, then from the house; held overflow comes on top."""
    prize = run.won.pop(name)
    config, now = run.work.rules.level(name), run.work.levels[name]
    left = now.meter_micros
    if left and isinstance(inner(prize.amount), GrowingOdds):
        text = (
            f"{say(left)} that the wager did not reach goes to the reserve of {name}: the odds start again."
        )
        swept = replace(now, base_micros=0, increment_micros=0, reserve_micros=now.reserve_micros + left)
        run.work.put(StepKind.SWEEP, swept, prize.rule, left, text)
    else:
        # What rounding left is the players': it stays on top of the new seed instead of sparing the house a part of it.
        run.work.levels[name] = replace(now, base_micros=0, increment_micros=left)
    now = run.work.levels[name]
    run.work.levels[name] = replace(now, resets=now.resets + 1)
    _restore_base(run, name, won=True)
    now = run.work.levels[name]
    room = now.overflow_micros
    if config.cap_micros is not None:
        room = max(0, min(room, config.cap_micros - now.meter_micros))
    if room:  # whatever becomes of new overflow: this may have come by a transfer, or under other rules
        text = f"{say(room)} of held overflow is added to the new meter of {name}."
        new = replace(
            now, increment_micros=now.increment_micros + room, overflow_micros=now.overflow_micros - room
        )
        run.work.put(StepKind.OVERFLOW_IN, new, run.work.rules.contribution_rule, room, text)


def _restore_base(run: _Run, name: str, *, won: bool) -> None:
    seed, now = run.work.rules.level(name).seed_micros, run.work.levels[name]
    need = seed - now.base_micros
    from_reserve = min(need, now.reserve_micros)
    from_house = need - from_reserve
    how = f"{say(from_reserve)} from the reserve and {say(from_house)} from the house"
    text = f"{name} {'restarts' if won else 'is restored'} at its seed of {say(seed)}: {how}."
    new = replace(now, base_micros=seed, reserve_micros=now.reserve_micros - from_reserve)
    run.work.put(StepKind.RESEED, new, run.work.rules.seed_rule, need, text)
    run.restarts.append(Restart(name, from_reserve, from_house, won))
