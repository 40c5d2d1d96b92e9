"""Requests of quantiles: levels between 0 and 1."""

from __future__ import annotations

from typing import Any

import pytest

from tacita.core.errors import ParameterError
from tacita.query.requests.quantiles import Quantiles


def test_quartiles_are_the_default() -> None:
    made = Quantiles(response="income")
    assert made.levels == (0.25, 0.5, 0.75)
    assert made.variables == ("income",)
    assert Quantiles(response="income", levels=[0.1]).to_plain()["levels"] == [0.1]


@pytest.mark.parametrize(
    "levels", [[0.0], [1.0], [-0.5], [1.5], [0.5, float("nan")], [], "0.5", [0.5] * 100, ["0.5"], [True]]
)
def test_other_levels_are_refused(levels: Any) -> None:
    with pytest.raises(ParameterError, match="'levels' must be"):
        Quantiles(response="income", levels=levels)
