"""Setting up a progressive: its rules checked against the rulebook, its meters opened, its tables linked."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from jackpots import books
from jackpots.errors import JackpotRefused
from jackpots.models import LinkedTable, Meter, Progressive, ProgressiveConfig
from ledger.journal import post_many
from people import audit
from people.models import Premises, User
from rules.progressive import ProgressiveRules, check_config, content_hash, encode, opening_state


def store_config(rules: ProgressiveRules) -> ProgressiveConfig:
    """The rules by their content; the same content is the same row."""
    found, _ = ProgressiveConfig.objects.get_or_create(
        sha256=content_hash(rules), defaults={"document": encode(rules)}
    )
    return found


@transaction.atomic
def create_progressive(
    actor: User | str, host: Premises, code: str, name: str, rules: ProgressiveRules, **settings: Any
) -> Progressive:
    """A new progressive with every meter at its seed. Refused where the rulebook does not allow its rules."""
    faults = check_config(rules)
    if faults:
        raise JackpotRefused("config", "; ".join(str(fault) for fault in faults))
    progressive = Progressive.objects.create(
        code=code, name=name, host=host, config=store_config(rules), **settings
    )
    state = opening_state(rules)
    Meter.objects.bulk_create(
        Meter(
            progressive=progressive,
            level=level.name,
            position=position,
            base_micros=level.base_micros,
            not_owed_micros=level.base_micros,
        )
        for position, level in enumerate(state.levels)
    )
    entry = books.opening_entry(progressive, state, timezone.now())
    if entry is not None:
        post_many([entry])
    audit.record(
        actor,
        "jackpots.progressive_created",
        premises=host,
        subject=progressive,
        details={"rules": content_hash(rules)},
    )
    return progressive


@transaction.atomic
def link_table(
    actor: User | str, progressive: Progressive, premises: Premises, table_code: str
) -> LinkedTable:
    """The table takes part from its next opening on. Tables of a progressive share its currency."""
    if premises.currency != progressive.host.currency:
        raise JackpotRefused(
            "currency",
            f"{premises} plays in {premises.currency}, {progressive} in {progressive.host.currency}.",
        )
    link = LinkedTable.objects.create(progressive=progressive, premises=premises, table_code=table_code)
    audit.record(
        actor,
        "jackpots.table_linked",
        premises=premises,
        subject=link,
        details={"progressive": progressive.code},
    )
    return link
