"""A user's model on every synthetic file, and one result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from tacita.compare.synthesis.combine import Combined, CombiningKind, combine
from tacita.core.errors import ParameterError
from tacita.core.progress import track

__all__ = ["analyse"]


def analyse(
    files: Sequence[Any],
    model: Callable[[Any], Any],
    *,
    kind: CombiningKind = "partially",
    level: float = 0.95,
    size_ratio: float = 1.0,
) -> Combined:
    """Run a model on every synthetic file and put the results together.

    Parameters
    ----------
    files
        The synthetic files: microdata or frames, as the model takes them.
    model
        A function from one file to a pair of estimates and variances (numbers, or mappings from names to numbers), or to a fitted
        model with ``params`` and ``bse``, as those of statsmodels.
    kind, level, size_ratio
        See :func:`combine`.

    Raises
    ------
    ParameterError
        When the model returns something else, or files give other quantities.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> files = [tc.mask.Ipso(columns=["age"]).apply(data, seed=seed) for seed in range(3)]
    >>> def mean_age(file):
    ...     age = file.numbers("age")
    ...     return {"age": age.mean()}, {"age": age.var() / len(age)}
    >>> analyse(files, mean_age).names
    ('age',)
    """
    found = [_result(model(file)) for file in track(list(files), "Fitting models")]
    estimates, variances = [one[0] for one in found], [one[1] for one in found]
    return combine(estimates, variances, kind=kind, level=level, size_ratio=size_ratio)


def _result(given: Any) -> tuple[Any, Any]:
    """Return estimates and variances of what a model returned."""
    if isinstance(given, tuple) and len(given) == 2:
        return given
    estimates, errors = getattr(given, "params", None), getattr(given, "bse", None)
    if estimates is None or errors is None:
        raise ParameterError(
            "analyse: 'model' must return estimates and variances, or a fitted model with 'params' and 'bse'."
        )
    if hasattr(estimates, "to_dict"):  # a series with names
        named: Mapping[str, float] = estimates.to_dict()
        return named, {name: float(error) ** 2 for name, error in errors.to_dict().items()}
    return np.asarray(estimates, np.float64), np.asarray(errors, np.float64) ** 2
