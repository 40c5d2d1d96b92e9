"""Noise of totals: from the largest contributors, in proportion, consistent, with directions that do not average out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import DataError, ParameterError
from tacita.core.keyed import Key
from tacita.query.noise.magnitude_key import LargestContributors, MagnitudeKey, largest_in_cells
from tests.effort import examples

KEY = Key(b"a key that is only for tests")


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(st.tuples(st.integers(-1, 3), st.integers(-4, 4)), max_size=25), st.integers(1, 4))
def test_the_largest_are_found(records: list[tuple[int, int]], depth: int) -> None:
    """Against sorting each cell by hand."""
    cells = np.array([c for c, _ in records], dtype=np.int64)
    values = np.array([float(v) for _, v in records])
    ids = np.arange(len(records), dtype=np.uint64) * 3 + 5
    found = largest_in_cells(values, ids, cells, 4, depth=depth)
    for cell in range(4):
        inside = sorted((-abs(v), int(i), v) for v, i, c in zip(values, ids, cells, strict=True) if c == cell)[:depth]
        assert found.amounts[cell].tolist() == [v for _, _, v in inside] + [0.0] * (depth - len(inside))
        assert found.ids[cell, : len(inside)].tolist() == [i for _, i, _ in inside]


def test_the_largest_of_many_records_are_found() -> None:
    """Large cells take the short way, with ties, gaps and records of no cell; against a full sort."""
    rng = np.random.default_rng(9)
    n, count, depth = 6000, 5, 3
    values, cells = np.round(rng.normal(0, 20, n)), rng.integers(-1, count - 1, n)
    values[rng.random(n) < 0.1] = np.nan
    cells[:2] = count - 1  # a cell with fewer records than are kept
    values[:2] = [4, -7]
    ids = rng.permutation(n).astype(np.uint64)
    found = largest_in_cells(values, ids, cells, count, depth=depth)
    for cell in range(count):
        inside = sorted(
            (-abs(values[i]), int(ids[i]), values[i]) for i in np.flatnonzero(cells == cell) if values[i] == values[i]
        )
        assert found.amounts[cell].tolist()[: len(inside)] == [v for _, _, v in inside[:depth]]
        assert found.ids[cell].tolist()[: len(inside)] == [i for _, i, _ in inside[:depth]]


def lone(amount: float, m: int) -> tuple[LargestContributors, np.ndarray, np.ndarray]:
    ids = np.arange(m, dtype=np.uint64)[:, None]
    return LargestContributors(np.full((m, 1), amount), ids), np.ones(m, dtype=np.int64), KEY.record_keys(ids[:, 0])


def test_a_lone_contributor_is_off_by_its_share() -> None:
    largest, counts, sums = lone(1000.0, 20_000)
    noise = MagnitudeKey(multipliers=(0.2,), spread=0.5).noise(largest, counts, sums, key=KEY, variable="turnover")
    assert np.abs(noise).min() >= 100
    assert np.abs(noise).max() <= 300
    assert abs(noise.mean()) < 5 * noise.std() / 20_000**0.5  # the mean over contributors is right
    assert abs((noise > 0).mean() - 0.5) < 0.02


def test_noise_grows_with_the_amounts_and_adds_up_over_contributors() -> None:
    """Amounts ten times as large have noise ten times as large; the formula, contributor by contributor."""
    rng = np.random.default_rng(6)
    amounts = -np.sort(-rng.lognormal(5, 2, (50, 3)), axis=1)
    ids, counts, sums = (
        rng.integers(0, 2**60, (50, 3)).astype(np.uint64),
        np.full(50, 9),
        rng.integers(0, 2**60, (50, 2)),
    )
    method = MagnitudeKey(multipliers=(0.3, 0.2, 0.1))
    noise = method.noise(LargestContributors(amounts, ids), counts, sums, key=KEY, variable="x")
    larger = method.noise(LargestContributors(-10 * amounts, ids), counts, sums, key=KEY, variable="x")
    assert larger == pytest.approx(10 * noise)
    parts = np.zeros(50)
    for k in range(3):
        alone = np.where(np.arange(3) == k, amounts, 0.0)
        parts += method.noise(LargestContributors(alone, ids), counts, sums, key=KEY, variable="x")
    assert parts == pytest.approx(noise)
    one = method.protect(
        np.array([7.0]), LargestContributors(amounts[4:5], ids[4:5]), counts[4:5], sums[4:5], key=KEY, variable="x"
    )
    assert one[0] == 7.0 + noise[4]  # to the last digit, whatever stands beside it


def test_averaging_over_cells_leaves_the_direction() -> None:
    """One contributor in 2000 different cells: the mean of its noise stays at its multiplier, far from 0."""
    m = 2000
    largest = LargestContributors(np.full((m, 1), 100.0), np.full((m, 1), 77, dtype=np.uint64))
    sums = np.random.default_rng(1).integers(0, 2**60, (m, 2))
    noise = MagnitudeKey(multipliers=(0.3,)).noise(largest, np.full(m, 5), sums, key=KEY, variable="x")
    assert abs(noise.mean()) == pytest.approx(30, abs=1)
    assert noise.std() > 5  # and cells differ, so that differences of cells are not exact


def test_two_settings_do_not_share_their_noise() -> None:
    """One number at two sizes would give the amount back: (y1 m2 - y2 m1) / (m2 - m1)."""
    largest, counts, sums = lone(1000.0, 300)
    shown = [
        MagnitudeKey(multipliers=(m,)).protect(np.full(300, 1000.0), largest, counts, sums, key=KEY, variable="x")
        for m in (0.2, 0.4)
    ]
    solved = (0.4 * shown[0] - 0.2 * shown[1]) / 0.2
    assert (np.abs(solved - 1000) < 1).mean() < 0.1


def test_bad_input_is_refused() -> None:
    with pytest.raises(ParameterError, match="'multipliers'"):
        MagnitudeKey(multipliers=(0.5, 1.0))
    with pytest.raises(ParameterError, match="'spread'"):
        MagnitudeKey(spread=1.0)
    largest, counts, sums = lone(1.0, 3)
    with pytest.raises(ParameterError, match="3 largest contributors for each of 3 cells"):
        MagnitudeKey().noise(largest, counts, sums, key=KEY, variable="x")
    broken = LargestContributors(np.full((3, 1), np.nan), largest.ids)
    with pytest.raises(DataError, match="finite"):
        MagnitudeKey(multipliers=(0.1,)).noise(broken, counts, sums, key=KEY, variable="x")
    assert repr(LargestContributors(np.full((3, 1), 73517351.0), largest.ids)) == "LargestContributors(cells=3, kept=1)"
