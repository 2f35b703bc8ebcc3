"""`manage.py replay`: settles all stored rounds again with today's rules and says what differs. Changes nothing."""

from __future__ import annotations

import itertools
import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from ledger.books.snapshot import snapshot
from ledger.months import months
from ledger.verify.progress_bar import Bar
from rules import RULES_VERSION
from tables.models import Round, RoundVersion
from tables.settle.resettle import differences, lines_of, version_differences

BATCH = 200


class Command(BaseCommand):
    help = (
        "Settles every settled round again with the rules of today and names each line that would be another, with the"
        " version of the rules that settled it. A difference is no fault: rules that are mended answer otherwise."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--table", default="", help="only rounds of the table with this code")

    def handle(self, *args: Any, **options: Any) -> None:
        began, bar = time.monotonic(), Bar()
        with snapshot():
            rounds = Round.objects.filter(state=Round.State.SETTLED).select_related("config")
            if options["table"]:
                rounds = rounds.filter(table__code=options["table"])
            total, done, other, elsewhere = rounds.count(), 0, 0, 0
            stream = rounds.order_by("pk").iterator(chunk_size=BATCH)
            while some := list(itertools.islice(stream, BATCH)):
                stored, away = lines_of(some), months.elsewhere_of(round.pk for round in some)
                for round in some:
                    if round.pk in away:
                        elsewhere += 1
                        continue
                    found = list(differences(round, stored[round.pk]))
                    for where, what in found:
                        self.stdout.write(f"{where}, settled by version {round.rules_version}: {what}")
                    other += bool(found)
                done += len(some)
                bar("rounds", done, total)
            later = RoundVersion.objects.select_related("round__config").order_by("pk")
            if options["table"]:
                later = later.filter(round__table__code=options["table"])
            for version in later.iterator(chunk_size=BATCH):
                found = list(version_differences(version, list(version.lines.order_by("position"))))
                for where, what in found:
                    self.stdout.write(f"{where}, settled by version {version.rules_version}: {what}")
                other += bool(found)
        bar.end()
        took = time.monotonic() - began
        self.stdout.write(
            f"{done:,} rounds by the rules of version {RULES_VERSION} in {took:.1f} s; {other:,} differ."
        )
        if elsewhere:
            self.stdout.write(f"Not compared: {elsewhere:,} rounds whose lines are kept elsewhere.")
