"""Information for users: how far a perturbed cell may be off, told by deviations that were perturbed themselves (section 7)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.core.keyed import Key, KeyLike
from tacita.numeric.perturbation.invariant import banded_matrix, controlled_flows, invariant_matrix, moved_states
from tacita.numeric.perturbation.set_keys import set_uniforms
from tacita.tables.perturbation.keyed_table import KeyedTable, checked_key
from tacita.tables.protect.protected import Protected

__all__ = ["DeviationReport", "deviation_frequencies", "inform_users", "perturb_deviations"]

MARKS = ("A", "B", "C")


@dataclass(frozen=True, eq=False)
class DeviationReport:
    """What is published beside perturbed counts.

    Parameters
    ----------
    sizes
        (n,): the size of the perturbed deviation of each cell; -1 where nothing is told, as of every cell that is shown as 0.
    marks
        For each cell ``A`` (good), ``B`` (fair) or ``C`` (poor); empty where nothing is told.
    frequencies
        For each deviation d, how many cells have it and how many have it after it was perturbed (Table 6). For the inside:
        readers get :attr:`public_frequencies`.
    """

    sizes: IntArray = field(repr=False)
    marks: list[str] = field(repr=False)
    frequencies: dict[int, tuple[int, int]]

    @property
    def public_frequencies(self) -> dict[int, int]:
        """For each size of a deviation how many cells are told to have it."""
        told = self.sizes[self.sizes >= 0]
        return {int(size): int(count) for size, count in zip(*np.unique(told, return_counts=True), strict=True)}

    @property
    def largest_change(self) -> int:
        """The most by which a frequency of deviations changed."""
        return max((abs(before - after) for before, after in self.frequencies.values()), default=0)


def perturb_deviations(
    deviations: IntArray,
    uniforms: FloatArray,
    rng: np.random.Generator,
    *,
    alpha: float = 1.0,
    stay: float = 0.5,
    reach: int = 1,
) -> IntArray:
    """Return deviations that were perturbed so that every frequency is kept.

    Parameters
    ----------
    deviations
        (n,): whole numbers.
    uniforms
        (n,): a number for each cell, which decides who changes.
    rng
        Random stream for the rounding of flows.
    alpha, stay, reach
        Of the invariant matrix: damping, probability of staying and reach of the initial matrix.

    Notes
    -----
    The expected flows ``n_i R_ij`` of an invariant matrix have whole sums, so they can be rounded with all frequencies kept
    exactly; independent draws would miss them by their square roots. Table 6 of the paper keeps them within 2. Deviations between
    the smallest and the largest that occur are the states. O(n log n).

    Examples
    --------
    >>> d = np.array([-1] * 40 + [0] * 30 + [1] * 30)
    >>> rng = np.random.default_rng(1)
    >>> told = perturb_deviations(d, rng.random(100), rng)
    >>> np.bincount(told + 1).tolist(), bool((told != d).any())
    ([40, 30, 30], True)
    """
    if deviations.shape != uniforms.shape or not np.issubdtype(deviations.dtype, np.integer):
        raise ParameterError("perturb_deviations: there must be a whole deviation and a number for each cell.")
    if not len(deviations):
        return deviations.astype(np.int64)
    low = int(deviations.min())
    states = (deviations - low).astype(np.int64)
    n = np.bincount(states)
    matrix = invariant_matrix(banded_matrix(len(n), stay=stay, reach=reach), n.astype(np.float64), alpha=alpha)
    flows = controlled_flows(n[:, None] * matrix, rng)
    return moved_states(states, flows, uniforms) + low


def deviation_frequencies(deviations: IntArray, told: IntArray) -> dict[int, tuple[int, int]]:
    """Return for each deviation how many cells have it, and how many have it after it was perturbed.

    Examples
    --------
    >>> deviation_frequencies(np.array([0, 1, 1]), np.array([1, 1, 0]))
    {0: (1, 1), 1: (2, 2)}
    """
    values = np.unique(np.concatenate([deviations, told]))
    return {int(d): (int((deviations == d).sum()), int((told == d).sum())) for d in values}


def inform_users(
    protected: Protected,
    *,
    key: KeyLike,
    alpha: float = 1.0,
    stay: float = 0.5,
    reach: int = 1,
    good: float = 0.05,
    fair: float = 0.2,
) -> DeviationReport:
    """Return what may be told to users about each cell of a perturbed table of counts.

    Protects the deviations themselves: what is told is the size of a deviation that was perturbed. Does not protect against
    whoever compares several tables of the same cells, whose deviations are perturbed anew in each: averaging is the weakest
    point.

    Parameters
    ----------
    protected
        A table of counts whose values were changed by whole numbers.
    key
        The secret key.
    alpha, stay, reach
        See :func:`perturb_deviations`.
    good, fair
        A cell is marked ``A`` when the size told is at most this share of its published count, ``B`` by the second, else ``C``.

    Raises
    ------
    DataError
        When values were changed by broken numbers.
    ParameterError
        When the key is short or one of an example, or the shares do not rise.

    Notes
    -----
    Nothing is told of a cell that is shown as 0: a mark there would say that somebody is in it, because cells that are truly
    empty stay as they are and have no deviation to tell.
    """
    if not 0 <= good <= fair:
        raise ParameterError(f"inform_users: 'good' must be from 0 to 'fair', got {good:g} and {fair:g}.")
    secret, table = checked_key(key), protected.table
    change = protected.values - table.values
    whole = np.rint(change).astype(np.int64)
    if np.abs(change - whole).max(initial=0.0) > 1e-9:
        raise DataError(
            "inform_users: deviations must be whole numbers; tell standard errors of weighted counts instead."
        )
    told_of: BoolArray = ~table.is_structural & (protected.values > 0)
    rows = np.flatnonzero(told_of)
    numbers = _numbers(protected, secret)[rows]
    rng = secret.generator("deviations", int(whole[rows].sum()), len(rows))
    told = perturb_deviations(whole[rows], numbers, rng, alpha=alpha, stay=stay, reach=reach)
    sizes = np.full(len(table), -1, np.int64)
    sizes[rows] = np.abs(told)
    share = sizes / np.maximum(protected.values, 1.0)
    words = np.where(share <= good, MARKS[0], np.where(share <= fair, MARKS[1], MARKS[2]))
    marks = [str(word) if there else "" for word, there in zip(words, told_of, strict=True)]
    return DeviationReport(sizes, marks, deviation_frequencies(whole[rows], told))


def _numbers(protected: Protected, secret: Key) -> FloatArray:
    """A number for each cell: by its set of records where it is known, else by its place."""
    table = protected.table
    if isinstance(table, KeyedTable) and table.counts is not None:
        return set_uniforms(secret.derive("told deviations"), table.sums, table.counts, table.unit)
    return secret.generator("told deviations", len(table)).random(len(table))
