"""What each part of Potline may write of the floor: what was played comes in at the door, workers settle it."""

from config.kit.rights import register

CHANGED = ["config_id", "chips", "rules_from", "change_due_at"]
"""What a change of its rules writes, when it is planned and when it takes effect."""
register("tables_tableconfig", insert="web")
register(
    "tables_table",
    insert="web",
    update={
        "web": [
            "is_open", "last_event", "last_round", "last_heard_at", "session", "carried", "head", "pit", "seats",
            "reserved_for", "device_error_ms", "closing_at", *CHANGED,
        ],
        "worker": ["carried", *CHANGED],
    },
)  # fmt: skip
register(
    "tables_tablechange",
    insert="web",
    update={"web": ["state", "ended_at"], "worker": ["state", "ended_at"]},
)
register("tables_inspectornotice", insert="web")
register("tables_noticeacknowledgement", insert="web")
register(
    "tables_terminal",
    insert="web",
    update={
        "web": [
            "token_sha256", "previous_sha256", "previous_until", "networks", "expires_at", "revoked_at", "must_sign",
            "last_signed", "version",
        ]
    },
)  # fmt: skip
register("tables_tableevent", insert="web")
register("tables_messagetext", insert="web")
for _table in (
    "cageslip",
    "cageslipprint",
    "chipslip",
    "slipprint",
    "countrules",
    "tablecount",
    "colourstep",
    "unclaimedmoney",
    "unclaimedend",
    "dispute",
    "disputestep",
):
    register(f"tables_{_table}", insert="web")
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
register(
    "tables_tableday",
    insert="worker",
    update={"worker": ["staked_micros", "win_micros", "through"]},
)
for _corrected in ("roundcorrection", "roundversion", "versionline", "seatclaim", "claimstep", "roundending"):
    register(f"tables_{_corrected}", insert="web")
