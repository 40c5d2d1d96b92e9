"""Arrays that are kept to be read again: those used last, as many as fit into a bounded memory, for several threads."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any, Generic, TypeVar

import numpy.typing as npt

__all__ = ["KeptArrays"]

K = TypeVar("K", bound=Hashable)


class KeptArrays(Generic[K]):
    """Arrays by what they are, which nobody writes to any more.

    Parameters
    ----------
    most_bytes
        What all of them may hold together.

    Notes
    -----
    An array that needs more than all of the room is not kept.

    All threads see the same arrays, since none is ever changed. One that is no longer kept is computed again and is the same, so
    what is kept decides how long an answer takes and never what it says.

    Examples
    --------
    >>> import numpy as np
    >>> kept = KeptArrays(16)
    >>> for name in ("one", "two", "three"):
    ...     _ = kept.keep(name, np.zeros(1))
    >>> kept.get("one") is None, kept.get("three").tolist(), kept.nbytes
    (True, [0.0], 16)
    """

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self._arrays: OrderedDict[K, npt.NDArray[Any]] = OrderedDict()
        self._held = 0
        self._lock = threading.Lock()

    @property
    def nbytes(self) -> int:
        """Bytes that are held."""
        return self._held

    @property
    def names(self) -> list[K]:
        """What is kept."""
        with self._lock:
            return list(self._arrays)

    def get(self, name: K) -> npt.NDArray[Any] | None:
        """Return an array, which then was used last; None where it is not kept."""
        with self._lock:
            found = self._arrays.get(name)
            if found is not None:
                self._arrays.move_to_end(name)
            return found

    def keep(self, name: K, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Keep an array, if it is not too large; return it, or the one that another thread has kept meanwhile."""
        array.flags.writeable = False
        size = int(array.nbytes)
        if size > self.most_bytes:
            return array
        with self._lock:
            if name in self._arrays:
                return self._arrays[name]
            self._arrays[name] = array
            self._held += size
            while self._held > self.most_bytes:
                self._held -= int(self._arrays.popitem(last=False)[1].nbytes)
            return array
