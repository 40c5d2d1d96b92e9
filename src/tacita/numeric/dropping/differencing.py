"""The differencing attack on Drop q, tried out: two universes, two tables, and what their difference shows."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from tacita.core.arrays import IntArray
from tacita.core.errors import ParameterError
from tacita.core.streams import Streams
from tacita.numeric.dropping.apparent import smaller_universe
from tacita.numeric.dropping.probability import checked_k
from tacita.numeric.statistics.shares import interval_of_share

__all__ = ["DifferencingResult", "Rate", "apparent_cell", "padding_probability", "simulate_differencing"]

_NUMBERS = 1 << 21
"""Numbers of dropped records that are held at a time."""


@dataclass(frozen=True)
class Rate:
    """How often something happened in trials.

    Parameters
    ----------
    hits
        How often it happened.
    trials
        How often it was tried.

    Examples
    --------
    >>> rate = Rate(30, 100)
    >>> rate.value, [round(end, 3) for end in rate.interval]
    (0.3, [0.219, 0.396])
    """

    hits: int
    trials: int

    @property
    def value(self) -> float:
        """Part of the trials in which it happened."""
        return self.hits / self.trials

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval."""
        return interval_of_share(self.value, self.trials)


@dataclass(frozen=True, kw_only=True)
class DifferencingResult:
    """What the attacker saw.

    Parameters
    ----------
    correct
        The difference shows a single 1, in the cell of the record.
    wrong
        It shows a single 1, in another cell.
    untouched
        Neither table lost a record that the attacker sees, so that both are exact.
    """

    correct: Rate
    wrong: Rate
    untouched: Rate

    @property
    def apparent(self) -> Rate:
        """The difference shows a single 1."""
        return Rate(self.correct.hits + self.wrong.hits, self.correct.trials)


