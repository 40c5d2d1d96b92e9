"""Constant: one value for everybody, the most frequent one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.numeric.synthesis.variables import ModelVariable

__all__ = ["ConstantModel"]


@dataclass(frozen=True)
class _FittedConstant:
    value: float

    def draw(self, x: Sequence[ModelVariable], n: int, rng: np.random.Generator) -> FloatArray:
        return np.full(n, self.value)


@dataclass(frozen=True)
class ConstantModel:
    """Give everybody the value that most records have, the smallest of several such.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> ConstantModel().fit(ModelVariable(np.array([3.0, 7.0, 7.0])), (), rng).draw((), 2, rng).tolist()
    [7.0, 7.0]
    """

    uses_bins: ClassVar[bool] = False

    def fit(
        self,
        y: ModelVariable,
        x: Sequence[ModelVariable],
        rng: np.random.Generator,
        *,
        weights: FloatArray | None = None,
    ) -> _FittedConstant:
        """Find the value. O(n log n)."""
        values, place = np.unique(y.values, return_inverse=True)
        return _FittedConstant(float(values[np.argmax(np.bincount(place.ravel(), weights))]))
