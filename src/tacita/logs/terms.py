"""The terms of queries: runs of letters and digits, in small letters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from scipy import sparse

__all__ = ["TermCounts", "terms_of"]

_BETWEEN = r"[^\p{L}\p{M}\p{N}]+"


@dataclass(frozen=True, eq=False)
class TermCounts:
    """The terms of some texts.

    Parameters
    ----------
    words
        The terms, each once.
    counts
        How often each text (row) has each term (column).
    """

    words: pa.StringArray
    counts: sparse.csr_array

    def __repr__(self) -> str:
        return f"Terms of {self.counts.shape[0]} texts, {len(self.words)} different ones"


def terms_of(texts: pa.StringArray) -> TermCounts:
    """Cut texts into their terms. O(letters), without a loop over texts.

    Examples
    --------
    >>> found = terms_of(pa.array(["FC Barcelona", "barcelona, weather"]))
    >>> found.words.to_pylist(), found.counts.toarray().tolist()
    (['fc', 'barcelona', 'weather'], [[1, 1, 0], [0, 1, 1]])
    """
    from scipy import sparse  # loads when used

    parts = pc.split_pattern_regex(pc.utf8_lower(texts), pattern=_BETWEEN)
    words = pc.list_flatten(parts)
    text = np.asarray(pc.list_parent_indices(parts).to_numpy(zero_copy_only=False), np.int64)
    has = np.asarray(pc.not_equal(words, "").to_numpy(zero_copy_only=False), bool)
    encoded = words.filter(pa.array(has)).dictionary_encode()
    codes = np.asarray(encoded.indices.to_numpy(zero_copy_only=False), np.int64)
    shape = (len(texts), len(encoded.dictionary))
    counts = sparse.coo_array((np.ones(len(codes), np.int32), (text[has], codes)), shape=shape)
    return TermCounts(encoded.dictionary, sparse.csr_array(counts))
