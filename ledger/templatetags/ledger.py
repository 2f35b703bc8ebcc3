"""How accounts look on pages: by their names, with the code beside or behind it."""

from __future__ import annotations

from django import template

from ledger import chart

register = template.Library()
register.filter("account_title", chart.title_of)
