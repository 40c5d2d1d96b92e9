"""The auditor against two linear programmes a cell, by hand and on random tables."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import DataError, ParameterError, TacitaError
from tacita.tables.auditor.audit import audit, infeasible
from tacita.tables.model.relations import Relations
from tacita.tables.model.seats import Seats
from tacita.tables.protect.problem import Problem
from tests.effort import examples
from tests.oracles.tables import audit as oracle
from tests.tables.small_problems import grid, random_pattern, random_problem

BoolArray = npt.NDArray[np.bool_]


def marked(n: int, *cells: int) -> BoolArray:
    made = np.zeros(n, bool)
    made[list(cells)] = True
    return made


# --- by hand -------------------------------------------------------------------------------------------------------------


def test_three_by_three_by_hand() -> None:
    """Inner cells 20 50 10 / 8 19 22 / 17 32 12, of which 50, 10, 19, 22 are hidden.

    Rows and columns leave one degree of freedom t with 50 + t, 10 - t, 19 - t, 22 + t, all non-negative: t from -22 to
    10. The 22 goes no higher than 32 because it shares its column with the 10: relation 6, after the four rows and two
    columns.
    """
    problem = grid(np.array([[20.0, 50, 10], [8, 19, 22], [17, 32, 12]]), unsafe=[(1, 2)], level=9.0)
    hidden = marked(16, *(4 * r + c for r in (0, 1) for c in (1, 2)))
    seen = audit(problem, hidden, exact=True)
    assert seen.hidden.tolist() == [1, 2, 5, 6]
    np.testing.assert_allclose(seen.low, [28, 0, 9, 0], atol=1e-9)
    np.testing.assert_allclose(seen.high, [60, 32, 41, 32], atol=1e-9)
    assert seen.is_exact.all()
    assert seen.is_safe
    wider = audit(grid(problem.values.reshape(4, 4)[:3, :3], unsafe=[(1, 2)], level=16.0), hidden)
    assert [(leak.cell, leak.side) for leak in wider.leaks] == [(6, "above")]
    assert wider.leaks[0].share == pytest.approx(10 / 16)
    assert wider.leaks[0].relations == (6,)


def test_a_single_hidden_cell_is_found_through_its_row() -> None:
    problem = grid(np.array([[1.0, 2], [3, 4]]), unsafe=[(0, 0)], level=1.0)
    seen = audit(problem, marked(9, 0))
    assert {leak.side for leak in seen.leaks} == {"below", "above"}
    assert all(leak.share == 0 and len(leak.relations) == 1 and leak.seat is None for leak in seen.leaks)
    assert seen.low.tolist() == seen.high.tolist() == [1.0]
    assert seen.is_exact.tolist() == [True]
    assert seen.at_risk.tolist() == [0]


def test_chains_name_every_link() -> None:
    """Cells 0, 1 hidden in row 0 and 1 alone in column 1: column 1 gives cell 1, row 0 then gives cell 0."""
    problem = grid(np.array([[1.0, 2, 5], [3, 4, 6]]), unsafe=[(0, 0)], level=1.0)
    hidden = marked(12, 0, 1, 4)  # cells (0,0), (0,1), (1,0)
    seen = audit(problem, hidden)
    assert not seen.is_safe
    leak = seen.leaks[0]
    rows = np.array(leak.relations)
    low, high = oracle.interval(problem, hidden, 0, set(), rows)
    assert low == pytest.approx(1.0)
    assert high == pytest.approx(1.0)


def test_a_published_unsafe_cell_is_a_leak() -> None:
    problem = grid(np.array([[1.0, 2], [3, 4]]), unsafe=[(0, 0)], level=1.0)
    seen = audit(problem, np.zeros(9, bool))
    assert [(leak.cell, leak.side, leak.share) for leak in seen.leaks] == [(0, "below", 0.0), (0, "above", 0.0)]
    loose = audit(grid(np.array([[1.0, 2], [3, 4]]), unsafe=[(0, 0)], level=0.0), np.zeros(9, bool))
    assert [leak.side for leak in loose.leaks] == ["sliding"]


def test_a_seat_sees_more() -> None:
    """All four inner cells hidden: safe for the outsider; whoever knows one of them knows all."""
    sole = np.full(9, -1)
    sole[4] = 7
    problem = grid(np.array([[1.0, 2], [3, 4]]), unsafe=[(0, 0)], level=1.0, seats=Seats.of(sole))
    hidden = marked(9, 0, 1, 3, 4)
    assert audit(problem, hidden, seats="none").is_safe
    seen = audit(problem, hidden)
    assert {(leak.cell, leak.seat, leak.side, leak.share) for leak in seen.leaks} == {
        (0, 0, "below", 0.0),
        (0, 0, "above", 0.0),
    }
    assert all(leak.known == (4,) for leak in seen.leaks)
    assert seen.seats == 1


def test_unbounded_intervals_are_infinite() -> None:
    """Total and one part hidden: both can grow for ever, neither below what the other part forces."""
    problem = Problem(
        Relations.of([(0, [1, 2])], 3),
        np.array([5.0, 2, 3]),
        np.zeros(3),
        np.full(3, np.inf),
        marked(3, 1),
        np.ones(3),
        np.full(3, 1e6),
        np.zeros(3),
        np.ones(3),
        np.zeros(3, bool),
    )
    seen = audit(problem, marked(3, 0, 1), exact=True)
    assert seen.is_safe
    assert seen.high.tolist() == [np.inf, np.inf]
    assert seen.low.tolist() == pytest.approx([3.0, 0.0])


def test_whole_numbers_tell_more() -> None:
    """3x + 2y = 12 with x = 2, y = 3: fractions let x go anywhere from 0 to 4, whole numbers only to 0, 2, 4."""
    problem = Problem(
        Relations(np.array([0, 3]), np.array([0, 1, 2]), np.array([3.0, 2.0, -1.0]), 3),
        np.array([2.0, 3, 12]),
        np.zeros(3),
        np.array([3.0, np.inf, np.inf]),
        marked(3, 0),
        np.full(3, 2.0),
        np.full(3, 1.0),
        np.zeros(3),
        np.ones(3),
        np.zeros(3, bool),
    )
    hidden = marked(3, 0, 1)
    assert audit(problem, hidden).is_safe
    seen = audit(problem, hidden, integer=True, exact=True)
    assert [(leak.side, leak.share) for leak in seen.leaks] == [("above", 0.0)]
    assert seen.low.tolist() == [0, 3]
    assert seen.high.tolist() == [2, 6]
    assert seen.is_integer


def test_whole_numbers_may_go_beyond_a_level_that_they_cannot_hit() -> None:
    """3x + 2y = 12 again, without a bound: x cannot be 3, but it can be 4, which is farther than the level asks."""
    problem = Problem(
        Relations(np.array([0, 3]), np.array([0, 1, 2]), np.array([3.0, 2.0, -1.0]), 3),
        np.array([2.0, 3, 12]),
        np.zeros(3),
        np.full(3, np.inf),
        marked(3, 0),
        np.full(3, 1.0),
        np.full(3, 1.0),
        np.zeros(3),
        np.ones(3),
        np.zeros(3, bool),
    )
    assert audit(problem, marked(3, 0, 1), integer=True).is_safe


@pytest.mark.parametrize("unit", [1e-9, 1e-3, 1.0, 1e9])
def test_the_unit_of_the_values_plays_no_part(unit: float) -> None:
    problem = grid(unit * np.array([[1.0, 2], [3, 4]]), unsafe=[(0, 0)], level=unit)
    assert audit(problem, marked(9, 0, 1, 3, 4)).is_safe
    assert not audit(problem, marked(9, 0)).is_safe
    assert not audit(problem, marked(9, 0, 1)).is_safe


def test_a_small_level_of_a_large_cell_is_a_level() -> None:
    problem = grid(np.array([[1e9, 2e9], [3e9, 4e9]]), unsafe=[(0, 0)], level=2.0)
    assert not audit(problem, marked(9, 0)).is_safe
    assert audit(problem, marked(9, 0, 1, 3, 4)).is_safe


def test_a_seat_may_use_its_part_in_a_shared_cell() -> None:
    """A row of p = 10, q = 52, r = 95, all hidden: the owner of p has 90 of r, so q is 57 at most, 5 more than it is."""
    values = np.array([157.0, 10, 52, 95])
    sole = np.array([-1, 7, -1, -1])
    owners, amounts = np.array([[7], [7], [-1], [7]]), np.array([[100.0], [10], [0], [90]])
    unsafe, level = marked(4, 2), np.where(marked(4, 2), 6.5, 0.0)
    problem = Problem(Relations.of([(0, [1, 2, 3])], 4), values, np.zeros(4), np.full(4, np.inf), unsafe, level, level,
                      np.zeros(4), np.ones(4), np.zeros(4, bool), Seats.of(sole, owners, amounts))  # fmt: skip
    hidden = marked(4, 1, 2, 3)
    assert audit(replace(problem, seats=problem.seats.singletons()), hidden).is_safe
    found = audit(problem, hidden).leaks
    assert [(leak.cell, leak.seat, leak.side) for leak in found] == [(2, 0, "above")]
    assert found[0].share == pytest.approx(5 / 6.5)


def test_what_no_pattern_protects() -> None:
    """The only part of a total that must be published."""
    values = np.array([5.0, 5, 0])
    problem = Problem(
        Relations.of([(0, [1, 2])], 3),
        values,
        np.zeros(3),
        np.array([np.inf, np.inf, 0.0]),
        marked(3, 1),
        np.ones(3),
        np.ones(3),
        np.zeros(3),
        np.ones(3),
        marked(3, 0),
    )
    forced = infeasible(problem)
    assert {(leak.cell, leak.relations) for leak in forced} == {(1, (0,))}
    assert infeasible(grid(np.array([[1.0, 2], [3, 4]]), unsafe=[(0, 0)], level=1.0)) == ()


# --- against the oracle --------------------------------------------------------------------------------------------------


def compare(problem: Problem, hidden: BoolArray) -> None:
    seen = audit(problem, hidden)
    expected = oracle.leaks(problem, hidden)
    found = {(leak.seat, leak.cell, leak.side): leak for leak in seen.leaks}
    assert set(found) == set(expected)
    for key, leak in found.items():
        assert leak.share == pytest.approx(min(expected[key], 1 - 1e-12), abs=2e-5)
        explained(problem, hidden, leak, expected[key])
    for cell, low, high, is_exact in zip(seen.hidden, seen.low, seen.high, seen.is_exact, strict=True):
        widest = oracle.interval(problem, hidden, int(cell), set())
        slack = 2 * problem.tolerance()[cell]
        assert low >= widest[0] - slack
        assert high <= widest[1] + slack
        if is_exact:
            assert (low, high) == pytest.approx(widest, abs=slack)


def explained(problem: Problem, hidden: BoolArray, leak, share: float) -> None:  # type: ignore[no-untyped-def]
    """The relations, the own cells and the floors that a leak names are enough for the attack."""
    if not hidden[leak.cell]:
        return
    seen = problem
    if leak.floors:
        cells, amounts = problem.seats.shared(leak.seat)
        used = np.isin(cells, leak.floors)
        lower = problem.lower.copy()
        lower[cells[used]] = np.maximum(lower[cells[used]], np.minimum(amounts[used], problem.values[cells[used]]))
        seen = replace(problem, lower=lower)
    low, high = oracle.interval(seen, hidden, leak.cell, set(leak.known), np.array(leak.relations, int))
    again = oracle.verdicts(problem, low, high, leak.cell, leak.seat)
    assert leak.side in again
    assert again[leak.side] == pytest.approx(share, abs=2e-5)


@settings(max_examples=examples(30), deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_every_leak_and_every_proof_equals_the_oracle(seed: int) -> None:
    rng = np.random.default_rng(seed)
    problem = random_problem(rng)
    compare(problem, random_pattern(problem, rng))


@settings(max_examples=examples(15), deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_exact_intervals_equal_the_oracle(seed: int) -> None:
    rng = np.random.default_rng(seed)
    problem = random_problem(rng)
    hidden = random_pattern(problem, rng)
    seen = audit(problem, hidden, exact=True, seats="none")
    assert seen.is_exact.all()
    for cell, low, high in zip(seen.hidden, seen.low, seen.high, strict=True):
        expected = oracle.interval(problem, hidden, int(cell), set())
        assert (low, high) == pytest.approx(expected, abs=1e-6 * max(1.0, abs(problem.values).max()))


@pytest.mark.slow
@settings(max_examples=examples(10), deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_whole_tables_equal_enumeration(seed: int) -> None:
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, small=True)
    hidden = random_pattern(problem, rng, most=6)
    reach = 4  # the bounds of small problems are no farther than this from the values

    def tables(p: Problem, h: BoolArray, cell: int, known: set[int]) -> tuple[float, float]:
        every = oracle.whole_tables(p, h, known, reach)[:, cell]
        return float(every.min()), float(every.max())

    seen = audit(problem, hidden, integer=True, exact=True)
    expected = oracle.leaks(problem, hidden, tables)
    assert {(leak.seat, leak.cell, leak.side): leak.share for leak in seen.leaks} == pytest.approx(expected)
    for cell, low, high in zip(seen.hidden, seen.low, seen.high, strict=True):
        assert (low, high) == tables(problem, hidden, int(cell), set())


# --- what it says --------------------------------------------------------------------------------------------------------


def test_only_some_unsafe_cells() -> None:
    problem = grid(np.array([[1.0, 2], [3, 4]]), unsafe=[(0, 0), (1, 1)], level=1.0)
    seen = audit(problem, np.zeros(9, bool), only=marked(9, 4))
    assert seen.at_risk.tolist() == [4]


def test_bad_input() -> None:
    problem = grid(np.array([[1.0, 2], [3, 4]]), unsafe=[(0, 0)], level=1.0)
    with pytest.raises(ParameterError, match="9 cells"):
        audit(problem, np.zeros(8, bool))
    with pytest.raises(ParameterError, match="'only'"):
        audit(problem, np.zeros(9, bool), only=np.zeros(3, bool))
    half = grid(np.array([[1.5, 2], [3, 4]]), unsafe=[(0, 0)], level=1.0)
    with pytest.raises(DataError, match="whole"):
        audit(half, marked(9, 0), integer=True)


def test_no_value_in_a_message() -> None:
    canary = 7193.25
    problem = grid(np.array([[canary, 2], [3, 4]]), unsafe=[(0, 0)], level=canary / 2)
    with pytest.raises(TacitaError) as error:
        audit(problem, marked(9, 0), integer=True)
    assert "7193" not in str(error.value)
    seen = audit(problem, marked(9, 0))
    assert "7193" not in repr(seen)
    assert "7193" not in json.dumps(seen.to_plain()["leaks"])
