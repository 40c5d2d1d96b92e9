"""Combining rules: one estimate and an honest interval from the estimates of M synthetic files.

With estimates q_l and their estimated variances u_l from the files l = 1, ..., m, their means q and u, and the variance b of the
q_l between the files:

- fully synthetic: ``T = (1 + 1/m) b - u``, t distribution with ``(m - 1) (1 - u / ((1 + 1/m) b))^2`` degrees of freedom;
- partially synthetic: ``T = u + b / m``, with ``(m - 1) (1 + m u / b)^2``;
- multiple imputation of missing values: ``T = u + (1 + 1/m) b``, with ``(m - 1) (1 + u / ((1 + 1/m) b))^2``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.errors import ParameterError

__all__ = ["Combined", "CombiningKind", "combine"]

CombiningKind: TypeAlias = Literal["partially", "fully", "missing"]
"""How the files were made: some values drawn, all values of people who were not sampled drawn, or missing values filled in."""


@dataclass(frozen=True, eq=False)
class Combined:
    """Estimates from several files, put together. All arrays have one entry for each quantity.

    Parameters
    ----------
    names
        What the quantities are called; empty where they have no names.
    estimates
        The estimates.
    variances
        Their estimated variances.
    freedom
        Degrees of freedom of the t distribution; infinite where the files do not differ.
    low, high
        Ends of the interval.
    between, within
        Variance of the estimates between the files, and mean of the variances that the files themselves give.
    was_negative
        For fully synthetic files: where the rule gave a negative variance, and the adjusted one was taken.
    kind, files, level
        How the files were made, how many there are, and the level of the intervals.
    """

    names: tuple[str, ...]
    estimates: FloatArray
    variances: FloatArray
    freedom: FloatArray
    low: FloatArray
    high: FloatArray
    between: FloatArray = field(repr=False)
    within: FloatArray = field(repr=False)
    was_negative: BoolArray = field(repr=False)
    kind: CombiningKind = "partially"
    files: int = 0
    level: float = 0.95

    @property
    def errors(self) -> FloatArray:
        """Standard errors."""
        return np.sqrt(self.variances)

    def __getitem__(self, name: str) -> dict[str, float]:
        """Return one quantity by its name."""
        if name not in self.names:
            raise ParameterError(f"There is no quantity '{name}' among those that were combined.")
        return self.to_plain()[self.names.index(name)]

    def to_plain(self) -> list[dict[str, Any]]:
        """Return one row a quantity, ready for JSON or a frame."""
        columns = {
            "estimate": self.estimates,
            "error": self.errors,
            "low": self.low,
            "high": self.high,
            "freedom": self.freedom,
        }
        named = self.names or tuple(str(i) for i in range(len(self.estimates)))
        return [
            {"name": name, **{word: float(column[i]) for word, column in columns.items()}}
            for i, name in enumerate(named)
        ]


def combine(
    estimates: Sequence[Mapping[str, float]] | ArrayLike,
    variances: Sequence[Mapping[str, float]] | ArrayLike,
    *,
    kind: CombiningKind = "partially",
    level: float = 0.95,
    size_ratio: float = 1.0,
) -> Combined:
    """Put the estimates of several synthetic files together.

    Parameters
    ----------
    estimates
        One entry a file: numbers, or a mapping from names to numbers; of one quantity a list of numbers.
    variances
        The squares of their standard errors, in the same form.
    kind
        ``partially`` synthetic (Reiter 2003), ``fully`` synthetic (Raghunathan, Reiter and Rubin 2003), or ``missing``
        values that were filled in (Rubin 1987).
    level
        Level of the intervals.
    size_ratio
        For fully synthetic files: their number of records as a share of that of the original sample. It enters where the rule
        gives a negative variance.

    Returns
    -------
    Combined
        Estimates, variances, degrees of freedom and intervals.

    Raises
    ------
    ParameterError
        When there are fewer than two files, the two forms differ, or a variance is negative.

    Notes
    -----
    The variance of the rule for fully synthetic files can be negative. Then ``size_ratio * u`` is taken, as Reiter (2002)
    proposes, and ``was_negative`` says so; degrees of freedom are then ``m - 1``. Many files, or large ones, make that rare.

    References
    ----------
    Rubin, D. B. (1987), Multiple imputation for nonresponse in surveys; Raghunathan, T. E., Reiter, J. P. and Rubin, D. B.
    (2003), Multiple imputation for statistical disclosure limitation, Journal of Official Statistics 19, 1-16; Reiter, J. P.
    (2002), Satisfying disclosure restrictions with synthetic data sets, 18, 531-543; Reiter, J. P. (2003), Inference for
    partially synthetic, public use microdata sets, Survey Methodology 29, 181-188.

    Examples
    --------
    >>> found = combine([10.0, 11.0, 12.0], [1.0, 1.0, 1.0])
    >>> found.estimates.tolist(), round(float(found.variances[0]), 4)
    ([11.0], 1.3333)
    """
    if kind not in get_args(CombiningKind):
        raise ParameterError(f"combine: 'kind' must be one of {', '.join(get_args(CombiningKind))}.")
    if not 0 < level < 1:
        raise ParameterError("combine: 'level' must be between 0 and 1.")
    if not size_ratio > 0:
        raise ParameterError("combine: 'size_ratio' must be above 0.")
    names, q = _table(estimates, "estimates", None)
    _, u = _table(variances, "variances", names)
    if q.shape != u.shape:
        raise ParameterError("combine: 'estimates' and 'variances' must have the same files and quantities.")
    if len(q) < 2:
        raise ParameterError(f"combine: there must be at least 2 files, got {len(q)}.")
    if (u < 0).any():
        raise ParameterError("combine: 'variances' must not be negative.")
    m = len(q)
    mean, within, between = q.mean(axis=0), u.mean(axis=0), q.var(axis=0, ddof=1)
    variance, freedom, negative = _ruled(kind, m, within, between, size_ratio)
    half = _quantiles(level, freedom) * np.sqrt(variance)
    return Combined(names, mean, variance, freedom, mean - half, mean + half, between, within, negative, kind, m, level)


def _ruled(
    kind: CombiningKind, m: int, within: FloatArray, between: FloatArray, size_ratio: float
) -> tuple[FloatArray, FloatArray, BoolArray]:
    """Return variances, degrees of freedom, and where the variance of the rule was negative."""
    spread = between / m if kind == "partially" else (1 + 1 / m) * between
    none = np.zeros(len(within), bool)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = within / spread
        if kind != "fully":
            freedom = (m - 1) * (1 + ratio) ** 2
            return within + spread, np.where(spread > 0, freedom, np.inf), none
        variance = spread - within
        negative = variance <= 0
        variance = np.where(negative, size_ratio * within, variance)
        freedom = np.where(negative, float(m - 1), (m - 1) * (1 - ratio) ** 2)
    return variance, np.maximum(freedom, 1e-3), negative


def _quantiles(level: float, freedom: FloatArray) -> FloatArray:
    """Return the quantiles of t distributions; of the normal one where the degrees of freedom are infinite."""
    from scipy import stats

    part = 0.5 + level / 2
    finite = np.where(np.isfinite(freedom), freedom, 1e9)
    return np.asarray(np.where(np.isfinite(freedom), stats.t.ppf(part, finite), stats.norm.ppf(part)), np.float64)


def _table(given: Any, name: str, like: tuple[str, ...] | None) -> tuple[tuple[str, ...], FloatArray]:
    """Return names and an array with one row a file."""
    listed = list(given)
    if listed and all(isinstance(row, Mapping) for row in listed):
        names = tuple(listed[0]) if like is None or not like else like
        if any(set(row) != set(names) for row in listed):
            raise ParameterError(f"combine: '{name}' must have the same quantities for every file.")
        return names, np.array([[float(row[word]) for word in names] for row in listed])
    try:
        found = np.asarray(listed, np.float64)
    except (TypeError, ValueError):
        raise ParameterError(
            f"combine: '{name}' must be numbers, or a mapping of names to numbers for each file."
        ) from None
    if found.ndim == 1:
        found = found[:, None]
    if found.ndim != 2 or not np.isfinite(found).all():
        raise ParameterError(f"combine: '{name}' must have a finite number for each quantity of each file.")
    return (), found
