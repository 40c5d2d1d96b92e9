"""Rounding of counts to multiples of a base: to the nearest one, or at random with the right mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.constraints import Interval
from tacita.core.keyed import Key
from tacita.query.noise.cell_noise import CellNoise
from tacita.query.noise.set_numbers import set_uniforms

__all__ = ["RoundTo"]


@dataclass(frozen=True, kw_only=True)
class RoundTo(CellNoise):
    """Show each count as a multiple of the base.

    With ``way = "random"`` a count n = q b + r goes up to (q + 1) b with chance r / b and down to q b otherwise, so its mean
    is n; the draw is keyed by the cell's members, the same in every table. With ``way = "nearest"`` it goes to the nearest
    multiple, the half up.

    Protects against reading small counts. Does not protect against differences, nor, when random, against averaging over splits
    of a set; when to the nearest, sums of intervals can still close around a count.

    Parameters
    ----------
    base
        b, at least 2.
    way
        ``random`` or ``nearest``.

    Notes
    -----
    Multiples of the base stay as they are, zero among them. Rounding to the nearest is biased where small counts prevail:
    with base 3 all ones vanish. Complexity: O(m) for m cells.

    Examples
    --------
    >>> sums = np.zeros((4, 2), dtype=np.int64)
    >>> RoundTo(base=5, way="nearest").protect(np.array([0, 2, 3, 10]), sums, key=Key(b"0123456789abcdef")).tolist()
    [0, 0, 5, 10]
    """

    name: ClassVar[str] = "round"
    base: Annotated[int, Interval(2)] = 3
    way: Literal["random", "nearest"] = "random"

    def protect(self, counts: IntArray, sums: IntArray, *, key: Key, statistic: str = "count") -> IntArray:
        rest = counts % self.base
        if self.way == "nearest":
            up = 2 * rest >= self.base
        else:
            up = set_uniforms(key, sums, counts, "round", str(self.base), statistic) * self.base < rest
        return counts - rest + np.where(up, self.base, 0)
