"""Designs of rows: what is special about each."""

from __future__ import annotations

import numpy as np

from tacita.numeric.perturbation.transition_rows import entropy
from tacita.tables.perturbation.row_conditions import conditions_of_rows
from tacita.tables.perturbation.row_designs import entropy_family, entropy_rows, normal_rows
from tests.oracles.tables.transition_oracle import entropy_by_optimiser


def test_falling_tails_with_most_entropy() -> None:
    rows = conditions_of_rows(4, (1, 2), monotone=True)
    found = entropy_rows(rows, 4, 2.4)
    for row, p in zip(rows, found[1:], strict=True):
        best = entropy_by_optimiser(row.noise, 2.4, monotone=True)
        assert float(entropy(p)) >= best - 1e-5


def test_a_low_centre_is_raised_as_little_as_possible() -> None:
    """With V = 0.5 at most half of the counts can leave by one step."""
    rows = conditions_of_rows(3, ())
    found = normal_rows(rows, 3, 0.5, 0.1)
    assert np.allclose(found[3], [0, 0, 0.25, 0.5, 0.25, 0, 0])


def test_a_family_holds_row_0() -> None:
    found = entropy_family(3, np.array([2.0, 2.5]), (1, 2))
    assert found.shape == (2, 7, 7)
    assert (found[:, 0] == np.eye(7)[3]).all()
