"""The rules room's pages: the catalogue, a game, a section of a rulebook, and the rule that a settlement cites."""

from __future__ import annotations

from collections import Counter

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from jackpots.queries import READERS
from people.access import may, premises_of, role_required
from rules import RuleError, all_games, find_game
from tables.models import Table
from tables.rules_room import books, catalogue, figures

MAX_CITED = 200
"""Characters of a citation; the longest of the books has some forty."""


@require_GET
@role_required()
def rules_room(request: HttpRequest) -> HttpResponse:
    """Every game under every rulebook, and the books by section."""
    dealt = Table.objects.filter(premises__in=premises_of(request.user, READERS)).values_list(
        "config__document__game", "config__document__rulebook"
    )
    context = {"books": catalogue.rulebooks(Counter(dealt)), "may_dispute": may(request.user, READERS, None)}
    return render(request, "tables/rules_room.html", context)


@require_GET
@role_required()
def rules_game(request: HttpRequest, name: str, rulebook: str) -> HttpResponse:
    """One game: what may be wagered, what is paid, what the house keeps, how it is played best."""
    try:
        game = find_game(name, rulebook)
    except RuleError as unknown:
        raise Http404(str(unknown)) from None
    tables = Table.objects.filter(
        premises__in=premises_of(request.user, READERS),
        config__document__game=name,
        config__document__rulebook=rulebook,
    )
    context = {
        "game": game,
        "others": [one for one in all_games() if one.name == name and one.rulebook != rulebook],
        "wagers": catalogue.wagers(game),
        "slots": catalogue.slots(game),
        "sheet": figures.sheet_of(game),
        "options": catalogue.options(game),
        "strategies": catalogue.strategies(game),
        "sections": books.of_game(game.cites, game.name),
        "provisions": catalogue.provisions(game.provisions),
        "tables": tables.select_related("premises").order_by("premises__code", "code")[:100],
    }
    return render(request, "tables/rules_game.html", context)


@require_GET
@role_required()
def rules_section(request: HttpRequest, name: str) -> HttpResponse:
    """A section of a rulebook by rule number, with the readings that its games take."""
    section = books.sections().get(name)
    if section is None:
        raise Http404(f"No section {name} is covered.")
    named = books.games_of(section)
    context = {
        "section": section,
        "games": [one for one in all_games() if one.name in named and one.rulebook == section.book],
        "asked": request.GET.get("rule", "")[:MAX_CITED],
    }
    return render(request, "tables/rules_section.html", context)


@require_GET
@role_required()
def cited_rule(request: HttpRequest) -> HttpResponse:
    """Leads from a citation, as settlements print it, to its row; says so where there is none."""
    citation = " ".join(request.GET.get("rule", "")[:MAX_CITED].split())
    found = books.find(citation)
    if found is None:
        context = {"citation": citation, "books": catalogue.rulebooks({})}
        return render(request, "tables/rules_unknown.html", context, status=404 if citation else 200)
    section, row = found
    address = reverse("rules-section", args=[section.name])
    if row is None:
        return redirect(reverse("rules-section", args=[section.name], query={"rule": citation}))
    return redirect(f"{address}#{row.anchor}")
