"""The known part of a universe: who is meant by the conditions that an intruder knows of everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacita.query.universe.boxes import Boxes, maximal_boxes

if TYPE_CHECKING:
    from tacita.query.question import Question

__all__ = ["known_part"]


def known_part(question: Question) -> tuple[Boxes, tuple[str, ...]]:
    """Return a universe without its conditions on what is confidential, and the variables of these.

    Whether a set of people is large enough must not be judged by what is confidential about them: a refusal would tell it.

    Parameters
    ----------
    question
        The question; what is confidential is said by the schema of its data.
    """
    boxes = question.boxes
    hidden = tuple(n for n in boxes.variables if question.version.column(n).has_role("confidential"))
    if not hidden:
        return boxes, ()
    places = [place for place, name in enumerate(boxes.variables) if name not in hidden]
    pieces = sorted({tuple(box[place] for place in places) for box in boxes.boxes})
    names = tuple(boxes.variables[place] for place in places)
    return maximal_boxes(names, [boxes.shape[place] for place in places], pieces), hidden
