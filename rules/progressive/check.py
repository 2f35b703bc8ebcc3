"""Whether a configuration may go live: form across its parts, and the conditions its rulebook puts on it.

Findings are `RuleError`s, all of them at once, so that a manager mends a document in one go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rules.errors import RuleError
from rules.money import say
from rules.progressive.config import (
    WHOLE_BP,
    Amount,
    ContributionSource,
    Fixed,
    GreaterOf,
    GrowingOdds,
    Level,
    Mode,
    Overflow,
    PercentOfMeter,
    Prize,
    ProgressiveRules,
    Rounding,
    Stage,
    TimesWager,
    inner,
    percent,
    takes_whole,
)
from rules.progressive.feeds import FLOOR_BP, FLOOR_RULE, floor_applies, taken_bp
from rules.progressive.pools import State
from rules.progressive.presets import PRESETS, SILENT, Citations, fixed_before_shares


def check_config(rules: ProgressiveRules, state: State | None = None) -> tuple[RuleError, ...]:
    """Every reason why this document may not go live; with a state, also whether its meters fit under the caps. What a
    rulebook asks of all that a wager feeds is asked when a table is linked: `check_feeds`."""
    return (
        *_check_levels(rules, state),
        *_check_rates(rules),
        *_check_prizes(rules),
        *_check_modes(rules),
        *_check_book(rules),
    )


def check_floor(rules: ProgressiveRules, wagered_micros: int, metered_micros: int) -> tuple[RuleError, ...]:
    """gb-2011 2.4 over what really happened: of all jackpot wagers at least 70% must have reached the meters."""
    if floor_applies(rules) and metered_micros * WHOLE_BP < wagered_micros * FLOOR_BP:
        message = f"{say(metered_micros)} of {say(wagered_micros)} reached the meters; at least 70% must"
        return (RuleError(message, field="totals", rule=FLOOR_RULE),)
    return ()


# ------------------------------------------------------------------------------------------- levels and rates


def _check_levels(rules: ProgressiveRules, state: State | None) -> Iterator[RuleError]:
    if not rules.levels:
        yield RuleError("a progressive needs a level", field="levels")
    for name, count in Counter(level.name for level in rules.levels).items():
        if count > 1:
            yield RuleError(f"two levels are called {name!r}", field="levels")
    meters = {level.name: level.meter_micros for level in state.levels} if state else {}
    for level in rules.levels:
        at = f"levels.{level.name}"
        if level.cap_micros is not None:
            if level.cap_micros <= level.seed_micros:
                yield RuleError(
                    f"the cap must be above the seed of {say(level.seed_micros)}", field=f"{at}.cap"
                )
            if level.cap_micros < meters.get(level.name, 0):
                yield RuleError(f"the meter already stands at {say(meters[level.name])}", field=f"{at}.cap")
        elif level.secondary_bp is not None:
            yield RuleError(
                "a secondary rate holds after a cap, and there is none", field=f"{at}.secondary_rate"
            )
        yield from _check_overflow(rules, level, at)


def _check_overflow(rules: ProgressiveRules, level: Level, at: str) -> Iterator[RuleError]:
    if level.overflow is not Overflow.LEVEL:
        if level.overflow_to:
            yield RuleError("only the overflow policy 'level' names a level", field=f"{at}.overflow_to")
        return
    others = {other.name: other for other in rules.levels}
    seen, here = {level.name}, level
    while here.overflow is Overflow.LEVEL:
        if here.overflow_to not in others:
            yield RuleError(
                f"there is no level {here.overflow_to!r} to overflow to", field=f"{at}.overflow_to"
            )
            return
        if here.overflow_to in seen:
            yield RuleError("the overflow goes round in a ring", field=f"{at}.overflow_to")
            return
        seen.add(here.overflow_to)
        here = others[here.overflow_to]


def _check_rates(rules: ProgressiveRules) -> Iterator[RuleError]:
    most = taken_bp(rules)
    if most > WHOLE_BP:
        yield RuleError(f"the levels take {percent(most)} of a wager; there is only 100%", field="levels")
    if rules.source is ContributionSource.HOUSE and most:
        yield RuleError(
            "the house alone feeds these meters, so no wager is split: set the rates to 0", field="source"
        )
    if not floor_applies(rules):
        return
    for level in rules.levels:
        if level.cap_micros is not None and level.overflow in (Overflow.HOUSE, Overflow.RESERVE):
            yield RuleError(
                f"overflow may not go to the {level.overflow}: it belongs to the meters",
                field=f"levels.{level.name}.overflow",
                rule=FLOOR_RULE,
            )


# ------------------------------------------------------------------------------------------- prizes and modes


def _check_prizes(rules: ProgressiveRules) -> Iterator[RuleError]:
    names = {level.name for level in rules.levels}
    paying = [prize for stage in rules.stages if stage.mode is not Mode.ENVY for prize in stage.prizes]
    for prize in rules.prizes:
        at = f"prizes.{prize.trigger}"
        if prize.level not in names:
            yield RuleError(f"there is no level {prize.level!r}", field=f"{at}.level")
        if prize.trigger not in rules.triggers:
            yield RuleError("this hand is not among the triggers", field=at)
        if prize.from_pool and prize.from_pool_with_others:
            text = (
                "it comes off the pool in any case: from_pool_with_others is for prizes that the house pays"
            )
            yield RuleError(text, field=f"{at}.from_pool_with_others")
        if takes_whole(prize.amount) and not prize.from_pool:
            yield RuleError("a prize of the whole meter comes off the meter", field=f"{at}.from_pool")
        if not prize.rule:
            yield RuleError("a prize needs the rule that gives it", field=f"{at}.rule")
    for trigger in rules.triggers:
        if trigger not in {prize.trigger for prize in paying}:
            yield RuleError("this hand qualifies and has no prize", field=f"triggers.{trigger}")
    for (trigger, level), count in Counter((prize.trigger, prize.level) for prize in paying).items():
        if count > 1:
            yield RuleError(f"two prizes from level {level!r}", field=f"prizes.{trigger}")


def _check_modes(rules: ProgressiveRules) -> Iterator[RuleError]:
    for i, stage in enumerate(rules.stages):
        at = f"stages[{i}]"
        if not stage.prizes:
            yield RuleError("a stage needs a prize", field=f"{at}.prizes")
        if stage.by_player and stage.mode is not Mode.EQUAL_SHARE:
            yield RuleError("only equal shares are counted by player", field=f"{at}.by_player")
        if stage.mode is Mode.BEST_HAND:
            elsewhere = {p.level for j, other in enumerate(rules.stages) if j != i for p in other.prizes}
            for level in sorted({prize.level for prize in stage.prizes} & elsewhere):
                yield RuleError(
                    f"{level} gives one prize a round, so all its prizes stand in one stage",
                    field=f"{at}.mode",
                )
        for prize in stage.prizes:
            kind = inner(prize.amount)
            if stage.mode is Mode.ENVY and not isinstance(prize.amount, Fixed):
                yield RuleError("an envy bonus is a fixed sum", field=f"{at}.{prize.trigger}")
            if stage.mode is Mode.EQUAL_SHARE and not isinstance(kind, PercentOfMeter):
                yield RuleError(
                    "only a share of the meter can be divided equally", field=f"{at}.{prize.trigger}"
                )
            if isinstance(kind, GrowingOdds) and stage.mode is not Mode.EACH_IN_FULL:
                yield RuleError(
                    "odds are the same for every winner of a round: each in full",
                    field=f"{at}.{prize.trigger}",
                )


# -------------------------------------------------------------------------------------------------- the books


def _check_book(rules: ProgressiveRules) -> Iterator[RuleError]:
    """The printed amounts of the schedule that the document says it follows."""
    if not rules.schedule:
        return
    if rules.schedule not in PRESETS:
        yield RuleError(
            f"there is no schedule {rules.schedule!r}; there are {', '.join(PRESETS)}", field="schedule"
        )
        return
    book = PRESETS[rules.schedule]
    if rules.rulebook != book.rules.rulebook:
        yield RuleError(f"this schedule is from {book.rules.rulebook}", field="rulebook")
    if rules.source is not book.rules.source:
        yield RuleError(
            f"the meters are fed by: {book.rules.source}", field="source", rule=book.rules.contribution_rule
        )
    if rules.rounding is not Rounding.UP and not book.amounts_open:
        first = book.rules.prizes[0].rule
        yield RuleError(
            "rounded down, a winner gets less than the rulebook gives", field="rounding", rule=first
        )
    paying = [prize for stage in rules.stages if stage.mode is not Mode.ENVY for prize in stage.prizes]
    for trigger in book.rules.triggers:
        if trigger not in rules.triggers:
            yield RuleError(
                "the rulebook gives this hand a prize", field=f"triggers.{trigger}", rule=rules.schedule
            )
    for printed in book.rules.prizes:
        given = [prize for prize in paying if prize.trigger == printed.trigger]
        yield from _check_amounts(book.minimums, printed, given)
    yield from _check_provisions(rules, book)


def _check_provisions(rules: ProgressiveRules, book: Citations) -> Iterator[RuleError]:
    """What the rulebook says of several winners, of folded hands, of a misdeal and of the order between tables."""
    printed = book.rules
    if book.order_printed:
        allowed = (_arrangement(printed.stages), _arrangement(fixed_before_shares(printed.stages)))
        if _arrangement(rules.stages) not in allowed:
            message = "the rulebook pays several winners as: " + "; then ".join(
                f"{', '.join(sorted(triggers))} {mode}" for mode, triggers in allowed[0]
            )
            yield RuleError(message, field="stages", rule=printed.stages[-1].rule)
    if rules.folded_hand_wins.holds is not printed.folded_hand_wins.holds:
        does = "keeps" if printed.folded_hand_wins.holds else "loses"
        yield RuleError(
            f"a folded hand {does} its claim", field="folded_hand_wins", rule=printed.folded_hand_wins.rule
        )
    if book.shared_pool_rule:
        for prize in rules.prizes:
            if not prize.bears(several=True):
                text = "where several hands qualify, it comes off the pool: say so with from_pool_with_others"
                at = f"prizes.{prize.trigger}.from_pool"
                yield RuleError(text, field=at, rule=book.shared_pool_rule)
    if printed.misdeal_carries_wager.holds and not rules.misdeal_carries_wager.holds:
        yield RuleError(
            "after a misdeal the jackpot wager stands for the next round",
            field="misdeal_carries_wager",
            rule=printed.misdeal_carries_wager.rule,
        )
    if printed.priority != SILENT and rules.priority != printed.priority:
        yield RuleError(
            "the rulebook fixes the moment that orders wins", field="priority", rule=printed.priority.rule
        )


def _arrangement(stages: tuple[Stage, ...]) -> list[tuple[Mode, frozenset[str]]]:
    return [
        (stage.mode, frozenset(prize.trigger for prize in stage.prizes))
        for stage in stages
        if stage.mode is not Mode.ENVY
    ]


def _check_amounts(minimums: bool, printed: Prize, given: list[Prize]) -> Iterator[RuleError]:
    at = f"prizes.{printed.trigger}.amount"
    if not given:
        return
    if minimums and not any(not_less(prize.amount, printed.amount) for prize in given):
        yield RuleError(f"the rulebook gives at least {printed.amount}", field=at, rule=printed.rule)
    if not minimums and not any(prize.amount == printed.amount for prize in given):
        yield RuleError(
            f"the rulebook gives {printed.amount}, neither more nor less", field=at, rule=printed.rule
        )


def not_less(given: Amount, printed: Amount) -> bool:
    """Is the given amount at least the printed one for every wager and meter? Amounts of unlike kinds are not."""
    match given, printed:
        case Fixed(), Fixed():
            return given.amount_micros >= printed.amount_micros
        case TimesWager(), TimesWager():
            return given.times >= printed.times
        case PercentOfMeter(), PercentOfMeter():
            return given.share_bp >= printed.share_bp
        case GreaterOf(), GreaterOf():
            return not_less(given.minimum, printed.minimum) and not_less(given.amount, printed.amount)
        case GreaterOf(), _:
            return not_less(given.minimum, printed) or not_less(given.amount, printed)
    return False
