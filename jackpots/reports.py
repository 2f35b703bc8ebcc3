"""What the jackpots room reports to finance: wins with their way to being paid, and the event log."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.utils.translation import gettext_noop

from config.kit.gaming_day import day_start
from config.kit.sheets.columns import Cell, Column, Row
from jackpots.order import doubts
from jackpots.order.by_place import BY_PLACE_SQL
from ledger.reports.reports import Scope, Source, register
from ledger.reports.sources import stream

_WINS = """
    SELECT coalesce(s.place, l.hits_place), p.code, t.table_code, w.seat, w.player, w.round_id::text, w.trigger,
        w.level, w.amount_micros,
        w.from_pool_micros, w.from_house_micros, w.rule, w.state, w.resolved_at, v.name, a.name, y.name, w.paid_at,
        w.paid_micros, w.method, s.told, s.earliest, s.latest, s.late::text,
        CASE WHEN EXISTS (SELECT FROM jackpots_ruledmoment m JOIN jackpots_ruling u ON u.id = m.ruling_id
            WHERE m.table_log_id = w.table_log_id AND m.round_id = w.round_id AND u.at <= r.at
                AND r.decision IS NOT NULL) THEN 'ruling' ELSE coalesce(r.decision->>'kind', '') END, w.id,
        w.adjustment_id, w.replaces_id,
        (SELECT sum(o.amount_micros)::bigint FROM jackpots_overpaid o WHERE o.win_id = w.id)
    FROM jackpots_win w LEFT JOIN jackpots_share s ON s.id = w.share_id
    LEFT JOIN jackpots_adjustment l ON l.held_id = w.held_id JOIN jackpots_foldrun r ON r.id = w.run_id
    JOIN jackpots_progressive p ON p.id = w.progressive_id
    JOIN jackpots_tablelog t ON t.id = w.table_log_id LEFT JOIN people_user v ON v.id = w.verified_by_id
    LEFT JOIN people_approvalrequest q ON q.id = w.approval_id LEFT JOIN people_user a ON a.id = q.decided_by_id
    LEFT JOIN people_user y ON y.id = w.paid_by_id
    WHERE (p.host_id = %(premises)s OR t.premises_id = %(premises)s)
        AND coalesce(s.place, l.hits_place) >= %(begin)s AND coalesce(s.place, l.hits_place) < %(end)s
        AND (%(progressive)s = '' OR p.code = %(progressive)s) AND (%(table)s = '' OR t.table_code = %(table)s)
    ORDER BY 1, w.id
