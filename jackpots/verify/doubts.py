"""What the jackpots room hands to `manage.py verify` of doubts: each made again from the two samples of its
clock, or from the line of the server's time that it names."""

from __future__ import annotations

from collections.abc import Iterator

from config.kit import keys
from jackpots.fold.runs_again import UNREADABLE
from jackpots.models import Doubt, ServerClock
from jackpots.order import doubts, server_clock
from jackpots.order.by_place import lock_of, placed_by
from jackpots.order.instants import instant_of
from jackpots.verify.log_and_wins import accounts_of
from ledger.verify.verify import Fault, Span, register
from rules.progressive.places import Placed


@register("jackpots.doubts", "Hits were doubted by what the door has found of their clocks")
def doubts_hold(span: Span) -> Iterator[Fault]:
    keys.demand_a_kept_one()
    rows = Doubt.objects.filter(**span.of()).select_related(
        "share__event__table_log", "share__progressive__host", "share__progressive__config", "share__config"
    )
    for doubt in rows.order_by("pk"):
        accounts = accounts_of(doubt.share.progressive)
        for sentence in _faults(doubt):
            yield Fault(f"doubt {doubt.pk} of share {doubt.share_id}", sentence, accounts)


def _faults(doubt: Doubt) -> Iterator[str]:
    if not doubts.is_genuine(doubt):
        yield "no process of this installation wrote it: the order does not heed it"
        return
    if doubt.found_by is None:
        return  # from before its samples were kept
    try:
        found_by = doubts.FoundBy.of(doubt)
        before = _before(doubt)
        after = found_by.applied(before, lock_of(doubt.share).placed.earliest)
    except UNREADABLE as error:
        yield f"what it was found by cannot be read: {type(error).__name__}: {error}"
        return
    if found_by.contradiction is None:
        yield from _faults_of_line(found_by)
    elif found_by.clock != doubt.share.clock:
        yield f"it is of clock {found_by.clock}, the hit was stamped by {doubt.share.clock or 'none'}"
    jump_us = found_by.jump_us
    if jump_us is None:
        yield "its two samples of the clock agree with each other"
    elif jump_us // 1_000 != doubt.jump_ms:
        yield f"it says that the clock went by {doubt.jump_ms} ms, its samples give {jump_us // 1_000}"
    if after == before:
        yield "by what was known then nothing of the hit was doubtful"
    elif (after.earliest, after.latest) != doubts.interval_of(doubt):
        yield "its interval is not what the samples, the hit and how far its table had vouched give"


def _faults_of_line(found_by: doubts.FoundBy) -> Iterator[str]:
    line = ServerClock.objects.filter(began_at=instant_of(found_by.line_since)).first()
    if line is None or line.pk in server_clock.forged():
        yield "no genuine line of the server's time begins where it says"
    elif line.agreed_at != instant_of(found_by.since) or (line.step_us or 0) != found_by.step_us:
        yield "the line of the server's time says another step, or since when it was doubtful"


def _before(doubt: Doubt) -> Placed:
    earlier = Doubt.objects.filter(share=doubt.share_id, pk__lt=doubt.pk).order_by("pk")
    return placed_by(doubt.share, earlier)
