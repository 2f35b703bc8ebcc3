"""What a terminal over REST and one over the line have in common: whose it is, what a restart must not lose, by which
key it signs, and who looks on."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from simulator.terminal.core import Observer, Terminal
from simulator.terminal.signing import Signer
from simulator.terminal.state import StateFile


class Wired:
    """One table. `terminal` is the core, with its clock, number and lease. With a `key` it signs what it sends."""

    def __init__(
        self,
        name: str,
        terminal: Terminal | None,
        state: StateFile | None,
        key: str | None,
        observe: Observer | None,
    ) -> None:
        self.name, self.state, self.observe = name, state, observe
        self.terminal = terminal or (state.load() if state is not None else Terminal())
        self._signer = None if key is None else Signer(key)

    def _observed(self, what: str, document: dict[str, Any]) -> None:
        if self.observe is not None:
            self.observe(self.name, datetime.now(UTC), what, document)

    def _save(self) -> None:
        if self.state is not None:
            self.state.save(self.terminal)
