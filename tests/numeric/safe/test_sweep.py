from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tacita.numeric.safe.first_counts import first_counts
from tacita.numeric.safe.search import potentials
from tacita.numeric.safe.state import SafeState, deviations_of, new_state
from tacita.numeric.safe.sweep import minus_logs, reach, sweep_cells
from tests.numeric.safe.small_problems import SmallProblem, small_problem
from tests.oracles.mask.safe import potential_oracle
from tests.oracles.numeric.as_python import run_as_python

K = 3


def started(found: SmallProblem, allowances: np.ndarray | None, seed: int) -> tuple[SafeState, np.ndarray]:
    state, known = new_state(found.layout, found.counts, allowances)
    order = np.random.default_rng(seed).permutation(len(found.counts))
    first_counts(state, known, found.layout.controlled, k=K, bound=1, order=order)
    return state, known


def random_allowances(found: SmallProblem, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(-1, 3, found.layout.controlled)


@given(seed=st.integers(0, 10**6), weighted=st.booleans(), soft=st.integers(0, 1))
def test_a_cold_sweep_takes_what_the_oracle_says_is_better(seed: int, weighted: bool, soft: int) -> None:
    """At temperature 0 with one cell a block, a change is taken exactly where a recount of the whole potential falls."""
    found = small_problem(seed, soft=soft)
    allowances = random_allowances(found, seed) if weighted else None
    state, known = started(found, allowances, seed)
    potential = potentials(known, 3)
    centre = potential.shape[1] // 2
    original, places = found.counts.tolist(), found.layout.places.tolist()
    singles = np.arange(len(original) + 1)
    for j in range(len(original)):
        before = state.counts.tolist()

        def energy(counts: list[int]) -> int:
            # The row of a cell is that of its table, and of its class where cells differ.
            total = 0
            for t in range(len(places[0])):
                sums = np.zeros(found.layout.cells, dtype=np.int64)
                for i, row in enumerate(places):
                    sums[row[t]] += counts[i] - original[i]
                for cell in {row[t] for row in places}:
                    row = int(state.rows[t]) + (int(state.classes[cell]) if len(state.classes) else 0)
                    total += int(potential[row, sums[cell] + centre])
            return total

        y, now = before[j], energy(before)
        offers = {0: (K, K + 1), K: (0, K + 1), K + 1: (0, K, K + 2)}.get(y, (y - 1, y + 1))
        by_offer = {new: energy([*before[:j], new, *before[j + 1 :]]) - now for new in offers}
        random = np.array([seed + j], dtype=np.uint64)
        sweep_cells(state, singles, np.array([j]), potential, minus_logs(), 0.0, K, random)
        after = int(state.counts[j])
        assert state.counts.tolist() == [*before[:j], after, *before[j + 1 :]]
        if after != y:
            assert by_offer[after] <= 0
        elif y != K + 1:
            assert min(by_offer.values()) > 0
        else:
            assert by_offer[0] > 0  # of k and k + 2 one is offered, by chance


@given(seed=st.integers(0, 10**6), temperature=st.sampled_from([0.0, 1e3, 1e7]))
def test_counts_and_deviations_stay_together(seed: int, temperature: float) -> None:
    found = small_problem(seed)
    state, known = started(found, None, seed)
    blocks = np.arange(len(found.layout.starts) - 1)
    random = np.array([seed], dtype=np.uint64)
    for _ in range(5):
        sweep_cells(state, found.layout.starts, blocks, potentials(known, 4), minus_logs(), temperature, K, random)
    assert ((state.counts == 0) | (state.counts >= K)).all()
    again = np.zeros_like(state.deviations)
    deviations_of((state.counts - found.counts).astype(np.int32), state.places, again)
    assert np.array_equal(again, state.deviations)


def test_the_potential_of_the_oracle_is_that_of_the_table() -> None:
    """Sixth powers, summed over the cells by hand."""
    found = small_problem(8)
    state, known = started(found, None, 8)
    potential = potentials(known, 1)
    centre = potential.shape[1] // 2
    by_oracle = potential_oracle(
        state.counts.tolist(), found.counts.tolist(), found.layout.places.tolist(), lambda _, d: 1024 * d**6
    )
    assert by_oracle == int(potential[0, state.deviations.astype(np.int64) + centre].sum())


@given(seed=st.integers(0, 10**6), weighted=st.booleans())
def test_reach_is_the_largest_deviation_less_its_allowance(seed: int, weighted: bool) -> None:
    found = small_problem(seed, soft=1)
    allowances = random_allowances(found, seed) if weighted else None
    state, known = started(found, allowances, seed)
    off = np.abs(state.deviations[: found.layout.controlled].astype(int))
    less = off - (0 if allowances is None else allowances)
    worst = max(0, less[off > 0].max(initial=0))
    assert reach(state.deviations, state.classes, known, found.layout.controlled) == (
        worst,
        int((less[off > 0] == worst).sum()),
        int(np.abs(state.deviations.astype(int)).max()),
    )


CODE = """
    import numpy as np
    from tacita.numeric.safe.search import SafePlan, safe_counts
    from tests.numeric.safe.small_problems import small_problem
    found = small_problem(4, soft=1)
    made = safe_counts(found.layout, found.counts, None, SafePlan(k=3, sweeps=30), np.random.default_rng(2))
    print(made.counts.tolist(), made.bound)
"""


def test_machine_code_does_what_is_written() -> None:
    assert run_as_python(CODE) == run_as_python(CODE, compiled=True)
