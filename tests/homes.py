"""Where the servers of a test run keep their files: in memory if there is room, and gone afterwards, even if killed."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

PREFIX = "potline-tests-"
MEMORY = Path("/dev/shm")
ROOM_BYTES = 4 * 2**30  # a run of two processes fills half a gigabyte
LOCK = "in-use"


def base_folder() -> Path:
    """Memory, because hundreds of small databases are made and dropped. Soak runs are too large for it."""
    own = "TMPDIR" in os.environ or os.environ.get("POTLINE_SOAK") == "1"
    if own or not os.access(MEMORY, os.W_OK | os.X_OK):
        return Path(tempfile.gettempdir())
    room = min(shutil.disk_usage(MEMORY).free, psutil.virtual_memory().available)
    return MEMORY if room > ROOM_BYTES else Path(tempfile.gettempdir())


@contextmanager
def throw_away_home(base: Path | None = None) -> Iterator[Path]:
    base = base or base_folder()
    _remove_left_behind(base)
    home = Path(tempfile.mkdtemp(prefix=PREFIX, dir=base))
    home.chmod(0o711)  # PostgreSQL runs as another user when the tests run as root
    with (home / f"{LOCK}.new").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        (home / f"{LOCK}.new").rename(home / LOCK)  # by this name only once it is held
        try:
            yield home
        finally:
            shutil.rmtree(home, ignore_errors=True)


def _remove_left_behind(base: Path) -> None:
    """Folders of runs that were killed. A process that lives holds its lock, whichever container it is in."""
    for lock_file in base.glob(f"{PREFIX}*/{LOCK}"):
        with suppress(OSError), lock_file.open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(lock_file.parent, ignore_errors=True)
