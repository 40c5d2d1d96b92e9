"""The probability that differencing two universes discloses the one record between them, and its bounds."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import FloatArray
from tacita.core.errors import ParameterError
from tacita.numeric.dropping.agreement import MOST_DRAWS, agreement, uniform_agreement

__all__ = ["checked_k", "checked_proportions", "disclosure_probability", "probability_bounds"]

MOST_CELLS = 2**40


def disclosure_probability(proportions: npt.ArrayLike, k: int, *, smallest: int = 2) -> float:
    """Return the probability that the difference of two tables shows the one record by which their universes differ.

    U(n) loses q1 records and U(n - 1) loses q2, both uniform on {2, ..., k}. With X and Y the numbers that the cells lose, both
    multinomial for n large, the disclosure is correct if and only if X = Y:

        xi = (1 / (k - 1))^2 sum_{q = 2}^k P(X = Y | q1 = q2 = q),                                          (5)
        P(X = Y | q) = (q!)^2 times the coefficient of t^q in prod_j sum_x (Pi_j^2 t)^x / (x!)^2.

    Parameters
    ----------
    proportions
        Pi: the part of the records in each of the J cells, in any shape; they sum to 1.
    k
        Most records that a universe loses.
    smallest
        Fewest records that it loses; 1 with k = 1 is the Drop 1 rule, 2 with k = 2 the Drop 2 rule.

    Returns
    -------
    float
        The probability of a correct disclosure.

    Raises
    ------
    ParameterError
        When the proportions are no probabilities, or k is out of range.

    Complexity
    ----------
    O(J k^2) time, O(J k) memory.

    Notes
    -----
    The sum of (5) has C(J + k, J) - (J + 1) summands; the product of series has J factors. Its terms are all positive and
    between 0 and 1 here (see ``agreement.py``), so nothing overflows or cancels, for any J and any k up to 1000.

    References
    ----------
    Lucero, J. et al. (2011), The Microdata Analysis System at the U.S. Census Bureau, SORT special issue, (5).

    Examples
    --------
    >>> round(disclosure_probability([0.25, 0.25, 0.25, 0.25], 3), 6)
    0.042969
    >>> disclosure_probability([1.0], 5)  # one cell: the drops cancel whenever they are equally many
    0.25
    """
    cells = checked_proportions(proportions, "disclosure_probability")
    checked_k(k, smallest, "disclosure_probability")
    return _mean(agreement(cells, cells, k), k, smallest)


def probability_bounds(cells: int, k: int, *, smallest: int = 2) -> tuple[float, float]:
    """Return the least and the largest probability of disclosure that any table with so many cells can have.

    (5) is Schur-convex in the proportions: least where all cells have the same, largest where one has all.

        xi(1/J, ..., 1/J) <= xi(Pi_1, ..., Pi_J) <= 1 / (k - 1).                                            (6)

    Parameters
    ----------
    cells
        J: number of cells.
    k
        Most records that a universe loses.
    smallest
        Fewest records that it loses.

    Returns
    -------
    tuple
        Lower and upper bound.

    Raises
    ------
    ParameterError
        When ``cells`` or k is out of range.

    Complexity
    ----------
    O(k^2 log J).

    References
    ----------
    Lucero, J. et al. (2011), The Microdata Analysis System at the U.S. Census Bureau, SORT special issue, (6).

    Examples
    --------
    >>> [round(bound, 6) for bound in probability_bounds(4, 3)]
    [0.042969, 0.5]
    """
    if not 1 <= cells <= MOST_CELLS:
        raise ParameterError(f"probability_bounds: 'cells' must be in [1, 2**40], got {cells}.")
    checked_k(k, smallest, "probability_bounds")
    return _mean(uniform_agreement(cells, k), k, smallest), 1.0 / (k - smallest + 1)


def checked_proportions(proportions: npt.ArrayLike, owner: str) -> FloatArray:
    """Return proportions as one row that sums to 1, or say what they must be."""
    try:
        cells = np.asarray(proportions, dtype=np.float64).ravel()
    except (TypeError, ValueError) as error:
        raise ParameterError(f"{owner}: 'proportions' must be numbers that sum to 1.") from error
    if not len(cells) or not np.isfinite(cells).all() or cells.min() < 0 or abs(cells.sum() - 1.0) > 1e-6:
        raise ParameterError(
            f"{owner}: 'proportions' must be finite, not negative and sum to 1; divide counts by their total."
        )
    return np.asarray(cells / cells.sum(), dtype=np.float64)


def checked_k(k: int, smallest: int, owner: str) -> None:
    """Refuse numbers of drops that make no range."""
    if not 1 <= smallest <= k <= MOST_DRAWS:
        raise ParameterError(
            f"{owner}: 'k' must be in [{max(smallest, 1)}, {MOST_DRAWS}] and 'smallest' at least 1, "
            f"got k={k} and smallest={smallest}."
        )


def _mean(agreements: FloatArray, k: int, smallest: int) -> float:
    """Return (5) from P(X = Y | q): both universes must have drawn the same q."""
    return float(agreements[smallest:].sum()) / (k - smallest + 1) ** 2
