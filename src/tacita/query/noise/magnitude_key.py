"""Noise for totals in proportion to the largest contributors, with multipliers that a key decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.constraints import Interval, Length
from tacita.core.errors import DataError, ParameterError
from tacita.core.keyed import Key
from tacita.core.parameterised import Parameterised
from tacita.query.noise.set_numbers import keyed_uniforms, set_uniforms

__all__ = ["LargestContributors", "MagnitudeKey", "largest_in_cells"]


@dataclass(frozen=True, eq=False)
class LargestContributors:
    """The largest contributors of each cell.

    Parameters
    ----------
    amounts
        (m, K): what they contribute, by falling size; 0 where a cell has fewer.
    ids
        (m, K): who they are.
    """

    amounts: FloatArray
    ids: npt.NDArray[np.uint64]

    def __repr__(self) -> str:
        return f"LargestContributors(cells={len(self.amounts)}, kept={self.amounts.shape[1]})"


def largest_in_cells(
    values: FloatArray, ids: npt.NDArray[np.uint64], cells: IntArray, count: int, *, depth: int
) -> LargestContributors:
    """Return the ``depth`` largest contributors of each of ``count`` cells, by size regardless of sign.

    Parameters
    ----------
    values, ids, cells
        (n,): amount, who, and the cell of each record from 0; a cell of -1 belongs to no cell, a missing amount to nobody.
    count
        Number of cells.
    depth
        How many to keep.

    Notes
    -----
    Equal amounts stand in the order of their ids, so the result does not depend on the order of records. The ids must be
    those of contributors, each with one record in a cell. Complexity: O(n log n) time at worst, near O(n) where cells are
    large, because a sixteenth of the records tells which of the others can be among the largest.

    Examples
    --------
    >>> ids = np.array([7, 8, 9], dtype=np.uint64)
    >>> largest_in_cells(np.array([1.0, -5.0, 2.0]), ids, np.array([0, 0, 1]), 2, depth=2).amounts.tolist()
    [[-5.0, 1.0], [2.0, 0.0]]
    """
    used = np.flatnonzero((cells >= 0) & ~np.isnan(values))
    if len(used) > 64 * count * depth:
        used = used[np.abs(values[used]) >= _floors(values, cells, used[::16], count, depth)[cells[used]]]
    order = used[np.lexsort((ids[used], -np.abs(values[used]), cells[used]))]
    ordered = cells[order]
    place = _places(ordered)
    kept = place < depth
    amounts, who = np.zeros((count, depth)), np.zeros((count, depth), dtype=np.uint64)
    amounts[ordered[kept], place[kept]] = values[order[kept]]
    who[ordered[kept], place[kept]] = ids[order[kept]]
    return LargestContributors(amounts, who)


def _floors(values: FloatArray, cells: IntArray, some: IntArray, count: int, depth: int) -> FloatArray:
    """Return an amount for each cell that its ``depth`` largest reach, from some of the records: the others need no sorting."""
    order = some[np.lexsort((-np.abs(values[some]), cells[some]))]
    last = _places(cells[order]) == depth - 1
    floors = np.zeros(count)
    floors[cells[order[last]]] = np.abs(values[order[last]])
    return floors


def _places(ordered: IntArray) -> IntArray:
    """Return the place of each record within its cell, where cells are ascending."""
    return np.arange(len(ordered)) - np.searchsorted(ordered, ordered)


@dataclass(frozen=True, kw_only=True)
class MagnitudeKey(Parameterised):
    """Change each total by shares of its largest contributors.

    With the K largest contributors x_1, ..., x_K of a cell the shown total is ``X + sum_k m_k d_k s_k abs(x_k)``: m_k are
    the multipliers, d_k = -1 or 1 is the direction of the contributor, the same in every cell, and s_k is uniform on [1 -
    spread, 1 + spread], keyed by the contributor and the cell's members. The mean over keys is X.

    Protects against the p % attack on the largest contributor, against differences (the noise is as large as the large
    contributors, whatever the difference is) and, by the directions that never change, against averaging the noise of one
    contributor over many cells. Does not protect zero totals: they stay zero. It does not protect the small contributors of a
    cell from each other more than their share of its noise.

    Parameters
    ----------
    multipliers
        m_1, ..., m_K: the mean size of the noise as a share of the largest contributor, the second largest and so on.
    spread
        How much a multiplier varies from cell to cell, below 1; with 0 each contributor would have one false value for ever,
        and totals of the same largest ones would differ by exact amounts.

    Notes
    -----
    A lone contributor is at least ``m_1 (1 - spread)`` off; with several, directions can cancel. The ABS uses up to four
    contributors. The directions and the shapes are drawn for the variable, so two variables of one contributor move apart
    independently, and their ratio is not exact. Means are made from what is shown, see
    :func:`~tacita.query.noise.cell_noise.means_of`; a weighted count is a total of weights.

    Complexity: O(m K) for m cells.

    References
    ----------
    Thompson, G., Broadfoot, S. and Elazar, D. (2013), Methodology for the automatic confidentialisation of statistical
    outputs from remote servers at the Australian Bureau of Statistics, UNECE work session on statistical data
    confidentiality, section on magnitude tables.

    Examples
    --------
    >>> MagnitudeKey(multipliers=(0.2,), spread=0.5).multipliers
    (0.2,)
    """

    name: ClassVar[str] = "magnitude_key"
    multipliers: Annotated[tuple[float, ...], Length(1)] = (0.3, 0.2, 0.1)
    spread: Annotated[float, Interval(0, 1, "left")] = 0.5

    def check(self) -> None:
        """Look at each multiplier."""
        if not all(0 < m < 1 for m in self.multipliers):
            raise ParameterError(f"MagnitudeKey: 'multipliers' must be in (0, 1), got {list(self.multipliers)}.")

    def noise(
        self, largest: LargestContributors, counts: IntArray, sums: IntArray, *, key: Key, variable: str
    ) -> FloatArray:
        """Return what is added to each total; see :meth:`protect`."""
        shares = np.asarray(self.multipliers)
        if largest.amounts.shape != (len(counts), len(shares)):
            raise ParameterError(
                f"MagnitudeKey: there must be {len(shares)} largest contributors for each of {len(counts)} cells, "
                f"got {largest.amounts.shape}."
            )
        if not np.isfinite(largest.amounts).all():
            raise DataError("MagnitudeKey: contributions must be finite; leave missing ones out.")
        # Under other multipliers the numbers are others: one number at two sizes would give the amounts back.
        key = key.derive("magnitude", repr((self.multipliers, self.spread)))
        # A word that stands for the cell and one for the contributor make the block that decides the shape.
        cell = (set_uniforms(key, sums, counts, "total", variable) * 2.0**53).astype(np.uint64)
        ids = largest.ids.ravel()
        pairs = np.stack([ids, np.repeat(cell, len(shares))], axis=1)
        shape = 1 + self.spread * (2 * keyed_uniforms(key.derive("shape", variable), pairs) - 1)
        direction = np.where(keyed_uniforms(key.derive("direction", variable), ids) < 0.5, -1.0, 1.0)
        moves = (direction * shape).reshape(largest.amounts.shape) * np.abs(largest.amounts)
        # Column by column: the sum of a row does not depend on how many rows there are.
        noise = np.zeros(len(counts))
        for k, share in enumerate(shares):
            noise += share * moves[:, k]
        return noise

    def protect(
        self,
        totals: FloatArray,
        largest: LargestContributors,
        counts: IntArray,
        sums: IntArray,
        *,
        key: Key,
        variable: str,
    ) -> FloatArray:
        """Return the totals that are shown.

        Parameters
        ----------
        totals
            (m,): the true totals.
        largest
            Their largest contributors, as many as there are multipliers.
        counts, sums
            (m,) and (m, 2): members of each cell and the exact sums of their record keys.
        key
            The secret key of the noise of this data version.
        variable
            The variable that was added up.

        Raises
        ------
        ParameterError
            When shapes do not fit.
        DataError
            When a contribution is not finite.
        """
        return totals + self.noise(largest, counts, sums, key=key, variable=variable)
