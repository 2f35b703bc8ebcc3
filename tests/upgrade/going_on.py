"""The day after the upgrade: all that the long evening left open is brought to its end by the verbs of this version."""

from __future__ import annotations

from jackpots.log import suspects
from jackpots.log.held import undecided
from jackpots.models import HeldContribution, Progressive, UndecidedRound, Win
from jackpots.rulings import rulings
from jackpots.second_thoughts import corrections
from jackpots.wins import hand_pay
from ledger.books import balances
from ledger.close import closing
from ledger.models import GamingDay
from ledger.months import months
from ledger.seals import seals
from people.approvals import approvals
from people.models import Premises, User
from tables.chips import unclaimed
from tables.corrections import claims, corrected_hands, disputes
from tables.corrections import corrections as round_corrections
from tables.floor import changes, limits
from tables.models import (
    Dispute,
    DisputeStep,
    Round,
    RoundVersion,
    Table,
    TableChange,
    UnclaimedMoney,
)
from tests.floor import Floor, fund, open_cage
from tests.terminal import DEALER, PLAIN, stud_bets
from tests.upgrade.evening import CHECKED, FLUSH, terminal
from tests.upgrade.long_evening import Staff

CARRY = closing.CARRY_OVER.name


def floor_of_rows() -> Floor:
    harbour, lakeside = Premises.objects.order_by("code")
    people = {user.username: user for user in User.objects.all()}
    tables = {table.code: table for table in Table.objects.order_by("pk")}
    return Floor(harbour, lakeside, people, Progressive.objects.get(code="stud"), tables, {})


class NextDay(Staff):
    def begin_the_day(self) -> None:
        """What beat does as time passes. Signs whose time has not come by the day on which the dump is read go back."""
        for premises in (self.floor.harbour, self.floor.lakeside):
            open_cage(premises)  # nobody had said what they hold
            fund(premises, money="chips", kind="opening")
        assert months.turn()
        changes.take_effect_everywhere()
        for planned in TableChange.objects.filter(state="planned"):
            limits.withdraw_change(planned.table_id, self.sefa, "quiet again")

    # --- Rounds -------------------------------------------------------------------------------------------------
    def book_what_was_told(self) -> Round:
        """Its terminal had told it, and no worker had looked yet."""
        waiting = Round.objects.get(state=Round.State.CLOSED)
        self.fold()
        return Round.objects.get(pk=waiting.pk)

    def decide_the_round(self) -> Round:
        """The one that lay on the table, with its jackpot wagers: seat 1 has a flush."""
        round = Round.objects.get(state=Round.State.LOCKED)
        dealt = {"dealer": DEALER.split(), "seats": {"1": FLUSH.split(), "2": PLAIN[1].split()}}
        body = {"wagers": stud_bets(round.wagers), "dealt": dealt}
        terminal(Table.objects.get(pk=round.table_id)).event("result", round.uid, body)
        self.fold()
        assert not UndecidedRound.objects.exists()
        return Round.objects.get(pk=round.pk)

    def correct_an_old_round(self) -> RoundVersion:
        """Red lost to 8 before the upgrade; it was 1."""
        last = Round.objects.filter(table__code="RO-01", versions__isnull=True).latest("number")
        self.approve(round_corrections.correct(last.pk, self.sefa, {"dealt": {"number": "1"}}, "camera 4"))
        return RoundVersion.objects.get(round=last)

    # --- Jackpots -----------------------------------------------------------------------------------------------
    def rule(self) -> None:
        """The royal first."""
        near = Progressive.objects.get(code="near")
        waiting = rulings.waiting_cluster(near)
        assert waiting is not None
        hands = {share.event.body["hits"][0]["trigger"]: share.event.round_id for share in waiting.shares}
        rounds = [hands["royal-flush"], hands["straight-flush"]]
        self.approve(rulings.request_ruling("near", self.sefa, "order", rounds, "cam 7", "seen"), self.jan)
        self.fold()
        assert rulings.waiting_cluster(Progressive.objects.get(code="near")) is None

    def decide_what_was_held(self) -> None:
        (held,) = undecided()
        asked = corrections.request_let_in(held.pk, self.sefa, borne="house", reason="camera 2")
        self.approve(asked, self.jan)
        self.fold()
        (contribution,) = suspects.waiting()
        suspects.accept(contribution.pk, self.sefa, reason="camera 7")
        (round,) = corrected_hands.waiting([self.floor.harbour])
        asked = corrected_hands.request(round, self.jan, borne="recoverable", reason="camera 4")
        self.approve(asked)
        self.fold()
        assert not HeldContribution.objects.filter(settlement__isnull=True).exists()

    def pay_all(self) -> list[Win]:
        """Whatever step each is at; what one may not pay alone, a second person approves."""
        for win in Win.objects.filter(state__in=Win.OPEN).order_by("pk"):
            if win.state == Win.State.PENDING or hand_pay.approval_lapsed(win):
                win = hand_pay.verify(win.pk, self.sefa, CHECKED)
            if not hand_pay.is_released(win):
                hand_pay.approve(win.pk, self.jan)
            hand_pay.pay(win.pk, self.grace, "cash")
        return list(Win.objects.filter(state__in=Win.OPEN))

    # --- People and papers --------------------------------------------------------------------------------------
    def end_what_is_open(self) -> None:
        word = {
            "outcome": "house",
            "decision": "no",
            "rules": "nz-1996 X",
            "accepted": True,
            "told_of_inspector": True,
        }
        (dispute,) = disputes.still_open(Dispute.objects.all())
        disputes.decide(dispute.pk, self.sefa, DisputeStep.Kind.DECIDED, word)
        money = UnclaimedMoney.objects.get(end__isnull=True)
        self.approve(unclaimed.request_end(money.pk, self.sefa, "claim", "seat 4, by his chips"))
        for claim, _ in claims.open_claims(
            self.tables["RO-01"].pk, Round.objects.values_list("pk", flat=True)
        ):
            claims.settle_claim(claim.pk, self.sefa, how="cash", reason="the guest in white")

    def close_the_day(self) -> GamingDay:
        """The one that the dump left open; what people may carry over is carried over."""
        days = GamingDay.objects.select_related("premises").filter(premises=self.floor.harbour)
        day = days.exclude(state="closed").order_by("date").first()
        assert day is not None
        balances.roll_up()
        seals.seal()
        closing.begin_close(day, self.fiona)
        for line in closing.checklist(day).blocking:
            assert line.finding.may_carry, line.finding
            payload = closing.carry_over_payload(day, line.check, line.finding.key, line.finding.text)
            asked = approvals.request_approval(self.fiona, day.premises, CARRY, payload, "tomorrow")
            self.approve(asked, self.jan)
        return closing.close_day(day, self.fiona)
