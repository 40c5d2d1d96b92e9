"""Contingency tables: how far the counts of all tables of up to K columns are apart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Annotated

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.parameters import Columns, Interval
from tacita.core.progress import track
from tacita.core.selectors import Selector
from tacita.core.traits import MeasureTraits
from tacita.data.measure import Measured
from tacita.data.pairing import Pair
from tacita.data.side_by_side.categories import SharedCodes, file_codes
from tacita.loss.base import Loss
from tacita.numeric.keys.cells_of_codes import cells_of_codes

__all__ = ["Contingency", "table_differences"]


_DENSE = 2**22
"""Tables of up to this many cells are counted cell by cell; larger ones only in the cells where a record is."""


def table_differences(x: Sequence[IntArray], y: Sequence[IntArray], sizes: Sequence[int]) -> tuple[float, float]:
    """Return ``sum |x_cell - x'_cell|`` and ``sum |x_cell / n - x'_cell / n'|`` of one table. O(n), or O(n log n).

    Parameters
    ----------
    x, y
        For each dimension the codes of the records of the original and of the masked file.
    sizes
        Number of categories of each dimension.

    Examples
    --------
    >>> import numpy as np
    >>> table_differences([np.array([0, 0, 1])], [np.array([0, 1, 1])], [2])
    (2.0, 0.6666666666666666)
    """
    a, b, _ = cells_of_codes(x, y, sizes)
    if math.prod(sizes) > _DENSE:
        cells, labels = np.unique(np.concatenate([a, b]), return_inverse=True)
        a, b, count = labels[: len(a)], labels[len(a) :], len(cells)
    else:
        count = math.prod(sizes)
    before, after = np.bincount(a, minlength=count), np.bincount(b, minlength=count)
    raw = float(np.abs(before - after).sum())
    return raw, float(np.abs(before / len(a) - after / len(b)).sum())


@dataclass(frozen=True, kw_only=True)
class Contingency(Loss):
    """Difference of the contingency tables of all combinations of up to K categorical columns.

    For a table with the counts x in the original and x' in the masked file, the difference is ``sum |x - x'|`` over its
    cells. The raw loss is the sum over all tables with at most ``dimension`` = K columns. It grows with the number of
    records and of tables, so the value is its bounded form: the mean over all tables of the share of records that are
    counted in another cell, ``100 * 1/2 sum |x/n - x'/n'|`` (total variation distance; for files of equal length
    ``sum |x - x'| / (2 n)``).

    Parameters
    ----------
    columns
        The columns of the tables; by default all nominal and ordinal columns that describe the respondent.
    dimension
        The largest number K of columns of a table.

    Returns
    -------
    Measured
        The mean in percent. Parts for each number of columns k: ``k-way`` the mean of its tables in percent,
        ``k-way.sum`` the raw sum of |x - x'|, ``k-way.per_cell`` that sum over the number of cells; and ``sum`` and
        ``per_cell`` for all tables together.

    Complexity
    ----------
    O(n T) for T tables; d columns have C(d,1) + ... + C(d,K) tables. A table of more than four million cells costs
    O(n log n). O(n d) memory.

    Notes
    -----
    Records need not be paired; the files may differ in length. Missing is a category of its own where it occurs. A
    category that one file has alone counts with 0 in the other. Sampling weights are not used: counts are of records.
    Swapping values within a column leaves all tables of one column as they are, so K = 1 does not see it.

    References
    ----------
    Domingo-Ferrer, J. and Torra, V. (2001), Disclosure control methods and information loss for microdata, section
    "Comparison of contingency tables"; Domingo-Ferrer, J. (2007), Statistical databases, section "Measuring data
    utility".

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> Contingency(columns=["sex", "region"])(data, data).value
    0.0
    """

    name = "contingency"
    title = "Change of tables of categories"
    part_units = (
        ("sum", "records"),
        ("*.sum", "records"),
        ("per_cell", "records a cell"),
        ("*.per_cell", "records a cell"),
    )
    traits = MeasureTraits(scales={"nominal", "ordinal"}, unit="%", upper=100.0)
    columns: Columns = Selector("categorical columns")
    dimension: Annotated[int, Interval(1)] = 2

    def measure(self, pair: Pair, names: tuple[str, ...]) -> Measured:
        """Return the mean share of records that are counted in another cell."""
        codes = [_short(file_codes(pair, name)) for name in names]
        largest = min(self.dimension, len(names))
        tables = [chosen for k in range(1, largest + 1) for chosen in combinations(range(len(names)), k)]
        found = np.array([_compared([codes[j] for j in chosen]) for chosen in track(tables, "Comparing tables")])
        ways = np.array([len(chosen) for chosen in tables])
        parts = {"sum": float(found[:, 0].sum()), "per_cell": float(found[:, 0].sum() / found[:, 2].sum())}
        for k in range(1, largest + 1):
            raw, share, cells = found[ways == k].T
            parts[f"{k}-way"] = 50 * float(share.mean())
            parts[f"{k}-way.sum"] = float(raw.sum())
            parts[f"{k}-way.per_cell"] = float(raw.sum() / cells.sum())
        note = f"{len(tables)} tables of up to {largest} column{'s' if largest > 1 else ''}"
        return Measured(50 * float(found[:, 1].mean()), parts=parts, note=note)


def _short(codes: SharedCodes) -> SharedCodes:
    """Return codes in as few bytes as they need: those of all columns are held at once."""
    kind = np.min_scalar_type(codes.size)
    x = codes.original.astype(kind)
    return replace(codes, original=x, masked=x if codes.masked is codes.original else codes.masked.astype(kind))


def _compared(codes: Sequence[SharedCodes]) -> tuple[float, float, float]:
    sizes = [c.size for c in codes]
    if all(c.masked is c.original for c in codes):
        return 0.0, 0.0, float(math.prod(sizes))
    x, y = (
        [values.astype(np.int64) for values in side]
        for side in zip(*((c.original, c.masked) for c in codes), strict=True)
    )
    raw, share = table_differences(x, y, sizes)
    return raw, share, float(math.prod(sizes))
