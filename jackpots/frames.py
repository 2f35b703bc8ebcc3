"""Meter frames: what the signs are told, numbered, logged once when it changes, and sent over Redis.

A frame carries its sequence, the server's time and the values; the same values again are the same sequence with a
newer time, so that a sign knows that it is alive. Redis may lose any frame: the next one has everything.
"""

from __future__ import annotations

import json
from typing import Any

import structlog
from django.db import transaction
from django.utils import timezone
from redis.exceptions import RedisError

from config.redis import client
from jackpots.live import live
from jackpots.models import Frame, Progressive, Win
from rules.money import format_money

log = structlog.get_logger(__name__)
RECENT_WINS = 3


PREFIX = "potline:meter:"
PATTERN = f"{PREFIX}*"


def channel(code: str) -> str:
    """The Redis channel of a progressive."""
    return f"{PREFIX}{code}"


def publish(progressive_id: int) -> dict[str, Any]:
    """Logs a frame if anything changed, and sends the newest in any case."""
    frame = snapshot(progressive_id)
    try:
        client().publish(channel(frame["progressive"]), json.dumps(frame))
    except RedisError as error:
        log.warning("frame_not_sent", progressive=frame["progressive"], error=str(error))
    return frame


@transaction.atomic
def snapshot(progressive_id: int) -> dict[str, Any]:
    """The newest frame with the time of now; under the progressive's lock, so that sequences follow the values."""
    progressive = (
        Progressive.objects.select_for_update(no_key=True, of=("self",))
        .select_related("config", "armed_config", "host")
        .get(pk=progressive_id)
    )
    body = frame_body(progressive)
    last = progressive.frames.filter(sequence=progressive.frame_sequence).first()
    if last is None or last.body != body:
        progressive.frame_sequence += 1
        progressive.save(update_fields=["frame_sequence"])
        Frame.objects.create(progressive=progressive, sequence=progressive.frame_sequence, body=body)
    return {
        "progressive": progressive.code,
        "sequence": progressive.frame_sequence,
        "at": timezone.now().isoformat(),
        **body,
    }


def frame_body(progressive: Progressive) -> dict[str, Any]:
    """Levels, hands that are not final yet with what they would get, and the last wins."""
    now = live(progressive)
    shown = now.shown()
    wins = Win.objects.filter(progressive=progressive).select_related("link").order_by("-pk")
    return {
        "name": progressive.name,
        "currency": progressive.host.currency,
        "levels": [{"level": level, "value": format_money(micros)} for level, micros in shown.items()],
        "pending": [
            {
                "table": pending.event.link.table_code,
                "seat": payment.seat,
                "hand": payment.trigger,
                "level": payment.level,
                "amount": format_money(payment.amount_micros),
            }
            for pending in now.pending
            for payment in pending.payments
        ],
        "wins": [
            {
                "id": win.pk,
                "table": win.link.table_code,
                "seat": win.seat,
                "hand": win.trigger,
                "level": win.level,
                "amount": format_money(win.amount_micros),
                "resolved_at": win.resolved_at.isoformat(),
            }
            for win in wins[:RECENT_WINS]
        ],
        "resets": sum(level.resets for level in now.state.levels),
    }
