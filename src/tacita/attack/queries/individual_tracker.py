"""The individual tracker: a large set with the victim, less the same without him."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from numpy.random import Generator

from tacita.attack.claims import Claims
from tacita.attack.queries.class_sets import ClassSet, people_of
from tacita.attack.queries.told import SetAttack, claims_about
from tacita.attack.queries.tracker_formulas import TRACKER_TRAITS, individual_tracker
from tacita.attack.queries.words import ServerWords
from tacita.core.arrays import FloatArray

__all__ = ["IndividualTracker", "known_parts"]


@dataclass(frozen=True, kw_only=True)
class IndividualTracker(SetAttack):
    """Ask for people who have some of what is known of a victim, and for those of them who do not have the rest.

    What is known is cut into A and B so that the victim is alone in ``A and B``: q(A and B) = q(A) - q(A and not B). Every cut is
    tried until both sets are answered.

    Returns
    -------
    Claims
        The wanted value of each victim; sure where the difference has one person.

    Complexity
    ----------
    O(2^d) questions a victim with d known variables.

    Notes
    -----
    Size control alone is broken by it; the auditor of sums refuses the second set of each cut.

    References
    ----------
    Schlörer, J. (1975), Identification and retrieval of personal records from a statistical data bank, Methods of Information
    in Medicine 14, 7-13.

    Examples
    --------
    >>> IndividualTracker().traits.held_by
    'an auditor of sums; records dropped or noise for every set'
    """

    name = "individual_tracker"
    traits = TRACKER_TRAITS

    def run(self, target: Any, rng: Generator) -> tuple[Claims, ...]:
        del rng
        words = ServerWords(target)

        def attack(victim: ClassSet) -> FloatArray | None:
            for some, rest in known_parts(words, victim):
                found: FloatArray | None = individual_tracker(words.look, some, rest)
                if found is not None:
                    return found
            return None

        return claims_about(target, words, attack)


def known_parts(words: ServerWords, victim: ClassSet) -> Iterator[tuple[ClassSet, ClassSet]]:
    """Give the cuts of what is known of a victim in two: as much as possible in the first part, which is then small."""
    known: Mapping[str, Any] = dict(victim.boxes[0])
    for size in range(len(known) - 1, 0, -1):
        for first in combinations(sorted(known), size):
            some = people_of(words.domain, {name: known[name] for name in first})
            yield some, people_of(words.domain, {name: known[name] for name in known if name not in first})
