"""Averaging: what is needed to say that the mean of many answers is the true count, and how often a victim is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from math import ceil

import numpy as np
from numpy.random import Generator

from tacita.attack.claims import Claims
from tacita.attack.queries.class_sets import ClassSet
from tacita.attack.queries.told import claims_about
from tacita.attack.queries.universe_difference import TRIES_EACH, surroundings
from tacita.attack.queries.words import ServerWords
from tacita.attack.targets import ServerTarget
from tacita.core.arrays import FloatArray
from tacita.core.traits import AttackTraits

__all__ = ["AveragedSet", "answers_for_95", "average_traits", "averaged_claims"]


def average_traits(breaks: str, held_by: str) -> AttackTraits:
    """Return what attacks by averages are against, with the noise that each breaks and what holds it."""
    knows = "classes that nobody else has together"
    return AttackTraits(against="server", learns="value", knows=knows, breaks=breaks, held_by=held_by)


_NORMAL_95 = 1.959963984540054

Draws = Callable[[ClassSet], Iterator["FloatArray | None"]]
"""Gives one estimate of what a set of people has after the other; None where one is refused."""


def answers_for_95(sd: float) -> float:
    """Return how many answers with independent noise of this standard deviation make a rounded mean right with 95 %.

    Examples
    --------
    Noise of variance 3 on a count, and on a set in two parts:

    >>> answers_for_95(3**0.5), answers_for_95(6**0.5)
    (47.0, 93.0)
    """
    return float(ceil((_NORMAL_95 * sd / 0.5) ** 2 - 1e-9)) if np.isfinite(sd) else np.nan


@dataclass
class AveragedSet:
    """What is told about sets of people, each the mean of many estimates; remembers how much these differ."""

    draws: Draws
    most: int
    spreads: list[float] = field(default_factory=list)

    def look(self, people: ClassSet) -> FloatArray | None:
        """Return the mean of the estimates of a set; None where none is answered."""
        found = [one for _, one in zip(range(self.most), self.draws(people), strict=False)]
        told = [one for one in found if one is not None]
        if not told:
            return None
        if len(told) > 1:
            self.spreads.append(float(np.std(told, axis=0, ddof=1)[1:].max()))
        return np.asarray(np.mean(told, axis=0), np.float64)


def averaged_claims(
    target: ServerTarget, words: ServerWords, rng: Generator, draws: Draws, most: int, *, alone: bool = True
) -> tuple[Claims, ...]:
    """Ask for each victim ``alone`` as often as wanted; where that is refused, for two universes that differ by him.

    Figures: ``spread``, the standard deviation of single answers; ``answers_for_95``, how many make a rounded mean right with
    95 %.
    """
    averaged = AveragedSet(draws, most)

    def attack(victim: ClassSet) -> FloatArray | None:
        direct = averaged.look(victim) if alone else None
        if direct is not None:
            return direct
        for whole in surroundings(words, victim, rng, TRIES_EACH):
            if words.look(whole) is None or words.look(whole - victim) is None:
                continue
            larger = averaged.look(whole)
            smaller = None if larger is None else averaged.look(whole - victim)
            if larger is not None and smaller is not None:
                return larger - smaller
        return None

    claims = claims_about(target, words, attack)
    spread = float(np.sqrt(np.mean(np.square(averaged.spreads)))) if averaged.spreads else np.nan
    figures = {"spread": spread, "answers_for_95": answers_for_95(spread)}
    return tuple(replace(claim, figures=figures) for claim in claims)
