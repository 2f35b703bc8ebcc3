"""What the jackpots room hands to `manage.py verify` of what people set and terminals vouch for: settings, links,
tokens of signs, how far tables have vouched; and the meters beside the books."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import connection
from django.db.models import Count, Sum

from config.kit import keys
from config.kit.moments import MOMENT, told
from jackpots.fold.put_right import wrong_end
from jackpots.models import (
    ConfigChange,
    Decommission,
    Event,
    FoldRun,
    Link,
    PaidTotal,
    Progressive,
    ProgressiveConfig,
    TableLog,
    Win,
)
from jackpots.models.progressives import GIVEN
from jackpots.order import server_clock, vouched
from jackpots.set_up.decommissioning import end_of
from jackpots.signs import displays
from jackpots.verify.identities import broken_at_once
from jackpots.verify.log_and_wins import accounts_of
from ledger.verify.books import unrecorded
from ledger.verify.verify import Fault, Span, register
from rules.progressive import content_hash

NOT_ON_RECORD = "which the audit trail does not know"


@register("jackpots.settings", "Rules and settings of progressives changed only on record")
def settings_recorded(span: Span) -> Iterator[Fault]:
    """Rules that are armed come into force by the win that takes a whole meter: then a fold run stands beside it."""
    for row_id, at, stamp in unrecorded("jackpots.progressive", span):
        folded = FoldRun.objects.filter(progressive=row_id, kind=Event.Kind.HITS, xact_id=stamp)
        if not folded.exists():
            progressive = Progressive.objects.select_related("host", "config").filter(pk=row_id).first()
            accounts = accounts_of(progressive) if progressive else ()
            words = (
                f"its settings were changed at {told(at, form=MOMENT)}, which the audit trail does not know"
            )
            yield Fault(f"progressive {row_id}", words, accounts)
    for config in ProgressiveConfig.objects.filter(**span.of()):
        if content_hash(config.rules) != config.sha256:
            yield Fault(f"progressive's rules {config.pk}", "they are not what their hash says")


@register("jackpots.rules_in_force", "Events were folded by rules that two people had put in force by then")
def folded_by_rules(span: Span) -> Iterator[Fault]:
    changes: dict[int, list[ConfigChange]] = {}
    for change in ConfigChange.objects.order_by("pk"):
        changes.setdefault(change.progressive_id, []).append(change)
    for run in FoldRun.objects.filter(**span.of()).select_related("progressive__host", "progressive__config"):
        known = changes.get(run.progressive_id, [])
        opening = known[0].before_id if known else run.progressive.config_id
        if run.config_id != opening and not any(_allows(change, run) for change in known):
            words = "nobody had put the rules by which it was folded in force by then"
            yield Fault(f"fold run {run.pk}", words, accounts_of(run.progressive))


def _allows(change: ConfigChange, run: FoldRun) -> bool:
    since = change.effect_at or change.place
    return change.kind != ConfigChange.Kind.WITHDRAWN and (
        change.config_id == run.config_id and since <= run.last_place
    )


@register("jackpots.books", "Meters equal pools, transit the tail, payable the unpaid wins", in_pieces=False)
def books_hold(span: Span) -> Iterator[Fault]:
    for progressive in Progressive.objects.select_related("config", "host").order_by("pk"):
        for sentence in broken_at_once(progressive):
            yield Fault(
                f"progressive {progressive.pk} ({progressive.code})", sentence, accounts_of(progressive)
            )


@register("jackpots.paid", "What was paid to date is the sum of the paid wins", in_pieces=False)
def paid_totals_hold(span: Span) -> Iterator[Fault]:
    """Only of everything: a count of all wins grows with them, and the total moves no money."""
    if not span.whole:
        return
    paid = Win.objects.filter(state=Win.State.PAID).order_by().values_list("progressive")
    counted = {pk: (wins, micros) for pk, wins, micros in paid.annotate(Count("pk"), Sum("paid_micros"))}
    kept = {one.pk: (one.wins, one.paid_micros) for one in PaidTotal.objects.all()}
    for pk in sorted({*counted, *kept}):
        if counted.get(pk) != kept.get(pk):
            (wins, micros), (said, sum_said) = counted.get(pk, (0, 0)), kept.get(pk, (0, 0))
            words = f"{said} wins of {sum_said} micros are told as paid, there are {wins} of {micros}"
            yield Fault(f"progressive {pk}", words)


_OTHERWISE = f"""
    SELECT progressive_id, hour, table_log_id, coalesce(g.micros, 0), coalesce(c.micros, 0)
    FROM jackpots_givenhour g FULL JOIN (
        SELECT counted.* FROM jackpots_progressive p CROSS JOIN LATERAL (
            {GIVEN.format(progressive="p.id", since="'-infinity'")} AND s.place < p.final_until GROUP BY 1, 2, 3
        ) counted
    ) c USING (progressive_id, hour, table_log_id)
    WHERE coalesce(g.micros, 0) <> coalesce(c.micros, 0) ORDER BY 1, 2, 3 LIMIT 100
