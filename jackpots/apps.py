from django.apps import AppConfig


class JackpotsConfig(AppConfig):
    name = "jackpots"

    def ready(self) -> None:
        # Registration by import: nothing below runs a query.
        from jackpots import registrations  # noqa: F401
