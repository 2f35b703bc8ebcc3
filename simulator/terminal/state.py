"""Where a terminal keeps what a restart must not lose: one file of JSON, replaced as a whole."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from simulator.terminal.core import Terminal


class StateFile:
    """`load` once at the start; `save` is called by the lines before each request and after each answer."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self._saved = ""

    def load(self, **more: Any) -> Terminal:
        """The terminal as it was, or a new one where there is no file yet."""
        try:
            text = self.path.read_text()
        except FileNotFoundError:
            return Terminal(**more)
        return Terminal.from_json(json.loads(text), **more)

    def save(self, terminal: Terminal) -> None:
        """On the disk before anything is sent, so that no number is ever used for two events. Beats change nothing."""
        self.write(json.dumps(terminal.as_json()))

    def write(self, text: str) -> None:
        if text == self._saved:
            return
        beside = self.path.with_suffix(self.path.suffix + ".new")
        with beside.open("w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(self.path)
        self._saved = text
