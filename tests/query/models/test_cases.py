"""Arrays of a model, and the complete cases."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import DataError
from tacita.query.models.cases import ModelData, Predictor, complete_cases


def test_complete_cases_keep_everything_in_step() -> None:
    data = ModelData(
        np.array([1.0, 2.0, np.nan, 4.0, 5.0]),
        (
            Predictor("x", np.array([1.0, np.inf, 3.0, 4.0, 5.0])),
            Predictor("g", codes=np.array([0, 1, 1, -1, 1]), classes=("a", "b")),
        ),
        weights=np.arange(1.0, 6.0),
        strata=np.arange(5),
        clusters=np.arange(5)[::-1].copy(),
    )
    made, rows = complete_cases(data)
    assert rows is not None
    assert rows.tolist() == [True, False, False, False, True]
    assert made.response.tolist() == [1.0, 5.0]
    assert made.named("g").codes.tolist() == [0, 1]  # type: ignore[union-attr]
    assert made.weights.tolist() == [1.0, 5.0]  # type: ignore[union-attr]
    assert made.strata.tolist() == [0, 4]  # type: ignore[union-attr]
    assert made.clusters.tolist() == [4, 0]  # type: ignore[union-attr]


def test_nothing_is_copied_without_a_missing_value() -> None:
    data = ModelData(np.ones(3), (Predictor("x", np.arange(3.0)),))
    made, rows = complete_cases(data)
    assert made is data
    assert rows is None


def test_design_is_followed_when_anything_of_it_is_given() -> None:
    assert not ModelData(np.ones(2), ()).follows_design
    assert ModelData(np.ones(2), (), clusters=np.array([0, 1])).follows_design


@pytest.mark.parametrize(
    "make",
    [
        lambda: Predictor("x"),
        lambda: Predictor("x", np.ones(2), codes=np.zeros(2, dtype=np.int64)),
        lambda: Predictor("x", codes=np.array([0, 2]), classes=("a", "b")),
        lambda: Predictor("x", codes=np.array([-2]), classes=("a",)),
        lambda: Predictor("x", codes=np.array([0.5]), classes=("a",)),  # type: ignore[arg-type]
        lambda: ModelData(np.ones(2), (Predictor("x", np.ones(3)),)),
        lambda: ModelData(np.ones(2), (), weights=np.array([1.0, 0.0])),
        lambda: ModelData(np.ones(2), (), weights=np.array([1.0, np.nan])),
        lambda: ModelData(np.ones(2), (), strata=np.array([0, -1])),
        lambda: ModelData(np.ones(2), ()).named("x"),
    ],
)
def test_bad_arrays_are_errors(make: object) -> None:
    with pytest.raises(DataError):
        make()  # type: ignore[operator]


def test_no_value_is_shown() -> None:
    assert "7351" not in repr(ModelData(np.array([7351.0]), (Predictor("x", np.array([7351.0])),)))