"""


def _wins(scope: Scope) -> Iterator[Row]:
    return stream(_WINS, _parameters(scope), "jackpots_wins")


WINS = register(
    Source(
        "jackpots.wins",
        gettext_noop("Jackpot wins"),
        (
            Column("place", gettext_noop("Place in the order"), Cell.INSTANT),
            Column("progressive", gettext_noop("Progressive")),
            Column("table", gettext_noop("Table")),
            Column("seat", gettext_noop("Seat"), Cell.NUMBER),
            Column("player", gettext_noop("Player")),
            Column("round_id", gettext_noop("Round id")),
            Column("hand", gettext_noop("Hand")),
            Column("level", gettext_noop("Level")),
            Column("amount", gettext_noop("Amount"), Cell.MONEY, total=True),
            Column("from_pool", gettext_noop("From the pool"), Cell.MONEY, total=True),
            Column("from_house", gettext_noop("From the house"), Cell.MONEY, total=True),
            Column("rule", gettext_noop("Rule")),
            Column("state", gettext_noop("State")),
            Column("resolved_at", gettext_noop("Resolved"), Cell.INSTANT),
            Column("verified_by", gettext_noop("Verified by")),
            Column("approved_by", gettext_noop("Approved by")),
            Column("paid_by", gettext_noop("Paid by")),
            Column("paid_at", gettext_noop("Paid"), Cell.INSTANT),
            Column("paid", gettext_noop("Amount paid"), Cell.MONEY, total=True),
            Column("method", gettext_noop("Paid in")),
            Column("told", gettext_noop("Told by its terminal"), Cell.INSTANT),
            Column("earliest", gettext_noop("Not before"), Cell.INSTANT),
            Column("latest", gettext_noop("Not after"), Cell.INSTANT),
            Column("late", gettext_noop("Told late")),
            Column("decision", gettext_noop("Order decided by")),
            Column("win", gettext_noop("Win id"), Cell.NUMBER),
            Column("adjustment", gettext_noop("Brought by adjustment"), Cell.NUMBER),
            Column("replaces", gettext_noop("Replaces win"), Cell.NUMBER),
            Column("not_due", gettext_noop("Of it not due"), Cell.MONEY, total=True),
        ),
        _wins,
        gettext_noop(
            "Every win in the order in which it stands, the rule, and who verified, approved and paid it."
        ),
        filters=("table", "progressive"),
    )
)

_EVENTS = f"""
    SELECT s.place, p.code, t.table_code, e.number, e.kind, e.round_id::text, s.stake_micros, s.slice_micros,
        e.terminal_at, e.received_at, s.earliest, s.latest, s.late::text, e.body::text, c.sha256, d.earliest, d.latest,
        CASE d.found_by->>'way' WHEN '{doubts.OF_THE_SERVER}' THEN 0 ELSE d.jump_ms END
    FROM jackpots_share s JOIN jackpots_event e ON e.id = s.event_id
    JOIN jackpots_progressive p ON p.id = s.progressive_id JOIN jackpots_progressiveconfig c ON c.id = s.config_id
    JOIN jackpots_tablelog t ON t.id = e.table_log_id JOIN people_premises m ON m.id = t.premises_id
    LEFT JOIN LATERAL (
        SELECT d.* FROM jackpots_doubt d WHERE d.share_id = s.id ORDER BY d.id DESC LIMIT 1
    ) d ON TRUE
    WHERE (p.host_id = %(premises)s OR t.premises_id = %(premises)s) AND s.place >= %(begin)s AND s.place < %(end)s
        AND (%(progressive)s = '' OR p.code = %(progressive)s) AND (%(table)s = '' OR t.table_code = %(table)s)
    ORDER BY p.code COLLATE "C", {BY_PLACE_SQL}
"""  # noqa: S608


def _events(scope: Scope) -> Iterator[Row]:
    return stream(_EVENTS, _parameters(scope), "jackpots_events")


EVENTS = register(
    Source(
        "jackpots.events",
        gettext_noop("Jackpot event log"),
        (
            Column("place", gettext_noop("Place in the order"), Cell.INSTANT),
            Column("progressive", gettext_noop("Progressive")),
            Column("table", gettext_noop("Table")),
            Column("number", gettext_noop("Number"), Cell.NUMBER),
            Column("kind", gettext_noop("Kind")),
            Column("round_id", gettext_noop("Round id")),
            Column("stake", gettext_noop("Wagers"), Cell.MONEY),
            Column("slice", gettext_noop("To this progressive"), Cell.MONEY, total=True),
            Column("terminal_at", gettext_noop("Terminal's time"), Cell.INSTANT),
            Column("received_at", gettext_noop("Received"), Cell.INSTANT),
            Column("earliest", gettext_noop("Not before"), Cell.INSTANT),
            Column("latest", gettext_noop("Not after"), Cell.INSTANT),
            Column("late", gettext_noop("Told late")),
            Column("body", gettext_noop("Content")),
            Column("rules", gettext_noop("Rules it came in by")),
            Column("doubt_earliest", gettext_noop("Not before, once doubted"), Cell.INSTANT),
            Column("doubt_latest", gettext_noop("Not after, once doubted"), Cell.INSTANT),
            Column("doubt_jump_ms", gettext_noop("Its clock jumped by (ms)"), Cell.NUMBER),
        ),
        _events,
        gettext_noop("The log that the meters are folded from, in its order."),
        large=True,
        filters=("table", "progressive"),
    )
)


_ADJUSTMENTS = """
    SELECT a.place, p.code, a.kind, a.cause, coalesce(t.table_code, ''), a.round_id::text, a.rule, a.reason,
        asked.name, approved.name, a.at, a.house_only::text, (a.effect->>'house_micros')::bigint, r.number,
        a.postings::text, a.effect::text, a.id, a.hits::text, a.hits_place
    FROM jackpots_adjustment a JOIN jackpots_progressive p ON p.id = a.progressive_id
    JOIN people_approvalrequest q ON q.id = a.approval_id JOIN people_user asked ON asked.id = q.requested_by_id
    JOIN people_user approved ON approved.id = q.decided_by_id LEFT JOIN jackpots_tablelog t ON t.id = a.table_log_id
    LEFT JOIN jackpots_foldrun r ON r.adjustment_id = a.id
    WHERE p.host_id = %(premises)s AND a.place >= %(begin)s AND a.place < %(end)s
        AND (%(progressive)s = '' OR p.code = %(progressive)s) AND (%(table)s = '' OR t.table_code = %(table)s)
    ORDER BY a.place, a.id
