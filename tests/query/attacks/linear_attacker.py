"""The intruder who solves linear equations: exactly, for what follows from exact answers; at best, for what noisy ones suggest.

He gets sets of records and numbers that left, never an object of the product.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

__all__ = ["PRIMES", "Observation", "Rate", "best_linear_guess", "finds_small_set", "solved_values"]

PRIMES = (2_147_483_629, 2_147_483_587)
"""Two primes below 2**31: products of residues fit into 64 bits. A determined set is one that both find."""


def _null_space(sets: np.ndarray, prime: int) -> np.ndarray:
    """A basis of the null space of 0/1 rows modulo a prime, one column for each free record: (n, n - rank)."""
    a = sets.astype(np.int64) % prime
    n, pivots, top = a.shape[1], [], 0
    for column in range(n):
        found = np.flatnonzero(a[top:, column])
        if not len(found):
            continue
        swap = top + int(found[0])
        a[[top, swap]] = a[[swap, top]]
        a[top] = a[top] * pow(int(a[top, column]), -1, prime) % prime
        others = np.flatnonzero(a[:, column])
        others = others[others != top]
        a[others] = (a[others] - a[others, column][:, None] * a[top]) % prime
        pivots.append(column)
        top += 1
        if top == len(a):
            break
    free = np.setdiff1d(np.arange(n), pivots)
    basis = np.zeros((n, len(free)), dtype=np.int64)
    basis[free, np.arange(len(free))] = 1
    basis[pivots] = -a[: len(pivots)][:, free] % prime
    return basis


def _found(sets: np.ndarray, limit: int, prime: int) -> set[tuple[int, ...]]:
    """Records (and pairs) a combination of which lies in the row space.

    v lies in the row space if and only if it is orthogonal to the null space. One record is determined if its row of the basis is
    zero; two are in a relation if their rows are proportional.
    """
    basis = _null_space(sets, prime)
    alone = np.flatnonzero(~basis.any(axis=1))
    found: set[tuple[int, ...]] = {(int(i),) for i in alone}
    if limit <= 2:
        return found
    first = basis[np.arange(len(basis)), (basis != 0).argmax(axis=1)] if basis.shape[1] else np.zeros(len(basis), int)
    inverse = np.array([pow(int(v), -1, prime) if v else 0 for v in first], dtype=np.int64)
    seen: dict[bytes, int] = {}
    for i, row in enumerate(basis * inverse[:, None] % prime):
        if row.any():
            other = seen.setdefault(row.tobytes(), i)
            if other != i:
                found.add((other, i))
    return found


def finds_small_set(sets: Sequence[np.ndarray], limit: int = 3) -> set[tuple[int, ...]]:
    """Sets of fewer than ``limit`` (2 or 3) records of which some combination follows from sums over the given sets."""
    if not sets:
        return set()
    matrix = np.unique(np.array(sets, dtype=np.int64), axis=0)
    one, two = (_found(matrix, limit, prime) for prime in PRIMES)
    return one & two


def solved_values(sets: Sequence[np.ndarray], sums: Sequence[float]) -> dict[int, float]:
    """The values of single records that follow from the sums."""
    alone = [small[0] for small in finds_small_set(sets, 2)]
    found = np.linalg.lstsq(np.array(sets, dtype=float), np.array(sums), rcond=None)[0]
    return {i: float(found[i]) for i in alone}


@dataclass(frozen=True)
class Observation:
    """An estimate of how many of a class are in some cells of the keys.

    ``inside`` flags the cells, ``estimate`` is what left, corrected for what the method takes away on average,
    ``variance`` is that of its error as the method is published.
    """

    inside: np.ndarray
    estimate: float
    variance: float


def best_linear_guess(
    counts: np.ndarray, share: float, observations: Sequence[Observation], target: int
) -> tuple[float, float]:
    """The best linear estimate of how many of the class are in one cell, and its standard error.

    Before anything is seen the number in a cell of n records has mean n p and variance n p (1 - p). With errors of
    known variance the posterior mean is the best linear unbiased predictor; it uses every difference, padding,
    tracker and average there is in the answers.

    Parameters
    ----------
    counts
        Records in each cell of the keys, which the intruder knows.
    share
        p, the share of the class.
    observations
        What left.
    target
        The cell asked for.
    """
    prior = np.maximum(counts * share * (1 - share), 1e-9)
    mean = counts * share
    if not observations:
        return float(mean[target]), sqrt(float(prior[target]))
    a = np.array([o.inside for o in observations], dtype=float)
    y = np.array([o.estimate for o in observations])
    v = np.array([max(o.variance, 1e-6) for o in observations])
    s = (a * prior) @ a.T + np.diag(v)
    gain = np.linalg.solve(s, np.column_stack([y - a @ mean, a[:, target] * prior[target]]))
    at = a[:, target] * prior[target]
    return float(mean[target] + at @ gain[:, 0]), sqrt(max(float(prior[target] - at @ gain[:, 1]), 0.0))


@dataclass(frozen=True)
class Rate:
    """How often an intruder was right, and how often a guess without answers was, on the same targets.

    Parameters
    ----------
    hits, guessed
        How often he was right, and how often the guess.
    differed
        How often one was right and the other wrong.
    trials
        Targets.
    """

    hits: int
    guessed: int
    differed: int
    trials: int

    @classmethod
    def of(cls, *, right: bool, guess_right: bool) -> Rate:
        """One trial."""
        return cls(int(right), int(guess_right), int(right != guess_right), 1)

    def __add__(self, other: Rate) -> Rate:
        return Rate(
            self.hits + other.hits,
            self.guessed + other.guessed,
            self.differed + other.differed,
            self.trials + other.trials,
        )

    @property
    def gain(self) -> float:
        """Success less that of the guess."""
        return (self.hits - self.guessed) / self.trials

    def interval(self, z: float = 1.96) -> tuple[float, float]:
        """The 95 % interval of a difference of paired shares, one half added to each of the four counts (Agresti & Min 2005)."""
        n = self.trials + 2
        gain, differed = (self.hits - self.guessed) / n, (self.differed + 1) / n
        width = z * sqrt(max(differed - gain * gain, 0.0) / n)
        return gain - width, gain + width

    def __str__(self) -> str:
        low, high = self.interval()
        return (
            f"success {self.hits / self.trials:.3f}, guess {self.guessed / self.trials:.3f}, "
            f"gain {self.gain:+.3f} [{low:+.3f}, {high:+.3f}] of {self.trials}"
        )
