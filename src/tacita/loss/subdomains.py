"""Subdomains: the records of two files that have the same values in some columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from tacita.core.arrays import IntArray
from tacita.data.pairing import Pair
from tacita.data.side_by_side.categories import file_codes

__all__ = ["CATEGORIES", "subdomains"]

CATEGORIES = frozenset({"nominal", "ordinal"})
"""Scales of the columns that subdomains are made by."""


def subdomains(pair: Pair, names: Sequence[str]) -> Iterator[tuple[str, IntArray, IntArray]]:
    """Give each combination of values of some columns: its number, and its rows in the two files. O(n log n).

    Records need not be paired: a subdomain has in each file the records with these values there. Numbers count from 1 in
    the order of the categories; one that a file does not have has no rows there.
    """
    if not names:
        return
    n, n_masked = (len(pair.rows),) * 2 if pair.is_part else (len(pair.original), len(pair.masked))
    a, b = np.zeros(n, dtype=np.int64), np.zeros(n_masked, dtype=np.int64)
    for name in names:
        codes = file_codes(pair, name)
        a, b = a * codes.size + codes.original, b * codes.size + codes.masked
        labels = np.unique(np.concatenate([a, b]), return_inverse=True)[1]
        a, b = labels[:n], labels[n:]
    order, masked_order = np.argsort(a, kind="stable"), np.argsort(b, kind="stable")
    every = np.arange(int(max(a.max(), b.max())) + 2)
    ends, masked_ends = np.searchsorted(a[order], every), np.searchsorted(b[masked_order], every)
    for i in every[:-1]:
        yield str(i + 1), order[ends[i] : ends[i + 1]], masked_order[masked_ends[i] : masked_ends[i + 1]]
