"""The difference of two versions of the data: the same question before and after somebody joined or left."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.random import Generator

from tacita.attack.claims import Claims
from tacita.attack.queries.class_sets import ClassSet, people_of
from tacita.attack.queries.told import SetAttack, claims_about, victim_set
from tacita.attack.queries.words import ServerWords
from tacita.core.arrays import FloatArray
from tacita.core.traits import AttackTraits

__all__ = ["VersionDifference"]


@dataclass(frozen=True, kw_only=True)
class VersionDifference(SetAttack):
    """Ask both versions of the data the same questions about people like the victim, who is in one of them only.

    Of the sets that have some of what is known of the victim the first is taken whose count differs by one between the versions:
    what else differs is his.

    Returns
    -------
    Claims
        The wanted value of each victim; sure where a set differs by one person.

    Raises
    ------
    AttackError
        When there is no second version to ask.

    Complexity
    ----------
    O(2^d) questions a victim with d known variables, to each version.

    Notes
    -----
    An auditor within each version does not see it. Everything is asked of the earlier version first, as if it closed
    then. Where counts are not exact, the smallest set that both versions answer is taken.

    References
    ----------
    Lucero, J. et al. (2011), The Microdata Analysis System at the U.S. Census Bureau, SORT special issue, section 3.1.2, leaves
    it open between versions.

    Examples
    --------
    >>> VersionDifference().traits.held_by
    'a rule that looks at what earlier versions answered'
    """

    name = "version_difference"
    traits = AttackTraits(
        against="server",
        learns="value",
        knows="classes that nobody else has together, and that the victim joined or left between two versions",
        breaks="exact answers to two versions, also where each has an auditor of its own",
        held_by="a rule that looks at what earlier versions answered",
    )

    def declined(self, target: Any) -> str:
        why = super().declined(target)
        return why or ("There is no later version of the data." if target.later is None else "")

    def run(self, target: Any, rng: Generator) -> tuple[Claims, ...]:
        del rng
        earlier = ServerWords(target)
        for known in target.known:  # all of it before the later version is there
            for people in _like(earlier, victim_set(earlier, known)):
                earlier.look(people)
        later = ServerWords(target, target.later)

        def attack(victim: ClassSet) -> FloatArray | None:
            nearest: FloatArray | None = None
            for people in _like(earlier, victim):
                before = earlier.look(people)
                after = None if before is None else later.look(people)
                if before is None or after is None:
                    continue
                change = np.asarray(after - before, np.float64)
                if abs(change[0]) == 1:
                    return np.asarray(change * change[0], np.float64)
                nearest = change if nearest is None else nearest
            return nearest

        found = claims_about(target, earlier, attack)
        for claim in found:
            later.refused.update(claim.refused)
        return tuple(_both(claim, earlier, later) for claim in found)


def _like(words: ServerWords, victim: ClassSet) -> Iterator[ClassSet]:
    """Give the people who have some of what is known of a victim: those with most of it first."""
    known = dict(victim.boxes[0])
    for size in range(len(known), -1, -1):
        for chosen in combinations(sorted(known), size):
            yield people_of(words.domain, {name: known[name] for name in chosen})


def _both(claim: Claims, earlier: ServerWords, later: ServerWords) -> Claims:
    return replace(claim, queries=earlier.queries + later.queries, refused=dict(later.refused))
