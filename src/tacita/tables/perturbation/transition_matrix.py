"""Transition matrices: for each count the probabilities of what is published in its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import ParameterError, did_you_mean
from tacita.numeric.perturbation.noise_table import noise_from_table
from tacita.numeric.perturbation.transition_rows import entropy, first_free_row
from tacita.tables.perturbation.lookup_form import LookupRow, lookup_rows, noise_of_lookup, read_lookup, write_lookup
from tacita.tables.perturbation.row_conditions import conditions_of_rows, variance_errors
from tacita.tables.perturbation.row_designs import PUBLISHED, entropy_family, entropy_rows, normal_rows, published_rows

__all__ = ["MatrixCheck", "TransitionMatrix"]


@dataclass(frozen=True, eq=False)
class MatrixCheck:
    """How far a matrix is from the conditions (1) to (8) of Giessing and Hoehne.

    Parameters
    ----------
    residuals
        (rows, 8): for each count and condition by how much it fails, 0 where it holds.
    """

    residuals: FloatArray = field(repr=False)

    WORDS = (
        "mean 0", "variance V", "no forbidden result", "sum 1", "at most D", "zero stays", "from 0 to 1", "symmetry",
    )  # fmt: skip

    @property
    def worst(self) -> dict[str, float]:
        """The largest residual of each condition, by its number and words."""
        most = self.residuals.max(axis=0)
        return {f"({k}) {words}": float(most[k - 1]) for k, words in enumerate(self.WORDS, start=1)}

    def __repr__(self) -> str:
        return f"MatrixCheck(holds={self.holds()}, largest residual {self.residuals.max(initial=0.0):.1e})"

    def holds(self, tolerance: float = 1e-12) -> bool:
        """Whether all conditions hold."""
        return bool((self.residuals <= tolerance).all())


@dataclass(frozen=True, eq=False)
class TransitionMatrix:
    """Noise of mean 0, variance V and at most D for every count, with no forbidden results.

    Row i says with which probability a count of i is published as j. Row ``D + 3`` (where 1 and 2 are forbidden) serves all
    larger counts. Zero stays zero. It is made by one of its designs: :meth:`maximum_entropy`, :meth:`normal_tails`,
    :meth:`published`, or read (:meth:`read`).

    Protects small counts, which are never shown, and against exact differences. Does not protect against averaging: noise
    that only depends on the set of respondents is averaged out by splitting the set in many ways; an attacker who knows D and
    the sums of a table may undo some of it (section 5).

    Parameters
    ----------
    D
        The most that a count is changed.
    V
        The variance of the noise of every count but 0.
    forbidden
        Results that never occur.
    noise
        (rows, 2 D + 1): probabilities of -D, ..., D for the counts 0, 1, ....
    design
        How it was made, in words.

    Notes
    -----
    With 1 and 2 forbidden V must be from 2 to D: a count of 1 becomes 0, 3, ..., D + 1 only. With D = 2 there is no matrix.
    Monotony concerns the right tail only: asked on both sides, row 4 has no solution for D = 3.

    References
    ----------
    Giessing, S. and Hoehne, J. (2011), Eliminating small cells from census counts tables: empirical vs. design transition
    probabilities, SORT special issue, 59-80, conditions (1) to (8), system (9), Table 1.

    Examples
    --------
    >>> matrix = TransitionMatrix.maximum_entropy(D=3, V=2)
    >>> matrix.rows[1].round(3).tolist()[:5], matrix.check().holds()
    ([0.667, 0.0, 0.0, 0.333, 0.0], True)
    """

    D: int
    V: float
    forbidden: tuple[int, ...]
    noise: FloatArray = field(repr=False)
    design: str = ""

    # --- designs ----------------------------------------------------------------------------------------------------------

    @classmethod
    def maximum_entropy(
        cls,
        *,
        D: int,
        V: float,
        forbidden: Sequence[int] = (1, 2),
        monotone: bool = False,
        stay: float | None = None,
        symmetric: float | None = None,
    ) -> TransitionMatrix:
        """Return the matrix whose rows have most entropy.

        Parameters
        ----------
        D, V, forbidden
            As for the class.
        monotone
            Whether the right tail of every row falls.
        stay
            A fixed probability of staying, for the counts that may stay.
        symmetric
            The most by which the probabilities of -1 and +1 differ, where both are possible.

        Raises
        ------
        ParameterError
            When no such matrix exists; the message has the feasible interval of V for every row.

        Notes
        -----
        Where mean and variance are all that is asked, by Newton's method in two unknowns a row; else by a small convex
        programme, after linear programmes have told which entries must be 0. The variance is met to the last digits.

        Examples
        --------
        >>> TransitionMatrix.maximum_entropy(D=3, V=1)
        Traceback (most recent call last):
            ...
        tacita.core.errors.ParameterError: TransitionMatrix: V must be in [2, 3], got 1. Feasible V row by row: ...
        """
        not_shown = _checked(D, V, forbidden)
        rows = conditions_of_rows(D, not_shown, monotone=monotone, stay=stay, symmetric=symmetric)
        return cls(D, float(V), not_shown, entropy_rows(rows, D, float(V)), "maximum entropy")

    @classmethod
    def tuned(
        cls, *, D: int, V: Sequence[float] | FloatArray, forbidden: Sequence[int] = (1, 2)
    ) -> list[TransitionMatrix]:
        """Return a matrix with most entropy for each of many variances, all found at once.

        Examples
        --------
        >>> [matrix.V for matrix in TransitionMatrix.tuned(D=5, V=[2, 3])]
        [2.0, 3.0]
        """
        wanted = np.asarray(V, dtype=np.float64).ravel()
        not_shown = _checked(D, float(wanted.min(initial=np.inf)) if len(wanted) else 0.0, forbidden)
        rows = conditions_of_rows(D, not_shown)
        for one in (wanted.min(initial=np.inf), wanted.max(initial=-np.inf)) if len(wanted) else ():
            variance_errors(rows, float(one))
        made = entropy_family(D, wanted, not_shown)
        return [cls(D, float(one), not_shown, p, "maximum entropy") for one, p in zip(wanted, made, strict=True)]

    @classmethod
    def normal_tails(
        cls, *, D: int, V: float, centre: float = 0.7, forbidden: Sequence[int] = (1, 2)
    ) -> TransitionMatrix:
        """Return the matrix with a fixed centre and tails of a normal distribution (section 3.1).

        Parameters
        ----------
        D, V, forbidden
            As for the class.
        centre
            The probability of staying. Where V cannot be had with it, it is moved as little as possible: down until flat tails
            are wide enough, up until tails of one point each are narrow enough.

        Raises
        ------
        ParameterError
            When a row cannot have V by falling tails.

        Notes
        -----
        The paper fits the tails one after the other by hand; here both have the same standard deviation, which is found from
        V. For D = 3, and for the counts 5 and 6 of D = 4, this gives Table 1 of the paper to rounding.

        Examples
        --------
        >>> TransitionMatrix.normal_tails(D=3, V=2, centre=0.7).noise[6].round(3).tolist()
        [0.071, 0.071, 0.071, 0.571, 0.071, 0.071, 0.071]
        """
        not_shown = _checked(D, V, forbidden)
        if not 0 <= centre < 1:
            raise ParameterError(f"TransitionMatrix: 'centre' must be in [0, 1), got {centre:g}.")
        rows = conditions_of_rows(D, not_shown)
        return cls(D, float(V), not_shown, normal_rows(rows, D, float(V), centre), "normal tails")

    @classmethod
    def published(cls, name: str = "giessing-hoehne", *, D: int, V: float = 2.0) -> TransitionMatrix:
        """Return a matrix of the literature, moved as little as possible so that mean and variance are exact.

        Parameters
        ----------
        name
            ``giessing-hoehne``: Table 1 of the paper, printed with three digits.
        D
            3, 4 or 5.
        V
            The variance; the paper has a little more than 2.

        Raises
        ------
        ParameterError
            When there is no such matrix.

        Examples
        --------
        >>> TransitionMatrix.published(D=5).noise[8].round(3).tolist()
        [0.015, 0.016, 0.019, 0.032, 0.068, 0.7, 0.068, 0.032, 0.019, 0.016, 0.015]
        """
        if name not in PUBLISHED:
            raise ParameterError(
                f"TransitionMatrix: there is no published matrix '{name}'.{did_you_mean(name, list(PUBLISHED))}"
            )
        if D not in PUBLISHED[name]:
            known = ", ".join(map(str, PUBLISHED[name]))
            raise ParameterError(f"TransitionMatrix: '{name}' has D of {known}, got {D}.")
        try:
            found = published_rows(name, D, float(V))
        except ParameterError:
            raise ParameterError(
                f"TransitionMatrix: '{name}' cannot have V = {V:g}; it is made for V of 2, or a little more for D = 3."
            ) from None
        return cls(D, float(V), (1, 2), found, f"published: {name}")

    # --- reading and writing ------------------------------------------------------------------------------------------------

    def lookup(self) -> list[LookupRow]:
        """Return the form that other tools use: count i, result j, its probability, upper end of its interval in [0, 1].

        A number u of [0, 1) gives the first j whose upper end exceeds u.
        """
        return lookup_rows(self.noise)

    @classmethod
    def from_lookup(cls, rows: Sequence[LookupRow] | Sequence[tuple[Any, ...]]) -> TransitionMatrix:
        """Return the matrix of a look-up form: rows of i, j, p, and ends of intervals, which are made anew."""
        found = noise_of_lookup(rows)
        bound = found.shape[1] // 2
        values = np.arange(-bound, bound + 1)
        results = np.unique(np.add.outer(np.arange(len(found)), values)[found > 0])
        not_shown = tuple(sorted(set(range(1, int(results.max(initial=0)))) - set(results.tolist())))
        variance = float(found[-1] @ values**2 - (found[-1] @ values) ** 2)
        return cls(bound, variance, not_shown, found, "read")

    def write(self, path: str | Path) -> Path:
        """Write the look-up form as CSV: i, j, p, v, p_int_ub."""
        return write_lookup(self.lookup(), path)

    @classmethod
    def read(cls, path: str | Path) -> TransitionMatrix:
        """Read a look-up form, of ours or of another tool, from CSV with the columns i, j and p."""
        return cls.from_lookup(read_lookup(path))

    # --- looking ------------------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.noise)

    @property
    def rows(self) -> FloatArray:
        """(rows, rows + D): entry i, j is the probability that a count of i is published as j."""
        made = np.zeros((len(self.noise), len(self.noise) + self.D))
        for count, p in enumerate(self.noise):
            there = np.flatnonzero(p)
            made[count, there + count - self.D] = p[there]
        return made

    @cached_property
    def cumulative(self) -> FloatArray:
        """(rows, 2 D + 1): P(noise <= v), the last entry 1."""
        made = np.minimum(np.cumsum(self.noise, axis=1), 1.0)
        for row, p in enumerate(self.noise):
            made[row, np.flatnonzero(p)[-1] :] = 1.0
        return made

    @property
    def entropies(self) -> FloatArray:
        """(rows,): the entropy of each row, in nats."""
        return entropy(self.noise)

    @property
    def mean_deviations(self) -> FloatArray:
        """(rows,): the expected size of the noise of each count."""
        return np.asarray(self.noise @ np.abs(np.arange(-self.D, self.D + 1)))

    def draw(self, counts: IntArray, uniforms: FloatArray) -> IntArray:
        """Return the noise of counts for numbers in [0, 1): the first v with P(noise <= v) above the number."""
        return noise_from_table(self.cumulative, counts, uniforms)

    def check(self) -> MatrixCheck:
        """Hold the matrix against the conditions (1) to (8)."""
        v = np.arange(-self.D, self.D + 1)
        made, count = np.zeros((len(self.noise), 8)), np.arange(len(self.noise))
        results = count[:, None] + v
        made[:, 0] = np.abs(self.noise @ v)
        made[1:, 1] = np.abs(self.noise[1:] @ (v * v) - self.V)
        made[:, 2] = np.where(np.isin(results, self.forbidden), np.abs(self.noise), 0.0).sum(axis=1)
        made[:, 3] = np.abs(self.noise.sum(axis=1) - 1)
        made[:, 4] = np.where(results < 0, np.abs(self.noise), 0.0).sum(axis=1)
        made[0, 5] = abs(1 - self.noise[0, self.D])
        made[:, 6] = np.maximum(np.maximum(-self.noise, self.noise - 1), 0.0).max(axis=1)
        free = count >= first_free_row(self.D, self.forbidden)
        made[free, 7] = np.abs(self.noise - self.noise[:, ::-1]).max(axis=1)[free]
        return MatrixCheck(made)

    def feasible(self, *, monotone: bool = False) -> FloatArray:
        """Return (rows, rows + D, 2): the least and the most that each p_ij can be under (9), by linear programmes."""
        made = np.zeros((*self.rows.shape, 2))
        made[0, 0] = 1.0
        for row in conditions_of_rows(self.D, self.forbidden, monotone=monotone):
            found = row.intervals(self.V)
            if found is None:
                variance_errors([row], self.V)
                continue
            made[row.count, row.noise + row.count] = found
        return made

    @staticmethod
    def variances(
        *,
        D: int,
        forbidden: Sequence[int] = (1, 2),
        monotone: bool = False,
        stay: float | None = None,
        symmetric: float | None = None,
    ) -> dict[int, tuple[float, float] | None]:
        """Return the feasible interval of V for every count; None where no noise of mean 0 exists.

        Examples
        --------
        >>> TransitionMatrix.variances(D=3)[1]
        (2.0, 3.0)
        """
        not_shown = _checked(D, 1.0, forbidden)
        rows = conditions_of_rows(D, not_shown, monotone=monotone, stay=stay, symmetric=symmetric)
        return {row.count: row.variances() for row in rows}

    def picture(self) -> dict[str, list[float]]:
        """Return what a picture of the matrix needs, a line for each count and noise: plain columns."""
        count, place = np.nonzero(self.noise)
        return {
            "count": count.tolist(),
            "noise": (place - self.D).tolist(),
            "probability": self.noise[count, place].tolist(),
        }


def _checked(D: int, V: float, forbidden: Sequence[int]) -> tuple[int, ...]:
    """Return the forbidden results in order, once each."""
    if not 1 <= D <= 100:
        raise ParameterError(f"TransitionMatrix: 'D' must be from 1 to 100, got {D}.")
    if not (np.isfinite(V) and V >= 0):
        raise ParameterError(f"TransitionMatrix: 'V' must be a number from 0 up, got {V!r}.")
    made = tuple(sorted({int(j) for j in forbidden}))
    if made and (made[0] < 1 or made[-1] > 1000):
        raise ParameterError(f"TransitionMatrix: 'forbidden' must be results from 1 up, got {list(made)[:8]}.")
    return made
