"""Two stages of whole programmes: sums first, then no small counts; linked tables; what is given up, and in which order."""

from __future__ import annotations

import numpy as np
import pytest

import tacita as tc
from tacita.core.errors import DataError
from tacita.tables.additive.additive_counts import AdditiveCounts
from tacita.tables.additive.recount import recount_table
from tacita.tables.additive.two_stages import two_stages
from tacita.tables.model.relations import Relations
from tests.tables.additive.examples import noisy_counts, two_way


@pytest.mark.parametrize("seed", range(4))
def test_small_tables_are_made_additive(seed: int) -> None:
    table = two_way(np.random.default_rng(seed).poisson(4.0, (4, 5)).tolist())
    made = AdditiveCounts(D=3, method="stages", time_limit=20).restore(table, noisy_counts(table.counts), seed=1)
    assert made.proof.holds
    assert made.proof.is_within or made.notes
    assert made.work >= 2


def test_linked_tables_share_their_margins() -> None:
    data = tc.samples.person_register(400, seed=1)
    both = tc.tables.link([tc.tabulate(data, ["sex", name]) for name in ("marital", "disability")])
    noisy = noisy_counts(both.counts)
    total = np.array([0])
    made = AdditiveCounts(D=3, method="stages", time_limit=20).restore(both, noisy, seed=1, fixed=total)
    assert made.proof.holds
    assert made.values[0] == both.counts[0]


def test_the_bound_is_given_up_before_zeros() -> None:
    """Five ones and their sum of 5: within 2, five cells of 0 or 3 add up to 3 or 6, which both are near enough."""
    rows = Relations.of([(0, [1, 2, 3, 4, 5])], 6)
    truth = np.array([5, 1, 1, 1, 1, 1])
    none = np.zeros(6, bool)
    found = two_stages(rows, truth, np.array([5, 3, 0, 0, 0, 3]), none, D=2, smallest=3, time_limit=10)
    assert recount_table(rows, truth, found.values, D=2, smallest=3).is_within
    assert not found.notes
    # A total that is noisy zero cannot hold inner cells: the first stage makes it 3 or more, within the bound.
    far = two_stages(rows, truth, np.array([3, 0, 0, 0, 0, 0]), none, D=2, smallest=3, time_limit=10)
    assert recount_table(rows, truth, far.values, D=4, smallest=3).holds


def test_zeros_of_the_first_stage_are_freed_last() -> None:
    """2 + 2 = 4, total fixed: the first stage may make the inner cells 4 and 0, or leave them small; never an error."""
    rows = Relations.of([(0, [1, 2])], 3)
    truth = np.array([4, 2, 2])
    found = two_stages(rows, truth, np.array([4, 3, 3]), np.array([True, False, False]), D=2, smallest=3, time_limit=10)
    assert sorted(found.values.tolist()) == [0, 4, 4]


def test_what_nobody_can_meet_is_an_error() -> None:
    rows = Relations.of([(0, [1, 2])], 3)
    truth = np.array([5, 3, 2])
    with pytest.raises(DataError, match="no table within 4"):
        two_stages(rows, truth, truth, np.array([True, True, False]), D=2, smallest=3, time_limit=10)
