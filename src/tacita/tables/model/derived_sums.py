"""The sums of a table that somebody else wrote down: those that follow from its dimensions hold, stated or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import DataError
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.from_cells import TOTAL_WORDS
from tacita.tables.model.grid import sums_among
from tacita.tables.model.relations import Relations
from tacita.tables.model.table import Table

__all__ = ["DerivedSums", "derive_sums", "possible_total", "untold_sums"]


_NAMED = 5


@dataclass(frozen=True, eq=False)
class DerivedSums:
    """The sums of a table, and where they come from.

    Parameters
    ----------
    relations
        Those that were stated, in their order, then those that were not and follow from the dimensions.
    added
        How many were not stated.
    trusted
        How many were stated and follow from nothing: an attacker who does not know them learns less.
    cut
        Cells whose sum has some of its parts in the table, and nobody says that the others are empty.
    """

    relations: Relations
    added: int
    trusted: int
    cut: IntArray


def derive_sums(
    dimensions: Sequence[Dimension], codes: IntArray, parts: IntArray | None, stated: Relations
) -> DerivedSums:
    """Put what is stated and what follows from the dimensions together.

    A reader who has all parts of a sum and its total knows the sum, whatever a file says. Of a sum with some parts only,
    the statement is needed: the others are empty if the sum is stated without them.

    Raises
    ------
    ParameterError
        When two cells have the same codes.

    Complexity
    ----------
    O(entries of the relations) time and memory, and a look-up for each relation.
    """
    found, is_whole = sums_among(dimensions, codes, parts)
    length = np.diff(found.start)
    told, keys = _keys(stated), _keys(found)
    known = set(told)
    is_stated = np.array([key in known for key in keys], bool)
    new = is_whole & ~is_stated & (length > 1)
    first = np.repeat(np.arange(len(found)), length)
    cut = ~is_whole & ~is_stated & (length > 1)
    totals = found.cells[found.signs < 0]
    explained = set(keys)
    return DerivedSums(
        Relations(
            np.concatenate([stated.start, stated.start[-1] + np.cumsum(length[new])]).astype(np.int64),
            np.concatenate([stated.cells, found.cells[new[first]]]).astype(np.int64),
            np.concatenate([stated.signs, found.signs[new[first]]]),
            found.size,
        ),
        int(new.sum()),
        sum(key not in explained for key in told),
        totals[cut].astype(np.int64),
    )


def _keys(relations: Relations) -> list[bytes]:
    """A key for each relation that does not depend on the order of its cells, nor on a common factor."""
    length = np.diff(relations.start)
    row = np.repeat(np.arange(len(relations)), length)
    order = np.lexsort((relations.cells, row))
    cells, signs = relations.cells[order], relations.signs[order]
    first = signs[np.minimum(relations.start[:-1], max(len(signs) - 1, 0))] if len(signs) else np.ones(len(relations))
    unit = np.where(first == 0, 1.0, first)
    plain = np.stack([cells.astype(np.float64), signs / unit[row]], axis=1)
    ends = relations.start.tolist()
    return [plain[a:b].tobytes() for a, b in pairwise(ends)]


def untold_sums(table: Table, published: BoolArray) -> list[str]:
    """Say which dimensions have codes that no sum ties to the others.

    Raises
    ------
    DataError
        When such a code is called a total, or has the sum of all others wherever that can be seen: then sums are missing.
    """
    told = []
    for axis, dimension in enumerate(table.dimensions):
        tops = _tops(dimension)
        if len(tops) < 2 or _is_one_piece(dimension):
            continue
        totals = {code for code, _ in dimension.sums}
        named = [code for code in tops if code.strip().lower() in TOTAL_WORDS and code not in totals]
        total = named[0] if named else _sum_of_others(table, axis, tops, published)
        if total is not None:
            raise DataError(
                f"Dimension '{dimension.name}' does not say what '{total}' is the sum of; give it its sums, or leave the "
                "code out if it is none."
            )
        if dimension.sums or not _is_tied(table, axis):
            shown = ", ".join(f"'{code}'" for code in tops[:_NAMED]) + (" and more" if len(tops) > _NAMED else "")
            told.append(f"Dimension '{dimension.name}' has no sum over {shown}.")
    return told


def _tops(dimension: Dimension) -> list[str]:
    """Codes that are part of nothing."""
    parts = {part for _, of in dimension.sums for part in of}
    return [code for code in dimension.codes if code not in parts]


def _is_one_piece(dimension: Dimension) -> bool:
    """Whether sums tie all codes of a dimension together."""
    group = {code: {code} for code in dimension.codes}
    for total, parts in dimension.sums:
        joined = set().union(*(group[code] for code in (total, *parts)))
        group |= dict.fromkeys(joined, joined)
    return len(group[dimension.codes[0]]) == len(dimension.codes)


def _is_tied(table: Table, axis: int) -> bool:
    """Whether relations tie cells of different codes of a dimension together, whatever the dimension says."""
    code = table.codes[:, axis]
    length = np.diff(table.relations.start)
    row = np.repeat(np.arange(len(table.relations)), length)
    first = code[table.relations.cells[np.minimum(table.relations.start[:-1], len(row) - 1)]] if len(row) else code[:0]
    return bool((code[table.relations.cells] != first[row]).any()) if len(row) else False


def possible_total(table: Table, axis: int, codes: Sequence[str], published: BoolArray) -> str | None:
    """Return a code that is at least the sum of the other published ones wherever it is published itself; None for none.

    A code whose total has another name than those that are known looks like this.
    """
    values, names = _side_by_side(table, axis, codes, published)
    if len(names) < 2 or bool((values < 0).any()):
        return None
    there = np.isfinite(values)
    known = np.where(there, values, 0.0)
    others = known.sum(axis=1, keepdims=True) - known
    compared = there & (others > 0)
    is_least = ~compared | (known >= others * (1 - 1e-9))
    fits = is_least.all(axis=0) & compared.any(axis=0)
    return next((name for name, yes in zip(names, fits.tolist(), strict=True) if yes), None)


def _sum_of_others(table: Table, axis: int, tops: Sequence[str], published: BoolArray) -> str | None:
    """A code that has the sum of the other uppermost ones in every place where all of them are published."""
    values, names = _side_by_side(table, axis, tops, published)
    values = values[np.isfinite(values).all(axis=1) & (values != 0).any(axis=1)]
    if not len(values) or len(names) < 3:
        return None
    half = np.abs(2 * values - values.sum(axis=1, keepdims=True))
    is_sum = (half <= 1e-9 * np.abs(values).sum(axis=1, keepdims=True)).all(axis=0)
    return next((name for name, yes in zip(names, is_sum.tolist(), strict=True) if yes), None)


def _side_by_side(table: Table, axis: int, codes: Sequence[str], published: BoolArray) -> tuple[FloatArray, list[str]]:
    """The published values of some codes of a dimension, a column each, and a row for each place in the others."""
    places = np.sort([table.dimensions[axis].places[code] for code in codes])
    part = np.zeros(len(table), np.int64) if table.parts is None else table.parts
    rest = np.column_stack([part, np.delete(table.codes, axis, axis=1)])
    inside = np.isin(table.codes[:, axis], places)
    _, group = np.unique(rest[inside], axis=0, return_inverse=True)
    values = np.full((int(group.max(initial=-1)) + 1, len(places)), np.nan)
    column = np.searchsorted(places, table.codes[inside, axis])
    values[group.ravel(), column] = np.where(published[inside], table.values[inside], np.nan)
    return values, [table.dimensions[axis].codes[place] for place in places.tolist()]
