"""Linkage after rank swapping by an intruder who knows how far values were swapped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import numpy.typing as npt

from tacita.core.parameters import Columns, Interval
from tacita.core.selectors import Selector
from tacita.core.traits import Traits
from tacita.data.measure import Measured
from tacita.data.pairing import Pair
from tacita.numeric.moments import column_mean, column_sd
from tacita.risk.sampled import SampledRisk, refuse_circles

__all__ = ["RankSwapLinkage", "window_linked_share"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


def window_linked_share(
    originals: FloatArray, masked: FloatArray, own: IntArray, *, p: float
) -> tuple[FloatArray, BoolArray, BoolArray]:
    """Link each masked record to the nearest original inside its rank windows. Near n log n time, O(n d) memory.

    Returns the chance of each record, whether its own original is among the candidates, and whether there are none.
    """
    from tacita.numeric.nearest import own_is_nearest  # numba loads here, not on import
    from tacita.numeric.window_linkage import NO_CANDIDATE, own_is_nearest_inside, swap_windows

    mean, sd = column_mean(originals), column_sd(originals)
    sd = np.where(sd > 0, sd, 1.0)
    low, high = np.empty(masked.shape), np.empty(masked.shape)
    for j in range(masked.shape[1]):
        # Rounding keeps order: a value inside the window is also inside when both are standardised.
        ends = swap_windows(originals[:, j], masked[:, j], p)
        low[:, j], high[:, j] = ((end - mean[j]) / sd[j] for end in ends)
    x, y = (originals - mean) / sd, np.nan_to_num((masked - mean) / sd)
    share, inside = own_is_nearest_inside(x, y, own, low, high)
    empty = share == NO_CANDIDATE
    if empty.any():
        share[empty] = own_is_nearest(np.nan_to_num(x), y[empty], own[empty])
    return share, inside, empty


@dataclass(frozen=True, kw_only=True)
class RankSwapLinkage(SampledRisk):
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

    Returns
    -------
    Measured
        Percent of linked records; for each record its chance; as parts the percentage of records whose own original is
        among the candidates, and of those without any candidate.

    Raises
    ------
    MeasureError
        When records are paired by nearness in just these columns, where links would be right by definition.

    Complexity
    ----------
    O(d n log n) for the windows, near O(n log n) for the search in a tree, O(n d) memory.

    Notes
    -----
    With the right p the own original is always among the candidates. Equal values stand at all ranks from their first to
    their last, and the window reaches beyond both. With a larger p windows are wider and the result goes towards that of
    ``dld``. With a smaller p originals are lost: a record whose original is not among its candidates is not linked, and for one
    without any candidate the intruder sees that p is wrong and links to the nearest of all, as in ``dld``.

    Ranks are those of the original file, whose values rank swapping keeps; n counts the values that are there. A missing
    masked value excludes nobody. An original with a missing value is no candidate where the masked value is there, because
    rank swapping leaves missing values in place; in distances a missing value lies at the mean. After swapping
    within strata (``by``) measure each stratum as a file of its own: its windows are counted in its own ranks.

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
    traits = Traits(scales={"numeric"}, paired=True, per_record=True, unit="%", upper=100.0, by_default=False)
    columns: Columns = Selector("numeric keys else numeric columns")
    p: Annotated[float, Interval(0, 100)] = 5.0

    def measure(self, pair: Pair, names: tuple[str, ...]) -> Measured:
        """Return the percentage of linked records."""
        refuse_circles(type(self).__name__, pair, names)
        rows = self.chosen(pair)
        released = np.column_stack([pair.masked.float(name)[pair.masked_rows[rows]] for name in names])
        share, inside, empty = window_linked_share(pair.original.floats(names), released, pair.rows[rows], p=self.p)
        parts = {
            "original among the candidates": 100 * float(inside.mean()),
            "no candidate": 100 * float(empty.mean()),
        }
        return self.of_shares(pair, share, parts, f"intruder knows {', '.join(names)} and believes p = {self.p:g}")
