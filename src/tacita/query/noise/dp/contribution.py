"""How much one person or household can change an answer, bounded before anything is computed, by public limits only."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.constraints import Interval
from tacita.core.errors import ParameterError
from tacita.core.keyed import Key
from tacita.core.parameterised import Parameterised
from tacita.query.noise.dp.accountant import PrivacyUnit

__all__ = ["ContributionLimit", "Origin", "PublicRange", "require_public"]

Origin: TypeAlias = Literal["public", "data"]
"""Where a cutpoint, threshold or list of categories comes from: known to everybody, or made from the data."""


def require_public(origins: Mapping[str, Origin]) -> None:
    """Check that nothing the answer depends on was made from the data.

    Parameters
    ----------
    origins
        For each thing by name (cutpoints of a variable, thresholds, lists of categories, bounds) where it comes from.

    Raises
    ------
    ParameterError
        When one was made from the data: its choice depends on every record and is paid for by nobody, which voids the
        guarantee.

    Examples
    --------
    >>> require_public({"cutpoints of age": "public"})
    """
    made = sorted(name for name, origin in origins.items() if origin != "public")
    if made:
        raise ParameterError(
            f"Differential privacy: {', '.join(made)} must be public, but {'was' if len(made) == 1 else 'were'} made from the "
            "data; declare what is known without them."
        )


@dataclass(frozen=True, kw_only=True)
class ContributionLimit(Parameterised):
    """Let each unit contribute at most ``most`` records; the others of the unit are left out, chosen by a key.

    Parameters
    ----------
    most
        m, how many records of a unit count.
    unit
        Whose data are protected as one: a person's, or all of a household's.

    Notes
    -----
    Which records stay is decided within the unit by keyed numbers of its own records, so that adding or taking away a unit
    changes nothing about the others. The choice is the same for all answers. Sensitivities are for adding or taking away one
    unit. Complexity: O(n log n).

    Examples
    --------
    >>> houses, ids = np.array([4, 4, 4, 9], dtype=np.uint64), np.arange(4, dtype=np.uint64)
    >>> kept = ContributionLimit(most=2, unit="household").keep(houses, ids, key=Key(b"0123456789abcdef"))
    >>> int(kept[:3].sum()), bool(kept[3])
    (2, True)
    """

    most: Annotated[int, Interval(1)] = 1
    unit: PrivacyUnit = "person"

    def keep(self, units: npt.NDArray[np.uint64], ids: npt.NDArray[np.uint64], *, key: Key) -> BoolArray:
        """Return which records count.

        Parameters
        ----------
        units
            (n,): the unit of each record.
        ids
            (n,): what identifies each record.
        key
            A secret key.

        Raises
        ------
        ParameterError
            When lengths differ.
        """
        if units.shape != ids.shape or units.ndim != 1:
            raise ParameterError(f"ContributionLimit: there must be a unit for each of {len(ids)} records.")
        order = np.lexsort((ids, key.record_order(ids, "contribution"), units))
        grouped = units[order]
        place = np.arange(len(order)) - np.searchsorted(grouped, grouped)
        kept = np.zeros(len(order), dtype=bool)
        kept[order] = place < self.most
        return kept

    def count_sensitivity(self) -> int:
        """Return how much one unit changes a table of counts, in all its cells together.

        It is m: each of m records is in one cell. The Euclidean length is m as well, when all are in the same.
        """
        return self.most


@dataclass(frozen=True, kw_only=True)
class PublicRange(Parameterised):
    """Cut values off at public bounds and bring them to whole steps, so that sums have a known sensitivity.

    Parameters
    ----------
    low, high
        Public bounds; values beyond are moved to them.
    step
        What a whole step is worth; results are multiples of it.

    Notes
    -----
    Bounds that were taken from the data void the guarantee; say where they come from with :func:`require_public`. Missing
    values add nothing, and count in no mean.

    Examples
    --------
    >>> PublicRange(low=0, high=100, step=10).steps(np.array([-5.0, 38.0, 900.0, np.nan])).tolist()
    [0, 4, 10, 0]
    """

    low: float
    high: float
    step: Annotated[float, Interval(0, closed="neither")] = 1.0

    def check(self) -> None:
        """Compare the bounds, and look whether sums of steps fit into whole numbers."""
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise ParameterError(
                f"PublicRange: 'low' must be below 'high', both finite, got low={self.low:g} and high={self.high:g}."
            )
        if max(abs(self.low), abs(self.high)) / self.step > 2.0**31:
            raise ParameterError(f"PublicRange: 'step' must be at least a 2^31th of the bounds, got {self.step:g}.")

    @property
    def middle(self) -> float:
        """The middle of the range, as a multiple of the step."""
        return round((self.low + self.high) / 2 / self.step) * self.step

    def steps(self, values: FloatArray, *, centred: bool = False) -> IntArray:
        """Return the values as whole steps from 0, or from the middle; missing ones as 0.

        Centred steps halve the sensitivity of a sum, for means.
        """
        moved = np.clip(values, self.low, self.high) - (self.middle if centred else 0.0)
        return np.rint(np.nan_to_num(moved / self.step, nan=0.0)).astype(np.int64)

    def sum_sensitivity(self, limit: ContributionLimit, *, centred: bool = False) -> int:
        """Return how many steps one unit changes sums of :meth:`steps`, in all cells together: m times the largest step."""
        ends = self.steps(np.array([self.low, self.high]), centred=centred)
        return limit.most * int(np.abs(ends).max())

    def mean(self, centred_sums: IntArray, counts: IntArray) -> FloatArray:
        """Return means from noisy centred sums and noisy counts, inside the range; the middle where the count is not positive.

        Both were released and paid for; what is done with them costs nothing.
        """
        share = np.divide(centred_sums, counts, out=np.zeros(len(counts)), where=counts > 0)
        return np.clip(self.middle + self.step * share, self.low, self.high)
