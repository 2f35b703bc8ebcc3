"""What a win rests on, from every room: as one document for people, and as the rows under seals that it is held to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db import models
from django.db.models import Q, QuerySet
from django.utils import timezone

from jackpots import evidence
from jackpots.evidence.shown import shown
from jackpots.fold.ledger_entries import win_reference
from jackpots.models import (
    Adjustment,
    Event,
    FoldRun,
    HeldHand,
    Overpaid,
    RuledMoment,
    Ruling,
    Share,
    Slip,
    Win,
    Winner,
    opening_pots,
)
from jackpots.order import doubts
from jackpots.order.by_place import BY_PLACE, placed_of
from jackpots.order.instants import instant_of
from jackpots.wins import owed, slips
from jackpots.wins.story import story
from ledger.models import Entry, Step
from ledger.seals.proofs import Ref, kept_line
from people.approvals import approvals
from people.audit import audit
from people.models import ApprovalRequest, AuditRecord, User
from rules.money import format_money
from rules.progressive import State
from rules.progressive.changes import in_words

FORMAT = "potline-evidence/1"


@dataclass
class Evidence:
    win: Win
    document: dict[str, Any] = field(default_factory=dict)
    round: dict[str, Any] | None = None
    """As `rules` reads it."""
    refs: set[Ref] = field(default_factory=set)
    kept: list[dict[str, Any]] = field(default_factory=list)
    """Rows that change, as their last steps have them."""

    def rest_on(self, *rows: models.Model | None) -> None:
        self.refs |= {(row._meta.label_lower, row.pk) for row in rows if row is not None}

    def rest_on_steps(self, row: models.Model) -> None:
        """Of a row that changes: itself, and each step."""
        self.kept.append(kept_line(row))
        self.rest_on(*Step.objects.filter(kind=row._meta.label_lower, row_id=row.pk))


def gather(win: Win) -> Evidence:
    """Everything but who won: that is for who may see it. Sentences tell the time of the table's premises."""
    with timezone.override(ZoneInfo(win.table_log.premises.time_zone)):
        return _gathered(Evidence(win), win)


def _gathered(found: Evidence, win: Win) -> Evidence:
    adjustments, played = _adjustments(win), evidence.played_of(win)
    asked = _approvals(win, adjustments, played.approvals if played is not None else ())
    subjects = [audit.label_of(row) for row in (win, *asked)]
    if played is not None:
        subjects += played.subjects
    found.rest_on(win.share, win.share and win.share.event, win.held, win.run, win.run.config, *adjustments)
    found.rest_on(_run_before(win.run), *_stakes(win), *win.winners.all(), *win.slips.all())
    found.rest_on(*Overpaid.objects.filter(win=win))
    for row in (win, *asked):
        found.rest_on_steps(row)
    found.document = {
        "format": FORMAT,
        "win": _win(win) | _doers(win),
        "story": story(win),
        "amount": _amount(win),
        "round": _round(found, played),
        "order": _order(found),
        "people": {"approvals": [_approval(each) for each in asked], "record": _record(found, subjects)},
        "second_thoughts": [_adjustment(each) for each in adjustments],
        "slips": [slips.document(slip) for slip in _slips(win)],
        "signs": shown(win, found.rest_on),
        "entries": _entries(found),
        "winner": _winner(win),
    }
    return found


