"""Single columns: Arrow arrays to the plain arrays of kernels and back, missing codes, inference, fingerprint."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import DataError, SchemaError, did_you_mean
from tacita.core.vocabulary import Scale
from tacita.data.formats.narrow import is_shortened, long_type
from tacita.data.memory import give_back
from tacita.data.schema import Column, MissingCode, Schema

__all__ = [
    "Codes",
    "check_magnitudes",
    "fingerprint",
    "from_floats",
    "from_positions",
    "infer_scale",
    "infer_schema",
    "is_alike",
    "put_back_missing",
    "same_buffers",
    "take_out_missing",
    "to_codes",
    "to_floats",
    "to_positions",
    "with_codes",
]


@dataclass(frozen=True)
class Codes:
    """A column as integers: ``values[i]`` is the position in ``categories``, or -1 where it is missing."""

    values: IntArray = field(repr=False)
    categories: tuple[Any, ...] = field(repr=False)


_BLOCK = 2**18
"""Values that are looked at a time."""
_FEW = 2**16
"""So many whole numbers in a row are few, whatever the number of records."""
_LARGEST = 1e140
"""Squares of larger numbers, and so variances and distances, are beyond what a float can hold."""


# --- to and from plain arrays -----------------------------------------------------------------------------------------


def to_floats(column: pa.ChunkedArray, name: str) -> FloatArray:
    """Return a column as float64 with NaN for missing."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        column, kind = column.cast(kind.value_type), kind.value_type
    if not (
        pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind) or pa.types.is_null(kind)
    ):
        raise DataError(f"Column '{name}' holds {kind}, which are no numbers; change its scale or convert it.")
    if pa.types.is_integer(kind) or (pa.types.is_floating(kind) and column.num_chunks != 1):
        found, start = np.empty(len(column)), 0
        for part in _blocks(column):  # without a copy of the whole in memory that Arrow would hold
            found[start : start + len(part)] = part.to_numpy(zero_copy_only=False)
            start += len(part)
        return found
    return np.asarray(column.cast(pa.float64(), safe=False).to_numpy(), dtype=np.float64)


def check_magnitudes(values: FloatArray, name: str) -> None:
    """Refuse numbers that are infinite or too large to be squared."""
    with np.errstate(invalid="ignore", over="ignore"):
        # If the sum of squares is finite, all its terms are, and one pass was enough. Not values @ values: BLAS would wake
        # threads for it, which go on spinning for a tenth of a second and take a core from whoever comes next.
        if np.isfinite(np.einsum("i,i", values, values)):
            return
    infinite, huge = int(np.isinf(values).sum()), int((np.abs(values) > _LARGEST).sum())
    if huge:
        what = "infinite" if infinite == huge else "infinite or far too large"
        raise DataError(
            f"Column '{name}' has {huge} {what} value{'s' if huge > 1 else ''}. "
            "Declare them as missing, or recode them before masking or measuring."
        )


def same_buffers(one: pa.ChunkedArray, other: pa.ChunkedArray) -> bool:
    """Whether two columns lie in the same memory, so that they have the same values without looking at them."""
    if one.type != other.type or one.num_chunks != other.num_chunks:
        return False
    return all(_places(here) == _places(there) for here, there in zip(one.chunks, other.chunks, strict=True))


def _places(chunk: pa.Array) -> tuple[Any, ...]:
    if pa.types.is_dictionary(chunk.type):
        return (*_places(chunk.indices), *_places(chunk.dictionary))
    return (chunk.offset, len(chunk), *(None if part is None else part.address for part in chunk.buffers()))


def from_floats(values: FloatArray, kind: pa.DataType) -> pa.Array:
    """Return floats as an Arrow array: integers again where the column had them and all values are whole."""
    mask = np.isnan(values) if np.isnan(values.sum()) else None
    if pa.types.is_integer(kind):
        filled = values if mask is None else np.where(mask, 0.0, values)
        if np.all(np.rint(filled) == filled) and np.all(np.abs(filled) < 2.0**53):
            made = pa.array(filled.astype(np.int64), mask=mask)
            try:
                return made.cast(kind)
            except pa.ArrowInvalid:  # a narrow type such as int8 may not hold the masked values
                return made
    made = pa.array(np.ascontiguousarray(values), mask=mask)
    if pa.types.is_decimal(kind):
        try:
            return made.cast(kind, safe=False)  # rounded to its digits
        except pa.ArrowInvalid:  # it may have too few of them for the masked values
            return made
    return made.cast(kind) if pa.types.is_float32(kind) else made