"""


def _adjustments(scope: Scope) -> Iterator[Row]:
    return stream(_ADJUSTMENTS, _parameters(scope), "jackpots_adjustments")


ADJUSTMENTS = register(
    Source(
        "jackpots.adjustments",
        gettext_noop("Jackpot adjustments and second thoughts"),
        (
            Column("place", gettext_noop("Place in the order"), Cell.INSTANT),
            Column("progressive", gettext_noop("Progressive")),
            Column("kind", gettext_noop("Kind")),
            Column("cause", gettext_noop("Cause")),
            Column("table", gettext_noop("Table")),
            Column("round_id", gettext_noop("Round id")),
            Column("rule", gettext_noop("Rule")),
            Column("reason", gettext_noop("Reason")),
            Column("asked_by", gettext_noop("Asked by")),
            Column("approved_by", gettext_noop("Approved by")),
            Column("at", gettext_noop("Approved"), Cell.INSTANT),
            Column("house_only", gettext_noop("House money only")),
            Column("house", gettext_noop("House gives"), Cell.MONEY, total=True),
            Column("run", gettext_noop("Fold run"), Cell.NUMBER),
            Column("postings", gettext_noop("Moves")),
            Column("effect", gettext_noop("Changes")),
            Column("adjustment", gettext_noop("Adjustment id"), Cell.NUMBER),
            Column("hits", gettext_noop("What the round had")),
            Column("hits_place", gettext_noop("Where its hands belong"), Cell.INSTANT),
        ),
        _adjustments,
        gettext_noop(
            "What two people put right, in the order in which it stands beside the events of the tables."
        ),
        filters=("table", "progressive"),
    )
)


_RECOVERABLE = """
    WITH rows AS (
        SELECT o.win_id, a.at, o.amount_micros AS asked, 0::bigint AS recovered, 0::bigint AS written_off
        FROM jackpots_overpaid o JOIN jackpots_adjustment a ON a.id = o.adjustment_id WHERE o.borne = 'recoverable'
        UNION ALL
        SELECT r.win_id, r.at, 0, CASE r.kind WHEN 'recovered' THEN r.amount_micros ELSE 0 END,
            CASE r.kind WHEN 'written-off' THEN r.amount_micros ELSE 0 END FROM jackpots_recovery r
    )
    SELECT min(rows.at), p.code, t.table_code, w.seat, w.player, w.trigger, w.level, w.paid_at, w.paid_micros,
        sum(rows.asked)::bigint, sum(rows.recovered)::bigint, sum(rows.written_off)::bigint,
        sum(rows.asked - rows.recovered - rows.written_off)::bigint, w.id
    FROM rows JOIN jackpots_win w ON w.id = rows.win_id JOIN jackpots_progressive p ON p.id = w.progressive_id
    JOIN jackpots_tablelog t ON t.id = w.table_log_id
    WHERE p.host_id = %(premises)s AND rows.at < %(end)s
        AND (%(progressive)s = '' OR p.code = %(progressive)s) AND (%(table)s = '' OR t.table_code = %(table)s)
    GROUP BY w.id, p.code, t.table_code
    HAVING max(rows.at) >= %(begin)s OR sum(rows.asked - rows.recovered - rows.written_off) <> 0
    ORDER BY 1, w.id
