"""A playing card as a small picture: for lists of cards on pages, and for the pictures of results."""

from __future__ import annotations

from django.utils.html import format_html
from django.utils.safestring import SafeString

_SUITS = {"c": ("♣", "black"), "d": ("♦", "red"), "h": ("♥", "red"), "s": ("♠", "black")}


def card(text: str) -> SafeString:
    """'Th' as rank and suit; what is no card as it stands."""
    if len(text) != 2 or text[1] not in _SUITS:
        return format_html('<span class="pip">{}</span>', text)
    sign, colour = _SUITS[text[1]]
    rank = "10" if text[0] == "T" else text[0]
    return format_html('<span class="pip {}">{}{}</span>', colour, rank, sign)
