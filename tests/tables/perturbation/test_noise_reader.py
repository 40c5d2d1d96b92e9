"""Readers of noisy counts: against all tables that agree, one after the other; and where several sums say more than each."""

from __future__ import annotations

from itertools import product

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.keyed import Key
from tacita.tables.model.relations import Relations
from tacita.tables.perturbation.cell_key import CellKey
from tacita.tables.perturbation.keyed_table import KeyedTable, keyed_table
from tacita.tables.perturbation.noise_reader import possible_counts, read_noise
from tacita.tables.perturbation.transition_matrix import TransitionMatrix
from tacita.tables.protect.problem import Problem

KEY = Key(bytes(range(3, 67, 2)))


def small_table(counts: list[list[int]], key: Key = KEY) -> KeyedTable:
    """A table of two dimensions with these inner counts."""
    rows = [(f"a{i}", f"b{j}") for i, row in enumerate(counts) for j, n in enumerate(row) for _ in range(n)]
    frame = pa.table({"id": np.arange(len(rows)), "a": [r[0] for r in rows], "b": [r[1] for r in rows]})
    by = [tc.tables.Dimension.flat(name, codes) for name, codes in (("a", ["a0", "a1"]), ("b", ["b0", "b1", "b2"]))]
    return keyed_table(tc.Microdata.from_frame(frame), by, key=key, identity="id")


def problem_of(made: KeyedTable) -> Problem:
    return tc.tables.make_problem(made, tc.tables.MinimumFrequency(at_least=3).judge(made), seats="none")


def by_trying(problem: Problem, made: KeyedTable, low: np.ndarray, high: np.ndarray) -> list[int]:
    """All whole tables within the ends: unsafe cells that none has far enough below, or none far enough above."""
    inner = [made.find({"a": f"a{i}", "b": f"b{j}"})[0] for i in range(2) for j in range(3)]
    adds = np.zeros((6, len(made)))
    for place in range(6):
        i, j = divmod(place, 3)
        for a, b in product((f"a{i}", "Total"), (f"b{j}", "Total")):
            adds[place, made.find({"a": a, "b": b})[0]] = 1
    every = np.meshgrid(*(np.arange(low[cell], high[cell] + 1) for cell in inner), indexing="ij")
    tables = np.stack([axis.ravel() for axis in every], axis=1) @ adds
    tables = tables[((tables >= low) & (tables <= high)).all(axis=1)]
    least, most = tables.min(axis=0), tables.max(axis=0)
    meets = (least <= problem.values - problem.below) & (most >= problem.values + problem.above) & (most > least)
    return np.flatnonzero(problem.unsafe & ~meets).tolist()


def test_exposed_cells_are_those_of_all_tables_that_agree() -> None:
    rng, total = np.random.default_rng(6), 0
    for trial in range(12):
        made = small_table(rng.integers(0, 4, (2, 3)).tolist(), KEY.derive(str(trial)))
        how = CellKey(key=KEY.derive(str(trial)), D=3, V=2)
        problem = problem_of(made)
        low, high = possible_counts(how.matrix, how.perturbed(made))
        found = read_noise(problem, low, high)
        assert found.exposed.tolist() == by_trying(problem, made, low, high)
        assert not len(found.open)
        single = read_noise(problem, low, high, programmes=0)
        assert set(single.exposed.tolist()) <= set(found.exposed.tolist())
        assert set(found.exposed.tolist()) <= {*single.exposed.tolist(), *single.open.tolist()}
        total += len(found.exposed)
    assert total > 0


def test_several_sums_together_say_more_than_each() -> None:
    """Columns 1 and 2 without row 2 leave their parts in row 1; what row 1 has beside them is the cell, exactly."""
    parts = {"a": [0, 1, 2], "b": [3, 4, 5], "c": [6, 7, 8]}
    rows = [(9, parts["a"]), (10, parts["b"]), (11, [0, 3]), (12, [1, 4]), (13, [2, 5, 8])]
    values = np.array([2, 2, 1, 2, 2, 4, 0, 0, 3, 5, 8, 4, 4, 8], float)
    known = np.isin(np.arange(14), [5, 9, 10, 11, 12, 13])
    low, high = np.where(known, values, 0.0), np.where(known, values, 9.0)
    unsafe, none = np.arange(14) == 2, np.zeros(14)
    problem = Problem(
        Relations.of(rows, 14),
        values,
        none,
        np.full(14, np.inf),
        unsafe,
        unsafe * 1.0,
        unsafe * 1.0,
        none,
        np.ones(14),
        none > 0,
    )
    assert read_noise(problem, low, high).exposed.tolist() == [2]
    single = read_noise(problem, low, high, programmes=0)
    assert single.exposed.tolist() == []
    assert single.open.tolist() == [2]
    freed = np.where(np.arange(14) == 5, 9.0, high)  # with another unknown cell in row 2 it is not known any more
    assert read_noise(problem, np.where(np.arange(14) == 5, 0.0, low), freed).exposed.tolist() == []


def test_work_is_limited_and_what_is_left_is_told() -> None:
    made = small_table([[1, 2, 4], [2, 1, 5]])
    how = CellKey(key=KEY, programmes=0)
    found = how.protect(made, tc.tables.MinimumFrequency(at_least=3).judge(made))
    assert "it was not found out whether all sums together give them away" in " ".join(found.notes)
    whole = CellKey(key=KEY).protect(made, tc.tables.MinimumFrequency(at_least=3).judge(made))
    assert "not found out" not in " ".join(whole.notes)


@pytest.mark.parametrize("forbidden", [(), (1, 2)])
def test_possible_counts_are_those_of_the_matrix(forbidden: tuple[int, ...]) -> None:
    matrix = TransitionMatrix.maximum_entropy(D=3, V=2, forbidden=forbidden)
    rows = matrix.rows
    for shown in range(6):
        can = np.flatnonzero(rows[:, shown] > 0)
        low, high = possible_counts(matrix, np.array([float(shown)]))
        if len(can):
            assert low[0] == can[0]
            assert high[0] == max(int(can[-1]), shown + 3 if shown + 3 >= len(rows) else 0)
    low, _ = possible_counts(matrix, np.array([3.0]), zeros_move=True)
    assert low[0] == (0 if forbidden else possible_counts(matrix, np.array([3.0]))[0][0])
