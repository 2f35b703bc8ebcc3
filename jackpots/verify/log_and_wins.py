"""What the jackpots room hands to `manage.py verify`: log, fold runs, wins and payments, each made again from what it
rests on. Settings and meters are jackpots.verify.settings."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from django.db.models import Prefetch, QuerySet, Sum

from jackpots.fold import adjusting, finality, ledger_entries
from jackpots.fold.folding import wins_of
from jackpots.fold.replay import Stretch, slice_of, wagers_of
from jackpots.fold.runs_again import has_other_pots, read_ahead, run_again, with_rules
from jackpots.models import Event, FoldRun, HeldContribution, Progressive, Share, Win, opening_pots
from jackpots.wins import owed, sources
from jackpots.wins.hand_pay import payload
from ledger.books import chart
from ledger.books.journal import NewEntry
from ledger.models import Entry, Posting, Step
from ledger.verify.entries import missing, vouch
from ledger.verify.verify import Fault, Span, register
from people.models import ApprovalRequest
from rules.money import format_money
from rules.progressive import ContributionSource

BATCH = 500
_SHARE = ("event__table_log__premises", "progressive__host", "progressive__config", "config")


def accounts_of(progressive: Progressive, level: str = "") -> tuple[str, ...]:
    """What is in doubt: the payable of one level or of all."""
    levels = [level] if level else [one.name for one in progressive.config.rules.levels]
    return tuple(chart.level(progressive.host.code, progressive.code, name, "payable") for name in levels)


# --- Entries --------------------------------------------------------------------------------------------------
@vouch("jackpot.opening")
def openings(entries: list[Entry]) -> Iterator[tuple[Entry, NewEntry | str]]:
    for entry in entries:
        code = entry.key.split(":")[1]
        progressive = Progressive.objects.select_related("host").filter(code=code).first()
        if progressive is None or entry.occurred_at is None:
            yield entry, f"there is no progressive {code}"
            continue
        made = ledger_entries.opening_entry(progressive, opening_pots(progressive), entry.occurred_at)
        yield entry, made or f"{progressive} opens with nothing"


@vouch("jackpot.stakes", "jackpot.return")
def stakes(entries: list[Entry]) -> Iterator[tuple[Entry, NewEntry | str]]:
    named = {entry.pk: _place_in(entry.key) for entry in entries}
    numbers: dict[tuple[str, str], list[int]] = {}
    for premises, table, number in named.values():
        if number.isdecimal():
            numbers.setdefault((premises, table), []).append(int(number))
    events: dict[tuple[str, str, str], Event] = {}
    for (premises, table), some in numbers.items():
        rows = Event.objects.select_related("table_log__premises").filter(
            table_log__premises__code=premises, table_log__table_code=table, number__in=some
        )
        events |= {(premises, table, str(event.number)): event for event in rows}
    shares = shares_of(event.pk for event in events.values())
    held = held_of(event.pk for event in events.values())
    for entry in entries:
        _, table, number = named[entry.pk]
        event = events.get(named[entry.pk])
        if event is None:
            yield entry, f"the log of {table} has no event {number}"
            continue
        own, out = shares.get(event.pk, []), held.get(event.pk, [])
        due = ledger_entries.stakes_entries(event, own, held=out) if own or out else []
        made = {one.key: one for one in due}
        yield entry, made.get(entry.key, f"event {number} of {table} moves no money here")


def _place_in(key: str) -> tuple[str, str, str]:
    """Premises, table and number of the event that an entry's key names."""
    _, premises, table, number, *_ = [*key.split(":"), "", "", "0"]
    return premises, table, number


def shares_of(events: Iterable[int]) -> dict[int, list[Share]]:
    """By event, in one read."""
    found: dict[int, list[Share]] = {}
    for share in with_rules(Share.objects.filter(event__in=list(events)).order_by("event", "progressive")):
        found.setdefault(share.event_id, []).append(share)
    return found


