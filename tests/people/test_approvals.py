"""The two-person primitive: the verbs, and what the database refuses without them."""

import hashlib
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, IntegrityError, connection, transaction

from config.kit.origin import Origin, acting_from
from config.kit.refusals import Refused
from people.approvals import approvals
from people.models import ApprovalRequest, AuditRecord, Premises, Role, User
from tests import acts

ACTION = "tests.adjust"
approvals.declare(
    ACTION, "Adjust", request_roles=[Role.JACKPOT_MANAGER], approve_roles=[Role.JACKPOT_MANAGER, Role.FINANCE]
)
PAYLOAD = {"level": 3, "amount_micros": 250_000_000, "table": "BJ1"}


@pytest.fixture
def manager(person: Callable[..., User]) -> User:
    return person("mana", Role.JACKPOT_MANAGER)


@pytest.fixture
def other(person: Callable[..., User]) -> User:
    return person("otto", Role.FINANCE)


@pytest.fixture
def request_row(manager: User, harbour: Premises) -> ApprovalRequest:
    return approvals.request_approval(manager, harbour, ACTION, PAYLOAD, "Sign showed it wrong")


def test_request_keeps_the_hash_of_the_canonical_payload(request_row: ApprovalRequest) -> None:
    text = '{"amount_micros":250000000,"level":3,"table":"BJ1"}'  # keys sorted, no blanks, by hand
    assert request_row.payload_json == text
    assert request_row.payload_sha256 == hashlib.sha256(text.encode()).hexdigest()
    assert request_row.payload == PAYLOAD
    assert request_row.expires_at - request_row.requested_at == approvals.DEFAULT_TTL


def test_another_person_approves_and_it_is_used_once(
    request_row: ApprovalRequest, manager: User, other: User
) -> None:
    approvals.approve(request_row, other, "Seen the photograph")
    with transaction.atomic():
        approvals.use_approval(request_row, ACTION, dict(reversed(PAYLOAD.items())), manager)
    assert request_row.state == "used"
    with pytest.raises(Refused) as refused, transaction.atomic():
        approvals.use_approval(request_row, ACTION, PAYLOAD, other)
    assert refused.value.code == "already_used"
    trail = AuditRecord.objects.filter(subject=f"people.approvalrequest:{request_row.pk}").order_by("id")
    assert [(entry.action, entry.actor_label) for entry in trail] == [
        ("people.approval_requested", "Mana (mana)"),
        ("people.approval_approved", "Otto (otto)"),
        ("people.approval_used", "Mana (mana)"),
    ]


def test_the_trail_names_who_acted_from_where_and_who_had_asked(
    harbour: Premises, manager: User, other: User, person: Callable[..., User]
) -> None:
    third = person("tane", Role.FINANCE)
    with acting_from(Origin(ip="10.0.0.1")):
        row = approvals.request_approval(manager, harbour, ACTION, PAYLOAD, "why")
    with acting_from(Origin(ip="10.0.0.2")):
        approvals.approve(row, other)
    with transaction.atomic(), acting_from(Origin(ip="10.0.0.3")):
        approvals.use_approval(row, ACTION, PAYLOAD, third)
    trail = AuditRecord.objects.filter(subject=f"people.approvalrequest:{row.pk}").order_by("id")
    assert [(entry.action, entry.actor, entry.ip) for entry in trail] == [
        ("people.approval_requested", manager, "10.0.0.1"),
        ("people.approval_approved", other, "10.0.0.2"),
        ("people.approval_used", third, "10.0.0.3"),
    ]
    assert {entry.details["requested_by"] for entry in trail} == {"Mana (mana)"}


def test_use_is_undone_with_the_callers_transaction(request_row: ApprovalRequest, other: User) -> None:
    approvals.approve(request_row, other)
    with transaction.atomic():
        approvals.use_approval(request_row, ACTION, PAYLOAD, other)
        transaction.set_rollback(True)
    with transaction.atomic():
        approvals.use_approval(request_row, ACTION, PAYLOAD, other)
    assert request_row.state == "used"


@pytest.mark.django_db(transaction=True)
def test_use_outside_of_a_transaction_is_a_mistake(request_row: ApprovalRequest, other: User) -> None:
    approvals.approve(request_row, other)
    with pytest.raises(RuntimeError, match="transaction"):
        approvals.use_approval(request_row, ACTION, PAYLOAD, other)


@pytest.mark.parametrize(
    ("action", "payload"),
    [(ACTION, PAYLOAD | {"amount_micros": 250_000_001}), ("tests.other", PAYLOAD), (ACTION, [])],
)
def test_only_what_was_approved_may_be_done(
    request_row: ApprovalRequest, other: User, action: str, payload: object
) -> None:
    approvals.approve(request_row, other)
    with pytest.raises(Refused) as refused, transaction.atomic():
        approvals.use_approval(request_row, action, payload, other)
    assert refused.value.code == "other_payload"


