"""Sparsity: no table with hardly any record in most of its cells."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Annotated

from tacita.core.constraints import Interval
from tacita.core.traits import RestrictionTraits
from tacita.query.requests.tabulate import Tabulate
from tacita.query.restrictions.known_part import known_part
from tacita.query.restrictions.restriction import ALLOW, Restriction, Ruling, deny

if TYPE_CHECKING:
    from tacita.query.question import Question

__all__ = ["Sparsity"]


@dataclass(frozen=True, kw_only=True)
class Sparsity(Restriction):
    """Refuse a table with more cells than its universe can fill.

    A table of c cells about n records must have ``n >= per_cell * c``. In a table with a record or two in each cell
    every cell is about a person: many such tables, each a little blurred by dropping or noise, are the records again.

    Protects against an attacker who asks for many large tables and solves for the records behind them. Does not
    protect against many small ones; noise, dropping and ``decompositions`` are for those.

    Parameters
    ----------
    per_cell
        Records for each cell, on average.

    Complexity
    ----------
    O(1) beside the universe.

    Notes
    -----
    What counts is the number of cells by the published classes, empty ones included, so that a refusal tells no more
    than the size of the universe to within a factor. The paper leaves rules for cross-tabulations to the future;
    table servers in use have such a check.

    A condition on something confidential counts as a further axis of the table, and those who are known to be in the universe
    count as its records: so the table of the ill is judged as the table by illness is. Were the ill counted, a refusal
    would tell whether one more person is ill.

    References
    ----------
    Thompson, G., Broadfoot, S. and Elazar, D. (2013), Methodology for the automatic confidentialisation of
    statistical outputs from remote servers at the Australian Bureau of Statistics, UNECE work session on statistical
    data confidentiality: sparsity checks.

    Examples
    --------
    >>> Sparsity(per_cell=10).per_cell
    10.0
    """

    name = "sparsity"
    faces = ("refusal_reading",)
    traits = RestrictionTraits(stage="universe")

    per_cell: Annotated[float, Interval(0, closed="neither")] = 5.0

    def applies(self, question: Question) -> bool:
        return isinstance(question.request, Tabulate)

    def judge(self, question: Question) -> Ruling:
        request, records = question.request, question.version.records
        by = request.by if isinstance(request, Tabulate) else ()
        known, hidden = known_part(question)
        cells = prod(records.shape((*by, *(name for name in hidden if name not in by))))
        count = int(records.counted((), known).counts.sum()) if hidden else len(question.members)
        return ALLOW if count >= self.per_cell * cells else deny(f"{cells} cells for {count} records")
