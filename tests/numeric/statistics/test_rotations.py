"""Rotations of records: moments exactly, the matrix itself against Gram-Schmidt, and how far records move."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.numeric.statistics.rotations import block_rows, rotated


def matrix(n: int, strength: float, seed: int) -> np.ndarray:
    """The matrix T of one block, seen by what it does to the unit vectors."""
    return rotated(np.eye(n), [np.arange(n)], strength, np.random.default_rng(seed))


@pytest.mark.parametrize("n", [2, 3, 10, 57])
@pytest.mark.parametrize("strength", [0.0, 0.1, 2.0, 100.0])
def test_orthogonal_and_keeps_the_ones(n: int, strength: float) -> None:
    t = matrix(n, strength, 1)
    assert t @ t.T == pytest.approx(np.eye(n), abs=1e-10)
    assert t.sum(axis=1) == pytest.approx(np.ones(n))
    if strength == 0:
        assert t == pytest.approx(np.eye(n), abs=1e-10)


def test_equals_gram_schmidt() -> None:
    """The same normals, orthogonalised column by column in the directions beside the ones."""
    n, strength = 6, 0.7
    g = np.random.default_rng(4).standard_normal((1, n - 1, n - 1))[0]
    a = np.eye(n - 1) + strength / np.sqrt(n - 1) * g
    q = np.zeros_like(a)
    for j in range(n - 1):
        left = a[:, j] - sum((q[:, i] @ a[:, j]) * q[:, i] for i in range(j))
        q[:, j] = left / np.linalg.norm(left)
    v = np.full(n, 1 / np.sqrt(n))
    v[0] -= 1
    mirror = np.eye(n) - 2 * np.outer(v, v) / (v @ v)
    whole = np.eye(n)
    whole[1:, 1:] = q
    assert matrix(n, strength, 4) == pytest.approx(mirror @ whole @ mirror)


def test_records_move_by_the_strength() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=(4000, 3)) * [1.0, 10.0, 0.1]
    y = rotated(x, block_rows(4000, 100, rng), 0.05, rng)
    assert ((y - x).std(axis=0) / x.std(axis=0)).tolist() == pytest.approx([0.05] * 3, rel=0.1)


def test_blocks() -> None:
    rng = np.random.default_rng(3)
    blocks = block_rows(1003, 100, rng)
    assert sorted(np.concatenate(blocks).tolist()) == list(range(1003))
    assert {len(rows) for rows in blocks} == {100, 101}
    assert block_rows(0, 5, rng) == []
    assert [len(rows) for rows in block_rows(3, 5, rng)] == [3]
    assert rotated(np.ones((1, 2)), [np.array([0])], 1.0, rng).tolist() == [[1.0, 1.0]]
