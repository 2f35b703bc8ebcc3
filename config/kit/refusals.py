"""The one way in which a verb says no: a code for programs, a sentence for people, and whether to try again.

Pages show it beside their form (config.kit.forms), the REST API answers with it (config.kit.rest). Who may not do
something at all is told by Django's PermissionDenied (people.access).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules import RuleError

FORM = "form"
"""The code of whatever is wrong with the form of what was given: the faults say where."""
WRONG = 422
"""What was given is wrong in itself: mend it."""
NOT_NOW = 409
"""It is not possible as things stand: look at the code, and at `retry`."""


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with what was given: where, why, and by which rule of a rulebook, if by one."""

    field: str
    message: str
    rule: str | None = None

    def as_json(self) -> dict[str, str | None]:
        return {"field": self.field, "rule": self.rule, "message": self.message}


class Refused(Exception):
    """Final unless `retry`: then the same may be accepted later as it is. Nothing was changed.

    `status` is HTTP's word for it: WRONG or NOT_NOW, or what says more (404, 429); where the fault is ours, 500.
    """

    def __init__(
        self,
        code: str,
        sentence: str,
        *,
        status: int = WRONG,
        retry: bool = False,
        faults: Iterable[Fault] = (),
    ) -> None:
        super().__init__(sentence)
        self.code, self.sentence, self.status, self.retry = code, sentence, status, retry
        self.faults = tuple(faults)


class ConfirmFirst(Refused):
    """It is the person's to do, and they have not shown for a while that it is them: a page leads to where they do."""

    def __init__(self, sentence: str) -> None:
        super().__init__("confirm_first", sentence, status=403)


def wrong(field: str, sentence: str) -> Refused:
    """One field of what was given is wrong; a page shows it beside that field."""
    return Refused(FORM, sentence, faults=[Fault(field, sentence)])


def wrong_at(field: str, message: str) -> Refused:
    """The same inside of a document, which has no page's field to stand beside: the sentence says where, too."""
    return Refused(FORM, f"{field}: {message}", faults=[Fault(field, message)])


def by_rule(faults: Iterable[RuleError]) -> Refused:
    """Refused by the rules core, all that it found at once."""
    found = tuple(faults)
    return Refused(
        "rule",
        "; ".join(str(fault) for fault in found),
        faults=[Fault(fault.field, fault.message, fault.rule) for fault in found],
    )
