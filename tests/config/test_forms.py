"""One declaration of a form for its page and its REST call; refusals stand beside what was typed."""

from __future__ import annotations

import ast
import json
from importlib import import_module
from typing import Any
from uuid import uuid4

import pytest
from django import forms
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.utils import timezone

from config.kit.forms import DayField, FormSerializer, MoneyField, ObjectField, ReasonField, attempt
from config.kit.refusals import Fault, Refused, wrong
from ledger.books.errors import InvalidEntry
from ledger.models import GamingDay
from people.models import ApprovalRequest
from rules.money import dollars
from tables.chips import chips
from tables.models import Round
from tables.settle.settlement import settle_batch
from tests import door as intake
from tests.conventions.test_code import name_of, nodes_of, of_room
from tests.floor import Floor, make_floor
from tests.tables.test_silence import silence_falls
from tests.terminal import PLAIN, stud_round


class Meal(forms.Form):
    kind = forms.ChoiceField(choices=[("soup", "Soup"), ("fish", "Fish")])
    price = MoneyField(required=False)
    day = DayField()
    reason = ReasonField()
    extras = forms.MultipleChoiceField(choices=[("salt", "Salt"), ("bread", "Bread")], required=False)


class MealSerializer(FormSerializer):
    form_class = Meal


GOOD = {"kind": "soup", "price": "2.50", "day": "2026-03-14", "reason": "hungry"}


def rest_faults(data: Any) -> dict[str, Any]:
    shape = MealSerializer(data=data)
    return {} if shape.is_valid() else dict(shape.errors)


# --- The same answer on both sides ----------------------------------------------------------------------------
@pytest.mark.parametrize(
    "change",
    [
        {},
        {"kind": "meat"},
        {"price": "2,50"},
        {"price": "x"},
        {"price": ""},
        {"price": "1e3"},
        {"day": "14/03/2026"},
        {"day": "2026-02-31"},
        {"day": ""},
        {"reason": " "},
        {"reason": "x" * 501},
        {"reason": "a\0b"},
        {"extras": ["salt"]},
        {"extras": ["pepper"]},
    ],
)
def test_page_and_rest_say_the_same(change: dict[str, Any]) -> None:
    data = GOOD | change
    form, shape = Meal(data), MealSerializer(data=data)
    assert form.is_valid() == shape.is_valid()
    assert {name: list(found) for name, found in form.errors.items()} == {
        name: [str(each) for each in found] for name, found in shape.errors.items()
    }
    if form.is_valid():
        assert shape.validated_data == form.cleaned_data


def test_money_is_micros_and_never_a_number_of_json() -> None:
    shape = MealSerializer(data=GOOD)
    assert shape.is_valid()
    assert shape.validated_data["price"] == dollars(2) + 500_000
    for number in (2.5, 2, True):
        assert "price" in rest_faults(GOOD | {"price": number}), number


@pytest.mark.parametrize("data", [[], "text", 5, None, [GOOD]])
def test_what_is_no_object_is_refused_in_words(data: Any) -> None:
    assert rest_faults(data)


@pytest.mark.parametrize("value", [{"a": 1}, ["soup"], 1.5, True, "half \ud800"])
def test_what_is_no_text_does_not_become_one(value: Any) -> None:
    assert set(rest_faults(GOOD | {"reason": value})) == {"reason"}


@pytest.mark.parametrize("value", [5, True, 1.5, [], {}])
def test_a_day_is_told_as_text(value: Any) -> None:
    assert set(rest_faults(GOOD | {"day": value})) == {"day"}


class Order(forms.Form):
    dishes = ObjectField(50)


class OrderSerializer(FormSerializer):
    form_class = Order


