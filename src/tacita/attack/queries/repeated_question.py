"""The repeated question: the same words over and over, and the mean of what comes back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat
from typing import Annotated, Any

from numpy.random import Generator

from tacita.attack.claims import Claims
from tacita.attack.queries.averages import average_traits, averaged_claims
from tacita.attack.queries.class_sets import ClassSet
from tacita.attack.queries.told import SetAttack
from tacita.attack.queries.words import ServerWords
from tacita.core.arrays import FloatArray
from tacita.core.constraints import Interval

__all__ = ["RepeatedQuestion"]


@dataclass(frozen=True, kw_only=True)
class RepeatedQuestion(SetAttack):
    """Ask the same question many times, and take the mean of the answers.

    The victim's set is asked for; where it is refused, two universes that differ by him are.

    Parameters
    ----------
    times
        How often each question is asked.

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
    Noise that is drawn anew for every answer shrinks with the square root of ``times``; noise that belongs to the question
    stays. A server that counts what it has told ends it by its budget.

    References
    ----------
    Denning, D. E. (1980), Secure statistical databases with random sample queries, ACM Transactions on Database Systems 5,
    291-315: why the same query must have the same answer.

    Examples
    --------
    >>> RepeatedQuestion(times=200).times
    200
    """

    name = "repeated_question"
    traits = average_traits(
        "noise that is drawn anew for every answer", "noise that belongs to the set of people; a budget"
    )

    times: Annotated[int, Interval(1)] = 50

    def cost(self, target: Any) -> float:
        return 0.2 + 0.001 * self.times * float(target.victims)

    def run(self, target: Any, rng: Generator) -> tuple[Claims, ...]:
        words = ServerWords(target)

        def draws(people: ClassSet) -> Iterator[FloatArray | None]:
            for _ in repeat(None, self.times):
                found = words.look(people, again=True)
                yield found
                if found is None:  # asking again will not change a refusal
                    return

        return averaged_claims(target, words, rng, draws, self.times)
