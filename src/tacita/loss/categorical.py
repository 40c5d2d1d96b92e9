"""Direct comparison of categories: how many values changed, and how far on an ordered scale."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.parameters import Columns
from tacita.core.selectors import Selector
from tacita.core.traits import MeasureTraits
from tacita.data.measure import Measured
from tacita.data.pairing import Pair
from tacita.data.side_by_side.categories import paired_codes
from tacita.loss.base import Loss

__all__ = ["DirectCategorical", "nominal_distance", "ordinal_distance"]


def nominal_distance(x: IntArray, y: IntArray) -> FloatArray:
    """Return 0 where the category is the same and 1 where it is another. O(n).

    Examples
    --------
    >>> import numpy as np
    >>> nominal_distance(np.array([0, 1, 2]), np.array([0, 2, 2])).tolist()
    [0.0, 1.0, 0.0]
    """
    return np.asarray(x != y, dtype=np.float64)


def ordinal_distance(x: IntArray, y: IntArray, categories: int) -> FloatArray:
    """Return the number of categories from the lower up to, not including, the higher one, over all categories. O(n).

    A code that is not below ``categories`` (missing, or a category without a place in the order) is at distance 1 from
    every other.

    Examples
    --------
    >>> import numpy as np
    >>> ordinal_distance(np.array([0, 3, 1]), np.array([0, 1, 4]), 4).tolist()
    [0.0, 0.5, 1.0]
    """
    outside = (np.maximum(x, y) >= categories) & (x != y)
    return np.asarray(np.where(outside, 1.0, np.abs(x - y) / max(categories, 1)))


@dataclass(frozen=True, kw_only=True)
class DirectCategorical(Loss):
    """Share of categorical values that changed, or how far they moved on an ordered scale.

    The distance of a nominal value c and its masked value c' is 0 where they are equal and 1 otherwise. On an ordinal
    scale it is the number of categories from min(c, c') up to, but not including, max(c, c'), divided by the number of
    categories. The value is the mean distance over records and columns, in percent.

    Parameters
    ----------
    columns
        The columns to compare; by default all nominal and ordinal columns that describe the respondent.

    Returns
    -------
    Measured
        Percent; the mean distance of each record as a share; the percentage of each column.

    Raises
    ------
    MeasureError
        When the categories of an ordinal column have no common order in the two files.

    Complexity
    ----------
    O(n d) time and memory.

    Notes
    -----
    Missing is a category of its own: a value that masking suppressed is at distance 1 from it, and missing in both files
    is no change. On an ordinal scale the same holds for a category that has no place in the declared order. Without
    a declared order the categories of both files are sorted together.

    References
    ----------
    Domingo-Ferrer, J. and Torra, V. (2001), Disclosure control methods and information loss for microdata, section
    "Direct comparison of categorical values"; Domingo-Ferrer, J. (2007), Statistical databases, section "Measuring data
    utility".

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> DirectCategorical()(data, data).value
    0.0
    """

    name = "direct_categorical"
    title = "Changed categories"
    traits = MeasureTraits(scales={"nominal", "ordinal"}, paired=True, per_record=True, unit="%", upper=100.0)
    columns: Columns = Selector("categorical columns")

    def measure(self, pair: Pair, names: tuple[str, ...]) -> Measured:
        """Return the mean distance in percent."""
        total = np.zeros(len(pair.rows))
        parts, unplaced = {}, []
        for name in names:
            codes = paired_codes(pair, name)
            if pair.original.schema[name].scale == "ordinal":
                distance = ordinal_distance(codes.original, codes.masked, codes.known)
                unplaced += [name] if codes.named > codes.known else []
            else:
                distance = nominal_distance(codes.original, codes.masked)
            total += distance
            parts[name] = 100 * float(distance.mean())
        records = total / len(names)
        note = f"categories without a place in the order: {', '.join(unplaced)}" if unplaced else ""
        return Measured(100 * float(records.mean()), per_record=records, parts=parts, note=note)
