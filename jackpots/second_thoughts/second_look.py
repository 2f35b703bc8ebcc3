"""What a second thought would change of each win and each pot, as rows: the preview, what two people approve, and what
the fold then does. Reads only; `jackpots.second_thoughts.corrections` asks, `jackpots.fold.adjusting` folds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Q, Sum

from config.kit.refusals import NOT_NOW, Refused
from jackpots.fold import hindsight
from jackpots.fold.hindsight import Hindsight, Seen
from jackpots.fold.replay import contribution_name
from jackpots.models import Event, Overpaid, Progressive, Share, Win
from jackpots.models.adjustments import EFFECT_VERSION
from jackpots.order import server_clock
from jackpots.second_thoughts import recoveries
from jackpots.wins import advances
from rules import RuleError
from rules.codec import hit_to_json
from rules.contract import Wager
from rules.money import format_money
from rules.progressive import ContributionSource, Hits, Payment, encode
from rules.progressive.order import Return
from rules.progressive.pools import Movement
from rules.progressive.second_thoughts import (
    SecondThought,
    Whose,
    WinChange,
    WinRow,
    allocate,
    target_micros,
)


@dataclass(frozen=True)
class Plan:
    """One progressive after a second thought: what it comes to, and the rows that say so."""

    progressive: Progressive
    seen: Seen
    back: Hindsight
    found: SecondThought
    house_only: bool
    effect: dict[str, Any]

    @property
    def postings(self) -> Any:
        return encode(self.found.adjustment)

    def as_text(self) -> dict[str, Any]:
        """For people, and for the approval: amounts by win, pots, and what the house gives."""
        return {
            "progressive": self.progressive.code,
            "wins": list(_win_texts(self.effect)),
            "pots": [
                {"level": p.level, "pot": p.pot.value, "moves": format_money(p.amount_micros)}
                for p in self.found.adjustment.postings
                if p.amount_micros
            ],
            "returned": format_money(sum(back["slice_micros"] for back in self.effect["returned"])),
            "house": format_money(self.effect["house_micros"]),
            "house_only": self.house_only,
        }


def is_too_old(progressive: Progressive, seen: Seen, days: int) -> bool:
    share = hindsight.hits_share(progressive, seen.table_log, seen.round_id)
    place = share.place if share is not None else seen.place
    return place is not None and place < server_clock.read().now - timedelta(days=days)


def plan(progressive: Progressive, seen: Seen, borne: str, *, house_only: bool) -> Plan:
    """What this view of a round changes."""
    _refuse_too_soon(progressive, seen)
    try:
        looked = hindsight.look_again(progressive, seen, house_only=house_only, last=progressive.runs)
    except RuleError as fault:
        text = f"{progressive} cannot be replayed with this: {fault}."
        raise Refused("not_replayed", text, status=NOT_NOW) from None
    if looked is None:
        text = f"The hands of round {seen.round_id} are in no final meter of {progressive} yet: wait until they are."
        raise Refused("not_folded", text, status=NOT_NOW)
    back, found = looked
    effect = _effect(progressive, seen, back, found, borne, house_only)
    return Plan(progressive, seen, back, found, house_only, effect)


def _refuse_too_soon(progressive: Progressive, seen: Seen) -> None:
    """A hand that the log does not have takes its place among what is folded; what came before it must be."""
    until = progressive.folded_until
    if seen.place is not None and (until is None or seen.place >= until):
        text = f"{progressive} is not folded up to that hand yet: what came before it may still wait. Ask again then."
        raise Refused("not_folded", text, status=NOT_NOW, retry=True)


def _effect(
    progressive: Progressive,
    seen: Seen,
    back: Hindsight,
    found: SecondThought,
    borne: str,
    house_only: bool,
) -> dict[str, Any]:
    meters = {meter.level: meter.not_owed_micros for meter in progressive.meters.all()}
    owing = meters if house_only else back.not_owed(found)
    effect: dict[str, Any] = {
        "version": EFFECT_VERSION,
        "due": dues(found),
        "wins": [],
        "superseded": [],
        "stands": [],
        "returned": [] if house_only else list(_returned(progressive, seen, found)),
        "trace": list(_trace(found)),
        "not_owed": {level: owing[level] - held for level, held in meters.items()},
    }
    if periods := meter_periods(back, found):
        effect["meter_runs"] = periods
    for change in found.changes:
        _allocate(progressive, seen, back, found, change, borne, effect)
    effect["house_micros"] = (
        sum(posting.amount_micros for posting in found.adjustment.postings)
        + sum(win["amount_micros"] for win in effect["wins"])
        - sum(gone["amount_micros"] for gone in effect["superseded"])
        + sum(one["slice_micros"] for one in effect["returned"])
    )
    return effect


def dues(found: SecondThought) -> list[dict[str, Any]]:
    return [_due(change) for change in found.changes]


def meter_periods(back: Hindsight, found: SecondThought) -> dict[str, Any]:
    """Wagers of the stretch that go back later are looked for in the period of the meter that they are in by now;
    nothing where the meters were won as before."""
    if found.won == found.was_won:
        return {}
    return {
        "before": {level.name: level.resets for level in back.before.levels},
        "won": [[won.place, won.level, won.resets] for won in found.won],
    }


def _trace(found: SecondThought) -> Iterator[Any]:
    """How the rounds whose wins change are resolved now, in sentences."""
    rounds = {change.win.round for change in found.changes}
    for event, outcome in found.told:
        if isinstance(event, Hits) and event.name in rounds:
            yield from (encode(step) for step in outcome.trace)


def _due(change: WinChange) -> dict[str, Any]:
    round_id, wager, hand_wager, trigger, level = change.win.whose
    return {
        "round": int(round_id),
        "wager": wager,
        "hand_wager": hand_wager,
        "trigger": trigger,
        "level": level,
        "change": change.change.value,
        "before_micros": change.before_micros,
        "after_micros": change.win.amount_micros,
    }


# --- One winner -----------------------------------------------------------------------------------------------
def _allocate(
    progressive: Progressive,
    seen: Seen,
    back: Hindsight,
    found: SecondThought,
    change: WinChange,
    borne: str,
    effect: dict[str, Any],
) -> None:
    """The difference as rows: more is a win of its own; less takes the place of what is not paid, the newest first, and
    what is paid stands."""
    whose = change.win.whose
    rows = _rows(progressive, whose)
    for win in rows:
        if win.state in (Win.State.UNCLAIMED, Win.State.EXPIRED):
            text = f"Win {win.pk} would change, and is {win.state}: have it claimed first, or leave it."
            raise Refused("set_aside", text, status=NOT_NOW)
        advances.refuse_advanced(win)
    payment = found.payments.get(whose)
    still_wins = payment is not None
    due = target_micros(change, back.extras.get(whose, 0), still_wins=still_wins)
    moved = allocate([_row(win) for win in rows], due, still_wins=still_wins)
    by_pk = {win.pk: win for win in rows}
    effect["stands"] += [_stands(by_pk[pk], -again, how) for pk, how, again in moved.undone]
    if moved.more_micros and payment is not None:
        origin = _origin(progressive, int(whose[0]), seen)
        effect["wins"].append(_win(whose, payment, moved.more_micros, origin, None))
    for pk, left in moved.superseded:
        win = by_pk[pk]
        effect["superseded"].append({"win": pk, "level": win.level, "amount_micros": win.amount_micros})
        if left and payment is not None:
            origin = (win.share_id, win.held_id, win.table_log_id)
            effect["wins"].append(_win(whose, payment, left, origin, pk))
    effect["stands"] += [_stands(by_pk[pk], micros, borne) for pk, micros in moved.stands]


def _row(win: Win) -> WinRow:
    stood = _stood(win)
    undone = tuple(_not_settled(win, stood).items())
    return WinRow(win.pk, win.amount_micros, win.state == Win.State.PAID, sum(stood.values()), undone)


def _rows(progressive: Progressive, whose: Whose) -> list[Win]:
    round_id, wager, hand_wager, trigger, level = whose
    found = Win.objects.filter(progressive=progressive, round_id=int(round_id), wager_id=wager)
    found = found.filter(hand_wager_id=hand_wager, trigger=trigger, level=level)
    return list(found.exclude(state=Win.State.SUPERSEDED).order_by("pk"))


def _stood(win: Win) -> dict[str, int]:
    """What of it is known not to be due, by who bears it."""
    sums = win.overpaid.order_by("borne").values_list("borne").annotate(micros=Sum("amount_micros"))
    return {borne: micros for borne, micros in sums if micros}


def _not_settled(win: Win, stood: dict[str, int]) -> dict[str, int]:
    """What of it can be undone where it is due after all: what has come back cannot, it is paid again; what was written
    off is the house's by now."""
    settled = recoveries.standing(win)
    left = dict(stood)
    if settled.recovered_micros or settled.written_off_micros:
        left[Overpaid.Borne.RECOVERABLE] = settled.open_micros
        left[Overpaid.Borne.HOUSE] = left.get(Overpaid.Borne.HOUSE, 0) + settled.written_off_micros
    return left


