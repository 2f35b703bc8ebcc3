"""Progressives set up in the browser and over REST: from a schedule by fields, as a document, reviewed, asked for and
approved by a second person."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from config.kit.gaming_day import gaming_day
from jackpots.fold.folding import fold
from jackpots.models import Link, Progressive, TableLog
from ledger.books.balances import balance
from people.models import ApprovalRequest, User
from rules.contract import Hit, Wager
from rules.money import dollars
from rules.progressive import PRESETS, Mode, encode
from tests import log_verbs
from tests.floor import Floor, new_round_id, stud_rules

LEVELS = {
    "level_0_name": "grand", "level_0_seed": "10000.00", "level_0_increment": "0.6125", "level_0_reserve": "0.0500",
    "level_0_cap": "50000.00", "level_0_secondary": "0.6000", "level_0_overflow": "level",
    "level_0_overflow_to": "minor", "level_0_reseed": "won",
    "level_1_name": "minor", "level_1_seed": "500.00", "level_1_increment": "0.1500", "level_1_overflow": "next-meter",
    "level_1_reseed": "below-seed", "level_2_overflow": "next-meter", "level_2_reseed": "won",
}  # fmt: skip
PRIZES = {
    "amount_0_0": "100%", "amount_0_1": "1500.00 or 10%", "amount_0_2": "100x", "amount_0_3": "75x",
    "amount_0_4": "50x", "from_0_2": "minor", "from_0_3": "minor", "from_0_4": "minor",
}  # fmt: skip
WAYS = {
    "mode_0": "in-turn", "rounding": "up", "round_to": "0.05", "chip": "0.50", "moment_shoe": "first-card",
    "moment_shuffler": "all-cards", "moment_other": "deciding-card-or-throw",
}  # fmt: skip
HEAD = {
    "code": "pearl", "host": "harbour", "name": "Black Pearl", "silence": "hold", "lease_ms": "12000", "skew_ms": "900",
    "pay_alone_limit": "150.00", "ruling_limit": "20.00", "ruling_daily": "100.00",
}  # fmt: skip
FORM = {"preset": "gb-2011-7.21"} | LEVELS | PRIZES | WAYS | HEAD


@pytest.fixture
def floor(standing_floor: Floor) -> Floor:
    return standing_floor


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    return client


def hidden(page: str) -> dict[str, str]:
    """What the form of a review holds for its next step."""
    inputs = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))
    document = re.findall(r'<textarea name="document" hidden>(.*?)</textarea>', page, re.DOTALL)[0]
    inputs.pop("csrfmiddlewaretoken", None)
    return inputs | {"document": document.replace("&quot;", '"').replace("&#x27;", "'").replace("&amp;", "&")}


def decide(client: Client, decision: str = "approve") -> ApprovalRequest:
    row = ApprovalRequest.objects.filter(state="requested").get()
    answer = client.post(
        reverse("decide-approval", args=["harbour", row.pk]), {"decision": decision}, follow=True
    )
    assert answer.status_code == 200, answer.content
    row.refresh_from_db()
    return row


def test_a_manager_builds_one_from_a_schedule_and_finance_approves_it(floor: Floor) -> None:
    jan, fiona = client_of(floor.people["jan"]), client_of(floor.people["fiona"])
    assert "New progressive" in jan.get("/progressives/").content.decode()
    first = jan.get("/set-up/progressive/?preset=gb-2011-7.21").content.decode()
    assert "straight flush" in first
    page = jan.post("/set-up/progressive/", FORM)
    text = page.content.decode()
    assert page.status_code == 200, re.findall(
        r'class="note error".*?</p>|errorlist.*?</ul>', text, re.DOTALL
    )
    assert "the greater of 1,500.00 and 10% of the meter" in text
    assert "61.25%" in text
    assert "Casino Stud" in text, "the exact figures of the game that the schedule is printed for"
    assert not ApprovalRequest.objects.exists(), "a review does nothing"
    asked = jan.post("/set-up/progressive/review", hidden(text) | {"step": "ask", "reason": "board of March"})
    assert asked.status_code == 302, asked.content.decode()
    row = ApprovalRequest.objects.get()
    seen = fiona.get("/approvals/").content.decode()
    assert f"/set-up/requests/{row.pk}/" in seen
    assert "Black Pearl" in fiona.get(f"/set-up/requests/{row.pk}/").content.decode()
    assert decide(fiona).state == "used"
    pearl = Progressive.objects.get(code="pearl")
    rules = pearl.config.rules
    assert [
        (level.name, level.seed_micros, level.increment_bp, level.secondary_bp) for level in rules.levels
    ] == [
        ("grand", dollars(10_000), 6_125, 6_000),
        ("minor", dollars(500), 1_500, None),
    ]
    assert (rules.stages[0].mode, rules.round_to_micros, rules.chip_micros) == (Mode.IN_TURN, 50_000, 500_000)
    assert [prize.level for prize in rules.prizes] == ["grand", "grand", "minor", "minor", "minor"]
    assert (pearl.lease_ms, pearl.skew_ms, pearl.ruling_limit_micros) == (12_000, 900, dollars(20))
    assert [meter.value_micros for meter in pearl.meters.order_by("position")] == [
        dollars(10_000),
        dollars(500),
    ]
    assert balance("harbour/jackpots/pearl/levels/grand/base") == -dollars(10_000)
    assert "Black Pearl" in jan.get("/progressives/pearl/").content.decode()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"amount_0_1": "9%"}, "the rulebook gives at least 10% of the meter"),
        ({"level_0_cap": "9000.00"}, "the cap must be above the seed of 10,000.00"),
        ({"from_0_4": "mega"}, "there is no level &#x27;mega&#x27;"),
        ({"level_0_overflow": "house", "level_0_overflow_to": ""}, "overflow may not go to the house"),
        ({"rounding": "down"}, "rounded down, a winner gets less than the rulebook gives"),
    ],
)
def test_what_a_book_forbids_is_said_on_the_review_and_cannot_be_asked_for(
    floor: Floor, wrong: dict[str, str], said: str
) -> None:
    jan = client_of(floor.people["jan"])
    text = jan.post("/set-up/progressive/", FORM | wrong).content.decode()
    assert said in text
    assert "Ask for approval" not in text
    forced = jan.post("/set-up/progressive/review", hidden(text) | {"step": "ask", "reason": "all the same"})
    assert forced.status_code == 422
    assert not ApprovalRequest.objects.exists()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"amount_0_1": "a lot"}, "is no amount"),
        ({"level_0_increment": "0.61255"}, "at most four decimals"),
        ({"code": "Black Pearl"}, "Small letters, digits and hyphens"),
        ({"lease_ms": "10"}, "greater than or equal to 4000"),
    ],
)
def test_what_is_no_amount_or_rate_is_said_beside_its_field(
    floor: Floor, wrong: dict[str, str], said: str
) -> None:
    answer = client_of(floor.people["jan"]).post("/set-up/progressive/", FORM | wrong)
    assert answer.status_code == 422
    assert said in answer.content.decode()


@pytest.mark.parametrize("name", PRESETS)
def test_every_schedule_has_its_form(floor: Floor, name: str) -> None:
    jan = client_of(floor.people["jan"])
    page = jan.get(f"/set-up/progressive/?preset={name}").content.decode()
    given = {
        label: value.replace("&quot;", '"')
        for label, value in re.findall(r'<input type="text" name="(\w+)" value="([^"]*)"', page)
    }
    for field, options in re.findall(r'<select name="(\w+)"[^>]*>(.*?)</select>', page, re.DOTALL):
        chosen = re.findall(r'<option value="([^"]*)" selected', options) or re.findall(
            r'value="([^"]*)"', options
        )
        given[field] = chosen[0]
    for trigger in PRESETS[name].rules.triggers if PRESETS[name].amounts_open else ():
        given[f"amount_0_{trigger}"] = "100%" if trigger == "royal-flush" else "50.00"
    given |= HEAD | {"preset": name, "level_0_seed": "1000.00", "level_0_increment": "0.7000"}
    review = jan.post("/set-up/progressive/", given)
    text = review.content.decode()
    assert review.status_code == 200, re.findall(r"errorlist.*?</ul>", text, re.DOTALL)
    assert "Ask for approval" in text, re.findall(r"not allowed.*?</li>", text, re.DOTALL)


def draft(**more: Any) -> dict[str, Any]:
    return {
        "document": encode(stud_rules()), "name": "Stud Jackpot", "silence": "hold", "lease_ms": 15_000,
        "skew_ms": 1_000, "pay_alone_limit": "0.00", **more,
    }  # fmt: skip


def post(client: Client, path: str, body: dict[str, Any], status: int) -> Any:
    answer = client.post(f"/api/v1/progressives/{path}", body, content_type="application/json")
    assert answer.status_code == status, answer.content
    return answer.json()


def test_rest_creates_changes_links_and_withdraws(floor: Floor) -> None:
    jan, fiona, sefa, grace = (client_of(floor.people[name]) for name in ("jan", "fiona", "sefa", "grace"))
    post(jan, "new", draft(code="pearl", host="harbour", reason="x", name="Pearl"), 202)
    decide(fiona)
    asked = post(
        jan, "pearl/links", {"premises": "harbour", "table": "CS-01", "kinds": "jackpot", "reason": "x"}, 422
    )
    assert asked["code"] == "feeds", "two progressives would take 160% of one wager"
    faster = json.loads(json.dumps(encode(stud_rules())))
    faster["levels"][0]["increment_rate"] = "0.7000"
    found = post(jan, "stud/change/review", draft(document=faster), 200)
    assert found["changes"] == [{"what": "grand: of a wager to the meter", "before": "60%", "after": "70%"}]
    assert found["may_be_asked"]
    post(jan, "stud/change", draft(document=faster, reason="more to the meter"), 202)
    assert post(jan, "stud/change", draft(document=faster, reason="again"), 409)["code"] == "already_asked"
    decide(fiona)
    stud = next(each for each in jan.get("/api/v1/progressives").json() if each["code"] == "stud")
    assert stud["armed_rules"] == faster
    assert stud["armed_at"] is not None
    post(jan, "stud/change/withdraw", {"reason": "not yet"}, 202)
    decide(fiona)
    assert post(jan, "stud/change/withdraw", {"reason": "twice"}, 409)["code"] == "nothing_armed"
    post(sefa, "stud/links/harbour/CS-02/suspend", {"reason": "slots"}, 202)
    decide(grace)
    assert Link.objects.get(table_log__table_code="CS-02").is_suspended
    assert "suspended since" in jan.get("/progressives/stud/").content.decode()
    post(sefa, "stud/links/harbour/CS-02/resume", {"reason": "mended"}, 202)
    decide(grace)
    assert not Link.objects.get(table_log__table_code="CS-02").is_suspended


def test_a_document_that_cannot_be_read_names_the_place(floor: Floor) -> None:
    jan = client_of(floor.people["jan"])
    bad = json.loads(json.dumps(encode(stud_rules())))
    bad["levels"][1]["seed"] = 12
    said = post(jan, "stud/change", draft(document=bad, reason="x"), 422)
    assert said["faults"][0]["field"] == "document"
    assert "levels[1].seed" in said["faults"][0]["message"]
    bad["stages"] = "none"
    post(jan, "stud/change", draft(document=bad, reason="x"), 422)
    post(jan, "stud/change", draft(document=[], reason="x"), 422)
    page = jan.post("/progressives/stud/review", {**draft(), "document": "{"})
    assert page.status_code == 422


@transaction.atomic
def played(hand: str, code: str = "CS-01") -> None:
    log, round_id = TableLog.objects.get(table_code=code), new_round_id()
    wager = Wager(f"w{round_id}", "jackpot", dollars(1), 1)
    log_verbs.record_stakes(log, round_id, [wager], timezone.now())
    hits = [Hit(wager, hand, "x")] if hand else []
    log_verbs.decide(log, round_id, hits, {}, timezone.now())


def test_a_dry_run_pays_the_stored_log_under_other_rules(floor: Floor) -> None:
    """By hand. As it was: after two wagers the straight flush takes a tenth of 20,001.20, 2,000.12, and with the third
    wager the royal takes 18,001.08 + 0.60 = 18,001.68. With 0.70 to the grand the tenth is of 20,001.40, 2,000.14; the
    royal has 18,001.26 + 0.70 = 18,001.96. The fourth wager leaves 20,000.60 and 20,000.70."""
    for hand in ("", "straight-flush", "royal-flush", ""):
        played(hand)
    with transaction.atomic():
        for log in TableLog.objects.filter(is_open=True):
            log_verbs.beat(log, timezone.now())
    fold(floor.progressive.pk)
    faster = json.loads(json.dumps(encode(stud_rules())))
    faster["levels"][0]["increment_rate"] = "0.7000"
    day = gaming_day(floor.harbour, timezone.now())
    span = {"first": day.isoformat(), "last": day.isoformat()}
    jan = client_of(floor.people["jan"])
    dry = post(jan, "stud/change/review", draft(document=faster, **span), 200)["dry_run"]
    assert (dry["wagered"], dry["paid"], dry["would_be_paid"]) == ("4.00", "20001.80", "20002.10")
    assert {each["trigger"]: (each["paid"], each["would_be_paid"]) for each in dry["wins"]} == {
        "straight-flush": ("2000.12", "2000.14"),
        "royal-flush": ("18001.68", "18001.96"),
    }
    assert dry["meters"]["grand"] == {"was": "20000.60", "would_be": "20000.70"}
    same = post(jan, "stud/change/review", draft(**span), 200)["dry_run"]
    assert same["would_be_paid"] == same["paid"], "under the rules in force it pays what it paid"
    old = (day - timedelta(days=9)).isoformat()
    empty = post(jan, "stud/change/review", draft(first=old, last=old), 200)["dry_run"]
    assert (empty["paid"], empty["would_be_paid"]) == ("0.00", "0.00")
    page = jan.post("/progressives/stud/review", {**draft(**span), "document": json.dumps(faster)})
    assert "2,000.14" in page.content.decode()
