"""The shape of every method of cutting: parameters in, bins of a variable out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.constraints import Interval
from tacita.core.errors import DataError
from tacita.core.parameterised import Parameterised
from tacita.query.cutpoints.bins import Bins
from tacita.query.cutpoints.distinct import DistinctValues
from tacita.query.cutpoints.grid import DecimalGrid

__all__ = ["Cutpoints", "MadeFromData"]


@dataclass(frozen=True, kw_only=True)
class Cutpoints(Parameterised, ABC):
    """A way to get the cutpoints of a numeric variable.

    Parameters
    ----------
    low, high
        Smallest and largest value that the variable can have, from public knowledge; they are published with the bins, and
        give the outer bins a middle.
    """

    name: ClassVar[str] = ""
    from_data: ClassVar[bool] = True
    """Whether the cutpoints depend on the records; such cutpoints void a guarantee of differential privacy."""

    low: float | None = None
    high: float | None = None

    @abstractmethod
    def cut(self, values: FloatArray) -> Bins:
        """Return the bins of a variable.

        Parameters
        ----------
        values
            The values of all records; missing ones are left out.
        """


@dataclass(frozen=True, kw_only=True)
class MadeFromData(Cutpoints):
    """Base of the methods that look at the records: every bin gets at least ``minimum`` of them, and ties are never split.

    Parameters
    ----------
    minimum
        Least number of records in a bin, the beta of the paper.
    grain
        Cutpoints are multiples of this; without it, they are the numbers with the fewest digits that separate the bins.

    Raises
    ------
    DataError
        When there are fewer than ``minimum`` values, none at all, or an infinite one.
    """

    minimum: Annotated[int, Interval(1)]
    grain: Annotated[float, Interval(0, None, "neither")] | None = None

    def cut(self, values: FloatArray) -> Bins:
        """Return the bins of a variable; see the class."""
        found = DistinctValues.of(values)
        if found.total < self.minimum:
            raise DataError(
                f"{self.speaker()}: a variable must have at least 'minimum' = {self.minimum} values, got fewer; "
                "publish no cutpoints for it."
            )
        return self.cut_distinct(found)

    @abstractmethod
    def cut_distinct(self, found: DistinctValues) -> Bins:
        """Return the bins of distinct values with their counts, which are at least ``minimum`` together."""

    def seen(self, found: DistinctValues) -> DistinctValues:
        """Return the values as far as cutpoints may tell them apart: with a grain, on its grid."""
        return found if self.grain is None else found.on_grid(DecimalGrid(self.grain))

    def cuts_after(self, found: DistinctValues, places: IntArray) -> FloatArray:
        """Return the cutpoints after the values at some places of :meth:`seen`."""
        return found.cuts_after(places) if self.grain is None else found.points[places]

    def bins(self, found: DistinctValues, cuts: FloatArray, tree: tuple[tuple[int, int], ...] = ()) -> Bins:
        """Return cutpoints as bins."""
        whole = found.whole and bool(np.all(np.rint(cuts) == cuts))
        return Bins(cuts=tuple(cuts.tolist()), whole=whole, tree=tree, low=self.low, high=self.high)
