"""Django with nothing in it: one address that answers an empty 200, under the same web server as Potline. What any
Django program pays for a request, as a yardstick for bench_floor."""

from __future__ import annotations

from django.conf import settings
from django.core.asgi import get_asgi_application
from django.http import HttpRequest, HttpResponse
from django.urls import path

if not settings.configured:
    settings.configure(
        ROOT_URLCONF=__name__,
        ALLOWED_HOSTS=["*"],
        SECRET_KEY="bench",
        DEBUG=False,
        MIDDLEWARE=[],
        DATABASES={},
    )


def empty(request: HttpRequest) -> HttpResponse:
    return HttpResponse()


urlpatterns = [path("", empty)]
application = get_asgi_application()
