"""A settled round put right: what people say it really was, settled again, with the rounds after it that inherited
something else. Books follow by the difference; what a player got too little of is owed, what too much is recoverable.

One person does it up to what the premises let one person move; above that another approves exactly what it changes.
Jackpot hands of a corrected round take the way of second thoughts (tables.corrections.corrected_hands).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext_noop

from config.kit.refusals import NOT_NOW, Refused, by_rule, wrong
from jackpots.wins import hand_pay_rules
from ledger.books.journal import open_days, post_many
from people import access
from people.approvals import approvals
from people.audit import audit
from people.log_ins import proof
from people.models import ApprovalRequest, Premises, Role, User
from rules import RULES_VERSION, RuleError, Settlement, check_repeats, round_from_json, settle
from rules.after_settlement import faults, rule_of
from rules.codec import carried_to_json, spelled
from rules.contract import Round as Played
from rules.money import format_money
from tables.corrections.claims import open_claims, replace_claims
from tables.corrections.corrected_hands import would_differ
from tables.corrections.correction_entries import (
    Seat,
    accounts_of,
    chips_by_seat,
    claim_entry,
    differences,
    version_entry,
)
from tables.door.messages import check_plain_document, check_wagers_fit
from tables.models import (
    CORRECT,
    Round,
    RoundCorrection,
    RoundVersion,
    SeatClaim,
    Table,
    VersionLine,
    document_of,
)
from tables.settle import versions
from tables.settle.versions import PLAYED, Version

STAFF = (Role.SUPERVISOR, Role.JACKPOT_MANAGER)
APPROVE = (*STAFF, Role.FINANCE)
MAX_LATER = 500
"""Rounds that are settled again in one act; what inherits for longer is looked at by an engineer first."""


@dataclass(frozen=True)
class NewVersion:
    """A version that is not stored yet, beside the one that counts so far."""

    before: Version
    row: RoundVersion
    answer: Settlement
    lines: list[VersionLine]

    @property
    def seats(self) -> dict[Seat, int]:
        """By player what the tray should have more than by the version before."""
        old = chips_by_seat(self.before.lines(), versions.promo_ids(self.before.row))
        return differences(old, chips_by_seat(self.lines, versions.promo_ids(self.row)))


@dataclass(frozen=True)
class Plan:
    """All that a correction changes."""

    round: Round
    versions: list[NewVersion]
    seats: dict[Seat, int]
    """By player what the tray should have more; negative: what the player should."""
    taken_in: list[tuple[SeatClaim, int]]
    """What earlier corrections of these rounds left open for these players."""
    left: dict[str, Any] | None
    """What the table carries on now; None: as before."""

    @property
    def moved_micros(self) -> int:
        return sum(map(abs, self.seats.values()))

    @property
    def nets(self) -> dict[Seat, int]:
        """With what is taken in."""
        found = Counter(self.seats)
        for claim, micros in self.taken_in:
            found[claim.seat, claim.player] += micros if claim.kind == SeatClaim.Kind.RECOVERABLE else -micros
        return dict(sorted(found.items()))

    def as_text(self) -> dict[str, Any]:
        """For people, and for the approval."""
        return {
            "versions": [
                {"round": one.row.round_id, "number": one.row.round.number, "version": one.row.number}
                for one in self.versions
            ],
            "seats": [
                {
                    "seat": seat,
                    "player": player,
                    "what": "nothing" if not micros else kind_of(micros).value,
                    "amount": format_money(abs(micros)),
                }
                for (seat, player), micros in self.nets.items()
            ],
            "moved": format_money(self.moved_micros),
        }


def kind_of(micros: int) -> SeatClaim.Kind:
    return SeatClaim.Kind.RECOVERABLE if micros > 0 else SeatClaim.Kind.OWED


# --- What it would change ---------------------------------------------------------------------------------------
def plan(round: Round, change: Mapping[str, Any]) -> Plan:
    """`change`: of wagers, dealt, decisions and irregularities those that were really others, whole."""
    before = versions.latest(round)
    if round.state != Round.State.SETTLED:
        text = (
            f"{round} is {round.state}: what is not settled is mended at the table, or on the round's page."
        )
        raise Refused("not_settled", text, status=NOT_NOW, retry=round.state == Round.State.CLOSED)
    found = [_new_version(before, _played(before, change), before.carried_in)]
    _refuse_wagers(before, found[0])
    left = _settle_later(round, found)
    for one in found:
        _refuse_jackpots(one)
    seats: Counter[Seat] = Counter()
    for one in found:
        seats.update(one.seats)
    moved = {seat: micros for seat, micros in sorted(seats.items()) if micros}
    taken_in = [
        (claim, micros)
        for claim, micros in open_claims(round.table_id, [one.row.round_id for one in found])
        if (claim.seat, claim.player) in moved
    ]
    return Plan(round, found, moved, taken_in, left)


def _played(before: Version, change: Mapping[str, Any]) -> dict[str, Any]:
    unknown = sorted(set(change) - set(PLAYED))
    if unknown:
        raise wrong("change", f"Of a round {', '.join(PLAYED)} are put right, not {', '.join(unknown)}.")
    check_plain_document(change, "change")
    played = before.played | dict(change)
    if played == before.played or _says_the_same(before, played):
        text = f"That is what version {before.number} of {before.round} says already: nothing is changed."
        raise Refused("nothing_changes", text)
    return played


def _says_the_same(before: Version, played: Mapping[str, Any]) -> bool:
    """In another spelling, or with what goes without saying."""
    document: dict[str, Any] = before.row.document()
    try:
        return round_from_json(document | dict(played)) == round_from_json(document)
    except RuleError:
        return False


def _new_version(before: Version, played: Mapping[str, Any], carried_in: dict[str, Any]) -> NewVersion:
    round = before.round
    row = RoundVersion(
        round=round,
        number=before.number + 1,
        carried_in=carried_in,
        rules_version=RULES_VERSION,
        **played,
    )
    try:
        whole = round_from_json(document_of(round.config, row))
        check_wagers_fit(whole.wagers)
        row.wagers = spelled(whole.wagers)
        said = faults(round.config.game, whole.irregularities, _said_before(before))
        twice = () if row.decisions == before.row.decisions else check_repeats(whole)
        if refused := (*said, *twice):
            raise by_rule(refused)
        answer = settle(whole)
    except RuleError as fault:
        raise by_rule((fault,)) from None
    row.result = dict(answer.result)
    return NewVersion(before, row, answer, versions.drafted(row, answer))


def _said_before(before: Version) -> tuple[Any, ...]:
    return round_from_json(before.row.document(), partial=True).irregularities


def _refuse_wagers(before: Version, new: NewVersion) -> None:
    """What lay there at "no more bets" was seen by everybody; only what was wagered with a decision may have been told
    wrongly with it."""
    old = round_from_json(before.row.document(), partial=True)
    now = round_from_json(new.row.document(), partial=True)
    if _first(old) != _first(now):
        text = (
            "Wagers of before no more bets are not changed by a correction: a wager that was not valid is settled by "
            "an irregularity, as the rulebook has it."
        )
        raise Refused("first_wagers", text)


def _refuse_jackpots(one: NewVersion) -> None:
    """What can still be said of jackpot wagers: one that went back is the player's. Where the round locked outside of
    the lease only those that stood in it then took part, and nobody has waited for another."""
    before = {line.wager_id for line in one.before.lines() if line.is_jackpot and line.outcome == "void"}
    jackpots = [line for line in one.lines if line.is_jackpot]
    again = [line.seat for line in jackpots if line.wager_id in before and line.outcome != "void"]
    if again:
        text = f"The jackpot wager of seat {again[0]} in {one.row.round} went back to its player: it cannot play again."
        raise Refused("jackpot_returned", text, status=NOT_NOW)
    round = one.row.round
    if any(not line.is_new and not round.is_entitled(line.wager_id) for line in jackpots):
        text = (
            f"A jackpot wager would be carried into {round}, which took no part in a jackpot: put that round "
            "right first, as the rulebook has it."
        )
        raise Refused("later_round", text, status=NOT_NOW)


def _first(played: Played) -> list[Any]:
    first, kinds = played.game.stages[0], played.game.kinds
    return [wager for wager in played.wagers if kinds[wager.kind].stage == first]


def _settle_later(round: Round, found: list[NewVersion]) -> dict[str, Any] | None:
    """Adds the later rounds that inherited something else, in their order. Gives what the table carries on, where that
    changes too."""
    if not round.config.game.in_order:
        return None
    left = carried_to_json(found[0].answer.carried)
    later = Round.objects.filter(table=round.table_id, number__gt=round.number).select_related("config")
    for next_round in later.order_by("number").iterator(chunk_size=50):
        next_round.table = round.table
        before = versions.latest(next_round)
        if before.carried_in == left:
            return None
        _refuse_unsettled(next_round)
        if len(found) > MAX_LATER:
            text = f"More than {MAX_LATER} later rounds would be settled again: have it looked at first."
            raise Refused("too_many_rounds", text, status=NOT_NOW)
        try:
            one = _new_version(before, before.played, left)
        except Refused as refused:
            text = (
                f"{next_round} cannot be settled with what it would inherit: {refused.sentence} Put that round right "
                "first, as the rulebook has it."
            )
            raise Refused("later_round", text, status=NOT_NOW, faults=refused.faults) from None
        found.append(one)
        left = carried_to_json(one.answer.carried)
    return left if left != round.table.carried else None


def _refuse_unsettled(round: Round) -> None:
    if round.state == Round.State.SETTLED:
        return
    text = f"{round} would inherit something else, and is {round.state}: wait until it is settled."
    raise Refused("round_under_way", text, status=NOT_NOW, retry=True)


# --- Asking -----------------------------------------------------------------------------------------------------
def preview(round_id: int, change: Mapping[str, Any]) -> Plan:
    """What it would change as things stand now."""
    return plan(_round(round_id), change)


@transaction.atomic
def correct(
    round_id: int, actor: User, change: Mapping[str, Any], reason: str, rule: str = ""
) -> RoundCorrection | ApprovalRequest:
    """Puts a settled round right, or asks for it where it moves more than one person may."""
    _lock(round_id)
    round = _round(round_id)
    premises = round.table.premises
    access.require(actor, STAFF, premises)
    proof.demand(actor, "rule")
    if not reason.strip():
        raise wrong("reason", "Say what was wrong and how it is known: it stays on record.")
    asked = waiting_request(premises, round.pk)
    if asked is not None:
        text = f"{asked.requested_by} has asked about this round already: another person must decide on it first."
        raise Refused("already_asked", text, status=NOT_NOW)
    cited = rule.strip() or rule_of(round.config.game)
    if not cited:
        raise wrong(
            "rule", f"{round.config.game.rulebook} has no rule of its own for this: say by which it is done."
        )
    made = plan(round, change)
    if made.moved_micros <= alone_up_to(premises):
        return _write(made, actor, cited, reason.strip(), None, _payload(made, change, cited))
    return approvals.request_approval(actor, premises, CORRECT, _payload(made, change, cited), reason)


def alone_up_to(premises: Premises) -> int:
    """What one person may move by a correction."""
    return hand_pay_rules.in_force(premises).correct_alone_micros or 0


def waiting_request(premises: Premises, round_id: int) -> ApprovalRequest | None:
    asked = ApprovalRequest.objects.filter(
        action=CORRECT, premises=premises, state=ApprovalRequest.State.REQUESTED, expires_at__gt=Now()
    )
    return next((each for each in asked if each.payload["round"] == round_id), None)


def _payload(made: Plan, change: Mapping[str, Any], rule: str) -> dict[str, Any]:
    """Exactly what the second person approves."""
    round = made.round
    return {
        "premises": round.table.premises.code,
        "table": round.table.code,
        "round": round.pk,
        "number": round.number,
        "change": dict(change),
        "rule": rule,
        **made.as_text(),
    }


def _perform(request: ApprovalRequest) -> None:
    given, approver = request.payload, approvals.decider(request)
    _lock(given["round"])
    made = plan(_round(given["round"]), given["change"])
    if _payload(made, given["change"], given["rule"]) != given:
        text = "What it changes is no longer what was asked for. Reject this; ask anew if need be."
        raise Refused("changed", text, status=NOT_NOW)
    approvals.use_approval(request, CORRECT, given, approver)
    _write(made, approver, given["rule"], request.reason, request, given)


ACTION = approvals.declare(
    CORRECT,
    gettext_noop("Correct a settled round"),
    request_roles=STAFF,
    approve_roles=APPROVE,
    perform=_perform,
)


# --- Doing ------------------------------------------------------------------------------------------------------
def _write(
    made: Plan,
    actor: User,
    rule: str,
    reason: str,
    approval: ApprovalRequest | None,
    document: dict[str, Any],
) -> RoundCorrection:
    """The caller holds the table."""
    table = made.round.table
    correction = RoundCorrection.objects.create(
        round=made.round,
        rule=rule,
        reason=reason,
        asked_by=actor if approval is None else approval.requested_by,
        approval=approval,
        moved_micros=made.moved_micros,
    )
    steps = replace_claims(made.taken_in, correction, actor)
    SeatClaim.objects.bulk_create(
        SeatClaim(
            correction=correction,
            table=table,
            seat=seat,
            player=player,
            kind=kind_of(micros),
            amount_micros=abs(micros),
        )
        for (seat, player), micros in made.nets.items()
        if micros
    )
    rows = _store_versions(made, correction)
    accounts = accounts_of(correction)
    entries = [version_entry(row, accounts) for row in rows] + [claim_entry(step) for step in steps]
    post_many([entry for entry in entries if entry is not None])
    if made.left is not None:
        table.carried = made.left
        table.save(update_fields=["carried"])
    audit.record(
        actor,
        "tables.round_corrected",
        premises=table.premises,
        subject=made.round,
        reason=reason,
        details=document | {"correction": correction.pk, "asked_by": audit.name_of(correction.asked_by)},
    )
    return correction


def _store_versions(made: Plan, correction: RoundCorrection) -> list[RoundVersion]:
    """Each with the gaming day in whose books its difference is."""
    premises_id = made.round.table.premises_id
    own = {one.row.round.pk: one.row.round.gaming_day for one in made.versions}
    days = open_days({(premises_id, day) for day in own.values() if day is not None})
    for one in made.versions:
        day = own[one.row.round.pk]
        taken = days[premises_id, day] if day is not None else None
        one.row.correction, one.row.late_day = correction, taken if taken != day else None
        one.row.hands_differ = would_differ(one.row.round, one.answer)
        one.row.save(force_insert=True)
    VersionLine.objects.bulk_create(line for one in made.versions for line in one.lines)
    return [one.row for one in made.versions]


def _lock(round_id: int) -> None:
    """The table's row: nobody opens, closes or settles a round of it meanwhile."""
    table_id = Round.objects.filter(pk=round_id).values_list("table_id", flat=True).first()
    if table_id is None:
        raise Refused("unknown_round", f"There is no round {round_id}.", status=404)
    Table.objects.select_for_update(no_key=True).get(pk=table_id)


def _round(round_id: int) -> Round:
    rounds = Round.objects.select_related("table__premises", "table__table_log", "config")
    found = rounds.filter(pk=round_id).first()
    if found is None:
        raise Refused("unknown_round", f"There is no round {round_id}.", status=404)
    return found
