"""One sign's report, as its socket hands it in."""

from __future__ import annotations

from typing import Any

from jackpots.signs.reports import record_reports


def record_report(display_id: int, report: Any) -> bool:
    return record_reports([(display_id, report)])[0]
