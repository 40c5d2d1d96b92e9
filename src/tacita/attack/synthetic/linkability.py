"""Linkability: two files about the same people are put together through the synthetic file, which has the columns of both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.random import Generator

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.targets import GeneratorTarget
from tacita.core.arrays import BoolArray, IntArray
from tacita.core.constraints import Interval
from tacita.core.errors import AttackError
from tacita.core.traits import AttackTraits
from tacita.data.side_by_side.person_space import PersonSpace, columns_of_people
from tacita.numeric.nearest.mixed_points import Points, few_nearest, pair_seconds

__all__ = ["Linkability", "linked_through"]


def linked_through(
    first: Points, second: Points, bridge: tuple[Points, Points], count: int
) -> tuple[IntArray, BoolArray]:
    """Return for each record of one file that of the other which a synthetic record lies nearest to, along with it.

    Parameters
    ----------
    first, second
        The records of both files, each in its own columns.
    bridge
        The synthetic records in the columns of the first and of the second file.
    count
        Synthetic records that are tried for each record.

    Returns
    -------
    tuple
        Rows of the second file; and whether both have the same nearest synthetic record.
    """
    rows, far = few_nearest(first, bridge[0], count)
    tried, back = np.unique(rows, return_inverse=True)
    end, rest = few_nearest(bridge[1].rows(tried), second, 1)
    back = back.reshape(rows.shape)
    best = (far + rest[back, 0]).argmin(axis=1)
    picked = np.take_along_axis(back, best[:, None], axis=1)[:, 0]
    chosen = end[picked, 0]
    home = few_nearest(second, bridge[1], 1)[0][:, 0]
    return chosen, home[chosen] == rows[:, 0]


@dataclass(frozen=True, kw_only=True)
class Linkability(Attacker):
    """Put two files about the same people together, which share no column, through synthetic records that have both.

    For each person of the first file the nearest synthetic records are found, and for each of these the nearest person of the
    second file. The pair is claimed whose two distances have the smallest sum. It is sure where both people have the same
    nearest synthetic record.

    Parameters
    ----------
    nearest
        How many of the nearest synthetic records are tried for each person.

    Complexity
    ----------
    O(m n d) time for m people, n synthetic records and d columns.

    Notes
    -----
    The control are people who were not in the data: columns that go together in the population link them as well. The published
    attack only asks whether the nearest synthetic records of two halves of one person meet; here the other half must be found
    among those of all victims.

    References
    ----------
    Giomi, M., Boenisch, F., Wehmeyer, C., Tasnádi, B. (2023), A unified framework for quantifying privacy risk in synthetic
    data. Proceedings on Privacy Enhancing Technologies 2023(2), 312-328, section 4.2.

    Examples
    --------
    >>> import tacita as tc
    >>> from tacita.attack.judge.stage_generator import stage_generator
    >>> data = tc.samples.household_survey(500, seed=1)
    >>> staged = stage_generator(data, lambda data, seed: data, apart=["earnings", "savings", "tax", "health"])
    >>> found = tc.attack.attack_once(Linkability(), staged.target, staged.answers, seed=1, control=staged.control)
    >>> found.standing
    'broken'
    """

    name = "linkability"
    traits = AttackTraits(
        against="generator",
        learns="identity",
        knows="two files about people in the data that share no column",
        breaks="a copy of the data, or one with repeated records",
        held_by="fresh people of the same population",
    )

    nearest: Annotated[int, Interval(1)] = 3

    def declined(self, target: GeneratorTarget) -> str:
        if target.apart is None:
            return "It asks who belongs to whom, and there is no second file."
        if not len(target.released):
            return "The synthetic file has no record."
        parts = (target.candidates, target.apart)
        if not all(columns_of_people(part, target.released) for part in parts):
            return "One of the two files shares no column with the synthetic file."
        return ""

    def cost(self, target: GeneratorTarget) -> float:
        second = 0 if target.apart is None else len(target.apart)
        width = len(target.released.names)
        return (
            1e-3
            + pair_seconds(target.victims, len(target.released), width)
            + pair_seconds(self.nearest * target.victims + len(target.released), second, width)
        )

    def run(self, target: GeneratorTarget, rng: Generator) -> tuple[Claims, ...]:
        del rng  # nothing is drawn
        if why := self.declined(target):
            raise AttackError(why)
        files = [file for file in (target.candidates, target.apart) if file is not None]
        spaces = [PersonSpace.of(columns_of_people(file, target.released), target.released, file) for file in files]
        first, second = (space.points(file) for space, file in zip(spaces, files, strict=True))
        bridge = spaces[0].points(target.released), spaces[1].points(target.released)
        said, sure = linked_through(first, second, bridge, self.nearest)
        share = float(sure.mean()) if len(sure) else 0.0
        learned = f"{100 * share:.0f} % of the people have the same nearest synthetic record as the person they are linked to."
        return (Claims(about="link", said=said, is_sure=sure, learned=learned, figures={"meet": share}),)
