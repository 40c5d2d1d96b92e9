"""No pattern that we return fails an audit: random tables of every kind, judged by a slow and obvious attacker."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.tables.audit import audit, infeasible
from tacita.tables.exact_suppression import exact_suppression
from tacita.tables.fast_suppression import fast_suppression, repair
from tacita.tables.infeasible import InfeasibleError
from tests.oracles.suppression import is_safe_oracle
from tests.tables.small_problems import random_pattern, random_problem


def check(seed: int) -> None:
    rng = np.random.default_rng(seed)
    problem = random_problem(rng)
    everything = problem.unsafe | problem.can_hide
    if not is_safe_oracle(problem, everything):
        assert infeasible(problem), "what the oracle breaks with everything hidden, the auditor must break too"
        with pytest.raises(InfeasibleError):
            fast_suppression(problem)
        return
    fast = fast_suppression(problem)
    exact = exact_suppression(problem, time_limit=20.0)
    mended = repair(problem, random_pattern(problem, rng) & everything)
    for hidden in (fast.hidden, exact.hidden, mended):
        assert is_safe_oracle(problem, hidden)
        assert audit(problem, hidden).is_safe
    assert exact.cost <= fast.cost + 1e-6
    assert exact.bound <= exact.cost + 1e-6


@pytest.mark.parametrize("seed", range(12))
def test_a_few_tables(seed: int) -> None:
    check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 2000))
def test_a_thousand_tables(seed: int) -> None:
    check(seed)
