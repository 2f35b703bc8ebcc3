"""`manage.py verify [--against FILE] [--processes N]`: recomputes everything from its sources, names the wrong row."""

from __future__ import annotations

import os
import time
from argparse import ArgumentParser
from collections.abc import Collection
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ledger.verify import verify
from ledger.verify.progress_bar import Bar


class Command(BaseCommand):
    help = (
        "Recomputes seals, books, settlements, jackpots, approvals and settings of all rooms from what they rest on;"
        " exit code 1 if anything is wrong."
    )
    only: Collection[str] | None = None
    what = "Everything"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--against",
            action="append",
            default=[],
            metavar="FILE",
            type=Path,
            help="a file with earlier roots: the one under var/seals, or an export (zip); may be given again",
        )
        parser.add_argument(
            "--processes",
            type=int,
            default=os.cpu_count() or 1,
            help="how many work at once; default: all cores",
        )
        parser.add_argument(
            "--since",
            type=int,
            default=0,
            metavar="SEAL",
            help="only what came after the seal of this number",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        for path in options["against"]:
            if not path.is_file():
                raise CommandError(f"{path} is not there.")
        began = time.monotonic()
        bar = Bar()
        report = verify.verify(
            options["against"], bar, max(1, options["processes"]), self.only, options["since"]
        )
        bar.end()
        took = time.monotonic() - began
        self.stdout.write(
            f"{report.seals:,} seals over {report.rows:,} rows, {report.unsealed:,} not yet sealed; {report.entries:,} "
            f"sealed entries with {report.postings:,} postings; in {took:.1f} s."
        )
        if report.last_hash:
            self.stdout.write(f"Last seal: {report.last_hash}")
        for month in report.elsewhere:
            self.stdout.write(
                f"{month}: its settled lines and the texts of its terminals' messages and of signs' frames are kept"
                " elsewhere. What the rules give was held to the hash of the lines that is under the seals, and events"
                " to their chain; the files are checked when they are attached."
            )
        for fault in report.faults:
            self.stderr.write(str(fault))
        if not report.sound:
            more = " or more" if len(report.faults) >= verify.MAX_FAULTS else ""
            raise CommandError(f"{len(report.faults)} faults{more}.")
        self.stdout.write(f"{self.what} is sound.")
