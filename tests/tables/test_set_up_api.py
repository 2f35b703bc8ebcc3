"""Setting a floor up by REST and by its pages: the same verbs, the same refusals."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client

from people.approvals import approvals
from people.models import ApprovalRequest, Premises
from tables.floor.opening import create_table
from tables.models import InspectorNotice, Table, TableChange
from tests.floor import Floor
from tests.tables.test_set_up import CRAPS, with_administrators


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return with_administrators(standing_floor)


def client_of(floor: Floor, name: str) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(floor.people[name], "django.contrib.auth.backends.ModelBackend")
    return client


def post(client: Client, path: str, body: dict[str, Any]) -> tuple[int, Any]:
    answer: Any = client.post(f"/api/v1/{path}", body, content_type="application/json")
    return answer.status_code, answer.json()


def test_a_table_by_rest(floor: Floor) -> None:
    ada, sefa = client_of(floor, "ada"), client_of(floor, "sefa")
    body = {"code": "CR-09", "rules": CRAPS, "chips": ["5.00", "1.00"], "reason": "new pit"}
    assert post(ada, "tables/harbour", body | {"rules": CRAPS | {"game": "none"}})[0] == 422
    status, asked = post(ada, "tables/harbour", body)
    assert (status, post(ada, "tables/harbour", body)[1]["code"]) == (202, "already_asked")
    request = ApprovalRequest.objects.get(pk=asked["request"])
    assert request.payload_sha256 == asked["fingerprint"]
    approvals.approve(request, floor.people["bo"])
    stands = sefa.get("/api/v1/tables/harbour/CR-09/rules").json()
    assert (stands["chips"], stands["planned"], stands["house_edge"]["pass"]) == (
        ["1.00", "5.00"],
        None,
        "1.4141 %",
    )
    worse = {"kinds": {"*": {"minimum": "10.00", "maximum": "500.00"}}, "chip": "1.00"}
    status, change = post(sefa, "tables/harbour/CR-09/limits", {"limits": worse, "reason": "busy"})
    assert (status, change["state"], change["needs_notice"]) == (200, "planned", True)
    status, change = post(sefa, "tables/harbour/CR-09/withdraw", {"reason": "quiet"})
    assert (status, change["state"]) == (200, "withdrawn")
    assert post(sefa, "tables/harbour/CR-09/withdraw", {"reason": "quiet"})[1]["code"] == "nothing_planned"
    status, _ = post(ada, "tables/harbour/CR-09/rules", {"rules": {"limits": worse}, "reason": "less"})
    assert status == 202
    assert (
        post(sefa, "tables/harbour/CR-09/arrange", {"pit": "P3", "seats": None, "reason": "moved"})[1]["pit"]
        == "P3"
    )


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"exception": "z"}, "exception"),
        ({"exception": "\x07"}, "exception"),
        ({"exception": 5}, "exception"),
        ({"chips": ["x" * 21]}, "chips"),
        ({"chips": ["5.00", 1]}, "chips"),
        ({"chips": [f"{n}.00" for n in range(1, 22)]}, "chips"),
        ({"chips": 5}, "chips"),
        ({"chips": ["-1.00"]}, "chips"),
        ({"rules": []}, "rules"),
        ({"rules": {"limits": {"players": {"\ud800": {}}}}}, "rules"),
        ({"rules": {"limits": None}, "chips": ["5.00"]}, "rules.limits"),
        ({"reason": " "}, "reason"),
    ],
)
def test_rules_by_rest_are_held_to_what_their_page_asks(
    floor: Floor, given: dict[str, Any], field: str
) -> None:
    """And nobody is asked to approve what the page does not offer."""
    body = {"rules": {}, "chips": ["5.00"], "reason": "other chips"} | given
    status, refused = post(client_of(floor, "ada"), "tables/harbour/CS-01/rules", body)
    assert (status, [fault["field"] for fault in refused["faults"]]) == (422, [field])
    assert not ApprovalRequest.objects.exists()


def test_no_exception_is_as_if_it_were_left_out(floor: Floor) -> None:
    body = {"rules": {}, "chips": ["5.00"], "exception": "", "reason": "other chips"}
    status, asked = post(client_of(floor, "ada"), "tables/harbour/CS-01/rules", body)
    assert status == 202
    payload = ApprovalRequest.objects.get(pk=asked["request"]).payload
    assert (payload["chips"], payload["without a sign before by I 13.3"]) == (["5.00"], "")


def test_a_book_without_exceptions_takes_none(floor: Floor) -> None:
    """Said when it is asked for, not to whoever approves it."""
    table = create_table("test", floor.harbour, "SB-09", {"game": "sic-bo", "rulebook": "gb-2011"})
    body = {"rules": {}, "chips": ["5.00"], "exception": "b", "reason": "other chips"}
    Premises.objects.filter(pk=floor.harbour.pk).update(rulebook="gb-2011")
    status, refused = post(client_of(floor, "ada"), f"tables/harbour/{table.code}/rules", body)
    assert (status, [fault["field"] for fault in refused["faults"]]) == (422, ["exception"])


def test_chips_that_nobody_names_stay(floor: Floor) -> None:
    """An empty list takes them away."""
    table = floor.tables["CS-01"]
    Table.objects.filter(pk=table.pk).update(chips=["5.00"])
    limits = {"kinds": {"*": {"minimum": "10.00", "maximum": "500.00"}}}
    asked = []
    unsaid: dict[str, Any] = {}
    none: dict[str, Any] = {"chips": []}
    for more in (unsaid, none):
        body = {"rules": {"limits": limits}, "reason": "less"} | more
        assert post(client_of(floor, "ada"), "tables/harbour/CS-01/rules", body)[0] == 202
        asked.append(ApprovalRequest.objects.get().payload["chips"])
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica; DELETE FROM people_approvalrequest")
    assert asked == [["5.00"], None]


def test_notices_and_closing_by_rest(floor: Floor) -> None:
    sefa, arne = client_of(floor, "sefa"), client_of(floor, "arne")
    status, notice = post(sefa, "tables/harbour/CS-01/notices", {"kind": "cards", "text": "a new pack"})
    assert (status, notice["rule"], notice["taken_by"]) == (201, "nz-1996 VIII 6.5", None)
    status, taken = post(arne, f"notices/{notice['id']}/acknowledge", {"inspector": "17"})
    assert (status, taken["taken_by"]) == (200, "17")
    assert post(sefa, f"notices/{notice['id']}/acknowledge", {"inspector": "18"})[0] == 409
    (told,) = arne.get("/api/v1/tables/harbour/CS-01/notices").json()["results"]
    assert told["taken_by"] == "17"
    assert post(sefa, "tables/harbour/CS-01/show-closing", {"reason": "over"})[1]["closing_at"] is not None
    assert post(sefa, "tables/harbour/CS-01/show-closing", {"reason": "over"})[1]["code"] == "closing_shown"
    assert (
        post(sefa, "tables/harbour/CS-01/take-closing-back", {"reason": "not over"})[1]["closing_at"] is None
    )


def test_premises_by_rest(floor: Floor) -> None:
    ada = client_of(floor, "ada")
    hill = {
        "code": "hill", "name": "Hill", "currency": "NZD", "time_zone": "Pacific/Auckland", "rollover_hour": 6,
        "rulebook": "nz-1996", "home": "harbour", "reason": "opens in May",
    }  # fmt: skip
    status, asked = post(ada, "premises", hill)
    assert status == 202
    approvals.approve(ApprovalRequest.objects.get(pk=asked["request"]), floor.people["bo"])
    assert [each["code"] for each in ada.get("/api/v1/premises").json()] == ["harbour", "hill"]
    given = {name: value for name, value in hill.items() if name not in ("code", "home")}
    status, changed = post(ada, "premises/hill", given | {"rollover_hour": 4})
    assert (status, changed["rollover_hour"]) == (200, 4)
    assert post(ada, "premises/lakeside", given)[0] == 403
    assert Premises.objects.get(code="hill").rollover_hour == 4


class Fields(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, Any] = {}
        self.select = self.area = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        at = dict(attrs)
        if tag == "input" and at.get("type") != "checkbox" and at.get("name"):
            self.found[str(at["name"])] = at.get("value") or ""
        elif tag == "input" and "checked" in at:
            self.found.setdefault(str(at["name"]), []).append(at.get("value") or "on")
        elif tag == "select":
            self.select = str(at["name"])
        elif tag == "textarea":
            self.area = str(at["name"])
            self.found[self.area] = ""
        elif tag == "option" and "selected" in at:
            self.found[self.select] = at.get("value") or ""

    def handle_data(self, data: str) -> None:
        if self.area:
            self.found[self.area] += data.removeprefix("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self.area = ""


def fill(page: str, **more: Any) -> dict[str, Any]:
    """What a browser would send of the page's form, as it stands."""
    fields = Fields()
    fields.feed(page)
    return fields.found | more


