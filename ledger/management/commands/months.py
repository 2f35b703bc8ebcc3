"""`manage.py months list | detach MONTH FOLDER REASON | attach FOLDER REASON`: old months of lines and of terminals'
messages, in files."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ledger.months import month_files
from ledger.verify.progress_bar import Bar


class Command(BaseCommand):
    help = (
        "Lists the months of settled lines, terminals' messages and sign minutes, takes one that is closed, sealed and"
        " verified out into files, or brings it back, checked. Run it as the tables' owner."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        acts.add_parser("list", help="every month: rows, bytes, and what stands in the way of taking it out")
        detach = acts.add_parser("detach", help="write a month into an empty folder and take it out")
        detach.add_argument("month", help="2026-11, or `earlier`")
        attach = acts.add_parser("attach", help="bring a month back from its folder")
        for act in (detach, attach):
            act.add_argument("folder", type=Path)
            act.add_argument(
                "reason", help="why, by whose order, and where the files are kept; stays on record"
            )

    def handle(self, *args: Any, **options: Any) -> None:
        bar = Bar()
        try:
            if options["act"] == "list":
                self._list()
            elif options["act"] == "detach":
                move = month_files.detach(options["month"], options["folder"], options["reason"], bar)
                bar.end()
                self.stdout.write(
                    f"{_rows(move.rows)} of {move.month} are in {options['folder']} and here no more."
                )
                self.stdout.write(f"Its manifest: {move.manifest_sha256}")
            else:
                move = month_files.attach(options["folder"], options["reason"], bar)
                bar.end()
                self.stdout.write(f"{_rows(move.rows)} of {move.month} are here again, as they were sealed.")
        except month_files.CannotMove as error:
            raise CommandError(str(error)) from error

    def _list(self) -> None:
        for one in month_files.listed():
            size = f"{one.size_bytes / 2**20:,.1f} MB"
            if one.state != "here":
                words = f"kept elsewhere, manifest {one.state}"
            else:
                words = "; ".join(one.stands_in_the_way) or "closed, sealed and verified: can be taken out"
            self.stdout.write(f"{one.month}: {_rows(one.rows)}, {size} here. {words[:1].upper()}{words[1:]}.")


def _rows(rows: dict[str, int]) -> str:
    return ", ".join(f"{count:,} rows of {table}" for table, count in sorted(rows.items()))
