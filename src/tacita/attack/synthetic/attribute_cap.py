"""Correct attribution: the secret of a victim is read from the synthetic records that share what is known of him."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.synthetic.secrets import declined_secret, secret_column
from tacita.attack.targets import GeneratorTarget
from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import AttackError
from tacita.core.traits import AttackTraits
from tacita.data.side_by_side.person_space import PersonSpace, columns_of_people
from tacita.numeric.nearest.mixed_points import Points, distance_blocks, pair_seconds

__all__ = ["AttributeCap", "classes_of_nearest", "values_of_nearest"]

_TIE = 1e-9
"""Squared distances that differ by less are equal: they are sums in another order."""


def classes_of_nearest(
    keys: Points, others: Points, classes: IntArray, count: int
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return for each victim the most frequent class of the nearest records, its share, and the squared distance. O(m n d).

    All that are equally near count. Of equally frequent classes the first is taken. A class of -1 is missing and does not
    count; where all are missing the class is -1 and its share 0.
    """
    counted = (classes[:, None] == np.arange(count)).astype(np.float64)
    chosen, share, far = np.empty(len(keys), np.int64), np.empty(len(keys)), np.empty(len(keys))
    for rows, away in distance_blocks(keys, others):
        far[rows] = away.min(axis=1)
        votes = (away <= far[rows][:, None] + _TIE).astype(np.float64) @ counted
        whole = votes.sum(axis=1)
        chosen[rows] = np.where(whole > 0, votes.argmax(axis=1), -1)
        share[rows] = votes.max(axis=1, initial=0.0) / np.maximum(whole, 1.0)
    return chosen, share, far


def values_of_nearest(keys: Points, others: Points, values: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return for each victim the smallest, the median and the largest number of the nearest records; all equally near count."""
    found = np.full((len(keys), 3), np.nan)
    for rows, away in distance_blocks(keys, others):
        is_near = away <= away.min(axis=1)[:, None] + _TIE
        is_near &= ~np.isnan(values)
        victim, row = np.nonzero(is_near)
        if not len(victim):
            continue
        order = np.lexsort((values[row], victim))
        victim, sorted_values = victim[order], values[row][order]
        there, first, times = np.unique(victim, return_index=True, return_counts=True)
        last = first + times - 1
        middle = (sorted_values[first + (times - 1) // 2] + sorted_values[first + times // 2]) / 2
        found[rows.start + there] = np.stack([sorted_values[first], middle, sorted_values[last]], axis=1)
    return found[:, 0], found[:, 1], found[:, 2]


@dataclass(frozen=True, kw_only=True)
class AttributeCap(Attacker):
    """Read a secret from the synthetic records that share the known columns with a victim, or come nearest to them.

    Of a class the most frequent one among these records is said, of a number their median. Where records share all known
    columns this is the correct attribution probability (CAP); where none does, those that differ in the fewest columns take
    their place (generalised CAP). It is sure where a record shares all of them and all of these have one class or one number
    (within-class attribution of 1). The differential CAP is the advantage over the control: what is told of people who were not
    in the data comes from the population.

    Complexity
    ----------
    O(m n d) time for m victims, n synthetic records and d known columns.

    Notes
    -----
    Known numbers count by their distance in place of agreement, so that the nearest record is taken where none is the same. All
    equally near records count.

    References
    ----------
    Elliot, M. (2014), Final report on the disclosure risk associated with the synthetic data produced by the SYLLS team.
    Taub, J., Elliot, M., Pampaka, M., Smith, D. (2018), Differential correct attribution probability for synthetic data: an
    exploration. Privacy in Statistical Databases, 122-137.
    Hittmeir, M., Mayer, R., Ekelhart, A. (2020), A baseline for attribute disclosure risk in synthetic data. CODASPY, 133-143.

    Examples
    --------
    >>> import tacita as tc
    >>> from tacita.attack.judge.stage_generator import stage_generator
    >>> staged = stage_generator(tc.samples.household_survey(500, seed=1), lambda data, seed: data, secret="savings")
    >>> found = tc.attack.attack_once(AttributeCap(), staged.target, staged.answers, seed=1, control=staged.control)
    >>> found.standing, found.success > 0.9
    ('broken', True)
    """

    name = "attribute_cap"
    title = "Correct attribution"
    traits = AttackTraits(
        against="generator",
        learns="value",
        knows="some columns of people who are in the data",
        breaks="a copy of the data, or one with repeated records",
        held_by="fresh people of the same population",
    )

    def declined(self, target: GeneratorTarget) -> str:
        return declined_secret(target)

    def cost(self, target: GeneratorTarget) -> float:
        return 1e-3 + 2 * pair_seconds(target.victims, len(target.released), len(target.candidates.names))

    def run(self, target: GeneratorTarget, rng: Generator) -> tuple[Claims, ...]:
        del rng  # nothing is drawn
        if why := self.declined(target):
            raise AttackError(why)
        names = columns_of_people(target.candidates, target.released)
        space = PersonSpace.of(names, target.released, target.candidates)
        keys, others = space.points(target.candidates), space.points(target.released)
        secret = secret_column(target.released, str(target.secret))
        low = high = None
        said: NDArray[np.generic]
        is_same = _shares_all(keys, others)
        if secret.is_number:
            low, said, high = values_of_nearest(keys, others, secret.values)
            sure = is_same & (low == high)
        else:
            chosen, share, _ = classes_of_nearest(keys, others, secret.codes, len(secret.words))
            said, sure = secret.worded(chosen), is_same & (share == 1.0)
        figures = {"share_all_columns": float(is_same.mean()) if len(is_same) else 0.0}
        learned = f"{100 * figures['share_all_columns']:.0f} % of the victims share all known columns with a synthetic record."
        return (
            Claims(about=secret.name, said=said, is_sure=sure, low=low, high=high, learned=learned, figures=figures),
        )


def _shares_all(keys: Points, others: Points) -> BoolArray:
    """Return which victims have a record that is the same in every known column. O(n log n)."""
    joined = np.vstack([np.hstack([part.numbers, part.codes]) for part in (others, keys)])
    _, label = np.unique(joined, axis=0, return_inverse=True)
    label = label.reshape(-1)
    return np.isin(label[len(others) :], label[: len(others)])
