"""Fits and sources that the tests of residual plots share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tacita.core.keyed import Key
from tacita.query.models.cases import ModelData, Predictor
from tacita.query.models.fit import fit_model
from tacita.query.models.model_result import InternalFit
from tacita.query.models.terms import ModelSpec
from tacita.query.residuals.settings import ResidualSettings
from tacita.query.residuals.source import PlotSource

KEY = Key(b"0123456789abcdef")


def fitted(data: ModelData, predictors: Sequence[object], *, family: str = "linear") -> tuple[ModelSpec, InternalFit]:
    """A model and its fit, which must pass the rules."""
    spec = ModelSpec.of("y", predictors, family=family)
    outcome = fit_model(spec, data)
    assert outcome.internal is not None, outcome.reasons
    return spec, outcome.internal


def source(
    data: ModelData,
    predictors: Sequence[object],
    *,
    family: str = "linear",
    settings: ResidualSettings | None = None,
    key: Key = KEY,
) -> PlotSource:
    """What plots of a model of these data are made of."""
    spec, fit = fitted(data, predictors, family=family)
    ids = np.arange(1000, 1000 + data.size, dtype=np.uint64)
    return PlotSource(spec, fit, settings or ResidualSettings(), key, b"model and members", ids)


def people(n: int = 600, *, seed: int = 1, binary: bool = False) -> ModelData:
    """A number x with many zeros, a level g with a rare class, and a response that bends over x."""
    rng = np.random.default_rng(seed)
    x = np.where(rng.random(n) < 0.3, 0.0, rng.lognormal(2, 0.7, n))
    g = rng.choice(4, n, p=[0.5, 0.3, 0.195, 0.005])
    y = 2 + 0.1 * x - 0.002 * x**2 + g + rng.normal(0, 1 + 0.05 * x)
    if binary:
        y = (rng.random(n) < 1 / (1 + np.exp(-(y - y.mean())))).astype(float)
    return ModelData(y, (Predictor("x", x), Predictor("g", codes=g, classes=("a", "b", "c", "rare"))))
