"""The types of arrays that all rooms speak of."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["BoolArray", "FloatArray", "IntArray", "PlaceArray", "Whole", "WordArray"]

Whole: TypeAlias = "int | np.integer[Any]"
"""A whole number, as Python has it or as an element of an array is one."""

FloatArray: TypeAlias = npt.NDArray[np.float64]
"""Values, weights, distances."""

IntArray: TypeAlias = npt.NDArray[np.int64]
"""Counts, codes, row numbers."""

BoolArray: TypeAlias = npt.NDArray[np.bool_]
"""Whether something holds, for each record or cell."""

PlaceArray: TypeAlias = npt.NDArray[np.int32]
"""Row numbers where half the memory matters: trees and lists of neighbours."""

WordArray: TypeAlias = npt.NDArray[np.uint64]
"""Words of bits: states of random generators, sets packed into bits."""
