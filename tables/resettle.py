"""A stored round settled once more by today's rules, and how its lines differ from that: for `manage.py verify`, where
the rules are those that settled it, and for `manage.py replay`, whatever they were."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ledger.verify import remembered
from rules import RuleError, Settlement, round_from_json, settle
from rules.money import format_money
from tables.lines import ALSO, ALSO_LENGTH
from tables.models import Round, RoundVersion, SettledLine, VersionLine, WagerLine


@remembered
def settled_again(round: Round) -> Settlement:
    """Raises RuleError where the rules refuse what is stored. Remembered by the round's key."""
    return settle(round_from_json(round.document()))


def lines_of(rounds: Iterable[Round]) -> dict[int, list[WagerLine]]:
    """The stored lines of rounds, in one read."""
    found: dict[int, list[WagerLine]] = {round.pk: [] for round in rounds}
    for line in WagerLine.objects.filter(round__in=list(found)).order_by("round_id", "position"):
        found[line.round_id].append(line)
    return found


def differences(round: Round, stored: list[WagerLine]) -> Iterator[tuple[str, str]]:
    """Where and how the stored lines are not what the rules give now; none: they are."""
    try:
        answer = settled_again(round)
    except RuleError as fault:
        yield f"round {round.pk}", f"the rules refuse what it holds: {fault}"
        return
    yield from _compared(f"round {round.pk}", round, stored, answer)


def version_differences(version: RoundVersion, stored: list[VersionLine]) -> Iterator[tuple[str, str]]:
    """The same for a later version of a round."""
    where = f"version {version.number} of round {version.round_id}"
    try:
        answer = settle(round_from_json(version.document()))
    except RuleError as fault:
        yield where, f"the rules refuse what it holds: {fault}"
        return
    yield from _compared(where, version, stored, answer)


def _compared(
    where: str, played: Round | RoundVersion, stored: Sequence[SettledLine], answer: Settlement
) -> Iterator[tuple[str, str]]:
    if len(stored) != len(answer.lines):
        yield where, f"it has {len(stored)} lines, the rules give {len(answer.lines)}"
    fresh = {wager["id"] for wager in played.wagers}
    for position, (line, given) in enumerate(zip(stored, answer.lines, strict=False)):
        wager = given.wager
        for name, says, true in (
            ("position", line.position, position),
            ("wager", line.wager_id, wager.id),
            ("kind", line.kind, wager.kind),
            ("seat", line.seat, wager.seat),
            ("player", line.player, wager.player),
            ("selection", line.selection, wager.selection),
            ("outcome", line.outcome, given.outcome.value),
            ("odds", line.odds, given.odds.text if given.odds else ""),
            ("rule", line.rule, given.rule),
            ("further rules", line.also, ALSO.join(given.also)[:ALSO_LENGTH]),
            ("being new", line.is_new, wager.id in fresh),
        ):
            if says != true:
                yield _line(where, line), f"its {name} is {says}, the rules give {true}"
        for name, said, due in (
            ("stake", line.stake_micros, wager.stake),
            ("winnings", line.winnings_micros, given.winnings),
            ("stake returned", line.returned_micros, given.returned),
            ("stake that stands", line.standing_micros, given.standing),
            ("commission", line.commission_micros, given.commission),
            ("rounding", line.rounding_micros, given.rounding),
        ):
            if said != due:
                words = f"its {name} is {format_money(said)}, the rules give {format_money(due)}"
                yield _line(where, line), words


def _line(where: str, line: SettledLine) -> str:
    return f"{where}, line {line.position} ({line.wager_id})"
