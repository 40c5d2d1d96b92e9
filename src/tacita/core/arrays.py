"""The types of arrays that all rooms speak of, and the exact ones at the border of compiled code."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = [
    "ArrayForm",
    "Bool1",
    "Bool2",
    "BoolArray",
    "Byte2",
    "Float1",
    "Float2",
    "Float3",
    "FloatArray",
    "FrozenFloat1",
    "Int1",
    "Int2",
    "IntArray",
    "Place1",
    "Place2",
    "PlaceArray",
    "Single1",
    "Single3",
    "SingleArray",
    "Whole",
    "Word1",
    "WordArray",
]

Whole: TypeAlias = "int | np.integer[Any]"
"""A whole number, as Python has it or as an element of an array is one."""

FloatArray: TypeAlias = npt.NDArray[np.float64]
"""Values, weights, distances."""

SingleArray: TypeAlias = npt.NDArray[np.float32]
"""Values where half the memory matters more than the last digits."""

IntArray: TypeAlias = npt.NDArray[np.int64]
"""Counts, codes, row numbers."""

BoolArray: TypeAlias = npt.NDArray[np.bool_]
"""Whether something holds, for each record or cell."""

PlaceArray: TypeAlias = npt.NDArray[np.int32]
"""Row numbers where half the memory matters: trees and lists of neighbours."""

WordArray: TypeAlias = npt.NDArray[np.uint64]
"""Words of bits: states of random generators, sets packed into bits."""


class ArrayForm(NamedTuple):
    """What machine code must know of an array, which is in C order always.

    Parameters
    ----------
    dtype
        Kind of its numbers.
    ndim
        Number of dimensions.
    frozen
        Whether the kernel only reads it, which the compiler makes sure of; then read-only arrays are welcome.
    """

    dtype: str
    ndim: int
    frozen: bool = False

    def __str__(self) -> str:
        return f"{self.dtype} in {self.ndim} dimension{'s' if self.ndim > 1 else ''}"


Float1: TypeAlias = Annotated[FloatArray, ArrayForm("float64", 1)]
Float2: TypeAlias = Annotated[FloatArray, ArrayForm("float64", 2)]
Float3: TypeAlias = Annotated[FloatArray, ArrayForm("float64", 3)]
FrozenFloat1: TypeAlias = Annotated[FloatArray, ArrayForm("float64", 1, frozen=True)]
Single1: TypeAlias = Annotated[SingleArray, ArrayForm("float32", 1)]
Single3: TypeAlias = Annotated[SingleArray, ArrayForm("float32", 3)]
Int1: TypeAlias = Annotated[IntArray, ArrayForm("int64", 1)]
Int2: TypeAlias = Annotated[IntArray, ArrayForm("int64", 2)]
Place1: TypeAlias = Annotated[PlaceArray, ArrayForm("int32", 1)]
Place2: TypeAlias = Annotated[PlaceArray, ArrayForm("int32", 2)]
Bool1: TypeAlias = Annotated[BoolArray, ArrayForm("bool", 1)]
Bool2: TypeAlias = Annotated[BoolArray, ArrayForm("bool", 2)]
Byte2: TypeAlias = Annotated[npt.NDArray[np.uint8], ArrayForm("uint8", 2)]
Word1: TypeAlias = Annotated[WordArray, ArrayForm("uint64", 1)]
