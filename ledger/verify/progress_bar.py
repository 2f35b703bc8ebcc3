"""A bar on a terminal, for commands that take a while; nothing elsewhere."""

from __future__ import annotations

import sys
import time


class Bar:
    """A bar on a terminal, nothing elsewhere."""

    WIDTH = 40
    EVERY_NS = 200_000_000

    def __init__(self) -> None:
        self.shown_ns = 0
        self.what = ""
        self.on = sys.stderr.isatty()

    def __call__(self, what: str, done: int, of: int) -> None:
        now_ns = time.monotonic_ns()
        if self.on and (now_ns - self.shown_ns > self.EVERY_NS or done >= of or what != self.what):
            self.shown_ns, self.what = now_ns, what
            filled = "█" * (done * self.WIDTH // max(of, 1))
            percent = done * 100 // max(of, 1)
            sys.stderr.write(f"\r{filled:<{self.WIDTH}} {percent:>3}%  {what}: {done:,} of {of:,}\033[K")

    def end(self) -> None:
        if self.on:
            sys.stderr.write("\n")
