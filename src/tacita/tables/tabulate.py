"""Tables from microdata: cells, relations, contributors and holdings, from data in memory or a file of any size."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tacita.core.errors import ParameterError, SchemaError, TacitaWarning
from tacita.data.microdata import Microdata
from tacita.data.schema import Column, Schema
from tacita.data.tabulate import Chosen, Sums, Tally, TallyRequest, owner_flags, tally
from tacita.tables.contributions import Contributions
from tacita.tables.dimension import Dimension
from tacita.tables.grid import grid_of, shape_of, spread
from tacita.tables.largest import largest_contributions
from tacita.tables.link import stacked
from tacita.tables.structural import Structural, check_structural, structural_cells
from tacita.tables.table import Table

__all__ = ["MISSING", "tabulate", "tabulate_means"]

IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

MISSING = "missing"
"""The code of records that have none."""


def tabulate(
    data: Microdata | str | Path,
    by: Sequence[str | Dimension],
    response: str | Sequence[str] | None = None,
    *,
    weight: Chosen = None,
    contributor: str | None = None,
    holding: Chosen = None,
    shadow: str | None = None,
    cost: str | None = None,
    request: str | None = None,
    waiver: str | None = None,
    structural: Structural = (),
    depth: int = 5,
    empties: bool = True,
    schema: Schema | str | Path | None = None,
    memory: str = "4GB",
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
) -> Table:
    """Make a frequency or magnitude table of records.

    Parameters
    ----------
    data
        The records, or the path of a Parquet or CSV file, which is then never read into memory.
    by
        The classifying columns. A name takes the hierarchy of the schema, or else the values and their total; a
        :class:`Dimension` of that name brings its own sums, nested or not.
    response
        The column to sum; None counts records. Several make one table in which every response has its own cells
        (:attr:`Table.parts`); an empty text among them is the count.
    weight
        The column of sampling weights: its name, None for the one of the schema, False for none. Values are weighted
        sums; contributions are unweighted, with the weight beside them.
    contributor
        The column that says whose record it is; by default every record is a contributor of its own.
    holding
        The column of groups of contributors under one control: its name, None for the household or cluster of the
        schema, False for none.
    shadow
        A column that the rules look at in place of the response: the contributions are those to its sum.
    cost
        A column whose weighted sum is what hiding a cell costs.
    request, waiver
        Columns of data in memory that are not zero where a contributor asked for protection (:class:`Request`), or agreed
        to be published (:class:`PPercent`).
    structural
        Combinations of codes that cannot occur. A total of nothing but such cells is structurally empty too.
    depth
        How many of the largest contributions to keep for each cell.
    empties
        Whether cells without records are in the table. Without them the relations leave them out, as sums of zeros.
    schema, memory, separator, decimal, encoding
        For a file: its schema, how much memory DuckDB may use, and how a CSV file is written.

    Returns
    -------
    Table
        Cells in the order of their codes, the last dimension running fastest.

    Raises
    ------
    ColumnError
        When a column is not there or not numeric.
    SchemaError
        When values are not among the codes of a dimension; all problems are listed at once.
    DataError
        When a weight is negative or missing, or a record lies in a structurally empty cell.

    Notes
    -----
    A record without a code goes to the code ``missing``, which a dimension gets under its total where there are any. A
    record without a response is left out of the cells of that response, and a warning says how many there are; a
    missing shadow or cost counts as zero. Contributions rank by size without sign; when an amount is negative, nobody
    knows the cells to be positive, so their lower bound is minus infinity. Contributors have the same numbers in all
    tables of the same data, so that such tables can be linked.

    Complexity: O(n log n) for n records, and for every combination of hierarchy levels a sort of the contributors that
    are in several cells.

    Examples
    --------
    >>> from tacita.data.samples import business_survey
    >>> table = tabulate(business_survey(500, seed=1), ["region", "size_class"], "turnover")
    >>> len(table), table.holdings.depth
    (310, 5)
    >>> table.check_additive()
    """
    wanted = TallyRequest(
        by=_names(by),
        responses=("",) if response is None else (response,) if isinstance(response, str) else tuple(response),
        weight=weight,
        contributor=contributor,
        holding=holding,
        shadow=shadow,
        cost=cost,
        depth=depth,
    )
    of_file = {"schema": schema, "separator": separator, "decimal": decimal, "encoding": encoding}
    found = _tally(data, wanted, memory, {word: value for word, value in of_file.items() if value is not None})
    tables = _tables(found, by, wanted, structural=structural, empties=empties)
    tables = [_flagged(made, data, wanted, request, waiver) for made in tables]
    return tables[0] if len(tables) == 1 else stacked(tables)


def tabulate_means(
    data: Microdata | str | Path,
    by: Sequence[str | Dimension],
    response: str,
    *,
    weight: Chosen = None,
    contributor: str | None = None,
    holding: Chosen = None,
    structural: Structural = (),
    depth: int = 5,
    schema: Schema | str | Path | None = None,
    memory: str = "4GB",
) -> Table:
    """Make the linked pair of count and total that a table of means is published from.

    The count is the weighted number of records with a response; parameters are those of :func:`tabulate`. The function
    :func:`tacita.tables.means.means` turns the pair into means once it is known which cells are hidden.

    Returns
    -------
    Table
        Two parts: the counts first, the totals second, both with all combinations of codes.
    """
    request = TallyRequest(
        by=_names(by),
        responses=("", response),
        weight=weight,
        contributor=contributor,
        holding=holding,
        depth=depth,
        present=response,
    )
    found = _tally(data, request, memory, {} if schema is None else {"schema": schema})
    return stacked(_tables(found, by, request, structural=structural, empties=True))


def _flagged(
    table: Table, data: Microdata | str | Path, wanted: TallyRequest, request: str | None, waiver: str | None
) -> Table:
    """Add who asked and who agreed."""
    if request is None and waiver is None:
        return table
    if not isinstance(data, Microdata):
        raise ParameterError("tabulate: 'request' and 'waiver' need data in memory; read the file first.")
    holding = data.schema.household if wanted.holding is None else wanted.holding or None
    made = []
    for found, owner in ((table.units, wanted.contributor), (table.holdings, holding)):
        flags = [None if name is None else owner_flags(data, name, owner) for name in (request, waiver)]
        made.append(None if found is None else replace(found, asks=flags[0], waives=flags[1]))
    return replace(table, units=made[0], holdings=made[1])


def _names(by: Sequence[str | Dimension]) -> tuple[str, ...]:
    if isinstance(by, str):
        raise ParameterError("'by' must be a list of columns, got a text; write by=[...].")
    return tuple(item.name if isinstance(item, Dimension) else item for item in by)


def _tally(data: Microdata | str | Path, request: TallyRequest, memory: str, of_file: dict[str, Any]) -> Tally:
    if isinstance(data, Microdata):
        if of_file:
            raise ParameterError(f"'{next(iter(of_file))}' is for files; data in memory bring their own schema.")
        found = tally(data, request)
    else:
        from tacita.data.tabulate_file import tally_file  # the reader of CSV values loads here, not on import

        found = tally_file(data, request, memory=memory, **of_file)
    _warn(request.responses, found)
    return found


def _warn(responses: Sequence[str], found: Tally) -> None:
    for name, sums in zip(responses, found.responses, strict=True):
        if name and sums.left_out:
            warnings.warn(
                f"{sums.left_out} record(s) without a value of '{name}' are left out of the table.",
                TacitaWarning,
                stacklevel=4,
            )


# --- from a tally to tables -------------------------------------------------------------------------------------------


def _tables(
    found: Tally,
    by: Sequence[str | Dimension],
    request: TallyRequest,
    *,
    structural: Structural,
    empties: bool,
) -> list[Table]:
    depth = request.depth
    dimensions, codes = _placed(found, by)
    known = None if not structural else structural_cells(dimensions, structural)
    tables = []
    for name, sums in zip(request.responses, found.responses, strict=True):
        there = np.flatnonzero(sums.records)
        columns = [sums.records.astype(np.float64), sums.amounts]
        columns += [more for more in (sums.shadow, sums.cost) if more is not None]
        keys, added = spread(dimensions, codes[there], [column[there] for column in columns])
        if empties:
            everything = np.arange(int(np.prod(shape_of(dimensions)[0])), dtype=np.int64)
            for place, column in enumerate(added):
                added[place] = np.zeros(len(everything))
                added[place][keys] = column
            keys = everything
        cells, relations = grid_of(dimensions, keys)
        counts = np.rint(added[0]).astype(np.int64)
        table = Table(
            tuple(dimensions),
            cells,
            added[1],
            relations,
            response=name,
            responses=(name,),
            counts=counts,
            units=largest_contributions(dimensions, codes, sums.units, keys, depth=depth),
            holdings=_holdings(dimensions, codes, sums, keys, depth),
            structural=None if known is None else known[keys],
            lower=np.full(len(keys), -np.inf) if sums.has_negative else None,
            shadow=added[2] if sums.shadow is not None else None,
            cost=added[-1] if sums.cost is not None else None,
        )
        check_structural(table)
        tables.append(table)
    return tables


def _holdings(
    dimensions: Sequence[Dimension], codes: IntArray, sums: Sums, keys: IntArray, depth: int
) -> Contributions | None:
    if sums.holdings is None:
        return None
    return largest_contributions(dimensions, codes, sums.holdings, keys, depth=depth)


def _placed(found: Tally, by: Sequence[str | Dimension]) -> tuple[list[Dimension], IntArray]:
    """Return the dimensions, and the codes of the inner cells as positions in them."""
    dimensions, columns, problems = [], [], []
    odd: dict[str, list[str]] = {}
    for place, (item, column, values) in enumerate(zip(by, found.columns, found.categories, strict=True)):
        dimension = item if isinstance(item, Dimension) else _dimension(column, values)
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


def _dimension(column: Column, values: Sequence[str]) -> Dimension:
    if column.hierarchy is not None:
        return Dimension.from_hierarchy(column.name, column.hierarchy)
    return Dimension.flat(column.name, dict.fromkeys(values))


def _with_missing(dimension: Dimension) -> Dimension:
    """Add the code of records without a code, under the total where there is one."""
    if MISSING in dimension.places:
        return dimension
    top = dimension.total
    sums = tuple((total, (*parts, MISSING) if total == top else parts) for total, parts in dimension.sums)
    return Dimension(dimension.name, (*dimension.codes, MISSING), sums)
