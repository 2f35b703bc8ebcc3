"""A table's links as the log reads them: which progressives a kind of wager feeds, by how much, and wins from."""

from __future__ import annotations

from collections.abc import Collection
from copy import copy
from dataclasses import dataclass
from functools import cached_property

from config.kit.fastsql.statements import first_row
from jackpots.models import Link, Progressive, TableLog
from jackpots.order.instants import Stamp
from rules.contract import Hit
from rules.progressive import ContributionSource, slices_bp


@dataclass(frozen=True)
class Links:
    """All links of one table."""

    links: tuple[Link, ...]

    @cached_property
    def progressives(self) -> tuple[Progressive, ...]:
        return tuple(link.progressive for link in self.links)

    def at(self, lock: Stamp, also: Collection[int] = ()) -> Links:
        """Those by which wagers of this lock count, each progressive with the rules of that place in the order. `also`:
        progressives for which a wager stands from before."""
        if not any(
            link.suspended_at or link.progressive.effect_at or link.progressive.ends_at for link in self.links
        ):
            return self
        active = (link for link in self.links if link.counts(lock) or link.progressive_id in also)
        return Links(tuple(_dated(link, lock) for link in active))

    def suspended(self, lock: Stamp) -> tuple[Link, ...]:
        """Those by which wagers of this lock do not count."""
        return tuple(link for link in self.links if not link.counts(lock))

    def for_kind(self, kind: str) -> list[Progressive]:
        """Those that a wager of this kind feeds or wins from."""
        return self._by_kind.get(kind, [])

    @cached_property
    def _by_kind(self) -> dict[str, list[Progressive]]:
        kinds = {kind for link in self.links for kind in link.kinds}
        return {kind: [link.progressive for link in self.links if kind in link.kinds] for kind in kinds}

    def is_jackpot(self, kind: str) -> bool:
        """A wager of its own on a jackpot; otherwise a share of an ordinary one."""
        sources = (progressive.config.rules.source for progressive in self.for_kind(kind))
        return ContributionSource.JACKPOT_WAGER in sources

    def wins_from(self, hit: Hit, progressive: Progressive) -> bool:
        if hit.trigger not in progressive.config.rules.triggers:
            return False
        return progressive.pk in {found.pk for found in self.for_kind(hit.wager.kind)}

    def slices_of(self, progressive: Progressive) -> dict[str, int]:
        """By kind of wager, the basis points of it that go to this progressive; 0 where it only wins from it."""
        return {
            kind: slices[progressive.pk] for kind, slices in self._slices.items() if progressive.pk in slices
        }

    @cached_property
    def _slices(self) -> dict[str, dict[int, int]]:
        found: dict[str, dict[int, int]] = {}
        for kind in {kind for link in self.links for kind in link.kinds}:
            links = [link for link in self.links if kind in link.kinds]
            fed = {str(link.progressive_id): link.progressive.config.rules for link in links}
            slices = slices_bp(fed, self._rest(links))
            found[kind] = {int(pk): bp for pk, bp in slices.items()}
        return found

    @staticmethod
    def _rest(links: list[Link]) -> str | None:
        """What is left of a jackpot wager is the house's, by way of one link; of other wagers it stays in play."""
        for link in links:
            if link.takes_rest and link.progressive.config.rules.source is ContributionSource.JACKPOT_WAGER:
                return str(link.progressive_id)
        # The one that took it has ended, so the first of those that go on does.
        return next(
            (
                str(link.progressive_id)
                for link in links
                if link.progressive.config.rules.source is ContributionSource.JACKPOT_WAGER
            ),
            None,
        )


def _dated(link: Link, lock: Stamp) -> Link:
    """With the rules that come into force with a gaming day, where the lock lies in it."""
    progressive, config = link.progressive, link.progressive.armed_config
    if progressive.effect_at is None or config is None or lock.place < progressive.effect_at:
        return link
    link, progressive = copy(link), copy(progressive)
    progressive.config, progressive.effect_at = config, None
    link.progressive = progressive
    return link


FINGERPRINT = """(
    SELECT string_agg(concat_ws(' ', k.id, k.kinds, k.takes_rest, p.id, p.code, p.name, p.lease_ms, p.skew_ms, h::text,
        concat_ws('/', 'suspect', p.suspect_stake_micros, 'rate', p.suspect_rate_micros),
        c.sha256, concat_ws('/', 'out', k.suspended_at, k.resumed_at),
        concat_ws('/', 'back', k.left_out_at, k.returned_at),
        concat_ws('/', 'dated', p.armed_config_id, p.effect_at, 'ends', p.ends_at)), ';' ORDER BY p.id)
    FROM jackpots_link k JOIN jackpots_progressive p ON p.id = k.progressive_id
    JOIN people_premises h ON h.id = p.host_id JOIN jackpots_progressiveconfig c ON c.id = p.config_id
    WHERE k.table_log_id = {table_log}
)"""
"""SQL for all that a step takes from a table's links: where it is the same text, so are they."""
_KEPT = 1_000
_read: dict[tuple[int, str], Links] = {}


def links_like(table_log: TableLog, fingerprint: str | None) -> Links:
    """The links by their FINGERPRINT, read anew only where this process has not read them before. Of a progressive
    they say what is in the fingerprint; how far it is folded they do not know."""
    if not fingerprint:
        return Links(())
    found = _read.get((table_log.pk, fingerprint))
    if found is not None:
        return found
    found = links_of(table_log)
    if len(_read) >= _KEPT:
        _read.clear()
    now = first_row(f"SELECT {FINGERPRINT.format(table_log='%s')}", [table_log.pk])
    if now == (fingerprint,):  # else a fold has put other rules in force meanwhile
        _read[table_log.pk, fingerprint] = found
    return found


def links_of(table_log: TableLog) -> Links:
    found = table_log.links.select_related(
        "progressive__config", "progressive__armed_config", "progressive__host"
    )
    return Links(tuple(found.order_by("progressive_id")))
