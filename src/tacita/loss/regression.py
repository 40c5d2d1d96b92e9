"""Regression overlap: whether a regression on the masked data leads to the conclusions of the original one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.errors import ColumnError, MeasureError
from tacita.core.parameters import ColumnName, Columns, Interval
from tacita.core.selectors import Selector
from tacita.core.traits import MeasureTraits
from tacita.data.measure import Measured
from tacita.data.pairing import Pair
from tacita.data.side_by_side.categories import file_codes
from tacita.loss.base import Loss
from tacita.loss.design import Terms, categorical_terms, numeric_terms, side_by_side
from tacita.numeric.statistics.regression import Fit, independent_columns, least_squares, logistic

__all__ = ["RegressionOverlap", "interval_overlap"]

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


@dataclass(frozen=True, kw_only=True)
class RegressionOverlap(Loss):
    """How little the confidence intervals of regression coefficients overlap before and after masking.

    The same regression is fitted to the original and to the masked file. For each coefficient with confidence intervals
    (l, u) and (l', u') the overlap is ``J = 1/2 ((U - L) / (u - l) + (U - L) / (u' - l'))``, where (L, U) is their
    intersection, and 0 where they do not meet. The value is ``100 (1 - mean J)``.

    Parameters
    ----------
    columns
        The variables of the model; by default all numeric columns that describe the respondent. Nominal and ordinal
        columns enter as one 0-1 term for each category but the first.
    response
        The variable that is explained by the others; by default the last numeric one of ``columns``.
    model
        ``linear``, ``logistic``, or ``auto``: logistic where the response has two values in the original and no other
        ones in the masked file, otherwise linear.
    confidence
        Level of the confidence intervals.

    Returns
    -------
    Measured
        The value in percent. For each coefficient ``overlap.term``, J as a share, and ``difference.term``, the
        difference of the coefficients in standard errors of the original one.

    Raises
    ------
    MeasureError
        When the model cannot be fitted to the original: fewer complete records than terms, a response that is not
        numeric and has not two categories, groups that the other variables separate.

    Complexity
    ----------
    O(n q^2) time for q terms (times the number of Newton steps for a logistic model), O(n q) memory.

    Notes
    -----
    Records with a missing value in a variable of the model are left out, in each file its own; so are masked records
    with a category that the original does not have. Terms that are combinations of terms before them in the original
    are left out of both models. A coefficient that cannot be estimated from the masked file has overlap 0; where the
    whole model cannot, the value is 100. Intervals are those of Student's t for a linear and of the normal distribution
    for a logistic model; of a model that fits exactly they are points. The intercept counts like every coefficient. Terms
    of categories are named by the position of the category.

    References
    ----------
    Karr, A. F., Kohnen, C. N., Oganian, A., Reiter, J. P. and Sanil, A. P. (2006), A framework for evaluating the
    utility of data altered to protect confidentiality, The American Statistician 60, section 3.2.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> RegressionOverlap(columns=["age", "earnings", "tax"], response="tax")(data, data).value
    0.0
    """

    name = "regression_overlap"
    title = "Loss of regression estimates"
    part_units = (("overlap.*", "of 1"), ("difference.*", "standard errors"))
    traits = MeasureTraits(scales={"numeric", "nominal", "ordinal"}, unit="%", upper=100.0, by_default=False)
    columns: Columns = Selector("numeric columns")
    response: ColumnName | None = None
    model: Model = "auto"
    confidence: Annotated[float, Interval(0, 1, closed="neither")] = 0.95

    def measure(self, pair: Pair, names: tuple[str, ...]) -> Measured:
        """Return what is missing to complete overlap."""
        response = self._response(pair, names)
        outcome, is_binary = self._outcome(pair, response)
        terms = _terms(pair, tuple(name for name in names if name != response))
        rows, masked_rows = (a & b for a, b in zip(terms.complete(), outcome.complete(), strict=True))
        x, y = terms.original[rows], outcome.original[rows, 0]
        kept = independent_columns(x)
        if len(y) <= kept.sum() + 1:
            raise MeasureError(
                f"RegressionOverlap: the model has {int(kept.sum()) + 1} terms, but only {len(y)} records of the original are "
                "complete; choose fewer 'columns'."
            )
        fit = logistic if is_binary else least_squares
        first = fit(x[:, kept], y)
        if not first.converged:
            raise MeasureError(
                f"RegressionOverlap: the two groups of '{response}' can be told apart by the other columns without error, so "
                "a logistic model has no coefficients; choose other 'columns' or a linear 'model'."
            )
        names_kept = ["intercept", *(name for name, there in zip(terms.names, kept, strict=True) if there)]
        second, estimated = _masked_fit(terms.masked[masked_rows][:, kept], outcome.masked[masked_rows, 0], is_binary)
        left_out = int((~rows).sum()), int((~masked_rows).sum())
        words = f"{'logistic' if is_binary else 'linear'} regression of {response}"
        if any(left_out):
            words += f"; {left_out[0]} original and {left_out[1]} masked records are incomplete"
        if second is None:
            return Measured(
                100.0, parts={f"overlap.{n}": 0.0 for n in names_kept}, note=f"{words}; none for the masked"
            )
        parts = self._compared(first, second, estimated, names_kept, is_binary)
        overlap = np.mean([value for name, value in parts.items() if name.startswith("overlap.")])
        return Measured(max(100 * (1 - float(overlap)), 0.0), parts=parts, note=words)

    def _response(self, pair: Pair, names: tuple[str, ...]) -> str:
        if self.response is not None:
            owner, scales = type(self).__name__, frozenset(self.traits.scales)
            return pair.resolve((self.response,), owner=owner, scales=scales)[0]
        numeric = [name for name in names if pair.original.schema[name].scale == "numeric"]
        if not numeric:
            raise ColumnError("RegressionOverlap: none of the columns is numeric; name the 'response'.")
        return numeric[-1]

    def _outcome(self, pair: Pair, response: str) -> tuple[Terms, bool]:
        """Return the response of both files, as 0 and 1 where the model is logistic."""
        if pair.original.schema[response].scale == "numeric":
            terms = numeric_terms(pair, response)
            values = np.unique(terms.original[~np.isnan(terms.original)])
            strange = ~(np.isnan(terms.masked) | np.isin(terms.masked, values))
            if self.model == "linear" or (self.model == "auto" and (len(values) != 2 or strange.any())):
                return terms, False
            if len(values) == 2 and not strange.any():
                return Terms(
                    terms.names, _as_indicator(terms.original, values), _as_indicator(terms.masked, values)
                ), True
        else:
            codes = file_codes(pair, response)
            used = np.flatnonzero(np.bincount(codes.original, minlength=codes.size)[: codes.known])
            if len(used) == 2:
                level = np.full(codes.size, np.nan)
                level[used] = (0.0, 1.0)
                return Terms((response,), level[codes.original][:, None], level[codes.masked][:, None]), True
        raise MeasureError(
            f"RegressionOverlap: a logistic model needs two values of the response in both files; '{response}' has others."
        )

    def _compared(
        self, first: Fit, second: Fit, estimated: BoolArray, names: list[str], is_binary: bool
    ) -> dict[str, float]:
        reach, reach2 = (self._quantile(fit, is_binary) * fit.errors for fit in (first, second))
        b, at = first.coefficients, np.flatnonzero(estimated)
        overlap = np.zeros(len(names))
        b2 = second.coefficients
        overlap[at] = interval_overlap((b - reach)[at], (b + reach)[at], b2 - reach2, b2 + reach2)
        parts = {f"overlap.{name}": float(value) for name, value in zip(names, overlap, strict=True)}
        for place, new in zip(at, b2, strict=True):
            if first.errors[place] > 0:
                parts[f"difference.{names[place]}"] = float(abs(b[place] - new) / first.errors[place])
        return parts

    def _quantile(self, fit: Fit, is_binary: bool) -> float:
        from scipy.special import ndtri, stdtrit

        level = (1 + self.confidence) / 2
        return float(ndtri(level) if is_binary else stdtrit(max(fit.freedom, 1), level))


def _terms(pair: Pair, names: tuple[str, ...]) -> Terms:
    numeric = {name for name in names if pair.original.schema[name].scale == "numeric"}
    made = [numeric_terms(pair, name) if name in numeric else categorical_terms(pair, name) for name in names]
    return side_by_side(pair, made)


def _as_indicator(values: FloatArray, two: FloatArray) -> FloatArray:
    return np.asarray(np.where(np.isnan(values), np.nan, (values == two[1]).astype(np.float64)))


def _masked_fit(x: FloatArray, y: FloatArray, is_binary: bool) -> tuple[Fit | None, BoolArray]:
    """Fit the masked file, None where it has too few records or no maximum; also say which coefficients there are."""
    kept = independent_columns(x)
    if len(y) <= kept.sum() + 1:
        return None, kept
    fit = (logistic if is_binary else least_squares)(x[:, kept], y)
    return (fit if fit.converged else None), np.concatenate([[True], kept])
