"""Meter frames: what the signs are told, numbered, logged once when it changes, and sent over Redis.

A frame carries its sequence, the server's time and the values; the same values again are the same sequence with a
newer time, so that a sign knows that it is alive. Redis may lose any frame: the next one has everything.
"""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.db import transaction
from django.db.models import Max, Prefetch, Q
from django.utils import timezone
from redis.exceptions import RedisError

from config import keys
from config.documents import check_version
from config.redis import client
from jackpots.decided_order import Armed, Run, Tail
from jackpots.folding import budget
from jackpots.instants import micros_of
from jackpots.models import (
    Doubt,
    Event,
    FoldRun,
    Frame,
    Progressive,
    ProgressiveConfig,
    Ruling,
    Share,
    Win,
    opening_pots,
)
from jackpots.models.signs import FRAME_VERSION
from jackpots.order import in_order
from jackpots.signs.live import Live, as_if_final, live, lowest
from rules.money import format_money

logger = structlog.get_logger(__name__)
RECENT_WINS = 3
MAX_BYTES = 1_000_000
"""Of a frame on Redis; a real one has about a thousand, and a hundred more for each hand that is pending."""
SIGNATURE_BYTES = 64
STALE = timedelta(seconds=60)
"""A frame that was signed longer ago is not sent on: whoever has kept one cannot show it again."""
_KINDS = {
    "progressive": str, "sequence": int, "at": str, "currency": str, "levels": list, "pending": list, "wins": list,
}  # fmt: skip
_FIGURE = re.compile(r"\d+\.\d\d", re.ASCII)

PREFIX = "potline:meter:"
PATTERN = f"{PREFIX}*"


def channel(code: str) -> str:
    """The Redis channel of a progressive."""
    return f"{PREFIX}{code}"


def publish(progressive_id: int) -> dict[str, Any]:
    """Logs a frame if anything changed, and sends the newest in any case."""
    frame = snapshot(progressive_id)
    try:
        client().publish(channel(frame["progressive"]), packed(frame))
    except RedisError as error:
        logger.warning("frame_not_sent", progressive=frame["progressive"], error=str(error))
    return frame


def packed(frame: dict[str, Any]) -> str:
    """A frame as it goes over Redis: signed by a key that only web and workers have."""
    text = json.dumps(frame)
    return f"{_signature(frame['progressive'], text)}{text}"


def _signature(code: str, text: str) -> str:
    return keys.signature(keys.FRAMES, f"{channel(code)}\n{text}".encode())


