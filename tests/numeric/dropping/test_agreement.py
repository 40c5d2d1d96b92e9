"""Tests of ``tacita.numeric.dropping.agreement``: the product of series against all pairs of draws."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.arrays import FloatArray
from tacita.numeric.dropping.agreement import MOST_DRAWS, agreement, moved_agreement, uniform_agreement
from tests.effort import examples
from tests.oracles.query.disclosure import compositions, multinomial

weights = st.lists(st.integers(0, 6), min_size=1, max_size=4).filter(any)


def _shares(values: list[int]) -> list[Fraction]:
    return [Fraction(value, sum(values)) for value in values]


def _floats(values: list[Fraction]) -> FloatArray:
    return np.array([float(value) for value in values])


@settings(max_examples=examples(20), deadline=None)
@given(weights, st.data())
def test_equal_draws(values: list[int], data: st.DataObject) -> None:
    others = data.draw(st.lists(st.integers(0, 6), min_size=len(values), max_size=len(values)).filter(any))
    p, r = _shares(values), _shares(others)
    found = agreement(_floats(p), _floats(r), 4)
    for m in range(5):
        wanted = sum(multinomial(x, p) * multinomial(x, r) for x in compositions(m, len(p)))
        assert found[m] == pytest.approx(float(wanted), rel=1e-12, abs=1e-300)


@settings(max_examples=examples(20), deadline=None)
@given(weights, st.data())
def test_one_moved(values: list[int], data: st.DataObject) -> None:
    same_length = st.lists(st.integers(0, 6), min_size=len(values), max_size=len(values))
    p, r = _shares(values), _shares(data.draw(same_length.filter(any)))
    out_of, into = data.draw(same_length), data.draw(same_length)
    found = moved_agreement(_floats(p), _floats(r), np.array(out_of, float), np.array(into, float), 3)
    for m in range(4):
        wanted = Fraction(0)
        for x in compositions(m, len(p)):
            for y in compositions(m, len(p)):
                gap = [a - b for a, b in zip(x, y, strict=True)]
                if sorted(gap) == [-1, *[0] * (len(p) - 2), 1]:
                    weight = out_of[gap.index(1)] * into[gap.index(-1)]
                    wanted += weight * multinomial(x, p) * multinomial(y, r)
        assert found[m] == pytest.approx(float(wanted), rel=1e-12, abs=1e-300)


def test_many_cells_are_joined_in_blocks() -> None:
    p = np.random.default_rng(3).dirichlet(np.ones(9000))
    found = agreement(p, p, 2)
    # two draws agree as {a, a} or as {a, b}: sum p_a^4 + 2 sum_{a != b} p_a^2 p_b^2
    squares, fourths = float((p**2).sum()), float((p**4).sum())
    assert found.tolist() == pytest.approx([1.0, squares, fourths + 2 * (squares**2 - fourths)], rel=1e-12)


@pytest.mark.parametrize("cells", [1, 2, 3, 7, 64, 100])
def test_equal_cells_by_doubling(cells: int) -> None:
    p = np.full(cells, 1 / cells)
    assert uniform_agreement(cells, 12) == pytest.approx(agreement(p, p, 12), rel=1e-11)


def test_two_equal_cells_are_central_binomials() -> None:
    """P(X = Y) = C(2m, m) / 4^m, up to the largest number of draws: nothing overflows on the way."""
    found = uniform_agreement(2, MOST_DRAWS)
    wanted = np.cumprod(np.concatenate([[1.0], 1 - 1 / (2 * np.arange(1, MOST_DRAWS + 1))]))
    assert found == pytest.approx(wanted, rel=1e-10)
    assert np.isfinite(agreement(np.array([1e-200, 1.0]), np.array([1e-200, 1.0]), MOST_DRAWS)).all()


def test_without_draws_nothing_moves() -> None:
    half = np.array([0.5, 0.5])
    assert moved_agreement(half, half, half, half, 0).tolist() == [0.0]
