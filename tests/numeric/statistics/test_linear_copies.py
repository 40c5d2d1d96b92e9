"""Linear copies: sums and differences are found, also where some records break them; what is near is not what is equal."""

from __future__ import annotations

import numpy as np

from tacita.numeric.statistics.linear_copies import depends_on, linear_copies

RNG = np.random.default_rng(3)
X = np.exp(RNG.normal(6, 1.5, (800, 4)))


def test_sums_differences_and_copies() -> None:
    assert depends_on(X[:, 0] + X[:, 1], X) == (0, 1)
    assert depends_on(X[:, 2] - X[:, 3], X) == (2, 3)
    assert depends_on(3 * X[:, 1] - 7, X) == (1,)


def test_broken_records_and_gaps_do_not_hide_it() -> None:
    u = X[:, 0] + X[:, 1]
    u[:30] *= 1.5
    u[-50:] = np.nan
    assert depends_on(u, X) == (0, 1)


def test_what_only_correlates_is_no_copy() -> None:
    assert depends_on(X[:, 0] * np.exp(0.05 * RNG.normal(size=800)), X) == ()
    assert depends_on(np.exp(RNG.normal(6, 1.5, 800)), X) == ()
    assert depends_on((RNG.random(800) < 0.02).astype(float), X) == ()
    assert depends_on(np.full(800, 3.0), X) == ()
    assert depends_on(X[:10, 0], X[:10]) == (), "too few records to say"


def test_many_columns_at_once_are_the_same() -> None:
    u = np.column_stack([X[:, 0] - X[:, 3], np.exp(RNG.normal(6, 1.5, 800)), np.full(800, np.nan), 2 * X[:, 1]])
    u[:30, 0] += 9
    u[5:9, 3] = np.nan
    assert linear_copies(u, X) == [(0, 3), (), (), (1,)]
    assert linear_copies(u[:10], X[:10]) == [()] * 4
