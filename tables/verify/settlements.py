"""What the floor hands to `manage.py verify`: settlements against stored cards and the rules that settled them, entries
against lines, hands in the log against settled rounds, slips against approvals, what tables carry on."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator

from django.db import connection

from config.kit.canonical_json import canonical_json, sha256_of
from config.kit.gaming_day import gaming_day
from config.kit.moments import MOMENT, told
from jackpots.models import Event
from ledger.books import chart
from ledger.books.balances import balance
from ledger.books.journal import NewEntry
from ledger.models import Entry, Step
from ledger.months import months
from ledger.verify.books import unrecorded
from ledger.verify.entries import legs_of, missing, vouch
from ledger.verify.verify import Fault, Span, register
from people.models import ApprovalRequest
from rules import RULES_VERSION, RuleError
from rules.codec import carried_to_json, hit_to_json
from rules.money import format_money, parse_money
from tables.chips import chips
from tables.floor.terminal_tokens import TOKENS
from tables.models import LINES_HASH, Round, RoundEnding, Table, TableConfig, WagerLine
from tables.settle import ledger_entries, versions
from tables.settle.lines import booking_of
from tables.settle.resettle import differences, hash_of, lines_of, settled_again

BATCH = 500
_ENDED = (Round.State.CLOSED, Round.State.PARKED, Round.State.SETTLED)


def rounds_settled(span: Span) -> Iterator[list[tuple[Round, Step]]]:
    """In batches, with the steps that settled them; a round that is gone is told by its steps."""
    steps = Step.objects.filter(kind="tables.round", state=Round.State.SETTLED, **span.of()).order_by("id")
    stream = steps.iterator(chunk_size=BATCH)
    while some := list(itertools.islice(stream, BATCH)):
        rounds = _rounds(step.row_id for step in some)
        yield [(rounds[step.row_id], step) for step in some if step.row_id in rounds]


def _rounds(ids: Iterable[int]) -> dict[int, Round]:
    """With one object for each table and each configuration, so that its rules are read once."""
    found = Round.objects.in_bulk(list(ids))
    tables = Table.objects.select_related("premises", "table_log").in_bulk(
        {round.table_id for round in found.values()}
    )
    configs = TableConfig.objects.in_bulk({round.config_id for round in found.values()})
    for round in found.values():
        round.table, round.config = tables[round.table_id], configs[round.config_id]
    return found


@register("tables.settlements", "Lines are what the rules give for the stored cards, and booked as they are")
def settlements_hold(span: Span) -> Iterator[Fault]:
    for batch in rounds_settled(span):
        rounds = [round for round, _ in batch]
        hashes, stored, before = _lines_hashes(rounds), lines_of(rounds), _rounds_before(rounds)
        away = months.elsewhere_of(hashes)
        due: dict[str, tuple[NewEntry, tuple[str, ...]]] = {}
        for round, step in batch:
            where, bank = f"round {round.pk}", _bank(round)
            if step.detail is not None and round.pk not in away and hashes[round.pk] != bytes(step.detail):
                yield Fault(where, "its lines were changed after they were settled", bank)
            if round.rules_version != RULES_VERSION:
                continue  # other rules settled it; `manage.py replay` says how today's differ
            if round.pk in away:
                yield from _line_faults(round, step, where, bank)
            else:
                for place, what in differences(round, stored[round.pk]):
                    yield Fault(place, what, bank)
            if round.locked_at and round.gaming_day != gaming_day(round.table.premises, round.locked_at):
                words = f"its gaming day is {round.gaming_day}, which its no more bets does not give"
                yield Fault(where, words)
            yield from _inherited(round, before.get((round.table_id, round.number - 1)), where, bank)
            try:
                made = ledger_entries.round_entry(round, booking_of(round, settled_again(round)))
            except RuleError:
                continue
            if made is not None:
                due[made.key] = made, bank
        for entry in missing(made for made, _ in due.values()):
            where = f"round {entry.key.rpartition(':')[2]}"
            yield Fault(where, f"it is settled, and the books lack {entry.key}", due[entry.key][1])


def _line_faults(round: Round, step: Step, where: str, accounts: tuple[str, ...]) -> Iterator[Fault]:
    """Its lines are kept elsewhere: what the rules give must have the hash that they had."""
    try:
        rows = booking_of(round, settled_again(round)).rows
    except RuleError as fault:
        yield Fault(where, f"the rules refuse what it holds: {fault}", accounts)
        return
    if step.detail is not None and hash_of(rows) != bytes(step.detail):
        yield Fault(where, "the rules give other lines than it was settled with", accounts)


def _bank(round: Round) -> tuple[str, ...]:
    return (chart.table(round.table.premises.code, round.table.code, "bank"),)


def _lines_hashes(rounds: list[Round]) -> dict[int, bytes]:
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT r.id, {LINES_HASH.format(round='r.id')} FROM unnest(%s::bigint[]) r (id)",  # noqa: S608
            [[round.pk for round in rounds]],
        )
        return {pk: bytes(found) for pk, found in cursor.fetchall()}


def _rounds_before(rounds: list[Round]) -> dict[tuple[int, int], Round]:
    """By table and number, of games that carry something on: the rounds before these."""
    found = {(round.table_id, round.number): round for round in rounds}
    wanted: dict[int, list[int]] = {}
    for round in rounds:
        if round.config.game.in_order and (round.table_id, round.number - 1) not in found:
            wanted.setdefault(round.table_id, []).append(round.number - 1)
    for table_id, numbers in wanted.items():
        rows = Round.objects.select_related("config").filter(table=table_id, number__in=numbers)
        found |= {(table_id, row.number): row for row in rows}
    return found


def _inherited(round: Round, before: Round | None, where: str, accounts: tuple[str, ...]) -> Iterator[Fault]:
    """What it began with is what the round before it had left: as it was told, or as people had put it right."""
    if not round.config.game.in_order:
        return
    left: list[dict[str, object]] = [{}]
    if before is not None:
        if before.rules_version != RULES_VERSION:
            return
        try:
            left = [carried_to_json(settled_again(before).carried)]
        except RuleError:
            return
        if round.carried_in not in left:
            left += [version.left() for version in versions.all_of(before)[1:]]
    if round.carried_in not in left:
        yield Fault(where, "it began with something else than the round before it left", accounts)


@vouch("round")
def rounds(entries: list[Entry]) -> Iterator[tuple[Entry, NewEntry | str]]:
    numbers = (entry.key.rpartition(":")[2] for entry in entries)
    found = _rounds(int(number) for number in numbers if number.isdecimal())
    for entry in entries:
        number = entry.key.rpartition(":")[2]
        round = found.get(int(number)) if number.isdecimal() else None
        if round is None or round.state != Round.State.SETTLED:
            yield entry, f"there is no settled round {number}"
        elif round.rules_version != RULES_VERSION:
            yield entry, _by_its_lines(entry, round)
        else:
            try:
                made = ledger_entries.round_entry(round, booking_of(round, settled_again(round)))
            except RuleError as fault:
                yield entry, f"the rules refuse its round: {fault}"
            else:
                yield entry, made or f"round {number} moved no money"


def _by_its_lines(entry: Entry, round: Round) -> NewEntry | str:
    """Under earlier rules: the source is still a hash over the lines, to the micro. Where these are kept elsewhere the
    entry is held by its seal alone."""
    if months.elsewhere_of([round.pk]):
        return _as_it_is(entry, round, bytes(entry.source_sha256).hex())
    lines = [
        [
            line.wager_id,
            line.stake_micros,
            line.outcome,
            line.rule,
            line.winnings_micros,
            line.returned_micros,
            line.standing_micros,
            line.commission_micros,
            line.rounding_micros,
        ]
        for line in WagerLine.objects.filter(round=round).order_by("position")
    ]
    return _as_it_is(entry, round, ledger_entries.hash_of_lines(round, lines))


def _as_it_is(entry: Entry, round: Round, source_hash: str) -> NewEntry:
    return NewEntry(
        key=f"tables:round:{round.pk}",
        premises=round.table.premises,
        kind="round",
        reference=f"round:{round.pk}",
        source_hash=source_hash,
        legs=legs_of(entry),
        occurred_at=round.locked_at,
    )


@vouch("opener", "fill", "credit", "closer", "buy-in", "drop")
def slips(entries: list[Entry]) -> Iterator[tuple[Entry, NewEntry | str]]:
    """A slip is what two people approved."""
    actions = [action.name for action in chips.ACTIONS.values()]
    for entry in entries:
        _, table_code, number = [*entry.reference.split(":", 2), "", ""][:3]
        table = (
            Table.objects.select_related("premises").filter(premises=entry.premises, code=table_code).first()
        )
        used = ApprovalRequest.objects.filter(
            premises=entry.premises, action__in=actions, state=ApprovalRequest.State.USED
        ).filter(payload_json__contains=f'"slip":{canonical_json(number)}')
        found = [one for one in used if (one.payload["table"], one.payload["slip"]) == (table_code, number)]
        if table is None or len(found) != 1:
            yield entry, f"no two people approved a slip {number} of {table_code}"
            continue
        slip = chips.slip_of(found[0].payload)
        made = {one.key: one for one in chips.entries_of(table, slip)}
        yield entry, made.get(entry.key, f"slip {number} of {table_code} is booked by other entries")


@register("tables.hits", "Every hand in the log is of a settled round, as the rules saw it")
def hits_have_rounds(span: Span) -> Iterator[Fault]:
    events = Event.objects.filter(**span.of(), kind=Event.Kind.HITS).order_by("xact_id", "id")
    for event in events.select_related("table_log__premises"):
        where = f"log event {event.pk}"
        accounts = tuple(
            chart.level(share.progressive.host.code, share.progressive.code, level.name, "payable")
            for share in event.shares.select_related("progressive__host", "progressive__config")
            for level in share.progressive.config.rules.levels
        )
        round = Round.objects.select_related("config", "table").filter(pk=event.round_id).first()
        if round is None or round.table.table_log_id != event.table_log_id:
            yield Fault(where, f"{event.table_log} played no round {event.round_id}", accounts)
            continue
        if round.state in (Round.State.OPEN, Round.State.LOCKED):
            yield Fault(where, f"its round {round.pk} is {round.state}: the rules have not seen it", accounts)
            continue
        if round.rules_version != RULES_VERSION:
            continue
        try:
            given = [hit_to_json(hit) for hit in settled_again(round).hits]
        except RuleError as fault:
            yield Fault(where, f"the rules refuse its round {round.pk}: {fault}", accounts)
            continue
        for hit in event.body["hits"]:
            if hit not in given:
                words = f"a {hit['trigger']} at seat {hit['wager'].get('seat', 0)}, which round {round.pk} did not have"
                yield Fault(where, words, accounts)


@register("tables.settings", "Rules of tables and tokens of terminals changed only on record")
def settings_recorded(span: Span) -> Iterator[Fault]:
    # Whoever ends a round under way begins another session of its table, and the record of it is the round's: one
    # change of the table, and no other.
    endings = RoundEnding.objects.filter(**span.of()).values_list("round__table_id", "xact_id")
    sessions = Counter(endings)
    for row_id, at, xact_id in unrecorded("tables.table", span):
        if sessions[row_id, xact_id] > 0:
            sessions[row_id, xact_id] -= 1
            continue
        words = f"its rules were changed at {told(at, form=MOMENT)}, which the audit trail does not know"
        yield Fault(f"table {row_id}", words)
    for row_id, at, _ in unrecorded("tables.terminal", span, first=True):
        words = f"it or its token was changed at {told(at, form=MOMENT)}, which the audit trail does not know"
        yield Fault(f"terminal {row_id}", words)
    for config in TableConfig.objects.filter(**span.of()):
        if sha256_of(config.document) != config.sha256:
            yield Fault(f"table's rules {config.pk}", "they are not what their hash says")


@register("tables.tokens", "Tokens of terminals are as they stand on record", in_pieces=False)
def tokens_stand_on_record(span: Span) -> Iterator[Fault]:
    """Neither changed past Potline nor put back."""
    for row in TOKENS.not_as_recorded():
        yield Fault(f"terminal {row.pk}", "its token is not as it stands on record, and opens nothing")


@register(
    "tables.carried",
    "What tables carry on is what their last round left, and stands in the books",
    in_pieces=False,
)
def carried_holds(span: Span) -> Iterator[Fault]:
    for table in Table.objects.select_related("config", "premises").order_by("pk"):
        account = chart.table(table.premises.code, table.code, "standing")
        ended = table.rounds.filter(state__in=_ENDED).select_related("config").order_by("-number")
        last = ended.first()
        if last is not None and last.rules_version == RULES_VERSION and last.config.game.in_order:
            try:
                left: dict[str, object] = versions.latest(last).left()
            except RuleError:
                left = {}
            if table.carried != left:
                words = f"it carries something else than its round {last.number} left"
                yield Fault(f"table {table.pk} ({table.code})", words, (account,))
        if not ended.exclude(state=Round.State.SETTLED).exists():
            kinds = table.config.game.kinds
            standing = [one["wager"] for one in table.carried.get("wagers", [])]
            stakes = sum(parse_money(w["stake"]) for w in standing if not kinds[w["kind"]].jackpot)
            booked = -balance(account)
            if booked != stakes:
                words = f"wagers of {format_money(stakes)} stand on it, the books have {format_money(booked)}"
                yield Fault(f"table {table.pk} ({table.code})", words, (account,))