def from_positions(values: FloatArray, categories: tuple[Any, ...], kind: pa.DataType) -> pa.Array:
    """Return positions in a list of categories as those categories again; NaN is missing."""
    mask = np.isnan(values)
    indices = pa.array(np.where(mask, 0, np.rint(values)).astype(np.int64), mask=mask)
    value_type = kind.value_type if pa.types.is_dictionary(kind) else kind
    made = pa.array(list(categories), type=value_type).take(indices)
    return (
        pa.DictionaryArray.from_arrays(
            indices.cast(kind.index_type), pa.array(list(categories), type=value_type), ordered=kind.ordered
        )
        if pa.types.is_dictionary(kind)
        else made
    )


def to_codes(column: pa.ChunkedArray, facts: Column) -> Codes:
    """Return a column as codes; categories are the declared order, or the sorted values."""
    positions, values = to_positions(column)
    found = Codes(positions, tuple(values.to_pylist()) if len(values) else ())
    if pa.types.is_null(column.type):
        return Codes(positions, facts.categories or ())
    return _in_declared_order(found, facts) if facts.categories is not None else found


def to_positions(column: pa.ChunkedArray) -> tuple[IntArray, pa.Array]:
    """Return for each value its position among the sorted values of the column, -1 where missing; and these values."""
    near = _near_positions(column)
    if near is not None:
        return near
    array = column.unify_dictionaries().combine_chunks()
    if pa.types.is_null(array.type):
        return np.full(len(array), -1, dtype=np.int64), pa.nulls(0)
    encoded = _plain_dictionary(array) if pa.types.is_dictionary(array.type) else array.dictionary_encode()
    order = pc.sort_indices(encoded.dictionary)
    rank = np.empty(len(order) + 1, dtype=np.int64)
    rank[order.to_numpy()] = np.arange(len(order))
    rank[-1] = -1
    indices = encoded.indices
    if not pa.types.is_signed_integer(indices.type):
        indices = indices.cast(pa.int64())
    places = (indices.fill_null(-1) if indices.null_count else indices).to_numpy()
    is_sorted = bool((rank[:-1] == np.arange(len(order))).all())
    found, known = places.astype(np.int64) if is_sorted else rank.take(places), encoded.dictionary.take(order)
    del array, encoded, indices, places
    give_back(len(found))
    return found, known


def _near_positions(column: pa.ChunkedArray) -> tuple[IntArray, pa.Array] | None:
    """Do as :func:`to_positions` for whole numbers that lie near each other: what occurs is marked, and nothing is sorted."""
    kind, n = column.type, len(column)
    if not pa.types.is_integer(kind) or column.null_count == n:
        return None
    ends = pc.min_max(column).as_py()
    low, high = ends["min"], ends["max"]
    if high - low >= max(n, _FEW) or high >= 2**63:
        return None
    seen = np.zeros(high - low + 1, dtype=bool)
    for part in _blocks(column):
        seen[_whole(part.drop_null()) - low] = True
    place = np.cumsum(seen, dtype=np.int64) - 1
    found, start = np.empty(n, dtype=np.int64), 0
    for part in _blocks(column):
        here = found[start : start + len(part)]
        np.take(place, _whole(part.fill_null(low) if part.null_count else part) - low, out=here)
        if part.null_count:
            here[np.asarray(part.is_null())] = -1
        start += len(part)
    return found, pa.array(np.flatnonzero(seen) + low, kind)


def _blocks(column: pa.ChunkedArray) -> Iterator[pa.Array]:
    """Give a column some values at a time."""
    for chunk in column.chunks:
        for start in range(0, len(chunk), _BLOCK):
            yield chunk.slice(start, _BLOCK)


def _whole(values: pa.Array) -> IntArray:
    return np.asarray(values.to_numpy(), dtype=np.int64)


