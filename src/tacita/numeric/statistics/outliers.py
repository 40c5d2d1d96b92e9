"""Outliers: the records that lie farthest from the average record."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.numeric.statistics.moments import standardise

__all__ = ["distance_from_average", "outliers"]


def distance_from_average(x: FloatArray) -> FloatArray:
    """Return the Euclidean distance of each standardised record from the average record. O(n d) time and memory.

    Columns are standardised, so the average record is the origin. A missing value lies at the mean of its column.

    Examples
    --------
    >>> distance_from_average(np.array([[0.0], [0.0], [3.0]])).round(3).tolist()
    [0.577, 0.577, 1.155]
    """
    z = np.nan_to_num(standardise(x))
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", z, z)))


def outliers(x: FloatArray, *, share: float = 0.05) -> BoolArray:
    """Return for each record whether it is among the ``share`` farthest from the average record. O(n d + n log n).

    Their number is ``share * n`` rounded to the nearest whole number (a half goes up), at least one where there is a
    record. Of equally distant records the one that stands first in the file is taken.

    References
    ----------
    Mateo-Sanz, Sebe and Domingo-Ferrer (2004), Outlier protection in continuous microdata masking, section 5, steps 1 to 4.

    Examples
    --------
    >>> outliers(np.array([[1.0], [2.0], [3.0], [90.0]]), share=0.25).tolist()
    [False, False, False, True]
    """
    n = len(x)
    far = np.zeros(n, dtype=np.bool_)
    if n:
        count = min(n, max(1, int(np.floor(share * n + 0.5))))
        far[np.argsort(-distance_from_average(x), kind="stable")[:count]] = True
    return far
