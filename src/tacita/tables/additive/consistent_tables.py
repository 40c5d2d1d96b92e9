"""Consistent and additive at once: all tables of a declared set from one file of elementary cells, near their keyed noise."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.core.parameterised import Parameterised
from tacita.core.parameters import Interval
from tacita.core.streams import Seed, Streams, check_seed
from tacita.tables.additive.declared_set import DeclaredSet
from tacita.tables.additive.level_aims import level_aims
from tacita.tables.additive.recount import Recount, recount_table
from tacita.tables.additive.settle import Settled, board_of, settle
from tacita.tables.model.table import Table

__all__ = ["ConsistentSet", "ConsistentTables", "LevelDeviation"]


@dataclass(frozen=True)
class LevelDeviation:
    """How far the cells of one crossing of variables are from the truth.

    Parameters
    ----------
    level
        The variables.
    cells
        Number of cells.
    noisy, mean
        Mean distance of the noisy counts, and of the published ones.
    largest
        Largest distance of a published count.
    kept
        Share of the cells whose published count is the true one.
    least
        The least mean distance that is possible without small counts, by the true counts of the level alone.
    """

    level: str
    cells: int
    noisy: float
    mean: float
    largest: int
    kept: float
    least: float


@dataclass(frozen=True, eq=False, kw_only=True)
class ConsistentSet:
    """The tables of a declared set as they may be published.

    Parameters
    ----------
    declared
        The set with its true counts.
    noisy, values
        (c,): noisy and published counts of the cells of the set.
    proofs
        For each table the recount of what is promised.
    notes
        What the owner should know.
    smallest
        The smallest count but 0 that may be shown.
    sweeps, rounds
        How long the search was.
    seconds
        Time it took.
    """

    declared: DeclaredSet = field(repr=False)
    noisy: IntArray = field(repr=False)
    values: IntArray = field(repr=False)
    proofs: tuple[Recount, ...] = field(repr=False)
    notes: tuple[str, ...] = ()
    smallest: int
    sweeps: int
    rounds: int
    seconds: float

    @property
    def tables(self) -> list[Table]:
        """The tables as they may be published."""
        return [
            replace(table.with_values(self.values[place].astype(np.float64)), counts=None)
            for table, place in zip(self.declared.tables, self.declared.places, strict=True)
        ]

    def levels(self) -> list[LevelDeviation]:
        """Return the deviations at every level, for the owner's eyes."""
        truth = self.declared.counts
        before, after = np.abs(self.noisy - truth), np.abs(self.values - truth)
        return [
            LevelDeviation(
                level,
                len(cells),
                float(before[cells].mean()),
                float(after[cells].mean()),
                int(after[cells].max()),
                float((after[cells] == 0).mean()),
                self.declared.least_of(level, self.smallest) / len(cells),
            )
            for level, cells in self.declared.levels.items()
        ]

    def summary(self) -> dict[str, Any]:
        """Return the cost of being consistent and additive, beside that of noise alone.

        ``mean_by_crossing`` has the mean deviation by the number of variables crossed.
        """
        truth = self.declared.counts
        levels = self.levels()
        crossed: dict[int, list[LevelDeviation]] = {}
        for level in levels:
            crossed.setdefault(0 if level.level == "Total" else level.level.count(" x ") + 1, []).append(level)
        return {
            "cells": len(truth),
            "mean": float(np.abs(self.values - truth).mean()),
            "mean_of_noise": float(np.abs(self.noisy - truth).mean()),
            "largest": int(np.abs(self.values - truth).max()),
            "mean_by_crossing": {
                number: sum(part.mean * part.cells for part in parts) / sum(part.cells for part in parts)
                for number, parts in sorted(crossed.items())
            },
            "largest_mean_of_a_level": max(level.mean for level in levels),
            "total_is_exact": bool((self.values == truth)[self.declared.levels["Total"]].all()),
        }


