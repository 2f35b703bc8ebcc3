"""The form of a terminal's message, before anybody asks what it means: plain JSON of moderate size, times that a clock
can show, wagers that fit the columns they are kept in. What a round may contain is for `rules` to say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from typing import Any, TypeVar
from uuid import UUID

from django.utils.dateparse import parse_datetime

from config.kit.canonical_json import canonical_json_of_plain
from config.kit.moments import is_kept
from config.kit.refusals import Refused, wrong_at
from jackpots.order.instants import micros_of
from rules.contract import Wager
from rules.money import dollars, format_money
from rules.progressive.clocks import Envelope as Times
from tables.door.chain import Head, parse_head

MAX_DEPTH = 20
MAX_TEXT_LENGTH = 200
MAX_NAME_LENGTH = 64
"""Of a wager's id, player and selection."""
OWN_CLOCK = "(house)"
"""The clock of what people tell for a terminal that is gone: the server's own, known to the microsecond."""
MAX_WAGERS = 10_000
"""In one round: a crowd at one table."""
MAX_STAKE_MICROS = dollars(10_000_000_000)
"""Far above any limit, and with any odds within the 64 bits of the books."""
OLDEST = timedelta(days=7)
"""A terminal that comes back after an outage sends hours, not weeks: an older time is a wrong clock."""
_UNFIT = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Incoming:
    """A terminal's event after its form was checked."""

    number: int
    kind: str
    at: datetime
    clock: str
    """Of the terminal's clocks the one that `at` was read from; "": it does not say."""
    round_uid: UUID
    """All zeros for what is about the table, not about a round."""
    body: Mapping[str, Any]
    text: str
    """All of it as canonical JSON, to be kept."""
    sha256: str


@dataclass(frozen=True, slots=True)
class Envelope:
    """The times of a request, which are no part of its events, and whose they are."""

    session: int | None
    times: Times
    head: Head | None
    """Of the table's chain, as the last answer said."""


ABOUT_THE_TABLE = ("goodbye",)


def parse_envelope(given: object) -> Envelope | None:
    """None: the request has none, which is enough for a table without a jackpot."""
    if given is None:
        return None
    if not isinstance(given, Mapping):
        raise wrong_at("envelope", "an object of times.")
    _check_form(given, "envelope")
    times = Times(
        clock=_clock(given.get("clock"), "envelope.clock"),
        sent_at=micros_of(parse_time(given.get("sent_at"), "envelope.sent_at")),
        echo=_time(given, "echo"),
        echo_received_at=_time(given, "echo_received_at"),
        told_until=_time(given, "told_until"),
        last_number=_count(given, "last_number", 0),
        last_stamped=_count(given, "last_stamped", 0),
    )
    session = _count(given, "session", None)
    if (times.echo is None) != (times.echo_received_at is None):
        raise wrong_at("envelope", "echo and echo_received_at come together.")
    head = parse_head(given.get("head"))
    if head is not None and session is None:  # numbers begin anew with each
        raise wrong_at("envelope", "head comes with the session that it is of.")
    return Envelope(session, times, head)


def _clock(value: object, field: str) -> str:
    if not isinstance(value, str) or not 1 <= len(value) <= MAX_NAME_LENGTH or value == OWN_CLOCK:
        text = f"text of 1 to {MAX_NAME_LENGTH} characters that names the clock, and not {OWN_CLOCK!r}."
        raise wrong_at(field, text)
    return value


def _time(given: Mapping[str, Any], name: str) -> int | None:
    value = given.get(name)
    return None if value is None else micros_of(parse_time(value, f"envelope.{name}"))


T = TypeVar("T", int, None)


