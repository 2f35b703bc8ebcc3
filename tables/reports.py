"""What the floor reports to finance: every wager, what went otherwise than planned, counts. Sums: tables.results."""

from __future__ import annotations

from collections.abc import Iterator

from config.sheets.columns import Cell, Column, Row
from ledger.reports import Scope, Source, register
from ledger.sources import stream
from tables.counts import counts
from tables.models import WagerLine
from tables.results import ROUNDS, VERSIONS, parameters

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
        "Wager detail",
        (
            Column("day", "Gaming day", Cell.DATE),
            Column("table", "Table"),
            Column("round", "Round", Cell.NUMBER),
            Column("round_id", "Round id"),
            Column("no_more_bets", "No more bets", Cell.INSTANT),
            Column("wager", "Wager id"),
            Column("kind", "Wager"),
            Column("selection", "On"),
            Column("seat", "Seat", Cell.NUMBER),
            Column("player", "Player"),
            Column("stake", "Stake", Cell.MONEY, total=True),
            Column("outcome", "Outcome"),
            Column("odds", "Odds"),
            Column("winnings", "Winnings", Cell.MONEY, total=True),
            Column("returned", "Returned", Cell.MONEY, total=True),
            Column("standing", "Stands", Cell.MONEY, total=True),
            Column("commission", "Commission", Cell.MONEY, total=True),
            Column("rounding", "Rounded up", Cell.MONEY, total=True),
            Column("rule", "Rule"),
            Column("also", "Further rules"),
            Column("own_date", "Own date", Cell.DATE),
        ),
        _wagers,
        "Every wager of every settled round with the rule that decided it; with its own date, where it came late.",
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
        "Rounds",
        (
            Column("day", "Gaming day", Cell.DATE),
            Column("table", "Table"),
            Column("round", "Round", Cell.NUMBER),
            Column("round_id", "Round id"),
            Column("no_more_bets", "No more bets", Cell.INSTANT),
            Column("settled_at", "Settled", Cell.INSTANT),
            Column("game", "Game"),
            Column("rulebook", "Rulebook"),
            Column("rules", "Hash of the table's rules"),
            Column("rules_version", "Version of the rules", Cell.NUMBER),
            Column("own_date", "Own date", Cell.DATE),
        ),
        _rounds,
        "Every settled round with what it was played and settled by. With its wagers it gives what its entry rests on.",
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
        "Exceptions on the floor",
        (
            Column("day", "Gaming day", Cell.DATE),
            Column("table", "Table"),
            Column("round", "Round", Cell.NUMBER),
            Column("round_id", "Round id"),
            Column("what", "What"),
            Column("detail", "Detail"),
        ),
        _exceptions,
        "Irregularities, void wagers, late arrivals, amounts rounded up to chips, rounds that were corrected or stuck.",
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
        "Corrected rounds",
        (
            Column("day", "Gaming day", Cell.DATE),
            Column("table", "Table"),
            Column("round", "Round", Cell.NUMBER),
            Column("round_id", "Round id"),
            Column("version", "Version", Cell.NUMBER),
            Column("correction", "Correction"),
            Column("corrected_round", "Round that was wrong"),
            Column("rules", "Hash of the table's rules"),
            Column("rules_version", "Version of the rules", Cell.NUMBER),
            Column("rule", "Rule"),
            Column("reason", "Why"),
            Column("asked_by", "Asked by"),
            Column("approved_by", "Approved by"),
            Column("at", "Corrected", Cell.INSTANT),
            Column("own_date", "Own date", Cell.DATE),
        ),
        _versions,
        "Every later version of a round: what was put right, by whom and why, in whose books the difference is.",
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
        "Wagers of corrected rounds",
        (
            *WAGERS.columns[:4],
            Column("version", "Version", Cell.NUMBER),
            *WAGERS.columns[5:],
        ),
        _version_wagers,
        "Every wager of every later version, with the rule that decides it now, in place of the version before.",
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
        "Counts and variances",
        (
            Column("day", "Gaming day", Cell.DATE),
            Column("table", "Table"),
            Column("opener", "Opener", Cell.MONEY, total=True),
            Column("fills", "Fills", Cell.MONEY, total=True),
            Column("credits", "Credits", Cell.MONEY, total=True),
            Column("drop", "Drop", Cell.MONEY, total=True),
            Column("closer", "Closer", Cell.MONEY, total=True),
            Column("result", "Count result", Cell.MONEY, total=True),
            Column("wagers", "Result by wagers", Cell.MONEY, total=True),
            Column("other", "Other chips of play", Cell.MONEY, total=True),
            Column("variance", "Variance", Cell.MONEY, total=True),
            Column("accepted", "Accepted", Cell.MONEY, total=True),
            Column("explanation", "Explanation"),
            Column("promotional_played", "Promotional chips taken", Cell.MONEY, total=True),
            Column("promotional_counted", "Promotional chips counted", Cell.MONEY, total=True),
        ),
        _counts,
        "By table and day: closer + credits + drop - opener - fills beside the result by wagers. A table without a "
        "closer has no count.",
        filters=("table",),
    )
)
