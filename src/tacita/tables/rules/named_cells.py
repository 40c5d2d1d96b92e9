"""Named cells: the user says which cells are unsafe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.errors import ParameterError
from tacita.core.parameters import Interval
from tacita.core.traits import RuleTraits
from tacita.tables.model.table import Table
from tacita.tables.rules.rule import Rule, verdict
from tacita.tables.rules.unsafe import Unsafe

__all__ = ["NamedCells"]


@dataclass(frozen=True, kw_only=True)
class NamedCells(Rule):
    """A cell is unsafe when the user names it.

    Protects what no rule can know: a contract, a complaint, a law. Cells that may be published in spite of a rule are
    taken back with :meth:`Unsafe.released`, cells that must be published are locked with :meth:`Unsafe.lock`.

    Parameters
    ----------
    cells
        Codes by dimension, for one cell or a group of them: ``{"region": "North", "size": "large"}``.

    Notes
    -----
    A group of cells is named by the codes of some dimensions; the others are free. No named cell can be found exactly,
    also where ``span`` is 0 or the value is; see :class:`MinimumFrequency`.

    References
    ----------
    Hundepool, A. et al. (2012), Statistical disclosure control, section 4.2.

    Examples
    --------
    >>> NamedCells(cells=[{"region": "North"}]).name
    'named_cells'
    """

    name = "named_cells"
    traits = RuleTraits(about="named", spares_empty=False)
    cells: Sequence[Mapping[str, str]]
    span: Annotated[float, Interval(0, 100)] = 30.0
    sliding: Annotated[float, Interval(0)] = 0.0

    def __hash__(self) -> int:
        named = tuple(tuple(sorted(where.items())) for where in self.cells)
        return hash((type(self), named, self.span, self.sliding))

    def judge(self, table: Table) -> Unsafe:
        """Return the named cells."""
        unsafe = np.zeros(len(table), bool)
        for where in self.cells:
            found = table.find(where)
            if not len(found):
                raise ParameterError("NamedCells: no cell of the table has the codes " + _named(where) + ".")
            unsafe[found] = True
        size = np.abs(table.values)
        reach = self.span / 100 * size
        return verdict(self, table, unsafe, reach, reach, self.sliding / 100 * size)

    def words(self) -> str:
        """Return the rule in short."""
        return f"named_cells({len(self.cells)} given)"


def _named(where: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={code}" for name, code in where.items())
