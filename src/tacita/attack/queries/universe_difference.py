"""The difference of two universes: one with the victim, the same without him, over and over with other people around."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
from numpy.random import Generator

from tacita.attack.claims import Claims
from tacita.attack.queries.class_sets import ClassSet, people_of
from tacita.attack.queries.told import SetAttack, claims_about
from tacita.attack.queries.words import ServerWords
from tacita.core.arrays import FloatArray
from tacita.core.constraints import Interval
from tacita.core.traits import AttackTraits

__all__ = ["TRIES_EACH", "UniverseDifference", "subtracted", "surroundings"]

TRIES_EACH = 6
"""Pairs of universes that are tried for each one that is wanted."""


@dataclass(frozen=True, kw_only=True)
class UniverseDifference(SetAttack):
    """Ask for a universe with the victim and for the same without him, and subtract; with several pairs, take the mean.

    The universe has the victim's class and some others of each variable that is known of him, so that it is large; without him it
    is a union of pieces. An insider who is alone with the victim in his cell takes himself out of the difference.

    Parameters
    ----------
    pairs
        Pairs of universes that are used for each victim.

    Returns
    -------
    Claims
        The wanted value of each victim; sure where every pair shows one person with the same value.

    Complexity
    ----------
    O(pairs) questions a victim.

    Notes
    -----
    With exact answers one pair is enough. Against records that are dropped at random, and against noise of each set, the mean of
    many pairs comes closer with each.

    References
    ----------
    Lucero, J. et al. (2011), The Microdata Analysis System at the U.S. Census Bureau, SORT special issue, section 3.1.2,
    Figures 1 and 2.

    Examples
    --------
    >>> UniverseDifference(pairs=20).pairs
    20
    """

    name = "universe_difference"
    traits = AttackTraits(
        against="server",
        learns="value",
        knows="classes that nobody else has together; an insider, what he has himself",
        breaks="exact answers; with many pairs also dropped records and noise keyed by sets",
        held_by="an auditor of sums, an auditor of rows",
    )

    pairs: Annotated[int, Interval(1)] = 5

    def cost(self, target: Any) -> float:
        return 0.2 + 0.004 * self.pairs * float(target.victims)

    def run(self, target: Any, rng: Generator) -> tuple[Claims, ...]:
        words = ServerWords(target)
        spread: list[float] = []

        def attack(victim: ClassSet) -> FloatArray | None:
            found: list[FloatArray] = []
            for whole in surroundings(words, victim, rng, self.pairs * TRIES_EACH):
                difference = subtracted(words, whole, victim)
                if difference is not None:
                    found.append(difference)
                if len(found) == self.pairs:
                    break
            if not found:
                return None
            spread.append(float(np.std([one[1:] for one in found], axis=0).max()))
            return np.asarray(np.mean(found, axis=0), np.float64)

        claims = claims_about(target, words, attack)
        figures = {"spread": float(np.mean(spread)) if spread else np.nan, "answered": float(len(spread))}
        return tuple(replace(claim, figures={**claim.figures, **figures}) for claim in claims)


def subtracted(words: ServerWords, whole: ClassSet, victim: ClassSet, *, again: bool = False) -> FloatArray | None:
    """Return what a universe has less what it has without the victim; None where one of both is refused."""
    larger = words.look(whole, again=again)
    if larger is None:
        return None
    smaller = words.look(whole - victim, again=again)
    return None if smaller is None else np.asarray(larger - smaller, np.float64)


def surroundings(words: ServerWords, victim: ClassSet, rng: Generator, most: int) -> Iterator[ClassSet]:
    """Give universes that have the victim: of each of his variables his own class and some others, of one all classes."""
    known = dict(victim.boxes[0])
    names = sorted(known)
    for _ in range(most):
        free = names[int(rng.integers(len(names)))]
        chosen = {}
        for name in names:
            classes = words.domain[name]
            others = [word for word in classes if word not in known[name] and rng.random() < 0.6]
            chosen[name] = classes if name == free else [*known[name], *others]
        yield people_of(words.domain, chosen)
