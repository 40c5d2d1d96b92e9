"""Releases as plain descriptions: a table, a file and answers, as everybody sees them, for attacks across releases."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

import numpy as np

from tacita.attack.releases.plain_table import PlainDimension, PlainTable
from tacita.compare.red_team.stage_table import PublishedCells, largest_in, seat_names, seats_of
from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.errors import AttackError
from tacita.data.microdata import Microdata
from tacita.data.schema import Schema
from tacita.release.recipe import Recipe
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.table import Table

__all__ = ["AnswersMade", "counts_of_file", "open_columns", "plain_answers", "plain_cells", "plain_table"]


def plain_cells(release: str, cells: PublishedCells, *, people: str | None = None, most_seats: int = 300) -> PlainTable:
    """Return a protected table as everybody sees it; the unsafe cells are what somebody wants to know.

    Parameters
    ----------
    release
        What the release is called.
    cells
        The table as it was and as it leaves.
    people
        A name for the contributors of the table, equal in all tables that have the same ones by the same numbers: then each of
        them sits in his seat for all of these tables, and amounts of contributors are sought. None for outsiders alone.
    most_seats
        Contributors who attack from inside: those with the largest share of a hidden cell first.
    """
    shown = np.where(cells.hidden, np.nan, cells.values)
    if cells.is_changed and cells.reach is None:
        raise AttackError("its values are changed, and nobody says by how much at most.")
    reach = np.full(len(shown), cells.reach, np.float64) if cells.is_changed else None
    made = plain_table(release, cells.table, shown, wanted=cells.unsafe, reach=reach)
    if people is None or cells.table.is_frequency:
        return made
    seats = tuple(
        replace(seat, who=f"{people} {seat.who}") for seat in seats_of(cells.table, cells.hidden, most=most_seats)
    )
    wanted = np.flatnonzero(cells.unsafe)
    largest = largest_in(cells.table, wanted)
    if largest is None:
        return replace(made, seats=seats)
    names, sought = seat_names(cells.table), [""] * len(made)
    for cell, number in zip(wanted.tolist(), largest[0].tolist(), strict=True):
        sought[cell] = f"{people} {names[number]}"
    return replace(made, seats=seats, sought=tuple(sought))


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
        has_negative=bool(table.response) and bool((table.bounds[0] < 0).any()),
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


@dataclass(frozen=True, kw_only=True)
class AnswersMade:
    """How answers of a database were made, as far as their readers know it.

    Parameters
    ----------
    exact
        Whether numbers without a remark are true ones.
    weighted
        Whether tables of totals and means stand for more people than there are records; None where nobody says.
    reach
        How far a count of a table may be from the true one where counts carry noise; None where nobody says, or there is no
        bound.
    complete
        The variables that every record has a value of, so that a mean times a count is a total; None where nobody says.
    """

    exact: bool = True
    weighted: bool | None = None
    reach: float | None = None
    complete: tuple[str, ...] | None = field(default=None)


_Told: TypeAlias = list[tuple[dict[str, list[str]], float]]
_Kind: TypeAlias = tuple[str, Literal["total", "mean"], float]
"""A measure, what is shown of it, and how far it may be from the truth."""


def plain_answers(
    release: str, answers: Sequence[Mapping[str, Any]], made: AnswersMade | None = None
) -> tuple[list[PlainTable], list[str]]:
    """Return answers of a database in their JSON form as cells, and what of them could not be used.

    Counts, totals and means are used, of tables and of single statistics, about people of some classes of each variable; answers
    about unions of several such groups, models and quantiles are not, nor what carries noise of which nobody says a bound.
    """
    cells: dict[_Kind, _Told] = {}
    lost: dict[str, int] = {}
    for answer in answers:
        found = _cells_of(answer, AnswersMade() if made is None else made)
        if isinstance(found, str):
            lost[found] = lost.get(found, 0) + 1
        else:
            cells.setdefault(found[0], []).extend(found[1])
    tables = [
        PlainTable.of_answers(release, told, measure=measure, statistic=statistic, reach=reach)
        for (measure, statistic, reach), told in cells.items()
        if told
    ]
    return tables, [f"{release}: {count} answers are not used: {why}." for why, count in lost.items()]


def _cells_of(answer: Mapping[str, Any], made: AnswersMade) -> tuple[_Kind, _Told] | str:
    """Return what an answer is about and its cells, or why it is not used."""
    if answer.get("status") != "answered":
        return "they were refused"
    request = answer.get("request", {})
    where = request.get("where", {})
    if not isinstance(where, Mapping) or "any" in where or not all(isinstance(c, list) for c in where.values()):
        return "they are about unions of groups"
    kind = _kind_of(answer, request, made)
    if isinstance(kind, str):
        return kind
    if "table" not in answer:
        return kind, [({n: list(c) for n, c in where.items()}, float(answer["value"]))]
    table = answer["table"]
    grid = itertools.product(*(table["classes"][name] for name in table["by"]))
    told = []
    for classes, value in zip(grid, table["values"], strict=True):
        who = {**where, **{name: [word] for name, word in zip(table["by"], classes, strict=True)}}
        if isinstance(value, (int, float)) and all(who[n][0] in where.get(n, who[n]) for n in table["by"]):
            told.append(({n: list(c) for n, c in who.items()}, float(value)))
    return kind, told


_STATISTICS: Mapping[str, Literal["total", "mean"]] = {
    "count": "total",
    "total": "total",
    "sum": "total",
    "mean": "mean",
}


def _kind_of(answer: Mapping[str, Any], request: Mapping[str, Any], made: AnswersMade) -> _Kind | str:
    """Return what the numbers of an answer are, or why they are not used."""
    is_table = "table" in answer
    asked = str(answer["table"].get("statistic") if is_table else request.get("statistic", "count"))
    is_number = is_table or (request.get("kind") == "statistic" and isinstance(answer.get("value"), (int, float)))
    if asked not in _STATISTICS or not is_number:
        return "they are no counts, totals or means"
    if request.get("unit", "persons") != "persons":
        return "they are about households"
    statistic, measure, reach = _STATISTICS[asked], str(request.get("response") or ""), 0.0
    if answer.get("notes") or not made.exact:
        if made.reach is None or measure:
            return "they carry noise, and nobody says by how much at most"
        reach = made.reach
    if measure and is_table and made.weighted is not False:
        if statistic == "mean":
            return "they are means of tables, which may be weighted"
        measure = f"{measure} (weighted)"
    if statistic == "mean" and made.complete is not None and measure not in made.complete:
        return "they are means of a variable that some records have no value of"
    return measure, statistic, reach
