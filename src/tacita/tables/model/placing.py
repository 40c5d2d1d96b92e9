"""From the values of classifying columns to dimensions, and to the places of inner cells in them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.errors import DataError, SchemaError
from tacita.data.schema import Column
from tacita.data.tabulate import Tally
from tacita.tables.model.dimension import TOTAL, Dimension

__all__ = ["MISSING", "placed"]


MISSING = "missing"
"""The code of records that have none."""


def placed(found: Tally, by: Sequence[str | Dimension], *, total: str = TOTAL) -> tuple[list[Dimension], IntArray]:
    """Return the dimensions, and the codes of the inner cells as positions in them.

    Parameters
    ----------
    found
        The inner cells.
    by
        Columns that take their hierarchy or their values, or dimensions of their own.
    total
        Code of the total of a column that does not bring one.

    Raises
    ------
    SchemaError
        When values are not among the codes of a dimension, or one is the name of the total.
    DataError
        When there are no records and nothing else says which codes there are.
    """
    dimensions, columns, problems = [], [], []
    odd: dict[str, list[str]] = {}
    for place, (item, column, values) in enumerate(zip(by, found.columns, found.categories, strict=True)):
        if not isinstance(item, Dimension) and column.hierarchy is None and not len(found.codes):
            raise DataError(
                f"The data have no records, so nothing says which codes '{column.name}' has; give a hierarchy or a Dimension, "
                "or check what was read."
            )
        dimension = item if isinstance(item, Dimension) else _dimension(column, values, total)
        position = found.codes[:, place]
        used = np.unique(position)
        if len(used) and used[0] < 0:
            dimension = _with_missing(dimension)
        leaves = set(dimension.leaves)
        used_values = [values[i] for i in used[used >= 0].tolist()]
        unknown = [value for value in used_values if value not in dimension.places]
        coarse = [value for value in used_values if value in dimension.places and value not in leaves]
        if unknown:
            odd[dimension.name] = unknown
            problems.append(
                f"Column '{dimension.name}' has {len(unknown)} value(s) that are not among the codes of its dimension; "
                "add them to the hierarchy, or declare them as missing."
            )
        problems += [
            f"Column '{dimension.name}' has records with '{code}', which is a sum of other codes; records need a code "
            "without parts."
            for code in coarse
        ]
        at = [dimension.places.get(value, -1) for value in values]
        columns.append(np.array([*at, dimension.places.get(MISSING, -1)], np.int64)[position])
        dimensions.append(dimension)
    if problems:
        raise SchemaError(problems, details={"values": odd})
    return dimensions, np.stack(columns, axis=1)


def _dimension(column: Column, values: Sequence[str], total: str) -> Dimension:
    tree = column.hierarchy
    used = {code for row in tree.rows for code in row} if tree is not None else set(values)
    has_top = tree is not None and tree.depth > 1 and len({row[-1] for row in tree.rows}) == 1
    if total in used and not has_top:
        raise SchemaError(
            [
                f"Column '{column.name}' has a code '{total}', which is also the name of the total; give the total another name "
                "with total=..."
            ]
        )
    if tree is not None:
        return Dimension.from_hierarchy(column.name, tree, total=total)
    return Dimension.flat(column.name, dict.fromkeys(values) or (MISSING,), total=total)


def _with_missing(dimension: Dimension) -> Dimension:
    """Add the code of records without a code, under the total where there is one."""
    if MISSING in dimension.places:
        return dimension
    top = dimension.total
    sums = tuple((total, (*parts, MISSING) if total == top else parts) for total, parts in dimension.sums)
    return Dimension(dimension.name, (*dimension.codes, MISSING), sums)
