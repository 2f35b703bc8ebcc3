"""Jackpot hands of corrected rounds take the way of second thoughts; what a misdeal carries over contributes once.

Amounts by hand: of each jackpot wager of 1.00 the grand has 0.60 and starts at 20,000.00. The antes are 5.00, the bets
10.00. The dealer of `tests.terminal` (A K 9 5 3) qualifies; a royal flush is paid 250 to 1 on the bet (VIII 10.1).
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from config.kit.refusals import Refused
from jackpots.fold.folding import fold
from jackpots.models import Meter, Progressive, Share, Win
from jackpots.set_up.configure import create_progressive
from jackpots.verify.identities import broken_identities
from ledger.verify import verify
from people.approvals import approvals
from rules.money import dollars, parse_money
from tables.corrections import corrected_hands, corrections
from tables.floor.opening import create_table, link_table, open_table
from tables.models import Round, RoundVersion, SeatClaim, Table
from tests.corrections import correct, play, terminal_of
from tests.floor import Floor
from tests.jackpots.test_folding import shares_rules
from tests.terminal import PLAIN, Terminal, stud_round

ROYAL = "Th Jh Qh Kh Ah"


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    made = standing_floor
    for code in ("CS-02", "CS-03"):  # so that nobody waits for them
        terminal_of(made.tables[code]).event("goodbye", UUID(int=0))
    return made


@pytest.fixture
def terminal(floor: Floor) -> Terminal:
    return terminal_of(floor.tables["CS-01"])


def deal(terminal: Terminal, hands: dict[int, str], **more: Any) -> Round:
    found = play(terminal, told(hands) | more)
    terminal.heartbeat()
    return found


def told(hands: dict[int, str]) -> dict[str, Any]:
    """A round of this very moment: the table is not open for longer."""
    now = timezone.now()
    return stud_round(hands, first_card=now) | {"locked_at": (now - timedelta(milliseconds=1)).isoformat()}


def folded(floor: Floor, terminal: Terminal) -> None:
    terminal.heartbeat()
    fold(floor.progressive.pk)


def grand(floor: Floor) -> int:
    return Meter.objects.get(progressive=floor.progressive, level="grand").value_micros


def hands(round: Round, **seats: str) -> dict[str, Any]:
    dealt = {seat.removeprefix("s"): cards.split() for seat, cards in seats.items()}
    return {"dealt": round.dealt | {"seats": round.dealt["seats"] | dealt}}


def sound() -> list[str]:
    return [str(fault) for fault in verify.verify().faults]


def test_a_royal_that_was_none_gives_the_meter_back(floor: Floor, terminal: Terminal) -> None:
    round = deal(terminal, {1: ROYAL})
    folded(floor, terminal)
    assert (Win.objects.get().amount_micros, grand(floor)) == (parse_money("20000.60"), dollars(20_000))
    correct(floor, round, hands(round, s1=PLAIN[0]))
    # Paid 5.00 and 2,500.00 with both stakes back; the plain hand loses 15.00.
    claim = SeatClaim.objects.get()
    assert (claim.kind, claim.amount_micros) == ("recoverable", dollars(5 + 2_500 + 15))
    assert Win.objects.get().state == Win.State.PENDING, "two people of the host decide"
    assert [found.pk for found in corrected_hands.waiting([floor.harbour])] == [round.pk]
    asked = corrected_hands.request(round, floor.people["jan"], borne="recoverable", reason="camera 4")
    with pytest.raises(Refused, match="asked about this round already"):
        corrected_hands.request(round, floor.people["sefa"], borne="recoverable", reason="camera 4")
    approvals.approve(asked, floor.people["grace"])
    folded(floor, terminal)
    assert Win.objects.get().state == Win.State.SUPERSEDED
    assert grand(floor) == parse_money("20000.60")
    assert not list(corrected_hands.waiting([floor.harbour]))
    assert broken_identities(floor.progressive.pk) == []
    assert sound() == []


def test_a_royal_that_was_not_told_is_won_at_its_place(floor: Floor, terminal: Terminal) -> None:
    round = deal(terminal, {1: PLAIN[0], 2: PLAIN[1]})
    deal(terminal, {1: PLAIN[2]})
    folded(floor, terminal)
    assert grand(floor) == parse_money("20001.80")
    correct(floor, round, hands(round, s2=ROYAL))
    asked = corrected_hands.request(round, floor.people["jan"], borne="recoverable", reason="camera 4")
    approvals.approve(asked, floor.people["grace"])
    folded(floor, terminal)
    # With the two wagers of its own round in the meter, and the third after it.
    win = Win.objects.get()
    assert (win.seat, win.amount_micros) == (2, parse_money("20001.20"))
    assert grand(floor) == parse_money("20000.60")
    assert broken_identities(floor.progressive.pk) == []
    assert sound() == []


def test_a_misdeal_found_after_settlement_carries_jackpot_wagers_over_and_they_contribute_once(
    floor: Floor, terminal: Terminal
) -> None:
    """nz-1996 VIII 14.9, 14.10: ante and bet go back, the jackpot wager plays in the next round, and takes it."""
    round = deal(terminal, {1: PLAIN[0]})
    folded(floor, terminal)
    misdeal = {
        "dealt": {},
        "wagers": [wager for wager in round.wagers if wager["kind"] != "bet"],
        "irregularities": [{"kind": "misdeal", "value": {"cause": "short-deck"}}],
    }
    correct(floor, round, misdeal)
    claim = SeatClaim.objects.get()
    # Lost were ante and bet, 15.00 in all.
    assert (claim.kind, claim.amount_micros) == ("owed", dollars(15))
    standing = Table.objects.get(pk=round.table_id).carried["wagers"]
    assert [each["wager"]["kind"] for each in standing] == ["jackpot"]
    assert grand(floor) == parse_money("20000.60")
    body = told({1: ROYAL})
    body["wagers"] = [wager for wager in body["wagers"] if wager["kind"] != "jackpot"]
    play(terminal, body)
    folded(floor, terminal)
    assert Win.objects.get().amount_micros == parse_money("20000.60"), "0.60 came in once"
    assert sum(Share.objects.filter(event__kind="stakes").values_list("stake_micros", flat=True)) == dollars(
        1
    )
    assert sound() == []


def test_a_carried_jackpot_wager_without_an_ante_next_goes_back(floor: Floor, terminal: Terminal) -> None:
    round = deal(terminal, {1: PLAIN[0]})
    folded(floor, terminal)
    misdeal = {
        "dealt": {},
        "wagers": [wager for wager in round.wagers if wager["kind"] != "bet"],
        "irregularities": [{"kind": "misdeal", "value": {"cause": "short-deck"}}],
    }
    correct(floor, round, misdeal)
    following = deal(terminal, {2: PLAIN[1]})
    folded(floor, terminal)
    line = following.lines.get(is_jackpot=True, seat=1)
    assert (line.outcome, line.returned_micros, line.is_new) == ("void", dollars(1), False)
    assert grand(floor) == parse_money("20000.60"), "seat 2's; what seat 1 gave went back out of the pots"
    assert sound() == []


def test_a_seat_whose_wagers_are_void_gets_its_jackpot_wager_back(floor: Floor, terminal: Terminal) -> None:
    """nz-1996 I 11.2(a): seat 2 had used a device; seat 1's wager stays in the pots."""
    round = deal(terminal, {1: PLAIN[0], 2: PLAIN[1]})
    folded(floor, terminal)
    assert grand(floor) == parse_money("20001.20")
    correct(floor, round, {"irregularities": [{"kind": "device", "seat": 2}]})
    assert SeatClaim.objects.get().amount_micros == dollars(15), (
        "ante and bet; the jackpot wager is the host's"
    )
    asked = corrected_hands.request(round, floor.people["jan"], borne="house", reason="camera 4")
    assert asked.payload["changes"][0]["returned"] == "1.00"
    approvals.approve(asked, floor.people["grace"])
    folded(floor, terminal)
    assert grand(floor) == parse_money("20000.60")
    assert not corrected_hands.differs(
        Round.objects.select_related("table__table_log", "config").get(pk=round.pk)
    )
    assert broken_identities(floor.progressive.pk) == []
    assert sound() == []
    with pytest.raises(Refused, match="went back to its player"):
        corrections.correct(round.pk, floor.people["sefa"], {"irregularities": []}, "the other seat")


