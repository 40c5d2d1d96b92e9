"""S_pMSE of tables: whether tables of one and two columns of a synthetic file differ from the original by more than chance."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import Annotated

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import MeasureError
from tacita.core.parameters import Columns, Interval
from tacita.core.progress import track
from tacita.core.selectors import Selector
from tacita.core.traits import MeasureTraits
from tacita.data.measure import Measured
from tacita.data.microdata import Microdata
from tacita.data.pairing import Pair
from tacita.data.side_by_side.groups import ValueGroups, comparable_columns, value_groups
from tacita.loss.base import Loss
from tacita.numeric.keys.cells_of_codes import cells_of_codes

__all__ = ["TablePmse", "TablesMeasured", "s_pmse_of_counts"]

_DENSE = 2**22
"""Tables of up to this many cells are counted cell by cell; larger ones only in the cells where a record is."""


def s_pmse_of_counts(before: FloatArray, after: FloatArray) -> float:
    """Return pMSE of the saturated model of a table over its mean for records drawn from the original. O(cells).

    ``pMSE = sum n_cell (s_cell / n_cell - c)^2 / N`` with the counts s of the masked file, n of both together and c = sum s / N;
    ``E pMSE = (cells - 1)(1 - c)^2 c / N``. Cells that are empty in both files do not count.

    Examples
    --------
    >>> import numpy as np
    >>> s_pmse_of_counts(np.array([50.0, 50.0]), np.array([60.0, 40.0]))
    4.0404...
    """
    together = before + after
    used = together > 0
    cells = int(used.sum())
    if cells < 2:
        return 0.0
    n = float(together.sum())
    c = float(after.sum()) / n
    found = float((together[used] * (after[used] / together[used] - c) ** 2).sum()) / n
    return found * n / ((cells - 1) * (1 - c) ** 2 * c)


@dataclass(frozen=True, eq=False)
class TablesMeasured(Measured):
    """The result of :class:`TablePmse`, with the ratio of every table.

    Parameters
    ----------
    columns
        The columns of the tables.
    matrix
        (d, d): at i, j the ratio of the table of the columns i and j, on the diagonal that of one column.
    """

    columns: tuple[str, ...] = ()
    matrix: FloatArray = field(default_factory=lambda: np.empty((0, 0)), repr=False)


@dataclass(frozen=True, kw_only=True)
class TablePmse(Loss):
    """How far tables of one and two columns are from the original, in units of what chance would do.

    A table of both files together tells for each cell which share of its records is masked. If that share were c everywhere,
    the share of masked records as a whole, nobody could tell the files by this table. The propensity score mean squared error
    of its saturated model is ``pMSE = sum n_cell (s_cell / n_cell - c)^2 / N``, and
    ``S_pMSE = pMSE / ((cells - 1)(1 - c)^2 c / N)`` divides by its mean for records that were drawn from the original itself.
    The value is the largest S_pMSE of all tables of one and of two columns.

    Parameters
    ----------
    columns
        The columns of the tables; by default all numeric, nominal and ordinal columns that describe the respondent.
    bins
        In how many groups of about equal size numbers are cut, by the quantiles of the original.
    weighted
        Whether records count with their sampling weights.

    Returns
    -------
    TablesMeasured
        The largest ratio. Parts: ``mean`` over all tables, ``one-way`` and ``two-way``, the largest of each kind, and the ratio
        of each table: ``table.sex``, ``table.sex+region``. ``matrix`` has them all, for the heat map of the report.

    Raises
    ------
    MeasureError
        When the files have no column that can be compared.

    Complexity
    ----------
    O(n d^2) time for d columns, O(n d) bytes.

    Notes
    -----
    About 1 is what a whole synthetic file reaches whose records were drawn from the very distribution of the original: given
    the original, its counts are multinomial with the shares p of the original, so that ``E (s_cell/n_cell - c)^2`` is
    ``c^2 (1-c)^2 (1-p) / (n_s p)`` in a cell, and the sum over cells is the null above. Another sample of the same population
    has 1 / (1 - c), 2 for files of equal size, because the original has sampling error too. Masked records that come from
    originals are nearer than chance would have it, and swapping leaves tables of one column at 0. The authors call values below
    3 good and below 10 usable. It is a ratio, so it grows with the number of records for the same difference.

    A value that would fill a group of numbers alone, such as zero, has one of its own; so has each value where there are no
    more than ``bins``, and other numbers count as the nearest of them. Missing is a group. Cells that are empty in both files
    do not count. With ``weighted`` counts are sums of weights, scaled to the number of records, and the null is multiplied by
    ``n_s sum w^2 / (sum w)^2`` of the masked file.

    References
    ----------
    Raab, G. M., Nowok, B. and Dibben, C. (2021), Assessing, visualizing and improving the utility of synthetic data,
    arXiv:2109.12717, sections 2 and 3; Snoke, J., Raab, G. M., Nowok, B., Dibben, C. and Slavkovic, A. (2018), General and
    specific utility measures for synthetic data.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(500, seed=1)
    >>> masked = tc.mask.AdditiveNoise(columns=["age"], sd_ratio=3.0).apply(data, seed=7)
    >>> found = TablePmse(columns=["age", "sex", "region"])(data, masked)
    >>> found.value > 10, found.parts["table.sex+region"]
    (True, 0.0)
    """

    name = "table_pmse"
    title = "Change of one- and two-way tables (S-pMSE)"
    traits = MeasureTraits(
        scales={"numeric", "nominal", "ordinal"}, unit="times chance", by_default=False, of_synthetic=True
    )
    columns: Columns = Selector("numeric categorical columns")
    bins: Annotated[int, Interval(2)] = 5
    weighted: bool = False

    def measure(self, pair: Pair, names: tuple[str, ...]) -> TablesMeasured:
        """Return the largest ratio of all tables."""
        kept = comparable_columns(pair, names)
        if not kept:
            raise MeasureError("TablePmse: no column can be compared; those that were recoded need paired records.")
        counts = _Counts.of(pair, weighted=self.weighted)
        codes = [value_groups(pair, name, self.bins).short() for name in kept]
        matrix = np.zeros((len(kept), len(kept)))
        for i, one in enumerate(codes):
            matrix[i, i] = counts.ratio([one])
        for i, j in track(list(combinations(range(len(kept)), 2)), "Comparing tables"):
            matrix[i, j] = matrix[j, i] = counts.ratio([codes[i], codes[j]])
        return self._measured(kept, matrix, len(names) - len(kept))

    def _measured(self, names: tuple[str, ...], matrix: FloatArray, left_out: int) -> TablesMeasured:
        rows, columns = np.triu_indices(len(names))
        ratios = matrix[rows, columns]
        is_one = rows == columns
        parts = {"mean": float(ratios.mean()), "one-way": float(ratios[is_one].max())}
        if len(names) > 1:
            parts["two-way"] = float(ratios[~is_one].max())
        order = np.argsort(-ratios, kind="stable")  # the worst come first: some readers see the first few only
        for i, j in zip(rows[order], columns[order], strict=True):
            parts["table." + (names[i] if i == j else f"{names[i]}+{names[j]}")] = float(matrix[i, j])
        note = f"{len(ratios)} tables of one and two columns, numbers in {self.bins} groups"
        if left_out:
            note += f"; {left_out} recoded columns cannot be compared"
        return TablesMeasured(float(ratios.max()), parts=parts, note=note, columns=names, matrix=matrix)


@dataclass(frozen=True, eq=False)
class _Counts:
    """How records of both files are counted: by one, or by weights that add up to the number of records."""

    before: FloatArray | None
    after: FloatArray | None
    spread: float

    @classmethod
    def of(cls, pair: Pair, *, weighted: bool) -> _Counts:
        if not weighted:
            return cls(None, None, 1.0)
        before, after = (_scaled(data) for data in (pair.original, pair.masked))
        if pair.is_part:
            before, after = before[pair.rows], after[pair.masked_rows]
        whole = float(after.sum())
        return cls(before, after, len(after) * float(after @ after) / whole**2 if whole > 0 else 1.0)

    def ratio(self, codes: list[ValueGroups]) -> float:
        """Return the ratio of the table of some columns."""
        sizes = [one.size for one in codes]
        a, b, count = cells_of_codes([one.original for one in codes], [one.masked for one in codes], sizes)
        if count > _DENSE:
            labels = np.unique(np.concatenate([a, b]), return_inverse=True)[1].reshape(-1)
            a, b, count = labels[: len(a)], labels[len(a) :], int(labels.max(initial=-1)) + 1
        before, after = (
            np.bincount(cells, weights, minlength=count).astype(np.float64)
            for cells, weights in ((a, self.before), (b, self.after))
        )
        return s_pmse_of_counts(before, after) / self.spread


def _scaled(data: Microdata) -> FloatArray:
    weights = data.weights()
    whole = float(weights.sum())
    return np.asarray(weights * (len(weights) / whole)) if whole > 0 else np.ones(len(weights))
