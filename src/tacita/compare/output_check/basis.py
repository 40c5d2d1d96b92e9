"""The basis of an output: which records stand behind each of its figures, recomputed from the data."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from tacita.compare.output_check.output import Output
from tacita.compare.output_check.universe import universe_rows
from tacita.core.arrays import BoolArray, IntArray
from tacita.core.errors import DataError
from tacita.data.microdata import Microdata
from tacita.numeric.keys.frequencies import find_patterns

__all__ = ["ALL", "MOST_CELLS", "OutputBasis", "Owners", "basis_of", "plain_label"]

ALL = "all"
"""The word for a total, and for the only figure of an output that nothing classifies."""

MOST_CELLS = 200_000


@dataclass(frozen=True, eq=False)
class Owners:
    """Whose each record is.

    Parameters
    ----------
    units
        (n,): number of the contributor.
    holdings
        (n,): number of the holding; None where the data have none.
    """

    units: IntArray = field(repr=False)
    holdings: IntArray | None = field(default=None, repr=False)

    @classmethod
    def of(cls, data: Microdata, contributor: str | None, holding: str | None) -> Owners:
        """Number contributors and holdings; who has no number is alone."""
        units = np.arange(len(data), dtype=np.int64) if contributor is None else _numbered(data, contributor)
        column = data.schema.household if holding is None else holding
        return cls(units, None if column is None else _numbered(data, column))


def _numbered(data: Microdata, column: str) -> IntArray:
    found = data.groups([column]).astype(np.int64)
    alone = data.is_missing(column)
    return np.where(alone, int(found.max(initial=0)) + 1 + np.arange(len(data)), found)


@dataclass(frozen=True, eq=False)
class OutputBasis:
    """The figures of an output and the records behind them.

    Parameters
    ----------
    output
        The output.
    dimensions
        Names of what classifies the figures.
    codes
        (c, d): for each figure its place in each dimension, -1 for a total.
    labels
        For each dimension the labels of its places.
    inner
        (n,): for each record the number of its inner group, -1 for records that the output is not about. Every figure is about
        some inner groups as a whole.
    starts, parts
        Figure i is about the inner groups ``parts[starts[i]:starts[i + 1]]``.
    shown
        (c,): figures that are to leave; others are hidden.
    """

    output: Output
    dimensions: tuple[str, ...]
    codes: IntArray = field(repr=False)
    labels: tuple[tuple[str, ...], ...] = field(repr=False)
    inner: IntArray = field(repr=False)
    starts: IntArray = field(repr=False)
    parts: IntArray = field(repr=False)
    shown: BoolArray = field(repr=False)

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def n_inner(self) -> int:
        """Number of inner groups."""
        return int(self.inner.max(initial=-1)) + 1

    def title(self, cell: int) -> str:
        """Name a figure by its labels."""
        named = [
            f"{name}={self.labels[j][code] if code >= 0 else ALL}"
            for j, (name, code) in enumerate(zip(self.dimensions, self.codes[cell].tolist(), strict=True))
        ]
        return ", ".join(named) or ALL

    def label(self, cell: int) -> tuple[str, ...]:
        """Return the labels of a figure, a dimension each."""
        return tuple(self.labels[j][code] if code >= 0 else ALL for j, code in enumerate(self.codes[cell].tolist()))

    @cached_property
    def pairs(self) -> tuple[IntArray, IntArray]:
        """Figures and the records behind them, one pair each, by figure."""
        order = np.argsort(self.inner, kind="stable").astype(np.int64)
        order = order[int((self.inner < 0).sum()) :]
        sizes = np.bincount(self.inner[order], minlength=self.n_inner)
        begins = np.concatenate([[0], np.cumsum(sizes)])
        lengths = sizes[self.parts]
        within = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        records = order[np.repeat(begins[self.parts], lengths) + within]
        cells = np.repeat(np.repeat(np.arange(len(self)), np.diff(self.starts)), lengths)
        return cells.astype(np.int64), records.astype(np.int64)

    def distinct(self, owners: IntArray) -> IntArray:
        """Return (c,): the number of distinct owners behind each figure."""
        cells, records = self.pairs
        words = np.unique(cells * (int(owners.max(initial=0)) + 1) + owners[records])
        return np.bincount(words // (int(owners.max(initial=0)) + 1), minlength=len(self)).astype(np.int64)

    @cached_property
    def records(self) -> IntArray:
        """(c,): the number of records behind each figure."""
        return np.bincount(self.pairs[0], minlength=len(self)).astype(np.int64)


def basis_of(output: Output, data: Microdata) -> OutputBasis | None:
    """Recompute what an output is based on; None where its description does not say it.

    Raises
    ------
    ColumnError
        When a column is not in the data.
    DataError
        When the output has far more figures than anybody could look at.
    """
    if output.kind in ("regression", "correlation", "test", "points"):
        return _single(output, data)
    if output.kind == "survival":
        return _survival(output, data)
    inside = _about(output, data)
    dimensions, columns, labels = _classified(output, data)
    if output.kind == "histogram":
        edges = np.array(output.bins)
        values = data.float(str(output.values))
        inside &= (values >= edges[0]) & (values <= edges[-1])
        place = np.minimum(np.searchsorted(edges, values, side="right") - 1, len(edges) - 2)
        columns.append(np.where(inside, place, -1).astype(np.int64))
        labels.append(tuple(f"{low:g} to {high:g}" for low, high in pairwise(edges.tolist())))
        dimensions = (*dimensions, f"{output.values} in")
    for column in columns:
        inside &= column >= 0
    return _grid(output, dimensions, columns, labels, inside, margins=output.margins)


def _about(output: Output, data: Microdata) -> BoolArray:
    """The records that have what the figures are about."""
    inside = universe_rows(data, output.universe, output.owner)
    for name in (output.values, output.denominator, output.weight):
        if name is not None:
            inside &= ~data.is_missing(name)
    return inside


def _classified(output: Output, data: Microdata) -> tuple[tuple[str, ...], list[IntArray], list[tuple[str, ...]]]:
    columns: list[IntArray] = []
    labels: list[tuple[str, ...]] = []
    for name in output.by:
        codes = data.codes(name)
        words = tuple(plain_label(value) for value in codes.categories)
        values = codes.values
        if output.keep_missing and (values < 0).any():
            values = np.where(values < 0, len(words), values)
            words = (*words, "missing")
        columns.append(values.astype(np.int64))
        labels.append(words)
    return output.by, columns, labels


def _grid(
    output: Output,
    dimensions: tuple[str, ...],
    columns: list[IntArray],
    labels: list[tuple[str, ...]],
    inside: BoolArray,
    *,
    margins: bool,
) -> OutputBasis:
    """Every combination of places that occur, and every total where there are margins."""
    n, d = len(inside), len(columns)
    inner = np.full(n, -1, np.int64)
    if d == 0:
        inner[inside] = 0
        some = int(inside.any())
        return OutputBasis(
            output,
            (),
            np.zeros((1, 0), np.int64),
            (),
            inner,
            np.array([0, some]),
            np.zeros(some, np.int64),
            np.ones(1, bool),
        )
    used = [np.unique(column[inside]) for column in columns]
    sizes = [len(places) for places in used]
    if float(np.prod([size + margins for size in sizes])) > MOST_CELLS:
        raise DataError(f"{output.owner}: it would have more than {MOST_CELLS} figures; nobody can check such a table.")
    local = [np.searchsorted(places, column[inside]) for places, column in zip(used, columns, strict=True)]
    if inside.any():
        found = find_patterns(zip((one.astype(np.int64) for one in local), sizes, strict=True))
        inner[inside] = found.labels
        groups = found.codes
    else:
        groups = np.zeros((0, d), np.int64)
    low = -1 if margins else 0
    axes = [np.arange(low, size) for size in sizes]
    codes = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, d).astype(np.int64)
    strides = np.cumprod([1, *[size - low for size in sizes[:0:-1]]])[::-1].astype(np.int64)
    masks = range(2**d) if margins else range(1)
    cells = [(np.where([(mask >> j) & 1 == 1 for j in range(d)], -1, groups) - low) @ strides for mask in masks]
    cell = np.concatenate(cells) if cells else np.zeros(0, np.int64)
    part = np.tile(np.arange(len(groups)), len(cells))
    order = np.lexsort((part, cell))
    starts = np.concatenate([[0], np.cumsum(np.bincount(cell, minlength=len(codes)))])
    kept = tuple(tuple(words[i] for i in places.tolist()) for places, words in zip(used, labels, strict=True))
    return OutputBasis(output, dimensions, codes, kept, inner, starts, part[order], np.ones(len(codes), bool))


def _single(output: Output, data: Microdata) -> OutputBasis | None:
    """One figure about all records that a model, a correlation or a test uses."""
    needed = [name for name in (output.dependent, *output.variables, output.weight) if name]
    if not needed and output.universe is None:
        return None
    inside = universe_rows(data, output.universe, output.owner)
    for name in needed:
        inside &= ~data.is_missing(name)
    return _grid(output, (), [], [], inside, margins=False)


def _survival(output: Output, data: Microdata) -> OutputBasis:
    """Events and withdrawals in each interval of the curve, and who is at risk where it ends."""
    time, event = data.float(str(output.time)), _flag(data, str(output.event))
    inside = universe_rows(data, output.universe, output.owner) & ~np.isnan(time) & ~data.is_missing(str(output.event))
    shown = output.times if output.times is not None else np.unique(time[inside & event])
    edges = np.unique(np.asarray(shown, np.float64))
    if not len(edges):
        raise DataError(f"{output.owner}: a survival curve needs an event, or the times that are shown.")
    dimensions, columns, labels = _classified(output, data)
    for column in columns:
        inside &= column >= 0
    place = np.searchsorted(edges, time, side="left").astype(np.int64)  # in (edge before, edge]
    words = [f"up to {edge:g}" for edge in edges] + [f"after {edges[-1]:g}"]
    outcome = np.where(place == len(edges), 0, np.where(event, 1, 2)).astype(np.int64)
    return _grid(
        output,
        (*dimensions, str(output.time), "leaves by"),
        [*columns, place, outcome],
        [*labels, tuple(words), ("still at risk", "event", "withdrawal")],
        inside,
        margins=False,
    )


def _flag(data: Microdata, name: str) -> BoolArray:
    if data.schema[name].scale == "numeric":
        return np.asarray(np.nan_to_num(data.float(name)) != 0, bool)
    codes = data.codes(name)
    yes = np.array([str(one).lower() in {"1", "1.0", "true", "yes"} for one in codes.categories] + [False], bool)
    return yes[codes.values]


def plain_label(value: Any) -> str:
    """Write a value as a label: a whole number has no decimals, whatever the type of its column."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
