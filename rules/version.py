"""Two versions that are stored with what the core has made.

`RULES_VERSION` is of the answers: what was settled under one version is settled the same under it for ever. It goes up
with every change by which a settlement (outcome, amounts, odds, the rule that is named, hits, what is carried on) or a
progressive's resolution (payments, pots) of the same input could differ: a mended rule, another rounding, other words
in the result. A new game, a new option whose default is as before, or a refusal leave it as it is.
`tests/rules/test_version.py` holds the golden rounds to it.

`DOCUMENT_VERSION` is of the spelling: how `rules.codec` and `rules.progressive.codec` write rounds, wagers, hits,
settlements and configurations as JSON. It goes up when a stored document could no longer be read as it was meant.
"""

from __future__ import annotations

RULES_VERSION = 2
DOCUMENT_VERSION = 1


def document_version() -> int:
    """For a column's default: what is written now."""
    return DOCUMENT_VERSION


def rules_version() -> int:
    """For a column's default: by which rules it is answered now."""
    return RULES_VERSION
