"""The error for cells that no pattern can protect."""

from __future__ import annotations

from collections.abc import Iterable

from tacita.core.errors import DataError

__all__ = ["InfeasibleError"]


class InfeasibleError(DataError):
    """An unsafe cell cannot be protected even when every cell that may be hidden is hidden.

    Parameters
    ----------
    message
        What cannot be protected, without any data value.
    cells
        Numbers of the unsafe cells.
    relations
        Numbers of the relations that force them, where they are known.
    """

    def __init__(self, message: str, *, cells: Iterable[int] = (), relations: Iterable[int] = ()) -> None:
        self.cells = tuple(int(c) for c in cells)
        self.relations = tuple(int(r) for r in relations)
        super().__init__(message, details={"cells": list(self.cells), "relations": list(self.relations)})
