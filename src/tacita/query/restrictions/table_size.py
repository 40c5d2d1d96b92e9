"""Size of tables and universes: how many variables and cells a question may have."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Annotated

from tacita.core.constraints import Interval
from tacita.core.traits import RestrictionTraits
from tacita.query.requests.tabulate import Tabulate
from tacita.query.restrictions.restriction import ALLOW, Restriction, Ruling, deny

if TYPE_CHECKING:
    from tacita.query.question import Question

__all__ = ["TableSize"]


@dataclass(frozen=True, kw_only=True)
class TableSize(Restriction):
    """Refuse tables of too many variables or cells, and universes of too many variables.

    Protects against tables that are the microdata again. What is counted are the variables of the table and of the
    universe together.

    Parameters
    ----------
    dimensions
        Most variables that make the cells of a table.
    cells
        Most cells of a table.
    meeting
        Most variables of table and universe together.

    Notes
    -----
    The sizes are choices. Predictors of a model are limited by the rules on models.

    References
    ----------
    Denning, D. E. and Schlörer, J. (1983), Inference controls for statistical databases, Computer 16, 69-82:
    maximum-order control.

    Examples
    --------
    >>> TableSize(dimensions=2).cells
    10000
    """

    name = "table_size"
    faces = ("universe_difference",)
    traits = RestrictionTraits(stage="request", value_free=True)

    dimensions: Annotated[int, Interval(1)] = 4
    cells: Annotated[int, Interval(1)] = 10_000
    meeting: Annotated[int, Interval(1)] = 6

    def judge(self, question: Question) -> Ruling:
        by = question.request.by if isinstance(question.request, Tabulate) else ()
        if len(by) > self.dimensions:
            return deny(f"the table has {len(by)} variables")
        size = prod(question.version.catalogue[name].size for name in by)
        if size > self.cells:
            return deny(f"the table has {size} cells")
        together = len({*by, *question.boxes.variables})
        return ALLOW if together <= self.meeting else deny(f"table and universe have {together} variables")
