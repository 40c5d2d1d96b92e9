"""Iterative proportional fitting: against a loop, on consistent and on contradicting sums."""

from __future__ import annotations

import numpy as np
import pytest

import tacita as tc
from tacita.core.errors import DataError, ParameterError
from tacita.tables.additive.proportional_fit import proportional_fit
from tacita.tables.model.relations import Relations
from tests.tables.additive.examples import noisy_counts, two_way


def test_consistent_margins_are_met_as_by_a_loop() -> None:
    table = two_way([[4, 6, 2], [3, 5, 9]])
    noisy = table.counts.astype(float)
    rows, columns = np.array([20.0, 10.0]), np.array([12.0, 8.0, 10.0])
    for i in range(2):
        noisy[table.find({"row": f"r{i}", "column": "Total"})] = rows[i]
    for j in range(3):
        noisy[table.find({"row": "Total", "column": f"c{j}"})] = columns[j]
    noisy[table.find({"row": "Total", "column": "Total"})] = 30.0
    inner = np.array([[4.0, 6, 2], [3, 5, 9]])
    for _ in range(200):
        inner *= (columns / inner.sum(axis=0))[None, :]
        inner *= (rows / inner.sum(axis=1))[:, None]
    found = proportional_fit(table.relations, noisy, rounds=200, tolerance=1e-12)
    fitted = [found.values[table.find({"row": f"r{i}", "column": f"c{j}"})[0]] for i in range(2) for j in range(3)]
    assert fitted == pytest.approx(inner.ravel(), rel=1e-6)
    assert found.misfit < 1e-6


def test_contradicting_sums_still_give_a_table_that_adds_up() -> None:
    table = two_way(np.random.default_rng(1).poisson(3.0, (5, 6)).tolist())
    found = proportional_fit(table.relations, noisy_counts(table.counts))
    assert not len(table.relations.violated(found.values))
    assert not found.values[table.counts == 0].any()
    assert found.misfit > 0
    assert found.rounds <= 50
    assert ((found.values > 0) & (found.values < 3)).any(), (
        "small counts appear again, which is why it only stands beside"
    )


def test_bad_input_is_refused() -> None:
    rows = Relations.of([(0, [1, 2])], 3)
    with pytest.raises(ParameterError, match="'noisy' must have 3 counts"):
        proportional_fit(rows, np.array([1, 2]))
    with pytest.raises(ParameterError, match="'rounds' must be"):
        proportional_fit(rows, np.array([3, 1, 2]), rounds=0)
    people = tc.samples.person_register(200, seed=1)
    both = tc.tables.link([tc.tabulate(people, ["sex", name]) for name in ("marital", "disability")])
    with pytest.raises(DataError, match="do not follow"):
        proportional_fit(both.relations, both.counts)
