"""Records that share one weight: members of a household whose weights are equal keep equal weights."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import IntArray
from tacita.data.microdata import Microdata

__all__ = ["weight_units"]


def weight_units(data: Microdata, unit: str | None) -> tuple[IntArray, str | None]:
    """Return for each record the number of the unit that it shares its weight with, and the column that says so.

    Parameters
    ----------
    data
        The records.
    unit
        The column that was asked for. Without it the household counts, where all of its members have equal weights:
        several versions of one weight would otherwise average out.

    Returns
    -------
    tuple of array and str or None
        Numbers 0, 1, 2, ...; a record without a household is a unit of its own. None where every record stands alone.
    """
    alone = np.arange(len(data), dtype=np.int64)
    name = unit or data.schema.household
    if name is None or not len(data):
        return alone, None
    groups = data.groups([name])
    missing = data.is_missing(name)
    groups = np.unique(np.where(missing, groups.max() + 1 + alone, groups), return_inverse=True)[1].astype(np.int64)
    if unit is None:
        weights = data.weights()
        first = weights[np.unique(groups, return_index=True)[1]]
        if not np.array_equal(weights, first[groups]):
            return alone, None
    return groups, name
