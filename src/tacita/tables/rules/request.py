"""The request rule: a cell is unsafe when a large contributor asked for protection."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from tacita.core.errors import DataError
from tacita.core.parameters import Interval
from tacita.core.traits import RuleTraits
from tacita.tables.model.table import Table
from tacita.tables.rules.estimates import estimates_from_inside
from tacita.tables.rules.rule import Level, Rule, contributors, in_units, inside_in_units, size_of, verdict
from tacita.tables.rules.unsafe import Unsafe

__all__ = ["Request"]


@dataclass(frozen=True, kw_only=True)
class Request(Rule):
    """A cell is unsafe when a contributor with more than ``share`` percent of it asked for protection.

    In foreign trade statistics cells are published unless a firm objects. The protection level is that of a dominance
    rule with one contributor: ``(100 / share) x - X``, at least ``span`` percent of the value.

    Protects those who asked. Does not protect anybody else.

    Parameters
    ----------
    share
        Percent of the cell from which on a request counts.
    span
        Smallest protection level in percent of the value.

    Notes
    -----
    Only the largest contributions of a cell are known (``depth`` of the table). A request of a smaller one does not
    count; by its share it could not, unless its weight is far above those of the largest. With weights the share is that
    of the weighted contribution in the weighted total. With a shadow variable the level is brought to units of the values.
    From a contributor's own place the upper bound must be at least ``100 / share`` times what the largest other has who asked.

    References
    ----------
    Hundepool, A. et al. (2012), Statistical disclosure control, section 4.2.2.

    Examples
    --------
    >>> Request(share=70).words()
    'request(share=70, span=10)'
    """

    name = "request"
    traits = RuleTraits(about="named", needs=("contributors", "requests"))
    share: Annotated[float, Interval(0, 100, "neither")] = 70.0
    span: Annotated[float, Interval(0, 100)] = 10.0
    level: Level = "unit"

    def judge(self, table: Table) -> Unsafe:
        """Return the cells that somebody asked to protect."""
        found = contributors(table, self.level, owner="Request")
        if found.asks is None:
            raise DataError("Request: the table must know who asked; build it with a 'request' column.")
        if 100 / self.share > found.depth + 1:
            raise DataError(
                f"Request: with 'share' {self.share:g} a request of the {int(100 / self.share)}th largest contributor can "
                f"count, but the table keeps {found.depth}; build it with a larger 'depth'."
            )
        asked = (found.owners >= 0) & found.asks[np.maximum(found.owners, 0)]
        amounts = np.where(asked, np.abs(found.amounts) * found.weights, 0.0).max(axis=1, initial=0.0)
        total = size_of(table, found)
        unsafe = (amounts > 0) & (amounts > self.share / 100 * total)
        lacks = in_units(table, 100 / self.share * amounts - total, total)
        reach = np.maximum(lacks, self.span / 100 * np.abs(table.values))
        inside = estimates_from_inside(
            table,
            replace(found, amounts=found.amounts * found.weights, weights=np.minimum(found.weights, 1.0)),
            unsafe,
            total,
            victim=100 / self.share,
            attacker=0.0,
            may_be_victim=found.asks,
            unlisted=False,
            is_holding=self.level == "holding",
        )
        return verdict(self, table, unsafe, reach, reach, inside=inside_in_units(table, inside, total))
