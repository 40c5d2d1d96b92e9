"""What one run of a mask draws from."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.streams import Streams

__all__ = ["Draw"]


class Draw:
    """What one run of a mask draws from: a random stream for each column, kept over strata and patterns.

    ``given`` holds the conditioning columns of the same records, where the mask has some.
    """

    def __init__(self, method: str, streams: Streams, given: FloatArray | None = None) -> None:
        self._method, self._streams, self.given = method, streams, given
        self._open: dict[str, np.random.Generator] = {}

    def for_rows(self, rows: IntArray) -> Draw:
        """Return the same streams with the conditioning columns of some records."""
        part = Draw(self._method, self._streams, None if self.given is None else self.given[rows])
        part._open = self._open
        return part

    def column(self, name: str) -> np.random.Generator:
        """Return the stream of a column."""
        if name not in self._open:
            self._open[name] = self._streams.stream(self._method, name)
        return self._open[name]

    def joint(self, names: tuple[str, ...]) -> np.random.Generator:
        """Return the stream of several columns that are masked as one."""
        return self.column("\x1f".join(names))
