"""Thresholds that refusals do not give away: each set of records has its own, drawn around the stated one under the secret key.

A refusal that depends on counts tells something about them: with a fixed threshold, asking for more and more classes
finds the threshold and then single counts. With a keyed threshold the same set always meets the same threshold, and
different sets different ones.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.keyed import Key

__all__ = ["keyed_thresholds"]


def keyed_thresholds(least: int, noise: int, key: Key, sums: IntArray) -> IntArray:
    """Return a threshold for each set: uniform on ``least`` - ``noise``, ..., ``least`` + ``noise``, and at least 2.

    Parameters
    ----------
    least
        The stated threshold.
    noise
        How far a threshold may lie from it; 0 for none.
    key
        The secret.
    sums
        (m, 2): exact sums of the keyed hashes of the records of each set.

    Notes
    -----
    A threshold below 2 would let a set of one record pass, so 2 is the floor.
    """
    flat = np.ascontiguousarray(sums.reshape(-1, 2))
    if noise == 0:
        return np.full(len(flat), least, dtype=np.int64)
    drawn = key.derive("threshold").record_keys(flat.astype(np.uint64))[:, 0]
    return np.maximum(least - noise + drawn % (2 * noise + 1), 2)
