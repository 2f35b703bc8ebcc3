"""How people get in, stay in and are out: attacks on log-ins, second factors, step-up and sessions."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pyotp
import pytest
from django.core.management import call_command
from django.db import IntegrityError, ProgrammingError, connection, transaction
from django.test import Client
from django.utils import timezone

from config.kit import keys
from config.kit.refusals import Refused
from people.approvals import approvals
from people.log_ins import guard, invitations, second_factor, signed_log_ins
from people.models import (
    Alert,
    ApprovalRequest,
    AuditRecord,
    FailedLogIn,
    LogIn,
    Premises,
    Role,
    SecondFactor,
    User,
)
from people.staff import staff
from tests.acts import on_record

PASSWORD = "correct-horse-7"
ACTION = "tests.money_act"
approvals.declare(ACTION, "Move money", request_roles=[Role.FINANCE], approve_roles=[Role.FINANCE])
People = Callable[..., User]


def log_in(
    username: str, password: str = PASSWORD, client: Client | None = None, **more: str
) -> tuple[Client, int]:
    client = client or Client()
    answer = client.post("/login/", {"username": username, "password": password, **more})
    return client, answer.status_code


def is_in(client: Client) -> bool:
    return client.get("/me/").status_code == 200


def age(person: User, **by: timedelta) -> None:
    """As if so much time had passed since."""
    for name, time in by.items():
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute(
                f"UPDATE people_login SET {name} = {name} - make_interval(secs => %s) WHERE person_id = %s",
                [time.total_seconds(), person.pk],
            )
            for row in LogIn.objects.filter(person=person):
                signed_log_ins.sign(row)
                row.save(update_fields=["hallmark"])
            cursor.execute("SET LOCAL session_replication_role = origin")


# --- Guessing, and locking others out -------------------------------------------------------------------------
def test_a_strangers_guesses_lock_strangers_and_not_the_browser_of_the_person(person: People) -> None:
    person("fin", Role.FINANCE)
    own, status = log_in("fin")
    assert status == 302
    own.post("/logout/")
    for _ in range(7):
        log_in("fin", "guess")
    assert log_in("fin")[1] == 429, "another browser waits, even with the right password"
    assert log_in("fin", client=own)[1] == 302, "the person's own browser does not"


def test_a_known_browser_has_five_guesses_of_its_own(person: People) -> None:
    person("fin", Role.FINANCE)
    own, _ = log_in("fin")
    own.post("/logout/")
    statuses = [log_in("fin", "guess", client=own)[1] for _ in range(6)]
    assert statuses == [200] * 4 + [429] * 2
    assert log_in("fin")[1] == 302, "elsewhere the count is another"


def test_a_forged_or_foreign_cookie_makes_no_known_browser(person: People) -> None:
    person("fin", Role.FINANCE)
    person("eve", Role.FINANCE)
    eve, _ = log_in("eve")
    eve.post("/logout/")
    for client in (eve, Client()):
        if guard.COOKIE not in client.cookies:
            client.cookies[guard.COOKIE] = "WyJ4IiwgWzEsMiwzXV0:forged:forged"
        for _ in range(5):
            log_in("fin", "guess", client=client)
    assert FailedLogIn.objects.exclude(browser_key="").count() == 0
    assert log_in("fin", client=eve)[1] == 429


def test_one_address_cannot_try_all_names_and_known_browsers_stay_open(person: People) -> None:
    person("fin", Role.FINANCE)
    own, _ = log_in("fin")
    own.post("/logout/")
    statuses = [log_in(f"name-{number}", "Winter2026")[1] for number in range(guard.LIMIT_BY_ADDRESS + 1)]
    assert statuses.count(429) == 2, "the twentieth closes the door, the next finds it closed"
    assert Alert.objects.get().kind == "people.address_locked"
    assert log_in("fin", client=own)[1] == 302


def test_an_ipv6_customer_cannot_rotate_addresses() -> None:
    assert (
        guard._network("2001:db8::1") == guard._network("2001:db8::ffff") != guard._network("2001:db8:0:1::1")
    )


def test_failed_log_ins_are_on_record_without_what_was_typed(person: People) -> None:
    user = person("fin", Role.FINANCE)
    log_in("fin", "wrong")
    log_in("my-secret-password", "x")
    records = AuditRecord.objects.filter(action="people.log_in_failed").order_by("id")
    assert [record.subject for record in records] == [f"people.user:{user.pk}", ""]
    assert all(record.ip == "127.0.0.1" for record in records)
    everything = str(list(AuditRecord.objects.values())) + str(list(FailedLogIn.objects.values()))
    assert "my-secret-password" not in everything


def test_an_administrator_unlocks_and_so_does_the_command(person: People) -> None:
    fin, ada = person("fin", Role.FINANCE), person("ada", Role.ADMINISTRATOR)
    for unlock in (lambda: staff.unlock(ada, fin), lambda: call_command("unlock_person", "FIN", verbosity=0)):
        for _ in range(5):
            log_in("fin", "guess")
        assert log_in("fin")[1] == 429
        unlock()
        assert log_in("fin")[1] == 302
    assert AuditRecord.objects.filter(action="people.unlocked").count() == 2


def test_many_guesses_at_once_are_no_way_around(committed_db: str) -> None:
    """Twenty at the same time: five are looked at."""
    taken: list[bool] = []
    barrier = threading.Barrier(20)

    def knock() -> None:
        barrier.wait()
        try:
            guard.admit(guard.Knock.of("fin"))
            taken.append(True)
        except Refused:
            taken.append(False)
        finally:
            connection.close()

    threads = [threading.Thread(target=knock) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == [False] * 15 + [True] * 5


# --- The second factor ----------------------------------------------------------------------------------------
def set_up(user: User) -> pyotp.TOTP:
    """As of two steps ago, so that the code of now was not taken yet."""
    totp = pyotp.TOTP(second_factor.begin(user))
    SecondFactor.objects.filter(person=user).update(confirmed_at=timezone.now())
    assert second_factor.vouch(SecondFactor.objects.get(person=user))
    return totp


def test_a_person_sets_up_an_authenticator_and_every_log_in_asks_for_it(person: People) -> None:
    user = person("fin", Role.FINANCE)
    client, _ = log_in("fin")
    page = client.get("/me/").content.decode()
    secret = second_factor.begin(user)
    assert secret in page
    assert "data:image/svg+xml" in page
    assert client.post("/me/second-factor/", {"code": "000000"}).status_code == 422
    assert client.post("/me/second-factor/", {"code": pyotp.TOTP(secret).now()}).status_code == 302
    assert secret not in client.get("/me/").content.decode()
    client.post("/logout/")
    assert log_in("fin")[1] == 200, "the password alone is not enough"
    following = pyotp.TOTP(secret).at(timezone.now(), 1)
    assert log_in("fin", code=following)[1] == 302
    assert AuditRecord.objects.filter(action="people.second_factor_set_up").count() == 1


def test_a_stolen_session_sets_up_no_second_factor_of_its_own(person: People) -> None:
    """Neither by confirming one, nor by looking at the one that the person is about to confirm."""
    user = person("fin", Role.FINANCE)
    client, _ = log_in("fin")
    client.get("/me/")
    seen = second_factor.begin(user)
    age(user, proved_at=timedelta(minutes=16))
    assert second_factor.begin(user) not in client.get("/me/").content.decode()
    led = client.post("/me/second-factor/", {"code": pyotp.TOTP(seen).now()})
    assert (led.status_code, led.headers["Location"].partition("?")[0]) == (302, "/confirm/")
    assert not second_factor.is_set_up(user)
    client.post("/confirm/", {"password": PASSWORD})
    assert on_record("people.confirmed") == 1
    client.get("/me/")
    assert second_factor.begin(user) != seen, "what was seen before is worth nothing"


def test_a_code_is_taken_once(person: People) -> None:
    user = person("fin", Role.FINANCE)
    code = set_up(user).now()
    assert second_factor.check(user, code)
    assert not second_factor.check(user, code), "whoever looked over the shoulder comes too late"


def test_codes_are_not_guessed(person: People) -> None:
    user = person("fin", Role.FINANCE)
    totp = set_up(user)
    for _ in range(5):
        log_in("fin", code="000000")
    assert log_in("fin", code=totp.now())[1] == 429


def test_a_step_never_goes_back_even_by_sql(person: People) -> None:
    user = person("fin", Role.FINANCE)
    assert second_factor.check(user, set_up(user).now())
    with pytest.raises(ProgrammingError, match="Cannot update"), transaction.atomic():
        SecondFactor.objects.update(last_step=0)


def test_the_database_holds_no_readable_secret_and_keys_can_be_changed(person: People, settings: Any) -> None:
    user = person("fin", Role.FINANCE)
    secret = second_factor.begin(user)
    assert secret not in SecondFactor.objects.get().secret
    old, settings.SECRET_KEY = settings.SECRET_KEY, "another-secret-" * 5
    assert keys.decrypt(keys.SECOND_FACTORS, SecondFactor.objects.get().secret) is None, "lost without it"
    assert second_factor.renew_keys() == (0, 1)
    settings.SECRET_KEY_FALLBACKS = [old]
    assert second_factor.renew_keys() == (1, 0)
    settings.SECRET_KEY_FALLBACKS = []
    assert second_factor.begin(user) == secret


# --- Step-up --------------------------------------------------------------------------------------------------
def decide(client: Client, asker: User, premises: Premises) -> Any:
    row = approvals.request_approval(asker, premises, ACTION, {"amount": "2.50"}, "why")
    page = f"/premises/harbour/approvals/{row.pk}/"
    return client.post(page, {"decision": "approve"}, headers={"Referer": "http://testserver/approvals/"})


def test_money_takes_a_recent_password(person: People, harbour: Premises) -> None:
    asker, user = person("ask", Role.FINANCE), person("fin", Role.FINANCE)
    client, _ = log_in("fin")
    assert decide(client, asker, harbour).url == "/approvals/"
    age(user, proved_at=timedelta(minutes=16))
    led = decide(client, asker, harbour)
    assert led.status_code == 302
    assert led.url.startswith("/confirm/?next=")
    assert ApprovalRequest.objects.filter(state="approved").count() == 1
    assert client.post("/confirm/", {"password": "wrong", "next": "/approvals/"}).status_code == 422
    done = client.post("/confirm/", {"password": PASSWORD, "next": "//evil.example/"})
    assert (done.status_code, done.headers["Location"]) == (302, "/")
    assert decide(client, asker, harbour).url == "/approvals/"
    assert ApprovalRequest.objects.filter(state="approved").count() == 2


@pytest.mark.parametrize(
    "wanted", ["foo", "people.pages.home.find", "about:blank", "?x=1", "//evil.example/", "/\\evil.example"]
)
def test_where_to_go_on_to_is_a_page_of_ours_or_home(person: People, harbour: Premises, wanted: str) -> None:
    person("fin", Role.FINANCE)
    client, _ = log_in("fin")
    assert client.get("/login/", {"next": wanted}).headers["Location"] == "/"
    chosen = client.post("/premises/", {"premises": "harbour", "next": wanted})
    assert (chosen.status_code, chosen.headers["Location"]) == (302, "/")
    assert client.get("/login/", {"next": "/floor/?a=1"}).headers["Location"] == "/floor/?a=1"


def test_a_stolen_session_guesses_no_password(person: People) -> None:
    person("fin", Role.FINANCE)
    client, _ = log_in("fin")
    for _ in range(5):
        client.post("/confirm/", {"password": "guess"})
    assert b"too many failed" in client.post("/confirm/", {"password": PASSWORD}).content
    for _ in range(5):
        client.post("/me/", {"old": "guess", "new": "x" * 20, "again": "x" * 20})
    again = client.post("/me/", {"old": PASSWORD, "new": "four plain words", "again": "four plain words"})
    assert b"too many failed" in again.content


def test_where_the_setting_asks_for_it_only_a_code_will_do(
    person: People, harbour: Premises, settings: Any
) -> None:
    settings.SECOND_FACTOR_FOR = ["approve"]
    asker, user = person("ask", Role.FINANCE), person("fin", Role.FINANCE)
    client, _ = log_in("fin")
    assert decide(client, asker, harbour).url.startswith("/confirm/"), "has none yet"
    totp = set_up(user)
    client.post("/confirm/", {"password": PASSWORD})
    assert decide(client, asker, harbour).url.startswith("/confirm/"), "a password is not a code"
    assert client.post("/confirm/", {"code": totp.now()}).status_code == 302
    assert decide(client, asker, harbour).url == "/approvals/"


def test_rest_is_told_to_confirm_and_confirms(person: People, harbour: Premises) -> None:
    user = person("fin", Role.FINANCE)
    client, _ = log_in("fin")
    age(user, proved_at=timedelta(hours=1))
    shown = LogIn.objects.get().proved_at
    wrong = client.post("/api/v1/confirm", {"password": "no"}, content_type="application/json")
    assert (wrong.status_code, wrong.json()["code"]) == (422, "form")
    right = client.post("/api/v1/confirm", {"password": PASSWORD}, content_type="application/json")
    assert right.status_code == 204
    assert LogIn.objects.get().proved_at > shown


# --- Sessions -------------------------------------------------------------------------------------------------
def test_a_page_that_refreshes_itself_does_not_keep_an_idle_log_in(person: People) -> None:
    user = person("sup", Role.SUPERVISOR)
    client, _ = log_in("sup")
    for _ in range(4):
        age(user, last_used_at=timedelta(minutes=9))
        status = client.get("/floor/", headers={"HX-Request": "true"}).status_code
        assert client.get("/api/v1/alerts").status_code in (200, 403)
    assert status == 302, "36 minutes without the person"
    assert LogIn.objects.get().ended_because == LogIn.Ended.IDLE
    other, _ = log_in("sup")
    for _ in range(4):
        age(user, last_used_at=timedelta(minutes=9))
        assert is_in(other), "a page that the person opens counts"


def test_a_log_in_ends_with_a_long_shift_however_busy(person: People) -> None:
    user = person("fin", Role.FINANCE)
    client, _ = log_in("fin")
    age(user, began_at=timedelta(hours=13))
    assert not is_in(client)
    assert LogIn.objects.get().ended_because == LogIn.Ended.LIFETIME


def test_a_log_in_that_has_ended_is_over_even_by_sql(person: People) -> None:
    user = person("fin", Role.FINANCE)
    client, _ = log_in("fin")
    cookie = client.cookies["sessionid"].value
    client.post("/logout/")
    thief = Client()
    thief.cookies["sessionid"] = cookie
    assert not is_in(thief)
    with pytest.raises(ProgrammingError, match="Cannot update"), transaction.atomic():
        LogIn.objects.filter(person=user).update(ended_at=None, ended_because="")


def test_a_new_password_ends_every_other_log_in(person: People) -> None:
    person("fin", Role.FINANCE)
    here, there = log_in("fin")[0], log_in("fin")[0]
    new = {"old": PASSWORD, "new": "four plain words here", "again": "four plain words here"}
    for bad, why in [
        ("short", "too short"),
        ("123456789012345", "entirely numeric"),
        (PASSWORD, "another one"),
    ]:
        answer = here.post("/me/", {"old": PASSWORD, "new": bad, "again": bad})
        assert why in answer.content.decode()
    assert here.post("/me/", new).status_code == 302
    assert on_record("people.password_changed") == 1
    assert is_in(here)
    assert not is_in(there)


def test_people_end_their_own_log_ins_and_nobody_elses(person: People) -> None:
    person("fin", Role.FINANCE)
    eve = person("eve", Role.FINANCE)
    fin, _ = log_in("fin")
    client, _ = log_in("eve")
    client.post("/me/log-ins/", {"log_in": LogIn.objects.get(person__username="fin").pk})
    assert is_in(fin)
    other, _ = log_in("eve")
    client.post("/me/log-ins/", {"log_in": LogIn.objects.filter(person=eve).latest("pk").pk})
    assert not is_in(other)
    assert is_in(client)


# --- Links ----------------------------------------------------------------------------------------------------
def test_a_link_serves_once_in_time_and_the_newest_alone(person: People) -> None:
    user = person("fin")
    first, second = invitations.make("tests", user), invitations.make("tests", user)
    assert Client().get(f"/invitations/{first}/").status_code == 404
    assert Client().get("/invitations/nonsense/").status_code == 404
    page = Client().get(f"/invitations/{second}/")
    assert page.headers["Referrer-Policy"] == "same-origin"
    weak = Client().post(f"/invitations/{second}/", {"password": "password1234", "again": "password1234"})
    assert weak.status_code == 422
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(
            "UPDATE people_invitation SET made_at = made_at - '4 days'::interval, expires_at = now()"
        )
        cursor.execute("SET LOCAL session_replication_role = origin")
    with pytest.raises(Refused, match="has expired"):
        invitations.accept(second, "four plain words here")


def test_a_token_of_a_link_is_neither_stored_nor_logged(person: People, caplog: Any) -> None:
    token = invitations.make("tests", person("fin"))
    Client().get(f"/invitations/{token}/")
    Client().get(f"/invitations/{token}x/")
    assert token not in caplog.text
    assert "/invitations/" in caplog.text
    with connection.cursor() as cursor:
        cursor.execute("SELECT row_to_json(i)::text FROM people_invitation i")
        assert token not in str(cursor.fetchall())


def test_roles_of_two_departments_are_refused_by_the_database(person: People) -> None:
    user = person("fin", Role.FINANCE)
    with (
        connection.cursor() as cursor,
        pytest.raises(IntegrityError, match="conflicts"),
        transaction.atomic(),
    ):
        cursor.execute(
            "INSERT INTO people_rolegrant (user_id, premises_id, role)"
            " SELECT user_id, premises_id, 'administrator' FROM people_rolegrant WHERE user_id = %s",
            [user.pk],
        )