def _plain_dictionary(array: pa.DictionaryArray) -> pa.DictionaryArray:
    """Return a dictionary column whose dictionary has each value of the column once, and no others."""
    values = array.dictionary
    used = pc.unique(array.indices).drop_null()
    if len(used) == len(values) == pc.count_distinct(values, mode="only_valid").as_py():
        return array
    return array.cast(values.type).dictionary_encode()


def _in_declared_order(found: Codes, facts: Column) -> Codes:
    declared = facts.categories or ()
    place = {value: i for i, value in enumerate(declared)}
    unknown = [value for value in found.categories if value not in place]
    if unknown:
        raise DataError(
            f"Column '{facts.name}' has {len(unknown)} value(s) that are not among its declared categories.",
            details={"values": unknown},
        )
    shift = np.array([place[value] for value in found.categories] + [-1], dtype=np.int64)
    return Codes(shift[found.values], declared)


# --- missing codes ------------------------------------------------------------------------------------------------------


def take_out_missing(table: pa.Table, schema: Schema) -> tuple[pa.Table, dict[str, pa.Array]]:
    """Make values with a missing code (and NaN) null; return the codes beside the table."""
    codes: dict[str, pa.Array] = {}
    columns: list[pa.ChunkedArray] = []
    for given, field_, facts in zip(table.itercolumns(), table.schema, schema, strict=True):
        column = _common(given)
        if pa.types.is_floating(column.type) and pc.any(pc.is_nan(column)).as_py():
            column = pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), column)
        if facts.missing:
            hit = pc.fill_null(_is_code(column, facts.missing), False)
            if pc.any(hit).as_py():
                kept = _array(pc.if_else(hit, column, pa.scalar(None, column.type)))
                codes[facts.name] = kept.cast(long_type(field_)) if is_shortened(field_) else kept
                column = pc.if_else(hit, pa.scalar(None, column.type), column)
        columns.append(column)
    fields = [f if is_shortened(f) else pa.field(f.name, c.type) for f, c in zip(table.schema, columns, strict=True)]
    return (pa.Table.from_arrays(columns, schema=pa.schema(fields)) if columns else table), codes


