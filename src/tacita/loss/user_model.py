"""A user's model: the same regression of two files, and how far the confidence intervals of its coefficients overlap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import MeasureError
from tacita.data.pairing import Pair
from tacita.data.side_by_side.categories import file_codes
from tacita.loss.design import Terms, categorical_terms, numeric_terms, side_by_side
from tacita.numeric.statistics.regression import Fit, independent_columns, least_squares, logistic

__all__ = ["ComparedModel", "Model", "UserModel", "column_terms", "interval_overlap", "quantile_of"]

Model = Literal["auto", "linear", "logistic"]


def interval_overlap(low: FloatArray, high: FloatArray, low2: FloatArray, high2: FloatArray) -> FloatArray:
    """Return the mean share of two intervals that their intersection covers; 0 where they do not meet.

    ``J = 1/2 ((U - L) / (high - low) + (U - L) / (high2 - low2))`` with L the larger lower and U the smaller upper end. An
    interval that is a single point is covered wholly or not at all.

    Examples
    --------
    >>> import numpy as np
    >>> interval_overlap(np.array([0.0]), np.array([4.0]), np.array([2.0]), np.array([4.0]))
    array([0.75])
    """
    common = np.minimum(high, high2) - np.maximum(low, low2)
    rounding = 1e-9 * np.maximum.reduce([np.abs(low), np.abs(high), np.abs(low2), np.abs(high2)])

    def covered(width: FloatArray) -> FloatArray:
        point = width <= rounding
        share = np.divide(common, width, out=np.zeros_like(common), where=~point)
        return np.asarray(np.where(point, common >= -rounding, np.clip(share, 0.0, 1.0)))

    return np.asarray((covered(high - low) + covered(high2 - low2)) / 2)


@dataclass(frozen=True, eq=False)
class ComparedModel:
    """What became of the coefficients of a model.

    Parameters
    ----------
    overlaps
        For each coefficient the overlap of its intervals in the two files, 0 where the masked file gives none.
    differences
        For each that could be estimated from both, the difference in standard errors of the original.
    kind
        ``linear`` or ``logistic``.
    incomplete
        How many records of the original and of the masked file lack a value of the model.
    is_fitted
        Whether the masked file could be fitted at all.
    """

    overlaps: Mapping[str, float]
    differences: Mapping[str, float]
    kind: str
    incomplete: tuple[int, int]
    is_fitted: bool


@dataclass(frozen=True, eq=False)
class UserModel:
    """A response and the terms that explain it, in both files.

    Parameters
    ----------
    response
        The name of the response.
    outcome
        Its values; 0 and 1 where the model is logistic.
    terms
        The terms that explain it.
    is_binary
        Whether the model is logistic.
    owner
        The measure that fits it, for messages.
    """

    response: str
    outcome: Terms = field(repr=False)
    terms: Terms = field(repr=False)
    is_binary: bool
    owner: str

    @classmethod
    def of(cls, pair: Pair, response: str, terms: Terms, model: Model, *, owner: str) -> UserModel:
        """Return the model of a response; ``auto`` is logistic where it has two values, the same in both files."""
        outcome, is_binary = _outcome(pair, response, model, owner)
        return cls(response, outcome, terms, is_binary, owner)

    def compare(
        self, confidence: float, rows: IntArray | slice = slice(None), masked_rows: IntArray | slice = slice(None)
    ) -> ComparedModel:
        """Fit the model to both files, or to some of their records, and compare the intervals."""
        terms, outcome = (
            Terms(part.names, part.original[rows], part.masked[masked_rows]) for part in (self.terms, self.outcome)
        )
        there, masked_there = (a & b for a, b in zip(terms.complete(), outcome.complete(), strict=True))
        x, y = terms.original[there], outcome.original[there, 0]
        kept = independent_columns(x)
        if len(y) <= kept.sum() + 1:
            raise MeasureError(
                f"{self.owner}: the model of '{self.response}' has {int(kept.sum()) + 1} terms, but only {len(y)} records of "
                "the original are complete; take fewer columns."
            )
        first = (logistic if self.is_binary else least_squares)(x[:, kept], y)
        if not first.converged:
            raise MeasureError(
                f"{self.owner}: the two groups of '{self.response}' can be told apart by the other columns without error, "
                "so a logistic model has no coefficients; take other columns or a linear model."
            )
        names = ["intercept", *(name for name, is_kept in zip(terms.names, kept, strict=True) if is_kept)]
        z = outcome.masked[masked_there, 0]
        second, estimated = _masked_fit(terms.masked[masked_there][:, kept], z, self.is_binary)
        overlaps, differences = (
            (dict.fromkeys(names, 0.0), {})
            if second is None
            else self._compared(first, second, estimated, names, confidence)
        )
        return ComparedModel(
            overlaps,
            differences,
            "logistic" if self.is_binary else "linear",
            (int((~there).sum()), int((~masked_there).sum())),
            second is not None,
        )

    def _compared(
        self, first: Fit, second: Fit, estimated: BoolArray, names: list[str], confidence: float
    ) -> tuple[dict[str, float], dict[str, float]]:
        reach, reach2 = (
            quantile_of(confidence, None if self.is_binary else fit.freedom) * fit.errors for fit in (first, second)
        )
        b, at = first.coefficients, np.flatnonzero(estimated)
        overlap = np.zeros(len(names))
        b2 = second.coefficients
        overlap[at] = interval_overlap((b - reach)[at], (b + reach)[at], b2 - reach2, b2 + reach2)
        differences = {
            names[place]: float(abs(b[place] - new) / first.errors[place])
            for place, new in zip(at, b2, strict=True)
            if first.errors[place] > 0
        }
        return {name: float(value) for name, value in zip(names, overlap, strict=True)}, differences


def quantile_of(confidence: float, freedom: int | None) -> float:
    """Return how many standard errors an interval reaches: of Student's t, or of the normal distribution without freedom."""
    from scipy.special import ndtri, stdtrit

    level = (1 + confidence) / 2
    return float(ndtri(level) if freedom is None else stdtrit(max(freedom, 1), level))


