"""Seeded table problems of any size: two to five dimensions, hierarchies, counts or skewed magnitudes, linked tables."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from tacita.tables.model.dimension import Dimension
from tacita.tables.model.relations import Relations
from tacita.tables.model.seats import Seats, SeatsName
from tacita.tables.model.table import Table
from tacita.tables.protect.problem import Problem
from tacita.tables.rules.inside import Inside

Shape = Sequence[int]
"""Children of a node level by level from the total down: (5, 4) is five groups of four leaves."""


def _tree(shape: Shape) -> tuple[list[tuple[int, list[int]]], list[list[int]]]:
    """Codes of one dimension, total first: the sums, and for each code its leaves (numbered 0, 1, ...)."""
    sums: list[tuple[int, list[int]]] = []
    level, count = [0], 1
    for width in shape:
        below = []
        for node in level:
            kids = list(range(count, count + width))
            count += width
            sums.append((node, kids))
            below += kids
        level = below
    leaf = {code: place for place, code in enumerate(level)}
    leaves: list[list[int]] = [[] for _ in range(count)]
    for code, place in leaf.items():
        leaves[code] = [place]
    for total, kids in reversed(sums):
        leaves[total] = [x for kid in kids for x in leaves[kid]]
    return sums, leaves


def _relations(shapes: Sequence[Shape]) -> tuple[Relations, tuple[int, ...], list[list[list[int]]]]:
    trees = [_tree(shape) for shape in shapes]
    sizes = tuple(len(leaves) for _, leaves in trees)
    rows = []
    for axis, (sums, _) in enumerate(trees):
        others = [range(size) if place != axis else (0,) for place, size in enumerate(sizes)]
        for rest in itertools.product(*others):
            for total, kids in sums:
                at = [np.ravel_multi_index((*rest[:axis], code, *rest[axis + 1 :]), sizes) for code in (total, *kids)]
                rows.append((int(at[0]), [int(x) for x in at[1:]]))
    return Relations.of(rows, int(np.prod(sizes))), sizes, [leaves for _, leaves in trees]


def _spread(inner: np.ndarray, leaves: list[list[list[int]]]) -> np.ndarray:
    """All cells from the inner ones."""
    for axis, of in enumerate(leaves):
        member = np.zeros((len(of), inner.shape[axis]))
        for code, places in enumerate(of):
            member[code, places] = 1.0
        inner = np.moveaxis(np.tensordot(member, inner, axes=(1, axis)), 0, axis)
    return inner.ravel()


def frequency_table(
    shapes: Sequence[Shape], *, seed: int, mean: float = 6.3, spread: float = 0.55, limit: int = 2, twice: bool = False
) -> Problem:
    """Counts; a cell of 1 up to ``limit`` is unsafe.

    Without ``twice`` no unsafe cell may be found exactly (sliding level of one thousandth); with it the attacker's
    interval must reach from 0 to twice the value. The shapes (5, 4) and (6, 5) give 962 cells and 404 relations.
    """
    rng = np.random.default_rng(seed)
    relations, _, leaves = _relations(shapes)
    inner = tuple(int(np.prod(shape)) for shape in shapes)
    effect = np.zeros(inner)
    for axis, n in enumerate(inner):
        effect = effect + rng.normal(0, spread / 2, n).reshape([-1 if a == axis else 1 for a in range(len(inner))])
    counts = rng.poisson(mean * np.exp(effect + rng.normal(0, spread, inner) - spread**2)).astype(float)
    values = _spread(counts, leaves)
    unsafe = (values > 0) & (values <= limit)
    level = np.where(unsafe, values, 0.0) if twice else np.zeros(len(values))
    sliding = np.where(unsafe, 2 * values if twice else 1e-3, 0.0)
    return _problem(relations, values, unsafe, level, level, sliding, np.ones(len(values)), Seats.nobody())


def magnitude_table(
    shapes: Sequence[Shape],
    *,
    seed: int,
    firms: float = 8.0,
    p: float = 15.0,
    seats: SeatsName = "contributors",
    cost: str = "log",
) -> Problem:
    """Skewed amounts of firms; a cell is unsafe by the p % rule.

    From the place of a firm the rule itself must hold; with ``singletons`` only firms that are alone in a cell attack, with
    that cell, and everybody is kept out of the levels.
    """
    rng = np.random.default_rng(seed)
    relations, _, leaves = _relations(shapes)
    inner = tuple(int(np.prod(shape)) for shape in shapes)
    members = rng.poisson(firms * np.exp(rng.normal(-0.5, 1.0, inner))).ravel()
    cell = np.repeat(np.arange(len(members)), members)
    amount = np.ceil(np.exp(rng.normal(4.0, 1.6, len(cell))))
    values = _spread(np.bincount(cell, amount, len(members)).reshape(inner), leaves)
    top, who = np.zeros((2, len(members))), np.full((2, len(members)), -1)
    order = np.lexsort((-amount, cell))
    first = np.searchsorted(cell[order], np.arange(len(members)))
    for place in range(2):
        there = members > place
        who[place, there] = order[first[there] + place]
        top[place, there] = amount[who[place, there]]
    sizes, owners = _two_largest(top.reshape(2, *inner), who.reshape(2, *inner), leaves)
    largest, second = sizes
    count = _spread(members.reshape(inner).astype(float), leaves)
    rest = values - largest - second
    need = p / 100 * largest
    unsafe = (count > 0) & (rest < need)
    level = np.where(unsafe, np.maximum(need - rest, 1e-3), 0.0)
    sole = np.where(count == 1, owners[0], -1)
    placed, asked = Seats.nobody(), None
    if seats == "singletons":
        everybody = Seats.of(sole, owners.T, sizes.T)
        seat, cell, amount = everybody.parts()
        here = unsafe[cell]
        below = np.minimum(level[cell[here]], values[cell[here]] - amount[here])
        part = np.stack([below, level[cell[here]], np.zeros(int(here.sum()))], axis=1)
        outside = np.stack([level, level, np.zeros(len(values))], axis=1)
        placed, asked = everybody.singletons(), Inside.of(outside, cell[here], seat[here], part)
    elif seats == "contributors":
        alone = np.flatnonzero(sole >= 0)
        spread = _members(top, who, leaves)
        named = np.unique(spread[1])
        parts = (spread[0], np.searchsorted(named, spread[1]), spread[2])
        placed = Seats.among(len(named), (alone, np.searchsorted(named, sole[alone])), parts, floors=True, owners=named)
        asked = _from_inside(values, unsafe, (1 + p / 100, *sizes, owners[0]), parts, named)
    costs = {"log": np.log1p(values) + 0.1, "value": values + 1.0, "unity": np.ones(len(values))}[cost]
    return _problem(relations, values, unsafe, level, level, np.zeros(len(values)), costs, placed, asked)


def _members(top: np.ndarray, who: np.ndarray, leaves: list[list[list[int]]]) -> tuple[np.ndarray, ...]:
    """Cells, firms and amounts of the two largest firms of each inner cell; smaller ones attack no better."""
    sizes = [len(of) for of in leaves]
    inner = [max(max(places) for places in of) + 1 for of in leaves]
    place, at = np.nonzero(who >= 0)
    firm, amount, where = who[place, at], top[place, at], np.zeros(len(place), np.int64)
    row = np.arange(len(place))
    for leaf, size, of in zip(np.unravel_index(at, inner), sizes, leaves, strict=True):
        pairs = np.array(sorted((x, code) for code, places in enumerate(of) for x in places))
        start = np.searchsorted(pairs[:, 0], np.arange(pairs[-1, 0] + 2))
        count = np.diff(start)[leaf[row]]
        entry = np.repeat(start[leaf[row]] - np.cumsum(count) + count, count) + np.arange(int(count.sum()))
        where, row = np.repeat(where, count) * size + pairs[entry, 1], np.repeat(row, count)
    return where, firm[row], amount[row]


def _from_inside(
    values: np.ndarray,
    unsafe: np.ndarray,
    rule: tuple[float, np.ndarray, np.ndarray, np.ndarray],
    parts: tuple[np.ndarray, ...],
    named: np.ndarray,
) -> Inside:
    """What the p % rule asks from the place of each firm: its own amount and (1 + p / 100) times the largest other fit in."""
    times, first, second, largest = rule
    cells, seat, own = (part[unsafe[parts[0]]] for part in parts)
    most = np.zeros((len(values), 3))
    most[:, 1] = np.where(unsafe, np.maximum(times * first - values, 0.0), 0.0)
    other = np.where(largest[cells] == named[seat], second[cells], first[cells])
    levels = np.zeros((len(cells), 3))
    need = times * other + own - values[cells]
    levels[:, 1] = np.where((need > 0) & (other > 0), np.maximum(need, 1e-3 * (values[cells] - own)), 0.0)
    return Inside.of(most, cells, seat, levels)


def _two_largest(top: np.ndarray, who: np.ndarray, leaves: list[list[list[int]]]) -> tuple[np.ndarray, np.ndarray]:
    """The two largest amounts of every cell and whose they are, from those of the inner cells."""
    for axis, of in enumerate(leaves):
        amounts, owners = [], []
        for places in of:
            # Both places of all parts side by side, along the axis that is summed.
            part = np.concatenate(list(np.take(top, places, axis + 1)), axis=axis)
            whose = np.concatenate(list(np.take(who, places, axis + 1)), axis=axis)
            last = np.argsort(part, axis=axis, kind="stable").take([-1, -2], axis=axis)
            amounts.append(np.moveaxis(np.take_along_axis(part, last, axis), axis, 0))
            owners.append(np.moveaxis(np.take_along_axis(whose, last, axis), axis, 0))
        top, who = np.stack(amounts, axis + 1), np.stack(owners, axis + 1)
    return top.reshape(2, -1), who.reshape(2, -1)


def _problem(
    relations: Relations,
    values: np.ndarray,
    unsafe: np.ndarray,
    below: np.ndarray,
    above: np.ndarray,
    sliding: np.ndarray,
    cost: np.ndarray,
    seats: Seats,
    inside: Inside | None = None,
) -> Problem:
    """Bounds 0 and infinity; an empty cell is known to be empty, as it is in the published table."""
    n = len(values)
    upper = np.where(values == 0, 0.0, np.inf)
    made = Problem(
        relations, values, np.zeros(n), upper, unsafe, below, above, sliding, cost, np.zeros(n, bool), seats, inside
    )
    made.check()
    return made


def table_of(shapes: Sequence[Shape], problem: Problem) -> Table:
    """The table of a problem, with its dimensions, for methods that go by subtables."""
    dimensions = []
    for place, shape in enumerate(shapes):
        sums, leaves = _tree(shape)
        codes = tuple(str(code) for code in range(len(leaves)))
        dimensions.append(
            Dimension(
                f"d{place + 1}", codes, tuple((codes[total], tuple(codes[k] for k in kids)) for total, kids in sums)
            )
        )
    sizes = tuple(len(dimension.codes) for dimension in dimensions)
    codes_of = np.stack(np.unravel_index(np.arange(problem.size), sizes), axis=1)
    return Table(tuple(dimensions), codes_of, problem.values, problem.relations)


def linked_tables(shapes: Sequence[Shape], *, seed: int, **settings: float) -> Problem:
    """Two magnitude tables that share all dimensions but their last: the cells over the totals of it are one and the same."""
    left, right = (magnitude_table(shapes, seed=seed + step, **settings) for step in (0, 1))  # type: ignore[arg-type]
    width = len(_tree(shapes[-1])[1])
    n = left.size
    # The second table is the first seen by another variable: its inner cells are shuffled within each shared cell.
    rng = np.random.default_rng([seed, 2])
    shared = np.arange(0, n, width)
    table = left.values.reshape(-1, width)
    leaf = [code for code, of in enumerate(_tree(shapes[-1])[1]) if len(of) == 1]
    other = np.zeros_like(table)
    sums, _ = _tree(shapes[-1])
    other[:, leaf] = table[:, rng.permutation(leaf)]
    for total, kids in reversed(sums):
        other[:, total] = other[:, kids].sum(axis=1)
    place = np.arange(n, 2 * n)
    place[shared] = shared
    keep = np.setdiff1d(np.arange(n), shared)
    place[keep] = n + np.arange(len(keep))
    rows = [(left.relations.row(r)) for r in range(len(left.relations))]
    sums_all = [(int(c[s < 0][0]), c[s > 0].tolist()) for c, s in rows]
    second = [(int(place[t]), place[parts].tolist()) for t, parts in sums_all]
    relations = Relations.of([*sums_all, *second], n + len(keep))
    values = np.concatenate([left.values, other.ravel()[keep]])
    pick = np.concatenate([np.arange(n), keep])
    unsafe = np.concatenate([left.unsafe, right.unsafe[keep] & (other.ravel()[keep] > 0)])
    level = np.where(unsafe, np.maximum(0.1 * values, 1e-3), 0.0)
    return _problem(relations, values, unsafe, level, level, np.zeros(len(values)), left.cost[pick], Seats.nobody())
