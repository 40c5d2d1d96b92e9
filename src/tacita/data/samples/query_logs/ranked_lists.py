"""RankedLists of unequal length in one array, to draw from the list of each record at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import FloatArray
from tacita.data.query_log.query_log import Codes

__all__ = ["RankedLists", "draw_between"]


def draw_between(
    rng: np.random.Generator, upper: FloatArray, start: npt.NDArray[np.integer], stop: npt.NDArray[np.integer]
) -> npt.NDArray[np.int64]:
    """Draw a place from ``start`` up to before ``stop`` for each record; -1 where nothing between them has a weight.

    Parameters
    ----------
    rng
        Where the numbers come from.
    upper
        0, and the sum of the weights up to each place.
    start, stop
        Between which places each record draws.

    Examples
    --------
    >>> upper = np.array([0.0, 0.0, 3.0, 3.0])
    >>> draw_between(np.random.default_rng(1), upper, np.array([0, 2]), np.array([3, 3])).tolist()
    [1, -1]
    """
    low, high = upper[start], upper[stop]
    found = np.searchsorted(upper, low + rng.random(len(low)) * (high - low), side="right") - 1
    return np.where(high > low, np.clip(found, start, np.maximum(stop - 1, start)), -1)


@dataclass(frozen=True, eq=False, repr=False)
class RankedLists:
    """RankedLists of numbers, each with the most frequent first.

    Parameters
    ----------
    values
        The lists one after the other.
    starts
        Where each list starts, and where the last one ends.
    upper
        0, and the sum of the weights up to each value.
    """

    values: Codes
    starts: npt.NDArray[np.int64]
    upper: FloatArray

    @classmethod
    def of(cls, lists: Iterable[Sequence[int]], power: float) -> RankedLists:
        """Make lists whose values are drawn in proportion to 1 / rank^power (Zipf's law)."""
        rows = list(lists)
        sizes = np.array([len(row) for row in rows], np.int64)
        weights = np.concatenate([np.arange(1, size + 1, dtype=float) ** -power for size in sizes] or [np.zeros(0)])
        return cls(
            values=np.array([value for row in rows for value in row], np.int32),
            starts=np.concatenate([[0], np.cumsum(sizes)]),
            upper=np.concatenate([[0.0], np.cumsum(weights)]),
        )

    def draw(self, rng: np.random.Generator, rows: npt.NDArray[np.integer]) -> Codes:
        """Draw a value from a list for each record; -1 from an empty one."""
        places = draw_between(rng, self.upper, self.starts[rows], self.starts[rows + 1])
        return np.append(self.values, np.int32(-1))[places]  # -1 finds what stands behind the last value
