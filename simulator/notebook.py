"""What a simulated table must not forget over a restart: its terminal, and the round it was telling.

Both are in one file and written together, before anything is sent: a step is either told and ticked off, or neither.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from simulator.terminal import StateFile, Terminal


@dataclass
class Page:
    """A round as it is being told, and what lies on the layout."""

    round: str = ""
    steps: list[list[Any]] = field(default_factory=list)
    done: int = 0
    carried: dict[str, Any] = field(default_factory=dict)
    """What this round leaves."""
    before: dict[str, Any] = field(default_factory=dict)
    """What the round before it left: where this one is not taken, it counts."""

    @property
    def told(self) -> bool:
        return self.done == len(self.steps)


class Notebook(StateFile):
    """A terminal's state with the table's page. Without a path nothing outlives the process."""

    def __init__(self, path: Path | None) -> None:
        super().__init__(path or Path())
        self.kept = path is not None
        self.page = Page()

    def load(self, **more: Any) -> Terminal:
        try:
            document = json.loads(self.path.read_text()) if self.kept else None
        except (FileNotFoundError, ValueError):
            document = None
        if document is None:
            return Terminal(**more)
        self.page = Page(**document["page"])
        return Terminal.from_json(document["terminal"], **more)

    def save(self, terminal: Terminal) -> None:
        if self.kept:
            self.write(json.dumps({"terminal": terminal.as_json(), "page": asdict(self.page)}))

    def forget(self) -> None:
        """Potline knows nothing of it, or another terminal runs the table."""
        self.page = Page()
        self._saved = ""
        if self.kept:
            self.path.unlink(missing_ok=True)
