"""What the floor reports to finance: every wager, what went otherwise than planned, counts. Sums:
tables.pages.results."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext_noop

from config.kit.sheets.columns import Cell, Column, Row
from ledger.reports.reports import Scope, Source, register
from ledger.reports.sources import stream
from tables.chips.counts import counts
from tables.models import WagerLine
from tables.pages.results import ROUNDS, VERSIONS, parameters

_WAGERS = f"""
    SELECT r.day, t.code, r.number, r.id::text, r.locked_at, l.wager_id, l.kind, l.selection, l.seat, l.player,
        l.stake_micros, l.outcome, l.odds, l.winnings_micros, l.returned_micros, l.standing_micros,
        l.commission_micros, l.rounding_micros, l.rule, l.also, r.own_date
    FROM {ROUNDS} JOIN tables_wagerline l ON l.round_id = r.id
    WHERE r.state = 'settled'
    ORDER BY r.day, t.code, r.number, l.position
"""  # noqa: S608 (no value is interpolated)


def _wagers(scope: Scope) -> Iterator[Row]:
    return stream(_WAGERS, parameters(scope), "tables_wagers")


def _wagers_count(scope: Scope) -> int:
    lines = WagerLine.objects.filter(
        round__table__premises=scope.premises, round__gaming_day__range=(scope.first, scope.last)
    )
    return (lines.filter(round__table__code=scope.table) if scope.table else lines).count()


WAGERS = register(
    Source(
        "tables.wagers",
        gettext_noop("Wager detail"),
        (
            Column("day", gettext_noop("Gaming day"), Cell.DATE),
            Column("table", gettext_noop("Table")),
            Column("round", gettext_noop("Round"), Cell.NUMBER),
            Column("round_id", gettext_noop("Round id")),
            Column("no_more_bets", gettext_noop("No more bets"), Cell.INSTANT),
            Column("wager", gettext_noop("Wager id")),
            Column("kind", gettext_noop("Wager")),
            Column("selection", gettext_noop("On")),
            Column("seat", gettext_noop("Seat"), Cell.NUMBER),
            Column("player", gettext_noop("Player")),
            Column("stake", gettext_noop("Stake"), Cell.MONEY, total=True),
            Column("outcome", gettext_noop("Outcome")),
            Column("odds", gettext_noop("Odds")),
            Column("winnings", gettext_noop("Winnings"), Cell.MONEY, total=True),
            Column("returned", gettext_noop("Returned"), Cell.MONEY, total=True),
            Column("standing", gettext_noop("Stands"), Cell.MONEY, total=True),
            Column("commission", gettext_noop("Commission"), Cell.MONEY, total=True),
            Column("rounding", gettext_noop("Rounded up"), Cell.MONEY, total=True),
            Column("rule", gettext_noop("Rule")),
            Column("also", gettext_noop("Further rules")),
            Column("own_date", gettext_noop("Own date"), Cell.DATE),
        ),
        _wagers,
        gettext_noop(
            "Every wager of every settled round with the rule that decided it; with its own date, "
            "where it came late."
        ),
        _wagers_count,
        large=True,
        filters=("table", "progressive"),
    )
)

_ROUNDS = f"""
    SELECT r.day, t.code, r.number, r.id::text, r.locked_at, x.settled_at, c.document->>'game',
        c.document->>'rulebook', c.sha256, x.rules_version, r.own_date
    FROM {ROUNDS} JOIN tables_round x ON x.id = r.id JOIN tables_tableconfig c ON c.id = r.config_id
    WHERE r.state = 'settled'
    ORDER BY r.day, t.code, r.number
