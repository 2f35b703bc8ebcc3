"""A wrong result after settlement: a new version, settled again, booked as the difference; owed and recoverable."""

from __future__ import annotations

import pytest

from config.kit.refusals import Refused
from ledger.models import Entry
from people.approvals import approvals
from people.models import ApprovalRequest
from rules.money import dollars
from tables.corrections import claims, corrections
from tables.models import RoundCorrection, RoundVersion, SeatClaim, VersionLine, WagerLine
from tables.settle import versions
from tests.corrections import CRAPS, ROULETTE, Played, correct, wager
from tests.floor import Floor, fill


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return standing_floor


@pytest.fixture
def roulette(floor: Floor) -> Played:
    return Played(floor, "RO-01", ROULETTE)


@pytest.fixture
def craps(floor: Floor) -> Played:
    return Played(floor, "CR-01", CRAPS)


def test_what_was_overpaid_is_recoverable_and_what_was_underpaid_is_owed(
    floor: Floor, roulette: Played
) -> None:
    """17 was told and 20 had fallen. Ana had 10.00 on 17 (35 to 1), Ben 5.00 on 20: by the rulebook Ana loses her
    10.00, and got 360.00; Ben gets 180.00, and got nothing."""
    wagers = [
        wager("a", "straight-up", "10.00", selection="17"),
        wager("b", "straight-up", "5.00", "Ben", selection="20"),
    ]
    round = roulette.round(wagers, {"number": "17"})
    assert roulette.balance("win") == dollars(345)
    assert roulette.balance("bank") == -dollars(345)
    made = correct(floor, round, {"dealt": {"number": "20"}})
    # Had it been told rightly: Ana's 10.00 lost, Ben paid 175.00.
    assert roulette.balance("win") == dollars(165)
    assert roulette.balance("bank") == -dollars(345), "no chip has moved yet"
    assert roulette.balance("recoverable") == dollars(360)
    assert roulette.balance("owed") == -dollars(180)
    found = {claim.player: (claim.kind, claim.amount_micros) for claim in made.claims.all()}
    assert found == {"Ana": ("recoverable", dollars(360)), "Ben": ("owed", dollars(180))}
    assert made.moved_micros == dollars(540)
    first = Entry.objects.get(key=f"tables:round:{round.pk}")
    entry = Entry.objects.get(key=f"tables:version:{round.pk}:2")
    assert (entry.kind, entry.corrects_id) == ("round.corrected", first.pk)
    assert [line.outcome for line in WagerLine.objects.filter(round=round).order_by("position")] == [
        "win",
        "lose",
    ]
    assert [line.outcome for line in VersionLine.objects.order_by("position")] == ["lose", "win"]
    # Ben comes; Ana gives back 100.00, the rest is written off by two.
    owed, over = SeatClaim.objects.get(player="Ben"), SeatClaim.objects.get(player="Ana")
    ben = "Ben, known to us"
    with pytest.raises(
        Refused, match=r"The tray of RO-01 holds -345\.00 by the books, and 180\.00"
    ) as refused:
        claims.settle_claim(owed.pk, floor.people["sefa"], how="chips", reason=ben)
    assert refused.value.code == "not_held"
    with pytest.raises(Refused, match=r"The cage holds 0\.00 by the books, and 180\.00"):
        claims.settle_claim(owed.pk, floor.people["sefa"], how="cash", reason=ben)
    fill(roulette.table, dollars(345 + 180))
    claims.settle_claim(owed.pk, floor.people["sefa"], how="chips", reason=ben)
    claims.settle_claim(
        over.pk, floor.people["fiona"], how="cash", reason="at the cage", amount_micros=dollars(100)
    )
    asked = claims.request_give_up(over.pk, floor.people["sefa"], "she has left the country")
    approvals.approve(asked, floor.people["fiona"])
    assert roulette.balance("owed") == roulette.balance("recoverable") == 0
    assert roulette.balance("bank") == 0
    assert roulette.balance("corrections") == dollars(260)
    with pytest.raises(Refused, match="Nothing of it is open"):
        claims.settle_claim(over.pk, floor.people["sefa"], how="chips", reason="again")


def test_a_second_correction_takes_in_what_the_first_left_open(floor: Floor, roulette: Played) -> None:
    round = roulette.round([wager("a", "straight-up", "10.00", selection="17")], {"number": "17"})
    correct(floor, round, {"dealt": {"number": "20"}})
    assert roulette.balance("recoverable") == dollars(360)
    made = correct(floor, round, {"dealt": {"number": "17"}}, "camera 4 shows the wrong table")
    assert roulette.balance("recoverable") == roulette.balance("owed") == 0
    assert not made.claims.exists()
    assert [step.kind for step in made.replaced.all()] == ["replaced"]
    assert [each.number for each in versions.all_of(round)] == [1, 2, 3]
    assert roulette.balance("win") == dollars(350)
    # A third time, after Ana gave half of it back meanwhile: nothing is open, so all of it is.
    again = correct(floor, round, {"dealt": {"number": "21"}})
    (claim,) = again.claims.all()
    claims.settle_claim(
        claim.pk, floor.people["sefa"], how="chips", reason="gave half", amount_micros=dollars(180)
    )
    last = correct(floor, round, {"dealt": {"number": "17"}})
    (claim,) = last.claims.all()
    # She is due 360.00 again and owes 180.00 still: 180.00 are owed to her.
    assert (claim.kind, claim.amount_micros) == ("owed", dollars(180))
    assert (roulette.balance("recoverable"), roulette.balance("owed")) == (0, -dollars(180))


