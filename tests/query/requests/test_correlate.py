"""Requests of correlations: two to twenty variables, each once."""

from __future__ import annotations

from typing import Any

import pytest

from tacita.core.errors import ParameterError
from tacita.query.requests.correlate import Correlate


def test_the_columns_are_the_variables() -> None:
    assert Correlate(columns=["a", "b"]).variables == ("a", "b")
    assert Correlate(columns=[f"v{i}" for i in range(20)], method="spearman").method == "spearman"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"columns": ["a"]}, "at least 2 entries"),
        ({"columns": ["a", "a"]}, "each once"),
        ({"columns": [f"v{i}" for i in range(21)]}, "2 to 20"),
        ({"columns": "ab"}, "'columns' must be a list"),
        ({"columns": ["a", 1]}, "'columns' must be a list"),
        ({"columns": ["a", "b"], "method": "kendall"}, "'method' must be one of"),
    ],
)
def test_other_requests_are_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Correlate(**wrong)
