"""Lines cut into fields: a quotation mark is a letter like any other, and all lines of a block are cut at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tacita.core.arrays import BoolArray, IntArray
from tacita.data.query_log.files.log_bytes import LONGEST, LineBlock
from tacita.data.query_log.files.utf8 import bad_bytes
from tacita.data.query_log.log_reading import BrokenBy

__all__ = ["CutLines", "cut_lines"]


@dataclass(frozen=True)
class CutLines:
    """The lines of a block that are not empty, as places in its bytes.

    Parameters
    ----------
    text
        The bytes.
    number
        The number of each line in the file, from 1.
    starts, ends
        Where each line begins, and where it ends without its line end.
    separators
        Where all separators stand.
    before
        How many separators stand before each line.
    fields
        How many fields each line has.
    wrong
        Which lines are no text, and why.
    """

    text: bytes
    number: IntArray
    starts: IntArray
    ends: IntArray
    separators: IntArray
    before: IntArray
    fields: IntArray
    wrong: dict[BrokenBy, BoolArray]

    def are(self, line: bytes) -> BoolArray:
        """Return which lines are the same as one."""
        same: BoolArray = self.ends - self.starts == len(line)
        candidates = np.flatnonzero(same)
        letters = np.frombuffer(line, np.uint8)
        values = np.frombuffer(self.text, np.uint8)
        for place in range(len(line)):  # the letters of a header
            candidates = candidates[values[self.starts[candidates] + place] == letters[place]]
        same[:] = False
        same[candidates] = True
        return same

    def field(self, place: int, lines: IntArray) -> pa.BinaryArray:
        """Return a field of some of the lines, which have it; an empty one is null."""
        first = self.starts[lines] if place == 0 else self.separators[self.before[lines] + place - 1] + 1
        is_last = self.fields[lines] == place + 1
        if not len(self.separators):
            return texts_between(self.text, first, self.ends[lines])
        behind = np.minimum(self.before[lines] + place, len(self.separators) - 1)
        return texts_between(self.text, first, np.where(is_last, self.ends[lines], self.separators[behind]))

    def whole(self, lines: IntArray) -> pa.BinaryArray:
        """Return some of the lines."""
        return texts_between(self.text, self.starts[lines], self.ends[lines])


def cut_lines(block: LineBlock, separator: bytes) -> CutLines:
    """Cut the lines of a block into fields. O(n) time and memory in its bytes."""
    values = np.frombuffer(block.text, np.uint8)
    ends = np.flatnonzero(values == ord("\n"))
    if len(values) and not block.text.endswith(b"\n"):
        ends = np.append(ends, len(values))
    starts = np.concatenate([[0], ends[:-1] + 1]).astype(np.int64) if len(ends) else ends
    ends = ends - ((ends > starts) & (values[ends - 1] == ord("\r")))
    separators = np.flatnonzero(values == ord(separator)) if separator else np.zeros(0, np.int64)
    wrong: dict[BrokenBy, BoolArray] = {"too long": ends - starts > LONGEST}
    for why, places in (("encoding", bad_bytes(block.text)), ("zero byte", _zero_bytes(block.text, values))):
        if len(places):
            wrong[why] = np.zeros(len(starts), bool)  # type: ignore[index]
            wrong[why][np.searchsorted(starts, places, side="right") - 1] = True  # type: ignore[index]
    has = np.flatnonzero(ends > starts)
    number = block.first + has
    before = np.searchsorted(separators, starts[has])
    fields = np.searchsorted(separators, ends[has]) - before + 1
    kept = {why: flags[has] for why, flags in wrong.items()}
    return CutLines(block.text, number, starts[has], ends[has], separators, before, fields, kept)


def texts_between(text: bytes, starts: IntArray, ends: IntArray) -> pa.BinaryArray:
    """Return pieces of a text, which do not overlap and stand in their order; an empty one is null."""
    count = len(starts)
    if not count:
        return pa.array([], pa.binary())
    offsets: npt.NDArray[np.int32] = np.empty(2 * count, np.int32)
    offsets[0::2], offsets[1::2] = starts, ends
    # Every second entry is a piece, the others are what stands between two of them.
    both = pa.BinaryArray.from_buffers(pa.binary(), 2 * count - 1, [None, pa.py_buffer(offsets), pa.py_buffer(text)])
    return both.take(pa.array(np.arange(0, 2 * count - 1, 2), mask=starts == ends))


def _zero_bytes(text: bytes, values: npt.NDArray[np.uint8]) -> IntArray:
    return np.flatnonzero(values == 0) if b"\0" in text else np.zeros(0, np.int64)
