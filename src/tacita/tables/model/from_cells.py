"""Tables from given cells: their codes and values as somebody else has added them up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ColumnError, DataError, did_you_mean
from tacita.data.microdata import Microdata
from tacita.data.tabulate import as_code
from tacita.tables.model.dimension import TOTAL, Dimension
from tacita.tables.model.grid import all_cells, shape_of
from tacita.tables.model.relations import Relations
from tacita.tables.model.table import Table

__all__ = ["TOTAL_WORDS", "flat_dimension", "follows", "table_from_cells"]


TOTAL_WORDS = ("total", "all", "_t", "*")
"""Words that mean the total of a dimension that is known by its codes only."""


def table_from_cells(
    cells: Any,
    dimensions: Sequence[Dimension | str],
    *,
    value: str = "value",
    count: str | None = None,
    lower: str | None = None,
    upper: str | None = None,
    shadow: str | None = None,
    cost: str | None = None,
    response: str = "",
    absent_is_empty: bool = False,
    absent_is_hidden: bool = False,
    unknown: BoolArray | None = None,
    tolerance: float = 1e-6,
) -> Table:
    """Make a table from a list of cells, one row each.

    Parameters
    ----------
    cells
        The rows: a frame of pandas, polars, pyarrow or DuckDB, or a mapping of names to lists.
    dimensions
        The classifying columns. A :class:`Dimension` brings its sums; a name alone stands for the codes of the column
        and their total, which is the code that is called total or all, or is computed.
    value
        The column of values.
    count
        The column of the number of contributors.
    lower, upper, shadow, cost
        Columns for what everybody knows of a cell, for the rules, and for the cost of hiding it.
    response
        Name of the variable that is summed; empty for a frequency table.
    absent_is_empty
        Whether an inner cell that is not listed is empty; otherwise that is an error.
    absent_is_hidden
        Whether an inner cell that is not listed has a value that is not known; it becomes NaN.
    unknown
        (rows,): cells whose value is not known, as hidden cells of a published table; it becomes NaN.
    tolerance
        Sums may be off by this share.

    Returns
    -------
    Table
        All combinations of codes, in their order. Totals that are not listed are computed from their parts; they are NaN
        where one of these is.

    Raises
    ------
    ColumnError
        When a column is not there.
    DataError
        When a cell stands twice, a code is unknown, a value is missing, or an inner cell is not listed (all problems at
        once); or when the table is not additive, with the relations that are off.

    Examples
    --------
    >>> rows = {"size": ["small", "large", "Total"], "value": [3, 4, 7]}
    >>> table_from_cells(rows, ["size"]).values.tolist()
    [7.0, 3.0, 4.0]
    """
    names = [item.name if isinstance(item, Dimension) else item for item in dimensions]
    extra = {"count": count, "lower": lower, "upper": upper, "shadow": shadow, "cost": cost}
    wanted = {"value": value, **{word: name for word, name in extra.items() if name is not None}}
    labels, numbers = _columns(cells, names, wanted)
    made = tuple(item if isinstance(item, Dimension) else flat_dimension(item, labels[item]) for item in dimensions)
    hidden = np.zeros(len(numbers["value"]), bool) if unknown is None else np.asarray(unknown, bool)
    keys, problems = _placed(made, labels)
    problems += _bad_values(numbers, hidden)
    codes, relations = all_cells(made)
    known = np.zeros(len(codes), bool)
    known[keys[keys >= 0]] = True
    columns = {word: _scattered(column, keys, len(codes)) for word, column in numbers.items()}
    absent = (_inner(made, codes) & ~known) if absent_is_empty or absent_is_hidden else np.zeros(len(codes), bool)
    if absent_is_empty:
        for column in columns.values():
            column[absent] = 0.0
    added = _add_up(relations, columns, known, absent)
    table = Table(
        made,
        codes,
        columns["value"],
        relations,
        response=response,
        responses=(response,),
        counts=None if count is None else np.rint(np.nan_to_num(columns["count"])).astype(np.int64),
        lower=_with_default(columns.get("lower"), added, -np.inf),
        upper=_with_default(columns.get("upper"), added, np.inf),
        shadow=columns.get("shadow"),
        cost=columns.get("cost"),
    )
    problems += _absent(table, ~known)
    if problems:
        raise DataError(f"The cells do not make a table ({len(problems)} problem(s)):\n  - " + "\n  - ".join(problems))
    table.check_additive(tolerance=tolerance)
    return table


# --- the rows -------------------------------------------------------------------------------------------------------


def _columns(
    cells: Any, names: Sequence[str], wanted: Mapping[str, str]
) -> tuple[dict[str, list[str]], dict[str, FloatArray]]:
    """Return the codes of the rows as text and their numbers, NaN where there is none."""
    if not isinstance(cells, Mapping):
        data = Microdata.from_frame(cells)
        for name in [*names, *wanted.values()]:
            data.schema[name]  # raises with a suggestion where the name is unknown
        labels = {}
        for name in names:
            found = data.codes(name)
            texts = [*(as_code(category) for category in found.categories), ""]
            labels[name] = [texts[place] for place in found.values.tolist()]
        return labels, {word: data.float(name) for word, name in wanted.items()}
    for name in [*names, *wanted.values()]:
        if name not in cells:
            raise ColumnError(f"Column '{name}' is not among the cells.{did_you_mean(name, cells)}")
    if len({len(cells[name]) for name in [*names, *wanted.values()]}) > 1:
        raise DataError("The columns of the cells must have the same length.")
    try:
        numbers = {
            word: np.array([np.nan if v is None else v for v in cells[name]], np.float64)
            for word, name in wanted.items()
        }
    except (TypeError, ValueError):
        raise DataError(f"The columns {', '.join(wanted.values())} must hold numbers.") from None
    return {name: ["" if v is None else as_code(v) for v in cells[name]] for name in names}, numbers


def flat_dimension(name: str, labels: Sequence[str], total: str | None = None) -> Dimension:
    """Return codes and their total, which is the one that is given, or called total or all, or none of them."""
    codes = list(dict.fromkeys(labels))
    totals = [code for code in codes if code.strip().lower() in TOTAL_WORDS]
    total = total or (totals[0] if totals else TOTAL)
    return Dimension.flat(name, [code for code in codes if code != total], total=total)


def _placed(dimensions: Sequence[Dimension], labels: Mapping[str, Sequence[str]]) -> tuple[IntArray, list[str]]:
    """Return the key of each row, -1 where it has none, and what is wrong with the codes."""
    problems = []
    _, strides = shape_of(dimensions)
    keys = np.zeros(len(labels[dimensions[0].name]), np.int64)
    there = np.ones(len(keys), bool)
    for dimension, stride in zip(dimensions, strides.tolist(), strict=True):
        at = np.array([dimension.places.get(label, -1) for label in labels[dimension.name]], np.int64)
        lacking = sorted({label for label in labels[dimension.name] if label not in dimension.places})
        problems += [
            f"Dimension '{dimension.name}' has no code '{label}'.{did_you_mean(label, dimension.codes)}"
            for label in lacking[:10]
        ]
        if len(lacking) > 10:
            problems.append(f"Dimension '{dimension.name}' lacks {len(lacking) - 10} more codes.")
        there &= at >= 0
        keys += at * stride
    keys[~there] = -1
    found, times = np.unique(keys[there], return_counts=True)
    twice = found[times > 1]
    for key in twice[:10].tolist():
        problems.append(
            f"The cell {_title(dimensions, key)} stands on {int(times[found == key][0])} rows; one is allowed."
        )
    if len(twice) > 10:
        problems.append(f"{len(twice) - 10} more cells stand on several rows.")
    return keys, problems


def _title(dimensions: Sequence[Dimension], key: int) -> str:
    sizes, strides = shape_of(dimensions)
    places = [(key // step) % size for size, step in zip(sizes.tolist(), strides.tolist(), strict=True)]
    return ", ".join(f"{d.name}={d.codes[place]}" for d, place in zip(dimensions, places, strict=True))


def _bad_values(numbers: Mapping[str, FloatArray], hidden: BoolArray) -> list[str]:
    problems = []
    lacking = int((~np.isfinite(numbers["value"]) & ~hidden).sum())
    if lacking:
        problems.append(f"{lacking} cell(s) have no finite value.")
    counts = numbers.get("count")
    if counts is not None:
        odd = ~hidden & ~((counts >= 0) & (counts == np.rint(counts)))
        if odd.any():
            problems.append(f"{int(odd.sum())} cell(s) have a count that is no whole number of 0 or more.")
    return problems


def _scattered(column: FloatArray, keys: IntArray, size: int) -> FloatArray:
    found = np.full(size, np.nan)
    found[keys[keys >= 0]] = column[keys >= 0]
    return found


# --- totals that are not listed ------------------------------------------------------------------------------------


def _inner(dimensions: Sequence[Dimension], codes: IntArray) -> BoolArray:
    inner = np.ones(len(codes), bool)
    for axis, dimension in enumerate(dimensions):
        leaf = np.isin(np.arange(len(dimension.codes)), [dimension.places[code] for code in dimension.leaves])
        inner &= leaf[codes[:, axis]]
    return inner


def follows(relations: Relations, known: BoolArray) -> BoolArray:
    """Return (n,): the cells that are known, and the totals whose parts all are."""
    found = known.copy()
    _add_up(relations, {}, found, np.zeros(len(known), bool))
    return found


def _add_up(relations: Relations, columns: dict[str, FloatArray], known: BoolArray, absent: BoolArray) -> BoolArray:
    """Take in absent inner cells, and fill in the totals whose parts are all there, in place; return which cells are new."""
    before = known.copy()
    known |= absent
    row = np.repeat(np.arange(len(relations)), np.diff(relations.start))
    is_total = relations.signs < 0
    totals = np.zeros(len(relations), np.int64)
    totals[row[is_total]] = relations.cells[is_total]
    part_row, part = row[~is_total], relations.cells[~is_total]
    while True:
        lacking = np.bincount(part_row[~known[part]], minlength=len(relations))
        ready = (lacking == 0) & ~known[totals]
        if not ready.any():
            return known & ~before
        _, first = np.unique(np.where(ready, totals, -1), return_index=True)
        chosen = first[ready[first]]
        for column in columns.values():
            sums = np.bincount(part_row, column[part], len(relations))
            column[totals[chosen]] = sums[chosen]
        known[totals[chosen]] = True


def _with_default(bound: FloatArray | None, added: BoolArray, default: float) -> FloatArray | None:
    """Nothing is known beforehand of a cell that was not listed."""
    if bound is None:
        return None
    return np.where(added | np.isnan(bound), default, bound)


def _absent(table: Table, absent: BoolArray) -> list[str]:
    if not absent.any():
        return []
    named = "; ".join(table.title(cell) for cell in np.flatnonzero(absent)[:10].tolist())
    more = f" and {int(absent.sum()) - 10} more" if absent.sum() > 10 else ""
    return [
        f"{int(absent.sum())} cell(s) are not listed and cannot be added up: {named}{more}. List them, or say that what "
        "is not listed is empty."
    ]
