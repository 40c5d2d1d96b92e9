"""Linkage after rank swapping by an intruder who knows how far values were swapped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.parameters import Interval
from tacita.core.traits import MeasureTraits
from tacita.data.microdata import Microdata
from tacita.data.units import Unit, find_units
from tacita.risk.window_linkage import Ends, WindowLinkage, linked_inside

__all__ = ["RankSwapLinkage", "window_linked_share"]


def window_linked_share(
    originals: FloatArray, masked: FloatArray, own: IntArray, *, p: float
) -> tuple[FloatArray, BoolArray, BoolArray]:
    """Link each masked record to the nearest original inside its rank windows. Near n log n time, O(n d) memory.

    Returns the chance of each record, whether its own original is among the candidates, and whether there are none.
    """
    from tacita.numeric.linkage.window_linkage import swap_windows  # loads when used

    ends = [swap_windows(originals[:, j], masked[:, j], p) for j in range(masked.shape[1])]
    low, high = (np.column_stack(side) for side in zip(*ends, strict=True))
    return linked_inside(originals, masked, own, low, high)


@dataclass(frozen=True, kw_only=True)
class RankSwapLinkage(WindowLinkage):
    """Share of records linked by an intruder who knows the p of rank swapping.

    Rank swapping moves a value by at most p percent of the ranks. So the original of a masked record lies, in every column
    j, between the order statistics ``r_j - p n / 100`` and ``r_j + p n / 100``, where ``r_j`` is the rank of the masked value.
    The intruder intersects these windows over the columns and links the record to the nearest original among the
    candidates that are left; of m equally near ones one is picked, so it counts 1/m. Plain distance linkage (``dld``) does
    not use p and understates the risk of rank swapping.

    Parameters
    ----------
    columns
        The swapped variables that the intruder knows; by default the numeric keys, or all numeric columns where there are
        none.
    p
        The p that the intruder believes in: largest difference in rank, in percent of the number of records. Give the one
        that was used.
    unit
        The household column, where values were swapped once for each household: ranks are then counted in households. By
        default, as for the mask, the column with that role, for the columns that have one value for all members of every
        household; ``False`` for none.
    keep_zeros
        Whether zeros stayed zeros and took no part: ranks are then counted among the other values.

    Notes
    -----
    With the right p the own original is always among the candidates. Equal values stand at all ranks from their first to
    their last, and the window reaches beyond both. With a larger p windows are wider and the result goes towards that of
    ``dld``. With a smaller p originals are lost: a record whose original is not among its candidates is not linked, and for one
    without any candidate the intruder sees that p is wrong and links to the nearest of all, as in ``dld``.

    Ranks are those of the original file, whose values rank swapping keeps; n counts the values that are there. A missing
    masked value excludes nobody. An original with a missing value is no candidate where the masked value is there, because
    rank swapping leaves missing values in place; in distances a missing value lies at the mean.
    After swapping within strata (``by``) each stratum is a file of its own: its windows are counted in its own ranks.

    Above 100 000 paired records a sample is linked, as in ``dld``.

    References
    ----------
    Nin, J., Herranz, J. and Torra, V. (2008), Rethinking rank swapping to decrease disclosure risk, Data & Knowledge
    Engineering 64, section 3.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(500, seed=1)
    >>> money = ["earnings", "other_income", "tax", "savings"]
    >>> masked = tc.mask.RankSwap(columns=money, p=10, identities=["income = earnings + other_income"]).apply(data, seed=7)
    >>> plain = tc.risk.DistanceLinkage(columns=money)(data, masked).value
    >>> RankSwapLinkage(columns=money, p=10)(data, masked).value > 2 * plain
    True
    """

    name = "rank_swap_linkage"
    title = "Linkage after rank swapping"
    traits = MeasureTraits(
        scales={"numeric"}, paired=True, per_record=True, unit="%", upper=100.0, by_default=False, identifies=True
    )
    p: Annotated[float, Interval(0, 100)] = 5.0
    unit: Unit = None
    keep_zeros: bool = False

    def ranked_rows(self, data: Microdata, rows: IntArray, name: str) -> IntArray:
        """Return one record of each household, one that has a value, where households were swapped."""
        owner = type(self).__name__
        units = find_units(data, self.unit, owner=owner)
        if units is None:
            return rows
        if not units.is_named:
            by = data.schema.resolve(self.by, owner=owner, parameter="by") if self.by != () else ()
            is_across = bool(by) and units.unequal(data.groups(by)) > 0
            if is_across or not units.shared(data, [name]):
                return rows
        there = rows[~data.is_missing(name)[rows]]
        return there[np.unique(units.labels[there], return_index=True)[1]]

    def window(self, originals: FloatArray, released: FloatArray, values: FloatArray) -> Ends:
        """Return the values at most p percent of the ranks away."""
        from tacita.numeric.linkage.window_linkage import swap_windows  # loads when used

        del released
        if not self.keep_zeros:
            return swap_windows(originals, values, self.p)
        low, high = swap_windows(originals[originals != 0], values, self.p)
        zero = values == 0
        return np.where(zero, 0.0, low), np.where(zero, 0.0, high)

    def belief(self) -> str:
        """Say which p."""
        return f"p = {self.p:g}"
