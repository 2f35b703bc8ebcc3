"""What each part of Potline may write of people: programs that work for nobody in particular give no roles, change no
log-in and decide on nothing."""

from config.kit.rights import register, signs_read

register("people_user", insert="web", update={"web": ["password", "is_active", "last_login", "language"]})
register(
    "people_premises",
    insert="web",
    update={"web": ["name", "currency", "time_zone", "rollover_hour", "rulebook"]},
)
register("people_rolegrant", insert="web", delete="web")
register(
    "people_approvalrequest",
    insert="web",
    update={"web": ["state", "decided_by_id", "decided_at", "decision_note", "used_at"]},
)
register("people_invitation", insert="web", update={"web": ["used_at", "withdrawn_at"]})
register(
    "people_login",
    insert="web",
    update={
        "web": ["last_used_at", "proved_at", "second_factor_at", "hallmark", "ended_at", "ended_because"]
    },
)
register(
    "people_secondfactor",
    insert="web",
    update={"web": ["secret", "confirmed_at", "last_step"]},
)
register("people_failedlogin", insert="web", update={"web": ["forgiven_at"]}, delete="worker")
register("django_session", insert="web", update={"web": ["session_data", "expire_date"]}, delete="web worker")
register(
    "people_delivery",
    insert="worker",
    update={"worker": ["attempts", "next_at", "sent_at", "given_up_at", "error"]},
)
register("people_alert", insert="web worker signs")
register("people_alertacknowledgement", insert="web")
register("people_turn", insert="web worker", update={"web": ["name"], "worker": ["name"]})
signs_read("people_premises", "people_alert", "people_alertacknowledgement")
