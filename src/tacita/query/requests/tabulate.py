"""Cross-tabulation: counts, means or totals for every combination of classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from tacita.core.constraints import Length
from tacita.core.errors import ParameterError
from tacita.query.requests.request import QueryRequest

__all__ = ["OF_RESPONSE", "TableStatistic", "Tabulate"]

TableStatistic = Literal["count", "weighted_count", "percent", "mean", "total"]

OF_RESPONSE = ("mean", "total")
"""Statistics that need a response."""


@dataclass(frozen=True, kw_only=True)
class Tabulate(QueryRequest):
    """Cross-tabulate a universe by some variables.

    Parameters
    ----------
    by
        The variables whose classes make the cells.
    response
        The numeric variable of means and totals.
    statistic
        ``count`` of records, ``weighted_count`` (what they stand for), ``percent`` of the universe (weighted where the data have
        weights), ``mean`` or ``total`` of the response.
    unit
        Whether ``persons`` (records) or ``households`` are counted. A household counts once in every cell that one of its members
        is in, and is not weighted.
    each
        One of ``by``, such as the areas of a country: each of its classes is then a question of its own, and where the rules
        allow only some of them the table has these.

    Examples
    --------
    >>> Tabulate(by=["sex"], where={"region": ["north"]}).to_json()
    '{"by":["sex"],"kind":"tabulate","where":{"region":["north"]}}'
    """

    kind = "tabulate"

    by: Annotated[tuple[str, ...], Length(1)]
    response: str | None = None
    statistic: TableStatistic = "count"
    unit: Literal["persons", "households"] = "persons"
    each: str | None = None

    def check(self) -> None:
        """Check that the statistic and the response belong together."""
        if len(set(self.by)) < len(self.by):
            raise ParameterError("Tabulate: 'by' names a variable twice.")
        if self.each is not None and self.each not in self.by:
            raise ParameterError("Tabulate: 'each' must be one of the variables in 'by'.")
        if self.statistic in OF_RESPONSE and self.response is None:
            raise ParameterError(f"Tabulate: 'response' must be given for a {self.statistic}.")
        if self.statistic not in OF_RESPONSE and self.response is not None:
            raise ParameterError("Tabulate: 'statistic' must be 'mean' or 'total' where a response is given.")
        if self.unit == "households" and self.statistic in ("weighted_count", *OF_RESPONSE):
            raise ParameterError(
                "Tabulate: households are counted, or shown in percent; for the rest 'unit' must be 'persons'."
            )

    @property
    def variables(self) -> tuple[str, ...]:
        return self.by if self.response is None else (*self.by, self.response)