def _stands(win: Win, micros: int, borne: str) -> dict[str, Any]:
    return {"win": win.pk, "level": win.level, "amount_micros": micros, "borne": borne}


Origin = tuple[int | None, int | None, int]
"""The share or the held hand of a round, if it has one, and its table's log."""


def _origin(progressive: Progressive, round_id: int, seen: Seen) -> Origin:
    share = Share.objects.filter(
        progressive=progressive, event__round_id=round_id, event__kind=Event.Kind.HITS
    ).values_list("pk", "event__table_log_id")
    if row := share.first():
        return row[0], None, row[1]
    let_in = progressive.held_hands.filter(round_id=round_id, dismissal__isnull=True)
    if held := let_in.values_list("pk", "table_log_id").first():
        return None, held[0], held[1]
    if round_id == seen.round_id:  # only its correction has shown that there was a hand
        return None, None, seen.table_log.pk
    said = progressive.adjustments.filter(round_id=round_id, table_log__isnull=False)
    return None, None, said.values_list("table_log_id", flat=True)[0]


def _win(whose: Whose, payment: Payment, micros: int, origin: Origin, replaces: int | None) -> dict[str, Any]:
    share, held, table_log = origin
    from_house = min(micros, payment.from_house_micros)
    return {
        "round": int(whose[0]),
        "wager": whose[1],
        "hand_wager": whose[2],
        "trigger": whose[3],
        "level": whose[4],
        "amount_micros": micros,
        "from_pool_micros": micros - from_house,
        "from_house_micros": from_house,
        "rule": payment.rule,
        "seat": payment.wager.seat,
        "player": payment.wager.player,
        "hit": hit_to_json(payment.hit),
        "share": share,
        "held": held,
        "table_log": table_log,
        "replaces": replaces,
    }


