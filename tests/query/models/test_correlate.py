"""Correlations: values, influence, and each rule."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from tacita.core.errors import ParameterError
from tacita.query.models.correlate import CorrelationLimits, correlate, correlation_without_each, pearson
from tests.effort import examples


def pair(n: int = 200, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(100, 15, n)
    return x, 0.5 * x + rng.normal(0, 10, n)


@pytest.mark.parametrize("kind", ["pearson", "spearman"])
def test_against_scipy(kind: str) -> None:
    x, y = pair()
    x = np.round(x / 5)  # ties
    found = correlate(["x", "y"], [x, y], kind=kind)  # type: ignore[arg-type]
    expected = stats.pearsonr(x, y)[0] if kind == "pearson" else stats.spearmanr(x, y)[0]
    assert found.matrix[0][1] == found.matrix[1][0] == pytest.approx(expected, abs=5.1e-4)
    assert json.loads(json.dumps(found.to_plain()))["matrix"][0][0] == 1.0


@given(st.integers(0, 10**6), st.integers(4, 25), st.booleans())
@settings(max_examples=examples(20), deadline=None)
def test_leaving_out_each_record_exactly(seed: int, n: int, weighted: bool) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.normal(1e3, 1, n), rng.normal(size=n)
    w = rng.uniform(0.5, 4, n) if weighted else None
    found = correlation_without_each(x, y, w)
    for i in range(n):
        rest = np.arange(n) != i
        assert found[i] == pytest.approx(pearson(x[rest], y[rest], None if w is None else w[rest]), abs=1e-8)


def test_influence_on_ranks_is_that_of_ranking_anew_but_for_one_over_n() -> None:
    x, y = pair(60)
    found = correlation_without_each(stats.rankdata(x), stats.rankdata(y))
    anew = [stats.spearmanr(np.delete(x, i), np.delete(y, i))[0] for i in range(60)]
    assert np.abs(found - anew).max() < 1 / 60


def test_weights_are_frequencies() -> None:
    x, y = pair(50)
    w = np.random.default_rng(3).integers(1, 5, 50)
    assert pearson(x, y, w.astype(float)) == pytest.approx(pearson(np.repeat(x, w), np.repeat(y, w)))


def test_records_with_missing_values_are_left_out() -> None:
    x, y = pair()
    x[:3], y[5] = np.nan, np.inf
    kept = np.isfinite(x) & np.isfinite(y)
    found = correlate(["x", "y"], [x, y]).matrix[0][1]
    assert found == pytest.approx(np.corrcoef(x[kept], y[kept])[0, 1], abs=5.1e-4)


def reasons(x: np.ndarray, y: np.ndarray, **options: object) -> tuple[str, ...]:
    return correlate(["x", "y"], [x, y], **options).reasons  # type: ignore[arg-type]


def test_each_rule_fires() -> None:
    x, y = pair()
    assert reasons(x, y) == ()
    assert reasons(x[:29], y[:29]) == ("correlation_records",)
    assert reasons(x[:30], y[:30], limits=CorrelationLimits(influence=2)) == ()
    dummy = (np.arange(200) == 3).astype(float)
    assert reasons(dummy, y) == ("nearly_constant",)
    assert reasons(x, 1 - dummy) == ("nearly_constant",)
    assert reasons((np.arange(200) < 20).astype(float), y) == ()
    assert reasons(x, 2 * x + 1e-3 * y) == ("correlation_largest",)
    far = x.copy()
    far[0] = 1e4
    assert reasons(far, y) == ("correlation_influence",)
    assert reasons(far, y, kind="spearman") == ()


def test_one_bad_pair_refuses_the_whole_matrix() -> None:
    x, y = pair()
    found = correlate(["x", "y", "z"], [x, y, y + 1e-4 * x])
    assert found.matrix == ()
    assert found.reasons == ("correlation_largest",)


def test_a_dummy_of_one_record_would_tell_its_value() -> None:
    """r sqrt(n - 1) is the record's deviation in standard deviations: to numerical precision."""
    _, y = pair()
    dummy = (np.arange(200) == 3).astype(float)
    told = y.mean() + pearson(dummy, y) * np.sqrt(199) * y.std()
    assert told == pytest.approx(y[3], rel=1e-10)
    assert reasons(dummy, y) == ("nearly_constant",)


def test_a_disguised_dummy_is_refused_by_its_influence() -> None:
    """1 / (|x - x0| + eps) varies in every record, so the mode says nothing; leaving out the one record does."""
    x, y = pair()
    disguised = 1 / (np.abs(x - x[3]) + 1e-6)
    y = y.copy()
    y[3] = y.mean() + 5 * y.std()
    assert reasons(disguised, y) == ("correlation_influence",)


@pytest.mark.parametrize(
    ("names", "columns", "kind"),
    [
        (["x"], [np.ones(3)], "pearson"),
        (["x", "x"], [np.ones(3), np.ones(3)], "pearson"),
        (["x", "y"], [np.ones(3), np.ones(4)], "pearson"),
        (["x", "y"], [np.ones(3), np.ones(3)], "kendall"),
    ],
)
def test_bad_input(names: list[str], columns: list[np.ndarray], kind: str) -> None:
    with pytest.raises(ParameterError):
        correlate(names, columns, kind=kind)  # type: ignore[arg-type]
