"""Additivity of noisy counts: the sums of a table hold again, no small count is shown, and no cell is far from the truth."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

import numpy as np

from tacita.core.arrays import BoolArray, IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.core.parameterised import Parameterised
from tacita.core.parameters import Interval
from tacita.core.streams import Seed, Streams, check_seed
from tacita.tables.additive.inner_cells import inner_cells
from tacita.tables.additive.level_aims import LevelAims
from tacita.tables.additive.recount import Recount, recount_table
from tacita.tables.additive.settle import board_of, settle
from tacita.tables.model.table import Table

__all__ = ["AdditiveCounts", "AdditiveTable", "true_counts"]


@dataclass(frozen=True, eq=False, kw_only=True)
class AdditiveTable:
    """A table of noisy counts that add up.

    Parameters
    ----------
    table
        The table as it was.
    noisy
        (n,): its noisy counts, which do not add up.
    values
        (n,): what may be published.
    proof
        The recount of what is promised.
    distance
        Sum of the distances to the noisy counts.
    notes
        What the owner should know: bounds that were widened, and why.
    work
        Sweeps, or models solved.
    seconds
        Time it took.
    """

    table: Table = field(repr=False)
    noisy: IntArray = field(repr=False)
    values: IntArray = field(repr=False)
    proof: Recount
    distance: float
    notes: tuple[str, ...] = ()
    work: int = 0
    seconds: float = 0.0

    @property
    def mean_before(self) -> float:
        """Mean distance of the noisy counts to the truth, over cells that somebody is in."""
        truth = true_counts(self.table, owner="AdditiveTable")
        there = truth > 0
        return float(np.abs(self.noisy - truth)[there].mean()) if there.any() else 0.0

    @property
    def raised_by(self) -> float:
        """By how much additivity raised the mean distance to the truth."""
        return self.proof.mean - self.mean_before

    def to_table(self) -> Table:
        """Return the table as it may be published: the new counts, and nothing about contributors."""
        published = self.table.with_values(self.values.astype(np.float64))
        return replace(published, counts=None, units=None, holdings=None, sources=(), shadow=None, cost=None)


@dataclass(frozen=True, kw_only=True)
class AdditiveCounts(Parameterised):
    """Change noisy counts as little as possible so that all sums hold and no small count is left.

    ``search`` chooses the inner cells in {0, s, s + 1, ...}; every other cell is a sum of these, so that all sums hold and no
    count from 1 to s - 1 can occur anywhere. They are annealed with the cost ``sum |x - noisy| + 5 (|x - true| - D)+``.
    ``stages`` is the way of the paper: a linear programme restores the sums with weights that spare zeros and the smallest
    count; then counts from 1 to s - 1 leave the interval (0; s), zeros stay zero, and all others stay at least s.

    Protects small counts: none is shown, and what is shown differs from the truth by the noise and the adjustment. Takes from
    the attacker who knows D the contradictions between cells and their noisy sums, by which noise can be undone. Does not
    protect against averages over several tables that were made additive one by one: with noise beforehand they lead to the
    noisy counts, without it to the true ones. Nor against a reader who knows D and solves for the true counts.

    Parameters
    ----------
    D
        How far from the truth a cell may be.
    smallest
        The smallest count but 0 that may be shown; 3 for no ones and no twos, 1 for no such demand.
    method
        ``search`` for tables of any size; ``stages`` for small tables, and for linked ones that share margins only.
    sweeps
        For ``search``: how long to search, in tries for each inner cell.
    time_limit
        For ``stages``: seconds for each of the two.
    most_rise
        For ``search``: by how much additivity should raise the mean deviation at most; the cells are pulled towards the truth
        while it is more. None for no such demand: then the table is as near to the noisy counts as was found.

    Raises
    ------
    ParameterError
        When a parameter is out of bounds.

    Complexity
    ----------
    ``search``: O(sweeps x cells that the inner cells are counted in). ``stages``: two whole programmes in the cells.

    Notes
    -----
    Where not all conditions can hold, they are given up in this order and no further. ``search``: the bound D of the cells that
    stayed beyond it after 60 rounds of dearer charges, each to where the cell is. ``stages``: the bound D by one after the other
    up to twice its size, then the zeros that the first stage made (not those of the data). Sums, true zeros, small counts and
    fixed cells are never given up: a table that cannot have these is an error.

    An empty cell stays empty. Work is counted in sweeps, so that a seed repeats. Where the noise of many cells does not cancel
    in their sum, the bound of the sum pulls them back towards the truth: averages over tables then lead to a place between the
    noisy and the true count.

    References
    ----------
    Giessing, S. and Hoehne, J. (2011), Eliminating small cells from census counts tables, SORT special issue, 59-80, section 5
    (two stages, protection interval (0; 3)), Table 5.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.census_register(2000, seed=1, regions=5)
    >>> table = tc.tabulate(data, ["municipality", "marital"])
    >>> noisy = table.counts.copy()
    >>> noisy[(noisy > 0) & (noisy < 3)] = 3
    >>> made = AdditiveCounts(D=3).restore(table, noisy, seed=1)
    >>> made.proof.is_within
    True
    """

    D: Annotated[int, Interval(1)] = 3
    smallest: Annotated[int, Interval(1)] = 3
    method: Literal["search", "stages"] = "search"
    sweeps: Annotated[int, Interval(1)] = 600
    time_limit: Annotated[float, Interval(0)] | None = 60.0
    most_rise: Annotated[float, Interval(0)] | None = None

    def check(self) -> None:
        """A one must be able to become 0 or the smallest count."""
        if self.smallest > self.D + 1:
            raise ParameterError(
                f"AdditiveCounts: 'D' must be at least 'smallest' - 1, got D={self.D} and smallest={self.smallest}; a count of 1 "
                "could not become the smallest one."
            )

    def restore(
        self, table: Table, noisy: IntArray, *, seed: Seed, fixed: BoolArray | Sequence[int] | None = None
    ) -> AdditiveTable:
        """Return the table with counts that add up.

        Parameters
        ----------
        table
            The true counts.
        noisy
            (n,): noisy counts, whole numbers; an empty cell must be 0. The true counts themselves are adjustment without noise.
        seed
            Same seed, same table.
        fixed
            Cells whose true count is published by law: (n,) booleans, or their numbers.

        Raises
        ------
        ParameterError
            When ``noisy`` or ``fixed`` do not fit the table.
        DataError
            When the table is no table of counts or does not add up, when a fixed cell has a small count, or when no table
            meets sums, zeros, small counts and fixed cells.
        """
        begin = time.perf_counter()
        truth = true_counts(table, owner="AdditiveCounts")
        aim = _checked_noisy(noisy, truth)
        stay = _checked_fixed(fixed, table, truth, self.smallest)
        rng = Streams(check_seed(seed, owner="AdditiveCounts")).stream("additive_counts", *_labels(self))
        if self.method == "stages":
            from tacita.tables.additive.two_stages import two_stages

            staged = two_stages(
                table.relations, truth, aim, stay, D=self.D, smallest=self.smallest, time_limit=self.time_limit
            )
            values, work, notes = staged.values, staged.models, staged.notes
        else:
            values, work, notes = self._search(table, truth, aim, stay, rng)
        proof = recount_table(table.relations, truth, values, D=self.D, smallest=self.smallest, fixed=stay)
        if not proof.holds:
            raise DataError(
                f"AdditiveCounts: {proof.words()}. Free some of the 'fixed' cells, or search longer.",
                details={"fixed": proof.moved.tolist()},
            )
        return AdditiveTable(
            table=table,
            noisy=aim,
            values=values,
            proof=proof,
            distance=float(np.abs(values - aim).sum()),
            notes=notes,
            work=work,
            seconds=time.perf_counter() - begin,
        )

    def _search(
        self, table: Table, truth: IntArray, aim: IntArray, stay: BoolArray, rng: np.random.Generator
    ) -> tuple[IntArray, int, tuple[str, ...]]:
        found = inner_cells(table.relations, truth > 0)
        if not found.are_free:
            raise DataError(
                f"AdditiveCounts: {len(found.ties)} sums do not follow from the inner cells, as in linked tables that share "
                "margins only; use method='stages', or ConsistentTables, which knows the records."
            )
        board = board_of(aim, truth, reach=self.D, least=self.smallest, fixed=stay)
        aims = None
        if self.most_rise is not None:
            there = int((truth > 0).sum())
            most = int(np.abs(aim - truth).sum() + self.most_rise * there)
            aims = LevelAims(np.zeros(len(truth), np.int64), np.array([there]), np.array([most]))
        made = settle(
            found.holders, board, aim[found.places], smallest=self.smallest, sweeps=self.sweeps, rng=rng, aims=aims
        )
        wide = int((made.at_fault & ~stay).sum())
        notes = (
            (f"The bound of {wide} cells was widened: no table within {self.D} of the truth was found.",)
            if wide
            else ()
        )
        return made.values, made.sweeps, notes


def true_counts(table: Table, *, owner: str) -> IntArray:
    """Return the counts of a frequency table as whole numbers, or say why it has none."""
    values = np.asarray(table.values, np.float64)
    if not table.is_frequency or table.parts is not None:
        raise DataError(f"{owner}: the table must have counts of records, and not sums of '{table.response}'.")
    if not np.isfinite(values).all() or (values < 0).any() or (values != np.rint(values)).any():
        raise DataError(f"{owner}: counts must be whole numbers of at least 0; weighted counts are not.")
    table.check_additive()
    return values.astype(np.int64)


def _labels(settings: AdditiveCounts) -> tuple[str, ...]:
    """Two settings never share their draws."""
    plain = {name: value for name, value in settings.to_plain().items() if name != "most_rise" or value is not None}
    return tuple(f"{name}={value!r}" for name, value in plain.items())


def _checked_noisy(noisy: IntArray, truth: IntArray) -> IntArray:
    found = np.asarray(noisy)
    if found.shape != truth.shape:
        raise ParameterError(
            f"AdditiveCounts: 'noisy' must have one count for each of the {len(truth)} cells, got shape {found.shape}."
        )
    if found.dtype.kind not in "iuf" or not np.isfinite(found).all() or (found != np.rint(found)).any():
        raise ParameterError("AdditiveCounts: 'noisy' must have whole numbers.")
    if (found < 0).any():
        raise ParameterError(f"AdditiveCounts: 'noisy' must not be below 0, as {int((found < 0).sum())} cells are.")
    filled = int(((truth == 0) & (found != 0)).sum())
    if filled:
        raise ParameterError(f"AdditiveCounts: 'noisy' must be 0 where a cell is empty, which {filled} cells are not.")
    return found.astype(np.int64)


def _checked_fixed(fixed: BoolArray | Sequence[int] | None, table: Table, truth: IntArray, smallest: int) -> BoolArray:
    stay = np.zeros(len(table), bool)
    if fixed is None:
        return stay
    given = np.asarray(fixed)
    if given.dtype == bool and given.shape == stay.shape:
        stay = given.copy()
    elif (
        given.dtype.kind in "iu" and given.ndim == 1 and (not len(given) or 0 <= given.min() <= given.max() < len(stay))
    ):
        stay[given] = True
    elif len(given):
        raise ParameterError(
            f"AdditiveCounts: 'fixed' must be {len(stay)} booleans or numbers of cells from 0 to {len(stay) - 1}."
        )
    small = np.flatnonzero(stay & (truth > 0) & (truth < smallest))
    if len(small):
        raise DataError(
            f"AdditiveCounts: {len(small)} of the 'fixed' cells have a count that must not be shown, such as "
            f"{table.title(int(small[0]))}; free them, or lower 'smallest'.",
            details={"cells": small.tolist()},
        )
    return stay
