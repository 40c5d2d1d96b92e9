"""Size of cells: no mean or total of few records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from tacita.core.constraints import Interval
from tacita.core.traits import RestrictionTraits
from tacita.query.requests.tabulate import OF_RESPONSE, Tabulate
from tacita.query.restrictions.restriction import ALLOW, Restriction, Ruling, deny

if TYPE_CHECKING:
    from tacita.query.question import Question

__all__ = ["CellSize"]


@dataclass(frozen=True, kw_only=True)
class CellSize(Restriction):
    """Refuse a table of means or totals in which a cell would be about one record, or about few.

    The mean of a cell with one record is the value of that record, whatever was dropped elsewhere. What counts are the
    records that are analysed and have a value of the response. Empty cells tell no value and pass.

    Protects the responses of records that are alone in a cell, or nearly. Does not protect against differences of two
    tables, and not counts: a count of one says that a combination is rare, which dropping records or noise has to blur.

    Parameters
    ----------
    least
        Fewest records of a cell that is not empty.

    Complexity
    ----------
    O(c) for c cells of the table; O(n) for n records where some have no value.

    Notes
    -----
    The paper leaves the rules for cross-tabulations to the future. A refusal tells that some cell is small, which the
    table of counts tells as well.

    References
    ----------
    Hundepool, A. et al. (2012), Statistical Disclosure Control, section 4.2: minimum frequency of magnitude tables.
    Lucero et al. (2011), section 6, on rules for cross-tabulations still to be made.

    Examples
    --------
    >>> CellSize(least=5).least
    5
    """

    name = "cell_size"
    faces = ("universe_difference", "refusal_reading")
    traits = RestrictionTraits(stage="universe")

    least: Annotated[int, Interval(2)] = 3

    def applies(self, question: Question) -> bool:
        return isinstance(question.request, Tabulate) and question.request.statistic in OF_RESPONSE

    def judge(self, question: Question) -> Ruling:
        request = question.request
        if not isinstance(request, Tabulate):
            return ALLOW
        if question.version.has_missing(str(request.response)):
            rows, cells = question.rows_in_cells(request.by)
            known = ~np.isnan(question.version.values(str(request.response))[rows])
            counts = np.bincount(cells[known], minlength=1)
        else:
            counts = question.counted_analysed(request.by).counts
        few = int(((counts > 0) & (counts < self.least)).sum())
        return deny(f"{few} cells have fewer than {self.least} records with a value") if few else ALLOW