"""


def _recoverable(scope: Scope) -> Iterator[Row]:
    return stream(_RECOVERABLE, _parameters(scope), "jackpots_recoverable")


RECOVERABLE = register(
    Source(
        "jackpots.recoverable",
        gettext_noop("Jackpots paid in error, to be recovered"),
        (
            Column("since", gettext_noop("Known since"), Cell.INSTANT),
            Column("progressive", gettext_noop("Progressive")),
            Column("table", gettext_noop("Table")),
            Column("seat", gettext_noop("Seat"), Cell.NUMBER),
            Column("player", gettext_noop("Player")),
            Column("hand", gettext_noop("Hand")),
            Column("level", gettext_noop("Level")),
            Column("paid_at", gettext_noop("Paid"), Cell.INSTANT),
            Column("paid", gettext_noop("Amount paid"), Cell.MONEY),
            Column("not_due", gettext_noop("To be recovered"), Cell.MONEY, total=True),
            Column("recovered", gettext_noop("Came back"), Cell.MONEY, total=True),
            Column("written_off", gettext_noop("Written off"), Cell.MONEY, total=True),
            Column("open", gettext_noop("Open"), Cell.MONEY, total=True),
            Column("win", gettext_noop("Win id"), Cell.NUMBER),
        ),
        _recoverable,
        gettext_noop("What is open at the end of the days, and what was settled on them."),
        filters=("progressive", "table"),
    )
)


_CHANGES = """
    SELECT c.place, p.code, c.kind, c.effect_at, r.document::text, r.sha256, b.sha256, asked.name, approved.name,
        q.decided_at, c.id
    FROM jackpots_configchange c JOIN jackpots_progressive p ON p.id = c.progressive_id
    JOIN jackpots_progressiveconfig r ON r.id = c.config_id JOIN jackpots_progressiveconfig b ON b.id = c.before_id
    JOIN people_approvalrequest q ON q.id = c.approval_id JOIN people_user asked ON asked.id = q.requested_by_id
    JOIN people_user approved ON approved.id = q.decided_by_id
    WHERE p.host_id = %(premises)s AND c.place >= %(begin)s AND c.place < %(end)s
        AND (%(progressive)s = '' OR p.code = %(progressive)s)
    ORDER BY c.place, c.id
"""


def _changes(scope: Scope) -> Iterator[Row]:
    return stream(_CHANGES, _parameters(scope), "jackpots_changes")


CHANGES = register(
    Source(
        "jackpots.changes",
        gettext_noop("Changed rules of jackpots"),
        (
            Column("place", gettext_noop("Place in the order"), Cell.INSTANT),
            Column("progressive", gettext_noop("Progressive")),
            Column("kind", gettext_noop("Kind")),
            Column("effect_at", gettext_noop("In force from"), Cell.INSTANT),
            Column("rules", gettext_noop("Rules")),
            Column("rules_sha256", gettext_noop("Rules by hash")),
            Column("before_sha256", gettext_noop("Rules of before by hash")),
            Column("asked_by", gettext_noop("Asked by")),
            Column("approved_by", gettext_noop("Approved by")),
            Column("at", gettext_noop("Approved"), Cell.INSTANT),
            Column("change", gettext_noop("Change id"), Cell.NUMBER),
        ),
        _changes,
        gettext_noop(
            "What two people decided of the rules: armed for the next win of a whole meter, dated, "
            "or taken back."
        ),
        filters=("progressive",),
    )
)


_HELD = """
    SELECT h.place, p.code, t.table_code, h.round_id::text, h.earliest, h.latest, h.final_until, h.why, h.at,
        CASE WHEN x.id IS NOT NULL THEN 'dismissed' WHEN a.id IS NOT NULL THEN 'let in' ELSE '' END, h.body::text, h.id
    FROM jackpots_heldhand h JOIN jackpots_progressive p ON p.id = h.progressive_id
    JOIN jackpots_tablelog t ON t.id = h.table_log_id LEFT JOIN jackpots_dismissal x ON x.held_id = h.id
    LEFT JOIN jackpots_adjustment a ON a.held_id = h.id
    WHERE (p.host_id = %(premises)s OR t.premises_id = %(premises)s) AND h.place >= %(begin)s AND h.place < %(end)s
        AND (%(progressive)s = '' OR p.code = %(progressive)s) AND (%(table)s = '' OR t.table_code = %(table)s)
    ORDER BY h.place, h.id
