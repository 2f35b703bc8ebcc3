"""How amounts and names look on pages: money with its thousands, codes as words."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from fractions import Fraction
from functools import cache
from typing import Any

from django import template
from django.urls import reverse
from django.utils import timezone
from django.utils.dateformat import format as date_format
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.utils.translation import gettext

from config.kit import faces
from config.kit.moments import MOMENT, WHOLE, told
from people.pages import references
from people.pages import words as glossary
from rules import all_games
from rules.money import CENT, format_money, parse_money, say
from rules.odds import say_chance

register = template.Library()


@register.filter
def money(micros: int | None) -> str:
    """1234500000 → '1,234.50'; more decimals only where there is something in them."""
    return "" if micros is None else say(micros)


@register.filter
def amount(text: str | None) -> str:
    """'20012.40' → '20,012.40': money that comes as text, as documents and the API have it; nothing of nothing."""
    return money(parse_money(text)) if text else ""


@register.filter
def plain_money(micros: int) -> str:
    """1234500000 → '1234.50': as forms and the API take it."""
    return format_money(micros)


@register.filter
def cents(micros: int | Fraction) -> int:
    """To the cent, the rest cut off: what is expected is no sum of money to a micro."""
    return int(Fraction(micros) / CENT) * CENT


@register.filter
def percent(part: Fraction | None) -> str:
    """1/37 → '2.70%'; from ten times on without places, which would say nothing there: -1213/50 → '-2,426%'."""
    if part is None:
        return ""
    return f"{places(part * 100)}%" if abs(part) < 10 else f"{round(part * 100):,}%"


@register.filter
def chance(of: Fraction) -> str:
    """1/72193 → '1 in 72,193'; '3.4%' where it is no rarity."""
    said = say_chance(of)
    if said.endswith("%"):
        return said
    one_in = said.removeprefix("1 in ")
    return (
        gettext("less than 1 in a billion")
        if one_in == said
        else gettext("1 in %(number)s") % {"number": one_in}
    )


@register.filter
def clock(at: datetime | None) -> SafeString:
    """The time of a moment in a list, to the second; all of it on hover."""
    if at is None:
        return SafeString("")
    return format_html('<span class="tabular" title="{}">{}</span>', told(at, form=WHOLE), told(at))


@register.filter
def places(value: Fraction) -> str:
    """Two decimals, rounded half away from nothing: of a figure that is no money."""
    hundredths = int(abs(value) * 100 + Fraction(1, 2))
    return f"{'-' if value < 0 and hundredths else ''}{hundredths // 100}.{hundredths % 100:02d}"


@register.filter
def words(code: str) -> str:
    """'straight-flush' → 'straight flush'."""
    return code.replace("-", " ").replace("_", " ")


@register.filter
def act(action: str) -> str:
    """'tables.dispute_opened' → 'Dispute opened': the act of a record, without the room that it belongs to."""
    return words(action.rpartition(".")[2]).capitalize()


@register.filter
def setting(value: Any) -> str:
    """A value of a table's rules as one reads it: True → 'yes', ['super-sevens'] → 'super sevens', [] → 'none'."""
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, list):
        return ", ".join(words(str(each)) for each in value) or gettext("none")
    return words(str(value))


@register.filter
def translated(text: Any) -> str:
    """A word that is marked where it is declared, such as the label of a state, in the reader's language."""
    return gettext(str(text)) if text else ""


@register.filter
def age(since: datetime | None, now: datetime | None = None) -> str:
    """How long ago, in the one unit that says it: '40 s', '4 min', '3 h', '2 d'."""
    if since is None:
        return ""
    seconds = max(0, int(((now or timezone.now()) - since).total_seconds()))
    if seconds >= 2 * 86_400:
        return gettext("%(days)d d") % {"days": seconds // 86_400}
    if seconds >= 2 * 3_600:
        return gettext("%(hours)d h") % {"hours": seconds // 3_600}
    if seconds >= 60:
        return gettext("%(minutes)d min") % {"minutes": seconds // 60}
    return gettext("%(seconds)d s") % {"seconds": seconds}


@register.filter
def moment(at: datetime | None, premises: Any = None) -> SafeString:
    """The local time of a premises with its zone named, and UTC beside it; of no premises: of the page's."""
    if at is None:
        return SafeString("")
    return format_html(
        '<time datetime="{}">{}</time> <small class="soft utc">{}</small>',
        at.astimezone(UTC).isoformat(),
        told(at, premises, MOMENT),
        date_format(at.astimezone(UTC), "d M H:i:s T"),
    )


@register.filter
def noun(reference: str) -> SafeString | str:
    """A row that is named, such as `tables.round:7`, as a link to its page; as it stands where it has none."""
    address = references.address_of(reference)
    if not address:
        return reference
    return format_html('<a href="{}">{}</a>', address, references.words_for(reference))


_ITEM = re.compile(r"(?:\d|\([a-z]\)\(\d)\S*$")


@register.filter
def citation(text: str) -> SafeString | str:
    """'gb-2011 4.19(c), 4.30' as links into the rulebooks, one a rule; as it stands where it names none of them."""
    if not text or text.partition(" ")[0] not in _books():
        return text
    links, stem = [], ""
    for item in text.split(", "):
        number = _ITEM.search(item)
        if number and number.start():
            stem = item[: number.start()]
        whole = item if not number or number.start() else stem + item
        links.append((reverse("cited-rule", query={"rule": whole}), item))
    return format_html_join(", ", '<a class="cited" href="{}">{}</a>', links)


@cache
def _books() -> frozenset[str]:
    return frozenset(game.rulebook for game in all_games())


@register.filter
def inline(text: str) -> SafeString:
    """A line of our own documentation: `code`, **bold** and *italic* as such, links as their words."""
    safe = re.sub(r"\[([^]]+)\]\([^)]+\)", r"\1", str(escape(text)))
    parts = re.split(r"(`[^`]+`)", safe)  # a star within code is no mark
    for at, part in enumerate(parts):
        if part.startswith("`") and len(part) > 1:
            parts[at] = f"<code>{part.strip('`')}</code>"
        else:
            bold = re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", part)
            parts[at] = re.sub(r"(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])", r"<i>\1</i>", bold)
    return mark_safe("".join(parts))  # noqa: S308 (escaped above)


@register.simple_tag
def what(name: str) -> SafeString:
    """A question mark beside a word that a newcomer may not know: what it means on hover, and the page of words."""
    meaning = glossary.plain(glossary.by_name()[name].meaning)
    return format_html(
        '<a class="what" translate="no" href="{}#{}" title="{}"><span class="visually-hidden">{}</span>?</a>',
        reverse("words"),
        slugify(name),
        meaning,
        gettext("What is “%(word)s”") % {"word": name},
    )


register.filter("card", faces.card)
