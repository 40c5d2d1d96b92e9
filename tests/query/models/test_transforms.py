"""Transformations and where they exist."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.query.models.cases import ModelData, Predictor
from tacita.query.models.terms import ModelSpec
from tacita.query.models.transforms import transform_domain, transformed


def refused(values: list[float], transform: str, lowest: float | None = None) -> str | None:
    data = ModelData(np.zeros(len(values)), (Predictor("x", np.array(values), lowest=lowest),))
    found = transform_domain(ModelSpec.of("y", [{"variable": "x", "transform": transform}]), data)
    return None if found is None else found.rule


def test_values() -> None:
    x = np.array([1.0, 4.0])
    assert transformed(x, "square").tolist() == [1.0, 16.0]
    assert transformed(x, "log").tolist() == pytest.approx([0.0, np.log(4)])
    assert transformed(x, "").tolist() == [1.0, 4.0]
    with pytest.raises(ParameterError, match="must be one of"):
        transformed(x, "exp")


@pytest.mark.parametrize(
    ("values", "transform", "lowest", "rule"),
    [
        ([0.0, 1.0], "log", None, "transform_domain"),
        ([0.5, 1.0], "log", None, None),
        ([0.5, 1.0], "log", 0.1, None),
        ([0.5, 1.0], "log", 0.0, "transform_domain"),
        ([-0.5, 1.0], "log", 0.1, "transform_domain"),
        ([0.0, 1.0], "sqrt", 0.0, None),
        ([0.5, 1.0], "sqrt", -1.0, "transform_domain"),
        ([-1.0, 1.0], "square", None, None),
        ([-1.0, 1e200], "square", None, "transform_domain"),
    ],
)
def test_domain(values: list[float], transform: str, lowest: float | None, rule: str | None) -> None:
    assert refused(values, transform, lowest) == rule
