"""Membership by shadows: the attacker learns from synthetic files of his own what a member leaves behind in one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.random import Generator

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.synthetic.shadows import both_files, generator_seconds, shadow_files
from tacita.attack.targets import GeneratorTarget
from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.constraints import Interval
from tacita.core.errors import AttackError
from tacita.core.traits import AttackTraits
from tacita.data.side_by_side.person_space import PersonSpace, columns_of_people
from tacita.numeric.nearest.mixed_points import Points, distance_blocks, few_nearest, pair_seconds
from tacita.numeric.statistics.regression import independent_columns, logistic

__all__ = ["ShadowMembership", "against_absence", "traces_in"]

_NEAREST = 5
"""Neighbours whose distance in the attacker's own people is the radius in which synthetic records are counted."""
_LEAST_FAR = 1e-3
"""Distances below it are one: the logarithm of none has no end."""
_SURE = 0.99
"""Chance of being in the data from which on the attacker is sure, for somebody who is as likely in it as not."""


def traces_in(made: Points, people: Points, others: Points, radius: FloatArray) -> FloatArray:
    """Return for each person what a synthetic file shows of him. O(m n d).

    Six columns: the logarithm of the distance to the closest record; of its ratio to the second closest; of how many records lie
    within the radius; of how many share his combination of classes; how many of his numbers occur as they are, rare ones of
    the attacker's own people more; and how much more often his classes occur than in these.
    """
    far = np.maximum(few_nearest(people, made, 2)[1], _LEAST_FAR)
    within = _count_within(people, made, radius)
    alike = _count_same(people.codes, made.codes)
    values = np.zeros(len(people))
    for j in range(people.numbers.shape[1]):
        occurs = _count_equal(people.numbers[:, j], made.numbers[:, j]) > 0
        often = _count_equal(people.numbers[:, j], others.numbers[:, j])
        values += occurs * np.log((len(others) + 1) / (often + 1))
    classes = np.zeros(len(people))
    for j in range(people.codes.shape[1]):
        here, there = (_count_equal(people.codes[:, j], part.codes[:, j]) for part in (made, others))
        classes += np.log((here + 0.5) / (len(made) + 1)) - np.log((there + 0.5) / (len(others) + 1))
    return np.column_stack(
        [np.log(far[:, 0]), np.log(far[:, 0] / far[:, 1]), np.log1p(within), np.log1p(alike), values, classes]
    )


