"""The counts of tables in an export, counted again from their slips; loaded by verify.py, which lies beside it.

A slip comes to its amount by its denominations, and the hash of what it says is in its sealed entry. A count result is
closer + credits + drop - opener - fills; what the tray got by play is what its account moved by otherwise; the
difference is the variance, of which the entries `count` have booked what was accepted.
"""

from __future__ import annotations

from typing import Any

from docs.verify import digest_of, micros_of

KINDS = ("opener", "fill", "credit", "closer", "drop")
INCOME = ("win", "commission", "fees", "rounding")


def check(export: Any) -> None:
    """`export`: the Verifier, after it has read the journal."""
    sums: dict[tuple[str, str, str], int] = {}
    promotional: dict[tuple[str, str], int] = {}
    left = dict(export.slips)
    for row in export.rows("tables.slips.jsonl"):
        at = (row["day"], row["table"])
        amount = check_slip(export, row, left.pop((row["table"], row["slip"]), None))
        sums[(*at, row["kind"])] = sums.get((*at, row["kind"]), 0) + amount
        promotional[at] = promotional.get(at, 0) + micros_of(row["promotional"] or "0")
    if not export.manifest["request"]["table"]:
        for (table, number), entry in left.items():
            export.fault(f"entry {entry['id']}: the export has no slip {number} of {table}")
    for row in export.rows("tables.counts.jsonl"):
        at = (row["day"], row["table"])
        check_count(export, row, {kind: sums.get((*at, kind), 0) for kind in KINDS}, promotional.get(at, 0))
        export.counts += 1


def check_slip(export: Any, row: dict[str, Any], entry: dict[str, Any] | None) -> int:
    """Gives its amount."""
    where, amount = f"slip {row['slip']} of {row['table']}", micros_of(row["amount"])
    if row["denominations"]:
        parts = [part.split(" x ") for part in row["denominations"].split(", ")]
        counted = sum(int(count) * micros_of(value) for count, value in parts)
        if counted != amount:
            export.fault(f"{where}: {row['denominations']} do not come to {row['amount']}")
    if entry is None:
        export.fault(f"{where}: it has no entry")
        return amount
    source = {
        "table": row["table"],
        "kind": row["kind"],
        "slip": row["slip"],
        "micros": amount,
        "day": row["own_date"] or row["day"],
    }
    if row["denominations"]:
        source["denominations"] = row["denominations"]
    if micros_of(row["promotional"] or "0"):
        source["promotional"] = row["promotional"]
    if digest_of(source) != entry["source"] or max(entry["legs"].values()) != amount:
        export.fault(f"{where}: it is not what entry {entry['id']} rests on")
    if entry["day"] != row["day"]:
        export.fault(f"{where}: entry {entry['id']} is of {entry['day']}")
    return amount


def check_count(export: Any, row: dict[str, Any], slips: dict[str, int], promotional: int) -> None:
    day, table = row["day"], row["table"]
    moved = {name: export.moved.get((day, table, name), 0) for name in (*INCOME, "bank", "accepted")}
    result = slips["closer"] + slips["credit"] + slips["drop"] - slips["opener"] - slips["fill"]
    wagers = -sum(moved[name] for name in INCOME)
    # The tray got what slips and play brought; cash in the box was paid for by its chips.
    tray = slips["opener"] + slips["fill"] - slips["credit"] - slips["closer"]
    play = moved["bank"] - tray + slips["drop"]
    due = {
        "opener": slips["opener"],
        "fills": slips["fill"],
        "credits": slips["credit"],
        "drop": slips["drop"],
        "closer": slips["closer"],
        "result": result if slips["closer"] else None,
        "wagers": wagers,
        "other": play - wagers,
        "variance": result - play if slips["closer"] else None,
        "accepted": moved["accepted"],
        "promotional_counted": promotional,
    }
    for name, micros in due.items():
        told = None if row[name] in (None, "") else micros_of(row[name])
        if told != micros:
            export.fault(
                f"count of {table} on {day}: its {name} is {row[name]}, its slips and entries give {micros}"
            )
