"""Rules on a fitted model: it must not predict single records or small groups, nor rest on one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, TypeAlias

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.constraints import Interval
from tacita.core.parameterised import Parameterised
from tacita.numeric.compiled.threads import in_threads
from tacita.query.models.model_result import InternalFit
from tacita.query.models.violation import ModelViolation

__all__ = [
    "RESULT_RULES",
    "ResultLimits",
    "broken_result_rules",
    "enough_freedom",
    "leverage_limit",
    "local_predictability",
    "parameters_per_record",
    "r_squared_limit",
    "well_predicted",
]

_SAMPLE = 2**14


@dataclass(frozen=True, kw_only=True)
class ResultLimits(Parameterised):
    """Limits on a fitted model.

    Parameters
    ----------
    r_squared
        Largest share of the response that may be explained.
    parameters_per_record
        Largest number of coefficients for each record; 0.33 is DataSHIELD's.
    freedom
        Fewest residual degrees of freedom.
    leverage
        Largest leverage of a record: the share of its own response in its fitted value.
    p
        Percent of the response within which a fitted value predicts it.
    share
        Largest share of a group's records that may be predicted.
    gain
        A group counts only where the model predicts this much more of it than the mean of all records does.
    group
        Fewest records of a group that is looked at.
    bins
        Number of groups of equal size that a numerical predictor, and the fitted values, are cut into.

    Examples
    --------
    >>> ResultLimits().parameters_per_record
    0.33
    """

    owner = "result_rules"
    r_squared: Annotated[float, Interval(0, 1)] = 0.95
    parameters_per_record: Annotated[float, Interval(0, 1, "right")] = 0.33
    freedom: Annotated[int, Interval(1)] = 10
    leverage: Annotated[float, Interval(0, 1, "right")] = 0.5
    p: Annotated[float, Interval(0, 100)] = 10.0
    share: Annotated[float, Interval(0, 1)] = 0.9
    gain: Annotated[float, Interval(0, 1)] = 0.1
    group: Annotated[int, Interval(1)] = 10
    bins: Annotated[int, Interval(1, 100)] = 10


ResultRule: TypeAlias = Callable[[InternalFit, ResultLimits], "ModelViolation | None"]


def enough_freedom(fit: InternalFit, limits: ResultLimits) -> ModelViolation | None:
    """Ask for enough residual degrees of freedom; with a survey's design, of the design."""
    if fit.freedom >= limits.freedom:
        return None
    return ModelViolation("residual_freedom", f"{fit.freedom:g} degrees of freedom, at least {limits.freedom}")


def parameters_per_record(fit: InternalFit, limits: ResultLimits) -> ModelViolation | None:
    """Ask for few coefficients for each record."""
    ratio = len(fit.coefficients) / max(fit.design.data.size, 1)
    if ratio <= limits.parameters_per_record:
        return None
    return ModelViolation("parameters_per_record", f"{ratio:.3g}, at most {limits.parameters_per_record:g}")


def r_squared_limit(fit: InternalFit, limits: ResultLimits) -> ModelViolation | None:
    """Ask that R^2 (McFadden's for a logistic model) is not close to 1: nobody's response may follow from the predictors."""
    if fit.r_squared <= limits.r_squared:
        return None
    return ModelViolation("r_squared", f"{fit.r_squared:.4g}, at most {limits.r_squared:g}")


def leverage_limit(fit: InternalFit, limits: ResultLimits) -> ModelViolation | None:
    """Ask that no record makes its own fitted value: a leverage of 1 means that it is the record's response.

    A dummy of one record, and a transformation that makes one record an outlier, have it (Bleninger et al., appendix).
    """
    largest = float(fit.leverage.max(initial=0.0))
    if largest <= limits.leverage:
        return None
    return ModelViolation("leverage", f"{largest:.4g}, at most {limits.leverage:g}")


def well_predicted(response: FloatArray, predicted: FloatArray | float, p: float, *, binary: bool = False) -> BoolArray:
    """Return which records' responses lie within p percent of themselves from what is predicted.

    A response of 0 is predicted by 0 alone. For a binary response the probability must be within p percent points of it.

    Examples
    --------
    >>> well_predicted(np.array([100.0, 100.0]), np.array([91.0, 89.0]), 10.0).tolist()
    [True, False]
    """
    reach = p / 100 if binary else p / 100 * np.abs(response)
    return np.asarray(np.abs(response - predicted) <= reach)


