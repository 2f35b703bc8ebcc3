"""Programs where another user reaches them: a copy, made once, of what lies in a folder that is closed to others.

Root needs it for PostgreSQL, which refuses to run as root, where the clone lies in /root or was made with a umask of
077. The data stays where it is: only what everybody may read anyway is copied.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

PLACES = (Path("/var/cache/potline"), Path("/var/lib/potline"))
"""Where copies are kept, of which root alone may write; where none will do, a folder of this run's own."""
NEEDLESS = (".a", ".h", ".pc")


class Nowhere(Exception):
    """Why no place will do."""


@cache
def by(uid: int, gid: int, root: Path, parts: tuple[str, ...], program: str) -> Path:
    """The folder in which this user reaches the parts: `root`, or that of a copy. `program`, one of the files, tells
    by its --version whether it runs there."""
    if _is_open(root, parts):
        return root
    files = list(_files(root, parts))
    state = _state_of(root, files)
    found = "no folder is left to try"
    makers: list[Callable[[Path, list[Path], str], Path]] = [*map(_Kept, PLACES), _of_this_run]
    for make in makers:
        try:
            there = make(root, files, state)
            told = subprocess.run(
                [str(there / program), "--version"],
                cwd="/", user=uid, group=gid, extra_groups=[], capture_output=True, text=True, check=False,
            )  # fmt: skip
        except OSError as error:
            found = f"{error.filename}: {error.strerror}"
            continue
        if told.returncode == 0:
            return there
        found = f"{there / program} does not run ({told.stderr.strip()})"
    raise Nowhere(found)


def _is_open(root: Path, parts: Iterable[str]) -> bool:
    """Whether everybody may enter all folders and read all files."""
    top = root.resolve()
    if not all(folder.stat().st_mode & stat.S_IXOTH for folder in (top, *top.parents)):
        return False
    folders = [folder for part in parts for folder in (root / part).parents if folder.is_relative_to(root)]
    inside = [path for part in parts for path in ((root / part), *(root / part).rglob("*"))]
    return all(
        path.stat().st_mode & stat.S_IROTH and (not path.is_dir() or path.stat().st_mode & stat.S_IXOTH)
        for path in (*folders, *inside)
    )


def _files(root: Path, parts: Iterable[str]) -> Iterator[Path]:
    for part in parts:
        for path in sorted((root / part).rglob("*")):
            if path.is_file() and path.suffix not in NEEDLESS:
                yield path


def _state_of(root: Path, files: Iterable[Path]) -> str:
    state = hashlib.sha256()
    for path in files:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        state.update(f"{path.relative_to(root)} {os.access(path, os.X_OK)} {digest}\n".encode())
    return state.hexdigest()[:24]


class _Kept:
    """Makes or finds a copy by its content in a place that nobody but us can write."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def __call__(self, root: Path, files: list[Path], state: str) -> Path:
        self.place.mkdir(exist_ok=True)
        mine = self.place.lstat()
        if not stat.S_ISDIR(mine.st_mode) or mine.st_uid != os.geteuid() or mine.st_mode & 0o022:
            raise OSError(0, "it is not ours alone", str(self.place))
        self.place.chmod(0o755)
        there = self.place / f"postgresql-{state}"
        if there.exists():
            return there
        fresh = Path(tempfile.mkdtemp(prefix="new-", dir=self.place))
        try:
            _copy(root, files, fresh)
            fresh.rename(there)
        except OSError:
            shutil.rmtree(fresh, ignore_errors=True)
            if not there.exists():  # another process was as quick
                raise
        return there


def _of_this_run(root: Path, files: list[Path], state: str) -> Path:
    there = Path(tempfile.mkdtemp(prefix="potline-postgresql-"))
    atexit.register(shutil.rmtree, there, ignore_errors=True)
    _copy(root, files, there)
    return there


def _copy(root: Path, files: Iterable[Path], target: Path) -> None:
    """For everybody to read, whatever our umask and theirs: no link is kept as one."""
    target.chmod(0o755)
    for path in files:
        name = path.relative_to(root)
        for folder in reversed((target / name).relative_to(target).parents[:-1]):
            (target / folder).mkdir(exist_ok=True)
            (target / folder).chmod(0o755)
        shutil.copyfile(path, target / name)
        (target / name).chmod(0o755 if os.access(path, os.X_OK) else 0o644)
