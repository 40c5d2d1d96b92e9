"""Texts compared by what they say: capitals, blanks and forms of letters do not count."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.arrays import IntArray

__all__ = ["plain_texts", "same_texts"]


def plain_texts(texts: pa.StringArray) -> pa.StringArray:
    """Return texts in small letters with single blanks, and letters in one form (NFKC).

    Examples
    --------
    >>> plain_texts(pa.array(["  Green  Tea ", "green tea"])).to_pylist()
    ['green tea', 'green tea']
    """
    lower = pc.utf8_lower(pc.utf8_normalize(texts, form="NFKC"))
    return pc.utf8_trim_whitespace(pc.replace_substring_regex(lower, r"[\s\pZ]+", " "))


def same_texts(plain: pa.StringArray) -> IntArray:
    """Return for each text the first place of the same text; -1 for a text without a letter or sign.

    Examples
    --------
    >>> same_texts(pa.array(["tea", "milk", "tea", ""])).tolist()
    [0, 1, 0, -1]
    """
    codes = pc.dictionary_encode(plain).indices.to_numpy(zero_copy_only=False).astype(np.int64)
    _, first, number = np.unique(codes, return_index=True, return_inverse=True)
    empty = pc.equal(plain, "").to_numpy(zero_copy_only=False)
    return np.where(empty, -1, first[number]) if len(codes) else codes