def local_predictability(fit: InternalFit, limits: ResultLimits) -> ModelViolation | None:
    """Ask that no group of records is predicted unusually well.

    Groups are the classes of each categorical predictor (absorbed ones too: an intruder knows them), the bins of each numerical
    predictor and those of the fitted values. A group of n_g records fails where the share of its records that are
    :func:`well_predicted` is above ``share``, and above what the mean of all records predicts of it by more than ``gain``.

    Notes
    -----
    The paper says that a subset of units may be predicted unusually well and does not say how to find it. The comparison with
    the mean makes *unusually* mean by the model: a response that hardly varies, or that nearly nobody has, is known without it.
    Bins are cut at quantiles of up to 16 384 records spread over the file.

    Complexity
    ----------
    O(n (predictors + 1) bins) comparisons, O(n) memory.

    References
    ----------
    Lucero, J. et al. (2011), section 3.2.
    """
    data, binary = fit.design.data, fit.family == "logistic"
    weights, y = data.weights, data.response
    overall = float(y.mean() if weights is None else np.average(y, weights=weights))
    by_model = well_predicted(y, fit.fitted, limits.p, binary=binary)
    if not by_model.any():
        return None
    by_mean = well_predicted(y, overall, limits.p, binary=binary)

    def worst(group: tuple[str, FloatArray | IntArray, int]) -> str | None:
        name, values, classes = group
        size, good, known = _shares(values, classes, by_model, by_mean, limits.bins)
        looked = size >= limits.group
        share = good[looked] / size[looked]
        unusual = (share > limits.share) & (share - known[looked] / size[looked] > limits.gain)
        return name if bool(unusual.any()) else None

    found = [name for name in in_threads(worst, _groupings(fit), records=data.size) if name is not None]
    if not found:
        return None
    return ModelViolation("local_predictability", f"groups of {', '.join(found)} are predicted unusually well")


RESULT_RULES: tuple[ResultRule, ...] = (
    enough_freedom,
    parameters_per_record,
    leverage_limit,
    r_squared_limit,
    local_predictability,
)
"""All rules on a fitted model."""


def broken_result_rules(fit: InternalFit, limits: ResultLimits | None = None) -> tuple[ModelViolation, ...]:
    """Return every rule on the result that a fit breaks, in the order of :data:`RESULT_RULES`."""
    limits = ResultLimits() if limits is None else limits
    found = (rule(fit, limits) for rule in RESULT_RULES)
    return tuple(violation for violation in found if violation is not None)


def _groupings(fit: InternalFit) -> Iterator[tuple[str, FloatArray | IntArray, int]]:
    """Yield name, values and number of classes (0 for numbers) of everything that makes groups."""
    yield "fitted values", fit.fitted, 0
    for predictor in fit.design.data.predictors:
        if predictor.codes is not None:
            yield predictor.name, predictor.codes, len(predictor.classes)
        elif predictor.values is not None:
            yield predictor.name, predictor.values, 0


def _shares(
    values: FloatArray | IntArray, classes: int, by_model: BoolArray, by_mean: BoolArray, bins: int
) -> tuple[IntArray, IntArray, IntArray]:
    """Return for each group its size, the records that the model predicts, and those that the mean predicts."""
    if classes:
        return (
            np.bincount(values, minlength=classes),
            np.bincount(values[by_model], minlength=classes),
            np.bincount(values[by_mean], minlength=classes),
        )
    few = values[:: max(1, len(values) // _SAMPLE)]
    cuts = np.unique(np.quantile(few, np.arange(1, bins) / bins, method="inverted_cdf"))
    # Counting up to each cut is a comparison; finding each record's bin would be a search.
    below = [values <= cut for cut in cuts]
    upto = np.array(
        [[np.count_nonzero(b), np.count_nonzero(b & by_model), np.count_nonzero(b & by_mean)] for b in below]
    )
    last = np.array([[len(values), np.count_nonzero(by_model), np.count_nonzero(by_mean)]])
    made = np.diff(np.concatenate([np.zeros((1, 3), dtype=np.int64), upto, last]), axis=0)
    return made[:, 0], made[:, 1], made[:, 2]
