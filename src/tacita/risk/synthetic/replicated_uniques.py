"""Replicated uniques: released records that are equal to an original which nobody else is equal to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.errors import MeasureError
from tacita.core.parameters import Columns, Interval
from tacita.core.selectors import Selector, all_columns
from tacita.core.traits import MeasureTraits
from tacita.core.vocabulary import SCALES
from tacita.data.measure import Measured
from tacita.data.pairing import Pair
from tacita.data.scenario import names_in_a_row
from tacita.data.side_by_side.groups import comparable_columns, equal_groups, value_groups
from tacita.risk.base import Risk
from tacita.risk.synthetic.matching_risk import key_cells

__all__ = ["ReplicatedUniques"]


@dataclass(frozen=True, kw_only=True)
class ReplicatedUniques(Risk):
    """Share of released records whose keys are those of exactly one person of the original.

    Who finds a record with the keys of somebody who is alone with them takes it for that person's, whether it was made from him
    or not. Where synthetic records also are alone in the release they look most like somebody (``unique in both``).

    Parameters
    ----------
    columns
        The keys; by default all, and all columns where there are none.
    bins
        Numeric keys with more different values than this agree when they lie in the same of so many groups of about equal
        size; others when the nearest value is the same.

    Returns
    -------
    Measured
        Percent of the released records; 1 for each of them and 0 for others. Parts: ``unique in original``, percent of the
        originals that are alone with their keys; ``unique in both``, percent of the originals that are so, and whose keys
        exactly one released record has; ``all columns``, percent of the released records that are equal in every column to an
        original that is alone in all columns: copies.

    Raises
    ------
    MeasureError
        When no column can be compared.

    Complexity
    ----------
    O(n d + n log n) time, O(n d) bytes.

    Notes
    -----
    ``all columns`` looks at what both files have and what describes respondents, and takes numbers exactly. A missing value is
    a value of its own. A good synthetic file of few keys has replicated uniques by chance: read this together with
    ``citizen_match``, which looks at what such a record tells.

    References
    ----------
    Nowok, B., Raab, G. M. and Dibben, C. (2016), synthpop: bespoke creation of synthetic data in R, Journal of Statistical
    Software 74 (11), on replicated uniques; Raab, G. M., Nowok, B. and Dibben, C. (2024), Practical privacy metrics for synthetic
    data, arXiv:2406.16826, on repU, which is ``unique in both``.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(500, seed=1)
    >>> fresh = tc.samples.household_survey(500, seed=2)
    >>> [round(ReplicatedUniques()(data, file).parts["all columns"]) for file in (data, fresh)]
    [99, 0]
    """

    name = "replicated_uniques"
    title = "Replicated uniques"
    looks_at = "keys"
    traits = MeasureTraits(scales=SCALES, per_record=True, unit="%", upper=100.0, by_default=False, of_synthetic=True)
    columns: Columns = Selector("keys else columns")
    bins: Annotated[int, Interval(2)] = 100

    def measure(self, pair: Pair, names: tuple[str, ...]) -> Measured:
        """Return the percentage of released records with the keys of one person."""
        kept = comparable_columns(pair, names)
        if not kept:
            raise MeasureError(f"{type(self).__name__}: no column can be compared; name others in 'columns'.")
        x, y = key_cells([value_groups(pair, name, self.bins, whole=True).short() for name in kept])
        alone, met = _frequency(x, x), _frequency(y, x)
        found = (_frequency(x, y) == 1).astype(np.float64)[pair.masked_rows]
        parts = {
            "unique in original": 100 * float((alone == 1).mean()),
            "unique in both": 100 * float(((alone == 1) & (met == 1)).mean()),
        }
        every = pair.resolve(all_columns(), owner=type(self).__name__, scales=frozenset(SCALES))
        x, y = key_cells([equal_groups(pair, name).short() for name in comparable_columns(pair, every)])
        parts["all columns"] = 100 * float((_frequency(x, y) == 1)[pair.masked_rows].mean())
        note = f"keys: {names_in_a_row(kept, 6)}"
        return Measured(100 * float(found.mean()), per_record=found, parts=parts, note=note)


def _frequency(there: IntArray, cells: IntArray) -> IntArray:
    """Return for each cell how many records of a file stand in it. O(n log n)."""
    ordered = np.sort(there)
    first, last = (np.searchsorted(ordered, cells, side=side) for side in ("left", "right"))
    return np.asarray(last - first)
