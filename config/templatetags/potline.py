"""How amounts and names look on pages: money with its thousands, codes as words."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from people import references
from rules.money import format_money, parse_money

register = template.Library()


@register.filter
def money(micros: int | None) -> str:
    """1234500000 → '1,234.50'; more decimals only where there is something in them."""
    if micros is None:
        return ""
    whole, _, part = format_money(micros).partition(".")
    sign = "-" if whole.startswith("-") else ""
    return f"{sign}{int(whole.lstrip('-')):,}.{part}"


@register.filter
def amount(text: str) -> str:
    """'20012.40' → '20,012.40': money that comes as text, as documents and the API have it."""
    return money(parse_money(text))


@register.filter
def plain_money(micros: int) -> str:
    """1234500000 → '1234.50': as forms and the API take it."""
    return format_money(micros)


@register.filter
def words(code: str) -> str:
    """'straight-flush' → 'straight flush'."""
    return code.replace("-", " ").replace("_", " ")


@register.filter
def age(since: datetime | None, now: datetime | None = None) -> str:
    """How long ago, in the one unit that says it: '40 s', '4 min', '3 h', '2 d'."""
    if since is None:
        return ""
    seconds = max(0, int(((now or timezone.now()) - since).total_seconds()))
    for unit, of in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= of * (2 if unit in ("d", "h") else 1):
            return f"{seconds // of} {unit}"
    return f"{seconds} s"


@register.filter
def moment(at: datetime | None, premises: Any = None) -> SafeString:
    """The local time of a premises with its zone named, and UTC beside it; of no premises: of the page's."""
    if at is None:
        return format_html("")
    zone = ZoneInfo(premises.time_zone) if premises else timezone.get_current_timezone()
    local = at.astimezone(zone)
    return format_html(
        '<time datetime="{}">{} {}</time> <small class="soft utc">{} UTC</small>',
        at.astimezone(UTC).isoformat(),
        local.strftime("%Y-%m-%d %H:%M:%S"),
        local.tzname() or "",
        at.astimezone(UTC).strftime("%d %b %H:%M:%S"),
    )


@register.filter
def noun(reference: str) -> SafeString | str:
    """A row that is named, such as `tables.round:7`, as a link to its page; as it stands where it has none."""
    address = references.address_of(reference)
    if not address:
        return reference
    return format_html('<a href="{}">{}</a>', address, references.words_for(reference))


_SUITS = {"c": ("♣", "black"), "d": ("♦", "red"), "h": ("♥", "red"), "s": ("♠", "black")}


@register.filter
def card(text: str) -> SafeString:
    """'Th' as a small picture of a card."""
    if len(text) != 2 or text[1] not in _SUITS:
        return format_html('<span class="pip">{}</span>', text)
    sign, colour = _SUITS[text[1]]
    rank = "10" if text[0] == "T" else text[0]
    return format_html('<span class="pip {}">{}{}</span>', colour, rank, sign)
