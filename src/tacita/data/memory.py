"""Memory that long columns took goes back to the system: the allocators hold it for the next ones otherwise."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import pyarrow as pa

__all__ = ["give_back", "trim"]

_MUCH = 2**20
"""Records from which a column is so long that what it took must not be held."""


def give_back(records: int) -> None:
    """Return the memory that was taken for columns of so many records and is held for the next ones, where it is much."""
    if records >= _MUCH:
        trim()


def trim() -> None:
    """Return all memory that is held and not used: that of Arrow, and that of the system, where numpy's comes from."""
    pa.default_memory_pool().release_unused()
    held = _trimming()
    if held is not None:
        held(0)


@cache
def _trimming() -> Any:
    """Return what trims the system's allocator; None where there is no such thing. Arrow's pool of the system does not do it."""
    try:
        found = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):  # no glibc
        return None
    found.argtypes, found.restype = (ctypes.c_size_t,), ctypes.c_int
    return found
