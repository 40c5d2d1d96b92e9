"""Columns of a Parquet file, read one by one when they are needed."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import pyarrow as pa

from tacita.core.errors import FileError
from tacita.data.formats.base import check_column_names, damaged, plain_types
from tacita.data.store.origin import FileState

__all__ = ["ParquetOrigin"]

_PANDAS_INDEX = re.compile(r"__index_level_\d+__")
"""An index without a name is no column, as with files that are read whole."""


class ParquetOrigin:
    """The columns of one Parquet file.

    The path is taken as it is: no pattern, no address, and a directory called ``region=north`` adds no column. The file stays
    open, and one that was changed meanwhile is an error.

    Parameters
    ----------
    path
        The file.

    Raises
    ------
    FileError
        When it is not there, or is no whole Parquet file.
    SchemaError
        When a column has no name, or shares it with another.

    Notes
    -----
    Text is read as a dictionary where the caller allows it: Parquet has it in that form, and no text is made twice. O(n) for
    each column.
    """

    has_order = True

    def __init__(self, path: Path) -> None:
        self.shown = f"'{path.name}'"
        self._path = path.absolute()
        self._state = FileState(self._path)
        self._open = ExitStack()
        try:
            self._plain = self._opened(())
            arrow = self._plain.schema_arrow
            self._encoded = self._opened([field.name for field in arrow if _is_text(field.type)])
        except (pa.ArrowException, OSError, ValueError):
            self._open.close()
            raise damaged(path, "Parquet") from None
        check_column_names(arrow.names)
        kept = [field for field in arrow if not _PANDAS_INDEX.fullmatch(field.name)]
        self.types = plain_types(pa.schema(kept).empty_table()).schema
        self.n_records = int(self._plain.metadata.num_rows)

    def _opened(self, encoded: Sequence[str]) -> pa.parquet.ParquetFile:
        from pyarrow import parquet

        # Opened here: given a path, the library would look for addresses and for columns in the names of directories.
        source = self._open.enter_context(pa.OSFile(os.fsencode(self._path), "rb"))
        return parquet.ParquetFile(source, read_dictionary=list(encoded), page_checksum_verification=True)

    def columns(self, names: Sequence[str], *, encoded: bool = True) -> pa.Table:
        """Read some columns."""
        self._state.check()
        file = self._encoded if encoded else self._plain
        try:
            table = file.read(columns=list(names)).select(list(names))
            table.validate(full=True)  # damaged offsets would otherwise crash the process at their first use
        except (pa.ArrowException, OSError, ValueError):
            if self._plain.closed:
                raise FileError(f"{self.shown} was closed; open it again.") from None
            raise damaged(self._path, "Parquet") from None
        return plain_types(table)

    def close(self) -> None:
        """Close the file."""
        self._plain.close(force=True)
        self._encoded.close(force=True)
        self._open.close()


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))
