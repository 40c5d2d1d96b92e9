"""One number about the records that are analysed, in the way that the policy answers: exact, with noise, or as an interval."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import ParameterError
from tacita.query.requests.statistic import Statistic

if TYPE_CHECKING:
    from tacita.query.question import Question

__all__ = ["SINGLE_VALUES", "one_number", "statistic_of"]

SINGLE_VALUES = ("minimum", "maximum", "median", "quantile", "count_above")
"""Statistics that are values of single records, or find them out by asking with other limits."""

WITH_NOISE = ("count", "sum", "mean")
"""Statistics that noise is defined for."""


def statistic_of(values: FloatArray, request: Statistic) -> float:
    """Return a statistic of some values, in float64 with the sum of numpy (pairwise, in the order of the records).

    Variance and standard deviation have n - 1; quantiles interpolate between neighbours. NaN where there are too few values.

    Parameters
    ----------
    values
        (n,): none of them missing.
    request
        Which statistic.

    Examples
    --------
    >>> statistic_of(np.array([1.0, 2.0, 6.0]), Statistic(response="x", statistic="mean"))
    3.0
    """
    kind = request.statistic
    if kind == "count":
        return float(len(values))
    if kind == "count_above":
        return float((values > (request.above or 0.0)).sum())
    if kind == "sum":
        return float(values.sum())
    if len(values) < (2 if kind in ("variance", "sd") else 1):
        return float("nan")
    if kind in ("variance", "sd"):
        spread = float(values.var(ddof=1))
        return spread if kind == "variance" else spread**0.5
    if kind in ("median", "quantile"):
        return float(np.quantile(values, 0.5 if request.level is None else request.level))
    if kind == "mean":
        return float(values.mean())
    return float(values.min() if kind == "minimum" else values.max())


def one_number(question: Question, request: Statistic) -> dict[str, Any]:
    """Return the answer to a question for one number: ``value`` or ``interval``.

    Parameters
    ----------
    question
        The question with its records.
    request
        Its request.

    Raises
    ------
    ParameterError
        When the statistic is none that noise is defined for, and the policy asks for noise.

    Notes
    -----
    With layered noise, a sum has the noise of a count times the standard deviation of the variable in the whole version (to two
    digits), and a mean is the noisy sum over a noisy count of the records with a value; there are no other statistics then. The
    noise is keyed by the set of records, by the conditions and by each record, so the same set always has the same,
    and splitting it does not average all of it away.
    """
    policy = question.policy
    if policy.part("camouflage") is not None:
        return {"interval": _interval(question, request)}
    rows, values = question.rows, np.ones(len(question.rows))
    if request.response is not None:
        values = question.version.analysed(request.response, policy.part("input"))[rows]
        values = values[~np.isnan(values)]
    if policy.part("numbers") is None:  # then the policy changes no cells either: the two would undo each other
        return {"value": _plain(statistic_of(values, request))}
    if request.statistic not in WITH_NOISE:
        raise ParameterError(f"'statistic' must be one of {', '.join(WITH_NOISE)} where answers carry noise.")
    return {"value": _with_layers(question, request, len(rows), values)}


def _with_layers(question: Question, request: Statistic, records: int, values: FloatArray) -> float | None:
    """A count, sum or mean with layered noise."""
    if request.response is None:
        return float(round(max(records + _layered(question, "count"), 0.0)))
    unit = question.version.spread(request.response)
    total = float(values.sum()) + unit * _layered(question, f"sum {request.response}")
    if request.statistic == "sum":
        return _plain(total)
    # Who has a value is counted with noise of its own: with that of the count, the two would tell how many have none.
    known = len(values) + _layered(question, f"known {request.response}")
    return _plain(total / known) if known >= 1 else None


def _interval(question: Question, request: Statistic) -> list[float]:
    from tacita.query.camouflage.intervals import interval

    hidden = question.version.polytope(str(request.response), question.policy.part("camouflage"))
    found = interval(
        hidden,
        request.statistic,  # type: ignore[arg-type]  # counts are refused before
        question.rows,
        q=request.level,
        limit=request.above,
        digits=4,
    )
    return [float(found.low), float(found.high)]


def _layered(question: Question, statistic: str) -> float:
    noise = question.policy.part("numbers")
    version, members = question.version, question.members
    key = version.lasting_key.derive("numbers")
    conditions = [f"{name}={','.join(map(str, numbers.tolist()))}" for name, numbers in _conditions(question)]
    layer = noise.record_layer(version.store.record_ids(), key=key, statistic=statistic)[members.rows]
    sums = members.sums
    return float(
        noise.noise((*sums, len(members)), conditions, key=key, statistic=statistic, record_sum=int(layer.sum()))
    )


def _conditions(question: Question) -> list[tuple[str, Any]]:
    """The conditions of the canonical universe, each as a variable and the numbers of its classes."""
    boxes = question.boxes
    return [
        (name, numbers)
        for box in boxes.boxes
        for name, numbers, size in zip(boxes.variables, boxes.classes(box), boxes.shape, strict=True)
        if len(numbers) < size
    ]


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else float(f"{value:.10g}")
