"""What a policy may do to the counts of a table: one question, asked in the same way of every kind of protection."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import ParameterError
from tacita.core.keyed import Key
from tacita.core.parameterised import Parameterised

__all__ = ["CellNoise", "Plain", "means_of"]


@dataclass(frozen=True, kw_only=True)
class CellNoise(Parameterised, ABC):
    """A protection of counts: from the true counts and the sets behind them to what is shown."""

    name: ClassVar[str] = ""
    """What a policy file calls it."""

    @abstractmethod
    def protect(self, counts: IntArray, sums: IntArray, *, key: Key, statistic: str = "count") -> IntArray:
        """Return the counts that are shown.

        Parameters
        ----------
        counts
            (m,): members of each cell.
        sums
            (m, 2): exact sums of the members' record keys.
        key
            The secret key of the noise of this data version.
        statistic
            What is counted; another statistic of the same cells gets other noise.
        """


@dataclass(frozen=True, kw_only=True)
class Plain(CellNoise):
    """Counts are shown as they are: for universes from which records were dropped before, and for use inside the house.

    Protects against nothing.

    Examples
    --------
    >>> Plain().protect(np.array([4]), np.array([[1, 2]]), key=Key(b"0123456789abcdef")).tolist()
    [4]
    """

    name: ClassVar[str] = "plain"

    def protect(self, counts: IntArray, sums: IntArray, *, key: Key, statistic: str = "count") -> IntArray:
        del sums, key, statistic  # which all protections get
        return counts.astype(np.int64)


def means_of(totals: FloatArray, counts: IntArray) -> FloatArray:
    """Return means as protected totals over protected counts; missing where the protected count is not positive.

    Means are never made from the true total and count: an exact mean of whole numbers beside a perturbed count tells which
    true counts are possible, most often one.

    Parameters
    ----------
    totals, counts
        (m,): both as they are shown.

    Examples
    --------
    >>> means_of(np.array([10.0, 3.0]), np.array([4, 0])).tolist()
    [2.5, nan]
    """
    if totals.shape != counts.shape:
        raise ParameterError(f"means_of: there must be a count for each total, got {counts.shape} and {totals.shape}.")
    return np.asarray(np.divide(totals, counts, out=np.full(totals.shape, np.nan), where=counts > 0))
