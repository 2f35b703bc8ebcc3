"""`manage.py verify_ledger [--against FILE]`: recomputes seals, chain, sums and balances and says what does not fit."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ledger import verify


class Command(BaseCommand):
    help = "Recomputes every seal, the chain, the sums and the balances; exit code 1 if anything is wrong."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--against",
            action="append",
            default=[],
            metavar="FILE",
            type=Path,
            help="a file with earlier roots: the one under var/seals, or an export (zip); may be given again",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        for path in options["against"]:
            if not path.is_file():
                raise CommandError(f"{path} is not there.")
        began = time.monotonic()
        bar = _Bar()
        report = verify.verify(options["against"], bar)
        bar.end()
        took = time.monotonic() - began
        self.stdout.write(
            f"{report.seals:,} seals over {report.entries:,} entries, {report.unsealed:,} not yet sealed, "
            f"{report.postings:,} postings, in {took:.1f} s."
        )
        if report.last_hash:
            self.stdout.write(f"Last seal: {report.last_hash}")
        for fault in report.faults:
            self.stderr.write(str(fault))
        if not report.sound:
            raise CommandError(
                f"{len(report.faults)} faults{' or more' if len(report.faults) >= verify.MAX_FAULTS else ''}."
            )
        self.stdout.write("The ledger is sound.")


class _Bar:
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
