"""The way of a frame over Redis: signed by whoever makes it, checked by whoever passes it on, and kept there a minute.

What is kept is for newcomers and for those who poll: made once, however many ask. Redis may lose any of it: the next
second's frame has everything.
"""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.utils import timezone
from redis.exceptions import RedisError

from config.kit import keys
from config.kit.redis import client
from jackpots.models import Display, Frame
from jackpots.models.signs import FIRST_FRAME_VERSION, FRAME_VERSION
from jackpots.signs.frame_texts import first_with_text

logger = structlog.get_logger(__name__)
MAX_BYTES = 1_000_000
"""Of a frame on Redis; a real one has about a thousand, and a hundred more for each hand that is pending."""
SIGNATURE_BYTES = 64
KEPT = timedelta(seconds=60)
"""A frame that was signed longer ago is not sent on: whoever has kept one cannot show it again."""
LIVE = timedelta(seconds=5)
"""Frames come every second; one that was made longer ago says nothing of now."""
_KINDS = {
    "progressive": str, "sequence": int, "at": str, "currency": str, "levels": list, "pending": list, "wins": list,
}  # fmt: skip
_BOARD_KINDS = {"board": str, "sequence": int, "at": str, "game": str, "limits": list, "paytables": list}
_FIGURE = re.compile(r"\d+\.\d\d", re.ASCII)
PREFIX = "potline:sign:"
PATTERN = f"{PREFIX}*"
METER, BOARD = f"{PREFIX}meter:", f"{PREFIX}board:"


def meter_channel(code: str) -> str:
    """The Redis channel of a progressive, and the key under which its newest frame is kept."""
    return f"{METER}{code}"


def board_channel(place: str) -> str:
    """The same of a table: `harbour/CS-01`."""
    return f"{BOARD}{place}"


def channels_of(display: Display) -> list[str]:
    """What a sign listens to."""
    table = display.setup["table"] if display.setup else ""
    boards = [board_channel(f"{display.premises.code}/{table}")] if table else []
    return [*map(meter_channel, display.codes), *boards]


def send(channel: str, frame: dict[str, Any]) -> None:
    try:
        both, told = client().pipeline(transaction=False), packed(channel, frame)
        both.set(channel, told, ex=KEPT)
        both.publish(channel, told)
        both.execute()
    except RedisError as error:
        logger.warning("frame_not_sent", channel=channel, error=str(error))


def packed(channel: str, frame: dict[str, Any]) -> str:
    """A frame as it goes over Redis: signed by a key that only web and workers have."""
    text = json.dumps(frame)
    return f"{_signature(channel, text)}{text}"


def _signature(channel: str, text: str) -> str:
    return keys.signature(keys.FRAMES, f"{channel}\n{text}".encode())


def received(channel: bytes, data: bytes) -> str:
    """The text of a frame that came over Redis; ValueError for whatever is none. Anyone who reaches Redis can put
    anything there, and a sign must get only what a worker signed for it, lately."""
    if len(data) > MAX_BYTES:
        raise ValueError(f"{len(data)} bytes are no frame")
    given, text = data[:SIGNATURE_BYTES].decode(), data[SIGNATURE_BYTES:].decode()
    if not keys.is_signed(keys.FRAMES, channel + b"\n" + text.encode(), given):
        raise ValueError("not signed by a key of ours")
    try:
        frame = json.loads(text, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("too deep for a frame") from None
    if not isinstance(frame, dict) or not _is_frame(frame) or channel_of(frame).encode() != channel:
        raise ValueError("not a frame of this channel")
    if abs(timezone.now() - datetime.fromisoformat(frame["at"])) > KEPT:
        raise ValueError("a frame of long ago, or a clock that is wrong")
    return text


def channel_of(frame: dict[str, Any]) -> str:
    return board_channel(frame["board"]) if "board" in frame else meter_channel(frame["progressive"])


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _is_frame(frame: dict[str, Any]) -> bool:
    """It has what every sign reads."""
    if "board" in frame:
        return all(type(frame.get(key)) is kind for key, kind in _BOARD_KINDS.items())
    return (
        all(type(frame.get(key)) is kind for key, kind in _KINDS.items())
        and all(isinstance(item, dict) for key in ("levels", "pending", "wins") for item in frame[key])
        and all(type(level.get(key)) is str for level in frame["levels"] for key in ("level", "value"))
        and all(_FIGURE.fullmatch(level["value"]) for level in frame["levels"])
        and all(
            type(hit.get(key)) is str
            for hit in frame["pending"] + frame["wins"]
            for key in ("hand", "amount")
        )
    )


# --- For newcomers and for those who poll ---------------------------------------------------------------------
def newest(channel: str) -> str | None:
    """The newest frame there is: as it was last sent, else as it was last logged. One that nobody sends any more says
    that it is not live."""
    try:
        kept = client().get(channel)
        if isinstance(kept, bytes):
            text = received(channel.encode(), kept)
            frame = json.loads(text)
            return text if is_live(frame) else json.dumps(frame | {"live": False})
    except (RedisError, ValueError) as error:
        logger.warning("newest_frame_not_kept", channel=channel, error=str(error)[:200])
    logged = _logged(channel)
    return None if logged is None else json.dumps(logged | {"live": False})


def _logged(channel: str) -> dict[str, Any] | None:
    """Of a frame that was logged nobody knows whether it still holds: a worker would have sent it again. Boards are not
    read from the log: a limit that no longer holds is worse than none."""
    if not channel.startswith(METER):
        return None
    rows = Frame.objects.select_related("progressive").filter(progressive__code=channel.removeprefix(METER))
    frame = first_with_text(rows.order_by("-sequence"))
    if frame is None or frame.body is None or frame.version not in (FIRST_FRAME_VERSION, FRAME_VERSION):
        return None
    at = frame.at.isoformat()
    return {"progressive": frame.progressive.code, "sequence": frame.sequence, "at": at, **frame.body}


def is_live(frame: dict[str, Any]) -> bool:
    """Whether it was made within the last seconds."""
    made = datetime.fromisoformat(frame["at"])
    return frame.get("live", True) and abs(timezone.now() - made) <= LIVE
