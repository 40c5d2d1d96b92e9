"""Cells that a CSV file does not list: a total is then not published, and one with a word of its own is not overlooked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from tacita.core.arrays import BoolArray, IntArray
from tacita.core.errors import FileError, ParameterError, did_you_mean
from tacita.tables.files.read_write import TableFile
from tacita.tables.model.derived_sums import possible_total
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.from_cells import flat_dimension, follows
from tacita.tables.model.grid import shape_of
from tacita.tables.model.table import Table

__all__ = ["cells_of_rows", "given_by_name", "inner_unlisted", "with_total", "with_unlisted"]


def given_by_name(dimensions: Sequence[Dimension | str] | None, own: Sequence[str]) -> set[str]:
    """Dimensions of which nothing is known but the codes."""
    return set(own) if dimensions is None else {item for item in dimensions if isinstance(item, str)}


def with_total(
    path: Path, item: Dimension | str, labels: Mapping[str, Sequence[str]], totals: Mapping[str, str]
) -> Dimension:
    """The dimension of a column; its total is the one that was given, or found by its name."""
    if isinstance(item, Dimension):
        return item
    total = totals.get(item) or None
    if total is not None and total not in labels[item]:
        raise ParameterError(
            f"'totals' says that '{total}' is the total of '{item}', but no row of '{path.name}' has it."
            f"{did_you_mean(total, set(labels[item]))}"
        )
    return flat_dimension(item, labels[item], total)


def with_unlisted(
    path: Path, found: TableFile, labels: Mapping[str, Sequence[str]], by_name: Sequence[str], absent_is_empty: bool
) -> TableFile:
    """Say which cells are neither listed nor follow from published ones; a total with another name is refused."""
    table = found.table
    hidden = np.zeros(len(table), bool) if found.hidden is None else found.hidden
    listed = np.zeros(len(table), bool)
    listed[cells_of_rows(table, labels)] = True
    shown = (listed | (inner_unlisted(table, listed) if absent_is_empty else False)) & ~hidden
    unlisted = ~follows(table.relations, shown) & ~hidden
    notes = []
    for axis, dimension in enumerate(table.dimensions):
        if dimension.name not in by_name or dimension.total in labels[dimension.name]:
            continue
        total = possible_total(table, axis, dimension.leaves, listed & ~hidden) if unlisted.any() else None
        if total is not None:
            raise FileError(
                f"'{path.name}' lists no total of '{dimension.name}', but '{total}' could be one: it is nowhere less than all "
                f"others together. Say which code is the total, or that none is: totals={{'{dimension.name}': '{total}'}} or "
                f"'' (--total {dimension.name}={total} or {dimension.name}=)."
            )
        notes.append(
            f"No total of '{dimension.name}' is listed: its codes are taken for parts of a total that is not published, "
            "and none for a sum of others."
        )
    if unlisted.any():
        notes.append(f"{int(unlisted.sum())} cells are not listed and do not follow: they count as not published.")
    return replace(found, unlisted=unlisted if unlisted.any() else None, notes=(*found.notes, *notes))


def inner_unlisted(table: Table, listed: BoolArray) -> BoolArray:
    """Inner cells that are not listed."""
    totals = np.zeros(len(table), bool)
    totals[table.relations.cells[table.relations.signs < 0]] = True
    return ~listed & ~totals


def cells_of_rows(table: Table, labels: Mapping[str, Sequence[str]]) -> IntArray:
    """The cell of each row."""
    _, strides = shape_of(table.dimensions)
    cell = np.zeros(len(next(iter(labels.values()))), np.int64)
    for dimension, stride in zip(table.dimensions, strides.tolist(), strict=True):
        cell += stride * np.array([dimension.places[label] for label in labels[dimension.name]], np.int64)
    return cell
