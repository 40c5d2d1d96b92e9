"""Universe gamma: every piece of a universe, and every intersection of pieces, must be large enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.constraints import Interval
from tacita.core.errors import ParameterError
from tacita.core.keyed import Key
from tacita.core.traits import RestrictionTraits
from tacita.query.restrictions.restriction import ALLOW, Restriction, Ruling, deny
from tacita.query.restrictions.thresholds import keyed_thresholds
from tacita.query.universe.boxes import Box, Boxes, TooComplex, intersections

if TYPE_CHECKING:
    from tacita.query.question import Question

__all__ = ["UniverseGamma"]

_MOST_PARTS = 20_000


@dataclass(frozen=True, kw_only=True)
class UniverseGamma(Restriction):
    """Refuse a universe with a piece of fewer than gamma records, or an intersection of pieces of fewer than gamma_star.

    The universe is taken as its maximal boxes, so the decision does not depend on how it was worded. Bins of a cutpoint
    variable are put together within a piece; the classes of an inherently categorical variable are not, each makes a
    piece of its own: ``n[2,4] >= gamma and n[1,2] + n[1,3] >= gamma`` for examples (1) and (2) of the paper.

    Protects against analyses of few records, and against small parts of them that overlapping pieces would uncover.
    Does not protect against differences of two large universes. A refusal tells that a count is below a threshold; many
    refusals tell the threshold, unless ``noise`` blurs it.

    Parameters
    ----------
    gamma
        Least number of records of a piece; secret in the paper.
    gamma_star
        Least number of records of an intersection of pieces that is not empty; at most gamma.
    noise
        How far the threshold of a single piece may lie from these, keyed; 0 is the paper's rule.

    Raises
    ------
    ParameterError
        When ``gamma_star`` is above ``gamma``.

    Complexity
    ----------
    O(n) for the table of the universe's variables, once; then O(b c) for b boxes and intersections of c cells each.

    Notes
    -----
    The universe of everybody is one piece. An intersection without records is empty and is not asked to be large; a
    piece without records is too small.

    References
    ----------
    Lucero et al. (2011), section 3.1.1, Universe Gamma Rule, examples (1) to (4).

    Examples
    --------
    >>> UniverseGamma(gamma=50, gamma_star=60)
    Traceback (most recent call last):
    ...
    tacita.core.errors.ParameterError: UniverseGamma: 'gamma_star' must be at most gamma (50), got 60.
    """

    name = "universe_gamma"
    faces = ("padding", "universe_difference")
    traits = RestrictionTraits(stage="universe")

    gamma: Annotated[int, Interval(2)] = 50
    gamma_star: Annotated[int, Interval(1)] = 25
    noise: Annotated[int, Interval(0)] = 0

    def check(self) -> None:
        """Check the thresholds against each other."""
        if self.gamma_star > self.gamma:
            raise ParameterError(
                f"UniverseGamma: 'gamma_star' must be at most gamma ({self.gamma}), got {self.gamma_star}."
            )

    def judge(self, question: Question) -> Ruling:
        boxes, version = question.boxes, question.version
        is_cutpoint = [version.catalogue[name].is_cutpoint for name in boxes.variables]
        numbers = version.records.cube(boxes.variables).numbers
        try:
            pieces = _parts(boxes, boxes.boxes, is_cutpoint, numbers)
            shared = _parts(boxes, intersections(boxes.boxes), is_cutpoint, numbers)
        except TooComplex:
            return deny("the universe has more pieces or intersections than are looked at")
        few = self._below(pieces, self.gamma, version.lasting_key, is_empty_small=True)
        if few:
            return deny(f"{few} of {len(pieces)} pieces are below gamma")
        few = self._below(shared, self.gamma_star, version.lasting_key, is_empty_small=False)
        return deny(f"{few} of {len(shared)} intersections are below gamma star") if few else ALLOW

    def _below(self, parts: IntArray, least: int, key: Key, *, is_empty_small: bool) -> int:
        """How many parts have too few records."""
        counts = parts[:, 0]
        limits = keyed_thresholds(least, self.noise, key, parts[:, 1:]) if self.noise else least
        return int(((counts < limits) & ((counts > 0) | is_empty_small)).sum())


def _parts(boxes: Boxes, listed: Sequence[Box], is_cutpoint: Sequence[bool], numbers: IntArray) -> IntArray:
    """Return (p, 3): number and sums of hashes of each part that boxes are cut into, see :meth:`Boxes.split`.

    A question of very many parts must not keep others waiting.
    """
    found, many = [np.zeros((0, 3), dtype=np.int64)], 0
    for box in listed:
        added = boxes.split_sums(box, is_cutpoint, numbers)
        many += len(added)
        if many > _MOST_PARTS:
            raise TooComplex(f"The universe must have at most {_MOST_PARTS} parts; ask for less at once.")
        found.append(added)
    return np.concatenate(found)
