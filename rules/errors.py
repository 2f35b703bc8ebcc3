"""The one error of the rules core. Whoever reads it learns which field is wrong, by which rule, and what to do."""

from __future__ import annotations


class RuleError(ValueError):
    """Input that the rulebook does not allow. Final: sending the same again gives the same answer."""

    def __init__(self, message: str, *, field: str, rule: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.field = field
        """Where in the round the fault lies, as a path: `wagers[2].stake`, `dealt.seats.3`."""
        self.rule = rule
        """The rule that refuses it, as `nz-1996 VIII 4.4`; None where it is a matter of form, not of a rulebook."""

    def __str__(self) -> str:
        return f"{self.field}: {self.message}" + (f" ({self.rule})" if self.rule else "")

    def as_json(self) -> dict[str, str | None]:
        return {"field": self.field, "message": self.message, "rule": self.rule}
