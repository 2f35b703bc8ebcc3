"""What both people see of a draft before it is approved: what changes, in words; what the rulebooks say; what a wager
gives back; how long it is between top wins; and what the stored log would have paid under it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Sum

from jackpots.log import games
from jackpots.models import Event, Progressive, state_of
from jackpots.order.links import links_of
from jackpots.reading.dry_run import DryRun, dry_run
from jackpots.set_up.drafts import Draft, Settings, faults_of, with_rules
from rules import RuleError
from rules.edge import Edge, all_entries, case_of, edge_of
from rules.edge.jackpot_report import as_json
from rules.edge.jackpots import Jackpot, check_document
from rules.money import CENT, dollars
from rules.progressive import ProgressiveRules, check_feeds, check_floor
from rules.progressive.changes import Difference, differences
from rules.progressive.config import WHOLE_BP


@dataclass(frozen=True)
class Asked:
    """For which floor the figures are, and for which days of the log."""

    tables: int = 10
    wagers_an_hour: int = 200
    stake_micros: int = dollars(1)
    first: date | None = None
    last: date | None = None


@dataclass(frozen=True)
class Finding:
    """What a rulebook says of the draft. `holds`: None where it cannot be told here."""

    holds: bool | None
    text: str
    rule: str = ""


@dataclass(frozen=True)
class Review:
    draft: Draft
    asked: Asked
    changes: tuple[Difference, ...]
    settings: list[tuple[str, str, str]]
    findings: tuple[Finding, ...]
    figures: tuple[dict[str, Any], ...]
    """By game: `rules.edge.jackpot_report.as_json`."""
    dry_run: DryRun | None

    @property
    def may_be_asked(self) -> bool:
        return all(finding.holds is not False for finding in self.findings)


def review(draft: Draft, asked: Asked) -> Review:
    progressive = draft.progressive
    before = None if progressive is None else progressive.config.rules
    return Review(
        draft,
        asked,
        differences(before, draft.rules),
        draft.settings.differences(None if progressive is None else Settings.of(progressive)),
        tuple(_findings(draft)),
        tuple(_figures(draft, asked)),
        None
        if progressive is None or asked.first is None or asked.last is None
        else dry_run(progressive, draft.rules, asked.first, asked.last),
    )


# --- What the rulebooks say --------------------------------------------------------------------------------------


def _findings(draft: Draft) -> Iterator[Finding]:
    faults = faults_of(draft)
    for fault in faults:
        yield Finding(False, f"{fault.field}: {fault.message}", fault.rule or "")
    if not faults:
        yield Finding(
            True,
            "Levels and rates, caps above the meters, a prize for every hand, the way several winners are paid and the "
            "amounts of the schedule hold.",
        )
    if draft.progressive is None:
        yield from _alone(draft.rules)
        return
    yield from _linked(draft.progressive, draft.rules)
    yield from _totals(draft.progressive)
    yield from _odds(draft.progressive)


def _alone(rules: ProgressiveRules) -> Iterator[Finding]:
    """A wager may feed others too, so that it is asked again, of all of them, with each table that is linked."""
    for fault in check_feeds("jackpot", [rules]):
        yield Finding(
            None, f"By itself: {fault.message}. A table is linked only where it holds.", fault.rule or ""
        )


def _linked(progressive: Progressive, rules: ProgressiveRules) -> Iterator[Finding]:
    told = set()
    for link in progressive.links.select_related("table_log"):
        links = with_rules(links_of(link.table_log).links, progressive, rules)
        for kind in link.kinds:
            fed = [each.progressive.config.rules for each in links if kind in each.kinds]
            for fault in check_feeds(kind, fed):
                told.add((fault.message, fault.rule or ""))
    for message, rule in sorted(told):
        yield Finding(False, message, rule)
    if progressive.links.exists() and not told:
        yield Finding(True, "What its wagers feed adds up, and enough of them reaches the meters by rate.")


def _totals(progressive: Progressive) -> Iterator[Finding]:
    """gb-2011 2.4 over what really happened, with this progressive's meters alone."""
    wagered = metered = 0
    shares = progressive.shares.exclude(event__kind=Event.Kind.HITS)
    if progressive.folded_until is None:
        return
    rows = shares.filter(place__lt=progressive.folded_until).values("config")
    runs = progressive.fold_runs.aggregate(slices=Sum("slice_micros"), house=Sum("house_micros"))
    metered = (runs["slices"] or 0) - (runs["house"] or 0)
    configs = {
        run.config_id: run.config for run in progressive.fold_runs.select_related("config").distinct("config")
    }
    for row in rows.annotate(staked=Sum("stake_micros")):
        wagered += row["staked"]
        if row["config"] in configs:
            reserve_bp = sum(level.reserve_bp for level in configs[row["config"]].rules.levels)
            metered -= row["staked"] * reserve_bp // WHOLE_BP
    if wagered <= 0:
        return
    for fault in check_floor(progressive.config.rules, wagered, metered):
        yield Finding(None, f"So far {fault.message}, as far as this progressive goes", fault.rule or "")
        return
    share = metered * 1000 // wagered
    text = f"So far {share // 10}.{share % 10}% of what was wagered on it reached its meters."
    yield Finding(True, text)


def _odds(progressive: Progressive) -> Iterator[Finding]:
    for link in progressive.links.select_related("table_log__premises"):
        played = games.game_of(link.table_log)
        why = "" if played is None else games.unequal_odds(progressive, played, link.kinds)
        if why:
            yield Finding(None, f"One meter, other chances: {why}.")
            return


# --- What it gives back -------------------------------------------------------------------------------------------


def _figures(draft: Draft, asked: Asked) -> Iterator[dict[str, Any]]:
    meters = {}
    if draft.progressive is not None:
        state = state_of(list(draft.progressive.meters.order_by("position")))
        meters = {level.name: level.meter_micros // CENT * CENT for level in state.levels}
    for edge in _edges(draft):
        try:
            check_document(edge.case, draft.rules)
            jackpot = Jackpot(edge, draft.rules, asked.stake_micros, meters)
            yield as_json(jackpot, asked.tables, asked.wagers_an_hour) | {"title": edge.case.game.title}
        except RuleError:
            continue  # hands of another game: their figures would be of no wager at all


def _edges(draft: Draft) -> Iterable[Edge]:
    """Of the games that are linked; without any, of those that the schedule is printed for."""
    found: dict[str, Edge] = {}
    if draft.progressive is not None:
        for link in draft.progressive.links.select_related("table_log__premises"):
            played = games.game_of(link.table_log)
            for kind in link.kinds if played is not None else ():
                edge = games.edge_at(played, kind) if played is not None else None
                if edge is not None:
                    found.setdefault(str(edge.case.identity()), edge)
    if not found:
        for entry in all_entries():
            if entry.jackpot and entry.jackpot == draft.rules.schedule:
                found[entry.game] = edge_of(case_of(entry))
    return found.values()
