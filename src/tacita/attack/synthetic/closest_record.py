"""Closest records: somebody who is nearer to the synthetic file than people outside the data are is said to be in the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.random import Generator

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.targets import GeneratorTarget
from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.errors import AttackError
from tacita.core.traits import AttackTraits
from tacita.data.side_by_side.person_space import PersonSpace, columns_of_people
from tacita.numeric.nearest.mixed_points import Points, few_nearest, nearer_share, pair_seconds

__all__ = ["ClosestRecord", "best_separation"]

_FEWEST = 1000
"""People outside the data whose distances are taken, at least, where there are so many."""
_LOOKED_AT = 2000
"""Synthetic records that the share of nearer ones is counted in, at most."""
_SURE = 0.01
"""Share of people outside the data who are as near as somebody who is surely inside."""


def best_separation(inside: FloatArray, outside: FloatArray) -> float:
    """Return the score up to which the most candidates lie beyond the share of people outside. O(n log n).

    The candidates are a mixture of members and others, whose scores are distributed as those outside, so that the difference of
    both distribution functions is largest where that of members and others is. Minus infinity where no score does.

    Examples
    --------
    >>> best_separation(np.array([0.0, 0.1, 0.8, 0.9]), np.array([0.7, 0.8, 0.9, 1.0]))
    0.1
    """
    at = np.unique(inside)
    below = np.searchsorted(np.sort(inside), at, side="right") / len(inside)
    chance = np.searchsorted(np.sort(outside), at, side="right") / len(outside)
    best = int(np.argmax(below - chance))
    return float(at[best]) if below[best] > chance[best] else float("-inf")


@dataclass(frozen=True, kw_only=True)
class ClosestRecord(Attacker):
    """Say that somebody is in the data whose closest synthetic record is closer than that of people outside.

    Each candidate gets a score from the distance to the closest synthetic record. The same score is taken of people whom the
    attacker has and who are not in the data (the holdout). He calls those members whose score is at most t, where t is chosen
    so that the share of candidates up to it exceeds that of the holdout by most. The figure ``nearer`` is the share of synthetic
    records that are closer to a candidate than to as many people of the holdout, with its interval: a half is what a file gives
    that holds nothing of the candidates.

    Parameters
    ----------
    nearness
        ``relative``: distance to the closest synthetic record, divided by the sum of that and of the distance to the closest
        person of the holdout, so that somebody among many is not called near for that alone. ``distance``: the distance to the
        closest record (DCR). ``ratio``: closest divided by second closest (NNDR).

    Complexity
    ----------
    O(m n d) time for m candidates, n synthetic records and d columns; O(n d) memory.

    Notes
    -----
    Columns of any scale count, those that number households and the like excepted. The threshold needs no candidate whose
    membership is known. The claim is sure where fewer than one in a hundred people of the holdout have as low a score. A
    relative distance is a density ratio with one neighbour on each side.

    References
    ----------
    Platzer, M., Reutterer, T. (2021), Holdout-based empirical assessment of mixed-type synthetic data. Frontiers in Big Data 4,
    679939.
    van Breugel, B., Sun, H., Qian, Z., van der Schaar, M. (2023), Membership inference attacks against synthetic data through
    overfitting detection. AISTATS 2023.

    Examples
    --------
    >>> import tacita as tc
    >>> from tacita.attack.judge.stage_generator import stage_generator
    >>> staged = stage_generator(tc.samples.household_survey(500, seed=1), lambda data, seed: data)
    >>> found = tc.attack.attack_once(ClosestRecord(), staged.target, staged.answers, seed=1)
    >>> found.standing, found.success > 0.9
    ('broken', True)
    """

    name = "closest_record"
    title = "Distance to the closest record"
    traits = AttackTraits(
        against="generator",
        learns="membership",
        knows="all columns of the candidates, and other people of the same population",
        breaks="a copy of the data, or one with repeated records",
        held_by="fresh people of the same population",
    )

    nearness: Literal["relative", "distance", "ratio"] = "relative"

    def declined(self, target: GeneratorTarget) -> str:
        if target.secret is not None or target.apart is not None:
            return "It asks who is in the data, not for a secret or a link."
        if len(target.reference) < 2 or len(target.released) < 2:
            return "It needs two synthetic records and two other people at least."
        if not columns_of_people(target.candidates, target.released, target.reference):
            return "The candidates and the synthetic file share no column."
        return ""

    def cost(self, target: GeneratorTarget) -> float:
        width = len(target.candidates.names)
        held = min(len(target.reference), max(target.victims, _FEWEST))
        others = len(target.released) + len(target.reference)
        return (
            1e-3
            + pair_seconds(target.victims + held, others, width)
            + pair_seconds(2 * target.victims, min(len(target.released), _LOOKED_AT), width)
        )

    def run(self, target: GeneratorTarget, rng: Generator) -> tuple[Claims, ...]:
        if why := self.declined(target):
            raise AttackError(why)
        names = columns_of_people(target.candidates, target.released, target.reference)
        space = PersonSpace.of(names, target.reference, target.released, target.candidates)
        people, released, others = map(space.points, (target.candidates, target.released, target.reference))
        held = rng.permutation(len(others))[: max(len(people), _FEWEST)]
        inside = self._scores(people, released, others, itself=False)
        outside = self._scores(others.rows(held), released, others, itself=True)
        near = inside <= best_separation(inside, outside)
        sure: BoolArray = near & (inside < np.quantile(outside, _SURE))
        few = min(len(people), len(others))
        looked = released.rows(rng.permutation(len(released))[:_LOOKED_AT])
        share, low, high = nearer_share(
            looked, people.rows(rng.permutation(len(people))[:few]), others.rows(rng.permutation(len(others))[:few])
        )
        figures = {
            "nearer": share,
            "nearer_low": low,
            "nearer_high": high,
            "score_of_candidates": float(np.median(inside)),
            "score_of_others": float(np.median(outside)),
        }
        learned = f"{100 * share:.0f} % of the synthetic records are nearer to a candidate than to one of as many other people."
        return (Claims(about="membership", said=near, is_sure=sure, learned=learned, figures=figures),)

    def _scores(self, people: Points, released: Points, others: Points, *, itself: bool) -> FloatArray:
        """Return the score of each person, small where he is near; ``itself`` where he is one of the others."""
        away = few_nearest(people, released, 2 if self.nearness == "ratio" else 1)[1]
        if self.nearness == "distance":
            return away[:, 0]
        second = away[:, -1] if self.nearness == "ratio" else few_nearest(people, others, 1 + itself)[1][:, -1]
        whole = away[:, 0] + second if self.nearness == "relative" else second
        # Both zero: a combination that many have, near to everything.
        even = 0.5 if self.nearness == "relative" else 1.0
        return np.where(whole > 0, away[:, 0] / np.where(whole > 0, whole, 1.0), even)
