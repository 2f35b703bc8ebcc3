"""WebSocket routes of the tables room; config.asgi gathers them."""

from django.urls import path

from tables.door.line import TerminalLine

websocket_urlpatterns = [path("ws/tables/<slug:premises>/<str:table>/", TerminalLine.as_asgi())]
