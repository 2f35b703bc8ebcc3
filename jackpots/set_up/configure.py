"""Setting up a progressive: its rules checked against the rulebook, its meters opened, its tables linked."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

from django.db import transaction
from django.utils import timezone

from config.kit.refusals import Refused
from jackpots.fold import ledger_entries
from jackpots.log import event_log
from jackpots.models import Link, Meter, Progressive, ProgressiveConfig, TableLog
from jackpots.order import barrier
from jackpots.order.instants import NEVER_BEFORE
from jackpots.order.links import links_of
from ledger.books.journal import post_many
from people.audit import audit
from people.models import Premises, User
from rules.progressive import (
    ContributionSource,
    ProgressiveRules,
    check_config,
    check_feeds,
    content_hash,
    encode,
    opening_state,
)


def store_config(rules: ProgressiveRules) -> ProgressiveConfig:
    """The rules by their content; the same content is the same row."""
    found, _ = ProgressiveConfig.objects.get_or_create(
        sha256=content_hash(rules), defaults={"document": encode(rules)}
    )
    return found


@transaction.atomic
def create_progressive(
    actor: User | str, host: Premises, code: str, name: str, rules: ProgressiveRules, **settings: Any
) -> Progressive:
    """A new progressive with every meter at its seed. Refused where the rulebook does not allow its rules."""
    faults = check_config(rules)
    if faults:
        raise Refused("config", "; ".join(str(fault) for fault in faults))
    progressive = Progressive.objects.create(
        code=code, name=name, host=host, config=store_config(rules), **settings
    )
    state = opening_state(rules)
    Meter.objects.bulk_create(
        Meter(
            progressive=progressive,
            level=level.name,
            position=position,
            base_micros=level.base_micros,
            not_owed_micros=level.base_micros,
        )
        for position, level in enumerate(state.levels)
    )
    entry = ledger_entries.opening_entry(progressive, state, timezone.now())
    if entry is not None:
        post_many([entry])
    audit.record(
        actor,
        "jackpots.progressive_created",
        premises=host,
        subject=progressive,
        details={"rules": content_hash(rules)},
    )
    return progressive


def table_log_of(premises: Premises, table_code: str) -> TableLog:
    """The log of a table: one, for ever, whatever it is linked to."""
    found, _ = TableLog.objects.get_or_create(premises=premises, table_code=table_code)
    return found


@transaction.atomic
def link_table(
    actor: User | str,
    progressive: Progressive,
    table_log: TableLog,
    kinds: Iterable[str],
    *,
    takes_rest: bool | None = None,
) -> Link:
    """Wagers of these kinds at the table feed the progressive and win from it. Tables of a progressive share its
    currency. `takes_rest`: the house's share of such a wager goes by way of this progressive; None: unless an earlier
    link takes it. A table that is open takes part from where the order is final."""
    premises = table_log.premises
    refuse_currency(progressive, table_log)
    # As a table that opens: nothing of it may come before what is final already.
    progressive = Progressive.objects.select_for_update(no_key=True, of=("self",)).get(pk=progressive.pk)
    table_log = event_log.locked(table_log)
    others = list(links_of(table_log).links)
    link = draft_link(progressive, table_log, kinds, others, takes_rest=takes_rest)
    if table_log.is_open and progressive.final_until is not None:
        link.suspended_at, link.resumed_at = NEVER_BEFORE, barrier.settled(progressive)
    link.save()
    audit.record(
        actor,
        "jackpots.table_linked",
        premises=premises,
        subject=link,
        details={"progressive": progressive.code, "kinds": link.kinds},
    )
    return link


def refuse_currency(progressive: Progressive, table_log: TableLog) -> None:
    premises = table_log.premises
    if premises.currency != progressive.host.currency:
        raise Refused(
            "currency",
            f"{premises} plays in {premises.currency}, {progressive} in {progressive.host.currency}.",
        )


def draft_link(
    progressive: Progressive,
    table_log: TableLog,
    kinds: Iterable[str],
    others: list[Link],
    *,
    takes_rest: bool | None = None,
) -> Link:
    """The link as it would be, refused where wagers that feed it and the table's `others` would break a rule."""
    link = Link(table_log=table_log, progressive=progressive, kinds=sorted(set(kinds)))
    others = [other for other in others if not other.progressive.over_since]
    taken = {kind for other in others if other.takes_rest for kind in other.kinds}
    if takes_rest is None:  # of an ordinary wager nothing is left: it stays in play
        jackpot = progressive.config.rules.source is ContributionSource.JACKPOT_WAGER
        takes_rest = jackpot and not taken & set(link.kinds)
    link.takes_rest = takes_rest
    refuse_feeds([*others, link])
    return link


def _documents(progressive: Progressive) -> list[ProgressiveRules]:
    """In force, and armed."""
    armed = progressive.armed_config
    return [progressive.config.rules, *([] if armed is None else [armed.rules])]


def refuse_feeds(links: list[Link]) -> None:
    """What the rulebooks ask of all that a wager feeds: of what is played for now, and of what goes on when those that
    are announced to end have ended."""
    over = [link for link in links if link.progressive.over_since]
    _refuse_together([link for link in links if link not in over], over)
    ending = [link for link in links if link.progressive.ends_at is not None]
    if len(ending) > len(over):
        try:
            _refuse_together([link for link in links if link not in ending], ending)
        except Refused as refused:
            names = ", ".join(str(link.progressive) for link in ending)
            refused.sentence = f"Once {names} has ended: {refused.sentence}"
            raise


def _refuse_together(links: list[Link], gone: list[Link]) -> None:
    """By kind of wager: the rates, and one place for the house's share. What went by way of one that is gone goes by
    way of the first that is left (`jackpots.order.links`)."""
    for kind in sorted({kind for link in links for kind in link.kinds}):
        fed = [link for link in links if kind in link.kinds]
        # Also with rules that are armed: whichever of them come into force first, a wager is never sliced too far.
        for documents in product(*(_documents(link.progressive) for link in fed)):
            faults = check_feeds(kind, documents)
            if faults:
                raise Refused("feeds", "; ".join(str(fault) for fault in faults))
        jackpots = [
            link for link in fed if link.progressive.config.rules.source is ContributionSource.JACKPOT_WAGER
        ]
        left = any(link.takes_rest and kind in link.kinds for link in gone)
        if jackpots and sum(link.takes_rest for link in jackpots) not in ((0, 1) if left else (1,)):
            names = ", ".join(str(link.progressive) for link in jackpots)
            text = f"What {names} leave of a {kind} wager must go to the house by way of exactly one of them."
            raise Refused("rest", text)
