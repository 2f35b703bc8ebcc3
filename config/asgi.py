"""The ASGI application that uvicorn serves: HTTP by Django; WebSocket routes are added by the apps."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_asgi_application()
