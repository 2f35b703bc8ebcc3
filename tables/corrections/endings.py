"""A round under way whose terminal is gone (broken, revoked, lost), ended by people: with the result that was seen or
written down, or by what the rulebook has for a round that cannot be played on. What the terminal told stays; people
tell the rest, as it would have (tables.door.requests.tell_for_people), so that order, jackpots and books go their
usual way.

One person does it at a table that no jackpot waits for, up to what the premises let one person move; else two.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_noop

from config.kit.refusals import NOT_NOW, Refused, by_rule, wrong
from config.kit.wake_ups import ring
from jackpots.log import event_log
from jackpots.tasks import fold_progressive
from people import access
from people.approvals import approvals
from people.audit import audit
from people.log_ins import proof
from people.models import ApprovalRequest, Premises, Role, User
from rules import round_from_json
from rules.after_settlement import faults, rule_of
from rules.codec import same_wagers
from rules.money import format_money
from tables.corrections import corrections
from tables.door.messages import check_plain_document
from tables.door.requests import tell_for_people
from tables.floor import silence
from tables.floor.terminals import RUNS_WITHIN
from tables.models import END, Round, RoundEnding, Table, WagerLine
from tables.settle import prepared
from tables.settle.lines import COLUMNS, settlement_from
from tables.settle.versions import PLAYED

STAFF = (Role.SUPERVISOR, Role.JACKPOT_MANAGER)
APPROVE = (*STAFF, Role.FINANCE)
UNDER_WAY = (Round.State.OPEN, Round.State.LOCKED)


@dataclass(frozen=True)
class Ended:
    """The round as it is once it is ended, and what that comes to."""

    round: Round
    lines: list[WagerLine]
    hits: list[str]
    """Jackpot hands, in words: they take their own way."""
    back: list[dict[str, Any]]
    """Jackpot wagers that do not count and go back, as the round keeps them."""
    two_people: bool

    @property
    def moved_micros(self) -> int:
        return sum(line.stake_micros + line.winnings_micros for line in self.lines)

    def as_text(self) -> dict[str, Any]:
        return {
            "lines": [
                {
                    "wager": f"{line.kind} {line.selection}".strip(),
                    "seat": line.seat,
                    "player": line.player,
                    "stake": format_money(line.stake_micros),
                    "outcome": line.outcome,
                    "to_player": format_money(line.to_player_micros),
                    "rule": line.rule,
                }
                for line in self.lines
            ],
            "hits": self.hits,
            "back": [given["wager"]["id"] for given in self.back],
            "moved": format_money(self.moved_micros),
        }


class _Undone(Exception):
    """Takes back what was only looked at."""


# --- What it comes to -------------------------------------------------------------------------------------------
def preview(round_id: int, change: Mapping[str, Any]) -> Ended:
    """What it would come to as things stand now: done, and taken back."""
    found: list[Ended] = []
    try:
        with transaction.atomic():
            found.append(_end(_locked(round_id), change))
            raise _Undone
    except _Undone:
        return found[0]


def _end(round: Round, change: Mapping[str, Any]) -> Ended:
    """The caller holds the table. `change`: of wagers, dealt, decisions and irregularities those that the terminal has
    not told whole, whole."""
    waits = round.table.table_log.is_open
    closed = tell_for_people(round.table_id, round, _untold(round, change))
    if closed.settlement is None:
        text = f"{round} cannot be settled by a fault of ours: have it looked at; nothing is changed."
        raise Refused("not_settled", text, status=NOT_NOW, retry=True)
    booking = prepared.waiting(closed).booking()
    lines = [WagerLine(round=closed, **dict(zip(COLUMNS, values, strict=True))) for values in booking.rows]
    hits = [f"{hit.trigger} at seat {hit.wager.seat}" for hit in settlement_from(booking).hits]
    moved = sum(line.stake_micros + line.winnings_micros for line in lines)
    two = waits or moved > corrections.alone_up_to(round.table.premises)
    return Ended(closed, lines, hits, closed.not_accepted, two)


def _untold(round: Round, change: Mapping[str, Any]) -> dict[str, Any]:
    """The body of the result: what comes after that which the terminal has told."""
    unknown = sorted(set(change) - set(PLAYED))
    if unknown or not change:
        raise wrong(
            "change", f"Of a round {', '.join(PLAYED)} are told, not {', '.join(unknown) or 'nothing'}."
        )
    check_plain_document(change, "change")
    body: dict[str, Any] = {"dealt": change["dealt"]} if "dealt" in change else {}
    if not _goes_on(round.dealt, body.get("dealt", {})):
        raise _told_stays("dealt")
    for name in ("wagers", "decisions", "irregularities"):
        given, told = change.get(name), getattr(round, name)
        if given is None:
            continue
        if not isinstance(given, list) or not _says_the_same(name, given[: len(told)], told):
            raise _told_stays(name)
        body[name] = given[len(told) :]
    if round.state == Round.State.LOCKED:
        _refuse_grounds(round, body.get("irregularities", []))
    return body


def _told_stays(name: str) -> Refused:
    text = f"{name}: what the terminal told stays as it is, first and in its order; add what came after it."
    return Refused("told_stays", text)


def _goes_on(told: object, given: object) -> bool:
    """Of what was dealt: more cards, and none other than the terminal told."""
    if isinstance(told, dict) and isinstance(given, dict):
        return all(_goes_on(told[name], value) for name, value in given.items() if name in told)
    if isinstance(told, list) and isinstance(given, list):
        return given[: len(told)] == told
    return told == given


def _says_the_same(name: str, given: list[Any], told: list[Any]) -> bool:
    if name == "wagers" and same_wagers(given, told):
        return True
    return [_plain(each) for each in given] == [_plain(each) for each in told]


def _plain(given: object) -> object:
    """As it was told, without what says nothing: a page may write a seat of 0."""
    return {name: value for name, value in given.items() if value} if isinstance(given, dict) else given


def _refuse_grounds(round: Round, irregularities: list[Any]) -> None:
    """After no more bets only what the rulebook names invalidates a game: a terminal that is gone is no such thing."""
    document = round.document() | {"irregularities": [*round.irregularities, *irregularities]}
    told = round_from_json(document | {"dealt": {}, "decisions": []}, partial=True).irregularities
    if refused := tuple(faults(round.config.game, told, (), settled=False)):
        raise by_rule(refused)


# --- Asking -----------------------------------------------------------------------------------------------------
@transaction.atomic
def end_round(
    round_id: int, actor: User, change: Mapping[str, Any], reason: str, rule: str = ""
) -> RoundEnding | ApprovalRequest:
    """Ends a round whose terminal is gone, or asks for it where one person may not."""
    round = _locked(round_id)
    premises = round.table.premises
    access.require(actor, STAFF, premises)
    proof.demand(actor, "rule")
    if not reason.strip():
        raise wrong("reason", "Say why its terminal cannot end it, and how it is known what was played.")
    asked = waiting_request(premises, round_id)
    if asked is not None:
        text = f"{asked.requested_by} has asked about this round already: another person must decide on it first."
        raise Refused("already_asked", text, status=NOT_NOW)
    cited = rule.strip() or _rule(round, change)
    if not cited:
        text = f"{round.config.game.rulebook} has no rule of its own for this: say by which it is done."
        raise wrong("rule", text)
    _refuse_heard(round.table)
    try:
        with transaction.atomic():
            made = _end(round, change)
            document = _payload(round, made, change, cited)
            if made.two_people:
                raise _Undone
            return _write(made, actor, cited, reason.strip(), None, document)
    except _Undone:
        return approvals.request_approval(actor, premises, END, document, reason)


def _rule(round: Round, change: Mapping[str, Any]) -> str:
    """Of the irregularity that ends it; a result that is told by people is settled as the rulebook says."""
    given = change.get("irregularities")
    kinds = {kind.name: kind.rule for kind in round.config.game.irregularities}
    for each in given if isinstance(given, list) else []:
        if isinstance(each, dict) and each.get("kind") in kinds:
            return kinds[each["kind"]]
    return rule_of(round.config.game)


def _refuse_heard(table: Table) -> None:
    """Whoever runs the table ends its round. Others wait for it until its lease is over and it has had time to tell."""
    names = running(table)
    if names:
        text = (
            f"{table} is run by {', '.join(names)}, heard just now: end the round there. Half a minute after the "
            "terminal was last heard, or once it is revoked, the round may be ended here."
        )
        raise Refused("heard", text, status=NOT_NOW, retry=True)
    if table.table_log.is_open:
        silence.refuse_in_lease(table)


def running(table: Table) -> list[str]:
    """The terminals that may be heard any moment: none where it was not heard lately, or all of them are revoked."""
    now = timezone.now()
    if table.last_heard_at is None or now - table.last_heard_at >= RUNS_WITHIN:
        return []
    holds = Q(expires_at__isnull=True) | Q(expires_at__gt=now)
    return list(table.terminals.filter(holds, revoked_at__isnull=True).values_list("name", flat=True))


def lost_round(table: Table) -> Round | None:
    """The table's round under way, where nobody runs the table."""
    found = table.rounds.filter(state__in=UNDER_WAY).first()
    return None if found is None or running(table) else found


