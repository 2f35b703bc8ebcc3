"""The lists of the jackpots' pages as files: meters, wins, held hands, contributions that look wrong, what is to be
recovered, advances, progressives with their tables and changes, signs, and what a meter is made of."""

from __future__ import annotations

from typing import Any

from people.pages.lists import Listing, day, moment, money, number, text

METERS = Listing(
    "meters",
    "Meters",
    (
        text("progressive", "Progressive", lambda row: row["progressive"].code),
        text("host", "Host", lambda row: row["progressive"].host.code),
        text("level", "Level", lambda row: row["level"]),
        money("live", "Live", lambda row: row["live"]),
        money("final", "Final", lambda row: row["final"]),
        money("reserve", "Reserve", lambda row: row["reserve"]),
        text("currency", "Currency", lambda row: row["progressive"].host.currency),
    ),
)


def _cards(win: Any) -> str:
    return " ".join(map(str, win.cards or ()))


WINS = Listing(
    "wins",
    "Wins",
    (
        number("win", "Win", "pk"),
        text("state", "State", lambda row: row.get_state_display()),
        moment("place", "Place in the order"),
        text("premises", "Premises", "table_log.premises.code"),
        text("table", "Table", "table_log.table_code"),
        number("seat", "Seat"),
        text("progressive", "Progressive", "progressive.code"),
        text("level", "Level"),
        text("hand", "Hand", "trigger"),
        text("cards", "Cards", _cards),
        money("amount", "Amount"),
        money("paid", "Paid"),
        text("currency", "Currency", "progressive.host.currency"),
        moment("resolved_at", "Resolved"),
        text("verified_by", "Verified by"),
        moment("verified_at", "Verified"),
        text("paid_by", "Paid by"),
        moment("paid_at", "Paid at"),
    ),
)
HELD = Listing(
    "held-hands",
    "Held for people",
    (
        number("held", "Number", "pk"),
        text("premises", "Premises", "table_log.premises.code"),
        text("table", "Table", "table_log.table_code"),
        number("round", "Round", "round_id"),
        text("progressive", "Progressive", "progressive.code"),
        moment("dealt", "Dealt", "place"),
        moment("final_until", "The order was final up to"),
        moment("told", "Told", "at"),
        text("why", "Why"),
    ),
)
SUSPECTS = Listing(
    "contributions-that-look-wrong",
    "Contributions that look wrong",
    (
        number("number", "Number", "pk"),
        moment("locked", "Locked", "place"),
        text("premises", "Premises", "event.table_log.premises.code"),
        text("table", "Table", "event.table_log.table_code"),
        number("round", "Round", "event.round_id"),
        text("progressive", "Progressive", "progressive.code"),
        text("why", "Why"),
        money("stake", "Wagers"),
        money("slice", "For the progressive"),
        text("currency", "Currency", "progressive.host.currency"),
    ),
)
SUSPECTS_DECIDED = Listing(
    "contributions-decided",
    "Contributions that looked wrong, decided",
    (
        number("number", "Number", "held.pk"),
        moment("at", "When"),
        text("what", "What", lambda row: row.get_kind_display()),
        text("table", "Table", "held.event.table_log"),
        text("progressive", "Progressive", "held.progressive.code"),
        text("why", "Why", "reason"),
        money("stake", "Wagers", "held.stake_micros"),
    ),
)
RECOVERABLES = Listing(
    "to-be-recovered",
    "To be recovered",
    (
        number("win", "Win", "pk"),
        text("hand", "Hand", "trigger"),
        number("seat", "Seat"),
        text("premises", "Premises", "table_log.premises.code"),
        text("table", "Table", "table_log.table_code"),
        text("progressive", "Progressive", "progressive.code"),
        text("level", "Level"),
        moment("paid_at", "Paid"),
        money("too_much", "Not due"),
        money("open", "Open"),
        text("currency", "Currency", "progressive.host.currency"),
    ),
)
ADVANCES = Listing(
    "advances",
    "Advances",
    (
        moment("at", "When"),
        text("hand", "Hand", "trigger"),
        number("seat", "Seat"),
        text("table", "Table", "share.event.table_log"),
        text("progressive", "Progressive", "share.progressive.code"),
        text("level", "Level"),
        text("handed_out_by", "Handed out by", "given_by"),
        money("amount", "Amount", "paid_micros"),
        text("currency", "Currency", "share.progressive.host.currency"),
    ),
)
PROGRESSIVES = Listing(
    "progressives",
    "Progressives",
    (
        text("progressive", "Progressive", lambda row: row["progressive"].code),
        text("name", "Name", lambda row: row["progressive"].name),
        text("host", "Host", lambda row: row["progressive"].host.code),
        text("levels", "Levels", lambda row: "; ".join(meter.level for meter in row["meters"])),
        number("tables", "Tables", lambda row: row["tables"]),
        number("suspended", "Of these suspended", lambda row: row["suspended"]),
        text("rules", "Fingerprint of its rules", lambda row: row["progressive"].config.sha256),
        text("decommissioned", "Decommissioned", lambda row: row["ended"]),
        day("ends", "Ends after", lambda row: row["ends"].last_day if row["ends"] else None),
    ),
)
LINKS = Listing(
    "linked-tables",
    "Linked tables",
    (
        text("premises", "Premises", "table_log.premises.code"),
        text("table", "Table", "table_log.table_code"),
        text("wagers", "Wagers", lambda row: "; ".join(row.kinds)),
        text("takes_rest", "House's share by way of it"),
        text("open", "Open", "table_log.is_open"),
        moment("suspended_at", "Suspended", lambda row: row.suspended_at if row.is_suspended else None),
        moment("left_out_at", "Left out", lambda row: row.left_out_at or row.table_log.left_out_at),
    ),
)
CHANGES = Listing(
    "changes-of-rules",
    "Changes of the rules",
    (
        moment("place", "Stands at"),
        text("what", "What", lambda row: row.get_kind_display()),
        moment("effect_at", "Holds from"),
        text("asked_by", "Asked by", "approval.requested_by"),
        text("approved_by", "Approved by", "approval.decided_by"),
        text("why", "Why", "approval.reason"),
        text("rules", "Fingerprint", "config.sha256"),
    ),
)
DISPLAYS = Listing(
    "signs",
    "Signs",
    (
        text("sign", "Sign", "display.name"),
        text("premises", "Premises", "display.premises.code"),
        text("shows", "Shows", lambda row: "; ".join(row.display.codes)),
        text("table", "Table", "display.table_log.table_code"),
        text("state", "State"),
        text("needs_someone", "Needs someone", "bad"),
        text("text", "In words"),
        moment("last_seen_at", "Last seen", "display.last_seen_at"),
        text("figures", "On the glass", lambda row: "; ".join(" ".join(each) for each in row.figures)),
        number("lag_s", "Lag in seconds"),
    ),
)
CONTRIBUTED = Listing(
    "contributions",
    "Contributions by table and hour",
    (
        moment("hour", "Hour"),
        text("premises", "Premises", "table_log.premises.code"),
        text("table", "Table", "table_log.table_code"),
        number("rounds", "Rounds"),
        money("stake", "Wagers"),
        money("meter", "Meter", "micros"),
    ),
)
MOVED = Listing(
    "moved",
    "Wins, returns and corrections",
    (
        moment("place", "Stands at", "run.last_place"),
        text("what", "What", lambda row: row.run.get_kind_display()),
        text("wins", "Wins", lambda row: "; ".join(str(win.pk) for win in row.wins)),
        money("meter", "Meter", "micros"),
    ),
)
WAGERS = Listing(
    "wagers",
    "Wagers behind the meter",
    (
        moment("place", "Stands at", "share.place"),
        number("event", "Event", "share.event.number"),
        number("round", "Round", "share.event.round_id"),
        number("seat", "Seat", "wager.seat"),
        text("wager", "Wager", "wager.kind"),
        money("stake", "Stake", "wager.stake"),
        money("came", "Came here", "slice_micros"),
    ),
)
METER_HISTORY = Listing(
    "meter-history",
    "Meters over time",
    (
        text("level", "Level", lambda row: row[0].level),
        moment("at", "At", lambda row: row[1].at),
        money("meter", "Meter", lambda row: row[1].micros),
    ),
)
BY_HOUR = Listing(
    "contributions-by-hour",
    "Contributions by the hour",
    (
        moment("hour", "Hour", lambda row: row[0].at),
        text("table", "Table", lambda row: row[1]),
        money("amount", "Amount", lambda row: row[2]),
    ),
)
HITS = Listing(
    "hits-and-odds",
    "Hits and odds",
    (
        text("level", "Level", lambda row: row[0].level),
        text("hand", "Hand", lambda row: row[1].trigger or "all of it"),
        number("wagers", "Wagers", lambda row: row[1].counted.tries),
        text("expected", "Expected", lambda row: row[1].counted.expected),
        number("hits", "Hits", lambda row: row[1].counted.hits),
        text("verdict", "Could it be luck", lambda row: row[1].counted.verdict),
        number("wins", "Wins to date", lambda row: row[1].wins),
        money("won", "Won to date", lambda row: row[1].won_micros),
        moment("last_won", "Last won", lambda row: row[1].last_won),
    ),
)
HAND_PAY_RULES = Listing(
    "hand-pay-rules",
    "What is asked of hand pays",
    (
        day("from_day", "From gaming day"),
        money("three_people_above", "Three people above"),
        money("surveillance_above", "Surveillance above"),
        money("evidence_above", "Evidence above"),
        money("report_above", "Reported above"),
        text("report_to", "To"),
        money("correct_alone", "Corrected by one up to"),
        number("unclaimed_days", "Days until set aside"),
        number("expiry_days", "Days until it expires"),
        number("second_thought_days", "Days of second thoughts"),
    ),
)
RULINGS = Listing(
    "rulings",
    "Rulings",
    (
        number("ruling", "Ruling", "pk"),
        text("what", "What", lambda row: row.get_kind_display()),
        text("asked_by", "Asked by", "approval.requested_by"),
        moment("asked_at", "Asked", "approval.requested_at"),
        text("approved_by", "Approved by", "approval.decided_by"),
        moment("approved_at", "Approved", "approval.decided_at"),
        text("why", "Why", "approval.reason"),
    ),
)
