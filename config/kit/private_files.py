"""Files for Potline's own user alone: nobody else on the machine reads them, whatever the umask."""

from __future__ import annotations

import os
from pathlib import Path

FOLDER, FILE = 0o700, 0o600


def own_folder(path: Path) -> Path:
    """There, and closed to others, also where an earlier release has left it open."""
    path.mkdir(parents=True, exist_ok=True, mode=FOLDER)
    there = path.stat()
    if there.st_mode & 0o077 and os.geteuid() in (
        0,
        there.st_uid,
    ):  # of a folder of somebody else only our files are ours
        path.chmod(FOLDER)
    return path


def opener(path: str, flags: int) -> int:
    """For `open`: a new file is its owner's alone."""
    return os.open(path, flags, FILE)
