from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "tables"

    def ready(self) -> None:
        # Registration by import: nothing below runs a query.
        from tables import registrations  # noqa: F401
