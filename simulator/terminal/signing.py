"""How a terminal signs what it sends: HMAC-SHA256 by the key that was told with its token and is never sent."""

from __future__ import annotations

import hmac
import threading
import time

HEADER = "Potline-Signature"
FIRST_JUMP = 3_600_000_000


class Signer:
    """Numbers grow over restarts without a file: they are microseconds of the day's clock. Where that was set back, and
    Potline says `signature_used`, they jump ahead."""

    def __init__(self, key: str) -> None:
        self._key = key.encode()
        self._last = self._ahead = 0
        self._lock = threading.Lock()

    def sign(self, method: str, path: str, body: bytes) -> str:
        """`<number> <hex>`, over method, path, number and body."""
        with self._lock:
            self._last = max(self._last + 1, time.time_ns() // 1_000 + self._ahead)
            number = self._last
        message = f"{method}\n{path}\n{number}\n".encode() + body
        return f"{number} {hmac.new(self._key, message, 'sha256').hexdigest()}"

    def jump(self) -> None:
        with self._lock:
            self._ahead = max(FIRST_JUMP, self._ahead * 4)
