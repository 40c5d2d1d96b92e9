"""Releases as plain descriptions: a table, a file and answers, as everybody sees them, for attacks across releases."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tacita.attack.releases.plain_table import PlainDimension, PlainTable
from tacita.compare.red_team.stage_table import PublishedCells
from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.errors import AttackError
from tacita.data.microdata import Microdata
from tacita.data.schema import Schema
from tacita.release.recipe import Recipe
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.table import Table

__all__ = ["counts_of_file", "open_columns", "plain_answers", "plain_cells", "plain_table"]


def plain_cells(release: str, cells: PublishedCells) -> PlainTable:
    """Return a protected table as everybody sees it; the unsafe cells are what somebody wants to know."""
    shown = np.where(cells.hidden, np.nan, cells.values)
    if cells.is_changed and cells.reach is None:
        raise AttackError("its values are changed, and nobody says by how much at most.")
    reach = np.full(len(shown), cells.reach, np.float64) if cells.is_changed else None
    return plain_table(release, cells.table, shown, wanted=cells.unsafe, reach=reach)


def plain_table(
    release: str, table: Table, shown: FloatArray, *, wanted: BoolArray | None = None, reach: FloatArray | None = None
) -> PlainTable:
    """Return a table as a plain description.

    Parameters
    ----------
    release
        What the release is called.
    table
        Dimensions and cells; its values are not looked at.
    shown
        (n,): what is shown, NaN where a cell is hidden.
    wanted, reach
        As in :class:`PlainTable`.

    Raises
    ------
    AttackError
        When the table has several responses, whose cells are not sums of one measure.
    """
    if table.parts is not None or len(table.responses) > 1:
        raise AttackError("it has several responses.")
    return PlainTable(
        release=release,
        measure=table.response,
        dimensions=tuple(_plain_dimension(dimension) for dimension in table.dimensions),
        codes=table.codes,
        values=np.asarray(shown, np.float64),
        wanted=wanted,
        reach=reach,
    )


def _plain_dimension(dimension: Dimension) -> PlainDimension:
    # Of several ways to break a code down the first is taken; the others are further codes, whose cells are sums all the same.
    return PlainDimension(dimension.name, dimension.codes, dict(reversed(dimension.sums)))


def open_columns(data: Microdata, recipe: Recipe, schema: Schema) -> tuple[str, ...]:
    """Return the columns with classes of a file that no step of its recipe works on; those are as they were.

    Parameters
    ----------
    data
        The file as it left.
    recipe, schema
        The steps that made it, and the schema of the data before them, by which steps choose their columns.
    """
    touched = {name for step in recipe for name in step.worked_on(schema)}
    return tuple(
        c.name for c in data.schema if c.scale != "numeric" and c.name not in touched and _is_class(data, c.name)
    )


def _is_class(data: Microdata, name: str) -> bool:
    roles = data.schema[name].roles
    if {"identifier", "household", "cluster", "weight"}.intersection(roles):
        return False
    return len(data.codes(name).categories) < max(len(data) / 2, 2)


def counts_of_file(
    release: str, data: Microdata, columns: Sequence[str], *, most_cells: int = 20_000
) -> PlainTable | None:
    """Return the counts of a file by its open columns, those with few classes first; None where there is none to be used."""
    chosen: list[str] = []
    size = 1
    for name in sorted(columns, key=lambda one: (len(data.codes(one).categories), one)):
        classes = len(data.codes(name).categories)
        if (data.codes(name).values >= 0).all() and size * classes <= most_cells:
            chosen.append(name)
            size *= classes
    return PlainTable.of_file(release, data, chosen, most_cells=most_cells) if chosen else None


def plain_answers(release: str, answers: Sequence[Mapping[str, Any]]) -> tuple[list[PlainTable], list[str]]:
    """Return answers of a database in their JSON form as cells, and what of them could not be used.

    Counts and totals are used, of tables and of single statistics, about people of some classes of each variable; answers about
    unions of several such groups, models and quantiles are not.
    """
    cells: dict[str, list[tuple[dict[str, list[str]], float]]] = {}
    lost: dict[str, int] = {}
    for answer in answers:
        found = _cells_of(answer)
        if isinstance(found, str):
            lost[found] = lost.get(found, 0) + 1
        else:
            cells.setdefault(found[0], []).extend(found[1])
    tables = [PlainTable.of_answers(release, told, measure=measure) for measure, told in cells.items() if told]
    return tables, [f"{release}: {count} answers are not used: {why}." for why, count in lost.items()]


def _cells_of(answer: Mapping[str, Any]) -> tuple[str, list[tuple[dict[str, list[str]], float]]] | str:
    """Return the measure and the cells of one answer, or why it is not used."""
    if answer.get("status") != "answered":
        return "they were refused"
    request = answer.get("request", {})
    where = request.get("where", {})
    if not isinstance(where, Mapping) or "any" in where or not all(isinstance(c, list) for c in where.values()):
        return "they are about unions of groups"
    measure = str(request.get("response") or "")
    if "table" in answer and answer["table"].get("statistic") in ("count", "total", "sum"):
        table = answer["table"]
        grid = itertools.product(*(table["classes"][name] for name in table["by"]))
        told = []
        for classes, value in zip(grid, table["values"], strict=True):
            who = {**where, **{name: [word] for name, word in zip(table["by"], classes, strict=True)}}
            if isinstance(value, (int, float)) and all(who[n][0] in where.get(n, who[n]) for n in table["by"]):
                told.append(({n: list(c) for n, c in who.items()}, float(value)))
        return measure, told
    is_number = isinstance(answer.get("value"), (int, float))
    if request.get("kind") == "statistic" and request.get("statistic", "count") in ("count", "sum") and is_number:
        return measure, [({n: list(c) for n, c in where.items()}, float(answer["value"]))]
    return "they are no counts or totals"
