"""Linkage by an intruder who knows between which originals that of each masked value must lie."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.parameters import Columns, Interval
from tacita.core.traits import MeasureTraits
from tacita.data.measure import Measured
from tacita.data.microdata import Microdata
from tacita.data.pairing import Pair
from tacita.data.scenario import LINKED_BY
from tacita.numeric.statistics.moments import column_mean, column_sd
from tacita.risk.known_strata import attacked_parts
from tacita.risk.sampled import SampledRisk, refuse_circles

__all__ = ["RankOrderLinkage", "RoundingLinkage", "WindowLinkage", "linked_inside", "order_windows"]

Ends = tuple[FloatArray, FloatArray]


def linked_inside(
    originals: FloatArray,
    masked: FloatArray,
    own: IntArray,
    low: FloatArray,
    high: FloatArray,
    *,
    overwrite: bool = False,
) -> tuple[FloatArray, BoolArray, BoolArray]:
    """Link each masked record to the nearest original inside its windows. Near n log n time, O(n d) memory.

    Returns the chance of each record, whether its own original is among the candidates, and whether there are none; then
    the nearest of all originals is taken. With ``overwrite`` the originals are standardised where they lie, and put in another
    order.
    """
    from tacita.numeric.linkage.window_linkage import NO_CANDIDATE, own_is_nearest_inside
    from tacita.numeric.nearest.neighbours import own_is_nearest  # loads when used

    mean, sd = column_mean(originals), column_sd(originals)
    sd = np.where(sd > 0, sd, 1.0)
    # Rounding keeps order: a value inside the window is also inside when both are standardised.
    ends = [np.ascontiguousarray((end - mean) / sd) for end in (low, high)]
    x = np.subtract(originals, mean, out=originals if overwrite else None)
    x /= sd
    y = np.nan_to_num((masked - mean) / sd)
    share, inside = own_is_nearest_inside(x, y, own, *ends, overwrite=overwrite)
    empty = share == NO_CANDIDATE
    if empty.any():
        share[empty] = own_is_nearest(np.nan_to_num(x), y[empty], own[empty])
    return share, inside, empty


def order_windows(originals: FloatArray, released: FloatArray, values: FloatArray) -> Ends:
    """Return for each masked value of a column the smallest and the largest original it can come from. O(n log n).

    Where masking kept the order, the originals of the values at the ranks a to b, which are those of one masked value, are the
    originals at the ranks a to b. With values left out by the mask, each of them may have stood below or above, so the upper rank
    is so many higher; with values more than before the lower one is lower. A missing masked value may come from any.
    """
    ordered, after = (np.sort(x[~np.isnan(x)]) for x in (originals, released))
    gone, come = max(0, len(ordered) - len(after)), max(0, len(after) - len(ordered))
    low, high = np.full(len(values), -np.inf), np.full(len(values), np.inf)
    there = ~np.isnan(values)
    if len(ordered) and there.any():
        first, last = (np.searchsorted(after, values[there], side=side) for side in ("left", "right"))
        low[there] = ordered[np.clip(first - come, 0, len(ordered) - 1)]
        high[there] = ordered[np.clip(last - 1 + gone, 0, len(ordered) - 1)]
    return low, high


@dataclass(frozen=True, kw_only=True)
class WindowLinkage(SampledRisk):
    """Base of linkage inside windows, one for each column.

    Parameters
    ----------
    columns
        The masked variables that the intruder knows; by default the numeric keys, or all numeric columns where there are
        none.
    by
        Strata that the mask worked within and that the release shows as they were: each is attacked as a file of its own.

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
    """

    columns: Columns = LINKED_BY
    by: Columns = ()

    @abstractmethod
    def window(self, originals: FloatArray, released: FloatArray, values: FloatArray) -> Ends:
        """Return for each of ``values`` the smallest and the largest original, given both whole columns."""

    @abstractmethod
    def belief(self) -> str:
        """Say in words what the intruder believes."""

    def ranked_rows(self, data: Microdata, rows: IntArray, name: str) -> IntArray:
        """Return those of some original records whose values in a column were ranked; most masks rank all."""
        del data, name
        return rows

    def measure(self, pair: Pair, names: tuple[str, ...]) -> Measured:
        """Return the percentage of linked records."""
        refuse_circles(type(self).__name__, pair, names)
        rows = self.chosen(pair)
        share = np.zeros(len(rows))
        inside, empty = np.zeros(len(rows), dtype=np.bool_), np.zeros(len(rows), dtype=np.bool_)
        for members, there, mine in attacked_parts(pair, self.by, rows, type(self).__name__):
            asked = pair.masked_rows[rows[mine]]
            values, ends = np.empty((len(asked), len(names))), []
            for j, name in enumerate(names):  # one column at a time
                y = pair.masked.float(name)
                values[:, j] = y[asked]
                ranked = _some(pair.original.float(name), self.ranked_rows(pair.original, members, name))
                ends.append(self.window(ranked, _some(y, there), values[:, j]))
                del y, ranked
            low, high = (np.column_stack(side) for side in zip(*ends, strict=True))
            own = np.searchsorted(members, pair.rows[rows[mine]])
            x = np.empty((len(members), len(names)))
            for j, name in enumerate(names):
                x[:, j] = _some(pair.original.float(name), members)
            share[mine], inside[mine], empty[mine] = linked_inside(x, values, own, low, high, overwrite=True)
        parts = {
            "original among the candidates": 100 * float(inside.mean()),
            "no candidate": 100 * float(empty.mean()),
        }
        return self.of_shares(pair, share, parts, f"intruder knows {', '.join(names)} and believes {self.belief()}")


def _some(values: FloatArray, rows: IntArray) -> FloatArray:
    """Return some values, in the order of the file; all of them uncopied."""
    return values if len(rows) == len(values) else values[rows]


@dataclass(frozen=True, kw_only=True)
class RankOrderLinkage(WindowLinkage):
    """Share of records linked by an intruder who knows that every column kept its order.

    Individual ranking, rounding, top coding and resampling leave the order of a column as it was. So the records at the ranks
    a to b of a masked column, which all have one value there, are those at the ranks a to b of the original column. The
    intruder intersects these windows over the columns and links to the nearest original among the candidates that are
    left; of m equally near ones one is picked, so it counts 1/m.

    Notes
    -----
    A window holds k values after individual ranking with groups of k, and d such windows mostly have one record in common:
    that is why individual ranking hides little however large k is. It is the worst case of a complete register, as for
    ``dld``. A missing masked value excludes nobody. Where masking did not keep the order after all, a record whose original
    is not among its candidates is not linked.

    References
    ----------
    Domingo-Ferrer, J., Mateo-Sanz, J. M., Oganian, A. and Torres, A. (2002), On the security of microaggregation with
    individual ranking: analytical attacks; Nin, J., Herranz, J. and Torra, V. (2008), for windows that are intersected.

    Examples
    --------
    >>> import numpy as np
    >>> order_windows(np.array([1.0, 4.0, 9.0, 16.0]), np.array([2.5, 2.5, 12.5, 12.5]), np.array([12.5]))
    (array([9.]), array([16.]))

    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> money = ["earnings", "tax", "savings"]
    >>> masked = tc.mask.IndividualRanking(columns=money, k=20).apply(data)
    >>> plain = tc.risk.DistanceLinkage(columns=money)(data, masked).value
    >>> RankOrderLinkage(columns=money)(data, masked).value > plain
    True
    """

    name = "rank_order_linkage"
    title = "Linkage by ranks"
    traits = MeasureTraits(
        scales={"numeric"}, paired=True, per_record=True, unit="%", upper=100.0, by_default=False, identifies=True
    )

    def window(self, originals: FloatArray, released: FloatArray, values: FloatArray) -> Ends:
        """Return the originals at the ranks of each value."""
        return order_windows(originals, released, values)

    def belief(self) -> str:
        """Say that order was kept."""
        return "that every column kept its order"


@dataclass(frozen=True, kw_only=True)
class RoundingLinkage(WindowLinkage):
    """Share of records linked by an intruder who knows the base that values were rounded to.

    Rounding at random to a multiple of ``base`` moves a value by less than the base, so the original of y lies between
    ``y - base`` and ``y + base``. The intruder intersects these windows over the columns and links to the nearest original
    among the candidates; of m equally near ones one is picked, so it counts 1/m.

    Parameters
    ----------
    base
        The base that the intruder believes in.

    Complexity
    ----------
    Near O(n log n) for the search in a tree, O(n d) memory.

    Notes
    -----
    Both ends belong to the window. A missing masked value excludes nobody. For rounding to the nearest multiple
    ``rank_order_linkage`` knows more: the order.

    References
    ----------
    Hundepool, A. et al. (2012), Statistical Disclosure Control, section 3.6, for rounding; Nin, J., Herranz, J. and Torra, V.
    (2008), for windows that are intersected.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> masked = tc.mask.RandomRounding(columns=["earnings", "tax"], base=5000).apply(data, seed=7)
    >>> RoundingLinkage(columns=["earnings", "tax"], base=5000)(data, masked).parts["original among the candidates"]
    100.0
    """

    name = "rounding_linkage"
    title = "Linkage after rounding"
    traits = MeasureTraits(
        scales={"numeric"}, paired=True, per_record=True, unit="%", upper=100.0, by_default=False, identifies=True
    )
    base: Annotated[float, Interval(0)] = 10.0

    def window(self, originals: FloatArray, released: FloatArray, values: FloatArray) -> Ends:
        """Return the values less and more than a base away."""
        del originals, released
        there = ~np.isnan(values)
        reach = self.base * (1 + 1e-12)
        return np.where(there, values - reach, -np.inf), np.where(there, values + reach, np.inf)

    def belief(self) -> str:
        """Say which base."""
        return f"base = {self.base:g}"
