"""No pattern that we return fails an audit: random tables of every kind, judged by a slow and obvious attacker."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from tacita.data.microdata import Microdata
from tacita.tables.auditor.audit import audit, infeasible
from tacita.tables.model.tabulate import tabulate
from tacita.tables.protect.infeasible import InfeasibleError
from tacita.tables.protect.protector import make_problem
from tacita.tables.rules.minimum_frequency import MinimumFrequency
from tacita.tables.rules.p_percent import PPercent
from tacita.tables.suppression.exact.exact import exact_suppression
from tacita.tables.suppression.fast.fast import fast_suppression, repair
from tacita.tables.suppression.suppress import Suppress
from tests.oracles.tables.suppression import is_safe_oracle
from tests.tables.examples import REGION, SIZE
from tests.tables.small_problems import random_pattern, random_problem

METHODS = ("fast", "exact", "modular", "hypercube")


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


# --- from records, by every method of the protector ----------------------------------------------------------------------


def check_methods(seed: int) -> None:
    """Firms with few in a cell, some of them in holdings, over a nested and a flat dimension and perhaps a third one."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(12, 70))
    places, sizes = ([code for code in dim.codes if code not in dict(dim.sums)] for dim in (REGION, SIZE))
    firms = Microdata.from_frame(
        pa.table(
            {
                "region": rng.choice(places, n),
                "size": rng.choice(sizes, n),
                "kind": rng.choice(["k1", "k2"], n),
                "x": np.round(rng.lognormal(3, 1.5, n), int(rng.integers(3))) * (rng.random(n) > 0.05),
                "h": rng.choice([f"h{i}" for i in range(max(3, int(0.8 * n)))], n),
            }
        ),
        household="h",
    )
    dimensions = [REGION, SIZE] if rng.random() < 0.6 else [REGION, SIZE, "kind"]
    table = tabulate(firms, dimensions, "x" if rng.random() < 0.7 else None)
    level = "holding" if rng.random() < 0.5 else "unit"
    rule = MinimumFrequency(at_least=3, level=level) | PPercent(p=10, level=level)
    unsafe = (rule if table.response else MinimumFrequency(at_least=3, level=level)).judge(table)
    for method in METHODS:
        try:
            found = Suppress(method=method, cost="unity", time_limit=10.0).protect(table, unsafe)  # type: ignore[arg-type]
        except InfeasibleError:
            problem = make_problem(table, unsafe, cost="unity")
            assert not is_safe_oracle(problem, problem.unsafe | problem.can_hide)
            return
        assert found.is_safe
        assert is_safe_oracle(found.problem, found.hidden)


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 3))])
def test_a_few_tables_of_records(seed: int) -> None:
    check_methods(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1300))
def test_many_tables_of_records(seed: int) -> None:
    check_methods(seed)