def held_of(events: Iterable[int]) -> dict[int, list[HeldContribution]]:
    """By event what of it looked wrong, in one read."""
    found: dict[int, list[HeldContribution]] = {}
    rows = HeldContribution.objects.filter(event__in=list(events))
    for held in rows.select_related("event__table_log__premises", "progressive__host", "progressive__config"):
        found.setdefault(held.event_id, []).append(held)
    return found


@vouch("jackpot.fold_stakes", "jackpot.fold_return", "jackpot.fold_hits")
def folds(entries: list[Entry]) -> Iterator[tuple[Entry, NewEntry | str]]:
    named = {entry.pk: (entry.key.split(":")[1], int(entry.key.split(":")[-1])) for entry in entries}
    runs: dict[tuple[str, int], FoldRun] = {}
    for code in {code for code, _ in named.values()}:
        numbers = [number for other, number in named.values() if other == code]
        rows = FoldRun.objects.filter(progressive__code=code, number__in=numbers).exclude(kind=FoldRun.ADJUST)
        runs |= {(code, run.number): run for run in rows}
    read_ahead(list(runs.values()))
    for entry in entries:
        code, number = named[entry.pk]
        run = runs.get((code, number))
        if run is None:
            yield entry, f"{code} has no fold run {number}"
            continue
        again = run_again(run)
        if isinstance(again, str):
            yield entry, again
            continue
        progressive = again.shares[0].progressive
        not_owed = _not_owed(progressive, entry) if run.is_hits else {}  # contributions do not ask for it
        made, _ = ledger_entries.run_entry(progressive, again, run.number, not_owed)
        yield entry, made or f"fold run {number} moves no money"


def _not_owed(progressive: Progressive, entry: Entry) -> dict[str, int]:
    """House money in each base before an entry, by the entries before it."""
    found = {}
    for level in progressive.config.rules.levels:
        account = chart.level(progressive.host.code, progressive.code, level.name, "base-not-owed")
        earlier = Posting.objects.filter(account__code=account, entry__lt=entry.pk)
        found[level.name] = earlier.aggregate(total=Sum("amount_micros"))["total"] or 0
    return found


@vouch(ledger_entries.PAID)
def payments(entries: list[Entry]) -> Iterator[tuple[Entry, NewEntry | str]]:
    named = {entry.pk: int(entry.reference.partition(":")[2] or 0) for entry in entries}
    wins = Win.objects.select_related("progressive__host", "table_log__premises").in_bulk(named.values())
    for entry in entries:
        win = wins.get(named[entry.pk])
        if win is None:
            yield entry, f"there is no {entry.reference}"
        elif win.state != Win.State.PAID or win.paid_at is None or win.paid_micros is None:
            yield entry, f"win {win.pk} is {win.state}, not paid"
        else:
            made = {one.key: one for one in ledger_entries.payment_entries(win, win.paid_micros, win.paid_at)}
            yield entry, made.get(entry.key, f"win {win.pk} is paid by other entries")


# --- The log --------------------------------------------------------------------------------------------------
@register(
    "jackpots.log", "What wagers brought to each progressive is what the log says of them, and is booked"
)
def log_holds(span: Span) -> Iterator[Fault]:
    stream = Share.objects.filter(**span.of()).order_by("xact_id", "id").values_list("pk", flat=True)
    ids = stream.iterator(chunk_size=BATCH)
    while some := list(itertools.islice(ids, BATCH)):
        shares = with_rules(Share.objects.filter(pk__in=some).order_by("xact_id", "id"))
        yield from _against_wagers(shares)
        yield from _not_booked(shares)


def _against_wagers(shares: list[Share]) -> Iterator[Fault]:
    for share in shares:
        event = share.event
        if event.kind == Event.Kind.HITS:
            if share.stake_micros or share.slice_micros:
                yield _share_fault(share, "a hand brings no stake")
            continue
        sign = -1 if event.kind == Event.Kind.RETURN else 1
        fed = [wager for wager in wagers_of(event) if wager.kind in share.slices]
        stake = sign * sum(wager.stake for wager in fed)
        part = sign * sum(slice_of(wager.stake, share.slices[wager.kind]) for wager in fed)
        if (share.stake_micros, share.slice_micros) != (stake, part):
            yield _share_fault(
                share,
                f"{share.slice_micros} of {share.stake_micros} micros, its wagers give {part} of {stake}",
            )


