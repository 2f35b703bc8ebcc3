"""A table's count by gaming day: closer + credits + drop - opener - fills, beside what the tray got by play. The
difference is the table's variance; a person of finance accepts it, and it is booked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.db import connection, transaction

from config.kit.canonical_json import sha256_of
from config.kit.refusals import NOT_NOW, Refused, wrong
from ledger.books import chart
from ledger.books.balances import by_day
from ledger.books.journal import NewEntry, post_many
from ledger.models import GamingDay
from ledger.reports.reports import Scope
from people import access
from people.audit import audit
from people.models import Premises, Role, User
from rules.money import format_money, say
from tables.chips import count_rules
from tables.chips.chips import SlipKind
from tables.chips.trays import chips
from tables.models import Table, TableCount

ACCEPT = frozenset({Role.FINANCE})
_INCOME = ("win", "commission", "fees", "rounding")


@dataclass(frozen=True)
class Count:
    """A table on a gaming day, as the books have it now; money as the table sees it."""

    table: Table
    day: date
    opener_micros: int
    fills_micros: int
    credits_micros: int
    closer_micros: int
    drop_micros: int
    wagers_micros: int
    """Its result by wagers: win, commission, fees, less what was rounded up."""
    play_micros: int
    """What the tray got by play: the result, and chips that are no result, such as jackpot wagers."""
    booked_micros: int
    """Of the variance, what was accepted."""
    promotional_played_micros: int
    promotional_counted_micros: int
    """Promotional chips that the table took by play, and those that were found in it: no money, and apart."""
    accepted: list[TableCount] = field(default_factory=list)

    @property
    def counted(self) -> bool:
        return self.closer_micros != 0

    @property
    def result_micros(self) -> int:
        return (
            self.closer_micros
            + self.credits_micros
            + self.drop_micros
            - self.opener_micros
            - self.fills_micros
        )

    @property
    def other_micros(self) -> int:
        """Chips that came or went by play and are no result: jackpot wagers and prizes, standing wagers, promotions."""
        return self.play_micros - self.wagers_micros

    @property
    def variance_micros(self) -> int:
        return self.result_micros - self.play_micros

    @property
    def open_micros(self) -> int:
        """What of the variance nobody has accepted."""
        return self.variance_micros - self.booked_micros

    @property
    def explanation(self) -> str:
        return "; ".join(f"{row.accepted_by}: {row.explanation}" for row in self.accepted if row.explanation)

    @property
    def in_words(self) -> str:
        out = self.variance_micros
        much = f"{say(abs(out))} {'more' if out > 0 else 'less'} than"
        return (
            f"{self.table.code} counts {say(self.result_micros)}, {much} play gives "
            f"({say(self.play_micros)})."
        )


def counts(premises: Premises, first: date, last: date, table: str = "") -> list[Count]:
    """Every table whose tray moved, by day and code."""
    tables = {one.code: one for one in Table.objects.filter(premises=premises) if table in ("", one.code)}
    if not tables:
        return []
    banks = {chart.table(premises.code, code, "bank"): code for code in tables}
    income = {chart.table(premises.code, code, name): code for code in tables for name in _INCOME}
    moved = by_day(premises, first, last, [*banks, *income])
    slips = chips(Scope(premises, first, last, table))
    promotional = _promotional(premises, first, last)
    rows: dict[tuple[date, str], list[TableCount]] = {}
    accepted = TableCount.objects.filter(table__in=tables.values(), day__range=(first, last))
    for row in accepted.select_related("accepted_by", "table").order_by("pk"):
        rows.setdefault((row.day, row.table.code), []).append(row)
    found = []
    for day, code in sorted({(day, banks[account]) for (day, account) in moved if account in banks}):
        of = {kind: slips.get((day, code, kind), 0) for kind in SlipKind}
        booked = sum(row.booked_micros for row in rows.get((day, code), []))
        bank = moved[day, chart.table(premises.code, code, "bank")]
        tray = sum(of[kind] for kind in SlipKind if kind is not SlipKind.DROP)
        wagers = -sum(moved.get((day, account), 0) for account, owner in income.items() if owner == code)
        found.append(
            Count(
                table=tables[code],
                day=day,
                opener_micros=of[SlipKind.OPENER],
                fills_micros=of[SlipKind.FILL],
                credits_micros=-of[SlipKind.CREDIT],
                closer_micros=-of[SlipKind.CLOSER],
                drop_micros=of[SlipKind.DROP],
                wagers_micros=wagers,
                play_micros=bank - tray + of[SlipKind.DROP] - booked,
                booked_micros=booked,
                promotional_played_micros=promotional.get((day, code), (0, 0))[0],
                promotional_counted_micros=promotional.get((day, code), (0, 0))[1],
                accepted=rows.get((day, code), []),
            )
        )
    return found


# The entries of a day lie close together: of the account's postings those between the first and the last of them are
# read, by posting_by_account, and not its history. Asked for by itself, so that the plan knows how few these are; each
# leg then looks its entry up (OFFSET 0): else the plan reads all entries of the days where few are of the account.
# First and last by pairs, which entry_by_day alone has in order: by `day_id = d.id` the plan may walk all entries from
# the newest back until one is of that day.
_SPAN = """
    SELECT min(f.id), max(l.id) FROM ledger_gamingday d
    JOIN LATERAL (SELECT e.day_id, e.id FROM ledger_entry e WHERE (e.day_id, e.id) >= (d.id, 0)
        ORDER BY e.day_id, e.id LIMIT 1) f ON f.day_id = d.id
    JOIN LATERAL (SELECT e.day_id, e.id FROM ledger_entry e WHERE (e.day_id, e.id) <= (d.id, 9223372036854775807)
        ORDER BY e.day_id DESC, e.id DESC LIMIT 1) l ON l.day_id = d.id
    WHERE d.premises_id = %(premises)s AND d.date BETWEEN %(first)s AND %(last)s