def column_terms(pair: Pair, names: Sequence[str]) -> Terms:
    """Return columns as terms: numbers as they are, a category for each but the first."""
    numeric = {name for name in names if pair.original.schema[name].scale == "numeric"}
    made = [numeric_terms(pair, name) if name in numeric else categorical_terms(pair, name) for name in names]
    return side_by_side(pair, made)


def _outcome(pair: Pair, response: str, model: Model, owner: str) -> tuple[Terms, bool]:
    """Return the response of both files, as 0 and 1 where the model is logistic."""
    if pair.original.schema[response].scale == "numeric":
        terms = numeric_terms(pair, response)
        values = np.unique(terms.original[~np.isnan(terms.original)])
        strange = ~(np.isnan(terms.masked) | np.isin(terms.masked, values))
        if model == "linear" or (model == "auto" and (len(values) != 2 or strange.any())):
            return terms, False
        if len(values) == 2 and not strange.any():
            return Terms(terms.names, _as_indicator(terms.original, values), _as_indicator(terms.masked, values)), True
    else:
        codes = file_codes(pair, response)
        used = np.flatnonzero(np.bincount(codes.original, minlength=codes.size)[: codes.known])
        if len(used) == 2:
            level = np.full(codes.size, np.nan)
            level[used] = (0.0, 1.0)
            return Terms((response,), level[codes.original][:, None], level[codes.masked][:, None]), True
    raise MeasureError(
        f"{owner}: a logistic model needs two values of the response in both files; '{response}' has others."
    )


def _as_indicator(values: FloatArray, two: FloatArray) -> FloatArray:
    return np.asarray(np.where(np.isnan(values), np.nan, (values == two[1]).astype(np.float64)))


def _masked_fit(x: FloatArray, y: FloatArray, is_binary: bool) -> tuple[Fit | None, BoolArray]:
    """Fit the masked file, None where it has too few records or no maximum; also say which coefficients there are."""
    kept = independent_columns(x)
    if len(y) <= kept.sum() + 1:
        return None, kept
    fit = (logistic if is_binary else least_squares)(x[:, kept], y)
    return (fit if fit.converged else None), np.concatenate([[True], kept])
