"""What respondents learn who know their own values: from answers little, from the vertices everything."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import linprog

from tacita.core.errors import ParameterError
from tacita.query.camouflage.camouflage import Camouflage
from tacita.query.camouflage.hull import Hull
from tacita.query.camouflage.insiders import insider_bounds
from tacita.query.camouflage.intervals import interval
from tests.query.camouflage.sets import KEY, incomes

HOW = Camouflage(p=10, low=0)


def answered(hull: Hull, count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows and sides of what answers say: the sum of every single record and of random sets."""
    rng, n = np.random.default_rng(seed), hull.records
    sets = [np.array([i]) for i in range(n)]
    sets += [rng.choice(n, int(rng.integers(2, 10)), replace=False) for _ in range(count)]
    rows, sides = [], []
    for members in sets:
        low, high = interval(hull, "sum", members)
        row = np.zeros(n)
        row[members] = 1
        rows += [row, -row]
        sides += [high, -low]
    return np.array(rows), np.array(sides)


def attack(rows: np.ndarray, sides: np.ndarray, known: dict[int, float], record: int) -> tuple[float, float]:
    """The linear attacker: least and greatest value of a record that all answers and all known values allow."""
    n = rows.shape[1]
    bounds = [(known[i], known[i]) if i in known else (0, None) for i in range(n)]
    cost = np.zeros(n)
    cost[record] = 1
    ends = [linprog(sign * cost, A_ub=rows, b_ub=sides, bounds=bounds) for sign in (1, -1)]
    assert all(end.status == 0 for end in ends)
    return ends[0].fun, -ends[1].fun


@pytest.mark.parametrize("seed", [1, 2])
def test_no_set_of_answers_narrows_a_promise(seed: int) -> None:
    values = incomes(20, seed)
    hull = HOW.cover(values, key=KEY, label=str(seed))
    low, high = HOW.promised(values)
    rows, sides = answered(hull, 80, seed)
    for record in range(0, 20, 2):
        found = attack(rows, sides, {}, record)
        assert found[0] <= low[record] + 1e-6
        assert found[1] >= high[record] - 1e-6
        assert found[0] <= hull.least[record] + 1e-6
        assert found[1] >= hull.most[record] - 1e-6


def test_the_attack_breaks_answers_without_camouflage() -> None:
    """The same attacker on exact sums of random sets alone: everything is found, so the attack is a real one."""
    values = incomes(12)
    hull = Hull(values[None, :], np.ones(1))
    rows, sides = answered(hull, 60, 3)
    found = attack(rows[24:], sides[24:], {}, 5)
    assert found == pytest.approx((values[5], values[5]), rel=1e-6)


@pytest.mark.parametrize("insiders", [1, 2, 3])
def test_few_insiders_with_answers_leave_at_least_half_of_every_range(insiders: int) -> None:
    values = incomes(20, 5)
    hull = HOW.cover(values, key=KEY, label="insiders")
    low, high = HOW.promised(values)
    rows, sides = answered(hull, 80, insiders)
    known = {i: float(values[i]) for i in range(insiders)}
    others = np.arange(insiders, 20, 3)
    inner = insider_bounds(hull, np.arange(insiders), others)
    for place, record in enumerate(others.tolist()):
        found = attack(rows, sides, known, record)
        assert found[1] - found[0] >= 0.5 * (hull.most - hull.least)[record]
        assert found[0] <= low[record] + 1e-6
        assert found[1] >= high[record] - 1e-6
        # what the candidates with the insiders' values have left is never ruled out
        assert found[0] <= inner[0][place] + 1e-6
        assert found[1] >= inner[1][place] - 1e-6


def test_as_many_insiders_as_vertices_less_one_who_know_the_vertices_know_all() -> None:
    values = incomes(40)
    hull = Camouflage(p=10).cover(values, key=KEY)
    others = np.arange(20, 40)
    ranges = (hull.most - hull.least)[others]
    left = []
    for insiders in range(6):
        low, high = insider_bounds(hull, np.arange(insiders), others)
        assert (low <= values[others] + 1e-6).all()
        assert (values[others] <= high + 1e-6).all()
        left.append((high - low) / ranges)
    assert left[0] == pytest.approx(1)
    assert all((fewer + 1e-6 >= more).all() for fewer, more in pairwise(left))
    assert np.median(left[2]) > 0.3
    assert left[5].max() < 1e-4  # k - 1 of them solve for the weights


def test_by_hand() -> None:
    hull = Hull(np.array([[0.0, 0.0, 0.0], [4.0, 0.0, 4.0], [0.0, 4.0, 4.0]]), np.array([0.5, 0.25, 0.25]))
    low, high = insider_bounds(hull, np.array([0]), np.array([1, 2]))  # u_2 = 1/4, hence u_3 in [0, 3/4]
    assert low == pytest.approx([0, 1])
    assert high == pytest.approx([3, 4])


def test_records_that_are_not_there_are_errors() -> None:
    hull = Hull(np.array([[1.0, np.nan], [2.0, np.nan]]), np.array([0.5, 0.5]))
    with pytest.raises(ParameterError, match="from 0 to 1"):
        insider_bounds(hull, np.array([2]), np.array([0]))
    with pytest.raises(ParameterError, match="have a value"):
        insider_bounds(hull, np.array([0]), np.array([1]))
