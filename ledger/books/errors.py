"""What can be wrong with a posting, where callers tell it apart; everything else that is refused is a plain Refused."""

from __future__ import annotations

from config.kit.refusals import NOT_NOW, Refused


class InvalidEntry(Refused):
    """Final: the entry breaks a rule of the books. People make no entries, programs do: the fault is ours."""

    def __init__(self, sentence: str) -> None:
        super().__init__("invalid_entry", sentence, status=500)


class KeyReused(Refused):
    """Final: the idempotency key stands for an entry with other content."""

    def __init__(self, sentence: str) -> None:
        super().__init__("key_reused", sentence, status=NOT_NOW)


class DayClosed(Refused):
    """Retryable: the gaming day was closed meanwhile; in a new transaction the entry goes to the next day."""

    def __init__(self, sentence: str) -> None:
        super().__init__("day_closed", sentence, status=NOT_NOW, retry=True)
