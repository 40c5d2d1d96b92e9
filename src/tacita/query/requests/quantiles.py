"""Quantiles of a numeric variable, read from its bins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from tacita.core.constraints import Length
from tacita.core.errors import ParameterError
from tacita.query.requests.request import QueryRequest

__all__ = ["Quantiles"]


@dataclass(frozen=True, kw_only=True)
class Quantiles(QueryRequest):
    """Ask for quantiles of a numeric variable; they are read from the counts of its published bins, never from values.

    Parameters
    ----------
    response
        A numeric variable with cutpoints.
    levels
        Shares of the records, between 0 and 1 and neither.

    Examples
    --------
    >>> Quantiles(response="income").levels
    (0.25, 0.5, 0.75)
    """

    kind = "quantiles"

    response: str
    levels: Annotated[tuple[float, ...], Length(1)] = (0.25, 0.5, 0.75)

    def check(self) -> None:
        """Check the levels."""
        if any(not 0 < level < 1 for level in self.levels) or len(self.levels) > 99:
            raise ParameterError("Quantiles: 'levels' must be at most 99 numbers between 0 and 1.")

    @property
    def variables(self) -> tuple[str, ...]:
        return (self.response,)
