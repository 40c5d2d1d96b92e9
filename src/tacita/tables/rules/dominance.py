"""The (n, k) dominance rule: few contributors must not make up most of a cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.parameters import Interval
from tacita.core.traits import RuleTraits
from tacita.tables.model.contributions import Expansion
from tacita.tables.model.table import Table
from tacita.tables.rules.estimates import estimates_from_inside
from tacita.tables.rules.rule import Level, Rule, contributors, dominating, in_units, inside_in_units, size_of, verdict
from tacita.tables.rules.unsafe import Unsafe

__all__ = ["Dominance"]


@dataclass(frozen=True, kw_only=True)
class Dominance(Rule):
    """A cell is unsafe when its n largest contributions exceed ``share`` percent of the total.

    The protection level is what the total lacks: ``(100 / share) (x1 + ... + xn) - X``.

    Protects against the dominance attack: who dominates a cell can bound the others from above. The p % rule sees the
    same danger more exactly and is recommended.

    Parameters
    ----------
    n
        Number of contributors; 1 or 2 are common.
    share
        Percent of the total that they may reach, the k of the (n, k) rule; (1, 75) and (2, 85) are common.
    expansion
        How often a sampled contributor counts; as in :class:`PPercent`.

    Notes
    -----
    Weights and shadow variables are as in :class:`PPercent`. The level is used in both directions. With waivers, x1 is the
    largest contribution of somebody who did not waive, and the others are the largest beside it; a cell where everybody
    waived is safe.

    From the place of a contributor who has o in the cell, the upper bound u of a hidden cell must meet the rule with that
    contributor among the n: ``u >= (100 / share) (v + o + ...)`` for the largest other v and the n - 2 largest beside; for n = 1,
    ``u >= (100 / share) v``. Nothing is asked of the lower side from there.

    References
    ----------
    Hundepool, A. et al. (2012), Statistical disclosure control, section 4.2.2; Cox, L. H. (1981), Linear sensitivity
    measures in statistical disclosure control, Journal of Statistical Planning and Inference 5, 153-164.

    Examples
    --------
    >>> Dominance(n=2, share=85).words()
    'dominance(n=2, share=85)'
    """

    name = "dominance"
    traits = RuleTraits(about="dominance", needs=("contributors",))
    n: Annotated[int, Interval(1)] = 1
    share: Annotated[float, Interval(0, 100, "neither")] = 75.0
    level: Level = "unit"
    expansion: Expansion = "part"

    def judge(self, table: Table) -> Unsafe:
        """Return the cells that few contributors dominate."""
        found = contributors(table, self.level, owner="Dominance")
        seen = found.counted_by(self.expansion)
        first, others = dominating(seen, self.n, owner="Dominance")
        total = size_of(table, found)
        gap = 100 / self.share * (first + others) - total
        unsafe = (found.counts > 0) & (first > 0) & (gap > 1e-9 * total)
        reach = np.maximum(in_units(table, gap, total), 1e-3 * np.abs(table.values))
        inside = estimates_from_inside(
            table,
            seen,
            unsafe,
            total,
            victim=100 / self.share,
            attacker=0.0 if self.n == 1 else 100 / self.share,
            partners=max(self.n - 2, 0),
            may_be_victim=None if found.waives is None else ~found.waives,
            is_holding=self.level == "holding",
        )
        return verdict(self, table, unsafe, reach, reach, inside=inside_in_units(table, inside, total))
