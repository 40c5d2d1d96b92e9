"""Data and designs that the tests of models share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.query.models.cases import ModelData, Predictor
from tacita.query.models.design import Design, design_of
from tacita.query.models.sparse_rules import SparseLimits, absorb_sparse
from tacita.query.models.terms import ModelSpec

CLASSES = ("a", "b", "c")


def sample(n: int = 400, *, seed: int = 1, binary: bool = False) -> ModelData:
    """Numbers x, z (above 0), categories g, h and a response that depends on all of them."""
    rng = np.random.default_rng(seed)
    x, z = rng.normal(50, 10, n), rng.lognormal(0, 0.5, n)
    g, h = rng.integers(0, 3, n), rng.integers(0, 3, n)
    y = 10 + 0.5 * x + 2 * np.log(z) + g - 0.5 * h + rng.normal(0, 4, n)
    if binary:
        y = (rng.random(n) < 1 / (1 + np.exp(-(y - y.mean()) / 5))).astype(float)
    return ModelData(
        y,
        (
            Predictor("x", x),
            Predictor("z", z, lowest=0.001),
            Predictor("g", codes=g, classes=CLASSES),
            Predictor("h", codes=h, classes=CLASSES),
        ),
    )


def full_spec(family: str = "linear", *, robust: bool = False) -> ModelSpec:
    """A model with a transformation and interactions of numbers and categories."""
    terms = ["x", {"variable": "z", "transform": "log"}, "g", "h"]
    return ModelSpec.of("y", terms, [("x", "g"), ("g", "h")], family=family, robust=robust)


def built(spec: ModelSpec, data: ModelData, count: int = 5) -> Design:
    """The design of a model after sparse classes were absorbed."""
    categories, refused = absorb_sparse(spec, data, SparseLimits(count=count))
    assert refused is None
    return design_of(spec, data, categories)


def with_constant(design: Design) -> FloatArray:
    """All columns with the constant one before them."""
    return np.column_stack([np.ones(design.data.size), design.matrix()])


def numbers(y: Sequence[float] | FloatArray, **columns: Sequence[float] | FloatArray) -> ModelData:
    """A response and numerical predictors."""
    made = tuple(Predictor(name, np.asarray(values, dtype=float)) for name, values in columns.items())
    return ModelData(np.asarray(y, dtype=float), made)
