"""The whole table of discrepancies: values, means, covariances, correlations and principal components."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, get_args

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import MeasureError
from tacita.core.parameters import Interval, Length
from tacita.core.traits import MeasureTraits
from tacita.data.measure import Measured
from tacita.data.pairing import Pair
from tacita.loss.base import Loss
from tacita.loss.moments import FileMoments, clean_moments, moments_of_files
from tacita.numeric.statistics.factors import align, correlation_of, principal_components
from tacita.numeric.statistics.relative import relative_differences, without_rounding

__all__ = ["IlTable", "discrepancies", "value_discrepancies"]

Row = Literal["X", "means", "V", "S", "R", "RF", "C", "F"]
Error = Literal["mean_square_error", "mean_absolute_error", "mean_variation"]
ComponentWeights = Literal["equal", "eigenvalues"]


@dataclass(frozen=True)
class _Statistics:
    """One row of the table before it is summed: statistics of both files and the weight of each."""

    original: FloatArray
    masked: FloatArray
    weights: FloatArray | None = None

    def errors(self) -> dict[str, float]:
        """Return the row's three cells; without a statistic there is none."""
        weights = np.ones(self.original.shape) if self.weights is None else self.weights
        gap = np.abs(self.original - self.masked)
        found = {
            "mean_square_error": _weighted_mean(gap**2, weights),
            "mean_absolute_error": _weighted_mean(gap, weights),
        }
        variation = relative_differences(self.original, self.masked)
        there = ~np.isnan(variation)
        # Where all statistics are 0 in both files, nothing varied.
        found["mean_variation"] = _weighted_mean(variation[there], weights[there]) if there.any() else 0.0
        return found


def _weighted_mean(cells: FloatArray, weights: FloatArray) -> float:
    total = float(weights.sum())
    return float((cells * weights).sum() / total) if total > 0 else 0.0


def value_discrepancies(columns: Iterable[tuple[FloatArray, FloatArray]]) -> dict[str, float]:
    """Return the errors of the values of paired records; cells missing in either file are left out. O(n d).

    Columns come one by one, original and masked, so that no array of the size of the file is needed.
    """
    sums, count, varied = np.zeros(3), 0, 0
    for a, b in columns:
        gap, variation = np.abs(a - b), relative_differences(a, b)
        if np.isnan(variation.sum()):
            gap, variation = gap[~np.isnan(gap)], variation[~np.isnan(variation)]
        sums += (gap @ gap, gap.sum(), variation.sum())
        count, varied = count + len(gap), varied + len(variation)
    if not count:
        return {}
    return dict(zip(get_args(Error), (sums / (count, count, max(varied, 1))).tolist(), strict=True))


def discrepancies(
    x: FloatArray | FileMoments,
    y: FloatArray | FileMoments,
    *,
    weights: ComponentWeights = "equal",
    tolerance: float = 1e-8,
) -> dict[str, dict[str, float]]:
    """Return for means, V, S, R, RF, C, F the three errors; the files need not be equally long. O(n d^2 + d^3).

    Rows without a statistic (R of a single column, RF of constant columns) are not in the result.
    """
    (mean_x, v_x), (mean_y, v_y) = clean_moments(x, y)
    upper = np.triu_indices(len(mean_x))
    rows: dict[str, _Statistics] = {
        "means": _Statistics(mean_x, mean_y),
        "V": _Statistics(v_x[upper], v_y[upper]),
        "S": _Statistics(np.diag(v_x), np.diag(v_y)),
    }
    r_x, r_y = correlation_of(v_x), correlation_of(v_y)
    varying = ~(np.isnan(np.diag(r_x)) | np.isnan(np.diag(r_y)))
    if varying.any():
        r_x, r_y = r_x[np.ix_(varying, varying)], r_y[np.ix_(varying, varying)]
        rows.update(_of_correlations(r_x, r_y, weights, tolerance))
    return {name: row.errors() for name, row in rows.items() if row.original.size}


def _of_correlations(
    r_x: FloatArray, r_y: FloatArray, weights: ComponentWeights, tolerance: float
) -> Mapping[str, _Statistics]:
    above = np.triu_indices(len(r_x), 1)
    first, second = principal_components(r_x, tolerance), principal_components(r_y, tolerance)
    aligned = align(first, second)
    share = np.ones(len(first.eigenvalues)) if weights == "equal" else first.eigenvalues / first.eigenvalues.sum()
    w = np.broadcast_to(share, first.vectors.shape)
    return {
        "R": _clean(r_x[above], r_y[above]),
        "RF": _clean(first.loadings, aligned.loadings, weights=w),
        "C": _clean(first.communalities, second.communalities),
        "F": _clean(first.coefficients, aligned.coefficients, weights=w),
    }


def _clean(original: FloatArray, masked: FloatArray, weights: FloatArray | None = None) -> _Statistics:
    """Both without what is not zero only because of rounding."""
    return _Statistics(without_rounding(original), without_rounding(masked), weights)


