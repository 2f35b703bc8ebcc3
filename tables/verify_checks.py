"""What the floor hands to `manage.py verify`: settlements against stored cards and the rules that settled them, entries
against lines, hands in the log against settled rounds, slips against approvals, what tables carry on."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from django.db import connection

from config.canonical_json import canonical_json, sha256_of
from config.gaming_day import gaming_day
from jackpots.models import Event
from ledger import chart
from ledger.balances import balance
from ledger.journal import NewEntry
from ledger.models import Entry, Step
from ledger.verify import Fault, Span, register
from ledger.verify_books import unrecorded
from ledger.verify_entries import legs_of, missing, vouch
from people.models import ApprovalRequest
from rules import RULES_VERSION, RuleError
from rules.codec import carried_to_json, hit_to_json
from rules.money import format_money, parse_money
from tables import chips, ledger_entries
from tables.models import LINES_HASH, Round, Table, TableConfig, WagerLine
from tables.resettle import differences, settled_again

_ENDED = (Round.State.CLOSED, Round.State.PARKED, Round.State.SETTLED)


def _rounds_settled(span: Span) -> Iterator[tuple[Round, Step]]:
    steps = Step.objects.filter(kind="tables.round", state=Round.State.SETTLED, **span.of()).order_by("id")
    stream = steps.iterator(chunk_size=200)
    while some := [step for step, _ in zip(stream, range(200), strict=False)]:
        rounds = Round.objects.select_related("config", "table__premises", "table__table_log").in_bulk(
            [step.row_id for step in some]
        )
        for step in some:
            if step.row_id in rounds:  # one that is gone is told by its steps
                yield rounds[step.row_id], step


@register("tables.settlements", "Lines are what the rules give for the stored cards, and booked as they are")
def settlements_hold(span: Span) -> Iterator[Fault]:
    for round, step in _rounds_settled(span):
        where = f"round {round.pk}"
        bank = (chart.table(round.table.premises.code, round.table.code, "bank"),)
        if step.detail is not None and _lines_hash(round) != bytes(step.detail):
            yield Fault(where, "its lines were changed after they were settled", bank)
        if round.rules_version != RULES_VERSION:
            continue  # other rules settled it; `manage.py replay` says how today's differ
        for place, what in differences(round):
            yield Fault(place, what, bank)
        if round.locked_at and round.gaming_day != gaming_day(round.table.premises, round.locked_at):
            yield Fault(where, f"its gaming day is {round.gaming_day}, which its no more bets does not give")
        yield from _inherited(round, where, bank)
        try:
            made = ledger_entries.round_entry(round, settled_again(round.pk))
        except RuleError:
            continue
        for entry in missing([made] if made else []):
            yield Fault(where, f"it is settled, and the books lack {entry.key}", bank)


def _lines_hash(round: Round) -> bytes:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {LINES_HASH.format(round='%s')}", [round.pk])
        return bytes(cursor.fetchone()[0])


def _inherited(round: Round, where: str, accounts: tuple[str, ...]) -> Iterator[Fault]:
    """What it began with is what the round before it left."""
    if not round.config.game.in_order:
        return
    before = Round.objects.filter(table=round.table_id, number=round.number - 1).first()
    left: dict[str, object] = {}
    if before is not None:
        if before.rules_version != RULES_VERSION:
            return
        try:
            left = carried_to_json(settled_again(before.pk).carried)
        except RuleError:
            return
    if round.carried_in != left:
        yield Fault(where, "it began with something else than the round before it left", accounts)


@vouch("round")
def rounds(entries: list[Entry]) -> Iterator[tuple[Entry, NewEntry | str]]:
    found = Round.objects.select_related("config", "table__premises").in_bulk(
        [int(entry.key.rpartition(":")[2]) for entry in entries if entry.key.rpartition(":")[2].isdecimal()]
    )
    for entry in entries:
        number = entry.key.rpartition(":")[2]
        round = found.get(int(number)) if number.isdecimal() else None
        if round is None or round.state != Round.State.SETTLED:
            yield entry, f"there is no settled round {number}"
        elif round.rules_version != RULES_VERSION:
            yield entry, _by_its_lines(entry, round)
        else:
            try:
                made = ledger_entries.round_entry(round, settled_again(round.pk))
            except RuleError as fault:
                yield entry, f"the rules refuse its round: {fault}"
            else:
                yield entry, made or f"round {number} moved no money"


def _by_its_lines(entry: Entry, round: Round) -> NewEntry | str:
    """Under earlier rules: the source is still a hash over the lines, to the micro."""
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
    source = {
        "round": round.pk, "config": round.config.sha256, "rules_version": round.rules_version, "lines": lines,
    }  # fmt: skip
    return NewEntry(
        key=f"tables:round:{round.pk}",
        premises=round.table.premises,
        kind="round",
        reference=f"round:{round.pk}",
        source_hash=sha256_of(source),
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
        content = found[0].payload
        slip = chips.Slip(
            number,
            chips.SlipKind(content["kind"]),
            parse_money(content["amount"]),
            date.fromisoformat(content["day"]),
            new=False,
            booked=True,
        )
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
            given = [hit_to_json(hit) for hit in settled_again(round.pk).hits]
        except RuleError as fault:
            yield Fault(where, f"the rules refuse its round {round.pk}: {fault}", accounts)
            continue
        for hit in event.body["hits"]:
            if hit not in given:
                words = f"a {hit['trigger']} at seat {hit['wager'].get('seat', 0)}, which round {round.pk} did not have"
                yield Fault(where, words, accounts)


@register("tables.settings", "Rules of tables and tokens of terminals changed only on record")
def settings_recorded(span: Span) -> Iterator[Fault]:
    for row_id, at, _ in unrecorded("tables.table", span):
        words = f"its rules were changed at {at:%Y-%m-%d %H:%M:%S}, which the audit trail does not know"
        yield Fault(f"table {row_id}", words)
    for row_id, at, _ in unrecorded("tables.terminal", span, first=True):
        words = f"it or its token was changed at {at:%Y-%m-%d %H:%M:%S}, which the audit trail does not know"
        yield Fault(f"terminal {row_id}", words)
    for config in TableConfig.objects.filter(**span.of()):
        if sha256_of(config.document) != config.sha256:
            yield Fault(f"table's rules {config.pk}", "they are not what their hash says")


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
                left: dict[str, object] = carried_to_json(settled_again(last.pk).carried)
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
