"""The tree over bins."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.query.cutpoints.tree import BinNode, run_parents
from tests.effort import examples

runs_ = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)).map(lambda run: (min(run), max(run))), max_size=6)


def slow_parents(runs: list[tuple[int, int]]) -> list[int | None] | None:
    """Every pair is compared; None where two cross."""
    sets = [set(range(a, b + 1)) for a, b in runs]
    for i, one in enumerate(sets):
        for other in sets[:i]:
            if one & other and not (one < other or other < one):
                return None
    around = [[j for j, other in enumerate(sets) if one < other] for one in sets]
    return [min(found, key=lambda j: len(sets[j])) if found else None for found in around]


@settings(max_examples=examples(25), deadline=None)
@given(runs_)
def test_parents_are_the_smallest_runs_around(runs: list[tuple[int, int]]) -> None:
    wanted = slow_parents(runs)
    if wanted is None:
        with pytest.raises(ParameterError, match="in each other or apart"):
            run_parents(runs)
    else:
        assert run_parents(runs) == wanted


def test_a_node_lists_its_bins() -> None:
    assert BinNode(9, "x", 2, 4, None).leaves == (2, 3, 4)