def _not_booked(shares: list[Share]) -> Iterator[Fault]:
    events = {share.event_id: share.event for share in shares if share.event.kind != Event.Kind.HITS}
    held = held_of(events)
    due = {
        entry.key: (pk, entry)
        for pk, own in shares_of(events).items()
        for entry in ledger_entries.stakes_entries(events[pk], own, held=held.get(pk, []))
    }
    for entry in missing(entry for _, entry in due.values()):
        words = f"the books lack its entry {entry.key}"
        yield Fault(f"log event {due[entry.key][0]}", words, tuple(entry.legs))


def _share_fault(share: Share, what: str) -> Fault:
    return Fault(f"share {share.pk}", what, accounts_of(share.progressive))


@register("jackpots.hits", "Every hand in the log had its stake")
def hits_have_stakes(span: Span) -> Iterator[Fault]:
    events = Event.objects.filter(**span.of(), kind=Event.Kind.HITS).select_related("table_log__premises")
    for event in events.order_by("xact_id", "id"):
        shares = list(event.shares.select_related(*_SHARE))
        if not shares:
            yield Fault(f"log event {event.pk}", "hands that belong to no progressive")
        staked = [one for one in shares if one.config.rules.source is ContributionSource.JACKPOT_WAGER]
        if not staked:
            continue
        stakes = Event.objects.filter(table_log=event.table_log_id, kind=Event.Kind.STAKES)
        earlier = stakes.filter(number__lt=event.number).order_by("-number")[:200]
        known = {wager.id for one in earlier for wager in wagers_of(one)}
        for hit in event.body["hits"]:
            if hit["wager"]["id"] not in known:
                words = f"a {hit['trigger']} of wager {hit['wager']['id']}, for which no stake is in the log"
                accounts = [code for share in staked for code in accounts_of(share.progressive)]
                yield Fault(f"log event {event.pk}", words, tuple(accounts))


# --- Runs and wins --------------------------------------------------------------------------------------------
@register("jackpots.runs", "Fold runs and the wins they brought are what the log gives")
def runs_hold(span: Span) -> Iterator[Fault]:
    progressives = Progressive.objects.select_related("host", "config").in_bulk()
    runs = FoldRun.objects.filter(**span.of()).select_related("adjustment").order_by("xact_id", "id")
    stream = runs.iterator(chunk_size=BATCH)
    while some := list(itertools.islice(stream, BATCH)):
        for run in some:
            run.progressive = progressives[run.progressive_id]
        read_ahead(some)
        yield from _runs_hold(some)


def _runs_hold(runs: list[FoldRun]) -> Iterator[Fault]:
    keys = [run.entry_key for run in runs if run.entry_key]
    booked = set(Entry.objects.filter(key__in=keys).values_list("key", flat=True))
    brought: dict[int, list[Win]] = {}
    for win in Win.objects.filter(run__in=runs):
        brought.setdefault(win.run_id, []).append(win)
    for run in runs:
        where, accounts = f"fold run {run.pk}", accounts_of(run.progressive)
        again = run_again(run)
        if isinstance(again, str):
            yield Fault(where, again, accounts)
            continue
        if has_other_pots(run, again):
            yield Fault(where, "the log gives other pots than it has", accounts)
        for sentence in finality.against_its_run(run, again.shares[0].latest) if run.is_hits else ():
            yield Fault(where, sentence, accounts)
        if run.entry_key and run.entry_key not in booked:
            yield Fault(where, f"the books lack its entry {run.entry_key}", accounts)
        there = {_identity(win) for win in brought.get(run.pk, [])}
        for win in _brought(run, again):
            if _identity(win) not in there:
                words = f"the {win.trigger} of seat {win.seat} that it brought is gone"
                yield Fault(where, words, accounts_of(run.progressive, win.level))


