"""Bytes that are no text in UTF-8, found for a whole block at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.arrays import BoolArray, IntArray

__all__ = ["bad_bytes", "not_utf8"]

_NEEDS = np.zeros(256, np.int8)
_NEEDS[0xC2:0xE0], _NEEDS[0xE0:0xF0], _NEEDS[0xF0:0xF5] = 1, 2, 3
_SECOND = ((0xE0, 0xA0, 0xBF), (0xED, 0x80, 0x9F), (0xF0, 0x90, 0xBF), (0xF4, 0x80, 0x8F))
"""First bytes after which the second one is bounded more closely: no character has two forms, and no half of one."""


def bad_bytes(text: bytes) -> IntArray:
    r"""Return places of bytes that belong to no character; every run of them that is not UTF-8 has at least one. O(n).

    Examples
    --------
    >>> bad_bytes(b"caf\xe9 caf\xc3\xa9").tolist()
    [3]
    """
    values = np.frombuffer(text, np.uint8)
    high = np.flatnonzero(values >= 0x80)
    if not len(high) or _decodes(text):
        return np.zeros(0, np.int64)
    at = values[high]
    needs = _NEEDS[at]
    follows = at < 0xC0
    padded = np.append(values, np.zeros(3, np.uint8))
    covered = np.zeros(len(values) + 3, bool)
    bad = [high[~follows & (needs == 0)]]
    for step in (1, 2, 3):
        first = high[needs >= step]
        covered[first + step] = True
        bad.append(first[(padded[first + step] & 0xC0) != 0x80])
    bad.append(high[follows & ~covered[high]])
    for lead, least, most in _SECOND:
        first = high[at == lead]
        second = padded[first + 1]
        bad.append(first[(second < least) | (second > most)])
    return np.unique(np.concatenate(bad))


def not_utf8(values: pa.Array) -> BoolArray:
    """Return which entries of an array of bytes are no text in UTF-8."""
    wrong = np.zeros(len(values), bool)
    # A line end between the entries, so that no character begins in one and ends in the next.
    end, nothing = (pa.scalar(mark, pa.large_binary()) for mark in (b"\n", b""))
    ended = pc.binary_join_element_wise(pc.fill_null(values.cast(pa.large_binary()), b""), end, nothing)
    offsets: npt.NDArray[np.int64] = np.frombuffer(ended.buffers()[1], np.int64)[: len(ended) + 1]
    if len(ended) and offsets[-1]:
        text = memoryview(ended.buffers()[2])[offsets[0] : offsets[-1]]
        found = bad_bytes(bytes(text)) + offsets[0]
        wrong[np.searchsorted(offsets, found, side="right") - 1] = True
    return wrong


def _decodes(text: bytes) -> bool:
    try:
        text.decode("utf-8")
    except UnicodeError:
        return False
    return True
