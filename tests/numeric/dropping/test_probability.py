"""Tests of the probability of disclosure (5) and its bounds (6)."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.numeric.dropping.probability import disclosure_probability, probability_bounds
from tests.effort import examples
from tests.oracles.query.disclosure import bounds_oracle, compositions, disclosure_oracle, summands


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(st.integers(0, 9), min_size=1, max_size=5).filter(any), st.integers(2, 5))
def test_formula_5(values: list[int], k: int) -> None:
    p = [Fraction(value, sum(values)) for value in values]
    found = disclosure_probability([float(share) for share in p], k)
    assert found == pytest.approx(float(disclosure_oracle(p, k)), rel=1e-12)
    low, high = probability_bounds(len(p), k)
    assert low * (1 - 1e-12) <= found <= high * (1 + 1e-12)


def test_the_oracle_has_as_many_summands_as_the_paper_says() -> None:
    for cells, k in [(4, 3), (4, 7), (6, 4)]:
        assert sum(1 for q in range(2, k + 1) for _ in compositions(q, cells)) == summands(cells, k)


@pytest.mark.parametrize(("cells", "k"), [(1, 2), (2, 3), (4, 3), (4, 7), (6, 5)])
def test_formula_6(cells: int, k: int) -> None:
    assert probability_bounds(cells, k) == pytest.approx([float(bound) for bound in bounds_oracle(cells, k)], rel=1e-12)


def test_the_bounds_are_reached() -> None:
    low, high = probability_bounds(8, 6)
    assert disclosure_probability(np.full((2, 4), 1 / 8), 6) == pytest.approx(low, rel=1e-12)
    assert disclosure_probability([0.0, 1.0, 0.0, 0.0], 6) == pytest.approx(high, rel=1e-12)


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(st.integers(1, 50), min_size=2, max_size=6), st.floats(0.0, 1.0), st.integers(2, 6))
def test_it_is_schur_convex(values: list[int], part: float, k: int) -> None:
    """Taking from a richer cell for a poorer one (Robin Hood) never raises the probability."""
    p = np.array(values) / sum(values)
    rich, poor = int(p.argmax()), int(p.argmin())
    moved = part * (p[rich] - p[poor]) / 2
    flatter = p.copy()
    flatter[[rich, poor]] += [-moved, moved]
    assert disclosure_probability(flatter, k) <= disclosure_probability(p, k) * (1 + 1e-12)


def test_drop_1_and_drop_2_are_weak_where_a_cell_is_large() -> None:
    p = [0.9, 0.05, 0.03, 0.02]
    drop_1 = disclosure_probability(p, 1, smallest=1)
    drop_2 = disclosure_probability(p, 2)
    assert drop_1 == pytest.approx(sum(share**2 for share in p))
    assert drop_1 > 0.8
    assert drop_2 > 0.65
    assert disclosure_probability(p, 7) < 1 / 6 < drop_2


def test_extremes_neither_vanish_nor_grow() -> None:
    many = disclosure_probability(np.full(100_000, 1e-5), 20)
    assert many == pytest.approx(probability_bounds(100_000, 20)[0], rel=1e-10)
    assert 0 < probability_bounds(10**9, 1000)[0] < 1e-20
    assert disclosure_probability([1e-300, 1.0], 1000) == pytest.approx(1 / 999)


@pytest.mark.parametrize(
    "proportions", [[], [0.5, 0.6], [-0.5, 1.5], [float("nan"), 1.0], ["a"], [[0.5], [0.2]], [float("inf")]]
)
def test_what_are_no_proportions_is_refused(proportions: object) -> None:
    with pytest.raises(ParameterError, match=r"disclosure_probability: 'proportions' must be .*sum to 1"):
        disclosure_probability(proportions, 3)  # type: ignore[arg-type]


@pytest.mark.parametrize(("k", "smallest"), [(1, 2), (1001, 2), (3, 0), (0, 0)])
def test_numbers_of_drops_have_their_range(k: int, smallest: int) -> None:
    with pytest.raises(ParameterError, match="'k' must be in"):
        disclosure_probability([0.5, 0.5], k, smallest=smallest)
    with pytest.raises(ParameterError, match="'k' must be in"):
        probability_bounds(2, k, smallest=smallest)


def test_a_table_has_cells() -> None:
    with pytest.raises(ParameterError, match="'cells' must be in"):
        probability_bounds(0, 3)
