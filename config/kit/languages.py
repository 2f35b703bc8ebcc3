"""Which languages the pages have, and in which one a request is answered.

English is in the code; another language exists as soon as its catalogue is compiled (CONTRIBUTING.md, "Another
language"). Only pages are translated: the API, what is stored and what is exported say the same to everybody.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.conf import settings
from django.conf.locale import LANG_INFO
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.decorators import sync_and_async_middleware

ENGLISH = "en"
NOT_PAGES = ("/api/", "/static/", "/healthz", "/readyz", "/metrics", "/signs/")
"""Signs speak the languages of their own premises (sign-words.js)."""


def found_in(folder: Path) -> list[tuple[str, str]]:
    """English, and each language with a compiled catalogue there, by its own name."""
    compiled = sorted(path.parts[-3] for path in folder.glob("*/LC_MESSAGES/django.mo"))
    codes = [translation.to_language(name) for name in compiled]
    names = {code: LANG_INFO.get(code, {}).get("name_local", code) for code in codes if code != ENGLISH}
    return [(ENGLISH, "English"), *names.items()]


def of(request: HttpRequest) -> str:
    """What the browser asks for, among the languages there are. A person's own choice comes later (`speak`)."""
    if request.path.startswith(NOT_PAGES):
        return ENGLISH
    return translation.get_language_from_request(request)


def speak(request: HttpRequest, wish: str) -> None:
    """From here on in the language that the person has chosen, if it is still there. What was asked for by
    the browser comes back with the next request."""
    if wish in dict(settings.LANGUAGES) and not request.path.startswith(NOT_PAGES):
        translation.activate(wish)


@sync_and_async_middleware
def language_middleware(get_response: Any) -> Any:
    """Answers in the language of the person. With English alone there is nothing to choose, and it costs nothing."""
    if len(settings.LANGUAGES) == 1:
        raise MiddlewareNotUsed
    if iscoroutinefunction(get_response):

        async def spoken(request: HttpRequest) -> HttpResponseBase:
            with translation.override(of(request)):
                answer: HttpResponseBase = await get_response(request)
                return answer

        return spoken

    def spoken_sync(request: HttpRequest) -> HttpResponseBase:
        with translation.override(of(request)):
            answer: HttpResponseBase = get_response(request)
            return answer

    return spoken_sync
