"""The record store: whole columns of a data set, in one order, from any source; loaded when needed and kept compactly."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import ColumnError, DataError
from tacita.data.columns import check_magnitudes
from tacita.data.schema import Schema
from tacita.data.store.compact import Coded, Compact, Numbers, Verbatim, code, compact_column
from tacita.data.store.content_digest import column_digest, content_digest
from tacita.data.store.normal_form import without_missing
from tacita.data.store.origin import Origin
from tacita.data.store.record_order import choose_record_id, order_of, row_numbers, to_ids

__all__ = ["NarrowCodes", "RecordStore"]

_FEW = 1 << 16
"""Categories that are kept as Python values, because they are asked for again and again."""


@dataclass(frozen=True)
class NarrowCodes:
    """A column as small integers: ``values[i]`` is the position in ``categories``, or -1 where it is missing."""

    values: npt.NDArray[np.signedinteger[Any]] = field(repr=False)
    categories: tuple[Any, ...] = field(repr=False)


class RecordStore:
    """Records that questions are put to: columns as arrays, all in the same order.

    An engine or a file delivers each column once and computes nothing, so that no answer depends on it. Arrays that are kept
    cannot be written to. Several threads may use one store.

    Parameters
    ----------
    origin
        Where columns come from.
    schema
        What each column is, in the order in which columns are listed.
    record_id
        The column that identifies each record and gives the order; None takes the only identifier of the schema, or else the
        order of the file.
    eager
        Whether all columns are loaded at once and the origin is let go.

    Raises
    ------
    ColumnError
        When the record id is not among the columns.
    ParameterError
        When there is no record id and the records have no order of their own.
    DataError
        When record ids are missing or repeat themselves.

    Notes
    -----
    The order of records is that of their ids: whole numbers by size, text by its bytes. Without ids it is the order of the file.
    A column needs 1, 2, 4 or 8 bytes a record in memory (see :mod:`tacita.data.store.compact`); identifiers are not kept where
    the file can be asked again.

    Examples
    --------
    >>> from tacita.data.store import open_store
    >>> from tacita.data.samples import household_survey
    >>> store = open_store(household_survey(200, seed=1))
    >>> store
    RecordStore: 200 records, 20 columns, from microdata in memory
    >>> store.codes("sex").categories, store.codes("sex").values.dtype
    (('female', 'male'), dtype('int8'))
    >>> store.floats("age").shape, store.record_ids().shape, len(store.content_digest())
    ((200,), (200, 2), 32)
    """

    def __init__(self, origin: Origin, schema: Schema, *, record_id: str | None = None, eager: bool = False) -> None:
        self.schema = schema
        self.n_records = origin.n_records
        self._origin, self._shown, self._eager = origin, origin.shown, eager
        self._lock = threading.RLock()
        self._kept: dict[str, Compact] = {}
        self._codes: dict[str, NarrowCodes] = {}
        self._digest: bytes | None = None
        self._order: pa.Array | None = None
        self.record_id = choose_record_id(schema, record_id, shown=origin.shown, has_order=origin.has_order)
        if self.record_id is not None:
            order = order_of(self._arrow(self.record_id), self.record_id)
            self._order = None if order is None else _index(order)
        if eager:
            for name in schema.names:
                self._column(name)
            origin.close()
            self._order = None

    def __repr__(self) -> str:
        return f"RecordStore: {self.n_records} records, {len(self.schema)} columns, from {self._shown}"

    def __len__(self) -> int:
        return self.n_records

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return self.schema.names

    @property
    def nbytes(self) -> int:
        """Bytes in memory of what is loaded."""
        order = 0 if self._order is None else int(self._order.nbytes)
        return order + sum(column.nbytes for column in self._kept.values())

    def close(self) -> None:
        """Let go of the file; columns that are loaded stay."""
        self._origin.close()

    def __enter__(self) -> RecordStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- columns -----------------------------------------------------------------------------------------------------

    def codes(self, name: str) -> NarrowCodes:
        """Return a column as narrow integer codes (-1 for missing) into its declared or sorted categories.

        Raises
        ------
        ColumnError
            When there is no such column.
        DataError
            When a value is not among the declared categories.
        """
        facts = self.schema[name]
        found = self._codes.get(name)
        if found is not None:
            return found
        column = self._column(name)
        coded = column if isinstance(column, Coded) else code(pa.chunked_array([column.arrow()]), facts)
        made = NarrowCodes(coded.values, tuple(coded.categories.to_pylist()))
        if coded is column and len(made.categories) <= _FEW:
            self._codes[name] = made
        return made

    def floats(self, name: str) -> FloatArray:
        """Return a numeric column as float64, made anew at each call; missing values are NaN, infinities an error.

        Raises
        ------
        ColumnError
            When there is no such column, or it is not numeric.
        DataError
            When a value is infinite or too large to be squared.
        """
        facts = self.schema[name]
        column = self._column(name) if facts.scale == "numeric" else None
        if not isinstance(column, Numbers):
            raise ColumnError(f"Column '{name}' must be numeric here, but its scale is {facts.scale}.")
        values = column.floats()
        if column.stored.dtype.kind == "f":
            check_magnitudes(values, name)
        return values

    def weights(self) -> FloatArray:
        """Return the sampling weights, or ones where the data have none.

        Raises
        ------
        DataError
            When a weight is negative or missing.
        """
        name = self.schema.weight
        if name is None:
            return np.ones(self.n_records)
        values = self.floats(name)
        bad = int((~(values >= 0)).sum())
        if bad:
            raise DataError(f"The weight '{name}' is negative or missing in {bad} records; weights must be 0 or more.")
        return values

    def households(self) -> npt.NDArray[np.signedinteger[Any]] | None:
        """Return for each record a number of its household, -1 where it has none; None where the data have no households."""
        name = self.schema.household
        if name is None:
            return None
        column = self._column(name)
        return column.values if isinstance(column, Coded) else self.codes(name).values

    # --- records -----------------------------------------------------------------------------------------------------

    def record_ids(self) -> npt.NDArray[np.uint64]:
        """Return what identifies each record: (n,) for whole numbers and row numbers, (n, 2) for text, as 128 bits of SHA-256.

        Notes
        -----
        Made anew at each call: O(n), about a third of a second for 10**6 texts.
        """
        if self.record_id is None:
            return row_numbers(self.n_records)
        column = self._column(self.record_id)
        return to_ids(pa.chunked_array([column.arrow()]), self.record_id)

    def content_digest(self) -> bytes:
        """Return SHA-256 of all columns in the one order of the records: the name of this version of the data.

        The same records give the same digest from every source; it is for the inside only, since it confirms a guess of a small
        file. Columns are looked at one by one, and those that were not loaded are not kept. O(n d) at the first call.
        """
        with self._lock:
            if self._digest is None:
                self._digest = content_digest(self.n_records, self._column_digests())
            return self._digest

    def _column_digests(self) -> Iterator[tuple[str, bytes]]:
        for name in sorted(self.names):
            yield name, column_digest(self._column(name, keep=False))

    # --- loading -----------------------------------------------------------------------------------------------------

    def _column(self, name: str, *, keep: bool = True) -> Compact:
        found = self._kept.get(name)
        if found is not None:
            return found
        with self._lock:
            if name in self._kept:
                return self._kept[name]
            column = self._arrow(name)
            if self._order is not None:
                column = column.take(self._order)
            made = compact_column(column, self.schema[name], verbatim=self._identifies(name))
            del column
            pa.default_memory_pool().release_unused()  # a column as it came is many times as large as what is kept of it
            if self._eager or (keep and not isinstance(made, Verbatim)):
                self._kept[name] = made
            return made

    def _arrow(self, name: str) -> pa.ChunkedArray:
        facts = self.schema[name]
        column = self._origin.columns([name], encoded=not self._identifies(name)).column(0)
        if len(column) != self.n_records:
            raise DataError(
                f"{self._shown} had {self.n_records} records when it was opened, and has others now; open it again."
            )
        try:
            return without_missing(column, facts)
        except pa.ArrowException:  # its own words may quote a value
            raise DataError(f"Column '{name}' cannot be read as {facts.scale}; declare another scale.") from None

    def _identifies(self, name: str) -> bool:
        return name == self.record_id or self.schema[name].has_role("identifier")


def _index(order: IntArray) -> pa.Array:
    """Return positions in the narrowest type: they are kept as long as columns can still be loaded."""
    return pa.array(order.astype(np.int32 if len(order) < 2**31 else np.int64))
