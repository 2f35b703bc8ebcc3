"""What the jackpots room hands to `manage.py verify` about frames: their texts."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import islice

from jackpots.models import Frame, FrameText
from jackpots.months import TEXTS
from ledger.months import months
from ledger.verify.verify import Fault, Span, register

SOME = 1_000
_GONE = "its text is not the one that it was logged with, or is gone"


@register("jackpots.frames", "Every frame has its text, and every text a frame", in_pieces=False)
def frames_have_texts(span: Span) -> Iterator[Fault]:
    """Of a stretch those under a seal, the first of each minute; of all of history the others, too."""
    if not span.whole:
        yield from _of_stretch(span)
        return
    away = [months.numbers_of(move.month) for move in months.elsewhere() if months.FRAMES in move.rows]
    for pk in TEXTS.missing((0, 2**63 - 1), but=away):
        yield Fault(f"frame {pk}", _GONE)
    for pk in TEXTS.without_rows():
        yield Fault(f"text of frame {pk}", "there is no such frame that would have its text here")


def _of_stretch(span: Span) -> Iterator[Fault]:
    frames = Frame.objects.filter(body__isnull=True, **span.of()).order_by("xact_id", "pk")
    rows = frames.values_list("pk", "sha256").iterator(chunk_size=SOME)
    while some := dict(islice(rows, SOME)):
        texts = FrameText.objects.filter(frame__in=list(some)).values_list("frame_id", "text")
        right = {pk for pk, text in texts if sha256(text.encode()).hexdigest() == some[pk]}
        wrong = [pk for pk in some if pk not in right]
        away = months.elsewhere_of(wrong, months.FRAMES)
        yield from (Fault(f"frame {pk}", _GONE) for pk in wrong if pk not in away)
