"""Universes in canonical form, by the published catalogue alone: no record is needed to see that two wordings are one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tacita.query.universe.boxes import Box, Boxes, maximal_boxes
from tacita.query.universe.universe import Universe

if TYPE_CHECKING:
    from tacita.query.catalogue.catalogue import Catalogue
    from tacita.query.requests.request import QueryRequest

__all__ = ["boxes_of", "canonical_request", "words_of"]


def boxes_of(universe: Universe, catalogue: Catalogue) -> Boxes:
    """Return the canonical form of a universe.

    Parameters
    ----------
    universe
        As it was worded.
    catalogue
        The variables and their classes.

    Raises
    ------
    ColumnError, ParameterError
        When a variable or a class is not in the catalogue, or a variable may not be used in universes.
    """
    names = universe.variables
    variables = [catalogue.usable(name, "universe") for name in names]
    whole = [(1 << variable.size) - 1 for variable in variables]
    pieces: list[Box] = []
    for piece in universe.pieces:
        conditions = dict(piece)
        box = []
        for variable, full in zip(variables, whole, strict=True):
            words = conditions.get(variable.name)
            numbers = () if words is None else (n for word in words for n in variable.numbers(word))
            box.append(full if words is None else sum(1 << n for n in set(numbers)))
        pieces.append(tuple(box))
    return maximal_boxes(names, [variable.size for variable in variables], pieces)


def words_of(boxes: Boxes, catalogue: Catalogue) -> dict[str, Any]:
    """Return a canonical universe as conditions again, in one way only: what the journal keeps."""
    pieces = []
    for box in boxes.boxes:
        piece = {}
        for name, numbers, size in zip(boxes.variables, boxes.classes(box), boxes.shape, strict=True):
            if len(numbers) < size:
                names = catalogue[name].all_classes
                piece[name] = [names[int(number)] for number in numbers]
        pieces.append(piece)
    return pieces[0] if len(pieces) == 1 else {"any": pieces}


def canonical_request(request: QueryRequest, boxes: Boxes, catalogue: Catalogue) -> dict[str, Any]:
    """Return a request with its universe in canonical form, ready for JSON: one form for all wordings.

    Parameters
    ----------
    request
        What is asked.
    boxes
        Its universe, as :func:`boxes_of` gives it.
    catalogue
        The variables and their classes.
    """
    plain = request.to_plain()
    plain.pop("where", None)
    where = words_of(boxes, catalogue)
    return {**plain, "where": where} if where else plain
