"""What people do in a simulated night, by Potline's own verbs: each act of `tests.rules.progressive.night_people` is
done here too, and must be done or refused alike."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any
from unittest import mock
from zoneinfo import ZoneInfo

from django.db import transaction

from config.kit.refusals import Refused
from jackpots.log import suspects
from jackpots.models import (
    Event,
    HandPayRules,
    HeldContribution,
    HeldHand,
    Overpaid,
    Progressive,
    Share,
    Win,
)
from jackpots.second_thoughts import corrections, meter_adjustments
from jackpots.set_up import changes, transfers
from jackpots.set_up.drafts import Draft, Settings
from jackpots.wins import advances, hand_pay, hand_pay_rules
from people.approvals import approvals
from people.models import ApprovalRequest, Premises, User
from rules.progressive import ProgressiveRules
from rules.progressive.clusters import HitRound
from rules.progressive.second_thoughts import Whose
from tests.rules.progressive.night_acts import MIDNIGHT
from tests.rules.progressive.night_people import PeopleServer, Won
from tests.rules.progressive.night_rows import Held, Log

CHECKED = {"hand_confirmed": True, "deck_counted": True, "surveillance_reference": "CAM 1"}
"""Whose hand was told after another hit was public is asked for the camera; the others may give it."""
ZONE, ROLLOVER = ZoneInfo("Pacific/Auckland"), 6


def _yesterday() -> date:
    return (datetime.now(ZONE) - timedelta(days=1)).date()


DAY = _yesterday()
"""The gaming day that begins at the night's midnight. Lately: a second thought about an old hand leaves the pots."""
ORIGIN = datetime(DAY.year, DAY.month, DAY.day, ROLLOVER, tzinfo=ZONE).astimezone(UTC) - timedelta(
    microseconds=MIDNIGHT
)
"""The night's microseconds count from here."""


