"""numba's word for each type that an entry can have."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import typeof, types
from numba.core.types import Array, NamedTuple, Tuple
from numba.np.numpy_support import from_dtype

from tacita.core.arrays import ArrayForm

__all__ = ["numba_type"]

_PLAIN = {int: types.int64, float: types.float64, bool: types.boolean, np.uint64: types.uint64}


def numba_type(kind: Any) -> Any:
    """Return numba's type for one of :func:`tacita.core.kernel.signatures`."""
    if isinstance(kind, ArrayForm):
        return Array(from_dtype(np.dtype(kind.dtype)), kind.ndim, "C", readonly=kind.frozen)
    if isinstance(kind, tuple):
        made, *parts = kind
        inner = [numba_type(part) for part in parts]
        return Tuple(inner) if made is tuple else NamedTuple(inner, made)
    if kind is np.random.Generator:
        return typeof(np.random.default_rng(0))
    return _PLAIN[kind]