"""  # noqa: S608 (no value is interpolated)


def _rounds(scope: Scope) -> Iterator[Row]:
    return stream(_ROUNDS, parameters(scope), "tables_rounds")


SETTLED_ROUNDS = register(
    Source(
        "tables.rounds",
        gettext_noop("Rounds"),
        (
            Column("day", gettext_noop("Gaming day"), Cell.DATE),
            Column("table", gettext_noop("Table")),
            Column("round", gettext_noop("Round"), Cell.NUMBER),
            Column("round_id", gettext_noop("Round id")),
            Column("no_more_bets", gettext_noop("No more bets"), Cell.INSTANT),
            Column("settled_at", gettext_noop("Settled"), Cell.INSTANT),
            Column("game", gettext_noop("Game")),
            Column("rulebook", gettext_noop("Rulebook")),
            Column("rules", gettext_noop("Hash of the table's rules")),
            Column("rules_version", gettext_noop("Version of the rules"), Cell.NUMBER),
            Column("own_date", gettext_noop("Own date"), Cell.DATE),
        ),
        _rounds,
        gettext_noop(
            "Every settled round with what it was played and settled by. With its wagers it gives "
            "what its entry rests on."
        ),
        large=True,
        filters=("table", "progressive"),
    )
)

_EXCEPTIONS = f"""
    SELECT r.day, t.code, r.number, r.id::text, x.what, x.detail
    FROM {ROUNDS}
    CROSS JOIN LATERAL (
        SELECT 'Irregularity' AS what, i->>'kind' || coalesce(', seat ' || (i->>'seat'), '') AS detail
            FROM jsonb_array_elements(r.irregularities) i
        UNION ALL SELECT 'Void wager', l.kind || coalesce(', seat ' || nullif(l.seat, 0), '') || ': ' || l.rule
            FROM tables_wagerline l WHERE l.round_id = r.id AND l.outcome = 'void'
        UNION ALL SELECT 'Late arrival', 'belongs to ' || r.own_date WHERE r.own_date IS NOT NULL
        UNION ALL SELECT 'Rounded up', l.kind || coalesce(', seat ' || nullif(l.seat, 0), '') || ': by '
                || trim_scale(l.rounding_micros / 1000000.0)
            FROM tables_wagerline l WHERE l.round_id = r.id AND l.rounding_micros <> 0
        UNION ALL SELECT 'Parked', r.error WHERE r.state = 'parked'
        UNION ALL SELECT 'Corrected', 'version ' || v.number || ' counts from ' || o.at::date || ': ' || o.rule
            FROM tables_roundversion v JOIN tables_roundcorrection o ON o.id = v.correction_id
            WHERE v.round_id = r.id AND v.late_day IS NULL
    ) x
    ORDER BY r.day, t.code, r.number, x.what, x.detail
"""  # noqa: S608 (no value is interpolated)


def _exceptions(scope: Scope) -> Iterator[Row]:
    return stream(_EXCEPTIONS, parameters(scope), "tables_exceptions")


EXCEPTIONS = register(
    Source(
        "tables.exceptions",
        gettext_noop("Exceptions on the floor"),
        (
            Column("day", gettext_noop("Gaming day"), Cell.DATE),
            Column("table", gettext_noop("Table")),
            Column("round", gettext_noop("Round"), Cell.NUMBER),
            Column("round_id", gettext_noop("Round id")),
            Column("what", gettext_noop("What")),
            Column("detail", gettext_noop("Detail")),
        ),
        _exceptions,
        gettext_noop(
            "Irregularities, void wagers, late arrivals, amounts rounded up to chips, rounds that "
            "were corrected or stuck."
        ),
        filters=("table", "progressive"),
    )
)

_VERSIONS = f"""
    SELECT r.day, t.code, r.number, r.id::text, r.version, r.correction_id::text, o.round_id::text, c.sha256,
        r.rules_version, o.rule, o.reason, a.name, b.name, o.at, r.own_date
    FROM {VERSIONS} JOIN tables_tableconfig c ON c.id = r.config_id
    JOIN tables_roundcorrection o ON o.id = r.correction_id JOIN people_user a ON a.id = o.asked_by_id
    LEFT JOIN people_approvalrequest q ON q.id = o.approval_id LEFT JOIN people_user b ON b.id = q.decided_by_id
    ORDER BY r.day, t.code, r.number, r.version
