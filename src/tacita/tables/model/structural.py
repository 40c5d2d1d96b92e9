"""Cells that are empty by structure: combinations of codes that cannot occur, and everybody knows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tacita.core.arrays import BoolArray
from tacita.core.errors import DataError, ParameterError
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.grid import shape_of, spread
from tacita.tables.model.table import Table

__all__ = ["Structural", "check_structural", "structural_cells"]


Structural = Sequence[Mapping[str, str | Sequence[str]]]
"""Combinations of codes that cannot occur, such as ``[{"age": "0-14", "status": ["married", "widowed"]}]``."""


def structural_cells(dimensions: Sequence[Dimension], structural: Structural) -> BoolArray:
    """Return for each cell of the full cross product whether all its inner cells are among the combinations."""
    names = {dimension.name: place for place, dimension in enumerate(dimensions)}
    leaves = [np.array([d.places[leaf] for leaf in d.leaves], np.int64) for d in dimensions]
    marked = np.zeros([len(leaf) for leaf in leaves], bool)
    for combination in structural:
        if not combination:
            raise ParameterError("'structural': a combination of codes must name at least one dimension.")
        chosen = [np.arange(len(leaf)) for leaf in leaves]
        for name, labels in combination.items():
            if name not in names:
                raise ParameterError(f"'structural' names '{name}', which is no dimension of the table.")
            dimension = dimensions[names[name]]
            wanted = [labels] if isinstance(labels, str) else list(labels)
            lacking = [label for label in wanted if label not in dimension.places]
            if lacking:
                raise ParameterError(f"'structural': dimension '{name}' has no code '{lacking[0]}'.")
            below = frozenset().union(*(dimension.members[label] for label in wanted))
            chosen[names[name]] = np.flatnonzero([leaf in below for leaf in dimension.leaves])
        marked[np.ix_(*chosen)] = True
    places = np.nonzero(marked)
    codes = np.stack([leaf[place] for leaf, place in zip(leaves, places, strict=True)], axis=1)
    keys, (found,) = spread(dimensions, codes, [np.ones(len(codes))])
    sizes, _ = shape_of(dimensions)
    inner = np.ones(1)
    for dimension in dimensions:
        each = np.array([len(dimension.members[code]) for code in dimension.codes], np.float64)
        inner = (inner[:, None] * each).ravel()
    made = np.zeros(int(np.prod(sizes)), bool)
    made[keys] = found == inner[keys]
    return made


def check_structural(table: Table) -> None:
    """Raise when a record lies in a cell that cannot be."""
    if table.structural is None or table.counts is None:
        return
    filled = np.flatnonzero(table.structural & (table.counts > 0))
    if len(filled):
        named = "; ".join(table.title(cell) for cell in filled[:5].tolist())
        raise DataError(
            f"{len(filled)} cell(s) that 'structural' calls impossible have records: {named}. Correct the records or "
            "the list."
        )
