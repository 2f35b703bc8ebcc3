"""WebSocket routes of the tables room; config.asgi gathers them."""

from django.urls import path

from tables.line import Line

websocket_urlpatterns = [path("ws/tables/<slug:premises>/<str:table>/", Line.as_asgi())]
