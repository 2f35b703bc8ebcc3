"""How amounts and names look on pages: money with its thousands, codes as words."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from rules.money import format_money

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
def plain_money(micros: int) -> str:
    """1234500000 → '1234.50': as forms and the API take it."""
    return format_money(micros)


@register.filter
def words(code: str) -> str:
    """'straight-flush' → 'straight flush'."""
    return code.replace("-", " ").replace("_", " ")


_SUITS = {"c": ("♣", "black"), "d": ("♦", "red"), "h": ("♥", "red"), "s": ("♠", "black")}


@register.filter
def card(text: str) -> SafeString:
    """'Th' as a small picture of a card."""
    if len(text) != 2 or text[1] not in _SUITS:
        return format_html('<span class="pip">{}</span>', text)
    sign, colour = _SUITS[text[1]]
    rank = "10" if text[0] == "T" else text[0]
    return format_html('<span class="pip {}">{}{}</span>', colour, rank, sign)