"""


def _held(scope: Scope) -> Iterator[Row]:
    return stream(_HELD, _parameters(scope), "jackpots_held_hands")


HELD = register(
    Source(
        "jackpots.held_hands",
        gettext_noop("Held jackpot hands"),
        (
            Column("place", gettext_noop("Where it would stand"), Cell.INSTANT),
            Column("progressive", gettext_noop("Progressive")),
            Column("table", gettext_noop("Table")),
            Column("round_id", gettext_noop("Round id")),
            Column("earliest", gettext_noop("Not before"), Cell.INSTANT),
            Column("latest", gettext_noop("Not after"), Cell.INSTANT),
            Column("final_until", gettext_noop("Order was final until"), Cell.INSTANT),
            Column("why", gettext_noop("Why it is held")),
            Column("at", gettext_noop("Told"), Cell.INSTANT),
            Column("decision", gettext_noop("What people decided")),
            Column("body", gettext_noop("Content")),
            Column("held", gettext_noop("Held hand id"), Cell.NUMBER),
        ),
        _held,
        gettext_noop(
            "Hands for which nobody waited when they were told, and what two people decided of them."
        ),
        filters=("table", "progressive"),
    )
)


_IN_TRANSIT = """
    SELECT h.place, p.code, t.table_code, e.round_id::text, h.stake_micros, h.slice_micros, h.why,
        coalesce(x.kind, ''), s.place, coalesce(x.reason, ''), h.id
    FROM jackpots_heldcontribution h JOIN jackpots_progressive p ON p.id = h.progressive_id
    JOIN jackpots_event e ON e.id = h.event_id JOIN jackpots_tablelog t ON t.id = e.table_log_id
    LEFT JOIN jackpots_heldsettlement x ON x.held_id = h.id LEFT JOIN jackpots_share s ON s.id = x.share_id
    WHERE (p.host_id = %(premises)s OR t.premises_id = %(premises)s) AND h.place >= %(begin)s AND h.place < %(end)s
        AND (%(progressive)s = '' OR p.code = %(progressive)s) AND (%(table)s = '' OR t.table_code = %(table)s)
    ORDER BY h.place, h.id
"""


def _in_transit(scope: Scope) -> Iterator[Row]:
    return stream(_IN_TRANSIT, _parameters(scope), "jackpots_held_contributions")


IN_TRANSIT = register(
    Source(
        "jackpots.held_contributions",
        "Jackpot contributions that looked wrong",
        (
            Column("place", "Locked at", Cell.INSTANT),
            Column("progressive", "Progressive"),
            Column("table", "Table"),
            Column("round_id", "Round id"),
            Column("stake", "Wagers", Cell.MONEY, total=True),
            Column("slice", "Of these for it", Cell.MONEY, total=True),
            Column("why", "What looked wrong"),
            Column("decision", "What became of it"),
            Column("entered", "Entered the order at", Cell.INSTANT),
            Column("reason", "Why"),
            Column("held", "Held contribution id", Cell.NUMBER),
        ),
        _in_transit,
        "What waits in transit for people, and what they have accepted or returned.",
        filters=("table", "progressive"),
    )
)


_ADVANCES = """
    SELECT a.at, p.code, t.table_code, e.round_id::text, a.seat, a.player, a.trigger, a.level, a.amount_micros,
        a.paid_micros, y.name, a.id
    FROM jackpots_advance a JOIN jackpots_share s ON s.id = a.share_id JOIN jackpots_event e ON e.id = s.event_id
    JOIN jackpots_progressive p ON p.id = s.progressive_id JOIN jackpots_tablelog t ON t.id = e.table_log_id
    JOIN people_user y ON y.id = a.given_by_id
    WHERE t.premises_id = %(premises)s AND a.at >= %(begin)s AND a.at < %(end)s
        AND (%(progressive)s = '' OR p.code = %(progressive)s) AND (%(table)s = '' OR t.table_code = %(table)s)
    ORDER BY a.at, a.id
