"""One number about a variable in a universe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from tacita.core.constraints import Interval
from tacita.core.errors import ParameterError
from tacita.query.requests.request import QueryRequest

__all__ = ["NumberStatistic", "Statistic"]

NumberStatistic = Literal[
    "count", "sum", "mean", "variance", "sd", "median", "quantile", "minimum", "maximum", "count_above"
]


@dataclass(frozen=True, kw_only=True)
class Statistic(QueryRequest):
    """Ask for one number about a numeric variable.

    Parameters
    ----------
    response
        The numeric variable; none for a count.
    statistic
        Which number. Minimum and maximum are values of single records; only policies that answer with intervals allow them.
    level
        Of a quantile: the share of records at or below it.
    above
        Of ``count_above``: the limit.

    Examples
    --------
    >>> Statistic(response="income", statistic="mean").to_json()
    '{"kind":"statistic","response":"income","statistic":"mean"}'
    """

    kind = "statistic"

    response: str | None = None
    statistic: NumberStatistic = "count"
    level: Annotated[float, Interval(0, 1)] | None = None
    above: float | None = None

    def check(self) -> None:
        """Check that the statistic has what it needs, and nothing else."""
        if (self.response is None) != (self.statistic == "count"):
            wanted = (
                "must be left out for a count" if self.statistic == "count" else f"must be given for '{self.statistic}'"
            )
            raise ParameterError(f"Statistic: 'response' {wanted}.")
        for name, value, of in (("level", self.level, "quantile"), ("above", self.above, "count_above")):
            if (value is None) == (self.statistic == of):
                raise ParameterError(f"Statistic: '{name}' must be given for '{of}', and for nothing else.")

    @property
    def variables(self) -> tuple[str, ...]:
        return () if self.response is None else (self.response,)
