"""WebSocket routes of the jackpots room; config.asgi gathers them."""

from django.urls import path

from jackpots.signs.consumer import SignConsumer

websocket_urlpatterns = [path("ws/signs/<str:token>/", SignConsumer.as_asgi())]
