"""The p % rule and the pq rule: a contributor must not be able to estimate another one too closely."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import ParameterError
from tacita.core.parameters import Interval
from tacita.core.traits import RuleTraits
from tacita.tables.model.contributions import Expansion
from tacita.tables.model.table import Table
from tacita.tables.rules.estimates import estimates_from_inside
from tacita.tables.rules.rule import Level, Rule, contributors, dominating, in_units, inside_in_units, size_of, verdict
from tacita.tables.rules.unsafe import Unsafe

__all__ = ["PQ", "PPercent", "estimation_gap"]


def estimation_gap(first: FloatArray, rest: FloatArray, ratio: float) -> FloatArray:
    """Return how much is missing for safety: ``ratio x1 - rest``, positive for unsafe cells."""
    return ratio * first - rest


@dataclass(frozen=True, kw_only=True)
class PPercent(Rule):
    """A cell is unsafe when its second largest contributor can estimate the largest to within p percent.

    The second largest takes its own amount x2 from the total X; what is left over x1 is the sum of the others. The cell
    is safe when ``X - x1 - x2 >= (p / 100) x1``. The protection level is what is missing: ``(p / 100) x1 - (X - x1 - x2)``.

    Protects against the internal and the dominance attack of one contributor. Does not protect against several
    contributors who act together (``coalition`` helps), nor against recalculation from other cells (that is what
    secondary suppression is for).

    Parameters
    ----------
    p
        Percent within which the largest contributor must not be estimated.
    coalition
        Number of contributors who pool what they know; 1 is the usual rule, 2 takes x2 + x3 from the total.
    expansion
        How often a sampled contributor counts: ``part`` as its weight says with the rest in part, ``whole`` as its rounded weight
        says, ``once`` not at all, so that single contributions are held against weighted totals.

    Notes
    -----
    Weights are expanded as the field does it, with the rest as a part contribution: a sampled contributor of amount x and
    weight 2.6 counts as x, x and 0.6 x, so a large weight alone makes a cell safe. Tools differ here: ``expansion="whole"`` is
    the convention of tau-ARGUS (x, x and x), ``"once"`` that of GaussSuppression by default (x alone). The level is used in both
    directions, as tau-ARGUS does. A contributor that waived its protection is not a victim; the largest who did not takes
    its place. An unsafe cell of level zero gets a thousandth of its value, so that it cannot be found exactly. With a
    shadow variable the level is brought to units of the values, by what the cell has of either.

    From the place of a contributor who has o in the cell, the upper bound u of a hidden cell must meet the rule itself:
    ``u - o >= (1 + p / 100) v`` for the largest other contribution v. For x2 that is the protection level, for all others less.
    Nothing is asked of the lower side from there, because the rule is about estimates from above.

    References
    ----------
    Hundepool, A. et al. (2012), Statistical disclosure control, section 4.2.2.

    Examples
    --------
    >>> PPercent(p=10).words()
    'p_percent(p=10, coalition=1)'
    """

    name = "p_percent"
    traits = RuleTraits(about="dominance", needs=("contributors",))
    p: Annotated[float, Interval(0, 100, "right")] = 15.0
    coalition: Annotated[int, Interval(1)] = 1
    level: Level = "unit"
    expansion: Expansion = "part"

    def judge(self, table: Table) -> Unsafe:
        """Return the cells whose largest contributor can be estimated."""
        return _judge(self, table, self.p / 100, self.coalition)


@dataclass(frozen=True, kw_only=True)
class PQ(Rule):
    """A cell is unsafe when what everybody knows beforehand lets a contributor estimate another to within p percent.

    Before the table is published everybody knows each contribution to within ``prior`` percent. The second largest contributor
    then knows the sum of the others to within ``(prior / 100) (X - x1 - x2)``, and the cell is safe when this is at least
    ``(p / 100) x1``. With ``prior`` = 100 it is the p % rule.

    Protects against the same attacks as :class:`PPercent`, from attackers who know something already.

    Parameters
    ----------
    p
        Percent within which the largest contributor must not be estimated.
    prior
        Percent within which every contribution is known beforehand, the q of the rule; above p.
    expansion
        How often a sampled contributor counts; as in :class:`PPercent`.

    Notes
    -----
    Weights, waivers and the smallest level are as in :class:`PPercent`. From a contributor's place the condition is
    ``u - o >= (1 + p / prior) v``: the level of the rule, which is what must be added to the total for the cell to be safe. What
    is known of the others beforehand is in this condition and gives the contributor no floors beside it.

    References
    ----------
    Hundepool, A. et al. (2012), Statistical disclosure control, section 4.2.2.

    Examples
    --------
    >>> PQ(p=10, prior=50).words()
    'pq(p=10, prior=50)'
    """

    name = "pq"
    traits = RuleTraits(about="dominance", needs=("contributors",))
    p: Annotated[float, Interval(0, 100, "right")] = 15.0
    prior: Annotated[float, Interval(0, 100, "right")] = 100.0
    level: Level = "unit"
    expansion: Expansion = "part"

    def check(self) -> None:
        """Compare p with what is known."""
        if self.p >= self.prior:
            raise ParameterError(f"PQ: 'p' must be below 'prior', got p={self.p:g} and prior={self.prior:g}.")

    def judge(self, table: Table) -> Unsafe:
        """Return the cells whose largest contributor can be estimated."""
        return _judge(self, table, self.p / self.prior, 1)


def _judge(rule: PPercent | PQ, table: Table, ratio: float, coalition: int) -> Unsafe:
    owner = type(rule).__name__
    found = contributors(table, rule.level, owner=owner)
    seen = found.counted_by(rule.expansion)
    first, others = dominating(seen, 1 + coalition, owner=owner)
    total = size_of(table, found)
    rest = np.maximum(total - first - others, 0.0)
    gap = estimation_gap(first, rest, ratio)
    unsafe = (found.counts > 0) & (first > 0) & (gap > 1e-9 * total)
    reach = np.maximum(in_units(table, gap, total), 1e-3 * np.abs(table.values))
    inside = estimates_from_inside(
        table,
        seen,
        unsafe,
        total,
        victim=1.0 + ratio,
        attacker=1.0,
        partners=coalition - 1,
        may_be_victim=None if found.waives is None else ~found.waives,
        is_holding=rule.level == "holding",
    )
    return verdict(rule, table, unsafe, reach, reach, inside=inside_in_units(table, inside, total))