"""  # noqa: S608 (no value is interpolated)


def _versions(scope: Scope) -> Iterator[Row]:
    return stream(_VERSIONS, parameters(scope), "tables_versions")


CORRECTED_ROUNDS = register(
    Source(
        "tables.versions",
        gettext_noop("Corrected rounds"),
        (
            Column("day", gettext_noop("Gaming day"), Cell.DATE),
            Column("table", gettext_noop("Table")),
            Column("round", gettext_noop("Round"), Cell.NUMBER),
            Column("round_id", gettext_noop("Round id")),
            Column("version", gettext_noop("Version"), Cell.NUMBER),
            Column("correction", gettext_noop("Correction")),
            Column("corrected_round", gettext_noop("Round that was wrong")),
            Column("rules", gettext_noop("Hash of the table's rules")),
            Column("rules_version", gettext_noop("Version of the rules"), Cell.NUMBER),
            Column("rule", gettext_noop("Rule")),
            Column("reason", gettext_noop("Why")),
            Column("asked_by", gettext_noop("Asked by")),
            Column("approved_by", gettext_noop("Approved by")),
            Column("at", gettext_noop("Corrected"), Cell.INSTANT),
            Column("own_date", gettext_noop("Own date"), Cell.DATE),
        ),
        _versions,
        gettext_noop(
            "Every later version of a round: what was put right, by whom and why, in whose books the "
            "difference is."
        ),
        filters=("table", "progressive"),
    )
)

_VERSION_WAGERS = f"""
    SELECT r.day, t.code, r.number, r.id::text, r.version, l.wager_id, l.kind, l.selection, l.seat, l.player,
        l.stake_micros, l.outcome, l.odds, l.winnings_micros, l.returned_micros, l.standing_micros,
        l.commission_micros, l.rounding_micros, l.rule, l.also, r.own_date
    FROM {VERSIONS} JOIN tables_versionline l ON l.version_id = r.version_id
    ORDER BY r.day, t.code, r.number, r.version, l.position
"""  # noqa: S608 (no value is interpolated)


def _version_wagers(scope: Scope) -> Iterator[Row]:
    return stream(_VERSION_WAGERS, parameters(scope), "tables_version_wagers")


CORRECTED_WAGERS = register(
    Source(
        "tables.version_wagers",
        gettext_noop("Wagers of corrected rounds"),
        (
            *WAGERS.columns[:4],
            Column("version", gettext_noop("Version"), Cell.NUMBER),
            *WAGERS.columns[5:],
        ),
        _version_wagers,
        gettext_noop(
            "Every wager of every later version, with the rule that decides it now, in place of the "
            "version before."
        ),
        filters=("table", "progressive"),
    )
)


def _counts(scope: Scope) -> Iterator[Row]:
    for one in counts(scope.premises, scope.first, scope.last, scope.table):
        yield (
            one.day,
            one.table.code,
            one.opener_micros,
            one.fills_micros,
            one.credits_micros,
            one.drop_micros,
            one.closer_micros,
            one.result_micros if one.counted else None,
            one.wagers_micros,
            one.other_micros,
            one.variance_micros if one.counted else None,
            one.booked_micros,
            one.explanation,
            one.promotional_played_micros,
            one.promotional_counted_micros,
        )


COUNTS = register(
    Source(
        "tables.counts",
        gettext_noop("Counts and variances"),
        (
            Column("day", gettext_noop("Gaming day"), Cell.DATE),
            Column("table", gettext_noop("Table")),
            Column("opener", gettext_noop("Opener"), Cell.MONEY, total=True),
            Column("fills", gettext_noop("Fills"), Cell.MONEY, total=True),
            Column("credits", gettext_noop("Credits"), Cell.MONEY, total=True),
            Column("drop", gettext_noop("Drop"), Cell.MONEY, total=True),
            Column("closer", gettext_noop("Closer"), Cell.MONEY, total=True),
            Column("result", gettext_noop("Count result"), Cell.MONEY, total=True),
            Column("wagers", gettext_noop("Result by wagers"), Cell.MONEY, total=True),
            Column("other", gettext_noop("Other chips of play"), Cell.MONEY, total=True),
            Column("variance", gettext_noop("Variance"), Cell.MONEY, total=True),
            Column("accepted", gettext_noop("Accepted"), Cell.MONEY, total=True),
            Column("explanation", gettext_noop("Explanation")),
            Column("promotional_played", gettext_noop("Promotional chips taken"), Cell.MONEY, total=True),
            Column("promotional_counted", gettext_noop("Promotional chips counted"), Cell.MONEY, total=True),
        ),
        _counts,
        gettext_noop(
            "By table and day: closer + credits + drop - opener - fills beside the result by wagers. "
            "A table without a closer has no count."
        ),
        filters=("table",),
    )
)


# As tables.chips.trays finds them, by entry_of_slip; what two people approved stands beside what was booked.
_SLIPS = """
    SELECT d.date, t.code, s.number, e.kind, q.payload ->> 'denominations', m.micros, s.promotional_micros,
        e.own_date, asked.name, decided.name, e.id
    FROM ledger_gamingday d JOIN ledger_entry e ON e.day_id = d.id
    CROSS JOIN LATERAL (SELECT max(p.amount_micros) AS micros FROM ledger_posting p WHERE p.entry_id = e.id) m
    JOIN tables_table t ON t.premises_id = d.premises_id AND t.code = split_part(e.reference, ':', 2)
    JOIN tables_chipslip s ON s.table_id = t.id AND s.number = substr(e.reference, length('slip:' || t.code || ':') + 1)
    JOIN LATERAL (SELECT a.*, a.payload_json::jsonb AS payload FROM people_approvalrequest a
        WHERE a.id = s.approval_id AND a.state = 'used') q ON true
    JOIN people_user asked ON asked.id = q.requested_by_id JOIN people_user decided ON decided.id = q.decided_by_id
    WHERE d.premises_id = %(premises)s AND d.date BETWEEN %(first)s AND %(last)s
        AND e.kind IN ('opener', 'fill', 'credit', 'closer', 'drop') AND t.code = coalesce(%(table)s, t.code)
    ORDER BY d.date, t.code, e.id