def test_later_rounds_that_inherited_are_settled_again_in_order(floor: Floor, craps: Played) -> None:
    """The come-out was told as 7 (Ana's pass wins) and had been 8: the point stands over two rounds more, and the 7 of
    the third takes her stake. Ben's pass of the second round, told as come-out 4, was on the point of 8."""
    come_out = craps.round([wager("p", "pass", "10.00")], {"dice": [3, 4]})
    second = craps.round([wager("f", "field", "5.00", "Ben")], {"dice": [1, 1]})
    third = craps.round([wager("g", "field", "5.00", "Ben")], {"dice": [3, 4]})
    fourth = craps.round([wager("h", "field", "5.00", "Ben")], {"dice": [1, 4]})
    assert craps.balance("standing") == 0
    made = correct(floor, come_out, {"dealt": {"dice": [4, 4]}})
    touched = [version.round_id for version in RoundVersion.objects.filter(correction=made).order_by("pk")]
    assert touched == [come_out.pk, second.pk, third.pk], "the fourth inherited nothing else"
    outcomes = {
        version.round_id: [line.outcome for line in version.lines.all() if line.wager_id == "p"]
        for version in made.versions.all()
    }
    assert outcomes == {come_out.pk: ["stands"], second.pk: ["stands"], third.pk: ["lose"]}
    (claim,) = made.claims.all()
    # Ana got 20.00 for her 10.00, and was to get nothing.
    assert (claim.player, claim.kind, claim.amount_micros) == ("Ana", "recoverable", dollars(20))
    assert craps.balance("standing") == craps.balance("owed") == 0
    assert craps.balance("recoverable") == dollars(20)
    assert versions.latest(fourth).number == 1


def test_the_table_carries_on_what_the_corrected_round_left(floor: Floor, craps: Played) -> None:
    come_out = craps.round([wager("p", "pass", "10.00")], {"dice": [3, 4]})
    assert not craps.carried().get("wagers")
    correct(floor, come_out, {"dealt": {"dice": [4, 4]}})
    assert [each["wager"]["id"] for each in craps.carried()["wagers"]] == ["p"]
    assert craps.balance("standing") == -dollars(10)
    craps.round([wager("f", "field", "5.00", "Ben")], {"dice": [4, 4]})  # the point is made
    assert craps.balance("standing") == 0
    # Ana got 20.00 at first, which was not hers yet; then 20.00 by the point: 20.00 too much.
    (claim,) = SeatClaim.objects.all()
    assert (claim.kind, claim.amount_micros) == ("recoverable", dollars(20))


def test_a_round_under_way_that_would_inherit_is_waited_for(floor: Floor, craps: Played) -> None:
    from uuid import uuid4

    come_out = craps.round([wager("p", "pass", "10.00")], {"dice": [3, 4]})
    uid = uuid4()
    craps.terminal.event("open", uid)
    with pytest.raises(Refused) as refused:
        corrections.correct(come_out.pk, floor.people["sefa"], {"dealt": {"dice": [4, 4]}}, "camera")
    assert (refused.value.code, refused.value.retry) == ("round_under_way", True)


def test_what_is_approved_is_what_was_asked_for(floor: Floor, roulette: Played) -> None:
    round = roulette.round([wager("a", "straight-up", "10.00", selection="17")], {"number": "17"})
    asked = corrections.correct(round.pk, floor.people["sefa"], {"dealt": {"number": "20"}}, "camera")
    assert isinstance(asked, ApprovalRequest)
    with pytest.raises(Refused, match="asked about this round already"):
        corrections.correct(round.pk, floor.people["grace"], {"dealt": {"number": "21"}}, "camera")
    with pytest.raises(Refused, match="Another person"):
        approvals.approve(asked, floor.people["sefa"])
    approvals.approve(asked, floor.people["fiona"])
    assert RoundCorrection.objects.count() == 1


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"dealt": {"number": "17"}}, "nothing_changes"),
        ({"dealt": {"number": "37"}}, "rule"),
        ({"config": {}}, "form"),
        ({"wagers": []}, "first_wagers"),
        ({"irregularities": [{"kind": "misdeal"}]}, "rule"),
        ({"irregularities": [{"kind": "invalidated"}]}, "rule"),
    ],
)
def test_what_the_book_settles_otherwise_is_refused(
    floor: Floor, roulette: Played, change: dict[str, object], code: str
) -> None:
    round = roulette.round([wager("a", "straight-up", "10.00", selection="17")], {"number": "17"})
    with pytest.raises(Refused) as refused:
        corrections.correct(round.pk, floor.people["sefa"], change, "camera")
    assert refused.value.code == code
    assert not RoundVersion.objects.exists()
