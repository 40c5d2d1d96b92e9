"""No marginal 1 or 2: no total of a universe's own table may be one or two records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from tacita.core.constraints import Interval
from tacita.core.traits import RestrictionTraits
from tacita.query.restrictions.restriction import ALLOW, Restriction, Ruling, deny
from tacita.query.restrictions.thresholds import keyed_thresholds

if TYPE_CHECKING:
    from tacita.query.question import Question

__all__ = ["SmallMarginals"]


@dataclass(frozen=True, kw_only=True)
class SmallMarginals(Restriction):
    """Refuse a universe whose m variables have an (m - 1)-dimensional marginal total of one or two records.

    The table is the unfiltered one of all m variables of the universe, whatever classes the universe picks. Every total
    that adds over one of the variables must be 0 or at least ``at_least``.

    Protects against universes that single out one or two people, and against the differences that such totals make
    easy. Does not protect against a difference of two universes that both pass: that is what Drop q is for. A refusal
    itself tells that such a total exists; ``noise`` blurs what it tells.

    Parameters
    ----------
    at_least
        The smallest total other than 0; 3 in the paper.
    noise
        How far the threshold of a single total may lie from it, keyed; 0 is the paper's rule.

    Complexity
    ----------
    O(m c) for a table of c cells, once for each set of variables.

    Notes
    -----
    With one variable the only such total is the number of all records. Without a variable there is nothing to look at.

    References
    ----------
    Lucero et al. (2011), section 3.1.1, No Marginal 1 or 2 Rule.

    Examples
    --------
    >>> SmallMarginals().at_least
    3
    """

    name = "small_marginals"
    faces = ("refusal_reading", "fit_difference")
    traits = RestrictionTraits(stage="universe")

    at_least: Annotated[int, Interval(2)] = 3
    noise: Annotated[int, Interval(0)] = 0

    def judge(self, question: Question) -> Ruling:
        names, version = question.boxes.variables, question.version
        if not names:
            return ALLOW
        table = version.table(names)
        sums = version.key_table(names) if self.noise else None
        for axis in range(len(names)):
            totals = np.atleast_1d(table.sum(axis=axis)).ravel()
            if sums is None:
                is_small = (totals > 0) & (totals < self.at_least)
            else:
                keyed = np.atleast_2d(sums.sum(axis=axis)).reshape(-1, 2)
                is_small = (totals > 0) & (
                    totals < keyed_thresholds(self.at_least, self.noise, version.lasting_key, keyed)
                )
            if is_small.any():
                return deny(f"{int(is_small.sum())} totals over {names[axis]} are below the threshold")
        return ALLOW
