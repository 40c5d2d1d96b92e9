"""Margins: which totals of a file are to be kept, and what each record contributes to them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.core.parameters import Columns
from tacita.data.keys.patterns import key_patterns
from tacita.data.microdata import Microdata

if TYPE_CHECKING:
    from tacita.numeric.keys.frequencies import Patterns

__all__ = ["AuxiliaryMatrix", "Target", "contributions", "described", "margin_targets"]


@dataclass(frozen=True)
class Target:
    """One total that weights are to give.

    Parameters
    ----------
    columns
        The columns of the margin that the cell belongs to, or the one numeric column that is summed up; none for the sum
        of the weights.
    labels
        The cell: one category for each column, empty text for missing; none for a numeric column.
    total
        What the weights must add up to in the cell, or their products with the numeric column.
    """

    columns: tuple[str, ...]
    labels: tuple[str, ...] = field(repr=False)
    total: float = field(repr=False)

    @property
    def is_numeric(self) -> bool:
        """Whether values are added up, not records."""
        return bool(self.columns) and not self.labels

    @property
    def margin(self) -> str:
        """The margin in words, such as ``sex x age``."""
        return " x ".join(self.columns) if self.columns else "sum of weights"

    def as_plain(self) -> tuple[tuple[str, ...], tuple[str, ...], float]:
        """Return the target as it stands in a recipe: columns, labels, total."""
        return self.columns, self.labels, self.total


def margin_targets(
    data: Microdata,
    margins: Iterable[Sequence[str]],
    totals: Columns = (),
    *,
    weights: FloatArray | None = None,
    owner: str = "margin_targets",
) -> tuple[Target, ...]:
    """Return the weighted totals of a file: every cell of some cross-classified margins, and sums of numeric columns.

    Parameters
    ----------
    data
        The file.
    margins
        Lists of columns, one for each margin; an empty list is the sum of the weights.
    totals
        Numeric columns whose weighted sums are wanted; a missing value adds nothing.
    weights
        Weights to use instead of those of the file.
    owner
        Who asks, for messages.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> [target.margin for target in margin_targets(data, [["sex"]], ["income"])]
    ['sex', 'sex', 'income']
    """
    given = data.weights() if weights is None else weights
    found: list[Target] = []
    for columns in margins:
        names = data.schema.resolve(tuple(columns), owner=owner, parameter="margins") if columns else ()
        if not names:
            found.append(Target((), (), float(given.sum())))
            continue
        patterns = key_patterns(data, names)
        sums = patterns.total(given).tolist()
        found += [
            Target(names, labels, total) for labels, total in zip(_labels(data, names, patterns), sums, strict=True)
        ]
    for name in _numeric(data, totals, owner):
        found.append(Target((name,), (), float(np.nan_to_num(data.float(name)) @ given)))
    if len({(t.columns, t.labels) for t in found}) < len(found):
        raise ParameterError(f"{owner}: 'margins' and 'totals' must name each margin once.")
    return tuple(found)


@dataclass(frozen=True, eq=False)
class AuxiliaryMatrix:
    """What the rows of a calibration problem contribute to each target.

    Rows are records, households, or, where nothing tells records apart, groups of records in the same cells.

    Parameters
    ----------
    x
        (g, p), sparse: contribution of a unit of weight.
    row
        (n,): row of each record.
    targets
        The p targets.
    """

    x: Any = field(repr=False)
    row: IntArray = field(repr=False)
    targets: tuple[Target, ...] = field(repr=False)

    @property
    def totals(self) -> FloatArray:
        """The totals of the targets."""
        return np.array([target.total for target in self.targets], dtype=np.float64)


def contributions(
    data: Microdata, targets: Sequence[Target], start: FloatArray, *, owner: str, apart: bool, unit: str | None = None
) -> AuxiliaryMatrix:
    """Find the cells of every record.

    Parameters
    ----------
    data
        The records that get new weights.
    targets
        What they must add up to.
    start
        Their start weights: a cell needs a record whose start weight is above 0.
    owner
        Who asks, for messages.
    apart
        Whether records of the same cells may need different factors.
    unit
        Column of the household whose members share a row.

    Raises
    ------
    DataError
        When a cell with a total has no record, or a record is in a cell without a total.
    """
    import scipy.sparse as sp

    numeric = [target for target in targets if target.is_numeric]
    margins: dict[tuple[str, ...], list[Target]] = {}
    for target in targets:
        if not target.is_numeric:
            margins.setdefault(target.columns, []).append(target)
    found = [_cells_of_records(data, columns, cells, start, owner) for columns, cells in margins.items()]
    used = [target for _, kept in found for target in kept]
    first = np.cumsum([0, *(len(kept) for _, kept in found)])
    n = len(data)
    if numeric or apart or unit is not None:
        row = np.arange(n, dtype=np.int64)
        x = _indicators([place + first[m] for m, (place, _) in enumerate(found)], n, len(used))
        if numeric:
            _numeric(data, tuple(t.columns[0] for t in numeric), owner)
            x = sp.hstack([x, sp.csr_array(np.stack([np.nan_to_num(data.float(t.columns[0])) for t in numeric], 1))])
    else:
        from tacita.numeric.keys.frequencies import find_patterns  # loads when used

        together = find_patterns((place, len(kept)) for place, kept in found)
        row = together.labels
        x = _indicators(list((together.codes + first[:-1]).T), len(together.codes), len(used))
    if unit is not None:
        row = data.groups([unit])
        members = sp.csr_array((np.ones(n), (row, np.arange(n))), shape=(int(row.max(initial=-1)) + 1, n))
        x = members @ x
    return AuxiliaryMatrix(sp.csr_array(x), row, (*used, *numeric))


def described(targets: Iterable[Target]) -> str:
    """Name margins and how many of their cells are meant: ``'sex x age' (2 cells)``."""
    counts: dict[tuple[str, bool], int] = {}
    for target in targets:
        key = (target.margin, bool(target.labels))
        counts[key] = counts.get(key, 0) + 1
    return ", ".join(
        f"'{name}' ({count} cell{'s' if count > 1 else ''})" if has_cells else f"'{name}'"
        for (name, has_cells), count in counts.items()
    )


def _cells_of_records(
    data: Microdata, columns: tuple[str, ...], cells: list[Target], start: FloatArray, owner: str
) -> tuple[IntArray, list[Target]]:
    """Return for each record its cell among those that have records, and these cells."""
    if not columns:
        return np.zeros(len(data), dtype=np.int64), cells
    data.schema.resolve(columns, owner=owner, parameter="margins")
    patterns = key_patterns(data, columns)
    labels = _labels(data, columns, patterns)
    place = {target.labels: j for j, target in enumerate(cells)}
    strange = [label for label in labels if label not in place]
    if strange:
        raise DataError(
            f"{owner}: the margin '{cells[0].margin}' has no total for {len(strange)} of its cells that occur in the data; "
            "give a total for every cell, or recode the categories alike in both files.",
            details={"columns": columns, "cells": strange},
        )
    at = np.array([place[label] for label in labels], dtype=np.int64)
    weight = np.bincount(at, weights=patterns.total(start), minlength=len(cells))
    empty = [target for j, target in enumerate(cells) if weight[j] <= 0 and target.total != 0]
    if empty:
        raise DataError(
            f"{owner}: the margin {described(empty)} has a total but no record with a weight is left there, so the total "
            "cannot be kept; take a coarser margin, recode the categories, or leave more records in the file.",
            details={"columns": columns, "cells": [target.labels for target in empty]},
        )
    there = np.flatnonzero(np.bincount(at, minlength=len(cells)))
    shorter = np.full(len(cells), -1, dtype=np.int64)
    shorter[there] = np.arange(len(there))
    return shorter[at][patterns.labels], [cells[j] for j in there]


def _labels(data: Microdata, columns: tuple[str, ...], patterns: Patterns) -> list[tuple[str, ...]]:
    """Return the categories of each pattern as texts."""
    words = [[*(_word(value) for value in data.codes(name).categories), ""] for name in columns]
    return [tuple(words[j][code] for j, code in enumerate(row)) for row in patterns.codes.tolist()]


def _word(value: Any) -> str:
    """Write a category as a text that is the same whichever file it comes from."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value.isoformat() if isinstance(value, (dt.date, dt.time)) else str(value)


def _numeric(data: Microdata, totals: Columns, owner: str) -> tuple[str, ...]:
    if totals == ():
        return ()
    return data.schema.resolve(totals, owner=owner, scales={"numeric"}, parameter="totals")


def _indicators(places: list[IntArray], rows: int, columns: int) -> Any:
    """Return a sparse matrix with a one for each row in each of its places."""
    import scipy.sparse as sp

    if not places:
        return sp.csr_array((rows, columns))
    indices = np.stack(places, axis=-1).ravel()
    steps = np.arange(rows + 1) * len(places)
    return sp.csr_array((np.ones(len(indices)), indices, steps), shape=(rows, columns))
