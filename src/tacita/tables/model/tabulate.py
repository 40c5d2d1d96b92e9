"""Tables from microdata: cells, relations, contributors and holdings, from data in memory or a file of any size."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.errors import DataError, ParameterError, TacitaWarning
from tacita.data.microdata import Microdata
from tacita.data.schema import Schema
from tacita.data.tabulate import Chosen, Shares, Sums, Tally, TallyRequest, owner_flags, tally
from tacita.tables.model.contributions import Contributions
from tacita.tables.model.dimension import TOTAL, Dimension
from tacita.tables.model.grid import grid_of, shape_of, spread
from tacita.tables.model.largest import largest_contributions
from tacita.tables.model.link import stacked
from tacita.tables.model.members import Rows, Source
from tacita.tables.model.placing import MISSING, placed
from tacita.tables.model.structural import Structural, check_structural, structural_cells
from tacita.tables.model.table import Table

__all__ = ["MISSING", "tables_of_tally", "tabulate", "tabulate_means", "warn_left_out"]


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
    lower: float | None = None,
    upper: float | None = None,
    total: str = TOTAL,
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
        to be published. One record is enough to ask; who waives must do so in all its records, and a holding in those of
        all its members.
    structural
        Combinations of codes that cannot occur. A total of nothing but such cells is structurally empty too.
    lower, upper
        What everybody knows about every cell of a response beforehand: no value is below, or above. By default 0, or nothing
        where a record has a negative amount; and nothing above. Counts that stand beside sums keep their 0.
    total
        Code of the total of a column that does not bring one with its hierarchy.
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
        When values are not among the codes of a dimension, or one is the name of the total; all problems are listed at
        once.
    DataError
        When there is no record to take codes or cells from, a weight is negative or missing, a record lies in a structurally
        empty cell, or a value is outside ``lower`` and ``upper``.

    Notes
    -----
    A record without a code goes to the code ``missing``, which a dimension gets under its total where there are any. A
    record without a response is left out of the cells of that response, and a warning says how many there are; a
    missing shadow or cost counts as zero. Contributors have the same numbers in all tables of the same data, so that such
    tables can be linked.

    Contributions rank by size without sign. When a single amount is negative, all lower bounds are minus infinity, also those
    of cells without one: readers know that negative amounts occur, but not where, so no cell is known to be positive to
    them. An attacker then knows less, fewer cells are hidden, and the certificate holds against readers who really
    know nothing. If they do know more, say so: ``lower=0`` where nobody takes a negative sum for possible, or a loss limit
    such as ``lower=-5000``. For bounds that differ from cell to cell set ``lower`` and ``upper`` of the :class:`Table`.

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
    tables = tables_of_tally(found, by, wanted, structural=structural, empties=empties, total=total)
    tables = [_bounded(made, lower, upper, alone=len(tables) == 1) for made in tables]
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
    lower: float | None = None,
    upper: float | None = None,
    total: str = TOTAL,
    depth: int = 5,
    schema: Schema | str | Path | None = None,
    memory: str = "4GB",
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
) -> Table:
    """Make the linked pair of count and total that a table of means is published from.

    The count is the weighted number of records with a response; parameters are those of :func:`tabulate`, with ``lower`` and
    ``upper`` for the totals. The function
    :func:`tacita.tables.model.means.means` turns the pair into means once it is known which cells are hidden.

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
    of_file = {"schema": schema, "separator": separator, "decimal": decimal, "encoding": encoding}
    found = _tally(data, request, memory, {word: value for word, value in of_file.items() if value is not None})
    tables = tables_of_tally(found, by, request, structural=structural, empties=True, total=total)
    return stacked([_bounded(made, lower, upper, alone=False) for made in tables])


def _bounded(table: Table, lower: float | None, upper: float | None, *, alone: bool) -> Table:
    """Add what everybody knows about the cells; counts beside sums are not meant."""
    if (lower is None and upper is None) or (table.is_frequency and not alone):
        return table
    for word, limit, sign in (("lower", lower, 1.0), ("upper", upper, -1.0)):
        if limit is None:
            continue
        if np.isnan(limit):
            raise ParameterError(f"tabulate: '{word}' must be a number, got {limit!r}.")
        slack = 1e-9 * np.maximum(np.abs(table.values), abs(limit))
        outside = np.flatnonzero(sign * (table.values - limit) < -slack)
        if len(outside):
            raise DataError(
                f"tabulate: '{word}' must hold for every cell, but {len(outside)} of {len(table)} cells lie beyond it, such as "
                f"{table.title(int(outside[0]))}; nobody can know that, so give another limit or none.",
                details={"cells": outside.tolist()},
            )
    return replace(
        table,
        lower=table.lower if lower is None else np.minimum(np.full(len(table), float(lower)), table.values),
        upper=table.upper if upper is None else np.maximum(np.full(len(table), float(upper)), table.values),
    )


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
        asks = None if request is None else owner_flags(data, request, owner)
        waives = None if waiver is None else owner_flags(data, waiver, owner, every=True)
        made.append(None if found is None else replace(found, asks=asks, waives=waives))
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
    warn_left_out(request.responses, found)
    return found


def warn_left_out(responses: Sequence[str], found: Tally) -> None:
    """Warn of records without a value of a response."""
    for name, sums in zip(responses, found.responses, strict=True):
        if name and sums.left_out:
            warnings.warn(
                f"{sums.left_out} record(s) without a value of '{name}' are left out of the table.",
                TacitaWarning,
                stacklevel=4,
            )


# --- from a tally to tables -------------------------------------------------------------------------------------------


def tables_of_tally(
    found: Tally,
    by: Sequence[str | Dimension],
    request: TallyRequest,
    *,
    structural: Structural,
    empties: bool,
    total: str,
) -> list[Table]:
    """Make a table of each response of a tally; parameters are those of :func:`tabulate`."""
    depth = request.depth
    dimensions, codes = placed(found, by, total=total)
    known = None if not structural else structural_cells(dimensions, structural)
    tables = []
    for name, sums in zip(request.responses, found.responses, strict=True):
        there = np.flatnonzero(sums.records)
        if not len(there) and not empties:
            raise DataError(f"tabulate: no record has a value of '{name}', so the table has no cells.")
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
            sources=(_source(dimensions, codes, sums, keys),),
        )
        check_structural(table)
        tables.append(table)
    return tables


def _source(dimensions: Sequence[Dimension], codes: IntArray, sums: Sums, keys: IntArray) -> Source:
    """What every contributor has in the inner cells."""
    inner = codes @ shape_of(dimensions)[1]

    def rows(shares: Shares) -> Rows:
        amount = weighted = shares.sums[0]
        if len(shares.sums) > 1:
            weighted = amount * (shares.sums[2] / shares.sums[1])
        return Rows(shares.owner, inner[shares.cell], np.stack([amount, weighted], axis=1), not shares.others.any())

    holdings = None if sums.holdings is None else rows(sums.holdings)
    return Source(tuple(dimensions), keys, np.arange(len(keys)), rows(sums.units), holdings, sums.groups)


def _holdings(
    dimensions: Sequence[Dimension], codes: IntArray, sums: Sums, keys: IntArray, depth: int
) -> Contributions | None:
    if sums.holdings is None:
        return None
    return largest_contributions(dimensions, codes, sums.holdings, keys, depth=depth)
