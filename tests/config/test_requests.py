"""Each answer carries a request id and a strict content policy; log lines are JSON with the id."""

import json
import logging
import re
from typing import Any

import pytest
import structlog
from django.test import Client
from django.utils import timezone

from config.kit import logs
from config.kit.http.middleware import CONTENT_SECURITY_POLICY
from people.models import Premises, Role
from tests.floor import make_floor
from tests.on_record import add_user, give


@pytest.mark.django_db
def test_every_page_has_the_policy_and_an_id() -> None:
    answer = Client().get("/login/")
    assert answer.headers["Content-Security-Policy"] == CONTENT_SECURITY_POLICY
    assert "unsafe" not in CONTENT_SECURITY_POLICY
    assert re.fullmatch(r"[0-9a-f]{32}", answer.headers["X-Request-ID"])
    page = answer.content.decode()
    assert "<script>" not in page
    assert "style=" not in page
    assert not re.search(r"""(src|href)=["'](https?:)?//""", page)


@pytest.mark.django_db
def test_a_nul_character_gets_a_plain_refusal() -> None:
    auditor = add_user("nul", name="Nul", password=None)
    premises = Premises.objects.create(
        code="harbour", name="Harbour", time_zone="UTC", rollover_hour=6, currency="NZD"
    )
    give(user=auditor, premises=premises, role=Role.AUDITOR)
    client = Client()
    client.force_login(auditor, "django.contrib.auth.backends.ModelBackend")
    answer = client.get("/floor/harbour/tables/%00/")
    assert (answer.status_code, b"NUL" in answer.content) == (400, True)
    answer = client.get("/audit/?who=%00")
    assert (answer.status_code, b"Null characters are not allowed" in answer.content) == (200, True)
    assert client.get("/search/?q=%00").status_code == 200


def request_lines(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str, int]]:
    lines: list[dict[str, Any]] = [
        record.msg
        for record in caplog.records
        if record.name == "potline.request" and isinstance(record.msg, dict)
    ]
    found = [(line["level"], line["path"], line["status"]) for line in lines if line["event"] == "request"]
    caplog.clear()
    return found


@pytest.mark.django_db
def test_what_comes_several_times_a_second_is_no_news_unless_slow_or_failed(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor = make_floor()
    caplog.set_level(logging.DEBUG, "potline.request")
    path = "/api/v1/tables/harbour/CS-01/events"
    terminal = Client(headers={"Authorization": f"Bearer {floor.tokens['CS-01']}"})

    def beat() -> None:
        body = {"envelope": {"clock": "c", "sent_at": timezone.now().isoformat()}}
        terminal.post(path, body, content_type="application/json")

    beat()
    assert request_lines(caplog) == [("debug", path, 200)]
    terminal.post(path, {}, content_type="application/json")
    assert request_lines(caplog) == [("info", path, 422)]
    sefa = Client()
    sefa.force_login(floor.people["sefa"], "django.contrib.auth.backends.ModelBackend")
    sefa.get("/floor/", headers={"HX-Request": "true"})
    assert request_lines(caplog) == [("debug", "/floor/", 200)]
    sefa.get("/floor/")
    sefa.post("/floor/harbour/tables/CS-01/open", headers={"HX-Request": "true"})
    assert [level for level, _, _ in request_lines(caplog)] == ["info", "info"]
    monkeypatch.setattr("config.kit.http.middleware.SLOW_MS", 0)
    beat()
    assert request_lines(caplog) == [("info", path, 200)]


def test_sane_ids_are_kept_and_others_replaced() -> None:
    assert (
        Client().get("/healthz", headers={"X-Request-ID": "till-7.0042"}).headers["X-Request-ID"]
        == "till-7.0042"
    )
    bad = Client().get("/healthz", headers={"X-Request-ID": "x\"y' \t;"}).headers["X-Request-ID"]
    assert re.fullmatch(r"[0-9a-f]{32}", bad)


def test_log_line_is_json_with_the_request_id_and_no_locals() -> None:
    config = logs.configure(json=True, level="INFO")
    formatter_config = dict(config["formatters"]["potline"])
    formatter = formatter_config.pop("()")(**formatter_config)
    structlog.contextvars.bind_contextvars(request_id="till-7.0042")
    try:
        password = "hunter2-hunter2"
        try:
            _ = password.index("z" * 3)
        except ValueError:
            import sys

            record = logging.LogRecord(
                "potline", logging.ERROR, __file__, 1, "it %s", ("broke",), sys.exc_info()
            )
        line = formatter.format(record)
    finally:
        structlog.contextvars.clear_contextvars()
        logs.configure(json=False, level="INFO")
    entry = json.loads(line)
    assert (entry["event"], entry["request_id"], entry["level"]) == ("it broke", "till-7.0042", "error")
    assert "ValueError" in line
    assert "hunter2" not in line


@pytest.mark.django_db
def test_schema_and_docs_are_served_from_here() -> None:
    schema = Client().get("/api/schema", headers={"Accept": "application/vnd.oai.openapi+json"})
    assert schema.status_code == 200
    assert schema.headers["Content-Type"].startswith("application/vnd.oai.openapi")
    docs = Client().get("/api/docs/").content.decode()
    sources = re.findall(r'(?:src|href)="([^"]+)"', docs)
    assert len(sources) >= 4
    assert all(source.startswith("/") and not source.startswith("//") for source in sources)


def test_health_needs_no_database() -> None:
    assert Client().get("/healthz").content == b"ok\n"
    assert Client().post("/healthz").status_code == 405
