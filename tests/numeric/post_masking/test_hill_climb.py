"""The hill climber against Algorithm 13 computed from scratch, its incremental sums, and the rules it keeps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.numeric.compiled.random import LOW_WORD, draw_below, next_word, stream_state
from tacita.numeric.nearest.kd_tree import build_kd_tree
from tacita.numeric.nearest.neighbours import nearest_records
from tacita.numeric.post_masking.hill_climb import Band, Climb, ColumnRules, climb, is_allowed, move_value, row_loss
from tacita.numeric.post_masking.moment_objective import moment_error, moment_sums
from tacita.numeric.statistics.moments import column_mean, column_sd, standardise
from tacita.numeric.statistics.relative import relative_differences
from tests.oracles.compare import post_masking as oracle


def free_rules(d: int, **changes: Any) -> ColumnRules:
    none = np.zeros(0, np.int64)
    rules = ColumnRules(
        effect=np.eye(d),
        affected=np.arange(d, dtype=np.int64).reshape(-1, 1),
        touched=np.ones(d, np.int64),
        low=np.full(d, -np.inf),
        high=np.full(d, np.inf),
        whole=np.zeros(d, dtype=np.bool_),
        upper=none,
        lower=none,
        no_new_zeros=False,
    )
    return rules._replace(**changes)


def total_rules() -> ColumnRules:
    """Column 2 = column 0 - column 1."""
    effect = np.array([[1.0, 0, 1], [0, 1, -1], [0, 0, 0]])
    return free_rules(
        3,
        effect=effect,
        affected=np.array([[0, 2], [1, 2], [2, -1]]),
        touched=np.array([2, 2, 1]),
    )


def files(seed: int, n: int = 40, d: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = np.exp(rng.normal(2, 1, (n, d)))
    return x, x * np.exp(rng.normal(0, 0.5, (n, d)))


def state_of(x: np.ndarray, y: np.ndarray) -> Climb:
    zx, z = np.ascontiguousarray(standardise(x)), np.ascontiguousarray(standardise(y, like=x))
    of_x, of_y = moment_sums(zx), moment_sums(z)
    near = nearest_records(zx, z)
    losses = relative_differences(x[near], y)
    sd = column_sd(x)
    return Climb(
        original=zx,
        base=x,
        values=y.copy(),
        z=z,
        mean=column_mean(x),
        sd=np.where(sd > 0, sd, 1.0),
        nearest=near,
        gap=np.zeros(len(y)),
        first=of_y.first / len(y) - of_x.first / len(x),
        second=of_y.second / len(y) - of_x.second / len(x),
        sums=np.array([moment_error(of_y, of_x), np.nansum(losses), (~np.isnan(losses)).sum()], dtype=np.float64),
    )


def run(
    state: Climb, cells: np.ndarray, rules: ColumnRules, *, ratio: float, steps: int, seed: int = 1, **more: Any
) -> int:
    goal = ratio * state.sums[1] / state.sums[2]
    band = Band(0.99 * goal, 1.01 * goal, goal, more.get("target_e", -np.inf))
    tree = build_kd_tree(state.original)
    kept = climb(state, cells, rules, tree, band, more.get("step", 1.0), False, stream_state(seed), steps)[1]
    return int(kept)


def every_cell(n: int, columns: tuple[int, ...]) -> np.ndarray:
    return np.array([(i, j) for i in range(n) for j in columns], dtype=np.int64)


def check_sums(state: Climb, x: np.ndarray) -> None:
    again = state_of(x, state.values)
    assert np.allclose(state.sums, again.sums, rtol=1e-9, atol=1e-12)
    assert np.allclose(state.first, again.first, atol=1e-12)
    assert np.allclose(state.second, again.second, atol=1e-11)
    assert np.array_equal(state.nearest, again.nearest)
    assert np.allclose(state.z, again.z)


def test_relative_errors_of_a_record_by_hand() -> None:
    assert row_loss(np.array([100.0, 0.0, 0.0, -4.0]), np.array([110.0, 5.0, 0.0, -2.0])) == pytest.approx((1.6, 3.0))
    assert row_loss(np.array([np.nan, 2.0]), np.array([1.0, np.nan])) == (0.0, 0.0)


@given(st.integers(0, 10**6), st.integers(4, 9), st.integers(1, 3))
def test_the_path_is_that_of_algorithm_13(seed: int, n: int, d: int) -> None:
    x, y = files(seed, n, d)
    state, cells = state_of(x, y), every_cell(n, tuple(range(d)))
    words, draws = stream_state(seed), []
    for _ in range(120):
        cell = int(draw_below(next_word(words) & LOW_WORD, len(cells)))
        draws.append((cell, 2.0 * float(int(next_word(words)) >> 11) * 2.0**-53 - 1.0))
    kept = run(state, cells, free_rules(d), ratio=0.7, steps=120, seed=seed, step=0.8)
    listed = [(int(i), int(j)) for i, j in cells]
    wanted, kept_there = oracle.algorithm_13(
        x.tolist(), y.tolist(), listed, draws, step=0.8, ratio=0.7, target_e=-np.inf
    )
    assert kept == kept_there
    assert np.allclose(state.values, wanted, rtol=1e-9)


@pytest.mark.parametrize("rules", [free_rules(3), total_rules()], ids=["free columns", "with a total"])
def test_sums_are_those_of_the_file(rules: ColumnRules) -> None:
    x, y = files(3)
    x[:, 2], y[:, 2] = x[:, 0] - x[:, 1], y[:, 0] - y[:, 1]
    state = state_of(x, y)
    before = state.sums.copy()
    cells = every_cell(40, (0, 1) if rules.touched[0] == 2 else (0, 1, 2))
    assert run(state, cells, rules, ratio=0.5, steps=3000) > 50
    assert state.sums[0] < before[0]
    check_sums(state, x)
    if rules.touched[0] == 2:
        assert np.allclose(state.values[:, 2], state.values[:, 0] - state.values[:, 1])


def test_error_never_rises_and_the_band_is_not_left() -> None:
    x, y = files(5)
    state, last = state_of(x, y), np.inf
    goal = 0.6 * state.sums[1] / state.sums[2]
    was_inside = False
    for chunk in range(30):
        kept_goal = goal / (state.sums[1] / state.sums[2])
        run(state, every_cell(40, (0, 1, 2)), free_rules(3), ratio=kept_goal, steps=200, seed=chunk)
        is_inside = abs(state.sums[1] / state.sums[2] / goal - 1) <= 0.01 + 1e-12
        assert state.sums[0] <= last
        assert is_inside or not was_inside
        last, was_inside = state.sums[0], is_inside
    assert was_inside


def test_the_climb_stops_at_its_target() -> None:
    x, y = files(6)
    state = state_of(x, y)
    goal, target = 0.6 * state.sums[1] / state.sums[2], 0.3 * state.sums[0]
    band, tree = Band(0.99 * goal, 1.01 * goal, goal, target), build_kd_tree(state.original)
    tried, _ = climb(
        state, every_cell(40, (0, 1, 2)), free_rules(3), tree, band, 1.0, False, stream_state(1), 1_000_000
    )
    assert tried < 1_000_000
    assert state.sums[0] <= target
    assert 0.99 * goal <= state.sums[1] / state.sums[2] <= 1.01 * goal


def test_same_words_same_result() -> None:
    x, y = files(7)
    found = []
    for seed in (1, 1, 2):
        state = state_of(x, y)
        run(state, every_cell(40, (0, 1, 2)), free_rules(3), ratio=0.5, steps=500, seed=seed)
        found.append(state.values)
    assert np.array_equal(found[0], found[1])
    assert not np.array_equal(found[0], found[2])


def test_bounds_whole_numbers_and_chains_are_kept() -> None:
    x, y = files(8)
    x, y = np.rint(x) + 1, np.rint(y) + 1
    y[:, 0] = np.maximum(y[:, 0], y[:, 1])
    rules = free_rules(
        3,
        low=np.full(3, 1.0),
        high=y.max(axis=0),
        whole=np.ones(3, dtype=np.bool_),
        upper=np.array([0]),
        lower=np.array([1]),
    )
    state = state_of(x, y)
    assert run(state, every_cell(40, (0, 1, 2)), rules, ratio=0.5, steps=5000) > 20
    assert np.array_equal(state.values, np.rint(state.values))
    assert (state.values >= 1).all()
    assert (state.values <= rules.high).all()
    assert (state.values[:, 0] >= state.values[:, 1]).all()
    check_sums(state, x)


def test_only_the_given_cells_change() -> None:
    x, y = files(9)
    state = state_of(x, y)
    run(state, np.array([[3, 0], [5, 2]]), free_rules(3), ratio=0.95, steps=2000)
    changed = np.argwhere(state.values != y).tolist()
    assert changed
    assert all(cell in ([3, 0], [5, 2]) for cell in changed)


def test_a_moved_part_moves_its_total() -> None:
    row, z = np.array([5.0, 2.0, 3.0]), np.zeros(3)
    before = row.copy()
    rules = total_rules()._replace(low=np.array([-np.inf, -np.inf, 0.0]))
    move_value(row, z, 1, 4.0, rules, np.array([0.0, 1.0, 1.0]), np.array([1.0, 1.0, 2.0]))
    assert row.tolist() == [5.0, 4.0, 1.0]
    assert z.tolist() == [0.0, 3.0, 0.0]
    assert is_allowed(row, before, 1, rules)
    move_value(row, z, 1, 6.0, rules, np.zeros(3), np.ones(3))
    assert not is_allowed(row, before, 1, rules)


def test_totals_keep_their_zeros() -> None:
    rules = total_rules()._replace(no_new_zeros=True)
    row, before = np.array([5.0, 2.0, 3.0]), np.array([5.0, 1.0, 4.0])
    assert is_allowed(row, before, 1, rules)
    assert not is_allowed(np.array([5.0, 5.0, 0.0]), before, 1, rules)
    assert not is_allowed(row, np.array([5.0, 5.0, 0.0]), 1, rules)
    assert not is_allowed(np.array([5.0, 0.0, 5.0]), before, 1, rules)
    assert is_allowed(np.array([5.0, 5.0, 0.0]), before, 1, rules._replace(no_new_zeros=False))
