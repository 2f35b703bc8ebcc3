"""How a display is set up: what it shows, how it looks, what it does when it hears nothing. One document a display,
made by the form that staff fill in; the sign's page reads it as it is."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_noop

from jackpots.models import Display

MAX_PROGRESSIVES = 6
ARRANGEMENTS = {
    "together": gettext_noop("Side by side"),
    "in-turn": gettext_noop("In turn, one after another"),
}
PALETTES = {
    "night": gettext_noop("Night: gold on violet"),
    "felt": gettext_noop("Felt: gold on green"),
    "ruby": gettext_noop("Ruby: white on red"),
    "paper": gettext_noop("Paper: dark on light"),
}
LANGUAGES = {"en": "English", "de": "Deutsch", "es": "Español", "fr": "Français", "zh": "中文"}
LANGUAGE_CHOICES = list(LANGUAGES.items())
NUMBERS = {
    "en-NZ": "20,001.80",
    "de-DE": "20.001,80",
    "fr-FR": "20 001,80",
    "de-CH": "20’001.80",
    "en-IN": "2,00,001.80",
}
WHEN_SILENT = {
    "say": gettext_noop("Grey figures, and since when"),
    "hide": gettext_noop("No amount, and since when"),
}
MOTIONS = {"full": gettext_noop("Rolls and celebrates"), "calm": gettext_noop("Without movement")}
USUAL: dict[str, Any] = {
    "progressives": [],
    "table": "",
    "arrangement": "together",
    "turn_s": 12,
    "palette": "night",
    "language": "en",
    "numbers": "en-NZ",
    "when_silent": "say",
    "behind_ms": 1000,
    "motion": "full",
    "big_from": "1000.00",
    "grand_from": "10000.00",
    "last_wins": True,
}
"""A display that nobody has set up otherwise."""


def set_up_of(display: Display) -> dict[str, Any]:
    """All of it, also for a display from before there was anything to choose."""
    given = display.setup or {"progressives": display.codes}
    return USUAL | given