def received(channel_name: bytes, data: bytes) -> tuple[str, str]:
    """The progressive's code and the text of a frame that came over Redis; ValueError for whatever is none. Anyone who
    reaches Redis can put anything there, and a sign must get only what a worker signed for it, lately."""
    if len(data) > MAX_BYTES:
        raise ValueError(f"{len(data)} bytes are no frame")
    given, text = data[:SIGNATURE_BYTES].decode(), data[SIGNATURE_BYTES:].decode()
    if not keys.is_signed(keys.FRAMES, channel_name + b"\n" + text.encode(), given):
        raise ValueError("not signed by a key of ours")
    try:
        frame = json.loads(text, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("too deep for a frame") from None
    if not _is_frame(frame) or channel(frame["progressive"]).encode() != channel_name:
        raise ValueError("not a frame of this channel")
    if abs(timezone.now() - datetime.fromisoformat(frame["at"])) > STALE:
        raise ValueError("a frame of long ago, or a clock that is wrong")
    return frame["progressive"], text


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _is_frame(frame: Any) -> bool:
    """It has what every sign reads."""
    return (
        isinstance(frame, dict)
        and all(type(frame.get(key)) is kind for key, kind in _KINDS.items())
        and all(isinstance(item, dict) for key in ("levels", "pending", "wins") for item in frame[key])
        and all(type(level.get(key)) is str for level in frame["levels"] for key in ("level", "value"))
        and all(_FIGURE.fullmatch(level["value"]) for level in frame["levels"])
        and all(
            type(hit.get(key)) is str
            for hit in frame["pending"] + frame["wins"]
            for key in ("hand", "amount")
        )
    )


@transaction.atomic
def snapshot(progressive_id: int) -> dict[str, Any]:
    """The newest frame with the time of now; under the progressive's lock, so that sequences follow the values."""
    progressive = (
        Progressive.objects.select_for_update(no_key=True, of=("self",))
        .select_related("config", "armed_config", "host")
        .get(pk=progressive_id)
    )
    now = live(progressive)
    body = frame_body(progressive, now)
    last = progressive.frames.filter(sequence=progressive.frame_sequence).first()
    if last is None or (last.version, last.body) != (FRAME_VERSION, body):
        progressive.frame_sequence += 1
        progressive.save(update_fields=["frame_sequence"])
        Frame.objects.create(
            progressive=progressive,
            sequence=progressive.frame_sequence,
            body=body,
            basis=_basis(progressive, now),
        )
    return {
        "progressive": progressive.code,
        "sequence": progressive.frame_sequence,
        "at": timezone.now().isoformat(),
        **body,
    }


def stored(progressive_id: int) -> dict[str, Any] | None:
    """The newest frame that a worker has made, with the time of now: for a process that makes none itself."""
    last = (
        Frame.objects.select_related("progressive").filter(progressive=progressive_id).order_by("-sequence")
    )
    frame = last.first()
    if frame is None or frame.version != FRAME_VERSION:
        return None
    code, at = frame.progressive.code, timezone.now().isoformat()
    return {"progressive": code, "sequence": frame.sequence, "at": at, **frame.body}


def _basis(progressive: Progressive, now: Live) -> dict[str, Any]:
    """What a frame is made of: the pots after a fold run, the events that each table had in the log beyond it, those of
    hits that were not public, and what people and clocks had said by then."""
    return {
        "hidden": list(now.hidden),
        "may_add": budget(progressive, timezone.now()),
        "ruling": Ruling.objects.aggregate(last=Max("pk"))["last"] or 0,
        "doubt": Doubt.objects.aggregate(last=Max("pk"))["last"] or 0,
        "run": progressive.runs,
        "until": progressive.folded_until.isoformat() if progressive.folded_until else None,
        "config": progressive.config_id,
        "armed": progressive.armed_config_id,
        "armed_at": progressive.armed_at.isoformat() if progressive.armed_at else None,
        "effect_at": progressive.effect_at.isoformat() if progressive.effect_at else None,
        "tail": {str(table): numbers for table, numbers in now.tail.items()},
    }


def figures_from_log(frame: Frame) -> dict[str, int] | None:
    """The figures of a frame by level, exact, computed anew from the log; None for one that does not say its basis."""
    basis = frame.basis
    if basis is None:
        return None
    check_version(frame.version, FRAME_VERSION, frame)
    configs = ProgressiveConfig.objects.in_bulk(
        [i for i in (basis["config"], basis["armed"]) if i is not None]
    )
    config = configs[basis["config"]]
    run = FoldRun.objects.filter(progressive=frame.progressive_id, number=basis["run"]).first()
    state = run.state if run is not None else opening_pots(frame.progressive)
    tail = Q(pk__in=[])
    for table, (first, last) in basis["tail"].items():
        tail |= Q(event__table_log=int(table), event__number__range=(first, last))
    shares = Share.objects.filter(tail, progressive=frame.progressive_id)
    shares = shares.exclude(event__in=basis.get("hidden", []))
    shares = shares.select_related("event__table_log__premises", "config").prefetch_related(
        Prefetch("doubts", Doubt.objects.filter(pk__lte=basis.get("doubt", 0)))
    )
    if basis["until"] is not None:
        shares = shares.filter(place__gte=basis["until"])
    hits = [share for share in shares if share.event.kind == Event.Kind.HITS]
    others = [share for share in in_order(shares) if share.event.kind != Event.Kind.HITS]
    limit = basis.get("may_add", 0)
    made = Tail(others, hits, lambda place, added: limit - added, basis.get("ruling", 0))
    runs = as_if_final(made, Run(state, config, _armed(basis, configs)))
    return lowest(run.state for run in runs)


def _armed(basis: dict[str, Any], configs: dict[int, ProgressiveConfig]) -> Armed | None:
    """What was armed when a frame was made; earlier ones do not say since when."""
    config = configs.get(basis["armed"])
    if config is None:
        return None
    place, effect = (
        micros_of(datetime.fromisoformat(basis[name])) if basis.get(name) else None
        for name in ("armed_at", "effect_at")
    )
    return Armed(config, place or 0, effect)


def frame_body(progressive: Progressive, now: Live) -> dict[str, Any]:
    """Levels, hands that are not final yet with what they would get, and the last wins."""
    shown = now.shown()
    wins = Win.objects.filter(progressive=progressive).select_related("table_log").order_by("-pk")
    # What a second thought takes back is no win, and what it adds to one is not news.
    wins = wins.exclude(state=Win.State.SUPERSEDED).filter(Q(adjustment__isnull=True) | Q(held__isnull=False))
    return {
        "name": progressive.name,
        "currency": progressive.host.currency,
        "levels": [{"level": level, "value": format_money(micros)} for level, micros in shown.items()],
        "pending": [
            {
                "table": pending.share.event.table_log.table_code,
                "seat": payment.seat,
                "hand": payment.trigger,
                "level": payment.level,
                # None where people have to say first in which order the hits fell.
                "amount": "" if pending.to_rule else format_money(payment.amount_micros),
            }
            for pending in now.pending
            for payment in pending.payments
        ],
        "wins": [
            {
                "id": win.pk,
                "table": win.table_log.table_code,
                "seat": win.seat,
                "hand": win.trigger,
                "level": win.level,
                "amount": format_money(win.amount_micros),
                "resolved_at": win.resolved_at.isoformat(),
            }
            for win in wins[:RECENT_WINS]
        ],
        "resets": now.resets,
        "out": tables_out(progressive),
    }


def tables_out(progressive: Progressive) -> list[str]:
    """Open tables that take no part now: suspended by people, or left out by two people or by the policy."""
    links = progressive.links.select_related("table_log").filter(table_log__is_open=True)
    suspended = Q(suspended_at__isnull=False, resumed_at__isnull=True)
    out = links.filter(suspended | Q(left_out_at__isnull=False) | Q(table_log__left_out_at__isnull=False))
    return sorted(link.table_log.table_code for link in out)
