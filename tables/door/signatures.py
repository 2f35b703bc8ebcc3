"""Terminals sign what they send: an HMAC by a key that never travels, beside the token, which does.

The key is made from the token's hash by the installation's secret (config.kit.keys): it is told once with the token,
ends and is renewed with it, and lies in no database. Each signature carries a number that only grows, so that none is
taken twice. A terminal that may do without is checked too once it signs.
"""

from __future__ import annotations

import hmac
import re

from django.utils.translation import gettext_noop

from config.kit import keys
from config.kit.refusals import NOT_NOW, Refused, wrong_at
from people.alerts import alerts
from people.models import Role
from tables.models import Terminal

WRONG_SIGNATURE = alerts.declare(
    "tables.wrong_signature",
    gettext_noop("A terminal's token was used without its key"),
    severity=alerts.Severity.WARNING,
    roles=[Role.ADMINISTRATOR],
)
HEADER = "Potline-Signature"
LINE = "LINE"
"""Instead of HTTP's method, for a message on a line."""
_FORM = re.compile(r"([1-9]\d{0,17}) ([0-9a-f]{64})", re.ASCII)


def key_of(token_sha256: str) -> str:
    """Told with the token, and by nothing else."""
    return keys.signatures(keys.TERMINALS, token_sha256.encode())[0]


def check(
    terminal: Terminal, token_sha256: str, method: str, path: str, given: str | None, body: bytes
) -> None:
    """Raises where the signature is missing and must not be, is wrong, or was used before."""
    if given is None:
        if terminal.must_sign:
            _tell_people(terminal)
            raise Refused("not_signed", f"{terminal} must sign what it sends: see docs/api.md.", status=403)
        return
    found = _FORM.fullmatch(given)
    if found is None:
        raise wrong_at(HEADER, "a number that grows, a blank, and the HMAC-SHA256 in hex.")
    number, signature = int(found[1]), found[2]
    message = f"{method}\n{path}\n{number}\n".encode() + body
    known = keys.signatures(keys.TERMINALS, token_sha256.encode())
    if not any(hmac.compare_digest(signature, _sign(key, message)) for key in known):
        _tell_people(terminal)
        words = f"The signature is not by the key of {terminal}'s token, or not of this very request."
        raise Refused("wrong_signature", words, status=403)
    newer = Terminal.objects.filter(pk=terminal.pk, last_signed__lt=number)
    if not newer.update(last_signed=number):
        raise Refused(
            "signature_used",
            f"{terminal} has signed {number} or a higher number before: sign it anew with a higher one.",
            status=NOT_NOW,
            retry=True,
        )


def _sign(key: str, message: bytes) -> str:
    return hmac.new(key.encode(), message, "sha256").hexdigest()


def _tell_people(terminal: Terminal) -> None:
    text = (
        f"The token of {terminal} was used, and what came with it was not signed by its key: the terminal has lost the "
        "key, or somebody else has the token. If it is not the terminal, revoke the token."
    )
    alerts.raise_alert(WRONG_SIGNATURE, terminal, text, premises=terminal.table.premises)