"""


def _advances(scope: Scope) -> Iterator[Row]:
    return stream(_ADVANCES, _parameters(scope), "jackpots_advances")


ADVANCES = register(
    Source(
        "jackpots.advances",
        "Jackpot prizes handed out before their turn",
        (
            Column("at", "Handed out", Cell.INSTANT),
            Column("progressive", "Progressive"),
            Column("table", "Table"),
            Column("round_id", "Round id"),
            Column("seat", "Seat", Cell.NUMBER),
            Column("player", "Player"),
            Column("hand", "Hand"),
            Column("level", "Level"),
            Column("amount", "Prize", Cell.MONEY, total=True),
            Column("paid", "Handed out", Cell.MONEY, total=True),
            Column("given_by", "By"),
            Column("advance", "Advance id", Cell.NUMBER),
        ),
        _advances,
        "Small fixed prizes from the tray; their wins are paid by them.",
        filters=("table", "progressive"),
    )
)


_TO_REPORT = """
    SELECT w.paid_at, h.report_to, h.report_above_micros, w.paid_micros, w.method, p.code, t.table_code, w.seat,
        w.trigger, w.level, w.player, EXISTS (SELECT FROM jackpots_winnerdata d JOIN jackpots_winner i
            ON i.id = d.winner_id WHERE i.win_id = w.id)::text, y.name, w.id
    FROM jackpots_win w JOIN jackpots_progressive p ON p.id = w.progressive_id
    JOIN jackpots_tablelog t ON t.id = w.table_log_id JOIN people_user y ON y.id = w.paid_by_id
    JOIN LATERAL (
        SELECT r.* FROM jackpots_handpayrules r WHERE r.premises_id = t.premises_id AND r.from_day
            <= (w.paid_at AT TIME ZONE %(zone)s - make_interval(hours => %(rollover)s))::date
        ORDER BY r.from_day DESC, r.id DESC LIMIT 1
    ) h ON w.paid_micros > h.report_above_micros
    WHERE w.state = 'paid' AND t.premises_id = %(premises)s AND w.paid_at >= %(begin)s AND w.paid_at < %(end)s
        AND (%(progressive)s = '' OR p.code = %(progressive)s) AND (%(table)s = '' OR t.table_code = %(table)s)
    ORDER BY w.paid_at, w.id
"""


def _to_report(scope: Scope) -> Iterator[Row]:
    of_the_day = {"zone": scope.premises.time_zone, "rollover": scope.premises.rollover_hour}
    return stream(_TO_REPORT, _parameters(scope) | of_the_day, "jackpots_to_report")


TO_REPORT = register(
    Source(
        "jackpots.to_report",
        gettext_noop("Jackpot payments to be reported"),
        (
            Column("paid_at", gettext_noop("Paid"), Cell.INSTANT),
            Column("report_to", gettext_noop("Reported to")),
            Column("above", gettext_noop("Reported above"), Cell.MONEY),
            Column("paid", gettext_noop("Amount paid"), Cell.MONEY, total=True),
            Column("method", gettext_noop("Paid in")),
            Column("progressive", gettext_noop("Progressive")),
            Column("table", gettext_noop("Table")),
            Column("seat", gettext_noop("Seat"), Cell.NUMBER),
            Column("hand", gettext_noop("Hand")),
            Column("level", gettext_noop("Level")),
            Column("player", gettext_noop("Player")),
            Column("identified", gettext_noop("Winner is written down")),
            Column("paid_by", gettext_noop("Paid by")),
            Column("win", gettext_noop("Win id"), Cell.NUMBER),
        ),
        _to_report,
        gettext_noop("What was paid above the threshold that was in force on its gaming day."),
        filters=("table", "progressive"),
    )
)


def _parameters(scope: Scope) -> dict[str, Any]:
    return {
        "premises": scope.premises.pk,
        "begin": day_start(scope.premises, scope.first),
        "end": day_start(scope.premises, scope.last + timedelta(days=1)),
        "table": scope.table,
        "progressive": scope.progressive,
    }
