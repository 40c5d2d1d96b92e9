"""Several numbers that move through a compiled kernel together: eight float64 or sixteen float32 values.

The deletion tree (:mod:`tacita.numeric.nearest.deletion_tree`) keeps records and boxes in blocks of eight, so that one
instruction serves eight of them.  LLVM does not find that by itself: the loops are eight long, their arrays may
alias, and the checks it adds cost more than the work (measured: 29 ns for the distances of eight records in 13
columns, 17 ns with the lanes below; 15 and 7 ns in 5 columns).  Here the
operations stand as Python runs them, on short arrays; ``tools/kernels/lanes.py`` compiles them to LLVM's own ``<8 x double>`` or
``<16 x float>``, which LLVM maps to whatever the processor has (AVX2, NEON, plain scalars).

Every operation but one is an IEEE operation per lane, without fused multiply-add and without reordering, so each
lane holds exactly what the same scalar expression would give: nothing that is computed here depends on the processor.
The exception is ``plus_product``, for bounds that allow for rounding.

========================  ===========================================================================
``load(a, i)``            lanes from neighbours in the C-contiguous array ``a``, from flat index i
``store(a, i, v)``        the reverse
``broadcast(x)``          the scalar x in all lanes, eight or sixteen by its type
``v + w, v - w, v*w``     lane by lane
``plus_product(t, v, w)`` t + v * w, with one rounding or with two, whichever the processor does faster
``larger(v, w)``          v where v > w, else w; a NaN in w therefore stays NaN, and one in v is lost
``smaller(v, w)``         the same for v < w
``largest(v)``            the largest of the lanes, none of which may be NaN
``smallest(v)``           the smallest of them
``at_most(v, x)``         bit c of the integer is set where lane c <= x; never for a NaN
``at_least(v, x)``        the same for lane c >= x
``lowest_bit(m)``         position of the lowest set bit of m > 0
========================  ===========================================================================
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = [
    "WIDE",
    "WIDTH",
    "at_least",
    "at_most",
    "broadcast",
    "larger",
    "largest",
    "load",
    "lowest_bit",
    "plus_product",
    "smaller",
    "smallest",
    "store",
]

WIDTH = 8
"""Lanes of float64."""
WIDE = 16
"""Lanes of float32."""

Lanes: TypeAlias = npt.NDArray[Any]
"""Eight float64 or sixteen float32 values."""

_COUNT = {np.dtype(np.float64): WIDTH, np.dtype(np.float32): WIDE}


def load(array: npt.NDArray[Any], start: int) -> Lanes:
    """Lanes from neighbours in a C-contiguous array, at a flat index."""
    found: Lanes = array.reshape(-1)[start : start + _COUNT[array.dtype]].copy()
    return found


def store(array: npt.NDArray[Any], start: int, value: Lanes) -> None:
    """Write lanes to neighbours in a C-contiguous array, at a flat index."""
    array.reshape(-1)[start : start + len(value)] = value


def broadcast(value: Any) -> Lanes:
    """Put a scalar into all lanes; a Python float is a float64."""
    dtype = np.dtype(type(value)) if isinstance(value, np.floating) else np.dtype(np.float64)
    return np.full(_COUNT[dtype], value, dtype)


def larger(left: Lanes, right: Lanes) -> Lanes:
    """The left lane where it is larger, else the right one."""
    return np.where(left > right, left, right)


def smaller(left: Lanes, right: Lanes) -> Lanes:
    """The left lane where it is smaller, else the right one."""
    return np.where(left < right, left, right)


def largest(value: Lanes) -> Any:
    """The largest of the lanes, none of which is NaN."""
    return value.max()


def smallest(value: Lanes) -> Any:
    """The smallest of the lanes, none of which is NaN."""
    return value.min()


def plus_product(total: Lanes, left: Lanes, right: Lanes) -> Lanes:
    """Total + left * right, where the last bit does not matter."""
    return np.asarray(total + left * right)


def at_most(value: Lanes, threshold: Any) -> int:
    """Bits of the lanes that do not exceed a threshold."""
    return _bits(value <= threshold)


def at_least(value: Lanes, threshold: Any) -> int:
    """Bits of the lanes that reach a threshold."""
    return _bits(value >= threshold)


def _bits(holds: npt.NDArray[np.bool_]) -> int:
    return sum(1 << c for c in np.flatnonzero(holds).tolist())


def lowest_bit(mask: Any) -> int:
    """Position of the lowest set bit of a positive integer."""
    number = int(mask)
    return (number & -number).bit_length() - 1
