"""What the floor hands to `manage.py verify` about terminals' messages: their chain, and rounds made from them anew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import islice

from django.db.models import Q

from config.kit.refusals import Refused
from ledger.books import chart
from ledger.models import Step
from ledger.verify.verify import Fault, Span, register
from tables import months
from tables.door import chain, message_texts
from tables.models import Round, Table, TableEvent
from tables.verify import retold

SOME = 200
"""Rounds whose messages are read together."""


@register("tables.chain", "Each event of a terminal is linked to the one before it, as the terminal was told")
def chain_holds(span: Span) -> Iterator[Fault]:
    before: TableEvent | None = None
    events = TableEvent.objects.filter(**span.of()).order_by("table_id", "session", "number")
    for some in message_texts.some_with_texts(events.iterator(chunk_size=1_000)):
        away = message_texts.elsewhere(some)
        for event in some:
            if before is None or before.table_id != event.table_id:
                before = _before(event)
            yield from _link_faults(before, event, is_away=event.pk in away)
            before = event


def _before(event: TableEvent) -> TableEvent | None:
    earlier = Q(session__lt=event.session) | Q(session=event.session, number__lt=event.number)
    found = TableEvent.objects.filter(earlier, table_id=event.table_id)
    return found.order_by("-session", "-number").first()


def _link_faults(before: TableEvent | None, event: TableEvent, *, is_away: bool) -> Iterator[Fault]:
    where = f"terminal event {event.pk}"
    first = before is None or before.session != event.session
    if event.number != (1 if first or before is None else before.number + 1):
        yield Fault(
            where, f"event {event.number} of session {event.session} does not follow from what is there"
        )
    previous = "" if before is None or before.head is None else bytes(before.head).hex()
    if event.head is None or (event.message is None and not is_away):
        if previous or event.head is not None:
            yield Fault(where, "its message or its link is gone")
        return  # from before messages were kept
    if event.message is not None and sha256(event.message.encode()).hexdigest() != event.sha256:
        yield Fault(where, "its message is not the one that was answered")
    if chain.link(previous, event.session, event.sha256, event.answer) != bytes(event.head).hex():
        yield Fault(where, "its link does not follow from the event before it, its message and its answer")


@register("tables.texts", "Every text is the message of an event", in_pieces=False)
def texts_are_of_events(span: Span) -> Iterator[Fault]:
    """One that was put beside its event's own, or of no event: what an event's text is, its link says."""
    if not span.whole:
        return
    for pk in months.TEXTS.without_rows():
        yield Fault(f"text of terminal event {pk}", "there is no such event that would have its text here")


@register(
    "tables.heads", "Tables stand where the chain of their events and their rounds end", in_pieces=False
)
def heads_hold(span: Span) -> Iterator[Fault]:
    for table in Table.objects.order_by("pk"):
        last = table.events.order_by("-session", "-number").first()
        head = None if last is None else last.head
        number = last.number if last is not None and last.session == table.session else 0
        if (number, head and bytes(head)) != (table.last_event, table.head and bytes(table.head)):
            words = f"it stands at event {table.last_event}, and its chain ends at {number}, or otherwise"
            yield Fault(f"table {table.pk} ({table.code})", words)
        played = table.rounds.order_by("-number").values_list("number", flat=True).first() or 0
        if played != table.last_round:
            words = f"it counts {table.last_round} rounds, and its last one is {played}"
            yield Fault(f"table {table.pk} ({table.code})", words)


@register("tables.messages", "Rounds hold what their terminals told")
def rounds_as_told(span: Span) -> Iterator[Fault]:
    steps = Step.objects.filter(kind="tables.round", state=Round.State.CLOSED, **span.of()).order_by("id")
    keys = iter(steps.values_list("row_id", flat=True).iterator(chunk_size=SOME))
    while some := list(islice(keys, SOME)):
        rounds = Round.objects.select_related("table__premises").filter(pk__in=some).order_by("pk")
        told: dict[int, list[TableEvent]] = {}
        events = TableEvent.objects.filter(round__in=some).order_by("session", "number")
        for event in message_texts.with_texts(events):
            if event.round_id is not None:
                told.setdefault(event.round_id, []).append(event)
        for round in rounds:
            yield from _told_faults(round, told.get(round.pk, []))


def _told_faults(round: Round, events: Iterable[TableEvent]) -> Iterator[Fault]:
    given = list(events)
    bank = (chart.table(round.table.premises.code, round.table.code, "bank"),)
    if not given:
        yield Fault(f"round {round.pk}", "no message of a terminal told it", bank)
    if not all(event.message for event in given):
        return  # begun before messages were kept, or they are elsewhere; one that is gone is told by the chain
    try:
        differ = list(retold.differences(round, given))
    except (ValueError, KeyError, TypeError, AttributeError, Refused) as error:
        differ = [f"its messages cannot be read: {error!r}"]
    for what in differ:
        yield Fault(f"round {round.pk}", what, bank)
