"""The search on the score: its parts against the measures themselves, its sums against a recount."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.loss.moments import moment_discrepancies
from tacita.numeric.compiled.random import stream_state
from tacita.numeric.nearest.kd_tree import build_kd_tree
from tacita.numeric.nearest.neighbours import nearest_records, own_is_nearest
from tacita.numeric.post_masking.score_climb import (
    Prices,
    ScoreState,
    count_hits,
    fill_risks,
    moment_loss,
    search_score,
)
from tacita.numeric.statistics.moments import column_mean, column_sd, covariance, standardise
from tacita.numeric.statistics.relative import relative_differences
from tacita.risk.intervals import WIDTHS, rank_interval_hits
from tests.numeric.post_masking.test_hill_climb import every_cell, files, free_rules, total_rules

KNOWN = 2


def state_of(x: np.ndarray, y: np.ndarray) -> ScoreState:
    zx, z = np.ascontiguousarray(standardise(x)), np.ascontiguousarray(standardise(y, like=x))
    n, d = y.shape
    state = ScoreState(
        original=zx,
        base=x,
        values=y.copy(),
        z=z,
        mean=column_mean(x),
        sd=column_sd(x),
        nearest=nearest_records(zx, z),
        first=z.mean(axis=0),
        second=z.T @ z / n,
        mean_x=column_mean(x),
        cov_x=covariance(zx),
        ordered=np.ascontiguousarray(np.sort(y, axis=0).T),
        there=np.full(d, n, np.int64),
        widths=np.tile(np.asarray(WIDTHS) * n / 100, (d, 1)),
        linked=np.empty(n),
        hits=np.empty(n),
        sums=np.zeros(5),
    )
    fill_risks(state, KNOWN, build_kd_tree(np.ascontiguousarray(zx[:, :KNOWN])))
    return state


@pytest.mark.parametrize("seed", range(5))
def test_parts_are_the_measures(seed: int) -> None:
    x, y = files(seed, 60, 3)
    state = state_of(x, y)
    near = state.nearest
    assert moment_loss(state) == pytest.approx(sum(moment_discrepancies(x, y).values()))
    assert state.sums[0] / state.sums[1] == pytest.approx(np.nanmean(relative_differences(x[near], y)))
    hits = [rank_interval_hits(x[near, j], y[:, j], y[:, j], WIDTHS) for j in range(3)]
    assert state.sums[3] / state.sums[4] == pytest.approx(np.mean(hits))
    zx, z = state.original, state.z
    linked = [own_is_nearest(zx[:, :m].copy(), z[:, :m].copy(), near).mean() for m in (1, 2)]
    assert state.sums[2] / 60 == pytest.approx(np.mean(linked))


def test_rank_intervals_by_hand() -> None:
    """Rank 2 of 0..9 with half-widths of 1 and 3 ranks: [1, 3] and [0, 5]."""
    ordered, widths = np.arange(10.0), np.array([1.0, 3.0])
    assert [count_hits(x, 2.0, ordered, 10, widths) for x in (3.0, 4.0, 6.0)] == [1.0, 0.5, 0.0]
    assert np.isnan(count_hits(np.nan, 2.0, ordered, 10, widths))


@pytest.mark.parametrize("rules", [free_rules(3), total_rules()], ids=["free columns", "with a total"])
def test_sums_are_those_of_the_file(rules: object) -> None:
    x, y = files(4, 60, 3)
    x[:, 2], y[:, 2] = x[:, 0] - x[:, 1], y[:, 0] - y[:, 1]
    state = state_of(x, y)
    before, moments = state.sums.copy(), moment_loss(state)
    zx = state.original
    trees = (build_kd_tree(zx), build_kd_tree(np.ascontiguousarray(zx[:, :KNOWN])))
    prices = Prices(10.0, 25.0, 25.0, 0.0, 0.0)
    kept = search_score(state, every_cell(60, (0, 1)), rules, trees, KNOWN, prices, 1.0, stream_state(1), 3000)
    assert kept > 50
    found, risks = state.sums.copy(), (state.linked.copy(), state.hits.copy())
    fill_risks(state, KNOWN, trees[1])  # with the order statistics as they stood during the round
    assert np.allclose(found, state.sums, rtol=1e-9)
    assert np.allclose(risks[0], state.linked)
    assert np.allclose(risks[1], state.hits)
    again = state_of(x, state.values)
    assert np.array_equal(state.nearest, again.nearest)
    assert np.allclose(state.first, again.first)
    assert np.allclose(state.second, again.second)
    assert moment_loss(state) == pytest.approx(sum(moment_discrepancies(x, state.values).values()), rel=1e-6)

    def score(sums: np.ndarray, of_moments: float) -> float:
        return float(10 * (sums[0] / sums[1] + of_moments) + 25 * sums[2] / 60 + 25 * sums[3] / sums[4])

    assert score(found, moment_loss(state)) < score(before, moments)


def test_risk_below_its_floor_brings_nothing() -> None:
    """With the floors at 1 nothing but loss counts: the search goes further down with it."""
    x, y = files(11, 60, 3)
    losses = []
    for floor in (0.0, 1.0):
        state = state_of(x, y)
        trees = (build_kd_tree(state.original), build_kd_tree(np.ascontiguousarray(state.original[:, :KNOWN])))
        prices = Prices(10.0, 25.0, 25.0, floor, floor)
        search_score(state, every_cell(60, (0, 1, 2)), free_rules(3), trees, KNOWN, prices, 1.0, stream_state(1), 6000)
        losses.append(state.sums[0] / state.sums[1])
    assert losses[1] < losses[0]
