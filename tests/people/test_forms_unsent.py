"""A form that came too late: where it leads when the log-in is over, has to be confirmed, or is another one by now."""

from __future__ import annotations

import pytest
from django.test import Client, RequestFactory

from people.pages import lists
from tests.floor import Floor
from tests.people.test_console import page

TABLE = "/floor/harbour/tables/CS-01/"


@pytest.mark.parametrize(
    ("came_from", "back"),
    [
        (
            f"http://testserver{TABLE}?day=2026-11-16",
            "%2Ffloor%2Fharbour%2Ftables%2FCS-01%2F%3Fday%3D2026-11-16",
        ),
        ("http://elsewhere.example/floor/", "%2F"),
        ("", "%2F"),
    ],
)
def test_after_the_log_in_the_page_with_the_form_comes_back(
    standing_floor: Floor, came_from: str, back: str
) -> None:
    """Not the address that takes it, which is no page."""
    answer = Client().post(f"{TABLE}chips", {"kind": "fill"}, headers={"referer": came_from})
    assert answer.status_code == 302
    assert answer.headers["Location"] == f"/login/?next={back}&unsent=1"
    asked = Client().get(answer.headers["Location"]).text
    assert "Nothing was done" in asked
    assert "data-unsent" in asked


def test_a_page_that_is_only_looked_at_leads_back_to_itself(standing_floor: Floor) -> None:
    answer = Client().get(TABLE)
    assert answer.headers["Location"] == f"/login/?next={TABLE}"
    assert "data-unsent" not in Client().get(answer.headers["Location"]).text


def test_a_form_of_another_log_in_leads_to_its_page(standing_floor: Floor) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(standing_floor.people["sefa"])
    answer = client.post(f"{TABLE}chips", {"kind": "fill"}, headers={"referer": f"http://testserver{TABLE}"})
    assert answer.status_code == 403
    assert f'href="{TABLE}"' in answer.text
    assert "data-unsent" in answer.text
    assert page(standing_floor.people["sefa"]).get(TABLE).status_code == 200


@pytest.mark.parametrize(
    ("address", "page"),
    [
        (f"{TABLE}chips", TABLE),
        ("/jackpots/wins/7/pay", "/jackpots/wins/7/"),
        ("/alerts/3/acknowledge", "/alerts/"),
        ("/logout/", "/"),
    ],
)
def test_an_address_that_only_takes_forms_leads_to_the_page_above_it(
    standing_floor: Floor, address: str, page: str
) -> None:
    """A refused form stands there; whoever loads it anew would see nothing."""
    client = Client()
    client.force_login(standing_floor.people["sefa"])
    answer = client.get(address)
    assert (answer.status_code, answer.headers["Location"]) == (302, page)


# --- Page after page ------------------------------------------------------------------------------------------
def stretch(query: str, rows: list[int]) -> lists.Stretch:
    return lists.stretch(RequestFactory().get(f"/list/?{query}"), rows, "page", 10)


def test_a_list_goes_on_and_back_and_keeps_what_was_asked_for() -> None:
    rows = list(range(25))
    first, second, third = (stretch(f"day=7&page={number}", rows) for number in (1, 2, 3))
    assert [*first, *second, *third] == rows
    assert (first.newer, first.older) == ("", "day=7&page=2")
    assert (second.newer, second.older) == ("day=7&page=1", "day=7&page=3")
    assert (third.newer, third.older) == ("day=7&page=2", "")


@pytest.mark.parametrize("given", ["", "0", "-1", "x", "1e3", "٣", "99999999999999999999"])
def test_what_is_no_page_is_the_first(given: str) -> None:
    assert list(stretch(f"page={given}", list(range(25)))) == list(range(10))


def test_nobody_skips_through_years() -> None:
    assert stretch("page=9999", list(range(25))).number == lists.MAX_PAGES
