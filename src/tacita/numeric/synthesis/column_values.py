"""Column values: a column as the engine of synthesis sees it, with its gaps, and how drawn numbers are written."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.numeric.statistics.decimals import ceiled, floored, rounded
from tacita.numeric.synthesis.variables import ModelVariable

__all__ = ["ColumnValues", "GapArray", "NumberForm", "joined_values"]

GapArray = npt.NDArray[np.int16]
"""Which kind of gap each record has: 0 where a value is there, 1, 2, ... by reason."""


@dataclass(frozen=True)
class ColumnValues:
    """A column of some records: numbers or classes, and where and why there is none.

    Parameters
    ----------
    values
        (n,): numbers; for classes their positions 0, 1, 2, ... as floats. Where there is a gap the value means nothing.
    gaps
        (n,): the kind of gap: 0 where the value is there, 1 for missing without a reason, 2, 3, ... for each reason.
    classes
        Number of classes; 0 for a column of numbers.
    kinds
        Number of kinds of gaps, whether or not they occur.
    is_ordered
        Whether classes have an order; then others may depend on it as on a number.

    Examples
    --------
    >>> income = ColumnValues.of_numbers(np.array([900.0, np.nan, 0.0]))
    >>> income.there.tolist(), income.kinds
    ([True, False, True], 1)
    """

    values: FloatArray = field(repr=False)
    gaps: GapArray = field(repr=False)
    classes: int = 0
    kinds: int = 0
    is_ordered: bool = False

    @classmethod
    def of_numbers(cls, values: FloatArray) -> ColumnValues:
        """Take numbers; NaN is a gap."""
        gone = np.isnan(values)
        return cls(np.where(gone, 0.0, values), gone.astype(np.int16), kinds=int(gone.any()))

    @classmethod
    def of_classes(cls, codes: IntArray, classes: int, *, is_ordered: bool = False) -> ColumnValues:
        """Take positions of classes; -1 is a gap."""
        gone = codes < 0
        values = np.where(gone, 0, codes).astype(np.float64)
        return cls(values, gone.astype(np.int16), classes, int(gone.any()), is_ordered)

    def __len__(self) -> int:
        return len(self.values)

    @property
    def there(self) -> BoolArray:
        """Where there is a value."""
        return np.asarray(self.gaps == 0)

    def of(self, rows: IntArray | BoolArray) -> ColumnValues:
        """Return the column of some records."""
        return ColumnValues(self.values[rows], self.gaps[rows], self.classes, self.kinds, self.is_ordered)

    def put(self, rows: IntArray | BoolArray, other: ColumnValues) -> ColumnValues:
        """Return the column with other values in some records."""
        values, gaps = self.values.copy(), self.gaps.copy()
        values[rows], gaps[rows] = other.values, other.gaps
        return ColumnValues(values, gaps, self.classes, self.kinds, self.is_ordered)

    def like(self, values: FloatArray, gaps: GapArray) -> ColumnValues:
        """Return a column of the same kind with other values."""
        return ColumnValues(values, gaps, self.classes, self.kinds, self.is_ordered)

    def variables(self, filled: float = 0.0) -> tuple[ModelVariable, ...]:
        """Return what models are given of the column.

        Unordered classes and their gaps are classes. A number, or an ordered class, is a number, filled where it is missing, and
        one more variable tells its gaps apart where it can have any.
        """
        if self.classes and not self.is_ordered:
            codes = np.where(self.gaps > 0, self.gaps + (self.classes - 1.0), self.values)
            return (ModelVariable(codes, self.classes + self.kinds),)
        if not self.kinds:
            return (ModelVariable(self.values),)
        state = ModelVariable(self.gaps.astype(np.float64), 1 + self.kinds)
        return state, ModelVariable(np.where(self.gaps > 0, filled, self.values))

    def typical(self) -> float:
        """Return the median of the values that are there: what gaps are filled with where others depend on them."""
        there = self.values[self.gaps == 0]
        return float(np.median(there)) if there.size else 0.0


def joined_values(one: ColumnValues, other: ColumnValues) -> ColumnValues:
    """Return the records of one column followed by those of another of the same kind."""
    return one.like(np.concatenate([one.values, other.values]), np.concatenate([one.gaps, other.gaps]))


@dataclass(frozen=True)
class NumberForm:
    """How the numbers of a column are written: on which grid, within which bounds, and which numbers mean something else.

    Parameters
    ----------
    decimals
        Decimals; None where numbers are left as they come.
    step
        Distance of the grid's points where it is coarser than the decimals say, such as 50 where all amounts are multiples of 50.
    low, high
        Bounds that the definition of the column has.
    avoid
        Ranges of numbers that mean that there is none, such as (-9, -9).
    is_single
        Whether the column holds numbers in single precision.
    """

    decimals: int | None = None
    step: float | None = None
    low: float = -np.inf
    high: float = np.inf
    avoid: tuple[tuple[float, float], ...] = ()
    is_single: bool = False

    def written(self, values: FloatArray) -> FloatArray:
        """Return numbers as the column can have them.

        Examples
        --------
        >>> NumberForm(decimals=0, low=0.0, avoid=((7.0, 8.0),)).written(np.array([-3.2, 7.4, 8.3, 2.5])).tolist()
        [0.0, 6.0, 9.0, 2.0]
        """
        low, high = self._inside(self.low, self.high)
        made = np.clip(self._on_grid(values), low, high)
        for first, last in self.avoid:
            within = (made >= first) & (made <= last)
            if within.any():
                below, above = self._beside(first, last)
                goes_down = (below >= low) & ((values < (first + last) / 2) | (above > high))
                made = np.where(within, np.where(goes_down, below, above), made)
        return made.astype(np.float32).astype(np.float64) if self.is_single else made

    def _on_grid(self, values: FloatArray) -> FloatArray:
        if self.decimals is None:
            return values
        return rounded(values if self.step is None else np.rint(values / self.step) * self.step, self.decimals)

    def _inside(self, low: float, high: float) -> tuple[float, float]:
        """Return the first and the last point of the grid between two numbers."""
        if self.decimals is None:
            return low, high
        if self.step is not None:
            return float(np.ceil(low / self.step - 1e-9) * self.step), float(
                np.floor(high / self.step + 1e-9) * self.step
            )
        ends = np.array([low, high])
        return float(ceiled(ends, self.decimals)[0]), float(floored(ends, self.decimals)[1])

    def _beside(self, first: float, last: float) -> tuple[float, float]:
        """Return the last point of the grid before a range and the first after it."""
        below, above = float(np.nextafter(first, -np.inf)), float(np.nextafter(last, np.inf))
        if self.decimals is None:
            return below, above
        step = 10.0**-self.decimals if self.step is None else self.step
        last_inside, first_inside = self._inside(first, last)[::-1]
        below = first_inside - step if first_inside <= last else self._inside(-np.inf, first)[1]
        above = last_inside + step if last_inside >= first else self._inside(last, np.inf)[0]
        return float(self._on_grid(np.array([below]))[0]), float(self._on_grid(np.array([above]))[0])
