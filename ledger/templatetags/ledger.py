"""How accounts look on pages: by their names, with the code beside or behind it."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext

from ledger.books import chart

register = template.Library()


@register.filter
def account_title(code: str) -> str:
    return chart.title_of(code, gettext)
