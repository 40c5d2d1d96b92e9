"""The approved transformations, and the rule that their logarithms and roots exist."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import ParameterError
from tacita.query.models.cases import ModelData
from tacita.query.models.terms import ModelSpec
from tacita.query.models.violation import ModelViolation

__all__ = ["transform_domain", "transformed"]

_LARGEST = 1e140
"""Values above have products that no float holds; nothing that is measured is so large."""


def transformed(values: FloatArray, transform: str, out: FloatArray | None = None) -> FloatArray:
    """Return the square, the square root or the natural logarithm of values, or the values themselves.

    Raises
    ------
    ParameterError
        When the transformation is not one of them.

    Examples
    --------
    >>> transformed(np.array([1.0, 4.0]), "sqrt").tolist()
    [1.0, 2.0]
    """
    if transform == "":
        return np.add(values, 0.0, out=out)
    functions = {"square": np.square, "sqrt": np.sqrt, "log": np.log}
    if transform not in functions:
        raise ParameterError(f"transformed: must be one of {', '.join(functions)}, got '{transform[:60]}'.")
    return np.asarray(functions[transform](values, out=out), dtype=np.float64)


def transform_domain(spec: ModelSpec, data: ModelData) -> ModelViolation | None:
    """Ask that every logarithm has values above 0 and every square root none below.

    Where the steward has published a lower bound of the variable, it alone decides against a transformation: a refusal then
    tells nothing of the records. Without one, the records decide, and the refusal has the same name.

    Returns
    -------
    ModelViolation or None
        ``transform_domain`` in all cases.

    Notes
    -----
    The paper is silent here. To leave out the records without a logarithm would publish their number through n, and would
    let a universe be cut by a value; a refusal for the whole model tells one bit, and none where the bound is declared.

    Complexity
    ----------
    O(n) for each transformed variable.

    Examples
    --------
    >>> from tacita.query.models.cases import Predictor
    >>> data = ModelData(np.array([1.0, 2.0]), (Predictor("age", np.array([30.0, 40.0]), lowest=0.0),))
    >>> transform_domain(ModelSpec.of("wage", [{"variable": "age", "transform": "log"}]), data)
    ModelViolation(rule='transform_domain')
    """
    for term in spec.terms:
        predictor = data.named(term.variable)
        if predictor.values is None or not len(predictor.values):
            continue
        least = float(predictor.values.min()) if predictor.lowest is None else predictor.lowest
        least = min(least, float(predictor.values.min())) if term.transform in ("log", "sqrt") else least
        if (term.transform == "log" and least <= 0) or (term.transform == "sqrt" and least < 0):
            return ModelViolation("transform_domain", f"'{term.label}' does not exist for all values of the variable")
        if float(np.abs(predictor.values).max()) > _LARGEST:
            return ModelViolation("transform_domain", f"'{term.label}' has values that are too large to be multiplied")
    return None
