"""A table in parts: each class of one variable is a question of its own, so that some areas do not keep all from being told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.progress import task
from tacita.query.answer import Answer
from tacita.query.outcome import refusal
from tacita.query.question import RefusalError
from tacita.query.tables.cell_table import CellTable
from tacita.query.universe.universe import Universe

if TYPE_CHECKING:
    from tacita.query.database import Database
    from tacita.query.requests.tabulate import Tabulate

__all__ = ["IN_PARTS", "MOST_PARTS", "answer_in_part", "parts_of"]

MOST_PARTS = 2000
"""Parts of a table that are asked for at once."""

IN_PARTS = "parts"
"""Kind of the entry of the journal that says which parts a table was made of; each part has an entry of its own before it."""


def parts_of(request: Tabulate, where: Mapping[str, Any], classes: tuple[str, ...]) -> Iterator[tuple[int, Tabulate]]:
    """Give the questions that a table in parts is made of, each with the place of its class.

    Parameters
    ----------
    request
        The table, with ``each``.
    where
        Its universe in canonical form.
    classes
        The classes of the variable ``each``.

    Notes
    -----
    Classes that the universe excludes have no question.
    """
    name = str(request.each)
    pieces = [dict(piece) for piece in Universe.from_plain(where).pieces]  # a variable, too, may be called "any"
    rest = tuple(other for other in request.by if other != name)
    for place, word in enumerate(classes):
        kept = [Universe({**piece, name: [word]}) for piece in pieces if word in piece.get(name, (word,))]
        if kept:
            universe = Universe.union(piece for one in kept for piece in one.pieces)
            yield place, replace(request, by=rest or (name,), where=universe, each=None)


def answer_in_part(db: Database, request: Tabulate, canonical: Mapping[str, Any], user: str) -> Answer:
    """Ask for every class of the variable ``each`` alone, and put what was answered into one table.

    Parameters
    ----------
    db
        The database.
    request
        The table.
    canonical
        The request in canonical form.
    user
        Who asks.

    Returns
    -------
    Answer
        A table without values for the classes that were refused, and how many these are; a refusal where none was answered.

    Notes
    -----
    Every part is judged, computed, protected and entered as a question of its own, in the order of the catalogue. So the table
    tells exactly what these questions tell, and costs what they cost.
    """
    name, catalogue = str(request.each), db.catalogue
    classes = catalogue[name].all_classes
    asked = list(parts_of(request, canonical.get("where", {}), classes))
    if len(asked) > MOST_PARTS:
        hint = f"A table may have at most {MOST_PARTS} parts."
        return db.enter_parts(refusal(RefusalError("table_size", f"{len(asked)} parts", hint=hint)), canonical, user)
    shape = tuple(catalogue[other].size for other in request.by)
    axis = request.by.index(name)
    values, errors = np.full(shape, np.nan), np.full(shape, np.nan)
    refused: dict[str, list[str]] = {}
    notes: tuple[str, ...] = ()
    with task("Asking part by part", len(asked)) as running:
        for place, part in asked:
            found = db.ask(part, user=user)
            running.advance(1)
            if found.table is None:
                refused[classes[place]] = list(found.reasons)
                continue
            notes = found.notes
            _put(values, axis, place, found.table.values, is_alone=len(request.by) == 1)
            if found.table.errors is not None:
                _put(errors, axis, place, found.table.errors, is_alone=len(request.by) == 1)
    answered = len(asked) - len(refused)
    parts = {"each": name, "answered": answered, "of": len(asked), "refused": refused}
    if not answered:
        reasons = tuple(sorted({rule for rules in refused.values() for rule in rules}))
        return db.enter_parts(Answer(status="refused", reasons=reasons), canonical, user)
    listed = {other: catalogue[other].all_classes for other in request.by}
    table = CellTable(request.by, listed, request.statistic, values, None if np.isnan(errors).all() else errors)
    said = f"{answered} of {len(asked)} classes of '{name}' are answered; each was judged on its own."
    return db.enter_parts(Answer(status="answered", table=table, notes=(*notes, said), parts=parts), canonical, user)


def _put(into: FloatArray, axis: int, place: int, values: FloatArray, *, is_alone: bool) -> None:
    """Put a part into its place of the table; a table of one variable has its part among empty cells."""
    where: list[Any] = [slice(None)] * into.ndim
    where[axis] = place
    into[tuple(where)] = values[place] if is_alone else values
