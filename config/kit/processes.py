"""A child that does not outlive its parent, whichever way the parent ends; and a server that has loaded everything."""

from __future__ import annotations

import ctypes
import gc
import os
import sys
from collections.abc import Callable

PR_SET_PDEATHSIG = 1


def die_with_parent(signum: int, parent_pid: int | None = None) -> Callable[[], None]:
    """For Popen's preexec_fn: the kernel sends `signum` to the child when its parent is gone, however it went.

    Called in the parent; a child that arms itself says who its parent was.
    """
    libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
    parent = os.getpid() if parent_pid is None else parent_pid

    def arm() -> None:
        if libc is not None:
            libc.prctl(PR_SET_PDEATHSIG, signum)
            if os.getppid() != parent:  # it went before we asked
                os.kill(os.getpid(), signum)

    return arm


def all_is_loaded() -> None:
    """What a server has loaded by now stays until it ends: Python's collector need not go through it again and again,
    which takes a tenth of a second each time, in the middle of somebody's request. Nor through the rounds of a request
    every few hundred objects: of a large one that was a quarter of its time. What loading has left behind stays too:
    it is little, and to look for it would take a tenth of the whole start."""
    gc.freeze()
    gc.set_threshold(MADE_BEFORE_A_LOOK, *gc.get_threshold()[1:])


MADE_BEFORE_A_LOOK = 25_000
"""Objects that the collector lets be made before it looks whether some of them hold each other; Python says 700."""
