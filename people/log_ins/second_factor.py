"""The second factor: an authenticator's six digits (TOTP, RFC 6238, by pyotp). Set up by the person alone.

The secret is encrypted in the database (config.kit.keys) together with whose it is, and no code is taken twice: the row
keeps the step of the last. Whether a person has one is in the audit trail as well, with a mark of the secret: who takes
the row away or puts another secret in its place by SQL lets nobody in without a code.
"""

from __future__ import annotations

import hmac

import pyotp
import segno
from django.db import transaction
from django.utils import timezone

from config.kit import keys
from config.kit.refusals import NOT_NOW, Refused, wrong
from people.audit import audit
from people.models import AuditRecord, SecondFactor, User
from people.on_record import not_on_record

STEP_S = 30
STEPS_AROUND = 1
"""A clock may be off by half a minute, and typing takes a while."""


SET_UP, RENEWED, FORGOTTEN = (
    "people.second_factor_set_up",
    "people.second_factor_renewed",
    "people.second_factor_forgotten",
)
FORGOTTEN_SECRET = ""
STANDS = (SET_UP, RENEWED)
OVER = (FORGOTTEN, "people.log_in_closed", "people.invited")
"""Records by which a person has none any more; the last two stood alone before there was the first."""


def is_set_up(person: User) -> bool:
    """By the row or by the audit trail: one that was taken away by SQL is still asked for."""
    stands = on_record(person)
    if stands is not None and stands.action in STANDS:
        return True
    return SecondFactor.objects.filter(person=person, confirmed_at__isnull=False).exists()


def on_record(person: User) -> AuditRecord | None:
    """What the audit trail says last of a person's second factor."""
    return audit.genuine(
        AuditRecord.objects.filter(subject=audit.label_of(person), action__in=(*STANDS, *OVER))
    )


def secret_of(row: SecondFactor) -> str | None:
    """None: no key of ours opens it, or it is another person's."""
    opened = keys.decrypt(keys.SECOND_FACTORS, row.secret)
    if opened is None:
        return None
    whose, _, secret = opened.rpartition(":")
    return secret if whose in ("", str(row.person_id)) else None  # the first ones did not say whose they are


def is_as_recorded(row: SecondFactor, secret: str, record: AuditRecord | None) -> bool:
    """Whether it is the secret that the person has set up, and has still. A record from before marks vouches for none
    until `manage.py vouch` has given it one."""
    if record is None or record.action not in STANDS:
        return False
    mark = record.details.get("mark")
    return isinstance(mark, str) and keys.is_signed(keys.SECOND_FACTORS, _marked(row.person_id, secret), mark)


def vouch(row: SecondFactor) -> bool:
    """By whoever runs the machine; False: no key of ours opens it."""
    secret = secret_of(row)
    if secret is None or row.confirmed_at is None:
        return False
    audit.record("command line", RENEWED, subject=row.person, details=_mark(row.person, secret))
    return True


def _mark(person: User, secret: str) -> dict[str, str]:
    return {"mark": keys.signature(keys.SECOND_FACTORS, _marked(person.pk, secret))}


def _marked(person_id: int, secret: str) -> bytes:
    return f"mark of {person_id}: {secret}".encode()


@transaction.atomic
def begin(person: User, *, anew: bool = False) -> str:
    """The secret to be put into the authenticator: the one that waits for its first code, or a new one. Each page that
    shows it makes it anew, so that whoever saw one before has nothing."""
    found = SecondFactor.objects.select_for_update().filter(person=person).first()
    if is_set_up(person):
        text = "You have a second factor already. If the device is lost, ask an administrator for a new link."
        raise Refused("second_factor_known", text, status=NOT_NOW)
    known = secret_of(found) if found else None
    if known is not None and not anew:
        return known
    secret = pyotp.random_base32()
    encrypted = keys.encrypt(keys.SECOND_FACTORS, f"{person.pk}:{secret}")
    SecondFactor.objects.update_or_create(person=person, defaults={"secret": encrypted})
    return secret


@transaction.atomic
def confirm(person: User, code: str) -> None:
    """The first code is right: from now on every log-in asks for one."""
    if is_set_up(person):
        raise Refused("second_factor_known", "You have a second factor already.", status=NOT_NOW)
    secret = _take(person, code, waiting=True)
    if secret is None:
        text = "That is not the code of this moment. See that the device's clock is right, and give the next one."
        raise wrong("code", text)
    SecondFactor.objects.filter(person=person).update(confirmed_at=timezone.now())
    audit.record(person, SET_UP, subject=person, details=_mark(person, secret))


def check(person: User, code: str) -> bool:
    """Whether it is a code of this moment that was not taken before; it is taken by that."""
    return _take(person, code, waiting=False) is not None


@transaction.atomic
def _take(person: User, code: str, *, waiting: bool) -> str | None:
    """The secret by which the code was right; None: it was not."""
    rows = SecondFactor.objects.select_for_update().filter(person=person, confirmed_at__isnull=waiting)
    row = rows.first()
    secret = secret_of(row) if row is not None else None
    if row is None or secret is None:
        return None
    if not waiting and not is_as_recorded(row, secret, on_record(person)):
        not_on_record.tell_of_second_factor(person)
        return None
    given = "".join(code.split())
    now = step_now()
    totp = pyotp.TOTP(secret)
    for step in range(now - STEPS_AROUND, now + STEPS_AROUND + 1):
        if step > row.last_step and hmac.compare_digest(totp.generate_otp(step).encode(), given.encode()):
            row.last_step = step
            row.save(update_fields=["last_step"])
            return secret
    return None


def forget(actor: User | str, person: User) -> None:
    """The device is lost, or the person has left; the caller's record says why. The row stays, with the step of the
    last code: who removed it and put it back could give that code once more."""
    rows = SecondFactor.objects.filter(person=person).exclude(secret=FORGOTTEN_SECRET)
    if rows.update(secret=FORGOTTEN_SECRET, confirmed_at=None):
        audit.record(actor, FORGOTTEN, subject=person)


def step_now() -> int:
    return int(timezone.now().timestamp()) // STEP_S


def qr_code(person: User, secret: str) -> str:
    """The address that authenticators read, as a picture for a page."""
    address = pyotp.TOTP(secret).provisioning_uri(name=person.username, issuer_name="Potline")
    return segno.make(address, error="m").svg_data_uri(scale=4, dark="#1c2422", light="#ffffff")


def renew_keys() -> tuple[int, int]:
    """All secrets under the key in use; how many, and how many no key of ours opens."""
    renewed = lost = 0
    for pk in SecondFactor.objects.exclude(secret=FORGOTTEN_SECRET).values_list("pk", flat=True):
        with transaction.atomic():
            row = SecondFactor.objects.select_for_update().filter(pk=pk).first()
            if row is None:
                continue
            secret = secret_of(row)
            if secret is None:
                lost += 1
                continue
            row.secret = keys.encrypt(keys.SECOND_FACTORS, f"{row.person_id}:{secret}")
            row.save(update_fields=["secret"])
            record = on_record(row.person)
            if row.confirmed_at is not None and is_as_recorded(row, secret, record):
                audit.record("command line", RENEWED, subject=row.person, details=_mark(row.person, secret))
            renewed += 1
    return renewed, lost