# --- Double Chance (nsw-double-chance): a misdeal voids all wagers, the jackpot's too ------------------------------
FLUSH = "2c 4c 6c 8c Tc"
LOWEST = "2h 4d 6h 8s Td"


def double_chance(floor: Floor) -> tuple[Progressive, Terminal]:
    """A pot that takes 70% of a jackpot wager and pays 5.00 for a flush; at one table."""
    made = create_progressive("test", floor.harbour, "dc", "Double Chance Pot", shares_rules())
    rules = {"game": "double-chance", "rulebook": "nsw-double-chance"}
    table = create_table("test", floor.harbour, "DC-01", rules)
    link_table("test", table, made, ["jackpot"])
    return made, terminal_of(open_table(table.pk, floor.people["sefa"]))


def dealt_double_chance(terminal: Terminal) -> Round:
    """Seat 1 declares a flush, 4 to 1 (9.1) and a jackpot hand; seat 2 discards to two cards and a sixth that is not
    lower in suit: lost (9.3)."""
    now = timezone.now()
    wagers = [
        {"id": f"{kind[0]}{seat}", "kind": kind, "stake": stake, "seat": seat}
        for seat in (1, 2)
        for kind, stake in (("wager", "10.00"), ("jackpot", "1.00"))
    ]
    body = {
        "wagers": wagers,
        "dealt": {"seats": {"1": FLUSH.split(), "2": LOWEST.split()}, "sixth": {"2": "Kc"}},
        "decisions": [
            {"kind": "declare", "seat": 1},
            {"kind": "discard", "seat": 2, "value": ["6h", "8s", "Td"]},
        ],
        "moments": {str(seat): {"first-card": now.isoformat()} for seat in (1, 2)},
        "locked_at": (now - timedelta(milliseconds=1)).isoformat(),
    }
    found = play(terminal, body)
    terminal.heartbeat()
    return found