def against_absence(traces: FloatArray, is_in: BoolArray) -> tuple[FloatArray, FloatArray]:
    """Return traces less their mean in the shadows without that person, and these means.

    Parameters
    ----------
    traces
        (shadows, people, traces).
    is_in
        (shadows, people): who was in the data of which shadow.

    Notes
    -----
    A shadow without a person does not count for his own mean, so that it is compared as a new file is. Who is in all shadows, or
    in all but one, is compared with the mean over all.
    """
    out = (~is_in).astype(np.float64)[:, :, None]
    times, sums = out.sum(axis=0), (out * traces).sum(axis=0)
    rest = times - out
    whole = traces.mean(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(times > 0, sums / times, whole)
        apart = np.where(rest > 0, (sums - out * traces) / rest, whole)
    return traces - apart, means


@dataclass(frozen=True, kw_only=True)
class ShadowMembership(Attacker):
    """Say who is in the data by what members leave behind in synthetic files that the attacker made himself.

    The attacker puts his candidates and the people whom he has into one pool, runs the generator on random parts of it, and takes
    from each shadow what it shows of every candidate: distances to the closest records, records within a radius, equal
    combinations of classes, numbers that occur as they are, frequencies of his classes. From these, less their mean over the
    shadows without the candidate, a logistic regression learns what tells members from others. It is then asked about the
    release.

    Parameters
    ----------
    shadows
        How many synthetic files the attacker makes.

    Complexity
    ----------
    O(s (g + m n d)) time for s shadows, where g is that of the generator, m candidates, n synthetic records and d columns.

    Notes
    -----
    Candidates stand in random parts of the pool together, so that the number of shadows does not grow with theirs; the published
    attack makes shadows for each target alone. Frequencies are histogram features, the other traces are of the kind of the naive
    and the targeted ones. The comparison with absence is that of a likelihood ratio attack. A shadow is made from as many people
    as the release has records, but from no more than half of the pool.

    References
    ----------
    Stadler, T., Oprisanu, B., Troncoso, C. (2022), Synthetic data: anonymisation groundhog day. USENIX Security, 1451-1468.
    Carlini, N. et al. (2022), Membership inference attacks from first principles. IEEE Symposium on Security and Privacy.

    Examples
    --------
    >>> import tacita as tc
    >>> from tacita.attack.judge.stage_generator import stage_generator
    >>> staged = stage_generator(tc.samples.household_survey(500, seed=1), lambda data, seed: data)
    >>> found = tc.attack.attack_once(ShadowMembership(shadows=4), staged.target, staged.answers, seed=1)
    >>> found.standing, found.success > 0.95
    ('broken', True)
    """

    name = "shadow_membership"
    title = "Membership by shadows"
    traits = AttackTraits(
        against="generator",
        learns="membership",
        knows="all columns of the candidates, other people of the same population, and the generator",
        breaks="columns that are shuffled each by itself, since every number is still there",
        held_by="fresh people of the same population",
    )

    shadows: Annotated[int, Interval(2)] = 16

    def declined(self, target: GeneratorTarget) -> str:
        if target.secret is not None or target.apart is not None:
            return "It asks who is in the data, not for a secret or a link."
        if set(target.reference.names) - set(target.candidates.names):
            return "It needs all columns of the candidates, to put them through the generator."
        if len(target.reference) < 2 or len(target.released) < 2:
            return "It needs two synthetic records and two other people at least."
        if not columns_of_people(target.candidates, target.released, target.reference):
            return "The candidates and the synthetic file share no column."
        return ""

    def cost(self, target: GeneratorTarget) -> float:
        width = len(target.candidates.names)
        each = pair_seconds(3 * target.victims, len(target.released), width) + generator_seconds(target)
        return (self.shadows + 1) * each + 1e-5 * self.shadows * target.victims

    def run(self, target: GeneratorTarget, rng: Generator) -> tuple[Claims, ...]:
        if why := self.declined(target):
            raise AttackError(why)
        names = columns_of_people(target.candidates, target.released, target.reference)
        space = PersonSpace.of(names, target.reference, target.released, target.candidates)
        people, others = space.points(target.candidates), space.points(target.reference)
        radius = few_nearest(people, others, _NEAREST)[1][:, -1]
        pool = both_files(target.candidates, target.reference.select(target.candidates.names))
        size = min(len(target.released), len(pool) // 2)
        released = space.points(target.released)
        traces, is_in, smallest = [], np.zeros((self.shadows, len(people)), bool), len(released)
        made = shadow_files(target.generate, pool, names, size=size, shadows=self.shadows, rng=rng)
        for s, (rows, file) in enumerate(made):
            is_in[s, rows[rows < len(people)]] = True
            traces.append(traces_in(_as_many(space.points(file), len(released), rng), people, others, radius))
            smallest = min(smallest, len(file))
        seen = traces_in(_as_many(released, smallest, rng), people, others, radius)
        odds = _odds(np.stack(traces), is_in, seen)
        sure = odds > np.log(_SURE / (1 - _SURE))
        told = float(sure.mean()) if len(sure) else 0.0
        return (
            Claims(
                about="membership",
                said=odds > 0,
                is_sure=sure,
                learned=f"Of {100 * told:.0f} % of the candidates the attacker is sure that they are in the data.",
                figures={"shadows": float(self.shadows), "sure_share": told},
            ),
        )


def _odds(traces: FloatArray, is_in: BoolArray, seen: FloatArray) -> FloatArray:
    """Return the logarithm of the odds that each person is in the data, for one who is as likely in it as not."""
    moved, means = against_absence(traces, is_in)
    x, y = moved.reshape(-1, moved.shape[2]), is_in.reshape(-1).astype(np.float64)
    share = float(y.mean())
    kept = independent_columns(x)
    if not kept.any() or not 0 < share < 1:
        return np.zeros(len(seen))
    fit = logistic(x[:, kept], y)
    linear = fit.coefficients[0] + (seen - means)[:, kept] @ fit.coefficients[1:]
    return np.asarray(linear - np.log(share / (1 - share)))


def _as_many(points: Points, count: int, rng: Generator) -> Points:
    """Return as many of the points at random, where there are more: distances are those of files of one size."""
    return points if len(points) <= count else points.rows(rng.permutation(len(points))[:count])


def _count_equal(values: FloatArray | IntArray, among: FloatArray | IntArray) -> IntArray:
    """Return how often each value occurs among others. O(n log n)."""
    ordered = np.sort(among)
    return np.searchsorted(ordered, values, side="right") - np.searchsorted(ordered, values, side="left")


def _count_same(codes: IntArray, among: IntArray) -> IntArray:
    """Return how often each combination of classes occurs among others. O(n log n)."""
    _, label = np.unique(np.vstack([among, codes]), axis=0, return_inverse=True)
    label = label.reshape(-1)
    return np.bincount(label[: len(among)], minlength=int(label.max(initial=0)) + 1)[label[len(among) :]]


def _count_within(people: Points, made: Points, radius: FloatArray) -> IntArray:
    """Return how many records lie within a radius of each person. O(m n d)."""
    counts = np.empty(len(people), np.int64)
    for rows, away in distance_blocks(people, made):
        counts[rows] = (away <= radius[rows][:, None] ** 2 + 1e-9).sum(axis=1)
    return counts