def waiting_request(premises: Premises, round_id: int) -> ApprovalRequest | None:
    asked = ApprovalRequest.objects.filter(
        action=END, premises=premises, state=ApprovalRequest.State.REQUESTED, expires_at__gt=Now()
    )
    return next((each for each in asked if each.payload["round"] == round_id), None)


def _payload(round: Round, made: Ended, change: Mapping[str, Any], rule: str) -> dict[str, Any]:
    """Exactly what the second person approves. If anything was heard meanwhile, it is another round."""
    table = round.table
    return {
        "premises": table.premises.code,
        "table": table.code,
        "round": round.pk,
        "number": round.number,
        "session": table.session,
        "last_event": table.last_event,
        "change": dict(change),
        "rule": rule,
        **made.as_text(),
    }


def _perform(request: ApprovalRequest) -> None:
    given, approver = request.payload, approvals.decider(request)
    round = _locked(given["round"])
    if (round.table.session, round.table.last_event) != (given["session"], given["last_event"]):
        text = f"{round.table} was heard meanwhile. Reject this; ask anew if need be."
        raise Refused("heard", text, status=NOT_NOW)
    _refuse_heard(round.table)
    made = _end(round, given["change"])
    if _payload(round, made, given["change"], given["rule"]) != given:
        text = "What it comes to is no longer what was asked for. Reject this; ask anew if need be."
        raise Refused("changed", text, status=NOT_NOW)
    approvals.use_approval(request, END, given, approver)
    _write(made, approver, given["rule"], request.reason, request, given)


