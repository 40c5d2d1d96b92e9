"""Traces: what a release carries beside its masked values that leads back to persons, to file order or to other releases."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa

from tacita.core.arrays import BoolArray, IntArray
from tacita.data.columns import same_buffers, to_floats, to_positions
from tacita.data.microdata import Microdata
from tacita.data.pairing import pair_records
from tacita.data.schema import Column

__all__ = ["NEARLY_UNIQUE", "Trace", "WeightTrace", "find_traces", "unique_share", "weight_trace"]


NEARLY_UNIQUE = 50
"""A column counts as nearly unique when this percentage of the records has a value that no other record has."""
_MANY = 20
"""Sorted columns with no more values than these only say in which block of the file a record was."""
_WORDS = {
    "unique": (
        "has a value that no other record has in {share:.0f} % of the records (named from {limit} % on): whoever knows it "
        "finds the person"
    ),
    "order": "goes up or down with the rows of the original file, so it undoes their shuffling",
    "member": "numbers the members of each household in the order of the file",
}


@dataclass(frozen=True)
class Trace:
    """A column without a role that tells more than it seems to.

    Parameters
    ----------
    column
        Its name.
    kind
        ``unique``: most records have a value of their own. ``order``: it is sorted like the file. ``member``: it numbers
        the members of a household in file order.
    share
        Percentage of the records it holds for.
    """

    column: str
    kind: Literal["unique", "order", "member"]
    share: float

    def __str__(self) -> str:
        return f"Column '{self.column}' {_WORDS[self.kind].format(share=self.share, limit=NEARLY_UNIQUE)}."


@dataclass(frozen=True)
class WeightTrace:
    """How far the weight singles out records.

    Parameters
    ----------
    column
        The weight.
    unique
        Percentage of the released records with a weight that no other has.
    unique_with_keys
        The same for weight and key variables together.
    kept
        Percentage of the records that have the weight of the original still; None where that is not known.
    """

    column: str
    unique: float
    unique_with_keys: float
    kept: float | None = None

    def __str__(self) -> str:
        start = f"The weight '{self.column}' is that of no other record in {_percent(self.unique)} of the records, "
        start += f"together with the keys in {_percent(self.unique_with_keys)}."
        if self.kept is None:
            return start
        if self.kept == 0:
            return f"{start} No record has its original weight."
        return (
            f"{start} It is the original weight in {_percent(self.kept)} of the records: releases of the same file can be "
            "linked by it. The masks 'weight_rounding', 'weight_noise' and 'calibrate' change it."
        )


def _percent(share: float) -> str:
    return f"{share:.0f} %" if share == 0 or share >= 0.5 else "less than 1 %"


def unique_share(labels: IntArray, among: BoolArray | None = None) -> float:
    """Return the percentage of records whose label no other record has. O(n) time and memory."""
    if not len(labels):
        return 0.0
    alone = np.bincount(labels)[labels] == 1
    return 100 * float((alone if among is None else alone & among).mean())


def find_traces(original: Microdata, released: Microdata, *, without: Collection[str] = ()) -> tuple[Trace, ...]:
    """Find the columns with the role ``other`` that single out records or tell the order of the file.

    Parameters
    ----------
    original
        The data before masking.
    released
        The masked data, in the order of the original.
    without
        Columns not to look at, because they get new numbers anyway.

    Notes
    -----
    A value that a mask has changed leads nobody to the person, so only values that are as they were count.
    """
    found: list[Trace] = []
    for column in released.schema:
        if set(column.roles) == {"other"} and column.name not in without and len(released) > 1:
            found += _traces_of(column, original, released)
    return tuple(found)


def _traces_of(column: Column, original: Microdata, released: Microdata) -> list[Trace]:
    name = column.name
    there = ~released.is_missing(name)
    same = _unchanged(original, released, name) & there
    found: list[Trace] = []
    share = unique_share(released.groups([name]), same)
    if share >= NEARLY_UNIQUE:
        found.append(Trace(name, "unique", share))
    codes = to_positions(_values(released, name))[0]
    if _is_sorted(codes[same]) and same.mean() > 0.5:
        found.append(Trace(name, "order", 100 * float(same.mean())))
    elif column.scale == "numeric" and _numbers_members(released, name):
        found.append(Trace(name, "member", 100.0))
    return found


def _unchanged(original: Microdata, released: Microdata, name: str) -> BoolArray:
    """Return which records have the value of their original; all of them where that is not known."""
    if name not in original.schema or released.source != original.source:
        return np.ones(len(released), dtype=bool)
    is_whole = original.has_all_rows and released.has_all_rows and len(original) == len(released)
    if is_whole and same_buffers(_values(original, name), _values(released, name)):
        return np.asarray(_values(released, name).is_valid())
    pair = pair_records(original, released, "link")
    before, old = to_positions(_values(original, name))
    after, new = to_positions(_values(released, name))
    known, found = old.to_pylist(), new.to_pylist()
    place = {value: number for number, value in enumerate(dict.fromkeys([*known, *found]))}
    left = np.array([*(place[value] for value in known), -1], dtype=np.int64)[before[pair.rows]]
    right = np.array([*(place[value] for value in found), -2], dtype=np.int64)
    same = np.zeros(len(released), dtype=bool)
    same[pair.masked_rows] = left == right[after[pair.masked_rows]]
    return same


def _values(data: Microdata, name: str) -> pa.ChunkedArray:
    return data.column(name)


def _is_sorted(positions: IntArray) -> bool:
    if len(np.unique(positions)) <= _MANY:
        return False
    steps = np.diff(positions)
    return bool((steps >= 0).all() or (steps <= 0).all())


def _numbers_members(data: Microdata, name: str) -> bool:
    """Whether a column counts 1, 2, 3, ... within each household, down the file."""
    household = data.schema.household
    if household is None:
        return False
    groups = data.groups([household])
    order = np.argsort(groups, kind="stable")
    sorted_groups = groups[order]
    starts = np.flatnonzero(np.r_[True, np.diff(sorted_groups) != 0])
    sizes = np.diff(np.r_[starts, len(order)])
    counted = np.arange(len(order)) - np.repeat(starts, sizes) + 1
    return bool((sizes > 1).any()) and bool(np.array_equal(to_floats(_values(data, name), name)[order], counted))


def weight_trace(original: Microdata, released: Microdata) -> WeightTrace | None:
    """Measure how far the weight of a release singles out records; None where it has no weight.

    Parameters
    ----------
    original
        The data before masking; only whether its weights were kept is taken from it.
    released
        The masked data.
    """
    name = released.schema.weight
    if name is None or not len(released):
        return None
    kept: float | None = None
    if name in original.schema and released.source == original.source:
        kept = 100 * float(_unchanged(original, released, name).mean())
    keys = [key for key in released.schema.keys if key != name]
    unique, unique_with_keys = released.remembered(
        "weight trace",
        lambda: tuple(100 * (released.count_single(some) / len(released)) for some in ([name], [name, *keys])),
        of=[name, *keys],
        is_small=True,
    )
    return WeightTrace(name, unique, unique_with_keys, kept)