def _common(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return rare forms of text and of numbers, for which Arrow lacks kernels, in the common form."""
    for rare, common in _COMMON_FORMS:
        if column.type == rare:
            return column.cast(common)
    return column


_COMMON_FORMS = (
    (pa.string_view(), pa.large_string()),
    (pa.binary_view(), pa.large_binary()),
    (pa.float16(), pa.float32()),
)


def _is_code(column: pa.ChunkedArray, missing: tuple[MissingCode, ...]) -> pa.ChunkedArray:
    """Return where a column has one of the codes; a code of another kind than the column never stands in it."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    hit: Any = pa.array(np.zeros(len(column), dtype=bool))
    text = pa.types.is_string(column.type) or pa.types.is_large_string(column.type)
    number = pa.types.is_integer(column.type) or pa.types.is_floating(column.type) or pa.types.is_decimal(column.type)
    for code in missing:
        if isinstance(code, tuple) and number:
            within = pc.and_(pc.greater_equal(column, code[0]), pc.less_equal(column, code[1]))
            hit = pc.or_kleene(hit, within)
        elif text if isinstance(code, str) else number and not isinstance(code, tuple):
            hit = pc.or_kleene(hit, pc.equal(column, pa.scalar(code)))
    return hit


def is_alike(column: pa.ChunkedArray, codes: pa.Array) -> bool:
    """Whether all missing values of a column have the same code."""
    return codes.null_count == len(column) - column.null_count and len(codes.drop_null().unique()) <= 1


def put_back_missing(table: pa.Table, codes: Mapping[str, pa.Array]) -> pa.Table:
    """Put missing codes back into columns whose type can hold them."""
    for name, code in codes.items():
        position = table.column_names.index(name)
        table = table.set_column(position, name, with_codes(table.column(position), code))
    return table


def with_codes(column: pa.ChunkedArray, code: pa.Array | None) -> pa.ChunkedArray:
    """Return a column with its missing codes, where its type can hold them."""
    if code is None or not _holds(column.type, code.type):
        return column
    return pc.coalesce(column, code.cast(column.type))


def _holds(column: pa.DataType, code: pa.DataType) -> bool:
    numbers = (pa.types.is_integer, pa.types.is_floating)
    both_numbers = any(test(column) for test in numbers) and any(test(code) for test in numbers)
    return both_numbers or column == code


def _array(column: Any) -> pa.Array:
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


# --- inference ----------------------------------------------------------------------------------------------------------


def infer_schema(table: pa.Table, declared: Mapping[str, Mapping[str, Any]]) -> Schema:
    """Complete what was declared of the columns by what their types say; all problems are reported at once."""
    names = table.column_names
    problems = [
        f"Column '{name}' is not in the data.{did_you_mean(name, names)}" for name in declared if name not in names
    ]
    problems += [
        f"Column '{f.name}' holds nested values, which cannot be masked; flatten it first."
        for f in table.schema
        if pa.types.is_nested(f.type) and not pa.types.is_dictionary(f.type)
    ]
    columns: list[Column] = []
    for name, kind in zip(names, table.schema.types, strict=True):
        facts: dict[str, Any] = {"scale": infer_scale(kind), **declared.get(name, {})}
        if pa.types.is_dictionary(kind) and kind.ordered and "categories" not in facts:
            position = len(columns)
            facts["categories"] = tuple(table.column(position).combine_chunks().dictionary.to_pylist())
        columns.append(Column(name=name, **facts))
    try:
        schema = Schema(tuple(columns))
    except SchemaError as error:
        raise SchemaError([*problems, *error.problems]) from None
    if problems:
        raise SchemaError(problems)
    return schema


def infer_scale(kind: pa.DataType) -> Scale:
    """Return the scale that a type suggests."""
    if pa.types.is_dictionary(kind):
        return "ordinal" if kind.ordered else "nominal"
    if pa.types.is_temporal(kind):
        return "date"
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return "numeric"
    return "nominal"


# --- fingerprint ----------------------------------------------------------------------------------------------------------


def fingerprint(columns: pa.Table | Iterable[tuple[str, pa.ChunkedArray]], rows: IntArray | None = None) -> str:
    """Return SHA-256 over names, types, missing patterns and values; how the table is cut into chunks does not matter.

    With ``rows``, of these rows in this order; columns, of a table or given with their names, are taken one at a time.
    """
    digest = hashlib.sha256()
    index = None if rows is None else pa.array(rows)
    pairs = zip(columns.column_names, columns.columns, strict=True) if isinstance(columns, pa.Table) else columns
    for name, column in pairs:
        array = _array(column if index is None else column.take(index))
        if pa.types.is_dictionary(array.type):
            array = array.cast(array.type.value_type)
        digest.update(f"{len(name)}:{name}:{array.type}:{len(array)};".encode())
        digest.update(np.packbits(np.asarray(array.is_null(), dtype=bool)).data)
        for part in _value_bytes(array):
            digest.update(part)
            del part
        length = len(array)
        del array, column
        give_back(length)
    return digest.hexdigest()


def _value_bytes(array: pa.Array) -> list[Any]:
    kind = array.type
    if pa.types.is_null(kind):
        return []
    if (
        pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_binary(kind)
        or pa.types.is_large_binary(kind)
    ):
        filled = array.fill_null(b"" if "binary" in str(kind) else "")
        lengths = pc.binary_length(filled).to_numpy().astype("<i8")
        # A fresh copy has its values side by side, without what lies under nulls or before a slice.
        fresh = pa.concat_arrays([filled, filled.slice(0, 0)]).take(pa.array(np.arange(len(filled))))
        data = fresh.buffers()[2]
        return [lengths.tobytes(), b"" if data is None else data.to_pybytes()[: int(lengths.sum())]]
    if pa.types.is_temporal(kind):
        array = array.view(pa.int32() if kind.bit_width == 32 else pa.int64())
    if pa.types.is_fixed_size_binary(kind):
        return _value_bytes(array.cast(pa.binary()))
    if pa.types.is_decimal(kind):
        array = array.cast(pa.string())
        return _value_bytes(array)
    filled = array.fill_null(False if pa.types.is_boolean(kind) else 0) if array.null_count else array
    return [np.ascontiguousarray(filled.to_numpy(zero_copy_only=False)).data]