def _count(given: Mapping[str, Any], name: str, default: T) -> int | T:
    value = given.get(name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise wrong_at(f"envelope.{name}", f"a whole number, not {value!r}.")
    return value


def parse(message: Mapping[str, Any], kinds: Iterable[str], envelope: Envelope | None = None) -> Incoming:
    _check_form(message, "event")
    number, kind, body = message.get("number"), message.get("kind"), message.get("body", {})
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise wrong_at("number", "events are numbered 1, 2, 3, ... by the terminal, without gaps.")
    if not isinstance(kind, str) or kind not in kinds:
        raise wrong_at("kind", f"{kind!r} is not one of {', '.join(kinds)}.")
    if not isinstance(body, Mapping):
        raise wrong_at("body", "expected an object.")
    round_uid = UUID(int=0) if kind in ABOUT_THE_TABLE else _round_uid(message)
    at = parse_time(message.get("at"), "at")
    clock = "" if envelope is None else envelope.times.clock
    if "clock" in message:
        clock = _clock(message["clock"], "clock")
    text = canonical_json_of_plain(message)
    return Incoming(number, kind, at, clock, round_uid, body, text, sha256(text.encode()).hexdigest())


def _round_uid(message: Mapping[str, Any]) -> UUID:
    try:
        return UUID(str(message.get("round")))
    except ValueError:
        raise wrong_at("round", "the terminal gives each round a UUID of its own.") from None


_read_time = lru_cache(maxsize=1_000)(parse_datetime)
"""The seats of a round often say the same moment."""


def parse_time(value: object, field: str) -> datetime:
    try:
        found = _read_time(value) if isinstance(value, str) else None
    except ValueError:
        found = None
    if found is None or found.tzinfo is None or not (2000 <= found.year < 2100 and is_kept(found)):
        raise wrong_at(field, f"a time is text such as '2026-03-01T21:14:03.250+13:00', not {value!r}.")
    return found


def check_clock(at: datetime, now: datetime, field: str) -> None:
    """Money goes to the gaming day that the terminal's clock says, so a clock that is days behind is refused."""
    if at < now - OLDEST:
        raise Refused(
            "clock",
            f"{field}: {at.isoformat()} is more than {OLDEST.days} days ago. Set the terminal's clock and send "
            "the event again with the right time.",
        )


def merge_dealt(dealt: dict[str, Any], more: Mapping[str, Any]) -> None:
    """What is dealt by and by: to a seat that has cards, more of them."""
    for name, value in more.items():
        old = dealt.get(name)
        dealt[name] = {**old, **value} if isinstance(old, dict) and isinstance(value, dict) else value


def check_wagers_fit(wagers: Iterable[Wager]) -> None:
    count = 0
    for count, wager in enumerate(wagers, start=1):
        for name in ("id", "player", "selection"):
            if len(getattr(wager, name)) > MAX_NAME_LENGTH:
                raise wrong_at(
                    f"wagers[{count - 1}].{name}", f"text of at most {MAX_NAME_LENGTH} characters."
                )
        if wager.stake > MAX_STAKE_MICROS:
            most = format_money(MAX_STAKE_MICROS)
            raise wrong_at(f"wagers[{count - 1}].stake", f"at most {most}.")
    if count > MAX_WAGERS:
        raise wrong_at("wagers", f"a round has at most {MAX_WAGERS} wagers, not {count}.")


def check_plain_document(value: object, field: str) -> None:
    """What people say of a round is held to the form of what terminals say."""
    _check_form(value, field)


def _check_form(value: object, field: str) -> None:
    """As `_check_plain`, which has words for what is wrong and takes ten times as long."""
    if not _looks_plain(value):
        _check_plain(value, field, 0)


def _looks_plain(value: object) -> bool:
    """Whether nothing is wrong for sure: texts and numbers are gathered and looked at together."""
    texts: list[str] = []
    numbers: list[int] = [0]
    level: list[Any] = [value]
    for _ in range(MAX_DEPTH + 1):
        deeper: list[Any] = []
        for item in level:
            kind = type(item)
            if kind is str:
                texts.append(item)
            elif kind is int:
                numbers.append(item)
            elif kind is dict:
                texts += item
                deeper += item.values()
            elif kind is list:
                deeper += item
            elif item is not None and kind is not bool:
                return False
        level = deeper
    if level or max(numbers) >= 2**63 or min(numbers) <= -(2**63):
        return False
    try:
        return max(map(len, texts), default=0) <= MAX_TEXT_LENGTH and not _UNFIT.search("".join(texts))
    except TypeError:  # a name that is no text
        return False


def _check_plain(value: object, field: str, depth: int) -> None:
    """Nothing that has no exact form (floats) and nothing that PostgreSQL or a person could not read back."""
    if depth > MAX_DEPTH:
        raise wrong_at(field[:MAX_TEXT_LENGTH], f"nested more than {MAX_DEPTH} deep.")
    if isinstance(value, str):
        if len(value) > MAX_TEXT_LENGTH or _UNFIT.search(value):
            raise wrong_at(
                field,
                f"text of at most {MAX_TEXT_LENGTH} characters, none of them a control character.",
            )
    elif isinstance(value, float):
        raise wrong_at(field, f"a whole number, or money as text such as '2.50'; not {value!r}.")
    elif isinstance(value, int):
        if abs(value) >= 2**63:
            raise wrong_at(field, "a whole number of at most 64 bits.")
    elif isinstance(value, Mapping):
        for key, item in value.items():
            _check_plain(key, field, depth + 1)
            _check_plain(item, f"{field}.{key}", depth + 1)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            _check_plain(item, f"{field}[{index}]", depth + 1)
