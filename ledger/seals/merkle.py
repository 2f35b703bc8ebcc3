"""Merkle trees as in RFC 6962: leaf = SHA-256(0x00 ‖ line), node = SHA-256(0x01 ‖ left ‖ right). Pure functions.

docs/verify.py holds the same few lines again, so that an export can be checked without this program.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

HASH_BYTES = 32


def leaf(line: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + line).digest()


def root(leaves: Sequence[bytes]) -> bytes:
    """The root over at least one leaf. A node without a partner moves up as it is, which gives RFC 6962's tree."""
    if not leaves:
        raise ValueError("A tree needs a leaf.")
    level = list(leaves)
    while len(level) > 1:
        paired = [
            hashlib.sha256(b"\x01" + level[i] + level[i + 1]).digest() for i in range(0, len(level) - 1, 2)
        ]
        if len(level) % 2:
            paired.append(level[-1])
        level = paired
    return level[0]


def path(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """The hashes beside the way from a leaf to the root, from below: with these the leaf alone gives the root."""
    found, level = [], list(leaves)
    while len(level) > 1:
        beside = index ^ 1
        if beside < len(level):
            found.append(level[beside])
        level = [root(level[i : i + 2]) for i in range(0, len(level), 2)]
        index //= 2
    return found
