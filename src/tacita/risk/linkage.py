"""Distance linkage: how many masked records lie nearest to their own original."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacita.core.errors import MeasureError
from tacita.core.parameters import Columns
from tacita.core.selectors import Selector
from tacita.core.traits import Traits
from tacita.data.measure import Measured
from tacita.data.pairing import Pair
from tacita.numeric.moments import standardise
from tacita.risk.base import Risk

__all__ = ["DistanceLinkage", "linked_share"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


def linked_share(originals: FloatArray, masked: FloatArray, own: IntArray) -> FloatArray:
    """Return the chance that each masked record is linked to its own original. Near n log n time, O(n d) memory.

    Both files are standardised by means and standard deviations of the original; a missing value lies at the mean.
    """
    from tacita.numeric.nearest import own_is_nearest  # numba loads here, not on import

    x = np.nan_to_num(standardise(originals))
    y = np.nan_to_num(standardise(masked, like=originals))
    return own_is_nearest(x, y, own)


@dataclass(frozen=True, kw_only=True)
class DistanceLinkage(Risk):
    """Share of masked records that an intruder links to the right person by nearness.

    The intruder knows the true values of ``columns`` for everybody in the file and links each masked record to the
    nearest original in standardised Euclidean distance. A record counts as linked when the nearest one is its own; of m
    equally near originals the intruder picks one, so it counts 1/m.

    Protects nothing by itself; it measures identity disclosure in the worst case of a complete register.

    Parameters
    ----------
    columns
        The variables that the intruder knows; by default the numeric keys, or all numeric columns where there are none.

    Returns
    -------
    Measured
        Percent of linked records; for each record its chance (0, 1, or 1/m in a tie).

    Raises
    ------
    MeasureError
        When records are paired by nearness in just these columns, where every link would be right by definition.

    Complexity
    ----------
    Near O(n log n) for few columns, O(n d) memory: no distance matrix. The search for a record ends at the first
    original that is nearer than its own.

    Notes
    -----
    Distances that differ by less than 1e-9 of their size are ties. A missing value is put at the column's mean in both
    files, so it neither helps nor hinders much.

    References
    ----------
    Domingo-Ferrer and Torra (2001); Mateo-Sanz, Sebe and Domingo-Ferrer (2004), section 3.2.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([[0.0], [1.0], [5.0]])
    >>> linked_share(x, np.array([[0.1], [4.0], [4.9]]), np.arange(3))
    array([1., 0., 1.])
    """

    name = "dld"
    traits = Traits(scales={"numeric"}, paired=True, per_record=True, unit="%", upper=100.0)
    columns: Columns = Selector("numeric keys else numeric columns")

    def measure(self, pair: Pair, names: tuple[str, ...]) -> Measured:
        """Return the percentage of linked records."""
        if not pair.is_true_pairing and set(names) >= set(
            pair.resolve(Selector("numeric columns"), owner="dld", scales=frozenset({"numeric"}))
        ):
            raise MeasureError(
                "DistanceLinkage: records are paired by nearness in all numeric columns, so linking by the same columns is "
                "right by definition; name fewer 'columns', or pair by link or row order."
            )
        x = pair.original.floats(names)
        y = pair.masked.floats(names)[pair.masked_rows]
        share = linked_share(x, y, pair.rows)
        return Measured(100 * float(share.mean()), per_record=share, note=f"intruder knows {', '.join(names)}")