"""


def _slips(scope: Scope) -> Iterator[Row]:
    given = {
        "premises": scope.premises.pk, "first": scope.first, "last": scope.last, "table": scope.table or None,
    }  # fmt: skip
    return stream(_SLIPS, given, "tables_slips")


_CAGE = """
    SELECT d.date, s.number, e.kind, q.payload ->> 'money', q.payload ->> 'denominations', p.amount_micros, e.own_date,
        asked.name, decided.name, e.id
    FROM ledger_gamingday d JOIN ledger_entry e ON e.day_id = d.id
    JOIN tables_cageslip s ON s.premises_id = d.premises_id AND e.reference = 'cage:' || s.number
    JOIN LATERAL (SELECT a.*, a.payload_json::jsonb AS payload FROM people_approvalrequest a
        WHERE a.id = s.approval_id AND a.state = 'used') q ON true
    JOIN ledger_posting p ON p.entry_id = e.id
    JOIN ledger_account c ON c.id = p.account_id AND c.code LIKE '%%/cage/%%'
    JOIN people_user asked ON asked.id = q.requested_by_id JOIN people_user decided ON decided.id = q.decided_by_id
    WHERE d.premises_id = %(premises)s AND d.date BETWEEN %(first)s AND %(last)s
        AND e.kind IN ('cage.opening', 'cage.funded', 'cage.drained')
    ORDER BY d.date, e.id
"""


def _cage(scope: Scope) -> Iterator[Row]:
    given = {"premises": scope.premises.pk, "first": scope.first, "last": scope.last}
    return stream(_CAGE, given, "tables_cage")


CAGE = register(
    Source(
        "tables.cage",
        gettext_noop("Money put into the cage and taken out"),
        (
            Column("day", gettext_noop("Gaming day"), Cell.DATE),
            Column("slip", gettext_noop("Slip")),
            Column("kind", gettext_noop("Kind")),
            Column("money", gettext_noop("In")),
            Column("denominations", gettext_noop("How many of each")),
            Column("amount", gettext_noop("Amount"), Cell.MONEY, total=True),
            Column("own_date", gettext_noop("Own gaming day, where late"), Cell.DATE),
            Column("entered_by", gettext_noop("Entered by")),
            Column("approved_by", gettext_noop("Approved by")),
            Column("entry", gettext_noop("Entry"), Cell.NUMBER),
        ),
        _cage,
        gettext_noop(
            "What the cage opened with, what the owner has put in since and taken out (negative), by slip, and "
            "by whom."
        ),
    )
)
SLIPS = register(
    Source(
        "tables.slips",
        gettext_noop("Slips by denomination"),
        (
            Column("day", gettext_noop("Gaming day"), Cell.DATE),
            Column("table", gettext_noop("Table")),
            Column("slip", gettext_noop("Slip")),
            Column("kind", gettext_noop("Kind")),
            Column("denominations", gettext_noop("How many of each")),
            Column("amount", gettext_noop("Amount"), Cell.MONEY, total=True),
            Column("promotional", gettext_noop("Promotional chips"), Cell.MONEY, total=True),
            Column("own_date", gettext_noop("Own gaming day, where late"), Cell.DATE),
            Column("entered_by", gettext_noop("Entered by")),
            Column("approved_by", gettext_noop("Approved by")),
            Column("entry", gettext_noop("Entry"), Cell.NUMBER),
        ),
        _slips,
        gettext_noop(
            "Every opener, fill, credit, closer and drop that is in the books, as it was counted and by whom; "
            "docs/verify.py counts the tables again from it."
        ),
        filters=("table",),
    )
)
