"""What each part of Potline may write of the books. Both that work post entries; who closes a day is a person."""

from config.kit.rights import register, signs_read

register(
    "ledger_gamingday",
    insert="web worker",
    # Whoever posts shares the row, which takes a right to change one of its columns: of this one a trigger keeps all.
    update={
        "web": ["state", "closing_at", "closing_by_id", "closed_at", "closed_by_id", "checklist"],
        "worker": ["opened_at"],
    },
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
