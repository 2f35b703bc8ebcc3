"""The API's document over HTTP: half a second's work and the same for whoever asks, so it is made once a process."""

from __future__ import annotations

from threading import Lock

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request


class DocumentView(SpectacularAPIView):
    """As YAML or JSON. In English and of this version, whatever the address asks for."""

    made: dict[str, str | bytes] = {}
    lock = Lock()

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        renderer = request.accepted_renderer
        with self.lock:
            if renderer.media_type not in self.made:
                document = self.generator_class().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
                self.made[renderer.media_type] = renderer.render(document)
        answer = HttpResponse(self.made[renderer.media_type], renderer.media_type)
        if renderer.charset:
            answer["Content-Type"] += f"; charset={renderer.charset}"
        answer["Content-Disposition"] = f'inline; filename="Potline.{renderer.format}"'
        return answer