"""
_PROMOTIONAL = """
    SELECT date, code, sum(played)::bigint, sum(counted)::bigint FROM (
        SELECT d.date, t.code, p.amount_micros AS played, 0 AS counted
        FROM ledger_posting p
        CROSS JOIN LATERAL (SELECT e.day_id, e.reference FROM ledger_entry e WHERE e.id = p.entry_id OFFSET 0) e
        JOIN ledger_gamingday d ON d.id = e.day_id
        JOIN tables_round r ON e.reference LIKE 'round:%%' AND r.id = split_part(e.reference, ':', 2)::bigint
        JOIN tables_table t ON t.id = r.table_id
        WHERE p.account_id = (SELECT a.id FROM ledger_account a WHERE a.code = %(account)s)
            AND p.entry_id BETWEEN %(from)s AND %(to)s AND d.date BETWEEN %(first)s AND %(last)s
        UNION ALL
        SELECT s.day, t.code, 0, s.promotional_micros
        FROM tables_chipslip s JOIN tables_table t ON t.id = s.table_id AND t.premises_id = %(premises)s
        JOIN people_approvalrequest q ON q.id = s.approval_id AND q.state = 'used'
        WHERE s.day BETWEEN %(first)s AND %(last)s AND s.promotional_micros > 0
    ) both_sides GROUP BY date, code
