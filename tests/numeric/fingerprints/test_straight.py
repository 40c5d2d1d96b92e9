from __future__ import annotations

import numpy as np

from tacita.numeric.fingerprints.straight import same_spread, straightened


def test_another_unit_is_taken_back_without_the_marks() -> None:
    rng = np.random.default_rng(1)
    masked = np.exp(rng.normal(9, 1, 3000))
    marks = rng.choice([-20.0, 20.0], 3000)
    rows = rng.permutation(3000)
    leaked = (masked + marks)[rows] / 1000 * 1.95583 + 0.5
    leaked[:30] = 1e9  # wild values
    made = straightened(leaked, rows, masked)
    assert np.corrcoef((made - masked[rows])[30:], marks[rows][30:])[0, 1] > 0.99


def test_same_spread_puts_a_column_in_thousands_back_in_place() -> None:
    x = np.exp(np.random.default_rng(2).normal(9, 1, 2000))
    assert np.allclose(same_spread(x / 1000, x), x)
    assert np.isnan(same_spread(np.array([np.nan, 1.0, 2.0]), x)[0])


def test_what_has_no_line_stays() -> None:
    flat, rows = np.ones(100), np.arange(100)
    assert straightened(flat, rows, np.ones(100)) is flat
    assert same_spread(flat, np.arange(5.0)) is flat
    few = np.arange(10.0)
    assert straightened(few, np.arange(10), few * 2) is few
    falling = -np.arange(100.0)
    assert straightened(falling, rows, np.arange(100.0)) is falling
    assert straightened(flat, np.full(100, -1), flat) is flat
    assert same_spread(np.full(3, np.nan), flat).shape == (3,)
