"""A person's client over HTTP, with cookies, of the standard library alone."""

from __future__ import annotations

import json
from dataclasses import dataclass
from http.client import HTTPException
from http.cookiejar import CookieJar
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, ProxyHandler, Request, build_opener

TIMEOUT_S = 30
CUT = (OSError, HTTPException)
"""What a cut connection raises."""


@dataclass(frozen=True)
class HttpAnswer:
    status: int
    content: bytes

    def json(self) -> Any:
        return json.loads(self.content)

    @property
    def text(self) -> str:
        return self.content.decode(errors="replace")


class Session:
    """Keeps cookies, follows redirects, and answers with every status."""

    def __init__(self, url: str, **headers: str) -> None:
        self.url, self.headers = url.rstrip("/"), headers
        self.cookies = CookieJar()
        # No proxy: Potline is near, whatever the environment says about the world.
        self._opener = build_opener(ProxyHandler({}), HTTPCookieProcessor(self.cookies))

    def cookie(self, name: str) -> str | None:
        return next((cookie.value for cookie in self.cookies if cookie.name == name), None)

    def get(self, path: str) -> HttpAnswer:
        return self._ask(Request(self.url + path, headers=self.headers))

    def post(self, path: str, body: dict[str, Any]) -> HttpAnswer:
        return self._post(path, json.dumps(body).encode(), "application/json")

    def post_form(self, path: str, form: dict[str, str]) -> HttpAnswer:
        return self._post(path, urlencode(form).encode(), "application/x-www-form-urlencoded")

    def _post(self, path: str, data: bytes, content_type: str) -> HttpAnswer:
        headers = {"Content-Type": content_type, "Referer": self.url, **self.headers}
        token = self.cookie("csrftoken")
        if token is not None:
            headers["X-CSRFToken"] = token
        return self._ask(Request(self.url + path, data=data, headers=headers))

    def _ask(self, request: Request) -> HttpAnswer:
        try:
            with self._opener.open(request, timeout=TIMEOUT_S) as answer:
                return HttpAnswer(answer.status, answer.read())
        except HTTPError as error:
            with error:
                return HttpAnswer(error.code, error.read())
