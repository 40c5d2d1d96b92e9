"""Origins: what a store asks of a file or an engine, which is columns and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import pyarrow as pa

from tacita.core.errors import FileError

__all__ = ["FileState", "MemoryOrigin", "Origin"]


class Origin(Protocol):
    """Where columns come from.

    Every call gives the records in the same order and of the same state; an origin that cannot promise that has everything in
    memory, or raises an error.
    """

    @property
    def shown(self) -> str:
        """How messages name it: never with a user or a password."""
        ...

    @property
    def types(self) -> pa.Schema:
        """Names and types of the columns."""
        ...

    @property
    def n_records(self) -> int:
        """Number of records."""
        ...

    @property
    def has_order(self) -> bool:
        """Whether its records have an order of their own, which is the same tomorrow."""
        ...

    def columns(self, names: Sequence[str], *, encoded: bool = True) -> pa.Table:
        """Return some columns; ``encoded`` allows text as a dictionary, which is quicker where values repeat."""
        ...

    def close(self) -> None:
        """Let go of files and memory."""
        ...


class MemoryOrigin:
    """Columns that are in memory already.

    Parameters
    ----------
    table
        The columns.
    shown
        How messages name where they came from.
    has_order
        Whether their order means anything.

    Examples
    --------
    >>> MemoryOrigin(pa.table({"age": [31, 47]}), "a list").columns(["age"]).num_rows
    2
    """

    def __init__(self, table: pa.Table, shown: str, *, has_order: bool = True) -> None:
        self.shown, self.types, self.n_records, self.has_order = shown, table.schema, int(table.num_rows), has_order
        self._table: pa.Table | None = table

    def columns(self, names: Sequence[str], *, encoded: bool = True) -> pa.Table:
        """Return some columns as they are."""
        del encoded  # they have the form they have
        if self._table is None:
            raise FileError(f"The records of {self.shown} were closed; open them again.")
        return self._table.select(list(names))

    def close(self) -> None:
        """Let go of the columns."""
        self._table = None


class FileState:
    """Whether a file is still the one that was opened.

    Columns of one file are read one after the other; when it was changed in between, they would not belong together.

    Parameters
    ----------
    path
        The file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen = self._look()

    def check(self) -> None:
        """Raise when the file was changed or replaced since it was opened."""
        if self._look() != self._seen:
            raise FileError(
                f"'{self._path.name}' must stay as it is while it is open, but it was changed or replaced; open it again."
            )

    def _look(self) -> tuple[int, ...]:
        try:
            facts = self._path.stat()
        except OSError as error:
            raise FileError(f"The file '{self._path.name}' cannot be read: {error.strerror}.") from error
        return (facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns)
