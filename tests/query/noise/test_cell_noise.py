"""Counts as they are, and means from what is shown."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.core.keyed import Key
from tacita.query.noise.cell_key import CellKeyNoise
from tacita.query.noise.cell_noise import Plain, means_of

KEY = Key(b"a key that is only for tests")


def test_plain_changes_nothing() -> None:
    counts = np.array([0, 1, 9])
    assert Plain().protect(counts, np.zeros((3, 2), dtype=np.int64), key=KEY).tolist() == [0, 1, 9]


def test_means_are_made_of_what_is_shown() -> None:
    means = means_of(np.array([12.0, 5.0, 5.0]), np.array([4, 0, -1]))
    assert means[0] == 3
    assert np.isnan(means[1:]).all()
    with pytest.raises(ParameterError, match="a count for each total"):
        means_of(np.zeros(2), np.zeros(3, dtype=int))


def test_exact_means_would_give_counts_back() -> None:
    """The attack: of the counts near the shown one only few make the exact mean a fraction of whole numbers."""
    rng = np.random.default_rng(8)
    counts = rng.integers(10, 60, 300)
    totals = np.array([rng.integers(0, 100, n).sum() for n in counts])
    shown = CellKeyNoise().protect(counts, rng.integers(0, 2**60, (300, 2)), key=KEY)

    def found(means: np.ndarray, noisy: np.ndarray) -> np.ndarray:
        guesses = []
        for mean, near in zip(means, noisy, strict=True):
            fits = [n for n in range(max(near - 5, 1), near + 6) if abs(mean * n - round(mean * n)) < 1e-7]
            guesses.append(fits[0] if len(fits) == 1 else -1)
        return np.array(guesses)

    exact = found(totals / counts, shown)
    assert (exact == counts).mean() > 0.6
    assert (shown == counts).mean() < 0.4
    ours = found(means_of(totals.astype(float), shown), shown)  # even with the exact total above it
    assert (ours == counts).mean() < 0.4