@pytest.mark.parametrize(
    "value",
    [
        5, True, 1.5, "soup", [], ["soup"], "5", "true", '"soup"', "[1]", "9" * 40, "9" * 5_000, "[" * 5_000, "{", "{}",
        '{"soup": ' + "1" * 50 + "}", {"soup": "\ud800"}, {"\ud800": 1}, {"soup": [{"salt": "\udfff"}]},
        r'{"soup": "\ud800"}',
    ],
)  # fmt: skip
def test_a_document_is_an_object_or_the_text_of_one(value: Any) -> None:
    """Of whatever else is sent or typed its form says that it is none, and can be shown again."""
    shape, form = OrderSerializer(data={"dishes": value}), Order({"dishes": value})
    assert not shape.is_valid()
    assert set(shape.errors) == {"dishes"}
    if isinstance(value, str):
        assert set(form.errors) == {"dishes"}
        assert form.as_p()
    for good in ({"soup": 2}, '{"soup": 2}'):
        shape = OrderSerializer(data={"dishes": good})
        assert shape.is_valid()
        assert shape.validated_data == {"dishes": {"soup": 2}}


def test_null_is_as_if_it_were_left_out() -> None:
    assert rest_faults(GOOD | {"price": None}) == {}
    assert set(rest_faults(GOOD | {"reason": None})) == {"reason"}


def test_the_document_of_the_api_tells_each_field() -> None:
    fields = MealSerializer().fields
    assert {name: type(field).__name__ for name, field in fields.items()} == {
        "kind": "ChoiceField",
        "price": "CharField",
        "day": "DateField",
        "reason": "CharField",
        "extras": "ListField",
    }
    assert [name for name, field in fields.items() if field.required] == ["kind", "day", "reason"]


# --- A verb's refusal -----------------------------------------------------------------------------------------
def filled() -> Meal:
    form = Meal(GOOD)
    assert form.is_valid()
    return form


def raising(error: Exception) -> Any:
    def verb(_: dict[str, Any]) -> None:
        raise error

    return verb


def test_a_refusal_stands_beside_its_field_or_above_the_form() -> None:
    form = filled()
    assert attempt(form, raising(wrong("price", "Too dear."))) is None
    assert form.errors == {"price": ["Too dear."]}
    form = filled()
    assert attempt(form, raising(Refused("sold_out", "No soup.", faults=[Fault("elsewhere", "x")]))) is None
    assert form.errors == {"__all__": ["No soup."]}
    assert form["reason"].value() == "hungry"


def test_a_fault_of_ours_and_a_missing_right_are_no_faults_of_the_form() -> None:
    for error in (InvalidEntry("legs"), PermissionDenied("no"), ZeroDivisionError()):
        with pytest.raises(type(error)):
            attempt(filled(), raising(error))


# --- The house ------------------------------------------------------------------------------------------------
def read_by(module: Any, called: str) -> Any:
    """What a name in a module is: a serializer, or what is handed one."""
    found: Any = module
    for part in called.split("."):
        found = getattr(found, part, None)
    return found


def test_rest_calls_that_change_something_are_read_by_the_forms_of_their_pages() -> None:
    """Whatever a call is documented to take is a form's serializer, in every room."""
    by_hand: dict[str, str] = {}
    by_form = 0
    for path in of_room("people", "ledger", "jackpots", "tables"):
        module: Any = None
        for node in nodes_of(path):
            if not isinstance(node, ast.Call) or ast.unparse(node.func) not in (
                "extend_schema",
                "_documented",
            ):
                continue
            for word in [*node.keywords, *(ast.keyword("request", each) for each in node.args)]:
                name = ast.unparse(word.value)
                if word.arg != "request" or name in ("None", "form"):  # "form": what _documented was given
                    continue
                module = module or import_module(name_of(path).removesuffix(".py").replace("/", "."))
                found = read_by(module, name)
                if isinstance(found, type) and issubclass(found, FormSerializer):
                    by_form += 1
                else:
                    by_hand[name] = name_of(path)
    assert by_hand == {
        "EventsSerializer": "tables/door/api.py",  # a terminal's, which tables.messages reads
        "TriedRoundSerializer": "tables/door/api.py",  # a round's document, which the rules read
    }
    assert by_form > 60


