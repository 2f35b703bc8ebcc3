"""How the command lines end: with a code and, where something is wrong, a sentence; never with a traceback."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from io import TextIOWrapper
from typing import NoReturn

CANNOT_WRITE = 74
"""As sysexits.h has it for input and output."""


def end_with(main: Callable[[], int]) -> NoReturn:
    """A reader that has seen enough (`| head`) and the user's interrupt end us, and nothing is printed about it."""
    for name in ("SIGPIPE", "SIGINT"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(
            stream, TextIOWrapper
        ):  # a sign that the terminal does not know is written as its number
            stream.reconfigure(errors="backslashreplace")
    try:
        code = main()
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        if sys.stderr is not None:
            sys.stderr.write(f"error: the answer cannot be written: {error.strerror or error}\n")
        with suppress(OSError):  # what is left in the buffer would be tried, and complained about, once more
            sys.stdout.close()
        code = CANNOT_WRITE
    sys.exit(code)
