"""Unsafe codes: every cell with a certain code, such as the missing one, is unsafe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.parameters import Interval
from tacita.tables.rule import Rule, verdict
from tacita.tables.table import Table
from tacita.tables.unsafe import Unsafe

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
        Its codes; by default the one of records whose code is missing.
    span
        Protection level in percent of the value.

    Returns
    -------
    Unsafe
        The unsafe cells with their protection levels.

    Complexity
    ----------
    O(n) time and memory for n cells.

    Notes
    -----
    Empty cells are left alone. A table that does not have a code has no unsafe cell by it.

    References
    ----------
    Hundepool, A. et al. (2012), Statistical disclosure control, section 4.2.

    Examples
    --------
    >>> UnsafeCodes(column="region").words()
    'unsafe_codes(column=region, codes=missing, span=30)'
    """

    name = "unsafe_codes"
    column: str
    codes: Sequence[str] = ("missing",)
    span: Annotated[float, Interval(0, 100)] = 30.0

    def judge(self, table: Table) -> Unsafe:
        """Return the cells with these codes."""
        place = table.place(self.column)
        known = table.dimensions[place].places
        wanted = [known[code] for code in self.codes if code in known]
        unsafe = np.isin(table.codes[:, place], wanted) & ~table.is_empty
        reach = self.span / 100 * np.abs(table.values)
        return verdict(self, table, unsafe, reach, reach)