def test_what_is_sent_goes_into_a_form_and_nowhere_else() -> None:
    """`request.data` is read by a serializer, whole."""
    elsewhere: dict[str, int] = {}
    for path in of_room("people", "ledger", "jackpots", "tables"):
        nodes = nodes_of(path)
        into = {
            id(word.value)
            for call in nodes
            if isinstance(call, ast.Call)
            for word in [*call.keywords, *(ast.keyword("data", each) for each in call.args)]
            if word.arg == "data" and ast.unparse(word.value) in ("request.data", "self.request.data")
            if not ast.unparse(call.func).endswith(("isinstance", "try_round", "self.act"))
        }
        rest = [
            node
            for node in nodes
            if isinstance(node, ast.Attribute)
            and ast.unparse(node) in ("request.data", "self.request.data")
            and id(node) not in into
        ]
        if rest:
            elsewhere[name_of(path)] = len(rest)
    assert elsewhere == {
        "ledger/api.py": 1,  # steps of a day, which give it to serializers of forms
        "tables/door/api.py": 3,  # a terminal's events (tables.messages) and a round to try (the rules)
    }


def test_no_page_reads_what_was_sent_by_hand() -> None:
    """`request.POST` goes into a form, whole, and nowhere else."""
    wrong_places = []
    for path in of_room("people", "ledger", "jackpots", "tables"):
        nodes = nodes_of(path)
        into_forms = {
            id(call.args[0])
            for call in nodes
            if isinstance(call, ast.Call) and call.args and ast.unparse(call.args[0]) == "request.POST"
        } | {
            id(call.args[0].values[0])  # a page that is also shown without anything sent: an unbound form
            for call in nodes
            if isinstance(call, ast.Call)
            and call.args
            and isinstance(call.args[0], ast.BoolOp)
            and ast.unparse(call.args[0]) == "request.POST or None"
        }
        wrong_places += [
            f"{name_of(path)}:{node.lineno}"
            for node in nodes
            if isinstance(node, ast.Attribute)
            and ast.unparse(node) == "request.POST"
            and id(node) not in into_forms
        ]
    assert wrong_places == []


# --- Pages keep what was typed --------------------------------------------------------------------------------
@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return standing_floor


def client_of(floor: Floor, name: str) -> Client:
    client = Client()
    client.force_login(floor.people[name], "django.contrib.auth.backends.ModelBackend")
    return client


def refused_page(client: Client, address: str, data: dict[str, Any], *words: str) -> str:
    answer = client.post(address, data)
    assert answer.status_code == 422, answer.content[:300]
    text = answer.content.decode()
    for each in words:
        assert each in text, each
    return text


def test_a_slip(floor: Floor) -> None:
    sefa, address = client_of(floor, "sefa"), "/floor/harbour/tables/CS-01/chips"
    given = {"kind": "credit", "slip": "A7", "amount": "5.001", "day": "2026-03-14"}
    text = refused_page(
        sefa, address, given, 'value="A7"', 'value="5.001"', 'value="2026-03-14"', "Whole cents, above 0.00"
    )
    assert '<option value="credit" selected>' in text
    assert '<option value="drop"' not in text, "what finance enters is not offered to a supervisor"
    assert "<details open>" in text
    chips.enter_slip(floor.tables["CS-01"].pk, "fill", "A8", dollars(5), floor.people["sefa"])
    again = {"kind": "fill", "slip": "A8", "amount": "6.00", "day": ""}
    refused_page(sefa, address, again, 'value="A8"', "was entered with other content")
    assert ApprovalRequest.objects.count() == 1


def test_a_table_that_cannot_be_opened(floor: Floor) -> None:
    address = "/floor/harbour/tables/CS-01/open"
    refused_page(client_of(floor, "sefa"), address, {"open": "yes"}, "is open already")
    refused_page(client_of(floor, "sefa"), address, {"open": "perhaps"})


def test_a_silent_table(db: None) -> None:
    floor = make_floor()  # of this moment: its tables are heard
    address = "/floor/harbour/tables/CS-01/leave-out"
    jan = client_of(floor, "jan")
    refused_page(jan, address, {"reason": "cable"}, "is heard, or holds up no jackpot", 'value="cable"')
    silence_falls("CS-01")
    refused_page(jan, address, {"reason": " "}, "Say why: the second person decides on it.")


