"""V-MDAV microaggregation: groups of k records take in near neighbours, so that their sizes follow the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.parameters import Interval
from tacita.core.traits import Traits
from tacita.mask.microaggregation.microaggregation import MultivariateMicroaggregation

__all__ = ["Vmdav"]


@dataclass(frozen=True, kw_only=True)
class Vmdav(MultivariateMicroaggregation):
    """Replace each record's values by the means of a group of k to 2k - 1 records whose size follows the data.

    The record farthest from the centroid of the file forms a group with its k - 1 nearest records. The record left that
    is nearest to any member, at distance ``d_in``, joins too if ``d_in < gamma * d_out``, where ``d_out`` is its
    distance from the nearest other record left; so does the next, until the group has 2k - 1.

    Protects against linkage: in the masked columns every record has at least k - 1 equals. Does not protect a group
    whose members share a confidential value, nor against an intruder who knows k - 1 members of a group.

    Parameters
    ----------
    gamma
        How readily a record joins: 0 gives groups of k, the authors take 0.2 for scattered and 1.1 for clustered data.

    Raises
    ------
    ParameterError
        When ``gamma`` is negative.

    Complexity
    ----------
    O(n^2 d) time at worst; a tree with deletion brings that near n log n for few columns. O(n d) memory.

    Notes
    -----
    Seeds are the records farthest from the centroid of the whole file, which is computed once. Fewer than k records that
    are left join the groups with the nearest centroids; a group that reaches 2k records by that is divided, which
    the authors leave open.

    References
    ----------
    Solanas, A. and Martinez-Balleste, A. (2006), V-MDAV: a multivariate microaggregation with variable group size.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = Vmdav(columns=["age", "savings"], k=3, gamma=0.5).apply(data)
    """

    name = "vmdav"
    title = "Microaggregation, variable size (V-MDAV)"
    traits = Traits(scales={"numeric"}, preserves=("means", "k-anonymity"))
    gamma: Annotated[float, Interval(0)] = 0.2

    def partition(self, space: FloatArray, rng: np.random.Generator) -> IntArray:
        """Group by V-MDAV."""
        from tacita.numeric.microaggregation.variable_size import variable_partition  # loads when used

        return variable_partition(space, self.k, self.gamma)
