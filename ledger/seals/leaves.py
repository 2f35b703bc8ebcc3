"""The leaves of a seal and their roots, and how they are packed: a few bytes a row. Pure functions.

The tree has two floors: the rows of each class in the order of stamp and id, and over them one leaf a class, in the
order of names, that says its name, its count and its root.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ledger.seals import merkle

MARK_BYTES = 4
"""Of each leaf; it locates and does not prove, so one in four thousand million may look alike."""


@dataclass(frozen=True, slots=True)
class ClassRoot:
    name: str
    count: int
    root: bytes

    @property
    def leaf(self) -> bytes:
        return merkle.leaf(f"{self.name} {self.count} {self.root.hex()}".encode("ascii"))


def class_root(name: str, leaves: list[bytes]) -> ClassRoot:
    return ClassRoot(name, len(leaves), merkle.root(leaves))


def root_of(roots: Iterable[ClassRoot]) -> bytes:
    """Over the classes in the order of their names."""
    return merkle.root([one.leaf for one in sorted(roots, key=lambda one: one.name)])


def pack_roots(roots: Iterable[ClassRoot]) -> bytes:
    packed = bytearray()
    for one in sorted(roots, key=lambda one: one.name):
        name = one.name.encode("ascii")
        packed += bytes([len(name)]) + name + one.count.to_bytes(4, "big") + one.root
    return bytes(packed)


def unpack_roots(packed: bytes) -> list[ClassRoot]:
    found, at = [], 0
    while at < len(packed):
        start = at + 1
        end = start + packed[at]
        found.append(
            ClassRoot(
                packed[start:end].decode("ascii"),
                int.from_bytes(packed[end : end + 4], "big"),
                packed[end + 4 : end + 36],
            )
        )
        at = end + 36
    return found


def pack_marks(leaves: Iterable[tuple[int, bytes]]) -> bytes:
    """For each leaf its id, as the difference to the one before, and the first bytes of its hash."""
    packed, last = bytearray(), 0
    for row_id, leaf in leaves:
        step = row_id - last
        value = step << 1 if step >= 0 else (-step << 1) - 1
        while value > 0x7F:
            packed.append(value & 0x7F | 0x80)
            value >>= 7
        packed.append(value)
        packed += leaf[:MARK_BYTES]
        last = row_id
    return bytes(packed)


def unpack_marks(packed: bytes, roots: Iterable[ClassRoot]) -> dict[str, dict[int, bytes]]:
    """By class and id. Bytes that were forged may say anything; nothing is raised for them."""
    stream = _marks(packed)
    found: dict[str, dict[int, bytes]] = {}
    last = 0
    for one in sorted(roots, key=lambda one: one.name):
        marks: dict[int, bytes] = {}
        last = 0
        for _ in range(one.count):
            step, mark = next(stream, (0, b""))
            last += step
            marks[last] = mark
        found[one.name] = marks
    return found


def _marks(packed: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at < len(packed):
        value = shift = 0
        while at < len(packed):
            byte = packed[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        step = -(value + 1 >> 1) if value & 1 else value >> 1
        yield step, packed[at : at + MARK_BYTES]
        at += MARK_BYTES
