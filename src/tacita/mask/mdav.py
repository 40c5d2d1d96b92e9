"""MDAV microaggregation: groups of at least k similar records, each value replaced by its group's mean."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import numpy.typing as npt

from tacita.core.errors import DataError, TacitaWarning
from tacita.core.parameters import Interval
from tacita.core.traits import Traits
from tacita.mask.numeric_mask import BoolArray, Draw, JointMask
from tacita.numeric.moments import group_means, standardise

__all__ = ["Mdav"]

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Mdav(JointMask):
    """Replace each record's values by the means of a group of k or more similar records.

    Groups are formed by MDAV (Maximum Distance to Average Vector): as long as 3k records are left, take the record r
    farthest from the average of those left and the record s farthest from r, and form a group of each with its k - 1
    nearest records. Distances are Euclidean on standardised columns.

    Protects against linkage: in the masked columns every record has at least k - 1 equals. Does not protect a group
    whose members share a confidential value, nor against an intruder who knows k - 1 members of a group.

    Parameters
    ----------
    k
        Smallest group size.
    standardise
        Divide each column by its standard deviation before distances are taken; without it the column with the largest
        values decides.

    Returns
    -------
    Microdata
        With the chosen columns microaggregated together.

    Raises
    ------
    DataError
        When there are fewer than k records.
    ColumnError
        When a chosen column is not there or not numeric.

    Preserves
    ---------
    means: of every column, to rounding. k-anonymity: every combination of masked values occurs k times or more. Variances
    shrink.

    Complexity
    ----------
    Exact MDAV. O(n^2 d / k) distance computations at worst; a tree with deletion brings that near n log n for few
    columns. O(n d) memory.

    Notes
    -----
    Ties: of equally distant records the one that stands first in the file is taken. The centroid is computed from
    exactly maintained sums, so the partition does not depend on the order of the arithmetic. Records with missing values
    are grouped with those that lack the same values; where fewer than k records share such a pattern, no safe group
    exists and their values in the masked columns are set to missing, with a warning.

    References
    ----------
    Domingo-Ferrer, J. and Torra, V. (2005), Ordinal, continuous and heterogeneous k-anonymity through
    microaggregation; Domingo-Ferrer, J. (2007), Statistical databases, section "Microaggregation", steps 1 to 6.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = Mdav(columns=["age", "savings"], k=5).apply(data)
    """

    name = "mdav"
    traits = Traits(scales={"numeric"}, preserves=("means", "k-anonymity"))
    k: Annotated[int, Interval(2)] = 3
    standardise: bool = True

    def mask_values(self, x: FloatArray, active: BoolArray, names: tuple[str, ...], draw: Draw) -> FloatArray:
        """Refuse a file or stratum in which no group can be formed."""
        if 0 < len(x) < self.k:
            raise DataError(
                f"Mdav: k = {self.k} needs at least {self.k} records in the file and in every stratum, got {len(x)}."
            )
        return super().mask_values(x, active, names, draw)

    def mask_records(self, x: FloatArray, names: tuple[str, ...], draw: Draw) -> FloatArray:
        """Microaggregate complete records."""
        from tacita.numeric.mdav import mdav_partition  # numba loads here, not on import

        if len(x) == 0:
            return x
        if len(x) < self.k:
            warnings.warn(
                f"Mdav: {len(x)} record(s) lack values in a pattern that fewer than k = {self.k} records share; "
                f"their values in {', '.join(names)} were set to missing.",
                TacitaWarning,
                stacklevel=2,
            )
            return np.full_like(x, np.nan)
        space = standardise(x) if self.standardise else x
        return group_means(x, mdav_partition(np.ascontiguousarray(space), self.k))
