"""Coarse enough: cutpoints whose bins show no value, from a way of cutting that may be too fine for a variable."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import DataError
from tacita.query.cutpoints.fineness import too_fine
from tacita.query.cutpoints.method import Cutpoints, MadeFromData

__all__ = ["MANY", "coarse_enough"]

_SAMPLE = 20_000
MANY = 0.05
"""A bin of a single value is let pass where at least this share of all records has it: that many are found by everybody."""


def coarse_enough(cut: Cutpoints, values: FloatArray) -> Cutpoints | None:
    """Return a way of cutting whose bins show no value to within a few percent.

    The least number of records of a bin is doubled until no bin is too fine, or too few bins are left.

    Parameters
    ----------
    cut
        Where to begin.
    values
        (n,): the numbers to be cut, none missing.

    Returns
    -------
    Cutpoints
        The first one that is coarse enough; None where not even two bins are, or where there are too few values.

    Notes
    -----
    Bins of one value that very many records have, such as an income of 0, are let pass. Cutpoints that the steward
    declares are taken as they are. Of very many values a systematic sample is looked at first. At
    most log2(n) tries.

    Examples
    --------
    >>> from tacita.query.cutpoints.minimum_width import MinimumWidth
    >>> made = coarse_enough(MinimumWidth(minimum=2), np.arange(100.0, 200.0))
    >>> made is not None and made.minimum > 2
    True
    """
    if not isinstance(cut, MadeFromData):
        return cut
    minimum = cut.minimum * _times_of_sample(cut, values)
    while 2 * minimum <= len(values):
        tried = replace(cut, minimum=minimum)
        try:
            bins = tried.cut(values)
        except DataError:
            return None
        if bins.n_bins < 2:
            return None
        counts = np.bincount(bins.codes(values), minlength=bins.n_bins)
        if all(counts[number] >= MANY * len(values) for number in too_fine(values, bins).bins):
            return tried
        minimum *= 2
    return None


def _times_of_sample(cut: MadeFromData, values: FloatArray) -> int:
    """How many times as many records a bin needs, as a systematic sample says; 1 where there are few values."""
    step = len(values) // _SAMPLE
    if step < 2:
        return 1
    few = np.sort(values)[step // 2 :: step]
    least = max(cut.minimum // step, 2)
    found = coarse_enough(replace(cut, minimum=least), few)
    if not isinstance(found, MadeFromData):
        return 1
    # The sample's first bins hold at least as many as asked for; one doubling less leaves the last word to all values.
    return max(found.minimum * step // cut.minimum // 2, 1)
