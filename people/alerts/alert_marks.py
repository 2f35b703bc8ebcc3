"""Hallmarks of alerts, and of who has looked at them: by keys that are not in the database.

An alert has its place: the third about a sign, say. A key makes a word for the place; the row shows the word's hash
(`origin`). So nobody without a key takes a place before Potline does, and the database lets nobody acknowledge who does
not show the word. Signs have a key of their own, which is good for what signs may tell.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import UTC, datetime

from django.conf import settings

from config.kit import keys
from config.kit.canonical_json import canonical_json
from people.models import Alert, AlertAcknowledgement
from people.models.core import TOLD_BY_SIGNS


def own_purpose() -> str:
    """Of the key by which this process tells."""
    return keys.ALERTS_OF_SIGNS if settings.PROCESS == "signs" else keys.ALERTS


def purposes_of(kind: str) -> tuple[str, ...]:
    """Of the keys that are good for an alert of this kind."""
    return (keys.ALERTS, keys.ALERTS_OF_SIGNS) if kind in TOLD_BY_SIGNS else (keys.ALERTS,)


def sign(alert: Alert, purpose: str) -> None:
    """Not saved yet."""
    alert.origin = _hash(keys.signature(purpose, _place(alert)))
    alert.hallmark = keys.hallmark(purpose, _content(alert))


def is_genuine(alert: Alert, purposes: Iterable[str] | None = None) -> bool:
    """Whether a process of Potline told it, as it stands. Alerts from before hallmarks have none; the database takes no
    more such."""
    if alert.hallmark is None:
        return True
    wanted = purposes_of(alert.kind) if purposes is None else purposes
    return any(keys.is_signed(purpose, _content(alert), alert.hallmark) for purpose in wanted)


def is_by_key_in_use(alert: Alert) -> bool:
    made = (keys.signature(purpose, _content(alert)) for purpose in purposes_of(alert.kind))
    return alert.hallmark is None or alert.hallmark in made


def sign_acknowledgement(made: AlertAcknowledgement) -> None:
    """Not saved yet."""
    words = (
        word
        for purpose in purposes_of(made.alert.kind)
        for word in keys.signatures(purpose, _place(made.alert))
        if _hash(word) == made.alert.origin
    )
    made.word = next(words, "")
    made.hallmark = keys.hallmark(keys.ALERTS, _look(made))


def is_own_word(made: AlertAcknowledgement) -> bool:
    """Whether whom it names has looked, as far as a process of Potline knows."""
    return made.hallmark is None or keys.is_signed(keys.ALERTS, _look(made), made.hallmark)


def _place(alert: Alert) -> bytes:
    return canonical_json(["place", alert.kind, alert.subject, alert.occurrence]).encode()


def _content(alert: Alert) -> bytes:
    """The place's hash is in it, so that no alert can be written a second time."""
    return canonical_json(
        [
            "alert",
            alert.origin,
            alert.kind,
            int(alert.severity),
            alert.subject,
            alert.occurrence,
            alert.text,
            alert.premises_id,
            _time(alert.until),
        ]
    ).encode()


def _look(made: AlertAcknowledgement) -> bytes:
    return canonical_json(
        ["acknowledgement", made.alert_id, made.actor_id, made.note, _time(made.at)]
    ).encode()


def _time(value: datetime | None) -> str | None:
    return None if value is None else value.astimezone(UTC).isoformat()


def _hash(word: str) -> str:
    return hashlib.sha256(word.encode()).hexdigest()