@pytest.mark.parametrize(
    "document",
    [
        CRAPS,
        {"game": "blackjack", "rulebook": "nz-consultation"},
        {"game": "three-card-poker", "rulebook": "gb-2011"},
        {"game": "pai-gow-poker", "rulebook": "gb-2011"},
        {"game": "baccarat", "rulebook": "nz-consultation"},
        {"game": "electronic-tai-sai", "rulebook": "nz-consultation"},
    ],
)
def test_a_rules_page_sent_as_it_stands_changes_nothing(floor: Floor, document: dict[str, Any]) -> None:
    create_table("test", floor.harbour, "XX-09", document)
    ada, path = client_of(floor, "ada"), "/floor/harbour/tables/XX-09/rules/"
    page = ada.get(path).content.decode()
    sent = ada.post(path, fill(page, reason="nothing", step="ask"))
    assert "has these rules already" in sent.content.decode()
    looked = ada.post(path, fill(page, reason="nothing", step="look"))
    assert looked.status_code == 200
    assert "What changes" not in looked.content.decode()


def test_the_pages_of_a_table(floor: Floor) -> None:
    ada, sefa = client_of(floor, "ada"), client_of(floor, "sefa")
    path = "/floor/harbour/tables/CS-01"
    page = ada.get(f"{path}/rules/").content.decode()
    less = fill(page, reason="fewer chips", step="ask", chips="1.00, 5.00")
    assert ada.post(f"{path}/rules/", less).status_code == 302
    assert "wait for a second person" in ada.get(f"{path}/set-up/").content.decode()
    approvals.approve(ApprovalRequest.objects.get(), floor.people["grace"])
    assert "Withdraw it" in sefa.get(f"{path}/set-up/").content.decode()
    assert sefa.post(f"{path}/set-up/withdraw/", {"reason": "later"}).status_code == 302
    limits = fill(sefa.get(f"{path}/limits/").content.decode(), reason="busy", step="ask")
    limits["limit-ante-minimum"] = "10.00"
    assert sefa.post(f"{path}/limits/", limits).status_code == 302
    assert set(TableChange.objects.values_list("state", flat=True)) == {"withdrawn", "planned"}
    assert sefa.post(f"{path}/set-up/tell-inspector/", {"kind": "cards", "text": "new"}).status_code == 302
    notice = InspectorNotice.objects.get(kind="cards")
    assert sefa.post(f"/floor/harbour/notices/{notice.pk}/", {"inspector": "17"}).status_code == 302
    assert (
        sefa.post(f"{path}/set-up/arrange/", {"pit": "P1", "seats": "99", "reason": "x"}).status_code == 422
    )
    assert Table.objects.get(code="CS-01").seats is None
