"""What frames say and what they were made of: of new ones in `FrameText`, of old ones in their own row, of a month that
is kept elsewhere not here (ledger.months.months)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from config.kit.canonical_json import canonical_json
from config.kit.fastsql.statements import first_row
from jackpots.models import Frame, FrameText
from jackpots.models.signs import FRAME_VERSION

_ADD = """
    WITH frame AS (
        INSERT INTO jackpots_frame (progressive_id, sequence, at, version, sha256)
        VALUES (%s, %s, coalesce(%s, statement_timestamp()), %s, %s) RETURNING id
    ), beside AS (INSERT INTO jackpots_frametext (frame_id, text) SELECT id, %s FROM frame)
    SELECT id FROM frame
"""


def add(
    progressive_id: int,
    sequence: int,
    body: dict[str, Any],
    basis: dict[str, Any] | None,
    at: datetime | None = None,
) -> None:
    """A frame and its text, by one statement."""
    text = text_of(body, basis)
    digest = hashlib.sha256(text.encode()).hexdigest()
    first_row(_ADD, [progressive_id, sequence, at, FRAME_VERSION, digest, text])


def text_of(body: dict[str, Any], basis: dict[str, Any] | None) -> str:
    return canonical_json({"basis": basis, "body": body})


def with_texts(frames: Iterable[Frame]) -> list[Frame]:
    """The same in their order, each with its body and basis; without a body: its text is not here."""
    found = list(frames)
    unread = [frame for frame in found if frame.body is None]
    texts = FrameText.objects.filter(frame__in=[frame.pk for frame in unread])
    said = dict(texts.values_list("frame_id", "text"))
    for frame in unread:
        frame.is_read = True
        if frame.pk in said:
            document = json.loads(said[frame.pk])
            frame.body, frame.basis = document["body"], document["basis"]
    return found


def first_with_text(frames: QuerySet[Frame]) -> Frame | None:
    return next(iter(with_texts(frames[:1])), None)