def simulate_differencing(
    counts: npt.ArrayLike,
    k: int,
    *,
    target: int,
    own: int | None = None,
    padding: int = 0,
    stratified: bool = True,
    smallest: int = 2,
    replicates: int = 100_000,
    seed: int,
) -> DifferencingResult:
    """Try the differencing attack many times and return how often it shows the record.

    As in Figure 2 the attacker asks for the table of U(n), which loses q1 records at random, and for that of U(n - 1), which
    loses q2, and subtracts: T_gamma = T_{n - q1} - T_{n - 1 - q2} = e_c + Y - X. The drops are those of sampling without
    replacement, multivariate hypergeometric, not the multinomial ones of (5).

    Parameters
    ----------
    counts
        Table of U(n), in any shape.
    k
        Most records that a universe loses.
    target
        Number of the record's cell, counted along the flattened table.
    own
        Number of the insider's cell: the second universe then is U(n - 2), and the insider takes himself out of the first
        by hand.
    padding
        N: records of a region beside the one of the attack, by which both universes are enlarged; the attacker looks at the
        table of the first region only.
    stratified
        Whether records are dropped within each region. Padding then is of no use: the part of the first region loses as many as
        it would alone.
    smallest
        Fewest records that a universe loses.
    replicates
        Number of attacks.
    seed
        Seed of the simulation.

    Returns
    -------
    DifferencingResult
        Rates with their intervals.

    Raises
    ------
    ParameterError
        When a parameter is out of range, or the universe is so small that a part could lose all.

    Complexity
    ----------
    O(replicates J) time, in blocks of constant memory.

    References
    ----------
    Lucero, J. et al. (2011), The Microdata Analysis System at the U.S. Census Bureau, SORT special issue,
    Figures 1 and 2, section 4.

    Examples
    --------
    >>> found = simulate_differencing([430, 38, 462, 48], 3, target=1, replicates=10_000, seed=7)
    >>> low, high = found.correct.interval
    >>> low < 0.114 < high
    True
    """
    owner = "simulate_differencing"
    checked_k(k, smallest, owner)
    larger, smaller = smaller_universe(counts, target, own, owner)
    if padding < 0 or replicates < 1:
        raise ParameterError(
            f"{owner}: 'padding' must be at least 0 and 'replicates' at least 1, got {padding} and {replicates}."
        )
    if smaller.sum() <= k or larger.sum() + padding >= 10**9:
        raise ParameterError(
            f"{owner}: the universes must have more than k and fewer than 10**9 records; change 'counts'."
        )
    cells = len(larger)
    if not stratified:
        larger, smaller = np.append(larger, padding), np.append(smaller, padding)
    rng = Streams(seed).stream("differencing")
    correct = wrong = untouched = 0
    block = max(1, _NUMBERS // len(larger))
    for start in range(0, replicates, block):
        size = min(block, replicates - start)
        x = _drops(larger, k, smallest, size, rng)[:, :cells]
        y = _drops(smaller, k, smallest, size, rng)[:, :cells]
        difference = y - x
        difference[:, target] += 1  # the insider subtracts himself, so his own record is not in it
        shown = apparent_cell(difference)
        correct += int(np.count_nonzero(shown == target))
        wrong += int(np.count_nonzero((shown >= 0) & (shown != target)))
        untouched += int(np.count_nonzero(~(x.any(axis=1) | y.any(axis=1))))
    return DifferencingResult(
        correct=Rate(correct, replicates), wrong=Rate(wrong, replicates), untouched=Rate(untouched, replicates)
    )


def apparent_cell(difference: npt.ArrayLike) -> IntArray:
    """Return the cell in which a difference shows a single 1 and zeros elsewhere, or -1: how an attacker reads it.

    Parameters
    ----------
    difference
        (..., J): differences of tables, each flattened along the last axis.

    Examples
    --------
    >>> apparent_cell([[0, 1, 0, 0], [-1, 1, 1, 0], [0, 0, 0, 0]]).tolist()
    [1, -1, -1]
    """
    table = np.asarray(difference)
    is_one = (np.count_nonzero(table, axis=-1) == 1) & (table.max(axis=-1) == 1)
    return np.where(is_one, table.argmax(axis=-1), -1).astype(np.int64)


def padding_probability(n: int, padding: int, k: int, *, smallest: int = 2) -> float:
    """Return the probability that two padded universes lose nothing in the region of the attack, when there are no strata.

    U(n + N) loses q1 of its records, U(n - 1 + N) loses q2, and all come from the N that were added:

        P = E[C(N, q1) / C(n + N, q1)] E[C(N, q2) / C(n - 1 + N, q2)].

    Parameters
    ----------
    n
        Records in the region of the attack.
    padding
        N: records that were added.
    k
        Most records that a universe loses.
    smallest
        Fewest records that it loses.

    Returns
    -------
    float
        The probability, in which the difference is exact.

    Raises
    ------
    ParameterError
        When a parameter is out of range.

    Complexity
    ----------
    O(k) exact fractions.

    References
    ----------
    Lucero, J. et al. (2011), The Microdata Analysis System at the U.S. Census Bureau, SORT special issue, section 3.1.2.

    Examples
    --------
    >>> round(padding_probability(500, 10**6, 3), 4), round(padding_probability(500, 10**6, 20), 4)
    (0.9975, 0.9891)
    """
    checked_k(k, smallest, "padding_probability")
    if n < 1 or padding < 0 or n - 1 + padding < k:
        raise ParameterError(
            f"padding_probability: 'n' must be at least 1, 'padding' at least 0 and their sum above k, got {n} and {padding}."
        )
    drops = range(smallest, k + 1)
    chances = [
        float(sum(Fraction(comb(padding, q), comb(size + padding, q)) for q in drops)) / len(drops)
        for size in (n, n - 1)
    ]
    return chances[0] * chances[1]


def _drops(counts: IntArray, k: int, smallest: int, size: int, rng: Generator) -> IntArray:
    """Return how many records each cell loses, a row for each trial: q uniform, then q records without replacement."""
    q = rng.integers(smallest, k + 1, size)
    drops = np.zeros((size, len(counts)), dtype=np.int64)
    for number in range(smallest, k + 1):
        rows = np.flatnonzero(q == number)
        drops[rows] = rng.multivariate_hypergeometric(counts, number, size=len(rows), method="marginals")
    return drops
