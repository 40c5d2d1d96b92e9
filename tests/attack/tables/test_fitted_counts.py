"""Fitted counts: noise of many sums is averaged out, counts that add up are left, and what it declines."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import scipy.sparse as sp

from tacita.attack import FittedCounts, attack_once
from tacita.attack.judge.answers import Answers
from tacita.attack.tables.fitted_counts import fitted_to_sums
from tests.attack.tables.cases import counts_target
from tests.solve.test_cell_intervals import sums_of


def test_the_fit_is_that_of_least_squares() -> None:
    """Against the normal equations, with nothing at its bound."""
    rows = sums_of(4, 5)
    shown = np.random.default_rng(1).normal(50, 5, rows.shape[1])
    a = rows.toarray()
    exact = shown - a.T @ np.linalg.lstsq(a @ a.T, a @ shown, rcond=None)[0]
    found = fitted_to_sums(sp.csr_array(rows), shown, np.full(len(shown), -np.inf), np.full(len(shown), np.inf))
    np.testing.assert_allclose(found, exact, atol=1e-6)
    assert np.abs(rows @ found).max() < 1e-6


def test_totals_of_many_parts_lose_their_noise() -> None:
    """A total of which eight splits in two are told has noise of a fifth of its variance left."""
    rng = np.random.default_rng(2)
    rights = []
    for _ in range(40):
        halves = rng.integers(20, 80, (8, 1))
        values = np.concatenate([[100.0], np.hstack([halves, 100 - halves]).ravel()])
        rows = sp.lil_matrix((8, 17))
        for split in range(8):
            rows[split, 0], rows[split, 1 + 2 * split], rows[split, 2 + 2 * split] = 1, -1, -1
        shown = values + rng.integers(-3, 4, 17)
        target = replace(counts_target(shown, rows.tocsr(), 3.0, np.array([0])), holds_sums=False)
        found = attack_once(FittedCounts(), target, Answers(truth={"cell": values[:1]}, near=0.0), seed=1)
        rights.append((abs(found.success - 1.0) < 1e-9, shown[0] == 100.0))
    fitted, published = np.mean(rights, axis=0)
    assert fitted > published + 0.1


def test_what_adds_up_is_left_and_what_it_declines() -> None:
    rows = sums_of(2, 2)
    inner = np.array([4.0, 6, 3, 9])
    values = np.concatenate([inner, [10, 12], [7, 15], [22]])
    target = counts_target(values, rows, 3.0, np.arange(4))
    claims = FittedCounts().run(target, np.random.default_rng(1))[0]
    assert claims.said.tolist() == inner.tolist()
    assert claims.is_sure is None
    assert claims.learned == ""
    assert "no changed counts" in FittedCounts().declined(replace(target, reach=None))
    assert "hidden" in FittedCounts().declined(replace(target, shown=np.where(values == 4, np.nan, values)))
    assert "no cells" in FittedCounts().declined(1)
    assert FittedCounts().cost(target) > 0