"""


def _promotional(premises: Premises, first: date, last: date) -> dict[tuple[date, str], tuple[int, int]]:
    given: dict[str, Any] = {
        "account": chart.account(premises.code, "promotions"),
        "premises": premises.pk,
        "first": first,
        "last": last,
    }
    with connection.cursor() as cursor:
        cursor.execute(_SPAN, given)
        given["from"], given["to"] = cursor.fetchone()
        if given["from"] is None:
            return {}
        cursor.execute(_PROMOTIONAL, given)
        return {(day, code): (played, counted) for day, code, played, counted in cursor.fetchall()}


def count_of(table: Table, day: date) -> Count | None:
    found = counts(table.premises, day, day, table.code)
    return found[0] if found else None


@transaction.atomic
def accept(table_id: int, day: date, actor: User, variance_micros: int, explanation: str = "") -> TableCount:
    """A person has looked at a table's variance: it is booked, so that the tray holds what was counted.
    `variance_micros` is what they saw; above the limit of the premises they say why."""
    table = (
        Table.objects.select_for_update(no_key=True, of=("self",)).select_related("premises").get(pk=table_id)
    )
    access.require(actor, ACCEPT, table.premises)
    found = count_of(table, day)
    if found is None or not found.counted:
        text = f"{table} has no closer on {day}: its tray is counted first."
        raise Refused("no_closer", text, status=NOT_NOW)
    if found.open_micros == 0:
        text = f"{table} on {day}: nothing of a variance is left to accept."
        raise Refused("no_variance", text, status=NOT_NOW)
    if found.variance_micros != variance_micros:
        text = f"By now it is otherwise: {found.in_words} Look again."
        raise Refused("changed", text, status=NOT_NOW)
    words = explanation.strip()
    rules = count_rules.in_force(table.premises, day)
    if rules is not None and abs(variance_micros) > rules.explain_above_micros and not words:
        limit = say(rules.explain_above_micros)
        raise wrong(
            "explanation", f"A variance above {limit} is accepted with an explanation: say what it is."
        )
    row = TableCount.objects.create(
        table=table,
        day=day,
        result_micros=found.result_micros,
        play_micros=found.play_micros,
        booked_micros=found.open_micros,
        explanation=words,
        accepted_by=actor,
    )
    (posted,) = post_many([entry_of(row)])
    if posted.day != day:
        raise Refused("day_closed", f"{day} is closed: its count stays as it was.", status=NOT_NOW)
    audit.record(
        actor,
        "tables.count_accepted",
        premises=table.premises,
        subject=table,
        reason=words,
        details={"day": day.isoformat(), "variance": format_money(variance_micros)},
    )
    return row


def entry_of(row: TableCount) -> NewEntry:
    """What was counted above play comes into the tray, what was missing leaves it."""
    premises, table = row.table.premises, row.table
    bank, variance = (chart.table(premises.code, table.code, name) for name in ("bank", "variance"))
    source = {
        "table": table.code,
        "day": row.day.isoformat(),
        "result": row.result_micros,
        "play": row.play_micros,
        "booked": row.booked_micros,
        "explanation": row.explanation,
        "by": row.accepted_by_id,
    }
    return NewEntry(
        key=f"tables:count:{row.pk}",
        premises=premises,
        kind="count",
        reference=f"count:{row.pk}",
        source_hash=sha256_of(source),
        legs={bank: row.booked_micros, variance: -row.booked_micros},
        day=row.day,
        memo=f"Count of {table.code}",
    )


# --- What the close asks ----------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Lack:
    """Why a table's count is not done, or, where it is, what variance was accepted."""

    count: Count
    text: str
    blocks: bool
    may_carry: bool = False


def lacks(day: GamingDay) -> Iterator[Lack]:
    rules = count_rules.in_force(day.premises, day.date)
    for found in counts(day.premises, day.date, day.date):
        if not found.counted:
            if rules is not None:
                text = f"{found.table.code} was played and has no closer: count its tray."
                yield Lack(found, text, blocks=True, may_carry=True)
        elif found.open_micros:
            yield Lack(found, f"{found.in_words} Look at it and accept the count.", blocks=True)
        elif found.variance_micros:
            words = found.explanation or f"accepted by {found.accepted[-1].accepted_by}"
            yield Lack(found, f"{found.in_words} {words}.", blocks=False)
        played, taken = found.promotional_played_micros, found.promotional_counted_micros
        if found.counted and played != taken:
            text = (
                f"{found.table.code} took promotional chips of {say(played)} by play; {say(taken)} "
                f"were counted."
            )
            yield Lack(found, text, blocks=False)
