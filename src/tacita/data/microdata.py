"""Microdata: the immutable table that every mask takes and gives, with its schema."""

from __future__ import annotations

import copy
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ColumnError, DataError, SchemaError
from tacita.core.views import view
from tacita.core.vocabulary import Role, Scale
from tacita.data import columns as col
from tacita.data.formats.narrow import as_long, is_shortened, long_table, long_type, short_field, short_whole
from tacita.data.hierarchy import Hierarchy
from tacita.data.memory import give_back
from tacita.data.schema import Column, MissingCode, Schema
from tacita.numeric.compiled.threads import in_threads

if TYPE_CHECKING:
    from tacita.core.method import Method
    from tacita.data.columns import Codes

__all__ = ["Microdata"]

_REMEMBERED = 6
"""How many things data, and all that was derived from them, remember that were counted from them."""


@dataclass(frozen=True, eq=False)
class _Held:
    key: Any
    facts: tuple[Column, ...]
    columns: tuple[pa.ChunkedArray, ...]
    value: Any
    is_small: bool

    def is_of(self, key: Any, facts: tuple[Column, ...], columns: tuple[pa.ChunkedArray, ...]) -> bool:
        return key == self.key and facts == self.facts and all(map(col.same_buffers, columns, self.columns))


class Microdata:
    """Records about respondents: columns of equal length and what each of them means.

    The object never changes; every method that alters something returns a new one, and undoing a step is keeping the
    previous object. Values that a missing code stands for are missing to every computation; the code itself is kept
    beside the column and comes back when the data are written.

    Notes
    -----
    Columns are Arrow arrays, shared between an object and those derived from it; whole numbers of a large file lie in as
    few bytes as they need, and come out as long integers. Row numbers of the file that the
    data came from are kept inside (never written to a public file), so that a masked file can be paired with its
    original without an identifier.

    Examples
    --------
    >>> import pyarrow as pa
    >>> data = Microdata.from_frame(pa.table({"age": [31, 47], "income": [900.0, 1200.0]}), keys=["age"])
    >>> data
    Microdata: 2 records, 2 columns (keys: age; other: income)
    """

    __slots__ = (
        "_codes",
        "_files",
        "_frame_kind",
        "_hash",
        "_history",
        "_memo",
        "_rows",
        "_source",
        "_table",
        "schema",
    )

    schema: Schema

    def __init__(
        self,
        table: pa.Table,
        schema: Schema,
        *,
        user_missing: Mapping[str, pa.Array] | None = None,
        frame_kind: str = "pyarrow",
    ) -> None:
        if table.column_names != list(schema.names):
            raise SchemaError([_misfit(table.column_names, schema.names)])
        table, found = col.take_out_missing(table, schema)
        self._table = table
        self._codes: dict[str, pa.Array] = {**found, **(user_missing or {})}
        self._frame_kind = frame_kind
        self._source = uuid.uuid4().hex
        self._rows: IntArray | None = None
        self._files: tuple[str, ...] = ()
        self._history: tuple[Method, ...] = ()
        self._memo: list[_Held] = []
        self._hash: str | None = None
        self.schema = schema

    # --- coming in and going out -------------------------------------------------------------------------------------

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        keys: Sequence[str] = (),
        confidential: Sequence[str] = (),
        identifiers: Sequence[str] = (),
        strata: Sequence[str] = (),
        weight: str | None = None,
        household: str | None = None,
        clusters: Sequence[str] = (),
        linked: Mapping[str, str] | None = None,
        scales: Mapping[str, Scale] | None = None,
        missing: Mapping[str, Sequence[MissingCode]] | None = None,
        hierarchies: Mapping[str, Hierarchy] | None = None,
        schema: Schema | None = None,
    ) -> Microdata:
        """Take a frame of pandas, polars, pyarrow or DuckDB (or any other that narwhals knows).

        Parameters
        ----------
        frame
            The frame; it is not changed.
        keys, confidential, identifiers, strata, weight, household, clusters
            Which columns have these roles; columns not named are ``other``. A column may be named more than once.
        linked
            Columns that inherit the suppression pattern of a key: ``{"birth_year": "age"}``.
        scales
            Scales of columns where the type alone would say something else: ``{"region": "nominal"}``.
        missing
            Codes that stand for missing values: ``{"income": [-9]}``.
        hierarchies
            Coarser groups of the values of a column.
        schema
            A whole schema instead of all of the above.

        Raises
        ------
        SchemaError
            When the roles contradict each other or the data; all problems are listed at once.
        """
        from tacita.data.frames import arrow_from_frame

        table, kind = arrow_from_frame(frame)
        roles: dict[str, list[Role]] = {}
        singles = {"weight": [weight] if weight else [], "household": [household] if household else []}
        named: dict[str, Iterable[str]] = {
            "identifier": identifiers,
            "key": keys,
            "confidential": confidential,
            "stratum": strata,
            "cluster": clusters,
            "linked": (linked or {}).keys(),
            **singles,
        }
        for role, names in named.items():
            for name in [names] if isinstance(names, str) else names:
                roles.setdefault(name, []).append(cast(Role, role))
        if schema is None:
            declared: dict[str, dict[str, Any]] = {name: {"roles": tuple(r)} for name, r in roles.items()}
            for word, settings in (("scale", scales), ("linked_to", linked), ("hierarchy", hierarchies)):
                for name, value in (settings or {}).items():
                    declared.setdefault(name, {})[word] = value
            for name, codes in (missing or {}).items():
                declared.setdefault(name, {})["missing"] = tuple(codes)
            schema = col.infer_schema(table, declared)
        elif any(roles.values()) or scales or missing or hierarchies:
            raise SchemaError(["Give either a whole schema or single roles, scales and codes, not both."])
        return cls(table, schema, frame_kind=kind)

    def to_frame(self) -> Any:
        """Return the data as the kind of frame they came from, missing codes put back where they fit.

        In pandas and polars an ordinal column of text comes back in its order (an ordered categorical, an ``Enum``), and a
        column of whole numbers that has gaps, by suppression or before, as whole numbers with gaps (``Int64``).
        """
        from tacita.data.frames import frame_from_arrow, with_ordered_columns

        table, kind = self.to_arrow(), self._frame_kind
        return frame_from_arrow(
            with_ordered_columns(table, self.schema) if kind in ("pandas", "polars") else table, kind
        )

    def to_arrow(self, *, codes: bool = True, is_long: bool = True) -> pa.Table:
        """Return the data as an Arrow table; ``codes`` puts missing codes back where the column's type holds them.

        Without ``is_long`` whole numbers stay as short as they are kept, for those who only look at their values.
        """
        table = long_table(self._table) if is_long else self._table
        return col.put_back_missing(table, self._codes) if codes and self._codes else table

    def column(self, name: str) -> pa.ChunkedArray:
        """Return one column as :meth:`to_arrow` has it, missing codes taken out."""
        self.schema[name]  # raises with a suggestion where the name is unknown
        return as_long(self._table, name)

    def type_of(self, name: str) -> pa.DataType:
        """Return the type of a column as :meth:`to_arrow` has it."""
        self.schema[name]
        return long_type(self._table.schema.field(name))

    # --- facts -------------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return int(self._table.num_rows)

    @property
    def n_rows(self) -> int:
        """Number of records."""
        return len(self)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return self.schema.names

    @property
    def user_missing(self) -> Mapping[str, pa.Array]:
        """For columns with missing codes: the code of each record, null where the value is there."""
        return dict(self._codes)

    def __repr__(self) -> str:
        return f"Microdata: {len(self)} records, {len(self.schema)} columns ({self.schema.roles_in_words()})"

    def _repr_html_(self) -> str:
        shown: str = view("notebook")(self)
        return shown

    def same_content(self, other: Microdata) -> bool:
        """Whether both have the same schema and the same values in the same order."""
        return self.schema == other.schema and self.to_arrow().equals(other.to_arrow())

    def fingerprint(self, rows: IntArray | None = None) -> str:
        """Return SHA-256 of names, types and values; internal use only, since it confirms a guess of a small file.

        With ``rows``, that of these records in this order, without making a copy of them all.
        """
        if rows is not None:
            return col.fingerprint(self._long_columns(), rows)
        if self._hash is None:
            self._hash = col.fingerprint(self._long_columns())
        return self._hash

    def _long_columns(self) -> Iterator[tuple[str, pa.ChunkedArray]]:
        """Give the columns of :meth:`to_arrow` one at a time."""
        for name in self.names:
            yield name, col.with_codes(as_long(self._table, name), self._codes.get(name))

    # --- arrays for kernels ------------------------------------------------------------------------------------------

    def floats(self, columns: Iterable[str]) -> FloatArray:
        """Return numeric columns as an (n, d) array of float64; missing values are NaN, infinities an error."""
        names = list(columns)
        out = np.empty((len(self), len(names)), dtype=np.float64, order="F")
        for j, name in enumerate(names):
            out[:, j] = self.float(name)
        return out

    def float(self, name: str) -> FloatArray:
        """Return one numeric column as float64; missing values are NaN, infinities an error."""
        column = self.schema[name]
        if column.scale != "numeric":
            raise ColumnError(f"Column '{name}' must be numeric here, but its scale is {column.scale}.")
        values = col.to_floats(self._table.column(name), name)
        col.check_magnitudes(values, name)
        return values

    def float_part(self, name: str, start: int, stop: int) -> FloatArray:
        """Return some records of one numeric column, as :meth:`float` has them, without looking at the others."""
        if self.schema[name].scale != "numeric":
            return self.float(name)[start:stop]  # raises
        values = col.to_floats(self._table.column(name).slice(start, stop - start), name)
        try:
            col.check_magnitudes(values, name)
        except DataError:
            return self.float(name)[start:stop]  # raises, and counts in the whole column
        return values

    def numbers(self, name: str) -> FloatArray:
        """Return a numeric column's values, or the positions 0, 1, 2, ... of an ordinal column's categories."""
        if self.schema[name].scale != "ordinal":
            return self.float(name)
        positions = self.codes(name).values.astype(np.float64)
        positions[positions < 0] = np.nan
        return positions

    def codes(self, name: str) -> Codes:
        """Return one column as integer codes (-1 for missing) into its sorted or declared categories."""
        return col.to_codes(self._column(name), self.schema[name])

    def is_missing(self, name: str) -> BoolArray:
        """Return where a column has no value."""
        return np.asarray(self._column(name).is_null())

    def groups(self, columns: Iterable[str]) -> IntArray:
        """Number the records by their combination of values in some columns; missing is a value of its own."""
        from tacita.numeric.keys.frequencies import label_patterns  # loads when used

        listed = list(map(self._column, columns))
        if len(listed) == 1:  # its positions are such numbers
            found = col.to_positions(listed[0])[0]
            found += int(found.min(initial=0) < 0)
            return found
        coded = ((positions, len(values)) for positions, values in map(col.to_positions, listed))
        return label_patterns(coded) if listed else np.zeros(len(self), dtype=np.int64)

    def count_single(self, columns: Iterable[str]) -> int:
        """Return how many records have a combination of values in some columns that no other record has."""
        from tacita.numeric.keys.frequencies import count_single  # loads when used

        listed = list(map(self._column, columns))
        return count_single((positions, len(values)) for positions, values in map(col.to_positions, listed))

    def weights(self) -> FloatArray:
        """Return the sampling weights, or ones where the data have none."""
        name = self.schema.weight
        if name is None:
            return np.ones(len(self))
        values = self.float(name)
        bad = int((~(values >= 0)).sum())
        if bad:
            raise DataError(f"The weight '{name}' is negative or missing in {bad} records; weights must be 0 or more.")
        return values

    def _column(self, name: str) -> pa.ChunkedArray:
        self.schema[name]  # raises with a suggestion where the name is unknown
        return self._table.column(name)

    # --- new data from old -------------------------------------------------------------------------------------------

    def with_numbers(self, values: Mapping[str, FloatArray]) -> Microdata:
        """Return data in which numeric columns (or ordinal ones, by position) have new values; NaN is missing.

        An integer column stays one where all its new values are whole. A missing code stays where the value stays
        missing.
        """

        def made(name: str) -> pa.Array:
            kind = self.type_of(name)
            self._check_length(name, values[name])
            if self.schema[name].scale == "ordinal":
                return col.from_positions(values[name], self.codes(name).categories, kind)
            return col.from_floats(values[name], kind)

        table = self._table
        for name, array in zip(values, in_threads(made, values, records=len(self)), strict=True):
            table = self._replaced(table, name, array)
        give_back(len(self))
        return self._derived(table, self.schema)

    def _replaced(self, table: pa.Table, name: str, values: pa.Array) -> pa.Table:
        """Put other values in place of a column, as short as it was kept itself."""
        place = table.column_names.index(name)
        is_short = is_shortened(self._table.schema.field(name)) and values.type == pa.int64()
        kept = short_whole(values) if is_short else values
        return table.set_column(place, short_field(name, kept.type) if is_short else name, kept)

    def with_column(
        self, name: str, values: pa.Array, *, column: Column | None = None, keeps_codes: bool = True
    ) -> Microdata:
        """Return data in which one column has other values and, if given, another description.

        A missing code stays where the value stays missing, unless ``keeps_codes`` says that it does not.
        """
        self._column(name)
        self._check_length(name, values)
        table = self._replaced(self._table, name, values)
        schema = self.schema
        if column is not None:
            schema = Schema(tuple(column if c.name == name else c for c in schema))
        made = self._derived(table, schema)
        if not keeps_codes:
            made._codes.pop(name, None)
        return made

    def remembered(self, key: Any, make: Callable[[], Any], *, of: Iterable[str], is_small: bool = False) -> Any:
        """Return what was made for a key out of some columns, and make it the first time.

        The last few stay, as long as these data are there, or others that have the columns from them; :meth:`forget` keeps
        what ``is_small``.
        """
        names = tuple(of)
        asked = key, tuple(self.schema[name] for name in names), tuple(self._column(name) for name in names)
        held = next((one for one in reversed(tuple(self._memo)) if one.is_of(*asked)), None) or _Held(
            *asked, make(), is_small
        )
        self._memo[:] = [*(one for one in self._memo if one is not held), held][-_REMEMBERED:]
        return held.value

    def forget(self) -> None:
        """Let go of what is remembered of these data and their relatives; it is made again when it is asked for."""
        self._memo[:] = [held for held in self._memo if held.is_small]
        give_back(len(self))

    def _check_length(self, name: str, values: Sized) -> None:
        if len(values) != len(self):
            raise DataError(f"Column '{name}' must have {len(self)} values, one for each record, got {len(values)}.")

    def with_values_of(self, names: Iterable[str], rows: IntArray) -> Microdata:
        """Return data in which each record has, in some columns, the values (and missing codes) of another record."""
        index = pa.array(np.asarray(rows, dtype=np.int64))
        table, codes = self._table, dict(self._codes)
        for name in names:
            place = table.column_names.index(name)
            table = table.set_column(place, table.schema.field(place), self._column(name).take(index))
            if name in codes:
                codes[name] = codes[name].take(index)
        made = self._derived(table, self.schema)
        made._codes = codes
        return made

    def with_missing_alike(self, names: Iterable[str]) -> Microdata:
        """Return data in which the missing values of a column do not differ: where it has several codes, these go."""
        made = self._derived(self._table, self.schema)
        for name in set(names) & set(made._codes):
            if not col.is_alike(self._column(name), made._codes[name]):
                del made._codes[name]
        return made

    def with_schema(self, schema: Schema) -> Microdata:
        """Return the same values under another schema of the same columns."""
        if schema.names != self.names:
            raise SchemaError([_misfit(list(self.names), schema.names)])
        table, found = col.take_out_missing(self._table, schema)
        made = self._derived(table, schema)
        made._codes = {**made._codes, **found}
        return made

    def take(self, rows: npt.NDArray[np.integer[Any]]) -> Microdata:
        """Return some records, in the order given."""
        chosen = np.asarray(rows, dtype=np.int64)
        if chosen.size and not (chosen.min() >= 0 and chosen.max() < len(self)):
            raise DataError(f"Row numbers must be 0 to {len(self) - 1}, got some outside.")
        index = pa.array(chosen)
        made = self._derived(self._table.take(index), self.schema)
        made._codes = {name: codes.take(index) for name, codes in self._codes.items()}
        made._rows = self.origin_rows()[chosen]
        return made

    def select(self, names: Iterable[str]) -> Microdata:
        """Return some columns, in the order given."""
        kept = list(names)
        schema = self.schema.select(kept)
        return self._derived(self._table.select(kept), schema)

    def drop(self, names: Iterable[str]) -> Microdata:
        """Return the data without some columns."""
        gone = {self.schema[name].name for name in names}  # a misspelled name must not stay in silence
        return self.select(name for name in self.names if name not in gone)

    def _derived(self, table: pa.Table, schema: Schema) -> Microdata:
        made = object.__new__(Microdata)
        made._table, made.schema = table, schema
        made._frame_kind, made._source, made._rows = self._frame_kind, self._source, self._rows
        made._files = self._files
        made._history = self._history
        made._hash = None
        made._memo = self._memo  # what was counted in columns that stay the same
        made._codes = {
            name: pc.if_else(table.column(name).is_null(), codes, pa.scalar(None, codes.type)).combine_chunks()
            for name, codes in self._codes.items()
            if name in table.column_names and len(codes) == table.num_rows
        }
        return made

    # --- where records came from --------------------------------------------------------------------------------------

    @property
    def source(self) -> str:
        """A random name of the object that these data were derived from, equal for all its descendants."""
        return self._source

    @property
    def files(self) -> tuple[str, ...]:
        """The files that these data were read from: data and schema. Nothing that is written replaces them unasked."""
        return self._files

    def with_files(self, files: Iterable[str | Path]) -> Microdata:
        """Return the data with the files that they were read from."""
        made = copy.copy(self)
        made._files = tuple(str(Path(file).absolute()) for file in files)
        return made

    def origin_rows(self) -> IntArray:
        """Return for each record its row number in the data that these were derived from."""
        return np.arange(len(self), dtype=np.int64) if self._rows is None else self._rows

    @property
    def has_all_rows(self) -> bool:
        """Whether these are all records of the data that they were derived from, in their order."""
        return self._rows is None

    @property
    def is_synthetic(self) -> bool:
        """Whether no record comes from one of the data that these were derived from; False where there is no record."""
        return self._rows is not None and bool(len(self._rows)) and bool((self._rows < 0).all())

    def with_origin(self, source: Microdata, rows: IntArray) -> Microdata:
        """Return the data linked to the rows of ``source`` that they came from (-1: none)."""
        made = self._derived(self._table, self.schema)
        given = np.asarray(rows, dtype=np.int64)
        if len(given) != len(self) or (given >= len(source)).any():
            raise DataError("The link must name for each record a row of the original, or -1.")
        home = np.append(source.origin_rows(), -1)  # the source may itself be some rows of another file
        made._source, made._rows = source._source, home[np.where(given < 0, -1, given)]
        return made

    @property
    def history(self) -> tuple[Method, ...]:
        """The masks that made these data, first to last: what an intruder who knows the method knows. Never written."""
        return self._history

    def with_history(self, steps: Iterable[Method]) -> Microdata:
        """Return the same data with another account of the masks that made them."""
        made = self._derived(self._table, self.schema)
        made._history = tuple(steps)
        return made


def _misfit(found: Sequence[str], wanted: Sequence[str]) -> str:
    missing = [name for name in wanted if name not in found]
    extra = [name for name in found if name not in wanted]
    parts = [f"not in the data: {', '.join(missing)}"] if missing else []
    parts += [f"not in the schema: {', '.join(extra)}"] if extra else []
    return "Schema and data have different columns" + (f" ({'; '.join(parts)})." if parts else " or another order.")
