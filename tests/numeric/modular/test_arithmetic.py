"""Arithmetic modulo fifty-bit primes, against Python's own integers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.numeric.modular.arithmetic import inverses, matrix_product, products, subtract_outer
from tests.effort import examples

PRIMES = (2, 7, 101, 2**31 - 1, 2**50 - 27)


@pytest.mark.parametrize("prime", PRIMES)
def test_products_at_the_edges(prime: int) -> None:
    edge = sorted({0, 1, prime // 2, prime // 3, prime - 1, max(prime - 2, 0), int(prime**0.5)})
    a, b = np.meshgrid(np.array(edge), np.array(edge))
    expected = [[x * y % prime for x in edge] for y in edge]
    assert products(a, b, prime).tolist() == expected


@settings(max_examples=examples(25), deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(PRIMES))
def test_products_of_random_residues(seed: int, prime: int) -> None:
    a, b = np.random.default_rng(seed).integers(0, prime, size=(2, 500))
    assert products(a, b, prime).tolist() == [x * y % prime for x, y in zip(a.tolist(), b.tolist(), strict=True)]


@pytest.mark.parametrize("count", [0, 1, 2, 3, 10, 33])
def test_inverses(count: int) -> None:
    prime = 2**50 - 27
    values = np.random.default_rng(count).integers(1, prime, size=count)
    found = inverses(values, prime)
    assert [x * y % prime for x, y in zip(values.tolist(), found.tolist(), strict=True)] == [1] * count


def test_only_the_chosen_rows_change() -> None:
    prime = 2**50 - 27
    rng = np.random.default_rng(4)
    before = rng.integers(0, prime, size=(70, 900))
    rows, row = np.arange(1, 70, 2), rng.integers(0, prime, size=900)
    column = rng.integers(0, prime, size=len(rows))
    after = before.copy()
    subtract_outer(after, rows, column, row, prime)
    factors = np.zeros(70, dtype=object)
    factors[rows] = column.astype(object)
    expected = (before.astype(object) - factors[:, None] * row.astype(object)[None, :]) % prime
    assert (after == expected.astype(np.int64)).all()


@pytest.mark.parametrize("shape", [(0, 3, 2), (3, 0, 2), (5, 7, 1), (40, 300, 3)])
def test_a_matrix_product_is_exact(shape: tuple[int, int, int]) -> None:
    prime = 2**50 - 27
    rng = np.random.default_rng(5)
    a, b = rng.integers(0, prime, size=shape[:2]), rng.integers(0, prime, size=shape[1:])
    a[:1], b[:1] = prime - 1, prime - 1
    expected = (a.astype(object) @ b.astype(object)) % prime if shape[1] else np.zeros((shape[0], shape[2]))
    assert (matrix_product(a, b, prime) == np.asarray(expected, dtype=np.int64)).all()
