from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.numeric.fingerprints.received import leaning, received_weights
from tacita.numeric.fingerprints.variants import Variants, cell_variants


def test_a_copy_leans_by_its_symbols() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(500, 50, 1000)
    made = cell_variants(values, np.full(1000, 4.0), np.zeros(1000, np.int64), np.array([0.2]), rng)
    assert np.allclose(leaning(made.one, values, made.zero, made.one), 2 * 0.8)
    assert np.allclose(leaning(made.zero, values, made.zero, made.one), -2 * 0.2)
    assert np.allclose(leaning(values, values, made.zero, made.one), 0.0)


def test_noise_takes_weight_away_and_one_wild_value_does_not_decide() -> None:
    rng, zero, one = np.random.default_rng(2), np.full(2000, -1.0), np.full(2000, 1.0)
    noise = rng.normal(0, 20, 2000)
    noisy, other = (leaning(x + noise, np.zeros(2000), zero, one) for x in (one, zero))
    assert np.abs(noisy).max() < 0.3
    assert noisy.mean() > other.mean()
    wild = leaning(np.concatenate([one[:-1], [-1e9]]), np.zeros(2000), zero, one)
    assert np.allclose(wild[:-1], 1.0)
    assert wild[-1] == pytest.approx(-3.0)


def test_weights_are_sums_over_the_cells_of_a_symbol_as_a_loop_has_them() -> None:
    rng = np.random.default_rng(3)
    columns = []
    for _ in range(3):
        x = rng.normal(0, 10, 40)
        columns.append(Variants(x, x - 1, x + 1, rng.integers(0, 7, 40)))
    rows = rng.integers(-1, 40, 60)
    leaked = np.stack([c.masked[rows] + rng.choice([-1.0, 1.0], 60) for c in columns], axis=1)
    slow = np.zeros(7)
    for j, column in enumerate(columns):
        lean = leaning(leaked[rows >= 0, j], *(x[rows[rows >= 0]] for x in (column.masked, column.zero, column.one)))
        for row, weight in zip(rows[rows >= 0], lean, strict=True):
            slow[column.position[row]] += weight
    assert np.allclose(received_weights(leaked, rows, columns, 7), slow)


def test_cells_without_marks_and_missing_ones_say_nothing() -> None:
    x = np.array([1.0, 2.0])
    assert leaning(np.array([5.0, np.nan]), x, x, np.array([1.0, 3.0])).tolist() == [0.0, 0.0]


def test_other_shapes_are_refused() -> None:
    with pytest.raises(ParameterError, match="'leaked'"):
        received_weights(np.zeros((2, 1)), np.zeros(2, np.int64), [], 3)
