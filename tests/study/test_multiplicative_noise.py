"""The study of multiplicative noise: a short run says what it did, keeps what needs few replicates, and comes back the same."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.study import find_study
from tacita.study.multiplicative_noise import _KINDS


@pytest.mark.parametrize(
    ("kind", "mean", "variances"), [("normal", 3.5, (5, 7.5, 10)), ("log-normal", 2.0, (4, 9, 16))]
)
def test_the_data_have_the_moments_of_the_paper(kind: str, mean: float, variances: tuple[float, ...]) -> None:
    """Averages over twenty files; five standard errors of the mean, and a quarter for variances of the skewed data."""
    files = [_KINDS[kind](np.random.default_rng(seed)) for seed in range(20)]
    assert np.mean(files, axis=(0, 1)) == pytest.approx([mean] * 3, abs=5 * 4 / np.sqrt(200_000))
    assert np.mean([np.var(x, axis=0) for x in files], axis=0) == pytest.approx(variances, rel=0.25)
    found = np.mean([np.corrcoef(x.T)[np.triu_indices(3, 1)] for x in files], axis=0)
    assert found == pytest.approx([0.5] * 3, abs=0.06)


def test_a_short_run_is_complete_and_repeatable() -> None:
    study = find_study("multiplicative-noise")
    result = study.run(replicates=2, seed=3)
    assert study.run(replicates=2, seed=3) == result
    assert any("2 replicates of 10,000 records" in note for note in result.notes)
    settings = {"normal (7)", "normal (21)", "log-normal (7)", "log-normal (21)", "log-normal (21) in two zones"}
    told = " ".join(f"{finding}" for finding in result.findings)
    assert all(setting in told for setting in settings)
