"""What each part of the house may write of the floor: what was played comes in at the door, workers settle it."""

from config.rights import register

register("tables_tableconfig", insert="web")
register(
    "tables_table",
    insert="web",
    update={
        "web": ["is_open", "last_event", "last_round", "last_heard_at", "session", "carried", "head"],
        "worker": ["carried"],
    },
)
register(
    "tables_terminal",
    insert="web",
    update={
        "web": [
            "token_sha256", "previous_sha256", "previous_until", "networks", "expires_at", "revoked_at", "must_sign",
            "last_signed",
        ]
    },
)  # fmt: skip
register("tables_tableevent", insert="web")
SETTLED = ["state", "settlement", "result", "rules_version", "attempts", "error"]
register(
    "tables_round",
    insert="web",
    update={
        "web": [
            "locked_at", "closed_at", "gaming_day", "wagers", "dealt", "decisions", "irregularities", "lock",
            "moments", "result_told", "jackpots_count", "not_accepted", "carried_in", *SETTLED,
        ],
        "worker": ["settled_at", "late_day", *SETTLED],
    },
)  # fmt: skip
register("tables_wagerline", insert="worker")
