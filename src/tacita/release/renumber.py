"""Renumbering: numbers that only say which records belong together get new ones, drawn at random, before they leave.

A household number that leaves as it was undoes the shuffling of the rows: files are mostly sorted by it. It also links
a release with every other file that has the same number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.arrays import IntArray, PlaceArray
from tacita.core.errors import DataError
from tacita.data.microdata import Microdata
from tacita.data.schema import Column

__all__ = ["MANY_STRATA", "Renumbering", "renumber", "renumbered_columns"]

Draw = Callable[[str], np.random.Generator]

_FEW = 1000
MANY_STRATA = 20
"""A stratum that is a whole number without a description counts as a mere number when it has more values than these."""


@dataclass(frozen=True, eq=False)
class Renumbering:
    """Which new number stands for which old one; it belongs to the internal link of a release.

    Parameters
    ----------
    numbers
        For each renumbered column the old values and the new number of each. Old values are text; those that are whole numbers in
        the usual form lie as numbers, which takes a third of the memory.
    """

    numbers: Mapping[str, tuple[pa.Array, IntArray | PlaceArray]] = field(default_factory=dict, repr=False)

    @property
    def columns(self) -> tuple[str, ...]:
        """The renumbered columns."""
        return tuple(self.numbers)

    def to_arrow(self) -> pa.Table:
        """Return one row for each column and number, for the internal side."""
        names = [name for name, (old, _) in self.numbers.items() for _ in range(len(old))]
        old = pa.concat_arrays(
            [pa.array([], pa.string()), *(old.cast(pa.string()) for old, _ in self.numbers.values())]
        )
        new = np.concatenate([np.zeros(0, dtype=np.int64), *(new for _, new in self.numbers.values())])
        return pa.table({"column": pa.array(names, pa.string()), "original": old, "released": new})

    @classmethod
    def from_arrow(cls, table: pa.Table) -> Renumbering:
        """Read what :meth:`to_arrow` gave."""
        found: dict[str, tuple[pa.Array, IntArray | PlaceArray]] = {}
        for name in pc.unique(table.column("column")).to_pylist():
            part = table.filter(pc.equal(table.column("column"), name))
            new = np.asarray(part.column("released").to_numpy(), dtype=np.int64)
            found[name] = _in_little(part.column("original").combine_chunks().cast(pa.string()), new)
        return cls(found)

    def undo(self, released: Microdata, original: Microdata) -> Microdata:
        """Return released data with the numbers of the original again.

        Raises
        ------
        DataError
            When a released number is not among those that the link has.
        """
        for name, (old, new) in self.numbers.items():
            if name not in released.schema or name not in original.schema:
                continue
            texts = _texts(released, name)
            place = pc.index_in(texts, value_set=pa.array(new).cast(pa.string()))
            if place.null_count != texts.null_count:
                raise DataError(f"Column '{name}' has numbers that the link of the release does not know.")
            kind = original.type_of(name)
            values = _of_kind(old.take(place).cast(pa.string()), kind)
            released = released.with_column(name, values, column=original.schema[name])
        return released


def renumbered_columns(data: Microdata) -> tuple[str, ...]:
    """Return the columns whose numbers say nothing but which records belong together.

    These are the household, clusters, strata that are mere numbers (whole, without labels, categories and hierarchy, and
    more than 20 of them), and columns without a role that repeat one of these record by record.
    """
    chosen = [c.name for c in data.schema if {"household", "cluster"}.intersection(c.roles) or _is_number(c, data)]
    taken = tuple(chosen)
    for column in data.schema:
        may_repeat = (
            set(column.roles) <= {"other", "stratum"} and not column.public and _can_be_number(data, column.name)
        )
        if column.name not in taken and may_repeat and _repeats(data, column.name, taken):
            chosen.append(column.name)
    return tuple(name for name in data.names if name in chosen)


def _can_be_number(data: Microdata, name: str) -> bool:
    kind = data.type_of(name)
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return bool(_is_text(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def _repeats(data: Microdata, name: str, others: Iterable[str]) -> bool:
    """Whether a column has the numbers of another one, record by record; its first records tell most apart."""
    few = data.select([name, *others]).take(np.arange(min(len(data), _FEW)))
    alike = [other for other in others if _texts(few, other).equals(_texts(few, name))]
    if not alike:
        return False
    texts = _texts(data, name)
    return texts.null_count < len(texts) and any(texts.equals(_texts(data, other)) for other in alike)


def _is_number(column: Column, data: Microdata) -> bool:
    if set(column.roles) - {"stratum", "other"} or "stratum" not in column.roles:
        return False
    if not _can_be_number(data, column.name):
        return False
    if column.public or column.labels or column.categories is not None or column.hierarchy is not None:
        return False
    different = pc.unique(_texts(data, column.name)).drop_null()
    return len(different) > MANY_STRATA and bool(pc.all(pc.match_substring_regex(different, r"^\d+$")).as_py())


def renumber(data: Microdata, draw: Draw) -> tuple[Microdata, Renumbering]:
    """Give households, clusters and the like new numbers 1, 2, 3, ... in random order. O(n log n) time, O(n) memory.

    Parameters
    ----------
    data
        What is to leave.
    draw
        Gives the random stream for the columns that share numbers, by their names.

    Returns
    -------
    tuple of Microdata and Renumbering
        The data with other numbers, and which number stands for which.

    Notes
    -----
    Columns that have a number in common share one list, so that a person's reference to a household or a partner still
    leads there. Types and missing values stay; a new number is never one of the column's missing codes. Descriptions of
    the old numbers (labels, categories, hierarchy, bounds) go.
    """
    made, found = data, {}
    for names in _sharing(data, renumbered_columns(data)):
        texts = {name: _texts(data, name) for name in names}
        old = pc.unique(pa.concat_arrays(list(texts.values()))).drop_null()
        # Sorted first: the order in which numbers occur in the file must not decide which new ones they get.
        old = old.take(pc.sort_indices(old))
        free = _free_numbers(len(old), [data.schema[name] for name in names])
        new = draw(", ".join(names)).permutation(free)
        for name in names:
            own = pc.index_in(texts[name], value_set=old)
            kind = data.type_of(name)
            values = _of_kind(pa.array(new).take(own), kind)
            made = made.with_column(name, values, column=_bare(data.schema[name]))
            used = np.unique(own.drop_null().to_numpy())
            found[name] = _in_little(old.take(pa.array(used)), new[used])
    return made, Renumbering({name: found[name] for name in data.names if name in found})


def _in_little(old: pa.StringArray, new: IntArray) -> tuple[pa.Array, IntArray | PlaceArray]:
    """Return old values as whole numbers where these say the same, and both in as few bytes as they need."""
    small: IntArray | PlaceArray = new.astype(np.int32) if len(new) and new.max() < 2**31 else new
    if not len(old) or not pc.all(pc.match_substring_regex(old, r"^(0|[1-9]\d{0,17})$")).as_py():
        return old, small
    numbers = old.cast(pa.int64())
    fits = pc.max(numbers).as_py() < 2**31
    return (numbers.cast(pa.int32()) if fits else numbers), small


def _sharing(data: Microdata, names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Give the columns in groups that have numbers in common."""
    if len(names) == 1:
        yield tuple(names)
        return
    groups: list[tuple[list[str], set[str]]] = []
    for name in names:
        values = set(pc.unique(_texts(data, name)).drop_null().to_pylist())
        joined, rest = ([name], values), []
        for group in groups:
            if group[1] & joined[1]:
                joined = ([*group[0], *joined[0]], group[1] | joined[1])
            else:
                rest.append(group)
        groups = [*rest, joined]
    yield from (tuple(members) for members, _ in groups)


