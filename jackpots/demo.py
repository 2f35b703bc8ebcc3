"""The demo casino's progressives and signs. Their tokens are public: see config.demo."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from django.db import transaction

from config.demo import Secret
from jackpots.configure import create_progressive, link_table, table_log_of
from jackpots.models import Display, Progressive, TableLog
from jackpots.signs.displays import revoke_display
from jackpots.signs.set_up import USUAL
from people import audit, tokens
from people.models import Premises
from rules.money import dollars
from rules.progressive import Level, ProgressiveRules, preset
from rules.progressive.config import Reseed

SIGNS = {
    "Main wall": ("harbour", "stud", "demo-sign-main-wall"),
    "Lobby": ("lakeside", "stud", "demo-sign-lobby"),
    "CS-01": ("harbour", "stud", "demo-sign-cs-01"),
}
"""By name: where, what it shows, its token; one that is called like a table is that table's sign."""
STUD_TABLES = {"CS-01": "harbour", "CS-02": "harbour", "CS-03": "lakeside"}


def stud_rules() -> ProgressiveRules:
    """nz-1996 VIII 12 on two meters: royal and straight flushes on the grand, the fixed bonuses on the minor."""
    return preset(
        "nz-1996-viii",
        Level("grand", seed_micros=dollars(20_000), increment_bp=6000, reserve_bp=500),
        Level("minor", seed_micros=dollars(2_000), increment_bp=1500),
        prize_levels={"four-of-a-kind": "minor", "full-house": "minor", "flush": "minor"},
    )


def lasting_rules() -> ProgressiveRules:
    """The same for a floor that plays by itself all day: fixed bonuses take more from the minor than coins bring, so
    the house restores its seed after each."""
    rules = stud_rules()
    grand, minor = rules.levels
    return replace(rules, levels=(grand, replace(minor, reseed=Reseed.BELOW_SEED)))


def load() -> str:
    premises = {place.code: place for place in Premises.objects.filter(code__in=["harbour", "lakeside"])}
    stud = Progressive.objects.filter(code="stud").first() or create_progressive(
        "demo",
        premises["harbour"],
        "stud",
        "Stud Jackpot",
        lasting_rules(),
        pay_alone_limit_micros=dollars(150),
    )
    for code, place in STUD_TABLES.items():
        table_log = table_log_of(premises[place], code)
        if not table_log.links.filter(progressive=stud).exists():
            link_table("demo", stud, table_log, ["jackpot"])
    for name, (place, _, token) in SIGNS.items():
        _put_up(premises[place], name, stud, token)
    return "\n".join(["Signs:", *(f"  /signs/{token}/" for _, _, token in SIGNS.values())])


@transaction.atomic
def _put_up(premises: Premises, name: str, progressive: Progressive, token: str) -> None:
    display, new = Display.objects.get_or_create(
        premises=premises,
        name=name,
        defaults={
            "progressive": progressive,
            "token_sha256": tokens.hash_token(token),
            **_of_table(premises, name),
        },
    )
    if new:
        audit.record("demo", "jackpots.display_created", premises=premises, subject=display)


def _of_table(premises: Premises, name: str) -> dict[str, Any]:
    log = TableLog.objects.filter(premises=premises, table_code=name).first()
    if log is None:
        return {}
    return {"table_log": log, "setup": USUAL | {"progressives": ["stud"], "table": name}}


def public_signs() -> list[Secret]:
    """The signs that anyone can show by a demo's token."""
    hashes = [tokens.hash_token(token) for _, _, token in SIGNS.values()]
    return [
        Secret(f"sign {sign}", partial(revoke_display, "command line", sign, "public token"))
        for sign in Display.objects.filter(token_sha256__in=hashes, revoked_at__isnull=True)
    ]
