"""Equivalent cells: the same set of people in other words, and the mean of what comes back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from numpy.random import Generator

from tacita.attack.claims import Claims
from tacita.attack.queries.averages import average_traits, averaged_claims
from tacita.attack.queries.class_sets import MOST_PIECES_ASKED, Box, ClassSet
from tacita.attack.queries.told import SetAttack
from tacita.attack.queries.words import ServerWords
from tacita.core.arrays import FloatArray
from tacita.core.constraints import Interval

__all__ = ["EquivalentCells", "other_words"]


@dataclass(frozen=True, kw_only=True)
class EquivalentCells(SetAttack):
    """Ask for the same people in many words, and take the mean of the answers.

    A piece is cut in two by a variable, a condition that everybody fulfils is added, a part of a piece is named once more, pieces
    change places: the set stays the same.

    Parameters
    ----------
    times
        In how many words each question is asked.

    Returns
    -------
    Claims
        The wanted value of each victim. Figures: ``spread`` of single answers, and ``answers_for_95``, how many make a rounded
        mean right with 95 %.

    Complexity
    ----------
    O(times) questions a victim.

    Notes
    -----
    Noise that is keyed by the text of a question is averaged away; noise that is keyed by the set of members is the same for all
    words.

    References
    ----------
    Gadotti, A., Houssiau, F., Rocher, L., Livshits, B. and de Montjoye, Y.-A. (2019), When the signal is in the noise,
    USENIX Security, 1081-1098: noise that depends on how a set is described.

    Examples
    --------
    >>> EquivalentCells(times=10).times
    10
    """

    name = "equivalent_cells"
    traits = average_traits(
        "noise that is keyed by the words of a question", "noise that is keyed by the set of members"
    )

    times: Annotated[int, Interval(1)] = 50

    def cost(self, target: Any) -> float:
        return 0.2 + 0.001 * self.times * float(target.victims)

    def run(self, target: Any, rng: Generator) -> tuple[Claims, ...]:
        words = ServerWords(target)

        def draws(people: ClassSet) -> Iterator[FloatArray | None]:
            first = words.look(people)
            yield first
            for other in other_words(people, rng, 0 if first is None else self.times - 1):
                yield words.look(other)

        return averaged_claims(target, words, rng, draws, self.times)


def other_words(people: ClassSet, rng: Generator, most: int) -> Iterator[ClassSet]:
    """Give the same people in other words: each step changes the words a little, and the pieces stand in a random order."""
    named = [name for name in people.variables if len(people.domain[name]) > 1] or [
        min(people.domain, key=lambda name: (len(people.domain[name]), name))
    ]
    boxes = list(people.boxes)
    for _ in range(most):
        place = int(rng.integers(len(boxes)))
        name = named[int(rng.integers(len(named)))]
        if len(boxes) < MOST_PIECES_ASKED // 4:
            boxes[place : place + 1] = _cut(boxes[place], name, people, rng)
        else:  # enough pieces: begin again
            boxes = list(people.boxes)
        order = rng.permutation(len(boxes))
        yield ClassSet(people.domain, tuple(boxes[i] for i in order))


def _cut(box: Box, name: str, people: ClassSet, rng: Generator) -> list[Box]:
    """Cut a piece by a variable in two that may overlap; a piece of one class gets a second that lies within it."""
    held = dict(box)
    classes = sorted(held.get(name, frozenset(people.domain[name])))
    chosen = {word for word in classes if rng.random() < 0.5} or {classes[0]}
    rest = {word for word in classes if word not in chosen or rng.random() < 0.2} or set(classes)
    return [tuple(sorted((held | {name: frozenset(part)}).items())) for part in (chosen, rest)]
