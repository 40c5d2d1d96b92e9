"""Many splits: a set of people in two parts, in many ways; the noise of the parts averages out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.random import Generator

from tacita.attack.claims import Claims
from tacita.attack.queries.averages import average_traits, averaged_claims
from tacita.attack.queries.class_sets import ClassSet, people_of
from tacita.attack.queries.told import SetAttack
from tacita.attack.queries.words import ServerWords
from tacita.core.arrays import FloatArray
from tacita.core.constraints import Interval

__all__ = ["ManySplits", "halves"]

_BARREN = 12
"""Splits in a row that are refused before he gives up on a set."""


@dataclass(frozen=True, kw_only=True)
class ManySplits(SetAttack):
    """Ask for two parts of a set, in many ways, add up each pair, and take the mean.

    Two universes that differ by the victim are split, and subtracted. Noise of variance V for each part leaves 2 V / t after t
    splits; bounded or not, it goes to zero.

    Parameters
    ----------
    splits
        In how many ways each set is split.

    Returns
    -------
    Claims
        The wanted value of each victim. Figures: ``spread`` of the sums of single splits, and ``answers_for_95``, after how many
        splits a rounded mean is right with 95 %.

    Complexity
    ----------
    O(splits) questions a victim.

    Notes
    -----
    Noise of mean 0 that is keyed by the set, such as cell keys, is beaten after some hundred splits. What holds it: a limit on
    how often one set is split, an auditor of rows, or a layer of noise for every record, which adds up to the same whatever
    the split.

    References
    ----------
    Fraser, B. and Wooton, J. (2005), A proposed method for confidentialising tabular output to protect against differencing,
    UNECE work session on statistical data confidentiality; that splitting averages noise out follows from its
    variance.

    Examples
    --------
    >>> ManySplits(splits=100).splits
    100
    """

    name = "many_splits"
    traits = average_traits(
        "noise of mean zero that is keyed by the set of members",
        "a limit on splits; an auditor of rows; noise with a layer for every record",
    )

    splits: Annotated[int, Interval(1)] = 150

    def cost(self, target: Any) -> float:
        return 0.2 + 0.004 * self.splits * float(target.victims)

    def run(self, target: Any, rng: Generator) -> tuple[Claims, ...]:
        words = ServerWords(target)

        def draws(people: ClassSet) -> Iterator[FloatArray | None]:
            whole = words.look(people)
            yield whole
            failed = 0
            for first, second in halves(words, people, rng, 0 if whole is None else self.splits):
                parts = words.look(first)
                other = None if parts is None else words.look(second)
                failed = failed + 1 if other is None else 0
                yield None if parts is None or other is None else np.asarray(parts + other, np.float64)
                if failed >= _BARREN:
                    return

        return averaged_claims(target, words, rng, draws, self.splits + 1, alone=False)


def halves(words: ServerWords, people: ClassSet, rng: Generator, most: int) -> Iterator[tuple[ClassSet, ClassSet]]:
    """Give ways to cut a set in two by the classes of one variable, or of two at once."""
    names = [name for name in words.domain if name != words.target.wanted and len(words.domain[name]) > 1]
    for _ in range(most):
        chosen = [names[i] for i in rng.permutation(len(names))[: int(rng.integers(1, 3))]]
        part = people
        for name in chosen:
            classes = words.domain[name]
            kept = [word for word in classes if rng.random() < 0.5]
            part = part & people_of(words.domain, {name: kept or classes[:1]})
        if part and len(part.boxes) <= len(people.boxes) * 2:
            yield part, people - part
