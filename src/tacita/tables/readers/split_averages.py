"""Averages over splits: a set that is published in many tables, split in another way in each, and added up again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import ParameterError
from tacita.tables.model.table import Table
from tacita.tables.protect.protected import Protected
from tacita.tables.readers.joint_cells import cell_numbers, published_counts

__all__ = ["SplitAverages", "average_splits"]


@dataclass(frozen=True, eq=False)
class SplitAverages:
    """What a reader takes for the counts of some cells, after each further table.

    Parameters
    ----------
    estimates
        (t + 1, n): after no split, after the first, and so on.
    table
        The table of the cells, as published.
    """

    estimates: FloatArray = field(repr=False)
    table: Table = field(repr=False)

    def distances(self, true: Table) -> FloatArray:
        """Return (t + 1,): mean distance to the true counts, over cells that somebody is in. For the owner's eyes."""
        truth, there = self._truth(true)
        return np.asarray(np.abs(self.estimates - truth)[:, there].mean(axis=1))

    def exact(self, true: Table) -> FloatArray:
        """Return (t + 1,): percentage of these cells whose rounded estimate is the true count. For the owner's eyes."""
        truth, there = self._truth(true)
        return np.asarray(100.0 * (np.floor(self.estimates + 0.5) == truth)[:, there].mean(axis=1))

    def _truth(self, true: Table) -> tuple[IntArray, np.ndarray[tuple[int, ...], np.dtype[np.bool_]]]:
        number = cell_numbers(self.table.dimensions, true.dimensions, true.codes)
        own = cell_numbers(self.table.dimensions, self.table.dimensions, self.table.codes)
        order = np.argsort(number)
        place = np.searchsorted(number, own, sorter=order).clip(max=max(len(number) - 1, 0))
        if not len(number) or not np.array_equal(number[order[place]], own):
            raise ParameterError("average_splits: the true table must have all cells of the published one.")
        truth = published_counts(true)[1][order[place]]
        if not (truth > 0).any():
            raise ParameterError("average_splits: the true table has nobody in it.")
        return truth, truth > 0


def average_splits(base: Table | Protected, splits: Sequence[Table | Protected]) -> SplitAverages:
    """Average the counts of cells over tables that split them, as a reader does who has only what left.

    Parameters
    ----------
    base
        The published table of the cells.
    splits
        Published tables that have all dimensions of ``base``, and further ones.

    Returns
    -------
    SplitAverages
        The estimates after each table, in their order.

    Raises
    ------
    ParameterError
        When a table lacks a dimension of ``base``, has other codes, or no further dimension.
    DataError
        When cells are hidden, or counts are no whole numbers.

    Complexity
    ----------
    O(n log n) for the n cells of all tables.

    Notes
    -----
    A table says of a cell its own count of it, and the sum of its parts. Where all tables publish the same own count, as under
    cell keys, it is one observation. The sum of m parts that are not 0 has m times the variance, so it counts 1 / m; parts that
    add up to the own count in the whole table say nothing new. Own counts that differ between tables, as after each was made
    additive by itself, are as many observations.

    Examples
    --------
    >>> import tacita as tc
    >>> people = tc.samples.census_register(2000, seed=1, regions=5)
    >>> tables = [tc.tabulate(people, by) for by in (["marital"], ["marital", "sex"], ["marital", "tenure"])]
    >>> average_splits(tables[0], tables[1:]).distances(tables[0]).tolist()
    [0.0, 0.0, 0.0]
    """
    table, own = published_counts(base)
    places = cell_numbers(table.dimensions, table.dimensions, table.codes)
    order = np.argsort(places)
    weighted, weights = own.astype(np.float64), np.ones(len(own))
    seen: list[IntArray] = [own]
    found = [weighted / weights]
    for split in splits:
        copies, sums, parts = _of_split(table, places, order, split)
        if not any(np.array_equal(copies, earlier) for earlier in seen):
            seen.append(copies)
            weighted, weights = weighted + copies, weights + 1.0
        if not np.array_equal(sums, copies):
            weight = np.where(parts > 1, 1.0 / np.maximum(parts, 1), 0.0)
            weighted, weights = weighted + weight * sums, weights + weight
        found.append(weighted / weights)
    return SplitAverages(np.stack(found), table)


def _of_split(
    table: Table, places: IntArray, order: IntArray, split: Table | Protected
) -> tuple[IntArray, IntArray, IntArray]:
    """Return for each cell its own count in a table, the sum of its parts there, and how many of them are not 0."""
    other, values = published_counts(split)
    names = [dimension.name for dimension in other.dimensions]
    for dimension in table.dimensions:
        if dimension.name not in names or other.dimensions[names.index(dimension.name)] != dimension:
            raise ParameterError(
                f"average_splits: each split must have the dimension '{dimension.name}' as it is in 'base'."
            )
    further = [axis for axis, name in enumerate(names) if name not in {d.name for d in table.dimensions}]
    if not further:
        raise ParameterError("average_splits: each split must have a further dimension.")
    is_total, is_inner = np.ones(len(other), bool), np.ones(len(other), bool)
    for axis in further:
        dimension = other.dimensions[axis]
        inner = [dimension.places[code] for code in dimension.leaves]
        is_inner &= np.isin(other.codes[:, axis], inner)
        is_total &= other.codes[:, axis] == dimension.places.get(dimension.total or "", -1)
    kept = [names.index(dimension.name) for dimension in table.dimensions]
    number = cell_numbers(table.dimensions, table.dimensions, other.codes[:, kept])
    place = order[np.searchsorted(places, number, sorter=order).clip(max=len(places) - 1)]
    here = places[place] == number
    copies = np.bincount(place[here & is_total], values[here & is_total], len(places))
    sums = np.bincount(place[here & is_inner], values[here & is_inner], len(places))
    parts = np.bincount(place[here & is_inner & (values > 0)], minlength=len(places))
    return copies.astype(np.int64), sums.astype(np.int64), parts.astype(np.int64)