class PeopleOfTheInstallation(PeopleServer):
    """Both sides of each act; `nights_in_postgres` has tables, rounds and the fold."""

    staff: dict[str, User]
    premises: Premises
    round_row: Callable[[str], int]
    same: Callable[[str, str, object, object], None]
    fold_rows: Callable[[str], None]

    def _does(self, what: str, where: str, expected: bool, act: Callable[[], Any]) -> None:
        """Done, or refused with a reason; nothing of a refused act is left."""
        why = ""
        try:
            with transaction.atomic():
                act()
        except Refused as refused:
            why = f"{refused.code}: {refused.sentence}"
        self.same(what, f"{where} ({why})", not why, expected)

    def _by_two(self, asked: ApprovalRequest, second: str) -> None:
        approvals.approve(asked, self.staff[second], "seen")

    def instant(self, us: int) -> datetime:
        return ORIGIN + timedelta(microseconds=us)

    # Other rules

    def arm(self, progressive: str, rules: ProgressiveRules, effect: int | None = None) -> bool:
        done = super().arm(progressive, rules, effect)

        def act() -> None:
            row = Progressive.objects.select_related("host", "config").get(code=progressive)
            day = None if effect is None else DAY
            draft = Draft(row.code, row.host, rules, Settings.of(row), row, day)
            self._by_two(changes.request_setup(draft, self.staff["jan"], "trial"), "fiona")

        self._does("arming", progressive, done, act)
        return done

    def withdraw(self, progressive: str) -> bool:
        done = super().withdraw(progressive)
        self._does(
            "withdrawal",
            progressive,
            done,
            lambda: self._by_two(
                changes.request_withdrawal(progressive, self.staff["jan"], "not yet"), "fiona"
            ),
        )
        return done

    # Contributions in transit

    def _held_stake(self, progressive: str, name: str) -> HeldContribution:
        return HeldContribution.objects.get(
            progressive__code=progressive, event__round_id=self.round_row(name)
        )

    def accept(self, progressive: str, name: str) -> bool:
        held = self._held_stake(progressive, name).pk
        done = super().accept(progressive, name)
        self._does(
            "acceptance",
            name,
            done,
            lambda: suspects.accept(held, self.staff["sefa"], reason="seen"),
        )
        return done

    def give_back(self, progressive: str, name: str) -> bool:
        held = self._held_stake(progressive, name).pk
        done = super().give_back(progressive, name)
        self._does(
            "return",
            name,
            done,
            lambda: self._by_two(suspects.request_return(held, self.staff["sefa"], reason="twice"), "grace"),
        )
        return done

    # Advances

    def may_hand_out(self, progressive: str, hit: HitRound) -> Whose | None:
        whose = super().may_hand_out(progressive, hit)
        share = Share.objects.get(
            progressive__code=progressive,
            event__round_id=self.round_row(hit.name),
            event__kind=Event.Kind.HITS,
        )
        given = {"wager": f"j1-{hit.name}", "trigger": hit.hits.hits[0].trigger}
        self._does(
            "advance",
            hit.name,
            whose is not None,
            lambda: advances.hand_out(share.pk, self.staff["sefa"], **given, confirmations=CHECKED),
        )
        return whose

    # Wins

    def pay(self, progressive: str, whose: Whose, won: Won) -> None:
        rows = Win.objects.filter(progressive__code=progressive, round_id=self.round_row(whose[0]))
        rows = rows.filter(trigger=whose[3], amount_micros=won.amount, state=Win.State.PENDING)
        win = rows.order_by("pk").first()
        self.same("a win to pay", str(whose), win is not None, True)
        if win is not None:
            hand_pay.verify(win.pk, self.staff["sefa"], CHECKED)
            if won.amount > self.pay_alone:
                hand_pay.approve(win.pk, self.staff["grace"])
            method = "cash" if advances.of(win) is None else "advance"
            hand_pay.pay(win.pk, self.staff["sefa"], method)
        super().pay(progressive, whose, won)

    # Second thoughts

    def set_limit(self, *, too_old: bool) -> None:
        """The limit in days, as rules of hand pays that have held for long."""
        super().set_limit(too_old=too_old)
        newest = HandPayRules.objects.order_by("from_day").last()
        day = date(2020, 1, 1) if newest is None else newest.from_day + timedelta(days=1)
        given = dict.fromkeys(hand_pay_rules.SUMS) | {"from_day": day, "report_to": ""}
        days = {"unclaimed_days": 7, "expiry_days": 365, "second_thought_days": 0 if too_old else 30}
        with mock.patch.object(hand_pay_rules, "gaming_day", return_value=date(2019, 1, 1)):
            asked = hand_pay_rules.request_rules(self.premises, self.staff["jan"], given | days, "seen")
            self._by_two(asked, "fiona")

    def think(self, name: str, hand: str, *, void: bool = False) -> bool:
        linked = self.tables[name.partition("-")[0]].links
        known = next((hits for each in linked if (hits := self.known(each, name)) is not None), None)
        trigger = "" if known is None else known.hits[0].trigger
        done = super().think(name, hand, void=void)
        row = self.round_row(name)
        win = Win.objects.filter(round_id=row, trigger=trigger).order_by("pk").last()
        if win is None:
            self.same("a second thought", name, False, done)
            return done
        if void and not done:
            return done  # Potline gives stakes back also where the hand won from a part of what they fed.
        kind = "void" if void else "corrected" if hand else "reject"

        def act() -> None:
            asked = corrections.request_second_thought(
                win.pk, self.staff["sefa"], kind, borne="recoverable", reason="seen", hand=hand
            )
            self._by_two(asked, "grace")

        self._does(f"second thought ({kind} {hand})", name, done, act)
        for each in linked:
            self.fold_rows(each)
        return done

    def _held_hand(self, held: Held) -> HeldHand:
        return HeldHand.objects.get(
            progressive__code=held.progressive, round_id=self.round_row(held.hit.name)
        )

    def let_in(self, held: Held, place: int) -> bool:
        done = super().let_in(held, place)

        def act() -> None:
            asked = corrections.request_let_in(
                self._held_hand(held).pk,
                self.staff["sefa"],
                borne="recoverable",
                reason="seen",
                place=self.instant(place),
            )
            self._by_two(asked, "grace")

        self._does("late hand", held.hit.name, done, act)
        self.fold_rows(held.progressive)
        return done

    def dismiss(self, held: Held) -> None:
        super().dismiss(held)
        asked = corrections.request_dismissal(self._held_hand(held).pk, self.staff["sefa"], reason="seen")
        self._by_two(asked, "grace")

    def adjust_meter(self, progressive: str, micros: int) -> bool:
        done = super().adjust_meter(progressive, micros)

        def act() -> None:
            cause = "addition" if micros > 0 else "malfunction"
            asked = meter_adjustments.request_adjustment(
                progressive, "jackpot", self.staff["jan"], amount_micros=micros, cause=cause, reason="seen"
            )
            self._by_two(asked, "fiona")

        self._does("adjustment", progressive, done, act)
        self.fold_rows(progressive)
        return done

    def transfer(self, progressive: str, to: str) -> bool:
        done = super().transfer(progressive, to)

        def act() -> None:
            asked = transfers.request_transfer(
                progressive,
                "jackpot",
                self.staff["jan"],
                to_progressive=to,
                to_level="jackpot",
                reason="it ends",
            )
            self._by_two(asked, "fiona")

        self._does("transfer", f"{progressive} to {to}", done, act)
        for name in (progressive, to):
            self.fold_rows(name)
        return done

    # At the end

    def compare_wins(self, progressive: str, log: Log, names: dict[int, str]) -> None:
        """Every win with its state, and what of it stands though it is not due."""
        states = {Win.State.PAID.value: "paid", Win.State.SUPERSEDED.value: "superseded"}
        found = [
            (names[win.round_id], win.trigger, win.amount_micros, states.get(win.state, "open"))
            for win in Win.objects.filter(progressive__code=progressive)
        ]
        expected, stood = [], 0
        for whose, rows in self.claims[progressive].wins.items():
            for row in rows:
                state = "superseded" if row.superseded else "paid" if row.paid else "open"
                expected.append((whose[0], whose[3], row.amount, state))
                stood += row.stood
        self.same("wins", progressive, sorted(found), sorted(expected))
        overpaid = Overpaid.objects.filter(win__progressive__code=progressive)
        self.same("recoverable", progressive, sum(one.amount_micros for one in overpaid), stood)
