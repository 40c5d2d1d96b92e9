"""Unsafe zeros: that a value is zero can be a secret too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from tacita.core.parameters import Interval
from tacita.core.traits import RuleTraits
from tacita.tables.model.table import Table
from tacita.tables.rules.rule import Rule, verdict
from tacita.tables.rules.unsafe import Unsafe

__all__ = ["UnsafeZero"]


@dataclass(frozen=True, kw_only=True)
class UnsafeZero(Rule):
    """A cell with the value zero is unsafe: everybody in it is known to have nothing.

    Protects against group disclosure, such as "nobody of this age in this village has a job". Does not protect a cell
    that is empty by structure; that is no secret.

    Parameters
    ----------
    which
        ``zero`` for cells with contributors whose sum is zero, ``empty`` for cells without contributors, ``both``.
    reach
        Protection level above zero, in units of the table: an attacker must think a value this large possible.

    Notes
    -----
    A zero lies on its lower bound, so its level is one-sided. Where negative amounts can occur it is two-sided.

    A hidden zero is protected only when other cells can move with it. Cells without contributors stay published, because
    readers often know them to be empty; where they leave no way, no pattern can protect the zero, and :class:`Suppress`
    says so and names it. If readers do not know which cells are empty, use ``Suppress(hide_empty=True)``. A zero in a sum
    whose published total is zero cannot be protected at all: merge codes then.

    References
    ----------
    Hundepool, A. et al. (2012), Statistical disclosure control, sections 4.2 and 5.2.

    Examples
    --------
    >>> UnsafeZero(reach=3).words()
    'unsafe_zero(which=zero, reach=3)'
    """

    name = "unsafe_zero"
    traits = RuleTraits(about="group", spares_empty=False)
    which: Literal["zero", "empty", "both"] = "zero"
    reach: Annotated[float, Interval(0, None, "neither")] = 1.0

    def judge(self, table: Table) -> Unsafe:
        """Return the cells with the value zero."""
        unsafe = np.zeros(len(table), bool)
        if self.which in ("zero", "both"):
            unsafe |= table.is_zero
        if self.which in ("empty", "both"):
            unsafe |= table.is_empty
        above = np.full(len(table), self.reach)
        return verdict(self, table, unsafe, np.where(table.bounds[0] < 0, self.reach, 0.0), above)
