"""Keeps Potline running: a part that ends is started again, after a pause that grows while it keeps ending.

Only a person ends Potline, or a part that can never start: one that says so by its exit code, or one that ended
several times before Potline was fit to work for the first time. What the parts are is config.local.run's business.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import IO, Protocol

import psutil

from config.kit.demo import EX_CONFIG
from config.kit.processes import die_with_parent
from config.local.servers import EmbeddedError

PAUSE_FIRST_S, PAUSE_MAX_S = 0.5, 10.0
STEADY_S = 30.0
"""A part that has run for so long was well: its next end is a first one again."""
TRIES_TO_START = 4
STOP_TIMEOUT_S = 20


def say(text: str) -> None:
    with suppress(OSError):  # the window may be gone; Potline must still be closed in order
        print(text, flush=True)


class Kept(Protocol):
    """What can be kept running: a part of the Procfile, or a server."""

    name: str

    def begin(self) -> None: ...
    def runs(self) -> bool: ...
    @property
    def returncode(self) -> int | None: ...


class ProcfilePart:
    """One process of the Procfile; its lines come out under its name and the time."""

    def __init__(self, name: str, command: str, folder: Path, own: Mapping[str, str | None]) -> None:
        """`own`: variables beside those of this process; None takes one away."""
        self.name, self.command, self.folder, self.own = name, command, folder, own
        self._process: subprocess.Popen[str] | None = None

    def begin(self) -> None:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
        variables = os.environ | {"PATH": path, "PYTHONUNBUFFERED": "1", **self.own}
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", self.command],
            cwd=self.folder,
            env={name: value for name, value in variables.items() if value is not None},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,  # Ctrl-C comes to Potline alone, which tells each part in its turn
            preexec_fn=die_with_parent(signal.SIGTERM),
        )
        if self._process.stdout is not None:
            threading.Thread(target=self._relay, args=[self._process.stdout], daemon=True).start()

    def _relay(self, lines: IO[str]) -> None:
        with lines:
            for line in lines:
                say(f"{time.strftime('%H:%M:%S')} {self.name:<6} | {line.rstrip()}")

    def runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def returncode(self) -> int | None:
        return None if self._process is None else self._process.returncode

    def family(self) -> list[psutil.Process]:
        """The process and all below it, while it runs."""
        with suppress(psutil.NoSuchProcess):
            if self._process is not None and self.runs():
                parent = psutil.Process(self._process.pid)
                return [parent, *parent.children(recursive=True)]
        return []


def parts_of(procfile: Path, own: Mapping[str, Mapping[str, str | None]]) -> list[ProcfilePart]:
    """`own`: by the name of a part, variables that only it is given."""
    lines = [line.partition(":") for line in procfile.read_text().splitlines() if ":" in line]
    return [
        ProcfilePart(name.strip(), command.strip(), procfile.parent, own.get(name.strip(), {}))
        for name, _, command in lines
    ]


class _Watch:
    """What the supervisor remembers of one kept process."""

    def __init__(self, kept: Kept) -> None:
        self.kept = kept
        self.began = time.monotonic()
        self.ends = 0  # in a row
        self.due: float | None = None  # when it is started again; None while it runs

    def note_end(self) -> float:
        """Counts it; the pause before the next start."""
        self.ends = 1 if time.monotonic() - self.began > STEADY_S else self.ends + 1
        pause_s = min(PAUSE_MAX_S, PAUSE_FIRST_S * (1 << min(self.ends - 1, 10)))
        self.due = time.monotonic() + pause_s
        return pause_s

    def begin(self) -> None:
        self.began, self.due = time.monotonic(), None
        try:
            self.kept.begin()
        except (EmbeddedError, OSError) as error:
            say(f"{self.kept.name} could not be started: {error}")


class Supervisor:
    """`servers` run already, and whoever started them stops them; the parts are started and stopped here."""

    def __init__(self, parts: list[ProcfilePart], servers: Iterable[Kept], up: threading.Event) -> None:
        self.parts, self.up = parts, up
        self.watches = [_Watch(kept) for kept in [*servers, *parts]]
        self.asked = False
        self.failed = False

    def run(self) -> int:
        for signum in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(signum, self._ask)
        for part in self.parts:
            part.begin()
        while not (self.asked or self.failed):
            for watch in self.watches:
                self._look(watch)
            time.sleep(0.2)
        say("\nClosing ...")
        self._stop()
        return 0 if self.asked else 1

    def _ask(self, signum: int, frame: FrameType | None) -> None:
        self.asked = True

    def _look(self, watch: _Watch) -> None:
        if watch.due is not None:
            if time.monotonic() >= watch.due:
                watch.begin()
        elif not watch.kept.runs():
            self._ended(watch)

    def _ended(self, watch: _Watch) -> None:
        name, code = watch.kept.name, watch.kept.returncode
        how = "" if code is None else f" by signal {-code}" if code < 0 else f" with code {code}"
        pause_s = watch.note_end()
        if code == EX_CONFIG:
            self._give_up(f"{name} cannot run here; it says above why.")
        elif watch.ends >= TRIES_TO_START and not self.up.is_set():
            self._give_up(f"{name} has ended {watch.ends} times{how} before Potline was up; see above.")
        else:
            say(f"{name} has ended{how}. It is started again in {pause_s:g} s; Potline runs on.")

    def _give_up(self, why: str) -> None:
        self.failed = True
        say(why)

    def _stop(self) -> None:
        """Asks every part to end, then ends what is left of them."""
        families = [process for part in self.parts for process in part.family()]
        for part in self.parts:
            for process in part.family()[:1]:
                with suppress(psutil.NoSuchProcess):
                    process.terminate()
        _, alive = psutil.wait_procs(families, timeout=STOP_TIMEOUT_S)
        for process in alive:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(alive, timeout=5)
