"""Where the words of terminals' messages are: of new events in `MessageText`, of old ones in their own row, of a month
that is kept elsewhere not here (ledger.months.months)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from ledger.months import months
from tables.models import MessageText, TableEvent

SOME = 1_000
"""Events whose texts are read together."""


def with_texts(events: Iterable[TableEvent]) -> Iterator[TableEvent]:
    """The same events in their order, each with its `message`, wherever it is kept; None: it is not here."""
    return chain.from_iterable(some_with_texts(events))


def some_with_texts(events: Iterable[TableEvent]) -> Iterator[list[TableEvent]]:
    """The same, as many at once as are read together."""
    rest = iter(events)
    while some := list(islice(rest, SOME)):
        texts = MessageText.objects.filter(event__in=[event.pk for event in some if event.message is None])
        found = dict(texts.values_list("event_id", "text"))
        for event in some:
            event.message = found.get(event.pk, event.message)
        yield some


def elsewhere(events: Iterable[TableEvent]) -> dict[int, str]:
    """Of events whose messages are kept elsewhere, the month. Those of before messages were kept have no link."""
    without = [event.pk for event in events if event.message is None and event.head is not None]
    return months.elsewhere_of(without, months.MESSAGES) if without else {}