@pytest.mark.parametrize("typed", ["5", "true", "[1]", "9" * 5_000, "[" * 5_000, "{"])
def test_a_round_that_is_put_right_by_no_document(floor: Floor, typed: str) -> None:
    event = {"number": 1, "kind": "round", "at": timezone.now().isoformat(), "round": str(uuid4())}
    intake.take(
        floor.tables["CS-01"].pk, event | {"body": stud_round({1: PLAIN[0]}, first_card=timezone.now())}
    )
    settle_batch()
    address = f"/floor/harbour/rounds/{Round.objects.get().pk}/correct/"
    given = {"change": typed, "reason": "the camera", "do": "ask"}
    refused_page(client_of(floor, "sefa"), address, given, 'value="the camera"')


def test_a_round_that_is_not_parked(floor: Floor) -> None:
    event = {"number": 1, "kind": "round", "at": timezone.now().isoformat(), "round": str(uuid4())}
    intake.take(
        floor.tables["CS-01"].pk, event | {"body": stud_round({1: PLAIN[0]}, first_card=timezone.now())}
    )
    address = f"/floor/harbour/rounds/{Round.objects.get().pk}/settle-again"
    refused_page(client_of(floor, "sefa"), address, {"reason": "a fix"}, "not parked", 'value="a fix"')


def test_a_decision(floor: Floor) -> None:
    chips.enter_slip(floor.tables["CS-01"].pk, "fill", "A8", dollars(5), floor.people["sefa"])
    asked = ApprovalRequest.objects.get()
    address = f"/premises/harbour/approvals/{asked.pk}/"
    grace = client_of(floor, "grace")
    refused_page(
        grace, address, {"note": "seen it"}, "Say whether to approve or to reject", 'value="seen it"'
    )
    own = {"decision": "approve", "note": "mine"}
    refused_page(client_of(floor, "sefa"), address, own, "you requested it yourself")
    assert grace.post(address, {"decision": "approve"}).status_code == 302
    late = {"decision": "reject", "note": "too late"}
    refused_page(client_of(floor, "fiona"), address, late, "It was used at")


def test_steps_of_a_close(floor: Floor) -> None:
    day = GamingDay.objects.filter(premises=floor.harbour).order_by("-date").first()
    if day is None:
        day = GamingDay.objects.create(premises=floor.harbour, date=timezone.now().date())
    fiona, root = client_of(floor, "fiona"), f"/finance/harbour/days/{day.date.isoformat()}/"
    refused_page(fiona, root + "abandon", {"reason": "too early"}, "not closing")
    refused_page(fiona, root + "carry", {"check": "a", "item": "b", "reason": "c"}, "nothing named")
    assert fiona.post(root + "begin").status_code == 302
    refused_page(fiona, root + "abandon", {"reason": "x" * 501}, "at most 500 characters", "x" * 501)


def test_dues_and_exports(floor: Floor) -> None:
    fiona = client_of(floor, "fiona")
    given = {"other": "lakeside", "we_owe": "1.00", "they_owe": "0.00", "reason": "March"}
    refused_page(fiona, "/finance/harbour/dues/", given, "Nothing is open between")
    asked = {"first": "2026-03-15", "last": "2026-03-14", "formats": ["csv"]}
    text = refused_page(
        fiona,
        "/finance/harbour/exports/",
        asked,
        "is after the last",
        'value="2026-03-15"',
        'value="2026-03-14"',
    )
    assert text.count("checked") == 1, "one format was chosen"


def test_the_openapi_document_names_the_fields_of_a_form(db: None) -> None:
    document = json.loads(Client().get("/api/schema?format=json").content)
    slip = document["components"]["schemas"]["Slip"]
    assert set(slip["properties"]) == {"kind", "denominations", "amount", "promotional", "slip", "day"}
    assert set(slip["required"]) == {"kind"}
