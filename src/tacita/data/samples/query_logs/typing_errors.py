"""Typing errors: two letters of a text in the wrong order, one left out, or one twice."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tacita.core.arrays import BoolArray

__all__ = ["mistyped"]

_TRIES = 4
_KINDS = 3
_SWAPPED, _LEFT_OUT, _DOUBLED = range(_KINDS)


def mistyped(texts: pa.StringArray, where: BoolArray, rng: np.random.Generator) -> pa.StringArray:
    """Return the texts with one typing error in each of those that are marked.

    A letter is drawn; it changes places with the one behind it, is left out, or is typed twice. Blanks, digits and letters beyond
    ASCII are typed with more care: a text where four draws hit nothing else stays as it is.

    Examples
    --------
    >>> texts = pa.array(["breast cancer", "google"])
    >>> mistyped(texts, np.array([False, True]), np.random.default_rng(1)).to_pylist()
    ['breast cancer', 'googe']
    """
    offsets = np.frombuffer(texts.buffers()[1], np.int32)[texts.offset : texts.offset + len(texts) + 1]
    letters = np.frombuffer(texts.buffers()[2] or b"", np.uint8)[offsets[0] : offsets[-1]].copy()
    start, length = offsets[:-1] - offsets[0], np.diff(offsets)
    kind = rng.integers(0, _KINDS, len(texts))
    marked = np.flatnonzero(where & (length > 1))
    is_pair = np.zeros(len(letters), bool)
    is_pair[:-1] = _is_letter(letters[:-1]) & _is_letter(letters[1:])
    at = np.zeros(len(texts), np.int64)
    for _ in range(_TRIES):
        missed = marked[~is_pair[at[marked]] | (at[marked] < start[marked])]
        at[missed] = start[missed] + (rng.random(len(missed)) * (length[missed] - 1)).astype(np.int64)
    marked = marked[is_pair[at[marked]]]
    times = np.ones(len(letters), np.int64)
    times[at[marked[kind[marked] == _LEFT_OUT]]] = 0
    times[at[marked[kind[marked] == _DOUBLED]]] = 2
    swapped = at[marked[kind[marked] == _SWAPPED]]
    letters[swapped], letters[swapped + 1] = letters[swapped + 1], letters[swapped].copy()
    ends = np.concatenate([[0], np.cumsum(times)])[np.append(start, len(letters))].astype(np.int32)
    return pa.StringArray.from_buffers(len(texts), pa.py_buffer(ends), pa.py_buffer(np.repeat(letters, times)))


def _is_letter(codes: npt.NDArray[np.uint8]) -> BoolArray:
    """Whether bytes are small letters of ASCII."""
    letters: BoolArray = (codes >= ord("a")) & (codes <= ord("z"))
    return letters
