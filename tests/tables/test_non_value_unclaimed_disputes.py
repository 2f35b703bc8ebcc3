"""Non-value chips (nz-1996 I 18), unclaimed money of tables (I 16) and disputes (I 8): what is owed and booked, who
may, what the database refuses by itself, pages and REST."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from config.kit.refusals import Refused
from config.kit.rest import Pages
from ledger.books.balances import balance
from ledger.close import closing
from ledger.models import Entry, GamingDay
from ledger.queries import today
from ledger.verify.entries import differences, with_legs
from ledger.verify.verify import Span
from people.approvals import approvals
from people.models import ApprovalRequest, AuditRecord, User
from rules.money import dollars, format_money
from tables import close_checks
from tables.chips import cage, chips, count_rules, counts, non_value, slips, unclaimed
from tables.corrections import disputes
from tables.floor.opening import create_table, open_table
from tables.models import ColourStep, Dispute, Round, UnclaimedEnd, UnclaimedMoney
from tables.settle.settlement import settle_batch
from tables.verify import counts as verify_counts
from tests import door as intake
from tests.floor import FUNDED, Floor, fund, open_cage

OWED = "harbour/tables/RO-01/non-value-chips"
BANK = "harbour/tables/RO-01/bank"
EVERYTHING = Span(0, 2**63 - 1)


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return with_roulette(standing_floor)


def with_roulette(made: Floor) -> Floor:
    rules = {"game": "roulette", "rulebook": "nz-1996"}
    table = create_table("test", made.harbour, "RO-01", rules, chips=["1.00", "5.00"])
    made.tables["RO-01"] = open_table(table.pk, made.people["sefa"])
    return made


def spin(floor: Floor, stake: str, number: int, drawn: str = "8") -> Round:
    wager = {"id": uuid4().hex, "kind": "straight-up", "selection": "7", "stake": stake, "player": "seat 4"}
    body = {"wagers": [wager], "dealt": {"number": drawn}}
    uid = str(uuid4())
    event = {"number": number, "kind": "round", "at": timezone.now().isoformat(), "round": uid, "body": body}
    intake.take(floor.tables["RO-01"].pk, event)
    settle_batch()
    return Round.objects.get(uid=uid)


def issue(floor: Floor, chips: int = 20, **change: Any) -> ColourStep:
    given: dict[str, Any] = {
        "colour": "Red",
        "player": "seat 4",
        "value_micros": dollars(5),
        "chips": chips,
    } | change
    return non_value.issue(floor.tables["RO-01"].pk, floor.people["sefa"], **given)


def redeem(floor: Floor, chips: int, left: int, colour: str = "red") -> ColourStep:
    return non_value.redeem(floor.tables["RO-01"].pk, floor.people["sefa"], colour, chips, left)


def by_hand(sql: str, *given: Any) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, given)


# --- Non-value chips ----------------------------------------------------------------------------------------------
def test_what_is_out_is_owed_and_the_tray_pays_what_comes_back(floor: Floor) -> None:
    """20 red chips at 5.00 for cash of 100.00; two are lost by play; 18 come back: the tray has paid out 90.00, and
    the cash is in the box."""
    issue(floor)
    assert (balance(OWED), balance(BANK)) == (-dollars(100), dollars(100))
    spin(floor, "10.00", 1)
    redeem(floor, 18, 0)
    given = (floor.tables["RO-01"].pk, "drop", "", None, floor.people["fiona"])
    chips.enter_slip(*given, counted_as="5 x 20.00")
    approvals.approve(ApprovalRequest.objects.get(state="requested"), floor.people["sefa"])
    assert (balance(OWED), balance(BANK)) == (0, -dollars(90))


def test_a_player_who_wins_in_the_colour_redeems_more_than_was_bought(floor: Floor) -> None:
    """20 chips at 5.00; one on 7 wins 35 to 1, paid in red: 55 come back, of which 35 were won. The tray pays 275.00,
    and 100.00 came in for them."""
    issue(floor)
    spin(floor, "5.00", 1, drawn="7")
    redeem(floor, 55, 0)
    assert (balance(OWED), balance(BANK)) == (0, -dollars(175))


def test_a_count_of_the_rack_leaves_what_is_out_as_a_liability(floor: Floor) -> None:
    issue(floor)
    spin(floor, "60.00", 1)
    counted = redeem(floor, 0, 8)
    assert (format_money(counted.owed_micros), balance(OWED), balance(BANK)) == (
        "40.00",
        -dollars(40),
        dollars(100),
    )
    (row,) = non_value.outstanding(floor.tables["RO-01"])
    assert (row.colour, row.player, row.left) == ("red", "seat 4", 8)
    day = today(floor.harbour)
    one = counts.count_of(floor.tables["RO-01"], day)
    assert one is not None
    assert format_money(one.other_micros) == "40.00", "it is no result of the table's"


def test_a_colour_is_one_players_and_its_value_is_declared_before_play(floor: Floor) -> None:
    issue(floor)
    with pytest.raises(Refused, match=r"are seat 4's \(nz-1996 I 18.2\(d\)\)"):
        issue(floor, player="seat 5")
    with pytest.raises(Refused, match=r"declared at 5.00 before play \(nz-1996 I 18.2\(e\)\)"):
        issue(floor, value_micros=dollars(1))
    issue(floor, 4)
    assert balance(OWED) == -dollars(120)
    redeem(floor, 24, 0)
    issue(floor, player="seat 5", value_micros=dollars(1))
    assert balance(OWED) == -dollars(20)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"chips": 0}, "1 to 10000"), ({"value_micros": 2_500_000}, "a multiple of 1.00"), ({"colour": " "}, "which"),
        ({"value_micros": 0}, "a multiple"), ({"player": ""}, "whose"), ({"value_micros": dollars(20_000)}, "multiple"),
    ],
)  # fmt: skip
def test_nonsense_is_refused(floor: Floor, change: dict[str, Any], words: str) -> None:
    with pytest.raises(Refused, match=words):
        issue(floor, **change)


def test_only_where_the_games_rules_permit_them_and_by_a_supervisor(floor: Floor) -> None:
    sefa = floor.people["sefa"]
    with pytest.raises(Refused, match=r"played with value chips.*I 18.1"):
        non_value.issue(floor.tables["CS-01"].pk, sefa, "red", "seat 4", dollars(5), 20)
    with pytest.raises(Refused, match=r"No blue chips .* are out"):
        redeem(floor, 5, 0, "blue")
    for who in ("fiona", "arne", "jan"):
        with pytest.raises(PermissionDenied):
            non_value.issue(floor.tables["RO-01"].pk, floor.people[who], "red", "seat 4", dollars(5), 20)


def test_the_database_keeps_colours_as_they_are(floor: Floor) -> None:
    row = issue(floor)
    insert = (
        'INSERT INTO tables_colourstep (table_id, colour, player, kind, value_micros, chips, "left", owed_micros,'
        " moved_micros, actor_id) VALUES (%s, 'red', %s, %s, %s, %s, %s, %s, %s, %s)"
    )
    five, who = dollars(5), row.actor_id
    for given in (
        ("seat 5", "issued", five, 1, None, dollars(105), five),  # somebody else's
        ("seat 4", "issued", dollars(1), 5, None, dollars(105), five),  # another value
        ("seat 4", "issued", five, 1, None, five, five),  # forgets what is out
        ("seat 4", "issued", five, 1, None, dollars(110), dollars(10)),  # does not add up
        ("seat 4", "redeemed", five, 1, 3, dollars(10), -dollars(90)),  # nor does this
    ):
        with pytest.raises(DatabaseError, match=r"colour_step_adds_up|does not go on like this"):
            by_hand(insert, row.table_id, *given, who)
    by_hand("SET CONSTRAINTS ALL IMMEDIATE")
    for act in (
        "UPDATE tables_colourstep SET chips = 1",
        "DELETE FROM tables_colourstep",
        "TRUNCATE tables_colourstep CASCADE",
    ):
        with pytest.raises(DatabaseError, match="never changed or removed"):
            by_hand(act.format("tables_colourstep"))


# --- Unclaimed money ----------------------------------------------------------------------------------------------
def hold(floor: Floor, amount: int | None = 15, **more: Any) -> UnclaimedMoney:
    micros = None if amount is None else dollars(amount)
    table = floor.tables["RO-01"]
    asked = unclaimed.request_hold(
        table.pk, floor.people["sefa"], "Chips on red, nobody came", micros, **more
    )
    approvals.approve(asked, floor.people["fiona"])
    return UnclaimedMoney.objects.order_by("-pk")[0]


def end(floor: Floor, money: UnclaimedMoney, step: str) -> None:
    open_cage(floor.harbour)  # from which it is paid
    approvals.approve(
        unclaimed.request_end(money.pk, floor.people["fiona"], step, "asked for"), floor.people["tom"]
    )


def make_old(money: UnclaimedMoney) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(
            "UPDATE tables_unclaimedmoney SET found_on = found_on - 400, expires_on = expires_on - 400 WHERE id = %s",
            [money.pk],
        )
        cursor.execute("SET LOCAL session_replication_role = origin")


def test_money_that_nobody_claims_is_owed_until_somebody_comes(floor: Floor) -> None:
    round = spin(floor, "1.00", 1, drawn="7")
    money = hold(floor, 35, round=str(round.number))
    assert (balance("harbour/unclaimed"), balance("harbour/cage/chips")) == (-dollars(35), dollars(35))
    assert (money.round, money.expires_on - money.found_on) == (round, timedelta(days=365))
    with pytest.raises(Refused, match="for whoever comes; it expires from then on"):
        end(floor, money, "expire")
    end(floor, money, "claim")
    assert (balance("harbour/unclaimed"), balance("harbour/cage/cash")) == (0, FUNDED - dollars(35))
    with pytest.raises(Refused, match="It is over: paid to who came"):
        end(floor, money, "claim")
    assert AuditRecord.objects.get(action="tables.unclaimed_claimed").actor == floor.people["tom"]


def test_no_more_is_paid_to_who_came_than_the_cage_holds(floor: Floor) -> None:
    """35.00 in chips were left behind; the cage has 34.99 in cash."""
    money = hold(floor, 35)
    fund(floor.harbour, dollars(35) - 10_000)
    asked = unclaimed.request_end(money.pk, floor.people["fiona"], "claim", "a passport was shown")
    with pytest.raises(Refused, match=r"The cage holds 34\.99 by the books, and 35\.00") as refused:
        approvals.approve(asked, floor.people["tom"])
    assert (refused.value.code, balance("harbour/unclaimed")) == ("not_held", -dollars(35))
    fund(floor.harbour, 10_000)
    approvals.approve(asked, floor.people["tom"])
    assert (balance("harbour/unclaimed"), balance("harbour/cage/cash")) == (0, 0)


def test_it_expires_when_its_time_is_over(floor: Floor) -> None:
    money = hold(floor)
    make_old(money)
    end(floor, money, "expire")
    assert (balance("harbour/unclaimed"), balance("harbour/tables/RO-01/expired")) == (0, -dollars(15))
    assert UnclaimedEnd.objects.get().kind == "expired"


def test_what_is_out_of_a_colour_can_be_set_aside(floor: Floor) -> None:
    issue(floor)
    table, sefa = floor.tables["RO-01"], floor.people["sefa"]
    with pytest.raises(Refused, match="Nothing that was counted is out"):
        unclaimed.request_hold(table.pk, sefa, "went home", None, colour="red")
    redeem(floor, 17, 3)
    with pytest.raises(Refused, match=r"For red chips 15.00 are owed"):
        unclaimed.request_hold(table.pk, sefa, "went home", dollars(20), colour="red")
    money = hold(floor, None, colour="Red")
    assert (balance(OWED), balance("harbour/unclaimed")) == (0, -dollars(15))
    assert money.colour_step is not None
    assert non_value.outstanding(table) == []
    assert issue(floor, player="seat 6").owed_micros == dollars(100), "the colour is free"


def test_unclaimed_money_takes_two_and_refuses_nonsense(floor: Floor) -> None:
    table, sefa = floor.tables["RO-01"], floor.people["sefa"]
    asked = unclaimed.request_hold(table.pk, sefa, "a chip", dollars(5))
    with pytest.raises(Refused, match="Another person"):
        approvals.approve(asked, sefa)
    for amount, round, words in ((0, "", "Whole cents"), (5, "99", "no round 99"), (5, "x", "no round")):
        with pytest.raises(Refused, match=words):
            unclaimed.request_hold(table.pk, sefa, "a chip", dollars(amount), round=round)
    with pytest.raises(PermissionDenied):
        unclaimed.request_hold(table.pk, floor.people["arne"], "a chip", dollars(5))
    assert balance("harbour/unclaimed") == 0


def test_the_database_keeps_unclaimed_money_as_it_is(floor: Floor) -> None:
    money = hold(floor)
    day = today(floor.harbour)
    end_row = "INSERT INTO tables_unclaimedend (money_id, kind, day, approval_id) VALUES (%s, %s, %s, %s)"
    with pytest.raises(DatabaseError, match="It has not expired yet"):
        by_hand(end_row, money.pk, "expired", day, money.approval_id)
    with pytest.raises(DatabaseError, match="no approval of a second person"):
        by_hand(end_row, money.pk, "claimed", day, money.approval_id)
    waiting = unclaimed.request_hold(floor.tables["RO-01"].pk, floor.people["sefa"], "more", dollars(5))
    with pytest.raises(DatabaseError, match="no approval of a second person"):
        by_hand(
            "INSERT INTO tables_unclaimedmoney (table_id, what, amount_micros, found_on, expires_on, approval_id)"
            " VALUES (%s, 'x', 1, %s, %s, %s)",
            money.table_id, day, day + timedelta(days=1), waiting.pk,
        )  # fmt: skip
    by_hand("SET CONSTRAINTS ALL IMMEDIATE")
    with pytest.raises(DatabaseError, match="never changed or removed"):
        by_hand("UPDATE tables_unclaimedmoney SET amount_micros = 1")


def test_verify_makes_every_entry_again_and_sees_what_is_missing(floor: Floor) -> None:
    issue(floor)
    redeem(floor, 10, 3)
    hold(floor, None, colour="red")
    end(floor, hold(floor), "claim")
    old = hold(floor, 20)
    make_old(old)
    end(floor, old, "expire")
    for voucher, kinds in (
        (verify_counts.colours, ("chips.issued", "chips.redeemed")), (verify_counts.held, ("unclaimed.held",)),
        (verify_counts.ended, ("unclaimed.claimed", "unclaimed.expired")),
    ):  # fmt: skip
        entries = list(Entry.objects.filter(kind__in=kinds).select_related("premises", "day"))
        assert {entry.kind for entry in entries} == set(kinds)
        with_legs(entries)
        assert [fault for entry, made in voucher(entries) for fault in differences(entry, made)] == []
    assert list(verify_counts.booked(EVERYTHING)) == []
    assert list(verify_counts.colours_owed(EVERYTHING)) == []
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(
            "UPDATE ledger_entry SET key = 'gone' WHERE key = %s", [f"tables:unclaimed.held:{old.pk}"]
        )
        cursor.execute("UPDATE tables_colourstep SET colour = 'blue' WHERE kind = 'issued'")
        cursor.execute("SET LOCAL session_replication_role = origin")
    (fault,) = verify_counts.booked(EVERYTHING)
    assert "the books lack tables:unclaimed.held" in fault.what
    (fault,) = verify_counts.colours_owed(EVERYTHING)
    assert fault.what == "non-value chips of 100.00 are out, the books owe 0.00"


# --- Disputes -----------------------------------------------------------------------------------------------------
DECISION = {
    "outcome": "house", "decision": "The recording shows them on the line.", "rules": "nz-1996 III 4.3",
    "accepted": False, "told_of_inspector": True,
}  # fmt: skip


def complain(floor: Floor, **more: Any) -> Dispute:
    table = floor.tables["RO-01"]
    return disputes.open_dispute(table.pk, floor.people["sefa"], "guest in seat 4", "It was on 17", **more)


def test_what_is_open_comes_first_however_old_it_is(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    old = complain(floor)
    for _ in range(4):
        disputes.decide(complain(floor).pk, floor.people["sefa"], "decided", DECISION | {"accepted": True})
    new = complain(floor)
    rows = disputes.open_first([floor.harbour])
    assert [row.pk for row in rows[:3]] == [new.pk, old.pk, new.pk - 1]
    still = disputes.still_open(disputes.disputes_of([floor.harbour]))
    assert [row.pk for row in still] == [new.pk, old.pk]
    page = Client()
    page.force_login(floor.people["arne"], "django.contrib.auth.backends.ModelBackend")
    address = reverse("api-disputes", args=["harbour"])
    assert [row["dispute"]["id"] for row in page.get(address).json()["results"]][:2] == [new.pk, old.pk]
    with monkeypatch.context() as smaller:
        smaller.setattr(Pages, "page_size", 4)
        second = page.get(address, {"page": 2}).json()
    assert (second["count"], second["next"], len(second["results"])) == (6, None, 2)


def test_a_dispute_goes_from_a_decision_to_a_review_by_another_and_to_an_inspector(floor: Floor) -> None:
    round = spin(floor, "10.00", 1)
    made, people = complain(floor, round="1", seat=4), floor.people
    assert made.round == round
    with pytest.raises(Refused, match="has no decision yet"):
        disputes.decide(made.pk, people["grace"], "reviewed", DECISION)
    with pytest.raises(Refused, match=r"told of the inspector.*I 8.2"):
        disputes.decide(made.pk, people["sefa"], "decided", DECISION | {"told_of_inspector": False})
    disputes.decide(made.pk, people["sefa"], "decided", DECISION)
    with pytest.raises(Refused, match="a review is another person's"):
        disputes.decide(made.pk, people["sefa"], "reviewed", DECISION)
    disputes.decide(made.pk, people["jan"], "reviewed", DECISION)
    with pytest.raises(Refused, match="was reviewed already"):
        disputes.decide(made.pk, people["grace"], "reviewed", DECISION)
    with pytest.raises(Refused, match="Name or number"):
        disputes.decide(made.pk, people["jan"], "inspected", DECISION | {"inspector": " "})
    disputes.decide(made.pk, people["jan"], "inspected", DECISION | {"inspector": "inspector 17"})
    with pytest.raises(Refused, match="is over"):
        disputes.decide(made.pk, people["grace"], "inspected", DECISION | {"inspector": "inspector 17"})
    told = disputes.document(disputes.disputes_of([floor.harbour]).get())
    assert [step["kind"] for step in told["steps"]] == ["decided", "reviewed", "inspected"]
    (line,) = told["settlement"]
    assert told["over"]
    assert line["rule"].startswith("nz-1996 III")
    records = AuditRecord.objects.filter(action__startswith="tables.dispute").order_by("pk")
    assert [record.action.removeprefix("tables.dispute_") for record in records] == [
        "opened", "decided", "reviewed", "inspected",
    ]  # fmt: skip


def test_an_accepted_decision_ends_it_and_the_close_waits_for_an_open_one(floor: Floor) -> None:
    made = complain(floor)
    day = GamingDay(premises=floor.harbour, date=today(floor.harbour))
    (finding,) = close_checks.open_disputes(day)
    assert (finding.text, finding.may_carry) == (
        f"Dispute {made.pk} at RO-01 is not over: guest in seat 4.",
        True,
    )
    assert finding.url == f"/floor/harbour/disputes/{made.pk}/"
    yesterday = GamingDay(premises=floor.harbour, date=today(floor.harbour) - timedelta(days=1))
    assert list(close_checks.open_disputes(yesterday)) == []
    disputes.decide(
        made.pk, floor.people["grace"], "decided", DECISION | {"accepted": True, "outcome": "player"}
    )
    assert list(close_checks.open_disputes(day)) == []
    assert "tables.disputes" in {check.name for check in closing.registered()}


def test_who_may_and_what_is_nonsense(floor: Floor) -> None:
    with pytest.raises(PermissionDenied):
        disputes.open_dispute(floor.tables["RO-01"].pk, floor.people["fiona"], "guest", "x")
    for more in ({"round": "7"}, {"round": "seven"}):
        with pytest.raises(Refused, match="has played no round"):
            complain(floor, **more)
    made = complain(floor)
    with pytest.raises(PermissionDenied):
        disputes.decide(made.pk, floor.people["jan"], "decided", DECISION)


def test_the_database_keeps_disputes_in_order(floor: Floor) -> None:
    made, sefa = complain(floor), floor.people["sefa"]
    insert = (
        "INSERT INTO tables_disputestep (dispute_id, kind, outcome, decision, rules, accepted, told_of_inspector,"
        " inspector, actor_id) VALUES (%s, %s, 'house', 'no', 'I 8', %s, %s, %s, %s)"
    )
    with pytest.raises(DatabaseError, match="goes from a decision to a review"):
        by_hand(insert, made.pk, "reviewed", True, True, "", sefa.pk)
    with pytest.raises(DatabaseError, match="dispute_step_told_of_inspector"):
        by_hand(insert, made.pk, "decided", False, False, "", sefa.pk)
    disputes.decide(made.pk, sefa, "decided", DECISION)
    with pytest.raises(DatabaseError, match="goes from a decision to a review by another"):
        by_hand(insert, made.pk, "reviewed", True, True, "", sefa.pk)
    with pytest.raises(DatabaseError, match="dispute_step_by_an_inspector"):
        by_hand(insert, made.pk, "inspected", True, True, "", sefa.pk)
    by_hand("SET CONSTRAINTS ALL IMMEDIATE")
    for table in ("dispute", "disputestep"):
        with pytest.raises(DatabaseError, match="never changed or removed"):
            by_hand(f"DELETE FROM tables_{table}")


# --- Pages and REST -----------------------------------------------------------------------------------------------
def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    return client


def test_the_pages(floor: Floor) -> None:
    sefa, fiona = client_of(floor.people["sefa"]), client_of(floor.people["fiona"])
    table = reverse("table", args=["harbour", "RO-01"])
    step = reverse("colour-step", args=["harbour", "RO-01", "issue"])
    given = {"colour": "red", "player": "seat 4", "value": "5.00", "chips": "20"}
    assert "100.00 are owed for them now" in sefa.post(step, given, follow=True).content.decode()
    assert "are seat 4&#x27;s (nz-1996" in sefa.post(step, given | {"player": "seat 5"}).content.decode()
    back = {"colour": "red", "chips": "17", "left": "3"}
    redeemed = sefa.post(reverse("colour-step", args=["harbour", "RO-01", "redeem"]), back, follow=True)
    assert "15.00 are owed" in redeemed.content.decode()
    assert "Non-value chips" not in sefa.get(reverse("table", args=["harbour", "CS-01"])).content.decode()
    assert "nz-1996 III 4.2" in fiona.get(table).content.decode()
    # Unclaimed
    page = reverse("unclaimed", args=["harbour"])
    assert sefa.get(reverse("unclaimed-here")).headers["Location"] == page
    found = {"table": "RO-01", "what": "went home", "amount": "", "round": "", "colour": "red"}
    assert sefa.post(page, found | {"colour": "blue"}).status_code == 422
    assert "Asked." in sefa.post(page, found, follow=True).content.decode()
    approvals.approve(ApprovalRequest.objects.get(state="requested"), floor.people["fiona"])
    assert "went home" in fiona.get(page).content.decode()
    money = UnclaimedMoney.objects.get()
    claim = reverse("unclaimed-step", args=["harbour", money.pk, "claim"])
    assert fiona.post(claim, {"reason": ""}).status_code == 422
    assert "Asked." in fiona.post(claim, {"reason": "passport"}, follow=True).content.decode()
    # Disputes
    spin(floor, "10.00", 1)
    page = reverse("disputes", args=["harbour"])
    complaint = {
        "table": "RO-01",
        "round": "1",
        "seat": "",
        "complainant": "guest",
        "complaint": "It was on 17",
    }
    opened = sefa.post(page, complaint, follow=True)
    assert "nz-1996 III" in opened.content.decode(), "the settlement is cited"
    pk = Dispute.objects.get().pk
    decide = reverse("dispute-step", args=["harbour", pk, "decide"])
    refused = sefa.post(decide, {"outcome": "house", "decision": "no", "rules": "III 4.3"})
    assert "told of the inspector" in refused.content.decode()
    done = sefa.post(decide, {**DECISION, "accepted": ""}, follow=True)
    assert "Print it for both sides" in done.content.decode()
    paper = fiona.get(reverse("dispute-paper", args=["harbour", pk])).content.decode()
    assert "The recording shows them on the line." in paper
    assert "For the complainant" in paper


def test_rest(floor: Floor) -> None:
    sefa = client_of(floor.people["sefa"])

    def post(name: str, args: list[Any], **body: Any) -> Any:
        return sefa.post(reverse(name, args=args), body, content_type="application/json")

    at = ["harbour", "RO-01"]
    issued = post("api-table-colours", at, colour="red", player="seat 4", value="5.00", chips=20)
    assert (issued.status_code, issued.json()["owed"]) == (201, "100.00")
    assert post("api-table-colours-redeem", at, colour="red", chips=18, left=2).json()["owed"] == "10.00"
    (out,) = sefa.get(reverse("api-table-colours", args=at)).json()
    assert (out["colour"], out["left"]) == ("red", 2)
    assert (
        post(
            "api-table-colours", ["harbour", "CS-01"], colour="red", player="a", value="5.00", chips=1
        ).json()["code"]
        == "no_non_value_chips"
    )
    asked = post("api-unclaimed", ["harbour"], table="RO-01", what="went home", colour="red")
    assert asked.status_code == 202, asked.content
    approvals.approve(ApprovalRequest.objects.get(pk=asked.json()["request"]), floor.people["fiona"])
    (money,) = sefa.get(reverse("api-unclaimed", args=["harbour"])).json()["results"]
    assert (money["amount"], money["ended"]) == ("10.00", None)
    assert post("api-unclaimed-expire", [money["id"]], reason="x").json()["code"] == "too_early"
    assert post("api-unclaimed-claim", [money["id"]], reason="passport").status_code == 202
    made = post("api-disputes", ["harbour"], table="RO-01", complainant="guest", complaint="It was on 17")
    assert made.status_code == 201, made.content
    pk = made.json()["dispute"]["id"]
    assert post("api-dispute-decide", [pk], **DECISION).status_code == 201
    assert post("api-dispute-review", [pk], **DECISION).json()["code"] == "same_person"
    told = post("api-dispute-inspect", [pk], **DECISION, inspector="inspector 17").json()["dispute"]
    assert (told["over"], told["steps"][-1]["inspector"]) == (True, "inspector 17")
    assert sefa.get(reverse("api-dispute", args=[pk])).json()["dispute"] == told
    assert sefa.get(reverse("api-disputes", args=["harbour"])).json()["count"] == 1
    assert date.fromisoformat(money["expires_on"]) > today(floor.harbour)


def test_the_web_servers_role_may_do_all_of_it(committed_floor: Floor) -> None:
    """Rows that are only added cannot be locked by it, and it may change no others than its rights say."""
    floor = with_roulette(committed_floor)
    table, day = floor.tables["RO-01"], today(floor.harbour)
    by_hand("SET ROLE potline_web")
    try:
        issue(floor)
        redeem(floor, 10, 3)
        hold(floor, None, colour="red")
        end(floor, hold(floor), "claim")
        made = complain(floor)
        disputes.decide(made.pk, floor.people["sefa"], "decided", DECISION)
        slip = chips.enter_slip(table.pk, "closer", "", None, floor.people["sefa"], counted_as="1 x 5.00")
        approvals.approve(ApprovalRequest.objects.get(state="requested"), floor.people["fiona"])
        slips.print_slip(slip.slip_id or 0, floor.people["sefa"])
        cage.print_slip(fund(floor.harbour, money="chips").slip_id or 0, floor.people["fiona"])
        asked = count_rules.request_rules(floor.harbour, floor.people["fiona"], day, 0, "all of them")
        approvals.approve(asked, floor.people["tom"])
        one = counts.count_of(table, day)
        assert one is not None
        counts.accept(table.pk, day, floor.people["fiona"], one.variance_micros, "nothing was opened")
    finally:
        by_hand("RESET ROLE")
