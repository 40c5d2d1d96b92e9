"""Entropy: how uncertain the original category is once the masked one is seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import ColumnError, MeasureError, ParameterError
from tacita.core.parameters import Columns
from tacita.core.selectors import Selector
from tacita.core.traits import MeasureTraits
from tacita.data.measure import Measured
from tacita.data.pairing import Pair, pair_records
from tacita.data.side_by_side.categories import SharedCodes, paired_codes, shared_codes
from tacita.loss.base import Loss

__all__ = ["Entropy", "entropy_by_bayes", "entropy_of", "entropy_of_pairs"]


_DENSE = 2**22
"""Pairs of categories up to this number are counted in a table; of more, only those that occur."""


def entropy_of(frequencies: FloatArray) -> float:
    """Return Shannon's entropy in bits of frequencies that need not sum to 1.

    Examples
    --------
    >>> import numpy as np
    >>> entropy_of(np.array([10.0, 10.0, 0.0]))
    1.0
    """
    there = frequencies[frequencies > 0]
    share = there / there.sum()
    return float((share * np.log2(1 / share)).sum())


def entropy_of_pairs(x: IntArray, y: IntArray, size: int) -> FloatArray:
    """Return H(V | V' = y) in bits for each masked category, estimated from paired records. O(n log n) at most.

    The share of the pairs (x, y) among the records with masked category y is the posterior that Bayes' rule gives from
    the estimated transition matrix; categories that no record has get 0.
    """
    if size * size <= _DENSE:
        table = np.bincount(y * size + x)
        pairs = np.flatnonzero(table)
        counts = table[pairs]
    else:
        pairs, counts = np.unique(y * size + x, return_counts=True)
    masked = pairs // max(size, 1)
    share = counts / np.bincount(y, minlength=size)[masked]
    return np.asarray(np.bincount(masked, weights=share * np.log2(1 / share), minlength=size), dtype=np.float64)


def entropy_by_bayes(prior: FloatArray, transitions: FloatArray) -> FloatArray:
    """Return H(V | V' = y) in bits for each masked category y.

    ``P(V = x | V' = y) = P(x) p_xy / sum_z P(z) p_zy``, with ``transitions[x, y]`` = p_xy. A category that the matrix cannot
    produce says nothing: it gets the entropy of the prior. O(c^2).

    Examples
    --------
    >>> import numpy as np
    >>> entropy_by_bayes(np.array([0.5, 0.5]), np.array([[1.0, 0.0], [0.5, 0.5]])).round(4).tolist()
    [0.9183, 0.0]
    """
    joint = prior[:, None] * transitions
    reached = joint.sum(axis=0) > 0
    unknown = entropy_of(prior)
    return np.array([entropy_of(joint[:, y]) if reached[y] else unknown for y in range(joint.shape[1])])


@dataclass(frozen=True, kw_only=True)
class Entropy(Loss):
    """Uncertainty about the original category that remains when the masked one is known.

    A user who sees the masked category v' knows the original one by Bayes' rule up to the distribution
    ``P(V = v | V' = v') = P(v) p_vv' / sum_w P(w) p_wv'``, where p is the matrix of transition probabilities. The raw loss is
    the sum over records of the entropy H(V | V' = v') of that distribution, in bits. The value is this sum in percent
    of the entropy H(V) of the original column, which is lost when the column is not released at all; the mean over
    columns.

    Parameters
    ----------
    columns
        The columns to compare; by default all nominal and ordinal columns that describe the respondent.
    transitions
        For some columns the matrix that they were masked with (PRAM), as (name, matrix) pairs: row v, column v' is the
        probability that category v becomes v'. Rows and columns are the categories of the original in their declared
        order, otherwise sorted. For the other columns the matrix is estimated from the paired records.

    Returns
    -------
    Measured
        Percent, cut at 100; for each record the mean over columns of H(V | V' = v') / H(V) as a share; for each column its
        percentage, and under ``column.bits`` the raw sum.

    Raises
    ------
    ParameterError
        When a matrix is not square, has negative entries, or rows that do not sum to 1.
    ColumnError
        When ``transitions`` names a column that is not compared.
    MeasureError
        When a matrix has another number of categories than the column.

    Complexity
    ----------
    O(d n log n) time, O(n d) memory; O(c^2) for a given matrix of c categories.

    Notes
    -----
    With an estimated matrix the posterior is the share of originals among the records with that masked category; P(v)
    are the shares in the original file. For categories with few records the estimate is too low: a masked category that
    occurs once seems to give its original away. Give the matrix where it is known.

    Missing is a category of its own; a given matrix leaves it as it is. A masked category that a given matrix cannot
    produce says nothing about the original: it counts H(V). With a given matrix single categories can be more uncertain
    than the column as a whole, therefore the value is cut at 100. A constant column has nothing to lose: 0. For some of
    the records the distribution is that of all records.

    References
    ----------
    Domingo-Ferrer, J. and Torra, V. (2001), Disclosure control methods and information loss for microdata, section
    "Entropy-based measures"; Willenborg, L. and de Waal, T. (2001), Elements of statistical disclosure control.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> pram = [("sex", [[0.9, 0.1], [0.1, 0.9]])]
    >>> round(Entropy(columns=["sex"], transitions=pram)(data, data).value)
    47
    """

    name = "entropy"
    title = "Entropy left about categories"
    part_units = (("*.bits", "bits"),)
    traits = MeasureTraits(scales={"nominal", "ordinal"}, paired=True, per_record=True, unit="%", upper=100.0)
    columns: Columns = Selector("categorical columns")
    transitions: tuple[tuple[str, tuple[tuple[float, ...], ...]], ...] = ()

    def check(self) -> None:
        """Check that every matrix is one of probabilities."""
        for name, rows in self.transitions:
            wrong = (
                "a square matrix"
                if any(len(row) != len(rows) for row in rows) or not rows
                else "a matrix of probabilities"
                if any(entry < 0 for row in rows for entry in row)
                else "a matrix with rows that sum to 1"
                if any(abs(sum(row) - 1) > 1e-6 for row in rows)
                else ""
            )
            if wrong:
                raise ParameterError(f"Entropy: 'transitions' of column '{name}' must be {wrong}.")

    def measure(self, pair: Pair, names: tuple[str, ...]) -> Measured:
        """Return the mean over columns of the share of the entropy that is lost."""
        given = {name: np.array(rows) for name, rows in self.transitions}
        for name in given:
            if name not in names:
                raise ColumnError(f"Entropy: 'transitions' has a matrix for '{name}', which is not among the columns.")
        whole = pair_records(pair.original, pair.masked, pair.how) if pair.is_part else pair
        total = np.zeros(len(pair.rows))
        parts: dict[str, float] = {}
        for name in names:
            codes = shared_codes(pair, name) if name in given else paired_codes(whole, name)
            prior = np.bincount(codes.original, minlength=codes.size).astype(np.float64)
            if name in given:
                uncertain = entropy_by_bayes(prior, _widened(given[name], codes, name))
            else:
                uncertain = entropy_of_pairs(codes.original, codes.masked, codes.size)
            measured = codes.masked if whole is pair and name not in given else paired_codes(pair, name).masked
            bits = uncertain[measured]
            entropy = entropy_of(prior)
            share = bits / entropy if entropy > 0 else np.zeros(len(bits))
            total += share
            parts[name] = 100 * float(share.mean())
            parts[f"{name}.bits"] = float(bits.sum())
        records = total / len(names)
        return Measured(min(100 * float(records.mean()), 100.0), per_record=records, parts=parts)


def _widened(matrix: FloatArray, codes: SharedCodes, name: str) -> FloatArray:
    """Return the matrix over all categories of both files: new ones are never produced, missing stays missing."""
    if len(matrix) != codes.known:
        raise MeasureError(
            f"Entropy: 'transitions' of column '{name}' must have {codes.known} rows, one for each category of the "
            f"original, got {len(matrix)}."
        )
    wide = np.zeros((codes.size, codes.size))
    wide[: codes.known, : codes.known] = matrix
    if codes.size > codes.named:
        wide[-1, -1] = 1.0
    return wide
