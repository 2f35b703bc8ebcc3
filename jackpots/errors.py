"""Why the jackpots room refuses something. Final errors: the same request again gets the same answer."""

from __future__ import annotations


class JackpotRefused(Exception):
    """`code` is for programs, the text for people: what is wrong and what to do."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
