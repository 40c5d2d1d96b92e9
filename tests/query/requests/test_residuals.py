"""Requests of residual plots: a regression, and which plots."""

from __future__ import annotations

import pytest

from tacita.core.errors import ParameterError
from tacita.query.requests.regress import Regress
from tacita.query.requests.residuals import Residuals


def test_residuals_are_those_of_a_regression() -> None:
    made = Residuals(response="income", predictors=["age"], robust=True)
    assert isinstance(made, Regress)
    assert made.variables == ("income", "age")
    assert made.to_json() == '{"kind":"residuals","predictors":["age"],"response":"income","robust":true}'
    assert made != Regress(response="income", predictors=["age"], robust=True)


def test_plots_are_synthetic_or_binned() -> None:
    assert Residuals(response="y", predictors=["x"], plots="binned").to_plain()["plots"] == "binned"
    with pytest.raises(ParameterError, match="'plots' must be one of 'synthetic', 'binned', got 'true'"):
        Residuals(response="y", predictors=["x"], plots="true")  # type: ignore[arg-type]


def test_the_checks_of_a_regression_hold() -> None:
    with pytest.raises(ParameterError, match="linear regressions only"):
        Residuals(response="y", predictors=["x"], family="logistic", robust=True)
