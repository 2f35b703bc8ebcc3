"""Tables whose rows nobody may change who only reads: what the permission tests compare before and after."""

from __future__ import annotations

WATCHED = [
    "people.approvalrequest",
    "people.rolegrant",
    "people.alert",
    "people.alertacknowledgement",
    "people.premises",
    "ledger.entry",
    "ledger.gamingday",
    "ledger.openitem",
    "ledger.export",
    "jackpots.win",
    "jackpots.event",
    "jackpots.tablelog",
    "jackpots.progressive",
    "jackpots.meter",
    "tables.table",
    "tables.round",
    "tables.tableevent",
]
