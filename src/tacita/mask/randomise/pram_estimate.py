"""Tables of post-randomised data, corrected by their users for the known transition matrices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.data.microdata import Microdata
from tacita.mask.randomise.pram import Transition

__all__ = ["PramTable", "pram_table"]


_MOST_CELLS = 3000


@dataclass(frozen=True, eq=False)
class PramTable:
    """An estimated table of original frequencies.

    Parameters
    ----------
    labels
        Categories of each axis.
    released
        Frequencies as released.
    estimate
        Unbiased estimate of the original frequencies; cells may be negative.
    sd
        Standard deviation that post-randomisation adds to each cell.
    """

    labels: tuple[tuple[str, ...], ...]
    released: FloatArray
    estimate: FloatArray
    sd: FloatArray


def pram_table(
    masked: Microdata, columns: Sequence[str], transitions: Mapping[tuple[str, ...], Sequence[Transition]]
) -> PramTable:
    """Estimate the original table of some columns from post-randomised data.

    Parameters
    ----------
    masked
        The released data.
    columns
        The columns of the table.
    transitions
        The matrices that the data owner hands out (:meth:`tacita.mask.Pram.transitions`); columns without one were not
        changed.

    Returns
    -------
    PramTable
        Released and estimated frequencies and the standard deviation of the estimate.

    Raises
    ------
    ParameterError
        When a matrix cannot be inverted, was used within strata, or joins columns.
    DataError
        When a column has values that its matrix does not release, or the table has too many cells.

    Notes
    -----
    Records without a value in one of the columns are left out. The variance treats columns as changed independently,
    which they are.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(2000, seed=1)
    >>> mask = tc.mask.Pram(columns=["region"], pd=0.8)
    >>> masked = mask.apply(data, seed=7)
    >>> found = pram_table(masked, ["region"], mask.transitions(data, seed=7))
    >>> bool(abs(found.estimate.sum() - 2000) < 1e-6)
    True
    """
    from tacita.numeric.perturbation.pram import corrected_table, correction_variance  # loads when used

    axes = [_axis(masked, name, transitions) for name in columns]
    shape = tuple(len(labels) for labels, _, _ in axes)
    if int(np.prod(shape)) > _MOST_CELLS:
        raise DataError(
            f"pram_table: the table would have {int(np.prod(shape))} cells; at most {_MOST_CELLS} are handled."
        )
    codes = np.stack([values for _, _, values in axes])
    there = (codes >= 0).all(axis=0)
    released = np.zeros(shape)
    np.add.at(released, tuple(codes[:, there]), 1.0)
    matrices = [matrix for _, matrix, _ in axes]
    estimate = corrected_table(released, matrices)
    variance = correction_variance(estimate, matrices)
    return PramTable(tuple(labels for labels, _, _ in axes), released, estimate, np.sqrt(variance))


def _axis(
    masked: Microdata, name: str, transitions: Mapping[tuple[str, ...], Sequence[Transition]]
) -> tuple[tuple[str, ...], FloatArray | None, IntArray]:
    """Return labels, matrix and codes of one column."""
    codes = masked.codes(name)
    texts = [str(value) for value in codes.categories]
    joined = [together for together in transitions if name in together and len(together) > 1]
    if joined:
        raise ParameterError(
            f"pram_table: '{name}' was changed jointly with other columns; tabulate them as one variable."
        )
    if (name,) not in transitions:
        return tuple(texts), None, codes.values
    used = transitions[(name,)]
    if len(used) != 1:
        raise ParameterError(f"pram_table: '{name}' was changed within {len(used)} strata; estimate each by itself.")
    matrix, labels = used[0].matrix, used[0].released
    if matrix.shape[0] != matrix.shape[1] or np.linalg.matrix_rank(matrix) < len(matrix):
        raise ParameterError(
            f"pram_table: the matrix of '{name}' cannot be inverted, so its table cannot be corrected."
        )
    place = {label: i for i, label in enumerate(labels)}
    unknown = sum(text not in place for text in texts)
    if unknown:
        raise DataError(f"pram_table: column '{name}' has {unknown} value(s) that its matrix does not release.")
    shift = np.array([place[text] for text in texts] + [-1], dtype=np.int64)
    return labels, matrix, shift[codes.values]
