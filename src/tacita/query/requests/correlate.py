"""Correlations of numeric variables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from tacita.core.constraints import Length
from tacita.core.errors import ParameterError
from tacita.query.requests.request import QueryRequest

__all__ = ["Correlate"]


@dataclass(frozen=True, kw_only=True)
class Correlate(QueryRequest):
    """Ask for the correlations of some numeric variables in a universe.

    Parameters
    ----------
    columns
        Two or more numeric variables.
    method
        ``pearson``, or ``spearman`` (of the ranks).

    Examples
    --------
    >>> Correlate(columns=["age", "income"]).method
    'pearson'
    """

    kind = "correlate"

    columns: Annotated[tuple[str, ...], Length(2)]
    method: Literal["pearson", "spearman"] = "pearson"

    def check(self) -> None:
        """Check that no variable is named twice."""
        if len(set(self.columns)) < len(self.columns) or len(self.columns) > 20:
            raise ParameterError("Correlate: 'columns' must be 2 to 20 variables, each once.")

    @property
    def variables(self) -> tuple[str, ...]:
        return self.columns
