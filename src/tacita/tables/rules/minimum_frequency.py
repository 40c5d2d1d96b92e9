"""Minimum frequency: a cell with too few contributors is unsafe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.errors import DataError
from tacita.core.parameters import Interval
from tacita.core.traits import RuleTraits
from tacita.tables.model.table import Table
from tacita.tables.rules.rule import Level, Rule, contributors, counted, verdict
from tacita.tables.rules.unsafe import Unsafe

__all__ = ["MinimumFrequency"]


@dataclass(frozen=True, kw_only=True)
class MinimumFrequency(Rule):
    """A cell is unsafe when somebody is in it, but fewer than ``at_least`` contributors.

    Protects against the external attack (one contributor: everybody learns the value) and the internal attack (two
    contributors: each learns the other's). Does not protect against dominance; combine it with :class:`PPercent`.

    Parameters
    ----------
    at_least
        Smallest number of contributors that is safe.
    span
        Protection level in percent of the value: an attacker's interval must reach this far below and above it. For
        counts, at least one unit in either direction, also where they stand beside sums in one table.

    Notes
    -----
    A threshold of "3" means in some tools that 3 is unsafe, in others that it is safe; ``at_least=3`` cannot be misread. An
    empty cell is not unsafe by this rule; see :class:`UnsafeZero`. Contributors are counted as they stand in the
    data, whatever their weight. A cell whose contributors have all waived their protection is safe. No unsafe cell can be
    found exactly, also where ``span`` is 0 or the value is: its interval is a thousandth of the value wide at least, or of
    the median cell for a zero, or one unit for whole counts.

    References
    ----------
    Hundepool, A. et al. (2012), Statistical disclosure control, section 4.2.

    Examples
    --------
    >>> MinimumFrequency(at_least=5).words()
    'minimum_frequency(at_least=5, span=30)'
    """

    name = "minimum_frequency"
    traits = RuleTraits(about="internal", needs=("counts",))
    at_least: Annotated[int, Interval(1)] = 3
    level: Level = "unit"
    span: Annotated[float, Interval(0, 100)] = 30.0

    sliding: Annotated[float, Interval(0)] = 0.0

    def judge(self, table: Table) -> Unsafe:
        """Return the cells with too few contributors."""
        if self.level == "unit" and table.units is None:
            if table.counts is None:
                raise DataError("MinimumFrequency: the table must know how many records are in a cell ('counts').")
            counts, needs = table.counts, np.ones(len(table), bool)
        else:
            found = contributors(table, self.level, owner="MinimumFrequency")
            counts, needs = found.counts, ~found.all_waive
        unsafe = (counts > 0) & (counts < self.at_least) & needs
        size = np.abs(table.values)
        reach = np.maximum(self.span / 100 * size, np.where(counted(table), 1.0, 0.0))
        return verdict(self, table, unsafe, reach, reach, self.sliding / 100 * size)
