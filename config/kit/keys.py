"""Every key of the installation: made from one secret (POTLINE_SECRET_KEY), for each purpose another.

Web and workers hold the secret. The process of signs does not: whoever starts it hands it the keys that it needs
(POTLINE_KEYS, `handed_out`), and from these nobody can compute the secret or another key.

The first signs and encrypts; those of POTLINE_SECRET_KEY_FALLBACKS are still read, so that keys can be changed without
a pause. docs/operations.md says how, and what the loss of the secret means.
"""

from __future__ import annotations

import base64
import hmac
import json
from collections.abc import Callable, Iterable
from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

FRAMES = "frames"
"""What workers put on Redis for the signs."""
SIGN_TOKENS = "sign tokens"
"""The token that follows a sign's, to which its page moves on by itself; and how signs' tokens stand on record."""
SECOND_FACTORS = "second factors"
TERMINALS = "terminal signatures"
"""The keys by which terminals sign: one from each token's hash."""
TERMINAL_TOKENS = "terminal tokens"
"""How terminals' tokens stand on record (people.on_record.standing); signs' stand there under SIGN_TOKENS."""
PEOPLE = "people"
"""How passwords and roles stand on record."""
AUDIT_TRAIL = "audit trail"
"""Hallmarks: what only a process of Potline can have written, whoever else has a log-in to the database."""
ALERTS = "alerts"
"""What web and workers tell, and who has looked."""
ALERTS_OF_SIGNS = "alerts:signs"
"""What signs tell, which is of their own kinds."""
WATERMARKS = "watermarks"
FOLD_RUNS = "fold runs"
"""Of hits: by whose word they were final, and in which order."""
VERIFIED = "verified mark"
"""How far the watchdog has come."""
DOUBTS = "doubts"
"""Of hits whose terminal's clock was found to have jumped: the door signs them, the order reads them."""
SERVER_CLOCKS = "server clocks"
LOG_INS = "log-ins"
INVITATIONS = "invitations"
"""Under which the tokens of invitations are kept: whoever knows a token cannot add a row that it opens."""
SET_UP = "set-up"
"""The code by which whoever runs the machine sets an empty installation up in the browser."""
LOG_IN_GUARD = "log-in guard"
"""Names and addresses of failed log-ins, which are counted and never read."""
EVIDENCE = "evidence packs"
"""What goes out signed: by Ed25519, so that anybody can check it who has the public key."""

HELD_BY = {"signs": (FRAMES, SIGN_TOKENS, ALERTS_OF_SIGNS)}
"""By part, the purposes whose keys are all that it holds. Parts that are not here hold the secret."""


_renewals: list[Callable[[], str]] = []


def on_renewal(renew_all: Callable[[], str]) -> Callable[[], str]:
    """Decorates what a room does when `manage.py renew_keys` runs; it says what it did."""
    _renewals.append(renew_all)
    return renew_all


def renewals() -> list[Callable[[], str]]:
    return list(_renewals)


def keys_for(purpose: str) -> list[bytes]:
    """32 bytes each, the one in use first."""
    if settings.HELD_KEYS:
        if purpose not in settings.HELD_KEYS:
            raise ImproperlyConfigured(
                f"This process holds no key for {purpose}, only for {', '.join(settings.HELD_KEYS)} (POTLINE_KEYS)."
            )
        return list(settings.HELD_KEYS[purpose])
    return [_key(secret, purpose) for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)]


@lru_cache(maxsize=64)
def _key(secret: str, purpose: str) -> bytes:
    return hmac.digest(secret.encode(), b"potline key for " + purpose.encode(), "sha256")


def handed_out(part: str, secrets: Iterable[str]) -> str:
    """What POTLINE_KEYS says to a part; of the secrets the one in use comes first."""
    given = list(secrets)
    return json.dumps(
        {purpose: [_key(secret, purpose).hex() for secret in given] for purpose in HELD_BY[part]}
    )


def signatures(purpose: str, data: bytes) -> list[str]:
    """By each key, the one in use first."""
    return [hmac.digest(key, data, "sha256").hex() for key in keys_for(purpose)]


def signature(purpose: str, data: bytes) -> str:
    return hmac.digest(keys_for(purpose)[0], data, "sha256").hex()


def hallmark(purpose: str, data: bytes) -> str:
    """The signature of what is kept: by a key that is kept as well, not by one that a command made for itself."""
    demand_a_kept_one()
    return signature(purpose, data)


def demand_a_kept_one() -> None:
    if not (settings.SECRET_KEY_GIVEN or settings.HELD_KEYS or settings.DEMO):
        raise ImproperlyConfigured(
            "POTLINE_SECRET_KEY is not set: hallmarks of the audit trail are made and read by it. Give this command "
            "the secret of the web servers and workers."
        )


def is_signed(purpose: str, data: bytes, given: str) -> bool:
    return any(hmac.compare_digest(each.encode(), given.encode()) for each in signatures(purpose, data))


# --- Signatures that others check: the public key is shown, the private one is made of the secret -------------
def sign_for_all(purpose: str, data: bytes) -> bytes:
    """64 bytes, by the key in use, which must be one that is kept."""
    demand_a_kept_one()
    return Ed25519PrivateKey.from_private_bytes(keys_for(purpose)[0]).sign(data)


def public_keys(purpose: str) -> list[str]:
    """By which others check, in hex: the one in use first, then those of earlier secrets that are still given."""
    made = (Ed25519PrivateKey.from_private_bytes(key).public_key() for key in keys_for(purpose))
    return [key.public_bytes_raw().hex() for key in made]


def _fernet(purpose: str) -> MultiFernet:
    return MultiFernet([Fernet(base64.urlsafe_b64encode(key)) for key in keys_for(purpose)])


def encrypt(purpose: str, text: str) -> str:
    return _fernet(purpose).encrypt(text.encode()).decode()


def decrypt(purpose: str, text: str) -> str | None:
    """None where no key of ours opens it: the secret was lost, or another installation wrote it."""
    try:
        return _fernet(purpose).decrypt(text.encode()).decode()
    except InvalidToken:
        return None
