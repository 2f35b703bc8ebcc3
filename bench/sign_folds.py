"""Folds a progressive and sends its frame again and again, as a worker does, and tells of each when it began and how
long it took: for bench_signs, which lets signs connect meanwhile. It ends with its standard input."""

from __future__ import annotations

import os
import sys
import threading
import time

PAUSE_S = 0.02


def main(progressive_id: int) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from jackpots.tasks import fold_progressive

    over = threading.Event()

    def wait_for_the_end() -> None:
        sys.stdin.read()
        over.set()

    threading.Thread(target=wait_for_the_end, daemon=True).start()
    while not over.wait(PAUSE_S):
        began_s = time.monotonic()
        fold_progressive(progressive_id)
        print(began_s, time.monotonic() - began_s, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