@dataclass(frozen=True, kw_only=True)
class IlTable(Loss):
    """Discrepancies of values, moments and principal components: the whole table of the overview.

    Rows of the table: values ``X``, ``means``, covariances ``V`` (i <= j), variances ``S``, correlations ``R`` (i < j),
    correlations of columns and principal components ``RF``, communalities ``C`` with the first component, factor score
    coefficients ``F``. Columns: ``mean_square_error`` sum (t - t')^2 / cells, ``mean_absolute_error`` sum |t - t'| / cells,
    ``mean_variation`` sum |t - t'| / |t| / cells. For RF and F the terms of component j have the weight w_j.

    All cells are in ``parts`` under names such as ``V.mean_variation``; the value is the mean of the cells that ``of``
    and ``error`` choose.

    Parameters
    ----------
    of
        Rows of the table that the value is the mean of; by default all.
    error
        Column of the table that the value is taken from. The default has no unit; the other two are in units of the
        columns (squared for the first), so that a mean over several rows has little meaning.
    component_weights
        Weights w_j of the components in RF and F: ``equal`` (1), or ``eigenvalues`` (p lambda_j / sum lambda).
    tolerance
        Components with an eigenvalue below this share of the largest one are dropped.

    Returns
    -------
    Measured
        The mean of the chosen cells, and all cells of the table.

    Raises
    ------
    MeasureError
        When a column has no value in one of the files, or none of the chosen cells can be computed.

    Complexity
    ----------
    O(n d^2 + d^3) time, O(n d) memory.

    Notes
    -----
    Only X needs paired records; for the other rows the two files may have different records. Where records are paired
    by nearness, X compares each masked record with its nearest original.

    Mean variation: a statistic that is 0 in the original is compared with its masked value, and left out where both are
    0; the number of cells shrinks with it. Statistics within 1e-12 of zero (relative to their largest possible size)
    are zero. Moments use the values that are there (pairwise for covariances) and the denominator n. Correlations and
    components leave out columns that are constant in either file.

    Choices that the papers leave open: RF, C and F come from the correlation matrix; F are the coefficients that
    give components of variance 1, ``u_ij / sqrt(lambda_j)``; the weights w_j; components of the masked file are brought into
    the order, and given the signs, that make them most like the original ones before RF and F are compared. A
    component that the masked file has lost is compared with zeros. The number of cells of RF and F is d times the
    number of components kept.

    References
    ----------
    Domingo-Ferrer, J. and Torra, V. (2001), Disclosure control methods and information loss for microdata;
    Domingo-Ferrer, J. (2007), Statistical databases, section "Measuring data utility", table of measures.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([[1.0, 3.0], [3.0, 1.0]])
    >>> discrepancies(x, x + [1.0, 0.0])["means"]
    {'mean_square_error': 0.5, 'mean_absolute_error': 0.5, 'mean_variation': 0.25}
    """

    name = "il_table"
    title = "Information loss, table of discrepancies"
    part_units = (("*.mean_variation", "ratio"), ("R.*", "correlation"), ("*", "own units"))
    traits = MeasureTraits(scales={"numeric"}, paired=True, unit="ratio")
    of: Annotated[tuple[Row, ...], Length(1)] = get_args(Row)
    error: Error = "mean_variation"
    component_weights: ComponentWeights = "equal"
    tolerance: Annotated[float, Interval(0, 1)] = 1e-8

    def measure(self, pair: Pair, names: tuple[str, ...]) -> Measured:
        """Return the mean of the chosen cells."""
        moments = moments_of_files(pair, names, "IlTable")
        paired = (pair.arrays((name,)) for name in names)
        found = {"X": value_discrepancies((a[:, 0], b[:, 0]) for a, b in paired)}
        found.update(discrepancies(*moments, weights=self.component_weights, tolerance=self.tolerance))
        cells = {f"{row}.{error}": value for row, errors in found.items() for error, value in errors.items()}
        parts = {name: value for name, value in cells.items() if np.isfinite(value)}
        chosen = [parts[f"{row}.{self.error}"] for row in self.of if f"{row}.{self.error}" in parts]
        if not chosen:
            raise MeasureError(
                f"IlTable: none of the rows {', '.join(self.of)} can be computed for these columns; choose others in 'of'."
            )
        return Measured(float(np.mean(chosen)), parts=parts, note=". ".join(self._notes(pair, cells, parts)))

    def _notes(self, pair: Pair, cells: Mapping[str, float], parts: Mapping[str, float]) -> Iterator[str]:
        absent = [row for row in get_args(Row) if not any(cell.startswith(f"{row}.") for cell in cells)]
        if absent:
            yield f"nothing to compare for {', '.join(absent)}"
        if len(parts) < len(cells):
            yield f"too large for a number: {', '.join(name for name in cells if name not in parts)}"
        if not pair.is_true_pairing and "X" in self.of:
            yield "X compares each record with its nearest original"