def test_requester_may_not_decide(request_row: ApprovalRequest, manager: User) -> None:
    for decide in (approvals.approve, approvals.reject):
        with pytest.raises(Refused) as refused:
            decide(request_row, manager)
        assert refused.value.code == "same_person"


def test_roles_are_asked_on_both_sides(
    request_row: ApprovalRequest, harbour: Premises, lakeside: Premises, person: Callable[..., User]
) -> None:
    auditor = person("audrey", Role.AUDITOR)
    elsewhere = person("elsa", Role.FINANCE, at=lakeside)
    for wrong in (auditor, elsewhere):
        with pytest.raises(PermissionDenied):
            approvals.approve(request_row, wrong)
        with pytest.raises(PermissionDenied):
            approvals.request_approval(wrong, harbour, ACTION, PAYLOAD, "why")


def test_rejected_unapproved_and_undeclared(request_row: ApprovalRequest, manager: User, other: User) -> None:
    with pytest.raises(Refused) as refused, transaction.atomic():
        approvals.use_approval(request_row, ACTION, PAYLOAD, other)
    assert refused.value.code == "not_approved"
    approvals.reject(request_row, other, "No")
    with pytest.raises(Refused) as refused, transaction.atomic():
        approvals.use_approval(request_row, ACTION, PAYLOAD, other)
    assert refused.value.code == "rejected"
    with pytest.raises(Refused) as refused:
        approvals.approve(request_row, other)
    assert refused.value.code == "rejected"
    with pytest.raises(LookupError, match=r"tests\.unknown"):
        approvals.request_approval(manager, request_row.premises, "tests.unknown", {}, "why")
    with pytest.raises(Refused) as refused:
        approvals.request_approval(manager, request_row.premises, ACTION, {}, "  ")
    assert refused.value.code == "form"


def test_expiry_stops_approval_and_use(manager: User, other: User, harbour: Premises) -> None:
    late = approvals.request_approval(manager, harbour, ACTION, PAYLOAD, "why", timedelta(milliseconds=1))
    soon = approvals.request_approval(manager, harbour, ACTION, PAYLOAD, "why", timedelta(milliseconds=400))
    time.sleep(0.01)
    with pytest.raises(Refused) as refused:
        approvals.approve(late, other)
    assert refused.value.code == "expired"
    approvals.approve(soon, other)
    time.sleep(0.4)
    with pytest.raises(Refused) as refused, transaction.atomic():
        approvals.use_approval(soon, ACTION, PAYLOAD, other)
    assert refused.value.code == "expired"


def sql(statement: str, *values: int | str | None) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "SET CONSTRAINTS ALL IMMEDIATE"
        )  # else TRUNCATE stumbles over pending foreign keys first
        cursor.execute(statement, values)


def test_what_is_done_on_approval_is_done_once_or_undoes_it(
    harbour: Premises, manager: User, other: User
) -> None:
    done: list[int] = []

    def perform(request: ApprovalRequest) -> None:
        approvals.use_approval(request, "tests.at_once", request.payload, approvals.decider(request))
        if request.payload["amount"] > 5:
            raise Refused("too_much", "More than the cage holds.")
        done.append(request.pk)

    roles = [Role.JACKPOT_MANAGER, Role.FINANCE]
    approvals.declare("tests.at_once", "At once", request_roles=roles, approve_roles=roles, perform=perform)
    good, bad = (
        approvals.request_approval(manager, harbour, "tests.at_once", {"amount": amount}, "why")
        for amount in (5, 6)
    )
    approvals.approve(good, other)
    assert (good.state, done) == ("used", [good.pk])
    with pytest.raises(Refused, match="serves once"):
        approvals.approve(good, other)
    with pytest.raises(Refused, match="More than the cage"):
        approvals.approve(bad, other)
    bad.refresh_from_db()
    assert (bad.state, bad.decided_by, done) == ("requested", None, [good.pk])


APPROVE = "UPDATE people_approvalrequest SET state = 'approved', decided_by_id = %s, decided_at = now() WHERE id = %s"


def test_raw_sql_cannot_let_the_requester_approve(request_row: ApprovalRequest, manager: User) -> None:
    with pytest.raises(IntegrityError, match="approval_by_another_person"):
        sql(APPROVE, manager.pk, request_row.pk)


