from django.apps import AppConfig


class LedgerConfig(AppConfig):
    name = "ledger"

    def ready(self) -> None:
        # Registration by import: nothing below runs a query.
        from ledger import registrations  # noqa: F401