def test_a_misdeal_of_double_chance_after_settlement_returns_jackpot_wagers(floor: Floor) -> None:
    """nsw-double-chance 12.3: all wagers are void. Seat 1 was paid 40.00 beside its stake, seat 2 had lost 10.00; both
    jackpot wagers go back out of the pot, and with them the flush."""
    pot, terminal = double_chance(floor)
    terminal_of(floor.tables["CS-01"]).event("goodbye", UUID(int=0))
    round = dealt_double_chance(terminal)
    assert {(line.seat, line.outcome) for line in round.lines.filter(is_jackpot=False)} == {
        (1, "win"),
        (2, "lose"),
    }
    fold(pot.pk)
    flush = Win.objects.get(progressive=pot)
    assert (flush.trigger, flush.amount_micros) == ("flush", dollars(5))
    misdeal: dict[str, Any] = {"dealt": {}, "decisions": [], "irregularities": [{"kind": "misdeal"}]}
    correct(floor, round, misdeal)
    claims = {claim.seat: (claim.kind, claim.amount_micros) for claim in SeatClaim.objects.all()}
    assert claims == {1: ("recoverable", dollars(40)), 2: ("owed", dollars(10))}
    lines = RoundVersion.objects.get(round=round).lines
    assert {(line.outcome, line.rule) for line in lines.all()} == {("void", "nsw-double-chance 12.3")}
    assert not Table.objects.get(code="DC-01").carried.get("wagers"), "nothing is handed on by this rulebook"
    asked = corrected_hands.request(round, floor.people["jan"], borne="house", reason="camera 4")
    assert asked.payload["changes"][0]["returned"] == "2.00"
    approvals.approve(asked, floor.people["grace"])
    terminal.heartbeat()
    fold(pot.pk)
    assert Win.objects.get(progressive=pot, trigger="flush").state == Win.State.SUPERSEDED
    assert Meter.objects.get(progressive=pot).value_micros == 0, "1.40 came in and went back"
    assert broken_identities(pot.pk) == []
    assert sound() == []
    following = dealt_double_chance(terminal)
    assert not following.lines.filter(is_new=False).exists()
    as_it_was = {"irregularities": [], "dealt": round.dealt, "decisions": round.decisions}
    with pytest.raises(Refused, match="went back to its player"):
        corrections.correct(round.pk, floor.people["sefa"], as_it_was, "no misdeal")
    assert sound() == []
