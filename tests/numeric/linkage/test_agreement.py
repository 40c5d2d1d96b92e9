"""Positions and levels of agreement, against counting."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tacita.numeric.linkage.agreement import CHUNK, add_up, positions_of, width_in_positions
from tests.oracles.risk import record_linkage as oracle

few = st.integers(0, 9).map(float) | st.just(np.nan)
WIDTHS = (2.0, 10.0, 30.0)


def total_of(positions, weights: np.ndarray, q: int) -> list[int]:
    n = positions.originals.shape[1]
    total = np.empty(CHUNK, np.int32)
    add_up(
        positions.originals, positions.originals_gone, positions.originals_gone.any(axis=1), positions.masked[:, q].copy(),
        positions.masked_gone[:, q].copy(), positions.limits, weights, 0, n, total,
    )  # fmt: skip
    return total[:n].tolist()


@given(
    st.integers(1, 3).flatmap(
        lambda d: st.tuples(
            arrays(np.float64, st.tuples(st.integers(1, 25), st.just(d)), elements=few),
            arrays(np.float64, st.tuples(st.integers(1, 8), st.just(d)), elements=few),
        )
    )
)
def test_weights_of_rank_agreement_against_counting(files: tuple[np.ndarray, np.ndarray]) -> None:
    x, y = files
    weights = np.random.default_rng(1).integers(-900, 900, (x.shape[1], len(WIDTHS) + 1)).astype(np.int32)
    positions = positions_of(x, y, WIDTHS, "ranks")
    a = np.column_stack([oracle.middle_percents(column) for column in x.T.tolist()])
    b = np.column_stack([oracle.middle_percents(column) for column in y.T.tolist()])
    for q in range(len(y)):
        wanted = []
        for row in a:
            found = oracle.levels(row, b[q], [w + 1e-6 for w in WIDTHS])
            wanted.append(sum(int(weights[j, level]) for j, level in enumerate(found) if level is not None))
        assert total_of(positions, weights, q) == wanted


def test_sd_agreement_by_hand() -> None:
    """S of 0, 100, 200 is 100: differences of 2, 10 and 30 still agree at their levels, 31 does not."""
    x, y = np.array([[0.0], [100.0], [200.0]]), np.array([[2.0], [110.0], [170.0], [169.0]])
    weights = np.array([[7, 5, 3, 1]], dtype=np.int32)
    positions = positions_of(x, y, WIDTHS, "sd")
    assert [max(total_of(positions, weights, q)) for q in range(4)] == [7, 5, 3, 1]


@pytest.mark.parametrize("unit", ["ranks", "sd"])
def test_differences_at_the_ends_of_the_range_do_not_wrap_round(unit: str) -> None:
    x = np.concatenate([np.full(500, -1.0), np.arange(1.0), np.full(500, 1e9)])[:, None]
    y = np.array([[-1e300], [1e300]])
    positions = positions_of(x, y, (1.0, 100.0), unit)  # type: ignore[arg-type]
    away = np.abs(positions.originals.astype(np.int64) - positions.masked[:, 1].astype(np.int64))
    expected = np.where(away <= positions.limits[0], 4, np.where(away <= positions.limits[1], 2, 0))
    assert total_of(positions, np.array([[4, 2, 0]], dtype=np.int32), 1) == expected[0].tolist()


def test_a_constant_column_agrees_everywhere() -> None:
    positions = positions_of(np.full((4, 1), 3.0), np.full((2, 1), 3.0), (1.0,), "sd")
    assert total_of(positions, np.array([[5, -5]], dtype=np.int32), 0) == [5] * 4


def test_the_whole_file_is_within_100_percent() -> None:
    x = np.arange(1000.0)[:, None]
    positions = positions_of(x, x, (100.0,), "ranks")
    assert positions.originals.max() - positions.originals.min() <= width_in_positions(100.0, "ranks")
