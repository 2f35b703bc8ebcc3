"""What the floor hands to `manage.py verify` about rounds that are not decided: everybody waits for them who must. Made
again from the round's wagers, its table's links and what its terminal told; the rows themselves are jackpots'."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

from django.db.models import Min, Q

from jackpots.models import UndecidedRound
from jackpots.order.instants import Stamp
from jackpots.order.links import Links, links_of
from jackpots.verify.log_and_wins import accounts_of
from ledger.models import Step
from ledger.verify.verify import Fault, Span, register
from people.audit.audit import label_of
from people.models import AuditRecord
from rules import round_from_json
from rules.contract import Wager
from tables.door import jackpot_rounds, marks
from tables.door.message_texts import with_texts
from tables.models import UNANSWERED, Round, TableEvent

OUT = (
    "tables.table_left_out", "tables.round_left_out", "tables.table_closed", "tables.session_taken_over",
    "jackpots.link_left_out",
)  # fmt: skip
"""Acts by which nobody waits for a round any more."""
Waiting = dict[int, set[int]]
"""By progressive the seats that are not decided."""


@register(
    "tables.undecided", "Everybody waits for rounds that are not decided, and for no others", in_pieces=False
)
def undecided_hold(span: Span) -> Iterator[Fault]:
    rows: dict[int, dict[int, UndecidedRound]] = {}
    stored = UndecidedRound.objects.select_related(
        "table_log", "progressive__host", "progressive__config"
    ).order_by("pk")
    for row in stored:
        rows.setdefault(row.round_id, {})[row.progressive_id] = row
    under_way = Q(state=Round.State.LOCKED) | UNANSWERED
    chosen = Round.objects.filter(under_way) | Round.objects.filter(pk__in=list(rows))
    rounds = {
        round.pk: round
        for round in chosen.select_related("config", "table__table_log", "table__premises").order_by("pk")
    }
    for round in rounds.values():
        if round.takes_part and (round.state == Round.State.LOCKED or _unanswered(round)):
            yield from _not_waited_for(round, rows.get(round.pk, {}))
    for round_id, waiting in rows.items():
        for row in waiting.values():
            for what in _faults(row, rounds.get(round_id)):
                yield Fault(f"undecided round {row.pk}", what, accounts_of(row.progressive))


def _unanswered(round: Round) -> bool:
    return round.state in (Round.State.CLOSED, Round.State.PARKED) and round.settlement is None


def _not_waited_for(round: Round, rows: dict[int, UndecidedRound]) -> Iterator[Fault]:
    links = _links_then(round)
    for progressive_id, seats in _waiting(round, links).items():
        row = rows.get(progressive_id)
        missing = seats - set(row.seats if row is not None else ())
        if missing:
            progressive = next(each for each in links.progressives if each.pk == progressive_id)
            told = ", ".join(str(seat) for seat in sorted(missing))
            words = f"it is not decided, and {progressive} does not wait for its seats {told}"
            yield Fault(f"round {round.pk}", words, accounts_of(progressive))


def _links_then(round: Round) -> Links:
    """Without those that were made after its no more bets."""
    links = links_of(round.table.table_log)
    told = TableEvent.objects.filter(round=round, kind__in=("no-more-bets", "result", "round"))
    locked = told.order_by("pk").values_list("xact_id", flat=True).first()
    steps = Step.objects.filter(kind="jackpots.link", row_id__in=[link.pk for link in links.links])
    made = dict(steps.values_list("row_id").annotate(first=Min("xact_id")))
    return Links(tuple(link for link in links.links if locked is None or made.get(link.pk, 0) <= locked))


def _waiting(round: Round, links: Links) -> Waiting:
    """The seats that its wagers have in each progressive, without those that its terminal told as decided."""
    played = round_from_json(round.document(), partial=True)
    lock, kinds = marks.lock_of(round), played.game.kinds
    first = tuple(wager for wager in played.wagers if kinds[wager.kind].stage == played.game.stages[0])
    active = links.at(lock)
    fed = [wager for wager in first if active.for_kind(wager.kind)]
    placed = jackpot_rounds.staked(replace(played, wagers=first), fed)
    carried = [one.wager for one in played.carried.wagers if kinds[one.wager.kind].jackpot]
    decided = {
        seat
        for event in with_texts(TableEvent.objects.filter(round=round, kind="decided"))
        for seat in json.loads(event.message or "{}").get("body", {}).get("seats", ())
    }
    found: Waiting = {}
    for wagers, through in ((placed if round.jackpots_count else [], active), (carried, links)):
        _add(found, wagers, through, decided)
    return found


def _add(found: Waiting, wagers: list[Wager], links: Links, decided: set[int]) -> None:
    for wager in wagers:
        for progressive in links.for_kind(wager.kind):
            if wager.seat not in decided:
                found.setdefault(progressive.pk, set()).add(wager.seat)


def _faults(row: UndecidedRound, round: Round | None) -> Iterator[str]:
    if round is None or round.table.table_log_id != row.table_log_id:
        yield f"{row.table_log} plays no round {row.round_id}"
        return
    if round.state in (Round.State.OPEN, Round.State.SETTLED) or round.lock is None:
        yield f"its round {round.pk} is {round.state}: nobody has to wait for it"
        return
    lock, kept = Stamp.from_json(round.lock), row.locked
    if (kept.told, kept.clock, kept.late, row.since) != (lock.told, lock.clock, lock.late, lock.earliest):
        yield f"its no more bets is not that of round {round.pk}"
    link = row.table_log.links.filter(progressive=row.progressive_id).first()
    if link is None:
        yield f"{row.table_log} is not linked to {row.progressive}"
        return
    returned = [at for at in (row.table_log.returned_at, link.returned_at) if at is not None]
    out = link.suspended_at is not None or link.is_over(lock)
    if row.unawaited and not returned and not out:
        yield f"nobody is said to have waited for it, and {row.table_log} was never left out"
    if row.left_out and row.table_log.left_out_at is None and link.left_out_at is None:
        about = [label_of(round.table), label_of(link)]
        said = AuditRecord.objects.filter(action__in=OUT, subject__in=about, at__gte=row.since)
        if not said.exists() and not any(at >= row.since for at in returned):
            yield "nobody has said on record that it is not waited for"
