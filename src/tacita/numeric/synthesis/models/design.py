"""Design: given columns as the numbers of a regression, with an intercept; classes as columns of 0 and 1."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.numeric.synthesis.variables import ModelVariable

__all__ = ["RegressionDesign"]

MOST_CLASSES = 60
"""Classes of a given column that are told apart in a regression: the most frequent ones."""

_BLOCK = 2**15
"""Records that are worked on at a time."""


@dataclass(frozen=True)
class RegressionDesign:
    """How given columns become the columns of a regression: numbers less their mean, in standard deviations.

    Parameters
    ----------
    middle, spread
        For each given column its mean and standard deviation; 0 and 1 for classes.
    kept
        For each given column the classes that have a column of their own; None for a number.
    """

    middle: FloatArray
    spread: FloatArray
    kept: tuple[IntArray | None, ...]

    @classmethod
    def of(cls, x: Sequence[ModelVariable]) -> RegressionDesign:
        """Learn the scales and classes of some columns. O(n d)."""
        middle, spread = np.zeros(len(x)), np.ones(len(x))
        kept: list[IntArray | None] = []
        for j, variable in enumerate(x):
            if variable.is_number:
                middle[j], spread[j] = variable.values.mean(), variable.values.std() or 1.0
                kept.append(None)
                continue
            counts = np.bincount(variable.values.astype(np.int64), minlength=variable.classes)
            often = np.argsort(-counts, kind="stable")[: MOST_CLASSES + 1]
            kept.append(often[counts[often] > 0][1:])  # the most frequent class is in the intercept
        return cls(middle, spread, tuple(kept))

    @property
    def width(self) -> int:
        """Number of columns, with the intercept."""
        return 1 + sum(1 if classes is None else len(classes) for classes in self.kept)

    def blocks(self, x: Sequence[ModelVariable], n: int) -> Iterator[tuple[slice, FloatArray]]:
        """Give the design of some records at a time."""
        for start in range(0, n, _BLOCK):
            rows = slice(start, min(start + _BLOCK, n))
            made = np.ones((rows.stop - rows.start, self.width))
            at = 1
            for j, classes in enumerate(self.kept):
                values = x[j].values[rows]
                if classes is None:
                    made[:, at] = (values - self.middle[j]) / self.spread[j]
                    at += 1
                else:
                    made[:, at : at + len(classes)] = values[:, None] == classes
                    at += len(classes)
            yield rows, made

    def times(self, x: Sequence[ModelVariable], n: int, coefficients: FloatArray) -> FloatArray:
        """Return the design times some coefficients, (q,) or (q, k), block by block."""
        made = np.empty((n, *coefficients.shape[1:]))
        for rows, block in self.blocks(x, n):
            made[rows] = block @ coefficients
        return made
