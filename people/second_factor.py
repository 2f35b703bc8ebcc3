"""The second factor: an authenticator's six digits (TOTP, RFC 6238, by pyotp). Set up by the person alone.

The secret is encrypted in the database (config.keys), and no code is taken twice: the row keeps the step of the last.
"""

from __future__ import annotations

import hmac

import pyotp
import segno
from django.db import transaction
from django.utils import timezone

from config import keys
from config.refusals import NOT_NOW, Refused, wrong
from people import audit
from people.models import SecondFactor, User

STEP_S = 30
STEPS_AROUND = 1
"""A clock may be off by half a minute, and typing takes a while."""


def is_set_up(person: User) -> bool:
    return SecondFactor.objects.filter(person=person, confirmed_at__isnull=False).exists()


@transaction.atomic
def begin(person: User, *, anew: bool = False) -> str:
    """The secret to be put into the authenticator: the one that waits for its first code, or a new one. Each page that
    shows it makes it anew, so that whoever saw one before has nothing."""
    found = SecondFactor.objects.select_for_update().filter(person=person).first()
    if found is not None and found.confirmed_at is not None:
        text = "You have a second factor already. If the device is lost, ask an administrator for a new link."
        raise Refused("second_factor_known", text, status=NOT_NOW)
    known = keys.decrypt(keys.SECOND_FACTORS, found.secret) if found else None
    if known is not None and not anew:
        return known
    secret = pyotp.random_base32()
    encrypted = keys.encrypt(keys.SECOND_FACTORS, secret)
    SecondFactor.objects.update_or_create(person=person, defaults={"secret": encrypted})
    return secret


@transaction.atomic
def confirm(person: User, code: str) -> None:
    """The first code is right: from now on every log-in asks for one."""
    if is_set_up(person):
        raise Refused("second_factor_known", "You have a second factor already.", status=NOT_NOW)
    if not _take(person, code, waiting=True):
        text = "That is not the code of this moment. See that the device's clock is right, and give the next one."
        raise wrong("code", text)
    SecondFactor.objects.filter(person=person).update(confirmed_at=timezone.now())
    audit.record(person, "people.second_factor_set_up", subject=person)


def check(person: User, code: str) -> bool:
    """Whether it is a code of this moment that was not taken before; it is taken by that."""
    return _take(person, code, waiting=False)


@transaction.atomic
def _take(person: User, code: str, *, waiting: bool) -> bool:
    rows = SecondFactor.objects.select_for_update().filter(person=person, confirmed_at__isnull=waiting)
    row = rows.first()
    secret = keys.decrypt(keys.SECOND_FACTORS, row.secret) if row is not None else None
    if row is None or secret is None:
        return False
    given = "".join(code.split())
    now = int(timezone.now().timestamp()) // STEP_S
    totp = pyotp.TOTP(secret)
    for step in range(now - STEPS_AROUND, now + STEPS_AROUND + 1):
        if step > row.last_step and hmac.compare_digest(totp.generate_otp(step).encode(), given.encode()):
            row.last_step = step
            row.save(update_fields=["last_step"])
            return True
    return False


def forget(person: User) -> bool:
    """The device is lost, or the person has left; the caller's record says why."""
    deleted, _ = SecondFactor.objects.filter(person=person).delete()
    return bool(deleted)


def qr_code(person: User, secret: str) -> str:
    """The address that authenticators read, as a picture for a page."""
    address = pyotp.TOTP(secret).provisioning_uri(name=person.username, issuer_name="Potline")
    return segno.make(address, error="m").svg_data_uri(scale=4, dark="#1c2422", light="#ffffff")


def renew_keys() -> tuple[int, int]:
    """All secrets under the key in use; how many, and how many no key of ours opens."""
    renewed = lost = 0
    for pk in SecondFactor.objects.values_list("pk", flat=True):
        with transaction.atomic():
            row = SecondFactor.objects.select_for_update().filter(pk=pk).first()
            if row is None:
                continue
            secret = keys.renew(keys.SECOND_FACTORS, row.secret)
            if secret is None:
                lost += 1
                continue
            row.secret = secret
            row.save(update_fields=["secret"])
            renewed += 1
    return renewed, lost
