from django.apps import AppConfig


class PeopleConfig(AppConfig):
    name = "people"

    def ready(self) -> None:
        # Registration by import: nothing below runs a query.
        from people import registrations  # noqa: F401
