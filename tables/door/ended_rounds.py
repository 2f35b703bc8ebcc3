"""What a terminal is told that comes back to a round which people have ended meanwhile (tables.corrections.endings)."""

from __future__ import annotations

from uuid import UUID

from config.kit.moments import told
from config.kit.refusals import NOT_NOW, Refused
from tables.models import RoundEnding, Table


def in_words(table: Table) -> str:
    """Where the table's session began with a round that people ended; else nothing."""
    found = RoundEnding.objects.filter(round__table=table, session=table.session)
    ending = found.select_related("round").first()
    if ending is None:
        return ""
    return f"people ended round {ending.round.number} at {told(ending.at, table.premises)} ({ending.rule})"


def refuse_ended(table: Table, uid: UUID) -> None:
    """What is still told of such a round is not taken. It is not lost either: it stays in the terminal, and people
    correct the round where it was otherwise."""
    ending = RoundEnding.objects.filter(round__table=table, round__uid=uid).select_related("round").first()
    if ending is not None:
        raise Refused(
            "round_ended",
            f"Round {ending.round.number} of {table} was ended by people at {told(ending.at, table.premises)}, by "
            f"{ending.rule}: what is told of it now is not taken. Go on in session {table.session} with event "
            f"{table.last_event + 1}; where the round was played otherwise, a supervisor corrects it on its page.",
            status=NOT_NOW,
        )