ACTION = approvals.declare(
    END,
    gettext_noop("End a round whose terminal is gone"),
    request_roles=STAFF,
    approve_roles=APPROVE,
    perform=_perform,
)


# --- Doing ------------------------------------------------------------------------------------------------------
def _write(
    made: Ended,
    actor: User,
    rule: str,
    reason: str,
    approval: ApprovalRequest | None,
    document: dict[str, Any],
) -> RoundEnding:
    """The caller holds the table, and the round has been told."""
    table = made.round.table
    ending = RoundEnding.objects.create(
        round=made.round,
        session=table.session,
        rule=rule,
        reason=reason,
        asked_by=actor if approval is None else approval.requested_by,
        approval=approval,
        moved_micros=made.moved_micros,
    )
    if table.table_log.is_open:
        # Its terminal vouches for nothing any more. What lies in it still is for people, as after a take-over.
        event_log.leave_out(table.table_log)
        for progressive in table.progressives:
            ring(fold_progressive, progressive.pk)
    audit.record(
        actor,
        "tables.round_ended",
        premises=table.premises,
        subject=made.round,
        reason=reason,
        details=document | {"asked_by": audit.name_of(ending.asked_by)},
    )
    return ending


def _locked(round_id: int) -> Round:
    """With its table and its log: no event comes in between."""
    found = Round.objects.filter(pk=round_id).values_list("table_id", flat=True).first()
    if found is None:
        raise Refused("unknown_round", f"There is no round {round_id}.", status=404)
    table = Table.objects.select_for_update(no_key=True, of=("self",)).select_related("premises", "table_log").get(
        pk=found
    )  # fmt: skip
    table.table_log = event_log.locked(table.table_log)
    round = Round.objects.select_related("config").get(pk=round_id)
    round.table = table
    if round.state not in UNDER_WAY:
        text = f"{round} is {round.state}: only a round under way is ended. What was settled wrongly is corrected."
        raise Refused("not_under_way", text, status=NOT_NOW)
    return round
