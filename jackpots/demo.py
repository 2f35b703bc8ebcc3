"""The demo casino's progressives and signs. Their tokens are public; loaded only with POTLINE_DEMO=1."""

from __future__ import annotations

from jackpots.configure import create_progressive, link_table
from jackpots.models import Display, LinkedTable, Progressive
from jackpots.signs.displays import hash_token
from people.models import Premises
from rules.money import dollars
from rules.progressive import Level, ProgressiveRules, preset

SIGNS = {
    "Main wall": ("harbour", "stud", "demo-sign-main-wall"),
    "Lobby": ("lakeside", "stud", "demo-sign-lobby"),
}
STUD_TABLES = {"CS-01": "harbour", "CS-02": "harbour", "CS-03": "lakeside"}


def stud_rules() -> ProgressiveRules:
    """nz-1996 VIII 12 on two meters: royal and straight flushes on the grand, the fixed bonuses on the minor."""
    return preset(
        "nz-1996-viii",
        Level("grand", seed_micros=dollars(20_000), increment_bp=6000, reserve_bp=500),
        Level("minor", seed_micros=dollars(2_000), increment_bp=1500),
        prize_levels={"four-of-a-kind": "minor", "full-house": "minor", "flush": "minor"},
    )


def load() -> str:
    premises = {place.code: place for place in Premises.objects.filter(code__in=["harbour", "lakeside"])}
    stud = Progressive.objects.filter(code="stud").first() or create_progressive(
        "demo", premises["harbour"], "stud", "Stud Jackpot", stud_rules(), pay_alone_limit_micros=dollars(150)
    )
    for code, place in STUD_TABLES.items():
        if not LinkedTable.objects.filter(
            progressive=stud, premises=premises[place], table_code=code
        ).exists():
            link_table("demo", stud, premises[place], code)
    for name, (place, _, token) in SIGNS.items():
        Display.objects.get_or_create(
            premises=premises[place],
            name=name,
            defaults={"progressive": stud, "token_sha256": hash_token(token)},
        )
    return "\n".join(["Signs:", *(f"  /signs/{token}/" for _, _, token in SIGNS.values())])
