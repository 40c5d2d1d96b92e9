"""Apparent disclosures: how often a difference of two tables looks like one record, and how often that is the right one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import ParameterError
from tacita.numeric.dropping.agreement import agreement, moved_agreement
from tacita.numeric.dropping.probability import checked_k, checked_proportions

__all__ = ["ApparentDisclosure", "apparent_disclosure", "apparent_from_counts", "checked_cell", "smaller_universe"]


@dataclass(frozen=True, kw_only=True)
class ApparentDisclosure:
    """How often a difference has a single 1 and zeros elsewhere, split by whether the 1 stands in the right cell.

    Parameters
    ----------
    correct
        Probability that it does, and in the cell of the record.
    wrong
        Probability that it does, and in another cell.
    """

    correct: float
    wrong: float

    @property
    def apparent(self) -> float:
        """Probability that the difference looks like a disclosure."""
        return self.correct + self.wrong

    @property
    def confidence(self) -> float:
        """Probability that what looks like a disclosure is the correct one; not a number where nothing ever looks like one."""
        return self.correct / self.apparent if self.apparent > 0 else float("nan")


def apparent_disclosure(
    proportions: npt.ArrayLike, k: int, *, target: int | None = None, seen: int | None = None, smallest: int = 2
) -> ApparentDisclosure:
    """Return how likely a difference looks like a disclosure, and how likely that is a correct one.

    The record between U(n) and U(n - 1) lies in cell c; the cells lose X and Y. The attacker sees e_c + Y - X, and takes it for a
    disclosure when it is e_j for a cell j, right when j = c. Its total is 1 + q2 - q1, so q1 = q2 = q, and for j != c

        X_c = Y_c + 1,  X_j = Y_j - 1,  X_l = Y_l elsewhere.

    With F_l(t) = sum_x (Pi_l^2 t)^x / (x!)^2 as in (5) and H_l(t) = Pi_l sum_x (Pi_l^2 t)^x / (x! (x + 1)!),

        P(correct | q)     = (q!)^2 [t^q] prod_l F_l(t),
        P(seen in j | q)   = (q!)^2 [t^(q-1)] H_c(t) H_j(t) prod_{l != c, j} F_l(t),

    and both are averaged as in (5): (1 / (k - 1))^2 times the sum over q = 2, ..., k. For a record that is itself a random
    one, c is averaged over Pi.

    Parameters
    ----------
    proportions
        Pi: the part of the records in each cell, in any shape; they sum to 1.
    k
        Most records that a universe loses.
    target
        Number of the record's cell, counted along the flattened table; None: the record is a random one.
    seen
        Number of the cell in which the attacker sees the 1; None: any. With ``target`` None and ``seen`` given,
        ``confidence`` is what an attacker who knows Pi may believe after he saw it.
    smallest
        Fewest records that a universe loses.

    Returns
    -------
    ApparentDisclosure
        Probabilities of correct and of wrong ones.

    Raises
    ------
    ParameterError
        When proportions, k or a cell are out of range.

    Complexity
    ----------
    O(J k^2) time, O(J k) memory, also for the average over all cells.

    Notes
    -----
    The paper leaves this for the future. It is exact where X and Y are multinomial, which is the model of (5). The insider
    of section 3.1.2 differences U(n) and U(n - 2) and takes himself, in cell g, away: e_c + e_g + Y - X - e_g is the same
    difference, so for n large his probabilities are the same; :func:`apparent_from_counts` has what a finite n changes.

    What it says about the rule. A record in a rare cell is the worst case: a wrong disclosure needs a drop from just that
    cell, so nearly every apparent one is right, and nothing protects but that it seldom happens. The attacker does not know
    the cell, though, and sees others by mistake: with many cells of equal size one apparent disclosure in three is right.

    References
    ----------
    Lucero, J. et al. (2011), The Microdata Analysis System at the U.S. Census Bureau, SORT special issue,
    sections 3.1.2, 4 and 6.

    Examples
    --------
    >>> found = apparent_disclosure([0.5, 0.5], 2, target=0)
    >>> found.correct, found.wrong, found.confidence
    (0.375, 0.25, 0.6)
    """
    owner = "apparent_disclosure"
    cells = checked_proportions(proportions, owner)
    checked_k(k, smallest, owner)
    wanted = cells if target is None else _unit(len(cells), checked_cell(target, len(cells), "target", owner))
    return _apparent(cells, cells, k, wanted, _seen(seen, len(cells), owner), smallest)


def apparent_from_counts(
    counts: npt.ArrayLike,
    k: int,
    *,
    target: int,
    own: int | None = None,
    seen: int | None = None,
    smallest: int = 2,
) -> ApparentDisclosure:
    """Return the same for given tables of U(n) and of U(n - 1) or, for an insider, U(n - 2).

    X is drawn with the proportions of U(n), Y with those of the smaller universe, which lacks the record and, where the
    attacker is in U(n) too, himself.

    Parameters
    ----------
    counts
        Table of U(n), in any shape.
    k
        Most records that a universe loses.
    target
        Number of the record's cell, counted along the flattened table.
    own
        Number of the insider's own cell; None: the attacker is no member.
    seen
        Number of the cell in which the attacker sees the 1; None: any.
    smallest
        Fewest records that a universe loses.

    Returns
    -------
    ApparentDisclosure
        Probabilities of correct and of wrong ones.

    Raises
    ------
    ParameterError
        When counts, k or a cell are out of range.

    Complexity
    ----------
    O(J k^2) time, O(J k) memory.

    References
    ----------
    Lucero, J. et al. (2011), The Microdata Analysis System at the U.S. Census Bureau, SORT special issue, section 3.1.2.

    Examples
    --------
    >>> plain = apparent_from_counts([430, 38, 462, 48], 5, target=1)
    >>> insider = apparent_from_counts([430, 38, 462, 48], 5, target=1, own=1)
    >>> round(plain.correct, 3), round(insider.correct, 3)
    (0.044, 0.045)
    """
    owner = "apparent_from_counts"
    checked_k(k, smallest, owner)
    larger, smaller = smaller_universe(counts, target, own, owner)
    return _apparent(
        larger / larger.sum(),
        smaller / smaller.sum(),
        k,
        _unit(len(larger), target),
        _seen(seen, len(larger), owner),
        smallest,
    )


def smaller_universe(counts: npt.ArrayLike, target: int, own: int | None, owner: str) -> tuple[IntArray, IntArray]:
    """Return the tables of U(n) and of what is left without the record and without the insider, each as one row."""
    larger = np.asarray(counts).ravel()
    if not len(larger) or larger.dtype.kind not in "iu" or larger.min() < 0:
        raise ParameterError(f"{owner}: 'counts' must be whole numbers, none negative; give the table of the universe.")
    larger = larger.astype(np.int64)
    smaller = larger.copy()
    smaller[checked_cell(target, len(larger), "target", owner)] -= 1
    if own is not None:
        smaller[checked_cell(own, len(larger), "own", owner)] -= 1
    if smaller.min() < 0 or not smaller.any():
        raise ParameterError(
            f"{owner}: 'counts' must contain the record, the insider and others; choose cells that are not empty."
        )
    return larger, smaller


def checked_cell(cell: int, cells: int, name: str, owner: str) -> int:
    """Return a cell's number, or say what it must be."""
    if not 0 <= cell < cells:
        raise ParameterError(f"{owner}: '{name}' must be the number of a cell, in [0, {cells - 1}], got {cell}.")
    return cell


def _seen(seen: int | None, cells: int, owner: str) -> FloatArray:
    return np.ones(cells) if seen is None else _unit(cells, checked_cell(seen, cells, "seen", owner))


def _unit(cells: int, cell: int) -> FloatArray:
    row = np.zeros(cells)
    row[cell] = 1.0
    return row


def _apparent(
    first: FloatArray, second: FloatArray, k: int, target: FloatArray, seen: FloatArray, smallest: int
) -> ApparentDisclosure:
    """Average over q; the record has cell c with weight target_c and counts where it is seen in cell j with weight seen_j."""
    both = (k - smallest + 1) ** 2
    correct = float(agreement(first, second, k)[smallest:].sum()) / both
    wrong = float(moved_agreement(first, second, target, seen, k)[smallest:].sum()) / both
    return ApparentDisclosure(correct=float(target @ seen) * correct, wrong=wrong)
