"""Moments in blocks: exact enough, and the same for any number of threads."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from tacita.numeric.compiled import threads
from tacita.query.models.blocks import added, moments_of, over_blocks
from tacita.query.models.linear import fit_linear
from tacita.query.models.terms import ModelSpec
from tests.query.models.builders import built, full_spec, numbers, sample


@pytest.mark.parametrize("weighted", [False, True])
def test_moments_against_numpy(weighted: bool) -> None:
    design = built(full_spec(), sample(300))
    w = np.random.default_rng(1).uniform(1, 3, 300) if weighted else np.ones(300)
    found = moments_of(design, w if weighted else None)
    x = np.column_stack([design.matrix(), design.data.response])
    covariance = np.cov(x.T, aweights=w, ddof=0)
    np.testing.assert_allclose(np.append(found.mean, found.y_mean), np.average(x, axis=0, weights=w), rtol=1e-12)
    np.testing.assert_allclose(np.append(found.scale, found.y_scale) ** 2, np.diag(covariance), rtol=1e-10)
    np.testing.assert_allclose(found.correlation, np.corrcoef(x.T) if not weighted else _corr(covariance), atol=1e-12)


def _corr(covariance: np.ndarray) -> np.ndarray:
    scale = np.sqrt(np.diag(covariance))
    return covariance / np.outer(scale, scale)


def test_a_far_mean_does_not_cost_figures() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=5000)
    near, far = (moments_of(built(ModelSpec.of("y", ["x"]), numbers(x**2, x=x + shift)), None) for shift in (0.0, 1e7))
    assert far.scale[0] == pytest.approx(near.scale[0], rel=1e-8)
    assert far.correlation[0, 1] == pytest.approx(near.correlation[0, 1], abs=1e-8)


def test_constants_have_no_spread() -> None:
    found = moments_of(built(ModelSpec.of("y", ["x"]), numbers(np.arange(9.0), x=np.full(9, 0.1))), None)
    assert found.scale[0] == 0


def test_the_way_back_from_standardised_columns() -> None:
    design = built(ModelSpec.of("y", ["x", "z"]), sample(50))
    found = moments_of(design, None)
    b = np.array([1.0, 2.0, 3.0])
    standard = b[0] + found.block(design, slice(0, 50)).T @ b[1:]
    raw = found.back() @ b
    np.testing.assert_allclose(raw[0] + design.matrix() @ raw[1:], standard)


def test_threads_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    design = built(full_spec(), sample(90_000))
    found = []
    for cores in (1, 2, 3):
        monkeypatch.setattr(threads.os, "cpu_count", lambda cores=cores: cores)
        fit = fit_linear(design)
        found.append((fit.coefficients.tobytes(), fit.covariance.tobytes(), fit.residuals.tobytes()))  # type: ignore[union-attr]
    assert len(set(found)) == 1


def test_blocks_cover_every_record_once_and_in_order() -> None:
    parts = over_blocks(100_001, lambda rows: np.array([rows.start, rows.stop]))
    assert parts[0][0] == 0
    assert parts[-1][1] == 100_001
    assert all(a[1] == b[0] for a, b in pairwise(parts))
    assert added(iter([np.array([1.0]), np.array([2.5])])).tolist() == [3.5]
