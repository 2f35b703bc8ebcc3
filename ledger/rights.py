"""What each part of Potline may write of the books. Both that work post entries; who closes a day is a person."""

from config.rights import register, signs_read

register(
    "ledger_gamingday",
    insert="web worker",
    update={"web": ["state", "closing_at", "closing_by_id", "closed_at", "closed_by_id", "checklist"]},
)
register("ledger_openitem", insert="web")
register("ledger_epoch")  # by the tables' owner alone, as the next
register("ledger_monthmove")
register(
    "ledger_verifiedmark",
    insert="worker",
    update={"worker": ["seal", "below_xact", "verified_at", "hallmark"]},
)
signs_read("ledger_seal", "ledger_epoch")  # of which stamps are made