@dataclass(frozen=True, kw_only=True)
class ConsistentTables(Parameterised):
    """Make all tables of a declared set additive and consistent, each cell near its keyed noise.

    The counts x_e of the elementary cells, the combinations of all variables, are annealed with the cost
    ``sum_c |x_c - noisy_c| + p_c |x_c - true_c| + 5 ((|x_c - true_c| - D - slack)+ + g(x_c))`` over the cells c of all tables,
    where x_c is the sum of its elementary cells and g the distance of a small count to 0 or to ``smallest``. The pull p_c belongs
    to the level of the cell, the variables that it is crossed by; it is 0, and rises only while the mean deviation of the level
    is above ``level_mean``. All tables come from one file of elementary counts: what is the same cell in two tables has the same
    count, and every sum holds. The total is exact.

    Protects against contradictions between tables, by which noise could be undone, and against averages over the tables of the
    set: there is one count for each cell. Does not protect against tables outside the set that are made from the same records
    with other noise, nor against a reader who knows D and solves for the true counts. What is fixed is known.

    Parameters
    ----------
    D
        The most that keyed noise changes a count.
    slack
        By how much more a published count may differ from the truth.
    smallest
        The smallest count but 0 that may be shown; 3 for no ones and no twos, 1 for no such demand.
    sweeps
        How long to search, in tries for each elementary cell.
    level_mean
        What the mean deviation of every level should be at most, levels of few cells too; None for no such demand.

    Complexity
    ----------
    O(sweeps x e c) for e elementary cells that are each counted in c cells.

    Notes
    -----
    The search starts from elementary counts that are one up or down from the truth, by chance, and not from the truth: what it
    leaves alone is noise too. Where ``smallest`` cannot be reached with free elementary counts, these are restricted to 0 and
    ``smallest`` and above, which makes every sum of them safe, and costs about a third more deviation. The bound is given up
    last, in the cells where no better was found; the notes say in how many.

    A level that is pulled is nearer to the truth than its noise: with a ``level_mean`` far below the mean of the noise, little of
    the noise is left. Noise with variance 2 has a mean of 0.8 to 1.15; for much more, raise ``level_mean`` or leave it out.
    Levels of two or three cells can only be pulled to whole deviations. Where ones and twos must go, a level cannot be nearer
    than ``least`` of :meth:`ConsistentSet.levels` says: ones alone need 4/3. The notes name the levels that stayed above.

    Adding up noise from elementary cells, or from the top of a tree down, drifts to tens on the other margins; hence the search.

    References
    ----------
    Giessing, S. and Hoehne, J. (2011), Eliminating small cells from census counts tables, SORT special issue, 59-80, section 5,
    footnote 7, which calls this problem too large; section 2, models (1) to (3), where SAFE solves the like for true counts.

    Examples
    --------
    >>> import tacita as tc
    >>> from tacita.tables.additive.declared_set import declare
    >>> found = declare(tc.samples.person_register(3000, seed=1), [["sex", "marital"], ["sex", "disability"]])
    >>> made = ConsistentTables(D=2).restore(found, lambda table: table.counts, seed=1)
    >>> made.summary()["total_is_exact"], all(proof.is_within for proof in made.proofs)
    (True, True)
    """

    D: Annotated[int, Interval(1)] = 3
    slack: Annotated[int, Interval(0)] = 1
    smallest: Annotated[int, Interval(1)] = 1
    sweeps: Annotated[int, Interval(1)] = 150
    level_mean: Annotated[float, Interval(0)] | None = 1.1

    def check(self) -> None:
        """A one must be able to become 0 or the smallest count."""
        if self.smallest > self.D + self.slack + 1:
            raise ParameterError(
                f"ConsistentTables: 'smallest' must be at most 'D' + 'slack' + 1, got {self.smallest}; a count of 1 could not "
                "become the smallest one."
            )

    def restore(
        self,
        declared: DeclaredSet,
        noisy: Callable[[Table], IntArray] | Sequence[IntArray],
        *,
        seed: Seed,
        fixed: Sequence[str] = (),
    ) -> ConsistentSet:
        """Return all tables of the set, consistent and additive.

        Parameters
        ----------
        declared
            The set, from :func:`declare`.
        noisy
            Noisy counts that are the same for the same cell: a function of a table, or an array for each table.
        seed
            Same seed, same tables.
        fixed
            Levels whose counts are published by law, such as ``municipality``; the total always is.

        Raises
        ------
        ParameterError
            When ``noisy`` does not fit the tables, or a level of ``fixed`` is not one of the set.
        DataError
            When a cell has different noisy counts in different tables, or no tables with the fixed counts were found.
        """
        begin = time.perf_counter()
        aim, truth = declared.gather(noisy), declared.counts
        stay = np.zeros(len(declared), bool)
        for level in ("Total", *fixed):
            if level not in declared.levels:
                raise ParameterError(
                    f"ConsistentTables: 'fixed' must name levels of the set, got '{level}'. It has: {', '.join(declared.levels)}."
                )
            stay[declared.levels[level]] = True
        labels = [f"{name}={value!r}" for name, value in self.to_plain().items()]
        rng = Streams(check_seed(seed, owner="ConsistentTables")).stream("consistent_tables", *labels)
        reach = self.D + self.slack
        made = self._settled(declared, aim, stay, 1, rng)
        if ((made.values > 0) & (made.values < self.smallest)).any():
            made = self._settled(declared, aim, stay, self.smallest, rng)
        if (made.values != truth)[stay].any():
            raise DataError(
                "ConsistentTables: no tables with the 'fixed' counts were found; free a level, or lower 'smallest'."
            )
        proofs = tuple(
            recount_table(
                table.relations, truth[place], made.values[place], D=reach, smallest=self.smallest, fixed=stay[place]
            )
            for table, place in zip(declared.tables, declared.places, strict=True)
        )
        return ConsistentSet(
            declared=declared,
            noisy=aim,
            values=made.values,
            proofs=proofs,
            notes=self._notes(declared, made),
            smallest=self.smallest,
            sweeps=made.sweeps,
            rounds=made.rounds,
            seconds=time.perf_counter() - begin,
        )

    def _settled(
        self, declared: DeclaredSet, aim: IntArray, stay: np.ndarray[Any, np.dtype[np.bool_]], inner: int, rng: Any
    ) -> Settled:
        board = board_of(aim, declared.counts, reach=self.D + self.slack, least=self.smallest, fixed=stay)
        start = declared.elementary + 2 * rng.integers(0, 2, len(declared.elementary)) - 1
        aims = None
        if self.level_mean is not None:
            least = [declared.least_of(level, self.smallest) for level in declared.levels]
            aims = level_aims(list(declared.levels.values()), least, mean=self.level_mean)
        return settle(declared.holders, board, start, smallest=inner, sweeps=self.sweeps, rng=rng, aims=aims)

    def _notes(self, declared: DeclaredSet, made: Settled) -> tuple[str, ...]:
        """Say what could not be held; no value of a cell is in it."""
        wide = int(made.at_fault.sum())
        found = [f"The bound of {wide} cells was widened: no tables within {self.D + self.slack} were found."]
        found = found if wide else []
        if self.level_mean is not None:
            off = np.abs(made.values - declared.counts)
            above = [level for level, cells in declared.levels.items() if off[cells].mean() > self.level_mean + 1e-9]
            found += [f"Levels with a mean deviation above {self.level_mean:g}: {', '.join(above)}."] if above else []
        return tuple(found)
