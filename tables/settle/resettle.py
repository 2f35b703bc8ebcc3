"""A stored round settled once more by today's rules, and how its lines differ from that: for `manage.py verify`, where
the rules are those that settled it, and for `manage.py replay`, whatever they were."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from config.kit.refusals import NOT_NOW, Refused
from ledger.models import Step
from ledger.months import months
from ledger.verify.verify import remembered
from rules import RuleError, Settlement, round_from_json, settle
from rules.money import format_money
from tables.models import Round, RoundVersion, SettledLine, VersionLine, WagerLine
from tables.settle.lines import ALSO, ALSO_LENGTH, COLUMNS, booking_of


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


def first_lines(round: Round) -> list[WagerLine]:
    """The lines as they were settled first. Where they are kept elsewhere they are made again, and are the same: they
    give the hash in the round's step. Refused where they do not, since other rules settled them."""
    found = list(round.lines.order_by("position"))
    if found or round.state != Round.State.SETTLED or not (away := months.elsewhere_of([round.pk])):
        return found
    steps = Step.objects.filter(kind="tables.round", row_id=round.pk, state=Round.State.SETTLED).order_by(
        "-pk"
    )
    kept = steps.values_list("detail", flat=True).first()
    try:
        rows = booking_of(round, settled_again(round)).rows
    except RuleError:
        rows = []
    if kept is None or hash_of(rows) != bytes(kept):
        raise Refused("kept_elsewhere", months.sentence(away.values()), status=NOT_NOW)
    return [WagerLine(round=round, **dict(zip(COLUMNS, row, strict=True))) for row in rows]


def hash_of(rows: Iterable[Sequence[Any]]) -> bytes:
    """Of lines in the order of `tables.settle.lines.COLUMNS`, as PostgreSQL makes it (tables.models.LINES_HASH)."""
    text = "\n".join(
        "\t".join(text_of(value) for value in (position, wager, *rest)) for wager, position, *rest in rows
    )
    return hashlib.sha256(text.encode()).digest()


def text_of(value: Any) -> str:
    """A value of a line, as PostgreSQL writes it."""
    return ("t" if value else "f") if isinstance(value, bool) else str(value)


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
