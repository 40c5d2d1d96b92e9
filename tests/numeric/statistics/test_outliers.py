"""Outliers: the records farthest from the average standardised record, against sorting by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tacita.numeric.statistics.outliers import distance_from_average, outliers
from tests.oracles.compare import outliers as oracle

cells = st.integers(-50, 50).map(float) | st.just(np.nan)
files = arrays(np.float64, st.tuples(st.integers(1, 25), st.integers(1, 4)), elements=cells)


def test_by_hand() -> None:
    """Column 0 3 6 9 has mean 4.5 and S = sqrt(15); column 1 1 1 5 has mean 2 and S = 2."""
    x = np.array([[0.0, 1.0], [3.0, 1.0], [6.0, 1.0], [9.0, 5.0]])
    expected = np.sqrt(np.array([4.5**2, 1.5**2, 1.5**2, 4.5**2]) / 15 + np.array([0.25, 0.25, 0.25, 2.25]))
    assert distance_from_average(x) == pytest.approx(expected)
    assert outliers(x, share=0.25).tolist() == [False, False, False, True]
    assert outliers(x, share=0.5).tolist() == [True, False, False, True]


@given(files, st.floats(0.01, 0.99))
def test_against_the_oracle(x: np.ndarray, share: float) -> None:
    expected = oracle.distances(x.tolist())
    assert distance_from_average(x) == pytest.approx(expected, abs=1e-9)
    far = outliers(x, share=share)
    assert far.sum() == oracle.outlier_count(len(x), share)
    if not far.all():  # nobody inside is farther out than anybody outside, up to rounding
        inside, outside = np.array(expected)[~far], np.array(expected)[far]
        assert inside.max() <= outside.min() + 1e-9


def test_the_first_of_equally_distant_records_is_taken() -> None:
    x = np.array([[-1.0], [1.0], [-1.0], [1.0]])
    assert outliers(x, share=0.25).tolist() == [True, False, False, False]


def test_edges() -> None:
    assert outliers(np.empty((0, 2))).size == 0
    assert outliers(np.array([[7.0]])).tolist() == [True]
    constant = np.ones((40, 2))
    assert outliers(constant).tolist() == [True, True] + [False] * 38
    assert outliers(np.arange(10.0)[:, None], share=0.05).sum() == 1, "half a record counts as one"


@pytest.mark.parametrize(("name", "records"), [("census", 54), ("eia", 205)])
def test_number_of_outliers_in_the_reference_files(reference: Callable[[str], Path], name: str, records: int) -> None:
    """5 % of 1080 and of 4092 records."""
    from tacita.study.datasets import study_data

    reference(f"{name}.csv")
    found = study_data([name])[0]
    far = outliers(found.data.floats(found.columns))
    assert far.sum() == records
    distance = distance_from_average(found.data.floats(found.columns))
    assert distance[far].min() >= distance[~far].max()
