"""Why a terminal's message is refused, in the shape in which the API answers."""

from __future__ import annotations

from typing import Any

from rules import RuleError


class Refused(Exception):
    """`code` for programs, `text` for people. `retry`: the same message may be accepted later as it is."""

    def __init__(
        self,
        code: str,
        text: str,
        *,
        status: int = 422,
        retry: bool = False,
        faults: tuple[RuleError, ...] = (),
    ) -> None:
        super().__init__(text)
        self.code, self.text, self.status, self.retry, self.faults = code, text, status, retry, faults

    def as_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {"code": self.code, "message": self.text, "retry": self.retry}
        if self.faults:
            out["faults"] = [fault.as_json() for fault in self.faults]
        return out


def by_rule(faults: tuple[RuleError, ...]) -> Refused:
    return Refused("rule", "; ".join(str(fault) for fault in faults), faults=faults)
