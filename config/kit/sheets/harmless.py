"""Text of cells that nothing runs: no spreadsheet takes it for a formula."""

from __future__ import annotations

import re

_FORMULA_STARTS = frozenset("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20\u2212")
"""What spreadsheets take for the beginning of a formula, full-width signs and the true minus included: some read them
as their plain twins."""
_INSIDE = re.compile("(;)(?=\\s*[=+\\-@\uff1d\uff0b\uff0d\uff20\u2212])")
"""The same after a semicolon: where the locale's separator is another than ours, a cell begins there."""


def harmless(text: str) -> str:
    """Text that no spreadsheet takes for a formula, also one that splits cells elsewhere than we do: what begins like
    one, after blanks or after a separator, gets an apostrophe before it."""
    if text.lstrip(" \xa0\u3000")[:1] in _FORMULA_STARTS:
        text = "'" + text
    return _INSIDE.sub(r"\1'", text) if _INSIDE.search(text) else text
