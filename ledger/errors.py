"""What can be wrong with a posting or a close. Final errors stay wrong when sent again; retryable ones need not."""

from __future__ import annotations


class LedgerError(Exception):
    """The text says what is wrong and what to do."""


class InvalidEntry(LedgerError):
    """Final: the entry breaks a rule of the books."""


class KeyReused(LedgerError):
    """Final: the idempotency key stands for an entry with other content."""


class DayClosed(LedgerError):
    """Retryable: the gaming day was closed meanwhile; in a new transaction the entry goes to the next day."""


class DuesRefused(LedgerError):
    """What is owed between premises cannot be cleared like this; the text says why. `code` is for programs."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class CloseRefused(LedgerError):
    """The day cannot take this step; the text says what stands in the way and where."""
