"""Unsafe codes: every cell with a certain code, such as the missing one, is unsafe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.parameters import Interval
from tacita.core.traits import RuleTraits
from tacita.tables.model.table import Table
from tacita.tables.rules.rule import Rule, verdict
from tacita.tables.rules.unsafe import Unsafe

__all__ = ["UnsafeCodes"]


@dataclass(frozen=True, kw_only=True)
class UnsafeCodes(Rule):
    """A cell is unsafe when its code in a dimension is one of those named.

    Protects what the data owner does not want to show, such as people whose code is missing, whatever the other rules
    say.

    Parameters
    ----------
    column
        The dimension.
    codes
        Its codes, a list or a single one; by default the one of records whose code is missing.

    Notes
    -----
    Empty cells are left alone. A table that does not have a code has no unsafe cell by it. No unsafe cell can be found
    exactly, also where ``span`` is 0 or the value is; see :class:`MinimumFrequency`.

    References
    ----------
    Hundepool, A. et al. (2012), Statistical disclosure control, section 4.2.

    Examples
    --------
    >>> UnsafeCodes(column="region").words()
    'unsafe_codes(column=region, codes=missing, span=30)'
    """

    name = "unsafe_codes"
    traits = RuleTraits(about="named")
    column: str
    codes: Sequence[str] | str = ("missing",)
    span: Annotated[float, Interval(0, 100)] = 30.0
    sliding: Annotated[float, Interval(0)] = 0.0

    def judge(self, table: Table) -> Unsafe:
        """Return the cells with these codes."""
        place = table.place(self.column)
        known = table.dimensions[place].places
        codes = (self.codes,) if isinstance(self.codes, str) else self.codes
        wanted = [known[code] for code in codes if code in known]
        unsafe = np.isin(table.codes[:, place], wanted) & ~table.is_empty
        size = np.abs(table.values)
        reach = self.span / 100 * size
        return verdict(self, table, unsafe, reach, reach, self.sliding / 100 * size)