def _brought(run: FoldRun, again: Stretch) -> list[Win]:
    """The wins of a run once more: the log's, or those of a second thought."""
    if run.adjustment is not None:
        return adjusting.wins_of(run.adjustment, run)
    return wins_of(run.progressive, again, run)


def _identity(win: Win) -> tuple[object, ...]:
    return (
        win.share_id,
        win.held_id,
        win.wager_id,
        win.hand_wager_id,
        win.trigger,
        win.level,
        win.replaces_id,
    )


def _wins() -> QuerySet[Win]:
    # What may be missing is read by itself: joined to the rest, the planner takes longer than all of this together.
    found = Win.objects.select_related(
        "progressive__host", "progressive__config", "table_log__premises", "run__config"
    )
    return found.prefetch_related(
        Prefetch("share", Share.objects.select_related("event__table_log")),
        Prefetch("approval", ApprovalRequest.objects.select_related("requested_by")),
        "held",
        "run__adjustment",
        "run__progressive",
        "verified_by",
        "paid_by",
    )


@register("jackpots.wins", "Wins are what the log resolved, released by whom they say, paid as approved")
def wins_hold(span: Span) -> Iterator[Fault]:
    # Read first: joined, a planner that takes the stretch for a large one reads every share there is.
    steps = Step.objects.filter(kind="jackpots.win", **span.of()).order_by("row_id")
    numbers = iter(steps.values_list("row_id", flat=True).distinct().iterator(chunk_size=BATCH))
    while some := list(itertools.islice(numbers, BATCH)):
        yield from _wins_hold(some)


def _wins_hold(numbers: list[int]) -> Iterator[Fault]:
    for win in _wins().filter(pk__in=numbers).order_by("pk"):
        where, accounts = f"win {win.pk}", accounts_of(win.progressive, win.level)
        for sentence in _against_its_run(win):
            yield Fault(where, sentence, accounts)
        if win.state in (Win.State.APPROVED, Win.State.PAID):
            for sentence in owed.against_the_release(win, payload(win)):
                yield Fault(where, sentence, accounts)
        if win.state == Win.State.PAID and win.paid_micros is not None and win.paid_at is not None:
            for entry in missing(ledger_entries.payment_entries(win, win.paid_micros, win.paid_at)):
                yield Fault(where, f"it is paid, and the books lack {entry.key}", accounts)


@register("jackpots.unheld", "Money that the books did not hold was paid as two people said", in_pieces=False)
def unheld_as_approved(span: Span) -> Iterator[Fault]:
    rows = ApprovalRequest.objects.filter(action=sources.UNHELD.name, state=ApprovalRequest.State.USED)
    for approval in rows.order_by("pk"):
        for sentence in (*sources.differences(approval), *owed.steps_unknown(approval)):
            yield Fault(f"approval {approval.pk}", sentence)


def _against_its_run(win: Win) -> Iterator[str]:
    again = run_again(win.run)
    if isinstance(again, str):
        yield f"the fold run that it names cannot be run again: {again}"
        return
    made = {_identity(one): one for one in _brought(win.run, again)}
    true = made.get(_identity(win))
    if true is None:
        yield f"the log gives no such win: {win.trigger} at seat {win.seat} from {win.level}"
        return
    for name in ("amount_micros", "from_pool_micros", "from_house_micros"):
        if getattr(win, name) != getattr(true, name):
            says, gives = format_money(getattr(win, name)), format_money(getattr(true, name))
            yield f"its {name} is {says}, the log gives {gives}"
    for name in ("progressive_id", "table_log_id", "round_id", "seat", "player", "rule", "hit"):
        if getattr(win, name) != getattr(true, name):
            yield f"its {name} is {getattr(win, name)}, the log gives {getattr(true, name)}"