def test_raw_sql_control_another_person_may(request_row: ApprovalRequest, other: User) -> None:
    sql(APPROVE, other.pk, request_row.pk)
    request_row.refresh_from_db()
    assert request_row.state == "approved"


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ("state = 'used', used_at = now()", "transition|Invalid"),
        ("state = 'approved'", "approval_state_consistent"),
        ("requested_by_id = requested_by_id + 1", "approval_request_fixed|Cannot update"),
        ("payload_json = '{}'", "approval_request_fixed|Cannot update"),
        ("expires_at = now() + interval '1 year'", "approval_request_fixed|Cannot update"),
        ("payload_sha256 = repeat('0', 64)", "approval_request_fixed|Cannot update"),
    ],
)
def test_raw_sql_cannot_bend_a_request(request_row: ApprovalRequest, change: str, refusal: str) -> None:
    with pytest.raises(DatabaseError, match=refusal):
        sql(f"UPDATE people_approvalrequest SET {change} WHERE id = %s", request_row.pk)


def test_raw_sql_cannot_swap_the_approver_afterwards(
    request_row: ApprovalRequest, other: User, person: Callable[..., User]
) -> None:
    approvals.approve(request_row, other)
    third = person("third", Role.FINANCE)
    with pytest.raises(DatabaseError, match="approval_decision_fixed"):
        sql("UPDATE people_approvalrequest SET decided_by_id = %s WHERE id = %s", third.pk, request_row.pk)


def test_raw_sql_cannot_insert_approved_or_with_another_hash(
    request_row: ApprovalRequest, manager: User, other: User, harbour: Premises
) -> None:
    columns = "premises_id, action, payload_json, payload_sha256, reason, requested_by_id, expires_at, decision_note"
    insert = f"INSERT INTO people_approvalrequest ({columns}, state, decided_by_id, decided_at) VALUES "
    empty_hash = hashlib.sha256(b"{}").hexdigest()
    values = "(%s, 'x', '{}', %s, 'r', %s, now() + interval '1 hour', '', %s, %s, %s)"
    sql(insert + values, harbour.pk, empty_hash, manager.pk, "requested", None, None)  # the control
    with pytest.raises(IntegrityError, match="approval_hash_of_payload"):
        sql(insert + values, harbour.pk, "0" * 64, manager.pk, "requested", None, None)
    with pytest.raises(DatabaseError, match="approval_begins_requested"):
        sql(insert + values, harbour.pk, empty_hash, manager.pk, "approved", other.pk, "2030-01-01")


def test_raw_sql_cannot_remove_requests(request_row: ApprovalRequest) -> None:
    with pytest.raises(IntegrityError, match="never changed or removed"):
        sql("DELETE FROM people_approvalrequest")
    with pytest.raises(DatabaseError):  # whichever append-only table the cascade reaches first refuses
        sql("TRUNCATE people_approvalrequest CASCADE")
    assert ApprovalRequest.objects.filter(pk=request_row.pk).exists()


def test_no_setting_switches_the_triggers_off(request_row: ApprovalRequest) -> None:
    with pytest.raises(IntegrityError, match="never changed or removed"), transaction.atomic():
        sql_ignoring_triggers("DELETE FROM people_approvalrequest")


def sql_ignoring_triggers(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT tgname FROM pg_trigger WHERE tgrelid = 'people_approvalrequest'::regclass")
        names = [f"people_approvalrequest:{name}" for (name,) in cursor.fetchall()]
        names += ["people_approvalrequest:approval_no_delete", "people.ApprovalRequest:approval_no_delete"]
        cursor.execute("SELECT set_config('pgtrigger.ignore', %s, true)", ["{" + ",".join(names) + "}"])
        cursor.execute(statement)


@pytest.mark.django_db
def test_a_new_or_changed_progressive_is_told_in_words() -> None:
    from jackpots.models import Progressive
    from jackpots.set_up import changes
    from jackpots.set_up.drafts import Draft, Settings
    from people.approvals.tellings import telling_of
    from tests.floor import make_floor, stud_rules

    floor = make_floor()
    new = Draft("new", floor.harbour, stud_rules(), Settings("New"))
    told = telling_of(changes.request_setup(new, floor.people["jan"], "asked"))
    assert told.sentence.startswith("New is set up at Harbour: its meters stand at their seeds")
    facts = {fact.label: fact.text for fact in told.facts}
    assert facts["Levels in order"] == "grand, minor"
    assert not any("{" in text for text in facts.values())
    found = Progressive.objects.select_related("host", "config").get(code="stud")
    settings = replace(Settings.of(found), pay_alone_limit="150.00")
    changed = Draft("stud", found.host, found.config.rules, settings, found)
    told = telling_of(changes.request_setup(changed, floor.people["jan"], "asked"))
    assert told.sentence == "Its settings change at once."
    assert [fact.text for fact in told.facts[1:]] == ["0.00 before, 150.00 after"]


def test_every_act_of_two_people_is_one_whose_records_are_watched() -> None:
    """tests/acts.py lets no test approve one that leaves none."""
    names = [name for name, _title in approvals.titles() if not name.startswith("tests.")]
    performed = {name for name in names if approvals.action_named(name).perform is not None}
    assert performed == set(acts.OF_TWO)
