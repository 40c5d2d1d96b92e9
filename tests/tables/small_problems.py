"""Small table problems for tests: plain grids, and random ones of every kind."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tacita.tables.model.relations import Relations
from tacita.tables.model.seats import Seats
from tacita.tables.protect.problem import Problem

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


def grid(inner: FloatArray, *, unsafe: Sequence[tuple[int, int]], level: float, seats: Seats | None = None) -> Problem:
    """A two-way table with its margins last; the unsafe cells have the same level on both sides."""
    rows, columns = inner.shape
    full = np.zeros((rows + 1, columns + 1))
    full[:rows, :columns] = inner
    full[:rows, columns] = inner.sum(axis=1)
    full[rows] = full[:rows].sum(axis=0)
    at = np.arange(full.size).reshape(full.shape)
    sums = [(int(line[-1]), line[:-1].tolist()) for line in (*at, *at.T)]
    n = full.size
    marks = np.zeros(n, bool)
    marks[[int(at[place]) for place in unsafe]] = True
    levels = np.where(marks, level, 0.0)
    none = np.zeros(n)
    return Problem(
        Relations.of(sums, n),
        full.ravel(),
        none,
        np.full(n, np.inf),
        marks,
        levels,
        levels,
        none,
        np.ones(n),
        np.zeros(n, bool),
        Seats.nobody() if seats is None else seats,
    )


def _cube(
    shape: tuple[int, ...], hierarchy: bool
) -> tuple[Relations, list[list[tuple[int, list[int]]]], tuple[int, ...]]:
    """Relations of a table whose codes are leaves, then groups, then the total; the first dimension may be nested."""
    trees: list[list[tuple[int, list[int]]]] = []
    sizes = []
    for axis, leaves in enumerate(shape):
        if hierarchy and axis == 0 and leaves >= 4:
            half = leaves // 2
            tree = [
                (leaves, list(range(half))),
                (leaves + 1, list(range(half, leaves))),
                (leaves + 2, [leaves, leaves + 1]),
            ]
        else:
            tree = [(leaves, list(range(leaves)))]
        trees.append(tree)
        sizes.append(leaves + len(tree))
    sums = []
    for axis, tree in enumerate(trees):
        others = [range(size) if other != axis else (0,) for other, size in enumerate(sizes)]
        for rest in itertools.product(*others):
            for total, parts in tree:
                cells = [
                    int(np.ravel_multi_index((*rest[:axis], code, *rest[axis + 1 :]), sizes))
                    for code in (total, *parts)
                ]
                sums.append((cells[0], cells[1:]))
    return Relations.of(sums, int(np.prod(sizes))), trees, tuple(sizes)


def random_problem(rng: np.random.Generator, *, small: bool = False) -> Problem:
    """Two- and three-way, nested or linked; zeros, finite bounds, negative values, seats."""
    kind = rng.integers(4) if not small else rng.integers(2)
    shape = [(3, 3), (4, 3), (2, 2, 2), (3, 2, 2)][kind] if not small else [(2, 2), (2, 3)][kind]
    relations, trees, sizes = _cube(shape, hierarchy=bool(rng.integers(2)))
    negative = bool(rng.random() < 0.2)
    full = np.zeros(sizes)
    inner = rng.poisson(rng.choice([1.0, 4.0, 30.0]) if not small else 2.0, shape).astype(float)
    inner *= rng.random(shape) > 0.15
    if negative:
        inner *= rng.choice([-1.0, 1.0], shape)
    if not small and rng.random() < 0.3:
        inner *= 10.0 ** rng.uniform(-2, 4)
    full[tuple(slice(s) for s in shape)] = inner
    for axis, tree in enumerate(trees):
        moved = np.moveaxis(full, axis, 0)
        for total, parts in tree:
            moved[total] = moved[parts].sum(axis=0)
    values = full.ravel()
    n = len(values)
    if not small and rng.random() < 0.25:
        relations, values = _linked(relations, values, rng)
        n = len(values)
    lower = np.full(n, -np.inf) if negative else np.zeros(n)
    upper = np.full(n, np.inf)
    if small or rng.random() < 0.3:
        close = rng.integers(1, 5, n).astype(float) * (1.0 if small else max(1.0, np.abs(values).mean() / 3))
        upper = values + close
        lower = np.maximum(lower, values - close)
    if rng.random() < 0.7:
        upper = np.where((values == 0) & (lower == 0), 0.0, upper)
    return _levels(Relations.of_matrix(relations.matrix), values, lower, upper, rng, small=small)


def _linked(relations: Relations, values: FloatArray, rng: np.random.Generator) -> tuple[Relations, FloatArray]:
    """Split two cells once more, each by a variable that the table itself does not have."""
    sums = []
    for row in range(len(relations)):
        cells, signs = relations.row(row)
        sums.append((int(cells[signs < 0][0]), cells[signs > 0].tolist()))
    more = list(values)
    for cell in rng.choice(len(values), 2, replace=False).tolist():
        share = np.floor(values[cell] * rng.random())
        sums.append((cell, [len(more), len(more) + 1]))
        more += [share, values[cell] - share]
    return Relations.of(sums, len(more)), np.array(more)


def _levels(
    relations: Relations,
    values: FloatArray,
    lower: FloatArray,
    upper: FloatArray,
    rng: np.random.Generator,
    *,
    small: bool,
) -> Problem:
    n = len(values)
    unsafe = (rng.random(n) < 0.25) & (values != 0)
    size = np.abs(values)
    below, above = (rng.choice([0.0, 0.1, 0.5, 1.0], n) * size * rng.choice([1.0, 1.5], n) for _ in range(2))
    sliding = rng.choice([0.0, 0.0, 0.001, 1.5], n) * size
    if small:
        below, above, sliding = np.ceil(below), np.ceil(above), np.ceil(sliding)
    sole = np.where((rng.random(n) < 0.15) & (values != 0), rng.integers(0, 3, n), -1)
    part = np.where(rng.random(n) < 0.5, np.floor(values * rng.random(n)), 0.0)
    seats = Seats.of(sole, rng.integers(0, 3, (n, 1)), part[:, None]) if rng.random() < 0.5 else Seats.of(sole)
    return Problem(
        relations,
        values,
        lower,
        upper,
        unsafe,
        np.where(unsafe, below, 0.0),
        np.where(unsafe, above, 0.0),
        np.where(unsafe, sliding, 0.0),
        np.ones(n),
        np.zeros(n, bool),
        seats if rng.random() < 0.6 else Seats.nobody(),
    )


def random_pattern(problem: Problem, rng: np.random.Generator, *, most: int | None = None) -> BoolArray:
    """The unsafe cells, now and then without one of them, and others at random."""
    hidden: BoolArray = problem.unsafe | (rng.random(problem.size) < rng.choice([0.2, 0.5, 0.8]))
    if rng.random() < 0.2:
        hidden = hidden & (rng.random(problem.size) > 0.1)
    if most is not None and hidden.sum() > most:
        keep = rng.permutation(np.flatnonzero(hidden))[:most]
        hidden = np.zeros(problem.size, bool)
        hidden[keep] = True
    return hidden