def _texts(data: Microdata, name: str) -> pa.Array:
    """Return a column as text, the same for 17, 17.0 and "17"."""
    column = data.column(name)
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    texts = column.cast(pa.string()).combine_chunks()
    if _is_text(column.type) or pa.types.is_integer(column.type):
        return texts
    return pc.replace_substring_regex(texts, r"^(-?\d+)\.0+$", r"\1")


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _free_numbers(count: int, columns: Sequence[Column]) -> IntArray:
    """Return the first whole numbers from 1 on that no column takes for a missing code."""
    codes = [code for column in columns for code in column.missing]
    if not codes:
        return np.arange(1, count + 1, dtype=np.int64)
    single = {str(code) for code in codes if not isinstance(code, tuple)}
    single |= {str(int(code)) for code in codes if isinstance(code, float) and code.is_integer()}
    spans = [code for code in codes if isinstance(code, tuple)]
    found: list[int] = []
    number = 0
    while len(found) < count:  # ends: a range is jumped over at once, and there are finitely many codes
        number += 1
        beyond = [high for low, high in spans if low <= number <= high]
        if beyond:
            if not np.isfinite(max(beyond)):
                raise DataError(
                    f"Column '{columns[0].name}': its missing codes leave no numbers for its households; narrow their range."
                )
            number = int(np.floor(max(beyond)))
        elif str(number) not in single:
            found.append(number)
    return np.array(found, dtype=np.int64)


def _of_kind(numbers: pa.Array, kind: pa.DataType) -> pa.Array:
    """Return numbers, in text form or not, as a column of some type, or of whole numbers where the type cannot hold them."""
    held = kind.value_type if pa.types.is_dictionary(kind) else kind
    given = numbers if pa.types.is_integer(held) else numbers.cast(pa.string())
    try:
        values = given.cast(held)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        values = numbers.cast(pa.int64())
    return values.dictionary_encode() if pa.types.is_dictionary(kind) else values


def _bare(column: Column) -> Column:
    """Return the description of a column without what it says about its old numbers."""
    kept: dict[str, Any] = {"categories": None, "hierarchy": None, "bounds": None}
    codes = {code for code in column.missing if not isinstance(code, tuple)}
    kept["labels"] = tuple(pair for pair in column.labels if pair[0] in codes)
    return replace(column, **kept, scale="nominal" if column.scale == "date" else column.scale)
