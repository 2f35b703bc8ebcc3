"""What each part of Potline may write of jackpots. Money moves by the fold alone, so meters, runs and new wins are
the workers'; how far a table has vouched comes in at the door; a sign writes down what it showed."""

from config.kit.rights import register, signs_read

register(
    "jackpots_meter",
    insert="web",
    update={
        "worker": [
            "base_micros", "increment_micros", "reserve_micros", "overflow_micros", "resets", "not_owed_micros",
        ]
    },
)  # fmt: skip
register(
    "jackpots_progressive",
    insert="web",
    update={
        "web": [
            "frame_sequence", "name", "silence", "lease_ms", "skew_ms", "pay_alone_limit_micros", "ruling_limit_micros",
            "ruling_daily_micros", "suspect_stake_micros", "suspect_rate_micros", "armed_config_id", "armed_at",
            "effect_at", "ends_at",
        ],
        "worker": [
            "config_id", "armed_config_id", "armed_at", "effect_at", "final_until", "folded_until", "runs",
            "frame_sequence",
        ],
    },
)  # fmt: skip
register(
    "jackpots_tablelog",
    insert="web",
    update={
        "web": [
            "is_open", "last_number", "watermark", "last_place", "last_round", "lease_until", "heard_at", "clocks",
            "left_out_at", "returned_at", "hallmark",
        ],
        "worker": ["last_number", "last_place", "last_round", "hallmark"],
    },
)  # fmt: skip
register(
    "jackpots_undecidedround",
    insert="web",
    update={"web": ["seats", "left_out", "lock", "since", "unawaited"], "worker": ["left_out"]},
    delete="web worker",
)
OUT = ["suspended_at", "resumed_at", "left_out_at", "returned_at"]
register("jackpots_link", insert="web", update={"web": OUT, "worker": OUT})
register("jackpots_serverclock", insert="web worker")
register("jackpots_configchange", insert="web")
register("jackpots_doubt", insert="web")  # found at the door
register("jackpots_foldrun", insert="worker")
register(
    "jackpots_win",
    insert="worker",
    update={
        "web": [
            "state", "verified_by_id", "verified_at", "verification", "approval_id", "paid_by_id", "paid_at",
            "paid_micros", "method", "parts",
        ],
        "worker": ["state"],
    },
)  # fmt: skip
register("jackpots_givenhour", insert="worker", update={"worker": ["micros"]})
register("jackpots_paidtotal", insert="web", update={"web": ["wins", "paid_micros"]})
register("jackpots_adjustment", insert="web")
register("jackpots_decommission", insert="web")
register("jackpots_advance", insert="web")
register("jackpots_dismissal", insert="web")
register("jackpots_heldcontribution", insert="web worker")
register("jackpots_heldsettlement", insert="web worker")
register("jackpots_handpayrules", insert="web")
register("jackpots_slip", insert="web")
register("jackpots_overpaid", insert="worker")
register("jackpots_recovery", insert="web")
register("jackpots_winner", insert="web")
register("jackpots_winnerdata", insert="web", delete="web")
register("jackpots_frame", insert="web worker")
register("jackpots_frametext", insert="web worker")
register("jackpots_board", insert="worker")
register("jackpots_freeze", insert="worker")
register("jackpots_release", insert="web")
register("jackpots_ruling", insert="web")
register("jackpots_ruledmoment", insert="web")
register("jackpots_progressiveconfig", insert="web")
SHOWN = ["last_seen_at", "last_sequence", "last_shown"]
register(
    "jackpots_display",
    insert="web",
    update={
        "web": [
            "token_sha256", "previous_sha256", "previous_until", "networks", "expires_at", "revoked_at", "name",
            "progressive_id", "table_log_id", "setup", *SHOWN,
        ],
        "signs": SHOWN,
    },
)  # fmt: skip
register(
    "jackpots_displayminute",
    insert="web signs",
    update={"web": ["showed", "wrong"], "signs": ["showed", "wrong"]},
)
signs_read("jackpots_display", "jackpots_displaystanding", "jackpots_displayminute", "jackpots_progressive")
signs_read("jackpots_frame", "jackpots_frametext")