"""  # noqa: S608 (no value is interpolated)


@register("jackpots.given", "What tables gave by the hour is the sum of their shares", in_pieces=False)
def given_hours_hold(span: Span) -> Iterator[Fault]:
    """Only of everything, as what was paid: the figures of a chart move no money."""
    if not span.whole:
        return
    with connection.cursor() as cursor:
        cursor.execute(_OTHERWISE)
        for progressive, hour, table_log, kept, counted in cursor.fetchall():
            where = f"progressive {progressive}"
            yield Fault(
                where,
                f"{kept} micros are told as given by table log {table_log} in the hour of {told(hour, form=MOMENT)},"
                f" there are {counted}",
            )


@register("jackpots.links", "Tables were linked, and signs given tokens, on record")
def links_recorded(span: Span) -> Iterator[Fault]:
    links = {
        link.pk: link for link in Link.objects.select_related("progressive__host", "progressive__config")
    }
    for row_id, at, _ in unrecorded("jackpots.link", span, first=True):
        accounts = accounts_of(links[row_id].progressive) if row_id in links else ()
        yield Fault(
            f"link {row_id}", f"it was made or changed at {told(at, form=MOMENT)}, {NOT_ON_RECORD}", accounts
        )
    for row_id, at, _ in unrecorded("jackpots.display", span, first=True):
        yield Fault(
            f"sign {row_id}", f"it or its token was changed at {told(at, form=MOMENT)}, {NOT_ON_RECORD}"
        )


@register("jackpots.tokens", "Tokens of signs are as they stand on record", in_pieces=False)
def tokens_stand_on_record(span: Span) -> Iterator[Fault]:
    """Neither changed past Potline nor put back."""
    for row in displays.TOKENS.not_as_recorded():
        yield Fault(f"sign {row.pk}", "its token is not as it stands on record, and opens nothing")


@register(
    "jackpots.server_clock", "The order's time was carried on by lines that were signed", in_pieces=False
)
def lines_are_genuine(span: Span) -> Iterator[Fault]:
    keys.demand_a_kept_one()
    for row in server_clock.forged():
        yield Fault(f"server clock {row}", "no process of this installation signed it")


@register("jackpots.watermarks", "How far tables have vouched is what was signed for them", in_pieces=False)
def watermarks_signed(span: Span) -> Iterator[Fault]:
    keys.demand_a_kept_one()
    for table_log in TableLog.objects.order_by("pk").prefetch_related(
        "links__progressive__host", "links__progressive__config"
    ):
        if not vouched.is_genuine(table_log):
            accounts = tuple(code for link in table_log.links.all() for code in accounts_of(link.progressive))
            until = told(table_log.watermark, form=MOMENT) if table_log.watermark else "never"
            words = f"no process of this installation signed that it has vouched until {until}"
            yield Fault(f"table log {table_log.pk} ({table_log.table_code})", words, accounts)


@register(
    "jackpots.final", "Orders are final and folded as far as the log and the clock allow", in_pieces=False
)
def ends_are_possible(span: Span) -> Iterator[Fault]:
    for progressive in Progressive.objects.select_related("host", "config").order_by("pk"):
        what = wrong_end(progressive)
        if what:
            where = f"progressive {progressive.pk} ({progressive.code})"
            yield Fault(where, f"{what}: run `manage.py put_right`", accounts_of(progressive))


@register("jackpots.stops", "Wagers stop where an announced last gaming day is over", in_pieces=False)
def ends_where_announced(span: Span) -> Iterator[Fault]:
    """Announced before there was the column, its wagers are stopped by people."""
    for progressive in Progressive.objects.filter(ends_at__isnull=False).select_related("host", "config"):
        notice = progressive.decommissions.last()
        said = notice is not None and notice.kind == Decommission.Kind.ANNOUNCED
        if notice is None or not said or progressive.ends_at != end_of(progressive, notice.last_day):
            stop = (
                "never"
                if progressive.ends_at is None
                else told(progressive.ends_at, progressive.host, MOMENT)
            )
            words = f"it takes no wagers from {stop} on, which nobody announced"
            yield Fault(f"progressive {progressive.pk} ({progressive.code})", words, accounts_of(progressive))