def _at(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def _name(person: User | None) -> str | None:
    return None if person is None else audit.name_of(person)


# --- The win, and how its amount came about -------------------------------------------------------------------
def _win(win: Win) -> dict[str, Any]:
    progressive, premises = win.progressive, win.table_log.premises
    return {
        "id": win.pk,
        "progressive": progressive.code,
        "progressive_name": progressive.name,
        "host": progressive.host.code,
        "currency": progressive.host.currency,
        "premises": premises.code,
        "premises_name": premises.name,
        "time_zone": premises.time_zone,
        "table": win.table_log.table_code,
        "round": win.round_id,
        "seat": win.seat,
        "player": win.player,
        "hand": win.trigger,
        "cards": win.cards,
        "level": win.level,
        "amount": format_money(win.amount_micros),
        "from_pool": format_money(win.from_pool_micros),
        "from_house": format_money(win.from_house_micros),
        "rule": win.rule,
        "state": win.state,
        "resolved_at": _at(win.resolved_at),
        "verified_at": _at(win.verified_at),
        "verification": win.verification,
        "paid_at": _at(win.paid_at),
        "paid": None if win.paid_micros is None else format_money(win.paid_micros),
        "method": win.method,
        "parts": {name: format_money(micros) for name, micros in (win.parts or {}).items()},
    }


def _doers(win: Win) -> dict[str, str | None]:
    """As the audit trail named them then: that is under a seal."""
    return {
        "verified_by": _by(win, owed.VERIFIED) or _name(win.verified_by),
        "paid_by": _by(win, owed.PAID) or _name(win.paid_by),
    }


def _by(row: models.Model, action: str) -> str | None:
    records = AuditRecord.objects.filter(subject=audit.label_of(row), action=action).order_by("-pk")
    return records.values_list("actor_label", flat=True).first()


def _amount(win: Win) -> dict[str, Any]:
    """From the meters before to those after, step by step with the rules."""
    before = _run_before(win.run)
    return {
        "run": win.run.number,
        "rules": win.run.config.sha256,
        "rules_version": win.run.rules_version,
        "rules_in_words": in_words(win.run.config.rules),
        "meters_before": _meters(opening_pots(win.progressive) if before is None else before.state),
        "meters_after": _meters(win.run.state),
        "trace": win.run.trace,
        "added": format_money(win.run.added_micros),
    }


def _meters(state: State) -> dict[str, str]:
    return {level.name: format_money(level.meter_micros) for level in state.levels}


def _run_before(run: FoldRun) -> FoldRun | None:
    return FoldRun.objects.filter(progressive=run.progressive_id, number=run.number - 1).first()


def _stakes(win: Win) -> Iterable[models.Model]:
    """The wagers with which the round came to the progressive."""
    shares = Share.objects.select_related("event").filter(
        progressive=win.progressive_id, event__table_log=win.table_log_id, event__round_id=win.round_id
    )
    for share in shares.exclude(event__kind=Event.Kind.HITS):
        yield from (share, share.event)


def _round(found: Evidence, played: evidence.Played | None) -> dict[str, Any] | None:
    if played is None:
        return None
    found.refs |= played.refs
    found.kept += played.kept
    found.round = played.document
    return played.about | {"settled_lines": played.settled}


# --- The order ------------------------------------------------------------------------------------------------
def _order(found: Evidence) -> dict[str, Any]:
    win, share = found.win, found.win.share
    near = _near(win)
    for other in near:
        found.rest_on(other, other.event, *doubts.genuine(other.doubts.all()))
        found.rest_on(*FoldRun.objects.filter(last_share=other, kind=Event.Kind.HITS))
    rulings = Ruling.objects.filter(moments__round_id__in=[other.event.round_id for other in near]).distinct()
    for ruling in rulings:
        found.rest_on(ruling, *ruling.moments.all())
    return {
        "place": _at(win.place),
        "hit": None if share is None else _hit(share),
        "held": None if win.held is None else _held(win.held),
        "near": [_hit(other) for other in near if share is None or other.pk != share.pk],
        "decision": win.run.decision,
        "rulings": [_ruling(ruling) for ruling in rulings.select_related("approval__requested_by")],
        "vouched": win.run.vouched,
    }


def _near(win: Win) -> list[Share]:
    """The win's own hits, and those whose order among them was decided."""
    rounds = {win.round_id}
    if win.run.decision is not None:
        rounds |= {int(name) for name in win.run.decision["order"]}
    found = Share.objects.filter(
        progressive=win.progressive_id, event__kind=Event.Kind.HITS, event__round_id__in=rounds
    )
    return list(
        found.select_related("event__table_log__premises", "config")
        .prefetch_related("doubts")
        .order_by(*BY_PLACE)
    )


def _hit(share: Share) -> dict[str, Any]:
    placed, log = placed_of(share), share.event.table_log
    return {
        "share": share.pk,
        "event": share.event_id,
        "round": share.event.round_id,
        "premises": log.premises.code,
        "table": log.table_code,
        "hands": [[hit["wager"].get("seat", 0), hit["trigger"]] for hit in share.event.body["hits"]],
        "told": _at(share.told),
        "clock": share.clock,
        "moment": share.moment,
        "place": _at(share.place),
        "earliest": _at(instant_of(placed.earliest)),
        "latest": _at(instant_of(placed.latest)),
        "late": placed.late,
        "received": _at(share.event.received_at),
        "public": _at(share.public_at),
    }


def _held(held: HeldHand) -> dict[str, Any]:
    return {
        "id": held.pk,
        "place": _at(held.place),
        "earliest": _at(held.earliest),
        "latest": _at(held.latest),
        "why": held.why,
    }


def _ruling(ruling: Ruling) -> dict[str, Any]:
    rounds = RuledMoment.objects.filter(ruling=ruling).order_by("position")
    return {
        "id": ruling.pk,
        "kind": ruling.kind,
        "cameras": ruling.cameras,
        "reason": ruling.reason,
        "asked_by": _name(ruling.approval.requested_by),
        "approved_by": _name(ruling.approval.decided_by),
        "at": _at(ruling.at),
        "rounds": list(rounds.values_list("round_id", flat=True)),
    }


# --- People ---------------------------------------------------------------------------------------------------
def _adjustments(win: Win) -> list[Adjustment]:
    """Second thoughts that brought it, took its place, or found it too much."""
    rows = Adjustment.objects.filter(progressive=win.progressive_id).filter(
        Q(pk=win.adjustment_id) | Q(overpaid__win=win) | Q(effect__superseded__contains=[{"win": win.pk}])
    )
    return list(
        rows.select_related("approval__requested_by", "approval__decided_by").distinct().order_by("pk")
    )


def _adjustment(adjustment: Adjustment) -> dict[str, Any]:
    return {
        "id": adjustment.pk,
        "kind": adjustment.kind,
        "rule": adjustment.rule,
        "reason": adjustment.reason,
        "approval": adjustment.approval_id,
        "at": _at(adjustment.at),
        "house_only": adjustment.house_only,
    }


def _approvals(win: Win, adjustments: list[Adjustment], of_round: Iterable[int]) -> list[ApprovalRequest]:
    """Of the payment, of second thoughts and rulings, of its round's corrections, and of its being set aside."""
    ids = {win.approval_id, *(each.approval_id for each in adjustments), *of_round}
    rulings = Ruling.objects.filter(moments__round_id__in=[other.event.round_id for other in _near(win)])
    ids |= set(rulings.values_list("approval_id", flat=True))
    rows = ApprovalRequest.objects.filter(
        Q(pk__in=ids - {None})
        | Q(
            action="jackpots.unclaimed",
            premises=win.progressive.host,
            payload_json__contains=f'"win":{win.pk}}}',
        )
    )
    return list(rows.select_related("requested_by", "decided_by").order_by("pk"))


def _approval(asked: ApprovalRequest) -> dict[str, Any]:
    return {
        "id": asked.pk,
        "action": asked.action,
        "title": approvals.title_of(asked.action),
        "payload": asked.payload,
        "sha256": asked.payload_sha256,
        "reason": asked.reason,
        "state": asked.state,
        "requested_by": _by(asked, "people.approval_requested") or _name(asked.requested_by),
        "requested_at": _at(asked.requested_at),
        "decided_by": _by(asked, f"people.approval_{_decided(asked)}") or _name(asked.decided_by),
        "decided_at": _at(asked.decided_at),
        "note": asked.decision_note,
        "used_at": _at(asked.used_at),
    }


def _decided(asked: ApprovalRequest) -> str:
    rejected = asked.state == ApprovalRequest.State.REJECTED
    return (ApprovalRequest.State.REJECTED if rejected else ApprovalRequest.State.APPROVED).value


def _record(found: Evidence, subjects: list[str]) -> list[dict[str, Any]]:
    """What the audit trail has of the win, of what was asked for about it, and of its round's corrections."""
    records: QuerySet[AuditRecord] = AuditRecord.objects.filter(subject__in=subjects).order_by("pk")
    found.rest_on(*records)
    return [
        {
            "id": record.pk,
            "at": _at(record.at),
            "who": record.actor_label,
            "action": record.action,
            "subject": record.subject,
            "reason": record.reason,
        }
        for record in records
    ]


def _slips(win: Win) -> QuerySet[Slip]:
    return win.slips.select_related("premises", "printed_by").order_by("copy")


def _winner(win: Win) -> dict[str, Any] | None:
    """That somebody was written down; who it was, `jackpots.evidence.packs` adds for who may see it."""
    written: Winner | None = win.winners.select_related("identified_by").order_by("-pk").first()
    if written is None:
        return None
    return {"id": written.pk, "written_down_by": _name(written.identified_by), "at": _at(written.at)}


# --- The books ------------------------------------------------------------------------------------------------
def _entries(found: Evidence) -> list[dict[str, Any]]:
    win = found.win
    keys = [run.entry_key for run in FoldRun.objects.filter(wins=win) if run.entry_key]
    of_it = Q(reference=win_reference(win)) | Q(reference=f"round:{win.round_id}") | Q(key__in=keys)
    entries = Entry.objects.filter(of_it).select_related("day", "premises").order_by("pk")
    found.rest_on(*entries)
    return [
        {
            "id": entry.pk,
            "key": entry.key,
            "kind": entry.kind,
            "premises": entry.premises.code,
            "day": entry.day.date.isoformat(),
            "legs": {leg.account.code: format_money(leg.amount_micros) for leg in _legs(entry)},
        }
        for entry in entries
    ]


def _legs(entry: Entry) -> Any:
    return entry.postings.select_related("account").order_by("account__code")