# --- Stakes of a void round -----------------------------------------------------------------------------------
def _returned(progressive: Progressive, seen: Seen, found: SecondThought) -> Iterator[dict[str, Any]]:
    if not (seen.is_void or seen.returned):
        return
    gone = returned_before(progressive, seen)
    moved = {
        event.contribution: outcome
        for event, outcome in zip(found.events, found.history.outcomes, strict=True)
        if isinstance(event, Return) and isinstance(outcome, Movement)
    }
    for came, wager in hindsight.stakes_of(progressive, seen):
        if wager.id in gone:
            continue
        name = contribution_name(came.event.table_log_id, came.event.number, wager.id)
        applied = moved[name].applied
        yield {
            "wager": wager.id,
            "seat": wager.seat,
            "from": _account(came, wager),
            "slice_micros": -applied.stake_micros,
            "pots": [[p.level, p.pot.value, p.amount_micros] for p in applied.postings if p.amount_micros],
        }


def returned_before(progressive: Progressive, seen: Seen) -> set[str]:
    """Wagers of the round that an earlier second thought gave back."""
    earlier = progressive.adjustments.filter(
        table_log=seen.table_log, round_id=seen.round_id, runs__isnull=False
    )
    effects = earlier.values_list("effect", flat=True)
    return {one["wager"] for effect in effects for one in effect["returned"]}


def _account(came: Share, wager: Wager) -> str:
    """Of what the wager was made when it came in: see `ledger_entries.stakes_entries`."""
    if came.config.rules.source is not ContributionSource.JACKPOT_WAGER:
        return "jackpot-share"
    return "promotions" if wager.promo else "bank"


# --- For people -----------------------------------------------------------------------------------------------
def _win_texts(effect: dict[str, Any]) -> Iterable[dict[str, Any]]:
    wins = Win.objects.select_related("table_log").in_bulk(
        [one["win"] for one in (*effect["superseded"], *effect["stands"])]
    )
    by_old = {win["replaces"]: win for win in effect["wins"] if win["replaces"] is not None}
    for gone in effect["superseded"]:
        new = by_old.get(gone["win"])
        yield _text(
            wins[gone["win"]], "superseded", gone["amount_micros"], new["amount_micros"] if new else 0
        )
    for one in effect["stands"]:
        win = wins[one["win"]]
        due = win.amount_micros - one["amount_micros"]
        yield _text(win, f"stands, {one['borne']}", win.amount_micros, due)
    for new in effect["wins"]:
        if new["replaces"] is None:
            yield {
                "win": None,
                "round": new["round"],
                "seat": new["seat"],
                "hand": new["trigger"],
                "level": new["level"],
                "change": "supplementary",
                "before": format_money(0),
                "after": format_money(new["amount_micros"]),
            }


def _text(win: Win, change: str, before: int, after: int) -> dict[str, Any]:
    return {
        "win": win.pk,
        "table": win.table_log.table_code,
        "round": win.round_id,
        "seat": win.seat,
        "hand": win.trigger,
        "level": win.level,
        "change": change,
        "before": format_money(before),
        "after": format_money(after),
    }


def touched(plans: Iterable[Plan]) -> list[int]:
    """Wins that must not move between the preview and the row, by key: all of the rounds whose wins change."""
    either = Q(pk__in=[])
    for one in plans:
        rounds = {due["round"] for due in one.effect["due"]} | {one.seen.round_id}
        either |= Q(progressive=one.progressive, round_id__in=rounds)
    return list(Win.objects.filter(either).order_by("pk").values_list("pk", flat=True))
