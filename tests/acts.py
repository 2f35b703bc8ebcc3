"""What acts leave in the audit trail, beside their asking and approving: acts of two people are watched wherever a test
approves one in this process, those of one person where the permission table tries each call.

An act without its record fails the test that does it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import local
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from people.approvals.approvals import Action

OF_TWO: dict[str, tuple[str | set[str], ...]] = {
    "jackpots.adjust_meter": ("jackpots.meter_adjusted",),
    "jackpots.announce_end": ("jackpots.end_announced", "jackpots.end_set"),
    "jackpots.change_progressive": ("jackpots.progressive_changed",),
    "jackpots.create_progressive": ("jackpots.progressive_created",),
    "jackpots.decommission": ("jackpots.decommissioned",),
    "jackpots.dismiss_hand": ("jackpots.hand_dismissed",),
    "jackpots.hand_pay_rules": ("jackpots.hand_pay_rules",),
    "jackpots.link_table": ("jackpots.table_linked",),
    "jackpots.release_level": ("jackpots.level_released",),
    "jackpots.resume_link": ("jackpots.link_resumed",),
    "jackpots.return_contribution": ("jackpots.contribution_returned",),
    "jackpots.rule_order": ("jackpots.order_ruled",),
    "jackpots.second_thought": ("jackpots.second_thought",),
    "jackpots.settle_recoverable": ("jackpots.recoverable_settled",),
    "jackpots.suspend_link": ("jackpots.link_suspended",),
    "jackpots.transfer_meter": ("jackpots.meter_transferred",),
    "jackpots.unclaimed": ({"jackpots.win_expired", "jackpots.win_set_aside"},),
    "jackpots.withdraw_change": ("jackpots.change_withdrawn",),
    "jackpots.withdraw_end": ("jackpots.end_withdrawn", "jackpots.end_set"),
    "ledger.clear_dues": ("ledger.dues_cleared",),
    "people.grant_role": ("people.role_granted",),
    "people.new_link": (),  # approving does nothing yet: the link is made by the one who asked
    "people.new_premises": ("people.premises_added", "people.role_granted"),
    "tables.apply_floor": (),  # each thing that it sets up has a record of its own
    "tables.cage": ({"tables.cage_opening", "tables.cage_funding", "tables.cage_drain"},),
    "tables.close": ("tables.table_closed",),
    "tables.correct_round": ("tables.round_corrected",),
    "tables.count_rules": ("tables.count_rules",),
    "tables.drop": ("tables.drop",),
    "tables.end_round": ("tables.round_ended",),
    "tables.give_up_claim": ({"tables.claim_written_off", "tables.claim_expired"},),
    "tables.leave_out": ("tables.table_left_out",),
    "tables.leave_out_round": ("tables.round_left_out",),
    "tables.new_rules": ("tables.change_planned",),
    "tables.new_table": ("tables.table_created",),
    "tables.slip": ({"tables.opener", "tables.fill", "tables.credit", "tables.closer"},),
    "tables.take_over": ("tables.session_taken_over",),
    "tables.unclaimed": ({"tables.unclaimed_held", "tables.unclaimed_claimed", "tables.unclaimed_expired"},),
}
"""By what is approved the records that it leaves; of a set one."""
OF_ONE = {
    "api-acknowledge-notice": "tables.notice_acknowledged",
    "api-begin-close": "ledger.begin_close",
    "api-dispute-decide": "tables.dispute_decided",
    "api-disputes": "tables.dispute_opened",
    "api-display-renew": "jackpots.display_token_renewed",
    "api-display-restrict": "jackpots.display_restricted",
    "api-display-revoke": "jackpots.display_revoked",
    "api-pack": "jackpots.pack_made",
    "api-print-cage-slip": "tables.slip_printed",
    "api-print-slip": "tables.slip_printed",
    "api-settle-claim": "tables.claim_paid",
    "api-suspect-accept": "jackpots.contribution_accepted",
    "api-table-arrange": "tables.arranged",
    "api-table-notices": "tables.inspector_told",
    "api-table-show-closing": "tables.closing_shown",
    "api-table-terminals": "tables.terminal_token_issued",
    "api-terminal-renew": "tables.terminal_token_renewed",
    "api-terminal-restrict": "tables.terminal_restricted",
    "api-terminal-revoke": "tables.terminal_revoked",
    "api-unlock": "people.unlocked",
    "api-winner": "jackpots.winner_identified",
}
"""What calls of the permission table leave that do something there; of the others any record will do."""
OF_NOBODY = {
    "api-end-log-ins": "there is no log-in to end",
    "api-second-thought-look": "a look",
    "api-try-round": "nothing is stored",
    "choose-premises": "which premises one's own pages show",
    "end-own-log-ins": "there is no log-in to end",
    "new-table": "the page with what was typed: the button that asks is another one",
}
"""Calls of the table that are answered as done and leave no record, and why."""
_now = local()


def on_record(action: str) -> int:
    from people.models import AuditRecord

    return AuditRecord.objects.filter(action=action).count()


def missing(route: str, recorded: set[str]) -> list[str]:
    """Which record a call that was let in and has done something should have left, and has not."""
    wanted = OF_ONE.get(route)
    if wanted is not None:
        return [] if wanted in recorded else [f"{route} left no record {wanted}"]
    return [] if recorded or route in OF_NOBODY else [f"{route} left no record"]


@contextmanager
def noted() -> Iterator[set[str]]:
    """What is recorded in the meantime, by this thread."""
    under_way = _now.__dict__.setdefault("acts", [])
    under_way.append(set())
    try:
        yield under_way[-1]
    finally:
        under_way.pop()


def watch() -> None:
    """From now on an act of two people that leaves no record of its own is a fault."""
    from people.approvals import approvals
    from people.audit import audit

    plain = audit.record

    def record(actor: Any, action: str, **given: Any) -> Any:
        made = plain(actor, action, **given)
        for acts in _now.__dict__.get("acts", ()):
            acts.add(action)
        return made

    audit.record = record
    for name, action in approvals._actions.items():
        if action.perform is not None:
            approvals._actions[name] = replace(action, perform=_watched(action, action.perform))


def _watched(action: Action, perform: Callable[[Any], object]) -> Callable[[Any], object]:
    def watched(request: Any) -> object:
        with noted() as recorded:
            done = perform(request)
        for wanted in OF_TWO.get(action.name, ()):
            if not recorded & (wanted if isinstance(wanted, set) else {wanted}):
                raise AssertionError(f"{action.name} left no record {wanted}, only {sorted(recorded)}.")
        return done

    return watched
