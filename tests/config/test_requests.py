"""Each answer carries a request id and a strict content policy; log lines are JSON with the id."""

import json
import logging
import re

import pytest
import structlog
from django.test import Client

from config import logs
from config.middleware import CONTENT_SECURITY_POLICY
from people.models import Premises, Role, RoleGrant, User


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
    auditor = User.objects.create_user("nul", name="Nul", password=None)
    premises = Premises.objects.create(
        code="harbour", name="Harbour", time_zone="UTC", rollover_hour=6, currency="NZD"
    )
    RoleGrant.objects.create(user=auditor, premises=premises, role=Role.AUDITOR)
    client = Client()
    client.force_login(auditor, "django.contrib.auth.backends.ModelBackend")
    assert client.get("/audit/?q=x").status_code == 200
    answer = client.get("/audit/?q=%00")
    assert (answer.status_code, b"NUL" in answer.content) == (400, True)


def test_sane_ids_are_kept_and_others_replaced() -> None:
    assert (
        Client().get("/healthz", headers={"X-Request-ID": "till-7.0042"}).headers["X-Request-ID"]
        == "till-7.0042"
    )
    bad = Client().get("/healthz", headers={"X-Request-ID": "x\"y' \t;"}).headers["X-Request-ID"]
    assert re.fullmatch(r"[0-9a-f]{32}", bad)


def test_log_line_is_json_with_the_request_id_and_no_locals() -> None:
    config = logs.configure(json=True, level="INFO")
    formatter_config = dict(config["formatters"]["house"])
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
