"""The journal as hledger reads it, so that a second program of other authors adds the books up again.

`nz-akl/tables/CS-01/win` becomes `income:nz-akl:tables:CS-01:win`; the balances before the first day come as one entry.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import IO

from ledger.books.balances import TrialLine
from ledger.books.canon import SealedEntry
from rules.money import format_money

_ROOTS = {"asset": "assets", "liability": "liabilities", "income": "income", "expense": "expenses"}
_TYPES = {"asset": "A", "liability": "L", "income": "R", "expense": "X"}
_AWKWARD = re.compile(r"[;|()\s]+")


def account_name(code: str, kind: str) -> str:
    return f"{_ROOTS[kind]}:{code.replace('/', ':')}"


def _words(text: str) -> str:
    """Text for a description: without what hledger reads as the end of it."""
    return _AWKWARD.sub(" ", text).strip()


class HledgerWriter:
    """Declarations first, so that `hledger check --strict` knows every account and commodity.

    `parts` are files by gaming day: hledger wants dates in order, entries come in the order of seals.
    """

    def __init__(self, parts: Mapping[int, IO[bytes]], accounts: Iterable[TrialLine]) -> None:
        self.parts = parts
        self.names = {line.code: account_name(line.code, line.kind) for line in accounts}

    def head(self, file: IO[bytes], title: str, accounts: list[TrialLine], first_day: str) -> None:
        text = [f"; {_words(title)}\ndecimal-mark .\n\n"]
        text += [
            f"commodity 1000.000000 {currency}\n" for currency in sorted({line.currency for line in accounts})
        ]
        text += [f"account {self.names[line.code]}  ; type: {_TYPES[line.kind]}\n" for line in accounts]
        opening = [line for line in accounts if line.opening_micros]
        if opening:
            text.append(f"\n{first_day} opening balances\n")
            text += [self._leg(line.code, line.opening_micros, line.currency) for line in opening]
        file.write("".join(text).encode())

    def entry(self, line: SealedEntry) -> None:
        content = json.loads(line.text)
        words = _words(f"{content['kind']} {content['reference']} {content['memo']}")
        own = f", own_date:{content['own_date']}" if content["own_date"] else ""
        corrects = f", corrects:{content['corrects']}" if content["corrects"] else ""
        legs = [self._leg(code, micros, content["currency"]) for code, micros in content["legs"].items()]
        self.parts[line.day_id].write(
            (
                f"\n{content['day']} ({_words(content['key'])}) {words}"
                f"  ; entry:{line.entry_id}, source:{content['source']}{own}{corrects}\n{''.join(legs)}"
            ).encode()
        )

    def _leg(self, code: str, micros: int, currency: str) -> str:
        return f"    {self.names[code]}  {format_money(micros)} {currency}\n"
