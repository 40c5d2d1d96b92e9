"""Invariant matrices for counts: the number of cells with each count is kept, small counts excepted, which are never shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import ParameterError
from tacita.numeric.perturbation.invariant import banded_matrix, invariant_matrix

__all__ = ["InvariantMatrix", "split_small_counts"]


@dataclass(frozen=True, eq=False)
class InvariantMatrix:
    """A transition matrix that keeps how many cells have each count.

    :meth:`of` keeps all of them; :meth:`without_small` shows no count below a smallest one, keeps each frequency above it and
    those up to it together, and the persons in them.

    Protects small counts by uncertainty. Does not protect against averaging, which it is weakest against: the noise of
    a count has no mean of 0, but whoever knows the matrix and the frequencies turns probabilities around.

    Parameters
    ----------
    frequencies
        (m + 1,): number of cells with counts 0, 1, ..., m.
    probabilities
        (m + 1, m + 1): entry i, j is the probability that a count of i is published as j.

    References
    ----------
    Shlomo, N. and Young, C. (2008), Invariant post-tabular protection of census frequency counts, Privacy in Statistical
    Databases, LNCS 5262, 77-89; Giessing, S. and Hoehne, J. (2011), section 3.2, Tables 2 and 3.

    Examples
    --------
    >>> made = InvariantMatrix.without_small([96, 32, 20, 16, 15, 13, 12, 11])
    >>> made.expected.sum(axis=0)[4:].round(6).tolist()
    [16.0, 15.0, 13.0, 12.0, 11.0]
    """

    frequencies: FloatArray = field(repr=False)
    probabilities: FloatArray = field(repr=False)

    @property
    def expected(self) -> FloatArray:
        """(m + 1, m + 1): expected number of cells with a count of i that are published as j."""
        return np.asarray(self.frequencies[:, None] * self.probabilities)

    @classmethod
    def of(
        cls, frequencies: Sequence[float], *, alpha: float = 1.0, stay: float = 0.7, reach: int = 1
    ) -> InvariantMatrix:
        """Return the invariant matrix of the counts 1, 2, ...; zero stays.

        Parameters
        ----------
        frequencies
            Number of cells with the counts 1, 2, ....
        alpha
            Damping, from 0 to 1.
        stay, reach
            The initial matrix: how likely a count stays, and how far it moves at once; the product moves twice as far.
        """
        v = np.asarray(frequencies, np.float64)
        return cls(*_with_zero(v, invariant_matrix(banded_matrix(len(v), stay=stay, reach=reach), v, alpha=alpha)))

    @classmethod
    def without_small(
        cls,
        frequencies: Sequence[float],
        *,
        smallest: int = 3,
        alpha: float = 1.0,
        stay: float = 0.7,
        reach: int = 1,
        keep: float = 0.6,
    ) -> InvariantMatrix:
        """Return the matrix that shows no count from 1 to ``smallest - 1``.

        Parameters
        ----------
        frequencies, alpha, stay, reach
            As for :meth:`of`.
        smallest
            The smallest count that is shown.
        keep
            The probability that this count stays as it is.

        Raises
        ------
        ParameterError
            When the small counts cannot be split so that their persons are kept.

        Notes
        -----
        First the invariant matrix with all counts up to ``smallest`` as one state; as many leave this state for the next one in
        the initial matrix as come from there. Then the state is split, see :func:`split_small_counts`.
        """
        v = np.asarray(frequencies, np.float64)
        joint = np.concatenate([[v[:smallest].sum()], v[smallest:]])
        initial = banded_matrix(len(joint), stay=stay, reach=reach)
        if len(joint) > 1 and joint[0] > 0:
            out = min(joint[1] * initial[1, 0] / joint[0], 1.0)
            initial[0] = 0.0
            initial[0, :2] = 1 - out, out
        first = invariant_matrix(initial, joint, alpha=alpha)
        return cls(
            np.concatenate([[0.0], v]), split_small_counts(v, joint[:, None] * first, smallest=smallest, keep=keep)
        )


def _with_zero(v: FloatArray, matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    made = np.eye(len(v) + 1)
    made[1:, 1:] = matrix
    return np.concatenate([[0.0], v]), made


def split_small_counts(
    frequencies: FloatArray, flows: FloatArray, *, smallest: int = 3, keep: float = 0.6
) -> FloatArray:
    """Split the joint state of small counts: from Table 2 of the paper to Table 3.

    Parameters
    ----------
    frequencies
        (m,): number of cells with the counts 1, 2, ....
    flows
        (m - smallest + 1, m - smallest + 1): expected flows between the joint state of all counts up to ``smallest`` and the
        larger ones.
    smallest
        s, the smallest count that is shown.
    keep
        The probability that a count of s stays.

    Returns
    -------
    array
        (m + 1, m + 1): probabilities for the counts 0, 1, ..., m.

    Notes
    -----
    Only the count s goes to larger ones, and whoever comes from these becomes s. The smaller ones become 0 or s, with the same
    bias b each: ``p_is = (i + b) / s``. b follows from the persons: s times the cells that show s is the number of persons who
    were in cells up to s.

    Raises
    ------
    ParameterError
        When a probability would be negative or above one.
    """
    v, s = np.asarray(frequencies, np.float64), smallest
    m = len(v)
    made = np.eye(m + 1)
    counts = np.arange(1, s + 1)
    shown = float(counts @ v[:s]) / s
    small, total = v[: s - 1], float(v[: s - 1].sum())
    from_small = shown - keep * v[s - 1] - float(flows[1:, 0].sum())
    bias = (s * from_small - float(counts[:-1] @ small)) / total if total else 0.0
    made[1:s] = 0.0
    made[1:s, s] = (counts[:-1] + bias) / s
    made[1:s, 0] = 1 - made[1:s, s]
    if v[s - 1] > 0:
        made[s] = 0.0
        made[s, s] = keep
        made[s, s + 1 :] = flows[0, 1:] / v[s - 1]
        made[s, 0] = 1 - made[s].sum()
    for row in range(1, m - s + 1):
        if v[s - 1 + row] > 0:
            made[s + row] = 0.0
            made[s + row, s:] = flows[row] / v[s - 1 + row]
    if made.min() < -1e-9 or made.max() > 1 + 1e-9:
        raise ParameterError(
            "InvariantMatrix: the small counts cannot be split so that their persons are kept; take another 'keep', a smaller "
            "alpha or a larger 'stay'."
        )
    return np.clip(made, 0.0, 1.0)
