"""Correlations that may leave: Pearson's and Spearman's, with rules on what one record does to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Annotated, Any, Literal, TypeAlias, get_args

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.constraints import Interval
from tacita.core.errors import ParameterError
from tacita.core.parameterised import Parameterised
from tacita.query.models.significant import plain_number, to_decimals
from tacita.query.models.sparse_rules import records_off_mode
from tacita.query.models.violation import ModelViolation
from tacita.query.plain_form import PlainForm

__all__ = [
    "CorrelationKind",
    "CorrelationLimits",
    "CorrelationOutcome",
    "correlate",
    "correlation_without_each",
    "pearson",
]

CorrelationKind: TypeAlias = Literal["pearson", "spearman"]


@dataclass(frozen=True, kw_only=True)
class CorrelationLimits(Parameterised):
    """Limits on correlations, which the paper leaves open.

    Parameters
    ----------
    records
        Fewest records.
    off_mode
        Fewest records in which a variable differs from its commonest value: with fewer it is a dummy of these records.
    largest
        Largest absolute correlation: above it one variable tells the other.
    influence
        Largest change by leaving out any one record.
    decimals
        Decimals of a published correlation.

    Examples
    --------
    >>> CorrelationLimits().decimals
    3
    """

    owner = "correlate"
    records: Annotated[int, Interval(3)] = 30
    off_mode: Annotated[int, Interval(1)] = 10
    largest: Annotated[float, Interval(0, 1)] = 0.98
    influence: Annotated[float, Interval(0, 2, "right")] = 0.1
    decimals: Annotated[int, Interval(1, 6)] = 3


@dataclass(frozen=True)
class CorrelationOutcome:
    """Rules that refuse a matrix of correlations, or the rounded matrix.

    Parameters
    ----------
    violations
        Empty where there is a matrix.
    kind
        Pearson's or Spearman's.
    names
        Of the variables.
    matrix
        Rounded correlations, row by row.
    """

    violations: tuple[ModelViolation, ...]
    kind: CorrelationKind
    names: tuple[str, ...]
    matrix: tuple[tuple[float, ...], ...] = field(default=())

    @property
    def reasons(self) -> tuple[str, ...]:
        """The names of the rules, each once."""
        return tuple(dict.fromkeys(violation.rule for violation in self.violations))

    def to_plain(self) -> dict[str, Any]:
        """Return the JSON form of the matrix."""
        rows = [[plain_number(value) for value in row] for row in self.matrix]
        return {"method": self.kind, "variables": list(self.names), "matrix": rows}

    @classmethod
    def from_plain(cls, given: Any) -> CorrelationOutcome:
        """Read what :meth:`to_plain` gives; an answer has no violations.

        Raises
        ------
        ParameterError
            When it is no matrix of correlations.
        """
        form = PlainForm.of("A matrix of correlations", given, ("method", "variables", "matrix"))
        names = form.texts("variables")
        rows = [PlainForm("A matrix of correlations", {"row": row}) for row in form.listed("matrix")]
        if len(rows) != len(names) or len(set(names)) < len(names):
            form.misfit("matrix", "a row for each variable")
        matrix = tuple(tuple(row.numbers("row", len(names), has_gaps=True).tolist()) for row in rows)
        return cls((), form.choice("method", get_args(CorrelationKind)), names, matrix)


def pearson(x: FloatArray, y: FloatArray, weights: FloatArray | None = None) -> float:
    """Return Pearson's correlation, NaN where a variable is constant. O(n).

    Examples
    --------
    >>> round(pearson(np.array([1.0, 2.0, 3.0]), np.array([2.0, 2.0, 5.0])), 4)
    0.866
    """
    u, v, w = _deviations(x, y, weights)
    xx, yy, xy = float((w * u * u).sum()), float((w * v * v).sum()), float((w * u * v).sum())
    return float(xy / np.sqrt(xx * yy)) if xx > 0 and yy > 0 else float("nan")


def correlation_without_each(x: FloatArray, y: FloatArray, weights: FloatArray | None = None) -> FloatArray:
    """Return for every record the correlation of all others, exactly and without computing them anew.

    With deviations u, v from the means, weights w and their sum W, leaving out record i takes w_i W / (W - w_i) times u_i^2,
    v_i^2 and u_i v_i from the three sums of products. For equal weights the factor is n / (n - 1). NaN where the others are
    constant. O(n) time and memory.

    Examples
    --------
    >>> correlation_without_each(np.array([1.0, 2.0, 3.0, 9.0]), np.array([1.0, 3.0, 2.0, 9.0])).round(3).tolist()
    [0.965, 0.992, 0.992, 0.5]
    """
    u, v, w = _deviations(x, y, weights)
    total = float(w.sum()) if weights is not None else float(len(x))
    factor = w * total / np.maximum(total - w, 1e-300)
    xx = float((w * u * u).sum()) - factor * u * u
    yy = float((w * v * v).sum()) - factor * v * v
    xy = float((w * u * v).sum()) - factor * u * v
    floor = 1e-12 * np.array([float((w * u * u).sum()), float((w * v * v).sum())])
    fine = (xx > floor[0]) & (yy > floor[1])
    return np.where(fine, xy / np.sqrt(np.where(fine, xx * yy, 1.0)), np.nan)


def correlate(
    names: Sequence[str],
    columns: Sequence[FloatArray],
    *,
    kind: CorrelationKind = "pearson",
    weights: FloatArray | None = None,
    limits: CorrelationLimits | None = None,
) -> CorrelationOutcome:
    """Return the correlations of some variables, where every pair is allowed.

    Parameters
    ----------
    names
        Of the variables, two at least.
    columns
        Their values; records with a missing one are left out.
    kind
        ``pearson`` or ``spearman`` (Pearson's of ranks; tied values share their middle rank).
    weights
        Survey weights.
    limits
        The limits.

    Returns
    -------
    CorrelationOutcome
        The rounded matrix, or ``correlation_records``, ``nearly_constant``, ``correlation_largest``,
        ``correlation_influence``. The whole matrix is refused for one pair: a hole in it would tell which.

    Raises
    ------
    ParameterError
        When there are fewer than two variables, one stands twice, lengths differ, or the kind is unknown.

    Complexity
    ----------
    O(n d^2), and O(n log n d) for ranks.

    Notes
    -----
    A correlation with the dummy of one record is that record's deviation in units of the spread: (y_i - mean) / (sd sqrt(n - 1)).
    The limit on records off the mode refuses dummies, the limit on influence refuses every variable that acts as one.
    Influence on Spearman's correlation is measured with the ranks of all records: ranking anew moves it by O(1 / n), and ranks
    bound what one record can do.

    Examples
    --------
    >>> rng = np.random.default_rng(5)
    >>> x = rng.normal(size=500)
    >>> correlate(["x", "y"], [x, x + rng.normal(size=500)]).matrix
    ((1.0, 0.688), (0.688, 1.0))
    """
    limits = CorrelationLimits() if limits is None else limits
    _check(names, columns, kind, weights)
    there = np.logical_and.reduce([np.isfinite(column) for column in columns])
    kept = [np.asarray(column, dtype=np.float64)[there] for column in columns]
    w = None if weights is None else weights[there]

    def refused(rule: str, detail: str) -> CorrelationOutcome:
        return CorrelationOutcome((ModelViolation(rule, detail),), kind, tuple(names))

    if len(kept[0]) < limits.records:
        return refused("correlation_records", f"fewer than {limits.records} complete records")
    for name, column in zip(names, kept, strict=True):
        if records_off_mode(column) < limits.off_mode:
            return refused("nearly_constant", f"'{name}' differs from its commonest value in too few records")
    if kind == "spearman":
        from scipy.stats import rankdata

        kept = [np.asarray(rankdata(column), dtype=np.float64) for column in kept]
    made = np.eye(len(names))
    for i, j in combinations(range(len(names)), 2):
        r = pearson(kept[i], kept[j], w)
        if not abs(r) <= limits.largest:
            return refused("correlation_largest", f"'{names[i]}' and '{names[j]}' tell each other")
        without = correlation_without_each(kept[i], kept[j], w)
        if not float(np.abs(without - r).max()) <= limits.influence:  # NaN is refused as well
            return refused(
                "correlation_influence", f"one record moves the correlation of '{names[i]}' and '{names[j]}'"
            )
        made[i, j] = made[j, i] = to_decimals(r, limits.decimals)
    return CorrelationOutcome((), kind, tuple(names), tuple(tuple(row) for row in made.tolist()))


def _deviations(x: FloatArray, y: FloatArray, weights: FloatArray | None) -> tuple[FloatArray, FloatArray, FloatArray]:
    w = np.ones(1) if weights is None else weights
    total = float(len(x)) if weights is None else float(w.sum())
    return x - float((w * x).sum()) / total, y - float((w * y).sum()) / total, w


def _check(
    names: Sequence[str], columns: Sequence[FloatArray], kind: CorrelationKind, weights: FloatArray | None
) -> None:
    if len(names) < 2 or len(set(names)) < len(names) or len(names) != len(columns):
        raise ParameterError("correlate: there must be two variables or more, each once, with a column each.")
    if kind not in ("pearson", "spearman"):
        raise ParameterError(f"correlate: 'kind' must be one of pearson, spearman, got '{str(kind)[:60]}'.")
    if len({len(column) for column in columns} | ({len(weights)} if weights is not None else set())) > 1:
        raise ParameterError("correlate: all columns must have one entry a record; take them from the same records.")
