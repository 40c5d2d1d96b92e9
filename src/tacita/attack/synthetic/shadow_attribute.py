"""Attributes by regression and shadows: the secret is predicted from synthetic records, in the way that worked on shadows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.random import Generator

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.synthetic.secrets import Secret, declined_secret, secret_column
from tacita.attack.synthetic.shadows import generator_seconds, shadow_files
from tacita.attack.targets import GeneratorTarget
from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.constraints import Interval
from tacita.core.errors import AttackError
from tacita.core.traits import AttackTraits
from tacita.data.side_by_side.person_space import PersonSpace, columns_of_people
from tacita.numeric.nearest.mixed_points import Points, few_nearest, pair_seconds

__all__ = ["ShadowAttribute", "best_by_distance", "ridge_design"]

_NEIGHBOURS = 5
"""Synthetic records whose middle or majority is one of the guesses."""
_MEMBERS = 1000
"""People of each shadow on whom guesses are tried, at most."""
_BINS = 5
"""Classes of distance to the closest record, in each of which the best guess is chosen."""
_NEAR = 0.05
"""A number counts as known within five percent."""
_SURE = 0.9
"""Share of people of the shadows who were told rightly from which on the attacker is sure."""
_RARE = 5
"""Classes with fewer records have no term in a regression."""


def best_by_distance(far: FloatArray, is_hit: BoolArray) -> tuple[FloatArray, IntArray, FloatArray]:
    """Return upper ends of classes of distance, and in each the guess that was right most often, with its share.

    Parameters
    ----------
    far
        Distance of each person to the closest record.
    is_hit
        (people, guesses): which guesses were right.

    Examples
    --------
    >>> far = np.array([0.0, 0.0, 3.0, 3.0])
    >>> ends, best, share = best_by_distance(far, np.array([[0, 1], [0, 1], [1, 0], [0, 0]], bool))
    >>> ends.tolist(), best.tolist(), share.tolist()
    ([0.0, inf], [1, 0], [1.0, 0.5])
    """
    ends = np.unique(np.quantile(far, np.linspace(0, 1, _BINS + 1)[1:-1], method="lower"))
    ends = np.append(ends[ends < far.max()], np.inf)
    place = np.searchsorted(ends, far, side="left")
    hits = np.stack([np.bincount(place, weights=hit, minlength=len(ends)) for hit in is_hit.T.astype(np.float64)])
    counts = np.maximum(np.bincount(place, minlength=len(ends)), 1)
    best = hits.argmax(axis=0)
    return ends, best, hits.max(axis=0) / counts


def ridge_design(points: Points, words: list[IntArray]) -> FloatArray:
    """Return the columns of a regression: a constant, numbers, and one for each class in ``words``."""
    parts = [np.ones((len(points), 1)), points.numbers]
    parts += [(points.codes[:, j, None] == kept).astype(np.float64) for j, kept in enumerate(words)]
    return np.hstack(parts)


@dataclass(frozen=True, kw_only=True)
class ShadowAttribute(Attacker):
    """Predict a secret by regression and by near records of the synthetic file, as it worked best on shadows.

    Guesses of a number are made from a synthetic file by a linear regression on the known columns, by the closest record, by
    the median of the five closest, and by the regression with the residual of the closest added; guesses of a class by
    regressions of all classes, by the closest record and by the majority of the five closest. Another guess is the most frequent
    value of people whom the attacker has. He runs the generator on these people, and finds at which distance to the closest
    record which guess is right most often of people in the data. That guess he makes of his victims.

    Parameters
    ----------
    shadows
        How many synthetic files the attacker makes.

    Complexity
    ----------
    O(s (g + m n d + n q^2)) time for s shadows, where g is that of the generator, m people, n synthetic records, d known columns
    and q terms of the regression.

    Notes
    -----
    A linear regression alone tells what holds in the population, of people in the data and of others alike: the control takes
    that off. What is left is what the file says of its own people. A guess is sure where nine of ten people of the shadows at
    that distance were told rightly. Classes with fewer than five records have no term; the regression has
    a small ridge.

    References
    ----------
    Stadler, T., Oprisanu, B., Troncoso, C. (2022), Synthetic data: anonymisation groundhog day. USENIX Security, 1451-1468,
    section 5.
    Giomi, M., Boenisch, F., Wehmeyer, C., Tasnádi, B. (2023), A unified framework for quantifying privacy risk in synthetic
    data. Proceedings on Privacy Enhancing Technologies 2023(2), 312-328, section 4.3.

    Examples
    --------
    >>> import tacita as tc
    >>> from tacita.attack.judge.stage_generator import stage_generator
    >>> staged = stage_generator(tc.samples.household_survey(500, seed=1), lambda data, seed: data, secret="savings")
    >>> found = tc.attack.attack_once(ShadowAttribute(), staged.target, staged.answers, seed=1, control=staged.control)
    >>> found.standing, found.success > 0.9
    ('broken', True)
    """

    name = "shadow_attribute"
    title = "Attributes by regression and shadows"
    traits = AttackTraits(
        against="generator",
        learns="value",
        knows="some columns of people who are in the data, other people of the same population, and the generator",
        breaks="a copy of the data, or one with repeated records",
        held_by="fresh people of the same population",
    )

    shadows: Annotated[int, Interval(2)] = 4

    def declined(self, target: GeneratorTarget) -> str:
        if len(target.reference) < 10:
            return "It needs ten other people at least, to put them through the generator."
        if target.secret is not None and target.secret not in target.reference.schema:
            return "The people whom the attacker has lack the secret column."
        return declined_secret(target)

    def cost(self, target: GeneratorTarget) -> float:
        n, width = len(target.released), len(target.candidates.names)
        tried = self.shadows * (pair_seconds(min(_MEMBERS, n), n, width) + generator_seconds(target) + 1e-5 * n)
        return 1e-3 + tried + pair_seconds(target.victims, n, width)

    def run(self, target: GeneratorTarget, rng: Generator) -> tuple[Claims, ...]:
        if why := self.declined(target):
            raise AttackError(why)
        names = columns_of_people(target.candidates, target.released, target.reference)
        space = PersonSpace.of(names, target.reference, target.released, target.candidates)
        name = str(target.secret)
        words = secret_column(target.reference, name).words
        words = tuple(dict.fromkeys((*words, *secret_column(target.released, name).words)))
        size = min(len(target.released), len(target.reference) // 2)
        usual = _most_frequent(secret_column(target.reference, name, words))
        far, hits = [], []
        made = shadow_files(target.generate, target.reference, (*names, name), size=size, shadows=self.shadows, rng=rng)
        for rows, file in made:
            members = target.reference.take(rng.permutation(rows)[:_MEMBERS])
            away, guesses = _guesses(space.points(members), space.points(file), secret_column(file, name, words), usual)
            far.append(away)
            hits.append(_is_hit(guesses, secret_column(members, name, words)))
        ends, best, share = best_by_distance(np.concatenate(far), np.vstack(hits))
        secret = secret_column(target.released, name, words)
        away, guesses = _guesses(space.points(target.candidates), space.points(target.released), secret, usual)
        place = np.searchsorted(ends, away, side="left")
        chosen = guesses[np.arange(len(guesses)), best[place]]
        said = chosen if secret.is_number else secret.worded(np.where(np.isnan(chosen), -1, chosen).astype(np.int64))
        sure = share[place] >= _SURE
        figures = {"right_on_shadows": float(share[place].mean()) if len(place) else 0.0}
        learned = f"On shadows {100 * figures['right_on_shadows']:.0f} % of such guesses were right."
        return (Claims(about=name, said=said, is_sure=sure, learned=learned, figures=figures),)


def _guesses(people: Points, made: Points, secret: Secret, usual: float) -> tuple[FloatArray, FloatArray]:
    """Return the distance of each person to the closest record, and all guesses of the secret: numbers, or codes of classes."""
    there = ~np.isnan(secret.values) if secret.is_number else secret.codes >= 0
    always = np.full(len(people), usual)
    if not there.any():
        return np.zeros(len(people)), np.column_stack([always] * (5 if secret.is_number else 4))
    made = made.rows(np.flatnonzero(there))
    kept = [_common(made.codes[:, j]) for j in range(made.codes.shape[1])]
    design, asked = ridge_design(made, kept), ridge_design(people, kept)
    rows, far = few_nearest(people, made, _NEIGHBOURS)
    if secret.is_number:
        values = secret.values[there]
        slopes = _ridge(design, values[:, None])[:, 0]
        fitted, closest = asked @ slopes, values[rows[:, 0]]
        corrected = fitted + closest - (design @ slopes)[rows[:, 0]]
        return far[:, 0], np.column_stack([fitted, closest, np.median(values[rows], axis=1), corrected, always])
    codes = secret.codes[there]
    one = (codes[:, None] == np.arange(len(secret.words))).astype(np.float64)
    likely = (asked @ _ridge(design, one)).argmax(axis=1)
    most = one[rows].sum(axis=1).argmax(axis=1)
    return far[:, 0], np.column_stack([likely, codes[rows[:, 0]], most, always]).astype(np.float64)


def _most_frequent(secret: Secret) -> float:
    """Return the most frequent number, or the code of the most frequent class; NaN where there is none."""
    there = secret.values[~np.isnan(secret.values)] if secret.is_number else secret.codes[secret.codes >= 0]
    if not len(there):
        return float("nan")
    values, times = np.unique(there, return_counts=True)
    return float(values[times.argmax()])


def _is_hit(guesses: FloatArray, secret: Secret) -> BoolArray:
    """Return which guesses are right."""
    if not secret.is_number:
        return np.asarray(guesses == secret.codes[:, None])
    with np.errstate(invalid="ignore"):
        away = np.abs(guesses - secret.values[:, None])
        return np.asarray(away <= _NEAR * np.abs(secret.values)[:, None] + 1e-9)


def _common(codes: IntArray) -> IntArray:
    """Return the classes that get a term."""
    there, times = np.unique(codes, return_counts=True)
    return np.asarray(there[times >= _RARE])


def _ridge(design: FloatArray, y: FloatArray) -> FloatArray:
    """Return the coefficients of a regression with a small ridge. O(n q^2)."""
    gram = design.T @ design
    gram += 1e-6 * np.trace(gram) / len(gram) * np.eye(len(gram))
    return np.asarray(np.linalg.solve(gram, design.T @ y))
